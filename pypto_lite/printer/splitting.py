"""The usual splits of long lines, found by lengths alone: those of calls and of signatures.

They are those that ``layout`` finds with much more effort; where they are not enough, it has to be asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pypto_lite.printer.line import INDENT, LINE_LENGTH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_Split: TypeAlias = "Callable[[str, Sequence[str], str, int], list[str] | None]"
"""Splits a line that is too long, given as what is in front of its items, the items, what is behind them, and the
columns that there are; None where that takes the general rules."""


def call_lines(head: str, arguments: Sequence[str], depth: int) -> list[str] | None:
    """The lines of a call or the assignment of one, which is split at its arguments or at its annotation.

    ``head`` ends in the bracket before its arguments. None where that takes the general rules.
    """
    return _lines(head, arguments, ")", depth, _split_call)


def definition_lines(head: str, parameters: Sequence[str], tail: str, depth: int) -> list[str] | None:
    """The lines of the signature of a function, in the three parts in which it is split; None as above."""
    return _lines(head, parameters, tail, depth, _split_definition)


def _lines(head: str, items: Sequence[str], tail: str, depth: int, split: _Split) -> list[str] | None:
    indent = " " * (INDENT * depth)
    text = f"{indent}{head}{', '.join(items)}{tail}"
    if not text.isascii() or "**" in text:
        return None
    if len(text) <= LINE_LENGTH:
        return [text]
    lines = split(head, items, tail, LINE_LENGTH - len(indent))
    return None if lines is None else [indent + line for line in lines]


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
