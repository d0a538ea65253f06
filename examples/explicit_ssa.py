"""One kernel in both spellings: a sum of matrix products over a loop.

What to look at: ``Natural`` rebinds ``total`` as Python does; ``Explicit`` says what that means, with each name bound
once, the carries in ``init_values`` and the next values in ``pl.yield_``. Both are the same program. The lowered text
is always of the explicit kind, and can be read back in.
"""

import pypto_lite.language as pl

STEPS = 4


@pl.program
class Natural:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        a: pl.Tensor[[STEPS * 16, 64], pl.BF16],
        b: pl.Tensor[[STEPS * 64, 32], pl.BF16],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a_first = pl.load(a, [0, 0], [16, 64])
        b_first = pl.load(b, [0, 0], [64, 32])
        total = pl.matmul(a_first, b_first)
        for step in pl.range(1, STEPS):
            a_tile = pl.load(a, [step * 16, 0], [16, 64])
            b_tile = pl.load(b, [step * 64, 0], [64, 32])
            total = pl.matmul_acc(total, a_tile, b_tile)
        return pl.store(total, [0, 0], out)


@pl.program
class Explicit:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        a: pl.Tensor[[STEPS * 16, 64], pl.BF16],
        b: pl.Tensor[[STEPS * 64, 32], pl.BF16],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        a_first = pl.load(a, [0, 0], [16, 64])
        b_first = pl.load(b, [0, 0], [64, 32])
        first = pl.matmul(a_first, b_first)
        for step, (total,) in pl.range(1, STEPS, init_values=(first,)):
            a_tile = pl.load(a, [step * 16, 0], [16, 64])
            b_tile = pl.load(b, [step * 64, 0], [64, 32])
            following = pl.matmul_acc(total, a_tile, b_tile)
            result = pl.yield_(following)
        return pl.store(result, [0, 0], out)


if __name__ == "__main__":
    print(Natural.lower())
    print(Explicit.lower())
