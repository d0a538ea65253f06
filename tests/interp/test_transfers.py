"""Loads, stores and moves: windows, ranks, conversions and sums."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

from .apply import Tensor, Tile, apply, assert_equal

NUMBERS = np.arange(16 * 32, dtype=np.float32).reshape(16, 32)
CUBE = np.zeros((2, 3, 4), np.float32)


def stored(tile: Any, offsets: list[int], into: np.ndarray, *shapes: list[int], **keywords: Any) -> np.ndarray:
    return apply("tile.store", tile, offsets, Tensor(into.copy()), *shapes, **keywords)


def test_a_window_is_loaded() -> None:
    found = apply("tile.load", Tensor(NUMBERS), [3, 8], [2, 16], [2, 16])
    assert_equal(found, NUMBERS[3:5, 8:24])


def test_a_window_is_stored() -> None:
    expected = NUMBERS.copy()
    expected[3:5, 8:10] = -1
    assert_equal(stored(np.full((2, 2), -1, np.float32), [3, 8], NUMBERS), expected)


def test_a_window_of_fewer_axes_takes_the_beginning_of_a_row() -> None:
    expected = NUMBERS.copy()
    expected[0, 3:8] = -1
    assert_equal(stored(np.full((1, 16), -1, np.float32), [3], NUMBERS, [5]), expected)


def test_a_window_of_fewer_axes_has_no_place_for_several_rows() -> None:
    with pytest.raises(UserError) as caught:
        stored(np.full((2, 16), -1, np.float32), [3], NUMBERS, [5])
    assert caught.value.code == "PL506"


@pytest.mark.parametrize(("row", "column"), [(15, 0), (-1, 0), (0, 31)])
def test_a_window_outside_its_tensor_is_refused_at_its_line(row: int, column: int) -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        x: pl.Tensor[[16, 32], pl.FP32],
        row: pl.Scalar[pl.INDEX],
        column: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        tile = pl.load(x, [0, 0], [2, 2])
        return pl.store(tile, [row, column], out)  # expect: PL505

    with pytest.raises(UserError, match="# expect: PL505") as caught:
        kernel.run(x=NUMBERS, row=row, column=column)
    assert caught.value.code == "PL505"
    assert "the window leaves output_tensor 'out' in axis" in str(caught.value)
    assert kernel.run(x=NUMBERS, row=14, column=30)[15, 31] == NUMBERS[1, 1]


def test_a_matrix_goes_into_one_layer_of_a_cube() -> None:
    expected = CUBE.copy()
    expected[1, 1:3, 2:4] = 1
    assert_equal(stored(np.ones((2, 2), np.float32), [1, 1, 2], CUBE, [1, 2, 2]), expected)


def test_the_valid_part_goes_into_one_layer() -> None:
    expected = CUBE.copy()
    expected[1, 1, 2:4] = 1
    assert_equal(stored(Tile(np.ones((2, 2), np.float32), (1, 2)), [1, 1, 2], CUBE, [1, 2, 2]), expected)


def test_rows_behind_one_another_go_into_several_layers() -> None:
    tile = np.arange(24, dtype=np.float32).reshape(6, 4)
    assert_equal(stored(tile, [0, 0, 0], CUBE, [2, 3, 4]), tile.reshape(2, 3, 4))


def test_a_cube_is_rows_to_a_window_of_two_axes() -> None:
    expected = np.zeros((6, 4), np.float32)
    expected[2:4, 1:3] = 1
    assert_equal(stored(np.ones((2, 2), np.float32), [2, 1], CUBE), expected.reshape(2, 3, 4))


def test_a_row_of_a_matrix_goes_into_a_vector() -> None:
    found = stored(np.ones((1, 2), np.float32), [0, 1], np.zeros(4, np.float32))
    assert_equal(found, np.array([0, 1, 1, 0], np.float32))


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        ([1.5, 2.5, -0.5, 300.0], np.int8, [2, 2, 0, 127]),
        ([1 + 2**-9, 3e38, -1.0, 0.1], ml_dtypes.bfloat16, [1.0, 3e38, -1.0, 0.1]),
        ([70000.0, 1e-8, -1.0, 0.1], np.float16, [np.inf, 0.0, -1.0, 0.1]),
    ],
)
def test_a_store_rounds_to_the_nearest_value_of_the_tensor(values: list[float], dtype: Any, expected: list) -> None:
    tile = np.array([values], np.float32)
    assert_equal(stored(tile, [0, 0], np.zeros((1, 4), dtype)), np.array([expected], np.float32).astype(dtype))


def test_atomic_adds_are_computed_in_32_bits() -> None:
    there = np.array([[256, 1]], ml_dtypes.bfloat16)
    added = np.array([[1.5, 2**-9]], np.float32)
    assert_equal(stored(added, [0, 0], there, atomic="Add"), np.array([[258, 1]], ml_dtypes.bfloat16))


def test_a_tensor_is_assembled_from_parts() -> None:
    source = np.full((2, 2), -1, np.int32)
    expected = np.zeros((3, 4), np.float32)
    expected[1:, 2:] = -1
    assert_equal(apply("tensor.assemble", Tensor(np.zeros((3, 4), np.float32)), Tensor(source), [1, 2]), expected)


def test_a_move_keeps_every_element() -> None:
    numbers = np.arange(8, dtype=np.int8).reshape(2, 4)
    assert_equal(apply("tile.move", Tile(numbers, (1, 2)), target_memory="Mat"), numbers)


def test_an_extract_is_a_window() -> None:
    found = apply("tile.extract", NUMBERS, 3, 8, [2, 16], target_memory="Left")
    assert_equal(found, NUMBERS[3:5, 8:24])


def test_assemble_rounds_an_accumulator_to_its_target() -> None:
    target, source = np.zeros((1, 2), np.float16), np.array([[0.1]], np.float32)
    assert_equal(apply("tile.assemble", target, source, [0, 1]), np.array([[0, 0.1]], np.float16))


@pytest.mark.parametrize(("name", "value"), [("tile.full", 2.5), ("tensor.full", 2.5)])
def test_full(name: str, value: float) -> None:
    assert_equal(apply(name, [2, 3], value, dtype="BF16"), np.full((2, 3), 2.5, ml_dtypes.bfloat16))


def test_a_new_tensor_has_its_initial_value_or_none() -> None:
    assert_equal(apply("tensor.create", [2, 3], dtype="INT32", init_value=7.0), np.full((2, 3), 7, np.int32))


def test_concat() -> None:
    assert_equal(apply("tile.concat", NUMBERS[:, :8], NUMBERS[:, 8:]), NUMBERS)


@pytest.mark.parametrize("axes", [(0, 1), (-1, 0)])
def test_transpose(axes: tuple[int, int]) -> None:
    assert_equal(apply("tile.transpose", NUMBERS, *axes), NUMBERS.T)


@pytest.mark.parametrize("access", ["pl.read({}, [i, j])", "pl.write({}, [i, j], 1.0)"])
@pytest.mark.parametrize("operand", ["tile", "tensor"])
@pytest.mark.parametrize(("i", "j"), [(16, 0), (2, 35), (-1, 0), (3, -2)])
@pytest.mark.parametrize("sanitize", [False, True])
def test_an_index_outside_an_axis_is_an_error(access: str, operand: str, i: int, j: int, sanitize: bool) -> None:
    kernel = pl.parse(f"""
import pypto_lite.language as pl

@pl.function(type=pl.FunctionType.InCore)
def kernel(tensor: pl.InOut[pl.Tensor[[16, 32], pl.FP32]], i: pl.Scalar[pl.INDEX], j: pl.Scalar[pl.INDEX]):
    tile = pl.load(tensor, [0, 0], [16, 32])
    {access.format(operand)}  # expect: PL505
""")
    kernel.run(tensor=NUMBERS.copy(), i=15, j=31, sanitize=sanitize)
    with pytest.raises(UserError, match="# expect: PL505") as caught:
        kernel.run(tensor=NUMBERS.copy(), i=i, j=j, sanitize=sanitize)
    assert caught.value.code == "PL505"
    assert ("one row" in str(caught.value)) == (j == 35)


def test_an_operator_without_meaning_says_so_where_it_is_run() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        x: pl.Tensor[[16, 32], pl.FP32], wanted: pl.Scalar[pl.BOOL], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        tile = pl.load(x, [0, 0], [16, 32])
        if wanted:
            pl.tile.tpush_to_aic(tile, split=pl.SplitMode.NONE)  # expect: PL507
        return pl.store(tile, [0, 0], out)

    assert_equal(kernel.run(x=NUMBERS, wanted=False), NUMBERS)
    with pytest.raises(UserError, match="tpush_to_aic has no meaning") as caught:
        kernel.run(x=NUMBERS, wanted=True)
    assert caught.value.code == "PL507"
    assert "# expect: PL507" in str(caught.value)


def test_element_types_that_no_array_has() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(x: pl.Tensor[[16, 32], pl.HF8], out: pl.Out[pl.Tensor[[16, 32], pl.HF8]]):
        pl.store(pl.load(x, [0, 0], [16, 32]), [0, 0], out)

    with pytest.raises(UserError, match="numpy has no element type for HF8") as caught:
        kernel.run(x=NUMBERS)
    assert caught.value.code == "PL508"
    assert "x: pl.Tensor[[16, 32], pl.HF8]" in str(caught.value)
