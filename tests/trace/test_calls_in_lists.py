"""Calls of operators inside offsets and extents."""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir

TEXT = """import pypto_lite.language as pl

@pl.program
class Blocks:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[256, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[256, 64], pl.FP32]]
    ) -> pl.Tensor[[256, 64], pl.FP32]:
        a = {}
        return pl.store(a, [{}, 0], out)
"""


@pytest.mark.parametrize(
    "offset", ["pl.tile.get_block_idx()", "pl.tile.get_block_idx() * 16", "n - pl.tile.get_block_idx()"]
)
def test_an_offset_may_be_computed_by_a_call(offset):
    program = pl.parse(TEXT.format(f"pl.load(x, [{offset}, 0], [16, 64])", offset))
    assert len([node for node in ir.walk(program) if isinstance(node, ir.Call)]) == 4
    ir.assert_structural_equal(pl.parse(str(program)), program)
    assert isinstance(program.lower(), pl.Program)


def test_a_call_in_an_extent_is_made_once():
    program = pl.parse(TEXT.format("pl.load(x, [0, 0], [16, 64], valid_shape=[pl.tile.get_block_num() + 1, 64])", "0"))
    kernel = program.functions["kernel"]
    number, loaded = [each.value for each in kernel.body.statements if isinstance(each, ir.Assign)]
    assert isinstance(number, ir.Call)
    assert number.op == "tile.get_block_num"
    assert isinstance(loaded, ir.Call)
    (extent,) = loaded.type.expressions()
    assert not [node for node in ir.walk(extent) if isinstance(node, ir.Call)]
    ir.assert_structural_equal(pl.parse(str(program)), program)
