"""Standard output, which holds what was asked for, and standard error, which holds everything else.

Both are written here alone, so that a stream which can't be written is told from a bug of ours.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Generator


class OutputError(Exception):
    """Standard output or standard error can't be written."""


def show(text: str) -> None:
    """Writes a part of what was asked for, with a line end."""
    with _reported("standard output"):
        print(text, file=_open(sys.stdout))


def tell(text: str) -> None:
    """Writes a message, with a line end. Whoever closed standard error wants no messages."""
    if sys.stderr is not None and not sys.stderr.closed:
        with _reported("standard error"):
            print(text, file=sys.stderr)


def rewrite(text: str) -> bool:
    """Writes a line of a terminal over; whether standard error is one. The empty text clears it."""
    if sys.stderr is None or sys.stderr.closed or not sys.stderr.isatty():
        return False
    with _reported("standard error"):
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
    return True


def use_utf8() -> None:
    """Makes standard output UTF-8 in every locale: programs are Python source, and Python reads that as UTF-8."""
    out: TextIO | None = sys.stdout
    if isinstance(out, io.TextIOWrapper) and not out.closed:
        cast("io.TextIOWrapper[Any]", out).reconfigure(encoding="utf-8", errors="backslashreplace")


def flush() -> None:
    """Writes what is still held back."""
    for stream, name in ((sys.stdout, "standard output"), (sys.stderr, "standard error")):
        if stream is not None and not stream.closed:
            with _reported(name):
                stream.flush()


def give_up() -> None:
    """Drops what can't be written: Python would complain once more when it flushes at its end."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None or stream.closed:
            continue
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _open(stream: TextIO | None) -> TextIO:
    if stream is None or stream.closed:
        raise OutputError("standard output can't be written: it is closed")
    return stream


@contextlib.contextmanager
def _reported(name: str) -> Generator[None, None, None]:
    try:
        yield
    except BrokenPipeError:  # the reader has seen enough
        raise
    except OSError as error:
        raise OutputError(f"{name} can't be written: {error.strerror or error}") from None
