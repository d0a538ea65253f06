"""Elements and rows that are gathered from global memory by index, and scattered back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

from .apply import Tensor, Tile, apply, assert_equal

MEMORY = np.arange(20, dtype=np.float32).reshape(5, 4)


def gather(index: Any, coalesce: str = "row", mode: str = "undefined", **keywords: Any) -> Any:
    return apply("tile.mgather", Tensor(MEMORY), index, coalesce=coalesce, gather_oob=mode, **keywords)


def test_an_index_names_a_row() -> None:
    assert_equal(gather(np.array([[4, 0, 4]], np.int32)), MEMORY[[4, 0, 4]])


def test_a_column_of_indices_names_rows_too() -> None:
    assert_equal(gather(np.array([[4], [0]], np.int32)), MEMORY[[4, 0]])


def test_an_index_names_an_element() -> None:
    index = np.array([[19, 0], [5, 6]], np.int32)
    assert_equal(gather(index, "elem"), np.array([[19, 0], [5, 6]], np.float32))


def test_indices_that_are_not_valid_name_nothing() -> None:
    index = np.array([[4, 0, 99]], np.int32)
    assert_equal(gather(Tile(index, (1, 2))), [MEMORY[4], MEMORY[0], [0] * 4])


@pytest.mark.parametrize(
    ("mode", "expected"),
    [("undefined", [0, 3, 0]), ("zero", [0, 3, 0]), ("clamp", [0, 3, 19]), ("wrap", [19, 3, 2])],
)
def test_what_an_index_outside_gives(mode: str, expected: list[int]) -> None:
    assert_equal(gather(np.array([[-1, 3, 22]], np.int32), "elem", mode), [expected])


@pytest.mark.parametrize(("mode", "code"), [("zero", None), ("undefined", "PL504")])
def test_whether_an_index_outside_gives_a_value(mode: Any, code: str | None) -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        mem: pl.Tensor[[5, 16], pl.FP32], at: pl.Tensor[[1, 8], pl.INT32], out: pl.Out[pl.Tensor[[8, 16], pl.FP32]]
    ) -> pl.Tensor[[8, 16], pl.FP32]:
        return pl.store(pl.mgather(mem, pl.load(at, [0, 0], [1, 8]), gather_oob=mode), [0, 0], out)

    memory, index = np.ones((5, 16), np.float32), np.arange(8, dtype=np.int32).reshape(1, 8)
    if code is None:
        assert_equal(kernel.run(mem=memory, at=index), np.concatenate([memory, np.zeros((3, 16), np.float32)]))
        return
    with pytest.raises(UserError) as caught:
        kernel.run(mem=memory, at=index)
    assert caught.value.code == code


def test_zeros_from_outside_stand_beside_undefined_elements() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        at: pl.Tensor[[1, 8], pl.INT32],
        mem: pl.Out[pl.Tensor[[2, 8], pl.FP32]],
        out: pl.Out[pl.Tensor[[1, 8], pl.FP32]],
    ) -> tuple[pl.Tensor[[2, 8], pl.FP32], pl.Tensor[[1, 8], pl.FP32]]:
        index = pl.load(at, [0, 0], [1, 8])
        mem = pl.store(pl.tile.full([1, 8], pl.FP32, 7.0), [0, 0], mem)
        gathered = pl.mgather(mem, index, "elem", gather_oob="zero")
        return mem, pl.store(gathered, [0, 0], out)

    _, found = kernel.run(at=np.array([[0, 99, 7, -1, 0, 0, 0, 99]], np.int32))
    assert_equal(found, np.array([[7, 0, 7, 0, 7, 7, 7, 0]], np.float32))
    with pytest.raises(UserError) as caught:
        kernel.run(at=np.array([[0, 99, 8, 0, 0, 0, 0, 0]], np.int32))
    assert caught.value.code == "PL504"


def test_a_gather_into_mat_takes_its_indices_from_global_memory() -> None:
    memory = np.arange(32 * 16, dtype=np.float16).reshape(32, 16)
    index = np.arange(31, 15, -1, dtype=np.int32).reshape(1, 16)
    found = apply("tile.mgather", Tensor(memory), Tensor(index), target_memory=pl.MemorySpace.Mat)
    assert_equal(found, memory[31:15:-1])


def test_scattered_elements_reach_flat_positions_of_a_tensor() -> None:
    memory = np.zeros((5, 4), np.float32)
    index = np.array([[19, 0], [5, 5]], np.int32)
    apply("tile.mscatter", np.array([[1, 2], [3, 4]], np.float32), index, Tensor(memory))
    assert_equal(memory.reshape(-1).nonzero()[0], [0, 5, 19])
    assert_equal(memory.reshape(-1)[[0, 5, 19]], [2, 4, 1])


def test_elements_that_are_not_valid_are_not_scattered() -> None:
    memory = np.zeros((1, 4), np.int32)
    apply("tile.mscatter", Tile(np.ones((1, 3), np.int32), (1, 2)), np.array([[3, 1, 0]], np.int32), Tensor(memory))
    assert_equal(memory, [[0, 1, 0, 1]])


def test_scattering_outside_the_tensor_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        apply("tile.mscatter", np.ones((1, 1), np.int32), np.array([[4]], np.int32), Tensor(np.zeros((1, 4), np.int32)))
    assert caught.value.code == "PL505"


def gather_row(*operands: Any, **keywords: Any) -> Any:
    return apply("tile.gather_row", np.full((4, 4), -1, np.float32), Tensor(MEMORY), *operands, **keywords)


def test_a_window_of_a_tensor_is_read_into_a_part_of_a_tile() -> None:
    expected = np.full((4, 4), -1, np.float32)
    expected[2, 1:4] = MEMORY[3, :3]
    assert_equal(gather_row([2, 1], [3, 0], [1, 3]), expected)


def test_a_window_is_turned_on_the_way() -> None:
    expected = np.full((4, 4), -1, np.float32)
    expected[:3, 2] = MEMORY[3, :3]
    assert_equal(gather_row([0, 2], [3, 0], [1, 3], transpose=True), expected)


def test_only_the_valid_part_of_a_window_is_read() -> None:
    expected = np.full((4, 4), -1, np.float32)
    expected[0, :2] = MEMORY[3, :2]
    assert_equal(gather_row([0, 0], [3, 0], [1, 4], [1, 2]), expected)


@pytest.mark.parametrize(("target", "source"), [([0, 2], [0, 0]), ([0, 0], [0, 2])])
def test_a_window_outside_the_tile_or_the_tensor_is_refused(target: list[int], source: list[int]) -> None:
    with pytest.raises(UserError) as caught:
        gather_row(target, source, [1, 3])
    assert caught.value.code == "PL505"


def test_a_row_of_a_tensor_of_more_axes_is_read_into_a_matrix() -> None:
    memory = np.arange(2 * 5 * 4, dtype=np.float32).reshape(2, 5, 4)
    tile = np.zeros((2, 4), np.float32)
    found = apply("tile.gather_row", tile, Tensor(memory), [1, 0], [1, 3, 0], [1, 1, 4])
    assert_equal(found, [[0] * 4, memory[1, 3]])
