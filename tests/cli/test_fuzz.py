"""``pypto-lite fuzz``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from pypto_lite import passes
from pypto_lite.cli import main as command_line
from pypto_lite.testing import campaign, properties
from tests.testing.test_properties import SWAPPED, change

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]


def test_nothing_is_found(run_command: Run) -> None:
    outcome = run_command("fuzz", "--examples", "5", "--seed", "2")
    assert outcome.status == 0
    assert outcome.out == ""
    assert outcome.err.startswith("5 programs in 0:")
    assert outcome.err.endswith("a second\nnothing found; --seed 2 draws the same programs again\n")


def test_a_seed_is_told(run_command: Run) -> None:
    outcome = run_command("fuzz", "--examples", "1")
    first = outcome.err.splitlines()[0]
    assert first.startswith("--seed ")
    assert outcome.err.endswith(f"{first} draws the same programs again\n")


def test_processes_share_the_work(run_command: Run) -> None:
    outcome = run_command("fuzz", "--examples", "4", "--minutes", "5", "--seed", "2", "--jobs", "2")
    assert outcome.status == 0
    assert "4 programs in " in outcome.err


def test_a_fault_becomes_a_test(run_command: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    change(monkeypatch, passes.FlattenCalls, SWAPPED)
    monkeypatch.setattr(campaign, "PROPERTIES", {"passes_keep_numbers": properties.passes_keep_numbers})
    monkeypatch.chdir(tmp_path)
    outcome = run_command("fuzz", "--seed", "4", "--examples", "2000")
    assert outcome.status == 1
    (file,) = tmp_path.iterdir()
    assert outcome.err.endswith(f"pytest {file.name} fails in the same way\n")
    text = file.read_text()
    assert "pl.sub(" in text
    assert "Found by: pypto-lite fuzz --seed 4" in text
    namespace: dict[str, Any] = {}
    exec(compile(text, str(file), "exec"), namespace)
    (test,) = [value for name, value in namespace.items() if name.startswith("test_")]
    with pytest.raises(AssertionError):
        test()
    monkeypatch.undo()
    test()


@pytest.mark.parametrize(
    "arguments",
    [("--examples", "0"), ("--examples", "many"), ("--minutes", "-1"), ("--minutes", "inf"), ("--jobs", "0"),
     ("--seed", "x")],
)  # fmt: skip
def test_wrong_numbers(run_command: Run, arguments: tuple[str, str]) -> None:
    outcome = run_command("fuzz", *arguments)
    assert outcome.status == 2
    assert arguments[1] in outcome.err


def test_without_hypothesis(run_command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[command_line.__module__], "find_spec", lambda _name: None)
    outcome = run_command("fuzz")
    assert outcome.status == 2
    assert "hypothesis, which is not installed: pip install 'pypto-lite[test]'" in outcome.err
