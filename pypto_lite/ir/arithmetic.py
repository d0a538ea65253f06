"""Scalar arithmetic: the element types of scalar operators, and folding with Python's semantics.

``combine``, ``negate``, ``convert`` and ``choose`` build expressions that are already as simple as what is known of
their operands makes them; the simplifier runs them again over existing expressions. An integer result that does not
fit its element type, a division by zero, and arithmetic in a float type that Python cannot round to are left alone.
"""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pypto_lite.diagnostics import NO_SPAN, Diagnostic, Span, UserError
from pypto_lite.ir.dtypes import BF16, BOOL, DTYPES, FP16, FP32, INDEX, INT64, DType, promote_scalars
from pypto_lite.ir.expressions import COMPARISONS, Binary, Cast, Const, Expr, Select, Unary, Var
from pypto_lite.ir.node import walk
from pypto_lite.ir.types import ScalarType

if TYPE_CHECKING:
    from collections.abc import Callable

Number = int | float | bool
ScalarOperation: TypeAlias = "Binary | Unary | Cast | Select"

LOGICAL: Final = ("and", "or")
BITWISE: Final = ("&", "|", "^", "<<", ">>")
LARGEST_POWER: Final = 64
"""The largest exponent that is folded: beyond it no integer type holds the result of a base above 1."""


def scalar_dtype(expression: Expr) -> DType:
    """The element type of a scalar expression. Raises UserError (PL201) for what is no scalar."""
    if not isinstance(expression.type, ScalarType):
        raise UserError(Diagnostic("PL201", "a scalar is needed here", expression.span, found=repr(expression.type)))
    return expression.type.dtype


def operand_dtype(operator: str, lhs: DType, rhs: DType) -> DType | None:
    """The element type in which two scalars are combined, or None where they do not mix.

    Both must be integers or both floats, integers for bit operators, and BOOL for ``and`` and ``or``, which would give
    one of the operands in Python; the wider one wins, at equal width the left.
    """
    if operator in LOGICAL:
        return BOOL if lhs is BOOL and rhs is BOOL else None
    common = promote_scalars(lhs, rhs)
    if common is None or (operator in BITWISE and not common.is_int):
        return None
    return common


def combine(operator: str, lhs: Expr, rhs: Expr, span: Span = NO_SPAN) -> Expr:
    """``lhs operator rhs``, with the casts that the element types need, simplified.

    Raises UserError (PL204) where the element types do not mix.
    """
    left, right = scalar_dtype(lhs), scalar_dtype(rhs)
    common = operand_dtype(operator, left, right)
    if common is None:
        raise UserError(_mixed(operator, left, right, span))
    if operator not in LOGICAL:
        lhs, rhs = _promoted(lhs, common), _promoted(rhs, common)
    result = BOOL if operator in COMPARISONS or operator in LOGICAL else common
    return simplify_binary(Binary(operator, lhs, rhs, ScalarType(result), span))


def negate(operator: str, value: Expr, span: Span = NO_SPAN) -> Expr:
    """``operator value`` for ``-``, ``~``, ``not`` and ``abs``, simplified.

    Raises UserError (PL204) for ``~`` of anything but an integer.
    """
    dtype = scalar_dtype(value)
    if operator == "~" and not dtype.is_int:
        raise UserError(Diagnostic("PL204", "~ needs an integer", span, found=repr(dtype), expected="an integer type"))
    result = BOOL if operator == "not" else dtype
    return simplify_unary(Unary(operator, value, ScalarType(result), span))


def convert(value: Expr, dtype: DType, span: Span = NO_SPAN) -> Expr:
    """``value`` as another element type, simplified."""
    return simplify_cast(Cast(value, ScalarType(dtype), span))


def choose(condition: Expr, then: Expr, otherwise: Expr, span: Span = NO_SPAN) -> Expr:
    """``then if condition else otherwise``, with the casts that the element types need, simplified.

    Raises UserError (PL204) where the element types of the arms do not mix.
    """
    left, right = scalar_dtype(then), scalar_dtype(otherwise)
    common = left if left is right else promote_scalars(left, right)
    if common is None:
        raise UserError(_mixed("if-else", left, right, span))
    arms = _promoted(then, common), _promoted(otherwise, common)
    return simplify_select(Select(condition, *arms, ScalarType(common), span))


def _mixed(operator: str, left: DType, right: DType, span: Span) -> Diagnostic:
    if operator in LOGICAL:
        found = f"{left!r} and {right!r}"
        hint = "compare a number: value != 0"
        return Diagnostic(
            "PL204", f"{operator!r} combines conditions only", span, found=found, expected="two BOOLs", hint=hint
        )
    expected = "two integers" if operator in BITWISE else "two integers or two floats"
    return Diagnostic(
        "PL204",
        f"{operator} cannot combine these element types",
        span,
        found=f"{left!r} and {right!r}",
        expected=expected,
        hint="convert one of them with pl.cast(value, dtype), or write a constant as pl.const(value, dtype)",
    )


def _promoted(value: Expr, dtype: DType) -> Expr:
    """``value`` as an operand of type ``dtype``; INDEX and INT64 stand for each other."""
    own = scalar_dtype(value)
    if own is dtype or {own, dtype} == {INDEX, INT64}:
        return value
    return convert(value, dtype, value.span)


# Folding of constants


def fits(value: Number, dtype: DType) -> bool:
    """Whether an integer type can hold the value; True for all other types."""
    limits = _LIMITS.get(dtype)
    return limits is None or limits[0] <= value <= limits[1]


def _limits(dtype: DType) -> tuple[int, int]:
    if dtype.category == "uint":
        return 0, (1 << dtype.bits) - 1
    return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1


_LIMITS: Final = {dtype: _limits(dtype) for dtype in DTYPES.values() if dtype.is_int}
"""The least and the greatest value of each integer type."""


def round_to(value: float, dtype: DType) -> float | None:
    """``value`` rounded to a float type, or None where it overflows or the type is not one that is rounded here."""
    if math.isnan(value) or math.isinf(value):
        return value
    if dtype is BF16:
        # A BF16 is the upper half of an FP32; round half to even on the bits.
        bits = int.from_bytes(struct.pack("<f", value), "little") if abs(value) < 3.3e38 else None
        if bits is None:
            return None
        bits = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
        (rounded,) = struct.unpack("<f", bits.to_bytes(4, "little"))
        return rounded
    form = "<f" if dtype is FP32 else "<e" if dtype is FP16 else None
    if form is None:
        return None
    try:
        (rounded,) = struct.unpack(form, struct.pack(form, value))
    except OverflowError:
        return None
    return rounded


def _power(base: Number, exponent: Number) -> Number | None:
    if exponent < 0 or exponent > LARGEST_POWER:
        return None
    return base**exponent


def _shifted(value: Number, count: Number, left: bool) -> Number | None:
    if not 0 <= count < LARGEST_POWER:
        return None
    return int(value) << int(count) if left else int(value) >> int(count)


def _extreme(choose: Callable[[Number, Number], Number], a: Number, b: Number) -> Number | None:
    """The smaller or larger of two; which of 0.0 and -0.0 it is, and what becomes of nan, nobody agrees on."""
    if math.isnan(a) or math.isnan(b) or (a == b and repr(a) != repr(b)):
        return None
    return choose(a, b)


_FOLDS: Final[dict[str, Callable[[Number, Number], Number | None]]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    # Integers divide to an integer type, so only an exact quotient has one value that everybody agrees on.
    "/": lambda a, b: None if b == 0 else a / b if isinstance(a, float) else a // b if a % b == 0 else None,
    "//": lambda a, b: None if b == 0 else a // b,
    "%": lambda a, b: None if b == 0 else a % b,
    "**": _power,
    "<<": lambda a, b: _shifted(a, b, True),
    ">>": lambda a, b: _shifted(a, b, False),
    "&": lambda a, b: int(a) & int(b),
    "|": lambda a, b: int(a) | int(b),
    "^": lambda a, b: int(a) ^ int(b),
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "and": lambda a, b: bool(a) and bool(b),
    "or": lambda a, b: bool(a) or bool(b),
    "min": lambda a, b: _extreme(min, a, b),
    "max": lambda a, b: _extreme(max, a, b),
}


def _constant(value: Number | None, type_: ScalarType, span: Span) -> Const | None:
    """A constant of this value where the type holds it exactly as the operation would give it."""
    if value is None or isinstance(value, complex):
        return None
    dtype = type_.dtype
    if dtype is BOOL:
        return Const(bool(value), type_, span)
    if dtype.is_int:
        return Const(int(value), type_, span) if isinstance(value, int) and fits(value, dtype) else None
    if not dtype.is_float:
        return None
    rounded = round_to(float(value), dtype)
    return None if rounded is None else Const(rounded, type_, span)


def undefined(node: Binary) -> str | None:
    """What is wrong with an operation on integers that no run can compute; None where it has a value."""
    if not isinstance(node.rhs, Const) or not scalar_dtype(node.lhs).is_int:
        return None
    if node.operator in ("/", "//", "%") and node.rhs.value == 0:
        return "division by zero"
    if node.operator in ("<<", ">>", "**") and node.rhs.value < 0:
        return "an integer has no negative shifts or powers"
    return None


def simplify_binary(node: Binary) -> Expr:
    """The node, or a simpler expression of the same value and type."""
    lhs, rhs = node.lhs, node.rhs
    if isinstance(lhs, Const) and isinstance(rhs, Const):
        return _fold_binary(node, lhs, rhs) or node
    if node.operator in LOGICAL:
        return _simplify_logical(node)
    dtype = node.type.dtype
    if dtype.is_int and scalar_dtype(lhs).is_int:
        return _simplify_integers(node)
    if node.operator in ("*", "/") and isinstance(rhs, Const) and rhs.value == 1:
        return lhs
    return node


def _fold_binary(node: Binary, lhs: Const, rhs: Const) -> Const | None:
    dtype = scalar_dtype(lhs)
    left: Number | None = lhs.value
    right: Number | None = rhs.value
    if dtype.is_float:
        left, right = round_to(float(lhs.value), dtype), round_to(float(rhs.value), dtype)
    if left is None or right is None:
        return None
    try:
        value = _FOLDS[node.operator](left, right)
    except OverflowError:
        return None
    return _constant(value, node.type, node.span)


def _simplify_logical(node: Binary) -> Expr:
    """Only the left operand decides: the right one may not even be evaluated."""
    if not isinstance(node.lhs, Const):
        return node
    decided = bool(node.lhs.value) is (node.operator == "or")
    if decided:
        return Const(node.operator == "or", node.type, node.span)
    return node.rhs if scalar_dtype(node.rhs) is BOOL else node


def _simplify_integers(node: Binary) -> Expr:
    """Neutral operands, and constants that meet in a sum; an operand is never dropped where it might divide by zero."""
    operator, lhs, rhs = node.operator, node.lhs, node.rhs
    if isinstance(rhs, Const):
        if rhs.value == 0 and operator in ("+", "-", "|", "^", "<<", ">>"):
            return _kept(lhs, node)
        if rhs.value == 1 and operator in ("*", "/", "//", "**"):
            return _kept(lhs, node)
        if operator in ("+", "-") and isinstance(lhs, Binary) and lhs.operator in ("+", "-"):
            return _regrouped(node, lhs, rhs)
    if isinstance(lhs, Const) and ((lhs.value == 0 and operator == "+") or (lhs.value == 1 and operator == "*")):
        return _kept(rhs, node)
    if operator in ("min", "max") and _is_same_value(lhs, rhs):
        return lhs
    return node


def _is_same_value(lhs: Expr, rhs: Expr) -> bool:
    """Whether two expressions without calls are the same: a call need not give the same value twice."""
    if not all(isinstance(node, _COMPUTED) for operand in (lhs, rhs) for node in walk(operand)):
        return False
    return lhs.structure() == rhs.structure()


_COMPUTED: Final = (Var, Const, Binary, Unary, Cast, Select)
"""The expressions that depend on nothing but variables."""


def _kept(operand: Expr, node: Binary) -> Expr:
    """The operand in the place of the node, where the types are the same."""
    return operand if operand.type == node.type else node


def _regrouped(node: Binary, inner: Binary, constant: Const) -> Expr:
    """``(x + 3) - 1`` as ``x + 2``: the constants of nested sums meet."""
    if not isinstance(inner.rhs, Const) or inner.type != node.type:
        return node
    outer_sign = 1 if node.operator == "+" else -1
    inner_sign = 1 if inner.operator == "+" else -1
    total = outer_sign * int(constant.value) + inner_sign * int(inner.rhs.value)
    if total == 0:
        return _kept(inner.lhs, node)
    if not fits(abs(total), node.type.dtype):
        return node
    amount = Const(abs(total), constant.type, constant.span)
    return Binary("+" if total > 0 else "-", inner.lhs, amount, node.type, node.span)


def simplify_unary(node: Unary) -> Expr:
    """The node, or a simpler expression of the same value and type."""
    value = node.value
    if isinstance(value, Const):
        if node.operator == "not":
            return Const(not value.value, node.type, node.span)
        if scalar_dtype(value) is BOOL:
            return node
        folded = -value.value if node.operator == "-" else abs(value.value) if node.operator == "abs" else None
        if node.operator == "~" and scalar_dtype(value).category == "sint":
            folded = ~int(value.value)
        return _constant(folded, node.type, node.span) or node
    if isinstance(value, Unary) and value.operator == node.operator and node.operator in ("-", "~"):
        return value.value
    return node


def simplify_cast(node: Cast) -> Expr:
    """The node, or a simpler expression of the same value and type. A float constant stays a cast to an integer."""
    value = node.value
    if value.type == node.type:
        return value
    if not isinstance(value, Const):
        return node
    source, target = scalar_dtype(value), node.type.dtype
    if target.is_int and source.is_float:
        return node
    if target is BOOL and source is not BOOL:
        return Const(bool(value.value), node.type, node.span)
    number = value.value if target.is_float else int(value.value)
    return _constant(number, node.type, node.span) or node


def simplify_select(node: Select) -> Expr:
    """The node, or the arm that a constant condition chooses."""
    if isinstance(node.condition, Const):
        return node.then if node.condition.value else node.otherwise
    return node


SIMPLIFIERS: Final[dict[type[Expr], Callable[[Any], Expr]]] = {
    Binary: simplify_binary,
    Unary: simplify_unary,
    Cast: simplify_cast,
    Select: simplify_select,
}
"""What simplifies each class of scalar operations."""


def fold(node: ScalarOperation) -> Expr:
    """What a scalar operation comes to where operands that are constants decide it, otherwise the node as it is."""
    return SIMPLIFIERS[type(node)](node) if _is_decided(node) else node


def _is_decided(node: ScalarOperation) -> bool:
    operands = node.children()
    first = isinstance(operands[0], Const)
    if isinstance(node, Select) or (isinstance(node, Binary) and node.operator in LOGICAL):
        return first
    return first and isinstance(operands[-1], Const)
