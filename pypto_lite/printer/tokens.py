"""The tokens of one logical line of printed code, with what its splitting needs to know about each.

Brackets that black may add where a line is too long (around the value of an assignment, a condition, an annotation)
are tokens without text.
"""

from __future__ import annotations

import keyword
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMMA_PRIORITY: Final = 18
TERNARY_PRIORITY: Final = 16
_PRIORITIES: Final = {
    "and": 14, "or": 14,
    "<": 10, ">": 10, "==": 10, "!=": 10, "<=": 10, ">=": 10,
    "|": 9, "^": 8, "&": 7, "<<": 6, ">>": 6, "+": 5, "-": 5, "*": 4, "/": 4, "//": 4, "%": 4, "~": 3, "**": 2,
}  # fmt: skip
"""How readily a line is broken in front of an operator: the higher one goes first."""

CLOSING_OF: Final = {"(": ")", "[": "]", "{": "}"}
CLOSING: Final = frozenset(CLOSING_OF.values())

_PATTERN: Final = re.compile(
    r"""(?P<space>[ ]*)(?P<text>
        "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*'
      | (?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?
      | \w+
      | \*\* | // | << | >> | == | != | <= | >= | ->
      | .
    )""",
    re.VERBOSE,
)


class Token:
    """One token; two are equal only if they are the same."""

    __slots__ = (
        "annotation",
        "before",
        "closes",
        "depth",
        "kind",
        "of_atom",
        "offset",
        "opening",
        "opens",
        "optional",
        "prefix",
        "space",
        "value",
    )

    def __init__(self, value: str, kind: str, space: str, offset: int) -> None:
        self.value = value
        self.kind = kind
        """The text, or for a bracket without text the one it would have."""
        self.opens = kind in CLOSING_OF
        self.closes = kind in CLOSING
        self.space = space
        """The blanks in front of it in an unbroken line."""
        self.prefix = space
        """The same, but none where it starts a line."""
        self.offset = offset
        """Where it stands in the unbroken line, or -1 for a bracket or a comma that was not there."""
        self.before = 0
        """The priority of breaking a line in front of it; 0 where that is not done."""
        self.opening: Token | None = None
        """For a closing bracket its opening one, once it was seen."""
        self.depth = 0
        """How many brackets of its line are open around it."""
        self.of_atom = False
        """Whether a bracket encloses a list, a dictionary or an expression, not arguments or an index."""
        self.annotation = False
        """Whether it is a comma inside the annotation of a parameter."""
        self.optional = False
        """Whether it is a bracket that its statement does not need, so that it is not there unless a split wants it."""

    @property
    def is_word(self) -> bool:
        """Whether it is a name, a keyword or a number."""
        return self.value[:1].isalnum() or self.value[:1] == "_"

    def copy(self) -> Token:
        """The same token as in an unbroken line."""
        made = Token(self.value, self.kind, self.space, self.offset)
        made.before, made.of_atom, made.annotation = self.before, self.of_atom, self.annotation
        made.optional = self.optional
        return made


def tokenize(text: str) -> list[Token]:
    """The tokens of a logical line, with the brackets that black may add."""
    tokens = list(_plain(text))
    _classify(tokens)
    optional = [(span, True) for span in _statement_spans(tokens)]
    return _with_brackets(tokens, [*optional, *((span, False) for span in _ternary_spans(tokens))])


def _plain(text: str) -> Iterator[Token]:
    for match in _PATTERN.finditer(text):
        value = match["text"]
        yield Token(value, value, match["space"], match.start("text"))


def _is_operand_end(token: Token) -> bool:
    """Whether a value can end with this token, so that what follows is a binary operator, arguments or an index."""
    if token.closes:
        return True
    return token.value[0] in "\"'." or (
        (token.value[0].isalnum() or token.value[0] == "_" or not token.value.isascii())
        and (not keyword.iskeyword(token.value) or token.value in ("True", "False", "None"))
    )


def _classify(tokens: Sequence[Token]) -> None:
    depth = 0
    in_definition = bool(tokens) and tokens[0].value == "def"
    previous: Token | None = None
    for token in tokens:
        follows_operand = previous is not None and _is_operand_end(previous)
        if token.opens:
            depth += 1
            token.of_atom = not follows_operand
        elif token.closes:
            depth -= 1
        elif token.value in _PRIORITIES and (follows_operand or token.value in ("and", "or")):
            token.before = _PRIORITIES[token.value]
        elif token.value == ",":
            token.annotation = in_definition and depth > 1
        previous = token


_Span = tuple[int, int]
"""The indices of the first and the last token that a pair of brackets may be put around."""


def _statement_spans(tokens: Sequence[Token]) -> Iterator[_Span]:
    """What black may put brackets around because of the statement it stands in."""
    if not tokens:
        return
    first, last = tokens[0].value, len(tokens) - 1
    if first == "def":
        yield from _definition_spans(tokens)
    elif first == "return":
        yield from _span(tokens, 1, last)
    elif first in ("if", "elif", "while"):
        yield from _span(tokens, 1, last - 1)
    elif first == "for":
        middle = next(index for index, token in enumerate(tokens) if token.value == "in")
        yield from _span(tokens, 1, middle - 1)
        yield from _span(tokens, middle + 1, last - 1)
    elif first not in ("with", "@", "class", "else", "import"):
        yield from _assignment_spans(tokens)


def _span(tokens: Sequence[Token], first: int, last: int) -> Iterator[_Span]:
    """The span, unless it is empty or a tuple in brackets of its own."""
    if first > last:
        return
    opening = tokens[first]
    if opening.value == "(" and _matching(tokens, first) == last:
        return
    yield first, last


def _matching(tokens: Sequence[Token], start: int) -> int:
    depth = 0
    for index in range(start, len(tokens)):
        depth += tokens[index].opens - tokens[index].closes
        if depth == 0:
            return index
    return len(tokens) - 1


def _definition_spans(tokens: Sequence[Token]) -> Iterator[_Span]:
    depth = 0
    start: int | None = None
    for index, token in enumerate(tokens):
        if start is not None and depth == 1 and (token.value in (",", ")")):
            yield start, index - 1
            start = None
        depth += token.opens - token.closes
        if depth == 1 and token.value == ":":
            start = index + 1
        elif depth == 0 and token.value == "->":
            yield index + 1, len(tokens) - 2


def _assignment_spans(tokens: Sequence[Token]) -> Iterator[_Span]:
    depth = 0
    marks: dict[str, int] = {}
    for index, token in enumerate(tokens):
        depth += token.opens - token.closes
        if depth == 0 and token.value in (":", "=", ","):
            marks.setdefault(token.value, index)
            if token.value == "=":
                break
    equal = marks.get("=")
    if equal is None:
        return
    if ":" in marks:
        yield from _span(tokens, marks[":"] + 1, equal - 1)
    elif "," in marks:
        yield 0, equal - 1
    yield from _span(tokens, equal + 1, len(tokens) - 1)


class _Segment:
    """What stands between two commas, equal signs, colons or brackets."""

    __slots__ = ("alternatives", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.alternatives: list[int] = []
        """The indices of the ``else`` of its conditional expressions."""


def _ternary_spans(tokens: Sequence[Token]) -> Iterator[_Span]:
    """Conditional expressions, each with those in its last arm, unless they fill round brackets anyway."""
    start = 1 if tokens and tokens[0].value in ("if", "elif", "else", "while", "return", "for", "with") else 0
    segments = [_Segment(start)]
    for index in range(start, len(tokens) + 1):
        token = tokens[index] if index < len(tokens) else None
        segment = segments[-1]
        if token is not None and token.opens:
            segments.append(_Segment(index + 1))
        elif token is not None and token.value in ("if", "else"):
            token.before = TERNARY_PRIORITY
            if token.value == "else":
                segment.alternatives.append(index)
        elif token is None or token.closes or token.value in (",", "=", ":"):
            if segment.alternatives:
                if not _fills_round_brackets(tokens, segment.start, index, len(segments)):
                    yield segment.start, index - 1
                for alternative in segment.alternatives[:-1]:
                    yield alternative + 1, index - 1
            if token is not None and token.closes:
                segments.pop()
            else:
                segments[-1] = _Segment(index + 1)


def _fills_round_brackets(tokens: Sequence[Token], start: int, end: int, depth: int) -> bool:
    """Whether a segment is all there is in round brackets, or in those that its statement may get."""
    if depth == 1:
        return "," not in [token.value for token in (*tokens[start - 1 : start], *tokens[end : end + 1])]
    return tokens[start - 1].value == "(" and tokens[end].value == ")"


def _with_brackets(tokens: Sequence[Token], spans: Sequence[tuple[_Span, bool]]) -> list[Token]:
    """The tokens with a pair of brackets without text around each span, outer spans first; True: they are optional."""
    opened: dict[int, list[bool]] = {}
    closed: dict[int, list[bool]] = {}
    for (first, last), optional in spans:
        opened.setdefault(first, []).append(optional)
        closed.setdefault(last, []).append(optional)
    result: list[Token] = []
    for index, token in enumerate(tokens):
        for optional in opened.get(index, ()):
            result.append(_bracket("(", token.space, optional))
            token.space = token.prefix = ""
        result.append(token)
        for optional in reversed(closed.get(index, ())):
            result.append(_bracket(")", "", optional))
    return result


def _bracket(kind: str, space: str, optional: bool) -> Token:
    token = Token("", kind, space, -1)
    token.of_atom = True
    token.optional = optional
    return token
