"""How much of each memory a placed function needs: if everything were live at once, and at the fullest moment.

A buffer is live from the first definition of a value in it to the last use of one; a value that a loop reads but does
not define is live throughout the loop. Values that share storage are one buffer: aliases, views, results that take
over an operand, and what meets in a join. A result may be written over an operand that is used for the last time,
unless its operator forbids that. So the peak is what even the best allocator needs.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING, NamedTuple

from pypto_lite import ir, ops
from pypto_lite.ir import MemorySpace, TileType
from pypto_lite.passes.footprint import allocations, tile_bytes, written_operands
from pypto_lite.passes.infer_tile_memory_space.storage import Storages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.targets import Target


class Buffer(NamedTuple):
    """One buffer: the allocation that is the largest in it, and its size in bytes, aligned."""

    allocation: ir.Assign
    size: int
    begin: int
    end: int


class Usage(NamedTuple):
    """The bytes of one memory that a function needs, beside those that the target has."""

    capacity: int | None
    """None without a target, and where the target does not say."""
    total: int
    """With all allocations live at once."""
    peak: int
    """At the moment when the live buffers take most."""
    at_peak: tuple[Buffer, ...]
    """The buffers that are live then, the largest first."""


def memory_usage(function: ir.Function, target: Target | None = None) -> dict[MemorySpace, Usage]:
    """The usage of each memory that the function has tiles of constant size in."""
    ranges = _LiveRanges(function)
    totals: dict[MemorySpace, int] = {}
    largest: dict[ir.Var, tuple[ir.Assign, int]] = {}
    for stmt in allocations(function):
        tile = stmt.var.type
        size = tile_bytes(tile) if isinstance(tile, TileType) else None
        if not isinstance(tile, TileType) or tile.space is None or size is None:
            continue
        totals[tile.space] = totals.get(tile.space, 0) + size
        root = ranges.storages.root(stmt.var)
        if root not in largest or size > largest[root][1]:
            largest[root] = (stmt, size)
    buffers: dict[MemorySpace, list[Buffer]] = {}
    for root, (stmt, size) in largest.items():
        assert isinstance(stmt.var.type, TileType)
        assert stmt.var.type.space is not None
        buffers.setdefault(stmt.var.type.space, []).append(Buffer(stmt, size, *ranges.of(root)))
    capacities = {space: target.capacity(space) if target is not None else None for space in buffers}
    return {space: Usage(capacities[space], totals[space], *_peak(live)) for space, live in buffers.items()}


def _peak(buffers: Iterable[Buffer]) -> tuple[int, tuple[Buffer, ...]]:
    """The largest sum of sizes of buffers that are live at one time, and those buffers."""
    # At one and the same time ends come after beginnings: what a statement reads and what it makes are live together.
    events = sorted(
        [(buffer.begin, 0, buffer.size) for buffer in buffers] + [(buffer.end, 1, -buffer.size) for buffer in buffers]
    )
    used = peak = moment = 0
    for time, _, change in events:
        used += change
        if used > peak:
            peak, moment = used, time
    live = [buffer for buffer in buffers if buffer.begin <= moment <= buffer.end]
    return peak, tuple(sorted(live, key=lambda buffer: -buffer.size))


class _LiveRanges:
    """From when to when each storage is live; one walk.

    Statement number n reads at time 2n and defines at 2n + 1: what is read for the last time by an operator that may
    write over it is gone when the result is there.
    """

    def __init__(self, function: ir.Function) -> None:
        self.storages = Storages()
        self._time = 0
        self._defined: dict[ir.Var, int] = {}
        self._ends: dict[ir.Var, int] = {}
        self._loop_ends: dict[ir.Stmt, int] = {}
        self._read_in: list[tuple[ir.Var, ir.Stmt]] = []
        self._walk(function.body)
        self._ranges: dict[ir.Var, tuple[int, int]] = {}
        for var, loop in self._read_in:
            self._ends[var] = max(self._ends[var], 2 * self._loop_ends[loop] + 1)
        for var, begin in self._defined.items():
            root, end = self.storages.root(var), self._ends.get(var, begin)
            known = self._ranges.get(root, (begin, end))
            self._ranges[root] = (min(known[0], begin), max(known[1], end))

    def of(self, root: ir.Var) -> tuple[int, int]:
        """The range of a storage."""
        return self._ranges[root]

    def _walk(self, body: ir.Block) -> None:
        loops: list[ir.Stmt] = []
        starts: list[int] = []
        stack: list[tuple[ir.Stmt, bool]] = [(body, False)]
        while stack:
            stmt, leaving = stack.pop()
            if leaving:
                self._loop_ends[loops.pop()] = self._time
                starts.pop()
                self._define(stmt)
                continue
            self._time += 1
            for operand in stmt.operands():
                self._read(operand, loops, starts)
            self._keep_unshared(stmt)
            if isinstance(stmt, (ir.For, ir.While)):
                loops.append(stmt)
                starts.append(self._time)
                stack.append((stmt, True))
            self._define(stmt)
            self._share(stmt)
            inner = stmt.statements if isinstance(stmt, ir.Block) else stmt.blocks()
            stack.extend([(each, False) for each in reversed(inner)])

    def _define(self, stmt: ir.Stmt) -> None:
        for var in stmt.definitions():
            if isinstance(var.type, TileType):
                self._defined.setdefault(var, 2 * self._time + 1)

    def _read(self, operand: ir.Expr, loops: list[ir.Stmt], starts: list[int]) -> None:
        for node in ir.walk(operand):
            if isinstance(node, ir.Var) and node in self._defined:
                self._ends[node] = 2 * self._time
                outside = bisect.bisect_right(starts, self._defined[node] // 2)
                if outside < len(loops):  # the outermost loop that reads the value but does not define it
                    self._read_in.append((node, loops[outside]))

    def _keep_unshared(self, stmt: ir.Stmt) -> None:
        """Keeps operands alive beside the result where the operator may not write the one over the other."""
        call = stmt.value if isinstance(stmt, (ir.Assign, ir.Evaluate)) else None
        operator = ops.find(call.op) if isinstance(call, ir.Call) else None
        if operator is None or not isinstance(call, ir.Call):
            return
        for index, argument in enumerate(call.args):
            unshared = not operator.in_place_safe or index in operator.no_alias
            if unshared and isinstance(argument, ir.Var) and argument in self._ends:
                self._ends[argument] = 2 * self._time + 1

    def _share(self, stmt: ir.Stmt) -> None:
        match stmt:
            case ir.Assign(var, ir.Var() as source):
                self._join(var, source)
            case ir.Assign(var, ir.Call() as call):
                operator = ops.find(call.op)
                if operator is not None:
                    shared = {operator.view_of, operator.reuses, *written_operands(call, operator)} - {None}
                    self._join(var, *[call.args[index] for index in shared if index is not None])
            case ir.For() | ir.While():
                yielded = stmt.body.yielded
                for members in zip(stmt.carries, stmt.inits, yielded, stmt.results, strict=False):
                    self._join(*members)
            case ir.If(else_body=ir.Block() as otherwise):
                arms = stmt.then_body.yielded, otherwise.yielded
                for members in zip(stmt.results, *arms, strict=False):
                    self._join(*members)
            case _:
                pass

    def _join(self, first: ir.Expr, *others: ir.Expr) -> None:
        for other in others:
            if isinstance(first, ir.Var) and isinstance(other, ir.Var) and _in_one_space(first, other):
                self.storages.share(first, other)


def _in_one_space(first: ir.Var, second: ir.Var) -> bool:
    return (
        isinstance(first.type, TileType) and isinstance(second.type, TileType) and first.type.space is second.type.space
    )
