"""Views share their storage: what is written through one name is seen through all others."""

from __future__ import annotations

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.diagnostics import UserError
from pypto_lite.interp.dtypes import stored_dtype

from .apply import Tensor, apply, assert_equal

NUMBERS = np.arange(16 * 32, dtype=np.float32).reshape(16, 32)


def stored_after(kernel: pl.Program) -> np.ndarray:
    """What a kernel with the parameters ``x`` and ``out`` stores for ``NUMBERS``; the argument is left alone."""
    x = NUMBERS.copy()
    stored = kernel.run(x=x)
    assert_equal(x, NUMBERS)
    return stored


def changed(*positions: tuple[int, int]) -> np.ndarray:
    """``NUMBERS`` with -1 at these positions."""
    expected = NUMBERS.copy()
    for position in positions:
        expected[position] = -1
    return expected


def test_a_write_into_a_slice_is_a_write_into_the_tile() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 32])
            window = pl.slice(tile, [4, 8], [2, 16])
            pl.write(window, [1, 3], -1.0)
            return pl.store(tile, [0, 0], out)

    assert_equal(stored_after(Kernel), changed((3, 19)))


def test_a_write_into_the_tile_is_seen_in_a_slice() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[4, 8], pl.FP32]]
        ) -> pl.Tensor[[4, 8], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 32])
            window = pl.slice(tile, [4, 8], [2, 16])
            pl.write(tile, [3, 19], -1.0)
            return pl.store(window, [0, 0], out)

    assert_equal(stored_after(Kernel), changed((3, 19))[2:6, 16:24])


def test_reshaping_a_slice_does_not_copy_it() -> None:
    """numpy has no view for it, the chip has."""

    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 32])
            row = pl.reshape(pl.slice(tile, [4, 8], [2, 16]), [1, 32])
            half = pl.slice(row, [1, 16], [0, 16])
            pl.write(row, [0, 9], -1.0)
            pl.write(half, [0, 1], -1.0)
            return pl.store(tile, [0, 0], out)

    assert_equal(stored_after(Kernel), changed((3, 17), (4, 17)))


def test_a_transposed_view_and_its_reshape_write_through() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 32])
            turned = pl.tile.transpose_view(tile)
            pl.write(turned, [5, 2], -1.0)
            pl.write(pl.reshape(turned, [16, 32]), [0, 17], -1.0)
            return pl.store(tile, [0, 0], out)

    assert_equal(stored_after(Kernel), changed((2, 5), (1, 1)))


def test_another_valid_region_is_the_same_storage() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 32])
            pl.write(pl.set_validshape(tile, 4, 4), [0, 0], -1.0)
            return pl.store(tile, [0, 0], out)

    assert_equal(stored_after(Kernel), changed((0, 0)))


def test_what_is_narrowed_can_be_widened_again() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            narrow = pl.set_validshape(pl.load(x, [0, 0], [16, 32]), 4, 4)
            return pl.store(pl.set_validshape(narrow, 16, 32), [0, 0], out)

    assert_equal(stored_after(Kernel), NUMBERS)
    assert_equal(stored_after(Kernel.lower()), NUMBERS)


def test_a_move_copies() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 32])
            copy = pl.move(tile, target_memory=pl.MemorySpace.Vec)
            pl.write(tile, [0, 0], -1.0)
            return pl.store(copy, [0, 0], out)

    assert_equal(stored_after(Kernel), NUMBERS)


def test_both_names_of_an_alias_see_a_write() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 32])
            alias = tile
            pl.write(alias, [0, 0], -1.0)
            return pl.store(tile, [0, 0], out)

    assert_equal(stored_after(Kernel), changed((0, 0)))


def test_writes_into_a_slice_of_a_tensor_are_writes_into_the_tensor() -> None:
    @pl.program
    class Program:
        @pl.function(type=pl.FunctionType.Orchestration)
        def main(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            lower_half = pl.slice(out, [8, 32], [8, 0])
            upper_half = pl.slice(out, [8, 32], [0, 0])
            self.copy(pl.slice(x, [8, 32], [0, 0]), upper_half)
            self.copy(pl.slice(x, [8, 32], [8, 0]), lower_half)
            return out

        @pl.function(type=pl.FunctionType.InCore)
        def copy(self, x: pl.Tensor[[8, 32], pl.FP32], out: pl.Out[pl.Tensor[[8, 32], pl.FP32]]):
            tile = pl.load(x, [0, 0], [8, 32])
            pl.store(tile, [0, 0], out)

    assert_equal(stored_after(Program), NUMBERS)


# The same bytes as other elements


def test_bytes_as_elements_of_half_the_width() -> None:
    numbers = np.array([[1, 2], [0x10003, -1]], np.int32)
    assert_equal(apply("tile.reinterpret_view", numbers, dtype="INT16"), numbers.view(np.int16))


def test_bytes_as_elements_of_twice_the_width_in_another_shape() -> None:
    halves = np.arange(8, dtype=np.int16).reshape(2, 4)
    found = apply("tile.reinterpret_view", halves, [1, 4], dtype="INT32")
    assert_equal(found, halves.view(np.int32).reshape(1, 4))


def test_a_column_of_bytes_becomes_a_longer_column() -> None:
    numbers = np.array([[1], [0x10003]], np.int32)
    assert_equal(apply("tile.reinterpret_view", numbers, dtype="INT16"), np.array([[1], [0], [3], [1]], np.int16))


@pytest.mark.parametrize("dtype", ["INT8", "BF16", "INT64"])
def test_a_transposed_view_in_another_shape_of_the_same_elements(dtype: str) -> None:
    kernel = pl.parse(f"""
import pypto_lite.language as pl

@pl.function(type=pl.FunctionType.InCore)
def kernel(x: pl.Tensor[[8, 32], pl.{dtype}], out: pl.Out[pl.Tensor[[1, 256], pl.{dtype}]]):
    turned = pl.tile.transpose_view(pl.load(x, [0, 0], [8, 32]))
    pl.store(pl.reinterpret_view(turned, dtype=pl.{dtype}, shape=[1, 256]), [0, 0], out)
""")
    x = np.arange(256).reshape(8, 32).astype(stored_dtype(ir.DTYPES[dtype]))
    assert_equal(kernel.run(x=x), x.T.reshape(1, 256))


def test_what_is_written_as_other_elements_is_written() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, out: pl.Out[pl.Tensor[[1, 16], pl.INT32]]) -> pl.Tensor[[1, 16], pl.INT32]:
            tile = pl.create_tile([1, 16], dtype=pl.INT32)
            halves = pl.reinterpret_view(tile, pl.INT16)
            for i in pl.range(16):
                pl.write(halves, [0, 2 * i], pl.cast(i, pl.INT16))
                pl.write(halves, [0, 2 * i + 1], pl.const(1, pl.INT16))
            return pl.store(tile, [0, 0], out)

    assert_equal(Kernel.run(), np.arange(16, dtype=np.int32).reshape(1, 16) + 0x10000)


def test_half_an_element_that_is_written_is_not_defined() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, out: pl.Out[pl.Tensor[[1, 16], pl.INT32]]) -> pl.Tensor[[1, 16], pl.INT32]:
            tile = pl.create_tile([1, 16], dtype=pl.INT32)
            halves = pl.reinterpret_view(tile, pl.INT16)
            for i in pl.range(16):
                pl.write(halves, [0, 2 * i], pl.const(1, pl.INT16))
            return pl.store(tile, [0, 0], out)

    with pytest.raises(UserError) as caught:
        Kernel.run()
    assert caught.value.code == "PL504"


# Windows of tensors


def test_a_slice_of_a_tensor_drops_axes() -> None:
    cube = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    assert_equal(apply("tensor.slice", Tensor(cube), [1, 3, 4], [1, 0, 0], [], [0]), cube[1])


def test_a_slice_is_cut_off_at_the_end_of_a_tensor() -> None:
    numbers = np.arange(8, dtype=np.float32).reshape(2, 4)
    assert_equal(apply("tensor.slice", Tensor(numbers), [2, 3], [1, 2], clamp=True), numbers[1:, 2:])


def test_a_tensor_in_the_other_order_is_turned_around() -> None:
    numbers = np.arange(8, dtype=np.float32).reshape(2, 4)
    assert_equal(apply("tensor.view", Tensor(numbers), layout="DN"), numbers.T)


def test_a_tensor_of_another_shape_has_its_elements_row_by_row() -> None:
    numbers = np.arange(8, dtype=np.float32).reshape(2, 4)
    assert_equal(apply("tensor.reshape", Tensor(numbers), [4, 2]), numbers.reshape(4, 2))
    assert_equal(apply("tensor.view", Tensor(numbers), [4, 2]), numbers.reshape(4, 2))


@pytest.mark.parametrize("count", [8, 16])
def test_a_shape_of_another_size_is_refused_at_its_line(count: int) -> None:
    n = pl.dynamic("n")

    @pl.function
    def rows(x: pl.Tensor[[n, 4], pl.FP32], count: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        turned = pl.reshape(x, [count, 2])  # expect: PL505
        return pl.tensor.dim(turned, 0)

    with pytest.raises(UserError, match="# expect: PL505"):
        rows.run(x=np.zeros((6, 4), np.float32), count=count)
    assert rows.run(x=np.zeros((6, 4), np.float32), count=12) == 12
