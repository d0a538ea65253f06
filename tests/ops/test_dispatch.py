"""What a name after ``pl.`` means for its arguments, and the element types of literals."""

from __future__ import annotations

from typing import Any

import pytest

from pypto_lite import ops
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import DType, Var, make_tuple
from pypto_lite.ir.dtypes import BF16, BOOL, FP16, FP32, INDEX, INT8, INT16, INT32, UINT16, UINT32
from tests.ops.operands import found_by, scalar, tensor, tile

WINDOW = make_tuple([16, 32])
ORIGIN = make_tuple([0, 0])


@pytest.mark.parametrize(
    ("spelling", "args", "named", "expected"),
    [
        ("add", [tile(16, 32), tile(16, 32)], {}, "tile.add"),
        ("add", [tile(16, 32), 2.0], {}, "tile.adds"),
        ("add", [tile(16, 32), scalar(FP32)], {}, "tile.adds"),
        ("add", [], {"lhs": tile(16, 32), "rhs": 1}, "tile.adds"),
        ("tile.mul", [tile(16, 32), 2], {}, "tile.muls"),
        ("maximum", [tile(16, 32), 0.0], {}, "tile.maximums"),
        ("cmp", [tile(16, 32), tile(16, 32)], {"cmp_type": "lt"}, "tile.cmp"),
        ("cmp", [tile(16, 32), 0.0, "lt"], {}, "tile.cmps"),
        ("xor", [tile(16, 32), 3, tile(16, 32)], {}, "tile.xors"),
        ("and_", [tile(16, 32), 3], {}, "tile.ands"),
        ("slice", [tile(16, 32), WINDOW, ORIGIN], {}, "tile.slice"),
        ("slice", [tensor(16, 32), [16, 32], [0, 0]], {"clamp": True}, "tensor.slice"),
        ("reshape", [tensor(16, 32), [512]], {}, "tensor.reshape"),
        ("read", [tile(16, 32), [0, 0]], {}, "tile.read"),
        ("read", [tensor(16, 32), [0, 0]], {}, "tensor.read"),
        ("write", [tensor(16, 32), [0, 0], 1.0], {}, "tensor.write"),
        ("assemble", [tile(16, 32), tile(8, 32), [0, 0]], {}, "tile.assemble"),
        ("assemble", [tensor(16, 32), tensor(8, 32), [0, 0]], {"atomic": 1}, "tensor.assemble"),
        ("full", [[16, 32], FP32, 0.0], {}, "tensor.full"),
        ("tile.full", [[16, 32], FP32, 0.0], {}, "tile.full"),
        ("create_tile", [[16, 32], FP32], {}, "tile.create"),
        ("create_tensor", [[16, 32]], {"dtype": FP32}, "tensor.create"),
        ("tile.arange", [0, [1, 32]], {}, "tile.ci"),
        ("mrgsort", [tile(1, 256)], {"block_len": 64}, "tile.mrgsort_format1"),
        ("mrgsort", [tile(1, 64), tile(1, 64)], {"tmp": tile(1, 128)}, "tile.mrgsort_format2"),
        ("get_block_idx", [], {}, "tile.get_block_idx"),
        ("exp", [], {"input": tile(16, 32)}, "tile.exp"),
        ("exp", [], {"tile": tile(16, 32)}, "tile.exp"),
    ],
)
def test_resolution(spelling: str, args: list[object], named: dict[str, object], expected: str) -> None:
    assert ops.resolve(spelling, args, named).name == expected


@pytest.mark.parametrize("spelling", ["add", "exp", "matmul", "row_sum", "cast"])
def test_tensors_where_only_tiles_have_the_operator(spelling: str) -> None:
    with pytest.raises(UserError) as caught:
        ops.resolve(spelling, [tensor(16, 32), tensor(16, 32)])
    found = found_by(caught.value)
    assert found.code == "PL209"
    assert found.hint is not None
    assert "pl.load" in found.hint


def test_a_tensor_for_what_is_written_as_an_operator_on_tiles() -> None:
    with pytest.raises(UserError) as caught:
        ops.resolve("tile.exp", [Var("d", tensor(16, 32).type)])
    found = found_by(caught.value)
    assert (found.code, found.message) == ("PL209", "pl.tile.exp works on tiles")
    assert found.found == "d: Tensor[[16, 32], FP32]"


@pytest.mark.parametrize("spelling", ["gather", "arange", "tensor.exp", "tensor.and", "expand_clone", "random"])
def test_names_that_mean_only_tensor_operators(spelling: str) -> None:
    with pytest.raises(UserError) as caught:
        ops.resolve(spelling, [tile(16, 32)])
    found = found_by(caught.value)
    assert found.code == "PL209"
    assert "not supported yet" in found.message


def test_a_tensor_operator_with_a_tile_form_names_it() -> None:
    with pytest.raises(UserError) as caught:
        ops.resolve("arange", [0, [1, 32]])
    hint = found_by(caught.value).hint
    assert hint is not None
    assert "pl.tile.arange" in hint


def test_an_unknown_name() -> None:
    with pytest.raises(UserError) as caught:
        ops.resolve("matmull", [tile(16, 32)])
    found = found_by(caught.value)
    assert found.code == "PL107"
    assert found.hint is not None
    assert "'matmul'" in found.hint


def test_operands_that_no_operator_of_the_name_takes() -> None:
    with pytest.raises(UserError) as caught:
        ops.resolve("add", [[1, 2], tile(16, 32)])
    found = found_by(caught.value)
    assert found.code == "PL201"
    assert found.found is not None
    assert "a list of 2" in found.found
    assert found.expected is not None
    assert "rhs: Tile" in found.expected
    assert "rhs: Scalar" in found.expected


@pytest.mark.parametrize(
    ("spelling", "args", "named", "code", "name"),
    [
        ("add", [tile(16, 32)], {}, "PL202", "rhs"),
        ("add", [tile(16, 32), tile(16, 32), tile(16, 32)], {}, "PL202", None),
        ("matmul", [tile(16, 32), tile(32, 16)], {"a_trans": True}, "PL205", "a_trans"),
        ("slice", [tile(16, 32), WINDOW, ORIGIN], {"clamp": True}, "PL205", "clamp"),
        ("exp", [tile(16, 32)], {"input": tile(16, 32)}, "PL205", "input"),
        ("move", [tile(16, 32)], {}, "PL205", "target_memory"),
        ("row_sum", [tile(16, 32)], {}, "PL202", "tmp_tile"),
    ],
)
def test_binding_errors(
    spelling: str, args: list[object], named: dict[str, object], code: str, name: str | None
) -> None:
    with pytest.raises(UserError) as caught:
        ops.bind(ops.resolve(spelling, args, named), args, named)
    found = found_by(caught.value)
    assert (found.code, found.operand) == (code, name)
    assert found.expected is not None
    assert found.expected.startswith("(")


def test_binding_by_position_and_name() -> None:
    load = ops.lookup("tile.load")
    bound = ops.bind(load, ["x", [0, 0], [16, 32]], {"target_memory": "Mat"})
    assert bound == {"tensor": "x", "offsets": [0, 0], "shapes": [16, 32], "target_memory": "Mat"}


def test_parameters_after_the_star_are_given_by_name_only() -> None:
    store = ops.lookup("tile.store")
    with pytest.raises(UserError):
        ops.bind(store, [tile(16, 32), [0, 0], tensor(16, 32), [16, 32], 1], {})


def test_further_names_of_a_parameter_bind_to_it() -> None:
    assert ops.bind(ops.lookup("tile.exp"), [], {"input": "x"}) == {"tile": "x"}
    assert ops.bind(ops.lookup("tile.part_add"), [], {"lhs": "a", "rhs": "b"}) == {"src0": "a", "src1": "b"}


def test_signatures() -> None:
    assert ops.signature(ops.lookup("tile.matmul_acc")) == "(acc: Tile, lhs: Tile, rhs: Tile, init_cond: Scalar = None)"
    assert ops.signature(ops.lookup("tile.transpose")).startswith("(input: Tile, axis1: int, axis2: int")
    assert "valid_shape: list = shapes" in ops.signature(ops.lookup("tile.load"))
    assert ", *, atomic: " in ops.signature(ops.lookup("tile.store"))


@pytest.mark.parametrize(
    ("name", "args", "literal", "keywords", "expected"),
    [
        ("tile.adds", [tile(16, 32, dtype=BF16), None], 2, {}, BF16),
        ("tile.adds", [tile(16, 32, dtype=INT8), None], 2, {}, INT8),
        ("tile.adds", [tile(16, 32, dtype=INT32), None], 2.5, {}, FP32),
        ("tile.adds", [tile(16, 32, dtype=FP16), None], 2.5, {}, FP16),
        ("tile.lrelu", [tile(16, 32, dtype=FP16), None], 0.1, {}, FP32),
        ("tile.lrelu", [tile(16, 32, dtype=FP16), None], 1, {}, FP32),
        ("tile.write", [tile(16, 32, dtype=INT16), ORIGIN, None], 1, {}, INT16),
        ("tensor.write", [tensor(16, 32, dtype=BF16), ORIGIN, None], 1.0, {}, BF16),
        ("tile.full", [WINDOW, None], 0, {"dtype": FP16}, FP16),
        ("tile.full", [WINDOW, None], 0.0, {"dtype": BF16}, BF16),
        ("tile.ci", [None, WINDOW], 0, {}, INT32),
        ("tile.ci", [None, WINDOW], 0, {"dtype": UINT32}, UINT32),
        ("tile.tri", [None, WINDOW], 0, {}, INT32),
        ("tile.set_validshape", [tile(16, 32), None, scalar()], 8, {}, INDEX),
        ("tile.extract", [tile(16, 32, dtype=BF16), None, scalar(), WINDOW], 0, {}, INDEX),
        ("tile.transpose", [tile(16, 32, dtype=BF16), None, scalar()], 0, {}, INDEX),
        ("tile.matmul_acc", [tile(16, 32), tile(16, 16), tile(16, 32), None], True, {}, BOOL),
        ("tile.sels", [tile(16, 32), tile(16, 32, dtype=UINT16), tile(1, 32), None], 1, {}, INT16),
        ("tile.gather_compare", [tile(16, 32, dtype=INT32), None, tile(16, 32)], 1, {}, INT32),
        ("tile.mrgsort_format1", [tile(1, 256), None], 64, {}, INT32),
    ],
)
def test_element_types_of_literals(
    name: str, args: list[Any], literal: float, keywords: dict[str, object], expected: DType
) -> None:
    assert ops.literal_dtype(ops.lookup(name), args.index(None), literal, args, keywords) is expected


def test_every_spelling_finds_operators() -> None:
    for spelling in ops.spellings():
        assert all(spelling in operator.spellings for operator in ops.by_spelling(spelling))
    assert ops.by_spelling("nothing") == ()
    assert ops.find("nothing") is None


def test_no_name_is_both_supported_and_refused() -> None:
    for name in ops.operators():
        ops.lookup(name)
    with pytest.raises(UserError):
        ops.lookup("tensor.matmul")
