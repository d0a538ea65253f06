"""Liveness across regions: which variables loops have to carry and branches to yield, because they are read later."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pypto_lite import ir
from pypto_lite.analysis.def_use_events import EventKind, Extent
from pypto_lite.ir import RegionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pypto_lite.analysis.def_use_events import DefUseEvents

Joins: TypeAlias = "dict[Extent, tuple[ir.Var, ...]]"
"""For each loop and each branch the variables it hands on, in the order of their first assignment in it."""


def find_joins(function: DefUseEvents) -> Joins:
    """What each loop and branch has to hand on, found by going backward with the set of live variables.

    A variable is live where some way from there reads it before it assigns it. A loop hands on what is assigned in it
    and is live after it, or at the start of a further iteration; a branch what is assigned in it and is live after it.
    """
    exposed = find_exposed(function)
    live: set[ir.Var] = set()
    joins: Joins = {}
    before_else: dict[Extent, list[ir.Var]] = {}
    for act, var, extent in reversed(function.events):
        if act is EventKind.READ and var is not None:
            live.add(var)
        elif act is EventKind.ASSIGN and var is not None:
            live.discard(var)
        elif extent.kind is RegionKind.LOOP:
            if act is EventKind.END:
                joins[extent] = tuple([v for v in extent.assigned if v in live or v in exposed[extent]])
            live.update(joins[extent])
        elif extent.kind is None:
            if act is EventKind.END:
                joins[extent] = _with_dimensions([v for v in extent.assigned if v in live], extent)
                live.update(joins[extent])
            else:
                live.update(before_else.pop(extent))
        elif extent.kind is RegionKind.ARM and act is EventKind.BEGIN:
            branch = extent.parent
            assert branch is not None
            if branch not in before_else:
                # Going backward the else-arm comes first; the then-arm starts from what is live after the branch.
                before_else[branch] = [v for v in branch.assigned if v in live]
                live.difference_update(branch.assigned)
                live.update(joins[branch])
    return joins


def _with_dimensions(joined: Iterable[ir.Var], extent: Extent) -> tuple[ir.Var, ...]:
    """What is joined and the variables that its types mention, which have to be joined for these types to be known."""
    chosen: set[ir.Var] = set()
    waiting = list(joined)
    while waiting:
        var = waiting.pop()
        if var in chosen:
            continue
        chosen.add(var)
        for expression in var.type.expressions():
            waiting += [node for node in ir.walk(expression) if isinstance(node, ir.Var) and node in extent.assigned]
    return tuple([var for var in extent.assigned if var in chosen])


def find_exposed(function: DefUseEvents) -> Mapping[Extent, set[ir.Var]]:
    """For each loop those of its assigned variables that an iteration may read before it assigns them.

    For each variable there is the list of open loops that assign it, and its level: how many of these are around its
    last certain assignment. A read is exposed in the loops beyond that level.
    """
    exposed: dict[Extent, set[ir.Var]] = {}
    loops_around: dict[ir.Var, list[Extent]] = {}
    levels = _Levels()
    for act, var, extent in function.events:
        if var is not None:
            around = loops_around.get(var, [])
            if act is EventKind.ASSIGN:
                levels.set(var, len(around))
                continue
            for loop in reversed(around[levels.get(var) :]):
                if var in exposed[loop]:
                    break
                exposed[loop].add(var)
        elif act is EventKind.BEGIN:
            levels.begin(extent)
            if extent.kind is RegionKind.LOOP:
                exposed[extent] = set()
                for assigned in extent.assigned:
                    loops_around.setdefault(assigned, []).append(extent)
        else:
            levels.end(extent)
            if extent.kind is RegionKind.LOOP:
                for assigned in extent.assigned:
                    loops_around[assigned].pop()
    return exposed


class _Levels:
    """For each variable, how many of the loops that assign it are around its last certain assignment."""

    def __init__(self) -> None:
        self._levels: dict[ir.Var, int] = {}
        self._before: dict[Extent, list[int]] = {}
        """What the levels of a extent's assigned variables were when it began; of a branch also after its first arm."""
        self._after_then: dict[Extent, list[int]] = {}

    def get(self, var: ir.Var) -> int:
        return self._levels.get(var, 0)

    def set(self, var: ir.Var, level: int) -> None:
        self._levels[var] = level

    def begin(self, extent: Extent) -> None:
        if extent.kind in (RegionKind.LOOP, None):
            self._before[extent] = self._of(extent)

    def end(self, extent: Extent) -> None:
        if extent.kind is RegionKind.LOOP:
            self._restore(extent, self._before.pop(extent))
        elif extent.kind is None:
            del self._before[extent]
            after_then = self._after_then.pop(extent)
            self._restore(extent, map(min, after_then, self._of(extent)))
        elif extent.kind is RegionKind.ARM and extent.parent is not None and extent.parent not in self._after_then:
            self._after_then[extent.parent] = self._of(extent.parent)
            self._restore(extent.parent, self._before[extent.parent])

    def _of(self, extent: Extent) -> list[int]:
        return [self._levels.get(var, 0) for var in extent.assigned]

    def _restore(self, extent: Extent, levels: Iterable[int]) -> None:
        self._levels.update(zip(extent.assigned, list(levels), strict=True))
