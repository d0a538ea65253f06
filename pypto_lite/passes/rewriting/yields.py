"""What the body of a loop or an arm of a branch yields at its end, and that it is what its owner waits for.

The yield is the last statement; that may be a block which is a part of the one around it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Note, UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.diagnostics import Span


def yielding_more(block: ir.Block, values: Sequence[ir.Expr], span: Span) -> ir.Block:
    """The block with ``values`` added to what it yields at its end."""
    if not values:
        return block
    *around, final = _last_statements(block)
    if not isinstance(final, ir.Yield):
        return block.replace(statements=(*block.statements, ir.Yield(tuple(values), span)))
    return _with_last(around, (final.replace(values=(*final.values, *values)),))


def without_yield(block: ir.Block) -> ir.Block:
    """The block without the yield at its end."""
    *around, final = _last_statements(block)
    return _with_last(around, ()) if isinstance(final, ir.Yield) else block


def _last_statements(block: ir.Block) -> list[ir.Stmt]:
    """The block, its last statement if that is a block, and so on; finally a statement or an empty block."""
    chain: list[ir.Stmt] = [block]
    last: ir.Stmt = block
    while isinstance(last, ir.Block) and last.statements:
        last = last.statements[-1]
        chain.append(last)
    return chain


def _with_last(around: Sequence[ir.Stmt], last: tuple[ir.Stmt, ...]) -> ir.Block:
    """The outermost of blocks each of which is the last statement of the one before, with other last statements."""
    made: ir.Block | None = None
    for block in reversed(around):
        assert isinstance(block, ir.Block)
        made = block.replace(statements=(*block.statements[:-1], *(last if made is None else (made,))))
    assert made is not None
    return made


def check_joins(function: ir.Function, *, structured: bool = True) -> None:
    """Raises PL301 where a loop or a branch is given another number of values than it hands on.

    With ``structured`` every body and arm has to end in a yield where values are waited for; otherwise one may be left
    by a break or a continue instead.
    """
    for statement in ir.statements(function):
        if isinstance(statement, ir.Loop):
            counts = len(statement.inits), len(statement.carries), len(statement.results)
            if len(set(counts)) > 1:
                found = "{} inits, {} carries and {} results".format(*counts)
                raise _mismatch("the loop does not have as many inits, carries and results", statement, found)
            _check_yield(statement.body, len(statement.carries), statement, structured)
        elif isinstance(statement, ir.If):
            if statement.results and statement.else_body is None:
                raise _mismatch("the branch has results but no else-arm", statement, "one arm")
            for arm in statement.blocks():
                _check_yield(arm, len(statement.results), statement, structured)


def _check_yield(block: ir.Block, wanted: int, owner: ir.Stmt, structured: bool) -> None:
    values, final = block.yielded, block.terminator
    if len(values) != wanted and (structured or isinstance(final, ir.Yield)):
        where = final.span if isinstance(final, ir.Yield) else owner.span
        message = f"{len(values)} values are yielded where {wanted} are waited for"
        raise UserError(Diagnostic("PL301", message, where, notes=[Note("by this statement", owner.span)]))


def _mismatch(message: str, statement: ir.Stmt, found: str) -> UserError:
    return UserError(Diagnostic("PL301", message, statement.span, found=found))
