"""Finds iterations of parallel loops that depend on each other, or write the same place.

A run takes the iterations one after the other. For every array that is older than the loop it keeps, for each element,
the first access of each kind; an access of an earlier iteration that must not be there is a conflict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pypto_lite.diagnostics import NO_SPAN
from pypto_lite.interp.sanitizer import problems
from pypto_lite.interp.sanitizer.accesses import ADD, READ, WRITE
from pypto_lite.interp.storage import Array, NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite import ir
    from pypto_lite.diagnostics import Span
    from pypto_lite.interp.sanitizer.accesses import Access

_CONFLICTS: Final = {READ: (WRITE, ADD), WRITE: (WRITE, ADD, READ), ADD: (WRITE, READ)}


class ParallelLoop:
    """One run through a parallel loop."""

    def __init__(self, loop: ir.For, is_read: Sequence[bool], carried: Sequence[Any], time: int) -> None:
        """``is_read`` says of each carry whether the body reads it, ``carried`` is what the first iteration gets."""
        self._loop = loop
        self._is_read = is_read
        self._at_entry = [*carried]
        self._handed_on: list[Any] | None = None
        """What the iteration before the last one gave."""
        self._entered = time
        self._index: int | None = None
        """The value of the loop's variable in this iteration; None before the first one."""
        self._first = 1
        self._accesses: list[tuple[int | None, Span]] = [(None, NO_SPAN)]
        """The index of its iteration and the place of each access, by number; no access has number 0."""
        self._storage: dict[int, tuple[NDArray, dict[str, NDArray]]] = {}
        """By the identity of an array that owns storage: the array, and the first access of each kind to each element,
        by number."""

    def advance(self, index: int, carried: Sequence[Any]) -> None:
        """The next iteration begins. PL518 where it reads what the last one has made."""
        if self._index is not None:
            for carry, read, before, now in zip(
                self._loop.carries, self._is_read, self._at_entry, carried, strict=True
            ):
                if read and not _is_same(before, now):
                    raise problems.handed_on(carry.name, _made_at(now))
            self.compare(carried)
        self._index, self._first = index, len(self._accesses)

    def compare(self, carried: Sequence[Any]) -> None:
        """An iteration is over. PL519 where it gives other values than the one before it, and only one can remain."""
        before = self._handed_on or carried
        for carry, one, other in zip(self._loop.carries, before, carried, strict=True):
            if not (_is_same(one, other) or _is_equal(one, other)):
                raise problems.given_by_several(carry.name, _made_at(other))
        self._handed_on = [*carried]

    def watches(self, array: Array) -> bool:
        """Whether an array is older than the loop: no other iteration sees a newer one unless it is handed on."""
        content = array.content
        return content is None or (content.buffer.begin or 0) <= 2 * self._entered + 1

    def note(self, access: Access, span: Span) -> None:
        """Keeps an access. PL518 or PL519 where an earlier iteration had one that it conflicts with."""
        owner, positions = access.array.owner, access.positions
        _, kinds = self._storage.setdefault(id(owner), (owner, {}))
        for kind in _CONFLICTS[access.kind]:
            if kind in kinds:
                self._compare(kinds[kind][positions], kind, access)
        if access.kind not in kinds:
            kinds[access.kind] = np.zeros(owner.size, np.int32)
        numbers = kinds[access.kind]
        touched = numbers[positions]
        numbers[positions] = np.where(touched == 0, len(self._accesses), touched)
        self._accesses.append((self._index, span))

    def _compare(self, numbers: NDArray, kind: str, access: Access) -> None:
        earlier = numbers[(numbers > 0) & (numbers < self._first)]
        if not earlier.size:
            return
        index, other = self._accesses[int(earlier.min())]
        iterations, variable = (index, self._index), self._loop.var.name
        if READ not in (kind, access.kind):
            raise problems.same_place(access.use, iterations, variable, other)
        what = "the one reads elements that the other writes"
        raise problems.dependence(access.use, iterations, variable, what, other)


def _made_at(value: Any) -> Span:
    return value.made_at if isinstance(value, Array) else NO_SPAN


def _is_same(before: Any, now: Any) -> bool:
    """Whether a carried value is the one that it was: the same part of the same storage, or an equal number, or nan."""
    if isinstance(before, Array) and isinstance(now, Array):
        return before.is_same(now) and before.valid == now.valid
    return before is now or before == now or (before != before and now != now)


def _is_equal(before: Any, now: Any) -> bool:
    """Whether two arrays hold the same values, to the last bit."""
    if not (isinstance(before, Array) and isinstance(now, Array)) or before.valid != now.valid:
        return False
    masks = [b"" if each.mask is None else each.mask.tobytes() for each in (before, now)]
    return masks[0] == masks[1] and before.elements.tobytes() == now.elements.tobytes()
