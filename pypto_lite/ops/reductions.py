"""Operators that reduce the rows or the columns of a tile."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import DType, MemorySpace, TileLayout, TileType, TileView, implicit_tile_view
from pypto_lite.ir.dims import provably_less
from pypto_lite.ir.dtypes import FP16, FP32, INT16, INT32
from pypto_lite.ops.elementwise import vector_operator
from pypto_lite.ops.layouts import fresh, view
from pypto_lite.ops.problems import check_dtype, check_same_dtype, check_shape, list_text, problem

if TYPE_CHECKING:
    from pypto_lite.ops.declaration import Elements, Numpy

_ACCUMULATION: Final = """\
Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails."""

_ROW_DETAILS: Final = f"""\
{_ACCUMULATION}

[..., M, N] gives [..., M, 1], laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the same
element type and rank, each extent at least as large as that of ``tile``.

Raises PL203 for less than two dimensions or too small a scratch, PL204 for its element type, PL208 for a tile of which
nothing is valid."""

_POSITION: Final = "Only what is valid counts. Of several that are equal it is the first; nan prevails."

_ROW_INDEX_DETAILS: Final = f"""\
{_POSITION}

[..., M, N] gives [..., M, 1] of INT32, laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the
same shape and element type.

Raises PL203 or PL204 for another scratch, PL208 for a tile of which nothing is valid."""

_COLUMN_DETAILS: Final = f"""\
{_ACCUMULATION}

The first axis is reduced: [M, ...] gives [1, ...]; the valid columns stay valid.

Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid."""

_COLUMN_INDEX_DETAILS: Final = f"""\
{_POSITION}

The first axis is reduced: [M, ...] gives [1, ...] of INT32; the valid columns stay valid. ``tmp_tile`` is scratch.

Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid."""

_reduction = partial(vector_operator, aliases={"tile": ("input",)})
_rows = partial(_reduction, in_place_safe=False, details=_ROW_DETAILS)
_row_index = partial(_reduction, in_place_safe=False, details=_ROW_INDEX_DETAILS)
_columns = partial(_reduction, details=_COLUMN_DETAILS)
_column_index = partial(_reduction, in_place_safe=False, details=_COLUMN_INDEX_DETAILS)


def check_reducible(tile: TileType) -> None:
    """PL203 for less than two dimensions, PL208 for a tile of which provably nothing is valid."""
    if len(tile.shape) < 2:
        raise problem(
            "PL203",
            "tile",
            "tile must have rows and columns",
            found=list_text(tile.shape),
            expected="at least 2 dimensions",
        )
    if any(extent == 0 for extent in tile.valid_shape if isinstance(extent, int)):
        raise problem(
            "PL208",
            "tile",
            "nothing of the tile is valid",
            found=list_text(tile.valid_shape),
            expected="extents of at least 1",
        )


def reduced_rows(tile: TileType, dtype: DType | None = None) -> TileType:
    """The shared result of a row reduction."""
    check_reducible(tile)
    shape = (*tile.shape[:-1], 1)
    by_columns = TileView((), TileLayout.col_major)
    element = tile.dtype if dtype is None else dtype
    return TileType(shape, element, None, view(by_columns, shape, (*tile.valid_shape[:-1], 1)))


def rows(tile: TileType, tmp_tile: TileType) -> TileType:
    """The shared rule of a row reduction with scratch that is at least as large as the tile."""
    result = reduced_rows(tile)
    check_same_dtype("tmp_tile", tmp_tile.dtype, "tile", tile.dtype)
    same_rank = len(tmp_tile.shape) == len(tile.shape)
    if not same_rank or any(map(provably_less, tmp_tile.shape, tile.shape)):
        raise problem(
            "PL203",
            "tmp_tile",
            "the scratch tile is too small",
            found=list_text(tmp_tile.shape),
            expected=f"at least {list_text(tile.shape)}",
        )
    return result


def row_index(tile: TileType, tmp_tile: TileType) -> TileType:
    """The shared rule of a row reduction to a position."""
    result = reduced_rows(tile, INT32)
    check_same_dtype("tmp_tile", tmp_tile.dtype, "tile", tile.dtype)
    check_shape("tmp_tile", tmp_tile.shape, tile.shape, "of tile")
    return result


def some(tile: Elements, axis: int) -> Elements:
    """The elements that are reduced along an axis. Raises UserError (PL506) where nothing is there."""
    if tile.shape[axis] == 0:
        raise problem(
            "PL506",
            "tile",
            "nothing of the tile is valid",
            found=list_text(tile.shape),
            expected="extents of at least 1",
        )
    return tile


def columns(tile: TileType, dtype: DType | None = None) -> TileType:
    """The shared rule of a column reduction."""
    check_reducible(tile)
    element = tile.dtype if dtype is None else dtype
    return fresh((1, *tile.shape[1:]), element, (1, *tile.valid_shape[1:]))


@_rows("tile.row_sum", spellings=("row_sum",))
def tile_row_sum(tile: TileType, tmp_tile: TileType) -> TileType:
    """Sum of each row."""
    return rows(tile, tmp_tile)


@tile_row_sum.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.sum(some(tile, axis=-1), axis=-1, keepdims=True)


@_rows("tile.row_max", spellings=("row_max",))
def tile_row_max(tile: TileType, tmp_tile: TileType) -> TileType:
    """Largest element of each row."""
    return rows(tile, tmp_tile)


@tile_row_max.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.max(some(tile, axis=-1), axis=-1, keepdims=True)


@_rows("tile.row_prod", spellings=("row_prod",))
def tile_row_prod(tile: TileType, tmp_tile: TileType) -> TileType:
    """Product of each row."""
    return rows(tile, tmp_tile)


@tile_row_prod.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.prod(some(tile, axis=-1), axis=-1, keepdims=True)


@_rows("tile.row_min", spellings=("row_min",))
def tile_row_min(tile: TileType, tmp_tile: TileType) -> TileType:
    """Smallest element of each row of an INT16, INT32, FP16 or FP32 tile (PL204) that lies flat (PL210)."""
    check_dtype("tile", tile.dtype, (INT16, INT32, FP16, FP32))
    result = rows(tile, tmp_tile)
    own, flat = tile.effective_view, implicit_tile_view(tile.shape, MemorySpace.Vec)
    if (own.blayout, own.slayout) != (flat.blayout, flat.slayout):
        raise problem(
            "PL210",
            "tile",
            "tile must lie flat",
            found=f"{own.blayout.name} order, {own.slayout.name} boxes",
            expected=f"{flat.blayout.name} order, no boxes",
        )
    return result


@tile_row_min.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.min(some(tile, axis=-1), axis=-1, keepdims=True)


@_columns("tile.col_sum", spellings=("col_sum",))
def tile_col_sum(tile: TileType, tmp_tile: TileType | None = None) -> TileType:
    """Sum of each column; with scratch ``tmp_tile`` added up as a binary tree."""
    return columns(tile)


@tile_col_sum.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.sum(some(tile, axis=0), axis=0, keepdims=True)


@_columns("tile.col_max", spellings=("col_max",))
def tile_col_max(tile: TileType) -> TileType:
    """Largest element of each column."""
    return columns(tile)


@tile_col_max.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.max(some(tile, axis=0), axis=0, keepdims=True)


@_columns("tile.col_min", spellings=("col_min",))
def tile_col_min(tile: TileType) -> TileType:
    """Smallest element of each column."""
    return columns(tile)


@tile_col_min.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.min(some(tile, axis=0), axis=0, keepdims=True)


@_columns("tile.col_prod", spellings=("col_prod",))
def tile_col_prod(tile: TileType) -> TileType:
    """Product of each column."""
    return columns(tile)


@tile_col_prod.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.prod(some(tile, axis=0), axis=0, keepdims=True)


@_row_index("tile.row_argmax", spellings=("row_argmax",))
def tile_row_argmax(tile: TileType, tmp_tile: TileType) -> TileType:
    """Position of the largest element of each row."""
    return row_index(tile, tmp_tile)


@tile_row_argmax.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.argmax(some(tile, axis=-1), axis=-1, keepdims=True)


@_row_index("tile.row_argmin", spellings=("row_argmin",))
def tile_row_argmin(tile: TileType, tmp_tile: TileType) -> TileType:
    """Position of the smallest element of each row."""
    return row_index(tile, tmp_tile)


@tile_row_argmin.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.argmin(some(tile, axis=-1), axis=-1, keepdims=True)


@_column_index("tile.col_argmax", spellings=("col_argmax",))
def tile_col_argmax(tile: TileType, tmp_tile: TileType) -> TileType:
    """Position of the largest element of each column."""
    return columns(tile, INT32)


@tile_col_argmax.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.argmax(some(tile, axis=0), axis=0, keepdims=True)


@_column_index("tile.col_argmin", spellings=("col_argmin",))
def tile_col_argmin(tile: TileType, tmp_tile: TileType) -> TileType:
    """Position of the smallest element of each column."""
    return columns(tile, INT32)


@tile_col_argmin.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.argmin(some(tile, axis=0), axis=0, keepdims=True)
