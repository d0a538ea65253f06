"""Array expressions that the meanings of several vector operators share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from pypto_lite.ir import Dims, TileType
from pypto_lite.ops.framework.problems import list_text, problem

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy

Types: TypeAlias = Mapping[str, TileType]
"""The types of the operands of a call, as its meaning gets them."""


def quotient(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    """``lhs / rhs``; of integers the quotient towards zero, and 0 where ``rhs`` is 0."""
    if lhs.dtype.kind == "f":
        return lhs / rhs
    return (lhs - np.fmod(lhs, rhs)) // rhs


def shift_count(np: Numpy, count: Elements, lhs: Elements, result: Extents) -> Elements:
    """By how many bits ``lhs`` is shifted: by all that it has where the count is negative or larger."""
    width = result.dtype.bits
    return np.where((count < 0) | (count >= width), width, count).astype(lhs.dtype)


def in_type_of(np: Numpy, elements: Elements, result: Extents) -> Elements:
    """The elements in the type in which the result is computed."""
    if result.dtype.is_float:
        return elements.astype(np.float32)
    return elements if result.dtype.bits < 8 else elements.astype(result.storage)


def alongside(operand: str, elements: Elements, shape: Dims, region: tuple[int, ...]) -> Elements:
    """The part of an operand's valid elements that meets a region, aligned at the right.

    ``shape`` is all of the operand; where it is 1 it is broadcast. Raises UserError (PL504) where the operand is not
    valid in the whole region.
    """
    valid = elements.shape
    reach = region[-len(valid) :] if len(region) >= len(valid) else (1,) * (len(valid) - len(region)) + region
    met = [min(limit, 1) if _is_one(whole) else limit for whole, limit in zip(shape, reach, strict=True)]
    if any(extent < limit for extent, limit in zip(valid, met, strict=True)):
        raise problem(
            "PL504",
            operand,
            f"{operand} is not valid in the whole region that is computed",
            found=list_text(valid),
            expected=f"at least {met}",
            hint="pl.fillpad gives a value to what is not valid",
        )
    return elements[tuple([slice(0, limit) for limit in met])]


def where_both(
    np: Numpy, src0: Elements, src1: Elements, types: Types, result: Extents, combine: Callable[[Any, Any], Elements]
) -> Elements:
    """Both combined where ``src1`` is valid too, in the valid region of ``src0``; elsewhere ``src0``."""
    elements = np.array(np.broadcast_to(in_type_of(np, src0, result), result.valid))
    region = result.valid[len(result.valid) - src1.ndim :]
    met: list[int] = []
    for whole, valid, limit in zip(types["src1"].shape, src1.shape, region, strict=True):
        broadcast = _is_one(whole) and valid == 1
        met.append(limit if broadcast else min(valid, limit))
    both = (..., *[slice(0, extent) for extent in met])
    elements[both] = combine(elements[both], in_type_of(np, src1, result)[both])
    return elements


def _is_one(extent: object) -> bool:
    return isinstance(extent, int) and extent == 1


def as_bits(np: Numpy, conditions: Elements) -> Elements:
    """One bit for each condition, eight in a byte, the first in the lowest bit."""
    return np.packbits(conditions, axis=-1, bitorder="little")


def selected(np: Numpy, mask: Elements, type_: TileType, region: tuple[int, ...]) -> Elements:
    """The conditions that a mask of bits holds for a region; in words as in bytes the first is in the lowest bit.

    Raises UserError (PL203) for a mask of more axes, PL204 for one that holds no words of bits, PL504 where it is
    smaller than the region.
    """
    if mask.ndim > len(region):
        raise problem(
            "PL203",
            "mask",
            "mask has more axes than the tiles it chooses from",
            found=list_text(mask.shape),
            expected=f"at most {len(region)}",
        )
    if not type_.dtype.is_int or type_.dtype.bits < 8:
        raise problem(
            "PL204", "mask", "a mask holds bits in integers", found=type_.dtype, expected="UINT8, as pl.cmp makes it"
        )
    octets = np.ascontiguousarray(mask).view(np.uint8)
    bits = np.unpackbits(octets, axis=-1, bitorder="little")
    return alongside("mask", bits, (*type_.shape[:-1], bits.shape[-1]), region).astype(bool)
