"""Which moves between memory spaces a target can make, and the shortest chain where one move is not enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite.ir import MemorySpace

if TYPE_CHECKING:
    from pypto_lite.targets import Target

ACC, BIAS, LEFT, LEFT_SCALE, MAT, RIGHT, RIGHT_SCALE, VEC = (
    MemorySpace.Acc,
    MemorySpace.Bias,
    MemorySpace.Left,
    MemorySpace.LeftScale,
    MemorySpace.Mat,
    MemorySpace.Right,
    MemorySpace.RightScale,
    MemorySpace.Vec,
)

SINGLE_MOVES: Final[dict[MemorySpace, tuple[MemorySpace, ...]]] = {
    ACC: (MAT, VEC),
    VEC: (MAT, LEFT, RIGHT),
    MAT: (LEFT, RIGHT, BIAS, LEFT_SCALE, RIGHT_SCALE),
}
"""The moves of one instruction, the same on all targets but for the scale spaces; nothing moves into Acc."""

CUBE_SIDE: Final = frozenset({MAT, LEFT, RIGHT, BIAS, LEFT_SCALE, RIGHT_SCALE})
"""The spaces that only the cube core reads."""


class Routes:
    """The legal moves of one target, or of none, where every space exists."""

    def __init__(self, target: Target | None) -> None:
        self.target = target
        self._chains = {space: _chains_from(space, target) for space in MemorySpace if _exists(space, target)}

    def exists(self, space: MemorySpace) -> bool:
        """Whether the target has the space at all."""
        return space in self._chains

    def allows(self, source: MemorySpace, destination: MemorySpace) -> bool:
        """Whether one instruction moves a tile; within a space only in Vec, where a move changes the layout."""
        if source is destination:
            return source is VEC
        return destination in SINGLE_MOVES.get(source, ()) and self.exists(destination)

    def carries(self, source: MemorySpace, target: MemorySpace) -> bool:
        """Whether an operator can carry elements of a tile into another: within a space, or along a single move."""
        return source is target or self.allows(source, target)

    def sources(self, destination: MemorySpace) -> tuple[MemorySpace, ...]:
        """The spaces from which one move leads to the destination, the preferred one first."""
        candidates = (MAT, VEC, ACC) if destination is not VEC else (VEC, ACC, MAT)
        return tuple(
            space for space in candidates if self.allows(space, destination) or self.tolerates(space, destination)
        )

    def chain(self, source: MemorySpace, destination: MemorySpace) -> tuple[MemorySpace, ...] | None:
        """The spaces that a tile passes on its shortest way, the destination last; None where there is no way."""
        return self._chains.get(source, {}).get(destination)

    def tolerates(self, source: MemorySpace, destination: MemorySpace) -> bool:
        """Whether a move that no chip can make is still inserted, with a warning: Mat to Vec, without a target.

        The specification of the placement pass inserts it; a target that is chosen makes it an error.
        """
        return self.target is None and source is MAT and destination is VEC


def _exists(space: MemorySpace, target: Target | None) -> bool:
    return target is None or target.has(space)


def _chains_from(source: MemorySpace, target: Target | None) -> dict[MemorySpace, tuple[MemorySpace, ...]]:
    """The shortest chain to each space that can be reached; of two equally short ones the one through Mat."""
    chains: dict[MemorySpace, tuple[MemorySpace, ...]] = {source: ()}
    reached = [source]
    for space in reached:
        for following in SINGLE_MOVES.get(space, ()):
            if following not in chains and _exists(following, target):
                chains[following] = (*chains[space], following)
                reached.append(following)
    return chains


ANY_TARGET: Final = Routes(None)
"""The moves that some target can make."""
