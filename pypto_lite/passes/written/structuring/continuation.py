"""Code that is being rearranged: what is still to be done, and what certainly has a value so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pypto_lite import ir


class Continuation(NamedTuple):
    """Statements that are still to be done, from a position in a list on, and the code that follows them.

    ``receivers`` are what a yield among these statements assigns its values to.
    """

    statements: Sequence[ir.Stmt]
    position: int = 0
    receivers: Sequence[ir.Var] = ()
    trailing_comments: tuple[str, ...] = ()
    after: Continuation | None = None

    def is_done(self) -> bool:
        """Whether neither here nor in what follows anything is left to be done."""
        code: Continuation | None = self
        while code is not None and code.position == len(code.statements):
            code = code.after
        return code is None

    def behind_first(self) -> Continuation:
        return self._replace(position=self.position + 1)


def continuation_of(
    block: ir.Block | None, receivers: Sequence[ir.Var] = (), after: Continuation | None = None
) -> Continuation:
    """All of a block, which may be missing, and then ``after``."""
    if block is None:
        return Continuation((), 0, receivers, (), after)
    return Continuation(block.statements, 0, receivers, block.trailing_comments, after)


class Visibility:
    """Which variables certainly have a value at one point.

    Blocks are opened and closed; what a closed block has defined has no certain value after it.
    """

    def __init__(self, known: Iterable[ir.Var]) -> None:
        self._known = set(known)
        self._added: list[ir.Var] = []
        self._around: list[list[ir.Var]] = []

    def __contains__(self, var: ir.Var) -> bool:
        return var in self._known

    def define(self, variables: Iterable[ir.Var]) -> None:
        for var in variables:
            if var not in self._known:
                self._known.add(var)
                self._added.append(var)

    def open(self) -> None:
        self._around.append(self._added)
        self._added = []

    def close(self) -> Sequence[ir.Var]:
        """Ends a block; returns what it has defined."""
        inside = self._added
        self._known.difference_update(inside)
        self._added = self._around.pop()
        return inside

    def define_in_both(self, first: Sequence[ir.Var], second: Sequence[ir.Var]) -> None:
        """Defines what both of two closed blocks have defined."""
        if first and second:
            both = set(second)
            self.define([var for var in first if var in both])
