"""Turns a diagnostic into text: header, source line with caret, found and expected, notes, hint."""

from __future__ import annotations

import os
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pypto_lite.diagnostics.errors import Diagnostic
    from pypto_lite.diagnostics.source import Span

TAB_WIDTH: Final = 4

WIDEST: Final = 120
"""How many columns of a source line are shown at most."""

LEAD: Final = 24
"""How much of a long line is shown in front of the mark."""

CUT: Final = "..."

_PICTURES: Final = ord("\N{SYMBOL FOR NULL}")
"""Behind this character stand the pictures of the other control characters, in their order."""


def render(diagnostic: Diagnostic) -> str:
    """The whole text of one diagnostic, without a trailing newline."""
    lines = [f"{diagnostic.severity.value}[{diagnostic.code}]: {diagnostic.message}"]
    lines += _place(diagnostic.span)
    if diagnostic.found is not None:
        lines.append(f"  found:    {diagnostic.found}")
    if diagnostic.expected is not None:
        lines.append(f"  expected: {diagnostic.expected}")
    for note in diagnostic.notes:
        lines.append(f"note: {note.message}")
        lines += _place(note.span)
    if diagnostic.hint is not None:
        lines.append(f"hint: {diagnostic.hint}")
    return "\n".join(map(_safe, lines))


def _safe(text: str) -> str:
    """The text, in which a picture stands for each character that would do something else to a terminal than show."""
    if text.isprintable():
        return text
    return "".join(character if character in "\n\t" else _picture(character) for character in text)


def _picture(character: str) -> str:
    """One column for what has no shape: control characters, and those that change the direction of text."""
    if character.isprintable() or unicodedata.category(character) == "Zs":
        return character
    code = ord(character)
    return chr(_PICTURES + code) if code < 0x20 else "\N{SYMBOL FOR DELETE}" if code == 0x7F else "\ufffd"


def _place(span: Span) -> list[str]:
    if span.source is None:
        return []
    lines = [f"  --> {shorten_path(span.source.filename)}:{span.line}:{span.column}"]
    text = span.source.line(span.line)
    if text is None:
        return lines
    end = span.end_column - 1 if span.end_line == span.line else len(text)
    shown, indent, carets = _excerpt(_safe(text.rstrip()), span.column - 1, end)
    gutter = str(span.line)
    blank = " " * len(gutter)
    lines.append(f"  {blank} |")
    lines.append(f"  {gutter} | {shown}")
    lines.append(f"  {blank} | {' ' * indent}{'^' * carets}")
    return lines


def _excerpt(text: str, start: int, end: int) -> tuple[str, int, int]:
    """What to show of a line whose part from ``start`` to ``end`` is marked: text, indent and number of carets.

    A long line is cut to what stands around the start of the mark.
    """
    first = 0
    if _width(text) > WIDEST and start > LEAD:
        first = start - LEAD
    kept = text[first:]
    left = CUT if first else ""
    right = ""
    if _width(left + kept) > WIDEST:
        kept, right = kept[: WIDEST - len(left) - len(CUT)], CUT
    before = left + kept[: start - first]
    marked = kept[start - first : max(end, start) - first].rstrip()
    shown = (left + kept + right).expandtabs(TAB_WIDTH)
    indent = _width(before)
    return shown, indent, max(1, _width(before + marked) - indent)


def _width(text: str) -> int:
    """How many terminal columns ``text`` takes: wide characters take two, combining ones none."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text.expandtabs(TAB_WIDTH)
    )


def shorten_path(filename: str) -> str:
    """The path relative to the working directory where that is shorter; names such as <string> as they are."""
    if not os.path.isabs(filename):
        return filename
    try:
        relative = os.path.relpath(filename)
    except ValueError:  # another drive on Windows
        return filename
    return relative if len(relative) < len(filename) else filename
