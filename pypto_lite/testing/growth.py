"""Checks that work grows in proportion to what it is done to, by counting: no clock, so on every machine the same."""

from __future__ import annotations

import sys
import tracemalloc
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pypto_lite import ir
from pypto_lite.collector import garbage_collection_paused

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from types import CodeType, FrameType

Input = TypeVar("Input")

SIZES: Final = (40, 80, 160)

MOST: Final = 2.4
"""How many times the visits that the second step of sizes adds may be those of the first step, which is half as long.

Twice is in proportion, and four times quadratic; in between is the room for logarithms.
"""

SHARE: Final = 100
"""A function with less than the hundredth part of all visits is not looked at alone."""

MOST_MEMORY: Final = 6.0
"""How many times the memory may grow from the smallest to the largest size, which is four times as much. Tables that
double make it uneven from step to step."""

LITTLE: Final = 64 * 1024
"""Bytes that do not count."""

SHOWN: Final = 5
"""How many of the functions that grow most are named, and of the lines that allocate most."""


def assert_linear(
    step: Callable[[Input], object],
    family: Callable[[int], Input],
    *,
    sizes: Sequence[int] = SIZES,
    most: float = MOST,
) -> None:
    """``step``, done to what ``family`` makes of each size, takes visits and memory in proportion to the size.

    A visit is a line of Python that is run, each turn of a loop in one line too, or a comparison of two IR nodes, as
    ``node in nodes`` and ``nodes.index(node)`` make many. Memory is what is allocated at the peak. ``sizes`` are three,
    each twice the one before; what a family makes is not counted, and what is done to the smallest is done once before,
    so that what is kept from one run to the next is there. Raises AssertionError, with the counts and the functions in
    which they grow most, or the lines whose memory is still in use at the end. Visits have to be in proportion in all,
    and in each function that has a hundredth of them: what is quadratic is found while it is little.

    Not seen is what C does alone: a search for a string or a number, ``sum``, and copies that are dropped at once.
    Copies that are kept are seen as memory.
    """
    first, second, third = sizes
    assert (second, third) == (2 * first, 4 * first), "each size has to be twice the one before"
    step(family(first))
    visits = [_visits(step, family(size)) for size in sizes]
    counts = [sum(each.values()) for each in visits]
    seen = [code for code, count in visits[2].items() if count * SHARE >= counts[2]]
    growth = max([_growth(counts), *[_growth([each[code] for each in visits]) for code in seen]])
    assert growth <= most, (
        f"visits are not in proportion to the size: {_row(sizes, counts)}; one step adds up to {growth:.1f} times what "
        f"the step before adds; most in\n{_worst(visits)}"
    )
    peaks = [_peak(step, family(size)) for size in sizes]
    growth = peaks[2] / max(peaks[0], LITTLE)
    assert growth <= MOST_MEMORY, (
        f"memory is not in proportion to the size: {_row(sizes, peaks)} bytes; most is kept by\n"
        f"{_keepers(step, family(third))}"
    )


def _growth(counts: Sequence[int]) -> float:
    """What is added from the second to the third, in terms of what is added before."""
    return (counts[2] - counts[1]) / max(counts[1] - counts[0], 1)


def _visits(step: Callable[[Input], object], given: Input) -> Counter[CodeType]:
    """How many lines each function runs, and how many nodes it compares."""
    found: Counter[CodeType] = Counter()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code is _same.__code__:
            if frame.f_back is not None:
                found[frame.f_back.f_code] += 1
            return None
        if event == "line":
            found[code] += 1
        return trace

    before = sys.gettrace()
    with _nodes_compared_in_python(), garbage_collection_paused():  # others hang functions on the collector
        sys.settrace(trace)
        try:
            step(given)
        finally:
            sys.settrace(before)
    return found


def _same(self: ir.Node, other: object) -> bool:
    """What nodes do to compare themselves without it, but in a function that is traced."""
    return self is other


@contextmanager
def _nodes_compared_in_python() -> Generator[None, None, None]:
    """Searches for a node call ``_same`` for each that they pass. Classes with an ``__eq__`` of their own keep it."""
    type.__setattr__(ir.Node, "__eq__", _same)
    try:
        yield
    finally:
        type.__delattr__(ir.Node, "__eq__")


@contextmanager
def _memory_traced() -> Generator[None, None, None]:
    running = tracemalloc.is_tracing()
    if not running:
        tracemalloc.start()
    try:
        yield
    finally:
        if not running:
            tracemalloc.stop()


def _peak(step: Callable[[Input], object], given: Input) -> int:
    """The bytes that are allocated at the fullest moment, beyond those before."""
    with _memory_traced():
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        step(given)
        _, peak = tracemalloc.get_traced_memory()
    return peak - before


def _keepers(step: Callable[[Input], object], given: Input) -> str:
    """The lines that have allocated most of what there is when ``step`` has ended and its result is still in use."""
    with _memory_traced():
        before = tracemalloc.take_snapshot()
        result = step(given)
        added = tracemalloc.take_snapshot().compare_to(before, "lineno")
    del result
    return "\n".join(f"  {each.traceback}: {each.size_diff:,} bytes" for each in added[:SHOWN])


def _row(sizes: Sequence[int], counts: Sequence[int]) -> str:
    return ", ".join(f"{count:,} at {size}" for size, count in zip(sizes, counts, strict=True))


def _worst(visits: Sequence[Counter[CodeType]]) -> str:
    """The functions with the most visits beyond twice those of the step before, a line for each."""
    first, second, third = visits

    def excess(code: CodeType) -> int:
        return third[code] - second[code] - 2 * (second[code] - first[code])

    worst = sorted([code for code in third if excess(code) > 0], key=excess, reverse=True)[:SHOWN]
    return "\n".join(
        f"  {code.co_qualname if sys.version_info >= (3, 11) else code.co_name} ({code.co_filename}:"
        f"{code.co_firstlineno}): {', '.join(f'{each[code]:,}' for each in visits)}"
        for code in worst
    )
