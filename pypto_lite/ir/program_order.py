"""Statements in program order: the one walk over nested blocks, and the calls that a statement makes itself."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pypto_lite.ir.expressions import Call, Const, FunctionCall, MakeTuple, Submit, Var
from pypto_lite.ir.node import Expr, walk
from pypto_lite.ir.statements import Assign, Block, Evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pypto_lite.ir.node import Node, Stmt
    from pypto_lite.ir.program import Function
    from pypto_lite.ir.regions import Region

CALLS: Final = (Call, FunctionCall, Submit)
"""The expressions that are calls."""

LEAVES: Final = (Var, Const)
"""The expressions that hold no others."""


class Point(enum.Enum):
    """Where a walk in program order stands."""

    STATEMENT = "a statement without regions"
    ENTER = "a statement with regions, before them: it reads its entry operands"
    BEGIN = "the beginning of a region"
    END = "the end of a region"
    LEAVE = "behind the last region of a statement: its results are known"


class Visit(NamedTuple):
    """One step of a walk in program order; ``region`` where one begins or ends."""

    point: Point
    stmt: Stmt
    region: Region | None = None


def program_order(body: Block) -> Iterator[Visit]:
    """Every statement below a block with its regions, in program order. Blocks inside blocks only hold statements."""
    plain, begin, end = Point.STATEMENT, Point.BEGIN, Point.END
    pending: list[Any] = [body]
    while pending:
        each = pending.pop()
        if each.__class__ is Visit:
            yield each
        elif each.__class__ is Block:
            pending += each.statements[::-1]
        else:
            regions = each.regions()
            if not regions:
                yield Visit(plain, each)
                continue
            yield Visit(Point.ENTER, each)
            pending.append(Visit(Point.LEAVE, each))
            for region in reversed(regions):
                inside = () if region.block is None else (region.block,)
                pending += (Visit(end, each, region), *inside, Visit(begin, each, region))


def statements(function: Function) -> Iterator[Stmt]:
    """Every statement of a function, nested blocks included, each before what is in it, in program order."""
    yield function.body
    nest = [iter(function.body.statements)]
    while nest:
        for statement in nest[-1]:
            yield statement
            if statement.__class__ is not Assign:  # most have no blocks, and most of these are assignments
                inner = statement.statements if isinstance(statement, Block) else statement.blocks()
                if inner:
                    nest.append(iter(inner))
                    break
        else:
            nest.pop()


def spliced(block: Block) -> Iterator[Stmt]:
    """The statements of a block, with those of Blocks directly in it in their place."""
    stack: list[Stmt] = list(block.statements[::-1])
    while stack:
        statement = stack.pop()
        if isinstance(statement, Block):
            stack.extend(statement.statements[::-1])
        else:
            yield statement


def calls(statement: Stmt) -> list[Call | FunctionCall | Submit]:
    """The calls in what a statement reads itself, outer ones before inner ones."""
    value = statement.value if isinstance(statement, (Assign, Evaluate)) else None
    if isinstance(value, Call) and holds_no_calls(value):
        return [value]  # as it is with nearly all statements
    found: list[Call | FunctionCall | Submit] = []
    stack: list[Node] = [*statement.operands()[::-1]]
    while stack:
        node = stack.pop()
        if isinstance(node, LEAVES):
            continue
        if isinstance(node, CALLS):
            found.append(node)
        stack.extend(node.children()[::-1])
    return found


def holds_no_calls(call: Call) -> bool:
    """Whether the operands of a call are, as they mostly are, variables, constants and lists of such."""
    for arg in call.args if not call.attrs else call.operands():
        if isinstance(arg, MakeTuple):
            if arg.integers is None and not all(isinstance(element, LEAVES) for element in arg.elements):
                return False
        elif not isinstance(arg, LEAVES):
            return False
    return True


def calls_something(expression: Expr) -> bool:
    """Whether there is a call anywhere in an expression."""
    return any(isinstance(node, CALLS) for node in walk(expression))
