"""Casts: every rounding mode, to integers and to narrower floats; what is out of range; every pair of element types."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.interp.dtypes import STORED
from pypto_lite.ir import DTYPES, DType
from pypto_lite.ir.dtypes import (
    BF16,
    FP4,
    FP8E4M3FN,
    FP8E5M2,
    FP8E8M0,
    FP16,
    FP32,
    INT4,
    INT8,
    INT16,
    INT32,
    UINT4,
    UINT8,
)

from .apply import Tile, apply, assert_equal

MODES = ("none", "rint", "round", "floor", "ceil", "trunc", "odd")
INF, NAN = math.inf, math.nan


def cast(numbers: Any, source: DType, target: DType, mode: str = "round") -> np.ndarray[Any, Any]:
    """The casts of numbers that the source type has, in one row."""
    return apply("tile.cast", np.array([numbers], STORED[source]), target_type=target, mode=mode)[0]


TIES = [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5]
BETWEEN = [-1.75, -1.25, -0.25, 0.25, 1.25, 1.75]


@pytest.mark.parametrize(
    ("mode", "ties", "between"),
    [
        ("none", [-2, -2, 0, 0, 2, 2], [-2, -1, 0, 0, 1, 2]),
        ("rint", [-2, -2, 0, 0, 2, 2], [-2, -1, 0, 0, 1, 2]),
        ("round", [-3, -2, -1, 1, 2, 3], [-2, -1, 0, 0, 1, 2]),
        ("floor", [-3, -2, -1, 0, 1, 2], [-2, -2, -1, 0, 1, 1]),
        ("ceil", [-2, -1, 0, 1, 2, 3], [-1, -1, 0, 1, 2, 2]),
        ("trunc", [-2, -1, 0, 0, 1, 2], [-1, -1, 0, 0, 1, 1]),
        ("odd", [-3, -1, -1, 1, 1, 3], [-1, -1, -1, 1, 1, 1]),
    ],
)
@pytest.mark.parametrize("source", [FP16, BF16, FP32])
@pytest.mark.parametrize("target", [INT4, INT8, INT16, INT32])
def test_modes_to_integers(mode: str, ties: list[int], between: list[int], source: DType, target: DType) -> None:
    assert_equal(cast(TIES, source, target, mode), np.array(ties, STORED[target]))
    assert_equal(cast(BETWEEN, source, target, mode), np.array(between, STORED[target]))


def test_the_default_rounds_ties_away_from_zero() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[1, 8], pl.FP32], out: pl.Out[pl.Tensor[[1, 8], pl.INT32]]
        ) -> pl.Tensor[[1, 8], pl.INT32]:
            return pl.store(pl.cast(pl.load(x, [0, 0], [1, 8]), pl.INT32), [0, 0], out)

    x = np.array([[*TIES, 2.25, -2.25]], np.float32)
    assert_equal(Kernel.run(x=x), np.array([[-3, -2, -1, 1, 2, 3, 2, -2]], np.int32))


@pytest.mark.parametrize("mode", MODES)
def test_whole_numbers_stay(mode: str) -> None:
    assert_equal(cast([-4, -3, 0, 3, 4, 127], FP32, INT8, mode), [-4, -3, 0, 3, 4, 127])


def test_the_largest_number_below_a_half_is_rounded_down() -> None:
    below = np.nextafter(np.float32(0.5), np.float32(0))
    assert_equal(cast([below, -below], FP32, INT32, "round"), [0, 0])


@pytest.mark.parametrize(
    ("target", "low", "high"),
    [
        (INT4, -8, 7), (UINT4, 0, 15), (INT8, -128, 127), (UINT8, 0, 255), (INT16, -(2**15), 2**15 - 1),
        (INT32, -(2**31), 2**31 - 1),
    ],
)  # fmt: skip
def test_floats_that_no_integer_is_near_become_the_last_one(target: DType, low: int, high: int) -> None:
    numbers = [1e10, -1e10, INF, -INF, NAN]
    assert_equal(cast(numbers, FP32, target), np.array([high, low, high, low, 0], STORED[target]))


def test_the_largest_integers_of_64_bits() -> None:
    found = cast([2.0**63, -(2.0**63), 2.0**62], FP32, DTYPES["INT64"])
    assert found.tolist() == [2**63 - 1, -(2**63), 2**62]
    assert cast([2.0**64, 2.0**63], FP32, DTYPES["UINT64"]).tolist() == [2**64 - 1, 2**63]


def test_integers_keep_their_lower_bits() -> None:
    assert_equal(cast([128, 255, 256, -1, -129], INT32, INT8), np.array([-128, -1, 0, -1, 127], np.int8))
    assert_equal(cast([-1, 300], INT16, UINT8), np.array([255, 44], np.uint8))
    assert_equal(cast([8, -9, 7], INT8, INT4), np.array([-8, 7, 7], ml_dtypes.int4))
    assert_equal(cast([-8, 7], INT4, INT32), np.array([-8, 7], np.int32))


def test_booleans_say_whether_a_number_is_not_zero() -> None:
    boolean = DTYPES["BOOL"]
    assert cast([0.25, 0, -3, NAN], FP32, boolean).tolist() == [True, False, True, True]
    assert cast([256, 0], INT32, boolean).tolist() == [True, False]
    assert_equal(cast([True, False], boolean, FP16), np.array([1, 0], np.float16))
    assert_equal(cast([True, False], boolean, INT8), np.array([1, 0], np.int8))


def test_integers_that_a_float_cannot_hold_are_rounded_in_the_mode() -> None:
    numbers = [2**24 + 1, -(2**24) - 1]
    assert_equal(cast(numbers, INT32, FP32, "rint"), np.array([2**24, -(2**24)], np.float32))
    assert_equal(cast(numbers, INT32, FP32, "round"), np.array([2**24 + 2, -(2**24) - 2], np.float32))
    assert_equal(cast(numbers, INT32, FP32, "floor"), np.array([2**24, -(2**24) - 2], np.float32))
    assert_equal(cast([70000, 2049], INT32, FP16, "rint"), np.array([INF, 2048], np.float16))


# The numbers of every float type and what lies between them, with exact arithmetic

NARROW = [BF16, FP16, FP8E5M2, FP8E4M3FN, FP4]
INFINITE = {FP32, BF16, FP16, FP8E5M2}


def numbers_of(dtype: DType) -> list[float]:
    """All finite numbers of a type of at most 16 bits, in order."""
    count = 1 << min(dtype.bits, 16)
    stored = STORED[dtype]
    raw = np.arange(count, dtype=np.uint16 if dtype.bits == 16 else np.uint8).view(stored)
    with np.errstate(invalid="ignore"):
        wide = raw.astype(np.float64)
    return sorted({float(each) for each in wide if math.isfinite(each)})


def nearest(low: float, high: float, number: Fraction, mode: str, low_is_even: bool) -> float:
    """One of two neighbours, by the definition of the mode."""
    if mode in ("none", "rint", "round"):
        below, above = number - Fraction(low), Fraction(high) - number
        if below != above:
            return low if below < above else high
        if mode == "round":
            return high if number > 0 else low
        return low if low_is_even else high
    if mode == "odd":
        return high if low_is_even else low
    towards_zero = low if number > 0 else high
    return {"floor": low, "ceil": high, "trunc": towards_zero}[mode]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("target", NARROW)
def test_modes_to_narrower_floats(target: DType, mode: str) -> None:
    """Between neighbours of all sizes, the smallest and the largest too: in the middle, and a little to each side."""
    numbers = numbers_of(target)
    step = max(1, len(numbers) // 300)
    places = sorted({*range(0, len(numbers) - 1, step), len(numbers) // 2 - 1, len(numbers) // 2, len(numbers) - 2})
    given: list[float] = []
    expected: list[float] = []
    for place in places:
        low, high = numbers[place], numbers[place + 1]
        # Neighbours differ in the last digit, and zero is even.
        low_is_even = (place - numbers.index(0.0)) % 2 == 0
        for part in (0.25, 0.5, 0.75, 0.0):
            number = low + (high - low) * part
            if float(np.float32(number)) != number:
                continue
            given.append(number)
            expected.append(number if part == 0 else nearest(low, high, Fraction(number), mode, low_is_even))
    assert len(given) > 3 * min(len(numbers) // 2, 100)
    assert_equal(cast(given, FP32, target, mode).astype(np.float64), np.array(expected))


@pytest.mark.parametrize("target", [BF16, FP16, FP8E5M2])
def test_what_overflows_is_infinite_where_the_mode_rounds_that_way(target: DType) -> None:
    largest = numbers_of(target)[-1]
    numbers = [3.4e38, -3.4e38, INF, -INF, NAN] if target is BF16 else [1e6, -1e6, INF, -INF, NAN]
    outwards = {
        "floor": [largest, -INF],
        "ceil": [INF, -largest],
        "trunc": [largest, -largest],
        "odd": [largest, -largest],
    }
    for mode in MODES:
        expected = [*outwards.get(mode, [INF, -INF]), INF, -INF, NAN]
        assert_equal(cast(numbers, FP32, target, mode).astype(np.float64), np.array(expected))


@pytest.mark.parametrize("mode", MODES)
def test_types_without_infinity_take_their_largest_number(mode: str) -> None:
    numbers = [1e6, -1e6, INF, -INF]
    assert_equal(cast(numbers, FP32, FP8E4M3FN, mode), [448, -448, 448, -448])
    assert_equal(cast(numbers, FP32, FP4, mode), [6, -6, 6, -6])
    assert_equal(cast([57344, -57344], FP8E5M2, FP8E4M3FN, mode), [448, -448])


def test_nan_stays_nan_where_the_type_has_it() -> None:
    assert_equal(cast([NAN], FP32, FP8E4M3FN), [NAN])
    assert_equal(cast([NAN], FP32, FP16, "odd"), [NAN])
    assert_equal(cast([NAN], FP32, FP4), [0])


def test_the_largest_half_is_reached_up_to_the_middle_of_what_would_follow() -> None:
    numbers = [65504, 65519, 65520, -65520]
    assert_equal(cast(numbers, FP32, FP16, "rint"), np.array([65504, 65504, INF, -INF], np.float16))


def test_scales_are_powers_of_two() -> None:
    assert_equal(cast([1, 3, 5, 2.0**-127, 2.0**-140, 2.0**127], FP32, FP8E8M0, "trunc"),
                 [1, 2, 4, 2.0**-127, 2.0**-127, 2.0**127])  # fmt: skip
    assert_equal(cast([3, 5, 6, 3.3e38], FP32, FP8E8M0, "ceil"), [4, 8, 8, 2.0**127])
    assert_equal(cast([2.0**-127, 4], FP8E8M0, FP32), np.array([2.0**-127, 4], np.float32))


def test_large_integers_are_rounded_once() -> None:
    """2**62 + 2**38 lies in the middle of two FP32; what is added is lost where it is rounded to FP64 before."""
    wide = DTYPES["INT64"]
    middle = 2**62 + 2**38
    numbers = [middle, middle + 1, middle - 1, -middle - 1]
    expected = [2.0**62, 2.0**62 + 2.0**39, 2.0**62, -(2.0**62) - 2.0**39]
    assert_equal(cast(numbers, wide, FP32, "rint"), np.array(expected, np.float32))
    assert_equal(
        cast([2**62 + 1, -(2**62) - 1], wide, FP32, "ceil"), np.array([2.0**62 + 2.0**39, -(2.0**62)], np.float32)
    )
    found = cast([2**63 + 2**39 + 1, 2**64 - 1], DTYPES["UINT64"], FP32, "rint")
    assert_equal(found, np.array([2.0**63 + 2.0**40, 2.0**64], np.float32))


@pytest.mark.parametrize("mode", MODES)
def test_minus_zero_stays(mode: str) -> None:
    assert np.signbit(cast([-0.0], FP32, FP16, mode).astype(np.float32))[0]


ELEMENTS = [dtype for dtype in STORED if dtype.name not in ("INDEX", "TASK_ID")]
PAIRS = [(source, target) for source in ELEMENTS for target in ELEMENTS if source is not target]


@pytest.mark.parametrize("mode", MODES)
def test_small_numbers_survive_every_pair_of_types(mode: str) -> None:
    """1 is in all of them."""
    for source, target in PAIRS:
        assert_equal(cast([1, 1], source, target, mode), np.array([1, 1], STORED[target]))


def test_only_the_valid_region_is_cast() -> None:
    tile = Tile(np.full((2, 4), 1.5, np.float32), (1, 3))
    found = apply("tile.cast", tile, target_type=INT32, mode="round")
    assert_equal(found, np.array([[2, 2, 2, 0], [0, 0, 0, 0]], np.int32))
