"""Functions outside the class of a program, which belong to it once they are called: also several of one name."""

from __future__ import annotations

from typing import Any

import pypto_lite.language as pl
from pypto_lite import ir

TILE = pl.Tile[[16, 16], pl.FP32]
TENSOR = pl.Tensor[[16, 16], pl.FP32]


def scaling(factor: float) -> Any:
    """An inline function that multiplies by a number of Python."""

    @pl.inline
    def scale(t: TILE) -> TILE:
        return pl.mul(t, factor)

    return scale


def filling(value: float) -> Any:
    """A function of its own that calls another one, each made anew."""

    @pl.function(type=pl.FunctionType.InCore)
    def fill(target: pl.Out[TENSOR]) -> TENSOR:
        return pl.store(pl.tile.full([16, 16], pl.FP32, value), [0, 0], target)

    @pl.function(type=pl.FunctionType.Orchestration)
    def filled(target: pl.Out[TENSOR]) -> TENSOR:
        return fill(target)

    return filled


def numbers(program: ir.Program, name: str) -> list[object]:
    """The float constants in a function."""
    nodes = ir.walk(program.functions[name])
    return [node.value for node in nodes if isinstance(node, ir.Const) and isinstance(node.value, float)]


twice, thrice = scaling(2.0), scaling(3.0)


def test_two_inline_functions_of_one_name() -> None:
    @pl.program
    class P:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
            t = pl.load(x, [0, 0], [16, 16])
            return pl.store(thrice(twice(thrice(t))), [0, 0], out)

    assert list(P.functions) == ["kernel", "scale", "scale__1"]
    assert numbers(P, "scale") == [3.0]
    assert numbers(P, "scale__1") == [2.0]
    ir.assert_structural_equal(pl.parse(str(P)), P)
    assert numbers(P.lower(until="inline_functions"), "kernel") == [3.0, 2.0, 3.0]


def test_functions_of_one_name_that_call_functions_of_one_name() -> None:
    ones, twos, again = filling(1.0), filling(2.0), filling(1.0)

    @pl.program
    class P:
        @pl.function(type=pl.FunctionType.Orchestration)
        def main(self, a: pl.Out[TENSOR], b: pl.Out[TENSOR], c: pl.Out[TENSOR]):
            ones(a)
            twos(b)
            ones(a)
            again(c)

    assert list(P.functions) == ["main", "filled", "fill", "filled__1", "fill__1"]
    assert (numbers(P, "fill"), numbers(P, "fill__1")) == ([1.0], [2.0])
    assert called(P, "main") == ["filled", "filled__1", "filled", "filled"]
    assert called(P, "filled__1") == ["fill__1"]
    ir.assert_structural_equal(pl.parse(str(P)), P)


def test_a_name_of_the_class_is_taken() -> None:
    @pl.program
    class P:
        scale__1 = 4

        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: TENSOR, out: pl.Out[TENSOR]) -> TENSOR:
            t = twice(self.scale(pl.load(x, [0, 0], [16, 16])))
            return pl.store(t, [0, 0], out)

        @pl.inline
        def scale(self, t: TILE) -> TILE:
            return pl.add(t, t)

    assert called(P, "kernel") == ["scale__2", "scale"]
    assert numbers(P, "scale__2") == [2.0]


def test_functions_of_one_name_in_a_text() -> None:
    """The text's own function, and one of its class."""
    program = pl.parse(
        """
import pypto_lite.language as pl

@pl.inline
def same(t: pl.Tile[[16, 16], pl.FP32]):
    return pl.exp(t)

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        pl.store(same(self.same(pl.load(x, [0, 0], [16, 16]))), [0, 0], out)

    @pl.inline
    def same(self, t: pl.Tile[[16, 16], pl.FP32]):
        return pl.neg(t)
"""
    )

    assert isinstance(program, ir.Program)
    assert called(program, "kernel") == ["same__1", "same"]
    assert [node.op for node in ir.walk(program.functions["same__1"]) if isinstance(node, ir.Call)] == ["tile.exp"]


def called(program: ir.Program, name: str) -> list[str]:
    """The functions that a function calls, in the order of the text."""
    return [node.function for node in ir.walk(program.functions[name]) if isinstance(node, ir.FunctionCall)]
