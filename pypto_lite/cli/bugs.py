"""The last resort: whatever goes wrong becomes a diagnostic, and a bug of ours keeps its traceback in a file."""

from __future__ import annotations

import os
import tempfile
import traceback
from typing import TYPE_CHECKING, TypeVar

from pypto_lite.cli.streams import OutputError
from pypto_lite.diagnostics import NO_SPAN, Diagnostic, InternalError, Span, UserError

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


def attempt(action: Callable[[], Result]) -> Result:
    """What ``action`` returns. Raises UserError, for bugs of ours too, and what streams raise, but nothing else."""
    try:
        return action()
    except (BrokenPipeError, OutputError, UserError):
        raise
    except Exception as error:
        raise UserError(bug(error)) from None


def bug(error: Exception, span: Span = NO_SPAN) -> Diagnostic:
    """The diagnostic of an error that is our fault."""
    if isinstance(error, InternalError):
        where = f"{error.pass_name}: " if error.pass_name is not None else ""
        hint = f"to reproduce it, see {error.reproducer}" if error.reproducer is not None else None
        return Diagnostic("PL901", f"{where}{error.args[0]}", span, hint=hint)
    path = _keep_traceback(error)
    hint = f"this is a bug of pypto_lite; the traceback is in {path}" if path is not None else None
    return Diagnostic("PL901", described(error), span, hint=hint)


def described(error: BaseException) -> str:
    """The class and the message of any error, in one line where the message is one."""
    try:
        text = str(error)
    except Exception:  # a class of the user's can fail here, too
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _keep_traceback(error: Exception) -> str | None:
    try:
        handle, path = tempfile.mkstemp(prefix="pypto_lite_traceback_", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write("".join(traceback.format_exception(error)))
    except OSError:
        return None
    return path
