"""Passes over programs, the properties they require and establish, and the pipeline that runs them.

What tracing does not need (``lowering``) is loaded when it is first asked for: that takes a sixth of the time in which
the language is imported.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pypto_lite.passes.properties import (
    BreakContinueValid,
    IncoreTileOps,
    NoNestedCalls,
    NormalizedStmtStructure,
    Printable,
    SplitIncoreOrch,
    SSAForm,
    StructuredCtrlFlow,
    TileMemoryInferred,
    TypeChecked,
    UseAfterDef,
)
from pypto_lite.passes.protocol import Pass, Property, verify
from pypto_lite.passes.written.ssa_conversion import ConvertToSSA
from pypto_lite.passes.written.structuring import StructureControlFlow

if TYPE_CHECKING:
    from pypto_lite.passes.lowering import (
        CapacityError,
        Cause,
        CheckMemoryCapacity,
        Decision,
        FlattenCalls,
        InferTileMemorySpace,
        InlineFunctions,
        Instrument,
        NormalizeStatements,
        Pipeline,
        PlacementError,
        PrintAfter,
        RoundTripInstrument,
        Simplify,
        TimeInstrument,
        UnrollLoops,
        VerifyInstrument,
        check_memory_capacity,
        default_pipeline,
        flatten_calls,
        infer_tile_memory_space,
        inline_functions,
        normalize_statements,
        simplify,
        unroll_loops,
    )

# PyPTO's spelling of the constructors.
convert_to_ssa = ConvertToSSA
structure_control_flow = StructureControlFlow

__all__ = [
    "BreakContinueValid",
    "CapacityError",
    "Cause",
    "CheckMemoryCapacity",
    "ConvertToSSA",
    "Decision",
    "FlattenCalls",
    "IncoreTileOps",
    "InferTileMemorySpace",
    "InlineFunctions",
    "Instrument",
    "NoNestedCalls",
    "NormalizeStatements",
    "NormalizedStmtStructure",
    "Pass",
    "Pipeline",
    "PlacementError",
    "PrintAfter",
    "Printable",
    "Property",
    "RoundTripInstrument",
    "SSAForm",
    "Simplify",
    "SplitIncoreOrch",
    "StructureControlFlow",
    "StructuredCtrlFlow",
    "TileMemoryInferred",
    "TimeInstrument",
    "TypeChecked",
    "UnrollLoops",
    "UseAfterDef",
    "VerifyInstrument",
    "check_memory_capacity",
    "convert_to_ssa",
    "default_pipeline",
    "flatten_calls",
    "infer_tile_memory_space",
    "inline_functions",
    "normalize_statements",
    "simplify",
    "structure_control_flow",
    "unroll_loops",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    lowering = import_module(f"{__name__}.lowering")
    for each in lowering.__all__:
        globals().setdefault(each, getattr(lowering, each))
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
