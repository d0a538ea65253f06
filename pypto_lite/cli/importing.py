"""Runs a Python file as a module, so that constants, helpers and factories around its kernels work as in Python.

Statements run one by one. One that fails with a coded error, such as a kernel that is wrong, does not keep the others
from being looked at. While the file runs, its directory comes first on the module path, and ``pypto`` means us where
PyPTO is not installed; afterwards all of that is as it was before.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import importlib.util
import io
import linecache
import os
import re
import sys
import warnings
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING, NamedTuple

import pypto_lite
from pypto_lite import language
from pypto_lite.cli.bugs import bug, described
from pypto_lite.diagnostics import NO_SPAN, Diagnostic, Note, SourceText, Span, UserError
from pypto_lite.trace.names.builtins import missing_name
from pypto_lite.trace.source.capture import SourceFile, parse_file
from pypto_lite.trace.source.module import part_of_language

if TYPE_CHECKING:
    from collections.abc import Generator


class Failure(NamedTuple):
    """What a statement of the file failed with.

    ``name`` is that of the class or function it defines, if it does; ``position`` tells how many names the module had
    at that moment.
    """

    name: str | None
    position: int
    diagnostics: tuple[Diagnostic, ...]


class ImportedFile(NamedTuple):
    """The module that a file made, as far as it got, what failed on the way, and the other modules of that moment."""

    module: ModuleType
    failures: tuple[Failure, ...]
    others: tuple[object, ...]


def import_file(filename: str, text: str) -> ImportedFile:
    """Runs the text of ``filename``. Raises a UserError where it is no Python at all."""
    source = parse_file(text, filename)
    statements = _compile(source)
    path = os.path.abspath(filename)
    directory = os.path.dirname(path)
    module = ModuleType(_module_name(path))
    module.__file__ = path
    package = _package_of(directory)
    if package:
        module.__package__ = package
    root = directory
    for _ in package.split(".") if package else ():
        root = os.path.dirname(root)
    with _surroundings(module, [directory, root] if package else [directory]), _kept_in_linecache(source):
        failures = _run(statements, module, source)
        others = [each for each in sys.modules.values() if each is not module]
    return ImportedFile(module, tuple(failures), tuple(others))


def _compile(source: SourceFile) -> list[tuple[ast.stmt, CodeType]]:
    """The code of each statement; raises the errors that Python finds only after parsing."""
    flags = 0
    for statement in source.tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            names = [alias.name for alias in statement.names if alias.name in __future__.all_feature_names]
            flags |= sum({getattr(__future__, name).compiler_flag for name in names})
    compiled: list[tuple[ast.stmt, CodeType]] = []
    try:
        compile(source.tree, source.filename, "exec", flags, dont_inherit=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # compiling the whole has given them
            for index, statement in enumerate(source.tree.body):
                if index and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                    continue  # alone it would be taken for the docstring
                alone = ast.Module([statement], [])
                compiled.append((statement, compile(alone, source.filename, "exec", flags, dont_inherit=True)))
    except SyntaxError as error:
        raise UserError(_compile_diagnostic(error, source)) from None
    except (RecursionError, MemoryError):
        raise UserError(
            Diagnostic("PL118", f"{source.filename} is nested too deeply for Python's compiler", hint=TEXT_HINT)
        ) from None
    return compiled


TEXT_HINT = "read the file as text with --text (or pl.loads), which can go deeper and runs nothing"


def _compile_diagnostic(error: SyntaxError, source: SourceFile) -> Diagnostic:
    span = source.line_span(error.lineno) if error.lineno else NO_SPAN
    if error.msg.startswith("too many statically nested blocks"):
        return Diagnostic(
            "PL118", f"{error.msg}: Python itself compiles no more than 20 in one function", span, hint=TEXT_HINT
        )
    return Diagnostic("PL101", error.msg, span)


def _module_name(path: str) -> str:
    """The name that importing the file would give it, unless a module of that name is there already."""
    stem = os.path.splitext(os.path.basename(path))[0]
    package = _package_of(os.path.dirname(path))
    name = f"{package}.{stem}" if package else stem
    return f"_file_{stem}" if name in sys.modules else name


def _package_of(directory: str) -> str:
    """The dotted name of the package that a directory is, by its ``__init__.py``; empty where it is none."""
    parts: list[str] = []
    while os.path.isfile(os.path.join(directory, "__init__.py")):
        directory, part = os.path.split(directory)
        parts.insert(0, part)
    return ".".join(parts)


@contextlib.contextmanager
def _surroundings(module: ModuleType, directories: list[str]) -> Generator[None, None, None]:
    """What the file finds while it runs; takes away afterwards what it has brought in from its own directories."""
    path_before, modules_before = [*sys.path], {*sys.modules}
    sys.path[:0] = directories
    sys.modules[module.__name__] = module
    try:
        sys.modules.update(_aliases())
        # What the file prints is not what the command was asked for.
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        sys.path[:] = path_before
        new = [name for name in sys.modules if name not in modules_before]
        tops = {name.partition(".")[0] for name in new} - modules_before
        local = {top for top in tops if top == "pypto" or _directory_of(top) in directories}
        for name in new:
            # Another file may have siblings of the same names.
            if name == module.__name__ or name.partition(".")[0] in local:
                del sys.modules[name]


def _directory_of(top: str) -> str | None:
    """The directory that a top-level module or package was found in."""
    module = sys.modules.get(top)
    places = [*getattr(module, "__path__", ()), getattr(module, "__file__", None)]
    return os.path.dirname(os.path.abspath(places[0])) if places[0] is not None else None


def _aliases() -> dict[str, ModuleType]:
    """``pypto`` and its modules that we have too, unless the real ones can be imported."""
    if importlib.util.find_spec("pypto") is not None:
        return {}
    prefix = f"{pypto_lite.__name__}."
    ours = {name: each for name, each in sys.modules.items() if name.startswith(prefix)}
    return {"pypto": pypto_lite, **{f"pypto.{name.removeprefix(prefix)}": each for name, each in ours.items()}}


@contextlib.contextmanager
def _kept_in_linecache(source: SourceFile) -> Generator[None, None, None]:
    """The text, ready for whoever asks for the source of a kernel: also after the file has changed the directory."""
    text = source.source.text
    lines = io.StringIO(text).readlines()  # str.splitlines knows more line ends than Python does
    linecache.cache[source.filename] = (len(text), None, lines, source.filename)
    try:
        yield
    finally:
        linecache.cache.pop(source.filename, None)


def _run(statements: list[tuple[ast.stmt, CodeType]], module: ModuleType, source: SourceFile) -> list[Failure]:
    failures: list[Failure] = []
    missing: set[str] = set()
    for statement, code in statements:
        try:
            exec(code, module.__dict__)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever the file's own code raises is the user's to know
            if isinstance(error, NameError) and error.name in missing:
                missing |= _bound_names(statement)  # it needs what an earlier statement failed to make
                continue
            coded = error.diagnostics if isinstance(error, UserError) else _missing_part_of_language(error)
            if not coded:
                failures.append(_failure(statement, module, [_own_code_failed(error, statement, source)]))
                break
            place = _place(error.__traceback__, source)
            told = [_located(each, place) for each in coded if not _needs(each, missing)]
            if told:
                failures.append(_failure(statement, module, told))
            missing |= _bound_names(statement)
    return failures


def _needs(diagnostic: Diagnostic, missing: set[str]) -> bool:
    """Whether a name is not known in a kernel because an earlier statement failed to make it."""
    span = diagnostic.span
    line = span.source.line(span.line) if span.source is not None else None
    return diagnostic.code == "PL105" and line is not None and line[span.column - 1 : span.end_column - 1] in missing


def _missing_part_of_language(error: BaseException) -> tuple[Diagnostic, ...]:
    """What is to be said of an import of what PyPTO's language may have and ours has not; nothing of any other error.

    The error names the module that there is not, or the one that lacks a name, which only the message gives before
    Python 3.12.
    """
    path = part_of_language(error.name or "") if isinstance(error, ImportError) else None
    if path is None:
        return ()
    named = re.match(r"cannot import name '(\w+)'", str(error))
    name = named[1] if named is not None else path.partition(".")[0]
    members = {each: getattr(language, each) for each in dir(language)}
    return (missing_name(name, "pl", members, NO_SPAN),) if name else ()


def _failure(statement: ast.stmt, module: ModuleType, diagnostics: list[Diagnostic]) -> Failure:
    name = statement.name if isinstance(statement, (ast.ClassDef, ast.FunctionDef)) else None
    return Failure(name, len(module.__dict__), tuple(diagnostics))


def _bound_names(statement: ast.stmt) -> set[str]:
    """The names that a statement would have bound."""
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
        return {statement.name}
    bound: set[str] = set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
    return bound


def _located(diagnostic: Diagnostic, place: Span) -> Diagnostic:
    return diagnostic if diagnostic.span else diagnostic.at(place)


def _own_code_failed(error: BaseException, statement: ast.stmt, source: SourceFile) -> Diagnostic:
    place = _place(error.__traceback__, source)
    raised_by_us = any(_is_ours(filename) for filename, _ in _frames(error.__traceback__)[-1:])
    if isinstance(error, Exception) and raised_by_us and isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
        return bug(error, place)  # nothing but a decorator of ours runs there
    message = described(error)
    if isinstance(error, SystemExit):
        message = f"the file ends Python ({message}) while it is imported"
    raised = _innermost(error.__traceback__)
    notes = () if raised is None or raised.filename == source.filename else (Note("raised here", raised),)
    return Diagnostic("PL121", message, place, notes=notes)


def _frames(traceback: TracebackType | None) -> list[tuple[str, int]]:
    """The files and lines of a traceback, the innermost last."""
    frames: list[tuple[str, int]] = []
    while traceback is not None:
        frames.append((traceback.tb_frame.f_code.co_filename, traceback.tb_lineno))
        traceback = traceback.tb_next
    return frames


def _is_ours(filename: str) -> bool:
    return filename.startswith(os.path.join(os.path.dirname(os.path.abspath(pypto_lite.__file__)), ""))


def _place(traceback: TracebackType | None, source: SourceFile) -> Span:
    """The line of the file that was reached last."""
    lines = [line for filename, line in _frames(traceback) if filename == source.filename]
    return source.line_span(lines[-1]) if lines else NO_SPAN


def _innermost(traceback: TracebackType | None) -> Span | None:
    """Where the error was raised, in a file that is neither ours nor a part of Python's import system."""
    theirs = [frame for frame in _frames(traceback) if not frame[0].startswith("<") and not _is_ours(frame[0])]
    if not theirs:
        return None
    filename, line = theirs[-1]
    text = linecache.getline(filename, line).rstrip("\n")
    indent = len(text) - len(text.lstrip())
    return Span(SourceText(filename, text, line), line, indent + 1, line, len(text) + 1)
