"""The objects of the ``pl`` namespace as Python sees them."""

from __future__ import annotations

import copy
import pickle
from types import GenericAlias

import pytest

from pypto_lite import ir
from pypto_lite.diagnostics import UserError
from pypto_lite.trace.names import builtins as surface

NAMESPACE = surface.Namespace("tile", {"load": surface.OperatorName("tile.load")})


@pytest.mark.parametrize(
    "called", [surface.OperatorName("tile.load"), surface.RANGE, surface.YIELD, surface.AT, surface.MIN]
)
def test_calling_outside_a_kernel_says_where_kernels_are(called):
    with pytest.raises(UserError, match=r"@pl\.function") as caught:
        called(1, keyword=2)
    assert caught.value.code == "PL120"


def test_annotations_take_anything():
    made = surface.OUT[surface.TENSOR[[16, "what"], object()]]
    assert made.form is surface.OUT
    assert made.arguments[0].form is surface.TENSOR


def test_annotations_inside_tuple():
    assert isinstance(tuple[surface.TENSOR[[1], None], surface.TILE[[1], None]], GenericAlias)


def test_annotation_shows_what_was_written():
    made = surface.TENSOR[[16, surface.DynVar("M") * 2], ir.dtypes.FP32]
    assert repr(made) == "pl.Tensor[[16, (M * 2)], FP32]"
    assert repr(surface.TILE_VIEW(valid_shape=[1])) == "pl.TileView(valid_shape=[1])"


def test_calling_a_type_points_to_brackets():
    with pytest.raises(UserError, match=r"pl\.Tensor\[") as caught:
        surface.TENSOR([16], ir.dtypes.FP32)
    assert caught.value.code == "PL111"


def test_unknown_member_gets_a_proposal():
    with pytest.raises(UserError, match="did you mean 'load'") as caught:
        NAMESPACE.lod  # noqa: B018
    assert caught.value.code == "PL107"


def test_unknown_member_is_an_attribute_error_for_python():
    assert not hasattr(NAMESPACE, "lod")
    assert hasattr(NAMESPACE, "load")
    assert list(dir(NAMESPACE)) == ["load"]


@pytest.mark.parametrize("one", [surface.RANGE, surface.TENSOR, surface.MEM_REF, *surface.CONSTRUCTS.values()])
def test_constructs_and_forms_stay_the_one_object(one):
    assert copy.deepcopy(one) is one
    assert pickle.loads(pickle.dumps(one)) is one


def test_operators_and_namespaces_can_be_pickled():
    found = pickle.loads(pickle.dumps(NAMESPACE)).load
    assert found.spelling == "tile.load"


@pytest.mark.parametrize("name", ["", "2x", "a b", "class", 7])
def test_symbolic_dimension_needs_a_name(name):
    with pytest.raises(UserError) as caught:
        surface.dynamic(name)
    assert caught.value.code == "PL111"


def test_arithmetic_on_symbolic_dimensions():
    rows = surface.dynamic("M")
    assert repr((16 - rows) * 2 + rows // rows % 3) == "(((16 - M) * 2) + ((M // M) % 3))"
    assert repr(1 + rows) == "(1 + M)"
    assert repr(7 // rows - 7 % rows) == "((7 // M) - (7 % M))"
    assert repr(2 * rows - 1) == "((2 * M) - 1)"


def test_operator_names_are_grouped():
    operators = map(surface.OperatorName, ["load", "tile.load", "tensor.dim"])
    names = surface.operator_names(operators, {"tile": {"more": 1}})
    assert isinstance(names["tile"], surface.Namespace)
    assert names["tile"].more == 1
    assert names["tile"].load.spelling == "tile.load"
    assert sorted(names) == ["load", "tensor", "tile"]
