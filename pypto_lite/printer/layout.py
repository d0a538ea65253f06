"""Splits a line that is too long as black does at 100 columns, with its stable style and without comments inside.

The printer writes every statement as one line first. One that does not fit is split at its last pair of brackets
(a function's signature at its first), the part inside again at its commas or operators, and so on. What decides
between the possible splits is black's own set of rules, since what is printed is to stay as it is when black sees it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from pypto_lite.printer.line import INDENT, LINE_LENGTH, Line
from pypto_lite.printer.tokens import CLOSING_OF, COMMA_PRIORITY, Token, tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DEEPEST_BRACKETS: Final = 100
"""Lines with more brackets in each other are left in one piece."""


class CannotSplitError(Exception):
    """A way of splitting does not apply to a line."""


_Transform: TypeAlias = "Callable[[Line, bool], Iterator[Line]]"
"""A way of splitting a line; with True the brackets that need not be there are to be used."""


class _Split:
    """A line in three parts: up to an opening bracket, inside the brackets, and from the closing bracket on."""

    __slots__ = ("body", "closing", "head", "opening", "tail")

    def __init__(self, head: Line, body: Line, tail: Line, opening: Token, closing: Token) -> None:
        self.head = head
        self.body = body
        self.tail = tail
        self.opening = opening
        self.closing = closing


def split_line(text: str, depth: int) -> list[Line]:
    """The lines into which black splits a logical line that stands ``depth`` levels indented."""
    tokens = tokenize(text)
    line = Line(tokens, depth, False, tokens)
    if not tokens or max(token.depth for token in tokens) > DEEPEST_BRACKETS:
        return [line]
    lines = _transform(line, False)
    if len(lines) == 1:
        return lines
    # The commas that the first pass put behind last items keep these apart in the second, whatever else it changes.
    again = [token.copy() for line in lines for token in line.tokens]
    for token in again:
        if token.optional:
            token.value = ""
    return _transform(Line(again, depth, False, again), False)


def _transform(line: Line, force: bool) -> list[Line]:
    if not line.explode and not line.magic and line.fits(hug=True):
        return [line]
    if line.is_definition and not _has_magic_return_type(line):
        transforms = [_left_hand_split]
    elif line.inside:
        transforms = [_delimiter_split, _right_hand_splits]
    else:
        transforms = [_right_hand_splits]
    for transform in transforms:
        try:
            return _applied(line, transform, force)
        except CannotSplitError:
            continue
    return [line]


def _applied(line: Line, transform: _Transform, force: bool) -> list[Line]:
    text, size = line.text(), line.size
    optional = [bracket for bracket in line.invisible if bracket.depth == 0]
    result: list[Line] = []
    for part in transform(line, force):
        if part.size == size and part.text() == text:
            raise CannotSplitError
        result += _transform(part, force)
    if (
        force
        or transform is not _right_hand_splits
        or not line.invisible
        or any(bracket.value for bracket in optional)
        or result[0].fits()
        or not line.could_fit
    ):
        return result
    # A second opinion, with the optional brackets put to use.
    second = _applied(line.fresh(), transform, True)
    return second if all(each.fits() for each in second) else result


def _has_magic_return_type(line: Line) -> bool:
    """Whether the items of a function's return type are to stay on lines of their own."""
    arrow = next((index for index, token in enumerate(line.tokens) if token.value == "->"), None)
    if arrow is None:
        return False
    returned = line.tokens[arrow + 1 :]
    return Line(returned, line.depth, False, _inside_matching_brackets(returned)).magic


def _left_hand_split(line: Line, force: bool) -> Iterator[Line]:
    """At the first round brackets: the parameters of a function."""
    start = next((index for index, token in enumerate(line.tokens) if token.kind == "("), None)
    if start is None:
        raise CannotSplitError
    opening = line.tokens[start]
    end = next((index for index, token in enumerate(line.tokens) if token.closes and token.opening is opening), None)
    if end is None or end == start + 1:
        raise CannotSplitError
    body = line.tokens[start + 1 : end]
    if not any(token.value == "," and not token.annotation for token in body):
        body = [*body, Token(",", ",", "", -1)]
    head, inner, tail = _parts(line, (line.tokens[: start + 1], body, line.tokens[end:]), opening)
    yield from [part for part in (head, inner, tail) if part.tokens]


def _parts(line: Line, tokens: tuple[list[Token], list[Token], list[Token]], opening: Token) -> tuple[Line, Line, Line]:
    head, body, tail = tokens
    inner = Line(body, line.depth + 1, inside=True)
    last = body[-1] if body else None
    trailing = last if last is not None and last.value == "," else None
    inner.explode = inner.highest_priority(but=trailing) == COMMA_PRIORITY and (trailing is not None or opening.of_atom)
    rest = Line(tail, line.depth)
    if not body and len(rest.text().strip()) < 3:
        raise CannotSplitError
    return Line(head, line.depth, False, _inside_matching_brackets(head)), inner, rest


def _inside_matching_brackets(tokens: Sequence[Token]) -> list[Token]:
    """The tokens inside pairs of brackets of which both are among them, with these brackets."""
    kept: set[Token] = set()
    levels: list[tuple[str, list[Token]]] = []
    for token in tokens:
        if token.opens:
            levels.append((CLOSING_OF[token.kind], [token]))
        elif token.closes and levels:
            closing, level = levels.pop()
            if closing != token.kind:
                break
            kept.update(level, (token,))
        elif levels:
            levels[-1][1].append(token)
    return [token for token in tokens if token in kept]


def _delimiter_split(line: Line, force: bool) -> Iterator[Line]:
    """At the delimiters of the highest priority, with a comma after the last of several items."""
    if not line.tokens:
        raise CannotSplitError
    priority = line.highest_priority(but=line.tokens[-1])
    if not priority:
        raise CannotSplitError
    items: list[list[Token]] = [[]]
    for token in line.tokens:
        items[-1].append(token)
        if line.delimiters.get(token) == priority:
            items.append([])
    if not items[-1]:
        items.pop()
    if priority == COMMA_PRIORITY and items[-1][-1].value != ",":
        items[-1].append(Token(",", ",", "", -1))
    for item in items:
        part = Line(item, line.depth, inside=True)
        item[0].prefix = ""
        yield part


def _right_hand_splits(line: Line, force: bool) -> Iterator[Line]:
    """At the last brackets that leave a first line that fits, calls at the end of the line kept in one piece."""
    fallback: list[Line] | None = None
    for omit in _trailers_to_omit(line):
        if omit:
            target = next(
                (token.opening for token in reversed(line.tokens) if token.closes and token not in omit), None
            )
            if target is not None and target.value and _position(line, target) > LINE_LENGTH:
                continue
        lines = list(_right_hand_split(line, force, omit))
        if fallback is None and not omit:
            fallback = lines
        if lines[0].fits():
            yield from lines
            return
    yield from fallback if fallback is not None else _right_hand_split(line, force, frozenset())


def _position(line: Line, target: Token) -> int:
    """How many columns there are in front of a token, 0 where it is on another line."""
    before = INDENT * line.depth
    for _, token, width in line.lengths():
        if token is target:
            return before
        before += width
    return 0


def _trailers_to_omit(line: Line) -> Iterator[frozenset[Token]]:
    """Growing sets of closing brackets to keep together with what is in front of them, the empty one first."""
    omit: set[Token] = set()
    if not line.magic:
        yield frozenset()
    length = INDENT * line.depth
    opening: Token | None = None
    closing: Token | None = None
    inner: set[Token] = set()
    for index, token, width in line.lengths(backwards=True):
        length += width
        if length > LINE_LENGTH:
            return
        if opening is not None:
            if token is opening:
                opening = None
            elif token.closes:
                if line.ends_in_comma(index):
                    return
                inner.add(token)
        elif token.closes:
            if index > 0 and line.tokens[index - 1].opens:
                inner.add(token)  # splitting empty brackets would gain nothing
                continue
            if closing is not None:
                omit.add(closing)
                omit |= inner
                inner.clear()
                yield frozenset(omit)
            if line.ends_in_comma(index):
                return  # to be split there in any case
            if token.value:
                opening = token.opening
                closing = token


def _right_hand_split(line: Line, force: bool, omit: frozenset[Token]) -> Iterator[Line]:
    return _without_optional_brackets(_last_split(line, omit), line, force, omit)


def _last_split(line: Line, omit: frozenset[Token]) -> _Split:
    """The split at the last pair of brackets that is not to be omitted."""
    tail: list[Token] = []
    body: list[Token] = []
    head: list[Token] = []
    current = tail
    opening: Token | None = None
    closing: Token | None = None
    for token in reversed(line.tokens):
        if current is body and token is opening:
            current = head if body else tail
        current.append(token)
        if current is tail and token.closes and token not in omit:
            opening, closing = token.opening, token
            current = body
    if opening is None or closing is None or not head:
        raise CannotSplitError
    parts = _parts(line, (head[::-1], body[::-1], tail[::-1]), opening)
    return _Split(*parts, opening, closing)


def _without_optional_brackets(split: _Split, line: Line, force: bool, omit: frozenset[Token]) -> Iterator[Line]:
    """The parts of a split; if it is at brackets that need not be there, those of a split without them if that is
    as good."""
    optional = split.opening.kind == "(" and not split.opening.value and not split.closing.value
    if not force and optional and _can_omit_brackets(split):
        omit = omit | {split.closing}
        try:
            other = _last_split(line, omit)
            if _prefer_without(other, split):
                yield from _without_optional_brackets(other, line, force, omit)
                return
        except CannotSplitError:
            chained = sum(token.value == "=" for token in line.tokens) > 1
            if not chained and len(split.body.tokens) < 2 and not split.body.fits():
                raise
    split.opening.value, split.closing.value = split.opening.kind, split.closing.kind
    yield from [part for part in (split.head, split.body, split.tail) if part.tokens]


def _prefer_without(other: _Split, split: _Split) -> bool:
    """Whether a split inside brackets that need not be there is better than one at them."""
    head = split.head.tokens
    if len(head) < 2 or head[-2].value != "=":
        return True
    if not any(token.opens or token.closes for token in head[:-1]):
        return True
    if not split.head.fits(LINE_LENGTH - 1) or split.head.magic:
        return True
    equals = sum(token.value == "=" for token in head)
    other_head = other.head.tokens
    if equals > 1 and equals > sum(token.value == "=" for token in other_head):
        return False
    for token in reversed(other_head):
        if token.value == "=":
            break
        if token.closes:
            return True
    return any(token.value == "=" for token in other_head) and other.head.fits()


def _can_omit_brackets(split: _Split) -> bool:
    """Whether what stands in brackets that need not be there has a shape that splits well without them."""
    line = split.body
    if not line.delimiters:
        return True
    priority = line.highest_priority()
    if sum(each == priority for each in line.delimiters.values()) > 1:
        return False
    first, second, penultimate, last = line.tokens[0], line.tokens[1], line.tokens[-2], line.tokens[-1]
    if first.opens and not second.closes and _can_omit_opening(line, first):
        return True
    if last.kind in (")", "}") or (last.kind == "]" and last.of_atom):
        return not penultimate.opens and _can_omit_closing(line, last)
    return False


def _can_omit_opening(line: Line, first: Token) -> bool:
    remainder = False
    length = INDENT * line.depth
    for _, token, width in line.lengths():
        if token.closes and token.opening is first:
            remainder = True
        if remainder:
            length += width
            if length > LINE_LENGTH:
                return False
            if token.opens:
                remainder = False
    return True


def _can_omit_closing(line: Line, last: Token) -> bool:
    length = INDENT * line.depth
    seen_others = False
    for _, token, width in line.lengths():
        length += width
        if token is last.opening:
            if seen_others or length <= LINE_LENGTH:
                return True
        elif token.opens:
            seen_others = True
    return False
