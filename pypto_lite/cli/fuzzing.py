"""``pypto-lite fuzz``: tries properties on random programs, and keeps what it finds as a test."""

from __future__ import annotations

import time
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Final

from pypto_lite.cli.streams import rewrite, tell
from pypto_lite.testing.campaign import Serial, fuzz
from pypto_lite.testing.reproducers import Failure, as_test_file

SECONDS_BETWEEN_LINES: Final = 10
"""How often the progress is told where lines can't be written over."""


def fuzz_command(*, examples: int | None, seed: int, minutes: float | None, jobs: int) -> Failure | None:
    """Runs a campaign and tells how it goes; what was found, which stands as a test in the working directory."""
    progress = _Progress()
    with _executor(jobs) as executor:
        report = fuzz(executor, examples=examples, seed=seed, minutes=minutes, jobs=jobs, progress=progress)
    progress.end(report.tried)
    if report.failure is None:
        tell(f"nothing found; --seed {seed} draws the same programs again")
        return None
    failure = report.failure
    name, text = as_test_file(failure, f"Found by: pypto-lite fuzz --seed {seed}")
    tell(f"{failure.property} does not hold of:\n\n{failure.sample.text}\n{failure.message}")
    _keep(name, text)
    return failure


def _executor(jobs: int) -> Executor:
    # Processes begin anew instead of as copies, which numpy's threads would not survive.
    return Serial() if jobs == 1 else ProcessPoolExecutor(jobs, get_context("spawn"))


def _keep(name: str, text: str) -> None:
    try:
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        tell(f"{name} can't be written: {error.strerror or error}\n\n{text}")
        return
    tell(f"pytest {name} fails in the same way")


class _Progress:
    """One line that changes on a terminal; elsewhere a line from time to time."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._told = self._begun

    def __call__(self, tried: int) -> None:
        now = time.monotonic()
        if not rewrite(self._line(tried)) and now - self._told >= SECONDS_BETWEEN_LINES:
            self._told = now
            tell(self._line(tried))

    def end(self, tried: int) -> None:
        rewrite("")
        tell(self._line(tried))

    def _line(self, tried: int) -> str:
        spent = time.monotonic() - self._begun
        minutes, seconds = divmod(int(spent), 60)
        return f"{tried:,} programs in {minutes}:{seconds:02}, {tried / max(spent, 1e-9):.1f} a second"
