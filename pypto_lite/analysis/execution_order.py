"""Which statements can run after which: by their order, by the arms they stand in, by the loops around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.ir import Point

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class ExecutionOrder:
    """The place of every statement of a function: its number in program order, and the block that it stands in."""

    def __init__(self, body: ir.Block) -> None:
        self._numbers: dict[ir.Stmt, int] = {}
        self._around: dict[ir.Stmt, tuple[ir.Stmt, ir.Block | None] | None] = {}
        nest: list[tuple[ir.Stmt, ir.Block | None] | None] = [None]
        for point, stmt, region in ir.program_order(body):
            if point is Point.END:
                nest.pop()
            elif region is not None:
                nest.append((stmt, region.block))
            elif point is not Point.LEAVE:
                self._numbers[stmt] = len(self._numbers)
                self._around[stmt] = nest[-1]

    def statements(self) -> Iterator[ir.Stmt]:
        """All statements, each before what is in it."""
        return iter(self._numbers)

    def number(self, stmt: ir.Stmt) -> int:
        """How many statements come before it."""
        return self._numbers[stmt]

    def loops(self, stmt: ir.Stmt) -> Iterator[ir.Loop]:
        """The loops around a statement, the innermost first."""
        for outer, _ in self._blocks(stmt):
            if isinstance(outer, ir.Loop):
                yield outer

    def in_loop(self, stmt: ir.Stmt, loop: ir.Loop) -> bool:
        """Whether a statement stands in the body of a loop."""
        return any(each is loop for each in self.loops(stmt))

    def may_precede(self, first: ir.Stmt, second: ir.Stmt, survives: Callable[[ir.Loop], bool]) -> bool:
        """Whether ``second`` can run after ``first``: later in the same iteration of all loops, or in a later one.

        ``survives`` says for which loops an iteration can still see what it is about from the one before.
        """
        if self._numbers[first] < self._numbers[second] and not self._exclusive(first, second):
            return True
        around = set(self.loops(second))
        return any(loop in around and survives(loop) for loop in self.loops(first))

    def _exclusive(self, first: ir.Stmt, second: ir.Stmt) -> bool:
        """Whether two statements stand in different arms of one branch."""
        arms = dict(self._blocks(first))
        return any(arms.get(stmt, block) is not block for stmt, block in self._blocks(second))

    def _blocks(self, stmt: ir.Stmt) -> Iterator[tuple[ir.Stmt, ir.Block | None]]:
        """The statements around one, from the inside out, each with its block that holds it."""
        around = self._around[stmt]
        while around is not None:
            yield around
            around = self._around[around[0]]
