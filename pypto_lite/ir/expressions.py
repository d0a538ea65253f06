"""Expressions: everything that has a value. There is one class of variable for every kind of value."""

# Nodes are immutable, so a class may narrow the type of its ``type``.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from pypto_lite.diagnostics import NO_SPAN, Span
from pypto_lite.ir.dtypes import BOOL, FP32, INDEX, DType
from pypto_lite.ir.node import Expr, Type
from pypto_lite.ir.types import ScalarType, TupleType

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from pypto_lite.ir.interned import Dim, Dims

REPR_DEPTH = 12
"""How deep a repr goes into nested expressions; below it stands an ellipsis."""


class Var(Expr):
    """A value: a parameter, an assigned value, a loop variable, a carry, or a result of a loop or branch.

    ``name`` is a hint for printing and no identity. In IR that is not in SSA form, one Var that is assigned
    more than once is one variable of the program.
    """

    name: str
    type: Type
    span: Span = NO_SPAN

    def structure(self) -> Hashable:
        return self

    def __repr__(self) -> str:
        return self.name


class Const(Expr):
    """A scalar constant: an int, a float or a bool of the element type."""

    value: int | float | bool
    type: ScalarType
    span: Span = NO_SPAN

    def as_dim(self) -> int | Expr:
        return int(self.value) if isinstance(self.value, int) else self

    def structure(self) -> Hashable:
        # repr tells 0.0 from -0.0 and makes nan equal to itself.
        return (Const, repr(self.value), self.type.dtype)

    def __repr__(self) -> str:
        return repr(self.value)


BINARY_OPERATORS = (
    "+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^",
    "==", "!=", "<", "<=", ">", ">=", "and", "or", "min", "max",
)  # fmt: skip
"""What a Binary's ``operator`` can be: Python's spelling, and min and max."""

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Binary(Expr, children=("lhs", "rhs")):
    """A scalar operation of two operands; both have the same element type, but for INDEX beside INT64."""

    operator: str
    lhs: Expr
    rhs: Expr
    type: ScalarType
    span: Span = NO_SPAN

    def structure(self) -> Hashable:
        return (Binary, self.operator, self.lhs.structure(), self.rhs.structure())

    def __repr__(self) -> str:
        return _text(self)


UNARY_OPERATORS = ("-", "~", "not", "abs")
"""What a Unary's ``operator`` can be."""


class Unary(Expr, children=("value",)):
    """A scalar operation of one operand."""

    operator: str
    value: Expr
    type: ScalarType
    span: Span = NO_SPAN

    def structure(self) -> Hashable:
        return (Unary, self.operator, self.value.structure())

    def __repr__(self) -> str:
        return _text(self)


class Cast(Expr, children=("value",)):
    """A scalar converted to another element type."""

    value: Expr
    type: ScalarType
    span: Span = NO_SPAN

    def structure(self) -> Hashable:
        return (Cast, self.type, self.value.structure())

    def __repr__(self) -> str:
        return _text(self)


class Select(Expr, children=("condition", "then", "otherwise")):
    """A scalar conditional expression; only the chosen arm is evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: ScalarType
    span: Span = NO_SPAN

    def structure(self) -> Hashable:
        return (Select, self.condition.structure(), self.then.structure(), self.otherwise.structure())

    def __repr__(self) -> str:
        return _text(self)


class _ListFacts:
    """What follows from the elements of a list. No Node, so that it is no field."""

    __slots__ = ("integers",)
    integers: tuple[int, ...] | None
    """The values, where all elements are constants with an int, as they mostly are: then none has to be looked at."""


class MakeTuple(Expr, _ListFacts, children=("elements",)):
    """A shape, an offset or another list of scalars, as operand of a call."""

    elements: tuple[Expr, ...]
    type: TupleType
    span: Span = NO_SPAN

    def derive(self) -> None:
        values: list[int] = []
        self.integers = None
        for each in self.elements:
            if type(each) is not Const or type(each.value) is not int:
                return
            values.append(each.value)
        self.integers = tuple(values)

    def __repr__(self) -> str:
        return _text(self)


class TupleItem(Expr, children=("tuple",)):
    """One of the values of a call that returns several."""

    tuple: Expr
    index: int
    type: Type
    span: Span = NO_SPAN

    def __repr__(self) -> str:
        return _text(self)


class Call(Expr, children=("args", "attrs")):
    """A call of an operator.

    ``keywords`` are the operator's own keyword arguments, plain data by name, in the order of its declaration;
    ``attrs`` are marks that passes and users leave on the call, kept by every pass that does not own them; values among
    them are children, like operands.
    """

    op: str
    args: tuple[Expr, ...]
    keywords: Mapping[str, Any]
    type: Type
    attrs: Mapping[str, Any] = {}
    span: Span = NO_SPAN

    def __repr__(self) -> str:
        return _text(self)


class FunctionCall(Expr, children=("args", "attrs")):
    """A call of another function of the program, by name."""

    function: str
    args: tuple[Expr, ...]
    type: Type
    attrs: Mapping[str, Any] = {}
    span: Span = NO_SPAN

    def __repr__(self) -> str:
        return _text(self)


class Submit(Expr, children=("args", "dependencies", "keywords", "attrs")):
    """An asynchronous call of another function of the program; its last value is the TASK_ID of the submission."""

    function: str
    args: tuple[Expr, ...]
    dependencies: tuple[Expr, ...]
    type: Type
    keywords: Mapping[str, Any] = {}
    attrs: Mapping[str, Any] = {}
    span: Span = NO_SPAN

    def __repr__(self) -> str:
        return _text(self)


def _text(expression: Expr, depth: int = REPR_DEPTH) -> str:
    """An expression in one line; below ``depth`` nested operations and calls stands an ellipsis."""
    match expression:
        case MakeTuple():
            return f"[{_arguments(expression.elements, {}, depth)}]"
        case TupleItem():
            return f"{_text(expression.tuple, depth)}[{expression.index}]"
        case Call():
            return f"{expression.op}({_arguments(expression.args, {**expression.keywords, **expression.attrs}, depth)})"
        case FunctionCall():
            return f"self.{expression.function}({_arguments(expression.args, expression.attrs, depth)})"
        case Submit():
            keywords = {**expression.keywords, **expression.attrs}
            return f"submit(self.{expression.function}, {_arguments(expression.args, keywords, depth)})"
        case Binary() | Unary() | Cast() | Select():
            return _scalar_text(expression, depth)
        case _:
            return repr(expression)


def _arguments(args: Iterable[Expr], keywords: Mapping[str, Any], depth: int) -> str:
    if depth == 0:
        return "..."
    texts = [_text(arg, depth - 1) for arg in args]
    return ", ".join([*texts, *(f"{name}={value!r}" for name, value in keywords.items())])


def _scalar_text(expression: Expr, depth: int) -> str:
    """A scalar expression as Python would write it, with brackets around every nested operation."""
    if depth == 0:
        return "..."

    def operand(inner: Expr) -> str:
        text = _text(inner, depth - 1)
        simple = not isinstance(inner, (Binary, Select)) or text.startswith(("min(", "max("))
        return text if simple else f"({text})"

    match expression:
        case Binary(operator="min" | "max" as name):
            return f"{name}({_text(expression.lhs, depth - 1)}, {_text(expression.rhs, depth - 1)})"
        case Binary():
            return f"{operand(expression.lhs)} {expression.operator} {operand(expression.rhs)}"
        case Unary(operator="not"):
            return f"not {operand(expression.value)}"
        case Unary(operator="abs"):
            return f"abs({_text(expression.value, depth - 1)})"
        case Unary():
            return f"{expression.operator}{operand(expression.value)}"
        case Cast():
            return f"cast({_text(expression.value, depth - 1)}, {expression.type.dtype!r})"
        case Select():
            arms = (expression.then, expression.condition, expression.otherwise)
            then, condition, otherwise = map(operand, arms)
            return f"{then} if {condition} else {otherwise}"
        case _:
            return repr(expression)


def index_const(value: int, span: Span = NO_SPAN) -> Const:
    """An integer constant of type INDEX: what a bare int in a kernel is."""
    return Const(value, ScalarType(INDEX), span)


def const(value: int | float | bool, dtype: DType | None = None, span: Span = NO_SPAN) -> Const:
    """A constant; without ``dtype`` a bool is BOOL, an int INDEX, a float FP32."""
    if dtype is None:
        dtype = BOOL if isinstance(value, bool) else INDEX if isinstance(value, int) else FP32
    if dtype.is_float and not isinstance(value, bool) and not (isinstance(value, float) and math.isnan(value)):
        value = float(value)
    return Const(value, ScalarType(dtype), span)


def dim_expr(dim: Dim, span: Span = NO_SPAN) -> Expr:
    """A dimension as an expression."""
    return index_const(dim, span) if isinstance(dim, int) else dim


def expr_dim(expression: Expr) -> Dim:
    """An expression as a dimension: an integer constant becomes a plain int."""
    return expression.as_dim()


def make_tuple(extents: Iterable[Dim], span: Span = NO_SPAN) -> MakeTuple:
    """A tuple operand of these extents or offsets."""
    elements = tuple([dim_expr(extent, span) for extent in extents])
    return MakeTuple(elements, TupleType([element.type for element in elements]), span)


def tuple_dims(operand: MakeTuple) -> Dims:
    """The elements of a tuple operand as dimensions."""
    if operand.integers is not None:
        return operand.integers
    return tuple([expr_dim(element) for element in operand.elements])
