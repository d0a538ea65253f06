"""Which tiles of a function are one value under several names, and which of its joins pass on what is used.

An alias and a view are the value that they name. A join (a carry with the result of its loop, the result of a branch)
is a value of its own, because it is another one after each iteration or arm, unless whatever flows into it is one
value: then it is that value. So are a carry that every iteration hands on unchanged and carries that only swap one
value among themselves. Joins of one loop or branch into which the same values flow are one value too.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from pypto_lite import ir, ops
from pypto_lite.ir import TileType
from pypto_lite.passes.infer_tile_memory_space.storage import Storages
from pypto_lite.passes.program_points import Point, program_points
from pypto_lite.passes.yields import yielded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class _Slot(NamedTuple):
    """What becomes of one value in a loop or a branch."""

    join: ir.Var
    """The carry, or the result of the branch."""
    result: ir.Var | None
    """Of the loop."""
    inputs: tuple[ir.Var, ...]
    """The init and what is yielded, or what the arms yield, as far as those are tiles with names."""

    @property
    def complete(self) -> bool:
        """Whether all that flows in is known, and in the memory that the join is in."""
        return len(self.inputs) == 2 and all(in_one_memory(self.join, each) for each in self.inputs)


class _Join(NamedTuple):
    """A loop or a branch with the tiles that flow through it."""

    is_loop: bool
    slots: tuple[_Slot, ...]


class TileValues:
    """The tiles of a function as values; built in one walk."""

    def __init__(self, function: ir.Function) -> None:
        self._values = Storages()
        self._used: dict[ir.Var, None] = {}
        """The values that something other than a join reads."""
        joins: list[_Join] = []
        items: dict[tuple[ir.Expr, int], ir.Var] = {}
        for point, stmt in program_points(function.body):
            self._used.update(dict.fromkeys(tiles_read(stmt) if point is not Point.LOOP_END else ()))
            match stmt:
                case ir.Assign(var, ir.TupleItem(ir.Var() as several, index)):
                    self._note(var, items.setdefault((several, index), var))
                case ir.Assign(var):
                    source = named_value(stmt)
                    self._note(var, var if source is None else source)
                case ir.For() | ir.While() if point is Point.LOOP_END:
                    joins.append(_Join(True, _slots(stmt.carries, stmt.results, stmt.inits, yielded(stmt.body))))
                case ir.If(else_body=ir.Block() as otherwise) if point is Point.BRANCH_END:
                    arms = yielded(stmt.then_body), yielded(otherwise)
                    joins.append(_Join(False, _slots(stmt.results, None, *arms)))
                case _:
                    pass
        self._unite(joins)
        self._needed = self._reached(joins)

    def of(self, var: ir.Var) -> ir.Var:
        """The first name of the value of a tile."""
        return self._values.root(var)

    def flows_into(self, join: ir.Var) -> bool:
        """Whether a carry or a result is a value of its own, and something uses it in the end."""
        return join in self._needed

    def _note(self, var: ir.Var, source: ir.Var) -> None:
        if var is not source:
            self._values.share(var, source)

    def _unite(self, joins: Sequence[_Join]) -> None:
        """Finds the joins that are no values of their own: to a fixed point, from the inside out."""
        readers: dict[ir.Var, list[int]] = {}
        for index, join in enumerate(joins):
            for slot in join.slots:
                for each in slot.inputs:
                    readers.setdefault(self.of(each), []).append(index)
        queue = deque(range(len(joins)))
        queued = set(queue)
        while queue:
            index = queue.popleft()
            queued.discard(index)
            for copy, original in self._equal(joins[index]):
                self._values.share(copy, original)
                again = readers.pop(copy, [])
                readers.setdefault(self.of(original), []).extend(again)
                fresh = [each for each in again if each not in queued]
                queue.extend(dict.fromkeys(fresh))
                queued.update(fresh)

    def _equal(self, join: _Join) -> Iterator[tuple[ir.Var, ir.Var]]:
        """Joins that are not values of their own, each with the value that it is."""
        own = [slot for slot in join.slots if slot.complete and self.of(slot.join) is slot.join]
        unchanged = self._unchanged(own) if join.is_loop else {}
        first: dict[tuple[ir.Var, ...], _Slot] = {}
        for slot in own:
            inputs = tuple([self.of(each) for each in slot.inputs])
            if slot.join in unchanged or (not join.is_loop and inputs[0] is inputs[1]):
                yield slot.join, inputs[0]
                if slot.result is not None:
                    yield slot.result, inputs[0]
            elif (twin := first.setdefault(inputs, slot)) is not slot:
                yield slot.join, twin.join
                if slot.result is not None and twin.result is not None:
                    yield slot.result, twin.result

    def _unchanged(self, slots: Iterable[_Slot]) -> dict[ir.Var, ir.Var]:
        """The carries of a loop that hold their inits throughout, which they get back from themselves or each other."""
        held = {slot.join: self.of(slot.inputs[0]) for slot in slots}
        givers = {slot.join: self.of(slot.inputs[1]) for slot in slots}
        takers: dict[ir.Var, list[ir.Var]] = {}
        for carry, giver in givers.items():
            takers.setdefault(giver, []).append(carry)
        changed = [carry for carry, giver in givers.items() if held[carry] is not held.get(giver, giver)]
        while changed:
            carry = changed.pop()
            if held.pop(carry, None) is not None:
                changed += takers.get(carry, [])
        return held

    def _reached(self, joins: Iterable[_Join]) -> set[ir.Var]:
        """The joins that are values of their own and flow to where something reads them."""
        sources: dict[ir.Var, list[ir.Var]] = {}
        for join in joins:
            for slot in join.slots:
                if self.of(slot.join) is slot.join:
                    sources[slot.join] = [self.of(each) for each in slot.inputs]
                    if slot.result is not None:
                        sources[slot.result] = [slot.join]
        found: set[ir.Var] = set()
        pending = [self.of(var) for var in self._used]
        while pending:
            value = pending.pop()
            if value in sources and value not in found:
                found.add(value)
                pending += sources[value]
        return found


def named_value(stmt: ir.Stmt) -> ir.Var | None:
    """The tile that a statement only gives another name, or views."""
    if not isinstance(stmt, ir.Assign):
        return None
    source = stmt.value
    if isinstance(source, ir.Call):
        operator = ops.find(source.op)
        if operator is None or operator.view_of is None:
            return None
        source = source.args[operator.view_of]
    return source if isinstance(source, ir.Var) and in_one_memory(stmt.var, source) else None


def tiles_read(stmt: ir.Stmt) -> list[ir.Var]:
    """The tiles that a statement itself reads. A name or a view reads nothing, nor does what only flows into a join:
    what reads the one or the other reads the tile."""
    match stmt:
        case ir.Block() | ir.Yield():
            return []
        case ir.For():
            operands = (stmt.start, stmt.stop, stmt.step)
        case ir.While():
            operands = (stmt.condition,)
        case _:
            operands = stmt.operands()
    named = named_value(stmt)
    return [
        node
        for operand in operands
        for node in ir.walk(operand)
        if isinstance(node, ir.Var) and node is not named and isinstance(node.type, TileType)
    ]


def in_one_memory(first: ir.Var, second: ir.Var) -> bool:
    """Whether two values are tiles in the same memory, so that they can be in one buffer."""
    return (
        isinstance(first.type, TileType) and isinstance(second.type, TileType) and first.type.space is second.type.space
    )


def _slots(joins: Sequence[ir.Var], results: Sequence[ir.Var] | None, *flowing: Sequence[ir.Expr]) -> tuple[_Slot, ...]:
    found: list[_Slot] = []
    for index, join in enumerate(joins):
        if isinstance(join.type, TileType):
            values = [each[index] for each in flowing if index < len(each)]
            inputs = tuple([each for each in values if isinstance(each, ir.Var) and isinstance(each.type, TileType)])
            result = results[index] if results is not None and index < len(results) else None
            found.append(_Slot(join, result, inputs))
    return tuple(found)
