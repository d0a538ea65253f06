"""Every declaration against the operator catalogue: its executed examples, and its facts about memory and effects."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pypto_lite import ops
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import MemorySpace, TileLayout
from pypto_lite.ops import ByKeyword, Core, Effect, Level, Operand, OperandKind, Operator

CATALOGUE = json.loads((Path(__file__).parents[1] / "data" / "op_catalogue.json").read_text(encoding="utf-8"))
ENTRIES: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in CATALOGUE["ops"]}

EXAMPLES = [
    pytest.param(name, example, id=f"{name}-{number}")
    for name, entry in ENTRIES.items()
    for number, example in enumerate(entry["examples"])
]

# What the catalogue calls mistakes of the reference, which are not copied.
EXPECTED_INSTEAD = {
    # Item 8: fillpad declares its result in Vec, yet the reference keeps a tile in Mat there.
    ("tile.fillpad_expand", "Mat"): {"space": "Vec"},
}

# The reference takes these in another form: why ours has more operands or keywords than the catalogue lists.
MORE_PARAMETERS = {
    "tile.tpop_from_aic": {"shape", "dtype"},  # the reference's builder puts them into the type alone
    "tile.tpop_from_aiv": {"shape", "dtype"},
    "tile.rsqrt": {"high_precision"},  # item 21: refused on tiles by the reference
    "tile.matmul": {"out_dtype"},  # the reference checks it before it builds the call
    "system.task_dummy": {"deps"},  # built by the reference's parser
}

KINDS = {
    "tile": {OperandKind.TILE},
    "tensor": {OperandKind.TENSOR},
    "tensor|dtensor": {OperandKind.TENSOR},
    "tensor|dtensor|tile": {OperandKind.TILE_OR_TENSOR},
    "scalar": {OperandKind.SCALAR, OperandKind.CONST},
    "const": {OperandKind.CONST},
    "const_int": {OperandKind.CONST},
    "tuple": {OperandKind.TUPLE},
    "array": {OperandKind.ARRAY},
}


def test_every_operator_of_the_catalogue_is_declared_and_no_other() -> None:
    """But for those that print, which only a run on numpy knows."""
    assert set(ops.operators()) == {*ENTRIES, "tile.print", "system.print_tensor", "system.print_scalar"}


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_executed_example(name: str, example: dict[str, Any]) -> None:
    expected = example["result"]
    keywords = example.get("kwargs") or {}
    if "error" in expected:
        with pytest.raises(UserError):
            ops.result_type(name, example["args"], **keywords)
        return
    for (operator, space), change in EXPECTED_INSTEAD.items():
        if name == operator and expected.get("space") == space:
            expected = {**expected, **change}
    assert ops.result_type(name, example["args"], **keywords).facts() == expected


@pytest.fixture(params=sorted(ENTRIES))
def declared(request: pytest.FixtureRequest) -> tuple[Operator, dict[str, Any]]:
    """One operator and what the catalogue says of it."""
    return ops.lookup(request.param), ENTRIES[request.param]


def known_operands(operator: Operator) -> list[Operand]:
    more = MORE_PARAMETERS.get(operator.name, set())
    return [operand for operand in operator.operands if operand.name not in more]


def test_operands(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    operands = known_operands(operator)
    assert len(operands) == len(entry["args"])
    for operand, expected in zip(operands, entry["args"], strict=True):
        assert operand.kind in KINDS[expected["kind"]]
        # The third operand of a merge is scratch or a source, so that its rule and not its declaration asks for it.
        assert operand.required is not expected["optional"] or operator.name == "tile.mrgsort_format2"


def test_keywords(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    expected = {keyword["name"]: is_required(operator, keyword) for keyword in entry["kwargs"]}
    found = {name: keyword.required for name, keyword in operator.keywords.items()}
    more = MORE_PARAMETERS.get(operator.name, set())
    assert {name: required for name, required in found.items() if name not in more} == expected


def is_required(operator: Operator, keyword: dict[str, Any]) -> bool:
    """By the registry, or by the signature that users see, where that gives no default."""
    notes = f"{keyword['allowed']} {keyword['python_builder_emits']}"
    by_signature = "required by the Python signature" in notes
    return keyword["required"] or (by_signature and not operator.name.startswith("tile.tpop"))


def test_keyword_types(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    enumerations_as_int = {
        "CompareMode",
        "CastMode",
        "AtomicType",
        "PipeType",
        "SplitMode",
        "CoalesceMode",
        "OutOfBoundsMode",
    }
    for keyword in entry["kwargs"]:
        found = operator.keywords[keyword["name"]].value_type.__name__
        expected = {"DataType": "DType"}.get(keyword["type"], keyword["type"])
        assert found == expected or (expected == "int" and found in enumerations_as_int)


def test_operand_spaces(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    constraints = entry["memory"]["input_constraints"]
    expected = [[*spaces] for spaces in constraints] + [[]] * (len(operator.operands) - len(constraints))
    assert [[space.name for space in operand.spaces] for operand in operator.operands] == expected


def test_result_space(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    output = entry["memory"]["output"]
    space = operator.result_space
    if output is None:
        assert space is None
    elif output["kind"] == "fixed":
        assert space is MemorySpace[output["space"]]
    elif output["kind"] == "inherit":
        assert operator.inherits
    else:
        assert isinstance(space, ByKeyword)
        assert (space.default and space.default.name) == output["default"]
        assert output["key"] == "target_memory"
    assert operator.retargetable is bool(entry["memory"]["retargetable"])


def test_aliasing(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    memory = entry["memory"]
    assert operator.tied_operand == memory["reuses_input"]
    assert operator.in_place_safe is not memory["not_inplace_safe"]
    assert list(operator.no_alias) == memory["forbid_output_alias"]


def test_views_do_not_touch_memory(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    if operator.view_of is not None and operator.name.startswith("tile."):
        assert entry["memory"]["execution_memory_access"] == "none"


def test_effects(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    names = {"read": Effect.READ, "write": Effect.WRITE, "readwrite": Effect.READ_WRITE}
    expected = {
        each["arg"]: names[each.get("effect_without_kwargs", each["effect"])] for each in entry["effects"]["args"]
    }
    for operand in operator.operands:
        assert operand.effect is expected.get(operand.index, Effect.READ)
        conditional = [each for each in entry["effects"]["args"] if each["arg"] == operand.index and each["condition"]]
        assert (operand.when is not None) is bool(conditional)
    ordering = entry["effects"]["sync"] or entry["effects"]["cross_core_role"] is not None
    assert operator.synchronises is bool(ordering)
    assert operator.pure is bool(entry["effects"]["pure"])
    assert operator.allocates is entry["effects"]["allocates"]


def test_what_operators_on_tensors_become(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    if operator.level is Level.TENSOR:
        named = re.findall(r"tile\.\w+", entry.get("tensor_to_tile", ""))
        assert set(operator.lowers_to) <= set(named)
        assert bool(operator.lowers_to) is bool(named)


def test_core(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    names = {"CUBE": Core.CUBE, "VECTOR": Core.VECTOR, "SHARED": Core.SHARED, "MIXED": Core.MIXED}
    text = entry["core"]
    if text in names:
        assert operator.core is names[text]
    elif text.startswith("by the space of the first tile operand"):
        assert operator.core is Core.BY_OPERAND
    elif text.startswith("by target_memory"):
        assert operator.core is Core.BY_TARGET
    elif text.startswith("by core_type"):
        assert operator.core is Core.BY_CORE_TYPE
    else:
        assert text.startswith("MIXED when source and target sides differ")
        assert operator.core is Core.BY_ROUTE


def test_layouts(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    expected = [*entry["input_layouts"], *[None] * (len(operator.operands) - len(entry["input_layouts"]))]
    found = [operand.layout and operand.layout.name for operand in operator.operands]
    assert found == expected[: len(found)]
    assert operator.result_layout is (entry["output_layout"] and TileLayout[entry["output_layout"]])


def test_spellings(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, entry = declared
    spelled = {text.removeprefix("pl.") for text in entry["dsl"] or () if text.startswith("pl.")}
    assert spelled <= set(operator.spellings)


def test_documentation_names_what_it_raises(declared: tuple[Operator, dict[str, Any]]) -> None:
    operator, _ = declared
    first = operator.documentation.splitlines()[0]
    assert first
    assert len(first) <= 120
    assert "    " not in operator.documentation
