"""Everything that lowers a program beyond what tracing needs itself, and the pipeline of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.analysis.records import Cause, Decision
from pypto_lite.passes.instruments import (
    Instrument,
    PrintAfter,
    RoundTripInstrument,
    TimeInstrument,
    VerifyInstrument,
)
from pypto_lite.passes.pipeline import Pipeline
from pypto_lite.passes.placed.capacity import CapacityError, CheckMemoryCapacity
from pypto_lite.passes.placed.placement import InferTileMemorySpace, PlacementError
from pypto_lite.passes.written.flattening import FlattenCalls
from pypto_lite.passes.written.inlining import InlineFunctions
from pypto_lite.passes.written.normalization import NormalizeStatements
from pypto_lite.passes.written.simplification import Simplify
from pypto_lite.passes.written.ssa_conversion import ConvertToSSA
from pypto_lite.passes.written.structuring import StructureControlFlow
from pypto_lite.passes.written.unrolling import UnrollLoops
from pypto_lite.targets import find_target

if TYPE_CHECKING:
    from pypto_lite.targets import Target

# PyPTO's spelling of the constructors.
check_memory_capacity = CheckMemoryCapacity
flatten_calls = FlattenCalls
infer_tile_memory_space = InferTileMemorySpace
inline_functions = InlineFunctions
normalize_statements = NormalizeStatements
simplify = Simplify
unroll_loops = UnrollLoops

__all__ = [
    "CapacityError",
    "Cause",
    "CheckMemoryCapacity",
    "Decision",
    "FlattenCalls",
    "InferTileMemorySpace",
    "InlineFunctions",
    "Instrument",
    "NormalizeStatements",
    "Pipeline",
    "PlacementError",
    "PrintAfter",
    "RoundTripInstrument",
    "Simplify",
    "TimeInstrument",
    "UnrollLoops",
    "VerifyInstrument",
    "check_memory_capacity",
    "default_pipeline",
    "flatten_calls",
    "infer_tile_memory_space",
    "inline_functions",
    "normalize_statements",
    "simplify",
    "unroll_loops",
]


def default_pipeline(target: Target | str | None) -> Pipeline:
    """From what tracing makes to a program in which every tile is placed, for a target or for none in particular.

    Raises UserError (PL409) for a name that is no target.
    """
    chosen = find_target(target)
    return Pipeline(
        [
            InlineFunctions(),
            UnrollLoops(),
            StructureControlFlow(),
            ConvertToSSA(),
            Simplify(),
            NormalizeStatements(),
            FlattenCalls(),
            InferTileMemorySpace(chosen),
            CheckMemoryCapacity(chosen),
        ]
    )
