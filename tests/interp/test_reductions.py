"""Reductions of rows and columns, over what is valid."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

from .apply import Tile, apply, assert_equal

BF16 = ml_dtypes.bfloat16
NAN = np.nan
NUMBERS = [[3, -1, 2, 2], [-5, 4, 0, 4]]
WITH_SCRATCH = ("row_sum", "row_max", "row_min", "row_prod", "row_argmax", "row_argmin", "col_argmax", "col_argmin")


def reduced(name: str, tile: Any) -> Any:
    """The reduction, with scratch where the operator wants it."""
    elements = tile.elements if isinstance(tile, Tile) else tile
    scratch = [np.zeros_like(elements)] if name in WITH_SCRATCH else []
    return apply(f"tile.{name}", tile, *scratch)


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.float16, np.float32])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("row_sum", [[6], [3]]),
        ("row_max", [[3], [4]]),
        ("row_min", [[-1], [-5]]),
        ("row_prod", [[-12], [0]]),
        ("col_sum", [[-2, 3, 2, 6]]),
        ("col_max", [[3, 4, 2, 4]]),
        ("col_min", [[-5, -1, 0, 2]]),
        ("col_prod", [[-15, -4, 0, 8]]),
    ],
)
def test_reductions_keep_the_element_type(name: str, expected: Any, dtype: Any) -> None:
    assert_equal(reduced(name, np.array(NUMBERS, dtype)), np.array(expected, dtype))


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.float16, BF16, np.float32])
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("row_argmax", [[0], [1]]),
        ("row_argmin", [[1], [0]]),
        ("col_argmax", [[0, 1, 0, 1]]),
        ("col_argmin", [[1, 0, 1, 0]]),
    ],
)
def test_positions_are_those_of_the_first(name: str, expected: Any, dtype: Any) -> None:
    assert_equal(reduced(name, np.array(NUMBERS, dtype)), np.array(expected, np.int32))


@pytest.mark.parametrize("dtype", [np.float16, BF16])
@pytest.mark.parametrize(("name", "shape"), [("row_sum", (1, 4096)), ("col_sum", (4096, 1))])
def test_sums_of_narrow_floats_are_accumulated_in_32_bits(name: str, shape: tuple[int, int], dtype: Any) -> None:
    """In 16 bits the sum would stop growing at 2048, or at 256."""
    assert_equal(reduced(name, np.ones(shape, dtype)), np.full((1, 1), 4096, dtype))


def test_a_product_of_narrow_floats_may_be_large_on_the_way() -> None:
    tile = np.array([[300, 300, 2**-8]], np.float16)
    assert_equal(reduced("row_prod", tile), np.array([[90000 / 256]], np.float16))


@pytest.mark.parametrize("axis", [1, 0])
def test_sums_and_products_of_integers_wrap(axis: int) -> None:
    tile = np.array([[100, 100, 3]], np.int8)
    prefix = "row" if axis else "col"
    tile = tile if axis else tile.T.copy()
    assert_equal(reduced(f"{prefix}_sum", tile), np.array([[203 - 256]], np.int8))
    assert_equal(reduced(f"{prefix}_prod", tile), np.array([[(30000 + 128) % 256 - 128]], np.int8))


def test_the_largest_of_unsigned_integers() -> None:
    tile = np.array([[1, 255, 128]], np.uint8)
    assert_equal(reduced("row_max", tile), np.array([[255]], np.uint8))
    assert_equal(reduced("row_argmax", tile), np.array([[1]], np.int32))


@pytest.mark.parametrize("name", ["sum", "max", "min", "prod"])
def test_nan_prevails(name: str) -> None:
    tile = np.array([[1, NAN, 3], [1, 2, 3]], np.float32)
    assert_equal(np.isnan(reduced(f"row_{name}", tile)), [[True], [False]])
    assert_equal(np.isnan(reduced(f"col_{name}", tile)), [[False, True, False]])


def test_nan_is_the_largest_and_the_smallest() -> None:
    tile = np.array([[1, NAN, 3, NAN]], np.float16)
    assert_equal(reduced("row_argmax", tile), [[1]])
    assert_equal(reduced("row_argmin", tile), [[1]])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("row_sum", [[3], [7], [0]]),
        ("row_max", [[2], [4], [0]]),
        ("row_prod", [[2], [12], [0]]),
        ("row_argmax", [[1], [1], [0]]),
        ("col_sum", [[4, 6, 0]]),
        ("col_min", [[1, 2, 0]]),
        ("col_argmax", [[1, 1, 0]]),
    ],
)
def test_only_the_valid_region_counts(name: str, expected: Any) -> None:
    """What lies outside would change every one of these."""
    tile = Tile(np.array([[1, 2, 9], [3, 4, 9], [9, 9, 9]], np.int32), (2, 2))
    assert_equal(reduced(name, tile), expected)


def test_columns_reduce_the_first_axis_and_rows_the_last() -> None:
    tile = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    assert_equal(reduced("row_sum", tile), tile.sum(axis=2, keepdims=True))
    assert_equal(reduced("col_sum", tile), tile.sum(axis=0, keepdims=True))
    assert_equal(reduced("col_argmax", tile), np.ones((1, 3, 4), np.int32))


def test_col_sum_with_scratch() -> None:
    tile = np.array(NUMBERS, np.float32)
    assert_equal(apply("tile.col_sum", tile, np.full_like(tile, NAN)), [[-2, 3, 2, 6]])


@pl.program
class PartlyReduced:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 32], pl.FP32],
        rows: pl.Scalar[pl.INDEX],
        columns: pl.Scalar[pl.INDEX],
        out: pl.InOut[pl.Tensor[[16, 1], pl.FP32]],
    ) -> pl.Tensor[[16, 1], pl.FP32]:
        tile = pl.load(x, [0, 0], [16, 32], valid_shape=[rows, columns])
        scratch = pl.create_tile([16, 32], dtype=pl.FP32)
        return pl.store(pl.row_max(tile, scratch), [0, 0], out)


def test_a_region_that_is_known_in_the_run() -> None:
    x = np.arange(16 * 32, dtype=np.float32).reshape(16, 32)
    expected = np.full((16, 1), -1, np.float32)
    expected[:5] = x[:5, :7].max(axis=1, keepdims=True)
    assert_equal(PartlyReduced.run(x=x, rows=5, columns=7, out=np.full((16, 1), -1, np.float32)), expected)


def test_no_rows_have_no_maxima() -> None:
    out = np.full((16, 1), -1, np.float32)
    assert_equal(PartlyReduced.run(x=np.ones((16, 32), np.float32), rows=0, columns=7, out=out.copy()), out)


def test_a_row_without_elements_has_no_maximum() -> None:
    with pytest.raises(UserError, match=r"pl\.row_max\(tile, scratch\)") as caught:
        PartlyReduced.run(x=np.ones((16, 32), np.float32), rows=5, columns=0, out=np.ones((16, 1), np.float32))
    assert caught.value.code == "PL506"
    assert caught.value.diagnostics[0].operand == "tile"
