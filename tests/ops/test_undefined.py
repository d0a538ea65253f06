"""Values that nothing was written to: of every kind of type, with nothing in them where that can be."""

from __future__ import annotations

import pytest

from pypto_lite import ir, ops
from pypto_lite.diagnostics import NO_SPAN
from pypto_lite.ir.dtypes import BOOL, FP32, INT32, TASK_ID

N = ir.Var("n", ir.ScalarType(ir.DTYPES["INDEX"]))


@pytest.mark.parametrize(
    "type_",
    [
        ir.TileType((16, 128), FP32),
        ir.TileType((16, 128), FP32, view=ir.TileView((N, 64))),
        ir.TileType((64,), FP32),
        ir.TensorType((N, 16), FP32),
        ir.ArrayType(8, INT32),
        *[ir.ScalarType(dtype) for dtype in (BOOL, FP32, INT32, TASK_ID)],
    ],
    ids=repr,
)
def test_a_value_of_a_type(type_: ir.Type) -> None:
    made = ops.undefined(type_, NO_SPAN)

    assert made is not None
    assert made.type == type_


@pytest.mark.parametrize("type_", [ir.PTR, ir.TupleType([ir.ScalarType(INT32)]), ir.TileType((N, 16), FP32)], ids=repr)
def test_a_type_of_which_no_operator_makes_one(type_: ir.Type) -> None:
    assert ops.undefined(type_, NO_SPAN) is None
