"""The values of tiles and tensors: elements in storage that views share, and which of them are defined.

A mask holds an integer as wide as an element for each element: -1 (all bits set) where it is defined, 0 where it is
not. So a view of the elements, taken in the same way of the mask, is the view's mask, also where it sees the bytes as
another type, and whatever moves elements moves their masks. Where all elements are defined there is no mask.

Most views are views to numpy too. Where numpy can't express one (a reshaped window), it is kept as the position of
each element in the root, the flat array that owns the storage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from pypto_lite.interp.dtypes import mask_dtype
from pypto_lite.ops.declaration import Elements

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.diagnostics import Span

NDArray: TypeAlias = Elements
"""A numpy array: the types that numpy declares for its own methods are not complete enough to be checked."""

DEFINED: Final = -1


class Array:
    """A tile or a tensor: its elements, its mask, the extents of its valid region, and where it was made."""

    __slots__ = ("_data", "_mask", "_positions", "made_at", "valid")

    def __init__(
        self,
        data: NDArray,
        mask: NDArray | None,
        valid: tuple[int, ...],
        made_at: Span,
        positions: NDArray | None = None,
    ) -> None:
        self._data = data
        """The elements; where there are positions, the flat root."""
        self._mask = mask
        self._positions = positions
        self.valid = valid
        self.made_at = made_at

    @property
    def elements(self) -> NDArray:
        """The elements, which are not to be written."""
        return self._data if self._positions is None else self._data[self._positions]

    @property
    def mask(self) -> NDArray | None:
        """The mask, or None where all elements are defined."""
        if self._mask is None or self._positions is None:
            return self._mask
        return self._mask[self._positions]

    @property
    def shape(self) -> tuple[int, ...]:
        return self._data.shape if self._positions is None else self._positions.shape

    def is_same(self, other: Array) -> bool:
        """Whether two arrays are all of the same storage, in the same order."""
        if self._positions is not None or other._positions is not None:
            return False
        mine, theirs = self._data.__array_interface__, other._data.__array_interface__
        return all(mine[part] == theirs[part] for part in ("data", "shape", "strides", "typestr"))

    def write(self, where: Any, values: Any) -> None:
        """Writes into the storage, which all views of it see."""
        index = where if self._positions is None else self._positions[where]
        self._data[index] = values
        if self._mask is not None:
            self._mask[index] = DEFINED

    def view(self, look: Callable[[NDArray, bool], NDArray], valid: tuple[int, ...]) -> Array | None:
        """The array that shares the storage and that ``look`` makes of the elements, or of the mask (True).

        ``look`` only takes, reorders and reinterprets. None where the bytes of what it sees lie apart.
        """
        if self._positions is not None:
            return self._at(look(self._positions, False), valid)
        seen = look(self._data, False)
        if seen is self._data or seen.base is _owner(self._data):
            return Array(seen, None if self._mask is None else look(self._mask, True), valid, self.made_at)
        if seen.dtype != self._data.dtype:
            return None
        owner = _owner(self._data).reshape(-1).view(self._data.dtype)
        mask = None if self._mask is None else _owner(self._mask).reshape(-1).view(self._mask.dtype)
        root = Array(owner, mask, self.valid, self.made_at, _positions(self._data))
        return root.view(look, valid)

    def with_valid(self, valid: tuple[int, ...]) -> Array:
        """The same storage with another valid region."""
        return Array(self._data, self._mask, valid, self.made_at, self._positions)

    def _at(self, positions: NDArray, valid: tuple[int, ...]) -> Array | None:
        if positions.dtype != np.intp:
            return None
        return Array(self._data, self._mask, valid, self.made_at, positions)


def new_array(data: NDArray, mask: NDArray | None, valid: tuple[int, ...], made_at: Span) -> Array:
    """An array with storage of its own, in the order in which masks and views expect it.

    It is held as a view of what owns it, so that elements which a meaning hands on unchanged are seen to be another's.
    """
    if not (data.flags.owndata and data.flags.c_contiguous):
        data = data.copy(order="C")
    if mask is not None and not (mask.flags.owndata and mask.flags.c_contiguous):
        mask = mask.copy(order="C")
    return Array(data[...], None if mask is None else mask[...], valid, made_at)


def undefined_array(shape: tuple[int, ...], stored: np.dtype[Any], valid: tuple[int, ...], made_at: Span) -> Array:
    """An array without any defined element."""
    return new_array(np.zeros(shape, stored), np.zeros(shape, mask_dtype(stored)), valid, made_at)


def embedded(part: NDArray, shape: tuple[int, ...], mask: NDArray | None) -> tuple[NDArray, NDArray]:
    """The elements in the corner of a larger array that is undefined elsewhere, and its mask."""
    corner = tuple([slice(0, extent) for extent in part.shape])
    data = np.zeros(shape, part.dtype)
    data[corner] = part
    whole = np.zeros(shape, mask_dtype(part.dtype))
    whole[corner] = DEFINED if mask is None else mask
    return data, whole


def all_defined(mask: NDArray | None) -> bool:
    return mask is None or bool((mask == DEFINED).all())


def _owner(data: NDArray) -> NDArray:
    return data if data.base is None else data.base


def _positions(data: NDArray) -> NDArray:
    """The position of each element of a view in the flat array that owns its storage."""
    size = data.itemsize
    start = data.__array_interface__["data"][0] - _owner(data).__array_interface__["data"][0]
    positions = np.full(data.shape, start // size, np.intp)
    for axis, (extent, stride) in enumerate(zip(data.shape, data.strides, strict=True)):
        steps = np.arange(extent, dtype=np.intp) * (stride // size)
        positions += steps.reshape((extent,) + (1,) * (data.ndim - axis - 1))
    return positions
