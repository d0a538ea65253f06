"""What a sanitized run is to check, and what it found out: the notes, and how full each memory was."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from pypto_lite.targets import find_target

if TYPE_CHECKING:
    from pypto_lite.diagnostics import Diagnostic
    from pypto_lite.ir import MemorySpace
    from pypto_lite.targets import Target


class SanitizerNote(UserWarning):
    """The category of the warnings for notes of sanitized runs."""


class Sanitizer:
    """Say ``run(..., sanitize=Sanitizer("Ascend910B"))`` and look at it afterwards; it can watch several runs.

    Without a target it takes the one that the program was lowered for. ``placed`` says whether the tiles of the program
    are placed, so that their spaces are judged; by default they are if placement has left its decisions.
    ``warns`` makes each note a Python warning, too.
    """

    def __init__(self, target: str | Target | None = None, *, placed: bool | None = None, warns: bool = False) -> None:
        self.target = find_target(target)
        self.placed = placed
        self.warns = warns
        self.notes: list[Diagnostic] = []
        """What is worth a look but does not end the run, each once."""
        self.peaks: dict[str, dict[MemorySpace, int]] = {}
        """For each function that was placed the bytes of each space that were in use at once, at most."""

    def note(self, note: Diagnostic) -> None:
        """Keeps a note."""
        text = str(note)
        if text in [str(each) for each in self.notes]:
            return
        self.notes.append(note)
        if self.warns:
            warnings.warn_explicit(text, SanitizerNote, note.span.filename or "<kernel>", note.span.line)

    def saw(self, function: str, space: MemorySpace, used: int) -> None:
        """Keeps how full a memory was."""
        peaks = self.peaks.setdefault(function, {})
        peaks[space] = max(used, peaks.get(space, 0))
