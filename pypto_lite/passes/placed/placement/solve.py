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
from pypto_lite.passes.placed.placement.feasible_spaces import FeasibleSpaces, Spaces
from pypto_lite.passes.placed.placement.problem import ALONE, PHI, EquivalenceClass, Problem, UseConstraint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pypto_lite.analysis.routes import Routes


class Reason(NamedTuple):
    """Why a group cannot live in some spaces: a demand on it, or a neighbour that it could not reach from there."""

    removed: Spaces
    partner: UseConstraint | EquivalenceClass


class Conflict:
    """A group that can live nowhere. ``reasons`` tell for every group what narrowed its domain, in order."""

    __slots__ = ("eclass", "reasons")

    def __init__(self, eclass: EquivalenceClass, reasons: Mapping[EquivalenceClass, Sequence[Reason]]) -> None:
        self.eclass = eclass
        self.reasons = reasons

    @property
    def partner(self) -> UseConstraint | EquivalenceClass:
        """What took away the last spaces."""
        return self.reasons[self.eclass][-1].partner


def solve(problem: Problem, routes: Routes) -> list[Conflict]:
    """Decides every group of the problem, or returns why it cannot be done.

    Without a target, a use that only a tolerated move, from Mat to Vec, could serve is served so: a further attempt
    leaves such uses out.
    """
    feasible = FeasibleSpaces(routes)
    tolerated: set[EquivalenceClass] = set()
    while True:
        solver = _Solver(problem, feasible, routes, tolerated)
        if not solver.conflicts:
            solver.choose()
        if not solver.conflicts:
            problem.tolerated = frozenset(tolerated)
            for eclass in problem.eclasses:
                (eclass.space,) = eclass.domain
            return []
        conflicting = {eclass for conflict in solver.conflicts for eclass in _tolerable(conflict, routes)} - tolerated
        if not conflicting:
            return solver.conflicts
        tolerated |= conflicting
        for eclass in problem.eclasses:
            eclass.domain = eclass.initial


def _tolerable(conflict: Conflict, routes: Routes) -> Iterable[EquivalenceClass]:
    """The groups around a conflict of which spaces are asked that a tolerated move would lead to."""
    asked = {destination for _, destination in routes.chip.tolerated}
    if not asked:
        return
    start = [conflict.eclass, *([conflict.partner] if isinstance(conflict.partner, EquivalenceClass) else [])]
    seen = set(start)
    while start:
        eclass = start.pop()
        if any(
            not asked.isdisjoint(constraint.spaces) and not constraint.in_place for constraint in eclass.constraints
        ):
            yield eclass
        for phi_operand in eclass.phi_uses:
            if phi_operand.phi not in seen:
                seen.add(phi_operand.phi)
                start.append(phi_operand.phi)


class _Solver:
    def __init__(
        self, problem: Problem, feasible: FeasibleSpaces, routes: Routes, tolerated: set[EquivalenceClass]
    ) -> None:
        self.problem = problem
        self.feasible = feasible
        self.routes = routes
        self.conflicts: list[Conflict] = []
        self._reasons: dict[EquivalenceClass, list[Reason]] = {}
        self._failed: set[EquivalenceClass] = set()
        self._changed: list[EquivalenceClass] = []
        self._newly_decided: list[EquivalenceClass] = []
        self._joined = [eclass for eclass in problem.eclasses if eclass.phi_operands or eclass.phi_uses]
        for eclass in problem.eclasses:
            for constraint in eclass.constraints:
                self._narrow(eclass, feasible.sources(constraint, eclass in tolerated), constraint)
        self._changed = self._joined.copy()
        self._spread()

    # Narrowing

    def _narrow(self, eclass: EquivalenceClass, allowed: Spaces, partner: UseConstraint | EquivalenceClass) -> None:
        if eclass.domain <= allowed or eclass in self._failed:
            return
        remaining = eclass.domain & allowed
        self._reasons.setdefault(eclass, []).append(Reason(eclass.domain - remaining, partner))
        if not remaining:
            self._failed.add(eclass)
            self.conflicts.append(Conflict(eclass, self._reasons))
            return
        self._restrict(eclass, remaining)

    def _restrict(self, eclass: EquivalenceClass, domain: Spaces) -> None:
        eclass.domain = domain
        self._changed.append(eclass)
        if eclass.decided:
            self._newly_decided.append(eclass)

    def _spread(self) -> None:
        """Takes each changed domain to the group's members and to the joins that it feeds, until nothing changes."""
        while self._changed:
            eclass = self._changed.pop()
            if eclass in self._failed:
                continue
            for phi_operand in eclass.phi_operands:
                self._narrow(
                    phi_operand.eclass, self.feasible.preimage(eclass.domain, phi_operand.eclass.transposed), eclass
                )
            for phi_operand in eclass.phi_uses:
                self._narrow(phi_operand.phi, self.feasible.image(eclass.domain, eclass.transposed), eclass)

    # Choosing

    def choose(self) -> None:
        """Decides the joins that values of a known space flow into, then whatever can agree with them, then the rest.

        What is left in the end can be anywhere that its demands allow: written targets first, then the preference.
        """
        self._decide(dict(self._joins_of_known_values()))
        self._agree([eclass for eclass in self._joined if eclass.decided])
        open_groups = [eclass for eclass in self.problem.eclasses if not eclass.decided]
        self._agree(self._decide({eclass: eclass.preferred for eclass in open_groups if eclass.preferred is not None}))
        self._decide({eclass: self._preferred(eclass.domain) for eclass in open_groups if not eclass.decided})

    def _joins_of_known_values(self) -> Iterable[tuple[EquivalenceClass, MemorySpace]]:
        """The joins that decided producers flow into, with their space: where all of those are, if nothing else reaches
        that (Acc); else the preferred one."""
        made = [eclass for eclass in self._joined if eclass.kind is not PHI and eclass.decided]
        for join in _fed_by(made):
            yield join, self._preferred(join.domain - self.routes.entered or join.domain)

    def _agree(self, decided: list[EquivalenceClass]) -> None:
        """Lets what is still open follow its decided neighbours, the nearest ones first."""
        while decided:
            following = {near: None for eclass in decided for near in eclass.neighbours() if not near.decided}
            decided = self._decide({eclass: self._agreement(eclass) for eclass in following})

    def _decide(self, choices: Mapping[EquivalenceClass, MemorySpace | None]) -> list[EquivalenceClass]:
        """Makes the choices that are still possible when their turn comes; all groups that are decided thereby."""
        self._newly_decided = []
        if not choices:
            return []
        first = self.routes.chip.decided_first
        others = [space for space in MemorySpace if space not in first]
        for spaces in (*[[space] for space in first], others):
            for eclass, space in choices.items():
                if space in spaces and space in eclass.domain and not eclass.decided:
                    self._restrict(eclass, ALONE[space])
            self._spread()
        return self._newly_decided

    def _agreement(self, eclass: EquivalenceClass) -> MemorySpace:
        """Where a group that is still open lives: with its decided neighbours if they are in one space, else by
        preference.

        An empty tile that one of them wants in Acc is decided already: nothing could be moved there.
        """
        spaces = {space for near in eclass.neighbours() if near.decided for space in near.domain}
        if len(spaces) == 1 and spaces <= eclass.domain:
            return next(iter(spaces))
        return self._preferred(eclass.domain)

    def _preferred(self, domain: Spaces) -> MemorySpace:
        for space in self.routes.chip.preference:
            if space in domain:
                return space
        return min(domain, key=lambda space: space.value)


def _fed_by(eclasses: Iterable[EquivalenceClass]) -> dict[EquivalenceClass, None]:
    """The joins that values of these groups flow into, directly or through other joins."""
    found: dict[EquivalenceClass, None] = {}
    pending = list(eclasses)
    while pending:
        for phi_operand in pending.pop().phi_uses:
            if phi_operand.phi not in found:
                found[phi_operand.phi] = None
                pending.append(phi_operand.phi)
    return found
