"""The benchmarks run: every family gives programs that lower, and the command tells what it measured."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import pypto_lite.language as pl
from benchmarks.__main__ import main
from benchmarks.families import FAMILIES
from benchmarks.steps import STEPS
from pypto_lite import ir

if TYPE_CHECKING:
    from pathlib import Path


def statements(text: str) -> int:
    return sum(isinstance(node, ir.Stmt) for node in ir.walk(pl.parse(text)))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_grows_as_it_is_told_and_lowers(family: str) -> None:
    small, large = FAMILIES[family](400), FAMILIES[family](1200)
    assert statements(large) > 2.5 * statements(small)
    assert pl.parse(small).lower().decisions


def test_the_command_prints_a_table_and_writes_what_it_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "times.json"
    assert main(["--families", "straight", "--sizes", "50", "100", "--runs", "1", "--json", str(file)]) == 0
    rows = [line.split(" | ")[0].strip("| ") for line in capsys.readouterr().out.splitlines()]
    assert rows[1:] == ["step", "---|---|---", *STEPS]
    timings = json.loads(file.read_text("utf-8"))["timings"]
    assert [(each["statements"], each["step"]) for each in timings] == [
        (size, step) for size in (50, 100) for step in STEPS
    ]
    assert all(each["microseconds"] > 0 and each["ratio"] > 0 for each in timings)
