"""The chips as data, and how they are found by name."""

from __future__ import annotations

import pytest

from pypto_lite.diagnostics import UserError
from pypto_lite.ir import CoreType, MemorySpace
from pypto_lite.targets import ALLOCATION_ALIGNMENT, ASCEND910B, ASCEND950, TARGETS, UNSPECIFIED, Target, find_target

CAPACITIES = {
    # space: core, bytes on Ascend910B, bytes on Ascend950
    "Vec": (CoreType.VECTOR, 188416, 245760),
    "Mat": (CoreType.CUBE, 524288, 524288),
    "Left": (CoreType.CUBE, 65536, 65536),
    "Right": (CoreType.CUBE, 65536, 65536),
    "Acc": (CoreType.CUBE, 131072, 262144),
    "Bias": (CoreType.CUBE, 1024, 4096),
    "LeftScale": (CoreType.CUBE, None, 4096),
    "RightScale": (CoreType.CUBE, None, 4096),
}


@pytest.mark.parametrize("name", CAPACITIES)
def test_capacities_and_cores(name: str) -> None:
    space = MemorySpace[name]
    core, *expected = CAPACITIES[name]
    for target, capacity in zip((ASCEND910B, ASCEND950), expected, strict=True):
        assert target.capacity(space) == capacity
        assert target.has(space) is (capacity is not None)
        if capacity is not None:
            assert target.spaces[space].core is core


@pytest.mark.parametrize("target", TARGETS.values(), ids=str)
def test_global_memory_has_no_limit_here(target: Target) -> None:
    assert target.has(MemorySpace.DDR)
    assert target.capacity(MemorySpace.DDR) is None


@pytest.mark.parametrize("target", [*TARGETS.values(), UNSPECIFIED], ids=str)
def test_every_move_of_a_chip_begins_and_ends_on_the_chip(target: Target) -> None:
    destinations = {space for row in target.moves.values() for space in row}
    assert target.moves.keys() <= target.spaces.keys()
    assert destinations <= UNSPECIFIED.spaces.keys()
    assert MemorySpace.Acc not in destinations


def test_without_a_chip_no_memory_has_a_limit_and_one_move_more_is_made() -> None:
    assert {each.capacity for each in UNSPECIFIED.spaces.values()} == {None}
    assert UNSPECIFIED.spaces.keys() == ASCEND950.spaces.keys()
    assert UNSPECIFIED.tolerated == {(MemorySpace.Mat, MemorySpace.Vec)}
    assert not ASCEND910B.tolerated


def test_capacities_are_whole_allocations() -> None:
    for target in TARGETS.values():
        for space in target.spaces.values():
            assert space.capacity is not None
            assert space.capacity % ALLOCATION_ALIGNMENT == 0


def test_targets_are_found_by_name() -> None:
    assert find_target("Ascend950") is ASCEND950
    assert find_target(ASCEND910B) is ASCEND910B
    assert find_target(None) is None


def test_an_unknown_target() -> None:
    with pytest.raises(UserError) as caught:
        find_target("Ascend910b")
    assert caught.value.code == "PL409"
    assert "did you mean 'Ascend910B'" in str(caught.value)
