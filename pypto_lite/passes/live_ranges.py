"""When each tile value of a function is needed, on some way through it: any loop may run any number of times, and a
branch may go either way whatever other branches did.

Time is counted in program order. A value is needed from where it is made to where it is read last, in each statement
list for itself: in an arm of a branch only as far as that arm or what comes after the branch reads it, and throughout
a loop that reads it but does not define it, because the next iteration reads it again.

What flows into a join is read there: inits where the loop begins, what is yielded at the end of the body or the arm.
The value of the join begins right after that: a carry where each iteration begins, a result behind the loop or both
arms. So at no time are both counted, unless the one is read again later. A join that nothing reads in the end needs
nothing, nor do those that flow into it alone.

A created tile holds nothing until an operator works on it: it is needed from then on. Where it flows into a join it
brings nothing along, and a join of nothing but such tiles is empty too.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pypto_lite import ir, ops
from pypto_lite.ir import TileType
from pypto_lite.passes.program_points import Point, program_points
from pypto_lite.passes.tile_values import TileValues, named_value, tiles_read

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Range: TypeAlias = "tuple[int, int]"
"""The first and the last time."""


class _Region:
    """A list of statements that runs as a whole: of the function, a loop body or an arm."""

    __slots__ = ("begin", "branch", "depth", "end", "joins", "later", "parent")

    def __init__(
        self, parent: _Region | None, begin: int, branch: _Branch | None = None, joins: Sequence[ir.Var] = ()
    ) -> None:
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.begin = begin
        self.end = begin
        self.branch = branch
        """The branch that it is an arm of."""
        self.joins = joins
        """What its final Yield flows into."""
        self.later: dict[ir.Var, bool] = {}
        """Of an outermost loop that reads these values and does not define them: whether an operator works on them."""


class _Branch:
    """A branch, from the time at which one of its arms is chosen."""

    __slots__ = ("arms", "begin", "end", "joins")

    def __init__(self, begin: int, joins: Sequence[ir.Var]) -> None:
        self.begin = begin
        self.end = begin
        self.joins = joins
        self.arms: list[_Region] = []


class _Span:
    """How far a value is read in one region, nested ones included as the time at which their branch begins."""

    __slots__ = ("first", "last")

    def __init__(self, first: int | None, last: int) -> None:
        self.first = first
        """Where an operator works on it first, if one does."""
        self.last = last


class _Place(NamedTuple):
    """Where a value is made."""

    time: int
    region: _Region
    empty: bool
    """Whether it holds nothing at first."""


class LiveRanges:
    """When each value is needed; one walk.

    Statement number n reads at time 2n and makes its result at 2n + 1: what is read for the last time by an operator
    that may write over it is gone when the result is there.
    """

    def __init__(self, function: ir.Function) -> None:
        self.values = TileValues(function)
        self._time = 0
        self._places: dict[ir.Var, _Place] = {}
        self._tuples: dict[ir.Expr, _Place] = {}
        self._spans: dict[ir.Var, dict[_Region, _Span]] = {}
        self._region = _Region(None, 0)
        self._loops: list[_Region] = []
        self._depths: list[int] = []
        """Those of the open loops."""
        self._branches: list[_Branch] = []
        self._branch_at: dict[int, _Branch] = {}
        visit = {
            Point.STATEMENT: self._statement,
            Point.LOOP: self._enter_loop,
            Point.LOOP_END: self._leave_loop,
            Point.BRANCH: self._enter_branch,
            Point.ARM: self._enter_arm,
            Point.ARM_END: self._leave_arm,
            Point.BRANCH_END: self._leave_branch,
        }
        for point, stmt in program_points(function.body):
            self._time += 1
            visit[point](stmt)
        self._region.end = 2 * self._time + 1

    def made(self) -> Iterable[ir.Var]:
        """The values that are made in the function, in program order: not parameters, nor joins that nothing reads."""
        return self._places

    def of(self, value: ir.Var) -> list[Range]:
        """The times at which a value that is made in the function is needed, in ranges that do not overlap."""
        place = self._places[value]
        spans = self._spans.get(value)
        if spans is None:
            return [] if place.empty else [(place.time, place.time)]
        found: list[Range] = []
        # Each region with the time from which the value is in it (None: from where an operator works on it first), and
        # whether something behind the region still reads it.
        pending: list[tuple[_Region, int | None, bool]] = [(place.region, None if place.empty else place.time, False)]
        while pending:
            region, begin, read_later = pending.pop()
            span = spans.get(region)
            if span is None:
                continue
            end = region.end if read_later else span.last
            if begin is None:
                if span.first is None:
                    continue
                begin = span.first
                branch = self._branch_at.get(begin)
                if branch is not None:
                    begin = branch.end
                    pending += [(arm, None, end > branch.begin) for arm in branch.arms]
            branch = None if read_later else self._branch_at.get(end)
            if branch is not None and branch.end > begin:
                pending += [(arm, arm.begin, False) for arm in branch.arms]
            if begin <= end:
                found.append((begin, end))
        return found

    def _statement(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.Yield):
            self._flow(stmt.values, self._region.joins)
        for var in tiles_read(stmt):
            self._read(var, 2 * self._time)
        for var in _kept_beside_result(stmt):
            self._read(var, 2 * self._time + 1)
        if not isinstance(stmt, ir.Assign):
            return
        place = _Place(2 * self._time + 1, self._region, self.values.starts_empty(stmt.var))
        if not isinstance(stmt.var.type, TileType):
            self._tuples[stmt.var] = place
        elif self.values.of(stmt.var) is stmt.var:
            several = stmt.value.tuple if isinstance(stmt.value, ir.TupleItem) else None
            # All results of a call are made by it, and not where they get their names.
            self._places[stmt.var] = self._tuples.get(several, place) if several is not None else place

    def _enter_loop(self, stmt: ir.Stmt) -> None:
        assert isinstance(stmt, (ir.For, ir.While))
        self._flow(stmt.inits, stmt.carries)
        if isinstance(stmt, ir.For):
            self._read_all(stmt)
        self._region = _Region(self._region, 2 * self._time + 1, joins=stmt.carries)
        self._loops.append(self._region)
        self._depths.append(self._region.depth)
        self._define_joins(stmt.carries)
        if isinstance(stmt, ir.While):
            self._time += 1
            self._read_all(stmt)  # the condition, in each iteration

    def _leave_loop(self, stmt: ir.Stmt) -> None:
        assert isinstance(stmt, (ir.For, ir.While))
        loop = self._loops.pop()
        self._depths.pop()
        self._close_region()
        for value, worked_on in loop.later.items():
            self._reach(value, loop.begin if worked_on else None, 2 * self._time)
        self._define_joins(stmt.results)

    def _enter_branch(self, stmt: ir.Stmt) -> None:
        assert isinstance(stmt, ir.If)
        self._read_all(stmt)
        self._time += 1
        branch = _Branch(2 * self._time, stmt.results)
        self._branches.append(branch)
        self._branch_at[branch.begin] = branch

    def _enter_arm(self, _: ir.Stmt) -> None:
        branch = self._branches[-1]
        self._region = _Region(self._region, 2 * self._time, branch, branch.joins)
        branch.arms.append(self._region)

    def _leave_arm(self, _: ir.Stmt) -> None:
        self._close_region()

    def _leave_branch(self, stmt: ir.Stmt) -> None:
        self._branches.pop().end = 2 * self._time
        self._define_joins(stmt.definitions())

    def _close_region(self) -> None:
        assert self._region.parent is not None
        self._region.end = 2 * self._time - 1
        self._region = self._region.parent

    def _define_joins(self, joins: Iterable[ir.Var]) -> None:
        for var in joins:
            if self.values.flows_into(var):
                self._places[var] = _Place(2 * self._time + 1, self._region, self.values.starts_empty(var))

    def _flow(self, values: Iterable[ir.Expr], joins: Iterable[ir.Var]) -> None:
        """Reads what flows into joins that are needed."""
        for value, join in zip(values, joins, strict=False):
            if isinstance(value, ir.Var) and self.values.flows_into(join):
                self._read(value, 2 * self._time, worked_on=False)

    def _read_all(self, stmt: ir.Stmt) -> None:
        for var in tiles_read(stmt):
            self._read(var, 2 * self._time)

    def _read(self, var: ir.Var, time: int, *, worked_on: bool = True) -> None:
        value = self.values.of(var)
        place = self._places.get(value)
        if place is None:
            return
        outermost = bisect.bisect_right(self._depths, place.region.depth)
        if outermost < len(self._loops):
            later = self._loops[outermost].later
            later[value] = worked_on or later.get(value, False)
        else:
            self._reach(value, time if worked_on else None, time)

    def _reach(self, value: ir.Var, first: int | None, last: int) -> None:
        """Notes a read here, and in the regions around up to the one that makes the value: all of them are arms."""
        spans = self._spans.setdefault(value, {})
        region, outermost = self._region, self._places[value].region
        while True:
            span = spans.get(region)
            if span is None:
                span = spans[region] = _Span(first, last)
                known_around = False
            else:
                known_around = first is None or span.first is not None
                span.last = max(span.last, last)
                span.first = first if span.first is None else span.first
            if known_around or region is outermost:
                return
            assert region.branch is not None
            assert region.parent is not None
            first, last = None if first is None else region.branch.begin, region.branch.begin
            region = region.parent


def _kept_beside_result(stmt: ir.Stmt) -> list[ir.Var]:
    """The operands that the operator may not write its result over."""
    call = stmt.value if isinstance(stmt, (ir.Assign, ir.Evaluate)) else None
    operator = ops.find(call.op) if isinstance(call, ir.Call) else None
    if operator is None or not isinstance(call, ir.Call) or named_value(stmt) is not None:
        return []
    # Optional operands that are left out shift the places of those behind them.
    arguments = [
        arg
        for operand, arg in ops.match_operands(operator, call.args)
        if not operator.in_place_safe or operand.index in operator.no_alias
    ]
    return [each for each in arguments if isinstance(each, ir.Var) and isinstance(each.type, TileType)]
