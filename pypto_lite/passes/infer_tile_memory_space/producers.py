"""Refuses what is written about a producer that it cannot do: a space that it cannot write, or that does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir, ops
from pypto_lite.diagnostics import Diagnostic
from pypto_lite.ir import MemorySpace, TileType
from pypto_lite.passes.properties.findings import cannot_write, statements

if TYPE_CHECKING:
    from pypto_lite.passes.routes import Routes


def check_producers(function: ir.Function, routes: Routes) -> list[Diagnostic]:
    """All producers of the function that are given a space by hand which they cannot write."""
    found: list[Diagnostic] = []
    for stmt in statements(function):
        if isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call) and isinstance(stmt.var.type, TileType):
            declared = stmt.var.type.space
            if declared is not None:
                found += _check(stmt, stmt.value, declared, routes)
    return found


def _check(stmt: ir.Assign, call: ir.Call, declared: MemorySpace, routes: Routes) -> list[Diagnostic]:
    operator = ops.find(call.op)
    if operator is None:
        return []
    if not routes.exists(declared) and routes.target is not None:
        return [
            Diagnostic("PL408", f"{routes.target.name} has no {declared.name} buffer for {stmt.var.name!r}", stmt.span)
        ]
    result = operator.result_space
    if isinstance(result, MemorySpace):
        possible: frozenset[MemorySpace] = frozenset({result})
    elif isinstance(result, ops.ByKeyword) and result.choices:
        possible = frozenset(result.choices)
    else:
        return []
    if declared in possible:
        return []
    return [cannot_write(call, stmt.var, declared, possible, stmt.span)]
