"""Checks that work grows in proportion to what it is done to, by counting: no clock, so on every machine the same."""

from __future__ import annotations

import sys
import tracemalloc
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import CodeType, FrameType

Input = TypeVar("Input")

SIZES: Final = (40, 80, 160)

MOST: Final = 2.6
"""How many times the work may grow from the second step of sizes to that from the first, which is half as long.

Twice is in proportion, and four times quadratic; in between is the room for logarithms and for tables that double.
"""

MOST_MEMORY: Final = 6.0
"""How many times the memory may grow from the smallest to the largest size, which is four times as much. Tables that
double make it uneven from step to step."""

LITTLE: Final = 64 * 1024
"""Bytes that do not count."""

SHOWN: Final = 5
"""How many of the functions that grow most are named."""


def assert_linear(
    step: Callable[[Input], object],
    family: Callable[[int], Input],
    *,
    sizes: Sequence[int] = SIZES,
    most: float = MOST,
) -> None:
    """``step``, done to what ``family`` makes of each size, takes visits and memory in proportion to the size.

    A visit is a line of Python that is run, each turn of a loop in one line too. Memory is what is allocated at the
    peak. ``sizes`` are three, each twice the one before; what a family makes is not counted, and what is done to the
    smallest is done once before, so that what is kept from one run to the next is there. Raises AssertionError, with
    the counts and the functions in which they grow most.

    What happens inside one call of C, such as a search through a list, is one visit, however long it takes; a copy of a
    list is seen as memory, if it is kept.
    """
    first, second, third = sizes
    assert (second, third) == (2 * first, 4 * first), "each size has to be twice the one before"
    step(family(first))
    visits = [_visits(step, family(size)) for size in sizes]
    counts = [sum(each.values()) for each in visits]
    growth = _growth(counts)
    assert growth <= most, (
        f"visits are not in proportion to the size: {_row(sizes, counts)}, {growth:.1f} times as many from step to "
        f"step; most in\n{_worst(visits)}"
    )
    peaks = [_peak(step, family(size)) for size in sizes]
    growth = peaks[2] / max(peaks[0], LITTLE)
    assert growth <= MOST_MEMORY, f"memory is not in proportion to the size: {_row(sizes, peaks)} bytes"


def _growth(counts: Sequence[int]) -> float:
    """What is added from the second to the third, in terms of what is added before."""
    return (counts[2] - counts[1]) / max(counts[1] - counts[0], 1)


def _visits(step: Callable[[Input], object], given: Input) -> Counter[CodeType]:
    """How many lines of each function are run."""
    found: Counter[CodeType] = Counter()

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            found[frame.f_code] += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        step(given)
    finally:
        sys.settrace(before)
    return found


def _peak(step: Callable[[Input], object], given: Input) -> int:
    """The bytes that are allocated at the fullest moment, beyond those before."""
    running = tracemalloc.is_tracing()
    if not running:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before, _ = tracemalloc.get_traced_memory()
        step(given)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        if not running:
            tracemalloc.stop()
    return peak - before


def _row(sizes: Sequence[int], counts: Sequence[int]) -> str:
    return ", ".join(f"{count:,} at {size}" for size, count in zip(sizes, counts, strict=True))


def _worst(visits: Sequence[Counter[CodeType]]) -> str:
    """The functions with the most visits beyond twice those of the step before, a line for each."""
    first, second, third = visits

    def excess(code: CodeType) -> int:
        return third[code] - second[code] - 2 * (second[code] - first[code])

    worst = sorted(third, key=excess, reverse=True)[:SHOWN]
    return "\n".join(
        f"  {code.co_qualname if sys.version_info >= (3, 11) else code.co_name} ({code.co_filename}:"
        f"{code.co_firstlineno}): {', '.join(f'{each[code]:,}' for each in visits)}"
        for code in worst
    )
