"""Where tiles are while a function runs: found from what its operators did, and compared with what its types say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir, ops
from pypto_lite.interp.errors import Use
from pypto_lite.interp.sanitizer import problems
from pypto_lite.interp.sanitizer.contents import Content, content_of
from pypto_lite.ir import MemorySpace, TileType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.analysis.routes import Routes
    from pypto_lite.interp.code import Code, Frame


class Operand:
    """A tile operand of a call: its declaration, its slot, and the type that is written next to its value."""

    __slots__ = ("declared", "slot", "type", "use")

    def __init__(self, declared: ops.Operand, slot: int, type_: ir.Type, use: Use) -> None:
        self.declared = declared
        self.slot = slot
        self.type = type_
        self.use = use

    def content(self, frame: Frame, time: int = 0) -> Content:
        return content_of(frame[self.slot], self.type, time)

    def check(self, frame: Frame) -> None:
        """PL511 where the tile is in a space that the operator does not read."""
        buffer = self.content(frame).buffer
        if buffer.space is not None and buffer.space not in self.declared.spaces:
            raise problems.wrong_operand_space(self.use, buffer, buffer.space, self.declared.spaces)


class Result:
    """The tile that a call makes: in which space the operator puts it, and whether that is the one of its type."""

    def __init__(self, name: str, type_: TileType, call: ir.Call, code: Code, routes: Routes) -> None:
        self.name = name
        self.type = type_
        self.operator = ops.lookup(call.op)
        self.call = call
        self.routes = routes
        self._tiles = [
            (arg, code.slot(arg)) for arg in call.args if isinstance(arg, ir.Var) and isinstance(arg.type, TileType)
        ]

    def space(self, frame: Frame) -> MemorySpace | None:
        """The space of the result, None where nothing says. PL512 to PL514 where it can't be there."""
        declared = self.operator.result_space
        space = self._written_to(frame)
        if space is None:
            return None
        if not self.routes.exists(space):
            raise problems.no_such_space(self.name, space, self.routes.target)
        if isinstance(declared, ops.ByKeyword):
            if space not in declared.choices:
                raise problems.wrong_result_space(self.operator.name, self.name, space, declared.choices)
            self._check_route(frame, space)
        if self.type.space is not None and self.type.space is not space:
            raise problems.wrong_result_space(self.operator.name, self.name, self.type.space, (space,))
        return space

    def _written_to(self, frame: Frame) -> MemorySpace | None:
        """Where the operator puts its result; where only placement decides that, what it has decided."""
        declared = self.operator.result_space
        if isinstance(declared, MemorySpace):
            return declared
        if isinstance(declared, ops.ByKeyword):
            return self.call.keywords.get("target_memory", declared.default) or self.type.space
        source = self._storage()
        return self.type.space if source is None else self._space_of(frame, *source) or self.type.space

    def _check_route(self, frame: Frame, space: MemorySpace) -> None:
        """PL513 where the first operand is a tile that is not carried to this space in one move."""
        if not self._tiles or self._tiles[0][0] is not self.call.args[0]:
            return
        tile, slot = self._tiles[0]
        content = content_of(frame[slot], tile.type, 0)
        source = content.buffer.space
        if source is None or self.routes.tolerates(source, space):
            return
        if not self.routes.allows(source, space):
            raise problems.no_route(self.operator.name, tile.name, content.buffer, source, space)
        check_turned(Use(self.operator.name, "", tile.name), content, space, self.routes)

    def _storage(self) -> tuple[ir.Var, int] | None:
        """The operand that the result is in the space of."""
        if self.operator.tied_operand is not None:
            taken = self.call.args[self.operator.tied_operand]
            return next(((tile, slot) for tile, slot in self._tiles if tile is taken), None)
        return self._tiles[0] if self.operator.inherits and self._tiles else None

    def _space_of(self, frame: Frame, tile: ir.Var, slot: int) -> MemorySpace | None:
        return content_of(frame[slot], tile.type, 0).buffer.space


def check_carried(source: Operand, target: Operand, routes: Routes, frame: Frame) -> None:
    """PL513 where an operator carries a tile into another one, and that is neither in its space nor one move away."""
    buffer, space = source.content(frame).buffer, target.content(frame).buffer.space
    if buffer.space is None or space is None:
        return
    if routes.tolerates(buffer.space, space):
        return
    if not routes.carries(buffer.space, space):
        raise problems.no_route(source.use.operator, source.use.value or "", buffer, buffer.space, space)
    check_turned(source.use, source.content(frame), space, routes)


def check_turned(use: Use, content: Content, space: MemorySpace, routes: Routes) -> None:
    """PL513 where a transposed view is carried to the cube side as it is from where that turns nothing around."""
    source = content.buffer.space
    if content.turned and source is not None and source is not space and routes.bars(source, space):
        raise problems.turned_on_the_way(use.operator, use.value or "", content.buffer, source, space)


def check_joins(joins: Sequence[tuple[ir.Var, int]], frame: Frame) -> None:
    """PL515 where a value flows into a name that stands for a tile in another space."""
    for join, slot in joins:
        assert isinstance(join.type, TileType)
        content: Content | None = frame[slot].content
        if content is None or content.buffer.space is None:
            continue
        space = content.buffer.space
        if join.type.space is None or space is join.type.space:
            continue
        raise problems.other_space(join.name, join.type.space, content.buffer, space)
