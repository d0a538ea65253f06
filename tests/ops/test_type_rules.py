"""Type rules where the catalogue's executed examples say nothing: shapes, layouts, symbolic extents, errors."""

from __future__ import annotations

from typing import Any

import pytest

from pypto_lite import ir, ops
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import (
    CompactMode,
    DType,
    Expr,
    MemorySpace,
    ScalarType,
    TensorLayout,
    TensorType,
    TensorView,
    TileLayout,
    TileType,
    TileView,
    Type,
    Var,
    make_tuple,
)
from pypto_lite.ir.dtypes import (
    BF16,
    FP4,
    FP8E8M0,
    FP16,
    FP32,
    INDEX,
    INT8,
    INT16,
    INT32,
    INT64,
    TASK_ID,
    UINT8,
    UINT32,
)
from tests.ops.operands import found_by, scalar, tensor, tile

Mat, Vec, Left, Acc = MemorySpace.Mat, MemorySpace.Vec, MemorySpace.Left, MemorySpace.Acc
ROWS = Var("rows", ScalarType(INDEX))


def of(name: str, /, *args: Expr | list[Any] | float, **keywords: Any) -> Type:
    """The type of a call; lists are tuple operands, numbers literals."""
    operator = ops.lookup(name)
    operands: list[Any] = [make_tuple(arg) if isinstance(arg, list) else arg for arg in args]
    typed = [None if isinstance(arg, (int, float)) else arg for arg in operands]
    for index, arg in enumerate(operands):
        if isinstance(arg, (int, float)):
            operands[index] = ir.const(arg, ops.literal_dtype(operator, index, arg, typed, keywords))
    return ops.call(operator, operands, keywords).type


def tile_of(name: str, *args: Expr | list[Any] | float, **keywords: Any) -> TileType:
    result = of(name, *args, **keywords)
    assert isinstance(result, TileType)
    return result


def tensor_of(name: str, *args: Expr | list[Any] | float, **keywords: Any) -> TensorType:
    result = of(name, *args, **keywords)
    assert isinstance(result, TensorType)
    return result


def layout(type_: TileType) -> tuple[str, str, int]:
    view = type_.effective_view
    return view.blayout.name, view.slayout.name, view.fractal


REFUSED: list[tuple[str, list[Any], dict[str, Any], str, str]] = [
    # shapes and windows
    ("tile.add", [tile(16, 32), tile(8, 32)], {}, "PL203", "rhs"),
    ("tile.create", [[16, 0]], {"dtype": FP32}, "PL203", "shape"),
    ("tile.create", [[-16, 32]], {"dtype": FP32}, "PL203", "shape"),
    ("tile.create", [[16, ROWS]], {"dtype": FP32}, "PL203", "shape"),
    ("tensor.create", [[0]], {"dtype": FP32}, "PL203", "shape"),
    ("tile.full", [[16, 0], 0.0], {"dtype": FP32}, "PL203", "shape"),
    ("tile.full", [[16, 32], 0.5], {"dtype": INT32}, "PL204", "value"),
    ("tile.load", [tensor(64, 64), [0], [16, 32], [16, 32]], {}, "PL203", "offsets"),
    ("tile.load", [tensor(64, 64), [0, 0], [16, 32], [16]], {}, "PL203", "valid_shape"),
    ("tile.load", [tensor(64, 64), [0, 0], [16, ROWS], [16, ROWS]], {}, "PL203", "shapes"),
    ("tile.load", [tensor(64, 64), [0, 0], [16, 32], [16, 33]], {}, "PL208", "valid_shape"),
    ("tile.load", [tensor(64, 64), [0, 40], [16, 32], [16, 32]], {}, "PL206", "offsets"),
    ("tile.load", [tensor(2, 64, 64), [0, -1], [16, 32], [16, 32]], {}, "PL206", "offsets"),
    ("tile.store", [tile(16, 32), [0], tensor(64, 64)], {}, "PL203", "offsets"),
    ("tile.store", [tile(16, 32), [0, -1], tensor(64, 64)], {}, "PL206", "offsets"),
    ("tile.slice", [tile(16, 32), [16, 33], [0, 0]], {}, "PL206", "offset"),
    ("tile.slice", [tile(16, 32), [16], [0, 0]], {}, "PL203", "shape"),
    ("tile.slice", [tile(16, 32), [16, 32], [0, 0], [], [0]], {}, "PL203", "drop_dims"),
    ("tile.slice", [tile(1, 32), [1, 32], [0, 0], [], [0, 0]], {}, "PL203", "drop_dims"),
    ("tile.reshape", [tile(16, 32), [16, 16]], {}, "PL203", "shape"),
    ("tile.reshape", [tile(16, 32), [-16, -32]], {}, "PL203", "shape"),
    ("tile.transpose", [tile(16, 32), 0, 2], {}, "PL203", "axis2"),
    ("tile.transpose_view", [tile(16)], {}, "PL203", "input"),
    ("tile.set_validshape", [tile(16, 32), 17, 32], {}, "PL208", "valid_rows"),
    ("tile.set_validshape", [tile(16, 32), -1, 32], {}, "PL208", "valid_rows"),
    ("tile.set_validshape", [tile(16, 32), 16, 33], {}, "PL208", "valid_cols"),
    ("tile.extract", [tile(64, 64), 0, 40, [16, 32]], {"target_memory": Left}, "PL206", "index_col"),
    ("tile.set_validshape", [tile(16, 32), scalar(INT32), 32], {}, "PL204", "valid_rows"),
    ("tile.assemble", [tile(16, 32), tile(8, 32), [12, 0]], {}, "PL206", "offset"),
    ("tile.assemble", [tile(16, 32, dtype=BF16), tile(8, 32, dtype=FP16), [0, 0]], {}, "PL204", "source"),
    ("tile.concat", [tile(16, 32), tile(16, 32, dtype=FP16)], {}, "PL204", "src1"),
    ("tile.fillpad_expand", [tile(16, 32), [16, 31]], {}, "PL203", "shape"),
    ("tile.read", [tile(16, 32), [0]], {}, "PL203", "indices"),
    ("tile.read", [tile(16, 32), [scalar(FP32), 0]], {}, "PL204", "indices"),
    ("tile.read", [tile(16, 32), [16, 0]], {}, "PL206", "indices"),
    ("tile.read", [tile(16, 32), [-1, 0]], {}, "PL206", "indices"),
    ("tile.write", [tile(16, 32), [100, -3], 1.0], {}, "PL206", "indices"),
    ("tensor.read", [tensor(16, 32), [0, 0, 0]], {}, "PL203", "indices"),
    ("tensor.read", [tensor(ROWS, 16), [ROWS, 0]], {}, "PL206", "indices"),
    ("tensor.write", [tensor(16, 32), [0, -3], 1.0], {}, "PL206", "indices"),
    ("tensor.dim", [tensor(16, 32), 2], {}, "PL203", "axis"),
    ("tensor.slice", [tensor(16, 32), [0, 16], [0, 0]], {}, "PL203", "shape"),
    ("tensor.assemble", [tensor(16, 32), tensor(8, 32), [9, 0]], {}, "PL206", "offset"),
    ("tensor.reshape", [tensor(16, 32), [511]], {}, "PL203", "shape"),
    # element types
    ("tile.create", [[16, 33]], {"dtype": FP4}, "PL203", "shape"),
    ("tile.add_", [], {}, "PL107", ""),
    ("tile.adds", [tile(16, 32), scalar(INDEX)], {}, "PL204", "rhs"),
    ("tile.subs", [tile(16, 32), scalar(INDEX)], {}, "PL204", "rhs"),
    ("tile.shls", [tile(16, 32, dtype=INT32), 1.5], {}, "PL204", "rhs"),
    ("tile.div", [tile(16, 32, dtype=BF16)] * 2, {}, "PL204", "lhs"),
    ("tile.div", [tile(16, 32, dtype=INT32)] * 2, {"high_precision": True}, "PL204", "high_precision"),
    ("tile.recip", [tile(16, 32, dtype=INT32)], {"high_precision": True}, "PL204", "high_precision"),
    ("tile.rsqrt", [tile(16, 32, dtype=INT32)], {"high_precision": True}, "PL204", "high_precision"),
    ("tile.rsqrt", [tile(16, 32), tile(16, 16)], {}, "PL203", "tmp"),
    ("tile.sels", [tile(16, 32), tile(16, 32), tile(1, 32), 1.0], {}, "PL204", "mask"),
    # products
    ("tile.matmul", [tile(16, 32, dtype=BF16), tile(32, 64)], {}, "PL204", "rhs"),
    ("tile.matmul", [tile(16, 32), tile(32, 64)], {"out_dtype": FP16}, "PL204", "out_dtype"),
    ("tile.matmul_acc", [tile(16, 32), tile(16, 32), tile(32, 64)], {}, "PL203", "acc"),
    ("tile.matmul_bias", [tile(16, 32), tile(32, 64), tile(1, 32)], {}, "PL203", "bias"),
    ("tile.gemv", [tile(16, 32), tile(32, 64)], {}, "PL203", "lhs"),
    ("tile.gemv", [tile(1, 32), tile(32, 64)], {"acc_phase": "last"}, "PL205", "acc_phase"),
    ("tile.batch_matmul", [tile(2, 16, 32), tile(3, 32, 64)], {}, "PL203", "rhs"),
    # reductions and expansions
    ("tile.col_sum", [tile(16, 32, valid=(0, 32))], {}, "PL208", "tile"),
    ("tile.row_expand_mul", [tile(16, 32), tile(16, 2)], {}, "PL203", "row_vec"),
    ("tile.row_expand_add", [tile(16, 32), tile(16, 2)], {}, "PL210", "row_vec"),
    ("tile.col_expand_mul", [tile(16, 32), tile(1, 16)], {}, "PL203", "col_tile"),
    ("tile.col_expand_mul", [tile(16, 32), tile(2, 32)], {}, "PL203", "col_tile"),
    ("tile.col_expand_mul", [tile(32), tile(1, 32)], {}, "PL203", "col_tile"),
    ("tile.row_expand", [tile(16, 32), tile(2, 16, 1)], {}, "PL203", "row_vec"),
    ("tile.row_expand_add", [tile(3, 16, 32), tile(2, 16, 8)], {}, "PL203", "row_vec"),
    # gathers, sorts
    ("tile.gather", [tile(16, 32), tile(16, 32, dtype=INT16), tile(16, 32)], {}, "PL204", "indices"),
    ("tile.gather_row", [tile(16, 32), tensor(9, 32), [0, 0], [0, 0], [32]], {}, "PL203", "shapes"),
    ("tile.gather_row", [tile(16, 32), tensor(2, 9, 32), [0, 0], [0, 0, 0], [2, 1, 32]], {}, "PL203", "shapes"),
    ("tile.gather_mask", [tile(16, 31)], {"mask_pattern": 1}, "PL203", "src"),
    ("tile.gather_mask", [tile(16, 32)], {"mask_pattern": 1, "output_dtype": FP16}, "PL204", "output_dtype"),
    ("tile.gather_compare", [tile(16, 32), scalar(FP32), tile(16, 32)], {"out_cols": 0}, "PL205", "out_cols"),
    ("tile.scatter", [tile(16, 32, dtype=FP16)] * 2 + [tile(16, 32, dtype=INT32)], {}, "PL204", "indexes"),
    ("tile.mgather", [tensor(64, 32), tensor(1, 16, dtype=INT32)], {}, "PL201", "idx"),
    ("tile.mgather", [tensor(64, 32), tile(2, 16, dtype=INT32)], {}, "PL203", "idx"),
    ("tile.mgather", [tensor(64, 32), tile(1, 16, dtype=INT32)], {"target_memory": Left}, "PL210", "target_memory"),
    ("tile.mgather", [tensor(64, 32), tensor(1, 8, dtype=INT32)], {"target_memory": Mat}, "PL203", "idx"),
    ("tile.mrgsort_format2", [tile(1, 64), tile(1, 64)], {}, "PL202", "tmp"),
    ("tile.random", [scalar(INT32)] * 6 + [[16, 32]], {"rounds": 8}, "PL205", "rounds"),
    # spaces
    ("tile.move", [tile(16, 2, dtype=UINT8)], {"target_memory": MemorySpace.LeftScale}, "PL210", "tile"),
    ("tile.alloc", [99, 1024], {}, "PL210", "memory_space"),
    # cores and arrays
    ("tile.tpop_from_aic", [[16, 32]], {}, "PL205", "dtype"),
    ("system.syncall", [], {"core_type": "all"}, "PL205", "core_type"),
    ("system.syncall", [], {"mode": "soft"}, "PL202", "gm_workspace"),
    ("system.syncall", [tensor(16, dtype=INT32)], {}, "PL202", "gm_workspace"),
    ("system.sync_set", [], {"pipe": "MTE1"}, "PL205", "event_id"),
    ("system.cacheinvalid", [tensor(16, 32)], {}, "PL202", "tensor"),
    ("system.reserve_buffer", [], {"name": "b", "size": 0}, "PL205", "size"),
    ("system.task_dummy", [[scalar(INT32)]], {}, "PL204", "deps"),
    ("system.task_dummy", [[Var("a", ir.ArrayType(8, INT32))]], {}, "PL204", "deps"),
    ("system.task_dummy", [[tensor(16, 32)]], {}, "PL204", "deps"),
    ("array.get_element", [Var("a", ir.ArrayType(8, INT32)), 8], {}, "PL206", "index"),
    ("array.update_element", [Var("a", ir.ArrayType(8, INT32)), 0, scalar(INT64)], {}, "PL204", "value"),
]


@pytest.mark.parametrize(("name", "args", "keywords", "code", "operand"), REFUSED)
def test_refused(name: str, args: list[Any], keywords: dict[str, Any], code: str, operand: str) -> None:
    with pytest.raises(UserError) as caught:
        of(name, *args, **keywords)
    found = found_by(caught.value)
    assert found.code == code
    assert (found.operand or "") == operand
    assert found.message


def test_an_error_says_what_was_found_and_expected() -> None:
    with pytest.raises(UserError) as caught:
        of("tile.matmul", tile(16, 32, dtype=BF16), tile(64, 32, dtype=BF16))
    found = found_by(caught.value)
    assert found.found == "[16, 32] and [64, 32]"
    assert found.expected == "rhs with 32 rows, as lhs has columns"
    assert found.hint is not None


@pytest.mark.parametrize("literal", [2, 2.0])
def test_a_literal_beside_a_tile_is_no_index(literal: float) -> None:
    assert tile_of("tile.muls", tile(16, 32, dtype=FP16), literal).dtype is FP16


def test_symbolic_extents_are_broadcast_where_they_are_equal() -> None:
    assert tile_of("tile.add", tile(ROWS, 32), tile(ROWS, 1)).shape == (ROWS, 32)
    with pytest.raises(UserError):
        of("tile.add", tile(ROWS, 32), tile(16, 32))


@pytest.mark.parametrize(
    ("lhs", "rhs", "expected"), [(FP16, INT32, FP16), (INT8, INT32, INT32), (BF16, FP16, BF16), (UINT32, INT32, INT32)]
)
def test_element_types_combine(lhs: DType, rhs: DType, expected: DType) -> None:
    assert tile_of("tile.add", tile(16, 32, dtype=lhs), tile(16, 32, dtype=rhs)).dtype is expected


def test_a_result_carries_no_declared_allocation() -> None:
    source = Var("t", TileType((16, 32), FP32, Vec, None, ir.MemRef("buffer")))
    for name in ("tile.exp", "tile.transpose_view"):
        assert tile_of(name, source).memref is None


# Loads, stores, moves


@pytest.mark.parametrize(
    ("source", "window", "space", "expected"),
    [
        (TensorLayout.ND, [16, 32], Mat, ("col_major", "row_major", 512)),
        (TensorLayout.DN, [16, 32], Mat, ("row_major", "col_major", 512)),
        (TensorLayout.ND, [1, 32], Mat, ("row_major", "none_box", 512)),
        (TensorLayout.DN, [1, 32], Mat, ("row_major", "col_major", 512)),
        (TensorLayout.DN, [32, 1], Mat, ("row_major", "none_box", 512)),
        (TensorLayout.ND, [16, 1], Vec, ("col_major", "none_box", 512)),
        (TensorLayout.ND, [16, 32], None, ("row_major", "none_box", 512)),
    ],
)
def test_layout_of_a_load(
    source: TensorLayout, window: list[int], space: MemorySpace | None, expected: tuple[str, str, int]
) -> None:
    loaded = tile_of("tile.load", tensor(64, 64, layout=source), [0, 0], window, window, target_memory=space)
    assert layout(loaded) == expected


@pytest.mark.parametrize(
    ("source", "order"), [(TensorLayout.MX_A_ZZ, "row_major"), (TensorLayout.MX_B_NN, "col_major")]
)
def test_scales_go_through_mat(source: TensorLayout, order: str) -> None:
    scales = tensor(64, 64, dtype=FP8E8M0, layout=source)
    loaded = Var("t", tile_of("tile.load", scales, [0, 0], [16, 2], [16, 2], target_memory=Mat))
    assert layout(tile_of("tile.slice", loaded, [16, 2], [0, 0])) == (order, order, 32)
    space = MemorySpace.LeftScale if order == "row_major" else MemorySpace.RightScale
    assert tile_of("tile.move", loaded, target_memory=space).space is space
    with pytest.raises(UserError) as caught:
        of("tile.load", scales, [0, 0], [16, 2], [16, 2], target_memory=Vec)
    assert caught.value.code == "PL210"


def test_a_load_of_another_rank_trusts_what_is_asked_for() -> None:
    loaded = tile_of("tile.load", tensor(2, 64, 64), [0, 0], [16, 32], [8, 32])
    assert loaded.valid_shape == (8, 32)


@pytest.mark.parametrize(
    ("shape", "offsets", "window", "code"),
    [
        ((64, 64), [0, 0, 0], [16, 16, 1], "PL203"),
        ((64,), [0, 0], [16, 1], "PL203"),
        ((64, 64), [1, 0, 0], [1, 16, 16], "PL206"),
        ((64, 64), [0, 56, 0], [1, 16, 16], "PL206"),
        ((64,), [0, 60], [1, 16], "PL206"),
    ],
)
def test_a_window_of_more_axes_lies_in_the_last_ones(
    shape: tuple[int, ...], offsets: list[int], window: list[int], code: str
) -> None:
    assert tile_of("tile.load", tensor(64), [0, 48], [1, 16], [1, 16]).shape == (1, 16)
    with pytest.raises(UserError) as caught:
        of("tile.load", tensor(*shape), offsets, window, window)
    assert caught.value.code == code
    with pytest.raises(UserError) as caught:
        of("tile.store", tile(*window), offsets, tensor(*shape))
    assert caught.value.code == code
    with pytest.raises(UserError) as caught:
        of("tile.store", tile(1, 16), offsets, tensor(*shape), window)
    assert caught.value.code == code


def test_a_clamped_window_of_more_axes_may_leave_the_tensor() -> None:
    assert tile_of("tile.load", tensor(64), [0, 60], [1, 16], [1, 4], clamp=True).valid_shape == (1, 4)


def test_a_load_from_several_devices() -> None:
    assert tile_of("tile.load", tensor(64, 64, distributed=True), [0, 0], [16, 32], [16, 32]).shape == (16, 32)


def test_a_store_of_another_rank_leaves_the_tensor_as_it_is() -> None:
    target = tensor(2, 64, 64)
    assert tensor_of("tile.store", tile(16, 32), [0, 0], target) is target.type
    assert tensor_of("tile.store", tile(16, 32), [0, 0, 0], target, [1, 16, 32]) is target.type


def test_a_store_keeps_the_layout_of_a_tensor_whose_region_grows() -> None:
    target = Var("t", TensorType((64, 32), FP32, TensorView((16, 32), (), TensorLayout.DN)))
    stored = tensor_of("tile.store", tile(16, 32), [16, 0], target)
    assert stored.valid_shape == (32, 32)
    assert stored.layout is TensorLayout.DN


def test_a_move_into_right_is_row_major_even_for_a_column() -> None:
    assert layout(tile_of("tile.move", tile(16, 1), target_memory=MemorySpace.Right))[0] == "row_major"


def test_a_move_keeps_pad_and_drops_compactness() -> None:
    view = TileView((8, 32), pad=ir.PadValue.zero, compact=CompactMode.normal)
    moved = tile_of("tile.move", tile(16, 32, view=view), target_memory=Mat)
    assert (moved.effective_view.pad, moved.effective_view.compact) == (ir.PadValue.zero, CompactMode.null)
    assert moved.valid_shape == (8, 32)


def test_a_written_layout_of_a_move_wins() -> None:
    boxed = tile(16, 32, space=Mat)
    flat = tile_of("tile.move", boxed, target_memory=Vec, blayout=TileLayout.row_major, slayout=TileLayout.none_box)
    assert flat.view is None


def test_a_flat_tile_in_mat() -> None:
    assert layout(tile_of("tile.create", [16, 32], dtype=FP16, target_memory=Mat, flat_layout=True))[1] == "none_box"


# Products


def test_a_product_that_is_not_known_to_fill_its_rows_is_compact() -> None:
    view = TileView((ROWS, 32))
    result = tile_of("tile.matmul", tile(16, 32, dtype=BF16, view=view), tile(32, 64, dtype=BF16))
    assert result.valid_shape == (ROWS, 64)
    assert result.effective_view.compact is CompactMode.normal
    again = tile_of("tile.matmul_acc", Var("acc", result), tile(16, 32, dtype=BF16), tile(32, 64, dtype=BF16))
    assert again == result


def test_stacks_of_matrices_are_broadcast() -> None:
    assert tile_of("tile.batch_matmul", tile(3, 1, 16, 32), tile(2, 32, 64)).shape == (3, 2, 16, 64)


# Views


def test_a_slice_of_a_boxed_tile_with_a_stored_view_keeps_its_boxes() -> None:
    view = TileView((8, 32), TileLayout.col_major, TileLayout.row_major)
    part = tile_of("tile.slice", tile(16, 32, space=Mat, view=view), [8, 16], [0, 0])
    assert layout(part) == ("col_major", "row_major", 512)


def test_a_slice_keeps_two_dimensions() -> None:
    assert tile_of("tile.slice", tile(1, 32), [1, 32], [0, 0], [], [0]).shape == (1, 32)


def test_transposed_twice_is_as_before() -> None:
    for source in (tile(16, 32, space=Mat), tile(16, 1, space=Vec), tile(4, 16, 32)):
        once = Var("t", tile_of("tile.transpose_view", source))
        assert tile_of("tile.transpose_view", once) == source.type


@pytest.mark.parametrize(
    ("before", "after", "shape", "expected"),
    [
        (FP32, FP16, (16, 32), (16, 64)),
        (FP16, FP32, (16, 32), (16, 16)),
        (INT8, INT64, (16, 32), (16, 4)),
        (FP32, INT32, (16, 1), (16, 1)),
        (FP16, FP32, (16, 1), (8, 1)),
    ],
)
def test_reinterpreted_widths(before: DType, after: DType, shape: tuple[int, int], expected: tuple[int, int]) -> None:
    assert tile_of("tile.reinterpret_view", tile(*shape, dtype=before), dtype=after).shape == expected


def test_bytes_that_make_up_no_whole_element() -> None:
    with pytest.raises(UserError) as caught:
        of("tile.reinterpret_view", tile(16, 31, dtype=FP16), dtype=FP32)
    assert caught.value.code == "PL203"


def test_a_boxed_tile_cannot_be_reinterpreted() -> None:
    with pytest.raises(UserError) as caught:
        of("tile.reinterpret_view", tile(16, 32, space=Mat), dtype=INT32)
    assert caught.value.code == "PL210"


# Across cores


def test_a_received_tile_has_the_shape_that_is_written() -> None:
    assert tile_of("tile.tpop_from_aic", [16, 32], dtype=FP32) == TileType((16, 32), FP32, Vec)
    assert tile_of("tile.tpop_from_aiv", [16, 32], dtype=FP32) == TileType((16, 32), FP32, Mat)
    assert of("tile.tpop_from_aic") is ir.UNKNOWN


def test_what_is_sharded_is_gathered_again() -> None:
    source = tile(16, 32, space=Acc)
    half = Var("half", tile_of("tile.aiv_shard", source, split=2))
    assert half.type == TileType((16, 16), FP32, Vec)
    assert tile_of("tile.aic_gather", half, split=2).shape == (16, 32)


# Tensors


def test_a_view_in_the_other_order_exchanges_axes_and_strides() -> None:
    turned = tensor_of("tensor.view", tensor(16, 32, 64), layout=TensorLayout.DN)
    assert turned.shape == (16, 64, 32)
    assert turned.view is not None
    assert turned.view.stride == (2048, 1, 64)
    back = tensor_of("tensor.view", Var("t", turned), layout=TensorLayout.ND)
    assert (back.shape, back.layout) == ((16, 32, 64), TensorLayout.ND)


def test_strides_of_symbolic_extents() -> None:
    seen = tensor_of("tensor.view", tensor(ROWS, 32), [ROWS, 4, 8])
    assert seen.view is not None
    assert seen.view.stride == (32, 8, 1)


def test_a_window_of_several_devices_stays_one() -> None:
    part = tensor_of("tensor.slice", tensor(16, 32, distributed=True), [8, 32], [0, 0])
    assert part.distributed
    with pytest.raises(UserError) as caught:
        of("tensor.reshape", tensor(16, 32, distributed=True), [512])
    assert caught.value.code == "PL201"


def test_a_clamped_slice_of_a_symbolic_tensor() -> None:
    part = tensor_of("tensor.slice", tensor(ROWS, 32), [16, 32], [0, 0], clamp=True)
    assert repr(part.valid_shape[0]) == "min(rows, 16)"


def test_tasks_wait_for_tasks() -> None:
    assert of("system.task_dummy", [scalar(TASK_ID), Var("a", ir.ArrayType(4, TASK_ID))]) == ScalarType(TASK_ID)
