"""Element-wise operators on two or three tiles."""

from __future__ import annotations

from functools import partial
from typing import Final

from pypto_lite.ir import CompareMode, Dims, DType, MemorySpace, ScalarType, TileLayout, TileType, promote
from pypto_lite.ir.dims import all_provably_equal, ceil_divide, round_up
from pypto_lite.ir.dtypes import FP16, FP32, INT16, INT32, UINT8
from pypto_lite.ops.declaration import Core, Elements, Numpy, supplied
from pypto_lite.ops.layouts import FRACTAL, broadcast, like, view
from pypto_lite.ops.problems import check_dtype, check_integer, check_rank, check_same_dtype, list_text, problem
from pypto_lite.ops.registry import operator

VECTOR_DETAILS: Final = """\
The result keeps the first tile's valid region, order and pad."""

BROADCAST_DETAILS: Final = """\
Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
the wider one, at equal width the first (or the signed one).

The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

Raises PL203 where the shapes do not match."""

vector_operator = partial(operator, spaces=MemorySpace.Vec, result=MemorySpace.Vec, core=Core.VECTOR)
"""Declares an operator that the vector core runs, on tiles in Vec only."""

_pairwise = partial(
    vector_operator, layouts=("lhs", "rhs"), result_layout=TileLayout.row_major, details=BROADCAST_DETAILS
)
_partial = partial(
    vector_operator,
    layouts=("src0", "src1"),
    result_layout=TileLayout.row_major,
    aliases={"src0": ("lhs",), "src1": ("rhs",)},
    details=BROADCAST_DETAILS,
)


def pairwise(lhs: TileType, rhs: TileType, dtype: DType | None = None) -> TileType:
    """The shared rule of two broadcast tiles."""
    shape = broadcast("rhs", lhs.shape, rhs.shape)
    return like(lhs, shape, promote(lhs.dtype, rhs.dtype) if dtype is None else dtype)


def integers(lhs: TileType, rhs: TileType, dtype: DType | None = None) -> TileType:
    """The shared rule of two broadcast tiles of integers."""
    check_integer("lhs", lhs.dtype)
    check_integer("rhs", rhs.dtype)
    return pairwise(lhs, rhs, dtype)


@_pairwise("tile.add", spellings=("add",))
def tile_add(lhs: TileType, rhs: TileType) -> TileType:
    """Sum, ``lhs + rhs``."""
    return pairwise(lhs, rhs)


@tile_add.meaning(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return lhs + rhs


@_pairwise("tile.sub", spellings=("sub",))
def tile_sub(lhs: TileType, rhs: TileType) -> TileType:
    """Difference, ``lhs - rhs``."""
    return pairwise(lhs, rhs)


@_pairwise("tile.mul", spellings=("mul",))
def tile_mul(lhs: TileType, rhs: TileType) -> TileType:
    """Product of the elements, ``lhs * rhs``."""
    return pairwise(lhs, rhs)


@_pairwise("tile.maximum", spellings=("maximum",))
def tile_maximum(lhs: TileType, rhs: TileType) -> TileType:
    """The larger element of each pair."""
    return pairwise(lhs, rhs)


@_pairwise("tile.minimum", spellings=("minimum",))
def tile_minimum(lhs: TileType, rhs: TileType) -> TileType:
    """The smaller element of each pair."""
    return pairwise(lhs, rhs)


@_pairwise("tile.fmod", spellings=("fmod",), in_place_safe=False)
def tile_fmod(lhs: TileType, rhs: TileType) -> TileType:
    """Remainder of the division towards zero, with the sign of ``lhs``, as C's ``fmod``."""
    return pairwise(lhs, rhs)


@vector_operator(
    "tile.div", spellings=("div",), layouts=("lhs", "rhs"), result_layout=TileLayout.row_major, details=VECTOR_DETAILS
)
def tile_div(lhs: TileType, rhs: TileType, high_precision: bool = False) -> TileType:
    """Quotient, ``lhs / rhs``.

    Both tiles have the same shape, valid region and element type, which is INT16, INT32, FP16 or FP32;
    ``high_precision`` needs FP16 or FP32.

    Raises PL203 for another shape, PL204 for another element type, PL208 for another valid region.
    """
    check_dtype("lhs", lhs.dtype, (INT16, INT32, FP16, FP32))
    check_same_dtype("rhs", rhs.dtype, "lhs", lhs.dtype)
    check_high_precision(high_precision, lhs.dtype)
    check_same_region("rhs", rhs, "lhs", lhs)
    return like(lhs)


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


@_partial("tile.part_add", spellings=("part_add",))
def tile_part_add(src0: TileType, src1: TileType) -> TileType:
    """Sum where both tiles are valid; where only one is, its element."""
    return pairwise(src0, src1)


@_partial("tile.part_mul", spellings=("part_mul",))
def tile_part_mul(src0: TileType, src1: TileType) -> TileType:
    """Product where both tiles are valid; where only one is, its element."""
    return pairwise(src0, src1)


@_partial("tile.part_max", spellings=("part_max",))
def tile_part_max(src0: TileType, src1: TileType) -> TileType:
    """The larger element where both tiles are valid; where only one is, its element."""
    return pairwise(src0, src1)


@_partial("tile.part_min", spellings=("part_min",))
def tile_part_min(src0: TileType, src1: TileType) -> TileType:
    """The smaller element where both tiles are valid; where only one is, its element."""
    return pairwise(src0, src1)


@_pairwise("tile.and", spellings=("and_",))
def tile_and(lhs: TileType, rhs: TileType) -> TileType:
    """Bitwise ``lhs & rhs`` of integers; PL204 for others."""
    return integers(lhs, rhs)


@_pairwise("tile.or", spellings=("or_",))
def tile_or(lhs: TileType, rhs: TileType) -> TileType:
    """Bitwise ``lhs | rhs`` of integers; PL204 for others."""
    return integers(lhs, rhs)


@_pairwise("tile.shl", spellings=("shl",))
def tile_shl(lhs: TileType, rhs: TileType) -> TileType:
    """Shift to the left, ``lhs << rhs``, of integers; the result has the element type of ``lhs``. PL204 for others."""
    return integers(lhs, rhs, lhs.dtype)


@_pairwise("tile.shr", spellings=("shr",))
def tile_shr(lhs: TileType, rhs: TileType) -> TileType:
    """Shift to the right, ``lhs >> rhs``, of integers; the result has the element type of ``lhs``. PL204 for others."""
    return integers(lhs, rhs, lhs.dtype)


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


@vector_operator(
    "tile.rem",
    spellings=("rem",),
    layouts=("lhs", "rhs", "tmp"),
    result_layout=TileLayout.row_major,
    details=BROADCAST_DETAILS,
)
def tile_rem(lhs: TileType, rhs: TileType, tmp: TileType) -> TileType:
    """Remainder of the floor division, with the sign of ``rhs``; ``tmp`` is scratch."""
    return pairwise(lhs, rhs)


def threefold(lhs: TileType, rhs: TileType, rhs2: TileType) -> TileType:
    """The shared rule of three broadcast tiles."""
    shape = broadcast("rhs2", broadcast("rhs", lhs.shape, rhs.shape), rhs2.shape)
    return like(lhs, shape, promote(promote(lhs.dtype, rhs.dtype), rhs2.dtype))


@vector_operator("tile.addc", spellings=("addc",), details=BROADCAST_DETAILS)
def tile_addc(lhs: TileType, rhs: TileType, rhs2: TileType) -> TileType:
    """Sum of three, ``lhs + rhs + rhs2``."""
    return threefold(lhs, rhs, rhs2)


@vector_operator("tile.subc", spellings=("subc",), details=BROADCAST_DETAILS)
def tile_subc(lhs: TileType, rhs: TileType, rhs2: TileType) -> TileType:
    """``lhs - rhs + rhs2``."""
    return threefold(lhs, rhs, rhs2)


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


@vector_operator(
    "tile.sel",
    spellings=("sel",),
    layouts=("mask", "lhs", "rhs", "tmp"),
    result_layout=TileLayout.row_major,
    no_alias=("mask", "tmp"),
)
def tile_sel(mask: TileType, lhs: TileType, rhs: TileType, tmp: TileType) -> TileType:
    """``lhs`` where the bit of ``mask`` (as ``cmp`` makes it) is set, else ``rhs``; ``tmp`` is scratch.

    ``lhs`` and ``rhs`` are broadcast and promoted as in ``add``; the valid region and order are those of ``lhs``.

    Raises PL203 where their shapes do not match.
    """
    return pairwise(lhs, rhs)


def compared(lhs: TileType, shape: Dims) -> TileType:
    """One bit for each element of the shape, packed into bytes; rows are padded to 32 bytes."""
    packed = (*shape[:-1], round_up(ceil_divide(shape[-1], 8), 32))
    valid = lhs.valid_shape
    source = lhs.effective_view
    base = source.replace(valid_shape=(), fractal=FRACTAL, stride=(), start_offset=None)
    return TileType(packed, UINT8, None, view(base, packed, (*valid[:-1], ceil_divide(valid[-1], 8))))


@vector_operator("tile.cmp", spellings=("cmp",), carried=("cmp_type",))
def tile_cmp(lhs: TileType, rhs: TileType, cmp_type: CompareMode = supplied(CompareMode.eq)) -> TileType:
    """Compares the elements: a UINT8 tile of one bit for each.

    [..., N] and [..., N], broadcast, give [..., ceil(N / 8) rounded up to 32], of which ceil(N / 8) is valid.
    ``cmp_type`` is ``"eq"``, ``"ne"``, ``"lt"``, ``"le"``, ``"gt"`` or ``"ge"``, or its number from 0.

    Raises PL203 where the shapes do not match.
    """
    return compared(lhs, broadcast("rhs", lhs.shape, rhs.shape))


@vector_operator(
    "tile.cmps", spellings=("cmp", "cmps"), layouts=("lhs",), result_layout=TileLayout.row_major, carried=("cmp_type",)
)
def tile_cmps(lhs: TileType, rhs: ScalarType, cmp_type: CompareMode = supplied(CompareMode.eq)) -> TileType:
    """Compares the elements with a scalar; as ``cmp``."""
    return compared(lhs, lhs.shape)
