"""Scalar arithmetic in a run: the element types of the IR, on Python's numbers."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pypto_lite.language as pl
from pypto_lite import interp, ir
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import arithmetic
from tests.passes.hand_built import function, program, scalar, var

INTEGERS = {
    "INT8": np.int8, "INT16": np.int16, "INT32": np.int32, "INT64": np.int64, "UINT8": np.uint8, "UINT32": np.uint32,
}  # fmt: skip


def computed(operator: str, dtype: str, lhs: Any, rhs: Any) -> Any:
    """``lhs operator rhs`` of two scalars of this element type."""
    type_ = scalar(ir.DTYPES[dtype])
    x, y = var("x", type_), var("y", type_)
    result = scalar(ir.DTYPES["BOOL"]) if operator in ir.COMPARISONS else type_
    made = ir.Binary(operator, x, y, result)
    return interp.run(
        program(function(ir.Return((made,)), params=(x, y), returns=(result,))), None, {"x": lhs, "y": rhs}
    )


@given(st.sampled_from(sorted(INTEGERS)), st.sampled_from(["+", "-", "*", "&", "|", "^", "min", "max", "<"]), st.data())
def test_integers_are_those_of_numpy(dtype: str, operator: str, data: st.DataObject) -> None:
    info = np.iinfo(INTEGERS[dtype])
    numbers = st.integers(info.min, info.max) | st.sampled_from([info.min, info.max, 0, 1])
    lhs, rhs = data.draw(numbers), data.draw(numbers)
    x, y = np.array([lhs], INTEGERS[dtype]), np.array([rhs], INTEGERS[dtype])
    expected = {
        "+": x + y, "-": x - y, "*": x * y, "&": x & y, "|": x | y, "^": x ^ y,
        "min": np.minimum(x, y), "max": np.maximum(x, y), "<": x < y,
    }  # fmt: skip
    assert computed(operator, dtype, lhs, rhs) == expected[operator][0]


@pytest.mark.parametrize(
    ("operator", "lhs", "rhs", "expected"),
    [
        ("//", -7, 2, -4), ("%", -7, 2, 1), ("%", 7, -2, -1), ("/", -7, 2, -3), ("**", 3, 4, 81),
        ("**", 2, 31, -(2**31)),
        ("<<", 3, 4, 48), ("<<", 1, 31, -(2**31)), ("<<", 1, 1000, 0), (">>", -9, 1, -5), (">>", -9, 1000, -1),
    ],
)  # fmt: skip
def test_integer_operations(operator: str, lhs: int, rhs: int, expected: int) -> None:
    assert computed(operator, "INT32", lhs, rhs) == expected


@pytest.mark.parametrize(("operator", "rhs"), [("/", 0), ("//", 0), ("%", 0), ("<<", -1), (">>", -1), ("**", -1)])
def test_what_has_no_value_is_an_error(operator: str, rhs: int) -> None:
    with pytest.raises(UserError) as caught:
        computed(operator, "INT32", 1, rhs)
    assert caught.value.code == "PL506"


@pytest.mark.parametrize(
    ("dtype", "stored"), [("FP32", np.float32), ("FP16", np.float16), ("BF16", ml_dtypes.bfloat16)]
)
@given(lhs=st.floats(-1e4, 1e4), rhs=st.floats(-1e4, 1e4))
def test_floats_are_rounded_after_every_operation(dtype: str, stored: Any, lhs: float, rhs: float) -> None:
    x, y = np.array([lhs]).astype(np.float32).astype(stored), np.array([rhs]).astype(np.float32).astype(stored)
    for operator, expected in (("+", x + y), ("-", x - y)):
        assert computed(operator, dtype, float(x[0]), float(y[0])) == float(expected[0])


def test_floats_without_a_finite_value() -> None:
    assert computed("/", "FP32", 1.0, 0.0) == math.inf
    assert computed("*", "FP16", 60000.0, 2.0) == math.inf
    assert math.isnan(computed("%", "FP32", 1.0, 0.0))
    assert math.isnan(computed("max", "FP32", 1.0, math.nan))


def converted(value: Any, before: str, after: str) -> Any:
    x = var("x", scalar(ir.DTYPES[before]))
    cast = ir.Cast(x, scalar(ir.DTYPES[after]))
    return interp.run(program(function(ir.Return((cast,)), params=(x,), returns=(cast.type,))), None, {"x": value})


@pytest.mark.parametrize(
    ("value", "before", "after", "expected"),
    [
        (2.7, "FP32", "INT32", 2), (-2.7, "FP32", "INT32", -2), (1e20, "FP32", "INT32", 2**31 - 1),
        (math.nan, "FP32", "INT32", 0), (-1.0, "FP32", "UINT8", 0), (300, "INT32", "INT8", 44),
        (-1, "INT32", "UINT8", 255), (5, "INT32", "BOOL", True), (True, "BOOL", "INT32", 1),
        (257, "INT32", "BF16", 256.0),
    ],
)  # fmt: skip
def test_conversions(value: Any, before: str, after: str, expected: Any) -> None:
    result = converted(value, before, after)
    assert result == expected
    assert type(result) is type(expected)


@given(st.sampled_from(["+", "-", "*", "//", "%", "min", "max", "=="]), st.integers(-300, 300), st.integers(-300, 300))
def test_what_the_simplifier_folds_is_what_a_run_computes(operator: str, lhs: int, rhs: int) -> None:
    dtype = ir.DTYPES["INT16"]
    folded = arithmetic.combine(operator, ir.const(lhs, dtype), ir.const(rhs, dtype))
    if isinstance(folded, ir.Const):
        assert computed(operator, "INT16", lhs, rhs) == folded.value


def test_only_the_chosen_arm_is_evaluated() -> None:
    @pl.function
    def quotient(n: pl.Scalar[pl.INT32], m: pl.Scalar[pl.INT32]) -> pl.Scalar[pl.INT32]:
        return n // m if m != 0 else n

    assert quotient.run(n=7, m=2) == 3
    assert quotient.run(n=7, m=0) == 7


def test_the_error_is_at_the_line() -> None:
    @pl.function
    def quotient(n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        bigger = n + 1
        return bigger // m  # expect: PL506

    with pytest.raises(UserError, match="# expect: PL506") as caught:
        quotient.run(n=7, m=0)
    assert caught.value.code == "PL506"
