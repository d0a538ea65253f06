"""Runs functions of scalars with Python's own numbers, before and after conversion to SSA, as a reference for passes.

A statement that evaluates a call has the effect of noting the call's arguments, so that a test sees which effects
happen and in which order.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from pypto_lite import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_STEPS = 20_000

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "min": min, "max": max,
}  # fmt: skip


class OutOfStepsError(Exception):
    """The program ran longer than any test means it to."""


class UnboundError(Exception):
    """A variable was read that had no value."""


class _LeaveError(Exception):
    """A break or a continue on its way to its loop."""

    def __init__(self, statement: ir.Stmt) -> None:
        super().__init__(repr(statement))
        self.breaks = isinstance(statement, ir.Break)


def evaluate(
    function: ir.Function, args: Sequence[Any], program: ir.Program | None = None
) -> tuple[list[Any], list[tuple[Any, ...]]]:
    """What the function returns for these arguments, and what it noted. Calls go to the functions of ``program``."""
    run = _Run(program)
    return run.call(function, args), run.notes


class _Run:
    def __init__(self, program: ir.Program | None) -> None:
        self.program = program
        self.notes: list[tuple[Any, ...]] = []
        self.values: dict[ir.Var, Any] = {}
        self.steps = 0

    def call(self, function: ir.Function, args: Sequence[Any]) -> list[Any]:
        outer, self.values = self.values, dict(zip(function.params, args, strict=True))
        result = self.block(function.body)
        self.values = outer
        return list(result) if result is not None else []

    def block(self, block: ir.Block) -> tuple[Any, ...] | None:
        """What the block yields or returns, if it does."""
        for statement in block.statements:
            result = self.statement(statement)
            if result is not None:
                return result
        return None

    def statement(self, statement: ir.Stmt) -> tuple[Any, ...] | None:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise OutOfStepsError
        match statement:
            case ir.Assign():
                self.values[statement.var] = self.value(statement.value)
            case ir.Evaluate():
                self.value(statement.value)
            case ir.Yield() | ir.Return():
                return tuple([self.value(value) for value in statement.values])
            case ir.Block():
                return self.block(statement)
            case ir.Scope():
                return self.block(statement.body)
            case ir.If():
                self.branch(statement)
            case ir.For():
                self.for_loop(statement)
            case ir.While():
                self.while_loop(statement)
            case _:
                raise _LeaveError(statement)
        return None

    def branch(self, branch: ir.If) -> None:
        arm = branch.then_body if self.value(branch.condition) else branch.else_body
        yielded = self.block(arm) if arm is not None else ()
        self.bind(branch.results, yielded or ())

    def for_loop(self, loop: ir.For) -> None:
        carried = tuple([self.value(init) for init in loop.inits])
        bounds = [self.value(bound) for bound in (loop.start, loop.stop, loop.step)]
        for index in range(*bounds):
            self.values[loop.var] = index
            self.bind(loop.carries, carried)
            carried, leaves = self.iteration(loop, carried)
            if leaves:
                break
        self.bind(loop.results, carried)

    def while_loop(self, loop: ir.While) -> None:
        carried = tuple([self.value(init) for init in loop.inits])
        self.bind(loop.carries, carried)
        while self.value(loop.condition):
            carried, leaves = self.iteration(loop, carried)
            self.bind(loop.carries, carried)
            if leaves:
                break
        self.bind(loop.results, carried)

    def iteration(self, loop: ir.For | ir.While, carried: tuple[Any, ...]) -> tuple[tuple[Any, ...], bool]:
        """What the loop carries after one run of its body, and whether that left the loop."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise OutOfStepsError
        try:
            return self.block(loop.body) or (), False
        except _LeaveError as leave:
            # Without a yield there is nothing new to carry.
            return carried, leave.breaks

    def bind(self, variables: Sequence[ir.Var], values: Sequence[Any]) -> None:
        for var, value in zip(variables, values, strict=True):
            self.values[var] = value

    def value(self, expression: ir.Expr) -> Any:
        match expression:
            case ir.Const():
                return expression.value
            case ir.Var():
                if expression not in self.values:
                    raise UnboundError(expression.name)
                return self.values[expression]
            case ir.Binary(operator="and"):
                return self.value(expression.lhs) and self.value(expression.rhs)
            case ir.Binary(operator="or"):
                return self.value(expression.lhs) or self.value(expression.rhs)
            case ir.Binary():
                return OPERATORS[expression.operator](self.value(expression.lhs), self.value(expression.rhs))
            case ir.Unary(operator="not"):
                return not self.value(expression.value)
            case ir.Unary(operator="-"):
                return -self.value(expression.value)
            case ir.Select():
                chosen = expression.then if self.value(expression.condition) else expression.otherwise
                return self.value(chosen)
            case ir.TupleItem():
                return self.value(expression.tuple)[expression.index]
            case ir.MakeTuple():
                return [self.value(element) for element in expression.elements]
            case ir.Call():
                self.notes.append(tuple([self.value(arg) for arg in expression.args]))
                return self.notes[-1][0]
            case ir.FunctionCall(function="note"):
                self.notes.append(tuple([self.value(arg) for arg in expression.args]))
                return None
            case ir.FunctionCall():
                assert self.program is not None
                args = [self.value(arg) for arg in expression.args]
                results = self.call(self.program.functions[expression.function], args)
                return results[0] if len(results) == 1 else results
            case _:
                raise NotImplementedError(repr(expression))


def variables_read(function: ir.Function) -> Iterator[ir.Var]:
    """Each variable as often as the function reads it."""
    for node in ir.walk(function.body):
        if isinstance(node, ir.Stmt):
            for operand in node.operands():
                yield from (each for each in ir.walk(operand) if isinstance(each, ir.Var))
