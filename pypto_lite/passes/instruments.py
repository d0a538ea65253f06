"""What can watch a pipeline: verifying more, printing, timing, and printing and reading again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pypto_lite import ir, printer
from pypto_lite.passes.failure import internal_error, printed_program
from pypto_lite.passes.pipeline import ALWAYS
from pypto_lite.passes.protocol import Pass, Property, errors_of, ordered, snake_case

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


class Instrument:
    """Is told before and after each pass of a pipeline; a subclass does what it wants in one or both."""

    def before_pass(self, each: Pass, program: ir.Program) -> None:
        """``program`` is about to go into the pass."""

    def after_pass(self, each: Pass, before: ir.Program, after: ir.Program) -> None:
        """The pass has made ``after`` of ``before``."""


class VerifyInstrument(Instrument):
    """Checks after each pass everything that should hold there, not only what the pass says it produces.

    Raises InternalError for a property that a pass broke without saying so.
    """

    def __init__(self) -> None:
        self._expected: set[Property] = set(ALWAYS)

    def before_pass(self, each: Pass, program: ir.Program) -> None:
        self._expected |= each.requires

    def after_pass(self, each: Pass, before: ir.Program, after: ir.Program) -> None:
        self._expected = (self._expected - each.invalidates) | each.produces
        for expected in ordered(self._expected):
            findings = errors_of(expected, after, each.target)
            if findings:
                problem = f"{expected.name} does not hold any more after the pass: {findings[0].message}"
                raise internal_error(each, before, problem)


class PrintAfter(Instrument):
    """Hands ``write`` the text of the program after some passes, or after all.

    ``names`` are the names of passes, None for all of them.
    """

    def __init__(self, write: Callable[[str], object], names: Collection[str] | None = None) -> None:
        self._write = write
        self._names = None if names is None else {snake_case(name) for name in names}

    def after_pass(self, each: Pass, before: ir.Program, after: ir.Program) -> None:
        if self._names is None or each.name in self._names:
            unchanged = ", which changed nothing" if after is before else ""
            self._write(f"# After {each.name}{unchanged}\n{printed_program(after)}\n")


class TimeInstrument(Instrument):
    """Measures how long each pass takes: ``seconds`` by the names of the passes, in their order."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._begun = 0.0

    def before_pass(self, each: Pass, program: ir.Program) -> None:
        self._begun = time.perf_counter()

    def after_pass(self, each: Pass, before: ir.Program, after: ir.Program) -> None:
        self.seconds[each.name] = self.seconds.get(each.name, 0.0) + time.perf_counter() - self._begun

    def report(self) -> str:
        """One line for each pass, with milliseconds and its share of the whole."""
        total = sum(self.seconds.values())
        width = max(map(len, [*self.seconds, "total"]))
        rows = [(name, spent) for name, spent in [*self.seconds.items(), ("total", total)]]
        return "\n".join(
            f"{name:{width}}  {spent * 1000:9.3f} ms  {spent / total if total else 0:6.1%}" for name, spent in rows
        )


class RoundTripInstrument(Instrument):
    """Prints the program after each pass, reads the text again with ``parse``, and compares.

    Raises InternalError where the text does not mean the same program.
    """

    def __init__(self, parse: Callable[[str], ir.Program | ir.Function]) -> None:
        self._parse = parse

    def after_pass(self, each: Pass, before: ir.Program, after: ir.Program) -> None:
        if after is before:
            return
        parsed = self._parse(printer.python_print(after))
        differences = ir.structural_diff(after, parsed)
        if differences:
            listed = "\n".join(map(str, differences))
            raise internal_error(each, before, f"the printed program means another one:\n{listed}")
