"""Random programs of scalars compute the same before and after each pass as when Python runs them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.passes.written.structuring import structurer
from tests.passes.scalar_evaluator import evaluate, variables_read
from tests.passes.scalar_programs import (
    Features,
    Tree,
    as_program,
    build,
    build_calling,
    calling_programs,
    kernel_source,
    run_python,
    scalar_programs,
)

ARGUMENTS = st.tuples(st.integers(0, 4), st.integers(0, 4))
STRUCTURED = {passes.SSAForm, passes.UseAfterDef, passes.StructuredCtrlFlow}

checked = settings(max_examples=40, deadline=None)


def assert_computes(program: ir.Program, args: tuple[int, ...], expected: object) -> None:
    """The program is in SSA form and computes what is expected."""
    findings = passes.verify(program, STRUCTURED)
    assert not findings, findings[0]
    assert evaluate(program.functions["f"], args) == expected
    assert passes.ConvertToSSA().run(program) is program


@checked
@given(scalar_programs(Features(leaves=False)), ARGUMENTS)
def test_conversion_to_ssa(program: Tree, args: tuple[int, int]) -> None:
    expected = run_python(program, args)
    before = build(program)
    assert evaluate(before, args) == expected
    assert_computes(passes.ConvertToSSA().run(as_program(before)), args, expected)


@checked
@given(scalar_programs(Features(leaves=False, explicit=False)))
def test_every_carry_and_every_result_is_read(program: Tree) -> None:
    after = passes.ConvertToSSA().run(as_program(build(program))).functions["f"]
    read = set(variables_read(after))
    for node in ir.walk(after):
        if isinstance(node, ir.If):
            assert read.issuperset(node.results)
        elif isinstance(node, (ir.For, ir.While)):
            assert all(
                carry in read or result in read for carry, result in zip(node.carries, node.results, strict=True)
            )


@checked
@given(scalar_programs(), ARGUMENTS)
def test_structured_control_flow(program: Tree, args: tuple[int, int]) -> None:
    expected = run_python(program, args)
    structured = passes.StructureControlFlow().run(as_program(build(program)))
    assert not passes.verify(structured, {passes.StructuredCtrlFlow})
    assert evaluate(structured.functions["f"], args) == expected
    assert_computes(passes.ConvertToSSA().run(structured), args, expected)


@checked
@given(program=scalar_programs(Features(scopes=False)), args=ARGUMENTS)
def test_structured_control_flow_by_copies(program: Tree, args: tuple[int, int]) -> None:
    expected = run_python(program, args)
    with pytest.MonkeyPatch.context() as patch:
        # As if the variables were tiles, which have no value to start from.
        patch.setattr(structurer, "_has_zero", lambda var: False)
        structured = passes.StructureControlFlow().run(as_program(build(program)))
    assert_computes(passes.ConvertToSSA().run(structured), args, expected)


@checked
@given(scalar_programs(Features(unrolled=True, leaves_unrolled=True)), ARGUMENTS)
def test_unrolled_loops(program: Tree, args: tuple[int, int]) -> None:
    expected = run_python(program, args)
    structured = passes.StructureControlFlow().run(as_program(build(program)))
    unrolled = passes.UnrollLoops().run(structured)
    assert not any(isinstance(node, ir.For) and node.kind is ir.ForKind.Unroll for node in ir.walk(unrolled))
    assert evaluate(unrolled.functions["f"], args) == expected
    assert_computes(passes.ConvertToSSA().run(unrolled), args, expected)
    assert_computes(passes.UnrollLoops().run(passes.ConvertToSSA().run(structured)), args, expected)


@settings(max_examples=20, deadline=None)
@given(calling_programs(), ARGUMENTS)
def test_inlined_functions(functions: dict[str, Tree], args: tuple[int, int]) -> None:
    expected = run_python(functions, args)
    before = build_calling(functions)
    inlined = passes.InlineFunctions().run(before)
    assert list(inlined.functions) == ["f"]
    assert not any(isinstance(node, ir.FunctionCall) for node in ir.walk(inlined))
    assert evaluate(inlined.functions["f"], args) == expected
    assert_computes(passes.ConvertToSSA().run(inlined), args, expected)
    assert_computes(passes.InlineFunctions().run(passes.ConvertToSSA().run(before)), args, expected)


@checked
@given(scalar_programs(Features(shadowing=False, scopes=False)), ARGUMENTS)
def test_kernels_as_text(program: Tree, args: tuple[int, int]) -> None:
    parsed = pl.parse(kernel_source(program))
    assert isinstance(parsed, ir.Program)
    findings = passes.verify(parsed, {passes.TypeChecked, passes.NormalizedStmtStructure})
    assert not findings, findings[0]
    assert_computes(parsed, args, run_python(program, args))
    ir.assert_structural_equal(pl.parse(str(parsed)), parsed)


@checked
@given(scalar_programs(Features(shadowing=False, scopes=False, unrolled=True, leaves_unrolled=True)), ARGUMENTS)
def test_all_passes(program: Tree, args: tuple[int, int]) -> None:
    parsed = pl.parse(kernel_source(program))
    assert isinstance(parsed, ir.Program)
    lowered = passes.default_pipeline(None).run(parsed)
    assert_computes(lowered, args, run_python(program, args))
    ir.assert_structural_equal(pl.parse(str(lowered)), lowered)
