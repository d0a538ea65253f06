"""The benchmarks run: every family gives programs that lower, and the command tells what it measured."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import pypto_lite.language as pl
from benchmarks import built, memory, processes
from benchmarks.__main__ import main
from benchmarks.families import FAMILIES, straight
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


def rows(printed: str) -> list[list[str]]:
    """The cells of a printed table, without its head."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in printed.splitlines() if "|" in line][2:]


def test_whole_processes_take_longer_the_more_they_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert processes.main(["--runs", "1", "--programs", "3", "--names", "20"]) == 0
    table = rows(capsys.readouterr().out)
    alone, *others = [float(processor) for _, processor, _ in table]
    assert [name for name, _, _ in table][-2:] == ["3 programs in 76 lines", "a kernel that closes over 20 names"]
    assert all(each > alone > 0 for each in others)


def test_memory_of_each_step_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert memory.main(["--sizes", "100", "200"]) == 0
    table = rows(capsys.readouterr().out)
    assert [step for step, *_ in table] == ["ast.parse alone", "text to IR", "pipeline, verified"]
    for _, *cells in table:
        for kept, peak in (cell.replace(",", "").split(" / ") for cell in cells):
            assert 0 < int(kept) <= int(peak)


def test_what_is_built_is_what_the_text_says() -> None:
    ir.assert_structural_equal(built.program(50), pl.parse(straight(50)))


def test_what_is_built_is_lowered(capsys: pytest.CaptureFixture[str]) -> None:
    assert built.main(["--sizes", "50", "100"]) == 0
    assert [size for size, *_ in rows(capsys.readouterr().out)] == ["50", "100"]
