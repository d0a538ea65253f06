"""The kernel in whose middle the tests of tracing put a few lines, and what its program becomes."""

from __future__ import annotations

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.passes import SSAForm, StructuredCtrlFlow, TypeChecked, UseAfterDef

HEAD = """import math
import pypto_lite.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")
N = 16
SHAPE = [16, 128]


@pl.inline
def doubled(a: pl.Tile[[16, 128], pl.FP32]) -> pl.Tile[[16, 128], pl.FP32]:
    return pl.add(a, a)


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.In[pl.Tensor[[64, 128], pl.FP32]],
        h: pl.Tensor[[64, 128], pl.BF16],
        n: pl.Scalar[pl.INDEX],
        k: pl.Scalar[pl.INT32],
        f: pl.Scalar[pl.FP32],
        c: pl.Scalar[pl.BOOL],
        out: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
    ) -> pl.Tensor[[64, 128], pl.FP32]:
        t = pl.load(x, [0, 0], [16, 128])
"""
TAIL = """        return pl.store(t, [0, 0], out)

    @pl.function
    def helper(self, a: pl.Tensor[[64, 128], pl.FP32], m: pl.Scalar[pl.INT32]) -> pl.Tensor[[64, 128], pl.FP32]:
        return a

    @pl.function
    def flagged(self, a: pl.Scalar[pl.BOOL]) -> pl.Scalar[pl.BOOL]:
        return a

    @pl.function
    def long(self, a: pl.Scalar[pl.INT64], b: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INT64]:
        return b

    @pl.function
    def two(self, a: pl.Tensor[[64, 128], pl.FP32]):
        return a, a

    @pl.function
    def nothing(self, a: pl.Tensor[[64, 128], pl.FP32]):
        pass

    @pl.function
    def dims(self, a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[M, 8], pl.FP32]) -> pl.Tensor[[K, M], pl.FP32]:
        return pl.create_tensor([K, M], dtype=pl.FP32)
"""


def text_of(body: str) -> str:
    """The text of the program with ``body``, not indented, in the middle of its kernel."""
    indented = [f"        {line}" if line else line for line in body.strip("\n").split("\n")]
    return "\n".join([HEAD.rstrip("\n"), *indented, TAIL])


def traced(body: str) -> ir.Program:
    """The program with ``body`` in the middle of its kernel; it holds what tracing promises."""
    program = pl.parse(text_of(body), "kernel.py")
    assert isinstance(program, ir.Program)
    assert passes.verify(program, {SSAForm, UseAfterDef, TypeChecked, StructuredCtrlFlow}) == []
    return program


def kernel(body: str) -> ir.Function:
    return traced(body).functions["kernel"]


def statements(body: str) -> tuple[ir.Stmt, ...]:
    """The statements of ``body``, without the kernel's own first and last one."""
    return kernel(body).body.statements[1:-1]


def value(expression: str) -> ir.Expr:
    """What an expression becomes."""
    (*_, statement) = statements(f"value = {expression}")
    assert isinstance(statement, ir.Assign)
    return statement.value


def assert_same(natural: str, explicit: str) -> None:
    """Both bodies are the same program."""
    ir.assert_structural_equal(traced(natural), traced(explicit))
