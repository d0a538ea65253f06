"""Tiles that an operator is given to work in: what they held is destroyed on the chip, though not here.

They are told apart by the memory that they lie in, not by their buffers: scratch may be one part of a buffer, and what
is still needed another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pypto_lite.interp.sanitizer import problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.diagnostics import Diagnostic, Span
    from pypto_lite.interp.calls import Site
    from pypto_lite.interp.code import Frame
    from pypto_lite.interp.errors import Use
    from pypto_lite.interp.sanitizer.contents import Buffer
    from pypto_lite.interp.sanitizer.spaces import Operand
    from pypto_lite.interp.storage import Array


class Scratch:
    """Scratch that was used: what it was to whom, and where."""

    __slots__ = ("array", "span", "use")

    def __init__(self, array: Array, use: Use, span: Span) -> None:
        self.array = array
        self.use = use
        self.span = span

    def meets(self, array: Array) -> bool:
        return np.may_share_memory(self.array.elements, array.elements)


def is_scratch(site: Site, operand: Operand) -> bool:
    """Whether an operand of a call is there to be worked in."""
    return operand.declared.is_scratch or operand.declared.name not in site.given


def destroyed(site: Site, frame: Frame, operand: Operand, scratch: Sequence[Operand]) -> Diagnostic | None:
    """The note of an operand that is read and lies where this call works, or an earlier one has worked."""
    array: Array = frame[operand.slot]
    for each in scratch:
        if np.may_share_memory(array.elements, frame[each.slot].elements):
            return problems.worked_in(operand.use, each.use, site.span, site.span)
    for each in operand.content(frame).buffer.scratch:
        if each.meets(array):
            return problems.worked_in(operand.use, each.use, each.span, site.span)
    return None


def work_in(site: Site, frame: Frame, operand: Operand) -> None:
    """A call has worked in this operand."""
    array: Array = frame[operand.slot]
    buffer = operand.content(frame).buffer
    forget(buffer, array)
    buffer.scratch.append(Scratch(array, operand.use, site.span))


def forget(buffer: Buffer, array: Array) -> None:
    """What an array holds is new: it does not matter that somebody has worked there before."""
    buffer.scratch = [each for each in buffer.scratch if not each.meets(array)]
