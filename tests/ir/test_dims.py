"""Arithmetic on dimensions, and what can be proved about them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pypto_lite import ir
from pypto_lite.ir import Binary, Cast, Const, Dim, Expr, ScalarType, Var, dims
from pypto_lite.ir.arithmetic import convert
from pypto_lite.ir.dtypes import INDEX, INT32

X = Var("x", ScalarType(INDEX))
Y = Var("y", ScalarType(INDEX))


def evaluate(dim: Dim, values: dict[Var, int]) -> int:
    """The value of a dimension, for the small ones of these tests."""
    if isinstance(dim, int):
        return dim
    if isinstance(dim, Const):
        return int(dim.value)
    if isinstance(dim, Var):
        return values[dim]
    if isinstance(dim, Cast):
        return evaluate(dim.value, values)
    assert isinstance(dim, Binary)
    operations: dict[str, Any] = {
        "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "min": min, "max": max,
        "//": lambda a, b: a // b, "%": lambda a, b: a % b,
    }  # fmt: skip
    return operations[dim.operator](evaluate(dim.lhs, values), evaluate(dim.rhs, values))


def modulo(dim: Dim, divisor: int) -> Dim:
    return Binary("%", ir.dim_expr(dim), ir.const(divisor), ScalarType(INDEX))


leaves = st.one_of(st.integers(-8, 8), st.sampled_from([X, Y]))
some_dims: st.SearchStrategy[Dim] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(dims.add, inner, inner),
        st.builds(dims.subtract, inner, inner),
        st.builds(dims.multiply, inner, st.integers(-3, 3)),
        st.builds(dims.minimum, inner, inner),
        st.builds(dims.maximum, inner, inner),
        st.builds(dims.floor_divide, inner, st.integers(1, 4)),
        st.builds(modulo, inner, st.integers(1, 4)),
    ),
    max_leaves=6,
)


@given(some_dims, some_dims, st.integers(-20, 20), st.integers(-20, 20))
def test_what_is_proved_holds(lhs: Dim, rhs: Dim, x: int, y: int) -> None:
    values = {X: x, Y: y}
    left, right = evaluate(lhs, values), evaluate(rhs, values)
    assert not dims.provably_equal(lhs, rhs) or left == right
    assert not dims.provably_less(lhs, rhs) or left < right
    assert not dims.provably_at_most(lhs, rhs) or left <= right
    assert not dims.provably_different(lhs, rhs) or left != right


@given(some_dims, some_dims, st.integers(-20, 20), st.integers(-20, 20))
def test_minimum_and_maximum_keep_their_meaning(lhs: Dim, rhs: Dim, x: int, y: int) -> None:
    values = {X: x, Y: y}
    left, right = evaluate(lhs, values), evaluate(rhs, values)
    assert evaluate(dims.minimum(lhs, rhs), values) == min(left, right)
    assert evaluate(dims.maximum(lhs, rhs), values) == max(left, right)


@given(st.integers(-50, 50), st.integers(1, 9))
def test_rounding_up(value: int, multiple: int) -> None:
    rounded = dims.round_up(value, multiple)
    assert isinstance(rounded, int)
    assert rounded % multiple == 0
    assert 0 <= rounded - value < multiple


def test_ints_stay_ints() -> None:
    assert dims.add(2, 3) == 5
    assert dims.product([2, 3, 4]) == 24
    assert dims.product([]) == 1
    assert isinstance(dims.minimum(2, 3), int)


def test_sums_are_compared_by_their_terms() -> None:
    assert dims.provably_equal(dims.add(X, Y), dims.add(Y, X))
    assert dims.provably_equal(dims.subtract(dims.add(X, 5), 5), X)
    assert dims.provably_less(X, dims.add(X, 1))
    assert not dims.provably_less(X, Y)
    assert dims.provably_equal(dims.multiply(X, 2), dims.add(X, X))


def test_a_loop_that_certainly_counts() -> None:
    assert dims.provably_counts(0, 4, 1)
    assert dims.provably_counts(4, 0, -1)
    assert dims.provably_counts(X, dims.add(X, 1), 8)
    assert not dims.provably_counts(0, 0, 1)
    assert not dims.provably_counts(0, X, 1)
    assert not dims.provably_counts(0, 4, -1)
    assert not dims.provably_counts(0, 4, X)


def test_a_minimum_is_at_most_its_operands() -> None:
    window = dims.minimum(dims.maximum(dims.subtract(X, 4), 0), 8)
    assert repr(window) == "min(max(x - 4, 0), 8)"
    assert dims.provably_at_most(window, 8)
    assert not dims.provably_less(window, 8)
    assert dims.provably_at_most(0, window)
    assert dims.provably_at_most(dims.minimum(X, Y), X)
    assert dims.provably_at_most(X, dims.maximum(X, Y))


def test_a_remainder_is_less_than_its_divisor() -> None:
    assert dims.provably_less(modulo(X, 16), 16)
    assert dims.provably_at_most(0, modulo(X, 16))


def test_a_widening_cast_is_seen_through() -> None:
    narrow = Var("n", ScalarType(INT32))
    wide = convert(narrow, INDEX)
    assert dims.provably_less(narrow, dims.add(wide, 1))
    assert not dims.provably_equal(X, convert(convert(X, INT32), INDEX))


def test_a_sum_of_many_terms_does_not_recurse() -> None:
    total: Expr = X
    for _ in range(3000):
        total = Binary("+", total, Y, ScalarType(INDEX))
    assert dims.provably_less(total, dims.add(total, 1))
