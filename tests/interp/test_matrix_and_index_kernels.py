"""Kernels of matrix products, sorts and gathers compute what numpy does, before and after lowering on both targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl

if TYPE_CHECKING:
    from collections.abc import Iterator

RANDOM = np.random.default_rng(5)


def stages(program: pl.Program, targets: tuple[str, ...] = ("Ascend910B", "Ascend950")) -> Iterator[pl.Program]:
    yield program
    for target in targets:
        yield program.lower(target=target)


def integers(*shape: int, below: int = 4) -> np.ndarray[Any, Any]:
    """Small whole numbers, of which sums of products are exact in every order."""
    return RANDOM.integers(-below, below + 1, shape).astype(np.float32)


@pl.program
class Linear:
    """``relu(x @ w + bias)``, the inner extent in blocks of 32; only the first ``rows`` rows hold data."""

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[32, 128], pl.FP16],
        w: pl.Tensor[[128, 64], pl.FP16],
        bias: pl.Tensor[[1, 64], pl.FP32],
        rows: pl.Scalar[pl.INDEX],
        out: pl.InOut[pl.Tensor[[32, 64], pl.BF16]],
    ) -> pl.Tensor[[32, 64], pl.BF16]:
        left = pl.load(x, [0, 0], [32, 32], valid_shape=[rows, 32], target_memory=pl.MemorySpace.Mat)
        right = pl.load(w, [0, 0], [32, 64], target_memory=pl.MemorySpace.Mat)
        row = pl.load(bias, [0, 0], [1, 64], target_memory=pl.MemorySpace.Mat)
        acc = pl.matmul_bias(left, right, row)
        for k in pl.range(32, 128, 32):
            left = pl.load(x, [0, k], [32, 32], valid_shape=[rows, 32], target_memory=pl.MemorySpace.Mat)
            right = pl.load(w, [k, 0], [32, 64], target_memory=pl.MemorySpace.Mat)
            acc = pl.matmul_acc(acc, left, right)
        return pl.store(pl.cast(pl.relu(acc), pl.BF16), [0, 0], out)


@pytest.mark.parametrize("rows", [32, 7])
def test_a_linear_layer(rows: int) -> None:
    x, w, bias = integers(32, 128), integers(128, 64), integers(1, 64)
    expected = np.zeros((32, 64), ml_dtypes.bfloat16)
    expected[:rows] = np.maximum(x @ w + bias, 0)[:rows].astype(ml_dtypes.bfloat16)
    for program in stages(Linear):
        out = np.zeros((32, 64), ml_dtypes.bfloat16)
        program.run(x=x.astype(np.float16), w=w.astype(np.float16), bias=bias, rows=rows, out=out)
        np.testing.assert_array_equal(out, expected)


@pl.program
class Vote:
    """Adds up the products of one row and several matrices of bytes."""

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        row: pl.Tensor[[1, 128], pl.INT8],
        matrices: pl.Tensor[[128, 64], pl.INT8],
        out: pl.Out[pl.Tensor[[1, 64], pl.INT32]],
    ) -> pl.Tensor[[1, 64], pl.INT32]:
        left = pl.load(row, [0, 0], [1, 64], target_memory=pl.MemorySpace.Mat)
        acc = pl.gemv(left, pl.load(matrices, [0, 0], [64, 64], target_memory=pl.MemorySpace.Mat), "partial")
        left = pl.load(row, [0, 64], [1, 64], target_memory=pl.MemorySpace.Mat)
        acc = pl.gemv_acc(acc, left, pl.load(matrices, [64, 0], [64, 64], target_memory=pl.MemorySpace.Mat), "final")
        return pl.store(acc, [0, 0], out)


def test_a_row_of_bytes_times_a_matrix_in_two_halves() -> None:
    row, matrices = integers(1, 128, below=127).astype(np.int8), integers(128, 64, below=127).astype(np.int8)
    for program in stages(Vote):
        np.testing.assert_array_equal(program.run(row=row, matrices=matrices), row.astype(np.int32) @ matrices)


@pl.program
class ScaledProduct:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        lhs: pl.Tensor[[16, 128], pl.FP8E4M3FN],
        lhs_scale: pl.Tensor[[16, 4], pl.FP8E8M0, pl.TensorLayout.MX_A_ZZ],
        rhs: pl.Tensor[[128, 32], pl.FP8E4M3FN],
        rhs_scale: pl.Tensor[[4, 32], pl.FP8E8M0, pl.TensorLayout.MX_B_NN],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        left = pl.load(lhs, [0, 0], [16, 128], target_memory=pl.MemorySpace.Mat)
        left_scale = pl.load(lhs_scale, [0, 0], [16, 4], target_memory=pl.MemorySpace.Mat)
        right = pl.load(rhs, [0, 0], [128, 32], target_memory=pl.MemorySpace.Mat)
        right_scale = pl.load(rhs_scale, [0, 0], [4, 32], target_memory=pl.MemorySpace.Mat)
        return pl.store(pl.matmul_mx(left, left_scale, right, right_scale), [0, 0], out)


def test_a_scaled_product_reaches_its_scale_buffers() -> None:
    lhs, rhs = integers(16, 128), integers(128, 32)
    lhs_scale, rhs_scale = 2.0 ** integers(16, 4), 2.0 ** integers(4, 32)
    expected = (lhs * lhs_scale.repeat(32, axis=1)) @ (rhs * rhs_scale.repeat(32, axis=0))
    fp8, e8m0 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e8m0fnu
    given = {"lhs": lhs.astype(fp8), "rhs": rhs.astype(fp8)}
    given |= {"lhs_scale": lhs_scale.astype(e8m0), "rhs_scale": rhs_scale.astype(e8m0)}
    for program in stages(ScaledProduct, ("Ascend950",)):
        np.testing.assert_array_equal(program.run(**given), expected)


@pl.program
class Top16:
    """The largest 16 of each of 4 rows of 2,048, with their positions: blocks, quarters, then two halves."""

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[4, 2048], pl.FP32],
        values: pl.Out[pl.Tensor[[4, 16], pl.FP32]],
        positions: pl.Out[pl.Tensor[[4, 16], pl.UINT32]],
    ) -> tuple[pl.Tensor[[4, 16], pl.FP32], pl.Tensor[[4, 16], pl.UINT32]]:
        for row in pl.range(4):
            lower = pl.sort32(pl.load(x, [row, 0], [1, 1024]), pl.tile.arange(0, [1, 1024], dtype=pl.UINT32))
            upper = pl.sort32(pl.load(x, [row, 1024], [1, 1024]), pl.tile.arange(1024, [1, 1024], dtype=pl.UINT32))
            lower = pl.mrgsort(pl.mrgsort(lower, block_len=64), block_len=256)
            upper = pl.mrgsort(pl.mrgsort(upper, block_len=64), block_len=256)
            lower = pl.mrgsort(lower, block_len=1024)
            upper = pl.mrgsort(upper, block_len=1024)
            both = pl.mrgsort(lower, upper, pl.create_tile([1, 4096], pl.FP32))
            top = pl.slice(both, [1, 32], [0, 0])
            values = pl.store(pl.tile.gather_mask(top, pl.tile.MaskPattern.P0101), [row, 0], values)
            bits = pl.tile.gather_mask(top, pl.tile.MaskPattern.P1010, output_dtype=pl.UINT32)
            positions = pl.store(bits, [row, 0], positions)
        return values, positions


def test_the_largest_elements_and_their_positions() -> None:
    x = RANDOM.permutation(4 * 2048).reshape(4, 2048).astype(np.float32)
    order = np.argsort(-x, axis=1)[:, :16]
    for program in stages(Top16):
        values, positions = program.run(x=x)
        np.testing.assert_array_equal(positions, order)
        np.testing.assert_array_equal(values, np.take_along_axis(x, order, axis=1))


@pl.program
class Lookup:
    """The rows of a table that a list names, times a matrix: gathered one by one on the way to the cube core."""

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        table: pl.Tensor[[100, 32], pl.FP16],
        names: pl.Tensor[[16], pl.INT32],
        w: pl.Tensor[[32, 32], pl.FP16],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        rows = pl.create_tile([16, 32], pl.FP16, target_memory=pl.MemorySpace.Mat)
        for index in pl.range(16):
            name = pl.cast(pl.read(names, [index]), pl.INDEX)
            rows = pl.gather_row(rows, table, [index, 0], [name, 0], [1, 32])
        right = pl.load(w, [0, 0], [32, 32], target_memory=pl.MemorySpace.Mat)
        return pl.store(pl.matmul(rows, right), [0, 0], out)


def test_rows_of_a_table_are_multiplied() -> None:
    table, w, names = integers(100, 32), integers(32, 32), RANDOM.integers(0, 100, 16).astype(np.int32)
    given = {"table": table.astype(np.float16), "w": w.astype(np.float16), "names": names}
    for program in stages(Lookup):
        np.testing.assert_array_equal(program.run(**given), table[names] @ w)


@pl.program
class Permute:
    """Gathers rows by their order and scatters their elements to places of their own."""

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[64, 16], pl.FP32],
        order: pl.Tensor[[1, 16], pl.INT32],
        places: pl.Tensor[[16, 16], pl.INT32],
        out: pl.InOut[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        rows = pl.mgather(x, pl.load(order, [0, 0], [1, 16]))
        return pl.mscatter(rows, pl.load(places, [0, 0], [16, 16]), out)


def test_what_is_gathered_is_scattered() -> None:
    x, order = integers(64, 16), RANDOM.permutation(64)[:16].astype(np.int32)
    places = RANDOM.permutation(256).astype(np.int32)
    expected = np.zeros(256, np.float32)
    expected[places] = x[order].reshape(-1)
    for program in stages(Permute):
        out = np.zeros((16, 16), np.float32)
        program.run(x=x, order=order.reshape(1, 16), places=places.reshape(16, 16), out=out)
        np.testing.assert_array_equal(out, expected.reshape(16, 16))
