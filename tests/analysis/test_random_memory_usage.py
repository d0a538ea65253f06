"""The peak of random kernels, between two numbers that are found in other ways.

On one way through a kernel a tile is needed while something on that way still reads it. No allocator that gives every
tile one fixed place can do with less than the most that any way needs; the peak must not be below that, or kernels
that cannot run would pass. It may be above it: at one place in the kernel different tiles may be needed on different
ways, and as the place of a tile is fixed, all of them must be there. So the peak is compared with the union over all
ways at each place. With all ways this is exactly what the peak claims to be; with some of them it can only be less.

The liveness of textbooks is the other limit: it takes every join for a tile of its own that is read wherever it may
be, even where it is always the same tile as another, nobody uses it, or it has no contents yet. The peak must not be
above it, or kernels that fit would be refused.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from pypto_lite.analysis.memory_usage import memory_usage
from pypto_lite.diagnostics import UserError
from tests.analysis.memory_paths import Bytes, classical, raise_to, union_over_ways, walks
from tests.passes.placed.placement.kernels import place
from tests.passes.placed.placement.random_kernels import random_kernel

if TYPE_CHECKING:
    from pypto_lite import ir

SEEDS = range(160)
MOST_WAYS = 30


class Found(NamedTuple):
    """The bytes of one memory that one kernel needs."""

    seed: int
    space: ir.MemorySpace | None
    one_way: int
    all_ways: int
    peak: int
    textbook: int


@functools.cache
def found() -> list[Found]:
    """The numbers of all random kernels that can be placed."""
    numbers: list[Found] = []
    for seed in SEEDS:
        try:
            placed = place(random_kernel(seed, writes=seed % 2 == 0, statements=20))
        except UserError:
            continue
        function = placed.functions["kernel"]
        ways = list(walks(function, MOST_WAYS))
        one_way: Bytes = {}
        for way in ways:
            raise_to(one_way, way.most())
        all_ways, textbook = union_over_ways(function, ways), classical(function)
        numbers += [
            Found(seed, space, one_way.get(space, 0), all_ways.get(space, 0), usage.peak, textbook.get(space, 0))
            for space, usage in memory_usage(function).items()
        ]
    return numbers


def test_no_way_through_a_kernel_needs_more_than_the_peak() -> None:
    assert [each for each in found() if each.one_way > each.peak] == []


def test_the_peak_is_not_below_what_is_needed_at_one_place_on_several_ways() -> None:
    assert [each for each in found() if each.all_ways > each.peak] == []


def test_the_peak_is_not_above_the_liveness_of_textbooks() -> None:
    assert [each for each in found() if each.textbook < each.peak] == []


def test_the_peak_is_nearly_always_what_the_tried_ways_need() -> None:
    exact = [each for each in found() if each.all_ways == each.peak]
    assert len(exact) >= 0.98 * len(found())


def test_the_limits_are_far_enough_apart_to_tell_something() -> None:
    assert len(found()) >= 100
    assert sum(each.one_way < each.peak for each in found()) >= 3
    assert sum(each.peak < each.textbook for each in found()) >= 10
