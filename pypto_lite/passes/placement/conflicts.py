"""Says what is wrong with a program that cannot be placed: which tile, which consumer, and what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite.diagnostics import Diagnostic, Note
from pypto_lite.ir import MemorySpace
from pypto_lite.passes.placement.problem import Declaration, Group, Kind, Use
from pypto_lite.passes.placement.reach import Reach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pypto_lite.analysis.routes import Routes
    from pypto_lite.passes.placement.problem import Demand
    from pypto_lite.passes.placement.reach import Spaces
    from pypto_lite.passes.placement.solve import Conflict

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
        self.reach = Reach(routes)

    def explain(self, conflict: Conflict) -> Diagnostic:
        demands, groups = self._causes(conflict)
        producers = [group for group in groups if group.kind is not Kind.JOIN]
        flowing = _first_of_each_kind(producers)
        for demand in demands:
            for producer in flowing.get(demand.group, ()):
                if not self._can_serve(producer, demand):
                    return self._unserved(producer, demand)
        return self._disagreeing(conflict.group, groups, demands)

    def _causes(self, conflict: Conflict) -> tuple[list[Demand], list[Group]]:
        """The demands that led to a conflict, the last one first, and the groups that were looked at for them.

        Of every reason only that part is followed that took away a space where the group could have lived.
        """
        above = _closure([conflict.group], lambda group: [member.group for member in group.members])
        possible = self.reach.join_spaces.union(*[group.initial for group in above if group.kind is Kind.FIXED])
        demands: list[Demand] = []
        wanted: dict[Group, set[MemorySpace]] = {conflict.group: set(possible)}
        pending = [conflict.group]
        for group in pending:
            for reason in reversed(conflict.reasons.get(group, ())):
                lost = reason.removed & wanted[group]
                if not lost:
                    continue
                if not isinstance(reason.partner, Group):
                    demands.append(reason.partner)
                    continue
                spaces = self._supporting(reason.partner, group, lost) & possible
                if not spaces <= wanted.get(reason.partner, set()):
                    wanted.setdefault(reason.partner, set()).update(spaces)
                    pending.append(reason.partner)
                wanted.setdefault(reason.partner, set())
        return list(dict.fromkeys(demands)), list(wanted)

    def _supporting(self, neighbour: Group, group: Group, lost: Spaces) -> Spaces:
        """Where a neighbour would have had to live for the group to keep these spaces."""
        flows_in = any(member.join is group for member in neighbour.feeds)
        if flows_in:
            return self.reach.reaching(lost, neighbour.turned)
        return self.reach.reached(lost, group.turned)

    def _can_serve(self, producer: Group, demand: Demand) -> bool:
        """Whether a demand could be met if only this producer flowed into its group."""
        served = self.reach.serving(demand)
        if producer is demand.group:
            return not producer.initial.isdisjoint(served)
        return not self.reach.reached(producer.initial, turned=False).isdisjoint(served)

    def _unserved(self, producer: Group, demand: Demand) -> Diagnostic:
        if isinstance(demand, Declaration):
            return self._misdeclared(producer, demand)
        if demand.written_move is not None:
            return self._no_way(producer, demand)
        if demand.spaces == (MemorySpace.Acc,):
            return self._no_accumulator(producer, demand)
        if demand.in_place:
            return Diagnostic(
                "PL402",
                f"{self._subject(producer, demand)} is in {_spaces(producer.initial)}, and {demand.call.op} changes "
                f"{demand.operand.name!r} in place, in {_spaces(demand.spaces)} only",
                demand.span,
                notes=[self._definition(producer)],
                hint=self._way_to_change(producer, demand),
            )
        wanted = _spaces(demand.spaces)
        return Diagnostic(
            "PL404",
            f"{self._subject(producer, demand)} is in {_spaces(producer.initial)}, and no move leads from there to "
            f"{wanted}, where {demand.call.op} reads {demand.operand.name!r}",
            demand.span,
            found=f"{producer.var.name!r} in {_spaces(producer.initial)}",
            expected=f"a tile in {wanted}, or one that can be moved there",
            notes=[self._definition(producer)],
            hint=self._route_hint(producer, demand),
        )

    def _no_accumulator(self, producer: Group, use: Use) -> Diagnostic:
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

    def _no_way(self, producer: Group, move: Use) -> Diagnostic:
        """A move that the program makes itself, to where no way leads."""
        assert move.written_move is not None
        spaces = _spaces(producer.initial)
        into_acc = move.written_move is MemorySpace.Acc
        turned = move.written_move is MemorySpace.Mat and MemorySpace.Mat not in producer.initial and not move.spaces
        rest = ": nothing can be moved into Acc" if into_acc else ""
        rest = ": a transposed view cannot be moved there as it is" if turned else rest
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
            if turned
            else self._route_hint(producer, move),
        )

    def _misdeclared(self, producer: Group, declaration: Declaration) -> Diagnostic:
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

    def _disagreeing(self, failed: Group, groups: Iterable[Group], demands: Sequence[Demand]) -> Diagnostic:
        """Values that each could be placed, but not together."""
        joined = [failed, *[group for group in groups if group.kind is Kind.JOIN]]
        subject = next((group for group in joined if group.kind is Kind.JOIN), failed)
        facts = [*self._made(groups), *self._demanded(demands)]
        facts.sort(key=lambda note: (note.span.line, note.span.column))
        told = list({(note.message, note.span.line): note for note in facts}.values())[:MOST_NOTES]
        return Diagnostic(
            "PL405",
            f"{subject.var.name!r} would have to live in one space, but there is none that suits everything: "
            + ", ".join(note.message for note in told),
            subject.var.span or subject.stmt.span,
            notes=told,
            hint=_ONE_SPACE if subject.kind is Kind.JOIN else _each_its_own(subject, demands),
        )

    def _made(self, groups: Iterable[Group]) -> Iterator[Note]:
        for group in groups:
            if group.kind is Kind.FIXED:
                yield Note(f"{group.var.name!r} is in {_spaces(group.initial)}", group.var.span)
            elif group.kind is Kind.RETARGETABLE and not group.creates:
                yield Note(f"{group.var.name!r} can be in {_spaces(group.initial)}", group.var.span)

    def _demanded(self, demands: Iterable[Demand]) -> Iterator[Note]:
        for demand in demands:
            name, spaces = demand.var.name, _spaces(demand.spaces)
            if isinstance(demand, Declaration):
                yield Note(f"{name!r} is declared in {spaces}", demand.span)
            elif demand.written_move is not None:
                yield Note(f"{demand.call.op} takes {name!r} to {demand.written_move.name}", demand.span)
            else:
                verb = "changes" if demand.in_place else "reads"
                turned = demand.group.turned and self.routes.cube_side.issuperset(demand.spaces)
                by_way = ", where transposed views get from Mat only" if turned else ""
                yield Note(f"{demand.call.op} {verb} {name!r} in {spaces}{by_way}", demand.span)

    def _leads(self, producer: Group, spaces: Iterable[MemorySpace]) -> bool:
        """Whether a producer's tile can be moved to one of these spaces."""
        return any(self.routes.chain(made, space) is not None for made in producer.initial for space in spaces)

    def _way_to_change(self, producer: Group, demand: Demand) -> str:
        if self._leads(producer, demand.spaces):
            return "change a copy instead: move the tile to Vec under a name of its own, and go on with that"
        if producer.initial == frozenset({MemorySpace.Mat}):
            return f"{way_into_vec(producer)}, and change that: nothing moves from Mat to Vec"
        return f"change the tile before it gets to {_spaces(producer.initial)}: nothing leads back from there"

    def _subject(self, producer: Group, demand: Demand) -> str:
        made, read = producer.var.name, demand.var.name
        if made == read or isinstance(demand, Declaration):
            return repr(made)
        return f"{made!r}, which {demand.call.op} reads as {read!r},"

    def _definition(self, producer: Group) -> Note:
        return Note(f"{producer.var.name!r} is made here, by {_maker(producer)}", producer.stmt.span)

    def _route_hint(self, producer: Group, use: Use) -> str | None:
        wanted = use.spaces if use.written_move is None else (use.written_move,)
        missing = next((space for space in wanted if not self.routes.exists(space)), None)
        if missing is not None and self.routes.target is not None:
            return f"{self.routes.target.name} has no {missing.name} buffer"
        if producer.initial == frozenset({MemorySpace.Mat}) and MemorySpace.Vec in wanted:
            return f"{way_into_vec(producer)}: nothing moves from Mat to Vec"
        return None


def _closure(start: Iterable[Group], neighbours: Callable[[Group], Iterable[Group]]) -> list[Group]:
    found = dict.fromkeys(start)
    queue = list(found)
    for group in queue:
        for other in neighbours(group):
            if other not in found:
                found[other] = None
                queue.append(other)
    return queue


def _first_of_each_kind(producers: Iterable[Group]) -> dict[Group, list[Group]]:
    """For each group the producers that flow into it, itself included, in order; of those that can make the same spaces
    the first, as the others would do no better."""
    flowing: dict[Group, dict[Spaces, Group]] = {}
    for producer in producers:
        pending = [producer]
        while pending:
            group = pending.pop()
            known = flowing.setdefault(group, {})
            if producer.initial not in known:
                known[producer.initial] = producer
                pending += [member.join for member in group.feeds]
    return {group: list(known.values()) for group, known in flowing.items()}


def _and_more(conflicts: Sequence[Conflict]) -> Diagnostic:
    first = conflicts[0].group
    return Diagnostic(
        "PL405",
        f"{len(conflicts)} more tiles cannot be placed; the first of them is {first.var.name!r}",
        first.var.span or first.stmt.span,
        hint="mend the others first",
    )


def _maker(producer: Group) -> str:
    return producer.call.op if producer.call is not None else "its definition"


def way_into_vec(producer: Group) -> str:
    """How to get what is in Mat into Vec, where no move leads."""
    if producer.loads:
        return "load the tile without target_memory, or once more into Vec"
    if producer.creates:
        return "create the tile without target_memory"
    return "keep what is needed there in Vec as well"


def _each_its_own(tile: Group, demands: Iterable[Demand]) -> str:
    """What to do about a single tile that different spaces are asked of; its aliases and views are no other tiles."""
    own = "create a tile for each" if tile.creates else "move the tile under a name of its own"
    way = f"where it is needed in two spaces, {'load the tile once for each' if tile.loads else own}"
    if any(isinstance(demand, Declaration) for demand in demands):
        return f"leave out the spaces that are declared for aliases and views of it; {way}"
    return way


def _accumulator_hint(producer: Group) -> str:
    if producer.creates:
        return "leave out target_memory, or create the tile with target_memory=pl.MemorySpace.Acc"
    return (
        "seed the accumulation with an empty tile, pl.create_tile(...) without target_memory, or make its first step a "
        "plain pl.matmul; to add a vector tile to a product, move the product to Vec and add there"
    )


def _spaces(spaces: Iterable[MemorySpace]) -> str:
    return " or ".join(space.name for space in sorted(set(spaces), key=lambda space: space.value))
