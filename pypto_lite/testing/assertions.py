"""What every test of a pass checks, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite import ir, passes, printer
from pypto_lite import language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.testing.arguments import arguments
from pypto_lite.testing.runs import difference, outcome

if TYPE_CHECKING:
    from pypto_lite.passes import Pass

WELL_FORMED: Final = (passes.BreakContinueValid, passes.Printable, passes.TypeChecked, passes.UseAfterDef)
"""What holds for every program, before and after any pass."""


def assert_pass(before: ir.Program, under_test: Pass, expected: ir.Program, *, idempotent: bool = True) -> ir.Program:
    """Runs a pass and checks everything that holds of any pass; returns the program it made.

    The result equals ``expected`` and is of the class that was given; the input is untouched; the result is
    well-formed if the input is, and what the pass promises to produce holds; the printed result parses to an equal
    program; and a second run changes nothing, unless ``idempotent`` is False. Raises AssertionError.
    """
    printed_before = printer.python_print(before)
    target = under_test.target
    after = under_test(before)
    ir.assert_structural_equal(after, expected)
    assert type(after) is type(before), f"{under_test.name} returned a {type(after).__name__}"
    assert printer.python_print(before) == printed_before, f"{under_test.name} changed its input"
    held = [each for each in WELL_FORMED if not passes.verify(before, [each], target)]
    findings = passes.verify(after, {*held, *under_test.produces}, target)
    assert not findings, "\n\n".join(map(str, findings))
    ir.assert_structural_equal(pl.parse(printer.python_print(after)), after)
    if idempotent:
        ir.assert_structural_equal(under_test(after), after)
    return after


def assert_same_numbers(before: ir.Program, after: ir.Program, seed: int = 0) -> None:
    """Runs every function of both programs on the same arguments; they compute the same, or end in the same error."""
    for name, function in before.functions.items():
        if function.type is ir.FunctionType.Inline or name not in after.functions:
            continue
        try:
            given = arguments(before, seed, name)
        except UserError:  # numpy lacks an element type: no run begins
            continue
        differs = difference(outcome(before, given, name), outcome(after, given, name))
        assert differs is None, f"{name} computes something else: {differs}"
