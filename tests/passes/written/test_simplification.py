"""Simplify folds scalars to exactly what they compute, and changes nothing else."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.diagnostics import UserError
from pypto_lite.testing import assert_pass
from tests.passes.hand_built import (
    BOOL,
    FP32,
    INDEX,
    INT32,
    ONE,
    TRUE,
    ZERO,
    add,
    block,
    branch,
    call,
    function,
    kernel,
    less,
    line,
    load,
    loop,
    plus,
    program,
    scalar,
    tensor,
    tile,
    var,
)

if TYPE_CHECKING:
    from collections.abc import Callable

UINT8 = ir.DTYPES["UINT8"]
INT64 = ir.DTYPES["INT64"]
FP8 = ir.DTYPES["FP8E4M3FN"]


def simplified(value: ir.Expr, *params: ir.Var) -> ir.Expr:
    """What becomes of an expression."""
    after = passes.Simplify()(kernel(ir.Assign(var("s", value.type), value), params=params))
    (statement,) = after.functions["kernel"].body.statements
    assert isinstance(statement, ir.Assign)
    return statement.value


def binary(operator: str, lhs: ir.Expr, rhs: ir.Expr, dtype: ir.DType | None = None) -> ir.Binary:
    assert isinstance(lhs.type, ir.ScalarType)
    return ir.Binary(operator, lhs, rhs, scalar(dtype or lhs.type.dtype))


def index(value: int) -> ir.Const:
    return ir.index_const(value)


def fp32(value: float) -> ir.Const:
    return ir.const(value, FP32)


N, X, B = var("n"), var("x", scalar(FP32)), var("b", scalar(BOOL))


@pytest.mark.parametrize(
    ("operator", "lhs", "rhs", "expected"),
    [
        ("+", 2, 3, 5),
        ("-", 2, 3, -1),
        ("*", 2, 3, 6),
        ("//", -7, 2, -4),
        ("//", 7, -2, -4),
        ("%", -7, 2, 1),
        ("%", 7, -2, -1),
        ("/", 6, 3, 2),
        ("**", 2, 10, 1024),
        ("<<", 1, 5, 32),
        (">>", -8, 1, -4),
        ("&", 12, 10, 8),
        ("|", 12, 10, 14),
        ("^", 12, 10, 6),
        ("min", 2, 3, 2),
        ("max", 2, 3, 3),
    ],
)
def test_integer_constants_fold_as_in_python(operator: str, lhs: int, rhs: int, expected: int) -> None:
    folded = simplified(binary(operator, index(lhs), index(rhs)))
    assert isinstance(folded, ir.Const)
    assert (folded.value, folded.type) == (expected, scalar(INDEX))


@pytest.mark.parametrize(
    "value",
    [
        binary("/", index(7), index(2)),
        binary("/", fp32(1.0), fp32(0.0)),
        binary("+", ir.const(255, UINT8), ir.const(1, UINT8)),
        binary("-", ir.const(0, UINT8), ir.const(1, UINT8)),
        binary("*", ir.const(1 << 30, INT32), ir.const(4, INT32)),
        binary("+", ir.const((1 << 63) - 1, INT64), ir.const(1, INT64)),
        ir.Unary("-", ir.const(-(1 << 31), INT32), scalar(INT32)),
        binary("+", ir.const(1.0, FP8), ir.const(0.25, FP8)),
        binary("min", fp32(math.nan), fp32(1.0)),
        binary("max", fp32(0.0), fp32(-0.0)),
        binary("*", fp32(3e38), fp32(3e38)),
        ir.Cast(fp32(1.5), scalar(INT32)),
    ],
    ids=repr,
)
def test_what_has_no_one_value_is_left_to_be_computed(value: ir.Expr) -> None:
    assert simplified(value) is value


@pytest.mark.parametrize(
    "value",
    [binary("+", N, ZERO), binary("+", ZERO, N), binary("-", N, ZERO), binary("*", N, ONE), binary("*", ONE, N),
     binary("//", N, ONE), binary("**", N, ONE), binary("<<", N, ZERO), binary("|", N, ZERO), binary("min", N, N),
     ir.Unary("-", ir.Unary("-", N, scalar()), scalar()), ir.Cast(N, scalar()), ir.Select(TRUE, N, ONE, scalar())],
    ids=repr,
)  # fmt: skip
def test_operands_that_change_nothing_are_dropped(value: ir.Expr) -> None:
    assert simplified(value, N) is N


def test_the_constants_of_nested_sums_meet() -> None:
    folded = simplified(binary("-", binary("+", N, index(3)), index(1)), N)
    assert isinstance(folded, ir.Binary)
    assert repr(folded) == "n + 2"


@pytest.mark.parametrize(
    "value",
    [binary("*", X, fp32(0.0)), binary("+", X, fp32(0.0)), binary("-", X, fp32(0.0)), binary("+", fp32(-0.0), X),
     binary("-", X, X), binary("/", X, X), binary("==", X, X, BOOL), binary("//", X, fp32(1.0))],
    ids=repr,
)  # fmt: skip
def test_floats_that_may_be_nan_or_minus_zero_are_left(value: ir.Expr) -> None:
    assert simplified(value, X) is value


@pytest.mark.parametrize("operator", ["*", "/"])
def test_a_float_times_one_is_itself(operator: str) -> None:
    assert simplified(binary(operator, X, fp32(1.0)), X) is X


def test_floats_are_rounded_to_their_type() -> None:
    folded = simplified(binary("+", fp32(0.1), fp32(0.2)))
    assert isinstance(folded, ir.Const)
    assert folded.value == float(np.float32(0.1) + np.float32(0.2))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (binary("and", TRUE, B), B),
        (binary("or", ir.const(False), B), B),
        (ir.Select(ir.const(False), ONE, N, scalar()), N),
    ],
    ids=repr,
)
def test_a_known_condition_chooses(value: ir.Expr, expected: ir.Expr) -> None:
    assert simplified(value, N, B) is expected


def test_a_value_is_its_constant_wherever_it_is_used() -> None:
    c, d, i, carry, result, x = var("c"), var("d"), var("i"), var("a"), var("r"), var("x", tensor(16, 16))
    read = call("tile.load", x, ir.make_tuple([c, ZERO]), *[ir.make_tuple([4, 16])] * 2, result=tile(4, 16))
    before = kernel(
        ir.Assign(c, index(2)),
        ir.Assign(d, plus(c, ONE)),
        ir.Assign(var("t", tile(4, 16)), read),
        loop(i, block(ir.Yield((plus(carry, d),))), (c,), (carry,), (result,), stop=plus(d, c)),
        params=(x,),
    )
    after = passes.Simplify()(before).functions["kernel"].body.statements
    assert [repr(statement) for statement in after] == [
        "c: Scalar[INDEX] = 2",
        "d: Scalar[INDEX] = 3",
        "t: Tile[[4, 16], FP32] = tile.load(x, [2, 0], [4, 16], [4, 16])",
        "for i in Sequential(0, 5, 1) with (a = 2) -> [r]",
    ]


def test_dimensions_of_types_are_simplified() -> None:
    c, t, x, out = var("c"), var("t"), var("x", tensor(16, 16)), var("out", tensor(16, 16))
    whole = ir.make_tuple([16, 16])
    claimed = tile(16, 16, valid=(c, 16))
    t = var("t", claimed)
    loaded = call("tile.load", x, ir.make_tuple([0, 0]), whole, ir.make_tuple([c, 16]), result=claimed)
    stored = call("tile.store", t, ir.make_tuple([0, 0]), out, result=out.type)
    before = kernel(
        ir.Assign(c, index(8)), ir.Assign(t, loaded), ir.Assign(var("o", out.type), stored), params=(x, out)
    )
    after = passes.Simplify()(before)
    _, loading, storing = after.functions["kernel"].body.statements
    assert isinstance(loading, ir.Assign)
    assert isinstance(storing, ir.Assign)
    assert loading.var.type == loading.value.type == tile(16, 16, valid=(8, 16))
    assert storing.value.children()[0] is loading.var
    assert passes.verify(after, {passes.TypeChecked, passes.UseAfterDef, passes.SSAForm}) == []


def test_statements_with_constant_conditions_stay() -> None:
    before = kernel(
        branch(less(ZERO, ONE), block(ir.Assign(var("a"), ONE)), block(ir.Assign(var("b"), ONE))),
        loop(var("i"), block(), stop=binary("-", ONE, ONE)),
        ir.While(less(ONE, ZERO), (), (), block(ir.Assign(var("c"), ONE)), ()),
    )
    after = passes.Simplify()(before)
    kept = [type(statement) for statement in after.functions["kernel"].body.statements]
    assert kept == [ir.If, ir.For, ir.While]


def test_calls_in_operands_stay() -> None:
    x = var("x", tile(16, 16))
    read = call("tile.read", x, ir.make_tuple([0, 0]), result=scalar(FP32))
    both = binary("min", read, read.replace(attrs={}))
    assert simplified(both, x) is both


def test_a_constant_stands_for_a_value_of_another_width_in_the_type_of_the_value() -> None:
    narrow = var("c", scalar(INT64))
    before = kernel(ir.Assign(narrow, index(4)), ir.Assign(var("d", scalar(INT64)), narrow))
    _, used = passes.Simplify()(before).functions["kernel"].body.statements
    assert isinstance(used, ir.Assign)
    assert used.value.type == scalar(INT64)


def test_an_offset_that_turns_out_to_be_outside_is_refused_at_its_line() -> None:
    c, x = var("c"), var("x", tensor(16, 16))
    outside = load(x, offset=c).replace(span=line(4))
    before = kernel(ir.Assign(c, index(200)), ir.Assign(var("t", tile(16, 16)), outside), params=(x,))
    with pytest.raises(UserError) as caught:
        passes.Simplify()(before)
    assert (caught.value.code, caught.value.span.line) == ("PL206", 4)


@pytest.mark.parametrize(("operator", "value"), [("//", 0), ("%", 0), ("/", 0), ("**", -1), ("<<", -1), (">>", -1)])
def test_an_operation_that_turns_out_to_have_no_value_is_refused_at_its_line(operator: str, value: int) -> None:
    c = var("c")
    computed = binary(operator, N, c).replace(span=line(4))
    before = kernel(
        ir.Assign(c, index(value).replace(span=line(2))), ir.Assign(var("d"), plus(computed, ONE)), params=(N,)
    )
    with pytest.raises(UserError) as caught:
        passes.Simplify()(before)
    (refused,) = caught.value.diagnostics
    assert (refused.code, refused.span.line) == ("PL104", 4)
    assert [each.span.line for each in refused.notes] == [2]


def test_a_step_that_turns_out_to_be_zero_is_refused_at_its_line() -> None:
    c = var("c")
    before = kernel(ir.Assign(c, ZERO), loop(var("i"), block(), step=c, span=line(4)))
    with pytest.raises(UserError) as caught:
        passes.Simplify()(before)
    assert (caught.value.code, caught.value.span.line) == ("PL108", 4)


def test_an_operation_without_a_value_that_is_not_chosen_is_dropped() -> None:
    guarded = ir.Select(less(ZERO, ZERO), binary("//", N, ZERO), ONE, scalar())
    assert simplified(guarded, N) is ONE


@pytest.mark.parametrize(
    "guard",
    [
        lambda c, guarded: branch(less(c, ONE), guarded),
        lambda c, guarded: branch(less(ONE, c), block(), guarded),
        lambda c, guarded: loop(var("i"), guarded, start=c, stop=ONE),
        lambda c, guarded: branch(less(c, ONE), block(branch(less(ONE, c), guarded))),
    ],
    ids=["then", "else", "loop", "inside a skipped branch"],
)
def test_code_that_does_not_run_gets_no_constants(guard: Callable[[ir.Var, ir.Block], ir.Stmt]) -> None:
    c, inner, x = var("c"), var("inner"), var("x", tensor(16, 16))
    guarded = block(
        ir.Assign(var("t", tile(16, 16)), load(x, offset=c)),
        ir.Assign(inner, ZERO),
        ir.Assign(var("d"), binary("//", c, inner)),
    )
    before = kernel(ir.Assign(c, index(200)), guard(c, guarded), params=(x,))
    after = passes.Simplify()(before)
    assert passes.verify(after, {passes.TypeChecked}) == []
    assert guarded in set(ir.walk(after))


def test_types_in_code_that_does_not_run_follow_the_code() -> None:
    c, x = var("c"), var("x", tensor(16, 16))
    claimed = tile(16, 16, valid=(c, 16))
    t, u = var("t", claimed), var("u", claimed)

    def loaded(into: ir.Var) -> ir.Stmt:
        zeros, whole, valid = (ir.make_tuple(each) for each in ([0, 0], [16, 16], [c, 16]))
        return ir.Assign(into, call("tile.load", x, zeros, whole, valid, result=claimed))

    skipped = block(loaded(u), ir.Assign(var("v", claimed), add(u, u)), ir.Assign(var("w", claimed), add(t, t)))
    before = kernel(ir.Assign(c, index(8)), loaded(t), branch(less(c, ONE), skipped), params=(x,))
    after = passes.Simplify()(before)
    assert passes.verify(after, {passes.TypeChecked, passes.UseAfterDef, passes.SSAForm}) == []


def test_without_a_change_the_program_stays_the_same_object() -> None:
    x, a = var("x", tensor(16, 16)), var("a", tile(16, 16))
    before = kernel(
        ir.Assign(a, load(x, offset=binary("*", N, index(2)))), ir.Assign(var("b", a.type), add(a, a)), params=(x, N)
    )
    assert passes.Simplify()(before) is before


def test_functions_without_a_change_stay_the_same_objects() -> None:
    still, folded = function(name="still"), function(ir.Assign(var("a"), plus(ONE, ONE)), name="folded")
    after = passes.Simplify()(program(still, folded))
    assert after.functions["still"] is still
    assert after.functions["folded"] is not folded


def test_a_second_run_changes_nothing() -> None:
    once = passes.Simplify()(kernel(ir.Assign(var("a"), binary("+", binary("*", N, ONE), plus(ONE, ONE))), params=(N,)))
    assert passes.Simplify()(once) is once


def test_deep_expressions_need_no_recursion() -> None:
    deep: ir.Expr = N
    for _ in range(5000):
        deep = binary("*", deep, index(2))
    assert simplified(deep, N) is deep


# What is computed before and after


class NoResultError(Exception):
    """The computation has no result, such as a division by zero."""


def evaluate(node: ir.Expr, values: dict[str, Any]) -> Any:
    """The value of an expression as a machine computes it: integers wrap, floats have 32 bits."""
    match node:
        case ir.Var():
            return values[node.name]
        case ir.Const():
            return machine(node.value, node.type.dtype)
        case ir.Unary():
            value = evaluate(node.value, values)
            by_name = {"-": lambda: -int(value) if node.type.dtype.is_int else -value, "~": lambda: ~int(value)}
            by_name |= {
                "not": lambda: not value,
                "abs": lambda: abs(int(value)) if node.type.dtype.is_int else abs(value),
            }
            return machine(by_name[node.operator](), node.type.dtype)
        case ir.Cast():
            return machine(evaluate(node.value, values), node.type.dtype)
        case ir.Select():
            return evaluate(node.then if evaluate(node.condition, values) else node.otherwise, values)
        case ir.Binary():
            return evaluate_binary(node, values)
    raise AssertionError(node)


def evaluate_binary(node: ir.Binary, values: dict[str, Any]) -> Any:
    lhs = evaluate(node.lhs, values)
    if node.operator in ("and", "or"):
        return bool(lhs) if bool(lhs) is (node.operator == "or") else bool(evaluate(node.rhs, values))
    rhs = evaluate(node.rhs, values)
    assert isinstance(node.lhs.type, ir.ScalarType)
    compute = integer_result if node.lhs.type.dtype.is_int else float_result
    return machine(compute(node.operator, lhs, rhs), node.type.dtype)


def integer_result(operator: str, lhs: Any, rhs: Any) -> Any:
    a, b = int(lhs), int(rhs)
    if (operator in ("/", "//", "%") and b == 0) or (operator in ("**", "<<", ">>") and not 0 <= b < 64):
        raise NoResultError
    table: dict[str, Any] = {
        "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: math.trunc(a / b) if b else 0,
        "//": lambda: a // b, "%": lambda: a % b, "**": lambda: a**b, "<<": lambda: a << b, ">>": lambda: a >> b,
        "&": lambda: a & b, "|": lambda: a | b, "^": lambda: a ^ b, "min": lambda: min(a, b), "max": lambda: max(a, b),
        "==": lambda: a == b, "!=": lambda: a != b, "<": lambda: a < b, "<=": lambda: a <= b, ">": lambda: a > b,
        ">=": lambda: a >= b,
    }  # fmt: skip
    return table[operator]()


def float_result(operator: str, a: Any, b: Any) -> Any:
    if operator in ("/", "//", "%") and b == 0:
        raise NoResultError
    table: dict[str, Any] = {
        "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "//": np.floor_divide, "%": np.mod,
        "min": np.minimum, "max": np.maximum, "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal,
        ">": np.greater, ">=": np.greater_equal,
    }  # fmt: skip
    with np.errstate(all="ignore"):
        return table[operator](a, b)


def machine(value: Any, dtype: ir.DType) -> Any:
    """A value in the form of its type."""
    if dtype is BOOL:
        return bool(value)
    if dtype.is_float:
        with np.errstate(all="ignore"):
            return np.float32(value)
    if isinstance(value, np.floating):
        if not math.isfinite(value):
            raise NoResultError
        value = math.trunc(value)
    wrapped = int(value) & ((1 << dtype.bits) - 1)
    return wrapped - (1 << dtype.bits) if dtype.category == "sint" and wrapped >> (dtype.bits - 1) else wrapped


def outcome(node: ir.Expr, values: dict[str, Any]) -> str:
    try:
        return repr(evaluate(node, values))
    except NoResultError:
        return "trap"


PARAMS = {
    INDEX: [var("n0"), var("n1")],
    INT32: [var("k0", scalar(INT32)), var("k1", scalar(INT32))],
    UINT8: [var("u0", scalar(UINT8)), var("u1", scalar(UINT8))],
    FP32: [var("f0", scalar(FP32)), var("f1", scalar(FP32))],
}
ALL_PARAMS = [param for params in PARAMS.values() for param in params]


def numbers(dtype: ir.DType) -> st.SearchStrategy[Any]:
    """Values of a type, mostly small ones and the ends of its range."""
    if dtype.is_float:
        special = st.sampled_from([0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 0.5, 3e38])
        return st.one_of(special, st.floats(width=32))
    low, high = (
        (0, (1 << dtype.bits) - 1) if dtype.category == "uint" else (-(1 << dtype.bits - 1), (1 << dtype.bits - 1) - 1)
    )
    return st.one_of(st.integers(max(low, -3), 8), st.sampled_from([low, high]), st.integers(low, high))


@st.composite
def expressions(draw: st.DrawFn, dtype: ir.DType, depth: int) -> ir.Expr:
    kinds = (
        ["const", "var"] if depth == 0 else ["const", "var", "binary", "binary", "binary", "unary", "select", "cast"]
    )
    kind = draw(st.sampled_from(kinds))
    if dtype is BOOL:
        return draw(conditions(depth))
    if kind == "const":
        return ir.Const(machine_constant(draw(numbers(dtype)), dtype), scalar(dtype))
    if kind == "var":
        return draw(st.sampled_from(PARAMS[dtype]))
    if kind == "binary":
        operators = ["+", "-", "*", "/", "//", "%", "min", "max"]
        operators += [] if dtype.is_float else ["**", "<<", ">>", "&", "|", "^"]
        sides = draw(expressions(dtype, depth - 1)), draw(expressions(dtype, depth - 1))
        return ir.Binary(draw(st.sampled_from(operators)), *sides, scalar(dtype))
    if kind == "unary":
        operator = draw(st.sampled_from(["-", "abs"] if dtype.is_float else ["-", "abs", "~"]))
        return ir.Unary(operator, draw(expressions(dtype, depth - 1)), scalar(dtype))
    if kind == "select":
        arms = draw(expressions(dtype, depth - 1)), draw(expressions(dtype, depth - 1))
        return ir.Select(draw(conditions(depth - 1)), *arms, scalar(dtype))
    source = draw(st.sampled_from([each for each in PARAMS if each.is_float == dtype.is_float or dtype.is_float]))
    return ir.Cast(draw(expressions(source, depth - 1)), scalar(dtype))


@st.composite
def conditions(draw: st.DrawFn, depth: int) -> ir.Expr:
    kind = draw(st.sampled_from(["const", "compare", "and", "or", "not"] if depth > 0 else ["const", "compare"]))
    if kind == "const":
        return ir.const(draw(st.booleans()))
    if kind == "compare":
        dtype = draw(st.sampled_from(list(PARAMS)))
        deeper = max(0, depth - 1)
        sides = draw(expressions(dtype, deeper)), draw(expressions(dtype, deeper))
        return ir.Binary(draw(st.sampled_from(ir.COMPARISONS)), *sides, scalar(BOOL))
    if kind == "not":
        return ir.Unary("not", draw(conditions(depth - 1)), scalar(BOOL))
    return ir.Binary(kind, draw(conditions(depth - 1)), draw(conditions(depth - 1)), scalar(BOOL))


def machine_constant(value: Any, dtype: ir.DType) -> Any:
    return float(np.float32(value)) if dtype.is_float else value


NOT_EVERYWHERE = ("/", "//", "%", "**", "<<", ">>")
"""The operators that have no value for some operands, which is refused where they are constants."""


@settings(max_examples=300, deadline=None)
@given(st.data(), st.sampled_from([*PARAMS, BOOL]))
def test_simplifying_changes_no_value_and_no_type(data: st.DataObject, dtype: ir.DType) -> None:
    """Values and constants are propagated from a first assignment into a second one."""
    first, second = data.draw(expressions(dtype, 2)), data.draw(expressions(dtype, 3))
    held = var("held", scalar(dtype))
    value: ir.Expr = second
    if dtype is not BOOL:
        value = ir.Binary("+", held, second, scalar(dtype))
    before = kernel(ir.Assign(held, first), ir.Assign(var("s", scalar(dtype)), value), params=tuple(ALL_PARAMS))
    try:
        after = passes.Simplify()(before)
    except UserError:
        assert any(isinstance(node, ir.Binary) and node.operator in NOT_EVERYWHERE for node in ir.walk(before))
        return
    assert passes.verify(after, {passes.TypeChecked}) == []
    values = {param.name: machine(data.draw(numbers(of)), of) for of, params in PARAMS.items() for param in params}
    assert run(after, values) == run(before, values)


def run(given_program: ir.Program, values: dict[str, Any]) -> list[str]:
    outcomes: list[str] = []
    for statement in given_program.functions["kernel"].body.statements:
        assert isinstance(statement, ir.Assign)
        outcomes.append(outcome(statement.value, values))
        if outcomes[-1] == "trap":
            break
        values = {**values, statement.var.name: evaluate(statement.value, values)}
    return outcomes


# In kernels


def test_constants_in_a_kernel() -> None:
    @pl.program
    class Before:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
        ) -> pl.Tensor[[16, 16], pl.FP32]:
            step = 16
            half = step // 2
            factor = 2.0
            t = pl.load(x, [step * 2, n * (half - 7)], [16, 16], valid_shape=[half, 16])
            for _ in pl.range(half - 6, step):
                t = pl.mul(t, factor * 2.0)
            return pl.store(t, [0, 0], out)

    @pl.program
    class After:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
        ) -> pl.Tensor[[16, 16], pl.FP32]:
            step: pl.Scalar[pl.INDEX] = 16  # noqa: F841
            half: pl.Scalar[pl.INDEX] = 8  # noqa: F841
            factor: pl.Scalar[pl.FP32] = 2.0  # noqa: F841
            t = pl.load(x, [32, n], [16, 16], valid_shape=[8, 16])
            for _ in pl.range(2, 16):
                t = pl.mul(t, 4.0)
            return pl.store(t, [0, 0], out)

    assert_pass(Before, passes.Simplify(), After)


def test_dimensions_of_signatures_are_simplified() -> None:
    size = var("M")
    param = var("x", tensor(binary("*", size, ONE), 16))
    before = kernel(ir.Return((param,)), params=(param,), returns=(tensor(binary("+", size, ZERO), 16),))
    after = passes.Simplify()(before).functions["kernel"]
    assert after.params[0].type == after.return_types[0] == tensor(size, 16)
    assert passes.verify(program(after), {passes.TypeChecked, passes.UseAfterDef}) == []
