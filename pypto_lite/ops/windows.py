"""Windows and elements at run time, for the meanings of operators: as indices of arrays, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.ops.problems import problem

if TYPE_CHECKING:
    from collections.abc import Sequence


def window(operand: str, shape: Sequence[int], offsets: Sequence[int], extents: Sequence[int]) -> tuple[slice, ...]:
    """The index of the window of these extents at these offsets. PL505 where it leaves the shape."""
    for axis, (start, extent, whole) in enumerate(zip(offsets, extents, shape, strict=True)):
        if extent and not 0 <= start <= whole - extent:
            raise problem(
                "PL505",
                operand,
                f"the window leaves {operand} in axis {axis}",
                found=f"offset {list(offsets)} and extents {list(extents)}",
                expected=f"a window inside {list(shape)}",
            )
    return tuple([slice(start, start + extent) for start, extent in zip(offsets, extents, strict=True)])


def cut_window(
    operand: str, shape: Sequence[int], offsets: Sequence[int], extents: Sequence[int], needed: Sequence[int]
) -> tuple[slice, ...]:
    """The index of a window as far as there are elements. PL505 where what is ``needed`` of it leaves the shape."""
    window(operand, shape, offsets, needed)
    ends = [min(start + extent, whole) for start, extent, whole in zip(offsets, extents, shape, strict=True)]
    return tuple([slice(start, max(start, end)) for start, end in zip(offsets, ends, strict=True)])


def element(operand: str, shape: Sequence[int], indices: Sequence[int]) -> tuple[int, ...]:
    """The index of one element. PL505 where it is outside the shape.

    An index behind the end of an axis other than the first stands for an element of a later row.
    """
    position = 0
    for index, extent in zip(indices, shape, strict=True):
        position = position * extent + index
    count = 1
    for extent in shape:
        count *= extent
    if min(indices, default=0) < 0 or position >= count:
        raise problem(
            "PL505",
            "indices",
            f"the element is outside {operand}",
            found=str(list(indices)),
            expected=f"at least 0 and less than {list(shape)}",
        )
    found: list[int] = []
    for extent in reversed(shape):
        position, index = divmod(position, extent)
        found.append(index)
    return tuple(reversed(found))
