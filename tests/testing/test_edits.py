"""Edits make another program, and renaming makes none."""

from __future__ import annotations

import pytest

from pypto_lite import ir
from pypto_lite import language as pl
from pypto_lite.testing.edits import edited, renamed

TEXT = """
import pypto_lite.language as pl

M = pl.dynamic("M")

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[M, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.InOut[pl.Tensor[[M, 64], pl.FP32]]
    ):
        t = pl.load(x, [n, 0], [16, 16], valid_shape=[n, 16], target_memory=pl.MemorySpace.Vec)
        for i in pl.pipeline(n * 2, stage=2):
            if i > 1 and n != 3:
                t = pl.exp(t)
        while n > 0:
            n = n - 1
        pl.store(t, [0, 0], out)
        return out
"""


@pytest.fixture
def program() -> ir.Program:
    parsed = pl.parse(TEXT)
    assert isinstance(parsed, ir.Program)
    return parsed


def test_a_renamed_program_is_equal_and_shares_no_name(program: ir.Program) -> None:
    other = renamed(program)
    ir.assert_structural_equal(other, program)
    names = [{node.name for node in ir.walk(each) if isinstance(node, ir.Var)} for each in (program, other)]
    assert names[0].isdisjoint(names[1])
    assert other.name != program.name


def test_every_edit_makes_another_program(program: ir.Program) -> None:
    told: set[str] = set()
    for choice in range(1000):
        change = edited(program, choice)
        assert change is not None
        other, text = change
        if text in told:
            continue
        told.add(text)
        assert not ir.structural_equal(program, other), text
    assert len(told) > 50


@pytest.mark.parametrize(
    "what",
    ["the operator of", "the value of", "the condition of", "the kind of", "statement 0 of", "operand 0 of",
     "target_memory of", "the direction of", "the step of", "the last operand of", "the attributes of"],
)  # fmt: skip
def test_edits_of_many_kinds(program: ir.Program, what: str) -> None:
    assert any(what in change[1] for choice in range(300) if (change := edited(program, choice)) is not None)


def test_a_program_without_anything_to_change() -> None:
    assert edited(ir.Program("P", {}), 0) is None
