"""Alias classes: which values may be one buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pypto_lite import ir


class AliasClasses:
    """A partition of values into classes of those that may be one buffer, each known by one of its values."""

    def __init__(self) -> None:
        self._parent: dict[ir.Var, ir.Var] = {}

    def share(self, first: ir.Var, second: ir.Var) -> None:
        """Notes that two values may be one buffer."""
        self._parent[self.root(first)] = self.root(second)

    def shared(self, first: ir.Var, second: ir.Var) -> bool:
        """Whether two values may be one buffer."""
        return self.root(first) is self.root(second)

    def root(self, var: ir.Var) -> ir.Var:
        """The value that stands for the buffer of a value."""
        parent = self._parent
        root = var
        while (above := parent.get(root, root)) is not root:
            root = above
        while var is not root:  # path compression
            parent[var], var = root, parent.get(var, var)
        return root
