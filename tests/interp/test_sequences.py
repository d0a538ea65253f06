"""Tiles that are made from nothing: sequences, triangles, random bits."""

from __future__ import annotations

import numpy as np
import pytest

import pypto_lite.language as pl

from .apply import Scalar, apply, assert_equal


def test_a_sequence_counts_up() -> None:
    assert_equal(apply("tile.ci", 3, [1, 4], dtype=pl.INT32), np.array([[3, 4, 5, 6]], np.int32))


def test_a_sequence_counts_down() -> None:
    assert_equal(apply("tile.ci", 3, [1, 4], dtype=pl.INT16, descending=True), np.array([[3, 2, 1, 0]], np.int16))


def test_a_sequence_wraps() -> None:
    start = Scalar(65534, pl.UINT16)
    assert_equal(apply("tile.ci", start, [1, 4], dtype=pl.UINT16), np.array([[65534, 65535, 0, 1]], np.uint16))


@pytest.mark.parametrize("diagonal", [-1, 0, 2])
def test_a_triangle_has_ones_at_and_below_its_diagonal(diagonal: int) -> None:
    assert_equal(apply("tile.tri", diagonal, [3, 4], dtype=pl.INT32), np.tri(3, 4, diagonal, np.int32))


@pytest.mark.parametrize("diagonal", [-1, 0, 2])
def test_an_upper_triangle_has_ones_at_and_above_its_diagonal(diagonal: int) -> None:
    found = apply("tile.tri", diagonal, [3, 4], dtype=pl.FP16, upper=True)
    assert_equal(found, np.triu(np.ones((3, 4), np.float16), diagonal))


def test_a_triangle_ends_with_its_valid_region() -> None:
    assert_equal(apply("tile.tri", 0, [3, 3], [2, 2], dtype=pl.INT32), [[1, 0, 0], [1, 1, 0], [0, 0, 0]])


def random_bits(seeds: list[int], rounds: int, shape: list[int], dtype: pl.DType = pl.UINT32) -> np.ndarray:
    signed = [seed - (1 << 32) if seed >= 1 << 31 else seed for seed in seeds]
    return apply("tile.random", *[Scalar(seed, pl.INT32) for seed in signed], shape, dtype=dtype, rounds=rounds)


ONES = 0xFFFFFFFF
PI = [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0]


@pytest.mark.parametrize(
    ("key", "counter", "rounds", "words"),
    [
        ([0, 0], [0] * 4, 7, [0x5F6FB709, 0x0D893F64, 0x4F121F81, 0x4F730A48]),
        ([0, 0], [0] * 4, 10, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([ONES] * 2, [ONES] * 4, 10, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (PI[4:], PI[:4], 10, [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1]),
    ],
)
def test_random_bits_are_those_of_the_published_generator(
    key: list[int], counter: list[int], rounds: int, words: list[int]
) -> None:
    assert_equal(random_bits([*key, *counter], rounds, [1, 4]), np.array([words], np.uint32))


def test_the_counter_counts_on_through_all_its_words() -> None:
    found = random_bits([1, 2, ONES, ONES, 5, 6], 10, [2, 4])
    assert_equal(found[1:], random_bits([1, 2, 0, 0, 6, 6], 10, [1, 4]))


def test_random_bits_are_signed_where_asked() -> None:
    seeds = [1, 2, 3, 4, 5, 6]
    assert_equal(random_bits(seeds, 7, [2, 5], pl.INT32), random_bits(seeds, 7, [2, 5]).view(np.int32))
