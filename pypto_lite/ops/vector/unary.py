"""Element-wise operators on one tile."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import CastMode, DType, TileLayout, TileType
from pypto_lite.ir.dtypes import FP16, FP32, INT16, UINT16
from pypto_lite.ops.framework.families import OfOne, declare_family
from pypto_lite.ops.framework.parameters import supplied
from pypto_lite.ops.framework.problems import check_dtype, check_shape, problem
from pypto_lite.ops.rules.layouts import like
from pypto_lite.ops.rules.numeric import Types, quotient
from pypto_lite.ops.rules.rounding import cast_to
from pypto_lite.ops.vector.elementwise import VECTOR_DETAILS, check_high_precision, check_same_dtype, vector_operator

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Numpy

_unary = partial(vector_operator, aliases={"tile": ("input",)}, details=VECTOR_DETAILS)
_row_major = partial(_unary, layouts=("tile",), result_layout=TileLayout.row_major)


def like_tile(tile: TileType) -> TileType:
    """The shared rule of a tile of any element type."""
    return like(tile)


def like_fp32(tile: TileType) -> TileType:
    """The shared rule of an FP32 tile."""
    check_dtype("tile", tile.dtype, (FP32,))
    return like(tile)


_NEGATION: Final[OfOne] = [("tile.neg", "``-tile``, for every element type.", lambda np, tile: -tile)]

_FUNCTIONS: Final[OfOne] = [
    (
        "tile.exp",
        "e to the power of each element; for integers rounded to the nearest, as all functions are.",
        lambda np, tile: np.exp(tile),
    ),
    ("tile.sqrt", "Square root.", lambda np, tile: np.sqrt(tile)),
    ("tile.abs", "Absolute value.", lambda np, tile: np.abs(tile)),
    ("tile.relu", "The element where it is positive, else 0; nan stays nan.", lambda np, tile: np.maximum(tile, 0)),
]

declare_family(_unary, like_tile, _NEGATION, elementwise=True)
declare_family(_row_major, like_tile, _FUNCTIONS, elementwise=True)


@_row_major("tile.recip", spellings=("recip",), in_place_safe=False)
def tile_recip(tile: TileType, high_precision: bool = False) -> TileType:
    """``1 / tile``; of integers rounded towards zero. ``high_precision`` needs FP16 or FP32 (PL204)."""
    check_high_precision(high_precision, tile.dtype)
    return like(tile)


@tile_recip.evaluator(elementwise=True)
def _(np: Numpy, tile: Elements) -> Elements:
    return quotient(np, np.ones_like(tile), tile)


@_row_major("tile.log", spellings=("log",), carried=("high_precision",))
def tile_log(tile: TileType, high_precision: bool = False) -> TileType:
    """Natural logarithm of an FP16 or FP32 tile; PL204 for others."""
    check_dtype("tile", tile.dtype, (FP16, FP32))
    return like(tile)


@tile_log.evaluator(elementwise=True)
def _(np: Numpy, tile: Elements) -> Elements:
    return np.log(tile)


_OF_FP32: Final[OfOne] = [
    ("tile.sin", "Sine of an FP32 tile; PL204 for others.", lambda np, tile: np.sin(tile)),
    ("tile.cos", "Cosine of an FP32 tile; PL204 for others.", lambda np, tile: np.cos(tile)),
]

declare_family(_unary, like_fp32, _OF_FP32, elementwise=True)


@_row_major("tile.not", spellings=("not_",))
def tile_not(tile: TileType) -> TileType:
    """Bitwise complement of an INT16 or UINT16 tile; PL204 for others."""
    check_dtype("tile", tile.dtype, (INT16, UINT16))
    return like(tile)


@tile_not.evaluator(elementwise=True)
def _(np: Numpy, tile: Elements) -> Elements:
    return ~tile


@_unary(
    "tile.rsqrt", spellings=("rsqrt",), layouts=("tile", "tmp"), result_layout=TileLayout.row_major, in_place_safe=False
)
def tile_rsqrt(tile: TileType, tmp: TileType | None = None, high_precision: bool = False) -> TileType:
    """``1 / sqrt(tile)``; with scratch ``tmp``, or ``high_precision`` (FP16, FP32), in high precision.

    Raises PL203 or PL204 where ``tmp`` has not the shape and the element type of ``tile``.
    """
    check_high_precision(high_precision, tile.dtype)
    if tmp is not None:
        check_same_dtype("tmp", tmp.dtype, "tile", tile.dtype)
        check_shape("tmp", tmp.shape, tile.shape, "of tile")
    return like(tile)


@tile_rsqrt.evaluator(elementwise=True)
def _(np: Numpy, tile: Elements) -> Elements:
    return 1 / np.sqrt(tile)


@_row_major("tile.cast", spellings=("cast",), carried=("mode",))
def tile_cast(tile: TileType, target_type: DType, mode: CastMode = supplied(CastMode.round)) -> TileType:
    """Converts the elements to ``target_type``.

    ``mode`` says how numbers are rounded that lie between two of ``target_type``: ``"rint"`` and ``"none"`` to the
    nearest, in the middle to the even one; ``"round"`` to the nearest, in the middle away from zero; ``"floor"`` down;
    ``"ceil"`` up; ``"trunc"`` towards zero; ``"odd"`` to the odd one. Or it is a number from 0, in the order none,
    rint, round, floor, ceil, trunc, odd.

    From floats to integers what is too large or too small becomes the largest or smallest integer, and nan 0. From
    integers to integers the lower bits are kept. From floats to floats what is too large becomes infinite, where the
    mode rounds that way and the type has infinity, else the largest number; nan is 0 in FP4, which has none.
    ``BOOL`` asks whether a number is not zero.

    Raises PL204 where the tile has that element type already.
    """
    if target_type is tile.dtype:
        raise problem(
            "PL204",
            "target_type",
            "the tile has this element type already",
            found=target_type,
            expected="another element type",
            hint="leave the cast out",
        )
    return like(tile, dtype=target_type)


@tile_cast.evaluator
def _(np: Numpy, tile: Elements, target_type: DType, mode: CastMode, types: Types) -> Elements:
    return cast_to(np, tile, types["tile"].dtype, target_type, mode)
