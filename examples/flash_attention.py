"""Attention of one head, ``softmax(query @ key.T / sqrt(HEAD)) @ value``, without ever storing the scores.

A block of queries stays on chip while keys and values stream by. The softmax is computed online: ``running_max`` and
``running_sum`` are the maximum and the sum of the exponentials of the scores seen so far, and whenever the maximum
grows, what was summed under the old one is scaled by ``correction``.

What to look at: the loop carries three tiles that are only assigned. Cube and vector work alternate, and the moves show
where: ``scores`` and ``weighted`` leave Acc for Vec, ``weights_bf16`` leaves Vec for Left. ``transpose_view`` of the
keys costs nothing: it stays in Mat with its layout turned. The per-row values are kept as rows, [1, BLOCK], for the
element-wise operators, and reshaped to columns for ``row_expand_sub``, ``row_expand_mul`` and ``row_expand_div``.
"""

import math

import pypto_lite.language as pl

SEQUENCE = 256
HEAD = 64
BLOCK = 64
STEP = 64
SCALE = 1.0 / math.sqrt(HEAD)


@pl.program
class FlashAttention:
    @pl.function(type=pl.FunctionType.InCore)
    def attend(
        self,
        query: pl.Tensor[[SEQUENCE, HEAD], pl.BF16],
        key: pl.Tensor[[SEQUENCE, HEAD], pl.BF16],
        value: pl.Tensor[[SEQUENCE, HEAD], pl.BF16],
        row: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[SEQUENCE, HEAD], pl.FP32]],
    ) -> pl.Tensor[[SEQUENCE, HEAD], pl.FP32]:
        query_tile = pl.load(query, [row, 0], [BLOCK, HEAD], target_memory=pl.MemorySpace.Mat)
        scratch = pl.create_tile([BLOCK, STEP], dtype=pl.FP32)
        running_max = pl.tile.full([1, BLOCK], dtype=pl.FP32, value=float("-inf"))
        running_sum = pl.tile.full([1, BLOCK], dtype=pl.FP32, value=0.0)
        accumulator = pl.tile.full([BLOCK, HEAD], dtype=pl.FP32, value=0.0)
        for position in pl.range(0, SEQUENCE, STEP):
            key_tile = pl.load(key, [position, 0], [STEP, HEAD], target_memory=pl.MemorySpace.Mat)
            value_tile = pl.load(value, [position, 0], [STEP, HEAD], target_memory=pl.MemorySpace.Mat)
            scores = pl.matmul(query_tile, pl.tile.transpose_view(key_tile))
            scaled = pl.mul(scores, SCALE)

            block_max = pl.reshape(pl.row_max(scaled, scratch), [1, BLOCK])
            new_max = pl.maximum(running_max, block_max)
            correction = pl.exp(pl.sub(running_max, new_max))
            weights = pl.exp(pl.row_expand_sub(scaled, pl.reshape(new_max, [BLOCK, 1])))
            block_sum = pl.reshape(pl.row_sum(weights, scratch), [1, BLOCK])
            running_sum = pl.add(pl.mul(running_sum, correction), block_sum)
            running_max = new_max

            weights_bf16 = pl.cast(weights, pl.BF16)
            weighted = pl.matmul(weights_bf16, value_tile)
            rescaled = pl.row_expand_mul(accumulator, pl.reshape(correction, [BLOCK, 1]))
            accumulator = pl.add(rescaled, weighted)
        attention = pl.row_expand_div(accumulator, pl.reshape(running_sum, [BLOCK, 1]))
        return pl.store(attention, [row, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self,
        query: pl.Tensor[[SEQUENCE, HEAD], pl.BF16],
        key: pl.Tensor[[SEQUENCE, HEAD], pl.BF16],
        value: pl.Tensor[[SEQUENCE, HEAD], pl.BF16],
        out: pl.Out[pl.Tensor[[SEQUENCE, HEAD], pl.FP32]],
    ) -> pl.Tensor[[SEQUENCE, HEAD], pl.FP32]:
        for row in pl.range(0, SEQUENCE, BLOCK):
            out = self.attend(query, key, value, row, out)
        return out


if __name__ == "__main__":
    print(FlashAttention.lower())
