"""How many bytes tiles take, and which values own an allocation: what capacity is judged by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir, ops
from pypto_lite.ir import TileType
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


def allocations(function: ir.Function) -> Iterator[ir.Assign]:
    """The assignments that bring a new buffer into being, in program order.

    Not those of aliases and views, nor of results that take over the storage of an operand; of tiles that declare
    the same allocation, the first.
    """
    declared: set[ir.MemRef] = set()
    for node in ir.walk(function.body):
        if not isinstance(node, ir.Assign) or not isinstance(node.var.type, TileType):
            continue
        if not _allocates(node.value):
            continue
        memref = node.var.type.memref
        if memref is not None:
            if memref in declared:
                continue
            declared.add(memref)
        yield node


def _allocates(value: ir.Expr) -> bool:
    if not isinstance(value, ir.Call):
        return isinstance(value, ir.FunctionCall)
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
