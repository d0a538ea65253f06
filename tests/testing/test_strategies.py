"""Random programs: what they are made of, how many can be placed and run, and what the knobs do."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import pypto_lite.language as pl
from pypto_lite import ir, ops, testing
from pypto_lite.diagnostics import UserError
from pypto_lite.testing.arguments import arguments
from pypto_lite.testing.parsing import as_written
from pypto_lite.testing.properties import Trial
from pypto_lite.testing.random_calls import drawable
from pypto_lite.testing.runs import outcome
from pypto_lite.testing.strategies import inputs, programs, texts

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

EXAMPLES = 160

ENDS = {"PL204", "PL504", "PL505", "PL506", "PL507"}
"""How runs of random programs end early: a mask that is none, elements without a value, places outside, no result, work
that is shared by several cores."""


def drawn(strategy: SearchStrategy[Any], count: int, number: int = 0) -> list[Any]:
    """The first examples of a strategy from a seed."""
    found: list[Any] = []

    @seed(number)
    @settings(
        max_examples=count,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
        deadline=None,
    )
    @given(strategy)
    def collect(example: Any) -> None:
        found.append(example)

    collect()
    return found


@pytest.fixture(scope="module")
def sample() -> list[pl.Program]:
    """Programs as the strategy draws them by default; hypothesis varies those from one seed only a little."""
    return [program for number in range(8) for program in drawn(programs(), EXAMPLES // 8, number)]


def operators_in(program: ir.Program) -> set[str]:
    return {node.op for node in ir.walk(program) if isinstance(node, ir.Call)}


def features(program: ir.Program) -> set[str]:
    """What of the language a program uses."""
    found: set[str] = set()
    for node in ir.walk(program):
        match node:
            case ir.For():
                found |= {node.kind.name, "carries" if node.carries else "no carries"}
            case ir.While():
                found.add("while")
            case ir.If():
                found |= {"branch", "results" if node.results else "no results"}
            case ir.Assign(value=ir.Var()):
                found.add("alias")
            case ir.Assign(value=ir.Binary()):
                found.add("scalar arithmetic")
            case ir.Call(args=args) if any(isinstance(arg, ir.Call) for arg in args):
                found.add("nested call")
            case ir.Call(op="tile.load"):
                found.add("load to a space" if "target_memory" in node.keywords else "load")
            case ir.Function(type=kind):
                found.add(kind.name)
            case _:
                pass
    return found


def test_most_programs_can_be_placed(sample: list[pl.Program]) -> None:
    trials = [Trial(program) for program in sample]
    for target in (None, "Ascend910B", "Ascend950"):
        placed = [trial for trial in trials if trial.lowered(target) is not None]
        assert len(placed) > 0.9 * len(trials), target


def test_most_programs_run_to_their_end(sample: list[pl.Program]) -> None:
    ends: Counter[str] = Counter()
    for number, program in enumerate(sample):
        try:
            program.run(**arguments(program, number))
        except UserError as error:
            ends[error.code] += 1
    assert ends.total() < 0.3 * len(sample), ends
    assert set(ends) <= ENDS


def test_all_of_the_language_occurs(sample: list[pl.Program]) -> None:
    counts = set().union(*map(features, sample))
    assert counts == {
        "Sequential", "Parallel", "Pipeline", "Unroll", "while", "carries", "no carries", "branch", "results",
        "no results", "alias", "scalar arithmetic", "nested call", "load", "load to a space", "InCore", "Orchestration",
        "Inline",
    }  # fmt: skip


NOT_DRAWN = {
    "tile.tget_scale_addr": "its rule wants tiles that are in certain spaces before they are placed",
    "system.set_ffts": "its workspace is one row of INT64, and no tile is loaded from such a tensor",
    "system.task_is_valid": "it asks about a task, which is none of the values of kernels",
}


def test_every_operator_with_a_meaning_is_drawn() -> None:
    known = {operator.name for operator in ops.operators().values() if drawable(operator)}
    waiting = known - NOT_DRAWN.keys()
    for number in range(80):
        for text in drawn(texts(size=12), 20, number):
            waiting -= operators_in(as_written(text))
        if not waiting:
            break
    assert not waiting
    assert NOT_DRAWN.keys() <= known


def test_the_simplest_program_does_nothing() -> None:
    (program,) = drawn(programs(), 1)
    (kernel,) = program.functions.values()
    assert kernel.params == ()
    assert kernel.body.statements == ()


def test_a_program_shrinks_to_what_matters() -> None:
    found: list[pl.Program] = []

    @seed(0)
    @settings(max_examples=100, database=None, report_multiple_bugs=False, suppress_health_check=list(HealthCheck))
    @given(programs(size=6))
    def has_no_product(program: pl.Program) -> None:
        found.append(program)
        assert "tile.matmul" not in operators_in(program)

    with pytest.raises(AssertionError):
        has_no_product()
    (kernel,) = found[-1].functions.values()
    assert operators_in(found[-1]) <= {"tile.load", "tile.matmul", "tile.matmul_acc"}
    assert len(kernel.body.statements) <= 3


def test_explicit_programs_bind_each_name_once() -> None:
    for text in drawn(texts(explicit=True), 40):
        assert "init_values" in text or "while " not in text
        names = [
            line.split(" = ")[0].strip() for line in text.splitlines() if " = pl." in line and "yield_" not in line
        ]
        assert len(names) == len(set(names))


def test_natural_programs_leave_binding_again_to_the_language() -> None:
    drawn_texts = drawn(texts(explicit=False), 40)
    assert not any("init_values" in text or "yield_" in text for text in drawn_texts)
    assert any("break" in text or "continue" in text for text in drawn_texts)


def test_only_the_operators_that_are_named_are_drawn() -> None:
    chosen = ("tile.add", "tile.exp")
    for program in drawn(programs(operators=chosen), 30):
        assert operators_in(program) <= {*chosen, "tile.load", "tile.store"}


def test_the_size_bounds_a_program() -> None:
    def length(program: ir.Program) -> int:
        return max(len(function.body.statements) for function in program.functions.values())

    assert max(map(length, drawn(programs(size=2), 20))) < max(map(length, drawn(programs(size=20), 30)))


def test_the_number_of_kernels_is_bounded() -> None:
    kernels = [
        sum(function.type.is_in_core for function in program.functions.values())
        for program in drawn(programs(size=2, kernels=1), 60)
    ]
    assert set(kernels) == {1}


def test_a_seed_draws_the_same_programs() -> None:
    assert drawn(texts(), 15, 7) == drawn(texts(), 15, 7)
    assert drawn(texts(), 15, 7) != drawn(texts(), 15, 8)


@settings(max_examples=25)
@given(st.data())
def test_inputs_fit_their_program(data: st.DataObject) -> None:
    program = data.draw(programs(size=4))
    given_ = data.draw(inputs(program))
    end = outcome(program, given_)
    assert end.error is None or end.error[0] in ENDS


PARAMETERS = pl.parse("""
import pypto_lite.language as pl

M = pl.dynamic("M")

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[M, 16], pl.BF16], y: pl.Tensor[[M, 16], pl.INT32], z: pl.Tensor[[4, 4], pl.INT8],
               a: pl.Scalar[pl.FP32], b: pl.Scalar[pl.BOOL], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        pass
""")


def test_sums_of_inputs_are_exact() -> None:
    made = arguments(PARAMETERS)
    halves = made["x"].astype(np.float64) * 2
    assert (halves == np.rint(halves)).all()
    assert len(np.unique(halves)) > 5
    assert made["a"] * 2 == int(made["a"] * 2)


def test_integers_can_be_indices_and_bytes_are_signed() -> None:
    made = arguments(PARAMETERS)
    assert made["y"].min() >= 0
    assert made["z"].min() < 0


def test_dimensions_of_one_name_agree_and_every_array_is_given() -> None:
    made = arguments(PARAMETERS)
    assert made["x"].shape == made["y"].shape == (32, 16)
    assert made["out"].shape == (16, 16)
    assert isinstance(made["b"], bool)


def test_the_names_of_the_room() -> None:
    assert testing.strategies.programs is programs
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        testing.nothing  # noqa: B018
