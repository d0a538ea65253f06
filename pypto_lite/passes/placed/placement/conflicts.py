"""Says what is wrong with a program that cannot be placed: which tile, which consumer, and what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite.diagnostics import Diagnostic, Note
from pypto_lite.ir import MemorySpace
from pypto_lite.passes.placed.placement.feasible_spaces import FeasibleSpaces
from pypto_lite.passes.placed.placement.problem import AnnotationConstraint, EquivalenceClass, Kind, OperandConstraint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pypto_lite.analysis.routes import Routes
    from pypto_lite.passes.placed.placement.feasible_spaces import Spaces
    from pypto_lite.passes.placed.placement.problem import UseConstraint
    from pypto_lite.passes.placed.placement.solve import Conflict

_ONE_SPACE: Final = "make all of its values in one space, or move them to Vec or Mat before they meet"

_VIEW_IN_MAT: Final = (
    "move the tile itself under a name of its own, and take the transposed view of that: "
    "pl.tile.transpose_view(pl.move(..., target_memory=pl.MemorySpace.Mat))"
)

MOST_CONFLICTS: Final = 20
"""How many conflicts of a function are explained: each looks at all that leads to it, and who mends one mends more."""

MOST_NOTES: Final = 6
"""How many places a diagnostic names at most."""


def explain(conflicts: Sequence[Conflict], routes: Routes) -> list[Diagnostic]:
    """The diagnostics for the first conflicts of a function: for each a producer and a demand that do not fit, or
    several that do not fit together; once where neighbouring groups fail for one and the same reason."""
    explainer = _Explainer(routes)
    told = [explainer.explain(conflict) for conflict in conflicts[:MOST_CONFLICTS]]
    diagnostics = list({(each.code, each.message, each.span.line, each.span.column): each for each in told}.values())
    rest = conflicts[MOST_CONFLICTS:]
    if rest:
        diagnostics.append(_and_more(rest))
    return diagnostics


class _Explainer:
    def __init__(self, routes: Routes) -> None:
        self.routes = routes
        self.feasible = FeasibleSpaces(routes)

    def explain(self, conflict: Conflict) -> Diagnostic:
        constraints, eclasses = self._causes(conflict)
        producers = [eclass for eclass in eclasses if eclass.kind is not Kind.PHI]
        flowing = _first_of_each_kind(producers)
        for constraint in constraints:
            for producer in flowing.get(constraint.eclass, ()):
                if not self._can_serve(producer, constraint):
                    return self._unserved(producer, constraint)
        return self._disagreeing(conflict.eclass, eclasses, constraints)

    def _causes(self, conflict: Conflict) -> tuple[list[UseConstraint], list[EquivalenceClass]]:
        """The demands that led to a conflict, the last one first, and the groups that were looked at for them.

        Of every reason only that part is followed that took away a space where the group could have lived.
        """
        above = _closure([conflict.eclass], lambda eclass: [phi_operand.eclass for phi_operand in eclass.phi_operands])
        possible = self.feasible.join_spaces.union(*[eclass.initial for eclass in above if eclass.kind is Kind.FIXED])
        constraints: list[UseConstraint] = []
        wanted: dict[EquivalenceClass, set[MemorySpace]] = {conflict.eclass: set(possible)}
        pending = [conflict.eclass]
        for eclass in pending:
            for reason in reversed(conflict.reasons.get(eclass, ())):
                lost = reason.removed & wanted[eclass]
                if not lost:
                    continue
                if not isinstance(reason.partner, EquivalenceClass):
                    constraints.append(reason.partner)
                    continue
                spaces = self._supporting(reason.partner, eclass, lost) & possible
                if not spaces <= wanted.get(reason.partner, set()):
                    wanted.setdefault(reason.partner, set()).update(spaces)
                    pending.append(reason.partner)
                wanted.setdefault(reason.partner, set())
        return list(dict.fromkeys(constraints)), list(wanted)

    def _supporting(self, neighbour: EquivalenceClass, eclass: EquivalenceClass, lost: Spaces) -> Spaces:
        """Where a neighbour would have had to live for the group to keep these spaces."""
        flows_in = any(phi_operand.phi is eclass for phi_operand in neighbour.phi_uses)
        if flows_in:
            return self.feasible.preimage(lost, neighbour.transposed)
        return self.feasible.image(lost, eclass.transposed)

    def _can_serve(self, producer: EquivalenceClass, constraint: UseConstraint) -> bool:
        """Whether a demand could be met if only this producer flowed into its group."""
        served = self.feasible.sources(constraint)
        if producer is constraint.eclass:
            return not producer.initial.isdisjoint(served)
        return not self.feasible.image(producer.initial, transposed=False).isdisjoint(served)

    def _unserved(self, producer: EquivalenceClass, constraint: UseConstraint) -> Diagnostic:
        if isinstance(constraint, AnnotationConstraint):
            return self._misdeclared(producer, constraint)
        if constraint.written_move is not None:
            return self._no_way(producer, constraint)
        if constraint.spaces == (MemorySpace.Acc,):
            return self._no_accumulator(producer, constraint)
        if constraint.in_place:
            return Diagnostic(
                "PL402",
                f"{self._subject(producer, constraint)} is in {_spaces(producer.initial)}, and {constraint.call.op} "
                f"changes {constraint.operand.name!r} in place, in {_spaces(constraint.spaces)} only",
                constraint.span,
                notes=[self._definition(producer)],
                hint=self._way_to_change(producer, constraint),
            )
        wanted = _spaces(constraint.spaces)
        return Diagnostic(
            "PL404",
            f"{self._subject(producer, constraint)} is in {_spaces(producer.initial)}, and no move leads from there to "
            f"{wanted}, where {constraint.call.op} reads {constraint.operand.name!r}",
            constraint.span,
            found=f"{producer.var.name!r} in {_spaces(producer.initial)}",
            expected=f"a tile in {wanted}, or one that can be moved there",
            notes=[self._definition(producer)],
            hint=self._route_hint(producer, constraint),
        )

    def _no_accumulator(self, producer: EquivalenceClass, use: OperandConstraint) -> Diagnostic:
        spaces = _spaces(producer.initial)
        return Diagnostic(
            "PL404",
            f"{self._subject(producer, use)} is in {spaces} and cannot be an accumulator: {use.call.op} accumulates in "
            "Acc, and nothing can be moved into Acc",
            producer.stmt.span,
            found=f"{_maker(producer)}, which writes {spaces}",
            expected="an accumulator that the matrix unit made, or an empty tile",
            notes=[Note(f"{use.call.op} reads {use.operand.name!r} here", use.span)],
            hint=_accumulator_hint(producer),
        )

    def _no_way(self, producer: EquivalenceClass, move: OperandConstraint) -> Diagnostic:
        """A move that the program makes itself, to where no way leads."""
        assert move.written_move is not None
        spaces = _spaces(producer.initial)
        into_acc = move.written_move is MemorySpace.Acc
        transposed = (
            move.written_move is MemorySpace.Mat and MemorySpace.Mat not in producer.initial and not move.spaces
        )
        rest = ": nothing can be moved into Acc" if into_acc else ""
        rest = ": a transposed view cannot be moved there as it is" if transposed else rest
        return Diagnostic(
            "PL404",
            f"{self._subject(producer, move)} is in {spaces}, and no move leads from there to "
            f"{move.written_move.name}{rest}",
            move.span,
            found=f"{move.call.op} from {spaces} to {move.written_move.name}",
            expected=f"a tile in {_spaces(move.spaces)}" if move.spaces else None,
            notes=[self._definition(producer)],
            hint=_accumulator_hint(producer)
            if into_acc
            else _VIEW_IN_MAT
            if transposed
            else self._route_hint(producer, move),
        )

    def _misdeclared(self, producer: EquivalenceClass, declaration: AnnotationConstraint) -> Diagnostic:
        name, spaces = declaration.var.name, _spaces(producer.initial)
        movable = self._leads(producer, declaration.spaces)
        return Diagnostic(
            "PL410",
            f"{name!r} is declared in {_spaces(declaration.spaces)}, but it lives where "
            f"{producer.var.name!r} does, in {spaces}",
            declaration.span,
            found=f"{name!r} in {_spaces(declaration.spaces)}",
            expected=spaces,
            notes=[self._definition(producer)],
            hint="leave the space out" + (", or move the tile under a name of its own" if movable else ""),
        )

    def _disagreeing(
        self, failed: EquivalenceClass, eclasses: Iterable[EquivalenceClass], constraints: Sequence[UseConstraint]
    ) -> Diagnostic:
        """Values that each could be placed, but not together."""
        joined = [failed, *[eclass for eclass in eclasses if eclass.kind is Kind.PHI]]
        subject = next((eclass for eclass in joined if eclass.kind is Kind.PHI), failed)
        facts = [*self._made(eclasses), *self._demanded(constraints)]
        facts.sort(key=lambda note: (note.span.line, note.span.column))
        told = list({(note.message, note.span.line): note for note in facts}.values())[:MOST_NOTES]
        return Diagnostic(
            "PL405",
            f"{subject.var.name!r} would have to live in one space, but there is none that suits everything: "
            + ", ".join(note.message for note in told),
            subject.var.span or subject.stmt.span,
            notes=told,
            hint=_ONE_SPACE if subject.kind is Kind.PHI else _each_its_own(subject, constraints),
        )

    def _made(self, eclasses: Iterable[EquivalenceClass]) -> Iterator[Note]:
        for eclass in eclasses:
            if eclass.kind is Kind.FIXED:
                yield Note(f"{eclass.var.name!r} is in {_spaces(eclass.initial)}", eclass.var.span)
            elif eclass.kind is Kind.RETARGETABLE and not eclass.creates:
                yield Note(f"{eclass.var.name!r} can be in {_spaces(eclass.initial)}", eclass.var.span)

    def _demanded(self, constraints: Iterable[UseConstraint]) -> Iterator[Note]:
        for constraint in constraints:
            name, spaces = constraint.var.name, _spaces(constraint.spaces)
            if isinstance(constraint, AnnotationConstraint):
                yield Note(f"{name!r} is declared in {spaces}", constraint.span)
            elif constraint.written_move is not None:
                yield Note(f"{constraint.call.op} takes {name!r} to {constraint.written_move.name}", constraint.span)
            else:
                verb = "changes" if constraint.in_place else "reads"
                transposed = constraint.eclass.transposed and self.routes.cube_side.issuperset(constraint.spaces)
                by_way = ", where transposed views get from Mat only" if transposed else ""
                yield Note(f"{constraint.call.op} {verb} {name!r} in {spaces}{by_way}", constraint.span)

    def _leads(self, producer: EquivalenceClass, spaces: Iterable[MemorySpace]) -> bool:
        """Whether a producer's tile can be moved to one of these spaces."""
        return any(self.routes.chain(made, space) is not None for made in producer.initial for space in spaces)

    def _way_to_change(self, producer: EquivalenceClass, constraint: UseConstraint) -> str:
        if self._leads(producer, constraint.spaces):
            return "change a copy instead: move the tile to Vec under a name of its own, and go on with that"
        if producer.initial == frozenset({MemorySpace.Mat}):
            return f"{way_into_vec(producer)}, and change that: nothing moves from Mat to Vec"
        return f"change the tile before it gets to {_spaces(producer.initial)}: nothing leads back from there"

    def _subject(self, producer: EquivalenceClass, constraint: UseConstraint) -> str:
        made, read = producer.var.name, constraint.var.name
        if made == read or isinstance(constraint, AnnotationConstraint):
            return repr(made)
        return f"{made!r}, which {constraint.call.op} reads as {read!r},"

    def _definition(self, producer: EquivalenceClass) -> Note:
        return Note(f"{producer.var.name!r} is made here, by {_maker(producer)}", producer.stmt.span)

    def _route_hint(self, producer: EquivalenceClass, use: OperandConstraint) -> str | None:
        wanted = use.spaces if use.written_move is None else (use.written_move,)
        missing = next((space for space in wanted if not self.routes.exists(space)), None)
        if missing is not None and self.routes.target is not None:
            return f"{self.routes.target.name} has no {missing.name} buffer"
        if producer.initial == frozenset({MemorySpace.Mat}) and MemorySpace.Vec in wanted:
            return f"{way_into_vec(producer)}: nothing moves from Mat to Vec"
        return None


def _closure(
    start: Iterable[EquivalenceClass], neighbours: Callable[[EquivalenceClass], Iterable[EquivalenceClass]]
) -> list[EquivalenceClass]:
    found = dict.fromkeys(start)
    queue = list(found)
    for eclass in queue:
        for other in neighbours(eclass):
            if other not in found:
                found[other] = None
                queue.append(other)
    return queue


def _first_of_each_kind(producers: Iterable[EquivalenceClass]) -> dict[EquivalenceClass, list[EquivalenceClass]]:
    """For each group the producers that flow into it, itself included, in order; of those that can make the same spaces
    the first, as the others would do no better."""
    flowing: dict[EquivalenceClass, dict[Spaces, EquivalenceClass]] = {}
    for producer in producers:
        pending = [producer]
        while pending:
            eclass = pending.pop()
            known = flowing.setdefault(eclass, {})
            if producer.initial not in known:
                known[producer.initial] = producer
                pending += [phi_operand.phi for phi_operand in eclass.phi_uses]
    return {eclass: list(known.values()) for eclass, known in flowing.items()}


def _and_more(conflicts: Sequence[Conflict]) -> Diagnostic:
    first = conflicts[0].eclass
    return Diagnostic(
        "PL405",
        f"{len(conflicts)} more tiles cannot be placed; the first of them is {first.var.name!r}",
        first.var.span or first.stmt.span,
        hint="mend the others first",
    )


def _maker(producer: EquivalenceClass) -> str:
    return producer.call.op if producer.call is not None else "its definition"


def way_into_vec(producer: EquivalenceClass) -> str:
    """How to get what is in Mat into Vec, where no move leads."""
    if producer.loads:
        return "load the tile without target_memory, or once more into Vec"
    if producer.creates:
        return "create the tile without target_memory"
    return "keep what is needed there in Vec as well"


def _each_its_own(tile: EquivalenceClass, constraints: Iterable[UseConstraint]) -> str:
    """What to do about a single tile that different spaces are asked of; its aliases and views are no other tiles."""
    own = "create a tile for each" if tile.creates else "move the tile under a name of its own"
    way = f"where it is needed in two spaces, {'load the tile once for each' if tile.loads else own}"
    if any(isinstance(constraint, AnnotationConstraint) for constraint in constraints):
        return f"leave out the spaces that are declared for aliases and views of it; {way}"
    return way


def _accumulator_hint(producer: EquivalenceClass) -> str:
    if producer.creates:
        return "leave out target_memory, or create the tile with target_memory=pl.MemorySpace.Acc"
    return (
        "seed the accumulation with an empty tile, pl.create_tile(...) without target_memory, or make its first step a "
        "plain pl.matmul; to add a vector tile to a product, move the product to Vec and add there"
    )


def _spaces(spaces: Iterable[MemorySpace]) -> str:
    return " or ".join(space.name for space in sorted(set(spaces), key=lambda space: space.value))
