"""Decides in which space each group lives: facts narrow the domains to a fixed point, then the rules choose.

A demand keeps the spaces from which it can be served; a member keeps the spaces from which it can reach the space of
its join, and a join those that its members can reach. Each domain can only shrink, so the narrowing ends; each change
looks once at the neighbours of one group. Among the spaces that a join can live in each reaches the next (Acc, Vec, Mat
on the chips that there are), so whatever is left in a domain is part of an answer, and the rules can choose in it, in
an order that depends on nothing but the facts. With other moves a choice may turn out wrong, which is a conflict too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pypto_lite.ir import MemorySpace
from pypto_lite.passes.placement.problem import ALONE, JOIN, Demand, Group, Problem
from pypto_lite.passes.placement.reach import Reach, Spaces

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pypto_lite.analysis.routes import Routes


class Reason(NamedTuple):
    """Why a group cannot live in some spaces: a demand on it, or a neighbour that it could not reach from there."""

    removed: Spaces
    partner: Demand | Group


class Conflict:
    """A group that can live nowhere. ``reasons`` tell for every group what narrowed its domain, in order."""

    __slots__ = ("group", "reasons")

    def __init__(self, group: Group, reasons: Mapping[Group, Sequence[Reason]]) -> None:
        self.group = group
        self.reasons = reasons

    @property
    def partner(self) -> Demand | Group:
        """What took away the last spaces."""
        return self.reasons[self.group][-1].partner


def solve(problem: Problem, routes: Routes) -> list[Conflict]:
    """Decides every group of the problem, or returns why it cannot be done.

    Without a target, a use that only a tolerated move, from Mat to Vec, could serve is served so: a further attempt
    leaves such uses out.
    """
    reach = Reach(routes)
    tolerated: set[Group] = set()
    while True:
        solver = _Solver(problem, reach, routes, tolerated)
        if not solver.conflicts:
            solver.choose()
        if not solver.conflicts:
            problem.tolerated = frozenset(tolerated)
            for group in problem.groups:
                (group.space,) = group.domain
            return []
        conflicting = {group for conflict in solver.conflicts for group in _tolerable(conflict, routes)} - tolerated
        if not conflicting:
            return solver.conflicts
        tolerated |= conflicting
        for group in problem.groups:
            group.domain = group.initial


def _tolerable(conflict: Conflict, routes: Routes) -> Iterable[Group]:
    """The groups around a conflict of which spaces are asked that a tolerated move would lead to."""
    asked = {destination for _, destination in routes.chip.tolerated}
    if not asked:
        return
    start = [conflict.group, *([conflict.partner] if isinstance(conflict.partner, Group) else [])]
    seen = set(start)
    while start:
        group = start.pop()
        if any(not asked.isdisjoint(demand.spaces) and not demand.in_place for demand in group.demands):
            yield group
        for member in group.feeds:
            if member.join not in seen:
                seen.add(member.join)
                start.append(member.join)


class _Solver:
    def __init__(self, problem: Problem, reach: Reach, routes: Routes, tolerated: set[Group]) -> None:
        self.problem = problem
        self.reach = reach
        self.routes = routes
        self.conflicts: list[Conflict] = []
        self._reasons: dict[Group, list[Reason]] = {}
        self._failed: set[Group] = set()
        self._changed: list[Group] = []
        self._newly_decided: list[Group] = []
        self._joined = [group for group in problem.groups if group.members or group.feeds]
        for group in problem.groups:
            for demand in group.demands:
                self._narrow(group, reach.serving(demand, group in tolerated), demand)
        self._changed = self._joined.copy()
        self._spread()

    # Narrowing

    def _narrow(self, group: Group, allowed: Spaces, partner: Demand | Group) -> None:
        if group.domain <= allowed or group in self._failed:
            return
        remaining = group.domain & allowed
        self._reasons.setdefault(group, []).append(Reason(group.domain - remaining, partner))
        if not remaining:
            self._failed.add(group)
            self.conflicts.append(Conflict(group, self._reasons))
            return
        self._restrict(group, remaining)

    def _restrict(self, group: Group, domain: Spaces) -> None:
        group.domain = domain
        self._changed.append(group)
        if group.decided:
            self._newly_decided.append(group)

    def _spread(self) -> None:
        """Takes each changed domain to the group's members and to the joins that it feeds, until nothing changes."""
        while self._changed:
            group = self._changed.pop()
            if group in self._failed:
                continue
            for member in group.members:
                self._narrow(member.group, self.reach.reaching(group.domain, member.group.turned), group)
            for member in group.feeds:
                self._narrow(member.join, self.reach.reached(group.domain, group.turned), group)

    # Choosing

    def choose(self) -> None:
        """Decides the joins that values of a known space flow into, then whatever can agree with them, then the rest.

        What is left in the end can be anywhere that its demands allow: written targets first, then the preference.
        """
        self._decide(dict(self._joins_of_known_values()))
        self._agree([group for group in self._joined if group.decided])
        open_groups = [group for group in self.problem.groups if not group.decided]
        self._agree(self._decide({group: group.preferred for group in open_groups if group.preferred is not None}))
        self._decide({group: self._preferred(group.domain) for group in open_groups if not group.decided})

    def _joins_of_known_values(self) -> Iterable[tuple[Group, MemorySpace]]:
        """The joins that decided producers flow into, with their space: where all of those are, if nothing else reaches
        that (Acc); else the preferred one."""
        made = [group for group in self._joined if group.kind is not JOIN and group.decided]
        for join in _fed_by(made):
            yield join, self._preferred(join.domain - self.routes.entered or join.domain)

    def _agree(self, decided: list[Group]) -> None:
        """Lets what is still open follow its decided neighbours, the nearest ones first."""
        while decided:
            following = {near: None for group in decided for near in group.neighbours() if not near.decided}
            decided = self._decide({group: self._agreement(group) for group in following})

    def _decide(self, choices: Mapping[Group, MemorySpace | None]) -> list[Group]:
        """Makes the choices that are still possible when their turn comes; all groups that are decided thereby."""
        self._newly_decided = []
        if not choices:
            return []
        first = self.routes.chip.decided_first
        others = [space for space in MemorySpace if space not in first]
        for spaces in (*[[space] for space in first], others):
            for group, space in choices.items():
                if space in spaces and space in group.domain and not group.decided:
                    self._restrict(group, ALONE[space])
            self._spread()
        return self._newly_decided

    def _agreement(self, group: Group) -> MemorySpace:
        """Where a group that is still open lives: with its decided neighbours if they are in one space, else by
        preference.

        An empty tile that one of them wants in Acc is decided already: nothing could be moved there.
        """
        spaces = {space for near in group.neighbours() if near.decided for space in near.domain}
        if len(spaces) == 1 and spaces <= group.domain:
            return next(iter(spaces))
        return self._preferred(group.domain)

    def _preferred(self, domain: Spaces) -> MemorySpace:
        for space in self.routes.chip.preference:
            if space in domain:
                return space
        return min(domain, key=lambda space: space.value)


def _fed_by(groups: Iterable[Group]) -> dict[Group, None]:
    """The joins that values of these groups flow into, directly or through other joins."""
    found: dict[Group, None] = {}
    pending = list(groups)
    while pending:
        for member in pending.pop().feeds:
            if member.join not in found:
                found[member.join] = None
                pending.append(member.join)
    return found
