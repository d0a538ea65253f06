"""Which calls are alike: those that have one type, whatever they are about otherwise."""

from __future__ import annotations

import math

import pytest

from pypto_lite import ir, ops
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import DTYPES, MemorySpace

TILE = ir.TileType((16, 16), DTYPES["FP32"], MemorySpace.Vec)


def tile(type_: ir.Type = TILE) -> ir.Var:
    return ir.Var("t", type_)


def test_calls_on_tiles_of_one_type_are_alike() -> None:
    assert ops.inference_key("tile.exp", (tile(),), {}) == ops.inference_key("tile.exp", (tile(),), {})


@pytest.mark.parametrize(
    "other",
    [
        ("tile.neg", (tile(),), {}),
        ("tile.exp", (tile(TILE.replace(space=MemorySpace.Acc)),), {}),
        ("tile.exp", (tile(), tile()), {}),
        ("tile.exp", (tile(),), {"precision": 1}),
    ],
    ids=["operator", "type", "count", "keyword"],
)
def test_operator_operands_and_keywords_count(other: tuple[str, tuple[ir.Expr, ...], dict[str, object]]) -> None:
    assert ops.inference_key("tile.exp", (tile(),), {}) != ops.inference_key(*other)


def test_constants_count() -> None:
    shapes = [ir.make_tuple(extents) for extents in ((16, 8), (8, 16), (16, 8, 1))]
    assert len({ops.inference_key("tile.reshape", (tile(), shape), {}) for shape in shapes}) == 3


def test_scalars_are_told_apart_since_they_may_stand_in_the_type() -> None:
    first, second = (ir.Var("n", ir.ScalarType(DTYPES["INDEX"])) for _ in range(2))
    assert ops.inference_key("tile.set_validshape", (tile(), first), {}) != ops.inference_key(
        "tile.set_validshape", (tile(), second), {}
    )


def test_values_of_keywords_that_are_equal_but_not_the_same_are_told_apart() -> None:
    values: list[object] = [1, True, 1.0, 0.0, -0.0, 0, False, "1", None]
    assert len({ops.inference_key("tile.exp", (tile(),), {"value": value}) for value in values}) == len(values)
    assert ops.inference_key("t", (), {"value": math.nan}) == ops.inference_key("t", (), {"value": math.nan})


@pytest.mark.parametrize("value", [[1], {"a": 1}, (1, [2]), object()])
def test_other_values_are_not_worth_a_look(value: object) -> None:
    assert ops.inference_key("tile.exp", (tile(),), {"value": value}) is None


def test_types_that_mention_values_are_not_worth_a_look() -> None:
    rows = ir.Var("rows", ir.ScalarType(DTYPES["INDEX"]))
    open_tile = TILE.replace(view=ir.TileView((rows, 16)))
    assert ops.inference_key("tile.exp", (tile(open_tile),), {}) is None


def test_a_call_that_was_made_before_is_made_of_its_own_operands() -> None:
    maker = ops.CallMaker()
    first, second = tile(), tile()
    made = [maker.make("tile.exp", (each,), {}, {}) for each in (first, second)]
    assert [call.args for call in made] == [(first,), (second,)]
    assert made[0].type is made[1].type


def test_a_call_that_its_rule_refuses_is_refused_each_time() -> None:
    maker = ops.CallMaker()
    for _ in range(2):
        with pytest.raises(UserError):
            maker.make("tile.exp", (ir.index_const(1),), {}, {})


def test_lists_are_known_by_their_values_and_element_types() -> None:
    i = ir.Var("i", ir.ScalarType(DTYPES["INDEX"]))
    int32 = [ir.const(each, DTYPES["INT32"]) for each in (4, 8)]
    lists = [
        ir.make_tuple(each)
        for each in ([4, 8], [8, 4], [4], [], [4, i], [i, 4], int32, [ir.const(4.0)], [ir.const(True)])
    ]
    assert len({ops.inference_key("tile.load", (each,), {}) for each in lists}) == len(lists)
    assert ops.inference_key("t", (lists[0],), {}) == ops.inference_key("t", (ir.make_tuple([4, 8]),), {})
