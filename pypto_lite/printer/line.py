"""A line of printed code as a list of tokens, with the places at which it can be broken."""

from __future__ import annotations

import unicodedata
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from pypto_lite.printer.tokens import CLOSING_OF, COMMA_PRIORITY, Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LINE_LENGTH: Final = 100
INDENT: Final = 4


def columns(text: str) -> int:
    """How many columns the text takes: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


_VALUE: Final = attrgetter("value")


class Line:
    """A line or a part of one, ``depth`` levels indented.

    ``inside`` says that it is what stood between brackets, ``explode`` that it must be split even if it fits.
    """

    __slots__ = ("delimiters", "depth", "explode", "inside", "invisible", "magic", "tokens")

    def __init__(self, tokens: list[Token], depth: int, inside: bool = False, tracked: Iterable[Token] = ()) -> None:
        self.tokens = tokens
        self.depth = depth
        self.inside = inside
        self.explode = False
        self.delimiters: dict[Token, int] = {}
        """The tokens behind which it can be broken at its own level, with the priority of doing so."""
        self.invisible: list[Token] = []
        self.magic = False
        """Whether brackets on it end in a comma that keeps their items on lines of their own."""
        self._mark(tokens if inside else tracked)

    def _mark(self, tokens: Iterable[Token]) -> None:
        depth = 0
        open_brackets: dict[tuple[int, str], Token] = {}
        loops: list[int] = []
        previous: Token | None = None
        for token in tokens:
            if token.closes and depth == 0:
                continue  # its opening bracket is on another line
            if loops and loops[-1] == depth and token.value == "in":
                depth -= 1
                loops.pop()
            if token.closes:
                depth -= 1
                token.opening = open_brackets.pop((depth, token.kind))
                if not token.value:
                    self.invisible.append(token)
            token.depth = depth
            if token.closes and previous is not None and previous.value == "," and not self._is_single(token, True):
                self.magic = True
            if depth == 0 and token.before and previous is not None:
                self.delimiters[previous] = token.before
            elif depth == 0 and token.value == ",":
                self.delimiters[token] = COMMA_PRIORITY
            if token.opens:
                open_brackets[depth, CLOSING_OF[token.kind]] = token
                depth += 1
                if not token.value:
                    self.invisible.append(token)
            previous = token
            if token.value == "for":
                depth += 1
                loops.append(depth)

    def _is_single(self, closing: Token, index_too: bool = False) -> bool:
        """Whether brackets enclose a tuple (or an index, if that counts) of one item, which needs its comma."""
        opening = closing.opening
        if opening is None or opening not in self.tokens:
            return False
        if not (
            (opening.kind == "(" and opening.of_atom) or (index_too and opening.kind == "[" and not opening.of_atom)
        ):
            return False
        inside = self.tokens[self.tokens.index(opening) + 1 : self.tokens.index(closing)]
        return sum(token.value == "," and token.depth == closing.depth + 1 for token in inside) < 2

    @property
    def is_definition(self) -> bool:
        return bool(self.tokens) and self.tokens[0].value == "def"

    def text(self, hug: bool = False) -> str:
        """The text with its indentation; black measures it with blanks around ``**`` where it decides on splits."""
        if not self.tokens:
            return ""
        first = self.tokens[0]
        start = f"{first.prefix}{' ' * (INDENT * self.depth)}{first.value}"
        if not hug:
            return start + "".join([token.prefix + token.value for token in self.tokens[1:]])
        prefixes = self._prefixes(hug)
        return start + "".join([prefixes[index] + self.tokens[index].value for index in range(1, len(prefixes))])

    def _prefixes(self, hug: bool) -> list[str]:
        """What stands in front of each token."""
        prefixes = [token.prefix for token in self.tokens]
        if hug:
            for index, token in enumerate(self.tokens):
                if token.value == "**" and self._is_hugged(index):
                    prefixes[index] = prefixes[index + 1] = ""
        return prefixes

    def _is_hugged(self, index: int) -> bool:
        """Whether black writes the ``**`` at ``index`` without blanks: between names and numbers.

        It takes the words behind an exponent for a part of it, so what follows an ``if`` or ``and`` counts too.
        """
        tokens = self.tokens
        if not 0 < index < len(tokens) - 1 or not tokens[index - 1].is_word:
            return False
        place = index + 1
        if tokens[place].value in ("-", "+", "~") and place + 1 < len(tokens):
            place += 1
        if not tokens[place].is_word:
            return False
        while place < len(tokens) and (tokens[place].value.isidentifier() or tokens[place].value == "."):
            place += 1
        return place == len(tokens) or tokens[place].kind not in ("(", "[")

    def spaced_tokens(self) -> Iterator[tuple[str, Token]]:
        """Each token with what stands in front of it."""
        return zip(self._prefixes(hug=True), self.tokens, strict=True)

    def columns_of_tokens(self) -> Iterator[tuple[int, int]]:
        """Each token that was there before the line was split, by its offset then, with its column now, from 1."""
        column = 1 + INDENT * self.depth
        for number, (prefix, token) in enumerate(self.spaced_tokens()):
            column += len(prefix) if number else 0
            if token.value and token.offset >= 0:
                yield token.offset, column
            column += len(token.value)

    def fits(self, length: int = LINE_LENGTH, hug: bool = False) -> bool:
        """Whether its text, with its indentation, takes no more columns; most lines that do not are far too long."""
        beginning = "".join([token.value for token in self.tokens[: length + 1]])
        if len(beginning) > length and beginning.isascii():
            return False
        return columns(self.text(hug)) <= length

    @property
    def could_fit(self) -> bool:
        """Whether its parts would fit if it was split at every token."""
        return INDENT * self.depth + max(map(len, map(_VALUE, self.tokens))) <= LINE_LENGTH

    @property
    def size(self) -> int:
        """How many characters its tokens have."""
        return sum(map(len, map(_VALUE, self.tokens)))

    def ends_in_comma(self, index: int) -> bool:
        """Whether the closing bracket at ``index`` follows a comma that is not that of a single item."""
        closing = self.tokens[index]
        follows = index > 0 and self.tokens[index - 1].value == "," and closing.opening is not None
        return follows and not self._is_single(closing)

    def highest_priority(self, but: Token | None = None) -> int:
        """The highest priority among its delimiters, 0 where it has none."""
        return max([priority for token, priority in self.delimiters.items() if token is not but], default=0)

    def lengths(self, backwards: bool = False) -> Iterator[tuple[int, Token, int]]:
        """Each token with its index and its length, blanks included."""
        numbered = list(enumerate(self.tokens))
        for index, token in reversed(numbered) if backwards else numbered:
            yield index, token, len(token.prefix) + len(token.value)

    def fresh(self) -> Line:
        """The same line with tokens of its own, as if nothing had been tried on it."""
        tokens = [token.copy() for token in self.tokens]
        if tokens:
            tokens[0].prefix = ""
        line = Line(tokens, self.depth, self.inside, tokens)
        line.explode = self.explode
        return line
