"""Element-wise operators on two or three tiles."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import DType, MemorySpace, TileLayout, TileType, promote
from pypto_lite.ir.dims import all_provably_equal
from pypto_lite.ir.dtypes import FP16, FP32, INT16, INT32
from pypto_lite.ops.framework.declaration import Core
from pypto_lite.ops.framework.families import OfThree, OfTwo, declare_family
from pypto_lite.ops.framework.problems import (
    check_dtype,
    check_integer,
    check_rank,
    check_same_dtype,
    list_text,
    problem,
)
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.rules.layouts import broadcast, like
from pypto_lite.ops.rules.numeric import Types, alongside, quotient, shift_count, where_both

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy

_ROUNDING: Final = "Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap."

VECTOR_DETAILS: Final = f"""\
{_ROUNDING}

The result keeps the first tile's valid region, order and pad."""

BROADCAST_DETAILS: Final = f"""\
Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
the wider one, at equal width the first (or the signed one). {_ROUNDING}

The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

Raises PL203 where the shapes do not match."""

vector_operator = partial(operator, spaces=MemorySpace.Vec, result=MemorySpace.Vec, core=Core.VECTOR)
"""Declares an operator that the vector core runs, on tiles in Vec only."""

_pairwise = partial(
    vector_operator, layouts=("lhs", "rhs"), result_layout=TileLayout.row_major, details=BROADCAST_DETAILS
)
_PARTIAL_DETAILS: Final = f"""\
``src1`` may be valid in less than ``src0``, or in more, which has no effect.

{BROADCAST_DETAILS}"""

_partial = partial(
    vector_operator,
    layouts=("src0", "src1"),
    result_layout=TileLayout.row_major,
    aliases={"src0": ("lhs",), "src1": ("rhs",)},
    details=_PARTIAL_DETAILS,
)


def pairwise(lhs: TileType, rhs: TileType, dtype: DType | None = None) -> TileType:
    """Two broadcast tiles; the result has the element type of both, or another one."""
    shape = broadcast("rhs", lhs.shape, rhs.shape)
    return like(lhs, shape, promote(lhs.dtype, rhs.dtype) if dtype is None else dtype)


def pair(lhs: TileType, rhs: TileType) -> TileType:
    """The shared rule of two broadcast tiles."""
    return pairwise(lhs, rhs)


def integers(lhs: TileType, rhs: TileType, dtype: DType | None = None) -> TileType:
    """Two broadcast tiles of integers."""
    check_integer("lhs", lhs.dtype)
    check_integer("rhs", rhs.dtype)
    return pairwise(lhs, rhs, dtype)


def pair_of_integers(lhs: TileType, rhs: TileType) -> TileType:
    """The shared rule of two broadcast tiles of integers."""
    return integers(lhs, rhs)


_ARITHMETIC: Final[OfTwo] = [
    ("tile.add", "Sum, ``lhs + rhs``.", lambda np, lhs, rhs: lhs + rhs),
    ("tile.sub", "Difference, ``lhs - rhs``.", lambda np, lhs, rhs: lhs - rhs),
    ("tile.mul", "Product of the elements, ``lhs * rhs``.", lambda np, lhs, rhs: lhs * rhs),
    (
        "tile.maximum",
        "The larger element of each pair; nan where one of them is.",
        lambda np, lhs, rhs: np.maximum(lhs, rhs),
    ),
    (
        "tile.minimum",
        "The smaller element of each pair; nan where one of them is.",
        lambda np, lhs, rhs: np.minimum(lhs, rhs),
    ),
]

declare_family(_pairwise, pair, _ARITHMETIC, elementwise=True)


@_pairwise("tile.fmod", spellings=("fmod",), in_place_safe=False)
def tile_fmod(lhs: TileType, rhs: TileType) -> TileType:
    """Remainder of the division towards zero, with the sign of ``lhs``, as C's ``fmod``.

    Where ``rhs`` is zero it is nan, or 0 for integers.
    """
    return pairwise(lhs, rhs)


@tile_fmod.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return np.fmod(lhs, rhs)


@vector_operator(
    "tile.div", spellings=("div",), layouts=("lhs", "rhs"), result_layout=TileLayout.row_major, details=VECTOR_DETAILS
)
def tile_div(lhs: TileType, rhs: TileType, high_precision: bool = False) -> TileType:
    """Quotient, ``lhs / rhs``; of integers rounded towards zero, and 0 where ``rhs`` is 0.

    Both tiles have the same shape, valid region and element type, which is INT16, INT32, FP16 or FP32;
    ``high_precision`` needs FP16 or FP32.

    Raises PL203 for another shape, PL204 for another element type, PL208 for another valid region.
    """
    check_dtype("lhs", lhs.dtype, (INT16, INT32, FP16, FP32))
    check_same_dtype("rhs", rhs.dtype, "lhs", lhs.dtype)
    check_high_precision(high_precision, lhs.dtype)
    check_same_region("rhs", rhs, "lhs", lhs)
    return like(lhs)


@tile_div.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return quotient(np, lhs, rhs)


def check_high_precision(high_precision: bool, dtype: DType) -> None:
    """PL204 where high precision is asked for an element type that has none."""
    if high_precision and dtype not in (FP16, FP32):
        raise problem(
            "PL204", "high_precision", "high_precision needs a float tile", found=dtype, expected="FP16 or FP32"
        )


def check_same_region(operand: str, tile: TileType, other_name: str, other: TileType) -> None:
    """PL203 or PL208 unless two tiles provably have the same shape and the same valid region."""
    if not all_provably_equal(tile.shape, other.shape):
        raise problem(
            "PL203",
            operand,
            f"{operand} must have the shape of {other_name}",
            found=list_text(tile.shape),
            expected=list_text(other.shape),
        )
    if not all_provably_equal(tile.valid_shape, other.valid_shape):
        raise problem(
            "PL208",
            operand,
            f"{operand} must have the valid region of {other_name}",
            found=list_text(tile.valid_shape),
            expected=list_text(other.valid_shape),
            hint="pl.set_validshape gives a tile another valid region",
        )


def partly_paired(src0: TileType, src1: TileType) -> TileType:
    """The shared rule of two broadcast tiles of which the second may be valid in less."""
    return pairwise(src0, src1)


_PARTIAL: Final[Sequence[tuple[str, str, Callable[[Numpy, Elements, Elements, Types, Extents], Elements]]]] = [
    (
        "tile.part_add",
        "Sum where both tiles are valid; the element of ``src0`` where only that is.",
        lambda np, src0, src1, types, result: where_both(np, src0, src1, types, result, np.add),
    ),
    (
        "tile.part_mul",
        "Product where both tiles are valid; the element of ``src0`` where only that is.",
        lambda np, src0, src1, types, result: where_both(np, src0, src1, types, result, np.multiply),
    ),
    (
        "tile.part_max",
        "The larger element where both tiles are valid; that of ``src0`` where only that is.",
        lambda np, src0, src1, types, result: where_both(np, src0, src1, types, result, np.maximum),
    ),
    (
        "tile.part_min",
        "The smaller element where both tiles are valid; that of ``src0`` where only that is.",
        lambda np, src0, src1, types, result: where_both(np, src0, src1, types, result, np.minimum),
    ),
]

declare_family(_partial, partly_paired, _PARTIAL)

_BITWISE: Final[OfTwo] = [
    ("tile.and", "Bitwise ``lhs & rhs`` of integers; PL204 for others.", lambda np, lhs, rhs: lhs & rhs),
    ("tile.or", "Bitwise ``lhs | rhs`` of integers; PL204 for others.", lambda np, lhs, rhs: lhs | rhs),
]

declare_family(_pairwise, pair_of_integers, _BITWISE, elementwise=True)


@_pairwise("tile.shl", spellings=("shl",))
def tile_shl(lhs: TileType, rhs: TileType) -> TileType:
    """Shift to the left, ``lhs << rhs``, of integers; the result has the element type of ``lhs``. PL204 for others.

    All bits are shifted out where the count is negative or at least the width of the element type.
    """
    return integers(lhs, rhs, lhs.dtype)


@tile_shl.evaluator
def _(np: Numpy, lhs: Elements, rhs: Elements, types: Types, result: Extents) -> Elements:
    count = alongside("rhs", rhs, types["rhs"].shape, result.valid)
    return lhs << shift_count(np, count, lhs, result)


@_pairwise("tile.shr", spellings=("shr",))
def tile_shr(lhs: TileType, rhs: TileType) -> TileType:
    """Shift to the right, ``lhs >> rhs``, of integers; the result has the element type of ``lhs``. PL204 for others.

    Signed integers keep their sign. All bits are shifted out where the count is negative or at least the width of the
    element type.
    """
    return integers(lhs, rhs, lhs.dtype)


@tile_shr.evaluator
def _(np: Numpy, lhs: Elements, rhs: Elements, types: Types, result: Extents) -> Elements:
    count = alongside("rhs", rhs, types["rhs"].shape, result.valid)
    return lhs >> shift_count(np, count, lhs, result)


@vector_operator(
    "tile.xor",
    spellings=("xor",),
    layouts=("lhs", "rhs", "tmp"),
    result_layout=TileLayout.row_major,
    details=BROADCAST_DETAILS,
)
def tile_xor(lhs: TileType, rhs: TileType, tmp: TileType) -> TileType:
    """Bitwise ``lhs ^ rhs`` of integers; ``tmp`` is scratch. PL204 for others."""
    return integers(lhs, rhs)


@tile_xor.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return lhs ^ rhs


@vector_operator(
    "tile.rem",
    spellings=("rem",),
    layouts=("lhs", "rhs", "tmp"),
    result_layout=TileLayout.row_major,
    details=BROADCAST_DETAILS,
)
def tile_rem(lhs: TileType, rhs: TileType, tmp: TileType) -> TileType:
    """Remainder of the floor division, with the sign of ``rhs``; ``tmp`` is scratch.

    Where ``rhs`` is zero it is nan, or 0 for integers.
    """
    return pairwise(lhs, rhs)


@tile_rem.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return np.remainder(lhs, rhs)


def threefold(lhs: TileType, rhs: TileType, rhs2: TileType) -> TileType:
    """The shared rule of three broadcast tiles."""
    shape = broadcast("rhs2", broadcast("rhs", lhs.shape, rhs.shape), rhs2.shape)
    return like(lhs, shape, promote(promote(lhs.dtype, rhs.dtype), rhs2.dtype))


_THREEFOLD: Final[OfThree] = [
    ("tile.addc", "Sum of three, ``lhs + rhs + rhs2``.", lambda np, lhs, rhs, rhs2: lhs + rhs + rhs2),
    ("tile.subc", "``lhs - rhs + rhs2``.", lambda np, lhs, rhs, rhs2: lhs - rhs + rhs2),
]

declare_family(partial(vector_operator, details=BROADCAST_DETAILS), threefold, _THREEFOLD, elementwise=True)


@vector_operator(
    "tile.prelu",
    spellings=("prelu",),
    layouts=("tile", "slope", "tmp"),
    result_layout=TileLayout.row_major,
    in_place_safe=False,
    details=VECTOR_DETAILS,
)
def tile_prelu(tile: TileType, slope: TileType, tmp: TileType) -> TileType:
    """``tile`` where it is positive, else ``tile * slope``; ``tmp`` is scratch.

    Two-dimensional, FP16 or FP32; ``slope`` has the element type, shape and valid region of ``tile``.

    Raises PL203, PL204 or PL208 otherwise.
    """
    check_dtype("tile", tile.dtype, (FP16, FP32))
    check_rank("tile", tile, 2)
    check_same_dtype("slope", slope.dtype, "tile", tile.dtype)
    check_same_region("slope", slope, "tile", tile)
    return like(tile)


@tile_prelu.evaluator(elementwise=True)
def _(np: Numpy, tile: Elements, slope: Elements) -> Elements:
    return np.where(tile > 0, tile, tile * slope)
