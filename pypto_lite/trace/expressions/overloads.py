"""Python's operators on tiles and tensors, where their meaning is beyond doubt: they stand for ``pl`` operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from pypto_lite.ir import Expr, TensorType, TileType
from pypto_lite.trace.expressions.operator_calls import call_operator
from pypto_lite.trace.expressions.values import describe

if TYPE_CHECKING:
    import ast

    from pypto_lite.trace.tracer import FunctionTracer

_BINARY: Final = {
    "+": "add", "-": "sub", "*": "mul", "/": "div", "@": "matmul", "&": "and_", "|": "or_", "<<": "shl", ">>": "shr",
}  # fmt: skip
_SYMMETRIC: Final = ("+", "*", "&", "|")
"""The operators whose operands may be exchanged."""

_UNARY: Final = {"-": "neg", "~": "not_", "abs": "abs"}

_HINTS: Final = {
    "%": "pl.fmod gives the remainder with the sign of the left operand, where Python's % has that of the right one",
    "//": "pl.div divides element by element; pl.cast(..., mode='floor') rounds down",
    "**": "write the power as products, or with pl.exp and pl.log",
    "^": "pl.xor takes a scratch tile: pl.xor(a, b, tmp)",
}
_COMPARISONS: Final = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def is_array(value: object) -> bool:
    """Whether a value is a tile or a tensor."""
    return isinstance(value, Expr) and isinstance(value.type, (TileType, TensorType))


def combine_arrays(tracer: FunctionTracer, symbol: str, lhs: object, rhs: object, node: ast.expr) -> Expr:
    """``lhs symbol rhs`` where at least one of them is a tile or a tensor."""
    spelling = _BINARY.get(symbol)
    if spelling is None:
        _refuse(tracer, symbol, lhs if is_array(lhs) else rhs, node, _HINTS[symbol])
    if is_array(lhs):
        return call_operator(tracer, spelling, [lhs, rhs], node)
    if symbol in _SYMMETRIC:
        return call_operator(tracer, spelling, [rhs, lhs], node)
    if symbol != "-":
        hint = "pl.recip(tile) is 1 / tile" if symbol == "/" else "the tile has to be the left operand"
        _refuse(tracer, symbol, rhs, node, hint)
    # a - tile is -tile + a, to the last bit
    negated = tracer.consumed(call_operator(tracer, "neg", [rhs], node))
    return call_operator(tracer, "add", [negated, lhs], node)


def unary_of_array(tracer: FunctionTracer, symbol: str, value: Expr, node: ast.expr) -> Expr:
    """``symbol value`` of a tile or a tensor."""
    if symbol == "+":
        return value
    spelling = _UNARY.get(symbol)
    if spelling is None:
        _refuse(tracer, symbol, value, node, "pl.read gives a single element, which can be a condition")
    return call_operator(tracer, spelling, [value], node)


def refuse_comparison(tracer: FunctionTracer, symbol: str, node: ast.expr) -> NoReturn:
    """PL201: a comparison of tiles gives a mask, which Python's operators can't express."""
    relation = _COMPARISONS[symbol]
    tracer.fail(
        "PL201", f"{symbol} does not compare tiles or tensors", node, expected="two scalars",
        hint=f"pl.cmp(a, b, cmp_type={relation!r}) makes a mask for pl.sel; pl.read gives a single element",
    )  # fmt: skip


def _refuse(tracer: FunctionTracer, symbol: str, value: object, node: ast.expr, hint: str) -> NoReturn:
    what = "tensor" if isinstance(value, Expr) and isinstance(value.type, TensorType) else "tile"
    tracer.fail("PL201", f"{symbol} has no meaning for a {what} here", node, found=describe(value), hint=hint)
