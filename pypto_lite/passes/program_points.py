"""The way through a function in program order, with the places where loops, branches and their arms begin and end."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pypto_lite import ir

if TYPE_CHECKING:
    from collections.abc import Iterator


class Point(ir.NamedEnum):
    STATEMENT = "a statement that holds no others"
    LOOP = "where a loop begins"
    LOOP_END = "behind the last iteration of a loop"
    BRANCH = "where a branch begins"
    ARM = "where one of its arms begins; the statement is the block"
    ARM_END = "the end of an arm"
    BRANCH_END = "behind both arms"


Step: TypeAlias = "tuple[Point, ir.Stmt]"


def program_points(body: ir.Block) -> Iterator[Step]:
    """All statements below a block, those of nested lists in their places. Blocks and scopes that are no arm or loop
    body only hold statements: of a scope, what it reads comes first."""
    plain = Point.STATEMENT
    pending: list[Step] = [(plain, body)]
    while pending:
        point, stmt = pending.pop()
        if point is not plain:
            yield point, stmt
            continue
        if isinstance(stmt, (ir.Assign, ir.Evaluate)):
            yield point, stmt
        elif isinstance(stmt, ir.Block):
            pending += [(point, each) for each in reversed(stmt.statements)]
        elif isinstance(stmt, ir.Scope):
            yield point, stmt
            pending.append((point, stmt.body))
        elif isinstance(stmt, (ir.For, ir.While)):
            yield Point.LOOP, stmt
            pending += [(Point.LOOP_END, stmt), (point, stmt.body)]
        elif isinstance(stmt, ir.If):
            yield Point.BRANCH, stmt
            pending.append((Point.BRANCH_END, stmt))
            for arm in reversed(stmt.blocks()):
                pending += [(Point.ARM_END, arm), (point, arm), (Point.ARM, arm)]
        else:
            yield point, stmt
