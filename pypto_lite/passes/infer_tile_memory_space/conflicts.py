"""Says what is wrong with a program that cannot be placed: which tile, which consumer, and what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.diagnostics import Diagnostic, Note
from pypto_lite.ir import MemorySpace
from pypto_lite.passes.infer_tile_memory_space.problem import Group, Kind, Use

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pypto_lite import ir
    from pypto_lite.passes.infer_tile_memory_space.solve import Conflict
    from pypto_lite.passes.routes import Routes


def explain(conflict: Conflict, names: Mapping[ir.Var, str], routes: Routes) -> Diagnostic:
    """The diagnostic for one conflict: a producer and a use that do not fit, or members of a join that do not."""
    partner = conflict.partner
    producers = _producers([conflict.group, *([partner] if isinstance(partner, Group) else [])])
    uses = [partner] if isinstance(partner, Use) else []
    uses += [use for group in _below(conflict.group, partner) for use in group.uses]
    for use in uses:
        for producer in producers:
            if not _can_serve(producer, use, routes):
                return _unserved(producer, use, names, routes)
    return _disagreeing(conflict, names)


def _producers(groups: Iterable[Group]) -> list[Group]:
    """What the values of these groups come from in the end."""
    return [group for group in _closure(groups, lambda group: [m.group for m in group.members]) if not group.members]


def _below(group: Group, partner: Use | Group) -> list[Group]:
    start = [group, *([partner] if isinstance(partner, Group) else [])]
    return _closure(start, lambda each: [member.join for member in each.feeds])


def _closure(start: Iterable[Group], neighbours: Callable[[Group], Iterable[Group]]) -> list[Group]:
    found = dict.fromkeys(start)
    queue = list(found)
    for group in queue:
        for other in neighbours(group):
            if other not in found:
                found[other] = None
                queue.append(other)
    return queue


def _can_serve(producer: Group, use: Use, routes: Routes) -> bool:
    if use.in_place:
        return not producer.initial.isdisjoint(use.spaces)
    return any(routes.chain(space, wanted) is not None for space in producer.initial for wanted in use.spaces)


def _unserved(producer: Group, use: Use, names: Mapping[ir.Var, str], routes: Routes) -> Diagnostic:
    made = names[producer.var]
    read = names[use.var]
    spaces = _spaces(producer.initial)
    by = producer.call.op if producer.call is not None else "its definition"
    subject = f"{made!r}" if made == read else f"{made!r}, which {use.call.op} reads as {read!r},"
    definition = Note(f"{made!r} is made here, by {by}", producer.stmt.span)
    consumer = Note(f"{use.call.op} reads {use.operand.name!r} here", use.span)
    if use.spaces == (MemorySpace.Acc,):
        return Diagnostic(
            "PL404",
            f"{subject} is in {spaces} and cannot be an accumulator: {use.call.op} accumulates in Acc, and nothing "
            "can be moved into Acc",
            producer.stmt.span,
            found=f"{by}, which writes {spaces}",
            expected="an accumulator that the matrix unit made, or an empty tile",
            notes=[consumer],
            hint=_accumulator_hint(producer),
        )
    wanted = _spaces(use.spaces)
    if use.in_place:
        return Diagnostic(
            "PL402",
            f"{subject} is in {spaces}, and {use.call.op} changes {use.operand.name!r} in place, in {wanted} only",
            use.span,
            notes=[definition],
            hint="change a copy instead: move the tile to Vec under a name of its own, and go on with that",
        )
    return Diagnostic(
        "PL404",
        f"{subject} is in {spaces}, {use.call.op} reads {use.operand.name!r} from {wanted}, and no move leads there",
        use.span,
        found=f"{made!r} in {spaces}",
        expected=f"a tile in {wanted}, or one that can be moved there",
        notes=[definition],
        hint=_route_hint(producer, use, routes),
    )


def _accumulator_hint(producer: Group) -> str:
    written = producer.call is not None and producer.call.op == "tile.create"
    if written:
        return "leave out target_memory, or create the tile with target_memory=pl.MemorySpace.Acc"
    return (
        "seed the accumulation with an empty tile, pl.create_tile(...) without target_memory, or make its first step a "
        "plain pl.matmul; to add a vector tile to a product, move the product to Vec and add there"
    )


def _route_hint(producer: Group, use: Use, routes: Routes) -> str | None:
    missing = next((wanted for wanted in use.spaces if not routes.exists(wanted)), None)
    if missing is not None and routes.target is not None:
        return f"{routes.target.name} has no {missing.name} buffer"
    if producer.initial == frozenset({MemorySpace.Mat}) and MemorySpace.Vec in use.spaces:
        return "load the tile without target_memory, or once more into Vec: nothing moves from Mat to Vec"
    return None


def _disagreeing(conflict: Conflict, names: Mapping[ir.Var, str]) -> Diagnostic:
    """Members of a join that reach no common space."""
    partner = conflict.partner
    joins = [group for group in (conflict.group, partner) if isinstance(group, Group) and group.kind is Kind.JOIN]
    join = joins[0] if joins else conflict.group
    notes: list[Note] = []
    for member in join.members:
        made = _spaces(member.group.initial)
        notes.append(Note(f"its {member.role.value} {names[member.var]!r} is in {made}", member.var.span))
    return Diagnostic(
        "PL405",
        f"{names[join.var]!r} would have to live in one space, but its values do not reach a common one: "
        + ", ".join(f"{names[member.var]!r} is in {_spaces(member.group.initial)}" for member in join.members),
        join.var.span or join.stmt.span,
        notes=notes,
        hint="make all of them in one space, or move them to Vec or Mat before they meet",
    )


def _spaces(spaces: Iterable[MemorySpace]) -> str:
    return " or ".join(space.name for space in sorted(spaces, key=lambda space: space.value))
