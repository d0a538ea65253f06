"""Operators as they are written in kernels: what a call means, how it prints, and where its errors point."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, ops, printer
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import (
    Assign,
    Block,
    Call,
    Const,
    Evaluate,
    Expr,
    Function,
    FunctionType,
    ParamDirection,
    Return,
    TensorType,
    UnknownType,
    Var,
    walk,
)
from pypto_lite.ops.framework import keywords as keyword_rules
from pypto_lite.ops.framework.facts import read_operands

CATALOGUE = json.loads((Path(__file__).parents[1] / "data" / "op_catalogue.json").read_text(encoding="utf-8"))

# A code without a meaning has a type, but cannot be written.
CODES_WITHOUT_A_MEANING = {("tile.cmp", 9)}

WRITABLE = [
    pytest.param(entry["name"], example, id=f"{entry['name']}-{number}")
    for entry in CATALOGUE["ops"]
    for number, example in enumerate(entry["examples"])
    if "error" not in example["result"]
    and (entry["name"], (example.get("kwargs") or {}).get("cmp_type")) not in CODES_WITHOUT_A_MEANING
]


@pytest.mark.parametrize(("name", "example"), WRITABLE)
def test_every_executed_example_is_read_back_as_it_was_printed(name: str, example: dict[str, Any]) -> None:
    operator = ops.lookup(name)
    given = keyword_rules.coerced(operator, {**_supplied(operator), **(example.get("kwargs") or {})})
    args = read_operands(operator, example["args"], given)
    function = function_of(ops.call(operator, args, given))
    ir.assert_structural_equal(pl.parse(printer.python_print(function)), function)


def _supplied(operator: ops.Operator) -> dict[str, Any]:
    return {
        name: keyword.supplied for name, keyword in operator.keywords.items() if keyword.supplied is not ops.REQUIRED
    }


def function_of(call: Call) -> Function:
    """A function of one call, whose parameters are the variables that the call mentions."""
    params = list(dict.fromkeys([var for arg in call.args for var in variables(arg)]))
    unnamed = isinstance(call.type, UnknownType)
    statement = Evaluate(call) if unnamed else Assign(Var("result", call.type), call)
    directions = [ParamDirection.InOut if isinstance(each.type, TensorType) else ParamDirection.In for each in params]
    return Function("kernel", FunctionType.InCore, tuple(params), tuple(directions), (), Block((statement, Return(()))))


def variables(expression: Expr) -> list[Var]:
    """The variables in an expression, those in the types of others first."""
    found: list[Var] = []
    for node in walk(expression):
        if isinstance(node, Var):
            found += [var for mentioned in node.type.expressions() for var in variables(mentioned)]
            found.append(node)
    return found


def calls_of(*lines: str) -> list[Call]:
    """The calls in the body of a kernel with a tensor ``x``, an output ``out``, and an INDEX ``i``."""
    function = pl.parse(kernel(*lines))
    assert isinstance(function, Function)
    return [node for node in walk(function.body) if isinstance(node, Call)]


def kernel(*lines: str) -> str:
    header = (
        "import pypto_lite.language as pl",
        "@pl.function(type=pl.FunctionType.InCore)",
        "def kernel(",
        "    x: pl.Tensor[[64, 64], pl.BF16],",
        "    i: pl.Scalar[pl.INDEX],",
        "    out: pl.Out[pl.Tensor[[64, 64], pl.BF16]],",
        "):",
        "    t = pl.load(x, [0, 0], [16, 32])",
    )
    return "\n".join([*header, *[f"    {line}" for line in lines], "    return pl.store(t, [0, 0], out)", ""])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("u = pl.add(t, t)", "tile.add"),
        ("u = pl.add(t, 2.0)", "tile.adds"),
        ("u = pl.tile.mul(t, 2)", "tile.muls"),
        ("u = pl.exp(input=t)", "tile.exp"),
        ("u = pl.slice(t, [8, 32], [0, 0])", "tile.slice"),
        ("u = pl.slice(x, [8, 32], [0, 0])", "tensor.slice"),
        ("u = pl.cmp(t, 0.0, cmp_type='lt')", "tile.cmps"),
        ("u = pl.tile.arange(0, [1, 32], dtype=pl.INT16)", "tile.ci"),
        ("u = pl.tile.full([16, 32], pl.BF16, 0.0)", "tile.full"),
        ("u = pl.full([16, 32], pl.BF16, 0.0)", "tensor.full"),
        ("u = pl.tile.gather_mask(t, pl.tile.MaskPattern.P0101)", "tile.gather_mask"),
        ("u = pl.rsqrt(t, pl.create_tile([16, 32], pl.BF16))", "tile.rsqrt"),
    ],
)
def test_what_a_line_means(line: str, expected: str) -> None:
    assert expected in [call.op for call in calls_of(line)]


@pytest.mark.parametrize(
    ("line", "dtype"),
    [
        ("u = pl.tile.adds(t, 2)", "BF16"),
        ("u = pl.lrelu(t, 1)", "FP32"),
        ("u = pl.write(t, [0, 0], 1)", "BF16"),
        ("u = pl.tile.arange(0, [1, 32], dtype=pl.INT16)", "INT16"),
    ],
)
def test_element_type_of_a_literal(line: str, dtype: str) -> None:
    call = calls_of(line)[1]
    (literal,) = [arg for arg in call.args if isinstance(arg, Const)]
    assert repr(literal.type) == f"Scalar[{dtype}]"


@pytest.mark.parametrize(
    ("line", "code", "at"),
    [
        ("u = pl.ad(t, t)", "PL107", "pl.ad"),
        ("u = pl.add(t, x)", "PL209", "pl.add(t, x)"),
        ("u = pl.exp(x)", "PL209", "pl.exp(x)"),
        ("u = pl.arange(0, [1, 32])", "PL209", "pl.arange"),
        ("u = pl.tensor.exp(x)", "PL209", "pl.tensor.exp"),
        ("u = pl.exp(t, t)", "PL202", "pl.exp(t, t)"),
        ("u = pl.recip(t, high_precison=True)", "PL205", "high_precison=True"),
        ("u = pl.cast(t, pl.FP32, 'rond')", "PL205", "'rond'"),
        ("u = pl.cast(t, pl.BF16)", "PL204", "pl.BF16"),
        ("u = pl.add(t, i)", "PL204", "i"),
        ("u = pl.log(t)", "PL204", "t"),
        ("u = pl.load(x, [0, 40], [16, 32])", "PL206", "[0, 40]"),
        ("u = pl.slice(t, [16, 32], [1, 0])", "PL206", "[1, 0]"),
        ("u = pl.create_tile([16, 0], pl.FP32)", "PL203", "[16, 0]"),
        ("u = pl.matmul(t, t)", "PL203", "t"),
        ("u = pl.set_validshape(t, 16, 33)", "PL208", "33"),
        ("u = pl.gemv(t, t, acc_phase='last')", "PL205", "'last'"),
        ("u = pl.transpose(t, 0, 2)", "PL203", "2"),
        ("u = pl.tile.full([16, 32], pl.BF16, i)", "PL201", "i"),
    ],
)
def test_where_an_error_points(line: str, code: str, at: str) -> None:
    text = kernel(line)
    with pytest.raises(UserError) as caught:
        pl.parse(text)
    error = caught.value
    assert error.code == code
    written = text.splitlines()[error.span.line - 1]
    assert written.strip() == line
    assert written[error.span.column - 1 : error.span.end_column - 1] == at
