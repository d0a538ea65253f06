"""The facts of a program: order, roles and block paths."""

from __future__ import annotations

import pypto_lite.language as pl
from pypto_lite.report import program_facts

TEXT = """
import pypto_lite.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 16], pl.BF16],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 16], pl.FP32]],
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        first = pl.load(x, [0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)
        left = pl.move(first, target_memory=pl.MemorySpace.Left)
        start = pl.matmul(left, first)
        for i in pl.range(2):
            pl.store(start, [0, 0], out)
        for i, (carry,) in pl.range(2, init_values=(start,)):
            if n > 0:
                more = pl.matmul_acc(carry, left, first)
                joined = pl.yield_(more)
            else:
                if n > 1:
                    inner = pl.yield_(carry)
                else:
                    other = pl.matmul_acc(carry, left, first)
                    inner = pl.yield_(other)
                joined = pl.yield_(inner)
            result = pl.yield_(joined)
        scratch = pl.create_tile([16, 16], dtype=pl.FP32)
        final = pl.row_max(result, scratch)
        return pl.store(result, [0, 0], out)
"""


def kernel_facts():
    return program_facts(pl.parse(TEXT).lower(), file="p.py", target="Ascend910B")["functions"]["kernel"]


def test_carries_stand_before_the_body_and_results_after_it() -> None:
    roles = [(tile["name"], tile["role"]) for tile in kernel_facts()["tiles"] if tile["role"] != "inserted"]
    assert roles == [
        ("first", "value"),
        ("left", "value"),
        ("start", "value"),
        ("carry", "carry"),
        ("more", "value"),
        ("other", "value"),
        ("inner", "branch_result"),
        ("joined", "branch_result"),
        ("result", "loop_result"),
        ("scratch", "value"),
        ("final", "value"),
    ]
