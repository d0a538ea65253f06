"""Layer normalisation of each row: ``(x - mean) / sqrt(variance + EPSILON) * gamma + beta``.

What to look at: the variances of a block are one column, [BLOCK, 1] in column-major order, but ``add`` and ``rsqrt``
read row-major tiles. ``reshape`` turns the column into a row, [1, BLOCK], and back, without copying. ``gamma`` and
``beta`` are one row each, loaded once, and spread over the columns by ``col_expand_mul`` and ``col_expand_add``.
"""

import pypto_lite.language as pl

ROWS = 128
COLUMNS = 256
BLOCK = 16
EPSILON = 1e-5


@pl.program
class LayerNorm:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[ROWS, COLUMNS], pl.FP32],
        gamma: pl.Tensor[[1, COLUMNS], pl.FP32],
        beta: pl.Tensor[[1, COLUMNS], pl.FP32],
        out: pl.Out[pl.Tensor[[ROWS, COLUMNS], pl.FP32]],
    ) -> pl.Tensor[[ROWS, COLUMNS], pl.FP32]:
        gamma_tile = pl.load(gamma, [0, 0], [1, COLUMNS])
        beta_tile = pl.load(beta, [0, 0], [1, COLUMNS])
        scratch = pl.create_tile([BLOCK, COLUMNS], dtype=pl.FP32)
        for row in pl.range(0, ROWS, BLOCK):
            x_tile = pl.load(x, [row, 0], [BLOCK, COLUMNS])
            mean = pl.row_sum(pl.mul(x_tile, 1.0 / COLUMNS), scratch)
            centred = pl.row_expand_sub(x_tile, mean)
            squares = pl.mul(centred, centred)
            variance = pl.row_sum(pl.mul(squares, 1.0 / COLUMNS), scratch)
            # One value for each row of the block, as a row for the element-wise operators.
            variance_row = pl.reshape(variance, [1, BLOCK])
            inverse_row = pl.rsqrt(pl.add(variance_row, EPSILON))
            inverse = pl.reshape(inverse_row, [BLOCK, 1])
            normalised = pl.row_expand_mul(centred, inverse)
            scaled = pl.col_expand_mul(normalised, gamma_tile)
            result = pl.col_expand_add(scaled, beta_tile)
            out = pl.store(result, [row, 0], out)
        return out


if __name__ == "__main__":
    print(LayerNorm.lower())
