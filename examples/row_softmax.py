"""Softmax of each row, in the form that cannot overflow: ``exp(x - max) / sum(exp(x - max))``.

What to look at: ``row_max`` and ``row_sum`` reduce a tile to one column, [BLOCK, 1] in column-major order, and need a
scratch tile to work in. ``row_expand_sub`` and ``row_expand_div`` spread the column over the rows again. All of it is
vector work, so every tile is in Vec.
"""

import pypto_lite.language as pl

ROWS = 128
COLUMNS = 256
BLOCK = 16


@pl.program
class RowSoftmax:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[ROWS, COLUMNS], pl.FP32],
        out: pl.Out[pl.Tensor[[ROWS, COLUMNS], pl.FP32]],
    ) -> pl.Tensor[[ROWS, COLUMNS], pl.FP32]:
        scratch = pl.create_tile([BLOCK, COLUMNS], dtype=pl.FP32)
        for row in pl.range(0, ROWS, BLOCK):
            x_tile = pl.load(x, [row, 0], [BLOCK, COLUMNS])
            largest = pl.row_max(x_tile, scratch)
            shifted = pl.row_expand_sub(x_tile, largest)
            powers = pl.exp(shifted)
            total = pl.row_sum(powers, scratch)
            softmax = pl.row_expand_div(powers, total)
            out = pl.store(softmax, [row, 0], out)
        return out


if __name__ == "__main__":
    print(RowSoftmax.lower())
