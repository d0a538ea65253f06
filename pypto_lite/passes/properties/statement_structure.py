"""NormalizedStmtStructure, BreakContinueValid, StructuredCtrlFlow: which statements may stand where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.passes.properties.findings import Findings
from pypto_lite.passes.protocol import Property

if TYPE_CHECKING:
    from pypto_lite.diagnostics import Diagnostic
    from pypto_lite.targets import Target

TERMINATORS = (ir.Yield, ir.Return, ir.Break, ir.Continue)
"""The statements after which nothing of the same block runs."""


def check_normalized_structure(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """No Block stands directly in a Block, nothing follows a terminator, and each terminator is in its place.

    A Yield is where results wait for it, a Return at the end of the function (also in a scope that ends it). An else
    body is never empty, a branch with results has both arms, and what is evaluated for its effect has a call in it.
    """
    findings = Findings("PL305")
    for function in program.functions.values():
        findings.enter(function)
        # Each block with whether a Yield and whether a Return may end it.
        stack = [(function.body, False, True)]
        while stack:
            block, yields, returns = stack.pop()
            nested: list[tuple[ir.Block, bool, bool]] = []
            last = len(block.statements) - 1
            for position, statement in enumerate(block.statements):
                if type(statement) is ir.Assign:
                    continue
                _check_statement(statement, position == last, yields, returns, findings)
                nested += _nested_blocks(statement, yields, returns and position == last)
            stack.extend(nested[::-1])
    return findings.diagnostics


NormalizedStmtStructure = Property("NormalizedStmtStructure", check_normalized_structure)


def _nested_blocks(statement: ir.Stmt, yields: bool, returns: bool) -> list[tuple[ir.Block, bool, bool]]:
    """The blocks of a statement, each with whether a Yield and whether a Return may end it."""
    if isinstance(statement, ir.Block):
        return [(statement, yields, returns)]
    waits = bool(statement.phis())
    return [
        (region.block, waits, returns and region.kind is ir.RegionKind.SECTION)
        for region in statement.regions()
        if region.block is not None
    ]


def _check_statement(statement: ir.Stmt, is_last: bool, yields: bool, returns: bool, findings: Findings) -> None:
    match statement:
        case ir.Block():
            findings.add("a block stands directly in a block", statement)
        case ir.Evaluate() if not ir.calls_something(statement.value):
            findings.add("what is evaluated calls nothing, so it has no effect", statement)
        case ir.If() if statement.else_body is not None and not statement.else_body.statements:
            findings.add("the else-arm is empty", statement)
        case ir.If() if statement.results and statement.else_body is None:
            findings.add("the branch has results but no else-arm", statement)
        case ir.Yield() if not yields:
            findings.add("a yield stands where nothing waits for its values", statement)
        case ir.Return() if not returns:
            findings.add("a return stands inside a loop or a branch", statement)
        case _:
            pass
    if isinstance(statement, TERMINATORS) and not is_last:
        name = type(statement).__name__.lower()
        findings.add(f"there are statements after the {name}, which never run", statement)


def check_break_continue(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """Every break and every continue stands in a loop."""
    findings = Findings("PL306")
    for function in program.functions.values():
        findings.enter(function)
        loops = 0
        for point, statement, region in ir.program_order(function.body):
            if region is not None and region.kind is ir.RegionKind.LOOP:
                loops += 1 if point is ir.Point.BEGIN else -1
            elif loops == 0 and isinstance(statement, (ir.Break, ir.Continue)):
                findings.add(f"{statement!r} stands outside a loop", statement)
    return findings.diagnostics


BreakContinueValid = Property("BreakContinueValid", check_break_continue)


def check_structured(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """There is no break and no continue: loops end by their bounds and conditions alone."""
    findings = Findings("PL307")
    for function in program.functions.values():
        findings.enter(function)
        for statement in ir.statements(function):
            if isinstance(statement, (ir.Break, ir.Continue)):
                findings.add(f"there is a {statement!r}", statement, hint="run structure_control_flow first")
    return findings.diagnostics


StructuredCtrlFlow = Property("StructuredCtrlFlow", check_structured)
