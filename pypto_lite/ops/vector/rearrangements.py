"""Operators that copy parts of tiles to other places: transpose, assemble, extract, concat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.ir import CompactMode, Dims, MemorySpace, TileLayout, TileType, TileView, expr_dim, implicit_tile_view
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dims import add, all_provably_equal, provably_different
from pypto_lite.ir.dtypes import BF16, FP16, FP32
from pypto_lite.ops.framework.declaration import INHERIT, ByKeyword, Core
from pypto_lite.ops.framework.parameters import ConstInt, Effect, Index
from pypto_lite.ops.framework.problems import (
    check_extents,
    check_integer,
    check_length,
    check_rank,
    check_same_dtype,
    list_text,
    problem,
)
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.memory.transfers import ON_CHIP
from pypto_lite.ops.rules.layouts import FRACTAL, narrowed, view
from pypto_lite.ops.rules.regions import Source, check_end, check_start, read_window, written_region
from pypto_lite.ops.rules.windows import window
from pypto_lite.ops.vector.elementwise import vector_operator

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Numpy


@operator(
    "tile.transpose",
    spellings=("transpose",),
    result=INHERIT,
    core=Core.BY_OPERAND,
    in_place_safe=False,
    aliases={"input": ("tile",), "tmp": ("tmp_tile",)},
)
def tile_transpose(
    input: TileType,  # noqa: A002 - users write it so
    axis1: ConstInt,
    axis2: ConstInt,
    tmp: TileType | None = None,
) -> TileType:
    """A copy with two axes exchanged; negative axes count from the end. The result is fully valid; ``tmp`` is scratch.

    Raises PL203 for axes that do not exist or are the same.
    """
    rank = len(input.shape)
    first, second = axis_index("axis1", axis1, rank), axis_index("axis2", axis2, rank)
    if first == second:
        raise problem("PL203", "axis2", "the two axes are the same", found=axis2, expected="another axis")
    shape = list(input.shape)
    shape[first], shape[second] = shape[second], shape[first]
    return TileType(shape, input.dtype)


@tile_transpose.evaluator(moves=("input",), whole=("input",))
def _(np: Numpy, input: Elements, axis1: int, axis2: int) -> Elements:  # noqa: A002
    return np.swapaxes(input, axis1, axis2)


def axis_index(operand: str, axis: int, rank: int) -> int:
    """The axis counted from the front; PL203 for one that does not exist."""
    if not -rank <= axis < rank:
        raise problem(
            "PL203", operand, "there is no such axis", found=axis, expected=f"at least {-rank} and below {rank}"
        )
    return axis % rank


@operator(
    "tile.assemble",
    spellings=("assemble",),
    result=INHERIT,
    core=Core.BY_OPERAND,
    effects={"target": Effect.READ_WRITE},
    implicit_move=("source", "target"),
)
def tile_assemble(target: TileType, source: TileType, offset: Dims) -> TileType:
    """``target`` with ``source`` written into it at ``offset``.

    Both have the same element type, or ``source`` is FP32 and ``target`` BF16 or FP16. A target that is only partly
    valid grows by the valid part of the source.

    Raises PL203, PL204, PL206 for a source that provably leaves the target, PL208 where the valid region cannot grow
    so.
    """
    if not (source.dtype is FP32 and target.dtype in (BF16, FP16)):
        check_same_dtype("source", source.dtype, "target", target.dtype)
    rank = len(target.shape)
    check_length("offset", offset, rank, "the target")
    check_rank("source", source, rank)
    destination = Source("target", target.shape, target.valid_shape)
    for axis in range(rank):
        check_start(destination, offset, axis)
        check_end(destination, offset, axis, source.shape[axis], source.shape)
    valid = written_region(destination, source.valid_shape, offset)
    return TileType(target.shape, target.dtype, target.space, narrowed(target, valid))


@tile_assemble.evaluator(moves=("target", "source"), whole=("target",))
def _(np: Numpy, target: Elements, source: Elements, offset: tuple[int, ...]) -> Elements:
    changed = target.copy()
    changed[window("target", target.shape, offset, source.shape)] = source
    return changed


_EXTRACTED_BOXES = {MemorySpace.Left: TileLayout.row_major, MemorySpace.Right: TileLayout.col_major}


@operator("tile.extract", result=ByKeyword(MemorySpace.Vec, ON_CHIP), core=Core.BY_TARGET, in_place_safe=False)
def tile_extract(
    src: TileType, index_row: Index, index_col: Index, shape: Dims, *, target_memory: MemorySpace = MemorySpace.Vec
) -> TileType:
    """A copy of the window [*shape] of a matrix at row ``index_row`` and column ``index_col`` in another space.

    ``shape`` is constant. The valid part is what the source has valid there.

    Raises PL203 for other than two dimensions, PL204 for an index that is no integer, PL206 for a window that provably
    leaves the source.
    """
    check_rank("src", src, 2)
    check_extents("shape", shape, static=True)
    check_length("shape", shape, 2, "the source")
    check_integer("index_row", scalar_dtype(index_row))
    check_integer("index_col", scalar_dtype(index_col))
    offset = expr_dim(index_row), expr_dim(index_col)
    source = Source("src", src.shape, src.valid_shape, ("index_row", "index_col"))
    valid = read_window(source, offset, shape, None, whole=True)
    boxes = _EXTRACTED_BOXES.get(target_memory)
    if boxes is None:
        base = implicit_tile_view(shape, target_memory)
    else:
        compact = CompactMode.null if all_provably_equal(valid, shape) else CompactMode.normal
        base = TileView((), TileLayout.row_major, boxes, FRACTAL, compact=compact)
    return TileType(shape, src.dtype, target_memory, view(base, shape, valid))


@tile_extract.evaluator(moves=("src",), whole=("src",))
def _(np: Numpy, src: Elements, index_row: int, index_col: int, shape: tuple[int, ...]) -> Elements:
    return src[window("src", src.shape, (index_row, index_col), shape)]


@vector_operator("tile.concat", spellings=("concat",), in_place_safe=False)
def tile_concat(src0: TileType, src1: TileType) -> TileType:
    """Two tiles side by side: [M, N0] and [M, N1] give [M, N0 + N1], fully valid.

    Raises PL203 for other than two dimensions or different numbers of rows, PL204 for different element types.
    """
    check_rank("src0", src0, 2)
    check_rank("src1", src1, 2)
    check_same_dtype("src1", src1.dtype, "src0", src0.dtype)
    if provably_different(src0.shape[0], src1.shape[0]):
        raise problem(
            "PL203",
            "src1",
            "the tiles have different numbers of rows",
            found=f"{list_text(src0.shape)} and {list_text(src1.shape)}",
            expected=f"{src0.shape[0]!r} rows",
        )
    return TileType((src0.shape[0], add(src0.shape[1], src1.shape[1])), src0.dtype)


@tile_concat.evaluator(moves=("src0", "src1"), whole=("src0", "src1"))
def _(np: Numpy, src0: Elements, src1: Elements) -> Elements:
    return np.concatenate((src0, src1), axis=1)
