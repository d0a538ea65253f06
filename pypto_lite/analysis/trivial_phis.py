"""Trivial phis: those that are no values of their own, as one value flows into them, or the same as into another one.

A carry that every iteration hands on unchanged is its init, also where that goes through other phis on the way; a
branch result that is the same either way is that value; so are carries that swap one value among themselves. Phis of
one loop or branch into which the same values flow are one value too.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from pypto_lite.ir import Point

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pypto_lite import ir
    from pypto_lite.analysis.alias_classes import AliasClasses


class TilePhi(NamedTuple):
    """A phi of tiles."""

    var: ir.Var
    result: ir.Var | None
    """Of a loop."""
    incoming: tuple[ir.Var, ...]
    """The values that flow in, the first one first, as far as those have names."""
    is_known: bool
    """Whether these are all that flows in, and can be in one buffer with the phi."""


class PhiStep(NamedTuple):
    """The phis of a loop, where it is entered and again where it is left, or of a branch, where it is left."""

    point: Point
    is_loop: bool
    phis: tuple[TilePhi, ...]


def unite_trivial_phis(steps: Sequence[PhiStep], values: AliasClasses) -> None:
    """Unites each trivial phi with the value that it is; ``steps`` are in program order."""
    for phi, value in _constant_phis(steps, values.root).items():
        values.share(phi, value)
    _unite_twins([step.phis for step in steps if step.point is Point.LEAVE], values)


def _constant_phis(steps: Sequence[PhiStep], root: Callable[[ir.Var], ir.Var]) -> dict[ir.Var, ir.Var]:
    """The phis that are one value, each with that value.

    Every phi is taken for the value that flows into it first, until another one flows in as well: then it is a value
    of its own. That makes more differences, so it is done again until there are none; mostly twice.
    """
    own: set[ir.Var] = set()
    while True:
        known = len(own)
        taken_for = _sweep(steps, root, own)
        if len(own) == known:
            return {phi: value for phi, value in taken_for.items() if phi is not value}


def _sweep(steps: Sequence[PhiStep], root: Callable[[ir.Var], ir.Var], own: set[ir.Var]) -> dict[ir.Var, ir.Var]:
    """What each phi is taken for where these are values of their own; adds those that turn out to be."""
    taken_for: dict[ir.Var, ir.Var] = {}

    def value(var: ir.Var) -> ir.Var:
        return taken_for.get(root(var), root(var))

    for point, is_loop, phis in steps:
        if point is Point.ENTER or not is_loop:
            for phi in phis:
                flowing = {value(each) for each in (phi.incoming[:1] if is_loop else phi.incoming)}
                if not phi.is_known or len(flowing) > 1:
                    own.add(phi.var)
                taken_for[phi.var] = phi.var if phi.var in own else flowing.pop()
            continue
        own |= _changed([phi for phi in phis if phi.is_known], root, value)
        for phi in phis:
            if phi.result is not None:
                taken_for[phi.result] = phi.result if phi.var in own else taken_for[phi.var]
    return taken_for


def _changed(
    phis: Sequence[TilePhi], root: Callable[[ir.Var], ir.Var], value: Callable[[ir.Var], ir.Var]
) -> set[ir.Var]:
    """The carries of a loop that an iteration gives another value, and those that are given such a carry."""
    takers: dict[ir.Var, list[ir.Var]] = {}
    for phi in phis:
        takers.setdefault(root(phi.incoming[1]), []).append(phi.var)
    found: set[ir.Var] = set()
    pending = [phi.var for phi in phis if value(phi.incoming[1]) is not value(phi.var)]
    while pending:
        carry = pending.pop()
        if carry not in found:
            found.add(carry)
            pending += [taker for taker in takers.get(carry, []) if taker is not carry]
    return found


def _unite_twins(groups: Sequence[Sequence[TilePhi]], values: AliasClasses) -> None:
    """Unites phis into which the same values flow, and what becomes equal by that, to a fixed point."""
    readers: dict[ir.Var, list[int]] = {}
    for index, phis in enumerate(groups):
        for phi in phis:
            for each in phi.incoming:
                readers.setdefault(values.root(each), []).append(index)
    queue = deque(range(len(groups)))
    queued = set(queue)
    while queue:
        index = queue.popleft()
        queued.discard(index)
        for copy, original in _equal(groups[index], values.root):
            values.share(copy, original)
            again = readers.pop(copy, [])
            readers.setdefault(values.root(original), []).extend(again)
            fresh = dict.fromkeys([each for each in again if each not in queued])
            queue.extend(fresh)
            queued.update(fresh)


def _equal(phis: Sequence[TilePhi], root: Callable[[ir.Var], ir.Var]) -> Iterator[tuple[ir.Var, ir.Var]]:
    """Phis that are another value, each with that value."""
    first: dict[tuple[ir.Var, ...], TilePhi] = {}
    for phi in phis:
        if not phi.is_known or root(phi.var) is not phi.var:
            continue
        incoming = tuple([root(each) for each in phi.incoming])
        twin = first.setdefault(incoming, phi)
        if {*incoming[1:]} <= {incoming[0], phi.var}:
            value = incoming[0]
            results = [] if phi.result is None else [(phi.result, value)]
        elif twin is not phi:
            value = twin.var
            results = [(phi.result, twin.result)] if phi.result is not None and twin.result is not None else []
        else:
            continue
        yield phi.var, value
        yield from results
