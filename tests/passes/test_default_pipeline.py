"""The default pipeline: its passes, their names, and what it does with kernels as people write them."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.diagnostics import UserError

RECORDS = [
    json.loads(record)
    for record in (Path(__file__).parent.parent / "data/placement/visible.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]

HOLDS_AFTER_TRACING = {
    passes.BreakContinueValid,
    passes.Printable,
    passes.SSAForm,
    passes.StructuredCtrlFlow,
    passes.TypeChecked,
    passes.UseAfterDef,
}
HOLDS_AFTER_LOWERING = HOLDS_AFTER_TRACING | {
    passes.IncoreTileOps,
    passes.NoNestedCalls,
    passes.NormalizedStmtStructure,
    passes.SplitIncoreOrch,
    passes.TileMemoryInferred,
}


def test_the_passes_in_their_order() -> None:
    assert [each.name for each in passes.default_pipeline(None).passes] == [
        "inline_functions",
        "unroll_loops",
        "structure_control_flow",
        "convert_to_ssa",
        "simplify",
        "normalize_statements",
        "flatten_calls",
        "infer_tile_memory_space",
        "check_memory_capacity",
    ]


@pytest.mark.parametrize("each", passes.default_pipeline(None).passes, ids=lambda each: each.name)
def test_a_pass_can_be_made_by_its_name(each: passes.Pass) -> None:
    assert getattr(passes, each.name) is type(each)
    assert type(each).__name__ in passes.__all__


@pytest.mark.parametrize("each", passes.default_pipeline(None).passes, ids=lambda each: each.name)
def test_a_pass_says_what_it_does(each: passes.Pass) -> None:
    assert (type(each).__doc__ or "").strip().endswith((".", "::")) or "\n" in (type(each).__doc__ or "")


def test_the_target_is_found_by_name() -> None:
    *_, placement, _ = passes.default_pipeline("Ascend950").passes
    assert placement.target is not None
    assert placement.target.name == "Ascend950"


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        passes.default_pipeline("Ascend911")
    assert caught.value.code == "PL409"


@pytest.mark.parametrize("record", RECORDS[::8], ids=lambda record: record["id"])
def test_everything_that_should_hold_holds_at_every_stage(record: dict[str, str]) -> None:
    traced = pl.parse(record["source"])
    assert passes.verify(traced, HOLDS_AFTER_TRACING) == []
    watched = [passes.VerifyInstrument(), passes.RoundTripInstrument(pl.parse)]
    lowered = passes.default_pipeline(record["target"]).run(traced, instruments=watched)
    assert passes.verify(lowered, HOLDS_AFTER_LOWERING) == []


def test_a_lowered_program_is_lowered_already() -> None:
    record = RECORDS[0]
    pipeline = passes.default_pipeline(record["target"])
    once = pipeline.run(pl.parse(record["source"]))
    ir.assert_structural_equal(pipeline.run(once), once)


def parsed(text: str) -> pl.Program:
    return pl.parse(textwrap.dedent(text).lstrip())


@pytest.mark.parametrize("target", [None, "Ascend910B"])
def test_a_scope_stops_at_its_line(target: str | None) -> None:
    kernel = parsed(
        """
        import pypto_lite.language as pl

        @pl.program
        class Scoped:
            @pl.function
            def main(self, x: pl.Tensor[[16, 128], pl.FP32], out: pl.Out[pl.Tensor[[16, 128], pl.FP32]]):
                with pl.at(level=pl.Level.CORE_GROUP):  # expect: PL311
                    t = pl.load(x, [0, 0], [16, 128])
                    out = pl.store(t, [0, 0], out)
                return out
        """
    )
    with pytest.raises(UserError) as caught:
        passes.default_pipeline(target).run(kernel)
    assert (caught.value.code, caught.value.span.line) == ("PL311", 7)


def test_of_a_scope_nothing_is_told_but_the_scope() -> None:
    kernel = parsed(
        """
        import pypto_lite.language as pl

        @pl.program
        class Scoped:
            @pl.function(type=pl.FunctionType.Orchestration)
            def main(self, x: pl.Tensor[[16, 128], pl.FP32], out: pl.Out[pl.Tensor[[16, 128], pl.FP32]]):
                with pl.at(level=pl.Level.CORE_GROUP):  # expect: PL311
                    t = pl.load(x, [0, 0], [16, 128])
                    for i in pl.range(4):
                        t = pl.add(t, t)
                    out = pl.store(t, [0, 0], out)
                return out
        """
    )
    with pytest.raises(UserError) as caught:
        kernel.lower()
    assert [(each.code, each.span.line) for each in caught.value.diagnostics] == [("PL311", 7)]


ATTRIBUTES = """
@pl.inline
def step(a: pl.Tile[[16, 16], pl.FP32], b: pl.Tile[[16, 16], pl.FP32], n: pl.Scalar[pl.INDEX]) -> {tile}:
    b = pl.add(b, pl.cast(n, pl.FP32), attrs={{"of": b, "with": n}})
    return pl.mul(a, b, attrs={{"all": [a, b], "called": [pl.exp(a)]}})

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def k(self, x: pl.Tensor[[64, 16], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 16], pl.FP32]]):
        t = pl.load(x, [0, 0], [16, 16])
        u = pl.load(x, [16, 0], [16, 16])
        for i in pl.unroll(2):
            t = step(t, u, i + n)
        for j in pl.range(4):
            if j == n:
                continue
            if j > 3:
                break
            t = pl.add(t, u, attrs={{"of": t, "all": [t, u], "when": [j, n], "mark": [1, 2]}})
            u = pl.exp(t, attrs={{"of": t}})
        h = pl.cast(t, pl.BF16)
        z = pl.matmul(h, h, attrs={{"from": [h, t]}})
        return pl.store(pl.add(z, z, attrs={{"made": z}}), [0, 0], out)
"""


def test_values_in_attributes_of_calls_follow_through_every_pass() -> None:
    program = pl.parse(ATTRIBUTES.format(tile="pl.Tile[[16, 16], pl.FP32]"))
    assert isinstance(program, pl.Program)
    x = np.linspace(0, 1, 64 * 16, dtype=np.float32).reshape(64, 16)
    expected = program.run(x=x, n=1)
    for each in passes.default_pipeline("Ascend910B").passes:
        program = each(program)
        ir.assert_structural_equal(pl.parse(str(program)), program)
        assert passes.verify(program, each.produces | {passes.TypeChecked, passes.UseAfterDef}) == []
        np.testing.assert_array_equal(program.run(x=x, n=1), expected)

    calls = [node for node in ir.walk(program) if isinstance(node, ir.Call)]
    marked = [call for call in calls if call.attrs]
    assert len(marked) == 8
    for call in marked:
        assert call.attrs.get("of", call.args[0]) is call.args[0]
        if "all" in call.attrs:
            assert call.attrs["all"].elements == call.args
        if "called" in call.attrs:
            assert isinstance(call.attrs["called"].elements[0], ir.Var)


def test_before_placement_a_scope_is_carried() -> None:
    kernel = parsed(
        """
        import pypto_lite.language as pl

        @pl.program
        class Scoped:
            @pl.function
            def main(self, x: pl.Tensor[[16, 128], pl.FP32], out: pl.Out[pl.Tensor[[16, 128], pl.FP32]]):
                with pl.at(level=pl.Level.CORE_GROUP):
                    t = pl.load(x, [0, 0], [16, 128])
                    out = pl.store(pl.add(t, t), [0, 0], out)
                return out
        """
    )
    flat = passes.default_pipeline(None).run(kernel, until="flatten_calls", instruments=[passes.VerifyInstrument()])
    scopes = [node for node in ir.walk(flat) if isinstance(node, ir.Scope)]
    assert len(scopes) == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("t = pl.load(x, [0, 0, 0], [2, 8, 16])", "PL309"),
        ("t = pl.create_tensor([16, 16], dtype=pl.FP32)", "PL309"),
    ],
)
def test_code_that_no_core_can_run_is_refused_with_pass_and_property(line: str, code: str) -> None:
    kernel = parsed(
        f"""
        import pypto_lite.language as pl

        @pl.program
        class Wrong:
            @pl.function(type=pl.FunctionType.InCore)
            def kernel(self, x: pl.Tensor[[2, 8, 16], pl.FP32]):
                {line}
        """
    )
    with pytest.raises(UserError) as caught:
        passes.default_pipeline(None).run(kernel)
    assert (caught.value.code, caught.value.span.line) == ("PL310", 7)
    assert "infer_tile_memory_space requires IncoreTileOps" in str(caught.value)
    assert code in str(caught.value)


def test_a_scope_around_calls_is_to_be_left_out() -> None:
    kernel = parsed(
        """
        import pypto_lite.language as pl

        @pl.program
        class Scoped:
            @pl.function(type=pl.FunctionType.Orchestration)
            def main(self, out: pl.Out[pl.Tensor[[16, 128], pl.FP32]]):
                with pl.spmd(4):
                    self.kernel(out)

            @pl.function(type=pl.FunctionType.InCore)
            def kernel(self, out: pl.Out[pl.Tensor[[16, 128], pl.FP32]]):
                pl.store(pl.tile.full([16, 128], pl.FP32, 0.0), [0, 0], out)
        """
    )
    with pytest.raises(UserError, match="leave the scope out") as caught:
        passes.default_pipeline(None).run(kernel)
    assert caught.value.code == "PL311"
