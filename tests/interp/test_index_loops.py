"""Products, sorts, merges, gathers and scatters against loops over Python's own numbers, on generated operands."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from .apply import Tensor, Tile, apply, assert_equal

if TYPE_CHECKING:
    from collections.abc import Sequence

few_examples = settings(max_examples=20, deadline=None)

extents = st.integers(1, 5)
seeds = st.integers(0, 2**16)


@st.composite
def regions(draw: st.DrawFn, *shape: int) -> tuple[int, ...]:
    """A valid region of a shape."""
    return tuple([draw(st.integers(1, extent)) for extent in shape])


def numbers(seed: int, *shape: int) -> np.ndarray[Any, Any]:
    """Whole numbers with many repetitions, as floats."""
    return np.random.default_rng(seed).integers(-9, 10, shape).astype(np.float32)


def places(seed: int, count: int, *shape: int) -> np.ndarray[Any, Any]:
    """Positions below a count."""
    return np.random.default_rng(seed).integers(0, count, shape).astype(np.int32)


@few_examples
@given(st.data(), seeds, extents, extents, extents)
def test_a_product_is_a_sum_over_what_is_valid(
    data: st.DataObject, seed: int, rows: int, inner: int, columns: int
) -> None:
    lhs, rhs = numbers(seed, rows, inner), numbers(seed + 1, inner, columns)
    left, right = data.draw(regions(rows, inner)), data.draw(regions(inner, columns))
    expected = np.zeros((rows, columns), np.float32)
    for row in range(left[0]):
        for column in range(right[1]):
            expected[row, column] = sum(lhs[row, k] * rhs[k, column] for k in range(min(left[1], right[0])))
    assert_equal(apply("tile.matmul", Tile(lhs, left), Tile(rhs, right)), expected)


@few_examples
@given(st.data(), seeds, extents, extents)
def test_a_gather_takes_element_by_element(data: st.DataObject, seed: int, rows: int, columns: int) -> None:
    source, indices = numbers(seed, 3, 7), places(seed, 21, rows, columns)
    valid = data.draw(regions(rows, columns))
    expected = np.zeros((rows, columns), np.float32)
    for row in range(valid[0]):
        for column in range(valid[1]):
            expected[row, column] = source.flat[indices[row, column]]
    assert_equal(apply("tile.gather", source, Tile(indices, valid), source), expected)
    assert_equal(apply("tile.mgather", Tensor(source), Tile(indices, valid), coalesce="elem"), expected)


@few_examples
@given(st.data(), seeds, extents, extents)
def test_a_scatter_puts_element_by_element(data: st.DataObject, seed: int, rows: int, columns: int) -> None:
    target, src, indexes = numbers(seed, 3, 7), numbers(seed + 1, rows, columns), places(seed, 21, rows, columns)
    valid = data.draw(regions(rows, columns))
    expected = target.copy()
    for row in range(valid[0]):
        for column in range(valid[1]):
            expected.flat[indexes[row, column]] = src[row, column]
    assert_equal(apply("tile.scatter", target, Tile(src, valid), indexes), expected)
    apply("tile.mscatter", Tile(src, valid), indexes, Tensor(target))
    assert_equal(target, expected)


@few_examples
@given(seeds, st.integers(1, 9))
def test_gather_compare_looks_at_one_element_after_the_other(seed: int, out_cols: int) -> None:
    src = numbers(seed, 3, 40)
    expected, counts = np.zeros((3, out_cols), np.int32), [0, 0, 0]
    for row in range(3):
        for column in range(40):
            if src[row, column] >= 7:
                if counts[row] < out_cols:
                    expected[row, counts[row]] = column
                counts[row] += 1
    found = apply("tile.gather_compare", src, 7.0, src, cmp_mode="ge", out_cols=out_cols)
    assert_equal(found[0], expected)
    assert_equal(found[1], [counts])


Pair = tuple[float, float]


def pairs_of(row: np.ndarray[Any, Any]) -> list[Pair]:
    return [(float(value), float(index)) for value, index in row.reshape(-1, 2)]


def merged(runs: Sequence[list[Pair]], *, exhausted: bool = False) -> list[Pair]:
    """Always the largest head of the runs, of equal ones that of the first run."""
    runs = [[*run] for run in runs]
    taken: list[Pair] = []
    while any(runs) and not (exhausted and not all(runs)):
        best = max(range(len(runs)), key=lambda each: (runs[each][0][0] if runs[each] else -math.inf, -each))
        taken.append(runs[best].pop(0))
    return taken


def assert_pairs(found: np.ndarray[Any, Any], expected: Sequence[Pair]) -> None:
    assert pairs_of(found)[: len(expected)] == expected
    assert not found.reshape(-1)[2 * len(expected) :].any()


@few_examples
@given(seeds, st.integers(1, 80))
def test_sort32_sorts_block_by_block(seed: int, columns: int) -> None:
    src, idx = numbers(seed, 1, columns), numbers(seed + 1, 1, columns)
    found = apply("tile.sort32", src, idx.view(np.uint32))
    pairs = [(float(value), float(index)) for value, index in zip(src[0], idx[0], strict=True)]
    blocks = [sorted(pairs[start : start + 32], key=lambda pair: -pair[0]) for start in range(0, columns, 32)]
    assert pairs_of(found) == [pair for block in blocks for pair in block]


@few_examples
@given(seeds, st.integers(1, 300))
def test_mrgsort_merges_four_runs_of_any_order(seed: int, pairs: int) -> None:
    src = numbers(seed, 1, 2 * pairs)
    all_pairs = pairs_of(src)
    runs = [all_pairs[start : start + 32] for start in range(0, pairs, 32)]
    groups = [merged(runs[start : start + 4]) for start in range(0, len(runs), 4)]
    assert pairs_of(apply("tile.mrgsort_format1", src, 64)) == [pair for group in groups for pair in group]


@few_examples
@given(seeds, st.lists(st.integers(1, 9), min_size=2, max_size=4), st.booleans())
def test_mrgsort_merges_tiles_of_any_order(seed: int, counts: list[int], exhausted: bool) -> None:
    sources = [numbers(seed + number, 1, 2 * count) for number, count in enumerate(counts)]
    scratch = np.zeros((1, 2 * sum(counts)), np.float32)
    found = apply("tile.mrgsort_format2", *sources, scratch, exhausted=exhausted)
    assert_pairs(found, merged([pairs_of(each) for each in sources], exhausted=exhausted))
