"""One matrix product, the example of the specification: ``out_0 = x @ y``.

What to look at: the loads name no memory space and come out in Vec. ``matmul`` reads its operands from Left and Right
only, so two moves appear in front of it, and its result is born in Acc, from where ``store`` can take it.
"""

import pypto_lite.language as pl


@pl.program
class Matmul:
    @pl.function(type=pl.FunctionType.InCore)
    def main_incore_0(
        self,
        x: pl.Tensor[[16, 128], pl.BF16],
        y: pl.Tensor[[128, 128], pl.BF16],
        out_0: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
    ) -> pl.Tensor[[16, 128], pl.FP32]:
        x_tile: pl.Tile[[16, 128], pl.BF16] = pl.load(x, [0, 0], [16, 128])
        y_tile: pl.Tile[[128, 128], pl.BF16] = pl.load(y, [0, 0], [128, 128])
        z_tile: pl.Tile[[16, 128], pl.FP32] = pl.matmul(x_tile, y_tile)
        out_0: pl.Tensor[[16, 128], pl.FP32] = pl.store(z_tile, [0, 0], out_0)
        return out_0


if __name__ == "__main__":
    print(Matmul.lower())
