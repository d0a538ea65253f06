"""The decorators, and the two ways to read kernels from text: they hand what they are given to ``trace``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, Literal

from pypto_lite import trace
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.program import Function, Program
from pypto_lite.trace.surface import Decorator, Deferred

LANGUAGE = __name__.rpartition(".")[0]


def _program(*args: Any, **keywords: Any) -> Any:
    if args:
        return _traced_program(*args)
    return _traced_program


def _traced_program(cls: object) -> Program:
    if not isinstance(cls, type):
        raise _misused("program", "a class", cls)
    return trace.trace_program_class(cls, make_program=Program, make_function=Function)


def _function(*args: Any, **keywords: Any) -> Any:
    return _decorated("function", *args) if args else _decorator_of("function")


def _inline(*args: Any, **keywords: Any) -> Any:
    return _decorated("inline", *args) if args else _decorator_of("inline")


def _decorator_of(kind: Literal["function", "inline"]) -> Callable[[object], Deferred | Function | Program]:
    def decorate(function: object) -> Deferred | Function | Program:
        return _decorated(kind, function)

    return decorate


def _decorated(kind: Literal["function", "inline"], function: object) -> Deferred | Function | Program:
    """A Function; in a class body what ``@pl.program`` makes one of, when the class is complete."""
    if not isinstance(function, FunctionType):
        raise _misused(kind, "a function", function)
    scope = function.__qualname__.rpartition(".")[0]
    if scope and not scope.endswith("<locals>"):
        return Deferred(kind, function)
    return trace.trace_function(function, make_program=Program, make_function=Function)


def _misused(kind: str, wanted: str, found: object) -> UserError:
    what = f"the class {found.__name__}" if isinstance(found, type) else repr(found)
    return UserError(
        Diagnostic(
            "PL115",
            f"@pl.{kind} has to stand directly above {wanted}",
            found=what,
            expected=f"@pl.{kind} or @pl.{kind}(...) above {'class' if wanted == 'a class' else 'def'}",
        )
    )


program = Decorator("program", _program, "Makes a Program of a class whose methods are under ``@pl.function``.")
function = Decorator(
    "function",
    _function,
    "Makes a kernel of a function: ``type=`` says where it runs; alone it is a Function, in a class part of a Program.",
)
inline = Decorator("inline", _inline, "Marks a function whose body takes the place of each of its calls.")


def parse(text: str, filename: str = "<string>") -> Program | Function:
    """The program in a text, or the function where the text holds one ``@pl.function`` and no program.

    The text is read, not run: names mean its own constants (literals, arithmetic on them, ``math``) and ``pl``.
    Raises UserError where it is no Python, no kernel, or holds more than one program.
    """
    return trace.parse(text, filename, sys.modules[LANGUAGE], make_program=Program, make_function=Function)


def loads(path: str | os.PathLike[str]) -> Program | Function:
    """The program or function in a file, as ``parse`` reads it. Raises UserError also where it can't be read."""
    return parse(trace.read_text(path), os.fspath(path))
