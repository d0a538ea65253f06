"""Where in the user's code Python is when it calls us."""

from __future__ import annotations

import linecache
import sys
from typing import TYPE_CHECKING, Final

from pypto_lite.diagnostics import NO_SPAN, SourceText, Span

if TYPE_CHECKING:
    from types import FrameType

PACKAGE: Final = __name__.partition(".")[0]


def user_frame() -> FrameType | None:
    """The innermost running code that is not ours."""
    frame: FrameType | None = sys._getframe()  # pyright: ignore[reportPrivateUsage]  # inspect costs import time
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] == PACKAGE:
        frame = frame.f_back
    return frame


def user_span() -> Span:
    """The line that the user's code has reached, or NO_SPAN where Python does not keep its text."""
    frame = user_frame()
    if frame is None:
        return NO_SPAN
    filename = frame.f_code.co_filename
    text = linecache.getline(filename, frame.f_lineno, frame.f_globals).rstrip()
    if not text:
        return NO_SPAN
    source = SourceText(filename, text, frame.f_lineno)
    return Span(source, frame.f_lineno, len(text) - len(text.lstrip()) + 1, frame.f_lineno, len(text) + 1)
