"""Turns the files of a command line into programs, and whatever is wrong with a file into diagnostics."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from pypto_lite import ir, language
from pypto_lite.cli.bugs import attempt
from pypto_lite.cli.importing import ImportedFile, import_file
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.trace.source.text import read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pypto_lite.diagnostics import Span

STANDARD_INPUT = "-"
STANDARD_INPUT_NAME = "<stdin>"

Kernels: TypeAlias = "language.Program | language.Function"


class Unit(NamedTuple):
    """One program of a file, or what stands in the place of one: ``kernels`` is None where it could not be read."""

    file: str
    name: str | None
    kernels: Kernels | None
    diagnostics: tuple[Diagnostic, ...] = ()


def load(file: str, *, as_text: bool) -> list[Unit]:
    """All programs of one file, in the order in which they are defined; never empty, and raises nothing."""
    try:
        return attempt(lambda: _load(file, as_text or file == STANDARD_INPUT))
    except UserError as error:
        return [Unit(file, None, None, error.diagnostics)]


def _load(file: str, as_text: bool) -> list[Unit]:
    text = _read(file)
    if not as_text:
        return _load_module(file, text)
    kernels = language.parse(text, STANDARD_INPUT_NAME if file == STANDARD_INPUT else file)
    return [Unit(file, kernels.name, kernels)]


def _read(file: str) -> str:
    """The text of a file. Raises a UserError where there is none to be had."""
    if file != STANDARD_INPUT:
        return read_text(file)
    if sys.stdin is None:
        raise UserError(Diagnostic("PL119", "standard input can't be read: it is closed"))
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise UserError(Diagnostic("PL119", f"standard input is no UTF-8 text: {error}")) from None
    except OSError as error:
        raise UserError(Diagnostic("PL119", f"standard input can't be read: {error.strerror or error}")) from None


def _load_module(file: str, text: str) -> list[Unit]:
    imported = import_file(file, text)
    placed = [(position, Unit(file, each.name, each)) for position, each in _own_kernels(imported, file)]
    placed += [(each.position, Unit(file, each.name, None, each.diagnostics)) for each in imported.failures]
    if placed:
        return [unit for _, unit in sorted(placed, key=lambda item: item[0])]
    raise UserError(
        Diagnostic(
            "PL119",
            f"{file} defines no program",
            expected="a class under @pl.program, or a function under @pl.function, at the top level of the file",
            hint=_foreign_hint(imported),
        )
    )


def _foreign_hint(imported: ImportedFile) -> str | None:
    if any(getattr(other, "__name__", None) == "pypto" for other in imported.others):
        return "PyPTO is installed here, so the file's kernels are its own; --text reads them as ours"
    return None


def _own_kernels(imported: ImportedFile, file: str) -> Iterator[tuple[int, Kernels]]:
    """The programs that the file defines, and the functions that belong to none of them.

    Each comes with its position among the names of the module; names that hold several in a list or a dict count too.
    """
    found: dict[Kernels, int] = {}
    for position, value in enumerate(imported.module.__dict__.values(), 1):
        for each in _members(value):
            if isinstance(each, (language.Program, language.Function)):
                found.setdefault(each, position)
    programs = [each for each in found if isinstance(each, ir.Program)]
    parts = {_place(function) for program in programs for function in program.functions.values()}
    traced: set[Span] = set()
    for each, position in found.items():
        if each.span.filename != file and not _is_only_here(imported, each):
            continue
        if isinstance(each, ir.Function) and (each.type is ir.FunctionType.Inline or _place(each) in parts):
            continue
        # Every tracing makes its own span, and passes keep it: a second program with it is one that the file lowered.
        if each.span not in traced:
            yield position, each
        if each.span:
            traced.add(each.span)


def _members(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return list(cast("dict[object, object]", value).values())
    return cast("Iterable[object]", value) if isinstance(value, (list, tuple)) else (value,)


def _place(function: ir.Function) -> tuple[str, str | None, int]:
    return function.name, function.span.filename, function.span.line


def _is_only_here(imported: ImportedFile, kernels: Kernels) -> bool:
    """Whether no other module has it: what a factory made for this file, rather than what the file imported."""
    # What stands in sys.modules need not be a module.
    return not any(each is kernels for other in imported.others for each in [*getattr(other, "__dict__", {}).values()])
