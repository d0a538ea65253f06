"""Printable: nothing is nested so deep that CPython could not parse the printed text again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite import ir
from pypto_lite.passes.properties.findings import Findings, keyword_expressions, statements
from pypto_lite.passes.protocol import Property

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pypto_lite.diagnostics import Diagnostic
    from pypto_lite.targets import Target

MAX_EXPRESSION_DEPTH: Final = 64
"""How many operators may enclose an operand: CPython's parser stops at a few hundred levels of parentheses."""

MAX_NESTED_BLOCKS: Final = 90
"""How many loops, branches and scopes may enclose a statement: CPython's tokenizer knows 100 levels of indentation."""


def check_printable(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """No scalar expression is deeper than 64 operators, and no more than 90 blocks are nested."""
    findings = Findings("PL312")
    for function in program.functions.values():
        findings.enter(function)
        _check_expressions(function, findings)
        _check_blocks(function, findings)
    return findings.diagnostics


Printable = Property("Printable", check_printable)


def _check_expressions(function: ir.Function, findings: Findings) -> None:
    for owner in (function, *statements(function)):
        for expression in _printed_expressions(owner):
            if _too_deep(expression):
                expected = f"at most {MAX_EXPRESSION_DEPTH} operators around an operand"
                findings.add("an expression is nested too deep to be printed", owner, expected=expected)


def _printed_expressions(owner: ir.Function | ir.Stmt) -> Iterator[ir.Expr]:
    yield from owner.operands()
    for value in owner.definitions():
        yield from value.type.expressions()
    if isinstance(owner, ir.Function):
        for each in owner.return_types:
            yield from each.expressions()
    else:
        yield from keyword_expressions(owner)


def _too_deep(expression: ir.Expr) -> bool:
    stack: list[tuple[ir.Node, int]] = [(expression, 0)]
    while stack:
        node, depth = stack.pop()
        children = node.children()
        if not children:
            continue
        # Only operators are counted: the call that a statement consists of and the lists in it do not nest.
        if node is not expression or not isinstance(node, ir.Call):
            depth += not isinstance(node, ir.MakeTuple)
        if depth > MAX_EXPRESSION_DEPTH:
            return True
        stack.extend([(child, depth) for child in children])
    return False


def _check_blocks(function: ir.Function, findings: Findings) -> None:
    stack: list[tuple[ir.Stmt, int]] = [(function.body, 0)]
    while stack:
        statement, depth = stack.pop()
        if isinstance(statement, ir.Block):
            stack.extend([(each, depth) for each in statement.statements[::-1]])
            continue
        blocks = statement.blocks()
        if not blocks:
            continue
        if depth == MAX_NESTED_BLOCKS:
            message = f"more than {MAX_NESTED_BLOCKS} blocks are nested, too many to be printed"
            findings.add(message, statement, hint="move the inner part into a function of its own")
            continue
        stack.extend([(block, _depth_inside(statement, block, depth)) for block in blocks[::-1]])


def _depth_inside(statement: ir.Stmt, block: ir.Block, depth: int) -> int:
    """The depth of a block's statements; an else-arm that prints as ``elif`` is no deeper than its branch."""
    if isinstance(statement, ir.If) and block is statement.else_body and len(block.statements) == 1:
        inner = block.statements[0]
        if isinstance(inner, ir.If) and not inner.results and not statement.results:
            return depth
    return depth + 1
