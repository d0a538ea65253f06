"""What every test of a pass checks, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir, passes, printer
from pypto_lite import language as pl

if TYPE_CHECKING:
    from pypto_lite.passes import Pass


def assert_pass(
    before: ir.Program, under_test: Pass, expected: ir.Program, *, idempotent: bool = True
) -> ir.Program:
    """Runs a pass and checks everything that holds of any pass; returns the program it made.

    The result equals ``expected``; the input is untouched; what the pass promises to produce holds; the printed result
    parses to an equal program; and a second run changes nothing, unless ``idempotent`` is False. Raises
    AssertionError.
    """
    printed_before = printer.python_print(before)
    after = under_test(before)
    ir.assert_structural_equal(after, expected)
    assert printer.python_print(before) == printed_before, f"{under_test.name} changed its input"
    findings = passes.verify(after, under_test.produces, under_test.target)
    assert not findings, "\n\n".join(map(str, findings))
    ir.assert_structural_equal(pl.parse(printer.python_print(after)), after)
    if idempotent:
        ir.assert_structural_equal(under_test(after), after)
    return after
