"""``python -m tests.mutants``: plants faults in the passes one at a time, and tells which are found and how fast."""

from __future__ import annotations

import argparse
import sys
import time
from itertools import chain
from typing import TYPE_CHECKING, Final

from pypto_lite.cli.numbers import positive
from pypto_lite.diagnostics import did_you_mean
from tests.mutants.attempt import BEFORE_TESTS, Attempt
from tests.mutants.generic import generic_mutants, mutated_modules, sample
from tests.mutants.judgement import judge, judge_one
from tests.mutants.planted import planted
from tests.mutants.rules import rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.mutants.attempt import Finding
    from tests.mutants.judgement import Verdict
    from tests.mutants.mutant import Mutant

SAMPLE: Final = 200
"""How many generic mutants are planted, if nobody says."""

EXAMPLES: Final = 100
"""How many programs are tried on a mutant of placement that no test kills, if nobody says."""

PLANTED_EXAMPLES: Final = 500
"""How many on one of another pass, which has to be found without tests."""

TESTS: Final = (
    "tests/passes/placed/placement",
    "tests/analysis",
    "tests/test_fault_cases.py",
    "tests/test_placement_cases.py",
)
"""The tests of placement, and of the analyses that it stands on."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Judges the mutants that are asked for; 0 where all were killed, 1 where one survived, 2 for wrong usage."""
    parser = _parser()
    options = parser.parse_args(arguments)
    seed: int = options.seed
    groups = _groups(options.sample, seed) if not options.names else _of_names(parser, options.names)
    tests = dict.fromkeys(options.tests, 0.0)
    begun = time.monotonic()
    as_it_is = judge_one(Attempt(None, options.examples or EXAMPLES, seed, tests, mutated_modules()))
    if not as_it_is.survived:
        print(f"without any mutant {as_it_is.finding.killer} fails: {as_it_is.finding.message}", file=sys.stderr)
        return 1
    found = as_it_is.finding
    passing = f"{len(found.seconds)} tests and {found.tried} programs"
    print(f"without a mutant {passing} pass in {as_it_is.seconds:.0f} s", flush=True)
    verdicts: list[Verdict] = []
    for title, mutants in groups.items():
        if title == PLANTED:
            attempts = [Attempt(mutant, options.examples or PLANTED_EXAMPLES, seed, {}) for mutant in mutants]
        else:
            attempts = [Attempt(mutant, found.tried, seed, tests_of(mutant, found)) for mutant in mutants]
        verdicts += _judged(title, attempts, options.jobs)
    print(f"all of it took {(time.monotonic() - begun) / 60:.1f} minutes")
    return int(any(verdict.survived for verdict in verdicts))


GENERIC: Final = "generic"
RULES: Final = "rules of placement"
PLANTED: Final = "planted in each pass, without tests"


def _groups(size: int, seed: int) -> dict[str, list[Mutant]]:
    """The mutants that are planted, by what they are."""
    return {RULES: rules(), GENERIC: sample(size, seed), PLANTED: [*chain.from_iterable(planted().values())]}


def _of_names(parser: argparse.ArgumentParser, names: Iterable[str]) -> dict[str, list[Mutant]]:
    """Those of all mutants that have these names."""
    groups = {**_groups(0, 0), GENERIC: [*chain.from_iterable(generic_mutants().values())]}
    known = {mutant.name for mutants in groups.values() for mutant in mutants}
    for name in names:
        if name not in known:
            parser.error(f"there is no mutant {name!r}; {did_you_mean(name, known) or 'a run tells the names'}")
    chosen = {title: [mutant for mutant in mutants if mutant.name in names] for title, mutants in groups.items()}
    return {title: mutants for title, mutants in chosen.items() if mutants}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description="Plants faults in the passes one at a time, each in a process of its own, and tells what kills "
        "it: a test, or else a property of one of some random programs, after how many.",
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="plant these mutants only")
    parser.add_argument(
        "--sample", metavar="N", type=positive(int), default=SAMPLE, help="how many generic mutants to plant"
    )
    parser.add_argument("--examples", metavar="N", type=positive(int), help="how many programs to try on each")
    parser.add_argument(
        "--seed", metavar="S", type=int, default=1, help="draw the generic mutants and the programs of this number"
    )
    parser.add_argument("--jobs", metavar="J", type=positive(int), default=1, help="how many processes to use")
    parser.add_argument(
        "--tests", metavar="PATH", nargs="+", default=TESTS, help="run these tests, by default those of placement"
    )
    return parser


def tests_of(mutant: Mutant, found: Finding) -> dict[str, float]:
    """The tests that execute what is mutated, the quickest files first, and in them the quickest tests.

    They are all tests where it is a constant, or what is executed before any test.
    """
    definition, executed = mutant.definition, found.executed
    recorded = definition in set().union(*executed.values()) and definition not in executed[BEFORE_TESTS]
    seconds = {test: spent for test, spent in found.seconds.items() if not recorded or definition in executed[test]}
    of_file: dict[str, float] = {}
    for test, spent in seconds.items():
        file = test.partition("::")[0]
        of_file[file] = of_file.get(file, 0) + spent
    order = sorted(seconds, key=lambda test: (of_file[test.partition("::")[0]], seconds[test]))
    return {test: seconds[test] for test in order}


def _judged(title: str, attempts: Sequence[Attempt], jobs: int) -> list[Verdict]:
    """Judges the mutants of a group, with a line for each as soon as it is known, and one for all."""
    verdicts: list[Verdict] = []
    begun = time.monotonic()
    for verdict in judge(attempts, jobs):
        verdicts.append(verdict)
        print(_line(verdict), flush=True)
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
        f"and {len(killed) - by_tests} in other ways"
    )


if __name__ == "__main__":
    sys.exit(main())
