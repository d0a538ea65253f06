"""How an operand reaches a meaning: which part of it, in which type, and what undefined elements are to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from pypto_lite.interp.dtypes import mask_dtype, wider_dtype
from pypto_lite.interp.errors import Use, undefined_use
from pypto_lite.interp.storage import DEFINED, Array, all_defined

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.interp.storage import NDArray
    from pypto_lite.ir import DType

Prepare: TypeAlias = "Callable[[Any, Any], Any]"
"""Makes what the meaning gets of an operand's value, given the extents of the result."""

ALL: Final = ()
"""The index of a whole array."""


def region(use: Use, dtype: DType, whole: bool) -> Prepare:
    """The valid region, or all, of an operand that is computed with: all of it must be defined."""
    wider = wider_dtype(dtype)

    def prepare(array: Array, extents: Any) -> NDArray:
        elements = array.elements
        if array.mask is not None or array.valid != elements.shape:
            elements = _defined(use, array, ALL if whole else corner(array.valid))
        return elements if wider is None else elements.astype(wider)

    return prepare


def elementwise_array(use: Use, computing: np.dtype[Any]) -> Prepare:
    """The part of an operand that meets the valid region of the result, in the type in which that is computed."""

    def prepare(array: Array, extents: Any) -> NDArray:
        elements = array.elements
        if array.mask is not None or elements.shape != extents.valid:
            elements = _defined(use, array, _meeting(elements.shape, extents.valid))
        return elements if elements.dtype == computing else elements.astype(computing)

    return prepare


def _defined(use: Use, array: Array, part: Any) -> NDArray:
    """A part of an operand, which must be defined."""
    mask = array.mask
    if mask is not None and not all_defined(mask[part]):
        raise undefined_use(use, array, mask[part])
    return array.elements[part]


def elementwise_scalar(computing: np.dtype[Any]) -> Prepare:
    """A scalar beside arrays, in the type in which the result is computed."""

    def prepare(value: Any, extents: Any) -> Any:
        return np.asarray(value).astype(computing)[()]

    return prepare


def stored(whole: bool) -> Prepare:
    """The elements as they are stored, defined or not."""

    def prepare(array: Array, extents: Any) -> NDArray:
        elements = array.elements
        return elements if whole or array.valid == elements.shape else elements[corner(array.valid)]

    return prepare


def zeroed(dtype: DType, whole: bool) -> Prepare:
    """An accumulator: zero where it is undefined, as undefined elements are stored."""
    wider = wider_dtype(dtype)
    see = stored(whole)
    if wider is None:
        return see
    return lambda array, extents: see(array, extents).astype(wider)


def shown(dtype: DType) -> Prepare:
    """The valid region for whoever only looks at it: a masked array where some of it is undefined."""
    wider = wider_dtype(dtype)

    def prepare(array: Array, extents: Any) -> Any:
        part = corner(array.valid)
        elements, mask = array.elements[part], array.mask
        elements = elements if wider is None else elements.astype(wider)
        if mask is None or all_defined(mask[part]):
            return elements
        return np.ma.masked_array(elements, mask[part] != DEFINED)

    return prepare


def masked(array: Array, whole: bool) -> NDArray:
    """What is known of the elements that ``stored`` gives."""
    mask = array.mask
    if mask is None:
        mask = np.full(array.elements.shape, DEFINED, mask_dtype(array.elements.dtype))
    return mask if whole or array.valid == mask.shape else mask[corner(array.valid)]


def corner(valid: tuple[int, ...]) -> tuple[slice, ...]:
    """The index of a valid region."""
    return tuple([slice(0, extent) for extent in valid])


def _meeting(shape: tuple[int, ...], valid: tuple[int, ...]) -> tuple[slice, ...]:
    """The index of what meets a region of the result, aligned at the right; of a broadcast axis one."""
    meeting = zip(shape, valid[len(valid) - len(shape) :], strict=True)
    return tuple([slice(0, min(reach, 1)) if extent == 1 else slice(0, reach) for extent, reach in meeting])
