"""Valid regions: what lies outside is no data, is not stored, and has no value until it is filled."""

from __future__ import annotations

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

from .apply import Tensor, Tile, apply, assert_equal

NUMBERS = np.arange(16 * 32, dtype=np.float32).reshape(16, 32)


@pl.program
class PartlyLoaded:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 32], pl.FP32],
        rows: pl.Scalar[pl.INDEX],
        columns: pl.Scalar[pl.INDEX],
        out: pl.InOut[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        tile = pl.load(x, [0, 0], [16, 32], valid_shape=[rows, columns])
        return pl.store(pl.add(tile, tile), [0, 0], out)


@pytest.mark.parametrize(("rows", "columns"), [(16, 32), (3, 32), (16, 5), (1, 1), (0, 32)])
def test_only_the_valid_part_is_computed_and_stored(rows: int, columns: int) -> None:
    out = np.full((16, 32), -1, np.float32)
    PartlyLoaded.run(x=NUMBERS, rows=rows, columns=columns, out=out)
    expected = np.full((16, 32), -1, np.float32)
    expected[:rows, :columns] = 2 * NUMBERS[:rows, :columns]
    assert_equal(out, expected)


def test_a_region_larger_than_the_tile_is_refused_at_its_line() -> None:
    with pytest.raises(UserError) as caught:
        PartlyLoaded.run(x=NUMBERS, rows=17, columns=32, out=NUMBERS.copy())
    assert caught.value.code == "PL505"
    assert "valid_shape=[rows, columns]" in str(caught.value)


def test_the_end_of_a_tensor_cuts_a_clamped_window_off() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[20, 32], pl.FP32], out: pl.Out[pl.Tensor[[20, 32], pl.FP32]]
        ) -> pl.Tensor[[20, 32], pl.FP32]:
            for row in pl.range(0, 20, 16):
                tile = pl.load(x, [row, 0], [16, 32], clamp=True)
                out = pl.store(pl.add(tile, tile), [row, 0], out)
            return out

    x = np.arange(20 * 32, dtype=np.float32).reshape(20, 32)
    assert_equal(Kernel.run(x=x), 2 * x)


def test_fillpad_gives_the_rest_a_value() -> None:
    tile = Tile(np.ones((2, 4), np.float32), (1, 3))
    filled = apply("tile.fillpad", tile, pad_value="max")
    assert_equal(filled, np.array([[1, 1, 1, np.inf], [np.inf] * 4], np.float32))


@pytest.mark.parametrize(
    ("pad_value", "dtype", "expected"),
    [("zero", np.int8, 0), ("max", np.int8, 127), ("min", np.int8, -128), ("max", np.uint16, 65535)],
)
def test_the_pad_value_of_integers_is_their_largest_or_smallest(pad_value: str, dtype: type, expected: int) -> None:
    filled = apply("tile.fillpad", Tile(np.ones((1, 4), dtype), (1, 3)), pad_value=pad_value)
    assert_equal(filled, np.array([[1, 1, 1, expected]], dtype))


def test_fillpad_into_a_larger_tile() -> None:
    tile = np.ones((1, 2), np.float32)
    assert_equal(apply("tile.fillpad_expand", tile, [2, 3], pad_value="zero"), [[1, 1, 0], [0, 0, 0]])


def test_fillpad_in_place_makes_another_value() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            whole = pl.load(x, [0, 0], [16, 32])
            narrow = pl.set_validshape(whole, 1, 32)
            filled = pl.tile.fillpad_inplace(narrow, pad_value=pl.PadValue.zero)
            return pl.store(pl.add(whole, filled), [0, 0], out)

    expected = NUMBERS.copy()
    expected[0] *= 2
    assert_equal(Kernel.run(x=NUMBERS), expected)


def test_a_slice_has_the_valid_part_that_is_there() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[8, 32], pl.FP32]]
        ) -> pl.Tensor[[8, 32], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 32], valid_shape=[11, 32])
            window = pl.slice(tile, [8, 32], [8, 0])
            return pl.store(pl.fillpad(window, pad_value=pl.PadValue.zero), [0, 0], out)

    expected = np.zeros((8, 32), np.float32)
    expected[:3] = NUMBERS[8:11]
    assert_equal(Kernel.run(x=NUMBERS), expected)


def test_assemble_writes_the_valid_part_of_its_source() -> None:
    target, source = np.zeros((4, 4), np.float32), Tile(np.ones((2, 2), np.float32), (1, 2))
    assert_equal(apply("tile.assemble", target, source, [2, 1]), [[0] * 4, [0] * 4, [0, 1, 1, 0], [0] * 4])


def test_assemble_makes_a_partly_valid_target_grow() -> None:
    target = Tile(np.ones((2, 4), np.float32), (2, 2))
    grown = apply("tile.assemble", target, np.full((2, 2), 2, np.float32), [0, 2])
    assert_equal(grown, [[1, 1, 2, 2]] * 2)


def test_transpose_turns_what_is_valid_and_what_is_not() -> None:
    numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert_equal(apply("tile.transpose", Tile(numbers, (1, 3)), 0, 1), numbers.T)


def test_a_store_gives_a_tensor_its_valid_part() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self,
            x: pl.Tensor[[16, 32], pl.FP32],
            rows: pl.Scalar[pl.INDEX],
            part: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
            out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            part = pl.store(pl.load(x, [0, 0], [16, 32], valid_shape=[rows, 32]), [0, 0], part)
            again = pl.load(part, [0, 0], [16, 32], valid_shape=[rows, 32])
            return pl.store(pl.fillpad(again, pad_value=pl.PadValue.zero), [0, 0], out)

    expected = np.zeros((16, 32), np.float32)
    expected[:5] = NUMBERS[:5]
    assert_equal(Kernel.run(x=NUMBERS, rows=5), expected)


def test_a_tensor_of_more_dimensions_is_read_as_rows() -> None:
    cube = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    assert_equal(apply("tile.load", Tensor(cube), [3, 1], [2, 2], [2, 2]), cube.reshape(6, 4)[3:5, 1:3])
