"""NoNestedCalls: a call is a statement's own value and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.passes.properties.findings import Findings
from pypto_lite.passes.protocol import Property

if TYPE_CHECKING:
    from pypto_lite.diagnostics import Diagnostic
    from pypto_lite.targets import Target


def check_no_nested_calls(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """Calls stand only as the direct value of an assignment or of an evaluated statement.

    There is none in arguments, shapes, conditions, bounds, inits, yields, returns or scalar expressions.
    """
    findings = Findings("PL304")
    for function in program.functions.values():
        findings.enter(function)
        for statement in ir.statements(function):
            direct = statement.value if isinstance(statement, (ir.Assign, ir.Evaluate)) else None
            for call in ir.calls(statement):
                if call is not direct:
                    place = call if call.span else statement
                    findings.add(f"{_name(call)} is called inside another expression", place)
    return findings.diagnostics


NoNestedCalls = Property("NoNestedCalls", check_no_nested_calls)


def _name(call: ir.Call | ir.FunctionCall | ir.Submit) -> str:
    return call.op if isinstance(call, ir.Call) else f"'{call.function}'"
