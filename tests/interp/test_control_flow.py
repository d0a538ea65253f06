"""Loops, branches, scopes and calls run as Python runs them, at every stage of lowering."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pypto_lite import interp, ir, passes
from tests.passes.hand_built import FOUR, ONE, TRUE, ZERO, block, branch, function, loop, plus, program, scalar, var
from tests.passes.scalar_programs import (
    Features,
    Tree,
    as_program,
    build,
    build_calling,
    calling_programs,
    run_python,
    scalar_programs,
)

ARGUMENTS = st.tuples(st.integers(0, 4), st.integers(0, 4))
checked = settings(max_examples=60, deadline=None)


def without_notes(made: ir.Program) -> ir.Program:
    """The program with statements that only compute in the place of its notes, which no operator knows."""
    return ir.rewrite(made, {ir.Evaluate: lambda note: ir.Evaluate(note.value.args[0])})


def results(made: ir.Program, args: tuple[int, int]) -> list[int]:
    returned = interp.run(made, "f", {"a": args[0], "b": args[1]})
    return list(returned) if isinstance(returned, tuple) else [returned]


@checked
@given(scalar_programs(Features(unrolled=True, leaves_unrolled=True)), ARGUMENTS)
def test_before_and_after_every_pass(tree: Tree, args: tuple[int, int]) -> None:
    """Names are rebound, loops are left, results are explicit or not."""
    expected, _ = run_python(tree, args)
    made = without_notes(as_program(build(tree)))
    assert results(made, args) == expected
    made = passes.StructureControlFlow().run(made)
    assert results(made, args) == expected
    made = passes.ConvertToSSA().run(made)
    assert results(made, args) == expected
    made = passes.UnrollLoops().run(made)
    assert results(made, args) == expected


@settings(max_examples=20, deadline=None)
@given(calling_programs(), ARGUMENTS)
def test_functions_that_call_each_other(trees: dict[str, Tree], args: tuple[int, int]) -> None:
    expected, _ = run_python(trees, args)
    made = without_notes(build_calling(trees))
    assert results(made, args) == expected
    made = passes.ConvertToSSA().run(made)
    assert results(made, args) == expected
    assert results(passes.FlattenCalls().run(made), args) == expected
    assert results(passes.InlineFunctions().run(made), args) == expected


def test_depth_does_not_matter() -> None:
    """A chain of 5,000 sums, and 500 nested branches, by hand: the language would refuse them."""
    n = var("n")
    value: ir.Expr = n
    for _ in range(5000):
        value = plus(value, ONE)
    body = block(ir.Assign(n, value))
    for _ in range(500):
        body = block(branch(TRUE, body))
    made = program(function(*body.statements, ir.Return((n,)), params=(n,), returns=(scalar(),)))
    assert interp.run(made, None, {"n": 1}) == 5001


def test_carries_are_exchanged_at_once() -> None:
    first, second, x, y, i = (var(name) for name in ("first", "second", "x", "y", "i"))
    body = block(ir.Yield((second, first)))
    swap = loop(i, body, (ZERO, FOUR), (first, second), (x, y), stop=ONE)
    assert interp.run(program(function(swap, ir.Return((x, y)), returns=(scalar(), scalar()))), None, {}) == (4, 0)
