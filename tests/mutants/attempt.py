"""What a process of its own does with one mutant: plants it, runs the tests on it, and then random programs.

The package is imported only after the mutant is planted; so the imports stand below, by name.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.mutants.mutant import Mutant, plant

if TYPE_CHECKING:
    from collections.abc import Sequence


class Attempt(NamedTuple):
    """A mutant (None: the package as it is), and what may kill it."""

    mutant: Mutant | None
    examples: int
    seed: int
    tests: tuple[str, ...] = ()
    """Files and folders of tests, for pytest."""


class Finding(NamedTuple):
    """What became of a mutant: which property or test killed it, if any, after how many programs."""

    killer: str | None
    tried: int
    message: str = ""


def main() -> None:
    """Makes the attempt that the last argument describes, and prints what was found as the last line."""
    mutant, *rest = json.loads(sys.argv[-1])
    attempt = Attempt(None if mutant is None else Mutant(*mutant), *rest)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        finding = make(attempt)
    print(json.dumps(finding))


def make(attempt: Attempt) -> Finding:
    """Runs the tests first, up to one that fails, and tries random programs where none does."""
    if attempt.mutant is not None:
        plant(attempt.mutant)
    # Imports all of the package: pytest would read the modules of an installed plugin itself, without the mutant.
    campaign: Any = import_module("pypto_lite.testing.campaign")
    failed, message = _failing_test(attempt.tests) if attempt.tests else (None, "")
    if failed is not None:
        return Finding(failed, 0, message)
    report = campaign.fuzz(campaign.Serial(), examples=attempt.examples, seed=attempt.seed, shrink=False)
    if report.failure is None:
        return Finding(None, report.tried)
    return Finding(report.failure.property, report.tried, report.failure.message)


def _failing_test(tests: Sequence[str]) -> tuple[str | None, str]:
    """The first of the tests that fails, and its message; all run in this process, where the mutant is."""
    pytest: Any = import_module("pytest")
    failures = _Failures()
    options = ("-x", "-q", "--numprocesses=0", "-p", "no:cacheprovider")
    status = int(pytest.main([*options, *tests], plugins=[failures]))
    if status == 0:
        return None, ""
    return failures.first or (f"pytest, with status {status}", "")


class _Failures:
    """A pytest plugin that keeps the first failure."""

    def __init__(self) -> None:
        self.first: tuple[str, str] | None = None

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._note(report)

    def pytest_collectreport(self, report: Any) -> None:
        self._note(report)

    def _note(self, report: Any) -> None:
        if report.failed and self.first is None:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.first = report.nodeid, "" if crash is None else str(crash.message)
