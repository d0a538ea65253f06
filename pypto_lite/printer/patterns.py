"""Patterns of printed lines: assignments of calls that differ only in names look alike, and are put together once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pypto_lite.ir import Assign, Call, Const, DType, Expr, MakeTuple, NamedEnum, Var
from pypto_lite.printer.splitting import call_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pypto_lite.printer.expressions import Expressions

Compose: TypeAlias = "Callable[[Assign, str, list[str]], tuple[str, list[str]]]"
"""Writes the assignment of a call to a variable of this name, with operands of these texts: what is in front of the
arguments, and the arguments."""

_PLAIN: Final = (int, str, DType, NamedEnum, type(None))
"""The classes of keyword values whose equal members are written alike. Floats are not: 0.0 equals -0.0."""

_GAP: Final = "\1"
"""Stands in a line for every character of a text that goes in."""

_GAPS: Final = re.compile(f"({_GAP}+)")
_SEPARATOR: Final = "\0"


class Patterns:
    """The patterns that were needed so far.

    Texts that go into them are those of variables and of lists that hold variables.
    """

    def __init__(self) -> None:
        self._calls: dict[tuple[Any, ...], str | None] = {}
        """Assignments by all that they depend on but the texts that go in, for which they have ``%s``: what is in front
        of the arguments, and these, with separators between."""
        self._lines: dict[tuple[Any, ...], list[str] | None] = {}
        """The printed lines, by the same, the depth, and the lengths of the texts: in pieces, every other of which is
        the place of a text."""

    def line(self, statement: Assign, call: Call, depth: int, expressions: Expressions, compose: Compose) -> str | None:
        """The lines of a statement that assigns ``call``; None where it follows no pattern."""
        if call.attrs:
            return None
        names, var = expressions.names, statement.var
        texts = [names[var]]
        # Types live as long as the program, so their ids stand for them.
        key: list[Any] = [call.op, id(var.type)]
        varying: MakeTuple | None = None
        for arg in call.args:
            key.append(id(arg.type))
            if isinstance(arg, Var):
                texts.append(names[arg])
            elif isinstance(arg, MakeTuple):
                for element in arg.elements:
                    if isinstance(element, Const):
                        key.append(element.value)
                        continue
                    key.append(None)
                    if varying is None:
                        varying = arg
                        text = expressions.text(arg)
                        if "**" in text:
                            return None
                        texts.append(text)
                    elif varying is not arg:
                        return None  # how a list is written can depend on the variables of another
            elif isinstance(arg, Const):
                key.append(repr(arg.value))
            else:
                return None
        for name, value in call.keywords.items():
            key.append(name)
            key.append(value)
            key.append(value.__class__)
        known = len(key)
        key.append(depth)
        for text in texts:
            key.append(len(text))
        try:
            pattern = self._lines[tuple(key)]
        except KeyError:
            common = tuple(key[:known])
            if common not in self._calls:
                self._calls[common] = _call_pattern(statement, call, expressions, compose)
            pattern = self._lines[tuple(key)] = _line_pattern(self._calls[common], texts, depth)
        except TypeError:  # a keyword is a list or a dictionary
            return None
        if pattern is None:
            return None
        pattern[1::2] = texts
        line = "".join(pattern)
        return line if line.isascii() else None


def _call_pattern(statement: Assign, call: Call, expressions: Expressions, compose: Compose) -> str | None:
    """None where not everything that the line depends on is part of what it is found by."""
    constants = [each for arg in call.args for each in arg.children() if isinstance(each, Const)]
    if statement.var.type.symbolic or not all(type(constant.value) is int for constant in constants):
        return None
    if not all(isinstance(value, _PLAIN) for value in call.keywords.values()):
        return None
    operands = [_GAP if _goes_in(arg) else expressions.text(arg) for arg in call.args]
    head, arguments = compose(statement, _GAP, operands)
    return _SEPARATOR.join([head, *arguments]).replace("%", "%%").replace(_GAP, "%s")


def _goes_in(arg: Expr) -> bool:
    """Whether the text of an operand is none of the pattern's own."""
    return isinstance(arg, Var) or any(not isinstance(each, Const) for each in arg.children())


def _line_pattern(pattern: str | None, texts: Sequence[str], depth: int) -> list[str] | None:
    """The lines into which a call is split where texts of these lengths go in; None where that takes long to find."""
    if pattern is None:
        return None
    head, *arguments = (pattern % tuple([_GAP * len(text) for text in texts])).split(_SEPARATOR)
    lines = call_lines(head, arguments, depth)
    return None if lines is None else _GAPS.split("\n".join(lines))
