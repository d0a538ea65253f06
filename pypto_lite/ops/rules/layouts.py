"""The types that many operators give their results: what stays of an operand's layout, and what a fresh tile has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.ir import CompactMode, Dim, Dims, DType, MemorySpace, TileLayout, TileType, TileView, implicit_tile_view
from pypto_lite.ir.dims import all_provably_equal, provably_different, provably_equal
from pypto_lite.ops.framework.problems import list_text, problem

if TYPE_CHECKING:
    from collections.abc import Sequence

FLAT = TileView()
"""Rows one behind the other, no boxes: what vector operators work on."""

FLAT_COLUMNS = TileView((), TileLayout.col_major)
"""Columns one behind the other, no boxes."""

FRACTAL = 512
"""The size of a box in bytes everywhere but in Acc and the scale buffers."""

BOXED = TileView((), TileLayout.col_major, TileLayout.row_major, FRACTAL)
"""How Mat and Left hold a matrix."""

BOXED_TURNED = TileView((), TileLayout.row_major, TileLayout.col_major, FRACTAL)
"""How Mat holds a matrix that the cube core reads transposed, and Right holds its own."""

ACCUMULATED = implicit_tile_view((), MemorySpace.Acc)
"""How Acc holds a result of the cube core."""


def view(base: TileView, shape: Dims, valid: Dims) -> TileView:
    """The layout of ``base`` with this valid region and no stride or offset."""
    region = () if valid is shape or all_provably_equal(shape, valid) else valid
    if not region and not base.valid_shape and not base.stride and base.start_offset is None:
        return base
    return TileView(region, base.blayout, base.slayout, base.fractal, base.pad, base.compact)


def narrowed(tile: TileType, valid: Dims) -> TileView:
    """The tile's own layout, with its stride and offset, and another valid region."""
    own = tile.effective_view
    return own.replace(valid_shape=() if all_provably_equal(tile.shape, valid) else valid)


def fresh(shape: Dims, dtype: DType, valid: Dims | None = None) -> TileType:
    """A flat row-major tile, as operators make them that lay out their result anew."""
    return TileType(shape, dtype, None, view(FLAT, shape, shape if valid is None else valid))


def flat_by_shape(shape: Dims) -> TileView:
    """The flat layout: column-major for a constant [n, 1] with n > 1, else row-major."""
    return implicit_tile_view(shape, None)


def like(tile: TileType, shape: Dims | None = None, dtype: DType | None = None) -> TileType:
    """What an element-wise operator makes of its first operand: its valid region, order, pad and compactness.

    The boxes become the ordinary size. The valid region is the operand's own, even where broadcasting widens the
    shape. The space is left open, and so is the allocation.
    """
    shape = tile.shape if shape is None else shape
    dtype = tile.dtype if dtype is None else dtype
    if tile.view is None and tile.space in (None, MemorySpace.Vec) and shape is tile.shape:
        return TileType(shape, dtype)
    source = tile.effective_view
    base = TileView((), source.blayout, source.slayout, FRACTAL, source.pad, source.compact)
    return TileType(shape, dtype, None, view(base, shape, tile.valid_shape))


def same(tile: TileType, space: MemorySpace | None = None) -> TileType:
    """The type of an operand whose elements were changed in place: its layout and valid region."""
    return TileType(tile.shape, tile.dtype, space, tile.effective_view)


def accumulated(shape: Dims, dtype: DType, valid: Dims, compact: CompactMode = CompactMode.null) -> TileType:
    """A result of the cube core, boxed as Acc holds it."""
    base = ACCUMULATED if compact is CompactMode.null else ACCUMULATED.replace(compact=compact)
    return TileType(shape, dtype, MemorySpace.Acc, view(base, shape, valid))


def broadcast(operand: str, lhs: Dims, rhs: Dims) -> Dims:
    """The shape of an element-wise result: aligned at the right, each pair equal or one of them 1.

    Raises UserError (PL203) where a pair is provably neither, or is not known to be equal.
    """
    if lhs == rhs:
        return lhs
    if len(lhs) < len(rhs):
        return (*rhs[: len(rhs) - len(lhs)], *_broadcast(operand, lhs, rhs[len(rhs) - len(lhs) :], lhs, rhs))
    return (*lhs[: len(lhs) - len(rhs)], *_broadcast(operand, lhs[len(lhs) - len(rhs) :], rhs, lhs, rhs))


def _broadcast(operand: str, lhs: Sequence[Dim], rhs: Sequence[Dim], first: Dims, second: Dims) -> list[Dim]:
    shape: list[Dim] = []
    for left, right in zip(lhs, rhs, strict=True):
        if isinstance(left, int) and left == 1:
            shape.append(right)
        elif (isinstance(right, int) and right == 1) or provably_equal(left, right):
            shape.append(left)
        else:
            known = "do not match" if provably_different(left, right) else "are not known to match"
            raise problem(
                "PL203",
                operand,
                f"the shapes of the operands {known}",
                found=f"{list_text(first)} and {list_text(second)}",
                expected="extents that are equal, or 1, from the last one backwards",
            )
    return shape
