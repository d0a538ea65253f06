"""What the operators of a tile and a scalar compute: in the element type of the tile, if not said otherwise."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl

from .apply import Scalar, Tile, apply, assert_equal

BF16 = ml_dtypes.bfloat16
INF, NAN = np.inf, np.nan


def row(dtype: Any, *numbers: float) -> np.ndarray[Any, Any]:
    return np.array([numbers], dtype)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.float16, BF16, np.float32])
@pytest.mark.parametrize(
    ("name", "expected"),
    [("adds", [8, -3]), ("subs", [2, -9]), ("muls", [15, -18]), ("maximums", [5, 3]), ("minimums", [3, -6])],
)
def test_arithmetic_with_a_literal(name: str, expected: list[int], dtype: Any) -> None:
    assert_equal(apply(f"tile.{name}", row(dtype, 5, -6), 3), row(dtype, *expected))


def test_integers_wrap() -> None:
    assert_equal(apply("tile.adds", row(np.int8, 100), 100), row(np.int8, -56))
    assert_equal(apply("tile.muls", row(np.uint16, 300), 300), row(np.uint16, 90000 - 65536))


def test_a_scalar_of_another_type_does_not_change_that_of_the_tile() -> None:
    assert_equal(apply("tile.adds", row(np.float16, 1), Scalar(0.1, pl.FP32)), row(np.float16, np.float32(0.1) + 1))
    assert_equal(apply("tile.muls", row(np.float16, 3), Scalar(2, pl.INT32)), row(np.float16, 6))
    assert_equal(apply("tile.adds", row(np.uint8, 3), Scalar(-1, pl.INT32)), row(np.uint8, 2))


def test_narrow_floats_are_rounded_once() -> None:
    assert_equal(apply("tile.muls", row(BF16, 3), Scalar(1 + 2**-12, pl.FP32)), row(BF16, 3))
    assert_equal(apply("tile.adds", row(BF16, 1), Scalar(2.0**-9 + 2.0**-20, pl.FP32)), row(BF16, 1))
    assert_equal(apply("tile.adds", row(BF16, 1), Scalar(2.0**-8 + 2.0**-20, pl.FP32)), row(BF16, 1 + 2**-7))


def test_quotients() -> None:
    assert_equal(apply("tile.divs", row(np.int32, 7, -7, 1), 2), row(np.int32, 3, -3, 0))
    assert_equal(apply("tile.divs", row(np.int32, 7, -7, 0), 0), row(np.int32, 0, 0, 0))
    assert_equal(apply("tile.divs", row(np.float16, 7, -1, 0), 2.0), row(np.float16, 3.5, -0.5, 0))
    assert_equal(apply("tile.divs", row(np.float16, 7, -1, 0), 0.0), row(np.float16, INF, -INF, NAN))


def test_remainders() -> None:
    """fmods has the sign of the tile, rems that of the scalar."""
    for dtype in (np.int32, np.float32):
        tile = row(dtype, 7, -7)
        assert_equal(apply("tile.fmods", tile, 3), row(dtype, 1, -1))
        assert_equal(apply("tile.fmods", tile, -3), row(dtype, 1, -1))
        assert_equal(apply("tile.rems", tile, 3, tile), row(dtype, 1, 2))
        assert_equal(apply("tile.rems", tile, -3, tile), row(dtype, -2, -1))
    assert_equal(apply("tile.fmods", row(np.int32, 7), 0), row(np.int32, 0))
    assert_equal(apply("tile.fmods", row(np.float32, 7), 0.0), row(np.float32, NAN))


def test_nan_prevails() -> None:
    assert_equal(apply("tile.maximums", row(np.float32, NAN, 1), 2.0), row(np.float32, NAN, 2))
    assert_equal(apply("tile.minimums", row(np.float32, NAN, 1), Scalar(NAN, pl.FP32)), row(np.float32, NAN, NAN))


def test_bitwise_operators() -> None:
    tile = row(np.int16, 0b1100, -1)
    assert_equal(apply("tile.ands", tile, 0b1010), row(np.int16, 0b1000, 0b1010))
    assert_equal(apply("tile.ors", tile, 0b1010), row(np.int16, 0b1110, -1))
    assert_equal(apply("tile.xors", tile, 0b1010, tile), row(np.int16, 0b0110, ~0b1010))
    assert_equal(apply("tile.ands", row(np.uint8, 255), Scalar(-2, pl.INT32)), row(np.uint8, 254))


@pytest.mark.parametrize(
    ("count", "left", "right"),
    [(0, [5, -5], [5, -5]), (1, [10, -10], [2, -3]), (7, [-128, -128], [0, -1]), (8, [0, 0], [0, -1])],
)
def test_shifts(count: int, left: list[int], right: list[int]) -> None:
    tile = row(np.int8, 5, -5)
    assert_equal(apply("tile.shls", tile, count), row(np.int8, *left))
    assert_equal(apply("tile.shrs", tile, count), row(np.int8, *right))


@pytest.mark.parametrize("count", [-1, 256, 2**31 - 1])
def test_a_count_that_is_negative_or_too_large_shifts_all_bits_out(count: int) -> None:
    tile = row(np.int8, 5, -5)
    assert_equal(apply("tile.shls", tile, Scalar(count, pl.INT32)), row(np.int8, 0, 0))
    assert_equal(apply("tile.shrs", tile, Scalar(count, pl.INT32)), row(np.int8, 0, -1))


def test_unsigned_integers_are_shifted_without_a_sign() -> None:
    assert_equal(apply("tile.shrs", row(np.uint32, 2**31), 4), row(np.uint32, 2**27))


def test_lrelu_scales_what_is_not_positive() -> None:
    for dtype in (np.float16, BF16, np.float32):
        assert_equal(apply("tile.lrelu", row(dtype, 2, -2, 0, -INF, NAN), 0.25), row(dtype, 2, -0.5, 0, -INF, NAN))


def test_the_slope_of_integers_may_be_a_fraction() -> None:
    assert_equal(apply("tile.lrelu", row(np.int32, 2**31 - 1, -7, -5), 0.25), row(np.int32, 2**31 - 1, -2, -1))


def test_an_integer_slope_takes_the_element_type_of_the_tile() -> None:
    assert_equal(apply("tile.lrelu", row(np.int8, -3, 5), Scalar(-2, pl.INT32)), row(np.int8, 6, 5))
    assert_equal(apply("tile.lrelu", row(np.int8, -3, 5), Scalar(258, pl.INT32)), row(np.int8, -6, 5))
    assert_equal(apply("tile.lrelu", row(np.float16, -3, 5), Scalar(2, pl.INT32)), row(np.float16, -6, 5))


def test_three_operands_are_combined_in_the_type_of_all() -> None:
    tile, other = row(np.int8, 100, -100), row(np.int16, 1, 2)
    assert_equal(apply("tile.addsc", tile, Scalar(1000, pl.INT32), other), row(np.int32, 1101, 902))
    assert_equal(apply("tile.subsc", tile, Scalar(1000, pl.INT32), other), row(np.int32, -899, -1098))
    assert_equal(apply("tile.addsc", row(np.float16, 1), 2.0, row(np.float16, 3)), row(np.float16, 6))


def test_three_operands_are_broadcast() -> None:
    tile, other = np.ones((2, 3), np.float32), row(np.float32, 1, 2, 3)
    assert_equal(apply("tile.addsc", tile, 10.0, other), [[12, 13, 14]] * 2)
    assert_equal(apply("tile.rems", row(np.int32, 5, 7), 4, np.ones((2, 2), np.int32)), [[1, 3], [0, 0]])
    assert_equal(apply("tile.rems", row(np.int32, 5, 7)[0], 4, np.ones((2, 2), np.int32)), [[1, 3], [0, 0]])


def test_expands_fills_with_the_scalar() -> None:
    """The tile gives the shape only, and a scalar that is wider gives the element type."""
    tile = np.full((2, 3), NAN, np.float16)
    assert_equal(apply("tile.expands", tile, Scalar(0.5, pl.FP16)), np.full((2, 3), 0.5, np.float16))
    assert_equal(apply("tile.expands", tile, Scalar(0.1, pl.FP32)), np.full((2, 3), 0.1, np.float32))
    assert_equal(apply("tile.expands", Tile(tile, (1, 2)), Scalar(2, pl.INT32)), [[2, 2, 0], [0, 0, 0]])


def test_only_the_valid_region_is_computed() -> None:
    tile = Tile(np.ones((2, 4), np.int32), (1, 3))
    assert_equal(apply("tile.adds", tile, 1), [[2, 2, 2, 0], [0, 0, 0, 0]])
    assert_equal(apply("tile.shls", tile, 1), [[2, 2, 2, 0], [0, 0, 0, 0]])
    assert_equal(apply("tile.lrelu", tile, 1.0), [[1, 1, 1, 0], [0, 0, 0, 0]])


def test_a_tile_without_values_can_be_expanded_into() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, value: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            tile = pl.create_tile([16, 32], dtype=pl.FP32)
            return pl.store(pl.expands(tile, value), [0, 0], out)

    assert_equal(Kernel.run(value=2.5), np.full((16, 32), 2.5, np.float32))
