"""Makes the calls of the placed function: its own with other operands, and the moves that are inserted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from pypto_lite import ir, ops
from pypto_lite.ir import MemorySpace, TileLayout

if TYPE_CHECKING:
    from pypto_lite.diagnostics import Span
    from pypto_lite.ir import TileType

FLAT_SPACES: Final = frozenset({MemorySpace.Vec, MemorySpace.Bias})
"""The spaces whose tiles do not lie in boxes."""


class CallMaker(ops.CallMaker):
    """Makes calls for one run of the pass."""

    def __init__(self) -> None:
        super().__init__()
        self._moves: dict[tuple[int, MemorySpace], ir.Call] = {}

    def move(self, source: ir.Var, destination: MemorySpace, span: Span) -> ir.Call:
        """A move of a tile as it is inserted."""
        known = self._moves.get((id(source.type), destination))
        if known is not None:
            return ir.Call(known.op, (source,), known.keywords, known.type, {}, span)
        made = ops.call(ops.MOVE, (source,), move_keywords(source, destination), span=span)
        if not source.type.symbolic:  # then the type is one object, which stays
            self._moves[id(source.type), destination] = made
        return made


def move_keywords(source: ir.Expr, destination: MemorySpace) -> dict[str, Any]:
    """The keywords of a move: a boxed tile is laid out flat where the space is flat, and else as the space wants it."""
    keywords: dict[str, Any] = {"target_memory": destination}
    if destination in FLAT_SPACES and is_boxed(source):
        keywords["blayout"] = TileLayout.row_major
        keywords["slayout"] = TileLayout.none_box
    return keywords


def is_boxed(tile: ir.Expr) -> bool:
    """Whether a tile's elements lie in boxes, as the cube core wants them."""
    return cast("TileType", tile.type).effective_view.slayout is not TileLayout.none_box
