"""The pause of the garbage collector, and what becomes of what is made meanwhile."""

import gc
import weakref
from collections.abc import Iterator

import pytest

import pypto_lite.language as pl
from benchmarks.families import straight
from pypto_lite import passes
from pypto_lite.collector import MANY, garbage_collection_paused


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:
    gc.enable()
    gc.collect()
    yield
    gc.enable()


class Node:
    """Something that can be in a cycle."""

    def __init__(self) -> None:
        self.itself = self


def made(count: int) -> list[list[int]]:
    """So many objects, which the collector would look at."""
    with garbage_collection_paused():
        return [[number] for number in range(count)]


def searches() -> list[int]:
    """How often each generation was searched."""
    return [generation["collections"] for generation in gc.get_stats()]


def test_the_collector_does_not_look_at_what_was_made():
    kept = made(2 * MANY)
    assert gc.get_count()[0] < MANY
    assert any(each is kept for each in gc.get_objects(generation=2))


def test_the_collector_sees_to_few_objects_itself():
    before = searches()
    kept = made(MANY // 2)
    assert gc.get_count()[0] >= len(kept) or searches() != before


def test_what_others_leave_behind_is_found_in_the_end():
    left = []
    for _ in range(3 * gc.get_threshold()[2]):
        left.append(weakref.ref(Node()))
        made(2 * MANY)
    assert left[0]() is None


def test_what_others_froze_stays_so():
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        kept = made(2 * MANY)
        assert kept
        assert gc.get_freeze_count() >= frozen > 0
    finally:
        gc.unfreeze()


@pytest.mark.parametrize(
    "work",
    [
        lambda program: passes.infer_tile_memory_space()(program),
        lambda program: passes.InferTileMemorySpace().run(program),
        lambda program: passes.verify(program, {passes.TypeChecked}),
        lambda program: program.lower(),
        lambda program: pl.parse(program.as_python()),
    ],
    ids=["pass", "run", "verify", "lower", "parse"],
)
def test_what_makes_much_pauses_the_collector(work):
    program = passes.default_pipeline(None).run(pl.parse(straight(500)), until="flatten_calls")
    gc.collect()
    before = searches()[0]
    kept = work(program)
    assert kept is not None
    assert searches()[0] <= before + 1, "many were made, and the collector was never in the way"
