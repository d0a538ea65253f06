"""Finds iterations of parallel loops that depend on each other, or write the same place.

A run takes the iterations one after the other. For every array that is older than the loop it keeps, for each element,
the first access of each kind; an access of an earlier iteration that must not be there is a conflict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from pypto_lite import ir
from pypto_lite.diagnostics import NO_SPAN
from pypto_lite.interp.extents import ARRAY_TYPES
from pypto_lite.interp.operands import corner
from pypto_lite.interp.sanitizer import problems
from pypto_lite.interp.storage import Array, NDArray
from pypto_lite.ops.declaration import RESULT, Extents, Partial

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.diagnostics import Span
    from pypto_lite.interp.calls import Site
    from pypto_lite.interp.code import Frame
    from pypto_lite.interp.errors import Use

READ: Final = "read"
WRITE: Final = "write"
ADD: Final = "add"
"""The kinds of accesses; atomic adds may meet in any order."""

_CONFLICTS: Final = {READ: (WRITE, ADD), WRITE: (WRITE, ADD, READ), ADD: (WRITE, READ)}


class Access:
    """Elements of an array that a call reads or writes."""

    __slots__ = ("array", "kind", "positions", "use")

    def __init__(self, use: Use, array: Array, kind: str, positions: NDArray) -> None:
        self.use = use
        self.array = array
        self.kind = kind
        self.positions = positions
        """Which elements, counted through the whole array row by row."""


class ParallelLoop:
    """One run through a parallel loop."""

    def __init__(self, loop: ir.For, carried: Sequence[Any], time: int) -> None:
        self._loop = loop
        known = set(ir.walk(loop.body))
        self._is_read = [carry in known for carry in loop.carries]
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
            if not _is_same(one, other):
                raise problems.given_by_several(carry.name, _made_at(other))
        self._handed_on = [*carried]

    def note(self, access: Access, span: Span) -> None:
        """Keeps an access. PL518 or PL519 where an earlier iteration had one that it conflicts with."""
        content = access.array.content
        if content is not None and (content.buffer.begin or 0) > 2 * self._entered + 1:
            return  # made in this iteration: no other one sees it unless it is handed on
        owner, positions = _in_storage(access)
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


def accesses(site: Site, frame: Frame) -> list[Access]:
    """The elements of arrays that a call is about to read and to write; views only look."""
    meaning = site.meaning
    if site.operator.view_of is not None:
        return []
    found: list[Access] = []
    for parameter, slot in zip(meaning.parameters, site.slots, strict=True):
        arg = site.given.get(parameter)
        if arg is None or not isinstance(arg.type, ARRAY_TYPES):
            continue
        array: Array = frame[slot]
        if parameter == meaning.writes:
            atomic = site.call.keywords.get("atomic") is ir.AtomicType.Add
            found.append(Access(site.use(parameter), array, ADD if atomic else WRITE, _written(site, frame, array)))
        elif parameter in meaning.moves:
            found.append(Access(site.use(parameter), array, READ, _moved(site, frame, parameter, array)))
        elif parameter not in meaning.sized:
            part = () if parameter in meaning.whole else corner(array.valid)
            found.append(Access(site.use(parameter), array, READ, _numbered(array)[part]))
    if site.operator.reuses is not None and meaning.writes is None:
        found += [
            Access(each.use, each.array, WRITE, each.positions)
            for each in found
            if each.use.operand == site.operator.operands[site.operator.reuses].name
        ]
    return found


def _numbered(array: Array) -> NDArray:
    """The elements' own numbers, row by row."""
    numbers = cast("NDArray", np.arange(array.elements.size, dtype=np.int64))
    return numbers.reshape(array.elements.shape)


def _written(site: Site, frame: Frame, array: Array) -> NDArray:
    where, _ = site.function(np, *site.arguments(frame, site.measure(frame)))
    return np.asarray(_numbered(array)[where])


def _moved(site: Site, frame: Frame, parameter: str, array: Array) -> NDArray:
    """Runs the meaning on numbers in the place of the elements, the others being 0: those in the result are read."""
    extents = site.measure(frame)
    arguments = site.arguments(frame, extents)
    parameters = site.meaning.parameters
    for position, each in enumerate(parameters):
        if each in site.meaning.moves and arguments[position] is not None:
            moved = cast("NDArray", np.asarray(arguments[position]))
            arguments[position] = np.zeros(moved.shape, np.int64)[()]
    numbers = _numbered(array) + 1
    arguments[parameters.index(parameter)] = (
        numbers if parameter in site.meaning.whole else numbers[corner(array.valid)]
    )
    if RESULT in parameters:
        arguments[parameters.index(RESULT)] = _numbering(extents)
    outcome = site.function(np, *arguments)
    if isinstance(outcome, Partial):
        outcome = np.where(np.logical_and(outcome.known, np.logical_not(outcome.made)), outcome.elements, 0)
    numbered = cast("NDArray", np.asarray(outcome))
    taken = numbered.reshape(-1)
    return taken[taken > 0] - 1


def _numbering(extents: Any) -> Any:
    """The extents of a result whose elements are numbers of elements."""
    if isinstance(extents, Extents):
        return Extents(extents.shape, extents.valid, extents.dtype, np.dtype(np.int64))
    return None if extents is None else tuple([_numbering(each) for each in extents])


def _in_storage(access: Access) -> tuple[NDArray, NDArray]:
    """The array that owns the storage, and the positions in it of the elements that are touched."""
    owner, places = access.array.place()
    positions = places.reshape(-1)[access.positions.reshape(-1)]
    size, unit = access.array.elements.itemsize, owner.itemsize
    if size == unit:
        return owner, positions
    # A view sees the bytes as elements of another width.
    spread = cast("NDArray", np.arange(0, size, min(size, unit), dtype=np.int64))
    return owner, np.unique((positions[:, None] * size + spread) // unit)


def _made_at(value: Any) -> Span:
    return value.made_at if isinstance(value, Array) else NO_SPAN


def _is_same(before: Any, now: Any) -> bool:
    """Whether a carried value is the one that it was: an array in the same storage, or an equal number, or nan."""
    if isinstance(before, Array) and isinstance(now, Array):
        return before.place()[0] is now.place()[0]
    return before is now or before == now or (before != before and now != now)
