"""What an operator computes, and what the function that says so may ask for besides operands and keywords."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.ir import DType

Numpy: TypeAlias = Any
"""Annotates the array module in a meaning, so that nothing here imports numpy."""

Elements: TypeAlias = Any
"""Annotates an array in a meaning."""


class Extents:
    """What a meaning may ask of its result, as its parameter ``result`` (a tuple of them for several results)."""

    __slots__ = ("dtype", "shape", "storage", "valid")

    def __init__(self, shape: tuple[int, ...], valid: tuple[int, ...], dtype: DType, storage: Any) -> None:
        self.shape = shape
        """All extents."""
        self.valid = valid
        """The extents of the valid region."""
        self.dtype = dtype
        self.storage = storage
        """The element type as numpy knows it."""


class Partial:
    """What a meaning gives where not every element of its result has a value, or comes from what is moved."""

    __slots__ = ("elements", "known", "made")

    def __init__(self, elements: Elements, known: Elements, made: Elements = False) -> None:
        self.elements = elements
        self.known = known
        """Where there is a value."""
        self.made = made
        """Where the value is the operator's own and defined, whatever is moved."""


class Block:
    """Which of the blocks of ``pl.spmd`` runs, and how many there are."""

    __slots__ = ("count", "index")

    def __init__(self, index: int, count: int) -> None:
        self.index = index
        self.count = count


RESULT: Final = "result"
"""The parameter of a meaning that gets the ``Extents`` of the result."""

BLOCK: Final = "block"
"""The parameter of a meaning that gets the running ``Block``."""

TYPES: Final = "types"
"""The parameter of a meaning that gets the types of the operands that are given, by name."""

SURROUNDINGS: Final = frozenset((RESULT, BLOCK, TYPES))
"""The parameters of a meaning that are neither operands nor keywords."""


class Meaning:
    """What an operator computes, as a function of arrays, and what it wants to see of its operands.

    See ``Operator.meaning``, which makes it.
    """

    __slots__ = (
        "accumulates", "elementwise", "function", "moves", "parameters", "scratch_last", "shows", "sized", "whole",
        "writes",
    )  # fmt: skip

    def __init__(
        self,
        function: Callable[..., Any],
        parameters: tuple[str, ...],
        elementwise: bool,
        moves: frozenset[str],
        whole: frozenset[str],
        writes: str | None,
        accumulates: str | None,
        sized: frozenset[str],
        shows: frozenset[str],
        scratch_last: bool,
    ) -> None:
        self.function = function
        self.parameters = parameters
        """The operands and keywords that it reads, in the order in which it takes them after the array module."""
        self.elementwise = elementwise
        self.moves = moves
        self.whole = whole
        self.writes = writes
        self.accumulates = accumulates
        self.sized = sized
        self.shows = shows
        self.scratch_last = scratch_last
