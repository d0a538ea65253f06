"""What a declaration may not say: contradictions are found when it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pypto_lite import ops
from pypto_lite.ir import CoalesceMode, CompareMode, Dims, DType, Expr, MemorySpace, PipeType, TileType
from pypto_lite.ops import Effect, Keyword, OperandKind, Registry, operator, supplied
from pypto_lite.ops.framework.parameters import TakesDType
from pypto_lite.ops.framework.relations import Window

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.ops.framework.declaration import Operator


@pytest.fixture
def registry() -> Registry:
    return Registry()


def test_the_signature_of_the_rule_is_that_of_the_operator(registry: Registry) -> None:
    @operator("tile.test", registry=registry, same_as={"valid": "shape"})
    def declared(
        tile: TileType,
        dtype: DType,
        shape: Dims,
        valid: Dims | None = None,
        factor: Expr | None = None,
        *,
        mode: CompareMode = supplied(CompareMode.eq),
        flag: bool = False,
    ) -> TileType:
        """Summary."""
        return TileType(shape, dtype if mode and flag else tile.dtype)

    kinds = [(operand.name, operand.kind, operand.required) for operand in declared.operands]
    assert kinds == [
        ("tile", OperandKind.TILE, True),
        ("shape", OperandKind.TUPLE, True),
        ("valid", OperandKind.TUPLE, True),  # the same as shape where it is left out
        ("factor", OperandKind.SCALAR, False),
    ]
    assert {name: keyword.required for name, keyword in declared.keywords.items()} == {
        "dtype": True,
        "mode": True,  # supplied by the language
        "flag": False,
    }
    assert declared.positional == 5
    assert registry.by_name == {"tile.test": declared}
    assert declared.spellings == ("tile.test",)


def test_a_keyword_that_only_later_stages_read_is_said_to_be_carried(registry: Registry) -> None:
    @operator("tile.test", registry=registry, carried=("factor",))
    def declared(tile: TileType, factor: int) -> TileType:
        return tile

    assert isinstance(declared.find_parameter("factor"), Keyword)


@pytest.mark.parametrize(
    "facts",
    [
        {"spaces": {"other": MemorySpace.Vec}},
        {"layouts": ("other",)},
        {"effects": {"other": Effect.WRITE}},
        {"same_as": {"other": "tile"}},
        {"same_as": {"tile": "other"}},
        {"literals": {"tile": TakesDType("other")}},
        {"aliases": {"other": ("more",)}},
        {"view_of": "other"},
        {"tied_operand": "other"},
        {"window": Window("tile", "other", ("tile",))},
        {"allocation_of": "other"},
        {"implicit_move": ("tile", "other")},
        {"no_alias": ("other",)},
        {"carried": ("other",)},
    ],
)
def test_a_fact_about_a_parameter_that_is_none(registry: Registry, facts: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="'other', which is no parameter"):

        @operator("tile.test", registry=registry, **facts)  # pyright: ignore
        def declared(tile: TileType) -> TileType:
            return tile


def test_a_fact_that_is_none(registry: Registry) -> None:
    with pytest.raises(TypeError, match="has a fact 'colour', which operators have not"):
        operator("tile.test", registry=registry, colour="red")(lambda: None)  # pyright: ignore


def test_a_name_of_no_known_level(registry: Registry) -> None:
    with pytest.raises(TypeError, match="is of no known level: 'other'"):

        @operator("other.test", registry=registry)
        def declared(tile: TileType) -> TileType:
            return tile


def test_the_first_part_of_a_name_is_the_level() -> None:
    assert [ops.lookup(name).level.value for name in ("tile.add", "tensor.dim", "array.create", "system.fence")] == [
        "tile",
        "tensor",
        "array",
        "system",
    ]


def _names(fact: Callable[[Operator], object]) -> list[str]:
    return sorted(name for name, each in ops.operators().items() if fact(each))


def test_what_brings_storage_into_being() -> None:
    assert _names(lambda each: each.allocates) == ["array.create", "tensor.create", "tile.alloc", "tile.create"]


def test_what_carries_tiles_between_memories() -> None:
    assert _names(lambda each: each.loads) == ["tile.load"]
    assert _names(lambda each: each.transfers) == ["tile.extract", "tile.move"]
    assert _names(lambda each: each.implicit_move) == ["tile.assemble"]
    assert ops.lookup("tile.assemble").implicit_move == (1, 0)


@pytest.mark.parametrize(
    ("name", "pipe"),
    [
        ("tile.add", PipeType.V),
        ("tile.matmul", PipeType.M),
        ("tile.load", PipeType.MTE2),
        ("tile.read", PipeType.S),
        ("tile.store", None),  # MTE3 out of Vec, FIX out of Acc
        ("tile.move", None),
        ("tile.reshape", None),
        ("tile.tpush_to_aiv", None),
    ],
)
def test_the_pipe_in_which_an_operator_runs(name: str, pipe: PipeType | None) -> None:
    assert ops.lookup(name).pipe is pipe


def test_what_turns_its_view_around_is_a_view() -> None:
    assert _names(lambda each: each.transposes) == ["tile.transpose_view"]
    assert ops.lookup("tile.transpose_view").view_of == 0


def test_what_operators_on_tensors_become_on_a_core_are_operators_on_tiles() -> None:
    lowered = {name: each.lowers_to for name, each in ops.operators().items() if each.lowers_to}
    assert lowered.keys() < set(_names(lambda each: each.level is ops.Level.TENSOR))
    assert {ops.lookup(each).level for names in lowered.values() for each in names} == {ops.Level.TILE}


def test_an_annotation_of_no_known_kind(registry: Registry) -> None:
    with pytest.raises(TypeError, match="'complex' of 'value' is of no known kind"):

        @operator("tile.test", registry=registry, carried=("value",))
        def declared(tile: TileType, value: complex) -> TileType:
            return tile


def test_the_same_name_twice(registry: Registry) -> None:
    def declare() -> None:
        @operator("tile.test", registry=registry)
        def declared(tile: TileType) -> TileType:
            return tile

    declare()
    with pytest.raises(TypeError, match="declared twice"):
        declare()


def test_one_space_for_all_tiles_leaves_other_operands_alone(registry: Registry) -> None:
    @operator("tile.test", registry=registry, spaces=MemorySpace.Vec)
    def declared(tile: TileType, factor: Expr, other: TileType | None = None) -> TileType:
        return tile

    assert [operand.spaces for operand in declared.operands] == [(MemorySpace.Vec,), (), (MemorySpace.Vec,)]


def test_names_that_are_python_keywords_get_an_underscore(registry: Registry) -> None:
    @operator("tile.and", registry=registry)
    def declared(tile: TileType) -> TileType:
        return tile

    assert declared.spellings == ("tile.and_",)


def test_what_a_family_shares_stands_behind_the_own_documentation(registry: Registry) -> None:
    @operator("tile.test", registry=registry, details="Shared.")
    def declared(tile: TileType) -> TileType:
        """Summary.

        More.
        """
        return tile

    assert declared.documentation == "Summary.\n\nMore.\n\nShared."


def test_an_effect_can_depend_on_keywords() -> None:
    scratch = ops.lookup("tile.mgather").find_parameter("scratch")
    assert isinstance(scratch, ops.Operand)
    assert scratch.effect is Effect.READ
    assert scratch.effect_with({"target_memory": MemorySpace.Mat}) is Effect.READ
    both = {"target_memory": MemorySpace.Mat, "coalesce": CoalesceMode.elem}
    assert scratch.effect_with(both) is Effect.WRITE


def test_an_operator_that_may_write_is_not_pure() -> None:
    assert ops.lookup("tile.add").pure
    assert not ops.lookup("tile.store").pure
    assert not ops.lookup("tile.mgather").pure
    assert not ops.lookup("tile.create").pure
    assert not ops.lookup("system.bar_all").pure


# Meanings


def _declared(registry: Registry, **facts: Any) -> Operator:
    @operator("tile.test", registry=registry, **facts)
    def declared(tile: TileType, other: TileType, factor: Expr, flag: bool = False) -> TileType:
        """Summary."""
        return tile if flag else other

    return declared


def test_a_meaning_names_what_it_reads(registry: Registry) -> None:
    declared = _declared(registry)

    @declared.evaluator(elementwise=True)
    def _(np: Any, factor: float, tile: Any) -> Any:
        return factor * tile

    assert declared.computes is not None
    assert declared.computes.parameters == ("factor", "tile")
    assert declared.computes.elementwise


@pytest.mark.parametrize("option", [{"moves": ("tiles",)}, {"whole": ("tiles",)}, {"writes": "tiles"}])
def test_a_meaning_of_what_is_no_parameter(registry: Registry, option: dict[str, Any]) -> None:
    declared = _declared(registry)
    with pytest.raises(TypeError, match="'tiles', which the operator has not"):
        declared.evaluator(**option)(lambda np, tile: tile)
    with pytest.raises(TypeError, match="'tiles', which the operator has not"):
        declared.evaluator(lambda np, tiles: tiles)


def test_a_meaning_takes_what_it_writes_or_views(registry: Registry) -> None:
    with pytest.raises(TypeError, match="has to take 'tile'"):
        _declared(registry).evaluator(writes="tile")(lambda np, other: ((), other))
    with pytest.raises(TypeError, match="has to take 'other'"):
        _declared(Registry(), view_of="other").evaluator(lambda np, tile: tile)


def test_an_operator_has_one_meaning(registry: Registry) -> None:
    declared = _declared(registry)
    declared.evaluator(lambda np, tile: tile)
    with pytest.raises(TypeError, match="has two meanings"):
        declared.evaluator(lambda np, tile: tile)
