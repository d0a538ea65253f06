"""Branches in which there is nothing but another branch: one after the other, loops with many ``if c: continue``."""

from __future__ import annotations

from typing import Any

from pypto_lite import ir
from pypto_lite.ir import arithmetic
from pypto_lite.passes.properties.printable import is_too_deep


def with_joined_guards(function: ir.Function) -> ir.Function:
    """The function with ``if a: if b: ...`` as ``if a and b: ...``, where that makes no expression too deep."""
    return ir.rewrite(function, {ir.If: _joined})


def _joined(branch: Any) -> ir.If:
    inner = branch.then_body.statements[0] if len(branch.then_body.statements) == 1 else None
    if (
        not isinstance(inner, ir.If)
        or not _is_guard(branch)
        or not _is_guard(inner)
        or ir.calls_something(inner.condition)
    ):
        return branch
    condition = branch.condition
    for each in _conditions(inner.condition):
        condition = arithmetic.combine("and", condition, each, inner.span)
    if is_too_deep(condition):
        return branch
    comments = (*branch.comments, *inner.comments)
    trailing = (*inner.then_body.trailing_comments, *branch.then_body.trailing_comments)
    return branch.replace(
        condition=condition, then_body=inner.then_body.replace(trailing_comments=trailing), comments=comments
    )


def _is_guard(branch: ir.If) -> bool:
    return branch.else_body is None and not branch.results


def _conditions(condition: ir.Expr) -> list[ir.Expr]:
    """What ``and`` combines, from left to right."""
    found: list[ir.Expr] = []
    while isinstance(condition, ir.Binary) and condition.operator == "and":
        found.append(condition.rhs)
        condition = condition.lhs
    return [condition, *reversed(found)]
