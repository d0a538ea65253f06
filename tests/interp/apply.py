"""Computes one operator on arrays, as a function of one call whose parameters are the operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pypto_lite import interp, ir, ops
from pypto_lite.interp.dtypes import STORED

if TYPE_CHECKING:
    from collections.abc import Sequence

DTYPES = {stored: dtype for dtype, stored in STORED.items() if dtype.name not in ("INDEX", "TASK_ID")}
"""The element type of an array."""


class Tile(NamedTuple):
    """An operand with a valid region smaller than its shape, or in a memory space."""

    elements: np.ndarray[Any, Any]
    valid: tuple[int, ...]
    space: ir.MemorySpace | None = None


class Tensor(NamedTuple):
    """An operand in global memory."""

    elements: np.ndarray[Any, Any]


class Scalar(NamedTuple):
    """A scalar operand of another type than the literal of its value has."""

    value: Any
    dtype: ir.DType


def apply(name: str, *operands: Any, **keywords: Any) -> Any:
    """What the operator makes of its operands, in the order of the IR.

    An array is a tile, ``Tile`` and ``Tensor`` say more; a list is a list of ints; a number is a literal, of the
    element type that it takes beside the others (``Scalar`` says another). The result is whole, with
    zeros where it is undefined.
    """
    params: list[ir.Var] = []
    given: dict[str, Any] = {}
    known = [_operand(operand, params, given) for operand in operands]
    operator = ops.lookup(name)
    args = [
        ir.const(operand, ops.literal_dtype(operator, index, operand, known, keywords)) if arg is None else arg
        for index, (operand, arg) in enumerate(zip(operands, known, strict=True))
    ]
    call = ops.call(name, args, keywords)
    types = call.type.types if isinstance(call.type, ir.TupleType) else (call.type,)
    result = ir.Var("outcome", call.type)
    returned = (result,)
    if isinstance(call.type, ir.TupleType):
        returned = tuple([ir.TupleItem(result, index, each) for index, each in enumerate(types)])
    body = ir.Block((ir.Assign(result, call), ir.Return(returned)))
    directions = (ir.ParamDirection.InOut,) * len(params)
    function = ir.Function("kernel", ir.FunctionType.InCore, tuple(params), directions, types, body)
    return interp.run(ir.Program("Program", {"kernel": function}), None, given)


def _operand(operand: Any, params: list[ir.Var], given: dict[str, Any]) -> ir.Expr | None:
    """An operand, None for a literal; arrays become parameters."""
    if isinstance(operand, list):
        return ir.make_tuple(operand)
    if isinstance(operand, (bool, int, float)):
        return None
    if isinstance(operand, Scalar):
        return ir.const(operand.value, operand.dtype)
    name = f"x{len(params)}"
    type_, elements = _type(operand)
    given[name] = elements.copy() if any(elements is each for each in given.values()) else elements
    params.append(ir.Var(name, type_))
    return params[-1]


def _type(operand: Any) -> tuple[ir.Type, np.ndarray[Any, Any]]:
    if isinstance(operand, Tensor):
        return ir.TensorType(operand.elements.shape, DTYPES[operand.elements.dtype]), operand.elements
    elements, valid, space = operand if isinstance(operand, Tile) else Tile(operand, operand.shape)
    view = None if valid == elements.shape else ir.TileView(tuple(valid))
    return ir.TileType(elements.shape, DTYPES[elements.dtype], space, view), elements


def assert_equal(found: Any, expected: Sequence[Any] | np.ndarray[Any, Any]) -> None:
    """The same numbers (nan equals nan), and the same element type where ``expected`` is an array."""
    if isinstance(expected, np.ndarray):
        assert found.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(found, np.float64), np.asarray(expected, np.float64))
