"""Operators that combine each row of a tile with one element, or each column."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import TileLayout, TileType, promote
from pypto_lite.ir.dims import provably_different, provably_equal
from pypto_lite.ir.dtypes import FP16, FP32, INT8, INT16, INT32
from pypto_lite.ops.framework.families import OfTwo, declare_family
from pypto_lite.ops.framework.problems import check_dtype, check_same_dtype, list_text, problem
from pypto_lite.ops.rules.layouts import like
from pypto_lite.ops.rules.numeric import alongside, quotient
from pypto_lite.ops.vector.elementwise import VECTOR_DETAILS, vector_operator

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy

PACKED_ROW_BYTES: Final = 32
"""How many bytes a row of a packed vector takes: one block of the vector core."""

_ROW_DETAILS: Final = f"""\
[..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
{VECTOR_DETAILS}

Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first."""

_COLUMN_DETAILS: Final = f"""\
[..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
{VECTOR_DETAILS}

Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first."""

_rows = partial(
    vector_operator, no_alias=("row_vec",), aliases={"tile": ("lhs",), "row_vec": ("rhs",)}, details=_ROW_DETAILS
)
_columns = partial(
    vector_operator,
    no_alias=("col_tile",),
    aliases={"tile": ("lhs",), "col_tile": ("col_vec", "rhs")},
    details=_COLUMN_DETAILS,
)


def by_rows(tile: TileType, row_vec: TileType) -> TileType:
    """The shared rule of a tile and one element per row."""
    check_rows(tile, row_vec)
    if row_vec.shape[-1] != 1:
        raise problem(
            "PL203",
            "row_vec",
            "row_vec must be one column",
            found=list_text(row_vec.shape),
            expected="a last extent of 1",
            hint="pl.row_sum and its siblings make such tiles",
        )
    return like(tile, dtype=promote(tile.dtype, row_vec.dtype))


def check_rows(tile: TileType, row_vec: TileType) -> None:
    """PL203 where the two provably have different numbers of rows."""
    rows, own = tile.shape[-2:-1], row_vec.shape[-2:-1]
    if not rows or not own or provably_different(rows[0], own[0]):
        raise problem(
            "PL203",
            "row_vec",
            "row_vec must have as many rows as the tile",
            found=list_text(row_vec.shape),
            expected=f"the rows of {list_text(tile.shape)}",
        )
    check_matrices("row_vec", row_vec, tile)


def check_matrices(operand: str, vector: TileType, tile: TileType) -> None:
    """PL203 where a vector has more axes than the tile, or provably as many matrices as would not match the tile's."""
    rank = len(vector.shape)
    matched = zip(vector.shape[:-2], tile.shape[-rank:-2], strict=False)
    if rank > len(tile.shape) or any(provably_different(own, 1) and provably_different(own, of) for own, of in matched):
        raise problem(
            "PL203",
            operand,
            f"{operand} does not fit the leading axes of the tile",
            found=list_text(vector.shape),
            expected=f"leading extents of 1, or those of {list_text(tile.shape)}",
        )


def by_columns(tile: TileType, col_tile: TileType) -> TileType:
    """The shared rule of a tile and one element per column."""
    shape = col_tile.shape
    several_rows = any(provably_different(rows, 1) for rows in shape[-2:-1])
    if several_rows or provably_different(shape[-1], tile.shape[-1]):
        raise problem(
            "PL203",
            "col_tile",
            "col_tile must be one row with as many columns as the tile",
            found=list_text(shape),
            expected=f"[1, {tile.shape[-1]!r}]",
        )
    check_matrices("col_tile", col_tile, tile)
    return like(tile, dtype=promote(tile.dtype, col_tile.dtype))


@_rows("tile.row_expand", spellings=("row_expand",), aliases={"target": ("lhs", "tile"), "row_vec": ("rhs",)})
def tile_row_expand(target: TileType, row_vec: TileType) -> TileType:
    """Each element of ``row_vec`` spread over its row; ``target`` gives the shape."""
    return by_rows(target, row_vec)


@tile_row_expand.evaluator(elementwise=True)
def _(np: Numpy, row_vec: Elements, result: Extents) -> Elements:
    return np.broadcast_to(row_vec, result.valid)


_BY_ROWS: Final[OfTwo] = [
    ("tile.row_expand_sub", "``tile - row_vec``, row by row.", lambda np, tile, row_vec: tile - row_vec),
    ("tile.row_expand_div", "``tile / row_vec``, row by row.", lambda np, tile, row_vec: quotient(np, tile, row_vec)),
    ("tile.row_expand_mul", "``tile * row_vec``, row by row.", lambda np, tile, row_vec: tile * row_vec),
    (
        "tile.row_expand_max",
        "The larger of ``tile`` and ``row_vec``, row by row.",
        lambda np, tile, row_vec: np.maximum(tile, row_vec),
    ),
    (
        "tile.row_expand_min",
        "The smaller of ``tile`` and ``row_vec``, row by row.",
        lambda np, tile, row_vec: np.minimum(tile, row_vec),
    ),
    (
        "tile.row_expand_expdif",
        "``exp(tile - row_vec)``, row by row.",
        lambda np, tile, row_vec: np.exp(tile - row_vec),
    ),
]

declare_family(_rows, by_rows, _BY_ROWS, elementwise=True)


@_rows("tile.row_expand_add", spellings=("row_expand_add",), no_alias=("row_vec", "tmp"), details=VECTOR_DETAILS)
def tile_row_expand_add(tile: TileType, row_vec: TileType, tmp: TileType | None = None) -> TileType:
    """``tile + row_vec``, row by row; ``tmp`` is scratch.

    [..., M, N] and [..., M, 1] by columns, or [..., M, 32 bytes] by rows with the element repeated, give [..., M, N].
    Both have the same element type, INT8, INT16, INT32, FP16 or FP32, and as many valid rows.

    Raises PL203, PL204, PL208 for other valid rows, or PL210 for another layout.
    """
    check_dtype("tile", tile.dtype, (INT8, INT16, INT32, FP16, FP32))
    check_same_dtype("row_vec", row_vec.dtype, "tile", tile.dtype)
    check_rows(tile, row_vec)
    if not _is_row_vector(row_vec):
        raise problem(
            "PL210",
            "row_vec",
            "row_vec is neither one column nor packed",
            found=repr(row_vec),
            expected=f"one column in col_major order, or rows of {PACKED_ROW_BYTES} bytes in row_major order",
        )
    if not provably_equal(tile.valid_shape[-2], row_vec.valid_shape[-2]):
        raise problem(
            "PL208",
            "row_vec",
            "row_vec must have as many valid rows as the tile",
            found=list_text(row_vec.valid_shape),
            expected=f"the valid rows of {list_text(tile.valid_shape)}",
        )
    return like(tile)


@tile_row_expand_add.evaluator
def _(np: Numpy, tile: Elements, row_vec: Elements) -> Elements:
    return tile + alongside("row_vec", row_vec[..., :1], (*tile.shape[:-1], 1), tile.shape)


def _is_row_vector(row_vec: TileType) -> bool:
    if row_vec.effective_view.blayout is TileLayout.col_major:
        return provably_equal(row_vec.valid_shape[-1], 1)
    columns = row_vec.shape[-1]
    return isinstance(columns, int) and columns * row_vec.dtype.storage_bits == PACKED_ROW_BYTES * 8


@_columns(
    "tile.col_expand", spellings=("col_expand",), aliases={"target": ("lhs", "tile"), "col_tile": ("col_vec", "rhs")}
)
def tile_col_expand(target: TileType, col_tile: TileType) -> TileType:
    """Each element of ``col_tile`` spread over its column; ``target`` gives the shape."""
    return by_columns(target, col_tile)


@tile_col_expand.evaluator(elementwise=True)
def _(np: Numpy, col_tile: Elements, result: Extents) -> Elements:
    return np.broadcast_to(col_tile, result.valid)


_BY_COLUMNS: Final[OfTwo] = [
    ("tile.col_expand_mul", "``tile * col_tile``, column by column.", lambda np, tile, col_tile: tile * col_tile),
    ("tile.col_expand_add", "``tile + col_tile``, column by column.", lambda np, tile, col_tile: tile + col_tile),
    (
        "tile.col_expand_div",
        "``tile / col_tile``, column by column.",
        lambda np, tile, col_tile: quotient(np, tile, col_tile),
    ),
    ("tile.col_expand_sub", "``tile - col_tile``, column by column.", lambda np, tile, col_tile: tile - col_tile),
    (
        "tile.col_expand_max",
        "The larger of ``tile`` and ``col_tile``, column by column.",
        lambda np, tile, col_tile: np.maximum(tile, col_tile),
    ),
    (
        "tile.col_expand_min",
        "The smaller of ``tile`` and ``col_tile``, column by column.",
        lambda np, tile, col_tile: np.minimum(tile, col_tile),
    ),
    (
        "tile.col_expand_expdif",
        "``exp(tile - col_tile)``, column by column.",
        lambda np, tile, col_tile: np.exp(tile - col_tile),
    ),
]

declare_family(_columns, by_columns, _BY_COLUMNS, elementwise=True)
