"""Every operator that kernels use has a meaning, and every meaning makes what the type rule promises."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite import interp, ir, ops, printer
from pypto_lite.diagnostics import UserError
from pypto_lite.interp.dtypes import STORED
from pypto_lite.ops.framework import keywords as keyword_rules
from pypto_lite.ops.framework.facts import read_operands
from pypto_lite.testing.random_calls import drawable
from pypto_lite.testing.signatures import Signature, signatures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DATA = Path(__file__).parents[1] / "data"
USAGE: dict[str, int] = json.loads((DATA / "op_usage.json").read_text(encoding="utf-8"))["calls"]
CATALOGUE: list[dict[str, Any]] = json.loads((DATA / "op_catalogue.json").read_text(encoding="utf-8"))["ops"]

PIPES = "the two ends of a pipe are on different cores, which would have to run side by side"

WITHOUT_A_MEANING = {
    "system.aic_initialize_pipe": PIPES,
    "system.aiv_initialize_pipe": PIPES,
    "system.import_peer_buffer": PIPES,
    "system.reserve_buffer": PIPES,
    "system.tfree_to_aic": PIPES,
    "system.tfree_to_aiv": PIPES,
    "tile.tpop_from_aic": PIPES,
    "tile.tpop_from_aiv": PIPES,
    "tile.tpush_to_aic": PIPES,
    "tile.tpush_to_aiv": PIPES,
}

DECLARED_AND_USED = sorted(set(USAGE).intersection(ops.operators()))


@pytest.mark.parametrize("name", DECLARED_AND_USED)
def test_an_operator_that_kernels_use_has_a_meaning(name: str) -> None:
    assert ops.lookup(name).computes is not None


def test_the_operators_without_a_meaning_are_known_with_their_reasons() -> None:
    assert {name for name in ops.operators() if ops.lookup(name).computes is None} == set(WITHOUT_A_MEANING)


SYMBOLIC_EXTENT = 64


REFUSED: dict[str, tuple[str, Callable[[dict[str, Any]], bool]]] = {
    "tile.aic_gather": ("PL507", lambda example: example["kwargs"]["split"] != 0),  # halves of two cores
    "tile.aiv_shard": ("PL507", lambda example: example["kwargs"]["split"] != 0),
    "tile.cmp": ("PL205", lambda example: example["kwargs"].get("cmp_type") == 9),  # a code without a meaning
    "tile.gather_row": (
        "PL505",
        lambda example: example["kwargs"].get("transpose", False),
    ),  # higher than the tile, if turned
    "tile.sel": ("PL204", lambda example: example["args"][0]["dtype"] == "fp32"),  # a mask of floats
}
"""Calls that have a type but nothing to compute."""


def is_refused(name: str, example: dict[str, Any]) -> bool:
    return name in REFUSED and REFUSED[name][1](example)


WITH_A_TYPE = [
    pytest.param(entry["name"], example, id=f"{entry['name']}-{number}")
    for entry in CATALOGUE
    for number, example in enumerate(entry["examples"])
    if entry["name"] not in WITHOUT_A_MEANING and "error" not in example["result"]
]
EXAMPLES = [each for each in WITH_A_TYPE if not is_refused(*each.values)]
REFUSED_EXAMPLES = [each for each in WITH_A_TYPE if is_refused(*each.values)]


@pytest.mark.parametrize(("name", "example"), REFUSED_EXAMPLES)
def test_an_example_without_anything_to_compute_is_refused(name: str, example: dict[str, Any]) -> None:
    with pytest.raises(UserError) as caught:
        run_example(name, example)
    assert caught.value.code == REFUSED[name][0]


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_an_executed_example_computes_something_of_its_type(name: str, example: dict[str, Any]) -> None:
    for value, type_ in run_example(name, example):
        if isinstance(type_, (ir.TileType, ir.TensorType)):
            assert value.dtype == STORED[type_.dtype]
            for extent, dim in zip(value.shape, type_.shape, strict=True):
                assert extent == dim or not isinstance(dim, int)


def run_example(name: str, example: dict[str, Any]) -> list[tuple[Any, ir.Type]]:
    """What a function of this one call returns, with the types."""
    function = pl.parse(printer.python_print(function_of(call_of(name, example))))
    assert isinstance(function, ir.Function)
    found = interp.run(ir.Program("Program", {"kernel": function}), None, arguments_of(function))
    results = found if isinstance(found, tuple) else () if found is None else (found,)
    return [*zip(results, function.return_types, strict=True)]


def call_of(name: str, example: dict[str, Any]) -> ir.Call:
    operator = ops.lookup(name)
    supplied = {each.name: each.supplied for each in operator.keywords.values() if each.supplied is not ops.REQUIRED}
    given = keyword_rules.coerced(operator, {**supplied, **(example.get("kwargs") or {})})
    return ops.call(operator, read_operands(operator, example["args"], given), given)


def function_of(call: ir.Call) -> ir.Function:
    """A function that returns what the call makes, whose parameters are the variables that the call mentions."""
    params = tuple(dict.fromkeys([var for arg in call.args for var in variables(arg)]))
    directions = [
        ir.ParamDirection.InOut if isinstance(each.type, ir.TensorType) else ir.ParamDirection.In for each in params
    ]
    result = ir.Var("result", call.type)
    types = call.type.types if isinstance(call.type, ir.TupleType) else (call.type,)
    returned: tuple[ir.Expr, ...] = (result,)
    if isinstance(call.type, ir.TupleType):
        returned = tuple([ir.TupleItem(result, index, each) for index, each in enumerate(types)])
    body = (ir.Assign(result, call), ir.Return(returned))
    if isinstance(call.type, (ir.UnknownType, ir.PtrType)):
        types, body = (), (ir.Evaluate(call), ir.Return(()))
    return ir.Function("kernel", ir.FunctionType.InCore, params, tuple(directions), types, ir.Block(body))


def variables(expression: ir.Expr) -> list[ir.Var]:
    """The variables in an expression, those in the types of others first."""
    found: list[ir.Var] = []
    for node in ir.walk(expression):
        if isinstance(node, ir.Var):
            found += [var for mentioned in node.type.expressions() for var in variables(mentioned)]
            found.append(node)
    return found


def arguments_of(function: ir.Function) -> dict[str, Any]:
    """Zeros of every type, which are positions inside everything, and extents as the arrays have them."""
    given = {param.name: argument_of(param.type) for param in function.params}
    shapes = [param.type.shape for param in function.params if isinstance(param.type, ir.TensorType)]
    extents = {dim.name for shape in shapes for dim in shape if isinstance(dim, ir.Var)}
    return {name: SYMBOLIC_EXTENT if name in extents else value for name, value in given.items()}


def argument_of(type_: ir.Type) -> Any:
    if isinstance(type_, ir.ScalarType):
        return 0.0 if type_.dtype.is_float else False if type_.dtype is pl.BOOL else 0
    assert isinstance(type_, (ir.TileType, ir.TensorType, ir.ArrayType))
    shape = (type_.extent,) if isinstance(type_, ir.ArrayType) else tuple([extent_of(dim) for dim in type_.shape])
    return np.zeros(shape, STORED[type_.dtype])


def extent_of(dim: ir.Dim) -> int:
    return dim if isinstance(dim, int) else SYMBOLIC_EXTENT


NOTHING = ir.Var("nothing", ir.ScalarType(ir.DTYPES["INDEX"]))
"""A valid extent that is zero at run time."""

WITH_SIGNATURES = [name for name, operator in ops.operators().items() if drawable(operator) and signatures(operator)]
SIGNATURES_EACH = 8


@pytest.mark.parametrize("name", WITH_SIGNATURES)
def test_tiles_without_valid_elements_give_a_result_or_an_error_of_ours(name: str) -> None:
    for signature in signatures(ops.lookup(name))[:SIGNATURES_EACH]:
        for args in emptied(signature):
            with suppress(UserError):
                function = function_of(ops.call(name, args, signature.keywords))
                interp.run(ir.Program("Program", {"kernel": function}), None, arguments_of(function))


def emptied(signature: Signature) -> Iterator[list[ir.Expr]]:
    """The operands with nothing valid in one of two axes, of one tile or of all."""
    args = [ir.Var(f"a{i}", arg.type) if isinstance(arg, ir.Var) else arg for i, arg in enumerate(signature.args)]
    tiles = [arg for arg in args if isinstance(arg.type, ir.TileType)]
    for axis in (0, 1):
        for chosen in (tiles, *[[tile] for tile in tiles]):
            yield [without_elements(arg, axis) if arg in chosen else arg for arg in args]


def without_elements(arg: ir.Expr, axis: int) -> ir.Expr:
    assert isinstance(arg, ir.Var)
    assert isinstance(arg.type, ir.TileType)
    valid = list(arg.type.valid_shape)
    valid[axis % len(valid)] = NOTHING
    return ir.Var(arg.name, ir.TileType(arg.type.shape, arg.type.dtype, view=ir.TileView(tuple(valid))))
