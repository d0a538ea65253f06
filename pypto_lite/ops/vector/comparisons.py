"""Operators that compare elements, and operators that choose elements by the bits that comparing makes."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Final

from pypto_lite.ir import CompareMode, Dims, DType, ScalarType, TileLayout, TileType
from pypto_lite.ir.dims import ceil_divide, round_up
from pypto_lite.ir.dtypes import DTYPES, UINT8
from pypto_lite.ops.framework.parameters import TakesDType, supplied
from pypto_lite.ops.framework.problems import check_dtype, check_integer, check_rank, problem
from pypto_lite.ops.rules.layouts import FRACTAL, broadcast, like, view
from pypto_lite.ops.rules.numeric import Types, alongside, as_bits, in_type_of, selected
from pypto_lite.ops.vector.elementwise import pairwise, vector_operator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy

COMPARISONS: Final[Mapping[CompareMode, Callable[[Any, Any], Any]]] = {
    CompareMode.eq: operator.eq,
    CompareMode.ne: operator.ne,
    CompareMode.lt: operator.lt,
    CompareMode.le: operator.le,
    CompareMode.gt: operator.gt,
    CompareMode.ge: operator.ge,
}
"""What each mode of ``cmp`` asks of two numbers; nothing but ``ne`` holds for nan."""


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

    [..., N] and [..., N], broadcast, give [..., ceil(N / 8) rounded up to 32], of which ceil(N / 8) is valid. A bit is
    set where the relation holds, which of nan only ``"ne"`` does; the first of eight elements is the lowest bit.
    ``cmp_type`` is ``"eq"``, ``"ne"``, ``"lt"``, ``"le"``, ``"gt"`` or ``"ge"``, or its number from 0.

    Raises PL203 where the shapes do not match.
    """
    return compared(lhs, broadcast("rhs", lhs.shape, rhs.shape))


@tile_cmp.evaluator
def _(np: Numpy, lhs: Elements, rhs: Elements, cmp_type: CompareMode, types: Types) -> Elements:
    return as_bits(np, COMPARISONS[cmp_type](lhs, alongside("rhs", rhs, types["rhs"].shape, lhs.shape)))


@vector_operator(
    "tile.cmps", spellings=("cmp", "cmps"), layouts=("lhs",), result_layout=TileLayout.row_major, carried=("cmp_type",)
)
def tile_cmps(lhs: TileType, rhs: ScalarType, cmp_type: CompareMode = supplied(CompareMode.eq)) -> TileType:
    """Compares the elements with a scalar; as ``cmp``."""
    return compared(lhs, lhs.shape)


@tile_cmps.evaluator
def _(np: Numpy, lhs: Elements, rhs: float, cmp_type: CompareMode) -> Elements:
    return as_bits(np, COMPARISONS[cmp_type](lhs, np.asarray(rhs)))


@vector_operator(
    "tile.sel",
    spellings=("sel",),
    layouts=("mask", "lhs", "rhs", "tmp"),
    result_layout=TileLayout.row_major,
    no_alias=("mask", "tmp"),
)
def tile_sel(mask: TileType, lhs: TileType, rhs: TileType, tmp: TileType) -> TileType:
    """``lhs`` where the bit of ``mask`` (as ``cmp`` makes it) is set, else ``rhs``; ``tmp`` is scratch.

    A mask of wider integers than bytes has the bit of the first element lowest, too. ``lhs`` and ``rhs`` are broadcast
    and promoted as in ``add``; the valid region and order are those of ``lhs``.

    Raises PL203 where their shapes do not match.
    """
    return pairwise(lhs, rhs)


@tile_sel.evaluator
def _(np: Numpy, mask: Elements, lhs: Elements, rhs: Elements, types: Types, result: Extents) -> Elements:
    other = alongside("rhs", rhs, types["rhs"].shape, result.valid)
    chosen = selected(np, mask, types["mask"], result.valid)
    return np.where(chosen, in_type_of(np, lhs, result), in_type_of(np, other, result))


def signed(dtype: DType) -> DType:
    """The signed integer type of the same width; other types are themselves."""
    return DTYPES[dtype.name.removeprefix("U")] if dtype.category == "uint" else dtype


@vector_operator(
    "tile.sels",
    spellings=("sels",),
    layouts=("mask", "src", "tmp", "scalar"),
    result_layout=TileLayout.row_major,
    no_alias=("mask",),
    literals={"scalar": TakesDType("src", signed)},
)
def tile_sels(mask: TileType, src: TileType, tmp: TileType, scalar: ScalarType) -> TileType:
    """``src`` where the bit of ``mask`` (as ``cmp`` makes it) is set, else the scalar; ``tmp`` is scratch.

    Two-dimensional. ``mask`` holds integers of 8, 16 or 32 bits; the scalar has the element type of ``src``, or the
    signed one of its width.

    Raises PL203 or PL204 otherwise.
    """
    check_rank("mask", mask, 2)
    check_rank("src", src, 2)
    check_integer("mask", mask.dtype)
    if mask.dtype.bits not in (8, 16, 32):
        raise problem("PL204", "mask", "mask has the wrong width", found=mask.dtype, expected="8, 16 or 32 bits")
    check_dtype("scalar", scalar.dtype, (signed(src.dtype),))
    return like(src)


@tile_sels.evaluator
def _(np: Numpy, mask: Elements, src: Elements, scalar: float, types: Types, result: Extents) -> Elements:
    return np.where(selected(np, mask, types["mask"], result.valid), src, np.asarray(scalar).astype(src.dtype))
