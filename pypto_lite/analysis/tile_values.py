"""Which tiles of a function are one value under several names, and which of its phis pass on what is used.

An alias and a view are the value that they name, and so is what ``tile.write`` gives: the tile itself, changed. A phi
(a carry, the result of a loop or a branch) is a value of its own, because it is another one after each iteration or
arm, unless it is trivial (``trivial_phis``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir, ops
from pypto_lite.analysis.accesses import in_one_memory
from pypto_lite.analysis.alias_classes import AliasClasses
from pypto_lite.analysis.trivial_phis import PhiStep, TilePhi, unite_trivial_phis
from pypto_lite.ir import Point, TileType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pypto_lite.analysis.accesses import TileAccess


class TileValues:
    """The tiles of a function as values."""

    def __init__(self, accesses: Iterable[TileAccess]) -> None:
        self._values = AliasClasses()
        used: dict[ir.Var, None] = {}
        created: set[ir.Var] = set()
        steps: list[PhiStep] = []
        items: dict[tuple[ir.Expr, int], ir.Var] = {}
        for access in accesses:
            point, stmt = access.point, access.stmt
            for var in access.reads:
                used[var] = None
            if isinstance(stmt, ir.Assign):
                if isinstance(stmt.value, ir.Call) and _allocates(stmt.value):
                    created.add(stmt.var)
                elif isinstance(stmt.value, ir.TupleItem) and isinstance(stmt.value.tuple, ir.Var):
                    self._note(stmt.var, items.setdefault((stmt.value.tuple, stmt.value.index), stmt.var))
                else:
                    self._note(stmt.var, access.names or access.updated_operand)
            elif point is Point.LEAVE or (point is Point.ENTER and isinstance(stmt, ir.Loop)):
                phis = _tile_phis(stmt)
                if phis:
                    steps.append(PhiStep(point, isinstance(stmt, ir.Loop), phis))
        unite_trivial_phis(steps, self._values)
        worked_on = {self.of(var) for var in used}
        sources = self._sources([phi for step in steps for phi in step.phis])
        self._needed = _reached(sources, worked_on)
        self._empty = _empty(sources, created, worked_on)

    def of(self, var: ir.Var) -> ir.Var:
        """The first name of the value of a tile."""
        return self._values.root(var)

    def flows_into(self, phi: ir.Var) -> bool:
        """Whether a carry or a result is a value of its own, and something uses it in the end."""
        return phi in self._needed

    def starts_empty(self, value: ir.Var) -> bool:
        """Whether a value holds nothing before an operator works on it: a created tile, or a phi of such tiles."""
        return value in self._empty

    def _note(self, var: ir.Var, source: ir.Var | None) -> None:
        if source is not None and var is not source:
            self._values.share(var, source)

    def _sources(self, phis: Iterable[TilePhi]) -> dict[ir.Var, list[ir.Var]]:
        """The phis that are values of their own, each with the values that flow into it."""
        sources: dict[ir.Var, list[ir.Var]] = {}
        for phi in phis:
            if self.of(phi.var) is phi.var:
                sources[phi.var] = [self.of(each) for each in phi.incoming]
                if phi.result is not None:
                    sources[phi.result] = [phi.var]
        return sources


def _allocates(call: ir.Call) -> bool:
    operator = ops.find(call.op)
    return operator is not None and operator.allocates


def _reached(sources: Mapping[ir.Var, Sequence[ir.Var]], used: Iterable[ir.Var]) -> set[ir.Var]:
    """The phis that flow to where something reads them."""
    found: set[ir.Var] = set()
    pending = list(used)
    while pending:
        value = pending.pop()
        if value in sources and value not in found:
            found.add(value)
            pending += sources[value]
    return found


def _empty(sources: Mapping[ir.Var, Sequence[ir.Var]], created: set[ir.Var], worked_on: set[ir.Var]) -> set[ir.Var]:
    """The created tiles, and the phis into which nothing flows but created tiles that no operator works on."""
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


def _tile_phis(stmt: ir.Stmt) -> tuple[TilePhi, ...]:
    """The phis of tiles among those of a statement."""
    found: list[TilePhi] = []
    for phi in stmt.phis():
        if isinstance(phi.var.type, TileType):
            values = [each.value for each in phi.incoming]
            named = tuple([each for each in values if isinstance(each, ir.Var) and isinstance(each.type, TileType)])
            is_known = len(named) == 2 and all(in_one_memory(phi.var, each) for each in named)
            found.append(TilePhi(phi.var, phi.result, named, is_known))
    return tuple(found)
