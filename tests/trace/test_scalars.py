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
        ("f * 2", FP32),
        ("half * 2.0", FP16),
        ("half * f", FP32),
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
    (*_, statement) = statements(f"half = pl.cast(f, pl.FP16)\nvalue = {expression}")
    assert isinstance(statement, ir.Assign)
    assert statement.value.type == ir.ScalarType(dtype)


@pytest.mark.parametrize(
    ("expression", "explicit"),
    [
        ("f * 2", "f * 2.0"),
        ("f / 3", "f / 3.0"),
        ("f * 2.0 + 1", "f * 2.0 + 1.0"),
        ("1 - f", "1.0 - f"),
        ("f // 2 % 3", "f // 2.0 % 3.0"),
        ("f ** 2", "f ** 2.0"),
        ("f * N", "f * 16.0"),
        ("-2 * f", "-2.0 * f"),
        ("half * 2", "half * pl.const(2.0, pl.FP16)"),
        ("half * 0.1", "half * pl.const(0.1, pl.FP16)"),
        ("0 < f <= 1", "0.0 < f <= 1.0"),
        ("f == 1", "f == 1.0"),
        ("max(1, 2, f)", "pl.max(pl.max(pl.const(1.0, pl.FP32), 2.0), f)"),
        ("pl.min(f, 0)", "pl.min(f, 0.0)"),
        ("pl.mul(f, 2)", "f * 2.0"),
        ("f if c else 0", "f if c else 0.0"),
        ("0 if c else half", "pl.const(0.0, pl.FP16) if c else half"),
        ("1 if c else 0.5", "1.0 if c else 0.5"),
        ("c if n else 0", "c if n else False"),
    ],
)
def test_a_number_takes_the_type_of_the_float_beside_it(expression: str, explicit: str) -> None:
    half = "half = pl.cast(f, pl.FP16)\n"
    assert_same(f"{half}value = {expression}", f"{half}value = {explicit}")


@pytest.mark.parametrize(
    ("statement", "explicit"),
    [
        ("k += 1", "k = pl.cast(k + 1, pl.INT32)"),
        ("k -= n + 1", "k = pl.cast(k - (n + 1), pl.INT32)"),
        ("half += f", "half = pl.cast(half + f, pl.FP16)"),
        ("half *= 2", "half = half * pl.const(2.0, pl.FP16)"),
        ("cells[0] += n", "cells[0] = pl.cast(cells[0] + n, pl.INT32)"),
        ("out[0, 0] += 1", "out[0, 0] = out[0, 0] + 1.0"),
    ],
)
def test_augmented_assignment_keeps_the_type_of_its_target(statement: str, explicit: str) -> None:
    before = "half = pl.cast(f, pl.FP16)\ncells = pl.array.create(4, pl.INT32)\n"
    assert_same(f"{before}{statement}", f"{before}{explicit}")


def test_augmented_assignment_keeps_the_type_of_what_a_loop_carries() -> None:
    loop = "for i in pl.range(4):\n    "
    assert_same(f"{loop}k -= i + 1", f"{loop}k = pl.cast(k - (i + 1), pl.INT32)")


@pytest.mark.parametrize(
    ("natural", "explicit"),
    [
        ("c = 1", "c = True"),
        ("flag: pl.Scalar[pl.BOOL] = 0", "flag: pl.Scalar[pl.BOOL] = False"),
        ("flag = pl.const(1, pl.BOOL)", "flag = pl.const(True, pl.BOOL)"),
        ("if n > 3:\n    c = 1\nelse:\n    c = 0", "if n > 3:\n    c = True\nelse:\n    c = False"),
        (
            "for i, (a,) in pl.range(4, init_values=(c,)):\n    b = pl.yield_(0)",
            "for i, (a,) in pl.range(4, init_values=(c,)):\n    b = pl.yield_(False)",
        ),
        (
            "if n > 3:\n    b = pl.yield_(c)\nelse:\n    b = pl.yield_(1)",
            "if n > 3:\n    b = pl.yield_(c)\nelse:\n    b = pl.yield_(True)",
        ),
        (
            "if n > 3:\n    b: pl.Scalar[pl.BOOL] = pl.yield_(1)\nelse:\n    b: pl.Scalar[pl.BOOL] = pl.yield_(0)",
            "if n > 3:\n    b = pl.yield_(True)\nelse:\n    b = pl.yield_(False)",
        ),
        ("b = self.flagged(0)", "b = self.flagged(False)"),
        ("flags = pl.array.create(4, pl.BOOL)\nflags[0] = 1", "flags = pl.array.create(4, pl.BOOL)\nflags[0] = True"),
        ("z = pl.matmul_acc(z, a, a, init_cond=1)", "z = pl.matmul_acc(z, a, a, init_cond=True)"),
    ],
)
def test_0_and_1_are_taken_where_a_bool_is_declared(natural: str, explicit: str) -> None:
    before = "a = pl.load(h, [0, 0], [16, 16])\nz = pl.matmul(a, a)\n"
    assert_same(before + natural, before + explicit)


@pytest.mark.parametrize(("wanted", "found"), [("INT64", "n"), ("INT64", "pl.tensor.dim(x, 0)"), ("INDEX", "long")])
def test_index_and_int64_agree_in_an_annotation(wanted: str, found: str) -> None:
    before = "long = pl.cast(k, pl.INT64)\n"
    assert_same(f"{before}value: pl.Scalar[pl.{wanted}] = {found}", f"{before}value = pl.cast({found}, pl.{wanted})")


@pytest.mark.parametrize(
    "body",
    [
        "for i, (a,) in pl.range(4, init_values=(n,)):\n    b{} = pl.yield_(a + 1)",
        "if c:\n    t = pl.add(t, t)\n    b{0} = pl.yield_(n)\nelse:\n    b{0} = pl.yield_(0)",
    ],
)
def test_an_annotation_leaves_the_result_of_a_loop_or_a_branch_what_it_is(body: str) -> None:
    assert_same(body.format(": pl.Scalar[pl.INT64]"), body.format(""))


def test_index_and_int64_agree_in_calls_and_returns() -> None:
    (_, statement) = statements("m = self.long(n, n)\nvalue = self.long(m, m)")

    assert isinstance(statement, ir.Assign)
    assert isinstance(statement.value, ir.FunctionCall)
    assert statement.value.type == ir.ScalarType(INT64)
    assert all(isinstance(argument, ir.Var) for argument in statement.value.args)


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
