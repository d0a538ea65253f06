"""Reads kernels from text and from files: decodes, parses, and finds the one program or function that is meant."""

from __future__ import annotations

import ast
import os
import re
from typing import TYPE_CHECKING, Final

from pypto_lite.diagnostics import NO_SPAN, Diagnostic, Note, SourceText, Span, UserError
from pypto_lite.trace.source.capture import SourceFile, parse_source
from pypto_lite.trace.source.module import Kernel, TextModule, hidden_programs

if TYPE_CHECKING:
    from types import ModuleType

_COOKIE: Final = rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)"
_BLANK: Final = rb"[ \t\f]*(?:[#\r\n]|$)"
_BOM: Final = b"\xef\xbb\xbf"


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a Python file, in the encoding that it declares. Raises PL119 where it can't be read."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            data = file.read()
    except IsADirectoryError:
        raise _unreadable(name, "it is a directory", "give the files in it instead") from None
    except FileNotFoundError:
        raise _unreadable(name, "there is no such file") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror or str(error) if isinstance(error, OSError) else str(error)
        raise _unreadable(name, reason) from None
    encoding = _encoding(data)
    try:
        return data.removeprefix(_BOM).decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(name, data, encoding, error) from None
    except LookupError:
        raise _unreadable(name, f"it declares the unknown encoding {encoding!r}") from None


def _encoding(data: bytes) -> str:
    """The encoding that one of the first two lines declares, as Python defines it (PEP 263)."""
    for line in data.removeprefix(_BOM).split(b"\n", 2)[:2]:
        found = re.match(_COOKIE, line)
        if found is not None:
            return found[1].decode("ascii", "replace")
        if re.match(_BLANK, line) is None:
            break
    return "utf-8"


def _unreadable(name: str, reason: str, hint: str | None = None) -> UserError:
    # No place: of what can't be read there is no line to show.
    return UserError(Diagnostic("PL119", f"{name} can't be read: {reason}", hint=hint))


def _undecodable(name: str, data: bytes, encoding: str, error: UnicodeDecodeError) -> UserError:
    data = data.removeprefix(_BOM)
    before = data[: error.start].decode(encoding, "replace")
    line = before.count("\n") + 1
    column = len(before) - (before.rfind("\n") + 1) + 1
    span = Span(SourceText(name, data.decode(encoding, "replace")), line, column, line, column + 1)
    message = f"{name} can't be read: the byte 0x{data[error.start]:02x} is not {encoding}"
    return UserError(Diagnostic("PL119", message, span, hint="save the file as UTF-8"))


def find_kernel(text: str, filename: str, language: ModuleType) -> Kernel:
    """The one program of a text, or the one function where it holds no program.

    Raises PL101 where the text is no Python, PL115 where it holds more than one program, or functions only and more
    than one, PL119 where it holds neither.
    """
    file = parse_source(text, filename)
    module = TextModule(file, language)
    _check_decorators(module, file)
    programs = [kernel for kernel in module.kernels if kernel.kind == "program"]
    functions = [kernel for kernel in module.kernels if kernel.kind == "function"]
    found = programs or functions or module.kernels
    if not found:
        # A misspelled decorator, say, explains best why there is nothing.
        raise next(iter(module.unknown_decorators), UserError(_nothing_found(module, file)))
    if len(found) > 1:
        what = "program" if programs else "function"
        first, second = file.name_span(found[0].definition), file.name_span(found[1].definition)
        raise UserError(
            Diagnostic(
                "PL115",
                f"the text holds more than one {what}",
                second,
                expected="one @pl.program class, or one @pl.function",
                notes=[Note(f"the first {what} is here", first)],
                hint=None if programs else "put the functions into one class under @pl.program",
            )
        )
    return found[0]


def _check_decorators(module: TextModule, file: SourceFile) -> None:
    """Raises PL115 where a decorator for classes stands above a function, or one for functions above a class."""
    for kernel in module.kernels:
        what = "class" if isinstance(kernel.definition, ast.ClassDef) else "function"
        if what != decorated_by(kernel.kind):
            found = f"the {what} {kernel.definition.name}"
            raise UserError(misplaced_decorator(kernel.kind, file.name_span(kernel.definition), found))


def decorated_by(kind: str) -> str:
    """What one of our decorators stands above."""
    return "class" if kind == "program" else "function"


def misplaced_decorator(kind: str, span: Span, found: str, hint: str | None = None) -> Diagnostic:
    """What is told of a decorator that stands above something else than it is for."""
    keyword = "class" if kind == "program" else "def"
    return Diagnostic(
        "PL115",
        f"@pl.{kind} has to stand directly above a {decorated_by(kind)}",
        span,
        found=found,
        expected=f"@pl.{kind} or @pl.{kind}(...) above {keyword}",
        hint=hint,
    )


def _nothing_found(module: TextModule, file: SourceFile) -> Diagnostic:
    hidden = next(hidden_programs(module, file), None)
    if hidden is not None:
        return Diagnostic(
            "PL119",
            f"the program {hidden.name!r} is only made when the text is run",
            file.name_span(hidden),
            expected="a @pl.program class at module level",
            hint="import the file instead of parsing its text",
        )
    place = Span(file.source, 1, 1, 1, 1) if file.source.text else NO_SPAN
    return Diagnostic(
        "PL119",
        f"{file.filename} holds no program",
        place,
        expected="a class under @pl.program or a function under @pl.function",
        hint="pl.loads(path) reads a file" if file.source.text.strip().endswith(".py") else None,
    )
