"""A mutant is killed by random programs or by tests, or it survives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.mutants import judgement
from tests.mutants.attempt import Attempt, Finding
from tests.mutants.judgement import judge, judge_one
from tests.mutants.mutant import Mutant
from tests.mutants.placement_moves import MOVES
from tests.mutants.placement_rules import RULES

if TYPE_CHECKING:
    from pathlib import Path

MUTANTS = {mutant.name: mutant for mutant in (*RULES, *MOVES)}
ROUTES = "pypto_lite.analysis.routes"
NEUTRAL = Mutant("neutral", ROUTES, "Whether the target has the space at all.", "Whether it has.", "Nothing.")

TEST_OF_ROUTES = """
from pypto_lite.ir import MemorySpace
from pypto_lite.analysis.routes import ANY_TARGET

def test_acc_to_vec():
    assert ANY_TARGET.allows(MemorySpace.Acc, MemorySpace.Vec)
"""


@pytest.fixture
def tests(tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "test_routes.py").write_text(TEST_OF_ROUTES)
    return (str(tmp_path / "test_routes.py"),)


@pytest.mark.parametrize("name", ["loses-a-decision", "longer-ways-in-one-move", "skips-moves-of-operands"])
def test_random_programs_kill(name: str) -> None:
    verdict = judge_one(Attempt(MUTANTS[name], 200, 1))
    assert verdict.finding.killer in {"passes_verify", "reasons_are_true"}
    assert 0 < verdict.finding.tried < 200
    assert verdict.seconds > 0


def test_tests_kill_what_random_programs_do_not(tests: tuple[str, ...]) -> None:
    finding = judge_one(Attempt(MUTANTS["no-way-from-acc-to-vec"], 1, 1, tests)).finding
    assert finding.killer is not None
    assert finding.killer.endswith("test_routes.py::test_acc_to_vec")
    assert finding.tried == 0


def test_what_breaks_nothing_survives(tests: tuple[str, ...]) -> None:
    verdict = judge_one(Attempt(NEUTRAL, 2, 1, tests))
    assert verdict.finding == Finding(None, 2)
    assert verdict.survived


def test_the_package_as_it_is_passes(tests: tuple[str, ...]) -> None:
    assert judge_one(Attempt(None, 2, 1, tests)).survived


def test_a_test_that_cannot_be_imported_kills(tmp_path: Path) -> None:
    (tmp_path / "test_broken.py").write_text("import nothing_of_that_name")
    finding = judge_one(Attempt(None, 1, 1, (str(tmp_path),))).finding
    assert finding.killer is not None
    assert finding.killer.endswith("test_broken.py")


def test_no_tests_at_all_are_no_success(tmp_path: Path) -> None:
    assert judge_one(Attempt(None, 1, 1, (str(tmp_path),))).finding.killer == "pytest, with status 5"


def test_what_cannot_be_imported_is_killed() -> None:
    verdict = judge_one(Attempt(NEUTRAL._replace(before="ANY_TARGET: Final = Routes(None)", after="1 / 0"), 1, 1))
    assert verdict.finding == Finding("import", 0, "ZeroDivisionError: division by zero")


def test_what_runs_on_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgement, "LONGEST", 0.2)
    verdict = judge_one(Attempt(NEUTRAL, 1_000, 1))
    assert verdict.finding.killer == "time"


def test_several_at_once_keep_their_order() -> None:
    attempts = [Attempt(NEUTRAL, 3, 1), Attempt(None, 1, 1), Attempt(NEUTRAL, 2, 1)]
    assert [verdict.finding.tried for verdict in judge(attempts, jobs=3)] == [3, 1, 2]
