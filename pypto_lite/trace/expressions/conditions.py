"""Comparisons, ``and``, ``or`` and conditional expressions.

Python evaluates some of their parts only under a condition. A part without calls may be evaluated always, so the whole
is a scalar expression; a part with calls becomes an arm of a branch in front of the statement.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, cast

from pypto_lite import ops
from pypto_lite.analysis.join_types import branch_type, disagreement
from pypto_lite.diagnostics import Note
from pypto_lite.ir import (
    Block,
    Const,
    Expr,
    If,
    ScalarType,
    Stmt,
    Type,
    Var,
    Yield,
)
from pypto_lite.ir.dtypes import BOOL, FP32, TASK_ID
from pypto_lite.trace.expressions import static_values
from pypto_lite.trace.expressions.overloads import is_array, refuse_comparison
from pypto_lite.trace.expressions.scalars import (
    arms_dtype,
    as_declared,
    beside,
    binary,
    condition,
    promoted,
    scalar,
    select,
    unary,
)
from pypto_lite.trace.expressions.values import describe
from pypto_lite.trace.tracer import FunctionTracer, NamingNeeded, expression

if TYPE_CHECKING:
    from collections.abc import Callable

_COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip


Result = TypeVar("Result")


class Arm(NamedTuple):
    """A value that is evaluated only under a condition, the statements that takes, and where it stands."""

    value: object
    statements: list[Stmt]
    node: ast.expr


def truth(tracer: FunctionTracer, value: object, node: ast.expr) -> bool:
    """Whether a value that is known while tracing is true."""
    try:
        return bool(value)
    except (TypeError, ValueError) as error:
        tracer.fail("PL116", f"this is neither true nor false: {error}", node, found=describe(value))


def decision(tracer: FunctionTracer, node: ast.expr) -> Expr | bool:
    """The condition of a statement: an expression, or what it is where that is known while tracing.

    A literal, such as ``while True``, is an expression all the same: it says what the program is, and selects nothing.
    """
    tracer.note_condition(node)
    value = tracer.whole(node)
    if not isinstance(value, Expr) and not isinstance(node, ast.Constant):
        return truth(tracer, value, node)
    return tracer.fit(condition(tracer, value, node))


# Comparisons


class _Held(NamedTuple):
    """A chain up to a comparison with calls; where it holds, the rest is evaluated, in an arm."""

    result: object
    statements: list[Stmt]
    place: ast.expr


@expression(ast.Compare)
def _compare(tracer: FunctionTracer, node: ast.Compare) -> object:
    lhs = tracer.operand(node.left)
    rhs = _compared_operand(tracer, node, 0)
    result = _comparison(tracer, node, 0, lhs, rhs)
    held: list[_Held] = []
    for position in range(1, len(node.ops)):
        lhs, place = rhs, node.comparators[position]
        if not isinstance(result, Expr):
            if not truth(tracer, result, node):
                break
            rhs = _compared_operand(tracer, node, position)
            result = _comparison(tracer, node, position, lhs, rhs)
            continue
        result = cast("Expr", tracer.consumed(result))
        rhs, statements = tracer.spilled(place)
        if statements:  # what follows reads this value, so all of it is in the arm
            held.append(_Held(result, tracer.statements, place))
            tracer.statements = statements
            tracer.arms += 1
            result = _comparison(tracer, node, position, lhs, rhs)
        else:
            following = Arm(_comparison(tracer, node, position, lhs, rhs), [], place)
            result = _connected(tracer, "and", result, node.left, following, node)
    for before, outer, place in reversed(held):
        arm = Arm(result, tracer.statements, place)
        tracer.statements = outer
        tracer.arms -= 1
        result = _connected(tracer, "and", before, node.left, arm, node)
    return result


def _compared_operand(tracer: FunctionTracer, node: ast.Compare, position: int) -> object:
    """The right operand of a comparison that is always made; with calls it is named if it is compared once more."""
    calls = tracer.call_count
    operand = tracer.operand(node.comparators[position])
    if position + 1 < len(node.ops) and tracer.call_count != calls and not tracer.naming:
        raise NamingNeeded(deep=False)  # it is evaluated once, and compared twice
    return operand


def _comparison(tracer: FunctionTracer, node: ast.Compare, position: int, lhs: object, rhs: object) -> object:
    operation = node.ops[position]
    if not isinstance(lhs, Expr) and not isinstance(rhs, Expr):
        return static_values.compare(operation, lhs, rhs, node, tracer.environment)
    symbol = _COMPARISONS[type(operation)]
    if symbol in ("is", "is not", "in", "not in"):
        return _identity(tracer, symbol, lhs, rhs, node)
    if is_array(lhs) or is_array(rhs):
        refuse_comparison(tracer, symbol, node)
    lhs_node = node.left if position == 0 else node.comparators[position - 1]
    rhs_node = node.comparators[position]
    left, right = beside(tracer, lhs, rhs, lhs_node), beside(tracer, rhs, lhs, rhs_node)
    return binary(tracer, symbol, left, right, node)


def _identity(tracer: FunctionTracer, symbol: str, lhs: object, rhs: object, node: ast.Compare) -> object:
    """``task is None`` asks whether there is a task; everything else has to be known while tracing."""
    if symbol in ("in", "not in") or not isinstance(lhs, Expr) or rhs is not None:
        tracer.fail("PL104", f"{symbol!r} needs values that are known while tracing", node, hint="compare with ==")
    if lhs.type != ScalarType(TASK_ID):
        return symbol == "is not"
    tracer.call_count += 1
    valid = ops.call("system.task_is_valid", (lhs,), span=tracer.span(node))
    return valid if symbol == "is not" else unary(tracer, "not", cast("Expr", tracer.consumed(valid)), node)


# and, or


@expression(ast.BoolOp)
def _connective(tracer: FunctionTracer, node: ast.BoolOp) -> object:
    operator = "and" if isinstance(node.op, ast.And) else "or"
    is_condition = node in tracer.conditions
    value = _operand_of_connective(tracer, operator, tracer.operand(node.values[0]), node.values[0], is_condition)
    for position, operand in enumerate(node.values[1:]):
        before = node.values[position]
        if not isinstance(value, Expr) and not isinstance(before, ast.Constant):
            if truth(tracer, value, before) is (operator == "or"):
                return value
            value = _operand_of_connective(tracer, operator, tracer.operand(operand), operand, is_condition)
            continue
        value = tracer.consumed(value)
        arm = Arm(*tracer.spilled(operand), operand)
        if not is_condition or not arm.statements:
            found = _operand_of_connective(tracer, operator, arm.value, operand, is_condition)
            arm = arm._replace(value=found)
        if not isinstance(value, Expr) and not isinstance(arm.value, Expr):
            value = arm.value if truth(tracer, value, before) is (operator == "and") else value
        else:
            value = _connected(tracer, operator, value, before, arm, node)
    return value


def _operand_of_connective(
    tracer: FunctionTracer, operator: str, value: object, node: ast.expr, is_condition: bool
) -> object:
    """An operand of ``and`` or ``or``. In a condition a number is true where it is not zero.

    Elsewhere PL204 for a number: Python gives one of the operands then, a kernel only true or false.
    """
    if is_condition:
        return condition(tracer, value, node) if isinstance(value, Expr) else truth(tracer, value, node)
    if isinstance(value, Expr) and isinstance(value.type, ScalarType) and value.type.dtype is not BOOL:
        tracer.fail(
            "PL204", f"{operator!r} combines conditions only", node, found=describe(value), expected="a BOOL",
            hint="compare it: ... != 0, or choose with a if c else b",
        )  # fmt: skip
    return value


def _connected(
    tracer: FunctionTracer, operator: str, value: object, node_of_value: ast.expr, arm: Arm, node: ast.expr
) -> Expr:
    """``value operator arm``, both of them true or false."""
    if not arm.statements:
        return binary(tracer, operator, scalar(tracer, value, node_of_value), scalar(tracer, arm.value, arm.node), node)
    decides = condition(tracer, value, node_of_value)
    found = _inside(tracer, arm.statements, lambda: condition(tracer, arm.value, arm.node))
    known = Const(operator == "or", ScalarType(BOOL), tracer.span(node))
    evaluated = Branch(arm.statements, found)
    skipped = Branch([], known)
    arms = (evaluated, skipped) if operator == "and" else (skipped, evaluated)
    return _branch(tracer, decides, *arms, ScalarType(BOOL), node)


def _inside(tracer: FunctionTracer, statements: list[Stmt], make: Callable[[], Result]) -> Result:
    """What ``make`` gives; the statements that it takes are added to ``statements``, if there are some already."""
    if not statements:
        return make()
    outer, tracer.statements = tracer.statements, statements
    value = make()
    tracer.statements = outer
    return value


# Conditional expressions


class Branch(NamedTuple):
    """An arm of a branch: its statements, and the value that it yields."""

    statements: list[Stmt]
    value: Expr


class _Level(NamedTuple):
    """One ``if`` of ``a if c else b if d else e``, and what there was in front of it."""

    node: ast.IfExp
    statements: list[Stmt]
    calls: int
    calls_of_else: int
    test: Expr
    then: Arm


@expression(ast.IfExp)
def _conditional(tracer: FunctionTracer, node: ast.IfExp) -> object:
    """A chain of thousands of ``else ... if`` leans to the right, so its levels are gone through in a loop."""
    levels: list[_Level] = []
    current: ast.expr = node
    while isinstance(current, ast.IfExp) and not (levels and tracer.is_evaluated(current)):
        calls = tracer.call_count
        tracer.note_condition(current.test)
        test = tracer.operand(current.test)
        if not isinstance(test, Expr) and not isinstance(current.test, ast.Constant):
            current = current.body if truth(tracer, test, current.test) else current.orelse
            continue
        decides = condition(tracer, test, current.test)
        then = Arm(*tracer.spilled(current.body), current.body)
        levels.append(_Level(current, tracer.statements, calls, tracer.call_count, decides, then))
        tracer.statements = []
        tracer.arms += 1
        current = current.orelse
    value = tracer.operand(current) if levels else tracer.evaluate(current)
    for level in reversed(levels):
        tracer.arms -= 1
        otherwise = Arm(value, tracer.statements, level.node.orelse)
        tracer.statements = level.statements
        value = _chosen(tracer, level, otherwise)
    return value


def _chosen(tracer: FunctionTracer, level: _Level, otherwise: Arm) -> Expr:
    """The value of one level of a chain, where that of the levels behind it is ``otherwise``."""
    if tracer.call_count == level.calls_of_else:  # nothing happens in the else-arm: what it takes may always be done
        tracer.statements.extend(otherwise.statements)
        otherwise = Arm(otherwise.value, [], otherwise.node)
    elif not tracer.naming:
        raise NamingNeeded(deep=False)
    then_value = _arm_value(tracer, level.then, otherwise.value)
    else_value = _arm_value(tracer, otherwise, level.then.value)
    scalars = isinstance(then_value.type, ScalarType) and isinstance(else_value.type, ScalarType)
    if scalars and not level.then.statements and not otherwise.statements:
        return select(tracer, level.test, then_value, else_value, level.node)
    if tracer.call_count != level.calls and not tracer.naming:
        raise NamingNeeded(deep=False)
    if scalars:
        dtype = arms_dtype(tracer, then_value, else_value, level.node)
        result: Type = ScalarType(dtype)
        then_value = _inside(tracer, level.then.statements, lambda: promoted(tracer, then_value, dtype, level.node))
        else_value = _inside(tracer, otherwise.statements, lambda: promoted(tracer, else_value, dtype, level.node))
    else:
        _check_arms(tracer, then_value, else_value, level)
        result = branch_type(then_value.type, else_value.type)
    arms = Branch(level.then.statements, then_value), Branch(otherwise.statements, else_value)
    return _branch(tracer, level.test, *arms, result, level.node)


def _arm_value(tracer: FunctionTracer, arm: Arm, other: object) -> Expr:
    """The value of an arm; a bare number takes the element type of a float or a BOOL in the other one."""
    type_ = other.type if isinstance(other, Expr) else ScalarType(FP32) if isinstance(other, float) else None
    takes = isinstance(type_, ScalarType) and not type_.dtype.is_int
    return as_declared(tracer, arm.value, type_ if takes else None, arm.node)


def _check_arms(tracer: FunctionTracer, then: Expr, otherwise: Expr, level: _Level) -> None:
    difference = disagreement(then.type, otherwise.type)
    if difference is not None:
        tracer.fail(
            "PL207",
            f"the arms of the conditional expression differ in {difference}",
            level.node.orelse,
            found=describe(otherwise),
            expected=describe(then),
            notes=[Note("the other arm is here", tracer.span(level.node.body))],
        )


def _branch(
    tracer: FunctionTracer, test: Expr, then: Branch, otherwise: Branch, result_type: Type, node: ast.expr
) -> Var:
    """A branch in front of the statement; its result is the value of the expression."""
    tracer.check_nesting(node)
    span = tracer.span(node)
    result = Var("chosen", result_type, span)
    # Where the type mentions a value of an arm, conversion to SSA finds what stands for it afterwards.
    tracer.rebinds = tracer.rebinds or result_type.symbolic
    blocks = [Block((*arm.statements, Yield((arm.value,), span)), span) for arm in (then, otherwise)]
    tracer.emit(If(tracer.fit(test), blocks[0], blocks[1], (result,), span))
    return result
