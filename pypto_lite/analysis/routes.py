"""Which moves between memory spaces a target can make, and the shortest chain where one move is not enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite.ir import CoreType, MemorySpace
from pypto_lite.targets import UNSPECIFIED

if TYPE_CHECKING:
    from pypto_lite.targets import Target

ACC, MAT, VEC = MemorySpace.Acc, MemorySpace.Mat, MemorySpace.Vec


class Routes:
    """The legal moves of one target, or of none, where every space exists."""

    def __init__(self, target: Target | None) -> None:
        self.target = target
        self.chip = UNSPECIFIED if target is None else target
        """What it goes by, where no target is chosen, too."""
        chip = self.chip
        self._moves = {
            space: tuple([each for each in row if chip.has(each)])
            for space, row in chip.moves.items()
            if chip.has(space)
        }
        self._chains = {space: self._chains_from(space) for space in MemorySpace if chip.has(space)}
        self.entered = frozenset(space for row in chip.moves.values() for space in row)
        """The spaces that something moves into."""
        self.cube_side = self.entered - {space for space, each in chip.spaces.items() if each.core is CoreType.VECTOR}
        """Those of them that only the cube core reads."""

    def exists(self, space: MemorySpace) -> bool:
        """Whether the target has the space at all."""
        return space in self._chains

    def allows(self, source: MemorySpace, destination: MemorySpace) -> bool:
        """Whether one instruction moves a tile; within a space a move changes the layout."""
        return destination in self._moves.get(source, ())

    def carries(self, source: MemorySpace, target: MemorySpace) -> bool:
        """Whether an operator can carry elements of a tile into another: within a space, or along a single move."""
        return source is target or self.allows(source, target)

    def sources(self, destination: MemorySpace) -> tuple[MemorySpace, ...]:
        """The spaces from which one move leads to the destination, the preferred one first: itself, if it can be."""
        legal = [space for space in self._moves if self.allows(space, destination)]
        legal.sort(key=lambda space: space is not destination)
        return (*legal, *[space for space in MemorySpace if self.tolerates(space, destination)])

    def chain(self, source: MemorySpace, destination: MemorySpace) -> tuple[MemorySpace, ...] | None:
        """The spaces that a tile passes on its shortest way, the destination last; None where there is no way."""
        return self._chains.get(source, {}).get(destination)

    def tolerates(self, source: MemorySpace, destination: MemorySpace) -> bool:
        """Whether a move that no chip can make is still inserted, with a warning."""
        return (source, destination) in self.chip.tolerated

    def bars(self, source: MemorySpace, destination: MemorySpace) -> bool:
        """Whether a transposed view cannot be moved so as it is: it gets to the cube side from one space only."""
        return source is not self.chip.staging and destination in self.cube_side

    def _chains_from(self, source: MemorySpace) -> dict[MemorySpace, tuple[MemorySpace, ...]]:
        """The shortest chain to each space that can be reached."""
        chains: dict[MemorySpace, tuple[MemorySpace, ...]] = {source: ()}
        reached = [source]
        for space in reached:
            for following in self._moves.get(space, ()):
                if following not in chains:
                    chains[following] = (*chains[space], following)
                    reached.append(following)
        return chains


ANY_TARGET: Final = Routes(None)
"""The moves that some target can make."""
