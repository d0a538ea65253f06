"""Prints programs, functions, statements, expressions and types as the Python text that reads back as the same IR."""

from __future__ import annotations

from keyword import iskeyword
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import Expr, Function, FunctionType, Node, ParamDirection, Program, Stmt, Type, Var
from pypto_lite.printer.calls import CallForms
from pypto_lite.printer.expressions import Expressions, Marks
from pypto_lite.printer.inferred import Inferred
from pypto_lite.printer.literals import member, string
from pypto_lite.printer.names import Occurrences, class_name, dimension_names, function_names, name_all
from pypto_lite.printer.output import Output
from pypto_lite.printer.patterns import Patterns
from pypto_lite.printer.statements import Statements

if TYPE_CHECKING:
    from collections.abc import Mapping

HEADER: Final = "import pypto_lite.language as pl"

_WRAPPED: Final = {ParamDirection.In: "{}", ParamDirection.Out: "pl.Out[{}]", ParamDirection.InOut: "pl.InOut[{}]"}

_OWN_KEYWORDS: Final = ("level", "role")
"""The attributes of a function that its decorator takes as keywords."""


class Printed:
    """A printed text, and where in it each node begins: line and column, both from 1.

    A variable stands where it is defined, a function where its ``def`` is; a node that is part of the text of several
    others stands where it is first.
    """

    __slots__ = ("places", "text")

    def __init__(self, text: str, places: Mapping[Node, tuple[int, int]]) -> None:
        self.text = text
        self.places = places


def python_print(node: Node | Type, concise: bool = False) -> str:
    """The Python text of a program or a function (with its import, ending in a newline), or of a part of one.

    ``concise`` leaves out the annotations of variables whose types tracing finds by itself. 3 us a statement.
    """
    return _Printer(concise, None).printed(node).text


def python_print_with_places(node: Node | Type, concise: bool = False) -> Printed:
    """The same text as that of ``python_print``, with the places of the nodes in it. Slower."""
    return _Printer(concise, Marks()).printed(node)


class _Printer:
    """Prints one node."""

    def __init__(self, concise: bool, marks: Marks | None) -> None:
        self._concise = concise
        self._marks = marks
        self._calls = CallForms()
        self._patterns = Patterns() if marks is None else None
        self._output = Output(marks)

    def printed(self, node: Node | Type) -> Printed:
        if isinstance(node, Program):
            self._program(node)
        elif isinstance(node, Function):
            self._lone_function(node)
        else:
            self._fragment(node)
            return Printed(self._output.text(), self._output.places)
        return Printed(self._output.text() + "\n", self._output.places)

    def _mark(self, node: Node, text: str) -> str:
        return text if self._marks is None else self._marks.put(node, text)

    def _program(self, program: Program) -> None:
        occurrences = {name: Occurrences(function) for name, function in program.functions.items()}
        dimensions = dimension_names(program, occurrences.values())
        self._header(dimensions)
        self._output.blank(2)
        for comment in program.comments:
            self._output.comment(comment, 0)
        self._output.line("@pl.program", 0)
        self._output.line(self._mark(program, f"class {class_name(program)}:"), 0)
        for name, function in program.functions.items():
            if name != next(iter(program.functions)):
                self._output.blank()
            self._function(function, function_names(occurrences[name], dimensions), program, 1)
        if not program.functions:
            self._output.line("pass", 1)

    def _lone_function(self, function: Function) -> None:
        found = Occurrences(function)
        names = function_names(found, {})
        self._header({var: names[var] for var in found.free})
        self._output.blank(2)
        self._function(function, names, None, 0)

    def _header(self, dimensions: Mapping[Var, str]) -> None:
        self._output.line(HEADER, 0)
        if dimensions:
            self._output.blank()
        for var, name in dimensions.items():
            hint = var.name if var.name.isidentifier() and not iskeyword(var.name) else name
            self._output.line(f"{self._mark(var, name)} = pl.dynamic({string(hint)})", 0)

    def _function(self, function: Function, names: Mapping[Var, str], program: Program | None, depth: int) -> None:
        for comment in function.comments:
            self._output.comment(comment, depth)
        expressions = Expressions(names, self._calls, self._marks)
        self._output.line(_decorator(function, expressions), depth)
        parameters = ["self"] if program is not None else []
        for var, direction in zip(function.params, function.directions, strict=True):
            type_ = _WRAPPED[direction].format(expressions.types.text(var.type))
            parameters.append(f"{expressions.name(var)}: {type_}")
        returned = [expressions.types.text(type_) for type_ in function.return_types]
        arrow = "" if not returned else f" -> {returned[0]}"
        if len(returned) > 1:
            arrow = f" -> pl.Tuple[{', '.join(returned)}]"
        head = f"def {self._mark(function, function.name)}("
        self._output.definition(head, parameters, f"){arrow}:", depth)
        inferred = Inferred(program) if self._concise else None
        Statements(self._output, expressions, self._patterns, inferred).write(function.body, depth + 1)

    def _fragment(self, node: Node | Type) -> None:
        if isinstance(node, Type):
            names = name_all(dict.fromkeys([var for each in node.expressions() for var in Occurrences(each).order]))
            self._output.line(Expressions(names, self._calls, self._marks).types.text(node), 0)
            return
        expressions = Expressions(name_all(Occurrences(node).order), self._calls, self._marks)
        if isinstance(node, Stmt):
            inferred = Inferred(None) if self._concise else None
            Statements(self._output, expressions, self._patterns, inferred).write(node, 0)
        elif isinstance(node, Expr):
            self._output.line(expressions.text(node), 0)
        else:
            raise TypeError(f"{type(node).__name__} cannot be printed")


def _decorator(function: Function, expressions: Expressions) -> str:
    attrs = dict(function.attrs)
    keywords = [f"{name}={expressions.data(attrs.pop(name))}" for name in _OWN_KEYWORDS if name in attrs]
    keywords += expressions.attributes(attrs)
    if function.type is FunctionType.Inline and not keywords:
        return "@pl.inline"
    if function.type is not FunctionType.Opaque:
        keywords.insert(0, f"type={member(function.type)}")
    return f"@pl.function({', '.join(keywords)})" if keywords else "@pl.function"
