"""Says why every tile lives where it does: the facts that hold its group in its space, and the way they reach it.

A fact is a producer that can make only some spaces, a space that is written, or an operand that is read from some
spaces. Vec needs no reason: it is where a tile lives that nothing holds elsewhere. So a group that lives elsewhere is
held by the facts that keep it, and the groups of the same space that it is joined with, out of Vec. A group in Vec is
held by producers that write there and, where it meets tiles that live elsewhere, by whatever keeps it from joining
them. Producers that can make one space only, and joins that those in Vec or Mat flow into, are held by that alone, and
pass no reasons on.

Without the facts that a decision rests on, directly or through the values that it names, the tile would live elsewhere;
no other single fact makes a difference.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias, cast

from pypto_lite import ir, ops
from pypto_lite.analysis.records import Cause, Decision
from pypto_lite.analysis.routes import ACC, MAT, VEC
from pypto_lite.ir import MemorySpace
from pypto_lite.passes.placed.placement.copies import NAMES, Effect
from pypto_lite.passes.placed.placement.feasible_spaces import FeasibleSpaces
from pypto_lite.passes.placed.placement.problem import (
    ALONE,
    FIXED,
    RETARGETABLE,
    AnnotationConstraint,
    EquivalenceClass,
    OperandConstraint,
    PhiOperand,
    Problem,
    UseConstraint,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping

    from pypto_lite.analysis.routes import Routes
    from pypto_lite.passes.placed.placement.copies import Insertion, Obstacle

Fact: TypeAlias = "EquivalenceClass | UseConstraint"
"""What can hold a group in its space: what its producer can make or says itself, or what reads it."""


class Neighbourhood:
    """Groups of one space that are joined with each other.

    ``rivals`` are the spaces where they could live instead, if it were not for the facts that hold them.
    """

    __slots__ = ("held", "rivals")

    def __init__(self, rivals: frozenset[MemorySpace]) -> None:
        self.rivals = rivals
        self.held = False
        """Whether any fact holds them."""


class Facts:
    """The facts that hold each group of a decided problem."""

    def __init__(self, problem: Problem, routes: Routes) -> None:
        self._problem = problem
        self._reach = FeasibleSpaces(routes)
        self._neighbourhoods: dict[EquivalenceClass, Neighbourhood] = {}
        for eclass in problem.eclasses:
            if (
                (eclass.phi_operands or eclass.phi_uses)
                and eclass not in self._neighbourhoods
                and not _is_anchored(eclass)
            ):
                self._explore(eclass)

    def holding(self, eclass: EquivalenceClass) -> list[Fact]:
        """The facts about the group itself that hold it, and those joined with it, where they are; none where what it
        is says so by itself."""
        if _is_anchored(eclass):
            return []
        neighbourhood = self._neighbourhoods.get(eclass)
        rivals = neighbourhood.rivals if neighbourhood is not None else ALONE[VEC] - ALONE[eclass.space]
        if not rivals:
            return []
        clamped = eclass.kind is RETARGETABLE and ACC in rivals and ACC not in eclass.initial
        return [*([eclass] if clamped or eclass.preferred is eclass.space else []), *self._demands(eclass, rivals)]

    def joined(self, eclass: EquivalenceClass) -> list[PhiOperand]:
        """The flows to and from groups of the same space, where those are held there together by some fact.

        All flows of a create that gives way to them count. So does what flows in from Acc where Mat rivals, too: a join
        of known values is decided before what merely could follow a neighbour.
        """
        if not eclass.phi_operands and not eclass.phi_uses:
            return []
        if _is_anchored(eclass):
            return [phi_operand for phi_operand in eclass.phi_operands if _is_anchor(phi_operand, eclass)]
        neighbourhood = self._neighbourhoods.get(eclass)
        if neighbourhood is None or not neighbourhood.held:
            return []
        counting = {eclass.space}
        if eclass.gave_way:
            counting = set(MemorySpace)
        elif neighbourhood.rivals >= {ACC, MAT}:
            counting.add(ACC)
        return [
            *[phi_operand for phi_operand in eclass.phi_operands if phi_operand.eclass.space in counting],
            *[phi_operand for phi_operand in eclass.phi_uses if phi_operand.phi.space in counting],
        ]

    def _explore(self, start: EquivalenceClass) -> None:
        """Finds the groups of one space around one of them; producers that can make one space only end the search."""
        found = dict.fromkeys([start])
        bordering: set[MemorySpace] = set()
        rivals = {VEC}
        yielding = False
        for eclass in (queue := [start]):
            if _is_anchored(eclass):
                continue
            if eclass.gave_way:
                yielding = True
                rivals.add(cast("MemorySpace", eclass.preferred))
            for near in eclass.neighbours():
                if near.space is not eclass.space:
                    bordering.add(near.space)
                elif near not in found:
                    found[near] = None
                    queue.append(near)
        if start.space is VEC:
            rivals |= bordering
            if yielding:
                rivals.add(MAT)  # who reads from Vec decides before it is the turn of written targets
            if rivals == {VEC} and any(_is_anchored(eclass) or eclass.preferred is VEC for eclass in found):
                rivals.add(MAT)  # what writes to Vec, or is told to, might have written there
        neighbourhood = Neighbourhood(frozenset(rivals - {start.space}))
        self._neighbourhoods.update((eclass, neighbourhood) for eclass in found if not _is_anchored(eclass))
        neighbourhood.held = any(_is_anchored(eclass) or self.holding(eclass) for eclass in found)

    def _demands(self, eclass: EquivalenceClass, rivals: Iterable[MemorySpace]) -> Iterator[UseConstraint]:
        tolerant = eclass in self._problem.tolerated
        for constraint in eclass.constraints:
            served = self._reach.sources(constraint, tolerant)
            if any(rival not in served for rival in rivals):
                yield constraint


def _is_anchored(eclass: EquivalenceClass) -> bool:
    """Whether a group's place does not depend on what it flows into.

    So it is for a producer that can make one space only, and for a join that such a producer flows into in Vec or Mat:
    from there nothing gets back to where the join could be instead.
    """
    if eclass.kind is FIXED or not eclass.phi_operands:
        return eclass.kind is FIXED
    return any(_is_anchor(phi_operand, eclass) for phi_operand in eclass.phi_operands)


def _is_anchor(phi_operand: PhiOperand, join: EquivalenceClass) -> bool:
    made = phi_operand.eclass
    return made.kind is FIXED and made.space is join.space and made.space in (VEC, MAT)


class Reasons:
    """Writes the decisions about the values of one function that has been placed."""

    def __init__(
        self, problem: Problem, routes: Routes, placed: Mapping[ir.Var, ir.Var], names: Mapping[ir.Var, str]
    ) -> None:
        self._problem = problem
        self._facts = Facts(problem, routes)
        self._placed = placed
        self._names = names
        self._producers: dict[Hashable, tuple[str, str]] = {}
        self._readings: dict[Hashable, str] = {}

    def decisions(self, insertions: Collection[Insertion]) -> list[Decision]:
        """What was decided about each tile of the function, and each that was inserted."""
        decided = [self._decide(var, eclass) for var, eclass in self._problem.eclass_of.items()]
        copies: Counter[tuple[ir.Var, MemorySpace]] = Counter()
        if any(insertion.obstacles for insertion in insertions):
            copies.update([(insertion.source, insertion.space) for insertion in insertions])
        for insertion in insertions:
            alone = not insertion.obstacles or copies[insertion.source, insertion.space] == 1
            decided.append(self._inserted(insertion, alone))
        return decided

    def _decide(self, var: ir.Var, eclass: EquivalenceClass) -> Decision:
        followed = self._problem.follows.get(var)
        if followed is not None:
            what, source = followed
            rule, message = _following(what, source, repr(self._names[source]), var in self._problem.views)
            cause = Cause(message, var.span, self._placed[source])
            return Decision(rule, self._placed[var], eclass.space, (cause,))
        if eclass.kind is FIXED:
            rule, message = self._producer(eclass)
            return Decision(rule, self._placed[var], eclass.space, (Cause(message, eclass.stmt.span),))
        causes = [self.cause(fact) for fact in self._facts.holding(eclass)]
        joined = self._facts.joined(eclass)
        rule = _rule(eclass, bool(causes), bool(joined))
        causes += [self._flow(eclass, phi_operand) for phi_operand in joined]
        if eclass.transposed:
            causes += self._turning(eclass)
        return Decision(rule, self._placed[var], eclass.space, tuple(causes))

    def cause(self, fact: Fact) -> Cause:
        if isinstance(fact, EquivalenceClass):
            return Cause(self._producer(fact)[1], fact.stmt.span)
        if isinstance(fact, AnnotationConstraint):
            return Cause(f"{self._names[fact.var]!r} is declared in {fact.spaces[0].name} here", fact.span)
        return Cause(self._reading(fact), fact.span)

    # Most producers and operands are like one that was spoken of before.

    def _producer(self, eclass: EquivalenceClass) -> tuple[str, str]:
        call = eclass.call
        said = None if call is None else (call.op, call.keywords.get("target_memory"))
        key = said, eclass.initial, eclass.domain
        found = self._producers.get(key)
        if found is None:
            found = self._producers[key] = _rule_of_producer(eclass), _producer(eclass)
        return found

    def _reading(self, use: OperandConstraint) -> str:
        key = use.operand, use.in_place, use.written_move
        found = self._readings.get(key)
        if found is None:
            found = self._readings[key] = _reading(use)
        return found

    def _flow(self, eclass: EquivalenceClass, phi_operand: PhiOperand) -> Cause:
        inward = phi_operand.phi is eclass
        var, near = (phi_operand.var, phi_operand.eclass) if inward else (phi_operand.phi.var, phi_operand.phi)
        name = repr(self._names[var])
        if inward:
            message = f"{name}, in {near.space.name}, flows into it as its {phi_operand.edge.value}"
        else:
            message = f"it flows into {name}, in {near.space.name}"
        return Cause(message, phi_operand.span, self._placed[var])

    def _turning(self, eclass: EquivalenceClass) -> Iterator[Cause]:
        """The transposed views because of which a join lives in Mat."""
        if not eclass.transposed or eclass.space is not MAT:
            return
        for phi_operand in eclass.phi_operands:
            if phi_operand.eclass.transposed or self._problem.natural(phi_operand.var) is not None:
                name = repr(self._names[phi_operand.var])
                message = f"{name}, a transposed view, flows into it: only from Mat can the cube core read that"
                yield Cause(message, phi_operand.span, self._placed[phi_operand.var])

    def _inserted(self, insertion: Insertion, alone: bool) -> Decision:
        """``alone``: there is no other copy of the tile in that space, which this one could be."""
        source = self._placed[insertion.source]
        space = self._problem.space(insertion.source)
        causes = [Cause(f"{self._names[insertion.source]!r} lives in {NAMES[space]}", source.span, source)]
        causes += [self._asked(asker) for asker in dict.fromkeys(insertion.askers)]
        for each in insertion.made_from_it:
            causes.append(Cause(f"{each.var.name!r} is made from it", each.call.span, each.var))
        for each in insertion.obstacles:
            if not (alone and each.effect is Effect.OWN):
                causes.append(self._hindered(each))
        rule = "inserted-move" if insertion.call.op == ops.MOVE.name else "view-repeated-in-mat"
        return Decision(rule, insertion.var, insertion.space, tuple(causes), True)

    def _hindered(self, obstacle: Obstacle) -> Cause:
        write = obstacle.write
        value = write.value if isinstance(write, (ir.Assign, ir.Evaluate)) else None
        writer = value.op if isinstance(value, ir.Call) else "a statement"
        message = f"{writer} changes {self._names[obstacle.var]!r}, {obstacle.effect.value}"
        return Cause(message, write.span)

    def _asked(self, asker: OperandConstraint | PhiOperand) -> Cause:
        if isinstance(asker, OperandConstraint):
            return Cause(self._reading(asker), asker.span)
        join = asker.phi
        message = f"it flows into {self._names[join.var]!r}, which lives in {join.space.name}"
        return Cause(message, asker.span, self._placed[join.var])


def _rule_of_producer(eclass: EquivalenceClass) -> str:
    """The rule where a producer can make one space only."""
    call = eclass.call
    if call is None or not _works_on_tiles(call):
        return "function-result"
    return "written" if "target_memory" in call.keywords else "producer"


def _works_on_tiles(call: ir.Call) -> bool:
    operator = ops.find(call.op)
    return operator is not None and operator.level is ops.Level.TILE


def _rule(eclass: EquivalenceClass, held: bool, joined: bool) -> str:
    if eclass.preferred is eclass.space:
        return "written"
    if eclass.gave_way:
        return "gave-way"
    if held:
        return "demanded"
    return "joined" if joined else "default"


def _following(what: ir.Call | ir.Stmt, source: ir.Var, name: str, same: bool) -> tuple[str, str]:
    """The rule by which a value lives where ``source`` does, and what says so. ``same``: it is a view or an alias."""
    if isinstance(what, ir.Call):
        operator = ops.lookup(what.op)
        if operator.view_of is not None and what.args[operator.view_of] is source:
            return "view", f"it is a view of {name}"
        return "inherits", f"{what.op} leaves its result where {name} is"
    if isinstance(what, ir.Assign):
        return "alias", f"it is {name} under another name"
    if isinstance(what, ir.If):
        return "handed-on", f"both arms give {name}"
    if not same:
        return "carried", f"it is what the loop carries as {name}"
    return "handed-on", f"the loop hands {name} on unchanged"


def _producer(eclass: EquivalenceClass) -> str:
    """What the producer of a group can make, or is told to."""
    call = eclass.call
    if call is None or not _works_on_tiles(call):
        return f"what a function returns is in {eclass.space.name}"
    if "target_memory" in call.keywords:
        return f"{call.keywords['target_memory'].name} is written here"
    spaces = " or ".join(space.name for space in MemorySpace if space in eclass.initial)
    return f"{call.op} writes its result to {spaces}" + (" only" if len(eclass.initial) > 1 else "")


def _reading(use: OperandConstraint) -> str:
    if use.written_move is not None:
        return f"{use.call.op} takes it to {use.written_move.name}"
    verb = "changes" if use.in_place else "reads"
    spaces = " or ".join(space.name for space in use.spaces)
    return f"{use.call.op} {verb} its operand {use.operand.name} in {spaces}"
