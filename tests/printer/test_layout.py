"""Long lines are split as black splits them, shown by lines that black itself has split at 100 columns."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pypto_lite.printer.known_splits import KnownSplits
from pypto_lite.printer.layout import split_line
from pypto_lite.printer.line import LINE_LENGTH
from pypto_lite.printer.output import Output

DATA = Path(__file__).parents[1] / "data" / "printer" / "black_lines.jsonl"
CASES = [json.loads(line) for line in DATA.read_text().splitlines()]


def split(text: str, depth: int = 0) -> list[str]:
    return [line.text(hug=True) for line in split_line(text, depth)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["line"][:40])
def test_a_line_is_split_as_black_splits_it(case: dict[str, Any]) -> None:
    assert split(case["line"], case["depth"]) == case["black"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["line"][:40])
def test_the_quick_way_for_calls_gives_the_same(case: dict[str, Any]) -> None:
    text: str = case["line"]
    head, found, rest = text.partition("(")
    if not found or not text.endswith(")") or any(sign in text for sign in ("(", "[", "{") if rest.count(sign)):
        head, arguments = text, []
    else:
        arguments = rest[:-1].split(", ")
    output = Output()
    if arguments:
        output.call(f"{head}(", arguments, case["depth"])
    else:
        output.line(text, case["depth"])
    assert output.lines == case["black"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["line"][:40])
def test_a_line_is_split_like_one_with_other_digits(case: dict[str, Any]) -> None:
    splits = KnownSplits()
    splits.lines(re.sub(r"\d", "7", case["line"]), case["depth"])
    assert splits.lines(case["line"], case["depth"]) == case["black"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["line"][:40])
def test_a_line_beyond_the_last_column_is_split_the_same_at_any_depth(case: dict[str, Any]) -> None:
    splits = KnownSplits()
    for depth in (25, 26, 27, 40):
        assert splits.lines(case["line"], depth) == split(case["line"], depth)


VIEW = "pl.TileView(valid_shape=[8, 128], blayout=pl.TileLayout.col_major)"
TARGETS = (
    "",
    "x = ",
    "x, y = ",
    "x: pl.Tile[[16, 128], pl.BF16, pl.MemorySpace.Left] = ",
    f"x: pl.Tile[[16, 128], pl.BF16, {VIEW}] = ",
    f"x: pl.Tile[[16, 128], pl.BF16, pl.MemorySpace.Vec, {VIEW}, {VIEW}] = ",
)


@pytest.mark.parametrize("count", range(12))
@pytest.mark.parametrize("length", [5, 20, 90])
@pytest.mark.parametrize("target", TARGETS)
def test_the_quick_way_for_calls_is_that_of_any_line(target: str, length: int, count: int) -> None:
    arguments = [f"{'v' * length}{number}" for number in range(count)]
    for depth in range(12):
        quick, general = Output(), Output()
        quick.call(f"{target}pl.move(", arguments, depth)
        general.line(f"{target}pl.move({', '.join(arguments)})", depth)
        assert quick.lines == general.lines


@given(st.integers(60, 90), st.integers(0, 12), st.booleans())
def test_the_quick_way_decides_the_same_at_the_margin(length: int, argument: int, nested: bool) -> None:
    value = f"[{'v' * argument}]" if nested else "v" * argument
    head = f"{'x' * (length - 40)}: pl.Tile[[16, 128], pl.BF16, pl.MemorySpace.Left] = pl.move("
    quick, general = Output(), Output()
    quick.call(head, [value] if value else [], 1)
    general.line(f"{head}{value})", 1)
    assert quick.lines == general.lines


@pytest.mark.parametrize("count", range(8))
@pytest.mark.parametrize("length", [3, 40, 80])
@pytest.mark.parametrize("returned", ["", "pl.Scalar[pl.INDEX]", f"pl.Tile[[16, 128], pl.BF16, {VIEW}, {VIEW}]"])
def test_the_quick_way_for_signatures_is_that_of_any_line(returned: str, length: int, count: int) -> None:
    parameters = ["self", *[f"{'p' * length}{number}: pl.Tensor[[16], pl.FP32]" for number in range(count)]]
    tail = f") -> {returned}:" if returned else "):"
    quick, general = Output(), Output()
    quick.definition("def kernel(", parameters, tail, 1)
    general.line(f"def kernel({', '.join(parameters)}{tail}", 1)
    assert quick.lines == general.lines


def test_a_line_that_fits_stays() -> None:
    text = "x" * LINE_LENGTH
    assert split(text) == [text]


def test_wide_characters_take_two_columns() -> None:
    text = f"pl.store({'値' * 30}, {'値' * 30})"
    assert len(text) < LINE_LENGTH
    assert split(text) == ["pl.store(", f"    {'値' * 30},", f"    {'値' * 30},", ")"]


def test_brackets_deeper_than_the_limit_are_left_alone() -> None:
    text = f"x = {'(' * 300}a + b{')' * 300}"
    assert split(text) == [text]


def test_a_long_sum_is_split_at_its_operators() -> None:
    lines = split("x = " + " + ".join(["term"] * 2000))
    assert lines[0] == "x = ("
    assert lines[1:4] == ["    term", "    + term", "    + term"]
    assert len(lines) == 2002
