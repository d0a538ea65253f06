"""The passes that lower a program, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.passes.check_memory_capacity import CheckMemoryCapacity
from pypto_lite.passes.convert_to_ssa import ConvertToSSA
from pypto_lite.passes.flatten_calls import FlattenCalls
from pypto_lite.passes.infer_tile_memory_space import InferTileMemorySpace
from pypto_lite.passes.inline_functions import InlineFunctions
from pypto_lite.passes.normalize_statements import NormalizeStatements
from pypto_lite.passes.pipeline import Pipeline
from pypto_lite.passes.simplify import Simplify
from pypto_lite.passes.structure_control_flow import StructureControlFlow
from pypto_lite.passes.unroll_loops import UnrollLoops
from pypto_lite.targets import find_target

if TYPE_CHECKING:
    from pypto_lite.targets import Target


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
