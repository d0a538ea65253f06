"""Decides in which space each group lives: facts narrow the domains to a fixed point, then the rules choose.

A use keeps the spaces from which it can be served; a member keeps the spaces from which it can reach the space of its
join, and a join those that its members can reach. Each domain can only shrink, so the narrowing ends; each change
looks once at the neighbours of one group. What is left is consistent, and the rules choose in it: first the
common space of a join's members, to which loads and creates that name no target give way; else Vec, then Mat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.ir import MemorySpace
from pypto_lite.passes.infer_tile_memory_space.problem import Group, Kind, Problem, Use

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.passes.routes import Routes

Spaces = frozenset[MemorySpace]

PREFERENCE = (MemorySpace.Vec, MemorySpace.Mat, MemorySpace.Acc)
"""The order in which a space is chosen where more than one would do."""


class Conflict:
    """A group that can live nowhere: what narrowed its domain last, and what the domain was before."""

    __slots__ = ("domain", "group", "partner")

    def __init__(self, group: Group, domain: Spaces, partner: Use | Group) -> None:
        self.group = group
        self.domain = domain
        self.partner = partner


def solve(problem: Problem, routes: Routes) -> list[Conflict]:
    """Decides every group of the problem, or returns why it cannot be done.

    Without a target, a use that only a move from Mat to Vec could serve is served so: the second attempt leaves such
    uses out.
    """
    tolerated: set[Group] = set()
    while True:
        solver = _Solver(problem, routes, tolerated)
        if not solver.conflicts:
            solver.choose()
            return solver.conflicts
        conflicting = {group for conflict in solver.conflicts for group in _from_mat(conflict, routes)} - tolerated
        if not conflicting:
            return solver.conflicts
        tolerated |= conflicting
        for group in problem.groups:
            group.domain = group.initial


def _from_mat(conflict: Conflict, routes: Routes) -> Iterable[Group]:
    """The groups around a conflict whose uses ask for Vec, where a move from Mat to Vec would be tolerated."""
    if not routes.tolerates(MemorySpace.Mat, MemorySpace.Vec):
        return
    seen = {conflict.group}
    stack = [conflict.group, *([conflict.partner] if isinstance(conflict.partner, Group) else [])]
    while stack:
        group = stack.pop()
        if any(MemorySpace.Vec in use.spaces and not use.in_place for use in group.uses):
            yield group
        for member in group.feeds:
            if member.join not in seen:
                seen.add(member.join)
                stack.append(member.join)


class _Solver:
    def __init__(self, problem: Problem, routes: Routes, tolerated: set[Group]) -> None:
        self.problem = problem
        self.routes = routes
        self.tolerated = tolerated
        self.conflicts: list[Conflict] = []
        self._failed: set[Group] = set()
        self._served: dict[tuple[tuple[MemorySpace, ...], bool, bool], Spaces] = {}
        self._changed: list[Group] = []
        for group in problem.groups:
            self._start(group)
        self._spread()

    # Narrowing

    def _start(self, group: Group) -> None:
        """Applies what a group's own uses ask for, and what its nature allows."""
        if group.kind is Kind.JOIN:
            made = {space for member in group.members for space in member.group.domain}
            if len(made) == 1:  # all members were written to one space, which may be one of the L0 spaces
                group.domain |= made
        tolerant = group in self.tolerated
        for use in group.uses:
            self._narrow(group, self._serving(use, tolerant), use)
        self._changed.append(group)

    def _serving(self, use: Use, tolerant: bool) -> Spaces:
        """The spaces from which a use can be served, directly or through moves."""
        key = (use.spaces, use.in_place, tolerant)
        found = self._served.get(key)
        if found is None:
            found = frozenset(space for space in MemorySpace if self._serves(space, use, tolerant))
            self._served[key] = found
        return found

    def _serves(self, space: MemorySpace, use: Use, tolerant: bool) -> bool:
        if space in use.spaces:
            return True
        if use.in_place:
            return False
        return any(
            self.routes.chain(space, wanted) is not None or (tolerant and self.routes.tolerates(space, wanted))
            for wanted in use.spaces
        )

    def _narrow(self, group: Group, allowed: Spaces, partner: Use | Group) -> None:
        remaining = group.domain & allowed
        if remaining == group.domain or group in self._failed:
            return
        if not remaining:
            self._failed.add(group)
            self.conflicts.append(Conflict(group, group.domain, partner))
            return
        group.domain = remaining
        self._changed.append(group)

    def _spread(self) -> None:
        """Takes each changed domain to the group's members and to the joins that it feeds, until nothing changes."""
        while self._changed:
            group = self._changed.pop()
            if group in self._failed:
                continue
            for member in group.members:
                self._narrow(member.group, self._reaching(group.domain), group)
            for member in group.feeds:
                self._narrow(member.join, self._reached(group.domain), group)

    def _reaching(self, domain: Spaces) -> Spaces:
        return frozenset(
            space for space in MemorySpace if any(self.routes.chain(space, wanted) is not None for wanted in domain)
        )

    def _reached(self, domain: Spaces) -> Spaces:
        return frozenset(
            space for space in MemorySpace if any(self.routes.chain(made, space) is not None for made in domain)
        )

    # Choosing

    def choose(self) -> None:
        """Decides the joins, members first, and then the producers that are still free."""
        for joins in _components(self.problem):
            self._choose_joins(joins)
        for group in self.problem.groups:
            if not group.decided:
                self._set(group, group.preferred if group.preferred in group.domain else self._preferred(group.domain))

    def _choose_joins(self, joins: list[Group]) -> None:
        """Decides joins that flow into each other, such as the carries of one value in nested loops: one space."""
        together = set(joins)
        members = [m.group for join in joins for m in join.members if m.group not in together]
        domain = joins[0].domain
        for join in joins[1:]:
            domain &= join.domain
        made = {member.space for member in members if member.decided}
        free = [member for member in members if not member.decided]
        common = _common(made, free)
        if common is not None and common in domain and all(common in member.domain for member in free):
            space = common
        else:
            space = self._preferred(domain)
        for join in joins:
            self._set(join, space)
        for member in free:
            if space in member.domain:
                self._set(member, space)

    def _preferred(self, domain: Spaces) -> MemorySpace:
        return next((space for space in PREFERENCE if space in domain), min(domain, key=lambda space: space.value))

    def _set(self, group: Group, space: MemorySpace | None) -> None:
        if space is not None and group.domain != frozenset({space}):
            group.domain = frozenset({space})
            self._changed.append(group)
            self._spread()


def _common(made: set[MemorySpace], free: list[Group]) -> MemorySpace | None:
    """The one space in which all members of a join were made, or in which those without a target are to be made."""
    if len(made) == 1:
        return next(iter(made))
    written = {member.preferred for member in free} - {None}
    return next(iter(written)) if not made and len(written) == 1 else None


def _components(problem: Problem) -> list[list[Group]]:
    """The joins in sets that flow into each other, each set after those that flow into it (Tarjan, iteratively)."""
    index: dict[Group, int] = {}
    low: dict[Group, int] = {}
    open_groups: list[Group] = []
    is_open: set[Group] = set()
    components: list[list[Group]] = []
    for root in problem.groups:
        if root.kind is not Kind.JOIN or root in index:
            continue
        work: list[tuple[Group, int]] = [(root, 0)]
        while work:
            group, position = work.pop()
            if position == 0:
                index[group] = low[group] = len(index)
                open_groups.append(group)
                is_open.add(group)
            below = [member.group for member in group.members if member.group.kind is Kind.JOIN]
            while position < len(below):
                inner = below[position]
                position += 1
                if inner not in index:
                    work += [(group, position), (inner, 0)]
                    break
                if inner in is_open:
                    low[group] = min(low[group], index[inner], low[inner])
            else:
                for inner in below:
                    if inner in is_open:
                        low[group] = min(low[group], low[inner])
                if low[group] == index[group]:
                    component: list[Group] = []
                    while group in is_open:
                        component.append(open_groups.pop())
                        is_open.discard(component[-1])
                    components.append(component)
    return components
