"""``pypto-lite fuzz --mutants``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pypto_lite.cli import mutating
from pypto_lite.testing.mutants.mutant import Mutant

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]

QUICK = ("--examples", "40", "--seed", "1")


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No checkout, so that no tests are there."""
    monkeypatch.chdir(tmp_path)


def test_a_mutant_that_is_killed(run_command: Run) -> None:
    outcome = run_command("fuzz", *QUICK, "--mutants", "loses-a-decision")
    assert outcome.status == 0
    before, line, score = outcome.out.splitlines()
    assert before.startswith("without a mutant 40 programs pass in ")
    assert line.startswith("loses-a-decision: killed by reasons_are_true, ")
    assert score.startswith("placement: 1 of 1 mutants killed (100.0 %), 0 by tests and 1 by random programs, in ")
    assert outcome.err.startswith("random programs alone are tried: the tests are in a checkout of pypto_lite")


def test_a_mutant_that_survives(run_command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    neutral = Mutant("neutral", "pypto_lite.analysis.routes", "Whether the target", "Whether it", "It breaks nothing.")
    monkeypatch.setattr(mutating, "MUTANTS", {"neutral": neutral})
    monkeypatch.setattr(mutating, "PLANTED", (neutral,))
    outcome = run_command("fuzz", "--examples", "2", "--seed", "1", "--mutants", "neutral")
    assert outcome.status == 1
    assert "neutral: SURVIVED (It breaks nothing.), 2 programs, " in outcome.out
    assert "planted in each pass: 0 of 1 mutants killed (0.0 %)" in outcome.out


def test_tests_that_fail_anyway_tell_nothing(run_command: Run, tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert 1 == 2\n")
    outcome = run_command("fuzz", "--examples", "1", "--seed", "1", "--mutants", "loses-a-decision", "--tests", ".")
    assert outcome.status == 1
    assert outcome.out == ""
    assert "without any mutant test_it.py::test_it fails: " in outcome.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--mutants", "loses-a-decisoin"), "did you mean 'loses-a-decision'?"),
        (("--mutants", "--minutes", "3"), "--mutants goes with --examples"),
        (("--tests", "tests"), "--tests goes with --mutants"),
    ],
)
def test_wrong_usage(run_command: Run, arguments: tuple[str, ...], complaint: str) -> None:
    outcome = run_command("fuzz", *arguments)
    assert outcome.status == 2
    assert complaint in outcome.err
