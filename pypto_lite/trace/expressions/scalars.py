"""Scalar expressions: their element types, and the casts between operands.

Nothing is simplified here: an expression of the IR stays as it was written. Arithmetic on Python numbers is another
thing, it is done while tracing (``static_values``).
"""

from __future__ import annotations

import enum
import math
from typing import TYPE_CHECKING, Final, NoReturn

from pypto_lite import ops
from pypto_lite.diagnostics import Note
from pypto_lite.ir import (
    COMPARISONS,
    UNKNOWN,
    Binary,
    Cast,
    Const,
    DType,
    Expr,
    ScalarType,
    Select,
    TensorType,
    TileType,
    Type,
    Unary,
    Var,
    const,
    make_tuple,
    promote_scalars,
)
from pypto_lite.ir.arithmetic import BITWISE, LOGICAL, fits, operand_dtype, scalar_dtype
from pypto_lite.ir.dtypes import BOOL, FP32, INDEX, INT64
from pypto_lite.trace.expressions.values import describe, elements_of
from pypto_lite.trace.tracer import MAX_EXPRESSION_DEPTH, FunctionTracer

if TYPE_CHECKING:
    import ast

INDEX_TYPE: Final = ScalarType(INDEX)
SMALL: Final = 1 << 62
"""A bound of numbers that an INDEX holds for certain."""

INNER_DEPTH: Final = MAX_EXPRESSION_DEPTH - 1
"""How deep an operand of a scalar operator may be."""


def number(value: object) -> int | float | bool | None:
    """The Python number that a value is, as a member of an enumeration too; None for anything else."""
    if isinstance(value, enum.Enum):
        value = value.value
    return value if isinstance(value, (int, float)) else None


def to_expression(tracer: FunctionTracer, value: object, node: ast.expr) -> Expr:
    """A value as an expression of the IR: a bare int is INDEX, a float FP32, None no task, a list a tuple."""
    if isinstance(value, Expr):
        if value.type is UNKNOWN:
            tracer.fail("PL201", "the call has no value", node, expected="a call that yields one")
        return value
    if value is None:
        tracer.call_count += 1
        return ops.call("system.task_invalid", (), span=tracer.span(node))
    elements = elements_of(value)
    if elements is not None:
        return make_tuple([to_expression(tracer, each, node) for each in elements], tracer.span(node))
    plain_number = number(value)
    if plain_number is None:
        tracer.fail("PL201", "this has no value when the kernel runs", node, found=describe(value), expected="a value")
    return constant(tracer, plain_number, None, node)


def constant(tracer: FunctionTracer, value: float, dtype: DType | None, node: ast.expr) -> Const:
    """A Python number as a constant of an element type; 0 and 1 are BOOLs too.

    Raises PL204 where the type can't hold it.
    """
    if dtype is None and value.__class__ is int and -SMALL <= value <= SMALL:
        return Const(value, INDEX_TYPE, tracer.span(node))
    if dtype is None:
        dtype = BOOL if isinstance(value, bool) else INDEX if isinstance(value, int) else FP32
    if dtype is BOOL:
        if not is_truth(value):
            tracer.fail("PL204", "a BOOL is True or False", node, found=repr(value))
        value = bool(value)
    elif dtype.is_float:
        try:
            value = float(value)
        except OverflowError:
            tracer.fail("PL204", f"the integer is outside the range of {dtype!r}", node)
    elif not dtype.is_int:
        tracer.fail("PL204", f"there are no constants of type {dtype!r}", node, found=repr(value))
    elif isinstance(value, float):
        hint = f"write {int(value)}" if math.isfinite(value) and value.is_integer() else None
        tracer.fail("PL204", f"a float is no {dtype!r}", node, found=repr(value), expected="an integer", hint=hint)
    elif not fits(value, dtype):
        tracer.fail("PL204", f"{value} is outside the range of {dtype!r}", node)
    elif isinstance(value, bool):
        value = int(value)
    return const(value, dtype, tracer.span(node))


def is_truth(value: object) -> bool:
    """Whether a value is a truth value as kernels write them: True, False, 0 or 1."""
    return isinstance(value, int) and value in (0, 1)


def as_declared(tracer: FunctionTracer, value: object, declared: Type | None, node: ast.expr) -> Expr:
    """A value as an expression; a bare number takes the declared element type, where that can hold such numbers."""
    literal = None if isinstance(value, Expr) else number(value)
    if literal is None or isinstance(literal, bool) or not isinstance(declared, ScalarType):
        return to_expression(tracer, value, node)
    dtype = declared.dtype
    takes = is_truth(literal) if dtype is BOOL else dtype.is_float or (dtype.is_int and isinstance(literal, int))
    return constant(tracer, literal, dtype if takes else None, node)


def beside(tracer: FunctionTracer, value: object, other: object, node: ast.expr) -> Expr:
    """A value as a scalar operand; a bare number takes the element type of a float beside it.

    Beside an integer it stays what it is alone: an integer is an INDEX, which is at least as wide.
    """
    type_ = other.type if isinstance(other, Expr) else None
    if isinstance(type_, ScalarType) and type_.dtype.is_float:
        value = as_declared(tracer, value, type_, node)
    return scalar(tracer, value, node)


def scalar(tracer: FunctionTracer, value: object, node: ast.expr) -> Expr:
    """A value as a scalar expression. Raises PL201 for tiles, tensors and whatever else is none."""
    found = to_expression(tracer, value, node)
    if not isinstance(found.type, ScalarType):
        hint = None
        if isinstance(found.type, (TileType, TensorType)):
            hint = "pl.read gives a single element"
        tracer.fail("PL201", "a scalar is needed here", node, found=describe(found), expected="a scalar", hint=hint)
    return found


def condition(tracer: FunctionTracer, value: object, node: ast.expr) -> Expr:
    """A value as Python's ``if`` understands it: a BOOL; a number is true where it is not zero."""
    found = scalar(tracer, value, node)
    dtype = scalar_dtype(found)
    if dtype is BOOL:
        return found
    if not (dtype.is_int or dtype.is_float):
        tracer.fail("PL204", "this can't be true or false", node, found=repr(dtype), expected="a BOOL or a number")
    zero = const(0.0 if dtype.is_float else 0, dtype, found.span)
    return binary(tracer, "!=", found, zero, node)


def index(tracer: FunctionTracer, value: object, node: ast.expr, what: str) -> Expr:
    """A value as an extent, an offset or a bound: an INT64, UINT64 or INDEX; other integers are cast to INDEX."""
    found = scalar(tracer, value, node)
    dtype = scalar_dtype(found)
    refuse_quotient(tracer, found, node, what)
    if dtype.is_index_like:
        return found
    if not dtype.is_int:
        hint = "round it outside the kernel, or use //" if dtype.is_float else None
        tracer.fail(
            "PL204", f"{what} has to be an integer", node, found=describe(value), expected="an integer", hint=hint
        )
    return cast_to(tracer, found, INDEX, node)


def refuse_quotient(tracer: FunctionTracer, value: Expr, node: ast.expr, what: str) -> None:
    """PL204 for an integer computed with ``/``: Python would have a float there, which is no extent and no offset."""
    pending = [value] if scalar_dtype(value).is_int else []
    while pending:
        part = pending.pop()
        if isinstance(part, Binary):
            if part.operator == "/":
                tracer.fail(
                    "PL204", f"{what} has to be an integer, which / does not give", node, found="a quotient with /",
                    expected="an integer", hint="use // to divide integers",
                )  # fmt: skip
            pending += [part.lhs, part.rhs]
        elif isinstance(part, Unary):
            pending.append(part.value)
        elif isinstance(part, Select):
            pending += [part.then, part.otherwise]


def cast_to(tracer: FunctionTracer, value: Expr, dtype: DType, node: ast.expr) -> Expr:
    """A scalar converted to another element type."""
    value = tracer.fit(value, INNER_DEPTH)
    return tracer.grown(Cast(value, ScalarType(dtype), tracer.span(node)), value)


def kept(tracer: FunctionTracer, value: object, before: object, node: ast.expr) -> object:
    """What augmented assignment makes of the value of its operation: a scalar keeps the element type of the target."""
    if not isinstance(value, Expr) or not isinstance(before, Expr):
        return value
    found, wanted = value.type, before.type
    if not isinstance(found, ScalarType) or not isinstance(wanted, ScalarType):
        return value
    return promoted(tracer, value, wanted.dtype, node)


def made_the_difference(value: Expr, wanted: Type) -> tuple[list[Note], str | None]:
    """Why a scalar has another element type than is wanted, and what helps."""
    found = value.type
    if not isinstance(found, ScalarType) or not isinstance(wanted, ScalarType):
        return [], None
    notes: list[Note] = []
    part = _decisive(value)
    if part is not None and part is not value:
        what = "this"
        if isinstance(part, (Const, Var)):
            what = f"the number {part!r}" if isinstance(part, Const) else f"'{part!r}', which is bound here,"
        notes.append(Note(f"{what} is of type {found.dtype!r}", part.span))
    mixes = found.dtype.is_int is wanted.dtype.is_int and found.dtype.is_float is wanted.dtype.is_float
    return notes, f"convert the value: pl.cast(..., pl.{wanted.dtype!r})" if mixes else None


def _decisive(value: Expr) -> Expr | None:
    """The first number, variable or call in a scalar that has the element type of the whole without a cast."""
    pending = [value]
    while pending:
        part = pending.pop()
        if part.type != value.type or isinstance(part, Cast):
            continue
        if not isinstance(part, (Binary, Unary, Select)):
            return part
        pending += part.operands()[::-1]
    return None


def promoted(tracer: FunctionTracer, value: Expr, dtype: DType, node: ast.expr) -> Expr:
    """A scalar as an operand of type ``dtype``; INDEX and INT64 stand for each other."""
    own = scalar_dtype(value)
    if own is dtype or (own in (INDEX, INT64) and dtype in (INDEX, INT64)):
        return value
    return cast_to(tracer, value, dtype, node)


def binary(tracer: FunctionTracer, operator: str, lhs: Expr, rhs: Expr, node: ast.expr) -> Expr:
    """A scalar operation of two scalars. Raises PL204 where the element types do not mix."""
    left, right = scalar_dtype(lhs), scalar_dtype(rhs)
    common = operand_dtype(operator, left, right)
    if common is None:
        _refuse_mixture(tracer, operator, left, right, node)
    if operator not in LOGICAL:
        lhs, rhs = promoted(tracer, lhs, common, node), promoted(tracer, rhs, common, node)
        if common.is_int and isinstance(rhs, Const):
            _check_right_operand(tracer, operator, rhs.value, node)
    lhs, rhs = tracer.fit(lhs, INNER_DEPTH), tracer.fit(rhs, INNER_DEPTH)
    result = BOOL if operator in COMPARISONS or operator in LOGICAL else common
    return tracer.grown(Binary(operator, lhs, rhs, ScalarType(result), tracer.span(node)), lhs, rhs)


def _check_right_operand(tracer: FunctionTracer, operator: str, value: float, node: ast.expr) -> None:
    """PL104 for an operation of integers that has no integer as its result."""
    if operator in ("//", "%", "/") and value == 0:
        tracer.fail("PL104", "division by zero", node)
    if operator in ("<<", ">>", "**") and value < 0:
        what = "the exponent of an integer" if operator == "**" else "the distance of a shift"
        hint = "convert the base to a float with pl.cast" if operator == "**" else "shift the other way"
        tracer.fail("PL104", f"{what} can't be negative", node, found=repr(value), hint=hint)


def _refuse_mixture(tracer: FunctionTracer, operator: str, left: DType, right: DType, node: ast.expr) -> NoReturn:
    expected = "two integers" if operator in BITWISE else "two integers or two floats"
    hint = "convert one of them with pl.cast(value, dtype)"
    if BOOL in (left, right):
        hint = "combine conditions with and, or and not" if left is right else hint
    tracer.fail(
        "PL204",
        f"{operator} can't combine these element types",
        node,
        found=f"{left!r} and {right!r}",
        expected=expected,
        hint=hint,
    )


def unary(tracer: FunctionTracer, operator: str, value: Expr, node: ast.expr) -> Expr:
    """A scalar operation of one scalar: ``-``, ``~``, ``not``, ``abs``. Raises PL204 for an element type without it."""
    dtype = scalar_dtype(value)
    if operator == "~" and not dtype.is_int:
        hint = "use not" if dtype is BOOL else None
        tracer.fail("PL204", "~ needs an integer", node, found=repr(dtype), expected="an integer type", hint=hint)
    if operator in ("-", "abs") and not (dtype.is_int or dtype.is_float or dtype is BOOL):
        tracer.fail(
            "PL204", f"{operator} needs a number", node, found=repr(dtype), expected="an integer or a float type"
        )
    value = tracer.fit(value, INNER_DEPTH)
    result = BOOL if operator == "not" else dtype
    return tracer.grown(Unary(operator, value, ScalarType(result), tracer.span(node)), value)


def select(tracer: FunctionTracer, test: Expr, then: Expr, otherwise: Expr, node: ast.expr) -> Expr:
    """A scalar conditional expression. Raises PL204 where the element types of the arms do not mix."""
    common = arms_dtype(tracer, then, otherwise, node)
    then, otherwise = promoted(tracer, then, common, node), promoted(tracer, otherwise, common, node)
    parts = tracer.fit(test, INNER_DEPTH), tracer.fit(then, INNER_DEPTH), tracer.fit(otherwise, INNER_DEPTH)
    return tracer.grown(Select(*parts, ScalarType(common), tracer.span(node)), *parts)


def arms_dtype(tracer: FunctionTracer, then: Expr, otherwise: Expr, node: ast.expr) -> DType:
    """The element type of a scalar that is one of two. Raises PL204 where there is none."""
    left, right = scalar_dtype(then), scalar_dtype(otherwise)
    common = left if left is right else promote_scalars(left, right)
    if common is None:
        _refuse_mixture(tracer, "if-else", left, right, node)
    return common
