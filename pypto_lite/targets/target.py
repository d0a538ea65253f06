"""What is known about a chip: its memories, the moves between them, and where a tile goes that could go to several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite.ir import MemorySpace, implicit_tile_view

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pypto_lite.ir import CoreType, TileView

ALLOCATION_ALIGNMENT: Final = 32
"""The allocator starts every on-chip buffer at a multiple of this many bytes, in every space."""

OFF_CHIP: Final = frozenset({MemorySpace.DDR, MemorySpace.ScalarLocal})
"""The memories that every chip has: global memory, and the scalar core's own."""


class Space:
    """One on-chip memory: how many bytes a kernel may use of it (None: any), and the core that works on it.

    ``layout`` is how tiles lie in it that are moved there, where that is not what their type says without a target.
    """

    __slots__ = ("capacity", "core", "layout")

    def __init__(self, capacity: int | None, core: CoreType, layout: TileView | None = None) -> None:
        self.capacity = capacity
        self.core = core
        self.layout = layout

    def __repr__(self) -> str:
        return f"Space({self.capacity}, {self.core.name})"


class Target:
    """One chip.

    ``spaces`` holds its on-chip memories; ``cube_cores`` and ``vector_cores`` count its cores.

    ``moves`` says where one instruction takes a tile from each memory. The order is part of it: the first row that
    leads somewhere is the preferred source, and of two equally short ways the one through the first destination is
    taken. Destinations that the chip does not have do not count. ``tolerated`` are moves that it can't make, and that
    are made all the same, with a warning.

    ``preference`` lists the memories where values of different origin can meet, the preferred first; the very first is
    where a tile lives that nothing holds elsewhere. ``decided_first`` are those that are chosen before all others where
    several choices could exclude each other. ``staging`` is the memory from which the cube side is fed: transposed
    views get there from nowhere else.
    """

    __slots__ = (
        "cube_cores", "decided_first", "moves", "name", "preference", "spaces", "staging", "tolerated", "vector_cores",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        spaces: Mapping[MemorySpace, Space],
        *,
        cube_cores: int,
        vector_cores: int,
        moves: Mapping[MemorySpace, Sequence[MemorySpace]] | None = None,
        tolerated: Collection[tuple[MemorySpace, MemorySpace]] = (),
        preference: Sequence[MemorySpace] = (MemorySpace.Vec, MemorySpace.Mat, MemorySpace.Acc),
        decided_first: Sequence[MemorySpace] = (MemorySpace.Vec, MemorySpace.Acc),
        staging: MemorySpace = MemorySpace.Mat,
    ) -> None:
        self.name = name
        self.spaces = spaces
        self.cube_cores = cube_cores
        self.vector_cores = vector_cores
        self.moves = ASCEND_MOVES if moves is None else moves
        self.tolerated = frozenset(tolerated)
        self.preference = tuple(preference)
        self.decided_first = tuple(decided_first)
        self.staging = staging

    def has(self, space: MemorySpace) -> bool:
        """Whether the chip has this memory."""
        return space in self.spaces or space in OFF_CHIP

    def capacity(self, space: MemorySpace) -> int | None:
        """The bytes that a kernel may use of a memory, or None for one that has no limit here."""
        found = self.spaces.get(space)
        return None if found is None else found.capacity

    def layout(self, space: MemorySpace) -> TileView:
        """How a tile lies that is moved to a memory, where nothing says otherwise."""
        found = self.spaces.get(space)
        return implicit_tile_view((), space) if found is None or found.layout is None else found.layout

    def __repr__(self) -> str:
        return f"Target({self.name})"


ASCEND_MOVES: Final[Mapping[MemorySpace, Sequence[MemorySpace]]] = {
    MemorySpace.Mat: (
        MemorySpace.Left,
        MemorySpace.Right,
        MemorySpace.Bias,
        MemorySpace.LeftScale,
        MemorySpace.RightScale,
    ),
    MemorySpace.Vec: (MemorySpace.Mat, MemorySpace.Left, MemorySpace.Right, MemorySpace.Vec),
    MemorySpace.Acc: (MemorySpace.Mat, MemorySpace.Vec),
}
"""The moves of both Ascend chips. Nothing moves into Acc; within a memory only Vec moves, which changes the layout."""
