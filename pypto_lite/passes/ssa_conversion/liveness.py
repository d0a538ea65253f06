"""Decides which variables loops carry and which results branches have: those that are read later, and no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pypto_lite import ir
from pypto_lite.passes.survey import Act, Kind, Region

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pypto_lite.passes.survey import Survey

Joins: TypeAlias = "dict[Region, tuple[ir.Var, ...]]"
"""For each loop and each branch the variables it hands on, in the order of their first assignment in it."""


def find_joins(survey: Survey) -> Joins:
    """What each loop and branch has to hand on, found by going backward with the set of live variables.

    A variable is live where some way from there reads it before it assigns it. A loop hands on what is assigned in it
    and is live after it, or at the start of a further iteration; a branch what is assigned in it and is live after it.
    """
    exposed = find_exposed(survey)
    live: set[ir.Var] = set()
    joins: Joins = {}
    before_else: dict[Region, list[ir.Var]] = {}
    for act, var, region in reversed(survey.events):
        if act is Act.READ and var is not None:
            live.add(var)
        elif act is Act.ASSIGN and var is not None:
            live.discard(var)
        elif region.kind is Kind.LOOP:
            if act is Act.END:
                joins[region] = tuple([v for v in region.assigned if v in live or v in exposed[region]])
            live.update(joins[region])
        elif region.kind is Kind.BRANCH:
            if act is Act.END:
                joins[region] = _with_dimensions([v for v in region.assigned if v in live], region)
                live.update(joins[region])
            else:
                live.update(before_else.pop(region))
        elif region.kind is Kind.ARM and act is Act.BEGIN:
            branch = region.parent
            assert branch is not None
            if branch not in before_else:
                # Going backward the else-arm comes first; the then-arm starts from what is live after the branch.
                before_else[branch] = [v for v in branch.assigned if v in live]
                live.difference_update(branch.assigned)
                live.update(joins[branch])
    return joins


def _with_dimensions(joined: Iterable[ir.Var], region: Region) -> tuple[ir.Var, ...]:
    """What is joined and the variables that its types mention, which have to be joined for these types to be known."""
    chosen: set[ir.Var] = set()
    waiting = list(joined)
    while waiting:
        var = waiting.pop()
        if var in chosen:
            continue
        chosen.add(var)
        for expression in var.type.expressions():
            waiting += [node for node in ir.walk(expression) if isinstance(node, ir.Var) and node in region.assigned]
    return tuple([var for var in region.assigned if var in chosen])


def find_exposed(survey: Survey) -> Mapping[Region, set[ir.Var]]:
    """For each loop those of its assigned variables that an iteration may read before it assigns them.

    For each variable there is the list of open loops that assign it, and its level: how many of these are around its
    last certain assignment. A read is exposed in the loops beyond that level.
    """
    exposed: dict[Region, set[ir.Var]] = {}
    loops_around: dict[ir.Var, list[Region]] = {}
    levels = _Levels()
    for act, var, region in survey.events:
        if var is not None:
            around = loops_around.get(var, [])
            if act is Act.ASSIGN:
                levels.set(var, len(around))
                continue
            for loop in reversed(around[levels.get(var) :]):
                if var in exposed[loop]:
                    break
                exposed[loop].add(var)
        elif act is Act.BEGIN:
            levels.begin(region)
            if region.kind is Kind.LOOP:
                exposed[region] = set()
                for assigned in region.assigned:
                    loops_around.setdefault(assigned, []).append(region)
        else:
            levels.end(region)
            if region.kind is Kind.LOOP:
                for assigned in region.assigned:
                    loops_around[assigned].pop()
    return exposed


class _Levels:
    """For each variable, how many of the loops that assign it are around its last certain assignment."""

    def __init__(self) -> None:
        self._levels: dict[ir.Var, int] = {}
        self._before: dict[Region, list[int]] = {}
        """What the levels of a region's assigned variables were when it began; of a branch also after its first arm."""
        self._after_then: dict[Region, list[int]] = {}

    def get(self, var: ir.Var) -> int:
        return self._levels.get(var, 0)

    def set(self, var: ir.Var, level: int) -> None:
        self._levels[var] = level

    def begin(self, region: Region) -> None:
        if region.kind in (Kind.LOOP, Kind.BRANCH):
            self._before[region] = self._of(region)

    def end(self, region: Region) -> None:
        if region.kind is Kind.LOOP:
            self._restore(region, self._before.pop(region))
        elif region.kind is Kind.BRANCH:
            del self._before[region]
            after_then = self._after_then.pop(region)
            self._restore(region, map(min, after_then, self._of(region)))
        elif region.kind is Kind.ARM and region.parent is not None and region.parent not in self._after_then:
            self._after_then[region.parent] = self._of(region.parent)
            self._restore(region.parent, self._before[region.parent])

    def _of(self, region: Region) -> list[int]:
        return [self._levels.get(var, 0) for var in region.assigned]

    def _restore(self, region: Region, levels: Iterable[int]) -> None:
        self._levels.update(zip(region.assigned, list(levels), strict=True))
