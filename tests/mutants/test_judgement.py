"""A mutant is killed by random programs or by tests, or it survives."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from tests.mutants import judgement
from tests.mutants.attempt import BEFORE_TESTS, Attempt, Finding, limited
from tests.mutants.judgement import judge, judge_one
from tests.mutants.pattern import named

if TYPE_CHECKING:
    from pathlib import Path

ROUTES = "pypto_lite.analysis.routes"
NEUTRAL = named("neutral", "Nothing.", "Routes.bars", "self.chip.staging", "(self.chip.staging)")
NO_WAY = named("no-way", "Nothing leaves Acc.", "ASCEND_MOVES", "(MemorySpace.Mat, MemorySpace.Vec)", "()")
CRASH = named("crash", "It cannot be imported.", "ANY_TARGET", "Routes(None)", "1 / 0")
SKIPS_MOVES = named("skips-moves", "No move.", "Placer._served", "self._copied(use)", "self.placed[use.var]")


def forever() -> None:
    while True:
        pass


TEST_OF_ROUTES = """
from pypto_lite.ir import MemorySpace
from pypto_lite.analysis.routes import ANY_TARGET

def test_acc_to_vec():
    assert ANY_TARGET.allows(MemorySpace.Acc, MemorySpace.Vec)

def test_nothing():
    assert MemorySpace.Acc is not MemorySpace.Vec
"""


@pytest.fixture
def tests(tmp_path: Path) -> dict[str, float]:
    (tmp_path / "test_routes.py").write_text(TEST_OF_ROUTES)
    return {str(tmp_path / "test_routes.py"): 0}


def test_random_programs_kill() -> None:
    verdict = judge_one(Attempt(SKIPS_MOVES, 200, 1, {}))
    assert verdict.finding.killer == "passes_verify"
    assert 0 < verdict.finding.tried < 200
    assert verdict.seconds > 0


def test_tests_kill_before_random_programs_are_tried(tests: dict[str, float]) -> None:
    finding = judge_one(Attempt(NO_WAY, 1, 1, tests)).finding
    assert finding.killer is not None
    assert finding.killer.endswith("test_routes.py::test_acc_to_vec")
    assert finding.tried == 0


def test_what_breaks_nothing_survives(tests: dict[str, float]) -> None:
    verdict = judge_one(Attempt(NEUTRAL, 2, 1, tests))
    assert (verdict.finding.killer, verdict.finding.tried) == (None, 2)
    assert verdict.survived


def test_without_a_mutant_it_is_recorded_which_test_executes_what(tests: dict[str, float]) -> None:
    finding = judge_one(Attempt(None, 1, 1, tests, [ROUTES])).finding
    first, second = finding.seconds
    assert all(seconds > 0 for seconds in finding.seconds.values())
    assert f"{ROUTES}:Routes.__init__" in finding.executed[BEFORE_TESTS]
    assert finding.executed[first] == [f"{ROUTES}:Routes.allows"]
    assert finding.executed[second] == []


def test_tests_that_are_named_are_run_in_their_order(tests: dict[str, float]) -> None:
    names = list(judge_one(Attempt(None, 1, 1, tests)).finding.seconds)
    again = dict.fromkeys([names[1], names[0]], 0.1)
    assert list(judge_one(Attempt(NEUTRAL, 1, 1, again)).finding.seconds) == [*again]


def test_what_runs_on_is_ended_again_and_again() -> None:
    with limited(0.01):
        for _ in range(2):
            with pytest.raises(AssertionError, match="it runs on"):
                forever()


def test_a_test_that_cannot_be_imported_kills(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text("import nothing_of_that_name")
    finding = judge_one(Attempt(None, 1, 1, {str(tmp_path): 0})).finding
    assert finding.killer is not None
    assert finding.killer.endswith("test_broken.py")


def test_no_tests_at_all_are_no_success(tmp_path: Path) -> None:
    finding = judge_one(Attempt(None, 1, 1, {str(tmp_path): 0})).finding
    assert (finding.killer, finding.message) == (str(tmp_path), "pytest ends with status 5")


def test_what_cannot_be_imported_is_killed() -> None:
    verdict = judge_one(Attempt(CRASH, 1, 1, {}))
    assert verdict.finding == Finding("import", 0, "ZeroDivisionError: division by zero")


def test_what_runs_on_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgement, "LONGEST", 0.2)
    assert judge_one(Attempt(NEUTRAL, 1_000, 1, {})).finding.killer == "time"


def test_several_at_once_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = {3: 0.05, 1: 0.0, 2: 0.02}

    def judge_one(attempt: Attempt) -> int:
        time.sleep(waiting[attempt.examples])
        return attempt.examples

    monkeypatch.setattr(judgement, "judge_one", judge_one)
    assert list(judge([Attempt(None, examples, 1, {}) for examples in waiting], jobs=3)) == [3, 1, 2]
