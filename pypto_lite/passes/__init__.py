"""Passes over programs, the properties they require and establish, and the pipeline that runs them."""

from pypto_lite.passes.decisions import Cause, Decision
from pypto_lite.passes.properties import (
    BreakContinueValid,
    IncoreTileOps,
    NoNestedCalls,
    NormalizedStmtStructure,
    SplitIncoreOrch,
    SSAForm,
    StructuredCtrlFlow,
    TypeChecked,
    UseAfterDef,
)
from pypto_lite.passes.protocol import Pass, Property, verify

__all__ = [
    "BreakContinueValid",
    "Cause",
    "Decision",
    "IncoreTileOps",
    "NoNestedCalls",
    "NormalizedStmtStructure",
    "Pass",
    "Property",
    "SSAForm",
    "SplitIncoreOrch",
    "StructuredCtrlFlow",
    "TypeChecked",
    "UseAfterDef",
    "verify",
]
