"""Makes the calls of the placed function: its own with other operands, and the moves that are inserted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pypto_lite import ir, ops
from pypto_lite.ir import TileLayout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite.analysis.routes import Routes
    from pypto_lite.diagnostics import Span
    from pypto_lite.ir import MemorySpace, TileType


class CallMaker(ops.CallMaker):
    """Makes calls for one run of the pass."""

    def __init__(self, routes: Routes) -> None:
        super().__init__()
        self._routes = routes
        self._moves: dict[tuple[int, MemorySpace], ir.Call] = {}

    def move(self, source: ir.Var, destination: MemorySpace, span: Span) -> ir.Call:
        """A move of a tile as it is inserted."""
        known = self._moves.get((id(source.type), destination))
        if known is not None:
            return ir.Call(known.op, (source,), known.keywords, known.type, {}, span)
        made = ops.call(ops.MOVE, (source,), move_keywords(source, destination, self._routes), span=span)
        if not source.type.symbolic:  # then the type is one object, which stays
            self._moves[id(source.type), destination] = made
        return made


def placed_attributes(attrs: Mapping[str, Any], placed: Mapping[ir.Var, ir.Var]) -> Mapping[str, Any]:
    """The attributes of a call, whose values become the final variables; the same object where none changes."""
    if not attrs:
        return attrs
    changed = {
        name: placed_expression(value, placed) if isinstance(value, ir.Expr) else value for name, value in attrs.items()
    }
    return attrs if all(changed[name] is value for name, value in attrs.items()) else changed


def placed_expression(value: ir.Expr, placed: Mapping[ir.Var, ir.Var]) -> ir.Expr:
    """An expression with the final variables in it; the same object where none changes."""
    if isinstance(value, ir.Var):
        return placed.get(value, value)
    if not isinstance(value, (*ir.CALLS, ir.TupleItem, ir.MakeTuple)):
        return value
    operands = tuple([placed_expression(operand, placed) for operand in value.operands()])
    if operands == value.operands():  # nodes are equal if they are the same
        return value
    if isinstance(value, ir.MakeTuple):
        return ir.MakeTuple(operands, ir.TupleType([each.type for each in operands]), value.span)
    return value.with_operands(operands)


def move_keywords(source: ir.Expr, destination: MemorySpace, routes: Routes) -> dict[str, Any]:
    """The keywords of a move: a boxed tile is laid out flat where the space is flat, and else as the type rule has it,
    unless the target has its tiles laid out otherwise there."""
    keywords: dict[str, Any] = {"target_memory": destination}
    layout = routes.chip.layout(destination)
    is_flattened = not _is_boxed(layout) and _is_boxed(cast("TileType", source.type).effective_view)
    if is_flattened or layout is not ir.implicit_tile_view((), destination):
        keywords["blayout"] = layout.blayout
        keywords["slayout"] = layout.slayout
    return keywords


def _is_boxed(layout: ir.TileView) -> bool:
    """Whether elements lie in boxes, as the cube core wants them."""
    return layout.slayout is not TileLayout.none_box
