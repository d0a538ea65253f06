"""Element-wise operators of a tile and a scalar."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import Const, Expr, ScalarType, TileLayout, TileType, promote
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dtypes import BF16, FP16, FP32, INDEX, INT8, INT16, INT32, DType
from pypto_lite.ops.framework.parameters import TakesDType
from pypto_lite.ops.framework.problems import check_dtype, check_integer, problem
from pypto_lite.ops.rules.layouts import like
from pypto_lite.ops.rules.numeric import quotient, shift_count
from pypto_lite.ops.vector.elementwise import BROADCAST_DETAILS, VECTOR_DETAILS, pairwise, vector_operator

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy

_SCALAR_DETAILS: Final = f"""\
The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
{VECTOR_DETAILS}"""

_ARITHMETIC: Final = (INT8, INT16, INT32, FP16, FP32, BF16)

_unconstrained = partial(vector_operator, details=_SCALAR_DETAILS)
_with_scalar = partial(_unconstrained, layouts=("lhs", "rhs"), result_layout=TileLayout.row_major)


def with_scalar(tile: TileType, scalar: Expr, operand: str = "rhs") -> TileType:
    """The shared rule of a tile and a scalar that takes no part in the element type."""
    check_no_index(scalar, tile.dtype, operand)
    return like(tile)


def check_no_index(scalar: Expr, dtype: DType, operand: str) -> None:
    """PL204 for an INDEX value beside tile elements: it has no element type that a vector operator knows."""
    if scalar_dtype(scalar) is INDEX and not isinstance(scalar, Const) and dtype is not INDEX:
        raise problem(
            "PL204",
            operand,
            f"{operand} is an INDEX value, which cannot stand beside tile elements",
            found="INDEX",
            expected=repr(dtype),
            hint=f"convert it with pl.cast(..., pl.{dtype.name})",
        )


def integers_with_scalar(tile: TileType, scalar: Expr) -> TileType:
    """The shared rule of an integer tile and an integer scalar."""
    check_integer("lhs", tile.dtype)
    check_integer("rhs", scalar_dtype(scalar))
    return like(tile)


@_with_scalar("tile.adds", spellings=("add", "tile.add"))
def tile_adds(lhs: TileType, rhs: Expr) -> TileType:
    """``lhs + rhs`` with a scalar."""
    return with_scalar(lhs, rhs)


@tile_adds.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return lhs + rhs


@_with_scalar("tile.subs", spellings=("sub", "tile.sub"))
def tile_subs(lhs: TileType, rhs: Expr) -> TileType:
    """``lhs - rhs`` with a scalar, each INT8, INT16, INT32, FP16, FP32 or BF16 (PL204)."""
    check_dtype("lhs", lhs.dtype, _ARITHMETIC)
    check_no_index(rhs, lhs.dtype, "rhs")
    check_dtype("rhs", scalar_dtype(rhs), _ARITHMETIC)
    return like(lhs)


@tile_subs.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return lhs - rhs


@_with_scalar("tile.muls", spellings=("mul", "tile.mul"))
def tile_muls(lhs: TileType, rhs: Expr) -> TileType:
    """``lhs * rhs`` with a scalar."""
    return with_scalar(lhs, rhs)


@tile_muls.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return lhs * rhs


@_with_scalar("tile.divs", spellings=("div", "tile.div"))
def tile_divs(lhs: TileType, rhs: Expr) -> TileType:
    """``lhs / rhs`` with a scalar; of integers rounded towards zero, and 0 where ``rhs`` is 0."""
    return with_scalar(lhs, rhs)


@tile_divs.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return quotient(np, lhs, rhs)


@_with_scalar("tile.fmods", spellings=("fmod", "fmods"), in_place_safe=False)
def tile_fmods(lhs: TileType, rhs: Expr) -> TileType:
    """Remainder of the division by a scalar towards zero, with the sign of ``lhs``; by zero as ``fmod``."""
    return with_scalar(lhs, rhs)


@tile_fmods.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return np.fmod(lhs, rhs)


@_with_scalar("tile.maximums", spellings=("maximum", "maximums", "tile.maximum"))
def tile_maximums(lhs: TileType, rhs: Expr) -> TileType:
    """The larger one of each element and a scalar; nan where one of them is."""
    return with_scalar(lhs, rhs)


@tile_maximums.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return np.maximum(lhs, rhs)


@_unconstrained("tile.minimums", spellings=("minimum", "minimums", "tile.minimum"))
def tile_minimums(lhs: TileType, rhs: Expr) -> TileType:
    """The smaller one of each element and a scalar; nan where one of them is."""
    return with_scalar(lhs, rhs)


@tile_minimums.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return np.minimum(lhs, rhs)


@_unconstrained(
    "tile.lrelu",
    spellings=("lrelu",),
    layouts=("tile", "slope"),
    result_layout=TileLayout.row_major,
    literals={"slope": TakesDType(dtype=FP32)},
)
def tile_lrelu(tile: TileType, slope: Expr) -> TileType:
    """``tile`` where it is positive, else ``tile * slope``; a literal slope is FP32.

    Integers times a float are rounded to the nearest; an integer slope takes the element type of the tile.
    """
    return with_scalar(tile, slope, "slope")


@tile_lrelu.evaluator
def _(np: Numpy, tile: Elements, slope: float) -> Elements:
    factor = slope if isinstance(slope, float) else np.asarray(slope).astype(tile.dtype)
    return np.where(tile > 0, tile, tile * factor)


@_unconstrained("tile.ands", spellings=("and_", "ands", "tile.and_"), in_place_safe=False)
def tile_ands(lhs: TileType, rhs: Expr) -> TileType:
    """Bitwise ``lhs & rhs`` of integers with a scalar; PL204 for others."""
    return integers_with_scalar(lhs, rhs)


@tile_ands.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return lhs & rhs


@_unconstrained("tile.ors", spellings=("or_", "ors", "tile.or_"), in_place_safe=False)
def tile_ors(lhs: TileType, rhs: Expr) -> TileType:
    """Bitwise ``lhs | rhs`` of integers with a scalar; PL204 for others."""
    return integers_with_scalar(lhs, rhs)


@tile_ors.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return lhs | rhs


@_unconstrained("tile.xors", spellings=("xor", "xors", "tile.xor"), in_place_safe=False)
def tile_xors(lhs: TileType, rhs: Expr, tmp: TileType) -> TileType:
    """Bitwise ``lhs ^ rhs`` of integers with a scalar; ``tmp`` is scratch. PL204 for others."""
    return integers_with_scalar(lhs, rhs)


@tile_xors.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return lhs ^ rhs


@_unconstrained("tile.shls", spellings=("shl", "shls", "tile.shl"))
def tile_shls(lhs: TileType, rhs: Expr) -> TileType:
    """Shift to the left, ``lhs << rhs``, of integers by a scalar, as ``shl``; PL204 for others."""
    return integers_with_scalar(lhs, rhs)


@tile_shls.evaluator
def _(np: Numpy, lhs: Elements, rhs: int, result: Extents) -> Elements:
    return lhs << shift_count(np, np.asarray(rhs), lhs, result)


@_unconstrained("tile.shrs", spellings=("shr", "shrs", "tile.shr"))
def tile_shrs(lhs: TileType, rhs: Expr) -> TileType:
    """Shift to the right, ``lhs >> rhs``, of integers by a scalar, as ``shr``; PL204 for others."""
    return integers_with_scalar(lhs, rhs)


@tile_shrs.evaluator
def _(np: Numpy, lhs: Elements, rhs: int, result: Extents) -> Elements:
    return lhs >> shift_count(np, np.asarray(rhs), lhs, result)


def scalar_between(lhs: TileType, rhs: ScalarType, other: TileType) -> TileType:
    """The shared rule of two tiles and a scalar, all of which take part in the element type."""
    return pairwise(lhs, other, promote(promote(lhs.dtype, rhs.dtype), other.dtype))


_between_details = BROADCAST_DETAILS + "\nThe scalar takes part in the element type."


@vector_operator("tile.rems", spellings=("rem", "rems", "tile.rem"), details=_between_details)
def tile_rems(lhs: TileType, rhs: ScalarType, tmp: TileType) -> TileType:
    """Remainder of the floor division by a scalar, as ``rem``.

    ``tmp`` is scratch, and takes part in shape and element type.
    """
    return scalar_between(lhs, rhs, tmp)


@tile_rems.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements, result: Extents) -> Elements:
    return np.broadcast_to(np.remainder(lhs, rhs), result.valid)


@vector_operator(
    "tile.addsc",
    spellings=("addsc",),
    layouts=("lhs", "rhs", "rhs2"),
    result_layout=TileLayout.row_major,
    details=_between_details,
)
def tile_addsc(lhs: TileType, rhs: ScalarType, rhs2: TileType) -> TileType:
    """``lhs + rhs + rhs2`` with a scalar in the middle."""
    return scalar_between(lhs, rhs, rhs2)


@tile_addsc.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements, rhs2: Elements) -> Elements:
    return lhs + rhs + rhs2


@vector_operator(
    "tile.subsc",
    spellings=("subsc",),
    layouts=("lhs", "rhs", "rhs2"),
    result_layout=TileLayout.row_major,
    details=_between_details,
)
def tile_subsc(lhs: TileType, rhs: ScalarType, rhs2: TileType) -> TileType:
    """``lhs - rhs + rhs2`` with a scalar in the middle."""
    return scalar_between(lhs, rhs, rhs2)


@tile_subsc.evaluator(elementwise=True)
def _(np: Numpy, lhs: Elements, rhs: Elements, rhs2: Elements) -> Elements:
    return lhs - rhs + rhs2


@vector_operator("tile.expands", spellings=("expands",))
def tile_expands(target: TileType, scalar: ScalarType) -> TileType:
    """A tile like ``target`` with every element the scalar.

    The element type is that of both combined, so an FP32 scalar widens an FP16 tile.
    """
    return like(target, dtype=promote(target.dtype, scalar.dtype))


@tile_expands.evaluator(elementwise=True)
def _(np: Numpy, scalar: Elements, result: Extents) -> Elements:
    return np.full(result.valid, scalar)
