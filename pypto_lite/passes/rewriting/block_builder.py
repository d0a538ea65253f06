"""What passes that rearrange code make: blocks that keep the comments, and functions that can still be printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.diagnostics import UserError
from pypto_lite.passes.properties import Printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.passes.protocol import ProgramType


class BlockBuilder:
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


def with_printable(program: ProgramType, functions: Sequence[ir.Function]) -> ProgramType:
    """The program with these functions, or the same object if it has them all.

    Raises UserError (PL312) where one that is new is nested too deep to be printed.
    """
    made = [function for function in functions if program.functions.get(function.name) is not function]
    if not made and len(functions) == len(program.functions):
        return program
    findings = Printable.check(program.with_functions(made), None)
    if findings:
        raise UserError(*findings)
    return program.with_functions(functions)
