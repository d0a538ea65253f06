"""Properties hold of random programs, and each notices what it is there for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pypto_lite import ir, passes, printer
from pypto_lite import language as pl
from pypto_lite.analysis.records import DECISIONS, USAGE
from pypto_lite.testing import properties
from pypto_lite.testing.campaign import Report, Serial, fuzz
from pypto_lite.testing.parsing import as_written
from pypto_lite.testing.properties import PROPERTIES, Trial

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.passes import Pass

EXAMPLES = 100


@pytest.mark.parametrize("seed", [1, 2])
def test_all_properties_hold(seed: int) -> None:
    report = fuzz(Serial(), examples=EXAMPLES, seed=seed)
    assert report == Report(EXAMPLES)


KERNEL = """
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.InOut[pl.Tensor[[64, 64], pl.FP32]]
    ):
        a = pl.load(x, [0, 0], [16, 16])
        b = pl.load(x, [16, 0], [16, 16])
        total = pl.sub(pl.exp(a), b)
        for i in pl.range(n + 1):
            if i < 2:
                total = pl.matmul(total, a)
        pl.store(total, [0, 0], out)
        pl.store(b, [n * 2, 32], out)
        return out
"""


def program() -> pl.Program:
    parsed = pl.parse(KERNEL)
    assert isinstance(parsed, pl.Program)
    return parsed


@pytest.mark.parametrize("holds", PROPERTIES.values(), ids=PROPERTIES)
def test_a_kernel_has_all_properties(holds: Callable[[Trial], None]) -> None:
    holds(Trial(program(), edit=5))


def change(monkeypatch: pytest.MonkeyPatch, changed: type[Pass], fault: Callable[[Any], ir.Program]) -> None:
    """Makes a pass do something to its result."""
    right = changed.run
    monkeypatch.setattr(changed, "run", lambda self, program: fault(right(self, program)))


def first(kind: type[ir.Node], make: Callable[[Any], ir.Node | None]) -> Callable[[ir.Program], ir.Program]:
    """A fault in the first node of a class that ``make`` makes another one of."""

    def fault(program: ir.Program) -> ir.Program:
        made: list[ir.Node] = []

        def rule(node: ir.Node) -> ir.Node:
            other = None if made else make(node)
            made.extend([other] if other is not None else [])
            return node if other is None else other

        return ir.rewrite(program, {kind: rule})

    return fault


def calls(op: str, make: Callable[[ir.Call], ir.Node]) -> Callable[[ir.Program], ir.Program]:
    return first(ir.Call, lambda call: make(call) if call.op == op else None)


SWAPPED = calls("tile.sub", lambda call: call.rebuild(tuple(reversed(call.args))))


def test_a_pass_that_swaps_operands(monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, passes.FlattenCalls, SWAPPED)
    with pytest.raises(AssertionError, match="after flatten_calls a run gives something else: out differs in"):
        properties.passes_keep_numbers(Trial(program()))


@pytest.mark.parametrize("faulty", [passes.StructureControlFlow, passes.ConvertToSSA])
def test_a_pass_that_tracing_ends_with(monkeypatch: pytest.MonkeyPatch, faulty: type[Pass]) -> None:
    written = as_written(KERNEL.replace("if i < 2:", "if i < 1:\n                break\n            else:"))
    change(monkeypatch, faulty, SWAPPED)
    with pytest.raises(AssertionError, match=f"after {faulty.name} a run gives something else: out differs in"):
        properties.passes_keep_numbers(Trial(written))


def test_a_pass_that_swaps_operands_back_and_forth_is_not_idempotent(monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, passes.FlattenCalls, SWAPPED)
    with pytest.raises(AssertionError, match="a second run of flatten_calls changes its own result"):
        properties.passes_are_idempotent(Trial(program()))


def test_a_pass_whose_program_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    always = first(ir.For, lambda loop: loop.replace(stop=ir.index_const(10**9)))
    change(monkeypatch, passes.Simplify, always)
    with pytest.raises(AssertionError, match="it does not end"):
        properties.passes_keep_numbers(Trial(program()))


def test_a_pass_that_loses_a_statement_that_others_need(monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, passes.Simplify, first(ir.Block, lambda block: block.rebuild(block.statements[1:])))
    with pytest.raises(AssertionError, match="what simplify makes is not well-formed"):
        properties.passes_verify(Trial(program()))


def test_a_pass_that_breaks_what_held_before_without_saying_so(monkeypatch: pytest.MonkeyPatch) -> None:
    nested = first(ir.Block, lambda block: block.rebuild([ir.Block(block.statements)]))
    change(monkeypatch, passes.FlattenCalls, nested)
    with pytest.raises(AssertionError, match=r"what flatten_calls makes is not well-formed: .*PL305"):
        properties.passes_verify(Trial(program()))


def test_a_pass_that_depends_on_something_else_than_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = iter(range(100))

    def counted(program: ir.Program) -> ir.Program:
        mark = {"mark": next(numbers)}
        return first(ir.Call, lambda call: call.replace(attrs=mark))(program)

    change(monkeypatch, passes.Simplify, counted)
    with pytest.raises(AssertionError, match="simplify makes something else the second time"):
        properties.passes_verify(Trial(program()))


def test_a_pass_that_changes_what_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    right = passes.FlattenCalls.run

    def in_place(self: Any, before: Any) -> ir.Program:
        after = right(self, before)
        before.functions.update(after.functions)
        return after

    trial = Trial(program())
    for stage in trial.stages:
        trial.text(stage.before)
    monkeypatch.setattr(passes.FlattenCalls, "run", in_place)
    with pytest.raises(AssertionError, match="flatten_calls changes what it is given"):
        properties.passes_verify(trial)


def test_a_pass_that_refuses_without_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes.Simplify, "requires", frozenset({passes.TileMemoryInferred}))
    with pytest.raises(AssertionError, match="simplify refuses the program"):
        properties.passes_verify(Trial(program()))


def test_text_that_means_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    right = printer.python_print
    monkeypatch.setattr(
        printer, "python_print", lambda node, concise=False: right(node, concise).replace("n + 1", "n + 3")
    )
    with pytest.raises(AssertionError, match="means another program, the program as it was written"):
        properties.text_reads_back(Trial(program()))


def test_text_that_is_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    right = printer.python_print
    monkeypatch.setattr(printer, "python_print", lambda node, concise=False: right(node, concise).replace("exp", "ex"))
    with pytest.raises(AssertionError, match="what is printed is refused"):
        properties.text_reads_back(Trial(program()))


def test_placement_without_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, passes.InferTileMemorySpace, lambda placed: placed.with_record(DECISIONS, placed.decisions[1:]))
    with pytest.raises(AssertionError, match="has 0 decisions"):
        properties.reasons_are_true(Trial(program()))


def test_a_reason_for_another_space(monkeypatch: pytest.MonkeyPatch) -> None:
    def lie(placed: ir.Program) -> ir.Program:
        decisions = [each._replace(space=ir.MemorySpace.Bias) for each in placed.record(DECISIONS)]
        return placed.with_record(DECISIONS, tuple(decisions))

    change(monkeypatch, passes.InferTileMemorySpace, lie)
    with pytest.raises(AssertionError, match=r"its reason is about MemorySpace\.Bias"):
        properties.reasons_are_true(Trial(program()))


def test_normalising_that_keeps_what_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    right = passes.NormalizeStatements.run

    def keep(self: Any, before: ir.Program) -> ir.Program:
        useless = ir.Evaluate(ir.index_const(7))
        return first(ir.Block, lambda block: block.rebuild((useless, *block.statements)))(right(self, before))

    trial = Trial(program())
    monkeypatch.setattr(passes.NormalizeStatements, "run", keep)
    with pytest.raises(AssertionError, match="normalising does not give the normal form"):
        properties.passes_tidy_up(trial)


def test_flattening_that_leaves_a_call_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passes.FlattenCalls, "run", lambda _self, program: program)
    with pytest.raises(AssertionError, match="flattening leaves a call in an expression"):
        properties.passes_tidy_up(Trial(program()))


def test_flattening_that_asks_for_another_element(monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, passes.FlattenCalls, first(ir.If, lambda branch: branch.replace(condition=ir.const(False))))
    with pytest.raises(AssertionError, match="with calls in conditions, after flattening a run gives something else"):
        properties.passes_tidy_up(Trial(program()))


def test_a_tile_that_is_not_moved_and_a_verifier_that_does_not_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, passes.CheckMemoryCapacity, calls("tile.move", lambda move: move.args[0]))
    monkeypatch.setattr(properties, "errors_of", lambda *_: [])
    with pytest.raises(AssertionError, match=r"lowered for None, a sanitized run ends with \('PL515', 16\)"):
        properties.sanitizer_agrees(Trial(program()))


def test_more_memory_in_use_than_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget(checked: ir.Program) -> ir.Program:
        usage = {space: each._replace(peak=1024) for space, each in checked.record(USAGE)["kernel"].items()}
        return checked.with_record(USAGE, {"kernel": usage})

    change(monkeypatch, passes.CheckMemoryCapacity, forget)
    with pytest.raises(AssertionError, match="kernel uses 3072 bytes of Vec, not 1024 at most"):
        properties.sanitizer_agrees(Trial(program()))


def test_equality_that_sees_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ir, "structural_equal", lambda a, b: a.name == b.name)
    monkeypatch.setattr(ir, "structural_diff", lambda _a, _b: ["the name"])
    with pytest.raises(AssertionError, match="a program differs from itself"):
        properties.equality_is_an_equivalence(Trial(program()))


def test_hashes_of_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ir, "structural_hash", id)
    with pytest.raises(AssertionError, match="equal programs have different hashes"):
        properties.equality_is_an_equivalence(Trial(program()))


def test_equality_that_is_always_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ir, "structural_equal", lambda _a, _b: True)
    with pytest.raises(AssertionError, match="an edit is not seen"):
        properties.an_edit_is_seen(Trial(program()))
