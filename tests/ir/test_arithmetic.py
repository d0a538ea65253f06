"""Scalar arithmetic: element types, and folding that agrees with Python."""

from __future__ import annotations

import math
import operator as python
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pypto_lite import ir
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import Binary, Cast, Const, Expr, ScalarType, Select, Unary, Var
from pypto_lite.ir.arithmetic import choose, combine, convert, fits, negate, round_to
from pypto_lite.ir.dtypes import BF16, BOOL, FP16, FP32, INDEX, INT8, INT16, INT32, INT64, TASK_ID, UINT8, UINT32, DType

PYTHON: dict[str, Any] = {
    "+": python.add, "-": python.sub, "*": python.mul, "//": python.floordiv, "%": python.mod, "&": python.and_,
    "|": python.or_, "^": python.xor, "==": python.eq, "!=": python.ne, "<": python.lt, "<=": python.le,
    ">": python.gt, ">=": python.ge, "min": min, "max": max,
}  # fmt: skip


def variable(name: str = "x", dtype: DType = INDEX) -> Var:
    return Var(name, ScalarType(dtype))


def value_of(expression: Expr) -> int | float | bool:
    assert isinstance(expression, Const)
    return expression.value


def dtype_of(expression: Expr) -> DType:
    assert isinstance(expression.type, ScalarType)
    return expression.type.dtype


@given(st.sampled_from(sorted(PYTHON)), st.integers(-1000, 1000), st.integers(-1000, 1000))
def test_constants_fold_as_in_python(symbol: str, lhs: int, rhs: int) -> None:
    result = combine(symbol, ir.const(lhs), ir.const(rhs))
    if symbol in ("//", "%") and rhs == 0:
        assert isinstance(result, Binary)
    else:
        assert value_of(result) == PYTHON[symbol](lhs, rhs)


@pytest.mark.parametrize("symbol", ["/", "//", "%"])
@pytest.mark.parametrize("dtype", [INDEX, FP32])
def test_a_division_by_zero_is_left_alone(symbol: str, dtype: DType) -> None:
    result = combine(symbol, ir.const(1, dtype), ir.const(0, dtype))
    assert isinstance(result, Binary)


def test_a_result_that_does_not_fit_its_type_is_left_alone() -> None:
    assert isinstance(combine("+", ir.const(127, INT8), ir.const(1, INT8)), Binary)
    assert isinstance(combine("-", ir.const(0, UINT8), ir.const(1, UINT8)), Binary)
    assert isinstance(combine("**", ir.const(2), ir.const(63)), Binary)


def test_negative_powers_and_shifts_are_left_alone() -> None:
    assert isinstance(combine("**", ir.const(2), ir.const(-1)), Binary)
    assert isinstance(combine("<<", ir.const(1), ir.const(-1)), Binary)
    assert isinstance(combine(">>", ir.const(1), ir.const(64)), Binary)


def test_huge_powers_are_not_even_computed() -> None:
    assert isinstance(combine("**", ir.const(10), ir.const(10**9)), Binary)


def test_integers_divide_to_an_integer_type_only_where_the_quotient_is_exact() -> None:
    exact = combine("/", ir.const(6, INT32), ir.const(3, INT32))
    assert value_of(exact) == 2
    assert dtype_of(exact) is INT32
    assert isinstance(combine("/", ir.const(7, INT32), ir.const(3, INT32)), Binary)


def test_floats_fold_in_their_own_precision() -> None:
    single = value_of(combine("+", ir.const(0.1, FP32), ir.const(0.2, FP32)))
    assert single == round_to(single, FP32)
    assert single != 0.1 + 0.2
    half = value_of(combine("+", ir.const(1.0, FP16), ir.const(1e-4, FP16)))
    assert half == 1.0


@given(st.floats(-1e30, 1e30))
def test_bf16_has_eight_bits_of_precision(value: float) -> None:
    rounded = round_to(value, BF16)
    assert rounded is not None
    assert math.isclose(rounded, value, rel_tol=2**-8, abs_tol=1e-38)
    assert round_to(rounded, BF16) == rounded


def test_a_float_that_overflows_its_type_is_left_alone() -> None:
    assert isinstance(combine("*", ir.const(3e38, FP32), ir.const(10.0, FP32)), Binary)
    assert isinstance(combine("*", ir.const(60000.0, FP16), ir.const(2.0, FP16)), Binary)


def test_the_wider_type_wins_and_the_other_operand_is_cast() -> None:
    result = combine("+", variable("a", INT16), variable("b", INT32))
    assert isinstance(result, Binary)
    assert dtype_of(result) is INT32
    assert isinstance(result.lhs, Cast)
    assert isinstance(result.rhs, Var)


def test_index_and_int64_mix_without_a_cast() -> None:
    result = combine("+", variable("a", INT64), variable("b", INDEX))
    assert isinstance(result, Binary)
    assert isinstance(result.lhs, Var)
    assert isinstance(result.rhs, Var)


@pytest.mark.parametrize(
    ("symbol", "lhs", "rhs"),
    [("+", INT32, FP32), ("==", BOOL, BOOL), ("&", FP32, FP32), ("<<", FP32, INT32), ("+", TASK_ID, INT32)],
)
def test_types_that_do_not_mix(symbol: str, lhs: DType, rhs: DType) -> None:
    with pytest.raises(UserError) as caught:
        combine(symbol, variable("a", lhs), variable("b", rhs))
    assert caught.value.code == "PL204"
    assert lhs.name in str(caught.value)


def test_comparisons_and_logic_give_bool() -> None:
    assert dtype_of(combine("<", variable("a", INT16), variable("b", INT32))) is BOOL
    assert dtype_of(combine("and", variable("a", BOOL), variable("b", BOOL))) is BOOL
    assert dtype_of(negate("not", variable("a", FP32))) is BOOL


def test_logic_combines_conditions_only() -> None:
    with pytest.raises(UserError, match="combines conditions only"):
        combine("or", variable("a", INT32), variable("b", BOOL))


def test_neutral_operands_disappear() -> None:
    x = variable()
    for symbol, neutral in (("+", 0), ("-", 0), ("*", 1), ("//", 1), ("<<", 0), ("|", 0)):
        assert combine(symbol, x, ir.const(neutral)) is x
    assert combine("+", ir.const(0), x) is x
    assert combine("min", x, x) is x


def test_a_neutral_operand_stays_where_it_changes_the_type() -> None:
    result = combine("+", variable("a", INT32), ir.const(0))
    assert dtype_of(result) is INDEX


def test_adding_zero_to_a_float_is_not_neutral() -> None:
    assert isinstance(combine("+", variable("a", FP32), ir.const(0.0)), Binary)  # -0.0 + 0.0 is 0.0


def test_constants_of_nested_sums_meet() -> None:
    x = variable()
    result = combine("-", combine("+", x, ir.const(7)), ir.const(3))
    assert isinstance(result, Binary)
    assert (result.operator, result.lhs, value_of(result.rhs)) == ("+", x, 4)
    assert combine("+", combine("-", x, ir.const(3)), ir.const(3)) is x


def test_only_the_left_operand_decides_logic() -> None:
    x = variable("x", BOOL)
    assert value_of(combine("and", ir.const(False), x)) is False
    assert value_of(combine("or", ir.const(True), x)) is True
    assert combine("and", ir.const(True), x) is x
    assert isinstance(combine("and", x, ir.const(False)), Binary)


def test_unary_operators_fold() -> None:
    assert value_of(negate("-", ir.const(3))) == -3
    assert value_of(negate("abs", ir.const(-3))) == 3
    assert value_of(negate("~", ir.const(5, INT32))) == -6
    assert value_of(negate("not", ir.const(0))) is True


def test_the_complement_of_an_unsigned_constant_is_left_alone() -> None:
    assert isinstance(negate("~", ir.const(5, UINT8)), Unary)


def test_the_complement_needs_an_integer() -> None:
    with pytest.raises(UserError) as caught:
        negate("~", variable("x", FP32))
    assert caught.value.code == "PL204"


def test_casts_fold_where_nothing_is_lost() -> None:
    assert value_of(convert(ir.const(3), FP32)) == 3.0
    assert convert(variable("x", INT32), INT32).type is ScalarType(INT32)
    assert isinstance(convert(ir.const(300), INT8), Cast)
    assert isinstance(convert(ir.const(2.5), INT32), Cast)


def test_a_constant_condition_chooses_its_arm() -> None:
    x, y = variable("x"), variable("y")
    assert choose(ir.const(True), x, y) is x
    assert isinstance(choose(variable("c", BOOL), x, y), Select)


@pytest.mark.parametrize(("value", "dtype", "expected"), [(255, UINT8, True), (256, UINT8, False), (-1, UINT32, False)])
def test_fits(value: int, dtype: DType, expected: bool) -> None:
    assert fits(value, dtype) is expected


def test_nothing_is_folded_with_a_nan_in_a_minimum() -> None:
    assert isinstance(combine("min", ir.const(float("nan"), FP32), ir.const(1.0, FP32)), Binary)
