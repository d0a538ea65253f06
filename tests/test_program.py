"""What people call on programs and functions."""

from __future__ import annotations

import copy
import gc
import pickle

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes, printer
from pypto_lite.diagnostics import UserError


@pl.program
class Scale:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[16, 64], pl.FP32], out: pl.Out[pl.Tensor[[16, 64], pl.FP32]]
    ) -> pl.Tensor[[16, 64], pl.FP32]:
        a = pl.load(x, [0, 0], [16, 64])
        b = pl.mul(a, 2.0)
        return pl.store(b, [0, 0], out)


@pl.function(type=pl.FunctionType.InCore)
def scale(x: pl.Tensor[[16, 64], pl.FP32], out: pl.Out[pl.Tensor[[16, 64], pl.FP32]]) -> pl.Tensor[[16, 64], pl.FP32]:
    a = pl.load(x, [0, 0], [16, 64])
    b = pl.mul(a, 2.0)
    return pl.store(b, [0, 0], out)


def spaces(function: ir.Function) -> set[ir.MemorySpace | None]:
    types = [node.type for node in ir.walk(function) if isinstance(node, ir.Var)]
    return {each.space for each in types if isinstance(each, ir.TileType)}


def test_lower_places_every_tile():
    lowered = Scale.lower()
    assert isinstance(lowered, pl.Program)
    assert None in spaces(Scale.functions["kernel"])
    assert spaces(lowered.functions["kernel"]) == {ir.MemorySpace.Vec}
    assert passes.verify(lowered, {passes.TileMemoryInferred}) == []


@pytest.mark.parametrize("target", ["Ascend910B", "Ascend950", None])
def test_lower_for_a_target(target):
    assert spaces(Scale.lower(target).functions["kernel"]) == {ir.MemorySpace.Vec}
    assert spaces(Scale.lower(target=target).functions["kernel"]) == {ir.MemorySpace.Vec}


def test_unknown_target():
    with pytest.raises(UserError, match="Ascend910B"):
        Scale.lower("Ascend910C")


def test_lower_until_a_pass():
    assert None in spaces(Scale.lower(until="flatten_calls").functions["kernel"])


def test_lower_tells_instruments_of_every_pass():
    class Names(passes.Instrument):
        def __init__(self) -> None:
            self.names: list[str] = []

        def before_pass(self, each: passes.Pass, program: ir.Program) -> None:
            self.names.append(each.name)

    seen = Names()
    Scale.lower(instruments=[seen])
    assert seen.names == [each.name for each in passes.default_pipeline("Ascend910B").passes]


def test_lowering_leaves_the_program_and_the_collector_as_they_were():
    before = str(Scale)
    Scale.lower()
    assert str(Scale) == before
    assert gc.isenabled()


def test_text_is_python_and_reads_back():
    lowered = Scale.lower()
    assert str(lowered) == lowered.as_python() == printer.python_print(lowered)
    ir.assert_structural_equal(pl.parse(str(lowered)), lowered)


def test_concise_text_leaves_types_out():
    assert len(Scale.as_python(concise=True)) < len(Scale.as_python())
    ir.assert_structural_equal(pl.parse(Scale.as_python(concise=True)), Scale)


def test_a_function_alone_lowers_and_prints():
    lowered = scale.lower()
    assert isinstance(lowered, pl.Function)
    assert spaces(lowered) == {ir.MemorySpace.Vec}
    ir.assert_structural_equal(pl.parse(str(lowered)), lowered)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
@pytest.mark.parametrize("original", [Scale, scale, Scale.lower()])
def test_copies_and_pickles(copied, original):
    again = copied(original)
    assert type(again) is type(original)
    ir.assert_structural_equal(again, original)
    assert str(again) == str(original)
