"""Operators that look at a tile's buffer in another way, without copying it."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING

from pypto_lite.ir import Dim, Dims, DType, Expr, PadValue, TileLayout, TileType, TileView, expr_dim
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dims import floor_divide, multiply, product, provably_different
from pypto_lite.ir.dtypes import BF16, FP16, FP32, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64
from pypto_lite.ops.framework.declaration import INHERIT, Core
from pypto_lite.ops.framework.problems import (
    check_dtype,
    check_extents,
    check_length,
    check_rank,
    check_valid,
    list_text,
    problem,
)
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.rules.layouts import flat_by_shape, narrowed, view
from pypto_lite.ops.rules.regions import Source, dropped_axes, read_window, reshaped_region, without_axes
from pypto_lite.ops.rules.windows import window

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy
    from pypto_lite.ops.framework.parameters import Index

view_operator = partial(operator, result=INHERIT, core=Core.BY_OPERAND)
"""Declares an operator whose result lives where its tile lives."""

_REINTERPRETED = (INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FP16, FP32, BF16)


@view_operator("tile.slice", spellings=("slice",), view_of="input", aliases={"input": ("tile",)})
def tile_slice(
    input: TileType,  # noqa: A002 - users write it so
    shape: Dims,
    offset: Dims,
    valid_shape: Dims | None = None,
    drop_dims: Dims | None = None,
    pad_value: PadValue | None = None,
) -> TileType:
    """A window of a tile, without copying: [*shape] at ``offset``.

    ``shape`` is constant and lies inside the tile. The valid part is what the tile has valid there, or less where
    ``valid_shape`` says so. ``drop_dims`` names axes of extent 1 that the result loses; it keeps at least two.

    Raises PL203 for shapes that do not fit, PL206 for a window that provably leaves the tile, PL208 for a valid region
    larger than the window.
    """
    rank = len(input.shape)
    check_extents("shape", shape, static=True)
    check_length("shape", shape, rank, "the tile")
    check_length("offset", offset, rank, "the tile")
    if valid_shape is not None:
        check_length("valid_shape", valid_shape, rank, "the tile")
    valid = read_window(Source("input", input.shape, input.valid_shape), offset, shape, valid_shape, whole=True)
    dropped = dropped_axes("drop_dims", drop_dims or (), shape, valid)
    shape, valid = without_axes(shape, dropped), without_axes(valid, dropped)
    units = (1,) * (2 - len(shape))
    shape, valid = (*units, *shape), (*units, *valid)
    base = flat_by_shape(shape) if input.view is None else input.view
    if pad_value is not None:
        base = base.replace(pad=pad_value)
    return TileType(shape, input.dtype, None, view(base, shape, valid))


@tile_slice.evaluator
def _(
    np: Numpy,
    input: Elements,  # noqa: A002
    shape: tuple[int, ...],
    offset: tuple[int, ...],
    result: Extents,
) -> Elements:
    return input[window("input", input.shape, offset, shape)].reshape(result.shape)


@view_operator("tile.reshape", spellings=("reshape",), view_of="input", aliases={"input": ("tile",)})
def tile_reshape(input: TileType, shape: Dims) -> TileType:  # noqa: A002 - users write it so
    """The same elements in another shape, row by row, without copying.

    The valid region follows where the new shape can express it; the result is flat.

    Raises PL203 for another number of elements, PL208 for a valid region that has no place in the new shape.
    """
    check_extents("shape", shape, static=False)
    check_count("shape", input.shape, shape)
    valid = reshaped_region("input", input.shape, input.valid_shape, shape)
    own = input.effective_view
    base = flat_by_shape(shape).replace(pad=own.pad, compact=own.compact)
    return TileType(shape, input.dtype, None, view(base, shape, valid))


@tile_reshape.evaluator
def _(np: Numpy, input: Elements, result: Extents) -> Elements:  # noqa: A002
    return reshaped("input", input, result.shape)


def reshaped(operand: str, elements: Elements, shape: tuple[int, ...]) -> Elements:
    """The elements in another shape, row by row. PL505 where there are more or less of them."""
    if elements.size != prod(shape):
        raise problem(
            "PL505",
            operand,
            f"the new shape has another number of elements than {operand}",
            found=f"{list(shape)}: {prod(shape)}",
            expected=f"{elements.size}, as {list(elements.shape)}",
        )
    return elements.reshape(shape)


def check_count(operand: str, shape: Dims, reshaped: Dims) -> None:
    """PL203 where two shapes provably have different numbers of elements."""
    if provably_different(product(shape), product(reshaped)):
        raise problem(
            "PL203",
            operand,
            "the new shape has another number of elements",
            found=f"{list_text(reshaped)}: {product(reshaped)!r}",
            expected=f"{product(shape)!r}, as {list_text(shape)}",
        )


@view_operator(
    "tile.reinterpret_view", spellings=("reinterpret_view",), view_of="data", aliases={"data": ("input", "tile")}
)
def tile_reinterpret_view(data: TileType, dtype: DType, *, shape: Dims | None = None) -> TileType:
    """The same bytes as elements of another type, without copying.

    The contiguous axis becomes longer or shorter by the ratio of the widths; ``shape`` gives another shape of as many
    bytes. Integers of 8 to 64 bits, FP16, FP32 and BF16; the tile is flat and packed.

    Raises PL203 for bytes that do not fit, PL204 for other element types, PL210 for a tile that is not flat.
    """
    check_dtype("data", data.dtype, _REINTERPRETED)
    check_dtype("dtype", dtype, _REINTERPRETED)
    own = data.effective_view
    if own.slayout is not TileLayout.none_box or own.stride:
        raise problem(
            "PL210", "data", "the tile must be flat and packed", found=data, expected="a tile without boxes and stride"
        )
    axis = _contiguous_axis(data, own)
    scaled = _scaled("data", data.shape, axis, data.dtype, dtype)
    valid = _scaled("data", data.valid_shape, axis, data.dtype, dtype)
    if shape is not None:
        check_extents("shape", shape, static=False)
        check_count("shape", scaled, shape)
        scaled, valid = shape, reshaped_region("data", scaled, valid, shape)
    pad = own.pad if own.pad is PadValue.zero else PadValue.null
    return TileType(scaled, dtype, None, view(flat_by_shape(scaled).replace(pad=pad), scaled, valid))


@tile_reinterpret_view.evaluator
def _(np: Numpy, data: Elements, result: Extents) -> Elements:
    size = data.dtype.itemsize
    if data.ndim > 1 and data.shape[-1] > 1 and data.strides[-1] != size and data.strides[-2] == size:
        return np.swapaxes(np.swapaxes(data, -1, -2).view(result.storage), -1, -2).reshape(result.shape)
    if data.strides[-1] == size and data.shape[-1] * size % result.storage.itemsize == 0:
        return data.view(result.storage).reshape(result.shape)
    return data.reshape(-1).view(result.storage).reshape(result.shape)


def _contiguous_axis(tile: TileType, layout: TileView) -> int:
    """The axis whose elements lie side by side."""
    last = len(tile.shape) - 1
    return last - 1 if layout.blayout is TileLayout.col_major and last else last


def _scaled(operand: str, dims: Dims, axis: int, before: DType, after: DType) -> Dims:
    """The extents with one axis scaled by the ratio of two element widths; PL203 where it does not divide."""
    extent = dims[axis]
    bits = multiply(extent, before.bits)
    if isinstance(bits, int) and bits % after.bits:
        raise problem(
            "PL203",
            operand,
            "the bytes of the contiguous axis are no whole number of the new elements",
            found=f"{extent!r} elements of {before.bits} bits",
            expected=f"a multiple of {after.bits} bits",
        )
    if before.bits >= after.bits:
        scaled: Dim = multiply(extent, before.bits // after.bits)
    else:
        scaled = floor_divide(extent, after.bits // before.bits)
    return (*dims[:axis], scaled, *dims[axis + 1 :])


@view_operator("tile.transpose_view", view_of="input", transposes=True, aliases={"input": ("tile",)})
def tile_transpose_view(input: TileType) -> TileType:  # noqa: A002 - users write it so
    """The tile with its last two axes exchanged, without copying: [..., M, N] gives [..., N, M].

    The order of rows and columns is exchanged too, in the whole and in the boxes, so the bytes stay where they are.

    Raises PL203 for less than two dimensions.
    """
    check_matrix(input)
    own = input.effective_view
    base = own.replace(blayout=_turned(own.blayout), slayout=_turned(own.slayout), stride=(), start_offset=None)
    shape = _exchanged(input.shape)
    return TileType(shape, input.dtype, input.space, view(base, shape, _exchanged(input.valid_shape)))


@tile_transpose_view.evaluator
def _(np: Numpy, input: Elements) -> Elements:  # noqa: A002
    return np.swapaxes(input, -1, -2)


def check_matrix(tile: TileType) -> None:
    """PL203 for a tile of less than two dimensions."""
    if len(tile.shape) < 2:
        raise problem(
            "PL203",
            "input",
            "the tile must have rows and columns",
            found=list_text(tile.shape),
            expected="at least 2 dimensions",
        )


def _turned(layout: TileLayout) -> TileLayout:
    turned = {TileLayout.row_major: TileLayout.col_major, TileLayout.col_major: TileLayout.row_major}
    return turned.get(layout, layout)


def _exchanged(dims: Dims) -> Dims:
    return (*dims[:-2], dims[-1], dims[-2])


@view_operator("tile.set_validshape", spellings=("set_validshape",), view_of="tile", aliases={"tile": ("input",)})
def tile_set_validshape(tile: TileType, valid_rows: Index, valid_cols: Index) -> TileType:
    """The same tile with another valid region, [valid_rows, valid_cols], without copying.

    Raises PL203 for other than two dimensions, PL204 for extents that are no INT64, UINT64 or INDEX, PL208 for a region
    that is provably negative or larger than the tile.
    """
    check_rank("tile", tile, 2)
    valid = _extent("valid_rows", valid_rows), _extent("valid_cols", valid_cols)
    check_valid("valid_rows", valid[:1], tile.shape[:1])
    check_valid("valid_cols", valid[1:], tile.shape[1:])
    return TileType(tile.shape, tile.dtype, None, narrowed(tile, valid))


@tile_set_validshape.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return tile


def _extent(operand: str, value: Expr) -> Dim:
    dtype = scalar_dtype(value)
    if not dtype.is_index_like:
        raise problem(
            "PL204",
            operand,
            f"{operand} must be an index",
            found=dtype,
            expected="INDEX, INT64 or UINT64",
            hint="convert it with pl.cast(..., pl.INDEX)",
        )
    return expr_dim(value)
