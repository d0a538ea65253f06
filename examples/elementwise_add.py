"""Element-wise addition, ``out = x + y``, a block of rows at a time.

What to look at: no line names a memory space. ``add`` reads and writes the vector buffer, so every tile comes out in
``pl.MemorySpace.Vec`` and nothing has to move. ``out`` is assigned in the loop, so it becomes a carry of the loop.
"""

import pypto_lite.language as pl

ROWS = 256
COLUMNS = 128
BLOCK = 64


@pl.program
class ElementwiseAdd:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[ROWS, COLUMNS], pl.FP32],
        y: pl.Tensor[[ROWS, COLUMNS], pl.FP32],
        out: pl.Out[pl.Tensor[[ROWS, COLUMNS], pl.FP32]],
    ) -> pl.Tensor[[ROWS, COLUMNS], pl.FP32]:
        for row in pl.range(0, ROWS, BLOCK):
            x_tile = pl.load(x, [row, 0], [BLOCK, COLUMNS])
            y_tile = pl.load(y, [row, 0], [BLOCK, COLUMNS])
            total = pl.add(x_tile, y_tile)
            out = pl.store(total, [row, 0], out)
        return out


if __name__ == "__main__":
    print(ElementwiseAdd.lower())
