"""Which buffer a tile is in, and what was written there last.

A tile that an operator makes gets a buffer of its own. Views, and results that take over the storage of an operand, are
in the operand's buffer. What such an operator writes is the buffer's new content: whoever still reads the operand reads
it from a buffer that holds something else on the chip, though not here, where results are arrays of their own.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pypto_lite.targets import ALLOCATION_ALIGNMENT

if TYPE_CHECKING:
    from pypto_lite import ir
    from pypto_lite.diagnostics import Span
    from pypto_lite.interp.sanitizer.scratch import Scratch
    from pypto_lite.interp.storage import Array


class Buffer:
    """A part of an on-chip memory, from when to when it is in use."""

    __slots__ = ("begin", "begun_at", "content", "end", "made_at", "name", "scratch", "size", "space")

    def __init__(self, made_at: Span, begin: int | None) -> None:
        self.made_at = made_at
        self.begin = begin
        """None for a created tile that no operator has worked on: it needs no memory yet."""
        self.begun_at = made_at
        """Where it is first in use."""
        self.end = begin or 0
        self.space: ir.MemorySpace | None = None
        """Where it is; None until that is decided."""
        self.size = 0
        """In bytes, aligned as the allocator does."""
        self.name = ""
        """The first value in it."""
        self.content = Content(self, "", made_at)
        self.scratch: list[Scratch] = []
        """The parts of it that operators have worked in since they were written."""


class Content:
    """What a buffer holds from one write to the next, as a value or a view of it."""

    __slots__ = ("_latest", "buffer", "turned", "written_at", "written_by")

    def __init__(self, buffer: Buffer, written_by: str, written_at: Span) -> None:
        self.buffer = buffer
        self.written_by = written_by
        """The name of the operator."""
        self.written_at = written_at
        self.turned = False
        """Whether it is seen through a transposed view."""
        self._latest = self

    def as_turned(self) -> Content:
        """The same, seen through a transposed view."""
        seen = Content(self.buffer, self.written_by, self.written_at)
        seen.turned, seen._latest = True, self._latest
        return seen

    def use(self, time: int, span: Span) -> None:
        """An operator works on the tile."""
        buffer = self.buffer
        if buffer.begin is None:
            buffer.begin, buffer.begun_at = time, span
        buffer.end = max(buffer.end, time)

    @property
    def overwritten_by(self) -> Content | None:
        """What is in the buffer by now instead."""
        latest = self.buffer.content
        return None if latest is self._latest else latest


def content_of(array: Array, type_: ir.Type, time: int) -> Content:
    """The content that a tile is; a tile from outside is where its type says."""
    if array.content is None:
        buffer = Buffer(array.made_at, time)
        buffer.space = getattr(type_, "space", None)
        array.content = buffer.content
    return array.content


def allocated_bytes(dtype: ir.DType, shape: tuple[int, ...]) -> int:
    """What an allocation of a tile takes, aligned as the allocator does."""
    size = -(-dtype.storage_bits * math.prod(shape) // 8)
    return -(-size // ALLOCATION_ALIGNMENT) * ALLOCATION_ALIGNMENT
