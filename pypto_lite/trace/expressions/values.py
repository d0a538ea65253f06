"""Values of expressions in a kernel: an ``ir.Expr``, or any other Python object, which only tracing knows.

A Python number that is not part of the IR yet has no element type: what it meets decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from pypto_lite.ir import Binary, Expr, ScalarType, Var, index_const
from pypto_lite.ir.dtypes import INDEX
from pypto_lite.trace.names.builtins import DimensionLike, DynExpression, DynVar

if TYPE_CHECKING:
    from collections.abc import Sequence

_AS_THEY_ARE: Final = frozenset((int, float, bool, str, list, tuple, dict, type(None)))


class FunctionReference:
    """A function of the program, named but not called: ``self.kernel``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"self.{self.name}"


class SelfReference:
    """``self`` in a method: the program."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "self"


SELF: Final = SelfReference()


def plain(value: object) -> object:
    """A value from outside the kernel as tracing uses it.

    Members of integer enumerations and numbers of numpy become Python's numbers, symbolic dimensions variables.
    """
    if type(value) in _AS_THEY_ARE or isinstance(value, Expr):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, DynVar):
        return value.var
    if isinstance(value, DynExpression):
        return _dimension(value)
    if type(value).__module__ == "numpy" and hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return cast("Any", value).item()
    return value


def _dimension(expression: DynExpression) -> Expr:
    """Arithmetic on symbolic dimensions as an expression. An explicit stack: Python may have summed up many."""
    stack: list[tuple[DimensionLike, bool]] = [(expression, False)]
    done: list[Expr] = []
    while stack:
        dimension, ready = stack.pop()
        if not isinstance(dimension, DynExpression):
            done.append(dimension.var if isinstance(dimension, DynVar) else index_const(cast("int", dimension)))
        elif not ready:
            stack += [(dimension, True), (dimension.rhs, False), (dimension.lhs, False)]
        else:
            rhs, lhs = done.pop(), done.pop()
            done.append(Binary(dimension.operator, lhs, rhs, ScalarType(INDEX)))
    return done[0]


def elements_of(value: object) -> Sequence[object] | None:
    """The elements of a list or a tuple, None for anything else."""
    return cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else None


def counted(count: int, word: str) -> str:
    """``no value``, ``1 value``, ``2 values``."""
    return f"no {word}" if count == 0 else f"{count} {word}{'s' * (count > 1)}"


def describe(value: object) -> str:
    """A value for a message: an expression with its type, anything else as Python would write it."""
    if isinstance(value, Expr):
        return f"{value!r}: {value.type!r}" if isinstance(value, Var) else f"{value.type!r}"
    if isinstance(value, type):
        return value.__name__
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
