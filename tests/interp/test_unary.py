"""What the elementwise operators on one tile compute."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from .apply import Tile, apply, assert_equal

BF16 = ml_dtypes.bfloat16
FLOATS = [np.float16, BF16, np.float32]
INF, NAN = np.inf, np.nan


def row(dtype: Any, *numbers: float) -> np.ndarray[Any, Any]:
    return np.array([numbers], dtype)


@pytest.mark.parametrize("dtype", FLOATS)
def test_sign_and_size_of_floats(dtype: Any) -> None:
    tile = row(dtype, 1.5, -2, 0, INF, -INF, NAN)
    assert_equal(apply("tile.neg", tile), row(dtype, -1.5, 2, 0, -INF, INF, NAN))
    assert_equal(apply("tile.abs", tile), row(dtype, 1.5, 2, 0, INF, INF, NAN))
    assert_equal(apply("tile.relu", tile), row(dtype, 1.5, 0, 0, INF, 0, NAN))


def test_neg_turns_zero_into_minus_zero() -> None:
    assert np.signbit(apply("tile.neg", row(np.float32, 0)))[0, 0]


def test_sign_and_size_of_integers() -> None:
    """The smallest one has no counterpart, so it wraps to itself."""
    tile = row(np.int8, 5, -5, 0, -128)
    assert_equal(apply("tile.neg", tile), row(np.int8, -5, 5, 0, -128))
    assert_equal(apply("tile.abs", tile), row(np.int8, 5, 5, 0, -128))
    assert_equal(apply("tile.relu", tile), row(np.int8, 5, 0, 0, 0))


def test_unsigned_integers_wrap() -> None:
    assert_equal(apply("tile.neg", row(np.uint8, 1, 0)), row(np.uint8, 255, 0))
    assert_equal(apply("tile.abs", row(np.uint8, 255)), row(np.uint8, 255))


def test_not_complements_the_bits() -> None:
    assert_equal(apply("tile.not", row(np.int16, 0, -1, 5)), row(np.int16, -1, 0, -6))
    assert_equal(apply("tile.not", row(np.uint16, 0, 65535, 5)), row(np.uint16, 65535, 0, 65530))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    ("name", "function"), [("exp", np.exp), ("sqrt", np.sqrt), ("rsqrt", lambda x: 1 / np.sqrt(x))]
)
def test_functions_are_computed_in_32_bits_and_rounded_once(name: str, function: Any, dtype: Any) -> None:
    tile = np.linspace(0.1, 5, 40).reshape(2, 20).astype(dtype)
    assert_equal(apply(f"tile.{name}", tile), function(tile.astype(np.float32)).astype(dtype))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_log(dtype: type) -> None:
    expected = row(np.float32, 0, np.log(np.float32(2)), -INF, NAN, INF).astype(dtype)
    assert_equal(apply("tile.log", row(dtype, 1, 2, 0, -1, INF)), expected)
    assert_equal(apply("tile.log", row(dtype, 1, 2, 0, -1, INF), high_precision=True), expected)


def test_sin_and_cos() -> None:
    tile = np.linspace(-4, 4, 40, dtype=np.float32).reshape(2, 20)
    np.testing.assert_allclose(apply("tile.sin", tile), np.sin(tile.astype(np.float64)), rtol=0, atol=1e-6)
    np.testing.assert_allclose(apply("tile.cos", tile), np.cos(tile.astype(np.float64)), rtol=0, atol=1e-6)


def test_where_functions_have_no_value() -> None:
    with np.errstate(all="ignore"):
        assert_equal(apply("tile.exp", row(np.float16, 100, -INF)), row(np.float16, INF, 0))
    assert_equal(apply("tile.sqrt", row(np.float32, -1, INF)), row(np.float32, NAN, INF))
    assert_equal(apply("tile.rsqrt", row(np.float32, 0, -1, INF)), row(np.float32, INF, NAN, 0))


def test_scratch_and_precision_change_nothing() -> None:
    tile = row(np.float16, 4, 16)
    assert_equal(apply("tile.rsqrt", tile, tile), row(np.float16, 0.5, 0.25))
    assert_equal(apply("tile.rsqrt", tile, high_precision=True), row(np.float16, 0.5, 0.25))
    assert_equal(apply("tile.recip", tile, high_precision=True), row(np.float16, 0.25, 0.0625))


def test_functions_of_integers_are_rounded_to_the_nearest() -> None:
    assert_equal(apply("tile.exp", row(np.int32, 0, 1, 2, 100)), row(np.int32, 1, 3, 7, 2**31 - 1))
    assert_equal(apply("tile.sqrt", row(np.int8, 0, 2, 3, 127)), row(np.int8, 0, 1, 2, 11))


def test_recip() -> None:
    assert_equal(apply("tile.recip", row(np.float16, 2, -0.5, 0, -INF)), row(np.float16, 0.5, -2, INF, 0))
    assert_equal(apply("tile.recip", row(np.int32, 1, -1, 2, 0)), row(np.int32, 1, -1, 0, 0))


def test_only_the_valid_region_is_computed() -> None:
    tile = Tile(np.full((2, 4), 4, np.float32), (1, 3))
    assert_equal(apply("tile.sqrt", tile), [[2, 2, 2, 0], [0, 0, 0, 0]])
