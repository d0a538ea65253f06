"""Constants, dimensions, structural keys, and the one-line texts of expressions and statements."""

from __future__ import annotations

import copy
import math
import pickle

import pytest

from pypto_lite import ir
from tests.ir.samples import BF16, BOOL, FP32, INDEX, INT32, NODES, ONE, SCALAR, TILE, TWO, var

A, B = var("a"), var("b")


def binary(operator: str, lhs: ir.Expr, rhs: ir.Expr) -> ir.Binary:
    return ir.Binary(operator, lhs, rhs, SCALAR)


@pytest.mark.parametrize(("value", "dtype"), [(1, INDEX), (1.5, FP32), (True, BOOL)])
def test_a_constant_has_the_type_of_a_bare_number(value: float, dtype: ir.DType) -> None:
    assert ir.const(value).type.dtype is dtype


def test_an_int_of_a_float_type_becomes_a_float() -> None:
    assert repr(ir.const(2, BF16).value) == "2.0"
    assert repr(ir.const(2, INT32).value) == "2"
    assert math.isnan(ir.const(float("nan"), BF16).value)


def test_dimensions_and_expressions() -> None:
    assert ir.expr_dim(ir.index_const(4)) == 4
    assert ir.expr_dim(A) is A
    assert not isinstance(ir.expr_dim(ir.const(1.5)), float)
    assert isinstance(ir.dim_expr(4), ir.Const)
    assert ir.dim_expr(A) is A
    made = ir.make_tuple([4, A])
    assert ir.tuple_dims(made) == (4, A)
    assert made.type == ir.TupleType([SCALAR, SCALAR])


def test_a_list_of_integers_knows_them():
    made = ir.make_tuple([4, 0])
    assert made.integers == (4, 0)
    assert made.rebuild(list(made.elements)).integers == (4, 0)
    assert copy.deepcopy(made).integers == pickle.loads(pickle.dumps(made)).integers == (4, 0)
    assert ir.make_tuple([]).integers == ()


@pytest.mark.parametrize("element", [A, binary("+", ONE, TWO), ir.const(1.0), ir.const(True)], ids=repr)
def test_a_list_with_something_else_has_no_integers(element: ir.Expr):
    assert ir.make_tuple([4, element]).integers is None


def test_what_is_worked_out_is_no_field():
    assert ir.MakeTuple.fields == ("elements", "type", "span")


def test_a_list_of_another_class_knows_its_integers():
    class Noted(ir.MakeTuple):
        note: str = ""

    made = ir.make_tuple([4, 8])
    assert Noted(made.elements, made.type, note="of mine").integers == (4, 8)


def test_constants_of_another_class_are_more_than_integers():
    class Marked(ir.Const):
        pass

    assert ir.make_tuple([Marked(3, SCALAR)]).integers is None


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        (binary("+", A, ONE), binary("+", A, ir.index_const(1)), True),
        (binary("+", A, ONE), binary("+", B, ONE), False),
        (binary("+", A, ONE), binary("-", A, ONE), False),
        (binary("+", A, ONE), binary("+", ONE, A), False),
        (A, var("a"), False),
        (ir.const(0.0), ir.const(-0.0), False),
        (ir.const(float("nan")), ir.const(float("nan")), True),
        (ONE, ir.const(1, INT32), False),
        (ir.Unary("-", A, SCALAR), ir.Unary("~", A, SCALAR), False),
        (ir.Cast(A, ir.ScalarType(INT32)), ir.Cast(A, ir.ScalarType(BF16)), False),
        (ir.Select(A, B, ONE, SCALAR), ir.Select(A, B, ir.index_const(1), SCALAR), True),
        (ir.Select(A, B, ONE, SCALAR), ir.Select(B, A, ONE, SCALAR), False),
    ],
)
def test_structural_keys(first: ir.Expr, second: ir.Expr, same: bool) -> None:
    assert (first.structure() == second.structure()) is same


def test_a_call_is_the_same_as_itself_only():
    first, second = (ir.Call("tile.exp", (), {}, TILE) for _ in range(2))
    assert first.structure() == first.structure()
    assert first.structure() != second.structure()


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (binary("+", binary("*", A, TWO), ONE), "(a * 2) + 1"),
        (binary("min", A, binary("+", B, ONE)), "min(a, b + 1)"),
        (ir.Unary("not", A, SCALAR), "not a"),
        (ir.Unary("-", binary("+", A, B), SCALAR), "-(a + b)"),
        (ir.Unary("abs", A, SCALAR), "abs(a)"),
        (ir.Cast(A, ir.ScalarType(INT32)), "cast(a, INT32)"),
        (ir.Select(A, B, ONE, SCALAR), "b if a else 1"),
        (ir.make_tuple([1, A]), "[1, a]"),
        (ir.TupleItem(A, 1, SCALAR), "a[1]"),
        (ir.Call("tile.move", (A,), {"to": ir.MemorySpace.Vec}, TILE), "tile.move(a, to=MemorySpace.Vec)"),
        (ir.FunctionCall("f", (A, ONE), SCALAR), "self.f(a, 1)"),
        (ir.Submit("f", (A,), (), SCALAR), "submit(self.f, a)"),
        (ir.Assign(A, ONE), "a: Scalar[INDEX] = 1"),
        (ir.Evaluate(ONE), "1"),
        (ir.Yield((A, B)), "yield a, b"),
        (ir.Return(()), "return"),
        (ir.Return((A,)), "return a"),
        (ir.Break(), "break"),
        (ir.Continue(), "continue"),
        (ir.Block((ir.Break(),)), "Block(1 statements)"),
        (ir.If(A, ir.Block(()), None, (B,)), "if a -> [b]"),
        (ir.While(A, (ONE,), (A,), ir.Block(()), (B,)), "while a with (a = 1) -> [b]"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)  # fmt: skip
def test_one_line_texts(node: ir.Node, text: str) -> None:
    assert repr(node) == text


@pytest.mark.parametrize("cls", NODES, ids=lambda cls: cls.__name__)
def test_every_node_has_a_text_of_one_line(cls: type[ir.Node]) -> None:
    text = repr(NODES[cls][0])
    assert text
    assert "\n" not in text


def test_the_text_of_a_deep_expression_is_cut() -> None:
    value: ir.Expr = A
    for _ in range(20_000):
        value = binary("+", value, ONE)
    assert "..." in repr(value)
    assert len(repr(value)) < 200
