"""SSAForm: each value is defined in one place, and joins get exactly the values they promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Note
from pypto_lite.passes.properties.findings import Findings, plural
from pypto_lite.passes.protocol import Property

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.targets import Target


def check_ssa_form(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """Each value is defined once in the whole program, and every loop body and arm yields what its join promises.

    That holds for parameters, assigned values, loop variables, carries and results alike. A loop with carries has
    as many inits and results; its body, and both arms of a branch with results, end in exactly one Yield of as many
    values of the same kinds.
    """
    findings = Findings("PL301")
    defined: dict[ir.Var, ir.Stmt | ir.Function] = {}
    for function in program.functions.values():
        findings.enter(function)
        _define(function, function.params, defined, findings)
        for statement in ir.statements(function):
            _define(statement, statement.definitions(), defined, findings)
            if isinstance(statement, ir.Loop):
                _check_loop(statement, findings)
            elif isinstance(statement, ir.If):
                _check_branch(statement, findings)
    return findings.diagnostics


SSAForm = Property("SSAForm", check_ssa_form)


def _define(
    owner: ir.Stmt | ir.Function,
    values: Sequence[ir.Var],
    defined: dict[ir.Var, ir.Stmt | ir.Function],
    findings: Findings,
) -> None:
    for value in values:
        first = defined.get(value)
        if first is None:
            defined[value] = owner
        else:
            defined_here = [Note(f"'{value.name}' is defined here first", first.span)] if first.span else []
            findings.add(f"'{value.name}' is defined more than once", owner, notes=defined_here)


def _check_loop(loop: ir.Loop, findings: Findings) -> None:
    counts = {"init": len(loop.inits), "carry": len(loop.carries), "result": len(loop.results)}
    if len(set(counts.values())) > 1:
        found = ", ".join(plural(count, noun).replace("carrys", "carries") for noun, count in counts.items())
        findings.add("the loop does not have as many inits, carries and results", loop, found=found)
        return
    for init, carry, result in zip(loop.inits, loop.carries, loop.results, strict=True):
        for member, role in ((carry, "carry"), (result, "result")):
            if not _same_kind(init.type, member.type):
                message = f"the loop's {role} '{member.name}' is of another kind than its init"
                findings.add(message, loop, found=repr(member.type), expected=repr(init.type))
    if loop.carries:
        _check_yield(loop.body, loop.carries, loop, "loop", findings)


def _check_branch(branch: ir.If, findings: Findings) -> None:
    if not branch.results:
        return
    _check_yield(branch.then_body, branch.results, branch, "then-arm", findings)
    if branch.else_body is None:
        names = ", ".join(f"'{result.name}'" for result in branch.results)
        findings.add(f"the branch has a result {names} but no else-arm", branch)
    else:
        _check_yield(branch.else_body, branch.results, branch, "else-arm", findings)


def _check_yield(block: ir.Block, receivers: Sequence[ir.Var], owner: ir.Stmt, where: str, findings: Findings) -> None:
    inside = list(ir.spliced(block))
    yields = [statement for statement in inside if isinstance(statement, ir.Yield)]
    if len(yields) > 1:
        findings.add(f"the {where} yields more than once", yields[1], expected="one yield, at the end")
        return
    if not inside or not isinstance(inside[-1], ir.Yield):
        expected = f"a yield of {plural(len(receivers), 'value')} at the end"
        findings.add(f"the {where} does not end in a yield", inside[-1] if inside else owner, expected=expected)
        return
    final = inside[-1]
    if len(final.values) != len(receivers):
        expected = plural(len(receivers), "value")
        message = f"the {where} yields {plural(len(final.values), 'value')}"
        findings.add(message, final, expected=expected, notes=[Note("for this statement", owner.span)])
        return
    for value, receiver in zip(final.values, receivers, strict=True):
        if not _same_kind(value.type, receiver.type):
            message = f"the {where} yields another kind of value than '{receiver.name}' is"
            findings.add(message, final, found=repr(value.type), expected=repr(receiver.type))


def _same_kind(first: ir.Type, second: ir.Type) -> bool:
    """Whether both are tiles, or both tensors, and so on."""
    return type(first) is type(second)
