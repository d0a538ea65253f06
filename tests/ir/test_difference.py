"""structural_diff and assert_structural_equal: all differences, where they are, and how statements are aligned."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pypto_lite import ir
from pypto_lite.ir.alignment import Shapes, align
from tests.ir.samples import BF16, FLOAT, ONE, SCALAR, TILE, TWO, function, program, var

if TYPE_CHECKING:
    from collections.abc import Callable

LOADS = 40


def unary(op: str, operand: ir.Expr, name: str = "t") -> ir.Assign:
    return ir.Assign(var(name, TILE), ir.Call(op, (operand,), {}, TILE))


def chain(*ops: str) -> list[ir.Stmt]:
    """Statements that each apply an operator to what the one before gave."""
    value: ir.Expr = ir.Call("tile.create", (), {}, TILE)
    statements: list[ir.Stmt] = [ir.Assign(var("t", TILE), value)]
    for op in ops:
        before = statements[-1]
        assert isinstance(before, ir.Assign)
        statements.append(unary(op, before.var))
    return statements


def paths(first: ir.Node, second: ir.Node) -> list[str]:
    return [difference.path for difference in ir.structural_diff(first, second)]


def test_equal_programs_pass() -> None:
    assert ir.assert_structural_equal(program(*chain("a", "b")), program(*chain("a", "b"))) is None


def test_the_message_lists_every_difference_with_its_path_and_both_lines() -> None:
    first = program(*chain("tile.exp", "tile.log", "tile.abs"))
    second = program(*chain("tile.exp", "tile.sqrt", "tile.neg"))
    with pytest.raises(AssertionError) as caught:
        ir.assert_structural_equal(first, second)
    message = str(caught.value)
    assert "2 differences" in message
    assert "functions['kernel'].body.statements[2].value.op: 'tile.log' is not 'tile.sqrt'" in message
    assert "- t: Tile[[16, 128], BF16] = tile.abs(t)" in message
    assert "+ t: Tile[[16, 128], BF16] = tile.neg(t)" in message


def test_one_difference_is_called_one() -> None:
    with pytest.raises(AssertionError, match="1 difference "):
        ir.assert_structural_equal(ir.Return((ONE,)), ir.Return((TWO,)))


def test_an_argument_has_its_place_in_the_path() -> None:
    a, b = var("a", TILE), var("b", TILE)
    first = program(a_call := ir.Evaluate(ir.Call("tile.add", (a, b), {}, TILE)), ir.Return((a,)))
    second = program(ir.Evaluate(a_call.value.replace(args=(a, a))), ir.Return((a,)))
    assert paths(first, second) == ["functions['kernel'].body.statements[0].value.args[1]"]


def test_another_variable_is_explained() -> None:
    a, b = var("a"), var("b")
    (difference,) = ir.structural_diff(ir.Return((a, b, a)), ir.Return((a, b, b)))
    assert difference.path == "values[2]"
    assert "a on the left stands for a on the right" in str(difference)
    assert "b on the right stands for b on the left" in str(difference)


def test_an_inserted_statement_is_one_difference() -> None:
    statements = chain(*["tile.exp"] * LOADS)
    extra = unary("tile.log", ir.Call("tile.create", (), {}, TILE))
    first, second = program(*statements), program(*statements[:10], extra, *statements[10:])
    (difference,) = ir.structural_diff(first, second)
    assert (difference.path, difference.left) == ("functions['kernel'].body.statements[10]", None)
    assert difference.right == repr(extra)


def test_a_deleted_statement_is_one_difference() -> None:
    statements = chain("tile.exp", "tile.log")
    unused = unary("tile.neg", ir.Call("tile.create", (), {}, TILE))
    first, second = program(statements[0], unused, *statements[1:]), program(*statements)
    (difference,) = ir.structural_diff(first, second)
    assert (difference.path, difference.right) == ("functions['kernel'].body.statements[1]", None)


def test_behind_an_insertion_both_paths_are_told() -> None:
    extra = ir.Evaluate(ONE)
    first = program(ir.Return((ONE,)))
    second = program(extra, ir.Return((TWO,)))
    changed = ir.structural_diff(first, second)[1]
    assert changed.left_path == "functions['kernel'].body.statements[0].values[0].value"
    assert changed.right_path == "functions['kernel'].body.statements[1].values[0].value"
    assert "on the right functions['kernel'].body.statements[1]" in str(changed)


def test_an_inserted_move_changes_the_operand_that_reads_it() -> None:
    load, use = chain("tile.exp")
    assert isinstance(load, ir.Assign)
    moved = ir.TileType([16, 128], BF16, ir.MemorySpace.Left)
    move = ir.Assign(var("t_Left", moved), ir.Call("tile.move", (load.var,), {}, moved))
    after = unary("tile.exp", move.var)
    found = ir.structural_diff(program(load, use), program(load, move, after))
    assert [(each.path, each.left) for each in found] == [
        ("functions['kernel'].body.statements[1]", None),
        ("functions['kernel'].body.statements[1].value.args[0]", "t"),
    ]


def test_a_change_inside_a_loop_is_found_inside_it() -> None:
    def looped(op: str) -> ir.Program:
        body = ir.Block((*chain("tile.exp", op), ir.Break()))
        loop = ir.For(ir.ForKind.Sequential, var("i"), ONE, TWO, ONE, (), (), body, ())
        return program(ir.Evaluate(ONE), loop, ir.Evaluate(TWO))

    assert paths(looped("tile.log"), looped("tile.neg")) == [
        "functions['kernel'].body.statements[1].body.statements[2].value.op"
    ]


def test_a_changed_type_is_told_where_the_variable_is_defined_only() -> None:
    def made(type_: ir.Type) -> ir.Program:
        a = var("a", type_)
        return program(ir.Assign(a, ONE), ir.Return((a, a)))

    assert paths(made(SCALAR), made(FLOAT)) == ["functions['kernel'].body.statements[0].var.type.dtype"]


def test_all_fields_that_differ_are_told() -> None:
    first = function("f", ir.Break(), attrs={"a": 1, "b": 2})
    second = function("f", ir.Continue(), type=ir.FunctionType.AIV, attrs={"a": 2, "c": 3})
    assert paths(first, second) == ["type", "body.statements[0]", "attrs['a']", "attrs['b']", "attrs['c']"]


def test_another_class_is_told_as_a_whole() -> None:
    (difference,) = ir.structural_diff(ir.Return((ONE,)), ir.Break())
    assert (difference.path, difference.left, difference.right) == ("", "return 1", "break")
    assert "the root" in str(difference)


# Alignment


def aligned(before: list[ir.Stmt], after: list[ir.Stmt]) -> list[tuple[int | None, int | None]]:
    return align(before, after, Shapes())


def test_alignment_pairs_what_is_equal_around_a_move_of_statements() -> None:
    one, two, three = (ir.Evaluate(ir.index_const(value)) for value in (1, 2, 3))
    assert aligned([one, two, three], [three, one, two]) == [(None, 0), (0, 1), (1, 2), (2, None)]


def test_alignment_pairs_changed_statements_of_one_kind() -> None:
    before = chain("tile.exp", "tile.log")
    changed = unary("tile.log", ir.Call("tile.create", (), {}, TILE))
    inserted = ir.Evaluate(ONE)
    assert aligned(before, [*before[:2], inserted, changed]) == [(0, 0), (1, 1), (None, 2), (2, 3)]


def test_alignment_of_repeated_statements_keeps_both_ends() -> None:
    same = [ir.Break() for _ in range(6)]
    assert aligned(same[:4], same) == [(0, 0), (1, 1), (2, 2), (3, 3), (None, 4), (None, 5)]


numbers = st.lists(st.integers(0, 5), max_size=30)


@given(numbers, numbers)
def test_alignment_is_complete_and_in_order(before: list[int], after: list[int]) -> None:
    pairs = aligned(
        [ir.Evaluate(ir.index_const(value)) for value in before],
        [ir.Evaluate(ir.index_const(value)) for value in after],
    )
    assert [first for first, _ in pairs if first is not None] == list(range(len(before)))
    assert [second for _, second in pairs if second is not None] == list(range(len(after)))


@given(numbers, numbers)
def test_there_is_a_difference_exactly_where_lists_differ(before: list[int], after: list[int]) -> None:
    first, second = (ir.Block(tuple([ir.Evaluate(ir.index_const(n)) for n in each])) for each in (before, after))
    assert bool(ir.structural_diff(first, second)) is (before != after)


def calls_of(action: Callable[[], object]) -> int:
    """How many Python functions an action calls."""
    count = 0

    def count_calls(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(count_calls)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


def edited(length: int) -> tuple[ir.Program, ir.Program]:
    ops = [f"tile.op{index}" for index in range(length)]
    return program(*chain(*ops)), program(*chain(*ops[: length // 2], "tile.new", *ops[length // 2 + 1 :]))


@pytest.mark.parametrize("compare", [ir.structural_equal, ir.structural_diff])
def test_the_cost_grows_linearly(compare: Callable[[ir.Node, ir.Node], object]) -> None:
    small, large = edited(200), edited(800)
    assert calls_of(lambda: compare(*large)) < 5 * calls_of(lambda: compare(*small))
