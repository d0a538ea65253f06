"""Loops: ``for`` over ``pl.range`` and its relatives, ``pl.while_`` with ``pl.cond``, and Python's ``while``."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pypto_lite.diagnostics import Note, Span, did_you_mean
from pypto_lite.ir import (
    LOOP_OPTIONS,
    Assign,
    Const,
    Expr,
    For,
    ForKind,
    FunctionType,
    ScalarType,
    Var,
    While,
    index_const,
)
from pypto_lite.ir.dtypes import BOOL, INDEX
from pypto_lite.trace.expressions.attributes import is_plain, plain_mapping
from pypto_lite.trace.expressions.calls import construct_called
from pypto_lite.trace.expressions.conditions import decision
from pypto_lite.trace.expressions.operator_calls import Argument, arguments_of
from pypto_lite.trace.expressions.scalars import index, to_expression
from pypto_lite.trace.expressions.values import counted, describe, elements_of
from pypto_lite.trace.names.bindings import check_loop_variable, no_longer, no_longer_carried
from pypto_lite.trace.names.builtins import COND, PARALLEL, PIPELINE, RANGE, SPMD, UNROLL, WHILE, Construct
from pypto_lite.trace.names.constants import known, note_carry, why_unknown
from pypto_lite.trace.names.symbol_table import Gone, Static, Variable
from pypto_lite.trace.statements.frames import Frame
from pypto_lite.trace.statements.scopes import trace_spmd_loop
from pypto_lite.trace.statements.yields import check_loop_yield, define_results
from pypto_lite.trace.tracer import FunctionTracer, NamingNeeded, Steps, compound_statement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KINDS: Final[Mapping[Construct, ForKind]] = {
    RANGE: ForKind.Sequential,
    PARALLEL: ForKind.Parallel,
    PIPELINE: ForKind.Pipeline,
    UNROLL: ForKind.Unroll,
}
_LOOPS: Final = "pl.range, pl.parallel, pl.pipeline, pl.unroll, pl.while_ or pl.spmd"


class Bounds(NamedTuple):
    """What the header of a counting loop says."""

    start: Expr
    stop: Expr
    step: Expr
    inits: Sequence[Argument]
    attrs: Mapping[str, Any]


@compound_statement(ast.For)
def _for(tracer: FunctionTracer, node: ast.For) -> Steps:
    refuse_else(tracer, node)
    call = node.iter
    construct = _loop_construct(tracer, call)
    assert isinstance(call, ast.Call)
    if construct is SPMD:
        return trace_spmd_loop(tracer, node, call)
    if construct is WHILE:
        return _explicit_while(tracer, node, call)
    return _counting(tracer, node, call, KINDS[construct])


def refuse_else(tracer: FunctionTracer, node: ast.For | ast.While) -> None:
    """PL108 for an ``else`` of a loop, at the ``else``."""
    if not node.orelse:
        return
    span = tracer.span(node.orelse[0])
    for line in range(node.orelse[0].lineno, node.body[-1].end_lineno or node.lineno, -1):
        found = re.match(r"\s*(else)\b", tracer.file.source.line(line) or "")
        if found is not None:
            span = Span(span.source, line, found.start(1) + 1, line, found.end(1) + 1)
            break
    tracer.fail("PL108", "a loop can't have an else", span, hint="put the statements behind the loop")


def _loop_construct(tracer: FunctionTracer, node: ast.expr) -> Construct:
    """The construct that a ``for`` goes over. Raises PL108 where it is none for loops."""
    function = tracer.evaluate(node.func) if isinstance(node, ast.Call) else tracer.evaluate(node)
    if function is range:
        tracer.fail("PL108", "range is Python's own", node, expected="pl.range", hint="write pl.range(...)")
    if not isinstance(function, Construct) or not (function in KINDS or function in (WHILE, SPMD)):
        over_elements = isinstance(node, (ast.List, ast.Tuple, ast.Name))
        over_elements = over_elements or getattr(function, "__name__", "") in ("enumerate", "zip")
        hint = "for i in pl.unroll(n): with the elements taken by index" if over_elements else None
        tracer.fail("PL108", "a kernel can't loop over this", node, expected=_LOOPS, hint=hint)
    if not isinstance(node, ast.Call):
        tracer.fail("PL108", f"{function!r} has to be called", node, hint=f"{function!r}(n)")
    return function


# Counting loops


def _counting(tracer: FunctionTracer, node: ast.For, call: ast.Call, kind: ForKind) -> Steps:
    bounds = tracer.attempt(lambda tracer, node: _bounds(tracer, node, kind), call)
    comments = tracer.take_comments()
    target, carry_names = _targets(tracer, node, bounds.inits, call)
    check_loop_variable(tracer, target)
    inits, carries = _carries(tracer, bounds.inits, carry_names)
    block = tracer.new_block()
    frame = Frame("loop", block, carries=carries)
    outer = tracer.open_block(node, frame)
    span = tracer.span(target)
    var = Var(target.id, ScalarType(INDEX), span)
    tracer.names.set(target.id, Variable(var, var, block, span))
    _bind_carries(tracer, carries, carry_names, block)
    yield tracer.block(node.body, node.lineno + 1)
    body = tracer.close_block(node, outer)
    _end_names(tracer, frame, target, carry_names)
    results = _results(tracer, frame, node)
    tracer.emit(
        For(
            kind, var, bounds.start, bounds.stop, bounds.step, inits, carries, body, results, bounds.attrs,
            tracer.header_span(node), comments,
        )
    )  # fmt: skip


def _bounds(tracer: FunctionTracer, node: ast.Call, kind: ForKind) -> Bounds:
    name = kind.name.lower() if kind is not ForKind.Sequential else "range"
    arguments = arguments_of(tracer, node)
    if not 1 <= len(arguments.positional) <= 3:
        tracer.fail(
            "PL108", f"pl.{name} takes one to three bounds", node, found=str(len(arguments.positional)),
            expected=f"pl.{name}(stop), pl.{name}(start, stop) or pl.{name}(start, stop, step)",
        )  # fmt: skip
    made = [_bound(tracer, each) for each in arguments.positional]
    if kind is ForKind.Unroll and tracer.function_type is not FunctionType.Inline:
        made = [_constant(tracer, *each) for each in zip(made, arguments.positional, strict=True)]
    span = tracer.span(node)
    start = made[0] if len(made) > 1 else index_const(0, span)
    stop = made[0] if len(made) == 1 else made[1]
    step = made[2] if len(made) == 3 else index_const(1, span)
    if isinstance(step, Const) and step.value == 0:
        tracer.fail("PL108", "the step of a loop can't be zero", arguments.positional[2].node)
    inits: Sequence[Argument] = ()
    attrs: dict[str, Any] = {}
    for keyword, argument in arguments.named.items():
        if keyword == "init_values":
            inits = _init_values(tracer, argument)
        elif keyword == "attrs":
            attrs.update(plain_mapping(tracer, *argument))
        elif keyword not in LOOP_OPTIONS:
            expected = ("init_values", *LOOP_OPTIONS)
            tracer.fail(
                "PL205",
                f"pl.{name} has no keyword {keyword!r}",
                arguments.place(keyword),
                expected=", ".join(expected),
                hint=did_you_mean(keyword, expected),
            )
        else:
            attrs[keyword] = known(tracer, argument.value)
            if not is_plain(attrs[keyword]):
                tracer.fail(
                    "PL116", f"{keyword!r} has to be known while tracing", argument.node,
                    found=describe(argument.value), notes=why_unknown(tracer, argument.value),
                )  # fmt: skip
    return Bounds(start, stop, step, inits, attrs)


def _bound(tracer: FunctionTracer, argument: Argument) -> Expr:
    if isinstance(argument.value, (float, bool)):
        tracer.fail(
            "PL108", "the bounds of a loop are integers", argument.node, found=describe(argument.value),
            expected="an integer", hint="use // to divide integers" if isinstance(argument.value, float) else None,
        )  # fmt: skip
    return tracer.fit(index(tracer, argument.value, argument.node, "a bound of a loop"))


def _constant(tracer: FunctionTracer, bound: Expr, argument: Argument) -> Expr:
    """A bound of ``pl.unroll``."""
    value = known(tracer, bound)
    if isinstance(value, Expr):
        tracer.fail(
            "PL108", "the bounds of pl.unroll have to be constants", argument.node, found=describe(bound),
            hint="pl.range takes bounds that are known only at run time", notes=why_unknown(tracer, bound),
        )  # fmt: skip
    return bound if isinstance(bound, Const) else to_expression(tracer, value, argument.node)


# Carries


def _init_values(tracer: FunctionTracer, argument: Argument) -> list[Argument]:
    value, node = argument
    values = elements_of(value)
    if values is None:
        tracer.fail(
            "PL109", "init_values is a tuple", node, found=describe(value), expected="init_values=(value, ...)",
            hint="a tuple of one value is written (value,)",
        )  # fmt: skip
    places = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node] * len(values)
    return [Argument(each, place) for each, place in zip(values, places, strict=True)]


def _targets(
    tracer: FunctionTracer, node: ast.For, inits: Sequence[Argument], call: ast.Call
) -> tuple[ast.Name, list[ast.Name]]:
    """The loop variable, and the names of the carries."""
    target = node.target
    if isinstance(target, ast.Name):
        if inits:
            tracer.fail(
                "PL109", "the carries have no names", target, found=target.id, expected=f"{target.id}, (name, ...)",
                hint=f"for {target.id}, ({', '.join(['x'] * len(inits))},) in ...",
            )  # fmt: skip
        return target, []
    variable = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    if not isinstance(target, ast.Tuple) or len(target.elts) != 2 or not isinstance(variable, ast.Name):
        tracer.fail("PL108", "this is no target of a loop", target, expected="i, or i, (name, ...) with init_values")
    if not inits:
        tracer.fail(
            "PL109",
            "the carries have no init_values",
            target.elts[1],
            notes=[Note("the loop is here", tracer.span(call))],
            hint="init_values=(value, ...) gives their first values",
        )
    return variable, _carry_names(tracer, target.elts[1], inits)


def _carry_names(tracer: FunctionTracer, target: ast.expr, inits: Sequence[Argument]) -> list[ast.Name]:
    if not isinstance(target, (ast.Tuple, ast.List)):
        tracer.fail(
            "PL109", "the carries are a tuple of names", target, expected="(name, ...)", hint="(name,) for a single one"
        )
    names: dict[str, ast.Name] = {}
    for each in target.elts:
        if not isinstance(each, ast.Name):
            tracer.fail("PL108", "a carry is a name", each)
        if each.id in names:
            tracer.fail("PL109", f"there are two carries {each.id!r}", each)
        names[each.id] = each
    if len(names) != len(inits):
        tracer.fail(
            "PL109", "the number of carries is not that of the init_values", target, found=counted(len(names), "name"),
            expected=counted(len(inits), "name"),
        )  # fmt: skip
    return list(names.values())


def _carries(
    tracer: FunctionTracer, inits: Sequence[Argument], names: Sequence[ast.Name]
) -> tuple[tuple[Expr, ...], tuple[Var, ...]]:
    values = tuple([tracer.fit(to_expression(tracer, each.value, each.node)) for each in inits])
    carries = [Var(name.id, value.type, tracer.span(name)) for name, value in zip(names, values, strict=True)]
    for carry, value, name in zip(carries, values, names, strict=True):
        note_carry(tracer, carry, value, name)
    return values, tuple(carries)


def _bind_carries(tracer: FunctionTracer, carries: Sequence[Var], names: Sequence[ast.Name], block: int) -> None:
    for carry, name in zip(carries, names, strict=True):
        tracer.names.set(name.id, Variable(carry, carry, block, tracer.span(name)))


def _results(tracer: FunctionTracer, frame: Frame, node: ast.stmt) -> tuple[Var, ...]:
    if not frame.carries:
        return ()
    check_loop_yield(tracer, frame, node)
    assert frame.yielded is not None
    types = [carry.type for carry in frame.carries]
    return define_results(tracer, frame.yielded, types, [carry.name for carry in frame.carries], node)


def _end_names(
    tracer: FunctionTracer, frame: Frame, variable: ast.Name | None = None, carries: Sequence[ast.Name] = ()
) -> None:
    """Ends the names of a body. The loop may not run, so only names from outside it certainly have a value afterwards.

    A result may get the name of a carry, or of the loop's variable.
    """
    changes = tracer.names.close()
    named_again = [target.id for target in frame.yielded.targets] if frame.yielded is not None else []
    for target in (*carries, *([variable] if variable is not None else [])):
        del changes[target.id]
        if target.id not in named_again:
            check_loop_variable(tracer, target)
            gone = no_longer if target is variable else no_longer_carried
            tracer.names.set(target.id, gone(tracer.span(target)))
    block = tracer.frames[-1].block
    for name, (before, after) in changes.items():
        alive = before.alive(after) if isinstance(before, Gone) else None
        if alive is not None:
            tracer.names.set(name, alive)
        elif isinstance(after, Gone) or not isinstance(before, (Variable, Static)):
            reason, hint = "is bound in the body of a loop, which may not run", "bind it in front of the loop"
            tracer.names.set(name, Gone.behind(after, block, reason, hint))


# Loops with a condition


@compound_statement(ast.While)
def _while(tracer: FunctionTracer, node: ast.While) -> Steps:
    """Python's ``while``.

    A condition with calls is evaluated in front of the loop and again at the end of each iteration, into a variable
    that the loop reads.
    """
    refuse_else(tracer, node)
    calls, count = tracer.call_count, len(tracer.statements)
    decides = tracer.attempt(decision, node.test)
    if decides is False:
        return
    if isinstance(decides, bool):
        decides = Const(True, ScalarType(BOOL), tracer.span(node.test))
    frame = Frame("loop", tracer.new_block())
    if tracer.call_count != calls or len(tracer.statements) != count:
        decides = _repeated_condition(tracer, node, decides, frame)
    comments = tracer.take_comments()
    outer = tracer.open_block(node, frame)
    yield tracer.block(node.body, node.lineno + 1)
    if frame.left is None and frame.repeat is not None:
        frame.repeat()
    body = tracer.close_block(node, outer)
    _end_names(tracer, frame)
    tracer.emit(While(decides, (), (), body, (), tracer.header_span(node), comments))


def _repeated_condition(tracer: FunctionTracer, node: ast.While, first: Expr, frame: Frame) -> Var:
    """The variable for a condition with calls, assigned in front of the loop; ``frame.repeat`` assigns it again."""
    span = tracer.span(node.test)
    var = Var("condition", ScalarType(BOOL), span)
    tracer.emit(Assign(var, first, span))
    tracer.rebinds = True

    def repeat() -> None:
        again = tracer.attempt(decision, node.test)
        value = Const(again, ScalarType(BOOL), span) if isinstance(again, bool) else again
        tracer.emit(Assign(var, value, span))

    frame.repeat = repeat
    return var


def _explicit_while(tracer: FunctionTracer, node: ast.For, call: ast.Call) -> Steps:
    """``for x, y in pl.while_(init_values=(...))`` with ``pl.cond(...)`` as its first statement."""
    values = tracer.attempt(_while_inits, call)
    comments = tracer.take_comments()
    names = _carry_names(tracer, node.target, values)
    inits, carries = _carries(tracer, values, names)
    block = tracer.new_block()
    frame = Frame("loop", block, carries=carries)
    outer = tracer.open_block(node, frame)
    _bind_carries(tracer, carries, names, block)
    test = _condition_statement(tracer, node)
    decides = _condition(tracer, test)
    yield tracer.block(node.body[1:], (node.body[0].end_lineno or node.lineno) + 1)
    body = tracer.close_block(node, outer)
    _end_names(tracer, frame, None, names)
    results = _results(tracer, frame, node)
    tracer.emit(While(decides, inits, carries, body, results, tracer.header_span(node), comments))


def _while_inits(tracer: FunctionTracer, node: ast.Call) -> list[Argument]:
    arguments = arguments_of(tracer, node)
    for each in arguments.positional:
        tracer.fail("PL108", "pl.while_ takes init_values only", each.node, hint="the condition stands in pl.cond(...)")
    for name in arguments.named:
        if name != "init_values":
            hint = did_you_mean(name, ["init_values"])
            tracer.fail(
                "PL205", f"pl.while_ has no keyword {name!r}", arguments.place(name), expected="init_values", hint=hint
            )
    if "init_values" not in arguments.named:
        tracer.fail("PL108", "pl.while_ needs init_values", node, hint="Python's while needs no carries: while x > 0:")
    values = _init_values(tracer, arguments.named["init_values"])
    if not values:
        tracer.fail("PL108", "pl.while_ carries nothing", node, hint="Python's while needs no carries: while x > 0:")
    return values


def _condition_statement(tracer: FunctionTracer, node: ast.For) -> ast.expr:
    """The argument of ``pl.cond``. Raises PL108 where the body does not begin with it."""
    first = node.body[0]
    call = first.value if isinstance(first, ast.Expr) else None
    if not isinstance(call, ast.Call) or construct_called(tracer, call) is not COND:
        tracer.fail(
            "PL108", "the body of a pl.while_ loop has to begin with pl.cond", tracer.header_span(first),
            expected="pl.cond(condition)",
        )  # fmt: skip
    if len(call.args) != 1 or call.keywords:
        tracer.fail("PL202", "pl.cond takes one condition", call, expected="pl.cond(condition)")
    if tracer.comments.exist:
        tracer.add_comments(tracer.comments.before(first, node.lineno + 1))
    return call.args[0]


def _condition(tracer: FunctionTracer, node: ast.expr) -> Expr:
    """The condition of a ``pl.while_`` loop, which is one expression: there is no place for statements."""
    try:
        decides = decision(tracer, node)
    except NamingNeeded:
        tracer.fail(
            "PL118", "the condition takes statements of its own", node,
            hint="make the condition a carry, and yield its next value",
        )  # fmt: skip
    return Const(decides, ScalarType(BOOL), tracer.span(node)) if isinstance(decides, bool) else decides
