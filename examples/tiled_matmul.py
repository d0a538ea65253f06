"""A matrix product in blocks, ``out = a @ b``, with a loop over K that accumulates on chip.

What to look at: ``total`` is created without a memory space, yet comes out in Acc, because the loop carries it through
``matmul_acc``. The blocks are loaded into Mat, the larger buffer of the cube core, and move to Left and Right in the
loop body. ``init_cond`` makes the first step overwrite what the new buffer happens to hold.
"""

import pypto_lite.language as pl

M = 256
K = 512
N = 256
BLOCK_M = 128
BLOCK_K = 64
BLOCK_N = 128


@pl.program
class TiledMatmul:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        a: pl.Tensor[[M, K], pl.BF16],
        b: pl.Tensor[[K, N], pl.BF16],
        out: pl.Out[pl.Tensor[[M, N], pl.FP32]],
    ) -> pl.Tensor[[M, N], pl.FP32]:
        for row in pl.range(0, M, BLOCK_M):
            for column in pl.range(0, N, BLOCK_N):
                total = pl.create_tile([BLOCK_M, BLOCK_N], dtype=pl.FP32)
                for k in pl.range(0, K, BLOCK_K):
                    a_tile = pl.load(a, [row, k], [BLOCK_M, BLOCK_K], target_memory=pl.MemorySpace.Mat)
                    b_tile = pl.load(b, [k, column], [BLOCK_K, BLOCK_N], target_memory=pl.MemorySpace.Mat)
                    total = pl.matmul_acc(total, a_tile, b_tile, init_cond=k == 0)
                out = pl.store(total, [row, column], out)
        return out


if __name__ == "__main__":
    print(TiledMatmul.lower())
