"""Functions and programs: the roots of the IR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

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


class Program(Node):
    """Functions by name, and what passes left behind: their reasons, and their warnings and notes.

    ``decisions`` (why each value is where it is), ``usage`` (how much of each memory a function needs) and
    ``diagnostics`` are empty after parsing and take no part in equality. Passes return the class they were given.
    """

    name: str
    functions: Mapping[str, Function]
    decisions: tuple[Any, ...] = ()
    usage: Mapping[str, Any] = {}
    diagnostics: tuple[Diagnostic, ...] = ()
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def children(self) -> tuple[Function, ...]:
        return tuple(self.functions.values())

    def rebuild(self, children: Any) -> Self:
        return self.with_functions(cast("Iterable[Function]", children))

    def with_functions(self, functions: Iterable[Function]) -> Self:
        """The same program with other functions; its decisions stay."""
        return self.replace(functions={function.name: function for function in functions})

    def __repr__(self) -> str:
        return f"Program({self.name}: {', '.join(self.functions)})"
