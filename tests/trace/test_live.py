"""Decorated code that Python has run: what names in a kernel mean, whatever they are bound to outside it."""

from __future__ import annotations

import enum
import math

import numpy as np

import pypto_lite.language as lang
import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.language import FP32 as SINGLE
from pypto_lite.language import load as fetch

M = pl.dynamic("M")
WHOLE = pl.Tensor[[64, 128], pl.FP32]
SPACE = pl.MemorySpace.Mat
SETTINGS = {"rows": np.int64(16), "shape": [16, 128], "flags": {"transposed": np.bool_(False)}}


class Size(enum.IntEnum):
    ROWS = 16
    COLUMNS = 128


class Plain(enum.Enum):
    OFFSET = 3


class Configuration:
    columns = 128

    @property
    def half(self) -> int:
        return self.columns // 2


CONFIGURATION = Configuration()


def ceil_divide(number: int, by: int) -> int:
    return -(-number // by)


@pl.inline
def scaled(tile: pl.Tile[[16, 128], pl.FP32], by: pl.Scalar[pl.FP32]):
    return pl.mul(tile, by)


@pl.inline
def scaled_twice(tile: pl.Tile[[16, 128], pl.FP32]):
    return scaled(scaled(tile, 2.0), 3.0)


def assert_like(program: object, text: str) -> None:
    """The kernel is the same as that of a text without outer names."""
    assert isinstance(program, ir.Program)
    expected = pl.parse(
        f"import pypto_lite.language as pl\n\nM = pl.dynamic('M')\n\n\n@pl.program\nclass Expected:\n{text}"
    )
    assert isinstance(expected, ir.Program)
    ir.assert_structural_equal(program.functions["kernel"], expected.functions["kernel"])


def make(rows: int, in_loop: bool) -> object:
    shape = [rows, CONFIGURATION.columns]

    @pl.program
    class Made:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: WHOLE, y: pl.Tensor[[M, CONFIGURATION.half], SINGLE], out: pl.Out[WHOLE]) -> WHOLE:
            a = fetch(x, [np.int32(0), Plain.OFFSET.value - 3], shape, target_memory=SPACE)
            for i in lang.range(ceil_divide(100, rows)):
                if in_loop:
                    b = pl.load(y, [i * rows, 0], [SETTINGS["rows"], Size.COLUMNS - 64])
                else:
                    b = undefined_here  # noqa: F821, F841
            c = pl.mul(a, math.sqrt(rows))
            d = pl.move(c, target_memory=SPACE) if SETTINGS["flags"]["transposed"] else c
            return pl.store(d, [0, 0], out)

    return Made


def test_globals_locals_and_whatever_they_are_bound_to() -> None:
    assert_like(
        make(16, True),
        """    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[64, 128], pl.FP32],
        y: pl.Tensor[[M, 64], pl.FP32],
        out: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
    ) -> pl.Tensor[[64, 128], pl.FP32]:
        a = pl.load(x, [0, 0], [16, 128], target_memory=pl.MemorySpace.Mat)
        for i in pl.range(7):
            b = pl.load(y, [i * 16, 0], [16, 64])
        c = pl.mul(a, 4.0)
        d = c
        return pl.store(d, [0, 0], out)
""",
    )


def test_inline_functions_outside_the_class() -> None:
    @pl.program
    class Caller:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: WHOLE, out: pl.Out[WHOLE]) -> WHOLE:
            return pl.store(scaled_twice(pl.load(x, [0, 0], SETTINGS["shape"])), [0, 0], out)

    assert isinstance(Caller, ir.Program)
    assert list(Caller.functions) == ["kernel", "scaled_twice", "scaled"]


def test_one_symbolic_dimension_is_one_variable_in_all_functions() -> None:
    @pl.function
    def lone(x: pl.Tensor[[M, 4], pl.FP32]) -> pl.Tensor[[M, 4], pl.FP32]:
        return x

    @pl.program
    class Caller:
        @pl.function
        def kernel(self, x: pl.Tensor[[M, 4], pl.FP32]) -> pl.Tensor[[M, 4], pl.FP32]:
            return lone(x)

    assert isinstance(Caller, ir.Program)
    dims = {function.params[0].type.expressions()[0] for function in Caller.functions.values()}
    assert dims == {M.var}


def test_numpy_scalars_of_all_kinds() -> None:
    one, half, yes = np.uint8(1), np.float16(0.5), np.True_

    @pl.function
    def f(n: pl.Scalar[pl.INDEX], x: pl.Scalar[pl.FP32]):
        return n + one, x * half, yes

    assert isinstance(f, ir.Function)
    assert [repr(each) for each in f.return_types] == ["Scalar[INDEX]", "Scalar[FP32]", "Scalar[BOOL]"]
