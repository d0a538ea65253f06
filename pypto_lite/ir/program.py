"""Functions and programs: the roots of the IR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, cast

from pypto_lite.diagnostics import NO_SPAN, Diagnostic, Span
from pypto_lite.ir.node import Node, Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from typing_extensions import Self

    from pypto_lite.ir.enums import FunctionType, ParamDirection
    from pypto_lite.ir.expressions import Var
    from pypto_lite.ir.statements import Block


class Function(Node, children=("params", "body"), defines=("params",)):
    """One function of a program: ``directions`` says for each parameter whether it is read, written or both."""

    name: str
    type: FunctionType
    params: tuple[Var, ...]
    directions: tuple[ParamDirection, ...]
    return_types: tuple[Type, ...]
    body: Block
    attrs: Mapping[str, Any] = {}
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Function({self.type.name} {self.name}({', '.join(f'{p!r}: {p.type!r}' for p in self.params)}))"


Value = TypeVar("Value")


class Record(Generic[Value]):
    """A kind of record that passes leave in a program beside its functions; whoever makes it declares it.

    ``initial`` is what a program has that nothing has left one in.
    """

    __slots__ = ("initial", "name")

    def __init__(self, name: str, initial: Value) -> None:
        self.name = name
        self.initial = initial


DIAGNOSTICS: Final[Record[tuple[Diagnostic, ...]]] = Record("diagnostics", ())
"""The warnings and notes of tracing and of passes."""


class Program(Node):
    """Functions by name, and the records that tracing and passes left behind, by their names.

    ``records`` take no part in equality. Passes return the class they were given.
    """

    name: str
    functions: Mapping[str, Function]
    records: Mapping[str, Any] = {}
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def children(self) -> tuple[Function, ...]:
        return tuple(self.functions.values())

    def rebuild(self, children: Any) -> Self:
        return self.with_functions(cast("Iterable[Function]", children))

    def with_functions(self, functions: Iterable[Function]) -> Self:
        """The same program with other functions; its records stay."""
        return self.replace(functions={function.name: function for function in functions})

    def record(self, kind: Record[Value]) -> Value:
        """What passes have left of this kind."""
        return self.records.get(kind.name, kind.initial)

    def with_record(self, kind: Record[Value], value: Value) -> Self:
        """The same program with a record of this kind in the place of the one that it had."""
        return self.replace(records={**self.records, kind.name: value})

    def __repr__(self) -> str:
        return f"Program({self.name}: {', '.join(self.functions)})"
