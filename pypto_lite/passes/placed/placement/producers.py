"""Refuses what is written about a producer that it cannot do: a space that it cannot write, or that does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ops
from pypto_lite.diagnostics import Diagnostic
from pypto_lite.ir import MemorySpace
from pypto_lite.passes.properties.findings import cannot_write

if TYPE_CHECKING:
    from pypto_lite import ir
    from pypto_lite.analysis.routes import Routes


def check_producer(
    stmt: ir.Assign, call: ir.Call, operator: ops.Operator, declared: MemorySpace, routes: Routes
) -> Diagnostic | None:
    """The error for a producer that is given a space by hand which it cannot write."""
    if not routes.exists(declared) and routes.target is not None:
        return Diagnostic(
            "PL408", f"{routes.target.name} has no {declared.name} buffer for {stmt.var.name!r}", stmt.span
        )
    result = operator.result_space
    if isinstance(result, MemorySpace):
        possible = (result,)
    elif isinstance(result, ops.ByKeyword):
        possible = result.choices
    else:
        return None
    return None if declared in possible else cannot_write(call, stmt.var, declared, possible, stmt.span)
