"""Collects the statements of a new block and keeps the comments of those that are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir

if TYPE_CHECKING:
    from collections.abc import Sequence


class Output:
    """The statements of a new block. Comments whose statement is left out go to the next one, or to the block's end."""

    def __init__(self) -> None:
        self.statements: list[ir.Stmt] = []
        self._waiting: tuple[str, ...] = ()

    def comment(self, comments: tuple[str, ...]) -> None:
        """Comments in front of what is added next."""
        self._waiting += comments

    def add(self, statements: Sequence[ir.Stmt]) -> None:
        if statements and self._waiting:
            first = statements[0]
            statements = (first.replace(comments=(*self._waiting, *first.comments)), *statements[1:])
            self._waiting = ()
        self.statements.extend(statements)

    def take_comments(self) -> tuple[str, ...]:
        """The comments that no statement has taken."""
        waiting, self._waiting = self._waiting, ()
        return waiting

    def instead_of(self, block: ir.Block) -> ir.Block:
        """These statements in the place of a block's own."""
        trailing = (*self.take_comments(), *block.trailing_comments)
        return ir.Block(tuple(self.statements), block.span, block.comments, trailing)
