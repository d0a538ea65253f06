"""Placement for chips that are not Ascend's: what moves, and what is preferred, is what the target says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite.analysis.routes import Routes
from pypto_lite.ir import CoreType, MemorySpace, TileLayout, TileView
from pypto_lite.targets import ASCEND910B, Space, Target
from tests.passes.placed.placement.kernels import assert_placed, assert_refused, moves, place, spaces

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Acc, Bias, Left, Mat, Right, Vec = (MemorySpace[name] for name in ("Acc", "Bias", "Left", "Mat", "Right", "Vec"))

PRODUCT_OF_VEC = """
z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
r = pl.matmul(z, z)
"""


def chip(name: str, moves: Mapping[MemorySpace, Sequence[MemorySpace]], **facts: Any) -> Target:
    """A chip with the memories of Ascend910B and other moves between them."""
    return Target(name, ASCEND910B.spaces, cube_cores=1, vector_cores=2, moves=moves, **facts)


NO_SHORT_CUT = chip("NoShortCut", {Mat: (Left, Right, Bias), Vec: (Mat, Vec), Acc: (Mat, Vec)})
"""Its vector core reaches the cube core through Mat only."""

APART = chip("Apart", {Mat: (Left, Right, Bias), Vec: (Vec,), Acc: (Vec,)})
"""Nothing leads from its vector cores to its cube core."""

AROUND = chip("Around", {Mat: (Left, Right, Bias), Vec: (Left, Right, Vec), Acc: (Vec,)})
"""Its products get back to the cube core through Vec."""

BOTH_WAYS = chip("BothWays", {Mat: (Left, Right, Bias, Vec), Vec: (Mat, Left, Right, Vec), Acc: (Mat, Vec)})
"""It moves tiles from Mat to Vec."""


def test_a_longer_way_is_taken_where_the_chip_has_no_shorter_one() -> None:
    assert moves(place(PRODUCT_OF_VEC, ASCEND910B)) == [("z", "Left"), ("z", "Right")]
    assert moves(place(PRODUCT_OF_VEC, NO_SHORT_CUT)) == [("z", "Mat"), ("z_Mat", "Left"), ("z_Mat", "Right")]


def test_a_product_goes_around_by_vec_where_nothing_leads_from_acc_to_mat() -> None:
    chain = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)\nm = pl.matmul(a, a)\nr = pl.matmul(m, a)"
    assert moves(place(chain, ASCEND910B))[2:] == [("m", "Mat"), ("m_Mat", "Left")]
    assert moves(place(chain, AROUND))[2:] == [("m", "Vec"), ("m_Vec", "Left")]


def test_where_no_move_leads_there_the_kernel_is_refused() -> None:
    assert_refused(
        """
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)  # note
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        r = pl.matmul(z, a)  # expect: PL404
        """,
        "'z' is in Vec, and no move leads from there to Left",
        targets=(APART,),
    )


def test_a_load_goes_to_where_the_chip_can_serve_its_readers_from() -> None:
    loaded = "a = pl.load(x, [0, 0], [64, 64])\nr = pl.matmul(a, a)"
    assert spaces(place(loaded, ASCEND910B))["a"] == "Vec"
    assert spaces(place(loaded, APART))["a"] == "Mat"


def test_a_move_that_ascend_lacks_is_made_without_a_warning() -> None:
    assert_placed(
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        e = pl.exp(a)
        """,
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        a_Vec = pl.move(a, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        e = pl.exp(a_Vec)
        """,
        targets=(BOTH_WAYS,),
    )


def test_the_preferred_memory_of_the_chip_is_where_a_tile_lives_that_nothing_holds_elsewhere() -> None:
    prefers_mat = chip("PrefersMat", BOTH_WAYS.moves, preference=(Mat, Vec, Acc))
    assert spaces(place("a = pl.load(x, [0, 0], [64, 64])", BOTH_WAYS)) == {"a": "Vec"}
    assert spaces(place("a = pl.load(x, [0, 0], [64, 64])", prefers_mat)) == {"a": "Mat"}


def test_a_transposed_view_gets_to_the_cube_side_from_where_the_chip_stages_it() -> None:
    transposed = f"{PRODUCT_OF_VEC.splitlines()[1]}\nt = pl.tile.transpose_view(z)\nr = pl.matmul(z, t)"
    staged_in_vec = chip("StagedInVec", AROUND.moves, staging=Vec)
    assert moves(place(transposed, ASCEND910B)) == [("z", "Left"), ("z", "Mat"), ("t_Mat", "Right")]
    assert moves(place(transposed, staged_in_vec)) == [("z", "Left"), ("t", "Right")]


def test_moves_lay_a_tile_out_as_the_memory_of_the_chip_wants_it() -> None:
    flat = {**ASCEND910B.spaces, Left: Space(65536, CoreType.CUBE, layout=TileView())}
    flat_left = Target("FlatLeft", flat, cube_cores=1, vector_cores=2)
    assert_placed(
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w = pl.move(a, target_memory=pl.Mem.Left)
        """,
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w = pl.move(a, target_memory=pl.Mem.Left, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        """,
        targets=(flat_left,),
    )
    assert flat_left.layout(Left).slayout is TileLayout.none_box


def test_a_memory_that_the_chip_lacks_is_no_destination() -> None:
    without_bias = {space: each for space, each in ASCEND910B.spaces.items() if space is not Bias}
    routes = Routes(Target("NoBias", without_bias, cube_cores=1, vector_cores=2))
    assert not routes.allows(Mat, Bias)
    assert routes.chain(Vec, Bias) is None
    assert routes.allows(Mat, Left)
