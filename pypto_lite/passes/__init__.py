"""Passes over programs, the properties they require and establish, and the pipeline that runs them."""

from pypto_lite.passes.convert_to_ssa import ConvertToSSA
from pypto_lite.passes.decisions import Cause, Decision
from pypto_lite.passes.flatten_calls import FlattenCalls
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
from pypto_lite.passes.protocol import Pass, Property, RequirementError, verify
from pypto_lite.passes.simplify import Simplify

convert_to_ssa = ConvertToSSA
flatten_calls = FlattenCalls
normalize_statements = NormalizeStatements
simplify = Simplify

__all__ = [
    "BreakContinueValid",
    "Cause",
    "ConvertToSSA",
    "Decision",
    "FlattenCalls",
    "IncoreTileOps",
    "Instrument",
    "NoNestedCalls",
    "NormalizeStatements",
    "NormalizedStmtStructure",
    "Pass",
    "Pipeline",
    "PrintAfter",
    "Printable",
    "Property",
    "RequirementError",
    "RoundTripInstrument",
    "SSAForm",
    "Simplify",
    "SplitIncoreOrch",
    "StructuredCtrlFlow",
    "TileMemoryInferred",
    "TimeInstrument",
    "TypeChecked",
    "UseAfterDef",
    "VerifyInstrument",
    "convert_to_ssa",
    "flatten_calls",
    "normalize_statements",
    "simplify",
    "verify",
]
