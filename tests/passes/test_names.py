"""The names of the room: what it offers, and what is loaded only when it is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pypto_lite import passes
from pypto_lite.passes import lowering
from pypto_lite.passes.protocol import snake_case

TRACING = (
    "import sys, pypto_lite.language as pl; "
    "pl.parse('import pypto_lite.language as pl\\n@pl.function\\ndef f(n: pl.Scalar[pl.INDEX]):\\n    return n'); "
    "late = ('passes.lowering', 'passes.placed.placement', 'passes.pipeline', 'printer', 'interp', 'report'); "
    "print([name for name in late "
    "if f'pypto_lite.{name}' in sys.modules])"
)


def test_tracing_loads_nothing_that_only_lowering_needs() -> None:
    loaded = subprocess.run([sys.executable, "-c", TRACING], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"


def test_every_name_is_there_and_listed() -> None:
    assert {*passes.__all__, "__file__"} <= set(dir(passes))
    assert set(lowering.__all__) < set(passes.__all__)
    assert all(getattr(passes, name) is not None for name in passes.__all__)


def test_each_pass_is_also_called_as_the_pipeline_calls_it() -> None:
    for each in passes.default_pipeline(None).passes:
        assert getattr(passes, each.name) is type(each)
        assert each.name == snake_case(type(each).__name__)


def test_a_module_does_not_take_the_place_of_a_pass() -> None:
    from pypto_lite.passes import placed, written  # noqa: F401 - importing a module sets its name in the room

    assert passes.simplify is passes.Simplify
    assert passes.infer_tile_memory_space is passes.InferTileMemorySpace


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match=r"'pypto_lite.passes' has no attribute 'infer_memory'"):
        _ = passes.infer_memory
