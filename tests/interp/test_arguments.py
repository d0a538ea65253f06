"""What a run is given and what it gives back."""

from __future__ import annotations

import inspect
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.interp.arguments import OPTIONS as OPTION_NAMES

from .apply import assert_equal

X = np.arange(16 * 32, dtype=np.float32).reshape(16, 32)


@pl.program
class Sum:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 32], pl.FP32],
        y: pl.Tensor[[16, 32], pl.FP32],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        total = pl.add(pl.load(x, [0, 0], [16, 32]), pl.load(y, [0, 0], [16, 32]))
        return pl.store(total, [0, 0], out)


@pl.function(type=pl.FunctionType.InCore)
def doubled(x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]):
    tile = pl.load(x, [0, 0], [16, 32])
    pl.store(pl.add(tile, tile), [0, 0], out)


def refused(code: str, program: Any, *names: str, **arguments: Any) -> str:
    with pytest.raises(UserError) as caught:
        program.run(*names, **arguments)
    assert caught.value.code == code
    return str(caught.value)


# Results


def test_an_output_that_is_left_out_is_made() -> None:
    x, y = X.copy(), X.copy()
    assert_equal(Sum.run(x=x, y=y), 2 * X)
    assert_equal(x, X)
    assert_equal(y, X)


def test_an_output_that_is_given_is_written_and_returned() -> None:
    out = np.empty((16, 32), np.float32)
    assert Sum.run(x=X, y=X, out=out) is out
    assert_equal(out, 2 * X)


def test_an_output_can_be_any_part_of_an_array() -> None:
    whole = np.zeros((32, 32), np.float32)
    Sum.run(x=X, y=X, out=whole[::2])
    assert_equal(whole[::2], 2 * X)
    assert_equal(whole[1::2], 0 * X)


def test_an_argument_can_have_any_order_in_memory() -> None:
    assert_equal(Sum.run(x=np.asfortranarray(X), y=np.broadcast_to(X[:1], (16, 32))), X + X[:1])


def test_a_function_without_results_gives_the_outputs_that_were_left_out() -> None:
    assert_equal(doubled.run(x=X), 2 * X)
    out = np.empty((16, 32), np.float32)
    assert doubled.run(x=X, out=out) is None
    assert_equal(out, 2 * X)


def test_a_lone_function_runs_lowered_too() -> None:
    assert_equal(doubled.lower().run(x=X), 2 * X)


def test_an_in_and_out_argument_is_read_and_written() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def accumulate(x: pl.Tensor[[16, 32], pl.FP32], total: pl.InOut[pl.Tensor[[16, 32], pl.FP32]]):
        pl.store(pl.add(pl.load(total, [0, 0], [16, 32]), pl.load(x, [0, 0], [16, 32])), [0, 0], total)

    total = X.copy()
    accumulate.run(x=X, total=total)
    accumulate.run(x=X, total=total)
    assert_equal(total, 3 * X)
    assert "an InOut has to be given" in refused("PL502", accumulate, x=X)


def test_element_types_that_numpy_lacks() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def copied(
        x: pl.Tensor[[16, 32], pl.BF16], out: pl.Out[pl.Tensor[[16, 32], pl.BF16]]
    ) -> pl.Tensor[[16, 32], pl.BF16]:
        return pl.store(pl.load(x, [0, 0], [16, 32]), [0, 0], out)

    x = X.astype(ml_dtypes.bfloat16)
    assert_equal(copied.run(x=x), x)
    assert "x.astype(ml_dtypes.bfloat16)" in refused("PL503", copied, x=X)


def test_a_store_converts_to_the_element_type_of_the_tensor() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def narrowed(
        x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP16]]
    ) -> pl.Tensor[[16, 32], pl.FP16]:
        return pl.store(pl.load(x, [0, 0], [16, 32]), [0, 0], out)

    assert_equal(narrowed.run(x=X / 3), (X / 3).astype(np.float16))


# What does not fit


def test_a_misspelled_argument() -> None:
    assert "did you mean 'out'?" in refused("PL502", Sum, x=X, y=X, outt=X)


def test_a_missing_argument() -> None:
    assert "needs an argument for 'y'" in refused("PL502", Sum, x=X)


@pytest.mark.parametrize(
    ("x", "found"),
    [
        (X[:8], "a shape of [8, 32]"),
        (X[0], "1 dimensions: [32]"),
        (X.astype(np.float64), "an array of float64"),
        (X.astype(np.int32), "an array of int32"),
        (X.tolist(), "a list"),
        (1.0, "a float"),
    ],
)
def test_an_array_that_does_not_fit(x: Any, found: str) -> None:
    message = refused("PL503", Sum, x=x, y=X)
    assert f"found:    {found}" in message
    assert "x: pl.Tensor[[16, 32], pl.FP32]," in message


def test_an_output_that_cannot_be_written() -> None:
    out = np.zeros((16, 32), np.float32)
    out.flags.writeable = False
    assert "an array that is read-only" in refused("PL503", Sum, x=X, y=X, out=out)
    assert_equal(Sum.run(x=out, y=X), X)


@pl.function
def scalars(
    n: pl.Scalar[pl.INT8], f: pl.Scalar[pl.FP16], flag: pl.Scalar[pl.BOOL]
) -> tuple[pl.Scalar[pl.INT8], pl.Scalar[pl.FP16], pl.Scalar[pl.BOOL]]:
    return n, f, flag


@pytest.mark.parametrize(
    ("n", "f", "flag"),
    [
        (-128, 0.5, True),
        (np.int8(3), np.float16(2), np.bool_(False)),
        (np.int64(3), 2, False),
        (1, 1.0, 1),
        (1, 1.0, np.int32(0)),
    ],
)
def test_scalars_are_numbers(n: Any, f: Any, flag: Any) -> None:
    assert scalars.run(n=n, f=f, flag=flag) == (n, f, flag)


def test_a_float_is_rounded_to_its_element_type() -> None:
    assert scalars.run(n=0, f=0.1, flag=False)[1] == float(np.float16(0.1))


@pytest.mark.parametrize(
    ("n", "f", "flag"),
    [
        (128, 0.0, False),
        (0.5, 0.0, False),
        (True, 0.0, False),
        (0, "1", False),
        (0, 0.0, 2),
        (0, 0.0, 1.0),
        (X, 0.0, False),
    ],
)
def test_a_scalar_that_does_not_fit(n: Any, f: Any, flag: Any) -> None:
    assert "the argument for" in refused("PL503", scalars, n=n, f=f, flag=flag)


def test_symbolic_dimensions_agree() -> None:
    rows = pl.dynamic("rows")

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        x: pl.Tensor[[rows, 32], pl.FP32],
        y: pl.Tensor[[rows, 32], pl.FP32],
        out: pl.Out[pl.Tensor[[2 * rows, 32], pl.FP32]],
    ) -> pl.Tensor[[2 * rows, 32], pl.FP32]:
        tile = pl.load(x, [0, 0], [16, 32])
        out = pl.store(tile, [0, 0], out)
        return pl.store(pl.load(y, [0, 0], [16, 32]), [rows, 0], out)

    assert_equal(kernel.run(x=X, y=X), np.concatenate([X, X]))
    message = refused("PL503", kernel, x=X, y=X[:8])
    assert "an extent of 8 in axis 0, for rows" in message
    assert "rows = 16, as 'x' has it" in message
    assert "a shape of [31, 32]" in refused("PL503", kernel, x=X, y=X, out=np.zeros((31, 32), np.float32))


SOLVED = """
M = pl.dynamic("M")
N = pl.dynamic("N")

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, n: pl.Scalar[pl.INDEX], {}, out: pl.Out[pl.Tensor[[M, 16], pl.FP32]]
    ) -> pl.Tensor[[M, 16], pl.FP32]:
        for row in pl.range(0, M, 16):
            out = pl.store(pl.tile.full([16, 16], dtype=pl.FP32, value=1.0), [row, 0], out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, n: pl.Scalar[pl.INDEX], {}, out: pl.Out[pl.Tensor[[M, 16], pl.FP32]]):
        return self.kernel(n, {}, out)
"""


def solved(*shapes: str) -> Any:
    params = ", ".join([f"x{index}: pl.Tensor[[{shape}, 16], pl.FP32]" for index, shape in enumerate(shapes)])
    return pl.parse(SOLVED.format(params, params, ", ".join([f"x{index}" for index in range(len(shapes))])))


@pytest.mark.parametrize(
    ("shapes", "rows"),
    [
        (["M * 2"], [64]),
        (["3 * M"], [96]),
        (["M + 1"], [33]),
        (["5 + M"], [37]),
        (["M - 2"], [30]),
        (["100 - M"], [68]),
        (["M // 2"], [16]),
        (["(M + 1) * 2 - 4"], [62]),
        (["M * n"], [96]),
        (["M * N", "N"], [128, 4]),
        (["M + N", "N * 2 + 1"], [36, 9]),
        (["M * 2", "M"], [64, 32]),
    ],
)
@pytest.mark.parametrize("function", ["main", "kernel"])
@pytest.mark.parametrize("debug", [False, True])
def test_a_dimension_follows_from_an_extent_that_mentions_it(
    shapes: list[str], rows: list[int], function: str, debug: bool
) -> None:
    arrays = {f"x{index}": np.zeros((extent, 16), np.float32) for index, extent in enumerate(rows)}

    assert_equal(solved(*shapes).run(function, n=3, **arrays, debug=debug), np.ones((32, 16), np.float32))


@pytest.mark.parametrize(
    ("shape", "rows", "message"),
    [
        ("M * 2", 63, "expected: M * 2 for some M"),
        ("100 - M", 101, "expected: 100 - M for some M"),
        ("M * (n - 3)", 32, "expected: M * (n - 3) for some M"),
    ],
)
def test_an_extent_that_no_dimension_gives(shape: str, rows: int, message: str) -> None:
    assert message in refused("PL503", solved(shape), n=3, x0=np.zeros((rows, 16), np.float32))


def test_extents_that_give_different_dimensions() -> None:
    x = np.zeros((64, 16), np.float32)
    assert "expected: [66, 16]" in refused("PL503", solved("M * 2", "M * 2 + 2"), n=3, x0=x, x1=x)
    assert "expected: [62, 16]" in refused("PL503", solved("M * 2"), n=3, x0=x, out=x[:31])


@pytest.mark.parametrize("shape", ["M * M", "M % 64", "64 // M", "M * N"])
def test_an_extent_that_does_not_tell_the_dimension(shape: str) -> None:
    x = np.zeros((64, 16), np.float32)
    message = refused("PL502", solved(shape), n=3, x0=x)
    assert "give the function a parameter that has M itself as an extent" in message


def test_a_dimension_that_no_argument_has() -> None:
    rows = pl.dynamic("rows")

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(out: pl.Out[pl.Tensor[[rows, 32], pl.FP32]]) -> pl.Tensor[[rows, 32], pl.FP32]:
        return pl.store(pl.tile.full([16, 32], dtype=pl.FP32, value=1.0), [0, 0], out)

    assert "no argument says how large 'rows' is" in refused("PL502", kernel)
    assert_equal(kernel.run(out=np.zeros((16, 32), np.float32)), np.ones((16, 32), np.float32))


# Which function


@pl.program
class TwoKernels:
    @pl.function
    def one(self) -> pl.Scalar[pl.INDEX]:
        return 1

    @pl.function
    def two(self) -> pl.Scalar[pl.INDEX]:
        return 2


def test_the_function_is_named_where_there_are_several() -> None:
    message = refused("PL501", TwoKernels)
    assert "expected: one of one, two" in message
    assert TwoKernels.run("two") == 2
    assert TwoKernels.run(function="one") == 1


def test_a_misspelled_function() -> None:
    assert "did you mean 'two'?" in refused("PL501", TwoKernels, "twoo")


def test_the_function_that_nobody_calls_is_the_entry() -> None:
    @pl.program
    class Calling:
        @pl.function
        def helper(self) -> pl.Scalar[pl.INDEX]:
            return 1

        @pl.function
        def other(self) -> pl.Scalar[pl.INDEX]:
            return 2

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(self) -> pl.Scalar[pl.INDEX]:
            return self.helper() + 10

    assert Calling.run() == 11


# Arguments that a newcomer gives


@pytest.mark.parametrize("first", [X, 3, [1.0]])
def test_arguments_by_position_are_refused_with_how_they_are_given(first: Any) -> None:
    assert "run(x=..., y=...)" in refused("PL502", Sum, first)


def test_a_masked_array_is_refused() -> None:
    masked = np.ma.masked_array(X, X > 5)
    assert "a masked array" in refused("PL503", Sum, x=masked, y=X)


def test_two_readers_of_one_array_share_it() -> None:
    assert_equal(Sum.run(x=X, y=X), 2 * X)


@pytest.mark.parametrize("out", [X[:], X.reshape(32, 16).reshape(16, 32)])
def test_an_array_that_is_read_cannot_be_written_as_another_one(out: Any) -> None:
    assert "shares elements with the one for 'x'" in refused("PL503", Sum, x=X, y=X.copy(), out=out)


def test_arrays_of_one_buffer_that_lie_apart_are_taken() -> None:
    both = np.zeros((16, 64), np.float32)
    left, right = both[:, ::2], both[:, 1::2]
    assert Sum.run(x=left, y=X, out=right) is right
    assert_equal(both[:, 1::2], X)


@pl.program
class Scaled:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[16, 32], pl.FP32], s: pl.Scalar[pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        return pl.store(pl.mul(pl.load(x, [0, 0], [16, 32]), s), [0, 0], out)


@pytest.mark.parametrize("number", [2, 2.0, np.float32(2), np.int8(2), np.array(2.0)])
def test_any_real_number_is_taken_for_a_float(number: Any) -> None:
    assert_equal(Scaled.run(x=X, s=number), 2 * X)


@pytest.mark.parametrize("number", [10**400, np.complex64(2), 2j, "2", np.array([2.0]), True, None])
def test_what_is_no_number_of_the_type_is_refused(number: Any) -> None:
    assert "the argument for 's'" in refused("PL503", Scaled, x=X, s=number)


@pytest.mark.filterwarnings("error")
def test_a_number_that_is_too_large_for_its_type_is_infinite() -> None:
    assert_equal(Scaled.run(x=np.ones_like(X), s=1e300), np.full_like(X, np.inf))


@pytest.mark.parametrize("sanitize", [0, 1, None, 2.5])
def test_sanitize_is_no_number(sanitize: Any) -> None:
    with pytest.raises(UserError, match=r"PL502.*sanitize is True, a target or a Sanitizer"):
        Sum.run(x=X, y=X, sanitize=sanitize)


def test_a_hook_is_a_function() -> None:
    with pytest.raises(UserError, match=r"PL502.*hook is a function of a Moment, and this is a int"):
        Sum.run(x=X, y=X, hook=3)  # type: ignore[arg-type]


# Parameters that are called like options


@pl.program
class Options:
    @pl.function
    def kernel(
        self,
        function: pl.Scalar[pl.INDEX],
        arguments: pl.Scalar[pl.INDEX],
        hook: pl.Scalar[pl.INDEX],
        debug: pl.Scalar[pl.INDEX],
        sanitize: pl.Scalar[pl.INDEX],
        n: pl.Scalar[pl.INDEX],
    ) -> pl.Scalar[pl.INDEX]:
        return function + arguments + hook + debug + sanitize + n


OPTIONS = {"function": 1, "arguments": 2, "hook": 4, "debug": 8, "sanitize": 16}


@pytest.mark.parametrize("program", [Options, Options.functions["kernel"]])
def test_parameters_that_are_called_like_options_are_given_in_arguments(program: Any) -> None:
    assert program.run(arguments=OPTIONS, n=32, debug=True, sanitize=True) == 63


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_that_is_meant_as_an_argument_is_refused_with_how_it_is_given(name: str) -> None:
    others = {other: number for other, number in OPTIONS.items() if other != name}
    given = {"arguments": others, "n": 32, name: X}
    assert f"run(arguments={{{name!r}: ...}})" in refused("PL502", Options, **given)


def test_an_argument_that_is_given_twice() -> None:
    assert "'x' is given twice" in refused("PL502", Sum, arguments={"x": X, "y": X}, x=X)


def test_all_options_of_run_are_known() -> None:
    for kind in (pl.Program, pl.Function):
        names = {*inspect.signature(kind.run).parameters} - {"arrays"}
        assert names | {"function"} == {*OPTION_NAMES}
