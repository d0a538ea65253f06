"""Runs functions as Python functions of the same lines, so that Python's debuggers step through the kernel's source.

Each function becomes a Python function whose statements carry the file and the lines of the kernel. Its loops and
branches are Python's own; whatever else a statement does is a piece of compiled code, which it runs on a hidden frame.
Its local variables show the values: numbers, and numpy arrays that share the storage, masked where elements have no
value.
"""

from __future__ import annotations

import linecache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.interp.checks import UNCHECKED, Checks
from pypto_lite.interp.code import CALL, Code, Frame
from pypto_lite.interp.errors import called_from, located
from pypto_lite.interp.hooks import visible
from pypto_lite.interp.machine import Machine, new_frame
from pypto_lite.interp.tracing import Tracing
from pypto_lite.interp.translation import COUNT, GET_TRACE, KEEP, KEPT, RUN, SET, SET_TRACE, Piece, Translator

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Sequence

    from pypto_lite import ir
    from pypto_lite.diagnostics import Span
    from pypto_lite.interp.hooks import Hook


class _Stepped:
    """A function as Python code."""

    __slots__ = ("code", "pieces", "python")

    def __init__(self, code: Code, pieces: Sequence[Piece], python: CodeType) -> None:
        self.code = code
        self.pieces = pieces
        self.python = python


class Stepper:
    """Runs the functions of a program; they call each other as Python functions."""

    def __init__(self, program: ir.Program, hook: Hook | None = None, checks: Checks = UNCHECKED) -> None:
        functions = program.functions.values()
        linked = {function.name: Code(function.name, function.params) for function in functions}
        self._machine = Machine()
        self._tracing = tracing = Tracing()
        seen: Hook | None = None if hook is None else lambda moment: tracing.show(hook, moment)
        self._functions: dict[str, _Stepped] = {}
        for function in functions:
            translator = Translator(function, linked, seen, checks)
            python = _compiled(translator.translate(), function.span)
            self._functions[function.name] = _Stepped(linked[function.name], translator.pieces, python)

    def call(self, name: str, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """What a function returns."""
        return self._tracing.hide(self._call, name, arguments)

    def _call(self, name: str, arguments: Sequence[Any]) -> tuple[Any, ...]:
        stepped, tracing = self._functions[name], self._tracing
        frame = new_frame(stepped.code, arguments, self._machine)

        def run(number: int) -> Any:
            piece = stepped.pieces[number]
            with tracing:
                self._run(stepped.code, piece, frame)
            shown = tuple([visible(frame[slot]) for slot in piece.shown])
            return shown[0] if len(shown) == 1 else shown

        names = {RUN: run, COUNT: range, SET: frame.__setitem__}
        hiding = {KEEP: tracing.kept.append, KEPT: tracing.kept.pop, GET_TRACE: tracing.get, SET_TRACE: tracing.set}
        python: Callable[..., Any] = FunctionType(stepped.python, {**names, **hiding})
        tracing.show(python, *map(visible, arguments))
        return self._machine.returned

    def _run(self, code: Code, piece: Piece, frame: Frame) -> None:
        at = step = piece.start
        try:
            while at != piece.end:
                step = at
                at = code.steps[at](frame)
                if at == CALL:
                    at = self._call_pending(code, frame)
        except UserError as error:
            raise located(error, code, step) from None

    def _call_pending(self, code: Code, frame: Frame) -> int:
        assert self._machine.pending is not None
        called, arguments, target, following = self._machine.pending
        try:
            returned = self._call(called.name, arguments)
        except UserError as error:
            raise called_from(error, code.spans[following - 1]) from None
        frame[target] = returned[0] if len(returned) == 1 else returned
        return following


def _compiled(module: ast.Module, span: Span) -> CodeType:
    """The code of the only function of a module, in the file of the kernel."""
    filename = span.filename or "<kernel>"
    try:
        made = compile(module, filename, "exec")
    except (SyntaxError, RecursionError):  # Python's own functions nest 20 loops
        problem = Diagnostic("PL118", "the nesting is too deep to be debugged", span, hint="it can be run as it is")
        raise UserError(problem) from None
    if span.source is not None and not linecache.getlines(filename):
        text = "\n" * (span.source.first_line - 1) + span.source.text
        linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    return next(constant for constant in made.co_consts if isinstance(constant, CodeType))
