"""What only IR can have: the changes are there, and passes undo them."""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.passes.protocol import errors_of
from pypto_lite.testing.arguments import arguments
from pypto_lite.testing.denormalization import with_calls_in_conditions, without_normal_form
from pypto_lite.testing.runs import difference, outcome

SEEDS = range(6)


@pl.program
class Written:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[16, 16], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.InOut[pl.Tensor[[16, 16], pl.FP32]]
    ):
        a = pl.load(x, [0, 0], [16, 16])
        left = n
        while left > 0:
            left = left - 1
            if left == 1:
                a = pl.add(a, a)
        if n > 1:
            pl.store(a, [0, 0], out)


@pytest.mark.parametrize("seed", SEEDS)
def test_without_the_normal_form_a_program_means_the_same(seed: int) -> None:
    loose = without_normal_form(Written, seed)
    assert errors_of(passes.NormalizedStmtStructure, loose, None)
    given = arguments(Written, seed)
    assert difference(outcome(Written, given), outcome(loose, given)) is None
    ir.assert_structural_equal(passes.NormalizeStatements()(loose), Written)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_condition_calls_something(seed: int) -> None:
    asking = with_calls_in_conditions(Written, seed)
    conditions = [node.condition for node in ir.walk(asking) if isinstance(node, (ir.If, ir.While))]
    assert len(conditions) == 3
    for condition in conditions:
        assert any(isinstance(node, ir.Call) for node in ir.walk(condition))


def test_conditions_ask_in_several_ways() -> None:
    asked = [node for seed in SEEDS for node in ir.walk(with_calls_in_conditions(Written, seed))]
    assert {node.operator for node in asked if isinstance(node, ir.Binary)} >= {"and", "or"}
    assert any(isinstance(node, ir.Select) for node in asked)


def test_where_nothing_can_be_asked_nothing_changes() -> None:
    @pl.program
    class Without:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
            if n > 1:
                pl.write(out, [0, 0], 1.0)

    ir.assert_structural_equal(with_calls_in_conditions(Without, 1), Without)


def test_a_seed_always_does_the_same() -> None:
    for change in (without_normal_form, with_calls_in_conditions):
        ir.assert_structural_equal(change(Written, 3), change(Written, 3))
