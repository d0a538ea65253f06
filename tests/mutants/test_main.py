"""``python -m tests.mutants``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.mutants import __main__ as command
from tests.mutants.attempt import BEFORE_TESTS, Attempt, Finding
from tests.mutants.judgement import Verdict
from tests.mutants.planted import planted
from tests.mutants.rules import rules
from tests.mutants.sources import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

PASSES = Finding(None, 40, "", {"t.py::a": 0.3, "t.py::b": 0.1}, {BEFORE_TESTS: []})

BREAKS = "A bias moves from Vec to Bias without Mat between."


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None, Finding], list[Attempt]]:
    """Lets nothing be judged; what mutants are killed by, and what is found without one, are as a test says."""

    def judged(killer: str | None, without: Finding = PASSES) -> list[Attempt]:
        attempts: list[Attempt] = []

        def judge_one(attempt: Attempt) -> Verdict:
            attempts.append(attempt)
            finding = without if attempt.mutant is None else Finding(killer, attempt.examples)
            return Verdict(attempt.mutant, finding, 1.23)

        monkeypatch.setattr(command, "judge_one", judge_one)
        monkeypatch.setattr(command, "judge", lambda attempts, jobs: map(judge_one, attempts))
        return attempts

    return judged


@pytest.mark.parametrize("path", command.TESTS)
def test_the_tests_are_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_a_mutant_that_is_killed(judged: Any, capsys: pytest.CaptureFixture[str]) -> None:
    judged("passes_verify")
    assert command.main(["vec-to-bias-at-once", "--examples", "40"]) == 0
    before, line, score, total = capsys.readouterr().out.splitlines()
    assert before == "without a mutant 2 tests and 40 programs pass in 1 s"
    assert line == "vec-to-bias-at-once: killed by passes_verify, 40 programs, 1.2 s"
    assert score.startswith("rules of placement: 1 of 1 mutants killed (100.0 %), 0 by tests and 1 in other ways, in ")
    assert total.startswith("all of it took ")


def test_a_mutant_that_survives(judged: Any, capsys: pytest.CaptureFixture[str]) -> None:
    judged(None)
    assert command.main(["vec-to-bias-at-once"]) == 1
    out = capsys.readouterr().out
    assert f"vec-to-bias-at-once: SURVIVED ({BREAKS}), 40 programs, " in out
    assert "rules of placement: 0 of 1 mutants killed (0.0 %)" in out


def test_tests_that_fail_anyway_tell_nothing(judged: Any, capsys: pytest.CaptureFixture[str]) -> None:
    attempts = judged(None, Finding("t.py::a", 0, "assert 1 == 2"))
    assert command.main(["vec-to-bias-at-once"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "without any mutant t.py::a fails: assert 1 == 2\n"
    assert len(attempts) == 1


def test_all_mutants_are_planted_by_default(judged: Any, capsys: pytest.CaptureFixture[str]) -> None:
    attempts = judged("t.py::a")
    assert command.main(["--sample", "30", "--seed", "7"]) == 0
    without, *others = attempts
    assert without.mutant is None
    assert len([attempt for attempt in others if attempt.tests]) == 30 + len(rules())
    assert len([attempt for attempt in others if not attempt.tests]) == sum(map(len, planted().values()))
    assert {attempt.seed for attempt in attempts} == {7}
    assert "generic: 30 of 30 mutants killed (100.0 %), 30 by tests" in capsys.readouterr().out


def test_a_name_that_no_mutant_has(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as status:
        command.main(["vec-to-bias-at-onec"])
    assert status.value.code == 2
    assert "did you mean 'vec-to-bias-at-once'?" in capsys.readouterr().err


def test_a_mutant_is_tried_on_the_tests_that_execute_it_the_quickest_first() -> None:
    seconds = {"t.py::a": 0.3, "t.py::b": 0.1, "u.py::c": 0.2}
    executed = {BEFORE_TESTS: ["m:early"], "t.py::a": ["m:f"], "t.py::b": ["m:f", "m:early"], "u.py::c": ["m:g"]}
    found = Finding(None, 1, "", seconds, executed)

    def tests_of(definition: str) -> list[str]:
        return [*command.tests_of(rules()[0]._replace(definition=definition), found)]

    assert tests_of("m:f") == ["t.py::b", "t.py::a"]
    assert tests_of("m:early") == tests_of("m:CONSTANT") == ["u.py::c", "t.py::b", "t.py::a"]
