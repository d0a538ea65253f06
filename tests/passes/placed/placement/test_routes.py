"""Which ways lead from space to space, and what is said where none does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pypto_lite import language as pl
from pypto_lite import passes
from pypto_lite.analysis.routes import Routes
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import MemorySpace
from pypto_lite.targets import ASCEND910B, ASCEND950
from tests.passes.placed.placement.kernels import (
    ALL_TARGETS,
    CHIPS,
    assert_placed,
    assert_refused,
    assert_warned,
    moves,
    place,
)

if TYPE_CHECKING:
    from pypto_lite.targets import Target

IN_MAT = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"
IN_VEC = "z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)"
FLAT = "blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box"

Acc, Bias, DDR, Left, LeftScale, Mat, Right, RightScale, Vec = (
    MemorySpace[name] for name in ("Acc", "Bias", "DDR", "Left", "LeftScale", "Mat", "Right", "RightScale", "Vec")
)
TILE_SPACES = (Acc, Bias, Left, Mat, Right, Vec)


# The table.

ONE_MOVE = {(Mat, Left), (Mat, Right), (Mat, Bias), (Acc, Mat), (Acc, Vec), (Vec, Mat), (Vec, Left), (Vec, Right)}


@pytest.mark.parametrize("target", ALL_TARGETS, ids=repr)
def test_the_single_moves_are_the_same_on_every_target(target: Target | None) -> None:
    routes = Routes(target)
    allowed = {(a, b) for a in TILE_SPACES for b in TILE_SPACES if a is not b and routes.allows(a, b)}
    assert allowed == ONE_MOVE


@pytest.mark.parametrize("scale", [LeftScale, RightScale])
def test_scales_reach_their_buffers_from_mat_where_there_are_any(scale: MemorySpace) -> None:
    assert Routes(ASCEND950).allows(Mat, scale)
    assert Routes(None).allows(Mat, scale)
    assert not Routes(ASCEND910B).allows(Mat, scale)
    assert not Routes(ASCEND910B).exists(scale)


@pytest.mark.parametrize("space", TILE_SPACES)
def test_within_a_space_only_vec_moves(space: MemorySpace) -> None:
    assert Routes(None).allows(space, space) is (space is Vec)


@pytest.mark.parametrize(
    ("source", "destination", "chain"),
    [
        (Mat, Left, (Left,)),
        (Acc, Left, (Mat, Left)),
        (Acc, Right, (Mat, Right)),
        (Acc, Bias, (Mat, Bias)),
        (Vec, Bias, (Mat, Bias)),
        (Vec, Left, (Left,)),
        (Vec, LeftScale, (Mat, LeftScale)),
        (Vec, Vec, ()),
        (Mat, Vec, None),
        (Vec, Acc, None),
        (Mat, Acc, None),
        (Left, Mat, None),
        (Bias, Vec, None),
    ],
)
def test_a_longer_way_is_the_shortest_chain(
    source: MemorySpace, destination: MemorySpace, chain: tuple[MemorySpace, ...] | None
) -> None:
    assert Routes(None).chain(source, destination) == chain


# Chains.


def test_a_product_reaches_the_cube_core_by_way_of_mat() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        m = pl.matmul(a, a)
        r = pl.matmul(m, m)
        """,
        f"""
        {IN_MAT}
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        m = pl.matmul(a_Left, a_Right)
        m_Mat = pl.move(m, target_memory=pl.Mem.Mat)
        m_Left = pl.move(m_Mat, target_memory=pl.Mem.Left)
        m_Right = pl.move(m_Mat, target_memory=pl.Mem.Right)
        r = pl.matmul(m_Left, m_Right)
        """,
    )


def test_a_bias_in_vec_gets_there_by_way_of_mat() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        b = pl.load(v, [0, 0], [1, 64])
        r = pl.matmul_bias(a, a, b)
        """,
        f"""
        {IN_MAT}
        b = pl.load(v, [0, 0], [1, 64], target_memory=pl.Mem.Vec)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        b_Mat = pl.move(b, target_memory=pl.Mem.Mat)
        b_Bias = pl.move(b_Mat, target_memory=pl.Mem.Bias, {FLAT})
        r = pl.matmul_bias(a_Left, a_Right, b_Bias)
        """,
    )


def test_a_bias_in_mat_goes_there_directly() -> None:
    placed = place(f"{IN_MAT}\nb = pl.load(v, [0, 0], [1, 64], target_memory=pl.Mem.Mat)\nr = pl.matmul_bias(a, a, b)")
    assert moves(placed)[-1] == ("b", "Bias")


def test_a_bias_that_is_a_product_gets_there_by_way_of_mat() -> None:
    row = "p = pl.load(v, [0, 0], [1, 64], target_memory=pl.Mem.Mat)\nb0 = pl.matmul(p, a)"
    placed = place(f"{IN_MAT}\n{row}\nr = pl.matmul_bias(a, a, b0)")
    assert moves(placed)[-2:] == [("b0", "Mat"), ("b0_Mat", "Bias")]


@pytest.mark.parametrize(
    "view", ["pl.reshape(z, [64, 64])", "pl.slice(z, [64, 64], [0, 0])", "pl.set_validshape(z, 64, 64)"]
)
def test_a_view_in_vec_is_moved_directly(view: str) -> None:
    placed = place(f"{IN_MAT}\n{IN_VEC}\nw = {view}\nr = pl.matmul(w, a)")
    assert moves(placed)[0] == ("w", "Left")


# Mat to Vec: on neither chip. Without a target it is inserted as specified, with a warning.


@pytest.mark.parametrize(
    "consumer", ["e = pl.exp(a)", "e = pl.add(a, a)", "o = pl.store(a, [0, 0], out)", "k = pl.read(a, [0, 0])"]
)
def test_a_tile_in_mat_that_is_wanted_in_vec_is_refused_on_a_chip(consumer: str) -> None:
    assert_refused(
        f"""
        {IN_MAT}  # note
        {consumer}  # expect: PL404
        """,
        "'a'", "Mat", "Vec", "load the tile without target_memory",
        targets=CHIPS,
    )  # fmt: skip


def test_without_a_target_it_is_moved_with_a_warning() -> None:
    assert_warned(
        f"""
        {IN_MAT}
        e = pl.exp(a)  # expect: PL407
        f = pl.neg(a)
        """,
        f"""
        {IN_MAT}
        a_Vec = pl.move(a, target_memory=pl.Mem.Vec, {FLAT})
        e = pl.exp(a_Vec)
        f = pl.neg(a_Vec)
        """,
    )


def test_without_a_target_a_store_gets_it_in_the_first_space_that_it_reads() -> None:
    assert_warned(
        f"""
        {IN_MAT}
        o = pl.store(a, [0, 0], out)  # expect: PL407
        """,
        f"""
        {IN_MAT}
        a_Vec = pl.move(a, target_memory=pl.Mem.Vec, {FLAT})
        o = pl.store(a_Vec, [0, 0], out)
        """,
    )


def test_without_a_target_a_written_move_out_of_mat_stays_with_a_warning() -> None:
    assert_warned(
        f"""
        {IN_MAT}
        w = pl.move(a, target_memory=pl.Mem.Vec)  # expect: PL407
        """,
        f"""
        {IN_MAT}
        w = pl.move(a, target_memory=pl.Mem.Vec, {FLAT})
        """,
    )


def test_a_program_that_is_placed_twice_is_warned_about_once() -> None:
    placed = place(f"{IN_MAT}\ne = pl.exp(a)\nw = pl.move(a, target_memory=pl.Mem.Vec)")
    assert passes.infer_tile_memory_space()(placed) is placed
    assert [each.code for each in placed.diagnostics] == ["PL407", "PL407"]


def test_without_a_target_a_join_in_mat_is_read_by_a_vector_operator_with_a_warning() -> None:
    assert_warned(
        f"""
        {IN_MAT}
        {IN_VEC}
        for i, (c,) in pl.range(4, init_values=(z,)):
            e = pl.exp(c)  # expect: PL407
            c_rv = pl.yield_(a)
        """,
        f"""
        {IN_MAT}
        {IN_VEC}
        z_Mat = pl.move(z, target_memory=pl.Mem.Mat)
        for i, (c,) in pl.range(4, init_values=(z_Mat,)):
            c_Vec = pl.move(c, target_memory=pl.Mem.Vec, {FLAT})
            e = pl.exp(c_Vec)
            c_rv = pl.yield_(a)
        """,
    )


def test_a_tile_in_mat_is_not_written_in_place_not_even_without_a_target() -> None:
    assert_refused(
        f"""
        {IN_MAT}  # note
        pl.write(a, [0, 0], s)  # expect: PL402
        """,
        "'a'", "in place", "Vec",
    )  # fmt: skip


def test_a_product_is_not_written_in_place() -> None:
    assert_refused(
        f"""
        {IN_MAT}
        r = pl.matmul(a, a)  # note
        pl.write(r, [0, 0], s)  # expect: PL402
        """,
        "'r'", "Acc", "under a name of its own",
    )  # fmt: skip


def test_a_view_of_a_product_is_not_written_in_place() -> None:
    assert_refused(
        f"""
        {IN_MAT}
        r = pl.matmul(a, a)  # note
        w = pl.reshape(r, [32, 128])
        pl.write(w, [0, 0], s)  # expect: PL402
        """,
        "'r'", "'w'",
    )  # fmt: skip


# Out of and into other spaces.


@pytest.mark.parametrize(
    ("space", "consumer"),
    [
        ("Left", "e = pl.exp(w)"),
        ("Right", "r = pl.matmul(w, a)"),
        ("Bias", "o = pl.store(w, [0, 0], out)"),
        ("Left", "r = pl.matmul(a, w)"),
    ],
)
def test_nothing_leaves_an_l0_space_but_acc(space: str, consumer: str) -> None:
    assert_refused(
        f"""
        {IN_MAT}
        w = pl.move(a, target_memory=pl.Mem.{space})  # note
        {consumer}  # expect: PL404
        """,
        "'w'", space,
    )  # fmt: skip


# Written moves.


@pytest.mark.parametrize(
    ("maker", "space", "inserted"),
    [
        ("pl.matmul(a, a)", "Left", ("t", "Mat")),
        ("pl.exp(z)", "Bias", ("t", "Mat")),
        ("pl.load(y, [0, 0], [64, 64])", "Bias", ("t", "Mat")),
    ],
)
def test_the_missing_step_of_a_written_move_is_inserted(maker: str, space: str, inserted: tuple[str, str]) -> None:
    placed = place(f"{IN_MAT}\n{IN_VEC}\nt = {maker}\nw = pl.move(t, target_memory=pl.Mem.{space})")
    assert moves(placed)[-2:] == [inserted, ("t_Mat", space)]


@pytest.mark.parametrize("space", ["Left", "Right", "Mat"])
def test_a_written_move_of_a_load_without_a_target_goes_out_of_vec(space: str) -> None:
    placed = place(f"t = pl.load(y, [0, 0], [64, 64])\nw = pl.move(t, target_memory=pl.Mem.{space})")
    assert moves(placed) == [("t", space)]


@pytest.mark.parametrize("maker", ["pl.exp(z)", "pl.matmul(a, a)", "pl.create_tile([64, 64], dtype=pl.FP32)", "a"])
def test_nothing_is_moved_into_acc(maker: str) -> None:
    assert_refused(
        f"""
        {IN_MAT}
        {IN_VEC}
        t = {maker}
        w = pl.move(t, target_memory=pl.Mem.Acc)  # expect: PL404
        """,
        "'t'", "nothing can be moved into Acc",
    )  # fmt: skip


def test_a_window_is_extracted_out_of_mat_only_into_l0() -> None:
    assert_refused(
        f"""
        {IN_MAT}  # note
        w = pl.tile.extract(a, 0, 0, [16, 16])  # expect: PL404
        """,
        "'a'", "Vec",
        targets=CHIPS,
    )  # fmt: skip


def test_a_window_of_a_product_is_extracted_by_way_of_mat() -> None:
    placed = place(f"{IN_MAT}\nm = pl.matmul(a, a)\nw = pl.tile.extract(m, 0, 0, [16, 16], target_memory=pl.Mem.Left)")
    assert moves(placed)[-1] == ("m", "Mat")


# Spaces that a target does not have.


SCALED = """
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 64], pl.FP8E4M3FN],
        x_scales: pl.Tensor[[16, 2], pl.FP8E8M0, pl.TensorLayout.MX_A_ZZ],
        y: pl.Tensor[[64, 32], pl.FP8E4M3FN],
        y_scales: pl.Tensor[[2, 32], pl.FP8E8M0, pl.TensorLayout.MX_B_NN],
    ):
        a = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.load(y, [0, 0], [64, 32], target_memory=pl.Mem.Mat)
        p = pl.load(x_scales, [0, 0], [16, 2], target_memory=pl.Mem.Mat)
        q = pl.load(y_scales, [0, 0], [2, 32], target_memory=pl.Mem.Mat)
        r = pl.matmul_mx(a, p, b, q)
"""


@pytest.mark.parametrize("target", [None, ASCEND950], ids=repr)
def test_scales_are_moved_to_their_buffers_where_there_are_any(target: Target | None) -> None:
    placed = passes.InferTileMemorySpace(target)(pl.parse(SCALED))
    assert moves(placed) == [("a", "Left"), ("p", "LeftScale"), ("b", "Right"), ("q", "RightScale")]


def test_scales_have_no_way_where_there_is_no_buffer() -> None:
    with pytest.raises(UserError) as caught:
        passes.InferTileMemorySpace(ASCEND910B)(pl.parse(SCALED))
    assert [(each.code, each.span.line) for each in caught.value.diagnostics] == [("PL404", 19), ("PL404", 19)]
    assert "Ascend910B has no LeftScale buffer" in str(caught.value)
    assert "Ascend910B has no RightScale buffer" in str(caught.value)


def test_a_buffer_that_the_target_does_not_have_is_refused_where_it_is_named() -> None:
    text = SCALED.replace("r = pl.matmul_mx(a, p, b, q)", "w = pl.move(p, target_memory=pl.Mem.LeftScale)")
    with pytest.raises(UserError) as caught:
        passes.InferTileMemorySpace(ASCEND910B)(pl.parse(text))
    assert [(each.code, each.span.line) for each in caught.value.diagnostics] == [("PL408", 19)]
    assert "'w'" in str(caught.value)
    assert moves(passes.InferTileMemorySpace(ASCEND950)(pl.parse(text))) == [("p", "LeftScale")]
