"""``pypto-lite fuzz --mutants``: plants faults in the passes one at a time, and tells which are found and how fast."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pypto_lite.cli.streams import rewrite, show, tell
from pypto_lite.testing.mutants.attempt import Attempt
from pypto_lite.testing.mutants.judgement import judge, judge_one
from pypto_lite.testing.mutants.placement_moves import MOVES
from pypto_lite.testing.mutants.placement_rules import RULES
from pypto_lite.testing.mutants.planted import PLANTED

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pypto_lite.testing.mutants.judgement import Verdict

PLACEMENT: Final = (*RULES, *MOVES)

MUTANTS: Final = {mutant.name: mutant for mutant in (*PLACEMENT, *PLANTED)}
"""All mutants by name."""

EXAMPLES: Final = 100
"""How many programs are tried on a mutant of placement, if nobody says."""

PLANTED_EXAMPLES: Final = 500
"""How many on one of another pass, which has to be found without tests."""

TESTS: Final = "tests/passes/placement"
"""Where a checkout has the tests of the placement pass."""

SLOW_TESTS: Final = (
    "tests/test_fault_cases.py",
    "tests/test_placement_cases.py",
    f"{TESTS}/test_growth.py",
    f"{TESTS}/test_random_kernels.py",
    f"{TESTS}/test_true_reasons.py",
)
"""The tests of placement that take longest, which come last in this order."""


def mutants_command(
    names: Collection[str], *, examples: int | None, seed: int, jobs: int, tests: Sequence[str] | None
) -> bool:
    """Judges the mutants of these names, or all, and reports each; whether all were killed.

    The ``tests`` come first, by default those of placement, where this is a checkout; then random programs.
    """
    tests = _tests_here() if tests is None else tuple(tests)
    placement = [
        Attempt(mutant, examples or EXAMPLES, seed, tests) for mutant in PLACEMENT if not names or mutant.name in names
    ]
    planted = [
        Attempt(mutant, examples or PLANTED_EXAMPLES, seed) for mutant in PLANTED if not names or mutant.name in names
    ]
    first = (placement or planted)[0]
    if not _passes_without_a_mutant(first._replace(mutant=None)):
        return False
    verdicts = [_judged("placement", placement, jobs), _judged("planted in each pass", planted, jobs)]
    return not any(verdict.survived for group in verdicts for verdict in group)


def _tests_here() -> tuple[str, ...]:
    """The tests of placement, the quick ones first, where the working directory is a checkout."""
    quick = [path.as_posix() for path in sorted(Path(TESTS).glob("test_*.py")) if path.as_posix() not in SLOW_TESTS]
    if quick:
        return (*quick, *SLOW_TESTS)
    tell("random programs alone are tried: the tests are in a checkout of pypto_lite; --tests names others")
    return ()


def _passes_without_a_mutant(attempt: Attempt) -> bool:
    """Whether nothing fails as it is: otherwise whatever fails with a mutant would tell nothing."""
    verdict = judge_one(attempt)
    if not verdict.survived:
        tell(f"without any mutant {verdict.finding.killer} fails: {verdict.finding.message}")
        return False
    and_tests = f" and {len(attempt.tests)} files of tests" if attempt.tests else ""
    show(f"without a mutant {attempt.examples} programs{and_tests} pass in {verdict.seconds:.0f} s")
    return True


def _judged(title: str, attempts: Sequence[Attempt], jobs: int) -> list[Verdict]:
    """Judges the mutants of a group, with a line for each as soon as it is known, and one for all."""
    verdicts: list[Verdict] = []
    begun = time.monotonic()
    for verdict in judge(attempts, jobs):
        verdicts.append(verdict)
        rewrite("")
        show(_line(verdict))
        rewrite(f"{len(verdicts)} of {len(attempts)}")
    rewrite("")
    if verdicts:
        show(f"{title}: {_score(verdicts)}, in {(time.monotonic() - begun) / 60:.1f} minutes")
    return verdicts


def _line(verdict: Verdict) -> str:
    mutant, finding = verdict.mutant, verdict.finding
    assert mutant is not None
    by = f"killed by {finding.killer}" if finding.killer else f"SURVIVED ({mutant.breaks})"
    programs = f", {finding.tried} programs" if finding.tried else ""
    return f"{mutant.name}: {by}{programs}, {verdict.seconds:.1f} s"


def _score(verdicts: Sequence[Verdict]) -> str:
    killed = [verdict for verdict in verdicts if not verdict.survived]
    by_tests = sum("::" in (verdict.finding.killer or "") for verdict in killed)
    share = 100 * len(killed) / len(verdicts)
    return (
        f"{len(killed)} of {len(verdicts)} mutants killed ({share:.1f} %), {by_tests} by tests "
        f"and {len(killed) - by_tests} by random programs"
    )
