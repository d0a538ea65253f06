"""Texts of modules that are imported: their programs are decorated, and read from their file."""

from __future__ import annotations

from typing import Final

PROGRAM: Final = """

@pl.program
class P{number}:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 128], pl.BF16],
        y: pl.Tensor[[128, 128], pl.BF16],
        out: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
    ) -> pl.Tensor[[16, 128], pl.FP32]:
        x_tile = pl.load(x, [0, 0], [16, 128])
        y_tile = pl.load(y, [0, 0], [128, 128])
        product = pl.matmul(x_tile, y_tile)
        total = pl.add(product, product)
        for i in pl.range({number}, 300):
            total = pl.add(total, product)
            if i > 200:
                total = pl.exp(total)
            else:
                total = pl.neg(total)
        scaled = pl.mul(total, 0.5)
        shifted = pl.add(scaled, 1.0)
        result = pl.maximum(shifted, scaled)
        return pl.store(result, [0, 0], out)
"""
CLOSURE: Final = """

    @pl.program
    class P:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: pl.Tensor[[{rows}, 16], pl.FP32]):
"""


def programs(count: int) -> str:
    """Many small programs, 25 lines each."""
    return "import pypto_lite.language as pl\n" + "".join([PROGRAM.format(number=number) for number in range(count)])


def closure(names: int) -> str:
    """A function that makes a kernel, which closes over many of its names."""
    bound = "".join([f"    row{number} = {number}\n" for number in range(names)])
    read = "".join([f"            t{number} = pl.load(x, [row{number}, 0], [1, 16])\n" for number in range(names)])
    header = "import pypto_lite.language as pl\n\n\ndef make():\n"
    return f"{header}{bound}{CLOSURE.format(rows=names)}{read}    return P\n\n\nP = make()\n"
