"""The decorators, and the two ways to read kernels from text: they hand what they are given to ``trace``."""

from __future__ import annotations

import enum
import os
import sys
from types import FunctionType
from typing import Literal

from pypto_lite import trace
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.program import Function, Program
from pypto_lite.trace.names.builtins import Decorator, Deferred
from pypto_lite.trace.source.caller import user_span
from pypto_lite.trace.source.text import misplaced_decorator

LANGUAGE = __name__.rpartition(".")[0]


def _program(*decorated: object) -> Program:
    if len(decorated) != 1 or not isinstance(decorated[0], type):
        raise _misused("program", decorated)
    return trace.trace_program_class(decorated[0], make_program=Program, make_function=Function)


def _function(*decorated: object) -> Deferred | Function | Program:
    return _decorated("function", decorated)


def _inline(*decorated: object) -> Deferred | Function | Program:
    return _decorated("inline", decorated)


def _decorated(kind: Literal["function", "inline"], decorated: tuple[object, ...]) -> Deferred | Function | Program:
    """A Function; in a class body what ``@pl.program`` makes one of, when the class is complete."""
    if len(decorated) != 1 or not isinstance(decorated[0], FunctionType):
        raise _misused(kind, decorated)
    function = decorated[0]
    scope = function.__qualname__.rpartition(".")[0]
    if scope and not scope.endswith("<locals>"):
        return Deferred(kind, function)
    return trace.trace_function(function, make_program=Program, make_function=Function)


def _misused(kind: str, decorated: tuple[object, ...]) -> UserError:
    hint = None
    if any(isinstance(each, enum.Enum) for each in decorated):
        hint = "options are given by name: type=pl.FunctionType.InCore"
    elif any(isinstance(each, (staticmethod, classmethod, property)) for each in decorated):
        hint = "kernels need no decorator of Python's own: take it away"
    return UserError(misplaced_decorator(kind, user_span(), ", ".join(map(_described, decorated)), hint))


def _described(found: object) -> str:
    """What a decorator was given, in words: the repr of most objects tells an address."""
    match found:
        case type():
            return f"the class {found.__name__}"
        case FunctionType():
            return f"the function {found.__name__}"
        case enum.Enum() | None | bool() | int() | float() | str():
            return repr(found)
        case _:
            return f"an object of class {type(found).__name__}"


program = Decorator("program", _program, "Makes a Program of a class whose methods are under ``@pl.function``.")
function = Decorator(
    "function",
    _function,
    "Makes a kernel of a function: ``type=`` says where it runs; alone it is a Function, in a class part of a Program.",
)
inline = Decorator("inline", _inline, "Marks a function whose body takes the place of each of its calls.")


def parse(text: str, filename: str = "<string>") -> Program | Function:
    """The program in a text, or the function where the text holds one ``@pl.function`` and no program.

    The text is read, not run: names mean its own constants (literals, arithmetic on them, ``math``) and ``pl``, which
    it need not import. Raises UserError where it is no Python, no kernel, or holds more than one program.
    """
    try:
        if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise _no_text(text)
        return trace.parse(text, filename, sys.modules[LANGUAGE], make_program=Program, make_function=Function)
    except UserError as error:
        raise error.with_traceback(None) from None


def _no_text(found: object) -> UserError:
    return UserError(
        Diagnostic(
            "PL119",
            "pl.parse takes the text of a kernel",
            user_span(),
            found=type(found).__name__,
            expected="str",
            hint="pl.loads(path) reads a file",
        )
    )


def loads(path: str | os.PathLike[str]) -> Program | Function:
    """The program or function in a file, as ``parse`` reads it. Raises UserError also where it can't be read."""
    try:
        return parse(trace.read_text(path), os.fspath(path))
    except UserError as error:
        raise error.with_traceback(None) from None
