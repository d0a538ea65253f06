"""Deep and long programs: what nests and what chains never meets Python's recursion limit, and has coded limits."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.diagnostics import UserError
from pypto_lite.passes import SSAForm, TypeChecked, UseAfterDef
from pypto_lite.passes.properties.printable import Printable

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD = """import pypto_lite.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 128], pl.FP32], n: pl.Scalar[pl.INDEX], c: pl.Scalar[pl.BOOL]):
        t = pl.load(x, [0, 0], [16, 128])
"""
READ = "pl.read(x, [n, 0])"


def traced(body: str) -> ir.Program:
    found = pl.parse(f"{HEAD}        {body}\n")
    assert isinstance(found, ir.Program)
    assert passes.verify(found, {SSAForm, TypeChecked, UseAfterDef, Printable}) == []
    return found


def nested_blocks(count: int, headers: tuple[str, ...]) -> str:
    lines = [f"{'    ' * level}{headers[level % len(headers)].format(level)}" for level in range(count)]
    return "\n        ".join([*lines, f"{'    ' * count}t = pl.exp(t)"])


@pytest.mark.parametrize(
    "headers", [("for i{} in pl.range(2):",), ("while n > {}:", "if c:", "for i{} in pl.range(2):")]
)
@pytest.mark.parametrize("count", [60, 90])
def test_nested_blocks(headers: tuple[str, ...], count: int) -> None:
    found = traced(nested_blocks(count, headers))

    ir.assert_structural_equal(pl.parse(found.as_python()), found)


def test_more_nested_blocks_are_refused() -> None:
    with pytest.raises(UserError) as caught:
        traced(nested_blocks(91, ("if c:",)))

    assert caught.value.code == "PL118"
    assert caught.value.span.line == HEAD.count("\n") + 91


@pytest.mark.parametrize(
    "expression",
    [
        " + ".join(["n"] * 2500),
        " - ".join(["n * 2"] * 1000),
        " + ".join([READ] * 300),
        " + ".join(["t"] * 300),
        " ** ".join(["n"] * 500),
        "-" * 1000 + "n",
        "not " * 1000 + "n",
        "n if n > 2 else " * 200 + "n",
        f"{READ} if n > 2 else " * 60 + "0.0",
        " and ".join(["c"] * 2500),
        " or ".join([f"{READ} > 0.0"] * 200),
        " < ".join(["n"] * 500),
        "n - (" * 180 + "n" + ")" * 180,
        "pl.exp(" * 180 + "t" + ")" * 180,
        "max(n, " * 180 + "n" + ")" * 180,
        "c and (" * 80 + f"{READ} > 0.0" + ")" * 80,
        "[" * 150 + "n" + "]" * 150,
    ],
    ids=lambda text: text[:20],
)
def test_deep_expressions(expression: str) -> None:
    found = traced(f"value = {expression}")

    ir.assert_structural_equal(pl.parse(found.as_python()), found)


@pytest.mark.parametrize(
    "body",
    [
        "if {} > 3:\n            t = pl.exp(t)",
        "while {} > 3:\n            n = n - 1",
        "for i in pl.range({}):\n            t = pl.exp(t)",
        "u = pl.load(x, [{}, 0], [16, 128])",
        "y = pl.create_tensor([64, 128], dtype=pl.FP32)\ny[{}, 0] = 1.0",
        "n += {}",
        "return {}",
    ],
)
def test_deep_expressions_in_all_places(body: str) -> None:
    traced(body.format(" + ".join(["n"] * 300)))


@pytest.mark.parametrize("expression", [" + ".join(["n"] * 5000), "n ** " * 5000 + "n", "-" * 100_000 + "n"])
def test_expressions_that_are_too_long_are_refused(expression: str) -> None:
    with pytest.raises(UserError) as caught:
        traced(f"value = {expression}")

    assert caught.value.code in ("PL101", "PL118")


def test_nesting_that_would_be_too_deep_behind_conditions_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        traced("value = " + "c and (" * 150 + f"{READ} > 0.0" + ")" * 150)

    assert caught.value.code == "PL118"


WRITE = "pl.write(y, [0, 0], 1.0)"


def chain(arms: int, arm: str, condition: str = "n == {}") -> str:
    """An ``if`` with many ``elif``."""
    headers = [f"{'el' * (number > 0)}if {condition.format(number)}:" for number in range(arms)]
    return "\n".join(f"{header}\n    {arm}" for header in headers)


def guarded(guards: int, jump: str) -> str:
    """A loop that begins with many ``if ...: continue``, say."""
    lines = "".join(f"    if i == {number}:\n        {jump}\n" for number in range(guards))
    return f"for i in pl.range(4):\n{lines}    {WRITE}"


def traced_with_tensor(body: str) -> ir.Program:
    return traced(f"y = pl.create_tensor([16, 16], dtype=pl.FP32)\n{body}".replace("\n", "\n        "))


@pytest.mark.parametrize(
    "body",
    [
        chain(900, WRITE),
        chain(900, f"u = pl.exp(t)\n    {WRITE}"),
        chain(120, WRITE, "c and n == {}") + f"\nelse:\n    {WRITE}",
        guarded(95, "continue"),
        guarded(300, "continue"),
    ],
)
def test_many_branches_that_do_not_nest(body: str) -> None:
    found = traced_with_tensor(body)

    ir.assert_structural_equal(pl.parse(found.as_python()), found)


@pytest.mark.parametrize(
    "body",
    [
        chain(1100, WRITE),
        "m = 0\n" + chain(95, "m = n") + "\nu = pl.load(x, [m, 0], [16, 128])",
        guarded(95, "break"),
    ],
)
def test_many_branches_that_nest_when_they_are_printed_are_refused(body: str) -> None:
    with pytest.raises(UserError) as caught:
        traced_with_tensor(body)

    assert caught.value.code == "PL312"


def test_evaluation_needs_few_frames_whatever_the_depth() -> None:
    limit = sys.getrecursionlimit()
    frame, depth = sys._getframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    try:
        sys.setrecursionlimit(depth + 800)
        found = traced("value = " + "pl.exp(-" * 90 + "t" + ")" * 90)
    finally:
        sys.setrecursionlimit(limit)

    assert len(found.functions) == 1


def test_many_statements() -> None:
    body = "\n        ".join(f"u{number} = pl.exp(t)" for number in range(10_000))

    assert len(traced(body).functions["kernel"].body.statements) == 10_001


def test_many_functions() -> None:
    functions = "\n".join(
        f"    @pl.function\n    def f{number}(self, n: pl.Scalar[pl.INDEX]):\n        return self.f{number + 1}(n)\n"
        for number in range(300)
    )
    last = "    @pl.function\n    def f300(self, n: pl.Scalar[pl.INDEX]):\n        return n\n"

    found = pl.parse(f"import pypto_lite.language as pl\n\n@pl.program\nclass P:\n{functions}\n{last}")

    assert isinstance(found, ir.Program)
    assert [len(each.return_types) for each in found.functions.values()] == [1] * 301


@pytest.fixture(params=[True, False])
def collector(request: pytest.FixtureRequest) -> Iterator[bool]:
    """The cyclic garbage collector, switched on or off."""
    before = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if before else gc.disable)()


def test_the_collector_is_as_it_was(collector: bool) -> None:
    pl.parse(f"{HEAD}        u = pl.exp(t)\n")

    assert gc.isenabled() is collector


def test_the_collector_is_as_it_was_after_an_error(collector: bool) -> None:
    with pytest.raises(UserError):
        pl.parse(f"{HEAD}        u = unknown\n")

    assert gc.isenabled() is collector
