"""Judges mutants: each in a process of its own, several at once, and says what killed it and how fast."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple

from tests.mutants.attempt import Attempt, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.mutants.mutant import Mutant

LONGEST: Final = 600
"""After how many seconds a mutant that runs on counts as killed: without one all takes a fraction of that."""

_START: Final = "import sys; sys.path[:] = {path!r}; from tests.mutants.attempt import main; main()"
"""The new process finds modules where this one does, whatever folder it starts in."""


class Verdict(NamedTuple):
    """What became of a mutant (None: of the package as it is), and how long that took."""

    mutant: Mutant | None
    finding: Finding
    seconds: float

    @property
    def survived(self) -> bool:
        return self.finding.killer is None


def judge(attempts: Iterable[Attempt], jobs: int = 1) -> Iterator[Verdict]:
    """A verdict for each attempt, in their order."""
    with ThreadPoolExecutor(jobs) as threads:
        yield from threads.map(judge_one, attempts)


def judge_one(attempt: Attempt) -> Verdict:
    """Makes one attempt, in a new process. One that ends in any other way than with a finding is a kill, too."""
    begun = time.monotonic()
    command = [sys.executable, "-c", _START.format(path=sys.path)]
    told = json.dumps(attempt)
    try:
        done = subprocess.run(command, input=told, capture_output=True, text=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return Verdict(attempt.mutant, Finding("time", 0, f"it runs for more than {LONGEST} seconds"), LONGEST)
    seconds = time.monotonic() - begun
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        return Verdict(attempt.mutant, Finding("import", 0, lines[-1] if lines else ""), seconds)
    return Verdict(attempt.mutant, Finding(*json.loads(done.stdout.splitlines()[-1])), seconds)
