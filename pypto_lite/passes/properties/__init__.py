"""The properties that programs can have, one constant for each; TileMemoryInferred is with the pass that infers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.passes.protocol import Property

if TYPE_CHECKING:
    from pypto_lite import ir
    from pypto_lite.diagnostics import Diagnostic
    from pypto_lite.targets import Target


def _nothing_known(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """Nothing contradicts it."""
    return []


SSAForm = Property("SSAForm", _nothing_known)
UseAfterDef = Property("UseAfterDef", _nothing_known)
TypeChecked = Property("TypeChecked", _nothing_known)
NoNestedCalls = Property("NoNestedCalls", _nothing_known)
NormalizedStmtStructure = Property("NormalizedStmtStructure", _nothing_known)
BreakContinueValid = Property("BreakContinueValid", _nothing_known)
StructuredCtrlFlow = Property("StructuredCtrlFlow", _nothing_known)
SplitIncoreOrch = Property("SplitIncoreOrch", _nothing_known)
IncoreTileOps = Property("IncoreTileOps", _nothing_known)

__all__ = [
    "BreakContinueValid",
    "IncoreTileOps",
    "NoNestedCalls",
    "NormalizedStmtStructure",
    "SSAForm",
    "SplitIncoreOrch",
    "StructuredCtrlFlow",
    "TypeChecked",
    "UseAfterDef",
]
