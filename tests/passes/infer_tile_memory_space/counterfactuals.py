"""What placement would do if one fact were different: the experiments that tests of reasons are made of.

A fact is what a producer can make, a space that somebody wrote, an operand that is read from some spaces only, or a
write into a tile. To relax it is to let the producer make anything, as an empty tile can be made anywhere, to read the
operand wherever it is, or to leave the write out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pypto_lite import ir, passes
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import MemorySpace
from pypto_lite.passes.decisions import Cause, Decision
from pypto_lite.passes.infer_tile_memory_space.collect import collect
from pypto_lite.passes.infer_tile_memory_space.items import name_items
from pypto_lite.passes.infer_tile_memory_space.place import Placer
from pypto_lite.passes.infer_tile_memory_space.problem import Declaration, Group, Kind, Problem, Use
from pypto_lite.passes.infer_tile_memory_space.reasons import Reasons
from pypto_lite.passes.infer_tile_memory_space.solve import solve
from pypto_lite.passes.routes import Routes

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from pypto_lite.targets import Target

ANYWHERE = frozenset(MemorySpace)
EMPTY_TILE = ir.Call("tile.create", (), {}, ir.TileType((1, 1), ir.dtypes.FP32))

class Fact(NamedTuple):
    key: tuple[Hashable, ...]
    cause: Cause


class Placement(NamedTuple):
    """Where every tile of a function lives, and how often each is copied to where."""

    spaces: dict[ir.Var, MemorySpace]
    copies: dict[tuple[ir.Var, MemorySpace, str], int]
    decisions: dict[ir.Var, Decision]
    values: dict[ir.Var, ir.Var]
    facts: list[Fact]
    insertions: dict


def before_placement(program: ir.Program, name: str, target: Target | None) -> ir.Function:
    flat = passes.default_pipeline(target).run(program, until="flatten_calls")
    return name_items(flat.functions[name])


def facts_of(problem: Problem) -> dict[tuple[Hashable, ...], object]:
    found: dict[tuple[Hashable, ...], object] = {}
    for group in problem.groups:
        if group.kind is not Kind.JOIN:
            found[("producer", group.var)] = group
        for demand in group.demands:
            key = ("declared", demand.var) if isinstance(demand, Declaration) else ("use", demand.call, demand.position)
            found[key] = demand
    for stmt, var, _ in problem.writes:
        found["write", stmt, var] = (stmt, var)
    return found


def relax(problem: Problem, keys: Iterable[tuple[Hashable, ...]], turn_to: MemorySpace | None = None) -> None:
    facts = facts_of(problem)
    for key in keys:
        fact = facts[key]
        if isinstance(fact, tuple):
            problem.writes = [w for w in problem.writes if w[:2] != fact]
            for uses in problem.uses.values():
                for use in uses:
                    if use.stmt is fact[0] and use.var is fact[1]:
                        use.overwritten = False
        elif isinstance(fact, Group):
            written = fact.preferred is not None
            fact.preferred = turn_to if written else None
            if turn_to is not None and written:
                pass
            elif turn_to is not None and fact.kind is Kind.FIXED:
                fact.domain = fact.initial = frozenset({turn_to})
            else:
                fact.kind = Kind.RETARGETABLE
                fact.domain = fact.initial = ANYWHERE
                fact.call = EMPTY_TILE
        elif isinstance(fact, Use):
            fact.spaces = tuple(MemorySpace)
            fact.in_place = False
        else:
            for group in problem.groups:
                if fact in group.demands:
                    group.demands.remove(fact)


def place(function: ir.Function, target: Target | None, change: Callable[[Problem], None] | None = None, copies=True):
    """The placement of a function; None where there is none."""
    routes = Routes(target)
    problem = collect(function, routes)
    if change is not None:
        change(problem)
    if solve(problem, routes):
        return None
    if not copies:
        return Placement(problem.spaces, {}, {}, {}, [], {})
    placer = Placer(function, problem, routes)
    try:
        placer.run()
    except UserError:
        return Placement(problem.spaces, {}, {}, {}, [], {}) if change else None
    reasons = Reasons(problem, routes, placer.placed, placer.copier.names)
    decisions = reasons.decisions(placer.copier.insertions.values())
    counted: dict[tuple[ir.Var, MemorySpace, str], int] = {}
    for each in placer.copier.insertions.values():
        key = (each.source, each.var.type.space, each.call.op)
        counted[key] = counted.get(key, 0) + 1
    facts = [Fact(key, Cause("", fact[0].span) if isinstance(fact,tuple) else reasons.cause(fact)) for key, fact in facts_of(problem).items()]
    return Placement(problem.spaces, counted, {d.subject: d for d in decisions}, placer.placed, facts, placer.copier.insertions)


def closure(placement: Placement, start: Decision) -> set[Cause]:
    found: set[Cause] = set()
    pending = [start]
    seen = {start.subject}
    while pending:
        decision = pending.pop()
        for cause in decision.causes:
            found.add(cause)
            if cause.value is not None and cause.value not in seen:
                seen.add(cause.value)
                pending.append(placement.decisions[cause.value])
    return found
