"""Runs passes one after another, and checks before and after each what it requires and establishes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from pypto_lite import ir
from pypto_lite.collector import garbage_collection_paused
from pypto_lite.diagnostics import Diagnostic, InternalError, UserError, did_you_mean
from pypto_lite.passes.failure import internal_error
from pypto_lite.passes.properties import BreakContinueValid, Printable, TypeChecked, UseAfterDef
from pypto_lite.passes.protocol import Pass, Property, errors_of, made_by, ordered, refuse, snake_case

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pypto_lite.passes.instruments import Instrument

ProgramType = TypeVar("ProgramType", bound=ir.Program)

ALWAYS: Final = frozenset({BreakContinueValid, Printable, TypeChecked, UseAfterDef})
"""What holds for every program, at every stage; checked once, of the program that comes in."""


class Pipeline:
    """Passes in the order in which they run."""

    __slots__ = ("passes",)

    def __init__(self, passes: Iterable[Pass]) -> None:
        self.passes = tuple(passes)

    def run(
        self,
        program: ProgramType,
        verify: bool = True,
        instruments: Sequence[Instrument] = (),
        until: str | None = None,
    ) -> ProgramType:
        """The program after all passes, or after the one that ``until`` names.

        With ``verify``, what must hold for every program is checked of the one that comes in, what a pass requires is
        checked before it unless that is known to hold, and what it produces is checked after it. ``instruments`` are
        told before and after each pass.

        Raises UserError for a program that is not well-formed (the findings), where a required property does not hold
        (PL310; PL311 for a scope), where ``until`` is no pass of the pipeline (PL313), and whatever the passes refuse;
        InternalError where a pass fails by a bug.
        """
        passes = self._passes_until(until)
        known = _Known()
        with garbage_collection_paused():
            if verify:
                known.begin(program)
            for each in passes:
                if verify:
                    known.require(each, program)
                for instrument in instruments:
                    instrument.before_pass(each, program)
                after = _apply(each, program)
                if verify:
                    known.establish(each, program, after)
                for instrument in instruments:
                    instrument.after_pass(each, program, after)
                program = after
        return program

    def _passes_until(self, until: str | None) -> tuple[Pass, ...]:
        if until is None:
            return self.passes
        names = [each.name for each in self.passes]
        wanted = snake_case(until)
        if wanted not in names:
            hint = did_you_mean(wanted, names)
            raise UserError(
                Diagnostic("PL313", f"there is no pass {until!r}", expected=f"one of {', '.join(names)}", hint=hint)
            )
        return self.passes[: names.index(wanted) + 1]

    def __repr__(self) -> str:
        return f"Pipeline({list(self.passes)!r})"


class _Known:
    """The properties that are known to hold at one point of a pipeline."""

    def __init__(self) -> None:
        self._properties: set[Property] = set()

    def begin(self, program: ir.Program) -> None:
        """Checks what must hold of any program."""
        findings = [finding for always in ordered(ALWAYS) for finding in errors_of(always, program, None)]
        if findings:
            raise UserError(*findings)
        self._properties |= ALWAYS

    def require(self, each: Pass, program: ir.Program) -> None:
        """Checks what a pass requires, unless it is known to hold."""
        missing = each.requires - self._properties
        refuse(each, missing, program)
        self._properties |= missing

    def establish(self, each: Pass, before: ir.Program, after: ir.Program) -> None:
        """Checks what a pass produces; where it changed nothing, what was known still is."""
        if after is not before:
            self._properties -= each.invalidates | each.produces
        for produced in ordered(each.produces - self._properties):
            _check_produced(each, produced, before, after)
        self._properties |= each.produces


def _check_produced(each: Pass, produced: Property, before: ir.Program, after: ir.Program) -> None:
    findings = errors_of(produced, after, each.target)
    if not findings:
        return
    inherited = {(finding.message, repr(finding.span)) for finding in errors_of(produced, before, each.target)}
    if all((finding.message, repr(finding.span)) in inherited for finding in findings):
        # No fault of the pass: what it cannot put right was in the program that it was given.
        raise UserError(*findings)
    problem = f"{produced.name} does not hold after the pass: {findings[0].message}"
    raise internal_error(each, before, problem)


def _apply(each: Pass, program: ProgramType) -> ProgramType:
    try:
        made = each.run(program)
    except (UserError, InternalError):
        raise
    except Exception as error:
        raise internal_error(each, program, f"{type(error).__name__}: {error}") from error
    return made_by(each, made)
