"""Matrix products: accumulation, valid regions, biases, accumulators, stacks and scales."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

from .apply import Tile, apply, assert_equal

RANDOM = np.random.default_rng(7)


def small_integers(*shape: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Floats whose sums of products are exact in every order."""
    return RANDOM.integers(-4, 5, shape).astype(np.float32)


LHS, RHS = small_integers(4, 8), small_integers(8, 6)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, ml_dtypes.float8_e4m3fn])
def test_products_of_floats_are_in_32_bits(dtype: type) -> None:
    assert_equal(apply("tile.matmul", LHS.astype(dtype), RHS.astype(dtype)), LHS @ RHS)


def test_sums_of_16_bit_floats_are_not_rounded_to_16_bits() -> None:
    lhs = np.array([[2048, 1, 1]], np.float16)
    assert_equal(apply("tile.matmul", lhs, np.ones((3, 1), np.float16)), np.array([[2050]], np.float32))


def test_products_of_bytes_are_integers_of_32_bits() -> None:
    lhs, rhs = np.full((1, 300), -128, np.int8), np.full((300, 1), -128, np.int8)
    assert_equal(apply("tile.matmul", lhs, rhs), np.array([[300 * 128 * 128]], np.int32))


def test_sums_of_integers_wrap() -> None:
    acc = np.array([[2**31 - 1]], np.int32)
    one = np.ones((1, 1), np.int8)
    assert_equal(apply("tile.matmul_acc", acc, one, one), np.array([[-(2**31)]], np.int32))


@pytest.mark.parametrize(("left", "right"), [(5, 8), (8, 5), (5, 5)])
def test_the_sum_reaches_as_far_as_both_operands_are_valid(left: int, right: int) -> None:
    found = apply("tile.matmul", Tile(LHS, (4, left)), Tile(RHS, (right, 6)))
    assert_equal(found, LHS[:, :5] @ RHS[:5])


def test_rows_of_lhs_and_columns_of_rhs_that_are_not_valid_have_no_product() -> None:
    expected = np.zeros((4, 6), np.float32)
    expected[:3, :2] = LHS[:3] @ RHS[:, :2]
    assert_equal(apply("tile.matmul", Tile(LHS, (3, 8)), Tile(RHS, (8, 2))), expected)


def test_a_bias_is_added_to_every_row() -> None:
    bias = small_integers(1, 6)
    assert_equal(apply("tile.matmul_bias", LHS, RHS, bias), LHS @ RHS + bias)


def test_a_bias_that_is_valid_in_too_few_columns_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        apply("tile.matmul_bias", LHS, RHS, Tile(small_integers(1, 6), (1, 5)))
    assert caught.value.code == "PL504"


def test_a_bias_may_be_valid_in_more_columns() -> None:
    bias = small_integers(1, 6)
    expected = np.zeros((4, 6), np.float32)
    expected[:, :5] = (LHS @ RHS + bias)[:, :5]
    assert_equal(apply("tile.matmul_bias", LHS, Tile(RHS, (8, 5)), bias), expected)


def test_a_product_is_added_to_an_accumulator() -> None:
    acc = small_integers(4, 6)
    assert_equal(apply("tile.matmul_acc", acc, LHS, RHS), acc + LHS @ RHS)


def test_an_accumulator_is_not_changed_itself() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def twice(
        lhs: pl.Tensor[[16, 16], pl.FP32], rhs: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        left = pl.load(lhs, [0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)
        right = pl.load(rhs, [0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)
        first = pl.matmul(left, right)
        pl.matmul_acc(first, left, right)
        return pl.store(first, [0, 0], out)

    lhs, rhs = small_integers(16, 16), small_integers(16, 16)
    assert_equal(twice.run(lhs=lhs, rhs=rhs), lhs @ rhs)


def test_a_sum_over_blocks_starts_anew_where_init_cond_holds() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def blocks(
        lhs: pl.Tensor[[16, 48], pl.FP16], rhs: pl.Tensor[[48, 16], pl.FP16], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        acc = pl.create_tile([16, 16], pl.FP32)
        for k in pl.range(3):
            left = pl.load(lhs, [0, 16 * k], [16, 16], target_memory=pl.MemorySpace.Mat)
            right = pl.load(rhs, [16 * k, 0], [16, 16], target_memory=pl.MemorySpace.Mat)
            acc = pl.matmul_acc(acc, left, right, init_cond=(k == 0))
        return pl.store(acc, [0, 0], out)

    lhs, rhs = small_integers(16, 48), small_integers(48, 16)
    assert_equal(blocks.run(lhs=lhs.astype(np.float16), rhs=rhs.astype(np.float16)), lhs @ rhs)


@pytest.mark.parametrize(("init_cond", "expected"), [(True, 6), (False, np.nan)])
def test_init_cond_decides_whether_the_accumulator_counts(init_cond: bool, expected: float) -> None:
    acc = np.full((1, 1), np.nan, np.float32)
    lhs, rhs = np.full((1, 1), 2, np.float32), np.full((1, 1), 3, np.float32)
    assert_equal(apply("tile.matmul_acc", acc, lhs, rhs, init_cond), [[expected]])


def row_of_16(row: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What a matrix-vector product fills: the first of 16 rows."""
    return np.concatenate([row, np.zeros((15, row.shape[1]), row.dtype)])


def test_the_product_of_a_row_is_the_first_of_16_rows() -> None:
    assert_equal(apply("tile.gemv", LHS[:1], RHS), row_of_16(LHS[:1] @ RHS))


@pl.function(type=pl.FunctionType.InCore)
def row_product(
    lhs: pl.Tensor[[1, 16], pl.FP32],
    rhs: pl.Tensor[[16, 16], pl.FP32],
    rows: pl.Scalar[pl.INDEX],
    out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
) -> pl.Tensor[[16, 16], pl.FP32]:
    left = pl.load(lhs, [0, 0], [1, 16], valid_shape=[rows, 16], target_memory=pl.MemorySpace.Mat)
    right = pl.load(rhs, [0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)
    return pl.store(pl.gemv(left, right), [0, 0], out)


def test_there_is_no_product_of_a_row_that_is_not_valid() -> None:
    row, matrix = small_integers(1, 16), small_integers(16, 16)
    assert_equal(
        row_product.run(lhs=row, rhs=matrix, rows=1, out=np.zeros((16, 16), np.float32)), row_of_16(row @ matrix)
    )
    with pytest.raises(UserError) as caught:
        row_product.run(lhs=row, rhs=matrix, rows=0)
    assert caught.value.code == "PL504"


def test_the_phase_of_an_accumulation_does_not_matter() -> None:
    assert_equal(apply("tile.gemv", LHS[:1], RHS, acc_phase="final"), row_of_16(LHS[:1] @ RHS))


def test_the_product_of_a_row_is_added_to_an_accumulator() -> None:
    acc = small_integers(16, 6)
    assert_equal(apply("tile.gemv_acc", Tile(acc, (1, 6)), LHS[:1], RHS), row_of_16(acc[:1] + LHS[:1] @ RHS))


def test_the_product_of_a_row_of_bytes_has_a_bias_of_integers() -> None:
    lhs, rhs = LHS[:1].astype(np.int8), RHS.astype(np.int8)
    bias = np.arange(6, dtype=np.int32).reshape(1, 6)
    assert_equal(apply("tile.gemv_bias", lhs, rhs, bias), row_of_16((LHS[:1] @ RHS).astype(np.int32) + bias))


def test_stacks_of_matrices_are_broadcast() -> None:
    lhs, rhs = small_integers(2, 1, 4, 8), small_integers(3, 8, 6)
    assert_equal(apply("tile.batch_matmul", lhs, rhs), lhs @ rhs)


def test_only_the_valid_part_of_a_stack_is_multiplied() -> None:
    lhs, rhs = small_integers(3, 4, 8), small_integers(3, 8, 6)
    expected = np.zeros((3, 4, 6), np.float32)
    expected[:1, :2] = lhs[:1, :2, :5] @ rhs[:1, :5]
    assert_equal(apply("tile.batch_matmul", Tile(lhs, (1, 2, 5)), rhs), expected)


def test_a_stack_of_products_is_added_to_an_accumulator() -> None:
    acc, lhs, rhs = small_integers(3, 4, 6), small_integers(3, 4, 8), small_integers(1, 8, 6)
    assert_equal(apply("tile.batch_matmul_acc", acc, lhs, rhs), acc + lhs @ rhs)


SCALED_LHS, SCALED_RHS = small_integers(16, 128), small_integers(128, 32)


def scales(*shape: int) -> np.ndarray[Any, Any]:
    """Powers of two near one."""
    return (2.0 ** RANDOM.integers(-3, 4, shape)).astype(ml_dtypes.float8_e8m0fnu)


LHS_SCALE, RHS_SCALE = scales(16, 4), scales(4, 32)


def scaled_product(inner: int = 128) -> np.ndarray[Any, Any]:
    lhs = SCALED_LHS * np.repeat(LHS_SCALE.astype(np.float32), 32, axis=1)
    rhs = SCALED_RHS * np.repeat(RHS_SCALE.astype(np.float32), 32, axis=0)
    return lhs[:, :inner] @ rhs[:inner]


def scaled_operands() -> tuple[np.ndarray[Any, Any], ...]:
    fp8 = ml_dtypes.float8_e4m3fn
    return SCALED_LHS.astype(fp8), LHS_SCALE, SCALED_RHS.astype(fp8), RHS_SCALE


def test_every_32_elements_along_the_inner_axis_have_a_scale() -> None:
    assert_equal(apply("tile.matmul_mx", *scaled_operands()), scaled_product())


def test_the_last_scale_counts_for_the_elements_that_are_valid() -> None:
    lhs, lhs_scale, rhs, rhs_scale = scaled_operands()
    operands = Tile(lhs, (16, 40)), Tile(lhs_scale, (16, 2)), Tile(rhs, (40, 32)), Tile(rhs_scale, (2, 32))
    assert_equal(apply("tile.matmul_mx", *operands), scaled_product(40))


@pl.function(type=pl.FunctionType.InCore)
def scaled(
    lhs: pl.Tensor[[16, 128], pl.FP8E4M3FN],
    lhs_scale: pl.Tensor[[16, 4], pl.FP8E8M0],
    rhs: pl.Tensor[[128, 32], pl.FP8E4M3FN],
    rhs_scale: pl.Tensor[[4, 32], pl.FP8E8M0],
    rows: pl.Scalar[pl.INDEX],
    scales: pl.Scalar[pl.INDEX],
    out: pl.InOut[pl.Tensor[[16, 32], pl.FP32]],
) -> pl.Tensor[[16, 32], pl.FP32]:
    mat = pl.MemorySpace.Mat
    left = pl.load(lhs, [0, 0], [16, 128], valid_shape=[rows, 128], target_memory=mat)
    left_scale = pl.load(lhs_scale, [0, 0], [16, 4], valid_shape=[scales, 4], target_memory=mat)
    right = pl.load(rhs, [0, 0], [128, 32], target_memory=mat)
    right_scale = pl.load(rhs_scale, [0, 0], [4, 32], target_memory=mat)
    return pl.store(pl.matmul_mx(left, left_scale, right, right_scale), [0, 0], out)


@pytest.mark.parametrize("scales", [5, 6])
def test_as_many_scales_as_valid_rows_are_needed(scales: int) -> None:
    names = ("lhs", "lhs_scale", "rhs", "rhs_scale")
    given = {**dict(zip(names, scaled_operands(), strict=True)), "out": np.zeros((16, 32), np.float32)}
    expected = np.zeros((16, 32), np.float32)
    expected[:5] = scaled_product()[:5]
    assert_equal(scaled.run(**given, rows=5, scales=scales), expected)
    with pytest.raises(UserError) as caught:
        scaled.run(**given, rows=7, scales=scales)
    assert caught.value.code == "PL504"


def test_scales_that_cancel_out_do_not_overflow() -> None:
    lhs, _, rhs, _ = scaled_operands()
    large, small = np.full((16, 4), 2.0**127), np.full((4, 32), 2.0**-127)
    e8m0 = ml_dtypes.float8_e8m0fnu
    assert_equal(apply("tile.matmul_mx", lhs, large.astype(e8m0), rhs, small.astype(e8m0)), SCALED_LHS @ SCALED_RHS)


def test_a_scaled_product_is_added_to_an_accumulator() -> None:
    acc = small_integers(16, 32)
    assert_equal(apply("tile.matmul_mx_acc", acc, *scaled_operands()), acc + scaled_product())


def test_a_scaled_product_has_a_bias() -> None:
    bias = small_integers(1, 32)
    assert_equal(apply("tile.matmul_mx_bias", *scaled_operands(), bias), scaled_product() + bias)


def test_a_scale_buffer_that_is_tied_to_its_operand_keeps_its_scales() -> None:
    lhs, lhs_scale, _, _ = scaled_operands()
    buffer = Tile(lhs_scale, (16, 4), pl.MemorySpace.LeftScale)
    assert_equal(apply("tile.tget_scale_addr", buffer, Tile(lhs, (16, 128), pl.MemorySpace.Left)), lhs_scale)
