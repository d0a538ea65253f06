"""Values that nothing was written to, for places that need one which nobody looks at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.ir import ArrayType, Call, Const, Expr, ScalarType, TensorType, TileType, dim_expr, make_tuple
from pypto_lite.ir.dtypes import BOOL, INDEX, TASK_ID
from pypto_lite.ops.framework.inference import call

if TYPE_CHECKING:
    from pypto_lite.diagnostics import Span
    from pypto_lite.ir import Type


def undefined(type_: Type, span: Span) -> Expr | None:
    """An expression for a value of a type whose elements are not defined, a zero where it is a scalar.

    None for a type of which no operator makes such a value.
    """
    if isinstance(type_, TileType):
        return _undefined_tile(type_, span)
    if isinstance(type_, TensorType):
        return _created("tensor.create", type_, span)
    if isinstance(type_, ArrayType):
        return call("array.create", [Const(type_.extent, ScalarType(INDEX), span)], {"dtype": type_.dtype}, span=span)
    if not isinstance(type_, ScalarType):
        return None
    if type_.dtype is TASK_ID:
        return call("system.task_invalid", [], span=span)
    zero = False if type_.dtype is BOOL else 0.0 if type_.dtype.is_float else 0
    return Const(zero, type_, span)


def _undefined_tile(type_: TileType, span: Span) -> Call | None:
    if not all(isinstance(extent, int) for extent in type_.shape):
        return None
    whole = _created("tile.create", type_, span)
    if type_.valid_shape == type_.shape:
        return whole
    if len(type_.shape) != 2:
        return None
    return call("tile.set_validshape", [whole, *[dim_expr(extent, span) for extent in type_.valid_shape]], span=span)


def _created(operator: str, type_: TileType | TensorType, span: Span) -> Call:
    return call(operator, [make_tuple(type_.shape, span)], {"dtype": type_.dtype}, span=span)
