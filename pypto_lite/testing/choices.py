"""How random programs make their choices: few, small, and the simplest first, so that they shrink well.

All numbers are drawn from small ranges: hypothesis then draws the same ones from a seed wherever it runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypothesis.strategies import DrawFn

Item = TypeVar("Item")

_SMALL: Final = 64
_BELOW: Final = tuple([st.integers(0, most) for most in range(_SMALL)])


class Choices:
    """Draws numbers and members; whatever is drawn as 0 is the simplest."""

    def __init__(self, draw: DrawFn) -> None:
        self._draw = draw

    def below(self, count: int) -> int:
        """A number from 0 to ``count - 1``; 0 without a choice."""
        if count <= 1:
            return 0
        return self._draw(_BELOW[count - 1] if count <= _SMALL else st.integers(0, count - 1))

    def chance(self, among: int) -> bool:
        """True in one of so many cases; False is the simpler one."""
        return self.below(among) == among - 1

    def pick(self, items: Sequence[Item]) -> Item:
        """A member; the first is the simplest."""
        return items[self.below(len(items))]

    def together(self, action: Callable[[], Item]) -> Item:
        """What ``action`` returns; all that it draws becomes 0 together when an example shrinks."""
        return self._draw(_together(self, action))

    def draw_by(self, draw: DrawFn, action: Callable[[], Item]) -> Item:
        """What ``action`` returns, with all that it draws drawn by ``draw``."""
        outer, self._draw = self._draw, draw
        try:
            return action()
        finally:
            self._draw = outer


@st.composite
def _together(draw: DrawFn, choices: Choices, action: Callable[[], Item]) -> Item:
    return choices.draw_by(draw, action)
