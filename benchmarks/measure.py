"""Takes times: the median of several runs, and their ratio to a reference that is run in between."""

from __future__ import annotations

import gc
import statistics
import time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.steps import STEPS, reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Timing(NamedTuple):
    """How long one step took for one program. Times are of the process, so what else runs hardly counts."""

    family: str
    statements: int
    step: str
    microseconds: float
    """A statement, the median of all runs."""
    ratio: float
    """To the reference, the median of the ratios of neighbouring runs."""


def timings(family: str, text: str, statements: int, runs: int) -> Iterator[Timing]:
    """The times of all steps for one program."""
    compared = reference(text)
    gc.collect()  # no step leaves anything to collect
    for step, prepare in STEPS.items():
        work = prepare(text)
        seconds: list[float] = []
        ratios: list[float] = []
        for _ in range(runs):
            base = _seconds(compared)
            seconds.append(_seconds(work))
            ratios.append(seconds[-1] / base)
        yield Timing(family, statements, step, statistics.median(seconds) / statements * 1e6, statistics.median(ratios))


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
