"""Verifiers and passes take time and memory in proportion to programs that are built to be hard for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.testing import assert_linear
from tests.passes.hand_built import (
    ONE,
    ZERO,
    add,
    block,
    branch,
    call,
    kernel,
    less,
    load,
    loop,
    plus,
    tensor,
    tile,
    var,
)

if TYPE_CHECKING:
    from collections.abc import Callable

PROPERTIES = [
    passes.BreakContinueValid,
    passes.IncoreTileOps,
    passes.NoNestedCalls,
    passes.NormalizedStmtStructure,
    passes.Printable,
    passes.SSAForm,
    passes.SplitIncoreOrch,
    passes.StructuredCtrlFlow,
    passes.TileMemoryInferred,
    passes.TypeChecked,
    passes.UseAfterDef,
]


def _in_a_row(size: int) -> ir.Program:
    """Statements one after another, each reading the one before and the first."""
    x = var("x", tensor(16, 16))
    first = last = var("t", tile(16, 16))
    made: list[ir.Stmt] = [ir.Assign(first, load(x))]
    for _ in range(10 * size):
        following = var("t", tile(16, 16))
        made.append(ir.Assign(following, add(last, first)))
        last = following
    return kernel(*made, params=(x,))


def _nested(size: int) -> ir.Program:
    """Loops in loops, each carrying a tile, with a branch in each."""
    x = var("x", tensor(16, 16))
    start = var("t", tile(16, 16))
    carries = [var("c", tile(16, 16)) for _ in range(size)]
    inner = block(ir.Yield((carries[-1],)))
    for depth in reversed(range(size)):
        index, result, joined = var("i"), var("r", tile(16, 16)), var("j", tile(16, 16))
        outer = carries[depth - 1] if depth else start
        made = loop(index, inner, (outer,), (carries[depth],), (result,))
        arms = block(ir.Yield((result,))), block(ir.Yield((outer,)))
        inner = block(made, branch(less(ZERO, ONE), *arms, joined), ir.Yield((joined,)))
    *statements, _ = inner.statements
    return kernel(ir.Assign(start, load(x)), *statements, params=(x,))


def _branches(size: int) -> ir.Program:
    """Branches one after another, each with a result that the next one reads."""
    x = var("x", tensor(16, 16))
    last = var("t", tile(16, 16))
    made: list[ir.Stmt] = [ir.Assign(last, load(x))]
    for _ in range(4 * size):
        then, otherwise, result = (var(name, tile(16, 16)) for name in ("a", "b", "r"))
        arms = [block(ir.Assign(each, add(last, last)), ir.Yield((each,))) for each in (then, otherwise)]
        made.append(branch(less(ZERO, ONE), *arms, result))
        last = result
    return kernel(*made, params=(x,))


def _nested_calls(size: int) -> ir.Program:
    """Calls in arguments, and a sum that folds to a constant for each."""
    x = var("x", tensor(16, 16))
    made: list[ir.Stmt] = []
    for _ in range(4 * size):
        n = var("n")
        tiled = load(x, offset=plus(n, ONE))
        shape = ir.make_tuple([8, 16])
        window = call("tile.slice", tiled, shape, ir.make_tuple([0, 0]), result=tile(8, 16))
        made += [ir.Assign(n, plus(ZERO, ir.index_const(-1))), ir.Assign(var("t", tile(8, 16)), add(window, window))]
    return kernel(*made, params=(x,))


def _rotating(size: int) -> ir.Program:
    """Carries that all begin as one tile and hand their values on to each other, and a loop that only passes them."""
    x = var("x", tensor(16, 16))
    start, made = var("t", tile(16, 16)), var("e", tile(16, 16))
    count = 10 * size
    carries, results, passed, last = [[var(name, tile(16, 16)) for _ in range(count)] for name in "crpl"]
    turning = block(ir.Assign(made, add(carries[0], carries[0])), ir.Yield((*carries[1:], made)))
    return kernel(
        ir.Assign(start, load(x)),
        loop(var("i"), turning, (start,) * count, tuple(carries), tuple(results)),
        loop(var("j"), block(ir.Yield(tuple(passed))), tuple(results), tuple(passed), tuple(last)),
        *[ir.Assign(var("s", tile(16, 16)), add(each, each)) for each in last],
        params=(x,),
    )


SIZES = (10, 20, 40)
SHAPES: list[Callable[[int], ir.Program]] = [_in_a_row, _nested, _branches]


@pytest.mark.parametrize("judged", PROPERTIES, ids=repr)
@pytest.mark.parametrize("build", SHAPES, ids=lambda build: build.__name__)
def test_verifying_is_linear(judged: passes.Property, build: Callable[[int], ir.Program]) -> None:
    assert_linear(lambda program: judged.check(program, None), build, sizes=SIZES)


@pytest.mark.parametrize("each", passes.default_pipeline(None).passes, ids=lambda each: each.name)
@pytest.mark.parametrize("build", SHAPES, ids=lambda build: build.__name__)
def test_passes_are_linear(each: passes.Pass, build: Callable[[int], ir.Program]) -> None:
    assert_linear(each.run, build, sizes=SIZES)


def test_measuring_memory_is_linear_in_carries() -> None:
    assert_linear(passes.CheckMemoryCapacity().run, _rotating, sizes=SIZES)


def _calls_of_an_inline_function(size: int) -> ir.Program:
    part = "    @pl.function(type=pl.FunctionType.Inline)\n    def part(self, t: pl.Tile[[16, 16], pl.FP32]):\n"
    return _parsed(["t = self.part(t)"] * size, f"{part}        u = pl.exp(t)\n        return u\n")


def _unrolled(size: int) -> ir.Program:
    return _parsed([f"for i in pl.unroll({size}):", "    t = pl.exp(t)"])


def _parsed(lines: list[str], function: str = "") -> ir.Program:
    header = "import pypto_lite.language as pl\n\n\n@pl.program\nclass P:\n"
    kernel = "    @pl.function(type=pl.FunctionType.InCore)\n    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32]):\n"
    body = "".join(f"        {line}\n" for line in ["t = pl.load(x, [0, 0], [16, 16])", *lines])
    return pl.parse(header + function + kernel + body)


@pytest.mark.parametrize(
    ("each", "build"),
    [
        (passes.FlattenCalls(), _nested_calls),
        (passes.Simplify(), _nested_calls),
        (passes.InlineFunctions(), _calls_of_an_inline_function),
        (passes.UnrollLoops(), _unrolled),
    ],
    ids=lambda each: getattr(each, "name", None),
)
def test_passes_that_find_work_are_linear(each: passes.Pass, build: Callable[[int], ir.Program]) -> None:
    with_work = build(1)
    assert each.run(with_work) is not with_work
    assert_linear(each.run, build, sizes=SIZES)
