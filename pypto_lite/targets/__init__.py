"""The chips as data: which memories there are, how large they are, and which core owns them. No algorithms."""

from pypto_lite.targets.target import (
    ALLOCATION_ALIGNMENT,
    ASCEND910B,
    ASCEND950,
    DEFAULT_TARGET,
    TARGETS,
    Space,
    Target,
    find_target,
)

__all__ = [
    "ALLOCATION_ALIGNMENT",
    "ASCEND910B",
    "ASCEND950",
    "DEFAULT_TARGET",
    "TARGETS",
    "Space",
    "Target",
    "find_target",
]
