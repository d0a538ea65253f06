"""``pypto-lite fuzz --mutants``: the checkout in the working directory runs its mutants; there are none elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]

MAIN = """
import pathlib, sys
pathlib.Path("arguments").write_text(" ".join(sys.argv[1:]))
sys.exit(3)
"""


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """What stands for a checkout: its mutants write down what they are told."""
    (tmp_path / "tests" / "mutants").mkdir(parents=True)
    (tmp_path / "tests" / "mutants" / "__main__.py").write_text(MAIN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("arguments", [(), ("--help",), ("name", "--seed", "1", "--tests", "a", "b")])
def test_a_checkout_runs_its_mutants(run_command: Run, checkout: Path, arguments: tuple[str, ...]) -> None:
    assert run_command("fuzz", "--mutants", *arguments).status == 3
    assert (checkout / "arguments").read_text() == " ".join(arguments)


def test_elsewhere_there_are_no_mutants(run_command: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = run_command("fuzz", "--mutants", "--seed", "1")
    assert outcome.status == 2
    assert "--mutants needs a checkout of pypto_lite as the working directory" in outcome.err


@pytest.mark.parametrize("options", [("--examples", "4"), ("--seed", "1"), ("--minutes", "1"), ("--jobs", "2")])
def test_options_of_mutants_follow_them(run_command: Run, checkout: Path, options: tuple[str, ...]) -> None:
    outcome = run_command("fuzz", *options, "--mutants")
    assert outcome.status == 2
    assert "--mutants comes first" in outcome.err
    assert [path.name for path in checkout.iterdir()] == ["tests"]
