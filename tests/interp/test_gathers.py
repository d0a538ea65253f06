"""Elements that are picked by index or pattern, and put by index or pattern, within tiles."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

from .apply import Tile, apply, assert_equal

NUMBERS = np.arange(64, dtype=np.float32).reshape(4, 16)
TMP = np.zeros((2, 3), np.float32)


def test_gather_takes_the_elements_at_flat_positions() -> None:
    indices = np.array([[0, 17, 63], [5, 5, 1]], np.int32)
    assert_equal(apply("tile.gather", NUMBERS, indices, TMP), np.array([[0, 17, 63], [5, 5, 1]], np.float32))


def test_gather_counts_through_rows_that_are_not_valid() -> None:
    indices = np.array([[16]], np.int32)
    assert_equal(apply("tile.gather", Tile(NUMBERS, (4, 3)), indices, TMP), [[16]])


def test_gather_has_values_where_its_indices_are_valid() -> None:
    indices = np.full((2, 3), 9, np.int32)
    assert_equal(apply("tile.gather", NUMBERS, Tile(indices, (1, 2)), TMP), [[9, 9, 0], [0, 0, 0]])


@pytest.mark.parametrize("position", [-1, 64])
def test_gather_refuses_positions_outside(position: int) -> None:
    with pytest.raises(UserError) as caught:
        apply("tile.gather", NUMBERS, np.array([[position]], np.int32), TMP)
    assert caught.value.code == "PL505"
    assert str(position) in str(caught.value)


def test_gather_keeps_what_is_undefined() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        x: pl.Tensor[[1, 16], pl.FP32], at: pl.Tensor[[1, 16], pl.INT32], out: pl.Out[pl.Tensor[[1, 16], pl.FP32]]
    ) -> pl.Tensor[[1, 16], pl.FP32]:
        partly = pl.load(x, [0, 0], [1, 16], valid_shape=[1, 8])
        indices = pl.load(at, [0, 0], [1, 16])
        return pl.store(pl.tile.gather(partly, indices, pl.create_tile([1, 16], pl.INT32)), [0, 0], out)

    x, first_half = NUMBERS[:1], np.arange(16, dtype=np.int32).reshape(1, 16) % 8
    assert_equal(kernel.run(x=x, at=first_half), x[:, np.arange(16) % 8])
    with pytest.raises(UserError) as caught:
        kernel.run(x=x, at=first_half + 1)
    assert caught.value.code == "PL504"


def test_gatherb_takes_blocks_of_32_bytes() -> None:
    offsets = np.array([[32, 0, 224, 64, 32, 32, 0, 0]], np.uint32)
    expected = np.concatenate([NUMBERS.reshape(-1, 8)[block] for block in (1, 0, 7, 2, 1, 1, 0, 0)])
    assert_equal(apply("tile.gatherb", NUMBERS, offsets), expected.reshape(1, 64))


def test_gatherb_reads_the_bytes_as_another_type() -> None:
    source = np.arange(32, dtype=np.int16).reshape(1, 32)
    offsets = np.array([[32] + [0] * 7], np.uint32)
    found = apply("tile.gatherb", source, offsets, output_dtype=pl.INT32)
    assert_equal(found[:, :8], source[:, 16:].copy().view(np.int32))


def test_gatherb_has_values_where_its_offsets_are_valid() -> None:
    found = apply("tile.gatherb", NUMBERS, Tile(np.full((2, 8), 32, np.uint32), (1, 2)))
    assert_equal(found[0], [*range(8, 16), *range(8, 16), *[0] * 48])
    assert not found[1].any()


@pytest.mark.parametrize(("offset", "code"), [(256, "PL505"), (8, "PL506")])
def test_gatherb_refuses_offsets_outside_and_between_blocks(offset: int, code: str) -> None:
    with pytest.raises(UserError) as caught:
        apply("tile.gatherb", NUMBERS, np.full((1, 8), offset, np.uint32))
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (1, [0, 2, 4, 6]),
        (2, [1, 3, 5, 7]),
        (3, [0, 4]),
        (4, [1, 5]),
        (5, [2, 6]),
        (6, [3, 7]),
        (7, [0, 1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_patterns(pattern: int, expected: list[int]) -> None:
    row = np.arange(8, dtype=np.int16).reshape(1, 8)
    assert_equal(apply("tile.gather_mask", row, mask_pattern=pattern), np.array([expected], np.int16))


def test_a_pattern_reads_the_bits_of_its_elements_as_another_type() -> None:
    row = np.arange(8, dtype=np.uint32).reshape(1, 8)
    found = apply("tile.gather_mask", row.view(np.float32), mask_pattern=2, output_dtype=pl.UINT32)
    assert_equal(found, np.array([[1, 3, 5, 7]], np.uint32))


def compare(mode: str, *, out_cols: int = 4, offset: int = 0, src: Any = None) -> Any:
    row = np.array([[3, 1, 3, 2], [0, 0, 0, 3]], np.float32) if src is None else src
    return apply("tile.gather_compare", row, 3.0, TMP, cmp_mode=mode, out_cols=out_cols, offset=offset)


def test_gather_compare_gives_the_positions_in_each_row_and_their_number() -> None:
    positions, counts = compare("eq")
    assert_equal(positions, np.array([[0, 2, 0, 0], [3, 0, 0, 0]], np.int32))
    assert_equal(counts, np.array([[2, 1]], np.int32))


@pytest.mark.parametrize(("mode", "count"), [("eq", 2), ("ne", 2), ("lt", 2), ("le", 4), ("gt", 0), ("ge", 2)])
def test_the_relations_of_gather_compare(mode: str, count: int) -> None:
    assert compare(mode)[1][0, 0] == count


def test_gather_compare_counts_positions_from_its_offset() -> None:
    assert_equal(compare("eq", offset=100)[0][:, :2], [[100, 102], [103, 0]])


def test_gather_compare_counts_what_does_not_find_room() -> None:
    positions, counts = compare("le", out_cols=1)
    assert_equal(positions, [[0], [0]])
    assert_equal(counts, [[4, 4]])


def test_gather_compare_looks_at_the_valid_region() -> None:
    src = Tile(np.full((2, 4), 3, np.float32), (1, 3))
    positions, counts = compare("eq", src=src)
    assert_equal(positions, [[0, 1, 2, 0], [0, 0, 0, 0]])
    assert_equal(counts, [[3, 0]])


def test_positions_behind_the_last_found_have_no_value() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        x: pl.Tensor[[1, 16], pl.FP32], out: pl.Out[pl.Tensor[[1, 16], pl.INT32]]
    ) -> pl.Tensor[[1, 16], pl.INT32]:
        tile = pl.load(x, [0, 0], [1, 16])
        positions, _counts = pl.tile.gather_compare(tile, 3.0, pl.create_tile([1, 16], pl.INT32), out_cols=16)
        return pl.store(positions, [0, 0], out)

    assert_equal(kernel.run(x=np.full((1, 16), 3, np.float32)), [range(16)])
    with pytest.raises(UserError) as caught:
        kernel.run(x=np.arange(16, dtype=np.float32).reshape(1, 16))
    assert caught.value.code == "PL504"


def test_scatter_puts_elements_to_flat_positions() -> None:
    dst = np.full((2, 4), -1, np.float32)
    src, indexes = np.array([[1, 2, 3]], np.float32), np.array([[7, 0, 4]], np.int32)
    assert_equal(apply("tile.scatter", dst, src, indexes), [[2, -1, -1, -1], [3, -1, -1, 1]])


def test_scatter_keeps_the_last_of_several_elements() -> None:
    dst = np.zeros((1, 2), np.float16)
    src, indexes = np.array([[1, 2, 3]], np.float16), np.array([[1, 1, 1]], np.int16)
    assert_equal(apply("tile.scatter", dst, src, indexes), np.array([[0, 3]], np.float16))


def test_scatter_puts_valid_elements_only() -> None:
    dst = np.zeros((1, 4), np.float32)
    src, indexes = np.array([[1, 2, 3]], np.float32), np.array([[0, 1, 99]], np.int32)
    assert_equal(apply("tile.scatter", dst, Tile(src, (1, 3)), Tile(indexes, (1, 2))), [[1, 2, 0, 0]])
    assert_equal(apply("tile.scatter", dst, Tile(src, (1, 1)), Tile(indexes, (1, 2))), [[1, 0, 0, 0]])


def test_scatter_refuses_positions_outside() -> None:
    with pytest.raises(UserError) as caught:
        apply("tile.scatter", NUMBERS, np.ones((1, 1), np.float32), np.array([[64]], np.int32))
    assert caught.value.code == "PL505"


def test_scatter_defines_elements_of_an_empty_tile() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def reverse(
        x: pl.Tensor[[1, 16], pl.FP32], to: pl.Tensor[[1, 16], pl.INT32], out: pl.Out[pl.Tensor[[1, 16], pl.FP32]]
    ) -> pl.Tensor[[1, 16], pl.FP32]:
        empty = pl.create_tile([1, 16], pl.FP32)
        scattered = pl.tile.scatter(empty, pl.load(x, [0, 0], [1, 16]), pl.load(to, [0, 0], [1, 16]))
        return pl.store(scattered, [0, 0], out)

    backwards = np.arange(15, -1, -1, dtype=np.int32).reshape(1, 16)
    assert_equal(reverse.run(x=NUMBERS[:1], to=backwards), NUMBERS[:1, ::-1])
    with pytest.raises(UserError) as caught:
        reverse.run(x=NUMBERS[:1], to=backwards // 2)
    assert caught.value.code == "PL504"


@pytest.mark.parametrize(
    ("pattern", "expected"), [(1, [5, 0, 6, 0]), (2, [0, 5, 0, 6]), (7, [5, 6]), (5, [0, 0, 5, 0, 0, 0, 6, 0])]
)
def test_scatter_mask_spreads_elements_over_a_pattern(pattern: int, expected: list[int]) -> None:
    src, dst = np.array([[5, 6]], np.int32), np.zeros((1, len(expected)), np.int32)
    assert_equal(apply("tile.scatter_mask", dst, src, mask_pattern=pattern), np.array([expected], np.int32))


def test_scatter_mask_spreads_valid_elements_only() -> None:
    src, dst = np.full((2, 2), 5, np.int32), np.zeros((2, 4), np.int32)
    assert_equal(apply("tile.scatter_mask", dst, Tile(src, (1, 1)), mask_pattern=1), [[5, 0, 0, 0], [0, 0, 0, 0]])


def test_scatter_update_replaces_rows() -> None:
    rows = np.zeros((4, 2), ml_dtypes.bfloat16)
    src = np.arange(8, dtype=np.float32).reshape(4, 2).astype(ml_dtypes.bfloat16)
    index = np.array([[3, 1], [0, 1]], np.int32)
    assert_equal(apply("tile.scatter_update", rows, index, src), [[4, 5], [6, 7], [0, 0], [0, 1]])


def test_scatter_update_counts_the_rows_of_all_blocks() -> None:
    blocks = np.zeros((2, 3, 1, 2), np.float32)
    src = np.array([7, 8], np.float32).reshape(1, 1, 1, 2)
    found = apply("tile.scatter_update", blocks, np.array([[4]], np.int32), src)
    expected = np.zeros((6, 2), np.float32)
    expected[4] = 7, 8
    assert_equal(found.reshape(6, 2), expected)


def test_scatter_update_refuses_rows_outside() -> None:
    with pytest.raises(UserError) as caught:
        apply("tile.scatter_update", NUMBERS, np.array([[4]], np.int32), np.zeros((1, 16), np.float32))
    assert caught.value.code == "PL505"
