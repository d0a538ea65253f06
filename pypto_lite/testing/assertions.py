"""What every test of a pass checks, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pypto_lite import ir, passes, printer
from pypto_lite.diagnostics import UserError
from pypto_lite.passes.pipeline import ALWAYS
from pypto_lite.testing.arguments import arguments
from pypto_lite.testing.parsing import parsed
from pypto_lite.testing.runs import difference, outcome

if TYPE_CHECKING:
    from pypto_lite.passes import Pass

ProgramType = TypeVar("ProgramType", bound=ir.Program)


def assert_pass(
    before: ProgramType, under_test: Pass, expected: ir.Program | None = None, *, idempotent: bool = True
) -> ProgramType:
    """Runs a pass and checks everything that holds of any pass; returns the program it made.

    The result equals ``expected``, unless that is left out, and is of the class that was given; the input is untouched;
    the result is well-formed if the input is, and what the pass promises to produce holds; the printed result parses to
    an equal program; a second run changes nothing, unless ``idempotent`` is False; and a run of every function on numpy
    gives the same before and after. Raises AssertionError.
    """
    __tracebackhide__ = True
    printed_before = printer.python_print(before)
    target, name = under_test.target, under_test.name
    after = under_test(before)
    assert printer.python_print(before) == printed_before, f"{name} changed its input"
    assert type(after) is type(before), f"{name} returned a {type(after).__name__}"
    if expected is not None:
        assert_same(expected, after, f"{name} gives another program (+) than what is expected (-)")
    held = [each for each in ALWAYS if not passes.verify(before, [each], target)]
    findings = passes.verify(after, {*held, *under_test.produces}, target)
    assert not findings, f"what {name} gives is not well-formed:\n" + "\n\n".join(map(str, findings))
    assert_same(
        after,
        parsed(printer.python_print(after)),
        f"what {name} gives (-) is printed so that it reads back as another program (+)",
    )
    if idempotent:
        again = f"a second run of {name} (+) changes what the first one gave (-); if that is meant: idempotent=False"
        assert_same(after, under_test(after), again)
    _assert_same_numbers(before, after)
    return after


def assert_same(first: ir.Program, second: ir.Program, complaint: str) -> None:
    """Raises AssertionError that lists the differences of two programs after the complaint."""
    __tracebackhide__ = True
    if not ir.structural_equal(first, second):
        listed = "\n".join(f"{number}. {each}" for number, each in enumerate(ir.structural_diff(first, second), 1))
        raise AssertionError(f"{complaint}:\n{listed}")


def _assert_same_numbers(before: ir.Program, after: ir.Program) -> None:
    """Runs every function of both programs on the same arguments; they compute the same, or end in the same error."""
    __tracebackhide__ = True
    for name, function in before.functions.items():
        if function.type is ir.FunctionType.Inline or name not in after.functions:
            continue
        try:
            given = arguments(before, function=name)
        except UserError:  # numpy lacks an element type: no run begins
            continue
        differs = difference(outcome(before, given, name), outcome(after, given, name))
        assert differs is None, f"after the pass a run of {name} gives something else: {differs}"
