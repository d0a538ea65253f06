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

    with pytest.raises(UserError, match=r"kernel was called outside a kernel"):
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
    assert caught.value.span.filename == __file__
    assert caught.value.diagnostics[0].found == "the function kernel"


@pytest.mark.parametrize("decorate", [pl.function, pl.inline, pl.function(), pl.inline()])
@pytest.mark.parametrize("wrong", [7, "text", Block, staticmethod(len), functools.partial(len)])
def test_function_of_something_else(decorate, wrong):
    with pytest.raises(UserError, match="above a function") as caught:
        decorate(wrong)
    assert caught.value.code == "PL115"
    assert "0x" not in str(caught.value.diagnostics[0].found)


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


def test_options_can_have_a_name_of_their_own():
    in_core = pl.function(type=pl.FunctionType.InCore)

    @in_core
    def alone(x: Block) -> Block:
        return x

    @pl.program
    class Kernels:
        @in_core
        def kernel(self, x: Block) -> Block:
            return x

    assert alone.type is Kernels.functions["kernel"].type is pl.FunctionType.InCore


def test_options_with_a_name_in_a_text():
    kernels = pl.parse(
        """import pypto_lite.language as pl
in_core = pl.function(type=pl.FunctionType.InCore)
@pl.program
class Kernels:
    @in_core
    def kernel(self, x: pl.Scalar[pl.FP32]) -> pl.Scalar[pl.FP32]:
        return x
"""
    )
    assert isinstance(kernels, pl.Program)
    assert kernels.functions["kernel"].type is pl.FunctionType.InCore


def test_unknown_option_of_a_named_decorator():
    wrong = pl.function(typ=pl.FunctionType.InCore)
    with pytest.raises(UserError, match="did you mean 'type'") as caught:

        @wrong
        def kernel(x: Block) -> Block:
            return x

    assert caught.value.code == "PL205"


def test_program_has_no_options():
    with pytest.raises(UserError) as caught:

        @pl.program(name="Other")
        class Kernels:
            @pl.function
            def kernel(self, x: Block) -> Block:
                return x

    assert caught.value.code == "PL205"


def test_constants_of_a_class():
    @pl.program
    class Kernels:
        ROWS = 16

        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: pl.Tensor[[ROWS, 16], pl.FP32], out: pl.Out[Block]) -> Block:
            return pl.store(pl.load(x, [0, 0], [self.ROWS, 16]), [0, 0], out)

    assert Kernels.functions["kernel"].params[0].type == ir.TensorType([16, 16], pl.FP32)


def test_member_without_self():
    with pytest.raises(UserError, match=r"write self\.ROWS") as caught:

        @pl.program
        class Kernels:
            ROWS = 16

            @pl.function
            def kernel(self, x: Block) -> pl.Scalar[pl.INDEX]:
                return ROWS  # noqa: F821

    assert caught.value.code == "PL105"


def test_bases_mean_nothing():
    with pytest.raises(UserError) as caught:

        @pl.program
        class Kernels(dict[str, int]):
            @pl.function
            def kernel(self, x: Block) -> Block:
                return x

    assert caught.value.code == "PL115"


def test_other_decorators_of_a_program_class():
    seen: list[object] = []

    def register(made: object) -> object:
        seen.append(made)
        return made

    @register
    @pl.program
    class Above:
        @pl.function
        def kernel(self, x: Block) -> Block:
            return x

    assert seen == [Above]
    with pytest.raises(UserError) as caught:

        @pl.program
        @register
        class Below:
            @pl.function
            def kernel(self, x: Block) -> Block:
                return x

    assert caught.value.code == "PL115"


def test_function_that_has_no_decorator_in_its_source():
    def kernel(x: Block) -> Block:
        return x

    with pytest.raises(UserError, match="none of our decorators") as caught:
        pl.function(kernel)
    assert caught.value.code == "PL115"


def test_errors_carry_no_frames_of_how_they_were_found():
    with pytest.raises(UserError) as caught:

        @pl.function
        def kernel(x: Block) -> Block:
            return pl.nothing(x)

    frames = [entry.name for entry in caught.traceback]
    assert frames == ["test_errors_carry_no_frames_of_how_they_were_found", "__call__"]
    assert caught.value._render_traceback_()[0].startswith("error[PL107]")


def test_program_as_base_of_a_class():
    @pl.program
    class First:
        @pl.function
        def kernel(self, x: Block) -> Block:
            return x

    with pytest.raises(UserError, match="'First'") as caught:

        class Second(First): ...

    assert caught.value.code == "PL115"
    assert caught.value.span.filename == __file__
