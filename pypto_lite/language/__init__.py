"""The flat namespace that kernels are written in: ``import pypto_lite.language as pl``.

Its types are in ``__init__.pyi``, which ``python -m pypto_lite.language.stub`` writes from the operators' declarations.
"""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any, Final

from pypto_lite.collector import garbage_collection_paused

with garbage_collection_paused():  # which takes a sixth of the time of these imports
    from pypto_lite import ops
    from pypto_lite.ir import (
        DTYPES,
        AtomicType,
        CompactMode,
        CoreType,
        DType,
        FunctionType,
        Level,
        MemorySpace,
        PadValue,
        PipeType,
        Role,
        ScopeMode,
        SplitMode,
        TensorLayout,
        TileLayout,
    )
    from pypto_lite.language.decorators import function, inline, loads, parse, program
    from pypto_lite.language.documentation import DocumentedName
    from pypto_lite.language.tracebacks import hide_own_frames
    from pypto_lite.program import Function, Program
    from pypto_lite.trace.names.builtins import (
        ANNOTATION_FORMS,
        AUTO,
        CONSTRUCTS,
        DynVar,
        MaskPattern,
        Namespace,
        OperatorName,
        dynamic,
        operator_names,
        unknown_name,
    )

if TYPE_CHECKING:
    from collections.abc import Mapping

OPERATORS: Final[Mapping[str, OperatorName | Namespace]] = operator_names(
    map(DocumentedName, ops.spellings()), {"tile": {"MaskPattern": MaskPattern}}
)
"""The operators that can be called right after ``pl.``, and the namespaces of all of them."""

PLAIN: Final[Mapping[str, object]] = {
    "AUTO": AUTO,
    "AtomicType": AtomicType,
    "CompactMode": CompactMode,
    "CoreType": CoreType,
    "DN": TensorLayout.DN,
    "DType": DType,
    "DynVar": DynVar,
    "Function": Function,
    "FunctionType": FunctionType,
    "Level": Level,
    "MX_A_ZZ": TensorLayout.MX_A_ZZ,
    "MX_B_NN": TensorLayout.MX_B_NN,
    "Mem": MemorySpace,
    "MemorySpace": MemorySpace,
    "ND": TensorLayout.ND,
    "NZ": TensorLayout.NZ,
    "PadValue": PadValue,
    "PipeType": PipeType,
    "Program": Program,
    "Role": Role,
    "ScopeMode": ScopeMode,
    "SplitMode": SplitMode,
    "TensorLayout": TensorLayout,
    "TileLayout": TileLayout,
    "dynamic": dynamic,
    "function": function,
    "inline": inline,
    "loads": loads,
    "loads_program": loads,
    "parse": parse,
    "parse_program": parse,
    "program": program,
}
"""What is neither an operator, a dtype, an annotation nor a construct."""

# Constructs come last: ``pl.min`` is the construct, which works on scalars, though an operator has that name too.
PUBLIC: Final[Mapping[str, object]] = {**OPERATORS, **DTYPES, **ANNOTATION_FORMS, **PLAIN, **CONSTRUCTS}
"""All names of the language."""

globals().update(PUBLIC)

hide_own_frames()

# ``import *`` must not replace Python's own ``range``, ``min`` or ``slice`` in the importing module.
__all__ = sorted(PUBLIC.keys() - vars(builtins).keys())  # pyright: ignore[reportUnsupportedDunderAll]


def __dir__() -> list[str]:
    return sorted(PUBLIC)


def __getattr__(name: str) -> Any:
    if name.startswith("_"):  # what Python and notebooks probe for
        raise AttributeError(name)
    raise unknown_name("pl", name, PUBLIC)
