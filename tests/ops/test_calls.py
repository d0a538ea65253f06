"""Calls: operands, keywords, the place of the result, and where an error points."""

from __future__ import annotations

import pytest

from pypto_lite import ir, ops
from pypto_lite.diagnostics import SourceText, Span, UserError
from pypto_lite.ir import CastMode, Const, MemorySpace, PadValue, TensorType, TileLayout, TileType, make_tuple
from pypto_lite.ir.dtypes import BF16, FP16, FP32, INT32
from tests.ops.operands import found_by, scalar, tensor, tile

SPAN = Span(SourceText("kernel.py", "line\n"), 1, 1, 1, 5)


def test_a_call_has_the_type_of_its_rule_and_everything_it_was_given() -> None:
    operands = [tile(16, 32), tile(16, 32)]
    call = ops.call("tile.add", operands, attrs={"mark": True}, span=SPAN)
    assert call.op == "tile.add"
    assert call.args == tuple(operands)
    assert call.type is TileType((16, 32), FP32, MemorySpace.Vec)
    assert call.attrs == {"mark": True}
    assert call.span is SPAN


def test_keywords_are_completed_in_the_order_of_the_declaration() -> None:
    call = ops.call("tile.cast", [tile(16, 32)], {"target_type": FP16})
    assert list(call.keywords.items()) == [("target_type", FP16), ("mode", CastMode.round)]


def test_keywords_that_mean_the_same_as_absent_are_left_out() -> None:
    assert ops.call("tile.fillpad", [tile(16, 32)], {"pad_value": PadValue.zero}).keywords == {}
    assert ops.call("tile.div", [tile(16, 32)] * 2, {"high_precision": False}).keywords == {}
    load = [tensor(64, 64), make_tuple([0, 0]), make_tuple([16, 32]), make_tuple([16, 32])]
    assert ops.call("tile.load", load, {"target_memory": None, "clamp": False}).keywords == {}


def test_an_absent_target_memory_stays_absent_and_leaves_the_space_open() -> None:
    load = [tensor(64, 64), make_tuple([0, 0]), make_tuple([16, 32]), make_tuple([16, 32])]
    call = ops.call("tile.load", load)
    assert isinstance(call.type, TileType)
    assert call.type.space is None
    placed = ops.call("tile.load", load, {"target_memory": MemorySpace.Mat})
    assert isinstance(placed.type, TileType)
    assert placed.type.space is MemorySpace.Mat


@pytest.mark.parametrize(
    ("value", "expected"),
    [("trunc", CastMode.trunc), (5, CastMode.trunc), (CastMode.trunc, CastMode.trunc)],
)
def test_enumerations_are_given_by_name_or_code(value: object, expected: CastMode) -> None:
    call = ops.call("tile.cast", [tile(16, 32)], {"target_type": FP16, "mode": value})
    assert call.keywords["mode"] is expected


@pytest.mark.parametrize(
    ("value", "expected"), [(0, PadValue.zero), (float("inf"), PadValue.max), (float("-inf"), PadValue.min)]
)
def test_a_pad_value_is_given_by_the_number_that_it_stands_for(value: float, expected: PadValue) -> None:
    call = ops.call("tile.fillpad", [tile(16, 32, valid=(8, 32))], {"pad_value": value})
    assert isinstance(call.type, TileType)
    assert call.type.effective_view.pad is expected


def test_a_result_in_a_fixed_space_drops_what_only_another_space_implies() -> None:
    boxed = ops.call("tile.exp", [tile(16, 32, space=MemorySpace.Mat)]).type
    assert isinstance(boxed, TileType)
    assert boxed.space is MemorySpace.Vec
    assert boxed.effective_view.blayout is TileLayout.col_major


def test_an_inheriting_result_lives_where_its_first_placed_tile_lives() -> None:
    shape = make_tuple([32, 16])
    moved = ops.call("tile.reshape", [tile(16, 32, space=MemorySpace.Mat), shape]).type
    assert isinstance(moved, TileType)
    assert moved.space is MemorySpace.Mat
    still_open = ops.call("tile.reshape", [tile(16, 32), shape]).type
    assert isinstance(still_open, TileType)
    assert still_open.space is None


def test_all_tiles_of_several_results_are_placed() -> None:
    keywords = {"out_cols": 8}
    result = ops.call("tile.gather_compare", [tile(16, 32), scalar(FP32), tile(16, 32)], keywords).type
    assert isinstance(result, ir.TupleType)
    assert [member.space for member in result.types if isinstance(member, TileType)] == [MemorySpace.Vec] * 2


def test_an_optional_operand_is_passed_over_where_the_next_one_is_of_another_kind() -> None:
    indices = tile(1, 16, dtype=INT32)
    result = ops.call("tile.mgather", [tensor(64, 32), indices, make_tuple([8, 32])]).type
    assert isinstance(result, TileType)
    assert result.valid_shape == (8, 32)


def test_an_empty_list_stands_for_an_optional_list_that_is_left_out() -> None:
    operands = [tile(4, 16, 32), make_tuple([1, 16, 32]), make_tuple([0, 0, 0]), make_tuple([]), make_tuple([0])]
    assert ops.call("tile.slice", operands).type == TileType((16, 32), FP32)


# Errors


def test_an_unknown_operator() -> None:
    with pytest.raises(UserError) as caught:
        ops.call("tile.matmull", [], span=SPAN)
    assert caught.value.code == "PL107"
    assert caught.value.span is SPAN
    assert "did you mean" in str(caught.value)


def test_a_tensor_operator_that_is_not_supported_yet() -> None:
    with pytest.raises(UserError) as caught:
        ops.lookup("tensor.add")
    assert caught.value.code == "PL209"
    assert "create, full, dim" in str(caught.value)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_operands(count: int) -> None:
    with pytest.raises(UserError) as caught:
        ops.call("tile.add", [tile(16, 32)] * count)
    found = found_by(caught.value)
    assert found.code == "PL202"
    assert found.found == str(count)
    assert found.expected == "2 (lhs, rhs)"


def test_an_operand_of_the_wrong_kind_says_what_helps() -> None:
    with pytest.raises(UserError) as caught:
        ops.call("tile.exp", [tensor(16, 32)])
    found = found_by(caught.value)
    assert (found.code, found.operand, found.expected) == ("PL201", "tile", "a tile")
    assert found.hint is not None
    assert "pl.load" in found.hint


def test_a_constant_is_asked_for_as_such() -> None:
    with pytest.raises(UserError) as caught:
        ops.call("tile.full", [make_tuple([16, 32]), scalar(FP32)], {"dtype": FP32})
    assert found_by(caught.value).expected == "a literal constant"
    with pytest.raises(UserError) as caught:
        ops.call("tile.transpose", [tile(16, 32), ir.const(0.5), ir.const(1)])
    assert found_by(caught.value).expected == "an integer constant"
    with pytest.raises(UserError) as caught:
        ops.call("tile.transpose", [tile(16, 32), ir.const(True), ir.const(0)])
    assert found_by(caught.value).operand == "axis1"


def test_an_unknown_keyword() -> None:
    with pytest.raises(UserError) as caught:
        ops.call("tile.recip", [tile(16, 32)], {"high_precison": True})
    found = found_by(caught.value)
    assert (found.code, found.operand) == ("PL205", "high_precison")
    assert found.hint == "did you mean 'high_precision'?"


def test_a_keyword_on_an_operator_that_has_none() -> None:
    with pytest.raises(UserError) as caught:
        ops.call("tile.exp", [tile(16, 32)], {"mode": 1})
    assert found_by(caught.value).expected == "no keywords"


def test_a_missing_keyword() -> None:
    with pytest.raises(UserError) as caught:
        ops.call("tile.move", [tile(16, 32)])
    found = found_by(caught.value)
    assert (found.code, found.operand) == ("PL205", "target_memory")


@pytest.mark.parametrize(
    ("operator", "keywords"),
    [
        ("tile.recip", {"high_precision": 1}),
        ("tile.cast", {"target_type": 32.0}),
        ("tile.cast", {"target_type": FP16, "mode": 7}),
        ("tile.cast", {"target_type": FP16, "mode": "sideways"}),
        ("tile.fillpad", {"pad_value": 1.5}),
        ("tile.gather_mask", {"mask_pattern": True}),
    ],
)
def test_a_keyword_of_the_wrong_kind(operator: str, keywords: dict[str, object]) -> None:
    with pytest.raises(UserError) as caught:
        ops.call(operator, [tile(16, 32)], keywords)
    found = found_by(caught.value)
    assert found.code == "PL205"
    assert found.operand == list(keywords)[-1]
    assert found.expected is not None


def test_a_wrong_name_of_a_member_gets_a_hint() -> None:
    with pytest.raises(UserError) as caught:
        ops.call("tile.cast", [tile(16, 32)], {"target_type": FP16, "mode": "rond"})
    assert found_by(caught.value).hint == "did you mean 'round'?"


def test_an_operand_given_by_name_is_sent_to_the_list() -> None:
    with pytest.raises(UserError) as caught:
        ops.result_type("tile.load", [TensorType((16, 32), FP32)], offsets=[0, 0], shapes=[16, 16])
    assert found_by(caught.value).message == "'offsets' is an operand of tile.load, no keyword"


def test_inference_wants_the_keywords_as_the_ir_holds_them() -> None:
    cast = ops.lookup("tile.cast")
    with pytest.raises(UserError):
        ops.infer(cast, [tile(16, 32)], {"target_type": FP16})
    with pytest.raises(UserError):
        ops.infer(cast, [tile(16, 32)], {"target_type": FP16, "mode": 2})
    ops.infer(cast, [tile(16, 32)], {"target_type": FP16, "mode": CastMode.round})


def test_an_error_of_a_rule_points_at_the_call_where_that_is_known() -> None:
    operands = [tile(16, 32, dtype=BF16), tile(16, 64, dtype=BF16)]
    with pytest.raises(UserError) as caught:
        ops.call("tile.matmul", operands, span=SPAN)
    assert caught.value.span is SPAN
    with pytest.raises(UserError) as caught:
        ops.call("tile.matmul", operands)
    assert not caught.value.span
    assert found_by(caught.value).operand == "rhs"


def test_a_literal_of_plain_data_takes_the_element_type_beside_it() -> None:
    scaled = ops.result_type("tile.muls", [TileType((16, 32), FP16), 2])
    assert scaled == TileType((16, 32), FP16, MemorySpace.Vec)
    written = ops.result_type("tile.write", [TileType((16, 32), FP16), [0, 0], 1])
    assert written == TileType((16, 32), FP16, MemorySpace.Vec)


def test_one_name_in_plain_data_is_one_value() -> None:
    source = {"kind": "tensor", "shape": ["m", 64], "dtype": "fp32"}
    whole = ops.result_type("tensor.slice", [source, ["m", 64], [0, 0], ["m", 64]])
    assert whole.facts() == source
    part = ops.result_type("tensor.slice", [source, ["m", 64], [0, 0], ["n", 64]])
    assert part.facts()["valid"] == ["n", 64]


def test_operands_can_be_expressions() -> None:
    assert ops.result_type("tile.exp", [tile(16, 32)]) == TileType((16, 32), FP32, MemorySpace.Vec)
    assert isinstance(ops.call("tile.adds", [tile(16, 32), ir.const(1.0)]).args[1], Const)
