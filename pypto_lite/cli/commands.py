"""What each command prints where, and with which exit status it ends.

What was asked for goes to standard output; diagnostics and timings go to standard error.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from pypto_lite import ir, ops, passes
from pypto_lite.cli import tables
from pypto_lite.cli.files import Kernels, Unit, load
from pypto_lite.cli.lowering import Lowered, lower
from pypto_lite.cli.streams import show, tell
from pypto_lite.diagnostics import Diagnostic, Severity, UserError, did_you_mean
from pypto_lite.passes.instruments import PrintAfter, TimeInstrument
from pypto_lite.report.why import Why, why

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from pypto_lite.passes import Instrument, Pipeline
    from pypto_lite.targets import Target

FINE, ERRORS, WRONG_USAGE = 0, 1, 2


def lower_files(
    files: Sequence[str],
    *,
    target: Target | None,
    as_text: bool,
    as_json: bool,
    until: str | None,
    print_after: Collection[str] | None,
    time_passes: bool,
    output: str | None,
) -> int:
    """``pypto-lite lower``. ``print_after`` names the passes to print the program after, None means all of them."""
    # Whoever reads the JSON lines must find nothing between them.
    show_stage = tell if as_json and output is None else show
    clock = TimeInstrument()
    instruments: list[Instrument] = [clock] if time_passes else []
    if print_after is None or print_after:
        instruments.append(PrintAfter(show_stage, print_after))
    kept: list[str] = []
    put = show if output is None else kept.append
    reported = Report()
    printed = False
    for lowered in _lower_all(files, passes.default_pipeline(target), as_text, until, instruments):
        reported.add(lowered.diagnostics)
        if as_json:
            put(json.dumps(lowered.facts(target), ensure_ascii=False))
        elif not lowered.failed:
            put(("\n" if printed else "") + lowered.text().rstrip("\n"))
            printed = True
    if clock.seconds:
        tell(clock.report())
    if output is not None and kept and not _write(output, kept):
        return WRONG_USAGE
    return reported.finish()


def check_files(files: Sequence[str], *, target: Target | None, as_text: bool) -> int:
    """``pypto-lite check``: the diagnostics of lowering, and nothing else."""
    reported = Report()
    for lowered in _lower_all(files, passes.default_pipeline(target), as_text, None, ()):
        reported.add(lowered.diagnostics)
    return reported.finish()


def tell_why(file: str, value: str, function: str | None, *, target: Target | None, as_text: bool) -> int:
    """``pypto-lite why``: the reasons for the place of each tile of that name, in every program of the file."""
    reported = Report()
    answers: list[Why] = []
    unknown: list[Diagnostic] = []
    failed = False
    for lowered in _lower_all([file], passes.default_pipeline(target), as_text, None, ()):
        reported.add([each for each in lowered.diagnostics if each.severity is Severity.ERROR])
        failed = failed or lowered.failed
        if lowered.program is None:
            continue
        try:
            answers.append(why(lowered.program, value, function))
        except UserError as error:
            unknown += error.diagnostics
    if answers:
        show("\n\n".join(map(str, answers)))
    elif not failed:  # what is wrong with the program is said already; the name may be in what is missing of it
        reported.add(unknown)
    return reported.finish()


def diff_files(first: str, second: str, *, as_text: bool) -> int:
    """``pypto-lite diff``: where two programs differ, as written; several programs in a file are paired by name."""
    left, right = load(first, as_text=as_text), load(second, as_text=as_text)
    reported = Report()
    reported.add(diagnostic for unit in (*left, *right) for diagnostic in unit.diagnostics)
    if reported.finish() != FINE:
        return ERRORS
    differences = list(_differences(left, right))
    for difference in differences:
        show(str(difference))
    return ERRORS if differences else FINE


def show_passes(target: Target | None) -> int:
    """``pypto-lite passes``."""
    show(tables.passes_text(target))
    return FINE


def show_operators(name: str | None) -> int:
    """``pypto-lite ops``: the table, or the pages of the operators that a name can mean."""
    if name is None:
        show(tables.operator_table())
        return FINE
    operators = tables.operators_called(name)
    if not operators:
        hint = did_you_mean(name.removeprefix("pl."), dict.fromkeys([*ops.operators(), *ops.spellings()]))
        tell(f"there is no operator {name!r}" + (f"; {hint}" if hint else ""))
        return WRONG_USAGE
    show("\n\n".join(map(tables.operator_page, operators)))
    return FINE


class Report:
    """Prints diagnostics as they come, each once, and counts them."""

    def __init__(self) -> None:
        self._counts: Counter[Severity] = Counter()
        self._seen: set[str] = set()

    def add(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            text = str(diagnostic)
            if text not in self._seen:
                self._seen.add(text)
                self._counts[diagnostic.severity] += 1
                tell(f"{text}\n")

    def finish(self) -> int:
        """Prints how many there were, and gives the exit status."""
        if self._counts:
            counted = [(self._counts[severity], severity.value) for severity in Severity if self._counts[severity]]
            tell(", ".join(f"{n} {name}{'s' if n > 1 else ''}" for n, name in counted))
        return ERRORS if self._counts[Severity.ERROR] else FINE


def _lower_all(
    files: Sequence[str], pipeline: Pipeline, as_text: bool, until: str | None, instruments: Sequence[Instrument]
) -> Iterator[Lowered]:
    for file in files:
        for unit in load(file, as_text=as_text):
            yield lower(unit, pipeline, until=until, instruments=instruments)


def _write(output: str, texts: Iterable[str]) -> bool:
    try:
        # A file name that is no text, which the JSON facts hold, is written as on standard output.
        with open(output, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.writelines(f"{text}\n" for text in texts)
    except OSError as error:
        tell(f"{output} can't be written: {error.strerror or error}")
        return False
    return True


def _differences(left: Sequence[Unit], right: Sequence[Unit]) -> Iterator[str]:
    pairs = [(left[0].kernels, right[0].kernels)] if len(left) == len(right) == 1 else _pair_by_name(left, right)
    for a, b in pairs:
        if a is None or b is None:
            present = a if a is not None else b
            where = "first" if a is not None else "second"
            if present is not None:
                yield f"{present.name}: only in the {where} file"
            continue
        for difference in ir.structural_diff(a, b):
            yield str(difference) if len(pairs) == 1 else f"{a.name}: {difference}"


def _pair_by_name(left: Sequence[Unit], right: Sequence[Unit]) -> list[tuple[Kernels | None, Kernels | None]]:
    first, second = ({unit.name: unit.kernels for unit in units} for units in (left, right))
    return [(first.get(name), second.get(name)) for name in dict.fromkeys([*first, *second])]
