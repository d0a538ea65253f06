"""What is printed reads back as the same program, before and after every pass, with and without annotations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pypto_lite.language as pl
from pypto_lite import ir, passes, printer
from pypto_lite.ir.equality import COMPARED, TYPES
from tests.ir.random_ir import random_program
from tests.printer.kernels import FOUR, ONE, assign, block, function, less, loop, placed_matmul, plus, program, var
from tests.printer.universe import PROGRAMS

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "placement" / "visible.jsonl").read_text().splitlines()
]


def check_round_trip(node: ir.Program | ir.Function) -> None:
    """The node prints, reads back and prints again as the same, with and without annotations."""
    for concise in (False, True):
        text = printer.python_print(node, concise=concise)
        again = pl.parse(text)
        ir.assert_structural_equal(node, again)
        assert printer.python_print(again, concise=concise) == text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_kernels(case: dict[str, str]) -> None:
    check_round_trip(pl.parse(case["source"]))


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_form_of_ir(name: str) -> None:
    check_round_trip(PROGRAMS[name])


def test_the_forms_hold_every_class_of_node_and_type() -> None:
    found: set[type] = set()
    for each in PROGRAMS.values():
        for node in ir.walk(each):
            found.add(type(node))
            if isinstance(node, ir.Expr):
                found |= {
                    type(node.type),
                    *map(type, [getattr(node.type, "view", None), getattr(node.type, "memref", None)]),
                }
    # Reading puts a program into SSA form, where nothing leaves a loop early; a pointer is of no printed type.
    without = {ir.Break, ir.Continue, ir.PtrType, ir.UnknownType}
    assert {*COMPARED, *TYPES} - found - without == set()


def test_the_matmul_of_the_specification() -> None:
    check_round_trip(placed_matmul())


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9))
def test_random_programs(seed: int) -> None:
    check_round_trip(random_program(seed))


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**9))
def test_random_programs_after_every_pass(seed: int) -> None:
    current = random_program(seed, functions=1)
    for each in passes.default_pipeline(None).passes:
        current = each(current)
        check_round_trip(current)


@pytest.mark.parametrize("case", CASES[::8], ids=lambda case: case["id"])
def test_kernels_after_every_pass(case: dict[str, str]) -> None:
    current: ir.Program = pl.parse(case["source"])
    for each in passes.default_pipeline(case["target"]).passes:
        current = each(current)
        check_round_trip(current)


# Large programs


def test_sixty_nested_loops() -> None:
    body = block(assign("y", ONE))
    for _ in range(60):
        body = block(loop(var("i"), body))
    check_round_trip(program(function(*body.statements)))


def test_ten_thousand_statements() -> None:
    statements = [assign("y", plus(ONE, FOUR)) for _ in range(10_000)]
    check_round_trip(program(function(*statements)))


def test_three_hundred_functions() -> None:
    check_round_trip(program(*[function(assign("y", ONE), name=f"kernel{number}") for number in range(300)]))


def test_a_long_chain_of_branches() -> None:
    chain = ir.If(less(ONE, FOUR), block(assign("y", ONE)), None, ())
    for _ in range(80):
        chain = ir.If(less(ONE, FOUR), block(assign("y", ONE)), block(chain), ())
    check_round_trip(program(function(chain)))


def test_an_expression_of_sixty_levels() -> None:
    value: ir.Expr = var("n")
    kept = value
    for _ in range(60):
        value = plus(ONE, value)
    assert isinstance(kept, ir.Var)
    check_round_trip(program(function(assign("y", value), params=((kept, ir.ParamDirection.In),))))
