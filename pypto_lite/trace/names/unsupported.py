"""Names of PyPTO's language that ours does not have yet, and what a kernel can say instead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite import ops
from pypto_lite.diagnostics import NO_SPAN, Diagnostic, Span

if TYPE_CHECKING:
    from collections.abc import Mapping

_NO_CHOICE: Final = "leave it out: nothing is shared out between vector cores yet"

INSTEAD: Final[Mapping[str, str]] = {
    # Kernels
    "jit": "put @pl.function(type=pl.FunctionType.InCore) above a function that works on tiles; several of them go "
    "into a class under @pl.program",
    "RUNTIME": "annotate the parameter with pl.Scalar[...]: what it is, is known when the kernel runs",
    "func_attr": "give the attributes to the decorator: @pl.function(attrs={...})",
    # Scopes, tasks and their options
    "auto_chunk": "write the loop over the chunks: for i in pl.range(n):",
    "cross_core_slot": _NO_CHOICE,
    "optimizations": _NO_CHOICE,
    "split": _NO_CHOICE,
    "split_aiv": "write the body for one vector core; pl.get_subblock_idx() is its number",
    "spmd_submit": "submit each block: for i in pl.range(n): with a pl.submit(self.function, ...) in it",
    "adir": "annotate the parameters that the function writes: pl.Out[...] or pl.InOut[...]",
    "no_dep": "pass the argument itself",
    "TaskId": "the type of a task is pl.Scalar[pl.TASK_ID]",
    # Data
    "distributed": "write the kernel for one device",
    "prefetch": "leave it out: pl.load brings what it is asked for",
    "tile.max": "pl.max takes scalars, pl.maximum tiles",
    "tile.min": "pl.min takes scalars, pl.minimum tiles",
    # Looking at a kernel
    "dump_tag": "pl.print shows a value in a run",
    "parser": "what is wrong with a kernel is a pypto_lite.diagnostics.UserError",
}
"""By spelling after ``pl.``."""


def not_supported(spelling: str, span: Span = NO_SPAN) -> Diagnostic | None:
    """What is to be said of ``pl.<spelling>`` where PyPTO has such a name and we have none; None for any other."""
    instead = INSTEAD.get(spelling)
    if instead is not None:
        return Diagnostic("PL209", f"pl.{spelling} is not supported yet", span, hint=instead)
    diagnostic = ops.unknown_operator(spelling, span)
    return diagnostic if diagnostic.code == "PL209" else None
