"""What happens when a pass fails by a bug of ours: the error that says so, and a file to reproduce it with."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from pypto_lite import ir, printer
from pypto_lite.diagnostics import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.passes.protocol import Pass


def internal_error(each: Pass, program: ir.Program, problem: str) -> InternalError:
    """The error of a pass that failed on ``program``; writes the reproducer."""
    printed = printed_program(program)
    return InternalError(
        problem, pass_name=each.name, printed=printed, reproducer=_write_reproducer(each, problem, printed)
    )


def printed_program(program: ir.Program) -> str:
    """The program as text, in one-line forms of its statements where the printer fails on it."""
    try:
        return printer.python_print(program)
    except Exception:  # a bug may have left IR that no printer was made for, and must not hide behind another error
        return "\n".join(_one_line_forms(program))


def _one_line_forms(program: ir.Program) -> Iterable[str]:
    yield f"# {program!r}"
    for function in program.functions.values():
        yield f"# {function!r}"
        stack: list[tuple[ir.Stmt, int]] = [(function.body, 0)]
        while stack:
            statement, depth = stack.pop()
            if isinstance(statement, ir.Block):
                stack.extend([(each, depth + 1) for each in statement.statements[::-1]])
            else:
                yield f"# {'  ' * depth}{statement!r}"
                stack.extend([(block, depth) for block in statement.blocks()[::-1]])


def _write_reproducer(each: Pass, problem: str, printed: str) -> str | None:
    """Writes a program that the pass fails on, with how to run it, to a file of its own; its path, or None."""
    lines = [
        f"# {each!r} of pypto_lite failed on this program:",
        *[f"#   {line}" for line in problem.splitlines()],
        "# To reproduce:",
        "#   from pypto_lite import passes, language as pl",
        f"#   passes.{each!r}.run(pl.loads(__file__))",
        "",
        printed,
    ]
    path = os.path.join(_temporary_directory(), f"pypto_lite_{each.name}_{os.getpid()}_{time.time_ns()}.py")
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write("\n".join(lines))
    except OSError:
        return None
    return path


def _temporary_directory() -> str:
    """Where temporary files go. The module tempfile knows it too, but takes as long to import as half a room."""
    named = (os.environ.get(variable) for variable in ("TMPDIR", "TEMP", "TMP"))
    usual = os.path.join(os.sep, "tmp")
    return next((each for each in [*named, usual] if each and os.path.isdir(each)), os.curdir)
