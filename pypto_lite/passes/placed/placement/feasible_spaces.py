"""From which spaces a demand can be served, and between which spaces a value can flow into a join."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pypto_lite.ir import MemorySpace

if TYPE_CHECKING:
    from pypto_lite.analysis.routes import Routes
    from pypto_lite.passes.placed.placement.problem import UseConstraint

Spaces: TypeAlias = "frozenset[MemorySpace]"


class FeasibleSpaces:
    """The routes of a target, as the placement problem asks for them; every answer is worked out once."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self.join_spaces = frozenset(routes.chip.preference)
        """Where a join can live whose members were made elsewhere; in any other space only if all are made there."""
        self._serving: dict[tuple[tuple[MemorySpace, ...], bool, bool, bool], Spaces] = {}
        self._flows: dict[tuple[Spaces, bool, bool], Spaces] = {}

    def sources(self, constraint: UseConstraint, tolerant: bool = False) -> Spaces:
        """The spaces of its group from which a demand can be served, directly or through moves.

        ``tolerant`` counts a move that is only made without a target.
        """
        key = (constraint.spaces, constraint.in_place, tolerant, constraint.eclass.transposed)
        found = self._serving.get(key)
        if found is None:
            found = self._serving[key] = frozenset(space for space in MemorySpace if self._serves(space, *key))
        return found

    def _serves(
        self, space: MemorySpace, wanted: tuple[MemorySpace, ...], in_place: bool, tolerant: bool, transposed: bool
    ) -> bool:
        if space in wanted:
            return True
        if in_place:
            return False
        return any(
            (self._routes.chain(space, each) is not None and not (transposed and self._routes.bars(space, each)))
            or (tolerant and self._routes.tolerates(space, each))
            for each in wanted
        )

    def image(self, domain: Spaces, transposed: bool) -> Spaces:
        """Where a join can live that a group of this domain flows into."""
        key = (domain, transposed, True)
        found = self._flows.get(key)
        if found is None:
            found = frozenset(
                join for join in MemorySpace if any(self._flow(made, join, transposed) for made in domain)
            )
            self._flows[key] = found
        return found

    def preimage(self, domain: Spaces, transposed: bool) -> Spaces:
        """Where a group can live that flows into a join of this domain."""
        key = (domain, transposed, False)
        found = self._flows.get(key)
        if found is None:
            found = frozenset(
                made for made in MemorySpace if any(self._flow(made, join, transposed) for join in domain)
            )
            self._flows[key] = found
        return found

    def _flow(self, made: MemorySpace, join: MemorySpace, transposed: bool) -> bool:
        """Whether a value made in one space can flow into a join in another, or the same."""
        if made is join:
            return True
        if join not in self.join_spaces or self._routes.chain(made, join) is None:
            return False
        return not (transposed and self._routes.bars(made, join))
