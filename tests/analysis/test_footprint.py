"""How many bytes tiles take, and which assignments own a buffer."""

from __future__ import annotations

import pytest

from pypto_lite import ir
from pypto_lite.analysis.accesses import tile_accesses
from pypto_lite.analysis.footprint import allocations, owners, tile_bytes
from tests.passes.placed.placement.kernels import place


@pytest.mark.parametrize(
    ("shape", "dtype", "size"),
    [
        ((16, 16), "FP32", 1024),
        ((16, 16), "BF16", 512),
        ((1, 1), "FP32", 32),
        ((1, 9), "FP32", 64),
        ((1, 33), "INT8", 64),
        ((1, 64), "FP4", 32),
        ((3, 5), "INT64", 128),
    ],
)
def test_a_size_is_a_multiple_of_32_bytes(shape: tuple[int, int], dtype: str, size: int) -> None:
    assert tile_bytes(ir.TileType(shape, ir.DTYPES[dtype])) == size


def test_a_symbolic_size_is_not_known() -> None:
    rows = ir.Var("rows", ir.ScalarType(ir.DTYPES["INDEX"]))
    assert tile_bytes(ir.TileType((rows, 16), ir.DTYPES["FP32"])) is None


def owned(body: str) -> list[str]:
    return [stmt.var.name for stmt in owners(tile_accesses(place(body).functions["kernel"]))]


def test_what_makes_a_tile_owns_a_buffer() -> None:
    body = """
        a = pl.load(x, [0, 0], [64, 64])
        c = pl.create_tile([64, 64], dtype=pl.FP32)
        e = pl.exp(a)
        r = pl.matmul(a, e)
        """
    assert owned(body) == ["a", "c", "e", "a_Left", "e_Right", "r"]


def test_aliases_and_views_own_none() -> None:
    body = """
        a = pl.load(x, [0, 0], [64, 64])
        b = a
        w = pl.reshape(a, [32, 128])
        t = pl.tile.transpose_view(w)
        u = pl.slice(t, [16, 16], [0, 0])
        q = pl.set_validshape(u, 8, 8)
        """
    assert owned(body) == ["a"]


def test_results_that_take_over_an_operand_own_none() -> None:
    body = """
        a = pl.load(x, [0, 0], [64, 64])
        m = pl.matmul(a, a)
        r = pl.matmul_acc(m, a, a)
        p = pl.tile.fillpad_inplace(a, pad_value=pl.PadValue.zero)
        f = pl.tile.assemble(p, a, [0, 0])
        w = pl.write(p, [0, 0], s)
        """
    assert owned(body) == ["a", "a_Left", "a_Right", "m"]


def test_each_of_several_results_owns_one() -> None:
    body = """
        a = pl.load(x, [0, 0], [64, 64])
        found, count = pl.tile.gather_compare(a, s, a, cmp_mode="eq", out_cols=8)
        """
    assert owned(body) == ["a", "found", "count"]


def test_of_one_declared_allocation_the_largest_counts() -> None:
    tile = "pl.Tile[[{0}, 64], pl.FP32, pl.MemRef('shared')] = pl.load(x, [0, 0], [{0}, 64])"
    placed = place(f"a: {tile.format(16)}\nb: {tile.format(64)}\nc: {tile.format(32)}\nd = pl.exp(a)")
    assert [stmt.var.name for stmt in allocations(owners(tile_accesses(placed.functions["kernel"])))] == ["b", "d"]
