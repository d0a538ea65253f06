"""The values of tiles and tensors: elements in storage that views share, and which of them are defined.

A mask holds an integer as wide as an element for each element: -1 (all bits set) where it is defined, 0 where it is
not. So a view of the elements, taken in the same way of the mask, is the view's mask, also where it sees the bytes as
another type, and whatever moves elements moves their masks. Where all elements are defined there is no mask.

Most views are views to numpy too. Where numpy can't express one (a reshaped window), it is kept as the position of
each element in the root, the flat array that owns the storage.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from pypto_lite.interp.dtypes import mask_dtype
from pypto_lite.ops.framework.meaning import Elements

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.diagnostics import Span

NDArray: TypeAlias = Elements
"""A numpy array: the types that numpy declares for its own methods are not complete enough to be checked."""

DEFINED: Final = -1


class Kind(enum.Enum):
    """What the numbers of an array are that a view is taken of."""

    ELEMENTS = "elements"
    MASK = "mask"
    POSITIONS = "positions"
    """Places in the root: as many as there are elements, whatever these are."""


Look: TypeAlias = "Callable[[NDArray, Kind], NDArray]"
"""Makes of an array what a view of it sees."""


class Numbers:
    """The numbers from 1 on, made once for all that count with them."""

    __slots__ = ("_made",)

    def __init__(self) -> None:
        self._made: NDArray = np.arange(1, 1024)

    def first(self, count: int) -> NDArray:
        if count > self._made.size:
            self._made = np.arange(1, 2 * count)
        return self._made[:count]


class Array:
    """A tile or a tensor: its elements, its mask, the extents of its valid region, and where it was made."""

    __slots__ = ("content", "elements", "made_at", "mask", "shape", "valid")

    def __init__(self, elements: NDArray, mask: NDArray | None, valid: tuple[int, ...], made_at: Span) -> None:
        self.shape: tuple[int, ...] = elements.shape
        """Its extents. A window that reaches beyond its source has fewer elements than that."""
        self.elements = elements
        """The elements, which only ``write`` may write."""
        self.mask = mask
        """The mask, or None where all elements are defined."""
        self.valid = valid
        self.made_at = made_at
        self.content: Any = None
        """What the sanitizer knows of it: the buffer that it is in, and who wrote that last."""

    def write(self, where: Any, values: Any) -> None:
        """Writes into the storage, which all views of it see."""
        self.elements[where] = values
        if self.mask is not None:
            self.mask[where] = DEFINED

    def view(self, look: Look, valid: tuple[int, ...]) -> Array | None:
        """The array that shares the storage and that ``look`` makes of the elements.

        ``look`` only takes, reorders and reinterprets. None where the bytes of what it sees lie apart.
        """
        elements, mask = self.elements, self.mask
        seen = look(elements, Kind.ELEMENTS)
        if seen is elements or seen.base is elements.base:
            return Array(seen, None if mask is None else look(mask, Kind.MASK), valid, self.made_at)
        if seen.dtype != elements.dtype:
            return None
        root = elements.base.reshape(-1).view(elements.dtype)
        root_mask = None if mask is None else mask.base.reshape(-1).view(mask.dtype)
        positions = look(positions_in_storage(elements), Kind.POSITIONS)
        return ScatteredArray(root, root_mask, positions, valid, self.made_at)

    def with_valid(self, valid: tuple[int, ...]) -> Array:
        """The same storage with another valid region."""
        same = Array(self.elements, self.mask, valid, self.made_at)
        same.shape = self.shape
        same.content = self.content
        return same

    @property
    def owner(self) -> NDArray:
        """The array that owns the storage."""
        return self.elements.base

    def positions(self, numbers: Numbers, take: Callable[[NDArray], NDArray]) -> NDArray:
        """The positions in the storage, in elements of this type, of those elements that ``take`` takes of an array.

        It is called once for each axis, on an array of the elements' places along it, from 1 on, which costs no more
        than the axis is long.
        """
        elements = self.elements
        positions = _start(elements)
        for axis, (extent, stride) in enumerate(zip(elements.shape, elements.strides, strict=True)):
            along = numbers.first(extent).reshape((extent,) + (1,) * (elements.ndim - axis - 1))
            positions = positions + (take(np.broadcast_to(along, elements.shape)) - 1) * (stride // elements.itemsize)
        return np.asarray(positions)

    def is_same(self, other: Array) -> bool:
        """Whether two arrays are all of the same storage, in the same order."""
        mine, theirs = self.elements.__array_interface__, other.elements.__array_interface__
        return all(mine[part] == theirs[part] for part in ("data", "shape", "strides", "typestr"))


class ScatteredArray(Array):
    """A view that numpy can't express: the flat root that owns the storage, and the position of each element in it."""

    __slots__ = ("_positions", "_root", "_root_mask")

    def __init__(
        self, root: NDArray, root_mask: NDArray | None, positions: NDArray, valid: tuple[int, ...], made_at: Span
    ) -> None:
        self._root = root
        self._root_mask = root_mask
        self._positions = positions
        self.shape = positions.shape
        self.valid = valid
        self.made_at = made_at
        self.content = None

    @property
    def elements(self) -> NDArray:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._root[self._positions]

    @property
    def mask(self) -> NDArray | None:  # pyright: ignore[reportIncompatibleVariableOverride]
        return None if self._root_mask is None else self._root_mask[self._positions]

    def write(self, where: Any, values: Any) -> None:
        index = self._positions[where]
        self._root[index] = values
        if self._root_mask is not None:
            self._root_mask[index] = DEFINED

    def view(self, look: Look, valid: tuple[int, ...]) -> Array | None:
        if look(self.elements, Kind.ELEMENTS).dtype != self._root.dtype:
            return None
        return ScatteredArray(self._root, self._root_mask, look(self._positions, Kind.POSITIONS), valid, self.made_at)

    def with_valid(self, valid: tuple[int, ...]) -> Array:
        same = ScatteredArray(self._root, self._root_mask, self._positions, valid, self.made_at)
        same.content = self.content
        return same

    @property
    def owner(self) -> NDArray:
        return self._root if self._root.base is None else self._root.base

    def positions(self, numbers: Numbers, take: Callable[[NDArray], NDArray]) -> NDArray:
        return take(self._positions + 1) - 1

    def is_same(self, other: Array) -> bool:
        return (
            isinstance(other, ScatteredArray)
            and self.owner is other.owner
            and self._root.dtype == other._root.dtype
            and np.array_equal(self._positions, other._positions)
        )


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


def positions_in_storage(data: NDArray) -> NDArray:
    """The position of each element of a view in the flat array that owns its storage."""
    size = data.itemsize
    positions = np.full(data.shape, _start(data), np.intp)
    for axis, (extent, stride) in enumerate(zip(data.shape, data.strides, strict=True)):
        steps = np.arange(extent, dtype=np.intp) * (stride // size)
        positions += steps.reshape((extent,) + (1,) * (data.ndim - axis - 1))
    return positions


def _start(data: NDArray) -> int:
    """The position of the first element of a view."""
    return (data.__array_interface__["data"][0] - data.base.__array_interface__["data"][0]) // data.itemsize
