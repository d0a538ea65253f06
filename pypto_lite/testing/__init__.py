"""For people who write passes: assertions that a pass does what it should and nothing else, and random programs.

``strategies`` draws programs and arrays with hypothesis, ``properties`` says what holds of all of them, ``campaign``
tries thousands, also on a cluster; ``plugin`` is the pytest plugin.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypto_lite.testing import campaign, properties, strategies
    from pypto_lite.testing.assertions import assert_pass
    from pypto_lite.testing.growth import assert_linear

__all__ = ["assert_linear", "assert_pass", "campaign", "properties", "strategies"]

_MODULES = ("campaign", "properties", "strategies")


def __getattr__(name: str) -> Any:
    """Imports what is asked for: few want hypothesis and numpy, which are slow to import."""
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name == "assert_pass":
        return import_module(f"{__name__}.assertions").assert_pass
    if name == "assert_linear":
        return import_module(f"{__name__}.growth").assert_linear
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
