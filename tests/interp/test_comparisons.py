"""Comparisons make one bit for each element, by which others choose."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

from .apply import Scalar, Tile, apply, assert_equal

NAN = np.nan
RELATIONS = {"eq": [0, 1, 0], "ne": [1, 0, 1], "lt": [1, 0, 0], "le": [1, 1, 0], "gt": [0, 0, 1], "ge": [0, 1, 1]}


def bits(packed: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    return np.unpackbits(packed, axis=-1, bitorder="little")[..., :count]


def packed(conditions: Any, size: int = 32) -> np.ndarray[Any, Any]:
    """As many bytes a row as a mask has."""
    octets = np.packbits(np.asarray(conditions, bool), axis=-1, bitorder="little")
    mask = np.zeros((*octets.shape[:-1], size), np.uint8)
    mask[..., : octets.shape[-1]] = octets
    return mask


@pytest.mark.parametrize(("cmp_type", "expected"), RELATIONS.items())
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.float16, ml_dtypes.bfloat16, np.float32])
def test_every_relation(cmp_type: str, expected: list[int], dtype: Any) -> None:
    lhs, rhs = np.array([[-1, 2, 3]], dtype), np.array([[0, 2, -3]], dtype)
    assert_equal(bits(apply("tile.cmp", lhs, rhs, cmp_type=cmp_type), 3), [expected])


@pytest.mark.parametrize(("cmp_type", "expected"), RELATIONS.items())
def test_every_relation_to_a_scalar(cmp_type: str, expected: list[int]) -> None:
    assert_equal(bits(apply("tile.cmps", np.array([[1, 2, 3]], np.int32), 2, cmp_type=cmp_type), 3), [expected])


@pytest.mark.parametrize("cmp_type", RELATIONS)
def test_only_ne_holds_for_nan(cmp_type: str) -> None:
    lhs = np.array([[NAN, NAN, 1]], np.float32)
    rhs = np.array([[NAN, 1, NAN]], np.float32)
    assert_equal(bits(apply("tile.cmp", lhs, rhs, cmp_type=cmp_type), 3), [[cmp_type == "ne"] * 3])


def test_the_first_of_eight_elements_is_the_lowest_bit() -> None:
    lhs = np.zeros((2, 20), np.int32)
    lhs[0, [0, 9]], lhs[1, 19] = 1, 1
    mask = apply("tile.cmps", lhs, 1)
    assert mask.shape == (2, 32)
    assert_equal(mask[:, :4], np.array([[1, 2, 0, 0], [0, 0, 8, 0]], np.uint8))


def test_different_element_types_are_compared_as_numbers() -> None:
    lhs, rhs = np.array([[2**24 + 1, 255]], np.int32), np.array([[2**24, -1]], np.int64)
    assert_equal(bits(apply("tile.cmp", lhs, rhs, cmp_type="gt"), 2), [[1, 1]])
    assert_equal(bits(apply("tile.cmp", lhs.astype(np.uint8), rhs.astype(np.int8), cmp_type="gt"), 2), [[1, 1]])
    assert_equal(
        bits(apply("tile.cmps", np.array([[200, 3]], np.uint8), Scalar(-1, pl.INT32), cmp_type="gt"), 2), [[1, 1]]
    )


def test_a_scalar_is_not_rounded_to_the_type_of_the_tile() -> None:
    tile = np.array([[2**24, 2**24 + 2]], np.float32)
    assert_equal(bits(apply("tile.cmps", tile, Scalar(2**24 + 1, pl.INT32), cmp_type="lt"), 2), [[1, 0]])
    assert_equal(bits(apply("tile.cmps", np.array([[True]]), Scalar(2**64 - 1, pl.UINT64), cmp_type="lt"), 1), [[1]])


def test_comparisons_broadcast() -> None:
    lhs, rhs = np.arange(6, dtype=np.int32).reshape(2, 3), np.array([[1], [4]], np.int32)
    assert_equal(bits(apply("tile.cmp", lhs, rhs, cmp_type="ge"), 3), [[0, 1, 1], [0, 1, 1]])


def test_only_the_valid_region_is_compared() -> None:
    lhs = Tile(np.ones((2, 20), np.int32), (1, 10))
    mask = apply("tile.cmp", lhs, np.ones((2, 20), np.int32))
    assert_equal(mask[:, :4], [[255, 3, 0, 0], [0, 0, 0, 0]])


def test_sel_takes_the_first_where_the_bit_is_set() -> None:
    lhs, rhs = np.arange(20, dtype=np.float32).reshape(2, 10), np.full((2, 10), -1, np.float32)
    chosen = np.arange(20).reshape(2, 10) % 3 == 0
    assert_equal(apply("tile.sel", packed(chosen), lhs, rhs, lhs), np.where(chosen, lhs, rhs))


def test_sel_broadcasts_and_combines_element_types() -> None:
    lhs, rhs = np.array([[300, -1], [2, 3]], np.int32), np.array([[1, 2]], np.int8)
    mask = packed([[1, 0], [0, 1]])
    assert_equal(apply("tile.sel", mask, lhs, rhs, lhs), np.array([[300, 2], [1, 3]], np.int32))


def test_sel_keeps_large_integers() -> None:
    lhs, rhs = np.array([[2**63 - 1, 0]], np.int64), np.array([[0, 2**64 - 1]], np.uint64)
    assert_equal(apply("tile.sel", packed([[1, 0]]), lhs, rhs, lhs), np.array([[2**63 - 1, -1]], np.int64))


def test_sel_does_not_compute_with_what_it_does_not_choose() -> None:
    lhs, rhs = np.array([[NAN, 1]], np.float16), np.array([[2, NAN]], np.float16)
    assert_equal(apply("tile.sel", packed([[0, 1]]), lhs, rhs, lhs), np.array([[2, 1]], np.float16))


def test_sel_is_valid_where_its_first_tile_is() -> None:
    lhs, rhs = np.full((2, 4), 1, np.float32), np.full((2, 4), 2, np.float32)
    mask = packed([[1, 0, 1, 0]] * 2)
    assert_equal(apply("tile.sel", mask, Tile(lhs, (1, 3)), rhs, lhs), [[1, 2, 1, 0], [0, 0, 0, 0]])


def test_a_mask_that_is_valid_in_less_is_refused() -> None:
    tile = np.ones((2, 20), np.float32)
    with pytest.raises(UserError, match="mask is not valid in the whole region") as caught:
        apply("tile.sel", Tile(np.zeros((2, 32), np.uint8), (2, 2)), tile, tile, tile)
    assert caught.value.code == "PL504"


def test_a_mask_of_numbers_is_refused() -> None:
    tile = np.ones((2, 32), np.float32)
    with pytest.raises(UserError, match="a mask holds bits") as caught:
        apply("tile.sel", tile, tile, tile, tile)
    assert caught.value.code == "PL204"


def test_a_mask_of_more_axes_is_refused() -> None:
    tile = np.ones((2, 5), np.float32)
    with pytest.raises(UserError, match="mask has more axes") as caught:
        apply("tile.sel", np.zeros((3, 2, 32), np.uint8), tile, tile, tile)
    assert caught.value.code == "PL203"


def test_one_row_of_a_mask_serves_all_rows() -> None:
    lhs, rhs = np.ones((2, 3), np.float32), np.zeros((2, 3), np.float32)
    assert_equal(apply("tile.sel", packed([[1, 0, 1]]), lhs, rhs, lhs), [[1, 0, 1]] * 2)


@pytest.mark.parametrize("word", [np.uint8, np.int16, np.uint32])
def test_masks_of_wider_integers_hold_the_same_bits(word: type) -> None:
    src = np.arange(1, 41, dtype=np.float16)[None]
    chosen = src % 3 == 0
    found = apply("tile.sels", packed(chosen).view(word), src, src, 0.0)
    assert_equal(found, np.where(chosen, src, np.float16(0)))


def test_the_scalar_of_an_unsigned_tile_wraps() -> None:
    src = np.array([[1, 2]], np.uint16)
    assert_equal(apply("tile.sels", packed([[1, 0]]), src, src, -1), np.array([[1, 65535]], np.uint16))


def test_what_cmp_makes_sel_takes() -> None:
    @pl.program
    class Larger:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self,
            x: pl.Tensor[[16, 40], pl.FP32],
            y: pl.Tensor[[16, 40], pl.FP32],
            out: pl.Out[pl.Tensor[[16, 40], pl.FP32]],
        ) -> pl.Tensor[[16, 40], pl.FP32]:
            a = pl.load(x, [0, 0], [16, 40])
            b = pl.load(y, [0, 0], [16, 40])
            mask = pl.cmp(a, b, cmp_type="gt")
            scratch = pl.create_tile([1, 32], dtype=pl.UINT8)
            return pl.store(pl.tile.sel(mask, a, b, scratch), [0, 0], out)

    generator = np.random.default_rng(1)
    x, y = generator.normal(size=(2, 16, 40)).astype(np.float32)
    assert_equal(Larger.run(x=x, y=y), np.maximum(x, y))
    assert_equal(Larger.lower().run(x=x, y=y), np.maximum(x, y))
