"""Runs a function on numpy arrays: which one, what it is given, what it gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pypto_lite import ir, passes
from pypto_lite.diagnostics import Diagnostic, UserError, did_you_mean
from pypto_lite.interp.arguments import Arguments, collected
from pypto_lite.interp.calls import operator_call
from pypto_lite.interp.checks import UNCHECKED, Checks
from pypto_lite.interp.code import Code
from pypto_lite.interp.expressions import Compiler
from pypto_lite.interp.machine import Machine
from pypto_lite.interp.prologue import add_prologue
from pypto_lite.interp.sanitizer import checks_for
from pypto_lite.interp.statements import FunctionCompiler
from pypto_lite.interp.stepping import Stepper
from pypto_lite.interp.storage import Array

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite.interp.hooks import Hook
    from pypto_lite.interp.sanitizer import Sanitizer
    from pypto_lite.targets import Target


def run(
    program: ir.Program,
    function: str | None,
    given: Mapping[str, Any],
    *,
    arguments: Mapping[str, Any] | None = None,
    hook: Hook | None = None,
    debug: bool = False,
    sanitize: bool | str | Target | Sanitizer = False,
) -> Any:
    """What a function of the program returns for these arguments: nothing, an array or a number, or a tuple of them.

    A function that returns nothing gives the ``Out`` arrays that were not given. ``arguments`` has more of what is
    given, under names that ``Program.run`` takes for its own. ``hook`` is called after every
    statement; with ``debug`` the functions run as Python functions, for debuggers. ``sanitize`` checks what the
    verifier promises while the kernel runs; see ``sanitizer``. Raises UserError: PL501 to PL503 for what is asked or
    given, others at the line where the run ends.
    """
    entry = choose(program, function)
    wrong = passes.verify(program, {passes.UseAfterDef})
    if wrong:
        raise UserError(*wrong)
    with np.errstate(all="ignore"):  # overflow and nan are values here
        passed = Arguments(entry, collected(given, arguments))
        if hook is not None and not callable(hook):
            raise UserError(Diagnostic("PL502", f"hook is a function of a Moment, and this is a {type(hook).__name__}"))
        checks = checks_for(program, sanitize)
        if debug:
            returned = Stepper(program, hook, checks).call(entry.name, passed.values)
        else:
            returned = Machine().run(link(program, hook, checks)[entry.name], passed.values)
    passed.write_back()
    values = returned if returned or entry.return_types else passed.allocated
    outside = tuple([passed.given_as(value) if isinstance(value, Array) else value for value in values])
    return None if not outside else outside[0] if len(outside) == 1 else outside


def choose(program: ir.Program, function: str | None, how: str = "run({!r}, ...)") -> ir.Function:
    """The function of this name, or the only one that a run can begin with: PL501 where that is not clear.

    ``how`` is how a function is named by whoever is told of that.
    """
    if function is not None and not isinstance(function, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        message = f"arguments go by the names of parameters, and this is a {type(function).__name__}"
        hint = "write run(x=..., y=...), or run(arguments={'function': ...}) for a parameter that is called function"
        raise UserError(Diagnostic("PL502", message, hint=hint))
    if function is not None:
        found = program.functions.get(function)
        if found is None:
            hint = did_you_mean(function, program.functions)
            raise UserError(_unclear(program, f"{program.name} has no function {function!r}", hint))
        return found
    called = {node.function for node in ir.walk(program) if isinstance(node, (ir.FunctionCall, ir.Submit))}
    entries = [each for each in program.functions.values() if each.name not in called]
    leading = [each for each in entries if each.type is ir.FunctionType.Orchestration]
    chosen = leading or [each for each in entries if each.type is not ir.FunctionType.Inline]
    if len(chosen) != 1:
        names = ", ".join([each.name for each in chosen]) or "none"
        message = f"it is not clear which function of {program.name} is to run"
        likely = next(iter([*chosen, *program.functions.values()]), None)
        hint = None if likely is None else f"name one: {how.format(likely.name)}"
        raise UserError(_unclear(program, message, hint, names))
    return chosen[0]


def _unclear(program: ir.Program, message: str, hint: str | None, found: str | None = None) -> Diagnostic:
    expected = f"one of {', '.join(program.functions)}" if program.functions else "a program with a function"
    return Diagnostic("PL501", message, found=found, expected=expected, hint=hint)


def link(program: ir.Program, hook: Hook | None = None, checks: Checks = UNCHECKED) -> dict[str, Code]:
    """The code of every function; a function may call one whose steps are not there yet."""
    functions = program.functions.values()
    linked = {function.name: Code(function.name, function.params) for function in functions}
    for function in functions:
        _compile(function, linked, hook, checks)
    return linked


def _compile(function: ir.Function, linked: dict[str, Code], hook: Hook | None, checks: Checks) -> None:
    code = linked[function.name]
    compiler = Compiler(code, linked, operator_call, checks)
    code.span = function.span
    try:
        add_prologue(compiler, function.params)
        FunctionCompiler(compiler, hook).compile(function)
    except UserError as error:
        raise error.located(code.span) from None
