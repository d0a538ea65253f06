"""Which joins are no values of their own, because only one value ever flows into them, or the same as into another.

A carry that every iteration hands on unchanged is its init, also where that goes through other joins on the way; a
branch result that is the same either way is that value; so are carries that swap one value among themselves. Joins of
one loop or branch into which the same values flow are one value too.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from pypto_lite.passes.program_points import Point

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pypto_lite import ir
    from pypto_lite.passes.storages import Storages


class Slot(NamedTuple):
    """What becomes of one value in a loop or a branch."""

    join: ir.Var
    """The carry, or the result of the branch."""
    result: ir.Var | None
    """Of the loop."""
    inputs: tuple[ir.Var, ...]
    """The init and what is yielded, or what the arms yield, as far as those have names."""
    is_known: bool
    """Whether these are all that flows in, and can be in one buffer with the join."""


class Join(NamedTuple):
    """A loop or a branch with the values that flow through it."""

    is_loop: bool
    slots: tuple[Slot, ...]


JoinStep = tuple[Point, Join]
"""LOOP and LOOP_END of a loop, BRANCH_END of a branch."""


def unite_equal_joins(steps: Sequence[JoinStep], values: Storages) -> None:
    """Makes joins that are no values of their own one with the value that they are; ``steps`` are in program order."""
    for join, value in _constant_joins(steps, values.root).items():
        values.share(join, value)
    _unite_twins([join for point, join in steps if point is not Point.LOOP], values)


def _constant_joins(steps: Sequence[JoinStep], root: Callable[[ir.Var], ir.Var]) -> dict[ir.Var, ir.Var]:
    """The joins that are one value, each with that value.

    Every join is taken for the value that flows into it first, until another one flows in as well: then it is a value
    of its own. That makes more differences, so it is done again until there are none; mostly twice.
    """
    own: set[ir.Var] = set()
    while True:
        known = len(own)
        taken_for = _sweep(steps, root, own)
        if len(own) == known:
            return {join: value for join, value in taken_for.items() if join is not value}


def _sweep(steps: Sequence[JoinStep], root: Callable[[ir.Var], ir.Var], own: set[ir.Var]) -> dict[ir.Var, ir.Var]:
    """What each join is taken for where these are values of their own; adds those that turn out to be."""
    taken_for: dict[ir.Var, ir.Var] = {}

    def value(var: ir.Var) -> ir.Var:
        return taken_for.get(root(var), root(var))

    for point, (_, slots) in steps:
        if point is not Point.LOOP_END:
            for slot in slots:
                flowing = {value(each) for each in (slot.inputs[:1] if point is Point.LOOP else slot.inputs)}
                if not slot.is_known or len(flowing) > 1:
                    own.add(slot.join)
                taken_for[slot.join] = slot.join if slot.join in own else flowing.pop()
            continue
        own |= _changed([slot for slot in slots if slot.is_known], root, value)
        for slot in slots:
            if slot.result is not None:
                taken_for[slot.result] = slot.result if slot.join in own else taken_for[slot.join]
    return taken_for


def _changed(slots: Sequence[Slot], root: Callable[[ir.Var], ir.Var], value: Callable[[ir.Var], ir.Var]) -> set[ir.Var]:
    """The carries of a loop that an iteration gives another value, and those that are given such a carry."""
    takers: dict[ir.Var, list[ir.Var]] = {}
    for slot in slots:
        takers.setdefault(root(slot.inputs[1]), []).append(slot.join)
    found: set[ir.Var] = set()
    pending = [slot.join for slot in slots if value(slot.inputs[1]) is not value(slot.join)]
    while pending:
        carry = pending.pop()
        if carry not in found:
            found.add(carry)
            pending += [taker for taker in takers.get(carry, []) if taker is not carry]
    return found


def _unite_twins(joins: Sequence[Join], values: Storages) -> None:
    """Unites joins into which the same values flow, and what becomes equal by that, to a fixed point."""
    readers: dict[ir.Var, list[int]] = {}
    for index, join in enumerate(joins):
        for slot in join.slots:
            for each in slot.inputs:
                readers.setdefault(values.root(each), []).append(index)
    queue = deque(range(len(joins)))
    queued = set(queue)
    while queue:
        index = queue.popleft()
        queued.discard(index)
        for copy, original in _equal(joins[index], values.root):
            values.share(copy, original)
            again = readers.pop(copy, [])
            readers.setdefault(values.root(original), []).extend(again)
            fresh = dict.fromkeys([each for each in again if each not in queued])
            queue.extend(fresh)
            queued.update(fresh)


def _equal(join: Join, root: Callable[[ir.Var], ir.Var]) -> Iterator[tuple[ir.Var, ir.Var]]:
    """Joins that are another value, each with that value."""
    first: dict[tuple[ir.Var, ...], Slot] = {}
    for slot in join.slots:
        if not slot.is_known or root(slot.join) is not slot.join:
            continue
        inputs = tuple([root(each) for each in slot.inputs])
        twin = first.setdefault(inputs, slot)
        if {*inputs[1:]} <= {inputs[0], slot.join}:
            value = inputs[0]
            results = [] if slot.result is None else [(slot.result, value)]
        elif twin is not slot:
            value = twin.join
            results = [(slot.result, twin.result)] if slot.result is not None and twin.result is not None else []
        else:
            continue
        yield slot.join, value
        yield from results
