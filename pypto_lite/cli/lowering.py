"""Takes every program of every file through the pipeline, and keeps what went wrong with one from hiding another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pypto_lite import ir, language, printer
from pypto_lite.analysis.records import DECISIONS, TARGET, USAGE
from pypto_lite.cli.bugs import attempt
from pypto_lite.diagnostics import Diagnostic, Severity, UserError
from pypto_lite.passes import CapacityError
from pypto_lite.report.facts import diagnostic_facts, program_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pypto_lite.analysis.records import Decision, Usage
    from pypto_lite.cli.files import Unit
    from pypto_lite.passes import Instrument, Pipeline
    from pypto_lite.targets import Target


class Lowered(NamedTuple):
    """What became of one program. ``program`` is None or incomplete where ``diagnostics`` hold an error, but for tiles
    that do not fit: those have their places."""

    unit: Unit
    program: ir.Program | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def failed(self) -> bool:
        return any(each.severity is Severity.ERROR for each in self.diagnostics)

    def text(self) -> str:
        """The printed program; a function that stands alone is printed without a class."""
        if isinstance(self.unit.kernels, ir.Function) and self.program is not None:
            (function,) = self.program.functions.values()
            return printer.python_print(function)
        return str(self.program)

    def facts(self, target: Target | None) -> dict[str, object]:
        """The JSON object of the program."""
        name = target.name if target is not None else None
        if self.program is not None:
            return program_facts(self.program, file=self.unit.file, target=name, diagnostics=self.diagnostics)
        return {
            "file": self.unit.file,
            "program": self.unit.name,
            "target": name,
            "functions": {},
            "diagnostics": [diagnostic_facts(each) for each in self.diagnostics],
        }


def lower(
    unit: Unit, pipeline: Pipeline, *, until: str | None = None, instruments: Sequence[Instrument] = ()
) -> Lowered:
    """The unit's program after the pipeline; where that fails, as many of its functions as can be lowered alone."""
    if unit.kernels is None:
        return Lowered(unit, None, unit.diagnostics)
    program = unit.kernels
    if isinstance(program, language.Function):
        program = program.alone()
    try:
        lowered = attempt(lambda: pipeline.run(program, until=until, instruments=instruments))
    except CapacityError as error:
        return Lowered(unit, error.program, error.program.record(ir.DIAGNOSTICS))
    except UserError as error:
        found = (*program.record(ir.DIAGNOSTICS), *error.diagnostics)
        return Lowered(unit, _partly_lowered(program, pipeline, until), found)
    return Lowered(unit, lowered, lowered.record(ir.DIAGNOSTICS))


def _partly_lowered(program: language.Program, pipeline: Pipeline, until: str | None) -> language.Program:
    """The functions that can be lowered with no others than those they call."""
    lowered: list[ir.Function] = []
    decisions: list[Decision] = []
    target = TARGET.initial
    usage: dict[str, Mapping[ir.MemorySpace, Usage]] = {}
    for function in program.functions.values():
        part = program.with_functions(_with_callees(program, function))
        try:
            alone = attempt(lambda part=part: pipeline.run(part, until=until))
        except CapacityError as error:
            alone = error.program
        except UserError:
            continue
        if function.name in alone.functions:
            lowered.append(alone.functions[function.name])
            decisions += alone.record(DECISIONS)
            usage.update(alone.record(USAGE))
            target = alone.record(TARGET)
    partly = program.with_functions(lowered).with_record(DECISIONS, tuple(decisions)).with_record(USAGE, usage)
    return partly.with_record(TARGET, target)


def _with_callees(program: ir.Program, function: ir.Function) -> Iterable[ir.Function]:
    needed = {function.name}
    pending = [function]
    while pending:
        for node in ir.walk(pending.pop()):
            called = node.function if isinstance(node, (ir.FunctionCall, ir.Submit)) else None
            if called is not None and called in program.functions and called not in needed:
                needed.add(called)
                pending.append(program.functions[called])
    return [each for each in program.functions.values() if each.name in needed]
