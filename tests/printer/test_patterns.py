"""Assignments of calls that look alike are put together once, and read as if each had been written by itself."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import Any

import pytest

from pypto_lite import ir, ops, printer
from tests.printer.kernels import ONE, SCALAR, TENSOR, assign, block, load, loop, plus, var

TILE = ir.TileType((16, 128), ir.DTYPES["BF16"])


def lines(*statements: ir.Stmt) -> list[str]:
    """The lines of the statements, which are those without patterns: where places are collected there are none."""
    text = printer.python_print(block(*statements))
    assert text == printer.python_print_with_places(block(*statements)).text
    return text.splitlines()


def called(*args: ir.Expr, **keywords: Any) -> ir.Assign:
    return assign("x", ir.Call("odd.operator", args, keywords, SCALAR))


def test_names_go_into_one_pattern() -> None:
    tiles = [var(name, TILE) for name in ("a", "b", "c")]
    calls = [assign("sum", ops.call("tile.add", pair)) for pair in pairwise(tiles)]
    assert [line.rpartition(" = ")[2] for line in lines(*calls)] == ["pl.add(a, b)", "pl.add(b, c)"]


@pytest.mark.parametrize("pair", [(1, True), (0, 0.0), (0.0, -0.0), (2, 2.0), ("%s", "%d"), ([1], [2]), ((1,), (1.0,))])
def test_keywords_that_are_equal_but_written_differently_keep_their_texts(pair: tuple[Any, Any]) -> None:
    first, second = pair
    texts = [line.rpartition(" = ")[2] for line in lines(called(key=first), called(key=second), called(key=first))]
    assert texts[0] == texts[2] != texts[1]


@pytest.mark.parametrize("pair", [(0.0, -0.0), (1.0, 2.0)])
def test_so_do_constants(pair: tuple[float, float]) -> None:
    constants = [ir.const(value) for value in pair]
    lists = [ir.MakeTuple((each,), ir.TupleType([each.type])) for each in constants]
    assert len({line.rpartition(" = ")[2] for line in lines(*map(called, constants))}) == 2
    assert len({line.rpartition(" = ")[2] for line in lines(*map(called, lists))}) == 2


def test_attributes_keep_their_texts() -> None:
    marked = ir.Call("odd.operator", (), {}, SCALAR, {"mark": 1})
    assert ["attrs" in line for line in lines(called(), assign("x", marked), called())] == [False, True, False]


def test_lists_with_variables_go_in_as_a_whole() -> None:
    tensor, i, j = var("x", TENSOR), var("i"), var("j")
    shape = ir.make_tuple([16, 128])
    offsets = [ir.make_tuple([first, second]) for first, second in ((i, 0), (plus(j, ONE), 0), (j, 0))]
    loads = [assign("t", ops.call("tile.load", (tensor, each, shape, shape))) for each in offsets]
    assert [line.partition("(x, ")[2].partition(", [16")[0] for line in lines(*loads)] == [
        "[i, 0]", "[j + 1, 0]", "[j, 0]",
    ]  # fmt: skip


def test_a_power_in_a_list_is_written_as_black_writes_it() -> None:
    tensor, i, j = var("x", TENSOR), var("i"), var("j")
    shape = ir.make_tuple([16, 128])
    for extent in (i, ir.Binary("**", i, j, SCALAR)):
        lines(assign("t", ops.call("tile.load", (tensor, ir.make_tuple([extent, 0]), shape, shape))))


@pytest.mark.parametrize("hint", ["t", "tile_with_a_name_that_is_so_long_that_its_line_is_split", "値", "t" * 80])
def test_a_line_is_split_for_the_lengths_of_its_names(hint: str) -> None:
    tensor = var("x", TENSOR)
    assert len(lines(assign("t", load(tensor)), assign(hint, load(tensor)), assign("t", load(tensor)))) >= 3


def calls_for_nested_loops(count: int) -> int:
    """How many function calls printing takes for loops in each other, each with a tile that it carries."""
    tile = var("t", TILE)
    body, result = block(ir.Yield((tile,))), tile
    for _ in range(count):
        carry, result = var("t", TILE), var("t", TILE)
        statement = assign("t", ops.call("tile.exp", (carry,)))
        body = block(statement, loop(var("i"), body, (statement.var, carry, result)), ir.Yield((result,)))
    calls = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(note)
    try:
        printer.python_print(body)
    finally:
        sys.setprofile(None)
    return calls


def test_loops_that_stand_beyond_the_last_column_are_split_once() -> None:
    assert calls_for_nested_loops(100) - calls_for_nested_loops(60) < 40 * 500
