"""A branch whose result is a tile: a matrix product with ReLU or without, as a flag says.

What to look at: ``product`` is in Acc, the result of ``relu`` is in Vec, and ``result`` is the one or the other. Both
arms of a branch must hand over their tile in one space: that is Vec here, since nothing can move into Acc. So each arm
gets a move of its own, one for ``relu`` to read and one for the branch to yield.
"""

import pypto_lite.language as pl


@pl.program
class Branch:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[32, 64], pl.BF16],
        weight: pl.Tensor[[64, 32], pl.BF16],
        activate: pl.Scalar[pl.BOOL],
        out: pl.Out[pl.Tensor[[32, 32], pl.FP32]],
    ) -> pl.Tensor[[32, 32], pl.FP32]:
        x_tile = pl.load(x, [0, 0], [32, 64], target_memory=pl.MemorySpace.Mat)
        weight_tile = pl.load(weight, [0, 0], [64, 32], target_memory=pl.MemorySpace.Mat)
        product = pl.matmul(x_tile, weight_tile)
        if activate:
            result = pl.relu(product)
        else:
            result = product
        return pl.store(result, [0, 0], out)


if __name__ == "__main__":
    print(Branch.lower())
