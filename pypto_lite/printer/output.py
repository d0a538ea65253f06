"""Collects the printed lines, splits those that are too long, and keeps where every node came to stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pypto_lite.printer.layout import split_line
from pypto_lite.printer.line import INDENT, LINE_LENGTH, Line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pypto_lite.ir import Node
    from pypto_lite.printer.expressions import Marks

_MARK: Final = re.compile("\0(\\d+)\1")


class Output:
    """The text printed so far. With ``marks`` it also collects the places of the nodes that are marked in it."""

    def __init__(self, marks: Marks | None = None) -> None:
        self.lines: list[str] = []
        self.count = 0
        """How many logical lines of code there are, comments not counted."""
        self.places: dict[Node, tuple[int, int]] = {}
        self._marks = marks

    def line(self, text: str, depth: int) -> None:
        """A logical line, split where it is too long."""
        self.count += 1
        full = " " * (INDENT * depth) + text
        if self._marks is None and len(full) <= LINE_LENGTH and full.isascii() and "**" not in full:
            self.lines.append(full)
        else:
            self._split(text, depth)

    def call(self, head: str, arguments: Sequence[str], depth: int) -> None:
        """A logical line that is a call or the assignment of one; ``head`` ends in the bracket before its arguments.

        The same as ``line`` of the whole, but quicker: such a line is split at its arguments or at its annotation.
        """
        self._bracketed(head, arguments, ")", depth, _split_call)

    def definition(self, head: str, parameters: Sequence[str], tail: str, depth: int) -> None:
        """The signature of a function, in the three parts in which it is split."""
        self._bracketed(head, parameters, tail, depth, _split_definition)

    def _bracketed(self, head: str, items: Sequence[str], tail: str, depth: int, split: _QuickSplit) -> None:
        self.count += 1
        indent = " " * (INDENT * depth)
        text = f"{indent}{head}{', '.join(items)}{tail}"
        if self._marks is not None or not text.isascii() or "**" in text:
            self._split(text[len(indent) :], depth)
        elif len(text) <= LINE_LENGTH:
            self.lines.append(text)
        else:
            quick = split(head, items, tail, LINE_LENGTH - len(indent))
            if quick is None:
                self._split(text[len(indent) :], depth)
            else:
                self.lines += [indent + line for line in quick]

    def comment(self, text: str, depth: int) -> None:
        """A comment on lines of its own."""
        for line in text.splitlines() or [""]:
            bare = line.strip()
            content = bare[1:] if bare.startswith("#") else f" {bare}"
            # As black has it: a blank behind the sign, but for the special comments.
            blank = " " if content and content[0] not in " !:#'" else ""
            self.lines.append(f"{' ' * (INDENT * depth)}#{blank}{content}".rstrip())

    def blank(self, count: int = 1) -> None:
        self.lines += [""] * count

    def text(self) -> str:
        return "\n".join(self.lines)

    def _split(self, text: str, depth: int) -> None:
        marked: list[tuple[int, Any]] = []
        if self._marks is not None:
            text, marked = _without_marks(text, self._marks.nodes)
        parts = split_line(text, depth)
        if marked:
            self._remember(marked, parts)
        self.lines += [part.text(hug=True) for part in parts]

    def _remember(self, marked: Sequence[tuple[int, Any]], parts: Sequence[Line]) -> None:
        found: dict[int, tuple[int, int]] = {}
        for number, part in enumerate(parts, len(self.lines) + 1):
            for offset, column in part.columns_of_tokens():
                found.setdefault(offset, (number, column))
        for offset, node in marked:
            self.places.setdefault(node, found[offset])


_QuickSplit: TypeAlias = "Callable[[str, Sequence[str], str, int], list[str] | None]"
"""Splits a line that is too long, given as what is in front of its items, the items, what is behind them, and the
columns that there are; None where that takes the general rules."""


def _split_call(head: str, items: Sequence[str], tail: str, width: int) -> list[str] | None:
    if len(head) <= width:
        return _split_items(head, items, tail, width)
    # The target with its type is too long already.
    start, end = head.find(": "), head.rfind(" = ")
    if start < 0 or end < 0 or head[end - 1] != "]" or '"' in head:
        return None
    value = f"{head[end + 3 :]}{', '.join(items)}{tail}"
    if end + len(" = ") < width:
        return [head[:end] + " = (", f"    {value}", ")"] if INDENT + len(value) <= width else None
    behind = f"] = {value}"
    bracket = head.index("[", start)
    parts = _split_at_commas(head[bracket + 1 : end - 1])
    return _split_items(head[: bracket + 1], parts, behind, width) if len(behind) <= width else None


def _split_definition(head: str, items: Sequence[str], tail: str, width: int) -> list[str] | None:
    if max(len(head), len(tail)) > width or len(items) < 2:
        return None
    return _split_items(head, items, tail, width)


def _split_items(head: str, items: Sequence[str], tail: str, width: int) -> list[str] | None:
    """The items on a line of their own, or on one each; None where that is not enough."""
    body = ", ".join(items)
    if items and INDENT + len(body) <= width:
        return [head, f"    {body}", tail]
    if len(items) > 1 and INDENT + 1 + max(map(len, items)) <= width:
        return [head, *[f"    {item}," for item in items], tail]
    return None


def _split_at_commas(text: str) -> list[str]:
    """The parts between the commas that are in no brackets; there are no strings in the text."""
    parts: list[str] = []
    depth = start = 0
    for index, character in enumerate(text):
        if character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 2
    parts.append(text[start:])
    return parts


def _without_marks(text: str, nodes: Sequence[Any]) -> tuple[str, list[tuple[int, Any]]]:
    """The text without its marks, and each marked node with the offset at which its text begins."""
    pieces: list[str] = []
    marked: list[tuple[int, Any]] = []
    length = position = 0
    for match in _MARK.finditer(text):
        pieces.append(text[position : match.start()])
        length += match.start() - position
        marked.append((length, nodes[int(match[1])]))
        position = match.end()
    pieces.append(text[position:])
    return "".join(pieces), marked
