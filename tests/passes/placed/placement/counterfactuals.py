"""What placement would do if a fact were different: the experiments by which reasons are judged.

A fact is what a producer can make, a space that somebody wrote, an operand that is read from some spaces only, or a
write into a tile. To *relax* one is to let the producer make its tile anywhere, as an empty tile can be made, to read
the operand wherever it is, or to leave the write out. To *turn* a producer is to let it write elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pypto_lite import ir, passes
from pypto_lite.analysis.routes import Routes
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import MemorySpace, TileType
from pypto_lite.passes import Cause, Decision
from pypto_lite.passes.placed.placement.collect import collect
from pypto_lite.passes.placed.placement.place import Placer
from pypto_lite.passes.placed.placement.problem import AnnotationConstraint, EquivalenceClass, Kind, Problem
from pypto_lite.passes.placed.placement.reasons import Reasons
from pypto_lite.passes.placed.placement.solve import solve
from pypto_lite.passes.placed.placement.tuple_scalarization import scalarize_tuples

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from pypto_lite.passes.placed.placement.problem import UseConstraint
    from pypto_lite.targets import Target

ANYWHERE = frozenset(MemorySpace)
EMPTY_TILE = ir.Call("tile.create", (), {}, TileType((1, 1), ir.dtypes.FP32))
TURNS = (None, MemorySpace.Vec, MemorySpace.Mat, MemorySpace.Acc)
"""None: the producers are relaxed."""

Key: TypeAlias = "tuple[Hashable, ...]"
"""What a fact is known by in every experiment with one function."""

CopyKind: TypeAlias = "tuple[ir.Var, MemorySpace, str]"
"""What is copied, to where, and by which operator."""

Write: TypeAlias = "tuple[ir.Stmt, ir.Var]"


class Outcome(NamedTuple):
    """Where every tile of a function lives, and how many copies of each kind are made; None: they can't be made."""

    spaces: dict[ir.Var, MemorySpace]
    copies: dict[CopyKind, int] | None


class Experiment:
    """One function that can be placed, as it stands in front of placement."""

    def __init__(self, program: ir.Program, name: str, target: Target | None) -> None:
        flat = passes.default_pipeline(target).run(program, until="flatten_calls")
        self.function = scalarize_tuples(flat.functions[name])
        self.routes = Routes(target)
        problem = collect(self.function, self.routes)
        self.placeable = not solve(problem, self.routes)
        if not self.placeable:
            return
        placer = Placer(self.function, problem, self.routes)
        placer.run()
        insertions = placer.copier.insertions
        reasons = Reasons(problem, self.routes, placer.placed, placer.copier.names)
        self.outcome = Outcome(_spaces(problem), _counted(placer))
        self.decisions = {each.subject: each for each in reasons.decisions(insertions)}
        self.of_tiles = {var: self.decisions[placer.placed[var]] for var in problem.eclass_of}
        self.of_copies: dict[CopyKind, list[Decision]] = {}
        for each in insertions:
            self.of_copies.setdefault(_kind(each.source, each.var, each.call), []).append(self.decisions[each.var])
        self.facts = {key: _told(reasons, fact) for key, fact in _facts(problem)}
        """Each fact, and the cause that cites it."""

    def cited(self, start: Decision) -> list[Key]:
        """The facts that a decision rests on, directly or through the values that it names."""
        causes: set[Cause] = set()
        image = {start.subject: start}
        for decision in (queue := [start]):
            causes.update(decision.causes)
            for cause in decision.causes:
                if cause.value is not None and cause.value not in image:
                    image[cause.value] = self.decisions[cause.value]
                    queue.append(self.decisions[cause.value])
        return [key for key, fact in self.facts.items() if fact in causes or _is_told_write(key, fact, causes)]

    def cited_directly(self, copy: Decision) -> list[Key]:
        """The facts that ask for a copy, or for what is made from it."""
        causes: set[Cause] = set()
        for decision in (queue := [copy]):
            causes.update(cause for cause in decision.causes if cause.value is None)
            queue += [self.decisions[each.value] for each in decision.causes[1:] if _is_copy(self.decisions, each)]
        return [key for key, fact in self.facts.items() if fact in causes]

    def without(
        self, keys: Iterable[Key], turned_to: MemorySpace | None = None, *, copies: bool = True
    ) -> Outcome | None:
        """The outcome where these facts are relaxed, or their producers turned; None where nothing can be placed."""
        problem = collect(self.function, self.routes)
        facts = dict(_facts(problem))
        for key in keys:
            _relax(problem, facts[key], turned_to)
        if solve(problem, self.routes):
            return None
        if not copies:
            return Outcome(_spaces(problem), None)
        placer = Placer(self.function, problem, self.routes)
        try:
            placer.run()
        except UserError:  # an operator refuses what its operand has become by the experiment
            return Outcome(_spaces(problem), None)
        return Outcome(_spaces(problem), _counted(placer))


def _spaces(problem: Problem) -> dict[ir.Var, MemorySpace]:
    return {var: eclass.space for var, eclass in problem.eclass_of.items()}


def _is_copy(decisions: dict[ir.Var, Decision], cause: Cause) -> bool:
    return cause.value is not None and decisions[cause.value].inserted


def _kind(source: ir.Var, made: ir.Var, call: ir.Call) -> CopyKind:
    assert isinstance(made.type, TileType)
    assert made.type.space is not None
    return source, made.type.space, call.op


def _counted(placer: Placer) -> dict[CopyKind, int]:
    counts: dict[CopyKind, int] = {}
    for each in placer.copier.insertions:
        kind = _kind(each.source, each.var, each.call)
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _facts(problem: Problem) -> Iterator[tuple[Key, EquivalenceClass | UseConstraint | Write]]:
    for eclass in problem.eclasses:
        if eclass.kind is not Kind.PHI:
            yield ("producer", eclass.var), eclass
        for constraint in eclass.constraints:
            if isinstance(constraint, AnnotationConstraint):
                yield ("declared", constraint.var), constraint
            else:
                yield ("operand", constraint.call, constraint.position), constraint
    for stmt, var, _ in problem.writes:
        yield ("write", stmt, var), (stmt, var)


def _told(reasons: Reasons, fact: EquivalenceClass | UseConstraint | Write) -> Cause:
    return Cause("a write", fact[0].span) if isinstance(fact, tuple) else reasons.cause(fact)


def _is_told_write(key: Key, fact: Cause, causes: set[Cause]) -> bool:
    return key[0] == "write" and any(each.span is fact.span and " changes " in each.message for each in causes)


def _relax(problem: Problem, fact: EquivalenceClass | UseConstraint | Write, turned_to: MemorySpace | None) -> None:
    if isinstance(fact, EquivalenceClass):
        _relax_producer(fact, turned_to)
    elif isinstance(fact, tuple):
        problem.writes = [write for write in problem.writes if write[:2] != fact]
        for use in (use for uses in problem.uses.values() for use in uses):
            use.overwritten = use.overwritten and (use.stmt, use.var) != fact
    elif isinstance(fact, AnnotationConstraint):
        problem.eclass(fact.var).constraints.remove(fact)
    else:
        fact.spaces = tuple(MemorySpace)
        fact.in_place = False


def _relax_producer(eclass: EquivalenceClass, turned_to: MemorySpace | None) -> None:
    if eclass.preferred is not None:
        eclass.preferred = turned_to
    elif turned_to is not None and eclass.kind is Kind.FIXED:
        eclass.domain = eclass.initial = frozenset({turned_to})
    else:
        eclass.kind = Kind.RETARGETABLE
        eclass.domain = eclass.initial = ANYWHERE
        eclass.call = EMPTY_TILE
