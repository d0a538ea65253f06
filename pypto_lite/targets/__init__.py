"""The chips as data: which memories there are, how large they are, who works on them, what moves between them."""

from pypto_lite.targets.ascend import ASCEND910B, ASCEND950, DEFAULT_TARGET, TARGETS, UNSPECIFIED, find_target
from pypto_lite.targets.target import ALLOCATION_ALIGNMENT, ASCEND_MOVES, Space, Target

__all__ = [
    "ALLOCATION_ALIGNMENT",
    "ASCEND910B",
    "ASCEND950",
    "ASCEND_MOVES",
    "DEFAULT_TARGET",
    "TARGETS",
    "UNSPECIFIED",
    "Space",
    "Target",
    "find_target",
]
