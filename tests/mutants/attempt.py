"""What a process of its own does with one mutant: plants it, runs the tests on it, and then random programs.

The package is imported only after the mutant is planted; so what is needed of it is imported below, by name.
"""

from __future__ import annotations

import contextlib
import io
import json
import signal
import sys
import time
from importlib import import_module
from os.path import relpath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest

from tests.mutants.mutant import Mutant, plant
from tests.mutants.recording import record

if TYPE_CHECKING:
    from collections.abc import Collection, Generator, Mapping, Sequence

LONGEST_TEST: Final = 5
"""After how many seconds a test that runs on fails, beside ten times what it takes without a mutant."""

LONGEST_COLLECTION: Final = 60
"""After how many seconds looking for tests fails."""

BEFORE_TESTS: Final = ""
"""What stands for the time before the first test among what is executed."""


class Attempt(NamedTuple):
    """A mutant, and what may kill it."""

    mutant: Mutant | None
    """None: the package as it is."""
    examples: int
    """How many random programs are tried where no test fails."""
    seed: int
    tests: Mapping[str, float]
    """Files and folders of tests, or single tests in their order; each with the seconds that it takes."""
    recorded: Collection[str] = ()
    """The modules of which it is recorded which test executes what."""


class Finding(NamedTuple):
    """What became of a mutant: which property or test killed it, if any, after how many programs."""

    killer: str | None
    tried: int
    message: str = ""
    seconds: Mapping[str, float] = {}
    """What each test takes that passed."""
    executed: Mapping[str, Sequence[str]] = {}
    """The keys of the recorded functions that each test executes."""


def main() -> None:
    """Makes the attempt that standard input describes, and prints what was found as the last line."""
    mutant, *rest = json.load(sys.stdin)
    attempt = Attempt(None if mutant is None else Mutant(*mutant), *rest)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        finding = make(attempt)
    print(json.dumps(finding))


def make(attempt: Attempt) -> Finding:
    """Runs the tests first, up to one that fails, and tries random programs where none does."""
    if attempt.mutant is not None:
        plant(attempt.mutant)
    run = _Run(attempt.tests, record(attempt.recorded))
    if attempt.tests:
        run.run()
        if run.failed is not None:
            return Finding(run.failed[0], 0, run.failed[1])
    campaign: Any = import_module("pypto_lite.testing.campaign")
    report = campaign.fuzz(campaign.Serial(), examples=attempt.examples, seed=attempt.seed, shrink=False)
    if report.failure is not None:
        return Finding(report.failure.property, report.tried, report.failure.message)
    return Finding(None, report.tried, "", run.seconds, run.executed)


class _Run:
    """A pytest plugin: runs the tests in their order up to one that fails, in this process, where the mutant is."""

    def __init__(self, tests: Mapping[str, float], executing: set[str]) -> None:
        self.failed: tuple[str, str] | None = None
        """The first test that failed, and its message."""
        self.seconds: dict[str, float] = {}
        self.executed: dict[str, Sequence[str]] = {}
        self._tests = tests
        self._executing = executing

    def run(self) -> None:
        """File by file, as mostly one of the first tests fails, and finding the others takes longer than that."""
        for file in dict.fromkeys(name.partition("::")[0] for name in self._tests):
            with limited(LONGEST_COLLECTION):
                status = int(pytest.main([file, "-x", "-q", "--numprocesses=0", "-p", "no:cacheprovider"], [self]))
            if self.failed is None and status != 0:
                self.failed = file, f"pytest ends with status {status}"
            if self.failed is not None:
                return

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if BEFORE_TESTS not in self.executed:
            self._note_executed(BEFORE_TESTS)
        if any("::" in name for name in self._tests):
            found = {_name(item): item for item in items}
            items[:] = [found[name] for name in self._tests if name in found]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        name = _name(item)
        begun = time.monotonic()
        with limited(LONGEST_TEST + 10 * self._tests.get(name, LONGEST_COLLECTION)):
            result = yield
        self.seconds[name] = time.monotonic() - begun
        self._note_executed(name)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note_failure(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note_failure(report)

    def _note_executed(self, name: str) -> None:
        self.executed[name] = sorted(self._executing)
        self._executing.clear()

    def _note_failure(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and self.failed is None:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.failed = report.nodeid, "" if crash is None else str(crash.message)


def _name(item: pytest.Item) -> str:
    """The file of a test and its name there, so that it is found again; node ids don't tell files elsewhere."""
    return f"{relpath(item.path)}::{item.nodeid.partition('::')[2]}"


@contextlib.contextmanager
def limited(seconds: float) -> Generator[None, None, None]:
    """Lets what runs on fail: again and again, as something may catch it."""

    def fail(*_: object) -> None:
        raise AssertionError("it runs on")

    signal.signal(signal.SIGALRM, fail)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
