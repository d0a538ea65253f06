"""Ascend910B and Ascend950 as data. Source: the operator catalogue's table of backends."""

from __future__ import annotations

from typing import Final

from pypto_lite.diagnostics import Diagnostic, UserError, did_you_mean
from pypto_lite.ir import CoreType, MemorySpace
from pypto_lite.targets.target import Space, Target


def _spaces(
    *, vec: int | None, acc: int | None, bias: int | None, scale: int | None, mat: int | None = 524288,
    operand: int | None = 65536,
) -> dict[MemorySpace, Space]:  # fmt: skip
    """The memories of a chip: their sizes, of which 0 means that there is none."""
    cube, vector = CoreType.CUBE, CoreType.VECTOR
    sizes = {
        MemorySpace.Mat: mat,
        MemorySpace.Left: operand,
        MemorySpace.Right: operand,
        MemorySpace.Acc: acc,
        MemorySpace.Bias: bias,
        MemorySpace.LeftScale: scale,
        MemorySpace.RightScale: scale,
    }
    on_cube = {space: Space(size, cube) for space, size in sizes.items() if size != 0}
    return {MemorySpace.Vec: Space(vec, vector), **on_cube}


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

UNSPECIFIED: Final = Target(
    "no particular chip",
    _spaces(vec=None, mat=None, operand=None, acc=None, bias=None, scale=None),
    cube_cores=1,
    vector_cores=1,
    tolerated=[(MemorySpace.Mat, MemorySpace.Vec)],
)
"""What placement goes by where no target is chosen: every memory, without a limit. The specification of placement
inserts the move from Mat to Vec, which no chip can make."""


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
