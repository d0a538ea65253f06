"""Operators that reduce the rows or the columns of a tile."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import DType, MemorySpace, TileLayout, TileType, TileView, implicit_tile_view
from pypto_lite.ir.dims import provably_less
from pypto_lite.ir.dtypes import FP16, FP32, INT16, INT32
from pypto_lite.ops.framework.families import OfOne, declare_family
from pypto_lite.ops.framework.problems import check_dtype, check_same_dtype, check_shape, list_text, problem
from pypto_lite.ops.rules.layouts import fresh, view
from pypto_lite.ops.vector.elementwise import vector_operator

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Numpy

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


def columns(tile: TileType) -> TileType:
    """The shared rule of a column reduction."""
    check_reducible(tile)
    return fresh((1, *tile.shape[1:]), tile.dtype, (1, *tile.valid_shape[1:]))


def column_index(tile: TileType, tmp_tile: TileType) -> TileType:
    """The shared rule of a column reduction to a position."""
    check_reducible(tile)
    return fresh((1, *tile.shape[1:]), INT32, (1, *tile.valid_shape[1:]))


_OF_ROWS: Final[OfOne] = [
    ("tile.row_sum", "Sum of each row.", lambda np, tile: np.sum(some(tile, -1), axis=-1, keepdims=True)),
    ("tile.row_max", "Largest element of each row.", lambda np, tile: np.max(some(tile, -1), axis=-1, keepdims=True)),
    ("tile.row_prod", "Product of each row.", lambda np, tile: np.prod(some(tile, -1), axis=-1, keepdims=True)),
]

declare_family(_rows, rows, _OF_ROWS)


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
    return np.min(some(tile, -1), axis=-1, keepdims=True)


@_columns("tile.col_sum", spellings=("col_sum",))
def tile_col_sum(tile: TileType, tmp_tile: TileType | None = None) -> TileType:
    """Sum of each column; with scratch ``tmp_tile`` added up as a binary tree."""
    return columns(tile)


@tile_col_sum.evaluator
def _(np: Numpy, tile: Elements) -> Elements:
    return np.sum(some(tile, 0), axis=0, keepdims=True)


_OF_COLUMNS: Final[OfOne] = [
    ("tile.col_max", "Largest element of each column.", lambda np, tile: np.max(some(tile, 0), axis=0, keepdims=True)),
    ("tile.col_min", "Smallest element of each column.", lambda np, tile: np.min(some(tile, 0), axis=0, keepdims=True)),
    ("tile.col_prod", "Product of each column.", lambda np, tile: np.prod(some(tile, 0), axis=0, keepdims=True)),
]

_POSITIONS_IN_ROWS: Final[OfOne] = [
    (
        "tile.row_argmax",
        "Position of the largest element of each row.",
        lambda np, tile: np.argmax(some(tile, -1), axis=-1, keepdims=True),
    ),
    (
        "tile.row_argmin",
        "Position of the smallest element of each row.",
        lambda np, tile: np.argmin(some(tile, -1), axis=-1, keepdims=True),
    ),
]

_POSITIONS_IN_COLUMNS: Final[OfOne] = [
    (
        "tile.col_argmax",
        "Position of the largest element of each column.",
        lambda np, tile: np.argmax(some(tile, 0), axis=0, keepdims=True),
    ),
    (
        "tile.col_argmin",
        "Position of the smallest element of each column.",
        lambda np, tile: np.argmin(some(tile, 0), axis=0, keepdims=True),
    ),
]

declare_family(_columns, columns, _OF_COLUMNS)
declare_family(_row_index, row_index, _POSITIONS_IN_ROWS)
declare_family(_column_index, column_index, _POSITIONS_IN_COLUMNS)
