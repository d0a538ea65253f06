"""For people who write passes: assertions that a pass does what it should and nothing else, and random programs.

``strategies`` draws programs and arrays with hypothesis, ``properties`` says what holds of all of them, ``campaign``
tries thousands, also on a cluster; ``plugin`` is the pytest plugin.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pypto_lite.testing.assertions import assert_pass

if TYPE_CHECKING:
    from pypto_lite.testing import campaign, properties, strategies

__all__ = ["assert_pass", "campaign", "properties", "strategies"]

_SLOW = ("campaign", "properties", "strategies")
"""Modules that need hypothesis or numpy, which few who import this one want."""


def __getattr__(name: str) -> Any:
    if name in _SLOW:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
