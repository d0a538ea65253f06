"""Turns a diagnostic into text: header, source line with caret, found and expected, notes, hint."""

from __future__ import annotations

import os
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypto_lite.diagnostics.errors import Diagnostic
    from pypto_lite.diagnostics.source import Span

TAB_WIDTH = 4


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
    return "\n".join(lines)


def _place(span: Span) -> list[str]:
    if span.source is None:
        return []
    lines = [f"  --> {shorten_path(span.source.filename)}:{span.line}:{span.column}"]
    text = span.source.line(span.line)
    if text is None:
        return lines
    gutter = str(span.line)
    blank = " " * len(gutter)
    end = span.end_column if span.end_line == span.line else len(text) + 1
    before, marked = text[: span.column - 1], text[span.column - 1 : end - 1]
    shown = text.expandtabs(TAB_WIDTH)
    lines.append(f"  {blank} |")
    lines.append(f"  {gutter} | {shown.rstrip()}")
    lines.append(f"  {blank} | {' ' * _width(before)}{'^' * max(1, _width(before + marked.rstrip()) - _width(before))}")
    return lines


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
