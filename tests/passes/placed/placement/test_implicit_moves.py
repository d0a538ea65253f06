"""``tile.assemble`` carries its source into its target: within a space or along one move, else after a move, or not."""

from __future__ import annotations

import pytest

from pypto_lite import ir, passes
from pypto_lite.passes import InferTileMemorySpace
from pypto_lite.targets import ASCEND910B
from tests.passes.placed.placement.kernels import (
    CHIPS,
    assert_placed,
    assert_refused,
    assert_warned,
    kernel,
    moves,
    place,
)
from tests.passes.placed.placement.test_tile_memory_inferred import relabelled

TILES = """\
m = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
left = pl.move(m, target_memory=pl.Mem.Left)
right = pl.move(m, target_memory=pl.Mem.Right)
"""
MAKERS = {
    "Vec": "{0} = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)\n",
    "Mat": "{0} = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)\n",
    "Acc": "{0} = pl.matmul(left, right)\n",
    "Left": "{0} = pl.move(m, target_memory=pl.Mem.Left)\n",
    "Right": "{0} = pl.move(m, target_memory=pl.Mem.Right)\n",
}
DIRECT = [
    ("Vec", "Vec"), ("Mat", "Mat"), ("Acc", "Acc"), ("Left", "Left"), ("Acc", "Mat"), ("Acc", "Vec"), ("Vec", "Mat"),
    ("Vec", "Left"), ("Vec", "Right"), ("Mat", "Left"), ("Mat", "Right"),
]  # fmt: skip
IMPOSSIBLE = [
    ("Vec", "Acc"), ("Mat", "Acc"), ("Left", "Vec"), ("Left", "Mat"), ("Left", "Acc"), ("Left", "Right"),
    ("Right", "Left"),
]  # fmt: skip


def tiles(source: str, target: str) -> str:
    return TILES + MAKERS[source].format("src") + MAKERS[target].format("dst")


@pytest.mark.parametrize(("source", "target"), DIRECT)
def test_a_way_that_the_operator_goes_itself(source: str, target: str) -> None:
    body = tiles(source, target) + "q = pl.tile.assemble(dst, src, [0, 0])\n"
    assert_placed(body, body)


@pytest.mark.parametrize(("source", "target"), IMPOSSIBLE)
def test_a_way_that_does_not_exist(source: str, target: str) -> None:
    body = tiles(source, target) + "q = pl.tile.assemble(dst, src, [0, 0])  # expect: PL404"
    assert_refused(body, f"would carry 'src' from {source} into 'dst', which is in {target}, and no move leads there")


@pytest.mark.parametrize("target", ["Left", "Right"])
def test_a_longer_way_starts_with_a_move(target: str) -> None:
    assert_placed(
        tiles("Acc", target) + "q = pl.tile.assemble(dst, src, [0, 0])",
        tiles("Acc", target) + "near = pl.move(src, target_memory=pl.Mem.Mat)\nq = pl.tile.assemble(dst, near, [0, 0])",
    )


def test_out_of_mat_into_vec_is_an_error_on_a_chip() -> None:
    body = tiles("Mat", "Vec") + "q = pl.tile.assemble(dst, src, [0, 0])  # expect: PL404"
    assert_refused(body, "'src'", "'dst'", "move 'dst' to Mat under a name of its own", targets=CHIPS)


def test_out_of_mat_into_vec_is_a_warning_without_one() -> None:
    body = tiles("Mat", "Vec") + "q = pl.tile.assemble(dst, src, [0, 0])"
    assert_warned(body + "  # expect: PL407", body)


def test_both_tiles_are_shown() -> None:
    assert_refused(
        """
        m = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        c = pl.matmul(m, m)  # note
        w = pl.load(x, [0, 0], [64, 64])  # note
        q = pl.tile.assemble(c, w, [0, 0])  # expect: PL404
        """,
        "move 'c' to Vec under a name of its own, and assemble into that",
    )


@pytest.mark.parametrize(
    "target", ["d = dst\n", "d = pl.slice(dst, [64, 64], [0, 0])\n", "d = pl.tile.assemble(dst, dst, [0, 0])\n"]
)
@pytest.mark.parametrize("source", ["e = src\n", "e = pl.reshape(src, [64, 64])\n"])
def test_under_whatever_name(source: str, target: str) -> None:
    body = tiles("Vec", "Acc") + target + source + "q = pl.tile.assemble(d, e, [0, 0])  # expect: PL404"
    assert_refused(body, "'e' from Vec into 'd', which is in Acc")


def test_carries_and_results() -> None:
    assert_refused(
        f"""\
{tiles("Vec", "Acc")}
for i, (c, e) in pl.range(4, init_values=(dst, src)):
    d = pl.tile.assemble(c, e, [0, 0])  # expect: PL404
    f = pl.exp(e)
    c_rv, e_rv = pl.yield_(d, f)
""",
        "'e' from Vec into 'c', which is in Acc",
    )


def test_a_transposed_view_is_repeated_in_mat() -> None:
    body = tiles("Vec", "Mat") + "t = pl.tile.transpose_view(src)\nq = pl.tile.assemble(dst, t, [0, 0])"
    placed = place(body, ASCEND910B)
    assert moves(placed)[2:] == [("src", "Mat")]
    assert passes.verify(placed, {passes.TileMemoryInferred}, ASCEND910B) == []


# Placed by hand.


@pytest.mark.parametrize(("source", "target"), IMPOSSIBLE)
def test_the_verifier_finds_ways_that_do_not_exist(source: str, target: str) -> None:

    body = tiles(source, target) + "q = pl.tile.assemble(dst, src, [0, 0])\n"
    assert [each.code for each in passes.verify(kernel(body), {passes.TileMemoryInferred}, ASCEND910B)] == ["PL407"]


def test_the_verifier_tolerates_mat_to_vec_without_a_target_only() -> None:
    body = tiles("Mat", "Vec") + "q = pl.tile.assemble(dst, src, [0, 0])\n"
    assert passes.verify(kernel(body), {passes.TileMemoryInferred}) == []
    assert [each.code for each in passes.verify(kernel(body), {passes.TileMemoryInferred}, ASCEND910B)] == ["PL407"]


def test_a_placed_source_that_is_said_to_be_elsewhere() -> None:
    placed = InferTileMemorySpace(ASCEND910B)(kernel(tiles("Vec", "Mat") + "q = pl.tile.assemble(dst, src, [0, 0])"))
    broken = relabelled(placed, "src", ir.MemorySpace.Left)
    assert "PL407" in [each.code for each in passes.verify(broken, {passes.TileMemoryInferred}, ASCEND910B)]
