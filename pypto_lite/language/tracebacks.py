"""What Python shows where a script ends with an error in a kernel: the script's own lines, and none of ours."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING

from pypto_lite.diagnostics import UserError
from pypto_lite.trace.source.caller import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    ExceptHook = Callable[[type[BaseException], BaseException, TracebackType | None], object]


def hide_own_frames() -> None:
    """Makes Python leave our frames out of what it prints of an uncaught UserError; every other error is as before.

    Python adds a frame for each function that an error leaves, so no ``raise`` of ours can leave them out by itself.
    """
    sys.excepthook = functools.partial(_hook, sys.excepthook)


def _hook(
    original: ExceptHook, kind: type[BaseException], error: BaseException, traceback: TracebackType | None
) -> None:
    if isinstance(error, UserError):
        _cut_behind_the_users(traceback)
    original(kind, error, traceback)


def _cut_behind_the_users(traceback: TracebackType | None) -> None:
    """Ends a traceback with the last frame that is not ours, if there is one."""
    last: TracebackType | None = None
    while traceback is not None:
        if str(traceback.tb_frame.f_globals.get("__name__")).partition(".")[0] != PACKAGE:
            last = traceback
        traceback = traceback.tb_next
    if last is not None:
        last.tb_next = None
