"""Values that a kernel prints in a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import pypto_lite.language as pl
from pypto_lite import ir

if TYPE_CHECKING:
    import pytest

X = np.arange(16 * 16, dtype=np.float16).reshape(16, 16)


@pl.program
class Printing:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[16, 16], pl.FP16], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[16, 16], pl.FP16]]
    ) -> pl.Tensor[[16, 16], pl.FP16]:
        tile = pl.load(x, [0, 0], [16, 16], valid_shape=[2, n])
        pl.print(tile, label="the valid part")
        for i in pl.range(2):
            pl.print(i * 2)
        row = pl.create_tile([1, 16], dtype=pl.FP16)
        pl.write(row, [0, 1], pl.read(tile, [0, 1]))
        pl.print(pl.slice(row, [1, 3], [0, 0]), label="one element")
        return pl.store(tile, [0, 0], out)


PRINTED = """\
the valid part:
[[ 0.  1.  2.]
 [16. 17. 18.]]
0
2
one element: [[-- 1.0 --]]
"""


def test_tiles_and_scalars_are_printed_before_and_after_lowering(capsys: pytest.CaptureFixture[str]) -> None:
    for program in (Printing, Printing.lower(), pl.parse(str(Printing.lower()))):
        program.run(x=X, n=3)
        assert capsys.readouterr().out == PRINTED


def test_printing_asks_for_no_space() -> None:
    calls = [node for node in ir.walk(Printing.lower()) if isinstance(node, ir.Call)]
    assert not any(call.op == "tile.move" for call in calls)


def test_a_tensor_is_printed_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    @pl.program
    class Program:
        @pl.function(type=pl.FunctionType.Orchestration)
        def main(self, x: pl.Tensor[[2, 2], pl.INT32]):
            pl.print(x)

    Program.lower().run(x=np.array([[1, 2], [3, 4]], np.int32))
    assert capsys.readouterr().out == "[[1 2]\n [3 4]]\n"
