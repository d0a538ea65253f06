"""Operators that fill tiles: with one value, a sequence, a triangle, random numbers, or beyond the valid region."""

from __future__ import annotations

from functools import partial
from math import inf, prod
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import Const, Dims, DType, Expr, PadValue, ScalarType, TileLayout, TileType
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dims import provably_less
from pypto_lite.ir.dtypes import FP4, FP8E4M3FN, INT16, INT32, UINT16, UINT32
from pypto_lite.ops.framework.parameters import Effect, TakesDType, supplied
from pypto_lite.ops.framework.problems import check_dtype, check_extents, check_length, check_valid, list_text, problem
from pypto_lite.ops.rules.layouts import fresh, view
from pypto_lite.ops.vector.elementwise import vector_operator

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy

_PAD_DETAILS: Final = """\
``pad_value`` is zero (or 0), max (``float("inf")``) or min (``float("-inf")``): the largest or smallest value of the
element type. The result is fully valid.

Raises PL205 for the pad value null."""

_padding = partial(vector_operator, aliases={"tile": ("value", "input")}, details=_PAD_DETAILS)
DTYPE_LITERAL: Final = TakesDType("dtype")
_SEED: Final = TakesDType(dtype=INT32)


def padded(tile: TileType, shape: Dims, pad_value: PadValue) -> TileType:
    """The shared rule of padding: the tile's layout with the pad noted, all valid."""
    if pad_value is PadValue.null:
        raise problem(
            "PL205",
            "pad_value",
            "there is nothing to fill with",
            found=pad_value,
            expected="pl.PadValue.zero, pl.PadValue.max or pl.PadValue.min",
        )
    base = tile.effective_view.replace(pad=pad_value)
    return TileType(shape, tile.dtype, None, view(base, shape, shape))


@_padding("tile.fillpad", spellings=("fillpad",))
def tile_fillpad(tile: TileType, pad_value: PadValue = PadValue.zero) -> TileType:
    """Copies a tile and fills what is not valid."""
    return padded(tile, tile.shape, pad_value)


@tile_fillpad.evaluator
def _(np: Numpy, tile: Elements, pad_value: PadValue, result: Extents) -> Elements:
    return filled_around(np, tile, pad_value, result)


@_padding("tile.fillpad_inplace", effects={"tile": Effect.READ_WRITE}, tied_operand="tile")
def tile_fillpad_inplace(tile: TileType, pad_value: PadValue = PadValue.zero) -> TileType:
    """Fills what is not valid in the tile itself."""
    return padded(tile, tile.shape, pad_value)


@tile_fillpad_inplace.evaluator
def _(np: Numpy, tile: Elements, pad_value: PadValue, result: Extents) -> Elements:
    return filled_around(np, tile, pad_value, result)


def filled_around(np: Numpy, tile: Elements, pad_value: PadValue, result: Extents) -> Elements:
    """The valid elements in the corner of a result that is filled with the pad value."""
    filled = np.full(result.shape, _pad_number(pad_value, result.dtype), tile.dtype)
    filled[tuple([slice(0, extent) for extent in tile.shape])] = tile
    return filled


def _pad_number(pad_value: PadValue, dtype: DType) -> int | float:
    """The number for a pad value: of floats the largest is infinite, where the element type has infinity."""
    if pad_value is PadValue.zero:
        return 0
    largest = pad_value is PadValue.max
    if dtype.is_float:
        greatest = _GREATEST.get(dtype, inf)
        return greatest if largest else -greatest
    if dtype.category == "uint" or not dtype.is_int:
        return (1 << dtype.bits) - 1 if largest else 0
    return (1 << (dtype.bits - 1)) - 1 if largest else -(1 << (dtype.bits - 1))


_GREATEST: Final = {FP4: 6.0, FP8E4M3FN: 448.0}
"""The greatest value of the float types without infinity."""


@_padding("tile.fillpad_expand", spellings=("fillpad_expand",), in_place_safe=False)
def tile_fillpad_expand(tile: TileType, shape: Dims, pad_value: PadValue = PadValue.zero) -> TileType:
    """Copies a tile into the corner of a larger one, [*shape], and fills the rest.

    Raises PL203 for extents that are not constant or smaller than the tile's.
    """
    check_extents("shape", shape, static=True)
    check_length("shape", shape, len(tile.shape), "the tile")
    if any(map(provably_less, shape, tile.shape)):
        raise problem(
            "PL203",
            "shape",
            "the new shape is smaller than the tile",
            found=list_text(shape),
            expected=f"at least {list_text(tile.shape)}",
        )
    return padded(tile, shape, pad_value)


@tile_fillpad_expand.evaluator
def _(np: Numpy, tile: Elements, pad_value: PadValue, result: Extents) -> Elements:
    return filled_around(np, tile, pad_value, result)


@vector_operator("tile.full", result_layout=TileLayout.row_major, literals={"value": DTYPE_LITERAL})
def tile_full(shape: Dims, dtype: DType, value: Const) -> TileType:
    """A tile with every element the same constant: [*shape] of ``dtype``, row-major.

    Raises PL203 for extents that are not positive constants, PL204 for a value that the element type does not know.
    """
    check_extents("shape", shape, static=True)
    check_fill(value, dtype)
    return fresh(shape, dtype)


@tile_full.evaluator
def _(np: Numpy, value: float, result: Extents) -> Elements:
    return np.full(result.shape, value)


def check_fill(value: Const, dtype: DType) -> None:
    """PL204 for a fraction as an integer element."""
    if dtype.is_int and isinstance(value.value, float) and not value.value.is_integer():
        raise problem("PL204", "value", "the value is no integer", found=value, expected=f"a value of {dtype!r}")


@vector_operator("tile.ci", spellings=("tile.arange",), literals={"start": DTYPE_LITERAL}, carried=("descending",))
def tile_ci(start: Expr, shape: Dims, dtype: DType = supplied(INT32), descending: bool = False) -> TileType:
    """Consecutive integers from ``start``, upwards or ``descending``: [1, ..., 1, N] of ``dtype``.

    ``dtype`` is INT16, INT32, UINT16 or UINT32, and that of ``start``.

    Raises PL203 for a shape of other than one row, PL204 for other element types.
    """
    check_dtype("dtype", dtype, (INT16, INT32, UINT16, UINT32))
    check_dtype("start", scalar_dtype(start), (dtype,))
    check_extents("shape", shape, static=True)
    if not shape or shape[-1] == 1 or any(extent != 1 for extent in shape[:-1]):
        raise problem(
            "PL203",
            "shape",
            "the sequence is one row of more than one element",
            found=list_text(shape),
            expected="[1, N] with N above 1",
        )
    return fresh(shape, dtype)


@tile_ci.evaluator
def _(np: Numpy, start: int, descending: bool, result: Extents) -> Elements:
    steps = np.arange(result.shape[-1]).reshape(result.shape)
    return start - steps if descending else start + steps


@vector_operator(
    "tile.tri", spellings=("tri",), result_layout=TileLayout.row_major, literals={"diagonal": _SEED}, carried=("upper",)
)
def tile_tri(
    diagonal: ScalarType,
    shape: Dims,
    valid_shape: Dims | None = None,
    dtype: DType = supplied(INT32),
    upper: bool = False,
) -> TileType:
    """Ones on one side of a diagonal and zeros elsewhere: [M, N] of ``dtype``, row-major.

    The ones are at and below the diagonal, or at and above it (``upper``); ``diagonal`` (an INT32) counts from the main
    one to the right.

    Raises PL203 for other than two constant extents, PL204 for the diagonal's element type, PL208 for a wrong valid
    region.
    """
    check_dtype("diagonal", diagonal.dtype, (INT32,))
    check_extents("shape", shape, static=True)
    check_length("shape", shape, 2, "a matrix")
    return fresh(shape, dtype, _valid(shape, valid_shape))


@tile_tri.evaluator
def _(np: Numpy, diagonal: int, upper: bool, result: Extents) -> Elements:
    rows, columns = np.indices(result.valid)
    distance = columns - rows
    return np.where(distance >= diagonal if upper else distance <= diagonal, 1, 0)


@vector_operator(
    "tile.random",
    result_layout=TileLayout.row_major,
    literals=dict.fromkeys(("key0", "key1", "counter0", "counter1", "counter2", "counter3"), _SEED),
)
def tile_random(
    key0: ScalarType,
    key1: ScalarType,
    counter0: ScalarType,
    counter1: ScalarType,
    counter2: ScalarType,
    counter3: ScalarType,
    shape: Dims,
    valid_shape: Dims | None = None,
    dtype: DType = supplied(UINT32),
    rounds: int = 10,
) -> TileType:
    """Random bits by a counter-based generator: [*shape] of INT32 or UINT32, row-major.

    Keys and counters are INT32; ``rounds`` is 7 or 10. The generator is Philox4x32: row by row, every four elements
    are the words made of one counter of 128 bits (``counter0`` the lowest), which then counts on.

    Raises PL203, PL204 for other element types, PL205 for other rounds, PL208 for a wrong valid region.
    """
    seeds = {"key0": key0, "key1": key1, "counter0": counter0, "counter1": counter1}
    seeds |= {"counter2": counter2, "counter3": counter3}
    for name, seed in seeds.items():
        check_dtype(name, seed.dtype, (INT32,))
    check_dtype("dtype", dtype, (INT32, UINT32))
    if rounds not in (7, 10):
        raise problem("PL205", "rounds", "the generator does not run so many rounds", found=rounds, expected="7 or 10")
    check_extents("shape", shape, static=True)
    return fresh(shape, dtype, _valid(shape, valid_shape))


@tile_random.evaluator
def _(
    np: Numpy,
    key0: int,
    key1: int,
    counter0: int,
    counter1: int,
    counter2: int,
    counter3: int,
    rounds: int,
    result: Extents,
) -> Elements:
    count = prod(result.shape)
    counters = _counters(np, (counter0, counter1, counter2, counter3), -(-count // 4))
    words = _philox(counters, (key0 & _WORD, key1 & _WORD), rounds)
    bits = np.stack(words, axis=-1).reshape(-1)[:count].reshape(result.shape)
    return bits[tuple([slice(0, extent) for extent in result.valid])]


_WORD: Final = 0xFFFFFFFF
_PHILOX_FACTORS: Final = (0xD2511F53, 0xCD9E8D57)
_PHILOX_STEPS: Final = (0x9E3779B9, 0xBB67AE85)


def _philox(words: list[Elements], keys: tuple[int, int], rounds: int) -> list[Elements]:
    """Four words of random bits for each counter, whose words they are: Philox4x32, Salmon et al., SC 2011."""
    for _round in range(rounds):
        left, right = words[0] * _PHILOX_FACTORS[0], words[2] * _PHILOX_FACTORS[1]
        words = [(right >> 32) ^ words[1] ^ keys[0], right & _WORD, (left >> 32) ^ words[3] ^ keys[1], left & _WORD]
        keys = (keys[0] + _PHILOX_STEPS[0]) & _WORD, (keys[1] + _PHILOX_STEPS[1]) & _WORD
    return words


def _counters(np: Numpy, words: tuple[int, ...], count: int) -> list[Elements]:
    """The words, the lowest first, of so many numbers of 128 bits that count up from one; each in 64 bits."""
    counters: list[Elements] = []
    carry = np.arange(count, dtype=np.uint64)
    for word in words:
        total = carry + (word & _WORD)
        counters.append(total & _WORD)
        carry = total >> 32
    return counters


def _valid(shape: Dims, valid_shape: Dims | None) -> Dims:
    if valid_shape is None:
        return shape
    check_valid("valid_shape", valid_shape, shape)
    return valid_shape
