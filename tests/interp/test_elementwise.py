"""What the elementwise operators on several tiles compute."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from pypto_lite.diagnostics import UserError

from .apply import Tile, apply, assert_equal

BF16 = ml_dtypes.bfloat16
INF, NAN = np.inf, np.nan


def row(dtype: Any, *numbers: float) -> np.ndarray[Any, Any]:
    return np.array([numbers], dtype)


def test_add_is_computed_in_32_bits_and_rounded_once() -> None:
    lhs = np.array([[256, 1]], ml_dtypes.bfloat16)
    rhs = np.array([[1, 2**-9]], ml_dtypes.bfloat16)
    assert_equal(apply("tile.add", lhs, rhs), np.array([[256, 1]], ml_dtypes.bfloat16))


def test_three_narrow_floats_are_rounded_once() -> None:
    numbers = row(np.float16, 2048), row(np.float16, 1), row(np.float16, 1)
    assert_equal(apply("tile.addc", *numbers), row(np.float16, 2050))
    assert_equal(apply("tile.subc", *numbers), row(np.float16, 2048))


def test_integers_wrap() -> None:
    lhs = np.array([[127, -128]], np.int8)
    assert_equal(apply("tile.add", lhs, np.ones_like(lhs)), np.array([[-128, -127]], np.int8))
    assert_equal(apply("tile.sub", lhs, np.ones_like(lhs)), np.array([[126, 127]], np.int8))
    assert_equal(apply("tile.mul", lhs, lhs), np.array([[1, 0]], np.int8))


def test_integers_of_four_bits_wrap_at_four_bits() -> None:
    lhs = row(ml_dtypes.int4, 7, -8, 3)
    assert_equal(apply("tile.add", lhs, lhs), row(ml_dtypes.int4, -2, 0, 6))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("add", [1, 1, 1, 0]), ("sub", [0, 1, 1, 0]), ("mul", [1, 0, 0, 0]), ("maximum", [1, 1, 1, 0])],
)
def test_a_sum_of_booleans_is_true_where_it_is_not_zero(name: str, expected: list[int]) -> None:
    lhs, rhs = row(bool, 1, 1, 0, 0), row(bool, 1, 0, 1, 0)
    assert_equal(apply(f"tile.{name}", lhs, rhs), row(bool, *expected))


def test_a_row_is_broadcast() -> None:
    lhs, rhs = np.arange(8, dtype=np.float32).reshape(2, 4), np.array([[1, 2, 3, 4]], np.float32)
    assert_equal(apply("tile.add", lhs, rhs), lhs + rhs)


def test_a_column_is_broadcast() -> None:
    lhs, rhs = np.arange(8, dtype=np.float32).reshape(2, 4), np.array([[1], [2]], np.float32)
    assert_equal(apply("tile.sub", lhs, rhs), lhs - rhs)


def test_where_the_first_tile_is_broadcast_the_result_is_valid_only_there() -> None:
    lhs, rhs = np.ones((1, 3), np.float32), np.full((2, 3), 2, np.float32)
    assert_equal(apply("tile.add", lhs, rhs), [[3, 3, 3], [0, 0, 0]])
    assert_equal(apply("tile.add", lhs[0], rhs), [[3, 3, 3], [0, 0, 0]])


def test_the_valid_region_is_computed_and_the_rest_has_no_value() -> None:
    lhs = np.ones((2, 4), np.float32)
    assert_equal(apply("tile.add", Tile(lhs, (1, 3)), lhs), [[2, 2, 2, 0], [0, 0, 0, 0]])


@pytest.mark.parametrize(
    ("lhs", "rhs", "expected"),
    [
        (row(np.int32, 3), row(np.float16, 0.5), row(np.float16, 3.5)),
        (row(np.int8, -1), row(np.int32, 1000), row(np.int32, 999)),
        (row(np.uint8, 200), row(np.int8, -1), row(np.int8, -57)),
        (row(BF16, 1.5), row(np.float32, 2**-20), row(np.float32, 1.5 + 2**-20)),
    ],
)
def test_different_element_types_are_combined_in_that_of_the_result(lhs: Any, rhs: Any, expected: Any) -> None:
    assert_equal(apply("tile.add", lhs, rhs), expected)


def test_maximum_and_minimum() -> None:
    lhs, rhs = row(np.float16, 1, -2, -INF, NAN, 1), row(np.float16, 0, 5, 3, 1, NAN)
    assert_equal(apply("tile.maximum", lhs, rhs), row(np.float16, 1, 5, 3, NAN, NAN))
    assert_equal(apply("tile.minimum", lhs, rhs), row(np.float16, 0, -2, -INF, NAN, NAN))
    assert_equal(apply("tile.maximum", row(np.int8, -128, 4), row(np.int8, 127, -4)), row(np.int8, 127, 4))


SEVENS = [7, -7, 7, -7, 0, 5, -5]
TWOS = [2, 2, -2, -2, 3, 0, 0]


@pytest.mark.parametrize("dtype", [np.int16, np.int32])
def test_quotients_of_integers_are_rounded_towards_zero(dtype: type) -> None:
    assert_equal(apply("tile.div", row(dtype, *SEVENS), row(dtype, *TWOS)), row(dtype, 3, -3, -3, 3, 0, 0, 0))


def test_the_smallest_integer_by_minus_one_wraps() -> None:
    smallest = row(np.int32, -(2**31))
    assert_equal(apply("tile.div", smallest, row(np.int32, -1)), smallest)


def test_quotients_of_floats() -> None:
    lhs, rhs = row(np.float16, 1, 1, -1, 0), row(np.float16, 3, 0, 0, 0)
    assert_equal(apply("tile.div", lhs, rhs), row(np.float16, 1 / 3, INF, -INF, NAN))
    assert_equal(apply("tile.div", lhs, rhs, high_precision=True), row(np.float16, 1 / 3, INF, -INF, NAN))


@pytest.mark.parametrize("dtype", [np.int8, np.int32])
def test_remainders_of_integers(dtype: type) -> None:
    """fmod has the sign of the left operand, rem that of the right one."""
    lhs, rhs = row(dtype, *SEVENS), row(dtype, *TWOS)
    assert_equal(apply("tile.fmod", lhs, rhs), row(dtype, 1, -1, 1, -1, 0, 0, 0))
    assert_equal(apply("tile.rem", lhs, rhs, lhs), row(dtype, 1, 1, -1, -1, 0, 0, 0))


@pytest.mark.parametrize("dtype", [np.float16, BF16, np.float32])
def test_remainders_of_floats(dtype: Any) -> None:
    lhs, rhs = row(dtype, 5.5, -5.5, 5.5, 1, -1, INF), row(dtype, 2, 2, -2, 0, INF, 2)
    assert_equal(apply("tile.fmod", lhs, rhs), row(dtype, 1.5, -1.5, 1.5, NAN, -1, NAN))
    assert_equal(apply("tile.rem", lhs, rhs, lhs), row(dtype, 1.5, 0.5, -0.5, NAN, INF, NAN))


def test_bitwise_operators() -> None:
    lhs, rhs = row(np.int16, 0b1100, -1), row(np.int16, 0b1010, 0x0F0F)
    assert_equal(apply("tile.and", lhs, rhs), row(np.int16, 0b1000, 0x0F0F))
    assert_equal(apply("tile.or", lhs, rhs), row(np.int16, 0b1110, -1))
    assert_equal(apply("tile.xor", lhs, rhs, lhs), row(np.int16, 0b0110, ~0x0F0F))


def test_a_narrow_operand_of_bits_keeps_its_sign() -> None:
    assert_equal(apply("tile.and", row(np.int8, -1), row(np.uint16, 0xFF00)), row(np.uint16, 0xFF00))
    assert_equal(apply("tile.and", row(np.uint8, 255), row(np.int16, -1)), row(np.int16, 0x00FF))


def test_shifts_to_the_left_lose_the_upper_bits() -> None:
    lhs, count = row(np.int8, 1, 1, 3, -1, 5), row(np.int8, 0, 7, 6, 1, 4)
    assert_equal(apply("tile.shl", lhs, count), row(np.int8, 1, -128, -64, -2, 80))


def test_shifts_to_the_right_keep_the_sign() -> None:
    count = row(np.int8, 0, 1, 4, 7)
    assert_equal(apply("tile.shr", row(np.int8, -128, -127, -1, 127), count), row(np.int8, -128, -64, -1, 0))
    assert_equal(apply("tile.shr", row(np.uint8, 128, 255, 255, 255), count), row(np.uint8, 128, 127, 15, 1))


def test_a_count_that_is_negative_or_too_large_shifts_all_bits_out() -> None:
    """Also one that would be small in the element type of the shifted tile."""
    count = row(np.int32, 8, -1, 256, 2**31 - 1)
    assert_equal(apply("tile.shl", row(np.int8, 1, 1, 1, 1), count), row(np.int8, 0, 0, 0, 0))
    assert_equal(apply("tile.shr", row(np.int8, -5, -5, 5, 5), count), row(np.int8, -1, -1, 0, 0))
    assert_equal(apply("tile.shl", row(ml_dtypes.int4, 1, 1, 1, 1), count), row(ml_dtypes.int4, 0, 0, 0, 0))


def test_shifts_are_broadcast_and_cut_to_the_valid_region() -> None:
    lhs, count = np.ones((2, 4), np.int32), row(np.int32, 0, 1, 2, 3)
    assert_equal(apply("tile.shl", Tile(lhs, (2, 3)), count), [[1, 2, 4, 0], [1, 2, 4, 0]])


@pytest.mark.parametrize("name", ["tile.shl", "tile.cmp"])
def test_a_second_tile_that_is_valid_in_less_is_refused(name: str) -> None:
    tile = np.ones((2, 4), np.int32)
    with pytest.raises(UserError, match="PL504") as caught:
        apply(name, tile, Tile(tile, (2, 3)))
    assert "rhs is not valid in the whole region" in str(caught.value)


@pytest.mark.parametrize(("name", "both"), [("part_add", 5), ("part_mul", 6), ("part_max", 3), ("part_min", 2)])
def test_partial_operators_take_the_first_tile_where_only_that_is_valid(name: str, both: int) -> None:
    first, second = np.full((2, 4), 2, np.int32), np.full((2, 4), 3, np.int32)
    assert_equal(apply(f"tile.{name}", first, Tile(second, (1, 3))), [[both, both, both, 2], [2, 2, 2, 2]])
    assert_equal(apply(f"tile.{name}", Tile(first, (1, 3)), second), [[both, both, both, 0], [0, 0, 0, 0]])


def test_partial_operators_broadcast_what_is_valid() -> None:
    first = np.zeros((2, 4), np.float16)
    assert_equal(apply("tile.part_add", first, Tile(row(np.float16, 1, 2, 3, 4), (1, 2))), [[1, 2, 0, 0]] * 2)
    assert_equal(apply("tile.part_add", first, row(np.float16, 1, 2, 3, 4)[0]), [[1, 2, 3, 4]] * 2)
    assert_equal(apply("tile.part_add", row(np.float16, 5, 6), np.ones((3, 2), np.float16)), [[6, 7], [0, 0], [0, 0]])


def test_partial_operators_wrap_and_combine_element_types() -> None:
    assert_equal(apply("tile.part_add", row(np.int8, 127), row(np.int8, 1)), row(np.int8, -128))
    assert_equal(apply("tile.part_add", row(np.int8, 127), row(np.int32, 1)), row(np.int32, 128))
    assert_equal(apply("tile.part_max", row(np.float32, NAN), row(np.float32, 1)), row(np.float32, NAN))


def test_prelu_scales_what_is_not_positive() -> None:
    tile, slope = row(np.float16, 2, -2, 0, NAN, -INF), row(np.float16, 9, 0.25, 9, 1, 2)
    assert_equal(apply("tile.prelu", tile, slope, tile), row(np.float16, 2, -0.5, 0, NAN, -INF))
