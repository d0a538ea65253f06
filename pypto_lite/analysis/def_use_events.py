"""Def-use events: where a function assigns and reads its variables, and which of them cross the borders of regions.

The function is walked once and written down as a list of events: a variable is read or assigned, a region begins or
ends. Everything else is a loop over that list, forward or backward. A variable counts for a region only where it is
assigned in it and occurs outside it as well, so the names that a loop uses for itself cost nothing in the loops around
it.
"""

from __future__ import annotations

import enum
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from pypto_lite import ir
from pypto_lite.ir import Point, RegionKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def count_definitions(function: ir.Function) -> Counter[ir.Var]:
    """How often each variable of a function is defined; more than once before conversion to SSA only."""
    definitions = Counter(function.params)
    for statement in ir.statements(function):
        definitions.update(statement.definitions())
    return definitions


class Extent:
    """A part of a function: a region, or a branch with both its arms (its ``kind`` is None), or the whole function.

    ``assigned`` are the variables that are assigned in it and occur outside it as well.
    """

    __slots__ = ("assigned", "is_open", "kind", "parent", "statement")

    def __init__(self, kind: RegionKind | None, statement: ir.Stmt | None = None) -> None:
        self.kind = kind
        self.statement = statement
        self.parent: Extent | None = None
        self.is_open = False
        self.assigned: dict[ir.Var, None] = {}
        """In the order of their first assignment."""


class EventKind(enum.Enum):
    """What happens in an event."""

    READ = "read"
    ASSIGN = "assign"
    BEGIN = "begin"
    END = "end"


Event: TypeAlias = "tuple[EventKind, ir.Var | None, Extent]"
"""What happens, to which variable (none where an extent begins or ends), and in which extent, or to which."""


class DefUseEvents:
    """The events of one function, and its extents in the order in which they begin."""

    def __init__(self, function: ir.Function, tracked: Collection[ir.Var]) -> None:
        """Only ``tracked`` variables are looked at."""
        self.events: list[Event] = []
        self.extents: list[Extent] = []
        self._tracked = tracked
        self._current = Extent(None)
        self._current.is_open = True
        self._homes: dict[ir.Var, Extent] = {}
        """For each variable the innermost extent around all its occurrences."""
        self._assign(function.params)
        for point, statement, region in ir.program_order(function.body):
            if region is None:
                self._visit(point, statement)
            elif point is Point.BEGIN:
                self._begin_region(region, statement)
            else:
                self._end()
        self._note_assigned()

    def _visit(self, point: Point, statement: ir.Stmt) -> None:
        if point is not Point.LEAVE:
            for operand in statement.entry_operands():
                self._read(operand)
        if point is Point.STATEMENT:
            self._assign(statement.definitions())
        elif isinstance(statement, ir.If):
            if point is Point.ENTER:
                self._begin(Extent(None, statement))
            else:
                self._end()
        if point is Point.LEAVE:
            for region in statement.regions():
                # A condition is evaluated once more than its body, so behind it the carries have a value.
                if region.condition is not None:
                    self._assign(region.parameters)
            self._assign(statement.exit_definitions())

    def _begin_region(self, region: ir.Region, statement: ir.Stmt) -> None:
        extent = Extent(region.kind, statement)
        if region.kind is RegionKind.SECTION:  # its variables are those of what is around it
            self._assign(region.parameters)
            self._begin(extent)
            return
        self._begin(extent)
        self._assign(region.parameters)
        if region.condition is not None:
            self._read(region.condition)

    def _begin(self, extent: Extent) -> None:
        extent.parent = self._current
        extent.is_open = True
        self._current = extent
        self.extents.append(extent)
        self.events.append((EventKind.BEGIN, None, extent))

    def _end(self) -> None:
        extent = self._current
        extent.is_open = False
        assert extent.parent is not None
        self._current = extent.parent
        self.events.append((EventKind.END, None, extent))

    def _assign(self, variables: Iterable[ir.Var]) -> None:
        for var in variables:
            self._occur(EventKind.ASSIGN, var)

    def _read(self, expression: ir.Expr) -> None:
        for node in ir.walk(expression):
            if isinstance(node, ir.Var):
                self._occur(EventKind.READ, node)

    def _occur(self, act: EventKind, var: ir.Var) -> None:
        if var not in self._tracked:
            return
        self.events.append((act, var, self._current))
        self._note_home(var)
        for expression in var.type.expressions() if var.type.symbolic else ():
            for node in ir.walk(expression):
                if isinstance(node, ir.Var) and node in self._tracked:
                    self._note_home(node)

    def _note_home(self, var: ir.Var) -> None:
        """A variable occurs in the current extent, in code or in the type of what occurs there."""
        home = self._homes.get(var, self._current)
        # A extent that has ended does not lie around this place; its nearest open parent does.
        while not home.is_open:
            assert home.parent is not None
            home = home.parent
        self._homes[var] = home

    def _note_assigned(self) -> None:
        for act, var, extent in self.events:
            if act is not EventKind.ASSIGN or var is None:
                continue
            home = self._homes[var]
            while extent is not home and var not in extent.assigned:
                extent.assigned[var] = None
                assert extent.parent is not None
                extent = extent.parent
