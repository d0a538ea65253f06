"""Tries properties on thousands of random programs, on any executor of ``concurrent.futures``.

The examples are drawn in chunks, each from a seed of its own, so a campaign draws the same programs however many
processes or machines share it. What is found first in the order of the chunks is reported, shrunk to a minimal program.

Every program is drawn on its own. Hypothesis by itself would make five of six from the one before, by repeating a part
of it: many came out the same, and whole kinds of programs were never seen.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Executor, Future
from itertools import count, islice
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis.database import InMemoryExampleDatabase

from pypto_lite import passes
from pypto_lite.testing.arguments import arguments
from pypto_lite.testing.parsing import as_written, parsed
from pypto_lite.testing.properties import PROPERTIES, Trial
from pypto_lite.testing.reproducers import TRACED, Failure
from pypto_lite.testing.strategies import Sample, samples, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK: Final = 50
"""How many programs are drawn from one seed."""

MOST_BYTES: Final = 1 << 15
"""From how many random bytes a program is drawn at most; a program that takes more is left out."""

AHEAD: Final = 2
"""How many chunks wait for each worker."""


class Chunk(NamedTuple):
    """A part of a campaign: so many programs from one seed. ``shrink``: what is found is made as small as can be."""

    seed: int
    number: int
    examples: int
    shrink: bool = True


class Report(NamedTuple):
    """How many programs were tried, and what was found."""

    tried: int
    failure: Failure | None = None


class Serial(Executor):
    """Does everything in this process, at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def fuzz(
    executor: Executor,
    *,
    examples: int | None = None,
    seed: int = 0,
    minutes: float | None = None,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
    shrink: bool = True,
) -> Report:
    """Tries all properties on random programs until one fails, ``examples`` were tried or the ``minutes`` are over.

    ``jobs`` is how many chunks the executor works on at once. ``progress`` is told now and then how many programs were
    tried. The programs depend on ``seed`` alone. Without ``shrink`` a failure is reported as it was found.
    """
    end = None if minutes is None else time.monotonic() + 60 * minutes
    waiting: deque[Future[Report]] = deque()
    chunks = _chunks(seed, examples)
    tried = 0
    try:
        while True:
            room = 0 if end is not None and time.monotonic() >= end else jobs * AHEAD - len(waiting)
            for chunk in islice(chunks, room if waiting or not isinstance(executor, Serial) else min(room, 1)):
                waiting.append(executor.submit(run_chunk, chunk._replace(shrink=shrink)))
            if not waiting:
                return Report(tried)
            report = waiting.popleft().result()
            tried += report.tried
            if progress is not None:
                progress(tried)
            if report.failure is not None:
                return Report(tried, report.failure)
    finally:
        for future in waiting:
            future.cancel()


def _chunks(seed: int, examples: int | None) -> Iterator[Chunk]:
    numbers = count() if examples is None else range((examples + CHUNK - 1) // CHUNK)
    for number in numbers:
        yield Chunk(seed, number, CHUNK if examples is None else min(CHUNK, examples - number * CHUNK))


def run_chunk(chunk: Chunk) -> Report:
    """Draws the programs of a chunk, each from random bytes of its own, and tries all properties on each."""
    tries = _Tries()
    test: Any = settings(
        database=InMemoryExampleDatabase(),  # what was found, for the phase that reads it again and shrinks it
        deadline=None,
        phases=(Phase.reuse, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=cast("list[HealthCheck]", list(HealthCheck)),
        verbosity=Verbosity.quiet,
    )(given(samples(texts()))(tries.check))
    source = Random(f"{chunk.seed} {chunk.number}")
    try:
        for _ in range(chunk.examples):
            test.hypothesis.fuzz_one_input(source.randbytes(MOST_BYTES))
    except Exception as error:
        # Whatever a property raises is what was looked for.
        found = tries.failure(error)
        return Report(tries.count, (_shrunk(test, tries) if chunk.shrink else None) or found)
    return Report(tries.count)


def _shrunk(test: Callable[[], None], tries: _Tries) -> Failure | None:
    """What was found, as small as can be; None where it does not come again."""
    try:
        test()
    except Exception as error:
        return tries.failure(error)  # hypothesis has tried the minimal program last
    return None


class _Tries:
    """Tries all properties on one sample after another."""

    def __init__(self) -> None:
        self.count = 0
        """How many were tried until the first failure."""
        self.latest: tuple[str, Sample] | None = None
        self._failed = False

    def check(self, sample: Sample) -> None:
        self.count += not self._failed
        try:
            self.latest = (TRACED, sample)
            trial = trial_of(sample)
            for name, holds in PROPERTIES.items():
                self.latest = (name, sample)
                holds(trial)
        except Exception:
            self._failed = True
            raise

    def failure(self, error: Exception) -> Failure:
        """What was found: the latest sample, and the property that raised the error for it."""
        assert self.latest is not None
        name, sample = self.latest
        return Failure(name, sample, f"{type(error).__name__}: {error}")


def trial_of(sample: Sample) -> Trial:
    """The trial of a sample. Raises UserError where its program is refused."""
    program = as_written(sample.text)
    if passes.verify(program, {passes.UseAfterDef}):
        # Names of loops are read behind these: it takes conversion to SSA form to find that they have a value.
        program = parsed(sample.text)
    return Trial(program, arguments=arguments(program, sample.seed), edit=sample.edit)
