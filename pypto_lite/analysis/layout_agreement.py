"""Transposed views: which values are some, and whether tiles that meet in a join lie the same way round.

A join has one type, so what reads it takes the rows of every member for rows. A member whose rows and columns are
exchanged, as in a transposed view, would be read the wrong way. Boxes or none, and their size, are no matter of
orientation; nor is it for a tile of one row or one column, which lies in its buffer the same either way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir, ops
from pypto_lite.diagnostics import Diagnostic, Note
from pypto_lite.ir import MemorySpace, TileLayout, TileType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.diagnostics import Span


def transposed_views(statements: Iterable[ir.Stmt]) -> set[ir.Var]:
    """The transposed views among the values of some statements, under whatever aliases, further views and joins."""
    listed = list(statements)
    found = [stmt.var for stmt in listed if isinstance(stmt, ir.Assign) and _is_view(stmt.value)]
    if not found:
        return set()
    names: dict[ir.Var, list[ir.Var]] = {}
    for stmt in listed:
        for later, earlier in _same_tiles(stmt):
            if isinstance(earlier, ir.Var):
                names.setdefault(earlier, []).append(later)
    seen = set(found)
    for var in found:
        for name in names.get(var, ()):
            if name not in seen:
                seen.add(name)
                found.append(name)
    return seen


def _is_view(value: ir.Expr) -> bool:
    operator = ops.find(value.op) if isinstance(value, ir.Call) else None
    return operator is not None and operator.transposes


def _same_tiles(stmt: ir.Stmt) -> Iterable[tuple[ir.Var, ir.Expr]]:
    """The values that a statement gives a further name, each with that name before it."""
    match stmt:
        case ir.Assign(var, ir.Var() as value):
            return [(var, value)]
        case ir.Assign(var, ir.Call() as call):
            operator = ops.find(call.op)
            viewed = None if operator is None else operator.view_of
            return [] if viewed is None else [(var, call.args[viewed])]
        case _:
            phis = stmt.phis()
            incoming = [(phi.var, each.value) for phi in phis for each in phi.incoming]
            return [*incoming, *[(phi.result, phi.var) for phi in phis if phi.result is not None]]


def check_layout_agreement(
    join: ir.Var, first: tuple[ir.Expr, ir.Type], second: tuple[ir.Expr, ir.Type], span: Span
) -> Diagnostic | None:
    """The error (PL405) for two members of a join, each with its type, that lie the one across the other."""
    (one, one_type), (other, other_type) = first, second
    if not isinstance(one_type, TileType) or not isinstance(other_type, TileType):
        return None
    if one_type is other_type or not _differ(one_type, other_type):
        return None
    return Diagnostic(
        "PL405",
        f"{join.name!r} would be read with the layout of {_named(one)}, but {_named(other)} lies across it: rows and "
        "columns are exchanged",
        join.span or span,
        found=f"{_named(one)} {_layout(one_type)}, {_named(other)} {_layout(other_type)}",
        expected="one layout: what flows into a join is transposed in all of its values, or in none",
        notes=[Note(f"{_named(each)} is defined here", each.span) for each in (one, other)],
        hint=_hint(one_type.space),
    )


def _named(value: ir.Expr) -> str:
    return repr(value.name) if isinstance(value, ir.Var) else repr(value)


def _differ(first: TileType, second: TileType) -> bool:
    if any(extent == 1 for extent in first.shape):  # the second has the same shape, as they meet
        return False
    one, other = first.effective_view, second.effective_view
    if (one.slayout is TileLayout.none_box) is not (other.slayout is TileLayout.none_box):
        return False
    return (one.blayout, one.slayout) != (other.blayout, other.slayout)


def _layout(tile: TileType) -> str:
    view = tile.effective_view
    boxes = "" if view.slayout is TileLayout.none_box else f" with {view.slayout.name} boxes"
    return f"is {view.blayout.name}{boxes}"


def _hint(space: MemorySpace | None) -> str:
    both = "take the transposed view in both places, or in neither; or move"
    if space is MemorySpace.Vec:
        return (
            f"{both} one of them under a name of its own, to the layout of the other: pl.move(..., "
            "target_memory=pl.MemorySpace.Vec, blayout=...)"
        )
    return f"{both} each, under a name of its own, to the space where it is read, and let those meet"
