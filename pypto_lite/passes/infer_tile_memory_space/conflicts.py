"""Says what is wrong with a program that cannot be placed: which tile, which consumer, and what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite.diagnostics import Diagnostic, Note
from pypto_lite.ir import MemorySpace
from pypto_lite.passes.infer_tile_memory_space.problem import Declaration, Group, Kind, Use
from pypto_lite.passes.infer_tile_memory_space.reach import Reach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pypto_lite import ir
    from pypto_lite.passes.infer_tile_memory_space.problem import Demand
    from pypto_lite.passes.infer_tile_memory_space.solve import Conflict
    from pypto_lite.passes.routes import Routes

MOST_NOTES: Final = 6
"""How many places a diagnostic names at most."""


def explain(conflict: Conflict, names: Mapping[ir.Var, str], routes: Routes) -> Diagnostic:
    """The diagnostic for one conflict: a producer and a demand that do not fit, or several that do not fit together."""
    return _Explainer(names, routes).explain(conflict)


class _Explainer:
    def __init__(self, names: Mapping[ir.Var, str], routes: Routes) -> None:
        self.names = names
        self.routes = routes
        self.reach = Reach(routes)

    def explain(self, conflict: Conflict) -> Diagnostic:
        groups = [conflict.group, *([conflict.partner] if isinstance(conflict.partner, Group) else [])]
        below = _closure(groups, _joins_of)
        above = _closure(groups, lambda group: [member.group for member in group.members])
        reached = {each: set(_closure([each], _joins_of)) for each in above if each.kind is not Kind.JOIN}
        pairs = [(demand, group) for group in below for demand in group.demands]
        if not isinstance(conflict.partner, Group):  # what narrowed the domain last comes first
            pairs.insert(0, (conflict.partner, conflict.group))
        for demand, group in pairs:
            for producer, flows_into in reached.items():
                if group in flows_into and not self._can_serve(producer, demand, group):
                    return self._unserved(producer, demand)
        return self._disagreeing(above, below)

    def _can_serve(self, producer: Group, demand: Demand, group: Group) -> bool:
        """Whether a demand on a group could be met if only this producer flowed into it."""
        served = self.reach.serving(demand, group)
        if producer is group:
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
                hint="change a copy instead: move the tile to Vec under a name of its own, and go on with that",
            )
        wanted = _spaces(demand.spaces)
        return Diagnostic(
            "PL404",
            f"{self._subject(producer, demand)} is in {_spaces(producer.initial)}, {demand.call.op} reads "
            f"{demand.operand.name!r} from {wanted}, and no move leads there",
            demand.span,
            found=f"{self.names[producer.var]!r} in {_spaces(producer.initial)}",
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
        rest = ": nothing can be moved into Acc" if into_acc else ""
        return Diagnostic(
            "PL404",
            f"{self._subject(producer, move)} is in {spaces}, and no move leads from there to "
            f"{move.written_move.name}{rest}",
            move.span,
            found=f"{move.call.op} from {spaces} to {move.written_move.name}",
            expected=f"a tile in {_spaces(move.spaces)}" if move.spaces else None,
            notes=[self._definition(producer)],
            hint=_accumulator_hint(producer) if into_acc else self._route_hint(producer, move),
        )

    def _misdeclared(self, producer: Group, declaration: Declaration) -> Diagnostic:
        name, spaces = self.names[declaration.var], _spaces(producer.initial)
        return Diagnostic(
            "PL410",
            f"{name!r} is declared in {_spaces(declaration.spaces)}, but it lives where "
            f"{self.names[producer.var]!r} does, in {spaces}",
            declaration.span,
            found=f"{name!r} in {_spaces(declaration.spaces)}",
            expected=spaces,
            notes=[self._definition(producer)],
            hint="leave the space out, or move the tile under a name of its own",
        )

    def _disagreeing(self, above: Iterable[Group], below: Iterable[Group]) -> Diagnostic:
        """Values that each could be placed, but not together."""
        groups = list(dict.fromkeys([*above, *below]))
        join = next((group for group in groups if group.kind is Kind.JOIN), groups[0])
        facts = [*self._made(groups), *self._demanded(groups)]
        facts.sort(key=lambda note: (note.span.line, note.span.column))
        return Diagnostic(
            "PL405",
            f"{self.names[join.var]!r} would have to live in one space, but there is none that suits everything: "
            + ", ".join(note.message for note in facts[:MOST_NOTES]),
            join.var.span or join.stmt.span,
            notes=facts[:MOST_NOTES],
            hint="make all of its values in one space, or move them to Vec or Mat before they meet",
        )

    def _made(self, groups: Iterable[Group]) -> Iterator[Note]:
        for group in groups:
            if group.kind is not Kind.JOIN:
                yield Note(f"{self.names[group.var]!r} is in {_spaces(group.initial)}", group.var.span)

    def _demanded(self, groups: Iterable[Group]) -> Iterator[Note]:
        for group in groups:
            for demand in group.demands:
                name, spaces = self.names[demand.var], _spaces(demand.spaces)
                if isinstance(demand, Declaration):
                    yield Note(f"{name!r} is declared in {spaces}", demand.span)
                else:
                    verb = "changes" if demand.in_place else "reads"
                    yield Note(f"{demand.call.op} {verb} {name!r} in {spaces}", demand.span)

    def _subject(self, producer: Group, demand: Demand) -> str:
        made, read = self.names[producer.var], self.names[demand.var]
        if made == read or isinstance(demand, Declaration):
            return repr(made)
        return f"{made!r}, which {demand.call.op} reads as {read!r},"

    def _definition(self, producer: Group) -> Note:
        return Note(f"{self.names[producer.var]!r} is made here, by {_maker(producer)}", producer.stmt.span)

    def _route_hint(self, producer: Group, use: Use) -> str | None:
        wanted = use.spaces if use.written_move is None else (use.written_move,)
        missing = next((space for space in wanted if not self.routes.exists(space)), None)
        if missing is not None and self.routes.target is not None:
            return f"{self.routes.target.name} has no {missing.name} buffer"
        if producer.initial == frozenset({MemorySpace.Mat}) and MemorySpace.Vec in wanted:
            return "load the tile without target_memory, or once more into Vec: nothing moves from Mat to Vec"
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


def _joins_of(group: Group) -> list[Group]:
    return [member.join for member in group.feeds]


def _maker(producer: Group) -> str:
    return producer.call.op if producer.call is not None else "its definition"


def _accumulator_hint(producer: Group) -> str:
    if producer.creates:
        return "leave out target_memory, or create the tile with target_memory=pl.MemorySpace.Acc"
    return (
        "seed the accumulation with an empty tile, pl.create_tile(...) without target_memory, or make its first step a "
        "plain pl.matmul; to add a vector tile to a product, move the product to Vec and add there"
    )


def _spaces(spaces: Iterable[MemorySpace]) -> str:
    return " or ".join(space.name for space in sorted(set(spaces), key=lambda space: space.value))
