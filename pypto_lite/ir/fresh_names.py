"""Fresh names: for values and functions that passes make."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class FreshNames:
    """Names that nothing else has: a name itself where it is free, else the name with the first free number behind it.

    Function names for a pass that makes functions are those fresh among ``program.functions``.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}
        """For each name that was taken: how many numbers were tried behind it."""

    def fresh(self, base: str) -> str:
        """A name like ``base`` that is free, which it then no longer is."""
        name = base
        while name in self._taken:
            self._numbers[base] = self._numbers.get(base, 0) + 1
            name = f"{base}__{self._numbers[base]}"
        self._taken.add(name)
        return name
