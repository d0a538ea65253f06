"""Gives tiles that are taken out of several results where they are used a name of their own.

A tile can be placed and copied only as a variable; ``pl.neg(results[1])`` becomes an assignment and a call.
"""

from __future__ import annotations

from typing import Any

from pypto_lite import ir
from pypto_lite.passes.placed.placement.problem import is_tile


def scalarize_tuples(function: ir.Function) -> ir.Function:
    """The function with such a name for each item that is a tile; the same object where nothing has several results."""
    # What a loop carries several results in was assigned first.
    assigned = (stmt.var for stmt in ir.statements(function) if isinstance(stmt, ir.Assign))
    if not any(isinstance(var.type, ir.TupleType) for var in assigned):
        return function
    return ir.rewrite(
        function,
        {
            ir.Assign: _with_named_items,
            ir.Evaluate: _with_named_items,
            ir.Loop: _with_named_operands,
            ir.Yield: _with_named_operands,
            ir.Return: _with_named_operands,
        },
    )


def _with_named_items(stmt: ir.Assign | ir.Evaluate) -> ir.Stmt | list[ir.Stmt]:
    if not isinstance(stmt.value, (ir.Call, ir.FunctionCall)):
        return stmt
    named, operands = _named(stmt.value.operands(), stmt)
    return [*named, stmt.replace(value=stmt.value.with_operands(operands))] if named else stmt


def _with_named_operands(stmt: ir.Loop | ir.Yield | ir.Return) -> ir.Stmt | list[ir.Stmt]:
    named, operands = _named(stmt.operands(), stmt)
    return [*named, stmt.with_operands(operands)] if named else stmt


def _named(operands: tuple[ir.Expr, ...], stmt: ir.Stmt) -> tuple[list[ir.Stmt], tuple[Any, ...]]:
    """Assignments of the items among some operands, and the operands with variables in their place."""
    named: list[ir.Stmt] = []
    changed: list[ir.Expr] = []
    for operand in operands:
        if isinstance(operand, ir.TupleItem) and is_tile(operand):
            span = operand.span or stmt.span
            name = operand.tuple.name if isinstance(operand.tuple, ir.Var) else "item"
            var = ir.Var(f"{name}_{operand.index}", operand.type, span)
            named.append(ir.Assign(var, operand, span))
            changed.append(var)
        else:
            changed.append(operand)
    return named, tuple(changed)
