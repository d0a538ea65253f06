"""Keeps debuggers in the lines of the kernel while the machinery that runs them is at work.

A debugger of Python stops wherever a Python function is called, and has no way to be told of code that it should pass
over. So its tracing is off while the machinery works. A line of a kernel switches it off and on again itself, with the
functions of ``sys`` that it finds among its globals: those are not written in Python, so nothing is seen of them.
"""

from __future__ import annotations

import bdb
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


_PACKAGE: Final = f"{__name__.partition('.')[0]}."


class Tracing:
    """Whether a debugger follows what is going on; only those made of Python's ``bdb``, such as pdb, are led."""

    __slots__ = ("_debugger", "get", "kept", "set")

    def __init__(self) -> None:
        owner = getattr(sys.gettrace(), "__self__", None)
        self._debugger = owner if isinstance(owner, bdb.Bdb) else None
        self.get: Callable[[], Any] = sys.gettrace if self._debugger else bool
        self.set: Callable[[Any], object] = sys.settrace if self._debugger else bool
        self.kept: list[Any] = []
        """What followed before each of the places where it was switched off."""

    def __enter__(self) -> None:
        """A piece of a line begins, which has switched it off."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Where the piece fails, the line does not come to switching it on again."""
        if kind is not None:
            self.set(self.kept.pop())

    def hide(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls what is not to be seen, for somebody outside."""
        self.kept.append(self.get())
        self.set(None)
        try:
            return function(*arguments)
        finally:
            following = self.kept.pop()
            caller = self._come_back(following)
            if following and caller and self._debugger and self._debugger.stopframe is None:
                self._debugger.set_next(caller)  # who steps out of a kernel does not step through its machinery
            self.set(following)

    def show(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls what is to be seen, from what is not."""
        sys._getframe().f_trace = _pass_over  # pyright: ignore[reportPrivateUsage]
        self.set(self.kept[-1])
        try:
            return function(*arguments)
        finally:
            self.kept[-1] = following = self.get()
            self.set(None)
            self._come_back(following)

    def _come_back(self, following: Any) -> FrameType | None:
        """Has the caller followed, which is a line of a kernel or of whoever has called ``run``, as a debugger does."""
        frame: FrameType | None = sys._getframe()  # pyright: ignore[reportPrivateUsage]
        while frame is not None and frame.f_globals.get("__name__", "").startswith(_PACKAGE):
            frame = frame.f_back
        if following and frame is not None and frame.f_trace is None:
            frame.f_trace = following
        return frame


def _pass_over(frame: FrameType, event: str, argument: Any) -> Any:
    """Traces a frame to which a debugger comes back, and which is none of its business."""
    return _pass_over
