"""Sorting in blocks of 32, and merging sorted runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

from .apply import Tile, apply, assert_equal

RANDOM = np.random.default_rng(11)


def pairs_of(rows: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The elements of sorted rows, and the positions whose bits stand beside them."""
    return rows[..., 0::2], rows[..., 1::2].copy().view(f"u{rows.itemsize}")


def sorted_rows(rows: int, columns: int, first: int = 0) -> np.ndarray[Any, Any]:
    """Random numbers, each followed by its position, in sorted runs of 32."""
    numbers = RANDOM.permutation(rows * columns).reshape(rows, columns).astype(np.float32)
    positions = np.arange(first, first + columns, dtype=np.uint32).reshape(1, columns)
    return apply("tile.sort32", numbers, positions)


def test_every_32_elements_are_sorted_in_falling_order_beside_their_indices() -> None:
    numbers = RANDOM.permutation(128).reshape(2, 64).astype(np.float32)
    positions = np.broadcast_to(np.arange(64, dtype=np.uint32), (2, 64)).copy()
    found, indices = pairs_of(apply("tile.sort32", numbers, positions))
    assert_equal(found, -np.sort(-numbers.reshape(4, 32), axis=1).reshape(2, 64))
    assert_equal(np.take_along_axis(numbers, indices.astype(np.int64), axis=1), found)


def test_elements_of_16_bits_stand_beside_the_lower_bits_of_their_indices() -> None:
    numbers = RANDOM.permutation(32).reshape(1, 32).astype(np.float16)
    found, indices = pairs_of(
        apply("tile.sort32", numbers, np.arange(2**16, 2**16 + 32, dtype=np.int32).reshape(1, 32))
    )
    assert_equal(found, np.arange(31, -1, -1, dtype=np.float16).reshape(1, 32))
    assert_equal(numbers[0, indices[0]], found[0])


def test_of_equal_elements_the_first_comes_first_and_nan_comes_last() -> None:
    numbers = np.array([[1, np.nan, 2, 1, 2, -np.inf]], np.float32)
    found, indices = pairs_of(apply("tile.sort32", numbers, np.arange(6, dtype=np.uint32).reshape(1, 6)))
    assert_equal(found, [[2, 2, 1, 1, -np.inf, np.nan]])
    assert_equal(indices, [[2, 4, 0, 3, 5, 1]])


def test_only_valid_elements_are_sorted() -> None:
    numbers = np.arange(32, dtype=np.float32).reshape(1, 32)
    found = apply("tile.sort32", Tile(numbers, (1, 3)), np.arange(32, dtype=np.uint32).reshape(1, 32))
    assert_equal(pairs_of(found)[0][0, :4], [2, 1, 0, 0])


def test_too_few_indices_are_refused() -> None:
    numbers = np.zeros((1, 32), np.float32)
    with pytest.raises(UserError) as caught:
        apply("tile.sort32", numbers, Tile(np.zeros((1, 32), np.uint32), (1, 31)))
    assert caught.value.code == "PL505"


def test_four_runs_become_one() -> None:
    runs = sorted_rows(2, 256)
    found, indices = pairs_of(apply("tile.mrgsort_format1", runs, 64))
    numbers, positions = pairs_of(runs)
    expected = -np.sort(-numbers.reshape(4, 128), axis=1).reshape(2, 256)
    assert_equal(found, expected)
    for row in range(2):
        place = dict(zip(numbers[row], positions[row], strict=True))
        assert [place[each] for each in found[row]] == [*indices[row]]


def test_the_last_runs_may_be_fewer_and_shorter() -> None:
    runs = sorted_rows(1, 176)
    found, _ = pairs_of(apply("tile.mrgsort_format1", runs, 64))
    numbers, _ = pairs_of(runs)
    assert_equal(found[0, :128], -np.sort(-numbers[0, :128]))
    assert_equal(found[0, 128:], -np.sort(-numbers[0, 128:]))


def test_runs_that_are_not_sorted_are_merged_by_their_heads() -> None:
    row = np.zeros((1, 128), np.float32)
    row[0, 0:6:2], row[0, 64:70:2] = (5, 1, 7), (3, 2, 9)
    found, _ = pairs_of(apply("tile.mrgsort_format1", row, 64))
    assert_equal(found[0, :6], [5, 3, 2, 9, 1, 7])


def test_of_equal_elements_that_of_the_first_run_comes_first() -> None:
    scratch = np.zeros((1, 8), np.float32)
    first, second = np.array([[5, 0, 5, 1]], np.float32), np.array([[5, 2, 5, 3]], np.float32)
    found = apply("tile.mrgsort_format2", first, second, scratch)
    assert_equal(found[0, 1::2], [0, 1, 2, 3])


@pytest.mark.parametrize("count", [2, 3, 4])
def test_two_to_four_tiles_are_merged(count: int) -> None:
    sources = [sorted_rows(2, 32, 32 * each) for each in range(count)]
    found, indices = pairs_of(apply("tile.mrgsort_format2", *sources, np.zeros((2, 64 * count), np.float32)))
    together = np.concatenate([pairs_of(each)[0] for each in sources], axis=1)
    assert_equal(found, -np.sort(-together, axis=1))
    assert_equal(np.sort(indices, axis=1), [range(32 * count)] * 2)


def test_the_scratch_of_a_merge_is_not_read() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def merge(
        x: pl.Tensor[[1, 64], pl.FP32], y: pl.Tensor[[1, 64], pl.FP32], out: pl.Out[pl.Tensor[[1, 128], pl.FP32]]
    ) -> pl.Tensor[[1, 128], pl.FP32]:
        scratch = pl.create_tile([1, 128], pl.FP32)
        merged = pl.mrgsort(pl.load(x, [0, 0], [1, 64]), pl.load(y, [0, 0], [1, 64]), scratch)
        return pl.store(merged, [0, 0], out)

    x, y = sorted_rows(1, 32), sorted_rows(1, 32)
    together = np.concatenate([pairs_of(x)[0], pairs_of(y)[0]], axis=1)
    assert_equal(pairs_of(merge.run(x=x, y=y))[0], -np.sort(-together, axis=1))


def test_a_result_with_fewer_columns_takes_the_largest() -> None:
    first, second = sorted_rows(1, 32), sorted_rows(1, 32)
    found, _ = pairs_of(apply("tile.mrgsort_format2", first, second, np.zeros((1, 16), np.float32)))
    together = np.concatenate([pairs_of(first)[0], pairs_of(second)[0]], axis=1)
    assert_equal(found, -np.sort(-together, axis=1)[:, :8])


def test_a_merge_can_stop_where_one_tile_is_used_up() -> None:
    first, second = np.array([[9, 0, 5, 1, 1, 2]], np.float32), np.array([[7, 3, 6, 4]], np.float32)
    found = apply("tile.mrgsort_format2", first, second, np.zeros((1, 10), np.float32), exhausted=True)
    assert_equal(found[0, 0::2], [9, 7, 6, 0, 0])


def test_a_sort_of_a_row_in_all_its_steps() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def top(
        x: pl.Tensor[[1, 512], pl.FP32],
        positions: pl.Tensor[[1, 512], pl.UINT32],
        values: pl.Out[pl.Tensor[[1, 16], pl.FP32]],
        indices: pl.Out[pl.Tensor[[1, 16], pl.UINT32]],
    ) -> tuple[pl.Tensor[[1, 16], pl.FP32], pl.Tensor[[1, 16], pl.UINT32]]:
        blocks = pl.sort32(pl.load(x, [0, 0], [1, 512]), pl.load(positions, [0, 0], [1, 512]))
        quarters = pl.mrgsort(pl.mrgsort(blocks, block_len=64), block_len=256)
        largest = pl.slice(quarters, [1, 32], [0, 0])
        values = pl.store(pl.tile.gather_mask(largest, mask_pattern=1), [0, 0], values)
        bits = pl.tile.gather_mask(largest, mask_pattern=2, output_dtype=pl.UINT32)
        return values, pl.store(bits, [0, 0], indices)

    x = RANDOM.permutation(512).reshape(1, 512).astype(np.float32)
    values, indices = top.run(x=x, positions=np.arange(512, dtype=np.uint32).reshape(1, 512))
    assert_equal(values, np.arange(511, 495, -1, dtype=np.float32).reshape(1, 16))
    assert_equal(x[0, indices[0]], values[0])


@pytest.mark.parametrize("rows", [(2, 1, 2), (1, 2, 2), (2, 2, 1)])
def test_tiles_of_other_rows_are_not_merged(rows: tuple[int, int, int]) -> None:
    with pytest.raises(UserError) as caught:
        apply("tile.mrgsort_format2", *[np.zeros((each, 64), np.float32) for each in rows])
    assert caught.value.code == "PL506"
