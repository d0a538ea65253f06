"""Scalar expressions: element types, literals, casts, and what is computed while tracing."""

from __future__ import annotations

import math

import pytest

from pypto_lite import ir
from pypto_lite.ir.dtypes import BOOL, FP16, FP32, INDEX, INT8, INT32, INT64, TASK_ID
from tests.trace.kernels import assert_same, statements, value


@pytest.mark.parametrize(
    ("expression", "expected", "dtype"),
    [
        ("3", 3, INDEX),
        ("-3", -3, INDEX),
        ("2.5", 2.5, FP32),
        ("True", True, BOOL),
        ("N * 2 + 1", 33, INDEX),
        ("N / 32", 0.5, FP32),
        ("-N ** 2 % 7", -256 % 7, INDEX),
        ("math.sqrt(16.0)", 4.0, FP32),
        ("float('inf')", math.inf, FP32),
        ("SHAPE[1] // N", 8, INDEX),
        ("len(SHAPE) + max(3, 5) - min(SHAPE)", -9, INDEX),
        ("pl.FP32.get_byte()", 4, INDEX),
        ("t.shape[0] * x.shape[-1]", 2048, INDEX),
        ("x.ndim + len(x)", 66, INDEX),
        ("1 if N > 3 else 2", 1, INDEX),
        ("N > 3 and N < 20", True, BOOL),
        ("0 < N < 5", False, BOOL),
        ("not N", False, BOOL),
        ("~5 | 1 << 4 ^ 3", ~5 | 1 << 4 ^ 3, INDEX),
        ("t.dtype == pl.FP32", True, BOOL),
        ("pl.const(3, pl.INT8)", 3, INT8),
        ("pl.const(3, pl.FP16)", 3.0, FP16),
        ("pl.const(dtype=pl.BOOL, value=False)", False, BOOL),
    ],
)
def test_what_is_known_while_tracing_is_one_constant(expression: str, expected: float, dtype: ir.DType) -> None:
    found = value(expression)

    assert isinstance(found, ir.Const)
    assert found.value == expected
    assert type(found.value) is type(expected)
    assert found.type == ir.ScalarType(dtype)


@pytest.mark.parametrize(
    ("expression", "dtype"),
    [
        ("n + 1", INDEX),
        ("k + k", INT32),
        ("k + 1", INDEX),  # a literal is an INDEX, which is wider
        ("n + k", INDEX),
        ("k / k", INT32),
        ("f * 2.0", FP32),
        ("f ** f // f % f - f", FP32),
        ("n < k", BOOL),
        ("f == 1.0", BOOL),
        ("c and not n", BOOL),
        ("not n", BOOL),
        ("-c", BOOL),
        ("abs(k)", INT32),
        ("~k & 3 | k ^ k << 1 >> 2", INDEX),
        ("min(k, n)", INDEX),
        ("max(f, 1.0, 2.0)", FP32),
        ("pl.min(k, k)", INT32),
        ("pl.cast(n, pl.INT8)", INT8),
        ("pl.cast(1, pl.FP32) + f", FP32),
        ("k if c else k", INT32),
        ("k if c else 1", INDEX),
        ("pl.add(k, k)", INT32),
        ("pl.mul(f, 2.0)", FP32),
        ("None", TASK_ID),
        ("pl.submit(self.helper, x, k)[1] is None", BOOL),
    ],
)
def test_element_types(expression: str, dtype: ir.DType) -> None:
    assert value(expression).type == ir.ScalarType(dtype)


def test_the_operand_of_another_type_is_cast() -> None:
    found = value("k + n")

    assert isinstance(found, ir.Binary)
    assert isinstance(found.lhs, ir.Cast)
    assert found.lhs.type == ir.ScalarType(INDEX)
    assert isinstance(found.rhs, ir.Var)


def test_index_and_int64_stand_for_each_other() -> None:
    (_, statement) = statements("long = pl.cast(n, pl.INT64)\nvalue = long + n")

    assert isinstance(statement, ir.Assign)
    assert isinstance(statement.value, ir.Binary)
    assert statement.value.type == ir.ScalarType(INT64)
    assert not isinstance(statement.value.rhs, ir.Cast)


@pytest.mark.parametrize(
    ("annotation", "literal"),
    [("INT32", "5"), ("INT8", "-5"), ("FP32", "5"), ("FP16", "0.5"), ("BOOL", "True")],
)
def test_an_annotated_literal_takes_the_annotated_type(annotation: str, literal: str) -> None:
    found, explicit = f"value: pl.Scalar[pl.{annotation}] = {literal}", f"value = pl.const({literal}, pl.{annotation})"

    assert_same(found, explicit)


def test_a_literal_that_is_bound_again_keeps_the_type_of_the_name() -> None:
    assert_same("k = 5", "k = pl.const(5, pl.INT32)")


@pytest.mark.parametrize(
    ("expression", "meaning"),
    [
        ("pl.add(t, 1)", "pl.add(t, pl.const(1.0, pl.FP32))"),
        ("pl.add(t, 2.5)", "pl.tile.adds(t, pl.const(2.5, pl.FP32))"),
        ("pl.mul(t, N)", "pl.mul(t, pl.const(16.0, pl.FP32))"),
        ("0 <= n < 4", "0 <= n and n < 4"),
        ("n if c else n + 1 if n > 1 else 3", "n if c else (n + 1 if n > 1 else 3)"),
        ("+n", "n"),
        ("max(n, 1, k)", "pl.max(pl.max(n, 1), k)"),
        ("pl.div(f, f)", "f / f"),
        ("1 if n else 2", "1 if n != 0 else 2"),
    ],
)
def test_short_forms(expression: str, meaning: str) -> None:
    assert_same(f"value = {expression}", f"value = {meaning}")


@pytest.mark.parametrize("operator", ["+", "-", "*", "//", "%", "**", "<<", ">>", "&", "|", "^"])
def test_augmented_assignment(operator: str) -> None:
    assert_same(f"n {operator}= 3", f"n = n {operator} 3")


def test_a_literal_condition_selects_nothing() -> None:
    found = value("n if True else k")

    assert isinstance(found, ir.Select)
    assert isinstance(found.condition, ir.Const)
