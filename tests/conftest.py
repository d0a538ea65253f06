"""What tests of several rooms share: running the command in this process, and getting the facts of a text."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import settings

from pypto_lite.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable


# The suite draws the same examples on every run; `--hypothesis-profile=default` draws new ones.
settings.register_profile("repeatable", derandomize=True, database=None)
settings.load_profile("repeatable")


class Outcome(NamedTuple):
    """How a run of the command ended."""

    status: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON objects that it printed, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Runs ``pypto-lite`` with these arguments, and ``stdin`` as its input."""

    def run(*arguments: object, stdin: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capsys.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as error:  # how argparse reports wrong usage
            status = error.code if isinstance(error.code, int) else 1
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


@pytest.fixture
def lower_text(run_command: Callable[..., Outcome]) -> Callable[[str, str | None], dict[str, Any]]:
    """The facts of the program in a text, lowered for a target, as ``pypto-lite lower --format json`` tells them."""

    def lower(text: str, target: str | None) -> dict[str, Any]:
        outcome = run_command("lower", "-", "--format", "json", "--target", target or "none", stdin=text)
        (found,) = outcome.objects
        return found

    return lower
