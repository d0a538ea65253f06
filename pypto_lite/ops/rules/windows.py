"""Windows and elements at run time, for the meanings of operators: as indices of arrays, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite.ops.framework.meaning import Elements, Numpy, Partial
from pypto_lite.ops.framework.problems import problem

if TYPE_CHECKING:
    from collections.abc import Sequence


def window(operand: str, shape: Sequence[int], offsets: Sequence[int], extents: Sequence[int]) -> tuple[slice, ...]:
    """The index of the window of these extents at these offsets. PL505 where it leaves the shape."""
    index: list[slice] = []
    for start, extent, whole in zip(offsets, extents, shape, strict=True):
        if extent and not 0 <= start <= whole - extent:
            raise problem(
                "PL505",
                operand,
                f"the window leaves {operand} in axis {len(index)}",
                found=f"offset {list(offsets)} and extents {list(extents)}",
                expected=f"a window inside {list(shape)}",
            )
        index.append(slice(start, start + extent))
    return tuple(index)


def cut_window(
    operand: str, shape: Sequence[int], offsets: Sequence[int], extents: Sequence[int], needed: Sequence[int]
) -> tuple[slice, ...]:
    """The index of a window as far as there are elements. PL505 where what is ``needed`` of it leaves the shape."""
    window(operand, shape, offsets, needed)
    ends = [min(start + extent, whole) for start, extent, whole in zip(offsets, extents, shape, strict=True)]
    return tuple([slice(start, max(start, end)) for start, end in zip(offsets, ends, strict=True)])


def element(operand: str, shape: Sequence[int], indices: Sequence[int]) -> tuple[int, ...]:
    """The index of one element. PL505 where it is outside the shape in some axis."""
    for axis, (index, extent) in enumerate(zip(indices, shape, strict=True)):
        if not 0 <= index < extent:
            raise problem(
                "PL505",
                "indices",
                f"the index of axis {axis} is outside {operand}",
                found=str(list(indices)),
                expected=f"at least 0 and less than {list(shape)}",
                hint="a pl.reshape to one row counts elements through all rows" if axis and index >= extent else None,
            )
    return tuple(indices)


def check_positions(operand: str, positions: Elements, count: int, where: str) -> None:
    """PL505 where a position is not one of ``count`` elements."""
    outside = positions[(positions < 0) | (positions >= count)]
    if outside.size:
        raise problem(
            "PL505",
            operand,
            f"{operand} names a position outside {where}",
            found=str(outside[0]),
            expected=f"at least 0 and less than {count}",
        )


def shared_part(lhs: Elements, rhs: Elements) -> tuple[Elements, Elements]:
    """The part that two arrays of one shape both have, where either may have the smaller valid region."""
    both: Any = tuple([slice(0, min(extents)) for extents in zip(lhs.shape, rhs.shape, strict=True)])
    return lhs[both], rhs[both]


def in_corner(
    np: Numpy, part: Elements, shape: tuple[int, ...], known: Elements = True, made: Elements = False
) -> Elements | Partial:
    """A result of which only a part is computed, in its corner, and the rest has no value."""
    if part.shape == shape and known is True and made is False:
        return part
    corner: Any = tuple([slice(0, extent) for extent in part.shape])
    whole = Partial(np.zeros(shape, part.dtype), np.zeros(shape, bool), np.zeros(shape, bool))
    whole.elements[corner] = part
    whole.known[corner] = known
    whole.made[corner] = made
    return whole
