"""A kernel called from an orchestration function: ``out = a * x + y``, one block of rows for each call.

What to look at: only the in-core ``kernel`` works on tiles, so only it is placed; ``main`` comes out as it was written,
with ``out`` carried from call to call. A kernel may be called before it is defined.
"""

import pypto_lite.language as pl

ROWS = 512
COLUMNS = 128
BLOCK = 64


@pl.program
class Orchestration:
    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        x: pl.Tensor[[ROWS, COLUMNS], pl.FP32],
        y: pl.Tensor[[ROWS, COLUMNS], pl.FP32],
        a: pl.Scalar[pl.FP32],
        out: pl.Out[pl.Tensor[[ROWS, COLUMNS], pl.FP32]],
    ) -> pl.Tensor[[ROWS, COLUMNS], pl.FP32]:
        for block in pl.range(ROWS // BLOCK):
            out = self.kernel(x, y, a, block * BLOCK, out)
        return out

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[ROWS, COLUMNS], pl.FP32],
        y: pl.Tensor[[ROWS, COLUMNS], pl.FP32],
        a: pl.Scalar[pl.FP32],
        row: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[ROWS, COLUMNS], pl.FP32]],
    ) -> pl.Tensor[[ROWS, COLUMNS], pl.FP32]:
        x_tile = pl.load(x, [row, 0], [BLOCK, COLUMNS])
        y_tile = pl.load(y, [row, 0], [BLOCK, COLUMNS])
        scaled = pl.mul(x_tile, a)
        total = pl.add(scaled, y_tile)
        return pl.store(total, [row, 0], out)


if __name__ == "__main__":
    print(Orchestration.lower())
