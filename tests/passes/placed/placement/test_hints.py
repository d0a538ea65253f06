"""What a refusal tells to do can be done, and helps."""

from __future__ import annotations

import pytest

from tests.passes.placed.placement.kernels import CHIPS, assert_refused, place, refusal

MAT = "m = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)\n"
VEC = "a = pl.load(x, [0, 0], [64, 64])\n"
WRITE = "pl.write(a, [0, 0], s)"
TO_VEC = "target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box"

ADVICE = {
    "a load into Acc": (
        f"{MAT}a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Acc)  # expect: PL403\nr = pl.matmul_acc(a, m, m)",
        "an accumulator starts as an empty tile, pl.create_tile(...)",
        f"{MAT}a = pl.create_tile([64, 64], dtype=pl.FP32)\nr = pl.matmul_acc(a, m, m)",
    ),
    "a load that is declared in Acc": (
        "a: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.load(x, [0, 0], [64, 64])  # expect: PL403",
        "or as the result of a plain pl.matmul",
        f"{MAT}a = pl.matmul(m, m)",
    ),
    "a vector result in Acc": (
        "a: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)  # expect: PL403",
        "leave the space out: nothing is moved into Acc",
        "a = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)",
    ),
    "a load into Left": (
        "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Left)  # expect: PL403",
        "pl.move(..., target_memory=pl.MemorySpace.Left)",
        f"{VEC}w = pl.move(a, target_memory=pl.MemorySpace.Left)",
    ),
    "a load into Bias": (
        "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Bias)  # expect: PL403",
        "pl.move(..., target_memory=pl.MemorySpace.Bias)",
        f"{VEC}w = pl.move(a, target_memory=pl.MemorySpace.Bias)",
    ),
    "a write into a load that is told to be in Mat": (
        f"a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)\n{WRITE}  # expect: PL402",
        "load the tile without target_memory, or once more into Vec, and change that",
        f"{VEC}{WRITE}",
    ),
    "a write into an empty tile that is told to be in Mat": (
        f"a = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Mat)\n{WRITE}  # expect: PL402",
        "create the tile without target_memory, and change that",
        f"a = pl.create_tile([64, 64], dtype=pl.FP32)\n{WRITE}",
    ),
    "a write into a tile that was moved to Mat": (
        f"b = pl.load(x, [0, 0], [64, 64])\na = pl.move(b, target_memory=pl.Mem.Mat)\n{WRITE}  # expect: PL402",
        "keep what is needed there in Vec as well, and change that",
        f"a = pl.load(x, [0, 0], [64, 64])\n{WRITE}\nb = pl.move(a, target_memory=pl.Mem.Mat)",
    ),
    "a write into a tile in Left": (
        f"{MAT}a = pl.move(m, target_memory=pl.Mem.Left)\n{WRITE}  # expect: PL402",
        "change the tile before it gets to Left",
        f"{VEC}{WRITE}\nw = pl.move(a, target_memory=pl.Mem.Left)",
    ),
    "a write into a product": (
        f"{MAT}a = pl.matmul(m, m)\n{WRITE}  # expect: PL402",
        "move the tile to Vec under a name of its own",
        f"{MAT}p = pl.matmul(m, m)\na = pl.move(p, {TO_VEC})\n{WRITE}",
    ),
    "two declarations of one load": (
        f"{VEC.strip()}  # expect: PL405\nb: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = a\n"
        "c: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = a",
        "leave out the spaces that are declared for aliases and views of it; where it is needed in two spaces, load the"
        " tile once for each",
        f"{VEC}c: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec] = a\na2 = pl.load(x, [0, 0], [64, 64])\n"
        "b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = a2",
    ),
    "two uses of one empty tile": (
        f"{MAT}a = pl.create_tile([64, 64], dtype=pl.FP32)  # expect: PL405\n{WRITE}\nr = pl.matmul_acc(a, m, m)",
        "where it is needed in two spaces, create a tile for each",
        f"{MAT}a = pl.create_tile([64, 64], dtype=pl.FP32)\n{WRITE}\n"
        "seed = pl.create_tile([64, 64], dtype=pl.FP32)\nr = pl.matmul_acc(seed, m, m)",
    ),
    "an alias in Acc of a vector tile": (
        "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)\n"
        "b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = a  # expect: PL410",
        "leave the space out",
        f"{VEC}b = a",
    ),
}


@pytest.mark.parametrize("name", ADVICE)
def test_the_hint_helps(name: str) -> None:
    wrong, hint, right = ADVICE[name]
    assert_refused(wrong, hint, targets=CHIPS)
    for target in CHIPS:
        assert not place(right, target).diagnostics


@pytest.mark.parametrize("name", [name for name in ADVICE if "Acc" in name])
def test_nobody_is_told_to_move_into_acc(name: str) -> None:
    with pytest.raises(AssertionError):
        assert_refused(ADVICE[name][0], "pl.move", targets=CHIPS)


def test_of_many_tiles_that_cannot_be_placed_the_first_are_explained() -> None:
    loads = [f"a{i} = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)\ne{i} = pl.exp(a{i})" for i in range(30)]
    errors = refusal("\n".join(loads), CHIPS[0])
    assert len(errors) == 21
    assert errors[-1].message == "10 more tiles cannot be placed; the first of them is 'a20'"
