"""NormalizeStatements: brings the statement structure into its normal form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite import ir
from pypto_lite.passes.properties import NormalizedStmtStructure
from pypto_lite.passes.properties.statement_structure import TERMINATORS
from pypto_lite.passes.protocol import Pass, ProgramType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class NormalizeStatements(Pass):
    """Bring the statement structure into its normal form.

    Splices blocks that stand directly in a block into it, and drops what has no effect by its place: statements behind
    a yield, return, break or continue (they never run), yields of no values, evaluated values without a call in them,
    and empty else-arms. The comments of what is spliced or has no effect go to the next statement. Nothing else moves
    or changes; cost is linear.
    """

    produces = frozenset({NormalizedStmtStructure})

    def run(self, program: ProgramType) -> ProgramType:
        if not NormalizedStmtStructure.check(program, None):
            return program
        return ir.rewrite(program, _RULES)


def _normalize_block(block: ir.Block) -> ir.Block:
    if not any(isinstance(each, (ir.Block, *TERMINATORS)) for each in block.statements):
        return block
    statements: list[ir.Stmt] = []
    waiting: tuple[str, ...] = ()
    for statement in block.statements:
        # Inner blocks are normal already: they hold no blocks, and nothing behind a terminator.
        inner = statement.statements if isinstance(statement, ir.Block) else (statement,)
        if isinstance(statement, ir.Block):
            waiting += statement.comments
        if inner and waiting:
            inner = (inner[0].replace(comments=(*waiting, *inner[0].comments)), *inner[1:])
            waiting = ()
        statements += inner
        if isinstance(statement, ir.Block):
            waiting += statement.trailing_comments
        if inner and isinstance(inner[-1], TERMINATORS):
            break
    if _same(statements, block.statements):
        return block
    return block.replace(statements=tuple(statements), trailing_comments=(*waiting, *block.trailing_comments))


def _same(first: Sequence[ir.Stmt], second: Sequence[ir.Stmt]) -> bool:
    return len(first) == len(second) and all(one is other for one, other in zip(first, second, strict=True))


def _normalize_if(branch: ir.If) -> ir.If:
    otherwise = branch.else_body
    if otherwise is None or otherwise.statements:
        return branch
    comments = (*branch.comments, *otherwise.comments, *otherwise.trailing_comments)
    return branch.replace(else_body=None, comments=comments)


def _normalize_evaluate(statement: ir.Evaluate) -> ir.Stmt:
    return statement if ir.calls_something(statement.value) else _nothing(statement)


def _normalize_yield(statement: ir.Yield) -> ir.Stmt:
    return statement if statement.values else _nothing(statement)


def _nothing(statement: ir.Stmt) -> ir.Block:
    """An empty block in the place of a statement, which hands its comments on when it is spliced."""
    return ir.Block((), statement.span, statement.comments)


_RULES: Final[dict[type[ir.Node], Callable[[Any], ir.Node]]] = {
    ir.Block: _normalize_block,
    ir.If: _normalize_if,
    ir.Evaluate: _normalize_evaluate,
    ir.Yield: _normalize_yield,
}
