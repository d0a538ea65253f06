"""The pause of the garbage collector, and what becomes of what is made meanwhile."""

import gc
import sys
import weakref
from collections.abc import Iterator

import pytest

import pypto_lite.language as pl
from benchmarks.families import straight
from pypto_lite import passes
from pypto_lite.collector import MANY, OFTEN_ENOUGH, garbage_collection_paused


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


def test_what_others_leave_behind_is_found_before_it_ages():
    left = weakref.ref(Node())
    assert left() is not None
    made(2 * MANY)
    assert left() is None


def test_what_ages_and_is_left_behind_then_is_found_in_the_end():
    held = Node()
    left = weakref.ref(held)
    made(2 * MANY)
    del held
    assert left() is not None, "it is too old for what is searched before each pause"
    aged, most = 0, 10 * OFTEN_ENOUGH * sys.getallocatedblocks()
    while left() is not None and aged < most:
        aged += len(made(2 * MANY))
    assert left() is None


def test_the_more_is_kept_the_more_seldom_everything_is_searched():
    kept = [made(2 * MANY)]
    before = searches()[2]
    kept += [made(2 * MANY) for _ in range(100)]
    assert searches()[2] - before <= 3


def test_the_collector_goes_on_whatever_interrupts(monkeypatch: pytest.MonkeyPatch):
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(gc, "freeze", interrupt)
    with pytest.raises(KeyboardInterrupt):
        made(2 * MANY)
    assert gc.isenabled()


def test_a_threshold_of_zero_means_that_nothing_is_searched():
    threshold = gc.get_threshold()
    gc.set_threshold(0)
    try:
        before = searches()
        made(2 * MANY)
        assert searches() == before
    finally:
        gc.set_threshold(*threshold)


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
    assert searches()[0] <= before + 2, "many were made, and the collector was never in the way"
