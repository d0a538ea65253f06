"""TypeChecked: every type that the IR claims is the one that follows from the operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite import ir, ops
from pypto_lite.analysis.type_agreement import EXPRESSION_FAULTS, Agreement, difference, is_bool, is_integer
from pypto_lite.diagnostics import Note, UserError
from pypto_lite.passes.properties.directions import check_directions
from pypto_lite.passes.properties.findings import Findings, cannot_write, plural
from pypto_lite.passes.properties.signatures import check_function_call
from pypto_lite.passes.protocol import Property

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from pypto_lite.diagnostics import Diagnostic
    from pypto_lite.targets import Target


def check_types(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """Each call has the type that its operator's rule or its function's signature gives for its operands.

    Functions have the names by which they are called, values are assigned at their own type, scalar expressions combine
    scalars that mix, loop bounds are integers, conditions are BOOL, the values that meet in a join agree, and returns
    give what the signature says. Tensors are written only where they are parameters with ``pl.Out`` or ``pl.InOut``, or
    none. Layouts are no part of it.
    """
    findings = Findings("PL303")
    checker = _Checker(program, findings)
    for name, function in program.functions.items():
        findings.enter(function)
        if name != function.name:
            findings.add(f"the function '{function.name}' is called '{name}' in its program", function)
        _check_signature(function, findings)
        for statement in ir.statements(function):
            checker.check(statement)
    return [*findings.diagnostics, *check_directions(program)]


TypeChecked = Property("TypeChecked", check_types)


class _Checker:
    """Checks statements; remembers the types of calls, because most are like others."""

    checks: ir.Dispatch[Callable[[Any], None]] = ir.Dispatch()

    def __init__(self, program: ir.Program, findings: Findings) -> None:
        self._program = program
        self._findings = findings
        self._inferred: dict[Hashable, ir.Type] = {}

    def check(self, statement: ir.Stmt) -> None:
        operands = statement.operands()
        if operands:
            self._check_expressions(operands, statement)
        check = self.checks.get(type(statement))
        if check is not None:
            check(statement)
        self._check_phis(statement)

    def _check_expressions(self, expressions: Sequence[ir.Node], statement: ir.Stmt) -> None:
        if not isinstance(
            statement, ir.Scope
        ):  # whose keywords, like attributes of calls, may list all kinds of values
            for each in expressions:
                if isinstance(each, ir.MakeTuple) and not all(map(_is_scalar, each.elements)):
                    self._findings.add("an element of a list is no scalar", statement, found=repr(each))
        stack = [*expressions[::-1]]
        while stack:
            node = stack.pop()
            kind = node.__class__
            if kind is ir.Var:
                continue
            rule = EXPRESSION_FAULTS.get(kind)
            if rule is not None:
                fault = rule(node)
                if fault is not None:
                    self._findings.add(fault, statement, found=repr(node))
                if kind is ir.Const:
                    continue
            elif isinstance(node, ir.Call):
                self._check_operator_call(node, statement)
            elif isinstance(node, ir.CALLS):
                for finding in check_function_call(node, self._program):
                    self._findings.add(finding.message, statement, found=finding.found, expected=finding.expected)
            stack += node.children()[::-1]

    def _check_operator_call(self, call: ir.Call, statement: ir.Stmt) -> None:
        operator = ops.find(call.op)
        if operator is None:
            self._findings.add(f"there is no operator {call.op!r}", statement)
            return
        try:
            inferred = self._infer(operator, call)
        except UserError as error:
            first = error.diagnostics[0]
            message = f"{call.op} cannot be called so: {first.message}"
            notes = [*first.notes, Note(f"this is {first.code}")]
            self._findings.add(message, statement, found=first.found, expected=first.expected, notes=notes)
            return
        # Some results are known only to whoever built the call: what another core sends has the type it is given.
        if isinstance(inferred, ir.UnknownType):
            return
        space = operator.result_space
        declared = call.type.space if isinstance(call.type, ir.TileType) else None
        if isinstance(space, ir.MemorySpace) and declared is not None and declared is not space:
            var = statement.var if isinstance(statement, ir.Assign) and statement.value is call else None
            self._findings.diagnostics.append(cannot_write(call, var, declared, [space], statement.span))
            return
        self._compare(call.op, call.type, inferred, statement)

    def _infer(self, operator: ops.Operator, call: ir.Call) -> ir.Type:
        key = ops.inference_key(call.op, call.args, call.keywords)
        inferred = self._inferred.get(key) if key is not None else None
        if inferred is None:
            inferred = ops.infer(operator, call.args, call.keywords)
            if key is not None:
                self._inferred[key] = inferred
        return inferred

    def _compare(self, what: str, claimed: ir.Type, actual: ir.Type, statement: ir.Stmt) -> None:
        differs = difference(claimed, actual, Agreement.CLAIM)
        if differs is not None:
            message = f"the {differs} of {what} is wrong"
            self._findings.add(message, statement, found=repr(claimed), expected=repr(actual))

    @checks.on(ir.Assign)
    def _check_assign(self, statement: ir.Assign) -> None:
        self._compare(f"'{statement.var.name}'", statement.var.type, statement.value.type, statement)

    @checks.on(ir.For)
    def _check_for(self, loop: ir.For) -> None:
        bounds = (("loop variable", loop.var), ("start", loop.start), ("stop", loop.stop), ("step", loop.step))
        for role, bound in bounds:
            if not is_integer(bound):
                self._findings.add(f"the {role} of the loop is no integer", loop, found=repr(bound.type))
        if isinstance(loop.step, ir.Const) and loop.step.value == 0:
            self._findings.add("the step of the loop is zero", loop)

    @checks.on(ir.While, ir.If)
    def _check_conditional(self, statement: ir.While | ir.If) -> None:
        if not is_bool(statement.condition):
            found = repr(statement.condition.type)
            self._findings.add("the condition is no BOOL", statement, found=found)

    def _check_phis(self, statement: ir.Stmt) -> None:
        # SSAForm counts what flows in; what there is of it is compared here.
        for phi in statement.phis():
            for incoming in phi.incoming:
                what = "the init" if incoming.edge is ir.Edge.INIT else "the yielded value"
                self._join(phi.var, incoming.value, incoming.stmt, what)
            if phi.result is not None:
                self._join(phi.var, phi.result, statement, "the result")

    def _join(self, receiver: ir.Var, value: ir.Expr, statement: ir.Stmt, what: str) -> None:
        differs = difference(receiver.type, value.type, Agreement.JOIN)
        if differs is not None:
            message = f"{what} for '{receiver.name}' has another {differs}"
            self._findings.add(message, statement, found=repr(value.type), expected=repr(receiver.type))


def _is_scalar(expression: ir.Expr) -> bool:
    return isinstance(expression.type, ir.ScalarType)


def _check_signature(function: ir.Function, findings: Findings) -> None:
    if len(function.directions) != len(function.params):
        message = f"the function has {plural(len(function.params), 'parameter')}"
        findings.add(message, function, found=plural(len(function.directions), "direction"))
    returns = [statement for statement in ir.statements(function) if isinstance(statement, ir.Return)]
    if not returns and function.return_types:
        expected = plural(len(function.return_types), "value")
        findings.add(f"the function '{function.name}' does not return", function, expected=expected)
    for statement in returns:
        _check_return(function, statement, findings)


def _check_return(function: ir.Function, statement: ir.Return, findings: Findings) -> None:
    if len(statement.values) != len(function.return_types):
        expected = plural(len(function.return_types), "value")
        findings.add(f"{plural(len(statement.values), 'value')} returned", statement, expected=expected)
        return
    for value, declared in zip(statement.values, function.return_types, strict=True):
        differs = difference(value.type, declared, Agreement.with_function(function.type))
        if differs is not None:
            message = f"the {differs} of a returned value is not what the signature says"
            findings.add(message, statement, found=repr(value.type), expected=repr(declared))
