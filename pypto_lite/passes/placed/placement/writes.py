"""In which statements and blocks the buffers of tiles are changed.

A copy of a tile is stale once the tile's buffer has been written to, under whatever name. Aliases and views share a
buffer, a result that takes over an operand does with it, and so do the values that meet in a join, unless they are
copied on the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.analysis.alias_classes import AliasClasses
from pypto_lite.ir import Point

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite.passes.placed.placement.problem import Problem


class Writes:
    """The buffers that a function with decided groups writes to, each known by the value that stands for it."""

    def __init__(self, problem: Problem, body: ir.Block) -> None:
        self._storages = AliasClasses()
        self._written: dict[ir.Var, ir.Stmt] = {}
        """The buffers that are written to, each with the first statement that does so."""
        self._by_statement: dict[ir.Stmt, dict[ir.Var, ir.Stmt]] = {}
        self._by_block: dict[ir.Block, dict[ir.Var, ir.Stmt]] = {}
        written = [(stmt, var) for stmt, var, spaces in problem.writes if not spaces or problem.space(var) in spaces]
        if not written:
            return
        for first, second in (*problem.same_buffer, *problem.taken_over):
            if first in problem.eclass_of and problem.space(first) is problem.space(second):
                self._storages.share(first, second)
        for stmt, var in written:
            root = self._storages.root(var)
            self._written.setdefault(root, stmt)
            self._by_statement.setdefault(stmt, {})[root] = stmt
        self._collect_blocks(body)

    def buffer(self, var: ir.Var) -> ir.Var | None:
        """What stands for the buffer of a tile, if it is ever written to."""
        if not self._written:
            return None
        root = self._storages.root(var)
        return root if root in self._written else None

    def first(self, var: ir.Var) -> ir.Stmt | None:
        """The first statement that writes to the buffer of a tile, if there is one."""
        buffer = self.buffer(var)
        return None if buffer is None else self._written[buffer]

    def at(self, stmt: ir.Stmt) -> Mapping[ir.Var, ir.Stmt]:
        """The buffers that a plain statement writes to, each with that statement."""
        return self._by_statement.get(stmt, {})

    def inside(self, block: ir.Block) -> Mapping[ir.Var, ir.Stmt]:
        """The buffers that are written to somewhere in a block, each with a statement that does so."""
        return self._by_block.get(block, {})

    def _collect_blocks(self, body: ir.Block) -> None:
        """Bottom up over the nest of blocks; of several writes in a block the last one directly in it counts."""
        direct: list[dict[ir.Var, ir.Stmt]] = [{}]
        nested: list[dict[ir.Var, ir.Stmt]] = [{}]
        for point, stmt, region in ir.program_order(body):
            if point is Point.STATEMENT:
                direct[-1].update(self.at(stmt))
            elif point is Point.BEGIN:
                direct.append({})
                nested.append({})
            elif point is Point.END:
                inside = {**nested.pop(), **direct.pop()}
                if inside and region is not None and region.block is not None:
                    self._by_block[region.block] = inside
                    nested[-1] = {**inside, **nested[-1]}
