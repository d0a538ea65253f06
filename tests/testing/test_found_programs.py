"""The minimal programs of faults that random programs have brought to light."""

from __future__ import annotations

import pytest

from pypto_lite.testing.campaign import trial_of
from pypto_lite.testing.properties import PROPERTIES
from pypto_lite.testing.strategies import Sample

SCALES_IN_THE_SPACE_OF_AN_ANNOTATION = """
import pypto_lite.language as pl


@pl.program
class Fuzzed:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[64, 64], pl.FP8E4M3FN],
        left: pl.Tensor[[64, 64], pl.FP8E8M0, pl.TensorLayout.MX_A_ZZ],
        right: pl.Tensor[[64, 64], pl.FP8E8M0, pl.TensorLayout.MX_B_NN],
    ):
        t1 = pl.load(x, [0, 0], [16, 64])
        t2 = pl.load(left, [0, 0], [16, 2], target_memory=pl.MemorySpace.Mat)
        t3 = pl.load(x, [0, 0], [64, 64])
        t4 = pl.load(right, [0, 0], [2, 64], target_memory=pl.MemorySpace.Mat)
        t5 = pl.matmul_mx(t1, t2, t3, t4)
"""

NOTHING_VALID_AFTER_SIMPLIFYING = """
import pypto_lite.language as pl


@pl.program
class Fuzzed:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.FP32]):
        t1 = pl.load(x, [0, 0], [16, 16], [16, pl.min(pl.max(pl.const(0, pl.INDEX), 0), 16)])
        t2 = pl.reshape(t1, [16, 16])
"""

A_WINDOW_OF_FEWER_AXES_THAN_THE_TILE = """
import pypto_lite.language as pl


@pl.program
class Fuzzed:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.UINT32], out: pl.InOut[pl.Tensor[[64, 64], pl.UINT32]]):
        t1 = pl.load(x, [0, 0], [1, 32])
        pl.store(t1, [0], out, [1])
        return out
"""

NO_COLUMNS_OF_ROWS_THAT_REPLACE_OTHERS = """
import pypto_lite.language as pl


@pl.program
class Fuzzed:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.UINT16]):
        t1 = pl.load(x, [0, 0], [16, 64])
        t2 = pl.load(x, [32, 16], [1, 16])
        for i3 in pl.range(1):
            t4 = pl.load(x, [0, 0], [2, 64], [1, i3])
            t5 = pl.scatter_update(t1, t2, t4)
"""

A_WINDOW_OUTSIDE_IN_THE_SECOND_ITERATION = """
import pypto_lite.language as pl


@pl.program
class Fuzzed:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.InOut[pl.Tensor[[64, 64], pl.FP32]]):
        for i1 in pl.unroll(2):
            t2 = pl.load(x, [0, 0], [16, 64])
            pl.store(t2, [pl.min(pl.max(i1, 0), 15), pl.min(pl.max(i1, 0), 63)], out)
        return out
"""

A_REGION_COMPUTED_FROM_THE_ARGUMENT_OF_AN_INLINE_CALL = """
import pypto_lite.language as pl

C = pl.dynamic("C")


@pl.program
class Fuzzed:
    @pl.function(type=pl.FunctionType.Inline)
    def helper(self, a: pl.Tile[[16, 16], pl.FP32, pl.TileView(valid_shape=[16, C])]):
        b = pl.fillpad(a)
        t = pl.cmp(a, b)
        return t

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.FP32]):
        a = pl.load(x, [0, 0], [16, 16])
        t = self.helper(a)
"""

A_REGION_THAT_CONSTANTS_DECIDE_IN_AN_INLINE_CALL = """
import pypto_lite.language as pl

C = pl.dynamic("C")


@pl.program
class Fuzzed:
    @pl.function(type=pl.FunctionType.Inline)
    def helper(self, a: pl.Tile[[16, 16], pl.FP32, pl.TileView(valid_shape=[16, C])]):
        return a

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.FP32]):
        a = pl.load(x, [0, 0], [16, 16], [16, pl.min(pl.max(pl.const(0, pl.INDEX) // 1, 0), 16)])
        t = self.helper(a)
"""

A_TRANSPOSED_VIEW_IN_ANOTHER_SHAPE = """
import pypto_lite.language as pl


@pl.program
class Fuzzed:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.BF16]):
        t1 = pl.tile.transpose_view(pl.load(x, [0, 0], [16, 16]))
        t2 = pl.reinterpret_view(t1, dtype=pl.BF16, shape=[1, 256])
"""


@pytest.mark.parametrize(
    "text",
    [
        SCALES_IN_THE_SPACE_OF_AN_ANNOTATION,
        NOTHING_VALID_AFTER_SIMPLIFYING,
        A_WINDOW_OF_FEWER_AXES_THAN_THE_TILE,
        NO_COLUMNS_OF_ROWS_THAT_REPLACE_OTHERS,
        A_REGION_COMPUTED_FROM_THE_ARGUMENT_OF_AN_INLINE_CALL,
        A_REGION_THAT_CONSTANTS_DECIDE_IN_AN_INLINE_CALL,
        A_TRANSPOSED_VIEW_IN_ANOTHER_SHAPE,
        A_WINDOW_OUTSIDE_IN_THE_SECOND_ITERATION,
    ],
)
def test_every_property_holds(text: str) -> None:
    trial = trial_of(Sample(text, seed=0, edit=0))
    for holds in PROPERTIES.values():
        holds(trial)
