"""``python -m tests.mutants``: plants faults in the passes one at a time, and tells which are found and how fast."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pypto_lite.cli.numbers import positive
from pypto_lite.diagnostics import did_you_mean
from tests.mutants.attempt import Attempt
from tests.mutants.judgement import judge, judge_one
from tests.mutants.placement_moves import MOVES
from tests.mutants.placement_rules import RULES
from tests.mutants.planted import PLANTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.mutants.judgement import Verdict

PLACEMENT: Final = (*RULES, *MOVES)

MUTANTS: Final = {mutant.name: mutant for mutant in (*PLACEMENT, *PLANTED)}
"""All mutants by name."""

EXAMPLES: Final = 100
"""How many programs are tried on a mutant of placement, if nobody says."""

PLANTED_EXAMPLES: Final = 500
"""How many on one of another pass, which has to be found without tests."""

FOLDER: Final = "tests/passes/placed/placement"

SLOW_TESTS: Final = (
    "tests/test_fault_cases.py",
    "tests/test_placement_cases.py",
    f"{FOLDER}/test_growth.py",
    f"{FOLDER}/test_random_kernels.py",
    f"{FOLDER}/test_true_reasons.py",
)
"""The tests of placement that take longest, which come last in this order."""

QUICK_TESTS: Final = tuple(
    path.as_posix() for path in sorted(Path(FOLDER).glob("test_*.py")) if path.as_posix() not in SLOW_TESTS
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Judges the mutants that are asked for; 0 where all were killed, 1 where one survived, 2 for wrong usage."""
    parser = _parser()
    options = parser.parse_args(arguments)
    names: list[str] = options.names
    for name in names:
        if name not in MUTANTS:
            parser.error(
                f"there is no mutant {name!r}; {did_you_mean(name, MUTANTS) or 'there are: ' + ', '.join(MUTANTS)}"
            )
    tests = tuple(options.tests)
    placement = [
        Attempt(mutant, options.examples or EXAMPLES, options.seed, tests)
        for mutant in PLACEMENT
        if not names or mutant.name in names
    ]
    planted = [
        Attempt(mutant, options.examples or PLANTED_EXAMPLES, options.seed)
        for mutant in PLANTED
        if not names or mutant.name in names
    ]
    if not _passes_without_a_mutant((placement or planted)[0]._replace(mutant=None)):
        return 1
    verdicts = [
        *_judged("placement", placement, options.jobs),
        *_judged("planted in each pass", planted, options.jobs),
    ]
    return int(any(verdict.survived for verdict in verdicts))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description="Plants faults in the passes one at a time, each in a process of its own, and tells what kills "
        "it: a test, or else a property of one of some random programs, after how many.",
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="plant these mutants only")
    parser.add_argument("--examples", metavar="N", type=positive(int), help="how many programs to try on each")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="draw the programs of this number")
    parser.add_argument("--jobs", metavar="J", type=positive(int), default=1, help="how many processes to use")
    parser.add_argument(
        "--tests", metavar="PATH", nargs="+", default=(*QUICK_TESTS, *SLOW_TESTS), help="other tests than placement's"
    )
    return parser


def _passes_without_a_mutant(attempt: Attempt) -> bool:
    """Whether nothing fails as it is: otherwise whatever fails with a mutant would tell nothing."""
    verdict = judge_one(attempt)
    if not verdict.survived:
        print(f"without any mutant {verdict.finding.killer} fails: {verdict.finding.message}", file=sys.stderr)
        return False
    and_tests = f" and {len(attempt.tests)} files of tests" if attempt.tests else ""
    print(f"without a mutant {attempt.examples} programs{and_tests} pass in {verdict.seconds:.0f} s", flush=True)
    return True


def _judged(title: str, attempts: Sequence[Attempt], jobs: int) -> list[Verdict]:
    """Judges the mutants of a group, with a line for each as soon as it is known, and one for all."""
    verdicts: list[Verdict] = []
    begun = time.monotonic()
    for verdict in judge(attempts, jobs):
        verdicts.append(verdict)
        print(_line(verdict), flush=True)
    if verdicts:
        print(f"{title}: {_score(verdicts)}, in {(time.monotonic() - begun) / 60:.1f} minutes", flush=True)
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


if __name__ == "__main__":
    sys.exit(main())
