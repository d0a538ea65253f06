"""Which values may share a buffer, and in which blocks a buffer is changed in place.

A copy of a tile is stale once the tile's buffer has been written to, under whatever name. Aliases, views, and the
values that meet in a join may be one buffer.
"""

from __future__ import annotations

from pypto_lite import ir


class Storages:
    """A union of values into storages, and the statements that write to one."""

    def __init__(self) -> None:
        self._parent: dict[ir.Var, ir.Var] = {}
        self._writes: dict[ir.Stmt, list[ir.Var]] = {}

    def share(self, first: ir.Var, second: ir.Var) -> None:
        """Notes that two values may be one buffer."""
        self._parent[self.root(first)] = self.root(second)

    def shared(self, first: ir.Var, second: ir.Var) -> bool:
        """Whether two values may be one buffer."""
        return self.root(first) is self.root(second)

    def write(self, var: ir.Var, stmt: ir.Stmt) -> None:
        """Notes that a statement changes a tile in place."""
        self._writes.setdefault(stmt, []).append(var)

    def result(self, body: ir.Block) -> tuple[dict[ir.Var, int], dict[ir.Block, frozenset[int]]]:
        """The storage of each tile, by number, and for each block the storages that are written in it.

        Both are empty where nothing is written in place: then no copy ever becomes stale.
        """
        if not self._writes:
            return {}, {}
        numbers: dict[ir.Var, int] = {}
        storage: dict[ir.Var, int] = {}
        written = {self.root(var) for writes in self._writes.values() for var in writes}
        for var in (*self._parent, *(var for writes in self._writes.values() for var in writes)):
            root = self.root(var)
            if root in written:
                storage[var] = storage[root] = numbers.setdefault(root, len(numbers))
        return storage, self._written_blocks(body, storage)

    def _written_blocks(self, body: ir.Block, storage: dict[ir.Var, int]) -> dict[ir.Block, frozenset[int]]:
        """Bottom up over the nest of blocks."""
        order: list[tuple[ir.Block, ir.Block | None]] = [(body, None)]
        for block, _ in order:
            for stmt in block.statements:
                order.extend([(inner, block) for inner in ([stmt] if isinstance(stmt, ir.Block) else stmt.blocks())])
        collected: dict[ir.Block, set[int]] = {}
        for block, parent in reversed(order):
            own = collected.setdefault(block, set())
            for stmt in block.statements:
                own.update(storage[var] for var in self._writes.get(stmt, ()))
            if parent is not None:
                collected.setdefault(parent, set()).update(own)
        return {block: frozenset(numbers) for block, numbers in collected.items() if numbers}

    def root(self, var: ir.Var) -> ir.Var:
        """The value that stands for the buffer of a value."""
        parent = self._parent
        root = var
        while (above := parent.get(root, root)) is not root:
            root = above
        while var is not root:  # path compression
            parent[var], var = root, parent.get(var, var)
        return root
