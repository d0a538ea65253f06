"""The properties that programs can have, one constant for each."""

from pypto_lite.passes.properties.in_core import IncoreTileOps, SplitIncoreOrch
from pypto_lite.passes.properties.no_nested_calls import NoNestedCalls
from pypto_lite.passes.properties.printable import Printable
from pypto_lite.passes.properties.ssa_form import SSAForm
from pypto_lite.passes.properties.statement_structure import (
    BreakContinueValid,
    NormalizedStmtStructure,
    StructuredCtrlFlow,
)
from pypto_lite.passes.properties.tile_memory_inferred import TileMemoryInferred
from pypto_lite.passes.properties.type_checked import TypeChecked
from pypto_lite.passes.properties.use_after_def import UseAfterDef

__all__ = [
    "BreakContinueValid",
    "IncoreTileOps",
    "NoNestedCalls",
    "NormalizedStmtStructure",
    "Printable",
    "SSAForm",
    "SplitIncoreOrch",
    "StructuredCtrlFlow",
    "TileMemoryInferred",
    "TypeChecked",
    "UseAfterDef",
]
