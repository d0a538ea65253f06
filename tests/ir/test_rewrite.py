"""rewrite and substitution: what changes, what stays the same object, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pypto_lite import ir
from pypto_lite.ir import dims
from tests.ir.random_ir import random_program
from tests.ir.samples import BF16, FP32, ONE, SCALAR, TWO, function, program, var

if TYPE_CHECKING:
    from collections.abc import Sequence


def plus(lhs: ir.Expr, rhs: ir.Expr) -> ir.Binary:
    return ir.Binary("+", lhs, rhs, SCALAR)


def unchanged(node: ir.Node) -> ir.Node:
    return node


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9))
def test_nothing_changes_means_the_same_object(seed: int) -> None:
    before = random_program(seed)
    assert ir.rewrite(before, {}) is before
    assert ir.rewrite(before, {ir.Const: unchanged, ir.For: unchanged}) is before


def test_what_does_not_change_is_shared() -> None:
    kept, changed = ir.Assign(var("x"), plus(ONE, ONE)), ir.Assign(var("y"), TWO)
    before = ir.Block((kept, changed))
    after = ir.rewrite(before, {ir.Const: lambda const: ONE if const is TWO else const})
    assert after is not before
    assert after.statements[0] is kept
    assert ir.structural_equal(after.statements[1], ir.Assign(var("z"), ONE))


def test_children_come_before_parents() -> None:
    seen: list[str] = []

    def note(node: ir.Node) -> ir.Node:
        seen.append(repr(node))
        return node

    ir.rewrite(ir.Assign(var("x"), plus(ONE, TWO)), dict.fromkeys((ir.Const, ir.Binary, ir.Assign), note))
    assert seen == ["1", "2", "1 + 2", "x: Scalar[INDEX] = 1 + 2"]


def test_a_rule_sees_its_children_changed() -> None:
    after = ir.rewrite(plus(plus(ONE, ONE), ONE), {ir.Binary: lambda node: node.lhs})
    assert after is ONE


def test_a_statement_can_become_several_or_none() -> None:
    first, second = ir.Assign(var("x"), ONE), ir.Assign(var("y"), TWO)

    def split(statement: ir.Assign) -> Sequence[ir.Stmt]:
        return [ir.Break(), statement, ir.Continue()] if statement is first else ()

    after = ir.rewrite(program(first, second), {ir.Assign: split})
    assert [repr(each) for each in after.functions["kernel"].body.statements] == ["break", repr(first), "continue"]


def test_functions_are_renamed_in_their_program() -> None:
    after = ir.rewrite(program(), {ir.Function: lambda each: each.replace(name="other")})
    assert list(after.functions) == ["other"]


def test_a_rule_for_a_base_class_is_for_all_that_have_no_nearer_one() -> None:
    seen: list[str] = []

    def note(node: ir.Node) -> ir.Node:
        seen.append(repr(node))
        return node

    ir.rewrite(ir.Assign(var("x"), plus(ONE, TWO)), {ir.Expr: note, ir.Const: unchanged, ir.Stmt: note})
    assert seen == ["1 + 2", "x", "x: Scalar[INDEX] = 1 + 2"]


def test_a_rule_for_programs_is_for_programs_with_methods_too() -> None:
    class Named(ir.Program):
        pass

    after = ir.rewrite(Named("P", {}), {ir.Program: lambda each: each.replace(name="Q")})
    assert (type(after), after.name) == (Named, "Q")


def forgets_to_return(node: ir.Node) -> None:
    return


@pytest.mark.parametrize(
    ("kind", "rule", "found"),
    [
        (ir.Const, forgets_to_return, "None, which cannot take the place of 1"),
        (ir.Const, lambda _: ir.Break(), "break, which cannot take the place of 1"),
        (ir.Const, lambda const: [const], r"\[1\], which cannot take the place of 1"),
        (ir.Assign, lambda each: each.value, "1, which cannot take the place of x"),
        (ir.Assign, lambda each: [each.value], r"\[1\], which cannot take the place of x"),
        (ir.Function, lambda each: each.body, "cannot take the place of Function"),
        (ir.Program, forgets_to_return, "None, which cannot take the place of Program"),
    ],
)
def test_what_a_rule_returns_must_fit_the_place(kind: type[ir.Node], rule: Any, found: str) -> None:
    with pytest.raises(TypeError, match=found) as caught:
        ir.rewrite(program(ir.Assign(var("x"), ONE)), {kind: rule})
    assert rule.__qualname__ in str(caught.value)


def test_a_body_stays_one_block() -> None:
    with pytest.raises(TypeError, match="has a body"):
        ir.rewrite(ir.If(ONE, ir.Block(()), None, ()), {ir.Block: lambda _: [ir.Break()]})


def test_depth_does_not_meet_the_recursion_limit() -> None:
    value: ir.Expr = ONE
    for _ in range(50_000):
        value = ir.Unary("-", value, SCALAR)
    after = ir.rewrite(value, {ir.Const: lambda _: TWO})
    assert sum(1 for _ in ir.walk(after)) == 50_001


# Substitution


def test_variables_are_replaced_by_expressions() -> None:
    x, y = var("x"), var("y")
    after = ir.substitute(plus(x, plus(x, y)), {x: ONE})
    assert ir.structural_equal(after, plus(ONE, plus(ONE, var("z"))))


def test_a_variable_is_not_replaced_by_a_value_where_it_is_defined() -> None:
    x, y = var("x"), var("y")
    before = function(ir.Assign(y, plus(x, ONE))).replace(params=(x,))
    with pytest.raises(TypeError, match="defines a variable"):
        ir.substitute(before, {x: ONE})
    assert ir.structural_equal(ir.substitute(before, {x: y, y: x}), before)


def test_types_that_mention_a_variable_change_everywhere() -> None:
    m, n = var("m"), var("n")
    tile = var("t", ir.TileType([16, 16], BF16, view=ir.TileView((m, 16))))
    call = ir.Call("tile.exp", (tile,), {}, tile.type)
    before = ir.Block((ir.Assign(var("u", tile.type), call), ir.Return((tile,))))
    after = ir.substitute(before, {m: n})
    found = {node.type for node in ir.walk(after) if isinstance(node, ir.Expr)}
    assert found == {ir.TileType([16, 16], BF16, view=ir.TileView((n, 16)))}
    used = {node for node in ir.walk(after) if isinstance(node, ir.Var) and node.name == "t"}
    assert len(used) == 1


def test_a_dimension_that_becomes_constant_is_an_int() -> None:
    m = var("m")
    tensor = var("x", ir.TensorType([m, 8], FP32))
    after = ir.substitute(ir.Return((tensor,)), {m: ir.index_const(4)})
    assert after.values[0].type is ir.TensorType([4, 8], FP32)


def test_what_becomes_constant_in_a_dimension_is_folded() -> None:
    m, n = var("m"), var("n")
    written = plus(ONE, ONE)
    before = ir.TensorType([dims.ceil_divide(m, 8), dims.add(m, n), plus(m, written), n], FP32)
    after = ir.Substitution({m: ir.index_const(16), n: written}).type(before)
    assert after == ir.TensorType(
        [2, plus(ir.index_const(16), written), plus(ir.index_const(16), written), written], FP32
    )


def test_a_tile_that_becomes_fully_valid_stores_no_view() -> None:
    m = var("m")
    before = ir.TileType([16, 16], BF16, ir.MemorySpace.Vec, ir.TileView((m, 16)))
    assert ir.Substitution({m: ir.index_const(16)}).type(before) is ir.TileType([16, 16], BF16, ir.MemorySpace.Vec)


def test_the_types_that_a_function_returns_change_too() -> None:
    m, n = var("m"), var("n")
    before = function("f", return_types=(ir.TensorType([m, 8], FP32), SCALAR))
    after = ir.substitute(before, {m: n})
    assert after.return_types == (ir.TensorType([n, 8], FP32), SCALAR)
    assert ir.substitute(before, {n: m}) is before


def test_keywords_of_scopes_change_too() -> None:
    x, y = var("x"), var("y")
    keywords = {"when": x, "deps": ir.make_tuple([x, 1]), "name": "n"}
    before = ir.Scope(ir.ScopeKind.At, (), keywords, None, ir.Block(()))
    expected = before.replace(keywords={"when": y, "deps": ir.make_tuple([y, 1]), "name": "n"})
    assert ir.structural_equal(
        ir.Block((ir.Return((y,)), ir.substitute(before, {x: y}))), ir.Block((ir.Return((y,)), expected))
    )


def test_values_in_the_attributes_of_a_call_change_too() -> None:
    x, y = var("x"), var("y")
    before = ir.Call("tile.exp", (ONE,), {}, x.type, {"dep": x, "mark": True})
    assert ir.substitute(before, {x: y}).attrs == {"dep": y, "mark": True}
    assert ir.substitute(before, {y: x}) is before


def test_a_variable_that_is_not_mentioned_stays_the_same_object() -> None:
    x, y = var("x"), var("y")
    before = ir.Return((x,))
    assert ir.substitute(before, {y: ONE}) is before


@pytest.mark.parametrize("kind", [ir.Const, ir.Expr])
def test_rules_for_constants_reach_those_in_lists(kind: type[ir.Node]):
    def doubled(node: ir.Expr) -> ir.Expr:
        return ir.index_const(2 * int(node.value)) if isinstance(node, ir.Const) else node

    assert ir.rewrite(ir.make_tuple([1, 2]), {kind: doubled}).integers == (2, 4)
    call = ir.Call("tile.load", (ir.make_tuple([1, 2]), ir.make_tuple([3])), {}, ir.UnknownType())
    assert [arg.integers for arg in ir.rewrite(call, {kind: doubled}).args] == [(2, 4), (6,)]


def test_constants_in_lists_are_entered():
    seen: list[ir.Const] = []
    made = ir.make_tuple([1, 2])
    call = ir.Call("tile.load", (made, made), {}, ir.UnknownType())
    ir.rewrite(call, {}, {ir.Const: seen.append})
    assert seen == [*made.elements, *made.elements]
