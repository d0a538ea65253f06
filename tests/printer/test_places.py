"""The map from node to line and column of the printed text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pypto_lite import ir, printer
from pypto_lite.ir import walk
from tests.ir.random_ir import random_program
from tests.printer.kernels import ONE, assign, block, less, loop, placed_matmul, var


def at(printed: printer.Printed, node: ir.Node) -> str:
    """What stands from the place of a node on."""
    line, column = printed.places[node]
    return printed.text.splitlines()[line - 1][column - 1 :]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_collecting_places_does_not_change_the_text(seed: int, concise: bool) -> None:
    program = random_program(seed)
    assert printer.python_print_with_places(program, concise).text == printer.python_print(program, concise)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_every_statement_and_expression_has_a_place(seed: int) -> None:
    program = random_program(seed)
    printed = printer.python_print_with_places(program)
    left_out = {node.args[3] for node in walk(program) if isinstance(node, ir.Call) and node.op == "tile.load"}
    wanted = [node for node in walk(program) if not isinstance(node, (ir.Block, ir.Const)) and node not in left_out]
    assert [node for node in wanted if node not in printed.places] == []


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_a_variable_stands_where_its_name_is(seed: int) -> None:
    program = random_program(seed, functions=1)
    printed = printer.python_print_with_places(program)
    for function in program.functions.values():
        for variable, name in printer.names(function).items():
            assert at(printed, variable).startswith(name)


def test_places_in_the_matmul_of_the_specification() -> None:
    program = placed_matmul()
    (function,) = program.functions.values()
    printed = printer.python_print_with_places(program)
    move, matmul = function.body.statements[2], function.body.statements[4]
    assert isinstance(move, ir.Assign)
    assert isinstance(matmul, ir.Assign)
    assert isinstance(matmul.value, ir.Call)
    assert at(printed, program) == "class After:"
    assert at(printed, function).startswith("main_incore_0(")
    assert at(printed, move).startswith("x_tile_Left: ")
    assert at(printed, move.value) == "pl.move("
    assert at(printed, matmul.value) == "pl.matmul("
    assert printed.places[move.var] == printed.places[move]


@pytest.mark.parametrize("long", [False, True])
def test_operands_are_found_in_split_lines_too(long: bool) -> None:
    names = [f"{'operand' * 5 if long else 'a'}{index}" for index in range(4)]
    variables = [var(name) for name in names]
    value: ir.Expr = variables[0]
    for each in variables[1:]:
        value = ir.Binary("*", value, ir.Binary("-", each, ONE, ONE.type), ONE.type)
    printed = printer.python_print_with_places(assign("x", value))
    assert (len(printed.text.splitlines()) > 1) is long
    assert [at(printed, each).startswith(each.name) for each in variables] == [True] * 4
    last = value.rhs if isinstance(value, ir.Binary) else value
    assert at(printed, last).startswith(f"{names[-1]} - 1")


def test_headers_and_arms_have_places() -> None:
    inner = ir.If(less(ONE, var("b")), block(ir.Break()), None, ())
    outer = ir.If(less(ONE, var("a")), block(ir.Continue()), block(inner), ())
    counted = loop(var("i"), block(outer))
    printed = printer.python_print_with_places(counted)
    assert [at(printed, each) for each in (counted, outer, inner)] == [
        "for i in pl.range(4):",
        "if 1 < a:",
        "elif 1 < b:",
    ]
