"""An inventory of the loops of a function: where each value is made, every use of it, and what orders memory."""

from __future__ import annotations

import bisect
from typing import NamedTuple, TypeGuard

from pypto_lite import ir, ops
from pypto_lite.ir import ForKind, MemorySpace, Point, RegionKind


class Place(NamedTuple):
    """Where a value is assigned: its number in program order, its innermost loop, and its place in the loop's body.

    ``conditional`` says that a branch lies between; then the position is that within the arm.
    """

    number: int
    loop: ir.Loop | None
    position: int
    conditional: bool


class Occurrence(NamedTuple):
    """One occurrence of a value: in a statement, and there as an argument of a call, or not."""

    stmt: ir.Stmt
    call: ir.Call | None
    argument: int

    def is_operand_in(self, space: MemorySpace) -> bool:
        """Whether it is an operand that a matrix operator reads from ``space`` only."""
        operator = ops.find(self.call.op) if self.call is not None else None
        return (
            operator is not None
            and operator.core is ops.Core.CUBE
            and (operator.operands[self.argument].spaces == (space,))
        )


class Closing(NamedTuple):
    """The first direct statement of a loop's body that nothing may be moved across."""

    stmt: ir.Stmt
    position: int


class _Context:
    """What lies around a statement list, and the position of the next statement in it."""

    __slots__ = ("conditional", "loop", "pipeline", "position")

    def __init__(self, loop: ir.Loop | None, conditional: bool, pipeline: bool) -> None:
        self.loop = loop
        self.conditional = conditional
        self.pipeline = pipeline
        self.position = 0

    def inside(self, stmt: ir.Stmt, region: ir.Region) -> _Context:
        """What lies around the statements of a region."""
        if isinstance(stmt, ir.Loop):
            pipeline = isinstance(stmt, ir.For) and stmt.kind is ForKind.Pipeline
            return _Context(stmt, False, self.pipeline or pipeline)
        if region.kind is RegionKind.ARM:
            return _Context(self.loop, True, self.pipeline)
        return self  # what a scope holds is a part of the list around it


class Inventory:
    """Everything about a function's loops that moving loads out of them needs; one walk."""

    def __init__(self, function: ir.Function) -> None:
        self.assigns: dict[ir.Var, ir.Assign] = {}
        self.places: dict[ir.Var, Place] = {}
        self.uses: dict[ir.Var, list[Occurrence]] = {}
        self._defined: dict[ir.Var, int] = {}
        self._extent: dict[ir.Stmt, tuple[int, int]] = {}
        self._closing: dict[ir.Stmt, Closing] = {}
        self._ordering: list[tuple[int, ir.Expr]] = []
        self._in_pipeline: set[ir.Var] = set()
        self._count = 0
        self._walk(function)

    def variant_in(self, loop: ir.Loop, root: ir.Node) -> ir.Var | None:
        """A variable in an expression that is defined in the loop, its own variable and carries included."""
        start, end = self._extent[loop]
        for node in ir.walk(root):
            if isinstance(node, ir.Var) and start <= self._defined.get(node, -1) < end:
                return node
        return None

    def ordering_effect(self, loop: ir.Loop) -> ir.Expr | None:
        """A call in the loop's header or anywhere in its body that may order memory accesses."""
        start, end = self._extent[loop]
        first = bisect.bisect_left(self._ordering, start, key=lambda entry: entry[0])
        if first < len(self._ordering) and self._ordering[first][0] < end:
            return self._ordering[first][1]
        return None

    def closing_statement(self, loop: ir.Loop) -> Closing | None:
        """The first statement directly in the loop's body with an effect, or with blocks of its own."""
        return self._closing.get(loop)

    def in_pipeline(self, var: ir.Var) -> bool:
        """Whether a value is assigned somewhere in a pipeline loop."""
        return var in self._in_pipeline

    def _walk(self, function: ir.Function) -> None:
        nest = [_Context(None, False, False)]
        for point, stmt, region in ir.program_order(function.body):
            around = nest[-1]
            if point is Point.END:
                nest.pop()
            elif region is not None:
                nest.append(around.inside(stmt, region))
            elif point is Point.LEAVE:
                if isinstance(stmt, ir.Loop):
                    self._extent[stmt] = (self._extent[stmt][0], self._count + 1)
            else:
                self._count += 1
                if isinstance(stmt, ir.Loop):
                    self._extent[stmt] = (self._count, self._count)
                place = Place(self._count, around.loop, around.position, around.conditional)
                around.position += 1
                self._record(stmt, place, around.pipeline)

    def _record(self, stmt: ir.Stmt, place: Place, pipeline: bool) -> None:
        if isinstance(stmt, ir.Assign):
            self.assigns[stmt.var] = stmt
            self.places[stmt.var] = place
            if pipeline:
                self._in_pipeline.add(stmt.var)
        for var in stmt.definitions():
            self._defined[var] = self._count
        for operand in stmt.operands():
            self._record_uses(stmt, operand)
        if place.loop is not None and not place.conditional and place.loop not in self._closing and _closes(stmt):
            self._closing[place.loop] = Closing(stmt, place.position)

    def _record_uses(self, stmt: ir.Stmt, root: ir.Expr) -> None:
        if isinstance(root, ir.Var):
            self.uses.setdefault(root, []).append(Occurrence(stmt, None, 0))
        for node in ir.walk(root):
            if _orders(node):
                self._ordering.append((self._count, node))
            call = node if isinstance(node, ir.Call) else None
            for index, child in enumerate(node.children()):
                if isinstance(child, ir.Var):
                    self.uses.setdefault(child, []).append(Occurrence(stmt, call, index))


def _orders(node: ir.Node) -> TypeGuard[ir.Expr]:
    """Whether an expression may order memory accesses: a call of a function, work across cores or a synchronisation, an
    unknown operator."""
    if isinstance(node, (ir.FunctionCall, ir.Submit)):
        return True
    if not isinstance(node, ir.Call):
        return False
    operator = ops.find(node.op)
    return operator is None or operator.synchronises or operator.core is ops.Core.MIXED


def _closes(stmt: ir.Stmt) -> bool:
    """Whether nothing may be moved across a statement: it has blocks of its own, or an effect."""
    if stmt.blocks():
        return True
    if not isinstance(stmt, (ir.Assign, ir.Evaluate)) or not isinstance(stmt.value, ir.Call):
        return False
    call = stmt.value
    operator = ops.find(call.op)
    if operator is None:
        return True
    return any(operand.effect_with(call.keywords) is not ops.Effect.READ for operand in operator.operands)
