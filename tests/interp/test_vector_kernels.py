"""Kernels of vector operators compute what numpy does, before and after lowering on both targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl

if TYPE_CHECKING:
    from collections.abc import Iterator


def stages(program: pl.Program) -> Iterator[pl.Program]:
    yield program
    for target in ("Ascend910B", "Ascend950"):
        yield program.lower(target=target)


def random(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(7).normal(size=shape).astype(np.float32)


@pl.program
class Softmax:
    """Over the first ``columns`` columns of each row; the others become zero."""

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 64], pl.BF16],
        columns: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP32]],
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        tile = pl.cast(pl.load(x, [0, 0], [16, 64], valid_shape=[16, columns]), pl.FP32)
        scratch = pl.create_tile([16, 64], dtype=pl.FP32)
        shifted = pl.row_expand_sub(tile, pl.row_max(tile, scratch))
        powers = pl.exp(shifted)
        shares = pl.row_expand_div(powers, pl.row_sum(powers, scratch))
        return pl.store(pl.fillpad(shares, pad_value=pl.PadValue.zero), [0, 0], out)


@pytest.mark.parametrize("columns", [64, 37, 1])
def test_softmax_of_a_part(columns: int) -> None:
    x = random(16, 64).astype(ml_dtypes.bfloat16)
    powers = np.exp(x[:, :columns].astype(np.float64))
    expected = np.zeros((16, 64))
    expected[:, :columns] = powers / powers.sum(axis=1, keepdims=True)
    for program in stages(Softmax):
        np.testing.assert_allclose(program.run(x=x, columns=columns), expected, rtol=1e-5, atol=1e-7)


@pl.program
class Quantise:
    """Eight bits an element, and the scale of each row."""

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 64], pl.FP32],
        out: pl.Out[pl.Tensor[[16, 64], pl.INT8]],
        scales: pl.Out[pl.Tensor[[16, 1], pl.FP32]],
    ) -> tuple[pl.Tensor[[16, 64], pl.INT8], pl.Tensor[[16, 1], pl.FP32]]:
        tile = pl.load(x, [0, 0], [16, 64])
        scratch = pl.create_tile([16, 64], dtype=pl.FP32)
        largest = pl.row_max(pl.abs(tile), scratch)
        scale = pl.mul(largest, 1.0 / 127.0)
        whole = pl.cast(pl.row_expand_div(tile, scale), pl.INT32, mode="rint")
        narrow = pl.cast(pl.cast(whole, pl.FP16, mode="round"), pl.INT8, mode="trunc")
        out = pl.store(narrow, [0, 0], out)
        scales = pl.store(scale, [0, 0], scales)
        return out, scales


def test_quantisation() -> None:
    x = random(16, 64)
    scale = np.abs(x).max(axis=1, keepdims=True) * np.float32(1 / 127)
    for program in stages(Quantise):
        out, scales = program.run(x=x)
        np.testing.assert_array_equal(scales, scale)
        np.testing.assert_array_equal(out, np.rint(x / scale).astype(np.int8))


@pl.program
class RootMeanSquare:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 64], pl.FP16],
        weight: pl.Tensor[[1, 64], pl.FP16],
        out: pl.Out[pl.Tensor[[16, 64], pl.FP16]],
    ) -> pl.Tensor[[16, 64], pl.FP16]:
        tile = pl.cast(pl.load(x, [0, 0], [16, 64]), pl.FP32)
        scratch = pl.create_tile([16, 64], dtype=pl.FP32)
        mean = pl.mul(pl.row_sum(pl.mul(tile, tile), scratch), 1.0 / 64.0)
        level = pl.reshape(pl.rsqrt(pl.reshape(pl.add(mean, 1e-6), [1, 16])), [16, 1])
        scaled = pl.row_expand_mul(tile, level)
        weights = pl.cast(pl.load(weight, [0, 0], [1, 64]), pl.FP32)
        return pl.store(pl.cast(pl.col_expand_mul(scaled, weights), pl.FP16, mode="rint"), [0, 0], out)


def test_root_mean_square() -> None:
    x, weight = random(16, 64).astype(np.float16), random(1, 64).astype(np.float16)
    wide = x.astype(np.float64)
    expected = wide / np.sqrt((wide**2).mean(axis=1, keepdims=True) + 1e-6) * weight
    for program in stages(RootMeanSquare):
        np.testing.assert_allclose(program.run(x=x, weight=weight), expected, rtol=1e-3, atol=1e-6)
