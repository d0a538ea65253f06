"""Which tiles of a function are one value under several names, and which of its joins pass on what is used.

An alias and a view are the value that they name, and so is what ``tile.write`` gives: the tile itself, changed. A join
(a carry, the result of a loop or a branch) is a value of its own, because it is another one after each iteration or
arm, unless whatever flows into it is one value (``equal_joins``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite import ir
from pypto_lite.ir import TileType
from pypto_lite.passes.equal_joins import Join, Slot, unite_equal_joins
from pypto_lite.passes.program_points import Point
from pypto_lite.passes.storages import Storages
from pypto_lite.passes.tile_accesses import in_one_memory
from pypto_lite.passes.yields import yielded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pypto_lite.passes.equal_joins import JoinStep
    from pypto_lite.passes.tile_accesses import Access

CREATE: Final = "tile.create"


class TileValues:
    """The tiles of a function as values."""

    def __init__(self, accesses: Iterable[Access]) -> None:
        self._values = Storages()
        used: dict[ir.Var, None] = {}
        created: set[ir.Var] = set()
        steps: list[JoinStep] = []
        items: dict[tuple[ir.Expr, int], ir.Var] = {}
        for access in accesses:
            point, stmt = access.point, access.stmt
            for var in access.reads:
                used[var] = None
            if isinstance(stmt, ir.Assign):
                if isinstance(stmt.value, ir.Call) and stmt.value.op == CREATE:
                    created.add(stmt.var)
                elif isinstance(stmt.value, ir.TupleItem) and isinstance(stmt.value.tuple, ir.Var):
                    self._note(stmt.var, items.setdefault((stmt.value.tuple, stmt.value.index), stmt.var))
                else:
                    self._note(stmt.var, access.names or access.gives_back)
            elif isinstance(stmt, (ir.For, ir.While)):
                steps.append((point, Join(True, _slots(stmt.carries, stmt.results, stmt.inits, stmt.body))))
            elif isinstance(stmt, ir.If) and stmt.else_body is not None and point is Point.BRANCH_END:
                steps.append((point, Join(False, _slots(stmt.results, (), yielded(stmt.then_body), stmt.else_body))))
        unite_equal_joins(steps, self._values)
        worked_on = {self.of(var) for var in used}
        sources = self._sources(join for _, join in steps)
        self._needed = _reached(sources, worked_on)
        self._empty = _empty(sources, created, worked_on)

    def of(self, var: ir.Var) -> ir.Var:
        """The first name of the value of a tile."""
        return self._values.root(var)

    def flows_into(self, join: ir.Var) -> bool:
        """Whether a carry or a result is a value of its own, and something uses it in the end."""
        return join in self._needed

    def starts_empty(self, value: ir.Var) -> bool:
        """Whether a value holds nothing before an operator works on it: a created tile, or a join of such tiles."""
        return value in self._empty

    def _note(self, var: ir.Var, source: ir.Var | None) -> None:
        if source is not None and var is not source:
            self._values.share(var, source)

    def _sources(self, joins: Iterable[Join]) -> dict[ir.Var, list[ir.Var]]:
        """The joins that are values of their own, each with the values that flow into it."""
        sources: dict[ir.Var, list[ir.Var]] = {}
        for join in joins:
            for slot in join.slots:
                if self.of(slot.join) is slot.join:
                    sources[slot.join] = [self.of(each) for each in slot.inputs]
                    if slot.result is not None:
                        sources[slot.result] = [slot.join]
        return sources


def _reached(sources: Mapping[ir.Var, Sequence[ir.Var]], used: Iterable[ir.Var]) -> set[ir.Var]:
    """The joins that flow to where something reads them."""
    found: set[ir.Var] = set()
    pending = list(used)
    while pending:
        value = pending.pop()
        if value in sources and value not in found:
            found.add(value)
            pending += sources[value]
    return found


def _empty(sources: Mapping[ir.Var, Sequence[ir.Var]], created: set[ir.Var], worked_on: set[ir.Var]) -> set[ir.Var]:
    """The created tiles, and the joins into which nothing flows but created tiles that no operator works on."""
    takers: dict[ir.Var, list[ir.Var]] = {}
    filled: set[ir.Var] = set()
    pending: list[ir.Var] = []
    for join, values in sources.items():
        for value in values:
            takers.setdefault(value, []).append(join)
            if value in worked_on or (value not in sources and value not in created):
                pending.append(join)
    while pending:
        join = pending.pop()
        if join not in filled:
            filled.add(join)
            pending += takers.get(join, [])
    return created | (sources.keys() - filled)


def _slots(
    joins: Sequence[ir.Var], results: Sequence[ir.Var], first: Sequence[ir.Expr], last: ir.Block
) -> tuple[Slot, ...]:
    """The tiles among the joins, with what flows into them: the first values, and what the block yields."""
    found: list[Slot] = []
    ways = (first, yielded(last))
    for index, join in enumerate(joins):
        if isinstance(join.type, TileType):
            flowing = [each[index] for each in ways if index < len(each)]
            inputs = tuple([each for each in flowing if isinstance(each, ir.Var) and isinstance(each.type, TileType)])
            is_known = len(inputs) == 2 and all(in_one_memory(join, each) for each in inputs)
            found.append(Slot(join, results[index] if index < len(results) else None, inputs, is_known))
    return tuple(found)
