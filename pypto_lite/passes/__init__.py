"""Passes over programs, the properties they require and establish, and the pipeline that runs them."""

from pypto_lite.passes.check_memory_capacity import CapacityError, CheckMemoryCapacity
from pypto_lite.passes.convert_to_ssa import ConvertToSSA
from pypto_lite.passes.decisions import Cause, Decision
from pypto_lite.passes.default import default_pipeline
from pypto_lite.passes.flatten_calls import FlattenCalls
from pypto_lite.passes.infer_tile_memory_space import InferTileMemorySpace, PlacementError
from pypto_lite.passes.inline_functions import InlineFunctions
from pypto_lite.passes.instruments import (
    Instrument,
    PrintAfter,
    RoundTripInstrument,
    TimeInstrument,
    VerifyInstrument,
)
from pypto_lite.passes.normalize_statements import NormalizeStatements
from pypto_lite.passes.pipeline import Pipeline
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
from pypto_lite.passes.simplify import Simplify
from pypto_lite.passes.structure_control_flow import StructureControlFlow
from pypto_lite.passes.unroll_loops import UnrollLoops

# PyPTO's spelling of the constructors; each takes the place of the module of that name.
check_memory_capacity = CheckMemoryCapacity
convert_to_ssa = ConvertToSSA
flatten_calls = FlattenCalls
infer_tile_memory_space = InferTileMemorySpace
inline_functions = InlineFunctions
normalize_statements = NormalizeStatements
simplify = Simplify
structure_control_flow = StructureControlFlow
unroll_loops = UnrollLoops

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
