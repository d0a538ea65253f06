"""Kernels as texts, for tests that say: written in this way it means the same as written in that way."""

from __future__ import annotations

import textwrap

import pypto_lite.language as pl
from pypto_lite import ir

SCALARS = "    @pl.function\n    def f(self, n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX]):\n"

TILES = """\
    @pl.function(type=pl.FunctionType.InCore)
    def f(
        self,
        a: pl.Tensor[[64, 128], pl.FP32],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
    ):
"""

OTHERS = """\
    @pl.function
    def note(self, value: pl.Scalar[pl.INDEX]):
        pass
"""


def parsed(body: str, header: str = SCALARS, others: str = OTHERS) -> ir.Program:
    """The program of a function ``f`` with this body, beside ``others``."""
    text = textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
    program = pl.parse(f"import pypto_lite.language as pl\n@pl.program\nclass P:\n{others}\n{header}{text}\n")
    assert isinstance(program, ir.Program)
    return program


def assert_same(first: str, second: str, header: str = SCALARS) -> ir.Program:
    """Both bodies make the same program, which is returned."""
    program = parsed(first, header)
    ir.assert_structural_equal(program, parsed(second, header))
    return program
