"""``pypto-lite run``: runs programs on numpy as they are written and after lowering, and compares what they give."""

from __future__ import annotations

import contextlib
import io
from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from pypto_lite import interp, ir, language, passes
from pypto_lite.cli.bugs import attempt
from pypto_lite.cli.commands import Report
from pypto_lite.cli.files import Unit, load
from pypto_lite.cli.lowering import lower
from pypto_lite.cli.streams import show
from pypto_lite.diagnostics import UserError
from pypto_lite.interp.dtypes import widened
from pypto_lite.interp.entry import choose
from pypto_lite.testing.arguments import SYMBOLIC_EXTENT, arguments

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pypto_lite.cli.files import Kernels
    from pypto_lite.targets import Target

EXTENTS: Final = (SYMBOLIC_EXTENT, 64, 128, 256, 512)
"""What symbolic dimensions are tried as, until the program runs."""

SEEDS: Final = 6
"""How many numbers are tried for scalar parameters."""

_ARRAY: Final[Any] = np.ndarray


class Options(NamedTuple):
    """What the command is asked to do with each program."""

    function: str | None
    target: Target | None
    seed: int
    sanitize: bool


def run_files(files: Sequence[str], options: Options, *, as_text: bool) -> int:
    """Runs every program of the files; the exit status says whether all of them run and compute the same lowered."""
    report = Report()
    agreed = True
    for file in files:
        for unit in _asked_for(load(file, as_text=as_text), options.function):
            agreed = _run_unit(unit, options, report) and agreed
    return report.finish() if agreed else max(report.finish(), 1)


def _asked_for(units: Sequence[Unit], function: str | None) -> Sequence[Unit]:
    """The programs that have the function, or all where none has it: each is told so then."""
    having = [unit for unit in units if unit.kernels is not None and function in _program(unit.kernels).functions]
    return having or units


def _program(kernels: Kernels) -> language.Program:
    if isinstance(kernels, language.Program):
        return kernels
    return kernels.alone()


def _run_unit(unit: Unit, options: Options, report: Report) -> bool:
    """Whether the program computes the same before and after lowering; what keeps it from running is reported."""
    lowered = lower(unit, passes.default_pipeline(options.target))
    report.add(lowered.diagnostics)
    if lowered.failed or unit.kernels is None or lowered.program is None:
        return False
    before, after = (interp.Sanitizer(options.target) if options.sanitize else None for _ in range(2))
    printed, printed_after = io.StringIO(), io.StringIO()
    try:
        program = _program(unit.kernels)
        entry = choose(program, options.function, "--function {}")
        given, expected = _first_run(program, entry, options.seed, before, printed)
        with contextlib.redirect_stdout(printed_after):
            found = _outputs(lowered.program, entry.name, given, after)
    except UserError as error:
        _show_printed(printed, printed_after)
        report.add([note for each in (before, after) if each is not None for note in each.notes])
        report.add(error.diagnostics)
        return False
    _show_printed(printed, printed_after)
    show("\n".join([_heading(program, entry, given), *_lines(expected, found)]))
    for sanitizer in (before, after):
        if sanitizer is not None:
            report.add(sanitizer.notes)
            show_all(_memory_lines(sanitizer))
    return all(_difference(expected[name], found[name]) == 0 for name in expected)


def _show_printed(printed: io.StringIO, printed_after: io.StringIO) -> None:
    """What the kernel has printed: once, unless it printed something else after lowering."""
    text, text_after = printed.getvalue(), printed_after.getvalue()
    if text:
        show(text.removesuffix("\n"))
    if text_after not in ("", text):
        show(f"after lowering:\n{text_after}".removesuffix("\n"))


def show_all(lines: Sequence[str]) -> None:
    if lines:
        show("\n".join(lines))


def _first_run(
    program: language.Program,
    entry: ir.Function,
    seed: int,
    sanitizer: interp.Sanitizer | None,
    printed: io.StringIO,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first arguments on which the program runs to its end, and its outputs. Raises the error of the very first.

    What that run prints is left in ``printed``.
    """
    failed: tuple[UserError, str] | None = None
    for number, extent in _attempts(entry, seed):
        given = arguments(program, number, entry.name, extent)
        text = io.StringIO()
        try:
            with contextlib.redirect_stdout(text):
                outputs = _outputs(program, entry.name, given, sanitizer)
        except UserError as error:
            failed = failed or (error, text.getvalue())
            continue
        printed.write(text.getvalue())
        return given, outputs
    assert failed is not None
    first, said = failed
    printed.write(said)
    raise first


def _attempts(entry: ir.Function, seed: int) -> Iterator[tuple[int, int]]:
    """Seeds and extents to try: several only where the parameters leave something open."""
    symbolic = any(param.type.symbolic for param in entry.params)
    scalars = any(isinstance(param.type, ir.ScalarType) for param in entry.params)
    return product(range(seed, seed + SEEDS) if scalars else (seed,), EXTENTS if symbolic else EXTENTS[:1])


def _outputs(
    program: ir.Program, function: str, given: Mapping[str, Any], sanitizer: interp.Sanitizer | None
) -> dict[str, Any]:
    """What a run leaves in the outputs, and what it returns beside them, by name; ``given`` stays as it is."""
    copies = {name: value.copy() if isinstance(value, _ARRAY) else value for name, value in given.items()}
    returned: Any = attempt(lambda: interp.run(program, function, copies, sanitize=sanitizer or False))
    entry = program.functions[function]
    outputs = {
        param.name: copies[param.name]
        for param, direction in zip(entry.params, entry.directions, strict=True)
        if direction is not ir.ParamDirection.In
    }
    several: tuple[Any, ...] = () if returned is None else (returned,)
    results = cast("tuple[Any, ...]", returned) if isinstance(returned, tuple) else several
    others = [value for value in results if not any(value is each for each in outputs.values())]
    names = ["result"] if len(others) == 1 else [f"result {number}" for number in range(len(others))]
    return {**outputs, **dict(zip(names, others, strict=True))}


def _heading(program: language.Program, entry: ir.Function, given: Mapping[str, Any]) -> str:
    """Which function was run, with the numbers that it was given."""
    numbers = {param.name: given[param.name] for param in entry.params if isinstance(param.type, ir.ScalarType)}
    for param in entry.params:
        if isinstance(param.type, ir.TensorType):
            sizes = zip(param.type.shape, given[param.name].shape, strict=True)
            numbers.update({dim.name: size for dim, size in sizes if isinstance(dim, ir.Var)})
    name = entry.name if program.name == entry.name else f"{program.name}.{entry.name}"
    return f"{name}({', '.join([f'{name}={value}' for name, value in numbers.items()])})"


def _lines(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """One line for each output."""
    if not expected:
        return ["  no outputs"]
    described = {name: _described(value) for name, value in expected.items()}
    name_width, type_width = max(map(len, described)), max(map(len, described.values()))
    return [
        f"  {name:<{name_width}}  {text:<{type_width}}  largest difference after lowering: "
        f"{_difference(expected[name], found[name]):g}"
        for name, text in described.items()
    ]


def _described(value: Any) -> str:
    return f"{value.dtype.name} {list(value.shape)}" if isinstance(value, _ARRAY) else f"the number {value}"


def _difference(expected: Any, found: Any) -> float:
    """The largest difference of two elements; nan is like nan and unlike any number."""
    one, other = (widened(np.asarray(value)).astype(np.float64) for value in (expected, found))
    same = (one == other) | (np.isnan(one) & np.isnan(other))
    with np.errstate(invalid="ignore"):
        apart = np.where(same, 0, np.abs(one - other))
    return float(np.where(np.isnan(apart), np.inf, apart).max(initial=0))


def _memory_lines(sanitizer: interp.Sanitizer) -> list[str]:
    """How full each memory was."""
    target = sanitizer.target
    return [
        f"  {function}: at most {used:,}{f' of {limit:,}' if limit is not None else ''} bytes of {space.name} in use"
        for function, peaks in sanitizer.peaks.items()
        for space, used in peaks.items()
        for limit in [None if target is None else target.capacity(space)]
    ]
