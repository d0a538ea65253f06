"""The decorators: how they can be written, and what their misuse gets."""

from __future__ import annotations

import functools

import pytest

import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.diagnostics import UserError

Block = pl.Tensor[[16, 16], pl.FP32]


def test_program_with_and_without_parentheses():
    @pl.program
    class First:
        """With a docstring."""

        @pl.function
        def kernel(self, x: Block) -> Block:
            return x

    @pl.program()
    class Second:
        @pl.function()
        def kernel(self, x: Block) -> Block:
            return x

    assert isinstance(First, pl.Program)
    assert (First.name, list(First.functions)) == ("First", ["kernel"])
    assert ir.structural_equal(First, Second.replace(name="First"))


def test_a_function_alone_is_traced_at_once():
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(x: Block) -> Block:
        return x

    assert isinstance(kernel, pl.Function)
    assert (kernel.name, kernel.type) == ("kernel", pl.FunctionType.InCore)


def test_an_inline_function_alone():
    @pl.inline
    def double(x: pl.Scalar[pl.FP32]) -> pl.Scalar[pl.FP32]:
        return x * 2.0

    assert isinstance(double, pl.Function)
    assert double.type is pl.FunctionType.Inline


def test_a_function_in_a_class_waits_for_the_program():
    class Kernels:
        @pl.function
        def kernel(self, x: nothing) -> nothing:  # noqa: F821
            return x

    with pytest.raises(UserError, match="kernel was called outside a kernel"):
        Kernels.kernel(1)


def test_a_function_in_a_factory_is_traced_at_once():
    def make(rows: int) -> pl.Function:
        @pl.function
        def kernel(x: pl.Tensor[[rows, 16], pl.FP32]) -> pl.Tensor[[rows, 16], pl.FP32]:
            return x

        return kernel

    assert make(8).params[0].type == ir.TensorType([8, 16], pl.FP32)
    assert make(24).params[0].type == ir.TensorType([24, 16], pl.FP32)


def test_program_of_a_function():
    with pytest.raises(UserError, match="above a class") as caught:

        @pl.program
        def kernel(x):
            return x

    assert caught.value.code == "PL115"


@pytest.mark.parametrize("decorate", [pl.function, pl.inline, pl.function(), pl.inline()])
@pytest.mark.parametrize("wrong", [7, "text", Block, staticmethod(len), functools.partial(len)])
def test_function_of_something_else(decorate, wrong):
    with pytest.raises(UserError, match="above a function") as caught:
        decorate(wrong)
    assert caught.value.code == "PL115"


def test_function_of_a_class():
    with pytest.raises(UserError, match="the class Kernels") as caught:

        @pl.function
        class Kernels: ...

    assert caught.value.code == "PL115"


def test_two_decorators_of_ours():
    with pytest.raises(UserError) as caught:

        @pl.function
        @pl.inline
        def kernel(x: Block) -> Block:
            return x

    assert caught.value.code == "PL115"


def test_class_made_without_a_class_statement():
    with pytest.raises(UserError) as caught:
        pl.program(type("Made", (), {}))
    assert caught.value.code == "PL102"
