"""``python -m tests.mutants``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.mutants import __main__ as command
from tests.mutants.mutant import Mutant

if TYPE_CHECKING:
    from pathlib import Path

NEUTRAL = Mutant("neutral", "pypto_lite.analysis.routes", "Whether the target", "Whether it", "It breaks nothing.")


@pytest.fixture
def passing(tmp_path: Path) -> str:
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert 1 == 1\n")
    return str(tmp_path)


def test_a_mutant_that_is_killed(capsys: pytest.CaptureFixture[str], passing: str) -> None:
    assert command.main(["loses-a-decision", "--examples", "40", "--tests", passing]) == 0
    before, line, score = capsys.readouterr().out.splitlines()
    assert before.startswith("without a mutant 40 programs and 1 files of tests pass in ")
    assert line.startswith("loses-a-decision: killed by reasons_are_true, ")
    assert score.startswith("placement: 1 of 1 mutants killed (100.0 %), 0 by tests and 1 by random programs, in ")


def test_a_mutant_that_survives(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "MUTANTS", {"neutral": NEUTRAL})
    monkeypatch.setattr(command, "PLANTED", (NEUTRAL,))
    assert command.main(["neutral", "--examples", "2"]) == 1
    out = capsys.readouterr().out
    assert "neutral: SURVIVED (It breaks nothing.), 2 programs, " in out
    assert "planted in each pass: 0 of 1 mutants killed (0.0 %)" in out


def test_tests_that_fail_anyway_tell_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert 1 == 2\n")
    assert command.main(["loses-a-decision", "--examples", "1", "--tests", str(tmp_path)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "test_it.py::test_it fails: " in captured.err


def test_a_name_that_no_mutant_has(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as status:
        command.main(["loses-a-decisoin"])
    assert status.value.code == 2
    assert "did you mean 'loses-a-decision'?" in capsys.readouterr().err
