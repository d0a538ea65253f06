"""Valid regions: what part of a window, a written tensor or a reshaped tile holds data.

A valid region starts at the origin; an element beyond it in any axis has no meaning. Source of the rules: the
operator catalogue's conventions for valid regions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.ir.dims import (
    add,
    all_provably_equal,
    all_static,
    maximum,
    minimum,
    product,
    provably_at_most,
    provably_different,
    provably_equal,
    provably_less,
    subtract,
)
from pypto_lite.ops.framework.problems import list_text, problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.ir import Dim, Dims


class Source:
    """What a window is read from or written into: its name as an operand, its shape, and the part that is valid.

    ``offset`` names the operand that places the window, or the one of each axis.
    """

    __slots__ = ("offset", "operand", "shape", "valid")

    def __init__(self, operand: str, shape: Dims, valid: Dims, offset: str | tuple[str, ...] = "offset") -> None:
        self.operand = operand
        self.shape = shape
        self.valid = valid
        self.offset = offset

    def offset_name(self, axis: int) -> str:
        """The operand that places the window in this axis."""
        return self.offset if isinstance(self.offset, str) else self.offset[axis]


def read_window(
    source: Source, offset: Dims, window: Dims, request: Dims | None, *, clamp: bool = False, whole: bool = False
) -> Dims:
    """The valid region of a window of ``source`` at ``offset``, of which the user asked for ``request``.

    Raises UserError (PL206) where the window provably leaves the source, unless ``clamp`` cuts it off there; ``whole``
    says that all of the window is read although less was requested, as on chip.
    """
    if not clamp and source.valid is source.shape and _is_plain(source.shape, offset, window, request):
        return window
    valid: list[Dim] = []
    for axis, (start, extent) in enumerate(zip(offset, window, strict=True)):
        wanted = request[axis] if request is not None else None
        check_start(source, offset, axis)
        if wanted is not None:
            _check_request(wanted, extent, request or (), window)
        if not clamp:
            reach = extent if whole or wanted is None else wanted
            check_end(source, offset, axis, reach, window)
        available = _available(source, axis, start, extent, clamp)
        taken = wanted is None or (not provably_equal(available, extent) and provably_at_most(available, wanted))
        valid.append(available if taken or wanted is None else wanted)
    return tuple(valid)


def _is_plain(shape: Dims, offset: Dims, window: Dims, request: Dims | None) -> bool:
    """Whether all of a constant window is asked for and lies inside: by far the most frequent case, so it is fast."""
    if request is not None and request != window:
        return False
    for start, extent, whole in zip(offset, window, shape, strict=True):
        if not (isinstance(start, int) and isinstance(extent, int) and isinstance(whole, int)):
            return False
        if start < 0 or start + extent > whole:
            return False
    return True


def _available(source: Source, axis: int, start: Dim, extent: Dim, clamp: bool) -> Dim:
    """How much of the window's extent holds valid elements of the source."""
    whole, valid = source.shape[axis], source.valid[axis]
    if not clamp and provably_equal(whole, valid):
        return extent
    if isinstance(start, int) and start == 0:
        return minimum(valid, extent)
    return minimum(maximum(subtract(valid, start), 0), extent)


def check_start(source: Source, offset: Dims, axis: int) -> None:
    """PL206 where an offset is provably negative."""
    if provably_less(offset[axis], 0):
        raise problem(
            "PL206",
            source.offset_name(axis),
            f"the window starts before {source.operand} in axis {axis}",
            found=list_text(offset),
            expected="offsets of at least 0",
        )


def check_end(source: Source, offset: Dims, axis: int, reach: Dim, window: Dims) -> None:
    """PL206 where a window provably ends behind its source."""
    whole = source.shape[axis]
    if provably_less(whole, add(offset[axis], reach)):
        raise problem(
            "PL206",
            source.offset_name(axis),
            f"the window ends behind {source.operand} in axis {axis}",
            found=f"offset {list_text(offset)} and window {list_text(window)}",
            expected=f"a window inside {list_text(source.shape)}",
        )


def check_leading(operand: str, source: Source, offset: Dims, window: Dims, reach: Dims) -> None:
    """Checks a window of more axes than its source, as if the source had leading axes of extent 1.

    Raises PL203 where a leading extent is provably larger, PL206 where the window provably leaves the source.
    """
    missing = len(window) - len(source.shape)
    for extent in window[:missing]:
        if provably_less(1, extent):
            raise problem(
                "PL203",
                operand,
                f"there are more axes than in {source.operand}",
                found=list_text(window),
                expected=f"as many as in {list_text(source.shape)}, or leading extents of 1",
            )
    ones = (1,) * missing
    whole = Source(source.operand, (*ones, *source.shape), (*ones, *source.valid), source.offset)
    for axis, extent in enumerate(reach):
        check_start(whole, offset, axis)
        check_end(whole, offset, axis, extent, window)


def _check_request(wanted: Dim, extent: Dim, request: Dims, window: Dims) -> None:
    if provably_less(extent, wanted) or provably_less(wanted, 0):
        raise problem(
            "PL208",
            "valid_shape",
            "valid_shape does not fit the window",
            found=list_text(request),
            expected=f"at least 0 and at most {list_text(window)}",
        )


def written_region(target: Source, source: Dims, offset: Dims) -> Dims:
    """The valid region of ``target`` after a region of extents ``source`` was written at ``offset``.

    Raises UserError (PL208) where the two do not make up one region that starts at the origin.
    """
    shape, valid = target.shape, target.valid
    if any(isinstance(extent, int) and extent == 0 for extent in source):
        return valid
    if all_provably_equal(valid, shape):
        return valid
    if any(isinstance(extent, int) and extent == 0 for extent in valid):
        if all(isinstance(start, int) and start == 0 for start in offset):
            return source
        raise _gap(target, source, offset)
    ends = [add(start, extent) for start, extent in zip(offset, source, strict=True)]
    if all(map(provably_at_most, ends, valid)):
        return valid
    if all(provably_equal(start, 0) for start in offset) and all(map(provably_at_most, valid, source)):
        return source
    return _grown(target, source, offset, ends)


def _grown(target: Source, source: Dims, offset: Dims, ends: Sequence[Dim]) -> Dims:
    """The region grown along the one axis in which the written part reaches beyond it."""
    valid = target.valid
    growing = [axis for axis in range(len(valid)) if not _covers(valid[axis], offset[axis], source[axis])]
    if len(growing) != 1:
        raise _gap(target, source, offset)
    (axis,) = growing
    if not provably_at_most(offset[axis], valid[axis]) or not provably_at_most(valid[axis], ends[axis]):
        raise _gap(target, source, offset)
    return (*valid[:axis], ends[axis], *valid[axis + 1 :])


def _covers(valid: Dim, start: Dim, extent: Dim) -> bool:
    """Whether the written part takes exactly the whole valid extent of an axis."""
    return provably_equal(start, 0) and provably_equal(extent, valid)


def _gap(target: Source, source: Dims, offset: Dims) -> Exception:
    return problem(
        "PL208",
        target.operand,
        f"what is written does not extend the valid region of {target.operand} to one region",
        found=f"{list_text(source)} at {list_text(offset)} beside a valid region of {list_text(target.valid)}",
        expected="a region that lies inside it, covers it, or adjoins it along one axis",
        hint="write the parts in order, or declare the whole target as valid",
    )


def reshaped_region(operand: str, shape: Dims, valid: Dims, reshaped: Dims) -> Dims:
    """The valid region of a tile or tensor after a reshape.

    Raises UserError (PL208) where the valid elements are no region of the new shape.
    """
    if all_provably_equal(shape, valid):
        return reshaped
    if all_provably_equal(shape, reshaped):
        return valid
    axes = list(zip(valid, shape, strict=True))
    whole_units = all(_is_unit(part) for part, whole in axes if _is_unit(whole))
    if whole_units and all_provably_equal(_without_units(shape), _without_units(reshaped)):
        extents = iter([part for part, whole in axes if not _is_unit(whole)])
        return tuple([1 if _is_unit(whole) else next(extents) for whole in reshaped])
    if any(isinstance(extent, int) and extent == 0 for extent in valid):
        return (0,) * len(reshaped)
    if all_static(shape) and all_static(valid) and all_static(reshaped):
        mapped = _mapped_prefix(shape, valid, reshaped)
        if mapped is not None:
            return mapped
    raise problem(
        "PL208",
        operand,
        f"the valid region of {operand} is no region of the new shape",
        found=f"{list_text(valid)} of {list_text(shape)}",
        expected=f"a region that {list_text(reshaped)} can express",
        hint="reshape before the valid region is narrowed, or fill the rest with pl.fillpad first",
    )


def _is_unit(extent: Dim) -> bool:
    return isinstance(extent, int) and extent == 1


def _without_units(shape: Dims) -> Dims:
    return tuple([extent for extent in shape if not _is_unit(extent)])


def _mapped_prefix(shape: Dims, valid: Dims, reshaped: Dims) -> Dims | None:
    """The region where the valid elements come first in row-major order, in both shapes."""
    partial = next((axis for axis, extent in enumerate(valid) if extent != 1), len(valid))
    if valid[partial + 1 :] != shape[partial + 1 :]:
        return None
    count = product(valid)
    for axis in range(len(reshaped)):
        row = product(reshaped[axis + 1 :])
        if isinstance(count, int) and isinstance(row, int) and count % row == 0 and count >= row:
            rows = count // row
            extent = reshaped[axis]
            fits = isinstance(extent, int) and rows <= extent
            return (*([1] * axis), rows, *reshaped[axis + 1 :]) if fits else None
    return None


def dropped_axes(operand: str, axes: Dims, window: Dims, valid: Dims) -> tuple[int, ...]:
    """The axes that a window loses. Raises UserError (PL203) unless they are distinct and of extent 1."""
    dropped: list[int] = []
    for axis in axes:
        if not isinstance(axis, int) or not 0 <= axis < len(window):
            raise problem(
                "PL203",
                operand,
                f"{operand} names no axis of the window",
                found=repr(axis),
                expected=f"constants of at least 0 and below {len(window)}",
            )
        if axis in dropped:
            raise problem("PL203", operand, f"{operand} names axis {axis} twice", found=list_text(axes))
        if window[axis] != 1 or provably_different(valid[axis], 1):
            raise problem(
                "PL203",
                operand,
                f"axis {axis} cannot be dropped",
                found=f"extent {window[axis]!r}",
                expected="a window extent of 1, all valid",
            )
        dropped.append(axis)
    return tuple(dropped)


def without_axes(dims: Dims, dropped: tuple[int, ...]) -> Dims:
    """The dimensions that are left when some axes are dropped."""
    return tuple([dim for axis, dim in enumerate(dims) if axis not in dropped])
