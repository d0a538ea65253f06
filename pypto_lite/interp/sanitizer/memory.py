"""How many bytes of each memory are in use at once, from when a buffer is made until it is read the last time.

As in ``passes.memory_usage``, a result may be written over an operand that is read for the last time, unless its
operator forbids that: reads are at even times and what is made at odd ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pypto_lite import ir
    from pypto_lite.interp.sanitizer.contents import Buffer


class Peak(NamedTuple):
    """The fullest moment of one memory."""

    used: int
    """In bytes."""
    last: Buffer
    """The buffer that came last then."""
    buffers: tuple[Buffer, ...]
    """The buffers in use then, the largest first."""


class Activation:
    """One call of a function: the buffers that it has made."""

    __slots__ = ("buffers", "function", "loops")

    def __init__(self, function: str, loops: int) -> None:
        self.function = function
        self.loops = loops
        """How many parallel loops were open when it began."""
        self.buffers: dict[ir.MemorySpace, list[Buffer]] = {}

    def add(self, buffer: Buffer) -> None:
        assert buffer.space is not None
        self.buffers.setdefault(buffer.space, []).append(buffer)

    def peaks(self) -> dict[ir.MemorySpace, Peak]:
        """The fullest moment of each memory."""
        used = {space: [each for each in made if each.begin is not None] for space, made in self.buffers.items()}
        return {space: _peak(buffers) for space, buffers in used.items() if buffers}


def _peak(buffers: list[Buffer]) -> Peak:
    # At one and the same time ends come after beginnings: what an operator reads and what it makes are there together.
    events = [(buffer.begin or 0, 0, index) for index, buffer in enumerate(buffers)]
    events += [(buffer.end, 1, index) for index, buffer in enumerate(buffers)]
    events.sort()
    used = most = at = 0
    last = buffers[0]
    for time, ends, index in events:
        if ends:
            used -= buffers[index].size
            continue
        used += buffers[index].size
        if used > most:
            most, at, last = used, time, buffers[index]
    live = [buffer for buffer in buffers if (buffer.begin or 0) <= at <= buffer.end]
    return Peak(most, last, tuple(sorted(live, key=lambda buffer: -buffer.size)))
