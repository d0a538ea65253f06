"""Ascend910B and Ascend950: memories, capacities, cores. Source: the operator catalogue's table of backends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite.diagnostics import Diagnostic, UserError, did_you_mean
from pypto_lite.ir import CoreType, MemorySpace

if TYPE_CHECKING:
    from collections.abc import Mapping

ALLOCATION_ALIGNMENT: Final = 32
"""The allocator starts every on-chip buffer at a multiple of this many bytes, in every space."""


class Space:
    """One on-chip memory: how many bytes a kernel may use of it, and the core that works on it."""

    __slots__ = ("capacity", "core")

    def __init__(self, capacity: int, core: CoreType) -> None:
        self.capacity = capacity
        self.core = core

    def __repr__(self) -> str:
        return f"Space({self.capacity}, {self.core.name})"


class Target:
    """One chip. ``spaces`` holds its on-chip memories, ``cube_cores`` and ``vector_cores`` count its cores."""

    __slots__ = ("cube_cores", "name", "spaces", "vector_cores")

    def __init__(self, name: str, spaces: Mapping[MemorySpace, Space], *, cube_cores: int, vector_cores: int) -> None:
        self.name = name
        self.spaces = spaces
        self.cube_cores = cube_cores
        self.vector_cores = vector_cores

    def has(self, space: MemorySpace) -> bool:
        """Whether the chip has this memory; it always has global memory and the scalar core's own."""
        return space in self.spaces or space in (MemorySpace.DDR, MemorySpace.ScalarLocal)

    def capacity(self, space: MemorySpace) -> int | None:
        """The bytes that a kernel may use of a memory, or None for one that has no limit here."""
        found = self.spaces.get(space)
        return None if found is None else found.capacity

    def __repr__(self) -> str:
        return f"Target({self.name})"


def _spaces(*, vec: int, acc: int, bias: int, scale: int) -> dict[MemorySpace, Space]:
    """The memories of a chip; the two that all chips have in the same size are not arguments."""
    cube, vector = CoreType.CUBE, CoreType.VECTOR
    spaces = {
        MemorySpace.Vec: Space(vec, vector),
        MemorySpace.Mat: Space(524288, cube),
        MemorySpace.Left: Space(65536, cube),
        MemorySpace.Right: Space(65536, cube),
        MemorySpace.Acc: Space(acc, cube),
        MemorySpace.Bias: Space(bias, cube),
    }
    if scale:
        spaces[MemorySpace.LeftScale] = Space(scale, cube)
        spaces[MemorySpace.RightScale] = Space(scale, cube)
    return spaces


# Vec is the limit that is safe to use: the physical buffers are 196608 and 253952 bytes.
ASCEND910B: Final = Target(
    "Ascend910B", _spaces(vec=188416, acc=131072, bias=1024, scale=0), cube_cores=24, vector_cores=48
)
ASCEND950: Final = Target(
    "Ascend950", _spaces(vec=245760, acc=262144, bias=4096, scale=4096), cube_cores=36, vector_cores=72
)

TARGETS: Final[dict[str, Target]] = {target.name: target for target in (ASCEND910B, ASCEND950)}
"""The known targets by name."""

DEFAULT_TARGET: Final = ASCEND910B


def find_target(target: str | Target | None) -> Target | None:
    """The target of this name; a Target and None (no particular chip) are themselves.

    Raises UserError (PL409) for a name that is no target.
    """
    if target is None or isinstance(target, Target):
        return target
    found = TARGETS.get(target)
    if found is None:
        names = ", ".join(TARGETS)
        hint = did_you_mean(target, TARGETS)
        raise UserError(Diagnostic("PL409", f"there is no target {target!r}", expected=f"one of {names}", hint=hint))
    return found
