"""Which elements of its operands a call reads and writes, found at the cost of as many elements.

What a meaning takes is found by running it on positions instead of elements: for each axis of an operand on numbers
that count along it. They are stored once and repeated, so a tensor costs no more than its axes are long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from pypto_lite import ir
from pypto_lite.interp.extents import ARRAY_TYPES, stored_as
from pypto_lite.interp.operands import corner
from pypto_lite.interp.sanitizer.stand_ins import run_on
from pypto_lite.interp.storage import Array, NDArray, Numbers, positions_in_storage

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.interp.calls import Site
    from pypto_lite.interp.code import Frame
    from pypto_lite.interp.errors import Use

READ: Final = "read"
WRITE: Final = "write"
ADD: Final = "add"
"""The kinds of accesses; atomic adds may meet in any order."""


class Access:
    """Elements of an array that a call reads or writes."""

    __slots__ = ("array", "kind", "positions", "use")

    def __init__(self, use: Use, array: Array, kind: str, positions: NDArray) -> None:
        self.use = use
        self.array = array
        self.kind = kind
        self.positions = positions
        """Which elements of the array that owns the storage."""


def accesses(site: Site, frame: Frame, numbers: Numbers, is_watched: Callable[[Array], bool]) -> list[Access]:
    """What a call is about to read and to write of the arrays that are watched; views only look."""
    evaluator, operator = site.evaluator, site.operator
    if operator.view_of is not None:
        return []
    taken_over = None if operator.tied_operand is None else operator.operands[operator.tied_operand].name
    found: list[Access] = []
    for parameter, slot in zip(evaluator.parameters, site.slots, strict=True):
        arg = site.given.get(parameter)
        if arg is None or not isinstance(arg.type, ARRAY_TYPES) or not is_watched(frame[slot]):
            continue
        use, array = site.use(parameter), frame[slot]
        if parameter == evaluator.writes:
            atomic = site.call.keywords.get("atomic") is ir.AtomicType.Add
            found.append(Access(use, array, ADD if atomic else WRITE, _written(site, frame, array, numbers)))
            continue
        if parameter in evaluator.sized:
            continue
        positions = _read(site, frame, parameter, array, numbers)
        found.append(Access(use, array, READ, positions))
        if parameter == taken_over and evaluator.writes is None:
            found.append(Access(use, array, WRITE, positions))
    return found


def _written(site: Site, frame: Frame, array: Array, numbers: Numbers) -> NDArray:
    where, _ = site.function(np, *site.arguments(frame, site.measure(frame)))
    return _in_units(array, array.positions(numbers, lambda counted: counted[where]), array.elements.itemsize)


def _read(site: Site, frame: Frame, parameter: str, array: Array, numbers: Numbers) -> NDArray:
    evaluator = site.evaluator
    part = () if parameter in evaluator.whole else corner(array.valid)
    if parameter not in evaluator.moves:
        return _in_units(array, array.positions(numbers, lambda counted: counted[part]), array.elements.itemsize)
    extents = site.measure(frame)
    outcome = site.function(np, *site.arguments(frame, extents))
    if getattr(outcome, "base", None) is array.owner:  # a view of what is read tells where that is
        return _in_units(array, positions_in_storage(outcome), outcome.itemsize)

    def taken(counted: NDArray) -> NDArray:
        # 0 stands for what comes from elsewhere
        outcome = run_on(site, frame, parameter, counted[part], 0, stored_as(extents, counted.dtype))
        return outcome[outcome > 0]

    return _in_units(array, array.positions(numbers, taken), array.elements.itemsize)


def _in_units(array: Array, positions: NDArray, size: int) -> NDArray:
    """Positions of elements of ``size`` bytes, as positions of elements of the array that owns the storage."""
    flat, unit = positions.reshape(-1), array.owner.itemsize
    if size == unit:
        return flat
    # A view sees the bytes as elements of another width.
    spread = np.arange(0, size, min(size, unit), dtype=np.int64)
    return np.unique((flat[:, None] * size + spread) // unit)
