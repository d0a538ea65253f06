"""Copies and pickles of the IR."""

from __future__ import annotations

import copy
import pickle

import pytest

from pypto_lite import ir
from pypto_lite.ir.dtypes import BF16, FP32, INDEX

ROWS = ir.Var("M", ir.ScalarType(INDEX))
TYPES = [
    ir.ScalarType(FP32),
    ir.ArrayType(8, BF16),
    ir.TupleType([ir.ScalarType(FP32), ir.PTR]),
    ir.TensorType([16, 32], BF16, ir.TensorView((8, 32), (), ir.TensorLayout.DN), True),
    ir.TileType([16, 32], FP32, ir.MemorySpace.Mat, ir.TileView((8, 32), fractal=32), ir.MemRef("buffer")),
    ir.UNKNOWN,
    ir.PTR,
]


@pytest.mark.parametrize("type_", TYPES, ids=repr)
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_constant_type_stays_the_one_object(type_, again):
    assert again(type_) is type_


def test_a_symbolic_type_is_pickled_with_its_variables():
    tile = ir.TileType([16, 32], FP32, None, ir.TileView((ROWS, 32)))
    variable, again = pickle.loads(pickle.dumps((ROWS, tile)))
    assert again == ir.TileType([16, 32], FP32, None, ir.TileView((variable, 32)))


def test_copying_a_node_gives_the_node():
    assert copy.copy(ROWS) is ROWS
    assert copy.deepcopy([ROWS])[0] is ROWS


def test_a_pickled_program_is_structurally_equal():
    tile = ir.Var("x", ir.TileType([16, 32], FP32))
    result = ir.Var("y", tile.type)
    body = ir.Block((ir.Assign(result, ir.Call("tile.exp", (tile,), {}, tile.type)), ir.Return((result,))))
    function = ir.Function("f", ir.FunctionType.InCore, (tile,), (ir.ParamDirection.In,), (tile.type,), body)
    program = ir.Program("P", {"f": function})
    ir.assert_structural_equal(pickle.loads(pickle.dumps(program)), program)
