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
from typing import TYPE_CHECKING, TypeAlias

from pypto_lite import ir
from pypto_lite.analysis.tile_values import TileValues
from pypto_lite.ir import Point, RegionKind, TileType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pypto_lite.analysis.accesses import TileAccess

Range: TypeAlias = "tuple[int, int]"
"""The first and the last time."""


class _Region:
    """A list of statements that runs as a whole: of the function, a loop body or an arm."""

    __slots__ = ("begin", "branch", "depth", "end", "later", "parent", "phis")

    def __init__(
        self, parent: _Region | None, begin: int, branch: _Branch | None = None, phis: Sequence[ir.Phi] = ()
    ) -> None:
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.begin = begin
        self.end = begin
        self.branch = branch
        """The branch that it is an arm of."""
        self.phis = phis
        """What its final Yield flows into."""
        self.later: dict[ir.Var, bool] = {}
        """Of an outermost loop that reads these values and does not define them: whether an operator works on them."""


class _Branch:
    """A branch, from the time at which one of its arms is chosen."""

    __slots__ = ("arms", "begin", "end")

    def __init__(self, begin: int) -> None:
        self.begin = begin
        self.end = begin
        self.arms: list[_Region] = []


class _Span:
    """How far a value is read in one region, nested ones included as the time at which their branch begins."""

    __slots__ = ("first", "last")

    def __init__(self, first: int | None, last: int) -> None:
        self.first = first
        """Where an operator works on it first, if one does."""
        self.last = last


class _Value:
    """Where a value is made, and how far it is read in each region."""

    __slots__ = ("empty", "region", "spans", "time")

    def __init__(self, time: int, region: _Region, empty: bool) -> None:
        self.time = time
        self.region = region
        self.empty = empty
        """Whether it holds nothing at first."""
        self.spans: dict[_Region, _Span] = {}


class LiveRanges:
    """When each value is needed.

    Statement number n reads at time 2n and makes its result at 2n + 1: what is read for the last time by an operator
    that may write over it is gone when the result is there.
    """

    def __init__(self, accesses: Sequence[TileAccess]) -> None:
        self.values = TileValues(accesses)
        self._time = 0
        self._made: dict[ir.Var, _Value] = {}
        self._tuples: dict[ir.Expr, tuple[int, _Region]] = {}
        """Where several values are made by one call."""
        self._region = _Region(None, 0)
        self._loops: list[_Region] = []
        self._depths: list[int] = []
        """Those of the open loops."""
        self._branches: list[_Branch] = []
        self._branch_at: dict[int, _Branch] = {}
        for access in accesses:
            self._time += 1
            if access.region is None:
                self._visit(access)
            elif access.point is Point.BEGIN:
                self._begin(access, access.region)
            else:
                self._end(access.region)
        self._region.end = 2 * self._time + 1

    def made(self) -> Iterable[ir.Var]:
        """The values that are made in the function, in program order: not parameters, nor phis that nothing reads."""
        return self._made

    def of(self, value: ir.Var) -> list[Range]:
        """The times at which a value that is made in the function is needed, in ranges that do not overlap."""
        made = self._made[value]
        spans = made.spans
        if not spans:
            return [] if made.empty else [(made.time, made.time)]
        found: list[Range] = []
        # Each region with the time from which the value is in it (None: from where an operator works on it first), and
        # whether something behind the region still reads it.
        pending: list[tuple[_Region, int | None, bool]] = [(made.region, None if made.empty else made.time, False)]
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

    def _visit(self, access: TileAccess) -> None:
        if access.point is Point.STATEMENT:
            self._statement(access)
        elif access.point is Point.ENTER:
            self._enter(access)
        else:
            self._leave(access.stmt)

    def _statement(self, access: TileAccess) -> None:
        stmt = access.stmt
        if isinstance(stmt, ir.Yield):
            self._flow(self._region.phis, stmt)
        self._read_all(access)
        for var in access.keeps:
            self._read(var, 2 * self._time + 1)
        if not isinstance(stmt, ir.Assign):
            return
        var, time, region = stmt.var, 2 * self._time + 1, self._region
        if not isinstance(var.type, TileType):
            self._tuples[var] = time, region
        elif self.values.of(var) is var:
            if isinstance(stmt.value, ir.TupleItem):
                # All results of a call are made by it, and not where they get their names.
                time, region = self._tuples.get(stmt.value.tuple, (time, region))
            self._made[var] = _Value(time, region, self.values.starts_empty(var))

    def _enter(self, access: TileAccess) -> None:
        stmt = access.stmt
        self._flow(stmt.phis(), stmt)
        self._read_all(access)
        if isinstance(stmt, ir.If):
            self._time += 1
            branch = _Branch(2 * self._time)
            self._branches.append(branch)
            self._branch_at[branch.begin] = branch

    def _begin(self, access: TileAccess, region: ir.Region) -> None:
        if region.kind is RegionKind.LOOP:
            phis = access.stmt.phis()
            self._region = _Region(self._region, 2 * self._time + 1, phis=phis)
            self._loops.append(self._region)
            self._depths.append(self._region.depth)
            self._define_phis([phi.var for phi in phis])
            if region.condition is not None:
                self._time += 1
                self._read_all(access)  # in each iteration
        elif region.kind is RegionKind.ARM:
            branch = self._branches[-1]
            self._region = _Region(self._region, 2 * self._time, branch, access.stmt.phis())
            branch.arms.append(self._region)

    def _end(self, region: ir.Region) -> None:
        if region.kind is RegionKind.SECTION:
            return
        assert self._region.parent is not None
        self._region.end = 2 * self._time - 1
        self._region = self._region.parent
        if region.kind is RegionKind.LOOP:
            loop = self._loops.pop()
            self._depths.pop()
            for value, worked_on in loop.later.items():
                self._reach(self._made[value], loop.begin if worked_on else None, 2 * self._time)

    def _leave(self, stmt: ir.Stmt) -> None:
        if isinstance(stmt, ir.If):
            self._branches.pop().end = 2 * self._time
        self._define_phis(stmt.exit_definitions())

    def _define_phis(self, phis: Iterable[ir.Var]) -> None:
        for var in phis:
            if self.values.flows_into(var):
                self._made[var] = _Value(2 * self._time + 1, self._region, self.values.starts_empty(var))

    def _flow(self, phis: Iterable[ir.Phi], stmt: ir.Stmt) -> None:
        """Reads what flows, at a statement, into phis that are needed."""
        for phi in phis:
            for incoming in phi.incoming:
                value = incoming.value
                if incoming.stmt is stmt and isinstance(value, ir.Var) and self.values.flows_into(phi.var):
                    self._read(value, 2 * self._time, worked_on=False)

    def _read_all(self, access: TileAccess) -> None:
        for var in access.reads:
            self._read(var, 2 * self._time)

    def _read(self, var: ir.Var, time: int, *, worked_on: bool = True) -> None:
        value = self.values.of(var)
        made = self._made.get(value)
        if made is None:
            return
        outermost = bisect.bisect_right(self._depths, made.region.depth)
        if outermost < len(self._loops):
            later = self._loops[outermost].later
            later[value] = worked_on or later.get(value, False)
        else:
            self._reach(made, time if worked_on else None, time)

    def _reach(self, made: _Value, first: int | None, last: int) -> None:
        """Notes a read here, and in the regions around up to the one that makes the value: all of them are arms."""
        spans, region = made.spans, self._region
        while True:
            span = spans.get(region)
            if span is None:
                span = spans[region] = _Span(first, last)
                known_around = False
            else:
                known_around = first is None or span.first is not None
                span.last = max(span.last, last)
                span.first = first if span.first is None else span.first
            if known_around or region is made.region:
                return
            assert region.branch is not None
            assert region.parent is not None
            first, last = None if first is None else region.branch.begin, region.branch.begin
            region = region.parent
