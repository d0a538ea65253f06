"""How many bytes tiles take, and which values own an allocation: what capacity is judged by."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from pypto_lite import ir
from pypto_lite.ir import TileType
from pypto_lite.targets import ALLOCATION_ALIGNMENT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.analysis.accesses import TileAccess


def tile_bytes(tile: TileType) -> int | None:
    """The bytes that an allocation of the tile takes, aligned as the allocator does; None for a symbolic shape."""
    bits = tile.dtype.storage_bits
    for extent in tile.shape:
        if not isinstance(extent, int):
            return None
        bits *= extent
    size = -(-bits // 8)
    return -(-size // ALLOCATION_ALIGNMENT) * ALLOCATION_ALIGNMENT


def allocations(owners: Iterable[ir.Assign]) -> list[ir.Assign]:
    """Of assignments that own a buffer those that bring a new one into being: of tiles that declare the same allocation
    the largest."""
    found: list[ir.Assign] = []
    declared: dict[ir.MemRef, int] = {}
    for stmt in owners:
        memref = cast("TileType", stmt.var.type).memref
        if memref is None or memref not in declared:
            if memref is not None:
                declared[memref] = len(found)
            found.append(stmt)
        elif _bytes(stmt) > _bytes(found[declared[memref]]):
            found[declared[memref]] = stmt
    return found


def owners(accesses: Iterable[TileAccess]) -> list[ir.Assign]:
    """The assignments of tiles that own a buffer, in program order.

    Not those of aliases and views, nor of results that take over the storage of an operand.
    """
    return [
        access.stmt
        for access in accesses
        if access.allocates and isinstance(access.stmt, ir.Assign) and isinstance(access.stmt.var.type, TileType)
    ]


def _bytes(stmt: ir.Assign) -> float:
    """The size of a tile for comparison: one that is not known counts as the largest."""
    size = tile_bytes(cast("TileType", stmt.var.type))
    return math.inf if size is None else size
