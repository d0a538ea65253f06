"""Printable: nothing is nested so deep that CPython could not parse the printed text again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite import ir
from pypto_lite.passes.properties.findings import Findings
from pypto_lite.passes.protocol import Property

if TYPE_CHECKING:
    from pypto_lite.diagnostics import Diagnostic
    from pypto_lite.targets import Target

MAX_EXPRESSION_DEPTH: Final = 64
"""How many operators may enclose an operand: CPython's parser stops at a few hundred levels of parentheses."""

MAX_NESTED_BLOCKS: Final = 90
"""How many loops, branches and scopes may enclose a statement: CPython's tokenizer knows 100 levels of indentation."""

MAX_ELIF_CHAIN: Final = 1000
"""How many ``elif`` may follow an ``if``: CPython's syntax trees nest them, and end at some 2,900."""


def check_printable(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """No scalar expression is deeper than 64 operators, no more than 90 blocks nest, no 1,000 branches are chained."""
    findings = Findings("PL312")
    for function in program.functions.values():
        findings.enter(function)
        _check_expressions(function, findings)
        _check_blocks(function, findings)
    return findings.diagnostics


Printable = Property("Printable", check_printable)


def _check_expressions(function: ir.Function, findings: Findings) -> None:
    for owner in (function, *ir.statements(function)):
        for expression in _printed_expressions(owner):
            if not isinstance(expression, ir.LEAVES) and is_too_deep(expression):
                expected = f"at most {MAX_EXPRESSION_DEPTH} operators around an operand"
                findings.add("an expression is nested too deep to be printed", owner, expected=expected)


def _printed_expressions(owner: ir.Function | ir.Stmt) -> list[ir.Expr]:
    expressions = [*owner.operands()]
    types = [value.type for value in owner.definitions()]
    if isinstance(owner, ir.Function):
        types += owner.return_types
    for each in types:
        if each.symbolic:
            expressions += each.expressions()
    return expressions


def is_too_deep(expression: ir.Expr) -> bool:
    """Whether there are more operators around an operand than can be printed."""
    stack: list[tuple[ir.Node, int]] = [(expression, 0)]
    while stack:
        node, depth = stack.pop()
        # Only operators are counted: the call that a statement consists of and the lists in it do not nest.
        if node is not expression or not isinstance(node, ir.Call):
            depth += not isinstance(node, ir.MakeTuple)
        if depth > MAX_EXPRESSION_DEPTH:
            return True
        for child in node.children():
            if not isinstance(child, ir.LEAVES) and not (
                isinstance(child, ir.MakeTuple) and child.integers is not None
            ):
                stack.append((child, depth))
    return False


def nests_too_deep(function: ir.Function) -> bool:
    """Whether more blocks are nested in a function than can be printed."""
    findings = Findings("PL312")
    _check_blocks(function, findings)
    return bool(findings.diagnostics)


def _check_blocks(function: ir.Function, findings: Findings) -> None:
    # Each statement with the number of blocks around it, and of the branches before it in a chain of elif.
    stack: list[tuple[ir.Stmt, int, int]] = [(function.body, 0, 0)]
    while stack:
        statement, depth, chain = stack.pop()
        if isinstance(statement, ir.Block):
            stack.extend([(each, depth, chain) for each in statement.statements[::-1]])
            continue
        blocks = statement.blocks()
        if not blocks:
            continue
        if depth == MAX_NESTED_BLOCKS or chain == MAX_ELIF_CHAIN:
            limit = f"{MAX_NESTED_BLOCKS} blocks are nested" if chain == 0 else f"{MAX_ELIF_CHAIN} branches are chained"
            hint = "move the inner part into a function of its own"
            findings.add(f"more than {limit}, too many to be printed", statement, hint=hint)
            continue
        for block in blocks[::-1]:
            elif_ = _prints_as_elif(statement, block)
            stack.append((block, depth, chain + 1) if elif_ else (block, depth + 1, 0))


def _prints_as_elif(statement: ir.Stmt, block: ir.Block) -> bool:
    """Whether a block is an else-arm that is written as ``elif``, no deeper than its branch."""
    if not isinstance(statement, ir.If) or block is not statement.else_body or len(block.statements) != 1:
        return False
    inner = block.statements[0]
    return isinstance(inner, ir.If) and not inner.results and not statement.results
