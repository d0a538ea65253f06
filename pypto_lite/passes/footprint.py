"""How many bytes tiles take, and which values own an allocation: what capacity is judged by."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from pypto_lite import ir, ops
from pypto_lite.ir import TileType
from pypto_lite.passes.properties.findings import statements
from pypto_lite.targets import ALLOCATION_ALIGNMENT

if TYPE_CHECKING:
    from collections.abc import Iterator


def tile_bytes(tile: TileType) -> int | None:
    """The bytes that an allocation of the tile takes, aligned as the allocator does; None for a symbolic shape."""
    bits = tile.dtype.storage_bits
    for extent in tile.shape:
        if not isinstance(extent, int):
            return None
        bits *= extent
    size = -(-bits // 8)
    return -(-size // ALLOCATION_ALIGNMENT) * ALLOCATION_ALIGNMENT


def allocations(function: ir.Function) -> list[ir.Assign]:
    """The assignments that bring a new buffer into being, in program order; of tiles that declare the same allocation
    the largest."""
    found: list[ir.Assign] = []
    declared: dict[ir.MemRef, int] = {}
    for stmt in owners(function):
        memref = cast("TileType", stmt.var.type).memref
        if memref is None or memref not in declared:
            if memref is not None:
                declared[memref] = len(found)
            found.append(stmt)
        elif _bytes(stmt) > _bytes(found[declared[memref]]):
            found[declared[memref]] = stmt
    return found


def owners(function: ir.Function) -> Iterator[ir.Assign]:
    """The assignments of tiles that own a buffer, in program order.

    Not those of aliases and views, nor of results that take over the storage of an operand.
    """
    for node in statements(function):
        if isinstance(node, ir.Assign) and isinstance(node.var.type, TileType) and _allocates(node.value):
            yield node


def _bytes(stmt: ir.Assign) -> float:
    """The size of a tile for comparison: one that is not known counts as the largest."""
    size = tile_bytes(cast("TileType", stmt.var.type))
    return math.inf if size is None else size


def _allocates(value: ir.Expr) -> bool:
    if not isinstance(value, ir.Call):
        return isinstance(value, (ir.FunctionCall, ir.TupleItem))
    operator = ops.find(value.op)
    if operator is None:
        return True
    return operator.view_of is None and operator.reuses is None and not written_operands(value, operator)


def written_operands(call: ir.Call, operator: ops.Operator) -> list[int]:
    """The tile operands whose buffer a call writes to."""
    return [
        operand.index
        for operand, argument in zip(operator.operands, call.args, strict=False)
        if isinstance(argument.type, TileType) and operand.effect_with(call.keywords) is not ops.Effect.READ
    ]
