"""Evaluating expressions without running the text."""

from __future__ import annotations

import ast
import builtins
import math
import sys

import pytest

from pypto_lite import ir
from pypto_lite.diagnostics import UserError
from pypto_lite.trace.expressions.static_values import evaluate
from pypto_lite.trace.names import builtins as surface
from pypto_lite.trace.names.environment import Environment
from pypto_lite.trace.source.capture import parse_source

NAMES = {
    "N": 16,
    "SHAPE": [16, 32],
    "math": math,
    "Space": ir.MemorySpace,
    "FP32": ir.dtypes.FP32,
    "Tensor": surface.TENSOR,
    "MemRef": surface.MEM_REF,
    "dynamic": surface.dynamic,
    "load": surface.OperatorName("load"),
    "sys": sys,
    **vars(builtins),
}


def value_of(text: str, live: bool = False) -> object:
    file = parse_source(text, "text.py")
    (statement,) = file.tree.body
    assert isinstance(statement, ast.Expr)
    return evaluate(statement.value, Environment(file, (NAMES,), live=live))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("N * 2 + 1", 33),
        ("-N // 3 % 4", 2),
        ("2 ** 10 >> 3 | 1", 129),
        ("~N & 0xff ^ 1", 238),
        ("(N, *SHAPE)", (16, 16, 32)),
        ("SHAPE[1]", 32),
        ("SHAPE[:1]", [16]),
        ("SHAPE + [1]", [16, 32, 1]),
        ("{'a': N}['a']", 16),
        ("{N, 1}", {16, 1}),
        ("N if N > 8 else unknown", 16),
        ("N and 3", 3),
        ("0 or N", 16),
        ("0 and unknown", 0),
        ("1 < N < 20", True),
        ("1 < N < 2 < unknown", False),
        ("N in SHAPE", True),
        ("N not in SHAPE", False),
        ("not N", False),
        ("N is None", False),
        ("max(N, 20) + min(SHAPE) + len(SHAPE)", 38),
        ("math.ceil(N / 3)", 6),
        ("math.sqrt(N)", 4.0),
        ("float('inf')", math.inf),
        ("Space.Vec", ir.MemorySpace.Vec),
        ("FP32", ir.dtypes.FP32),
        ("FP32.get_byte()", 4),
        ("FP32.bits", 32),
        ("'a' * 3", "aaa"),
        ("None", None),
    ],
)
def test_value(text, value):
    assert value_of(text) == value


def test_annotation():
    found = value_of("Tensor[[N, 4], FP32]")
    assert isinstance(found, surface.Annotation)
    assert found.form is surface.TENSOR
    assert found.arguments == ([16, 4], ir.dtypes.FP32)


def test_annotation_with_arguments():
    found = value_of("MemRef('buffer')")
    assert isinstance(found, surface.Annotation)
    assert found.arguments == ("buffer",)


def test_symbolic_dimension():
    found = value_of("dynamic('M') // 2")
    assert isinstance(found, surface.DynExpression)
    assert (found.operator, found.rhs) == ("//", 2)


def test_long_sum_does_not_meet_the_recursion_limit():
    assert value_of(" + ".join(["1"] * 2500)) == 2500


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("N + unknown", "unknown"),
        ("1 + N / 0", "N / 0"),
        ("1 + 'a'", "1 + 'a'"),
        ("SHAPE[7]", "SHAPE[7]"),
        ("2 + 10 ** 10 ** 10", "10 ** 10 ** 10"),
        ("1 << 10000000", "1 << 10000000"),
        ("[0] * 10**9", "[0] * 10**9"),
        ("math.factorial(100000)", "math.factorial(100000)"),
        ("math.nothing", "math.nothing"),
        ("N + load(1)", "load(1)"),
        ("open('x')", "open('x')"),
        ("sys.exit()", "sys.exit()"),
        ("SHAPE.append(1)", "SHAPE.append"),
        ("FP32.__class__", "FP32.__class__"),
        ("1 + (lambda: 1)()", "lambda: 1"),
        ("[i for i in SHAPE]", "[i for i in SHAPE]"),
        ("f'{N}'", "f'{N}'"),
        ("max(*SHAPE)", "*SHAPE"),
        ("max(SHAPE, **{})", "{}"),
        ("dynamic('not a name')", "dynamic('not a name')"),
        ("Tensor(1)", "Tensor(1)"),
    ],
)
def test_refused_where_it_stands(text, marked):
    with pytest.raises(UserError) as caught:
        value_of(text)
    span = caught.value.span
    assert text[span.column - 1 : span.end_column - 1] == marked


def test_misspelled_attribute_gets_a_proposal():
    with pytest.raises(UserError) as caught:
        value_of("Space.Vex")
    assert caught.value.code == "PL107"
    assert "'Vec'" in (caught.value.diagnostics[0].hint or "")


def test_text_that_python_has_run_may_use_any_object():
    assert value_of("sys.version_info[0]", live=True) == sys.version_info[0]
    assert value_of("'a,b'.split(',')", live=True) == ["a", "b"]
