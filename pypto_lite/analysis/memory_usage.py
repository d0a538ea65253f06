"""How much of each memory a placed function needs: if everything were live at once, and at the fullest moment.

The peak is what even the best allocator needs that gives every value one fixed place and leaves the program as it is:
no fewer bytes will do, and more may be needed, because buffers have to lie in one piece. It takes loops to run any
number of times and branches to go either way, whatever their bounds and conditions say (``live_ranges``).

Values that share storage are one buffer, which is given and taken back as a whole: a tile with its aliases and views,
the results that take over an operand, and all tiles that declare the same allocation. A result may be written over an
operand that is used for the last time, unless its operator forbids that. What meets in a join shares a buffer only
where it is one and the same value (``tile_values``); else the join takes over the place of what flows into it, or a
copy has to be made where that is used again. Tiles without a constant size, what ``pl.reserve_buffer`` reserves, and
what a caller or another function on the same core holds are not counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.analysis.accesses import tile_accesses
from pypto_lite.analysis.alias_classes import AliasClasses
from pypto_lite.analysis.footprint import allocations, owners, tile_bytes
from pypto_lite.analysis.live_ranges import LiveRanges
from pypto_lite.analysis.records import Buffer, Usage
from pypto_lite.ir import MemorySpace, TileType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pypto_lite.analysis.accesses import TileAccess
    from pypto_lite.analysis.live_ranges import Range
    from pypto_lite.analysis.tile_values import TileValues
    from pypto_lite.targets import Target


def memory_usage(function: ir.Function, target: Target | None = None) -> dict[MemorySpace, Usage]:
    """The usage of each memory that the function has tiles of constant size in. Costs time in proportion to the number
    of statements, times its logarithm, and to the number of arms that values are read in without being made there."""
    accesses = tile_accesses(function)
    sizes = _Sizes()
    totals: dict[MemorySpace, int] = {}
    for stmt in allocations(owners(accesses)):
        space, size = sizes.of(stmt.var)
        if space is not None:
            totals[space] = totals.get(space, 0) + size
    live = _live_buffers(accesses, sizes)
    usages: dict[MemorySpace, Usage] = {}
    for space in {**totals, **live}:
        peak, at_peak = _peak(live.get(space, []))
        capacity = target.capacity(space) if target is not None else None
        usages[space] = Usage(capacity, max(peak, totals.get(space, 0)), peak, at_peak)
    return usages


def _live_buffers(accesses: Sequence[TileAccess], sizes: _Sizes) -> dict[MemorySpace, list[tuple[Buffer, list[Range]]]]:
    """The buffers of each memory, in the order of their first values, with the times at which they are needed."""
    ranges = LiveRanges(accesses)
    storages = _shared_storages(accesses, ranges.values)
    largest: dict[ir.Var, Buffer] = {}
    needed: dict[ir.Var, list[Range]] = {}
    for value in ranges.made():
        space, size = sizes.of(value)
        if space is None:
            continue
        root = storages.root(value)
        if root not in largest:
            largest[root] = Buffer(value, size)
            needed[root] = ranges.of(value)
        else:
            needed[root] += ranges.of(value)
            if size > largest[root].size:
                largest[root] = Buffer(value, size)
    found: dict[MemorySpace, list[tuple[Buffer, list[Range]]]] = {}
    for root, buffer in largest.items():
        assert isinstance(buffer.value.type, TileType)
        assert buffer.value.type.space is not None
        found.setdefault(buffer.value.type.space, []).append((buffer, _merged(needed[root])))
    return found


def _shared_storages(accesses: Iterable[TileAccess], values: TileValues) -> AliasClasses:
    """Which values are in one buffer though they are different: one after another, or because somebody declared it."""
    storages = AliasClasses()
    declared: dict[tuple[ir.MemRef, MemorySpace | None], ir.Var] = {}
    for access in accesses:
        for var in access.stmt.definitions():
            if isinstance(var.type, TileType) and var.type.memref is not None:
                first = declared.setdefault((var.type.memref, var.type.space), var)
                storages.share(values.of(var), values.of(first))
        if access.tied_operands and isinstance(access.stmt, ir.Assign):
            for operand in access.tied_operands:
                storages.share(values.of(access.stmt.var), values.of(operand))
    return storages


class _Sizes:
    """The memory and the bytes of tiles, worked out once for each type."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[MemorySpace | None, int]] = {}

    def of(self, var: ir.Var) -> tuple[MemorySpace | None, int]:
        """The memory of a tile with its bytes; no memory where it has none, or no constant size."""
        found = self._known.get(id(var.type))
        if found is None:
            tile = var.type
            size = tile_bytes(tile) if isinstance(tile, TileType) else None
            found = (tile.space, size) if isinstance(tile, TileType) and size is not None else (None, 0)
            self._known[id(tile)] = found
        return found


def _merged(ranges: list[Range]) -> list[Range]:
    """The same times in ranges that do not overlap, in order."""
    if len(ranges) == 1:
        return ranges
    merged: list[Range] = []
    for begin, end in sorted(ranges):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged


def _peak(buffers: Sequence[tuple[Buffer, list[Range]]]) -> tuple[int, tuple[Buffer, ...]]:
    """The largest sum of sizes of buffers that are live at one time, and those buffers.

    A buffer that nothing ever works on is never live, but no memory is smaller than one of its buffers.
    """
    # At one and the same time ends come after beginnings: what a statement reads and what it makes are live together.
    events = sorted(
        [
            event
            for buffer, ranges in buffers
            for begin, end in ranges
            for event in ((begin, 0, buffer.size), (end, 1, -buffer.size))
        ]
    )
    used = peak = moment = 0
    for time, _, change in events:
        used += change
        if used > peak:
            peak, moment = used, time
    live = [buffer for buffer, ranges in buffers for begin, end in ranges if begin <= moment <= end]
    largest = max([buffer for buffer, _ in buffers], key=lambda buffer: buffer.size, default=None)
    if largest is not None and largest.size > peak:
        return largest.size, (largest,)
    return peak, tuple(sorted(live, key=lambda buffer: -buffer.size))
