"""Operators that gather from global memory into tiles by index, and scatter back."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from pypto_lite.ir import (
    CoalesceMode,
    Dim,
    Dims,
    MemorySpace,
    OutOfBoundsMode,
    PipeType,
    TensorLayout,
    TensorType,
    TileType,
)
from pypto_lite.ir.dtypes import INT32
from pypto_lite.ops.framework.declaration import ByKeyword, Core
from pypto_lite.ops.framework.parameters import AnyTile, Effect
from pypto_lite.ops.framework.problems import (
    check_dtype,
    check_extents,
    check_length,
    check_plain,
    check_rank,
    check_same_dtype,
    check_shape,
    check_valid,
    list_text,
    problem,
)
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.framework.relations import When
from pypto_lite.ops.memory.transfers import LOADED_INTO
from pypto_lite.ops.rules.layouts import BOXED, FLAT, same, view
from pypto_lite.ops.rules.windows import check_positions, in_corner, shared_part, window
from pypto_lite.ops.vector.gathers import BLOCK_BYTES, GATHERED

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy, Partial

BOX_ROWS: Final = 16
"""How many rows a box in Mat has."""


@operator(
    "tile.mscatter",
    spellings=("mscatter",),
    spaces=MemorySpace.Vec,
    core=Core.BY_OPERAND,
    layouts=("src", "idx"),
    effects={"output_tensor": Effect.WRITE},
    tied_operand="output_tensor",
)
def tile_mscatter(src: TileType, idx: TileType, output_tensor: TensorType) -> TensorType:
    """Writes each element of a tile to the flat position in a tensor that ``idx`` names; the result is the tensor.

    ``src`` is FP16, FP32, INT16 or INT32, as the tensor; ``idx`` is INT32 of the same shape. A position that is named
    more than once gets the last element.

    Raises PL203 or PL204 otherwise.
    """
    check_dtype("src", src.dtype, GATHERED)
    check_dtype("idx", idx.dtype, (INT32,))
    check_shape("idx", idx.shape, src.shape, "of src")
    check_same_dtype("output_tensor", output_tensor.dtype, "src", src.dtype)
    return output_tensor


@tile_mscatter.evaluator(writes="output_tensor")
def _(np: Numpy, src: Elements, idx: Elements, output_tensor: Elements) -> tuple[Any, Elements]:
    check_positions("idx", idx, output_tensor.size, "output_tensor")
    elements, positions = shared_part(src, idx)
    return np.unravel_index(positions, output_tensor.shape), elements


_SCRATCH_EFFECT: Final = When(
    {"target_memory": MemorySpace.Mat, "coalesce": CoalesceMode.elem}, Effect.WRITE, Effect.READ
)


@operator(
    "tile.mgather",
    spellings=("mgather",),
    result=ByKeyword(MemorySpace.Vec, LOADED_INTO),
    core=Core.BY_TARGET,
    pipe=PipeType.MTE2,
    in_place_safe=False,
    effects={"scratch": _SCRATCH_EFFECT},
    carried=("gather_oob",),
)
def tile_mgather(
    mem: TensorType,
    idx: AnyTile,
    coalesce: CoalesceMode = CoalesceMode.row,
    *,
    gather_oob: OutOfBoundsMode = OutOfBoundsMode.undefined,
    target_memory: MemorySpace = MemorySpace.Vec,
    scratch: TensorType | None = None,
    valid_shape: Dims | None = None,
) -> TileType:
    """Reads rows or elements of a tensor into a tile in Vec or Mat, by an index of INT32.

    ``"row"``: [1, R] indices (or [R, 1] in Vec) give [R, columns of mem]. ``"elem"``: the result has the shape of
    ``idx``, whose elements are positions that count row by row through all of ``mem``. Vec takes its indices from a
    tile, Mat from a two-dimensional tensor in ND layout, and only whole boxes: multiples of 16 rows and of 32 bytes in
    a row. ``scratch`` is memory that Mat needs for elements. ``gather_oob`` says what an index outside the tensor
    gives: ``"undefined"``, ``"clamp"``, ``"wrap"`` or ``"zero"``.

    Raises PL201 for indices that lie in the wrong place, PL203, PL204, PL208, or PL210 for another space.
    """
    if target_memory not in LOADED_INTO:
        raise problem(
            "PL210",
            "target_memory",
            "mgather cannot write this space",
            found=target_memory,
            expected="pl.MemorySpace.Vec or pl.MemorySpace.Mat",
        )
    check_dtype("idx", idx.dtype, (INT32,))
    in_mat = target_memory is MemorySpace.Mat
    _check_index(idx, in_mat)
    shape = idx.shape if coalesce is CoalesceMode.elem else _rows_shape(mem, idx, in_mat)
    if in_mat:
        _check_boxes(shape, mem.dtype.get_byte())
    if scratch is not None:
        check_same_dtype("scratch", scratch.dtype, "mem", mem.dtype)
    if valid_shape is not None:
        check_valid("valid_shape", valid_shape, shape)
    base = BOXED if in_mat else FLAT
    return TileType(shape, mem.dtype, target_memory, view(base, shape, valid_shape or shape))


@tile_mgather.evaluator(moves=("mem",), whole=("mem",))
def _(
    np: Numpy, mem: Elements, idx: Elements, coalesce: CoalesceMode, gather_oob: OutOfBoundsMode, result: Extents
) -> Elements | Partial:
    if not mem.size:
        raise problem("PL505", "mem", "there is nothing to gather", found=str(list(mem.shape)))
    elements = coalesce is CoalesceMode.elem
    counted, index = (mem.shape, idx) if elements else (mem.shape[:-1], idx.reshape(-1))
    count = math.prod(counted)
    inside = (index >= 0) & (index < count)
    reached = index % count if gather_oob is OutOfBoundsMode.wrap else index.clip(0, count - 1)
    found = mem[np.unravel_index(reached, counted)]
    if gather_oob in (OutOfBoundsMode.wrap, OutOfBoundsMode.clamp):
        return in_corner(np, found, result.shape)
    outside = ~(inside if elements else inside[:, None])
    found = np.where(outside, np.zeros_like(found), found)
    if gather_oob is OutOfBoundsMode.zero:
        return in_corner(np, found, result.shape, made=outside)
    return in_corner(np, found, result.shape, known=~outside)


def _check_index(idx: AnyTile, in_mat: bool) -> None:
    if not in_mat:
        if not isinstance(idx, TileType):
            raise problem(
                "PL201",
                "idx",
                "a gather into Vec takes its indices from a tile",
                found=idx,
                expected="a tile",
                hint="load the indices with pl.load",
            )
        return
    if not isinstance(idx, TensorType) or idx.layout is not TensorLayout.ND:
        raise problem(
            "PL201",
            "idx",
            "a gather into Mat takes its indices from global memory",
            found=idx,
            expected="a tensor of two dimensions in ND layout",
        )
    check_rank("idx", idx, 2)


def _rows_shape(mem: TensorType, idx: AnyTile, in_mat: bool) -> Dims:
    """[R, columns of mem] for one index per row."""
    shape = idx.shape
    if len(shape) == 2 and (shape[0] == 1 or (shape[1] == 1 and not in_mat)):
        rows: Dim = shape[1] if shape[0] == 1 else shape[0]
        return rows, mem.shape[-1]
    expected = "[1, R]" if in_mat else "[1, R] or [R, 1]"
    raise problem("PL203", "idx", "idx must name one row each", found=list_text(shape), expected=expected)


def _check_boxes(shape: Dims, element_bytes: int) -> None:
    rows, columns = shape
    block = BLOCK_BYTES // element_bytes
    if (isinstance(rows, int) and rows % BOX_ROWS) or (isinstance(columns, int) and columns % block):
        raise problem(
            "PL203",
            "idx",
            "a gather into Mat fills whole boxes",
            found=list_text(shape),
            expected=f"a multiple of {BOX_ROWS} rows and of {block} columns",
        )


@operator(
    "tile.gather_row",
    spellings=("gather_row",),
    core=Core.BY_OPERAND,
    pipe=PipeType.MTE2,
    effects={"dst": Effect.READ_WRITE},
    tied_operand="dst",
    carried=("transpose",),
)
def tile_gather_row(
    dst: TileType,
    src: TensorType,
    dst_offset: Dims,
    src_offset: Dims,
    shapes: Dims,
    transpose: bool = False,
    *,
    valid_shape: Dims | None = None,
) -> TileType:
    """Reads the window ``shapes`` of a tensor at ``src_offset`` into a tile at ``dst_offset``, in its place.

    ``shapes`` is constant; ``valid_shape`` is the part of it that is read; ``transpose`` turns it around on the way. A
    tile of fewer axes than the tensor takes a window whose leading extents are 1.

    Raises PL201 for a tensor on several devices, PL203, PL204 for another element type, PL208 for a wrong valid region.
    """
    check_plain("src", src)
    check_same_dtype("src", src.dtype, "dst", dst.dtype)
    check_extents("shapes", shapes, static=True)
    check_length("dst_offset", dst_offset, len(dst.shape), "the tile")
    check_length("src_offset", src_offset, len(src.shape), "the tensor")
    check_length("shapes", shapes, len(src.shape), "the tensor")
    missing = len(shapes) - len(dst.shape)
    if missing > 0 and any(extent != 1 for extent in shapes[:missing]):
        raise problem(
            "PL203",
            "shapes",
            "the window has more axes than the tile",
            found=list_text(shapes),
            expected=f"{missing} leading extents of 1",
        )
    if valid_shape is not None:
        check_valid("valid_shape", valid_shape, shapes)
    return same(dst, dst.space)


@tile_gather_row.evaluator(moves=("dst", "src"), whole=("dst", "src"))
def _(
    np: Numpy,
    dst: Elements,
    src: Elements,
    dst_offset: tuple[int, ...],
    src_offset: tuple[int, ...],
    shapes: tuple[int, ...],
    transpose: bool,
    valid_shape: tuple[int, ...] | None,
) -> Elements:
    read = src[window("src", src.shape, src_offset, shapes if valid_shape is None else valid_shape)]
    matched = read.reshape((1,) * (dst.ndim - read.ndim) + read.shape[max(0, read.ndim - dst.ndim) :])
    turned = matched.swapaxes(-2, -1) if transpose and dst.ndim > 1 else matched
    gathered = dst.copy()
    gathered[window("dst", dst.shape, dst_offset, turned.shape)] = turned
    return gathered
