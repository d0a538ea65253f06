"""Each row of a tile combined with one element, or each column."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from .apply import Tile, apply, assert_equal

TILE = [[1, 2, 3], [4, 5, -6]]
ROWS, COLUMN = [[2], [-1]], [[2, -1, 4]]

COMBINED = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "max": np.maximum,
    "min": np.minimum,
}


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.float16, np.float32])
@pytest.mark.parametrize("name", COMBINED)
def test_arithmetic(name: str, dtype: Any) -> None:
    tile, rows, column = np.array(TILE, dtype), np.array(ROWS, dtype), np.array(COLUMN, dtype)
    assert_equal(apply(f"tile.row_expand_{name}", tile, rows), COMBINED[name](tile, rows))
    assert_equal(apply(f"tile.col_expand_{name}", tile, column), COMBINED[name](tile, column))


def test_narrow_floats_are_rounded_once() -> None:
    bf16 = ml_dtypes.bfloat16
    tile, factor = np.array([[1, 3]], bf16), np.array([[1 + 2**-7]], bf16)
    assert_equal(apply("tile.row_expand_mul", tile, factor), np.array([[1 + 2**-7, 3 + 2**-5]], bf16))


def test_quotients() -> None:
    tile, rows, column = np.array(TILE, np.int32), np.array(ROWS, np.int32), np.array([[2, 0, 4]], np.int32)
    assert_equal(apply("tile.row_expand_div", tile, rows), np.array([[0, 1, 1], [-4, -5, 6]], np.int32))
    assert_equal(apply("tile.col_expand_div", tile, column), np.array([[0, 0, 0], [2, 0, -1]], np.int32))
    halves = tile.astype(np.float16)
    assert_equal(apply("tile.row_expand_div", halves, rows.astype(np.float16)), halves / rows.astype(np.float16))


def test_the_exponential_of_a_difference() -> None:
    """The difference is not rounded before."""
    tile, largest = np.array([[1, 2], [3, 4]], np.float16), np.array([[2.001], [4]], np.float16)
    difference = tile.astype(np.float32) - largest.astype(np.float32)
    assert_equal(apply("tile.row_expand_expdif", tile, largest), np.exp(difference).astype(np.float16))
    column = np.array([[3, 4]], np.float16)
    difference = tile.astype(np.float32) - column.astype(np.float32)
    assert_equal(apply("tile.col_expand_expdif", tile, column), np.exp(difference).astype(np.float16))


def test_one_element_is_spread_over_its_row_or_column() -> None:
    """The tile gives the shape, whatever it holds."""
    tile = np.full((2, 3), np.nan, np.float32)
    assert_equal(apply("tile.row_expand", tile, np.array(ROWS, np.float32)), [[2, 2, 2], [-1, -1, -1]])
    assert_equal(apply("tile.col_expand", tile, np.array(COLUMN, np.float32)), [[2, -1, 4]] * 2)


def test_different_element_types_are_combined() -> None:
    tile = np.array(TILE, np.int8)
    assert_equal(apply("tile.row_expand_mul", tile, np.array([[300], [2]], np.int32)), [[300, 600, 900], [8, 10, -12]])
    assert_equal(
        apply("tile.col_expand_add", tile, np.array([[0.5, 1, 2]], np.float32)),
        np.array([[1.5, 3, 5], [4.5, 6, -4]], np.float32),
    )


@pytest.mark.parametrize("name", ["row_expand", "row_expand_mul"])
def test_only_the_valid_rows_are_needed(name: str) -> None:
    tile, rows = Tile(np.ones((2, 3), np.float32), (1, 2)), Tile(np.array(ROWS, np.float32), (1, 1))
    assert_equal(apply(f"tile.{name}", tile, rows), [[2, 2, 0], [0, 0, 0]])


@pytest.mark.parametrize("name", ["col_expand", "col_expand_mul"])
def test_only_the_valid_columns_are_needed(name: str) -> None:
    tile, column = Tile(np.ones((2, 3), np.float32), (1, 2)), Tile(np.array(COLUMN, np.float32), (1, 2))
    assert_equal(apply(f"tile.{name}", tile, column), [[2, -1, 0], [0, 0, 0]])


def test_nothing_is_computed_of_tiles_without_valid_columns_or_rows() -> None:
    one, column = np.ones((1, 1), np.float32), np.ones((2, 1), np.float32)
    assert_equal(apply("tile.col_expand_mul", Tile(column, (2, 0)), one), [[0], [0]])
    assert_equal(apply("tile.add", Tile(column, (0, 1)), one), [[0], [0]])


def test_one_column_or_row_serves_every_matrix() -> None:
    tile = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    rows, column = np.array(ROWS, np.float32), np.array(COLUMN, np.float32)
    assert_equal(apply("tile.row_expand_sub", tile, rows), tile - rows)
    assert_equal(apply("tile.col_expand_sub", tile, column), tile - column)


def test_row_expand_add_takes_packed_rows() -> None:
    """A row of 32 bytes repeats its element."""
    tile = np.array(TILE, np.float32)
    packed = np.repeat(np.array(ROWS, np.float32), 8, axis=1)
    assert_equal(apply("tile.row_expand_add", tile, packed), [[3, 4, 5], [3, 4, -7]])
    assert_equal(apply("tile.row_expand_add", tile, Tile(packed, (2, 1)), tile), [[3, 4, 5], [3, 4, -7]])
