"""The text of expressions: Python reads it as the same expression, and no bracket could be left out."""

from __future__ import annotations

import ast
import re
from typing import Any

import astor
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pypto_lite import ir, ops, printer
from tests.ir.random_ir import Builder
from tests.ir.samples import BF16, BOOL, FP32, INDEX, INT32, SCALAR, var

FLOAT, TRUTH = ir.ScalarType(FP32), ir.ScalarType(BOOL)
A, B, C = (ir.Var(name, SCALAR) for name in "abc")

SYMBOLS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.Eq: "==",
    ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.USub: "-", ast.Invert: "~",
    ast.Not: "not", ast.And: "and", ast.Or: "or",
}  # fmt: skip


def as_python_reads_it(node: ast.expr) -> Any:
    """The structure of a scalar expression in Python's own tree, in the same form as ``as_it_is``."""
    match node:
        case ast.Name():
            return node.id
        case ast.Constant():
            return node.value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
            return -value
        case ast.UnaryOp():
            return (SYMBOLS[type(node.op)], as_python_reads_it(node.operand))
        case ast.BinOp():
            return (SYMBOLS[type(node.op)], as_python_reads_it(node.left), as_python_reads_it(node.right))
        case ast.Compare(ops=[operator]):
            return (SYMBOLS[type(operator)], as_python_reads_it(node.left), as_python_reads_it(node.comparators[0]))
        case ast.BoolOp():
            first, *rest = [as_python_reads_it(value) for value in node.values]
            for value in rest:
                first = (SYMBOLS[type(node.op)], first, value)
            return first
        case ast.IfExp():
            return ("if", *[as_python_reads_it(each) for each in (node.test, node.body, node.orelse)])
        case ast.Call(func=ast.Name(id=name)):
            return (name, *map(as_python_reads_it, node.args))
        case ast.Call(func=ast.Attribute(attr="const")):
            return as_python_reads_it(node.args[0])
        case ast.Call(func=ast.Attribute(attr=name)):
            return (name, *map(as_python_reads_it, node.args))
        case _:
            raise AssertionError(ast.dump(node))


def as_it_is(expression: ir.Expr) -> Any:
    match expression:
        case ir.Var():
            return expression.name
        case ir.Const():
            return expression.value
        case ir.Unary():
            return (expression.operator, as_it_is(expression.value))
        case ir.Binary():
            return (expression.operator, as_it_is(expression.lhs), as_it_is(expression.rhs))
        case ir.Select():
            return ("if", *map(as_it_is, (expression.condition, expression.then, expression.otherwise)))
        case _:
            raise AssertionError(expression)


def parsed(text: str) -> ast.expr:
    return ast.parse(f"({text})", mode="eval").body


def binary(operator: str, lhs: ir.Expr, rhs: ir.Expr) -> ir.Binary:
    return ir.Binary(operator, lhs, rhs, SCALAR)


def unary(operator: str, value: ir.Expr) -> ir.Unary:
    return ir.Unary(operator, value, SCALAR)


def random_scalar(seed: int) -> ir.Expr:
    builder = Builder(seed)
    builder.scalars = [A, B, C]
    return builder.scalar(6)


@given(st.integers(0, 10**9))
def test_python_reads_the_expression_that_was_printed(seed: int) -> None:
    expression = random_scalar(seed)
    assert as_python_reads_it(parsed(printer.python_print(expression))) == as_it_is(expression)


@given(st.integers(0, 10**9))
def test_no_bracket_can_be_left_out(seed: int) -> None:
    printed = printer.python_print(random_scalar(seed))
    text = " ".join(printed.split())
    tree = ast.dump(parsed(text))
    for opening in re.finditer(r"(?<![\w.])\(", text):
        closing = matching(text, opening.start())
        inside = text[opening.start() + 1 : closing]
        signed_power = text[: opening.start()].endswith(("-", "~")) and is_power(inside)
        if signed_power or "\n" in printed:
            continue  # black writes these brackets, and in several lines those around conditional expressions
        without = f"{text[: opening.start()]}{inside}{text[closing + 1 :]}"
        assert not is_same(without, tree)


def is_power(text: str) -> bool:
    tree = parsed(text)
    return isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Pow)


def matching(text: str, start: int) -> int:
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == "(") - (text[index] == ")")
        if depth == 0:
            return index
    raise AssertionError(text)


def is_same(text: str, tree: str) -> bool:
    try:
        return ast.dump(parsed(text)) == tree
    except SyntaxError:
        return False


@given(st.integers(0, 10**9))
def test_astor_agrees_about_the_tree(seed: int) -> None:
    tree = parsed(printer.python_print(random_scalar(seed)))
    assert ast.dump(ast.parse(astor.to_source(tree)).body[0].value) == ast.dump(tree)  # pyright: ignore


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (binary("-", A, binary("-", B, C)), "a - (b - c)"),
        (binary("-", binary("-", A, B), C), "a - b - c"),
        (binary("**", A, binary("**", B, C)), "a**b**c"),
        (binary("**", binary("**", A, B), C), "(a**b) ** c"),
        (binary("**", unary("-", A), B), "(-a) ** b"),
        (binary("**", ir.index_const(-2), B), "(-2) ** b"),
        (binary("**", A, ir.index_const(-2)), "a**-2"),
        (unary("-", binary("**", A, B)), "-(a**b)"),
        (unary("-", unary("-", A)), "--a"),
        (unary("-", binary("*", A, B)), "-(a * b)"),
        (binary("<", binary("<", A, B), C), "(a < b) < c"),
        (binary("<", A, binary("<", B, C)), "a < (b < c)"),
        (unary("not", binary("==", A, B)), "not a == b"),
        (binary("==", unary("not", A), B), "(not a) == b"),
        (binary("and", A, binary("and", B, C)), "a and (b and c)"),
        (binary("or", binary("and", A, B), C), "a and b or c"),
        (binary("and", binary("or", A, B), C), "(a or b) and c"),
        (binary("min", A, binary("+", B, C)), "pl.min(a, b + c)"),
        (unary("abs", binary("-", A, B)), "abs(a - b)"),
        (binary("-", A, ir.index_const(-1)), "a - -1"),
        (ir.Select(A, B, ir.Select(B, A, C, SCALAR), SCALAR), "b if a else a if b else c"),
        (ir.Select(ir.Select(A, B, C, SCALAR), A, B, SCALAR), "a if (b if a else c) else b"),
        (binary("+", ir.Select(A, B, C, SCALAR), A), "(b if a else c) + a"),
        (ir.Cast(binary("+", A, B), ir.ScalarType(INT32)), "pl.cast(a + b, pl.INT32)"),
        (ir.TupleItem(ir.Var("t", ir.TupleType([SCALAR])), 0, SCALAR), "t[0]"),
        (ir.make_tuple([A, 1, binary("+", A, B)]), "[a, 1, a + b]"),
        (ir.make_tuple([]), "[]"),
    ],
)
def test_brackets(expression: ir.Expr, text: str) -> None:
    assert printer.python_print(expression) == text


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (4, INDEX, "4"),
        (-4, INDEX, "-4"),
        (True, BOOL, "True"),
        (0.1, FP32, "0.1"),
        (1e-7, FP32, "1e-07"),
        (-0.0, FP32, "-0.0"),
        (1e16, FP32, "1e+16"),
        (float("inf"), FP32, 'float("inf")'),
        (float("-inf"), FP32, 'float("-inf")'),
        (float("nan"), FP32, 'float("nan")'),
        (4, INT32, "pl.const(4, pl.INT32)"),
        (0.5, BF16, "pl.const(0.5, pl.BF16)"),
        (float("inf"), BF16, 'pl.const(float("inf"), pl.BF16)'),
    ],
)
def test_constants(value: float, dtype: ir.DType, text: str) -> None:
    assert printer.python_print(ir.const(value, dtype)) == text


@pytest.mark.parametrize(
    "expression",
    [
        binary("+", ir.index_const(1), ir.index_const(2)),
        unary("-", ir.index_const(1)),
        unary("not", ir.const(True)),
        binary("and", ir.const(True), A),
        binary("and", A, ir.const(True)),
        binary("min", ir.index_const(1), A),
        ir.Select(ir.const(True), A, B, SCALAR),
    ],
    ids=printer.python_print,
)
def test_constants_are_not_left_to_pythons_own_arithmetic(expression: ir.Expr) -> None:
    assert "pl.const(" in printer.python_print(expression)


# Calls of operators

X = var("x", ir.TensorType([64, 64], BF16))
T, U = var("t", ir.TileType([16, 32], BF16)), var("u", ir.TileType([16, 32], BF16))
WINDOW = (ir.make_tuple([0, 0]), ir.make_tuple([16, 32]))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (ops.call("tile.add", (T, U)), "pl.add(t, u)"),
        (ops.call("tile.muls", (T, ir.const(2.0, BF16))), "pl.mul(t, 2.0)"),
        (ops.call("tile.muls", (T, ir.const(2.0, FP32))), "pl.mul(t, pl.const(2.0, pl.FP32))"),
        (ops.call("tile.muls", (T, var("f", FLOAT))), "pl.mul(t, f)"),
        (ops.call("tile.load", (X, *WINDOW, WINDOW[1])), "pl.load(x, [0, 0], [16, 32])"),
        (
            ops.call("tile.load", (X, *WINDOW, ir.make_tuple([8, A]))),
            "pl.load(x, [0, 0], [16, 32], [8, a])",
        ),
        (
            ops.call("tile.load", (X, *WINDOW, ir.make_tuple([16, 32])), {"target_memory": ir.MemorySpace.Mat}),
            "pl.load(x, [0, 0], [16, 32], target_memory=pl.MemorySpace.Mat)",
        ),
        (ops.call("tile.cast", (T,), {"target_type": FP32}), "pl.cast(t, target_type=pl.FP32)"),
        (
            ops.call("tile.cast", (T,), {"target_type": FP32, "mode": ir.CastMode.rint}),
            'pl.cast(t, target_type=pl.FP32, mode="rint")',
        ),
        (ops.call("tile.cmp", (T, U), {"cmp_type": ir.CompareMode.lt}), 'pl.cmp(t, u, cmp_type="lt")'),
        (
            ops.call("tile.full", (ir.make_tuple([16, 32]), ir.const(0.0, FP32)), {"dtype": FP32}),
            "pl.tile.full([16, 32], dtype=pl.FP32, value=0.0)",
        ),
        (
            ops.call("tile.move", (T,), {"target_memory": ir.MemorySpace.Vec, "blayout": ir.TileLayout.row_major}),
            "pl.move(t, target_memory=pl.MemorySpace.Vec, blayout=pl.TileLayout.row_major)",
        ),
        (ops.call("tile.transpose_view", (T,)), "pl.tile.transpose_view(t)"),
        (
            ops.call("tile.exp", (T,), attrs={"mark": True, "note": 'a "b"'}),
            """pl.exp(t, attrs={"mark": True, "note": 'a "b"'})""",
        ),
        (
            ir.FunctionCall("kernel", (A, ir.index_const(1)), SCALAR, {"mark": (1,)}),
            'self.kernel(a, 1, attrs={"mark": (1,)})',
        ),
        (ir.Submit("kernel", (A,), (B, C), SCALAR), "pl.submit(self.kernel, a, deps=[b, c])"),
        (ir.Call("test.unknown", (A, T), {"mode": 1}, SCALAR), "pl.test.unknown(a, t, mode=1)"),
    ],
)
def test_calls(call: ir.Expr, text: str) -> None:
    assert printer.python_print(call) == text


def test_depth_does_not_meet_the_recursion_limit() -> None:
    value: ir.Expr = A
    for _ in range(5000):
        value = binary("+", value, A)
    assert printer.python_print(value).count("+") == 5000
    for _ in range(5000):
        value = unary("-", value)
    assert printer.python_print(value).startswith("--")
