"""Collects the printed lines, splits those that are too long, and keeps where every node came to stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from pypto_lite.printer.known_splits import KnownSplits
from pypto_lite.printer.layout import split_line
from pypto_lite.printer.line import INDENT, LINE_LENGTH, Line
from pypto_lite.printer.splitting import call_lines, definition_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.ir import Node
    from pypto_lite.printer.expressions import Marks

_MARK: Final = re.compile("\0(\\d+)\1")


class Output:
    """The text printed so far. With ``marks`` it also collects the places of the nodes that are marked in it."""

    def __init__(self, marks: Marks | None = None) -> None:
        self.lines: list[str] = []
        self._comments = 0
        self.places: dict[Node, tuple[int, int]] = {}
        self._marks = marks
        self._splits = KnownSplits()

    def line(self, text: str, depth: int) -> None:
        """A logical line, split where it is too long."""
        full = " " * (INDENT * depth) + text
        if self._marks is None and len(full) <= LINE_LENGTH and full.isascii() and "**" not in full:
            self.lines.append(full)
        else:
            self._split(text, depth)

    def call(self, head: str, arguments: Sequence[str], depth: int) -> None:
        """A logical line that is a call or the assignment of one; ``head`` ends in the bracket before its arguments.

        The same as ``line`` of the whole, but quicker.
        """
        lines = call_lines(head, arguments, depth) if self._marks is None else None
        if lines is None:
            self._split(f"{head}{', '.join(arguments)})", depth)
        else:
            self.lines += lines

    def definition(self, head: str, parameters: Sequence[str], tail: str, depth: int) -> None:
        """The signature of a function, in the three parts in which it is split."""
        lines = definition_lines(head, parameters, tail, depth) if self._marks is None else None
        if lines is None:
            self._split(f"{head}{', '.join(parameters)}{tail}", depth)
        else:
            self.lines += lines

    @property
    def count(self) -> int:
        """Grows with every line that is no comment."""
        return len(self.lines) - self._comments

    def comment(self, text: str, depth: int) -> None:
        """A comment on lines of its own."""
        for line in text.splitlines() or [""]:
            self._comments += 1
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
        if self._marks is None:
            self.lines += self._splits.lines(text, depth)
            return
        text, marked = _without_marks(text, self._marks.nodes)
        parts = split_line(text, depth)
        self._remember(marked, parts)
        self.lines += [part.text(hug=True) for part in parts]

    def _remember(self, marked: Sequence[tuple[int, Any]], parts: Sequence[Line]) -> None:
        found: dict[int, tuple[int, int]] = {}
        for number, part in enumerate(parts, len(self.lines) + 1):
            for offset, column in part.columns_of_tokens():
                found.setdefault(offset, (number, column))
        for offset, node in marked:
            self.places.setdefault(node, found[offset])


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
