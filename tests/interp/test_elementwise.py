"""What the elementwise operators on several tiles compute."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from .apply import Tile, apply, assert_equal


def test_add_is_computed_in_32_bits_and_rounded_once() -> None:
    lhs = np.array([[256, 1]], ml_dtypes.bfloat16)
    rhs = np.array([[1, 2**-9]], ml_dtypes.bfloat16)
    assert_equal(apply("tile.add", lhs, rhs), np.array([[256, 1]], ml_dtypes.bfloat16))


def test_integers_wrap() -> None:
    lhs = np.array([[127, -128]], np.int8)
    assert_equal(apply("tile.add", lhs, np.ones_like(lhs)), np.array([[-128, -127]], np.int8))


def test_a_row_is_broadcast() -> None:
    lhs, rhs = np.arange(8, dtype=np.float32).reshape(2, 4), np.array([[1, 2, 3, 4]], np.float32)
    assert_equal(apply("tile.add", lhs, rhs), lhs + rhs)


def test_the_valid_region_is_computed_and_the_rest_has_no_value() -> None:
    lhs = np.ones((2, 4), np.float32)
    assert_equal(apply("tile.add", Tile(lhs, (1, 3)), lhs), [[2, 2, 2, 0], [0, 0, 0, 0]])
