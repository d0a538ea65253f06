"""Relations between the parameters of an operator: effects under a condition, windows, moves of one into another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite.ops.framework.parameters import Effect


class Window(NamedTuple):
    """The part of ``operand`` that a call reads or writes all of, by the names of operands.

    It begins at ``offsets``, and is as large as the first of ``extents`` that is given: a list, or the valid region of
    a tile or a tensor.
    """

    operand: str
    offsets: str
    extents: tuple[str, ...]


class ImplicitMove(NamedTuple):
    """The operands of which an operator carries the one into the other, as a move between their spaces would."""

    source: int
    destination: int


class When:
    """An effect that depends on keywords: ``then`` where all of ``keywords`` have these values, else ``otherwise``."""

    __slots__ = ("keywords", "otherwise", "then")

    def __init__(self, keywords: Mapping[str, Any], then: Effect, otherwise: Effect) -> None:
        self.keywords = dict(keywords)
        self.then = then
        self.otherwise = otherwise
