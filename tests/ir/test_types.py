"""Types: interning, equality of symbolic ones, normal forms, expressions in them, facts and texts."""

from __future__ import annotations

from typing import Any

import pytest

from pypto_lite import ir
from tests.ir.samples import BF16, FP32, INDEX, INT32, SCALAR, TYPES, changed_type, var

M, N = var("M"), var("N")
ONE = ir.index_const(1)


def plus(lhs: ir.Expr, rhs: ir.Expr) -> ir.Binary:
    return ir.Binary("+", lhs, rhs, SCALAR)


@pytest.mark.parametrize("cls", TYPES, ids=lambda cls: cls.__name__)
def test_equal_constant_types_are_one_object(cls: type) -> None:
    type_, changes = TYPES[cls]
    field = next(iter(changes))
    assert changed_type(type_, field, getattr(type_, field)) is type_
    assert changed_type(type_, field, changes[field]) is not type_


def test_symbolic_types_compare_by_structure() -> None:
    first, second = ir.TensorType([plus(M, ONE), 8], FP32), ir.TensorType([plus(M, ir.index_const(1)), 8], FP32)
    assert first == second
    assert hash(first) == hash(second)
    assert first != ir.TensorType([plus(N, ONE), 8], FP32)
    assert first != ir.TensorType([plus(ONE, M), 8], FP32)
    assert first.symbolic


def test_variables_of_one_name_are_different_dimensions() -> None:
    assert ir.TensorType([M, 8], FP32) != ir.TensorType([var("M"), 8], FP32)


@pytest.mark.parametrize(
    "type_",
    [
        ir.TensorType([ir.index_const(16), 8], FP32),
        ir.TensorType([16, 8], FP32, ir.TensorView((ir.index_const(16), 8))),
        ir.TileType([ir.index_const(16), 8], FP32),
        ir.TileView((ir.index_const(8), 8), stride=(ir.index_const(8), 1), start_offset=ir.index_const(4)),
        ir.TensorView((8, ir.index_const(8)), (ir.index_const(8), 1)),
    ],
    ids=repr,
)
def test_a_constant_dimension_is_an_int_however_it_is_given(type_: Any) -> None:
    assert not type_.symbolic
    assert type_.expressions() == ()


def test_mixed_dimensions_keep_their_expressions_only() -> None:
    type_ = ir.TileType([ir.index_const(16), M], FP32, view=ir.TileView((N, plus(M, ONE))))
    assert type_.shape[0] == 16
    assert [repr(each) for each in type_.expressions()] == ["M", "N", "M + 1"]


# Normal forms


def test_a_tensor_view_that_says_nothing_is_none() -> None:
    assert ir.TensorType([16, 8], FP32, ir.TensorView()).view is None
    assert ir.TensorType([16, 8], FP32, ir.TensorView((16, 8))).view is None
    assert ir.TensorType([16, 8], FP32, ir.TensorView((16, 8), layout=ir.TensorLayout.DN)).view == ir.TensorView(
        layout=ir.TensorLayout.DN
    )


def test_a_valid_region_that_is_the_whole_symbolic_shape_is_not_stored() -> None:
    assert ir.TensorType([plus(M, ONE), 8], FP32, ir.TensorView((plus(M, ir.index_const(1)), 8))).view is None
    assert ir.TileType([plus(M, ONE), 8], FP32, None, ir.TileView((plus(M, ir.index_const(1)), 8))).view is None


def test_a_tile_view_that_is_the_implicit_one_is_none() -> None:
    boxed = ir.TileView((16, 8), ir.TileLayout.col_major, ir.TileLayout.row_major)
    assert ir.TileType([16, 8], FP32, ir.MemorySpace.Mat, boxed).view is None
    assert ir.TileType([16, 8], FP32, ir.MemorySpace.Vec, boxed).view is not None
    assert ir.TileType([16, 8], FP32, ir.MemorySpace.Vec, ir.TileView((16, 8))).view is None
    assert ir.TileType([16, 8], FP32, ir.MemorySpace.Mat, ir.TileView()).view == ir.TileView()


@pytest.mark.parametrize(
    ("space", "shape", "expected"),
    [
        (None, (16, 8), ("row_major", "none_box", 512)),
        (None, (16, 1), ("col_major", "none_box", 512)),
        (None, (1, 1), ("row_major", "none_box", 512)),
        (None, (M, 1), ("row_major", "none_box", 512)),
        (ir.MemorySpace.Vec, (16, 1), ("col_major", "none_box", 512)),
        (ir.MemorySpace.Bias, (1, 16), ("row_major", "none_box", 512)),
        (ir.MemorySpace.Mat, (16, 1), ("col_major", "row_major", 512)),
        (ir.MemorySpace.Left, (16, 8), ("col_major", "row_major", 512)),
        (ir.MemorySpace.Right, (16, 8), ("row_major", "col_major", 512)),
        (ir.MemorySpace.Right, (16, 1), ("col_major", "col_major", 512)),
        (ir.MemorySpace.Acc, (16, 8), ("col_major", "row_major", 1024)),
        (ir.MemorySpace.LeftScale, (16, 1), ("row_major", "row_major", 32)),
        (ir.MemorySpace.RightScale, (16, 8), ("col_major", "col_major", 32)),
    ],
)
def test_implicit_views(space: ir.MemorySpace | None, shape: ir.Dims, expected: tuple[str, str, int]) -> None:
    view = ir.TileType(shape, FP32, space).effective_view
    assert (view.blayout.name, view.slayout.name, view.fractal) == expected


def test_the_valid_region_is_the_shape_unless_a_view_narrows_it() -> None:
    assert ir.TileType([16, 8], FP32).valid_shape == (16, 8)
    assert ir.TileType([16, 8], FP32, view=ir.TileView((4, 8))).valid_shape == (4, 8)
    assert ir.TensorType([16, 8], FP32, ir.TensorView((4, 8))).valid_shape == (4, 8)
    assert ir.TensorType([16, 8], FP32, ir.TensorView(layout=ir.TensorLayout.NZ)).layout is ir.TensorLayout.NZ


def test_replacing_the_space_of_a_tile_stores_its_view_anew() -> None:
    flat = ir.TileType([16, 8], FP32, ir.MemorySpace.Vec, ir.TileView((4, 8)))
    moved = flat.replace(space=ir.MemorySpace.Mat, view=None)
    assert (moved.space, moved.effective_view.slayout) == (ir.MemorySpace.Mat, ir.TileLayout.row_major)
    assert flat.replace(dtype=BF16).valid_shape == (4, 8)


# Expressions


def test_mapping_expressions_changes_every_one() -> None:
    view = ir.TileView((M, 8), stride=(M, 1), start_offset=M)
    before = ir.TupleType([ir.TileType([16, M], FP32, view=view), ir.TensorType([M, 8], FP32, ir.TensorView((4, M)))])
    after = before.map_expressions(lambda _: N)
    assert set(after.expressions()) == {N}
    assert len(after.expressions()) == len(before.expressions()) == 6


def test_mapping_a_constant_type_gives_it_back() -> None:
    type_ = ir.TileType([16, 8], FP32, view=ir.TileView((4, 8)))
    assert type_.map_expressions(lambda _: N) is type_


def test_a_tuple_is_symbolic_where_a_member_is() -> None:
    assert not ir.TupleType([SCALAR]).symbolic
    first, second = (ir.TupleType([SCALAR, ir.TensorType([M], FP32)]) for _ in range(2))
    assert first.symbolic
    assert first == second


# Texts and facts


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (SCALAR, "Scalar[INDEX]"),
        (ir.ArrayType(8, INT32), "Array[8, INT32]"),
        (ir.TupleType([SCALAR, ir.PTR]), "Tuple[Scalar[INDEX], Ptr]"),
        (ir.TensorType([M, 8], FP32), "Tensor[[M, 8], FP32]"),
        (ir.TensorType([8], FP32, None, True), "DistributedTensor[[8], FP32]"),
        (
            ir.TileType([16, 8], BF16, ir.MemorySpace.Vec, ir.TileView((4, 8)), ir.MemRef("a")),
            "Tile[[16, 8], BF16, Vec, TileView(valid_shape=[4, 8], row_major/none_box/512), MemRef('a')]",
        ),
        (ir.UNKNOWN, "Unknown"),
    ],
    ids=repr,
)
def test_types_have_a_short_text(type_: ir.Type, text: str) -> None:
    assert repr(type_) == text


def test_facts_of_a_tile() -> None:
    facts = ir.TileType([16, M], BF16, ir.MemorySpace.Mat, ir.TileView((4, 8))).facts()
    assert facts == {
        "kind": "tile", "shape": [16, "M"], "dtype": "bfloat16", "space": "Mat", "explicit_view": True, "valid": [4, 8],
        "blayout": "row_major", "slayout": "none_box", "fractal": 512, "pad": "null", "compact": "null",
    }  # fmt: skip


def test_facts_of_other_types() -> None:
    assert ir.ScalarType(INDEX).facts() == {"kind": "scalar", "dtype": "index"}
    assert ir.TensorType([8], FP32, None, True).facts() == {"kind": "dtensor", "shape": [8], "dtype": "fp32"}
    assert ir.TupleType([SCALAR]).facts() == {"kind": "tuple", "types": [SCALAR.facts()]}
