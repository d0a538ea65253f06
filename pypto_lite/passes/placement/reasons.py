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
from pypto_lite.passes.placement.copies import NAMES, Effect
from pypto_lite.passes.placement.problem import (
    ALONE,
    FIXED,
    RETARGETABLE,
    Declaration,
    Demand,
    Group,
    Member,
    Problem,
    Use,
)
from pypto_lite.passes.placement.reach import Reach

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping

    from pypto_lite.analysis.routes import Routes
    from pypto_lite.passes.placement.copies import Insertion, Obstacle

Fact: TypeAlias = "Group | Demand"
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
        self._reach = Reach(routes)
        self._neighbourhoods: dict[Group, Neighbourhood] = {}
        for group in problem.groups:
            if (group.members or group.feeds) and group not in self._neighbourhoods and not _is_anchored(group):
                self._explore(group)

    def holding(self, group: Group) -> list[Fact]:
        """The facts about the group itself that hold it, and those joined with it, where they are; none where what it
        is says so by itself."""
        if _is_anchored(group):
            return []
        neighbourhood = self._neighbourhoods.get(group)
        rivals = neighbourhood.rivals if neighbourhood is not None else ALONE[VEC] - ALONE[group.space]
        if not rivals:
            return []
        clamped = group.kind is RETARGETABLE and ACC in rivals and ACC not in group.initial
        return [*([group] if clamped or group.preferred is group.space else []), *self._demands(group, rivals)]

    def joined(self, group: Group) -> list[Member]:
        """The flows to and from groups of the same space, where those are held there together by some fact.

        All flows of a create that gives way to them count. So does what flows in from Acc where Mat rivals, too: a join
        of known values is decided before what merely could follow a neighbour.
        """
        if not group.members and not group.feeds:
            return []
        if _is_anchored(group):
            return [member for member in group.members if _is_anchor(member, group)]
        neighbourhood = self._neighbourhoods.get(group)
        if neighbourhood is None or not neighbourhood.held:
            return []
        counting = {group.space}
        if group.gave_way:
            counting = set(MemorySpace)
        elif neighbourhood.rivals >= {ACC, MAT}:
            counting.add(ACC)
        return [
            *[member for member in group.members if member.group.space in counting],
            *[member for member in group.feeds if member.join.space in counting],
        ]

    def _explore(self, start: Group) -> None:
        """Finds the groups of one space around one of them; producers that can make one space only end the search."""
        found = dict.fromkeys([start])
        bordering: set[MemorySpace] = set()
        rivals = {VEC}
        yielding = False
        for group in (queue := [start]):
            if _is_anchored(group):
                continue
            if group.gave_way:
                yielding = True
                rivals.add(cast("MemorySpace", group.preferred))
            for near in group.neighbours():
                if near.space is not group.space:
                    bordering.add(near.space)
                elif near not in found:
                    found[near] = None
                    queue.append(near)
        if start.space is VEC:
            rivals |= bordering
            if yielding:
                rivals.add(MAT)  # who reads from Vec decides before it is the turn of written targets
            if rivals == {VEC} and any(_is_anchored(group) or group.preferred is VEC for group in found):
                rivals.add(MAT)  # what writes to Vec, or is told to, might have written there
        neighbourhood = Neighbourhood(frozenset(rivals - {start.space}))
        self._neighbourhoods.update((group, neighbourhood) for group in found if not _is_anchored(group))
        neighbourhood.held = any(_is_anchored(group) or self.holding(group) for group in found)

    def _demands(self, group: Group, rivals: Iterable[MemorySpace]) -> Iterator[Demand]:
        tolerant = group in self._problem.tolerated
        for demand in group.demands:
            served = self._reach.serving(demand, tolerant)
            if any(rival not in served for rival in rivals):
                yield demand


def _is_anchored(group: Group) -> bool:
    """Whether a group's place does not depend on what it flows into.

    So it is for a producer that can make one space only, and for a join that such a producer flows into in Vec or Mat:
    from there nothing gets back to where the join could be instead.
    """
    if group.kind is FIXED or not group.members:
        return group.kind is FIXED
    return any(_is_anchor(member, group) for member in group.members)


def _is_anchor(member: Member, join: Group) -> bool:
    made = member.group
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
        decided = [self._decide(var, group) for var, group in self._problem.group_of.items()]
        copies: Counter[tuple[ir.Var, MemorySpace]] = Counter()
        if any(insertion.obstacles for insertion in insertions):
            copies.update([(insertion.source, insertion.space) for insertion in insertions])
        for insertion in insertions:
            alone = not insertion.obstacles or copies[insertion.source, insertion.space] == 1
            decided.append(self._inserted(insertion, alone))
        return decided

    def _decide(self, var: ir.Var, group: Group) -> Decision:
        followed = self._problem.follows.get(var)
        if followed is not None:
            what, source = followed
            rule, message = _following(what, source, repr(self._names[source]), var in self._problem.views)
            cause = Cause(message, var.span, self._placed[source])
            return Decision(rule, self._placed[var], group.space, (cause,))
        if group.kind is FIXED:
            rule, message = self._producer(group)
            return Decision(rule, self._placed[var], group.space, (Cause(message, group.stmt.span),))
        causes = [self.cause(fact) for fact in self._facts.holding(group)]
        joined = self._facts.joined(group)
        rule = _rule(group, bool(causes), bool(joined))
        causes += [self._flow(group, member) for member in joined]
        if group.turned:
            causes += self._turning(group)
        return Decision(rule, self._placed[var], group.space, tuple(causes))

    def cause(self, fact: Fact) -> Cause:
        if isinstance(fact, Group):
            return Cause(self._producer(fact)[1], fact.stmt.span)
        if isinstance(fact, Declaration):
            return Cause(f"{self._names[fact.var]!r} is declared in {fact.spaces[0].name} here", fact.span)
        return Cause(self._reading(fact), fact.span)

    # Most producers and operands are like one that was spoken of before.

    def _producer(self, group: Group) -> tuple[str, str]:
        call = group.call
        said = None if call is None else (call.op, call.keywords.get("target_memory"))
        key = said, group.initial, group.domain
        found = self._producers.get(key)
        if found is None:
            found = self._producers[key] = _rule_of_producer(group), _producer(group)
        return found

    def _reading(self, use: Use) -> str:
        key = use.operand, use.in_place, use.written_move
        found = self._readings.get(key)
        if found is None:
            found = self._readings[key] = _reading(use)
        return found

    def _flow(self, group: Group, member: Member) -> Cause:
        inward = member.join is group
        var, near = (member.var, member.group) if inward else (member.join.var, member.join)
        name = repr(self._names[var])
        if inward:
            message = f"{name}, in {near.space.name}, flows into it as its {member.edge.value}"
        else:
            message = f"it flows into {name}, in {near.space.name}"
        return Cause(message, member.span, self._placed[var])

    def _turning(self, group: Group) -> Iterator[Cause]:
        """The transposed views because of which a join lives in Mat."""
        if not group.turned or group.space is not MAT:
            return
        for member in group.members:
            if member.group.turned or self._problem.natural(member.var) is not None:
                name = repr(self._names[member.var])
                message = f"{name}, a transposed view, flows into it: only from Mat can the cube core read that"
                yield Cause(message, member.span, self._placed[member.var])

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

    def _asked(self, asker: Use | Member) -> Cause:
        if isinstance(asker, Use):
            return Cause(self._reading(asker), asker.span)
        join = asker.join
        message = f"it flows into {self._names[join.var]!r}, which lives in {join.space.name}"
        return Cause(message, asker.span, self._placed[join.var])


def _rule_of_producer(group: Group) -> str:
    """The rule where a producer can make one space only."""
    call = group.call
    if call is None or not _works_on_tiles(call):
        return "function-result"
    return "written" if "target_memory" in call.keywords else "producer"


def _works_on_tiles(call: ir.Call) -> bool:
    operator = ops.find(call.op)
    return operator is not None and operator.level is ops.Level.TILE


def _rule(group: Group, held: bool, joined: bool) -> str:
    if group.preferred is group.space:
        return "written"
    if group.gave_way:
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


def _producer(group: Group) -> str:
    """What the producer of a group can make, or is told to."""
    call = group.call
    if call is None or not _works_on_tiles(call):
        return f"what a function returns is in {group.space.name}"
    if "target_memory" in call.keywords:
        return f"{call.keywords['target_memory'].name} is written here"
    spaces = " or ".join(space.name for space in MemorySpace if space in group.initial)
    return f"{call.op} writes its result to {spaces}" + (" only" if len(group.initial) > 1 else "")


def _reading(use: Use) -> str:
    if use.written_move is not None:
        return f"{use.call.op} takes it to {use.written_move.name}"
    verb = "changes" if use.in_place else "reads"
    spaces = " or ".join(space.name for space in use.spaces)
    return f"{use.call.op} {verb} its operand {use.operand.name} in {spaces}"
