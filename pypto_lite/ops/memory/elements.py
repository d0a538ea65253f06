"""Operators on single elements of tiles and tensors, and the position of the running block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite.ir import Dims, DType, Expr, MemorySpace, PipeType, ScalarType, TileType
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dims import provably_at_most, provably_less
from pypto_lite.ir.dtypes import INDEX
from pypto_lite.ops.framework.declaration import Core
from pypto_lite.ops.framework.parameters import Effect, Indices
from pypto_lite.ops.framework.problems import check_integer, check_length, list_text, problem
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.rules.layouts import same
from pypto_lite.ops.rules.windows import element

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Block, Elements, Numpy


def check_indices(indices: Dims, shape: Dims) -> None:
    """PL203 for another number of indices than dimensions, PL204 for no integer, PL206 for one provably outside.

    PyPTO checks no index. Kernels that count through the rows are recorded with it, so behind the end of an axis other
    than the first an index is an error only in a run.
    """
    check_length("indices", indices, len(shape), "the shape")
    for axis, (index, extent) in enumerate(zip(indices, shape, strict=True)):
        if isinstance(index, Expr):
            check_integer("indices", scalar_dtype(index))
        if provably_less(index, 0) or (axis == 0 and provably_at_most(extent, index)):
            raise problem(
                "PL206",
                "indices",
                f"the index of axis {axis} is outside the shape",
                found=list_text(indices),
                expected=f"at least 0 and less than {list_text(shape)}",
            )


def check_element(value: Expr, dtype: DType) -> None:
    """PL204 unless the value has the element type."""
    if scalar_dtype(value) is not dtype:
        raise problem(
            "PL204",
            "value",
            "the value has another element type than what it is written into",
            found=scalar_dtype(value),
            expected=repr(dtype),
            hint=f"convert it with pl.cast(..., pl.{dtype.name})",
        )


@operator(
    "tile.read",
    spellings=("read",),
    spaces=MemorySpace.Vec,
    core=Core.BY_OPERAND,
    pipe=PipeType.S,
    aliases={"tile": ("src",), "indices": ("offset",)},
)
def tile_read(tile: TileType, indices: Indices) -> ScalarType:
    """One element as a scalar; one index for each dimension, a single one also without a list.

    Raises PL203 for another number of indices, PL204 for indices that are no integers, PL206 for one outside the tile.
    """
    check_indices(indices, tile.shape)
    return ScalarType(tile.dtype)


@tile_read.evaluator(moves=("tile",), whole=("tile",))
def _(np: Numpy, tile: Elements, indices: tuple[int, ...]) -> Elements:
    return tile[element("tile", tile.shape, indices)]


@operator(
    "tile.write",
    spellings=("write",),
    spaces=MemorySpace.Vec,
    result=MemorySpace.Vec,
    core=Core.VECTOR,
    pipe=PipeType.S,
    effects={"tile": Effect.READ_WRITE},
    aliases={"tile": ("dst",), "indices": ("offset",)},
)
def tile_write(tile: TileType, indices: Indices, value: Expr) -> TileType:
    """Writes a scalar into one element, by an index for each dimension; the result is the tile after the write.

    Raises PL203 for another number of indices, PL204 for indices that are no integers or a value of another type, PL206
    for an index outside the tile.
    """
    check_indices(indices, tile.shape)
    check_element(value, tile.dtype)
    return same(tile)


@tile_write.evaluator(writes="tile")
def _(np: Numpy, tile: Elements, indices: tuple[int, ...], value: Any) -> tuple[Any, Any]:
    return element("tile", tile.shape, indices), value


@operator("tile.get_block_idx", spellings=("get_block_idx",), pipe=PipeType.S)
def tile_get_block_idx() -> ScalarType:
    """The number of the running block, an INDEX."""
    return ScalarType(INDEX)


@tile_get_block_idx.evaluator
def _(np: Numpy, block: Block) -> int:
    return block.index


@operator("tile.get_subblock_idx", spellings=("get_subblock_idx",), core=Core.VECTOR, pipe=PipeType.S)
def tile_get_subblock_idx() -> ScalarType:
    """The number of the running vector core within its block, an INDEX."""
    return ScalarType(INDEX)


@tile_get_subblock_idx.evaluator
def _(np: Numpy) -> int:
    return 0  # a run has one vector core


@operator("tile.get_block_num", spellings=("get_block_num",), pipe=PipeType.S)
def tile_get_block_num() -> ScalarType:
    """How many blocks run, an INDEX."""
    return ScalarType(INDEX)


@tile_get_block_num.evaluator
def _(np: Numpy, block: Block) -> int:
    return block.count
