"""Long lines that differ only in digits are split alike, and so are all lines that are indented beyond the last column.

So each such split is looked for once: in what is generated, names are words with numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from pypto_lite.printer.layout import split_line
from pypto_lite.printer.line import INDENT, LINE_LENGTH, Line

if TYPE_CHECKING:
    from collections.abc import Sequence

_BEYOND: Final = LINE_LENGTH // INDENT + 1
"""The depth from which on nothing fits."""

_DIGITS: Final = {ord(digit): "0" for digit in "123456789"}

_Shape: TypeAlias = "tuple[int, Sequence[str | slice]]"
"""A line that a longer one is split into: how much deeper it stands, and what it is made of."""


class KnownSplits:
    """The splits that were needed so far."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], list[_Shape]] = {}

    def lines(self, text: str, depth: int) -> list[str]:
        """What ``split_line`` makes of a line, as text."""
        key = text.translate(_DIGITS), min(depth, _BEYOND)
        shapes = self._known.get(key)
        if shapes is None:
            shapes = self._known[key] = [(part.depth - depth, _pieces(part)) for part in split_line(text, depth)]
        return [
            " " * (INDENT * (depth + deeper))
            + "".join([text[piece] if isinstance(piece, slice) else piece for piece in pieces])
            for deeper, pieces in shapes
        ]


def _pieces(line: Line) -> list[str | slice]:
    """What the text of a line is made of: pieces of the line before it was split, and what is new."""
    pieces: list[str | slice] = []
    for prefix, token in line.spaced_tokens():
        if token.offset < 0:
            pieces += [prefix + token.value] if prefix + token.value else []
            continue
        start, end = token.offset, token.offset + len(token.value)
        last = pieces[-1] if pieces else None
        if isinstance(last, slice) and last.stop + len(prefix) == start:
            pieces[-1] = slice(last.start, end)  # black changes no blanks inside a line but those around **
        else:
            pieces += [prefix, slice(start, end)] if prefix else [slice(start, end)]
    return pieces
