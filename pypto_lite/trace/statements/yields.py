"""``pl.yield_``: what a loop body or an arm of a branch passes on, and the names that the results get."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pypto_lite.analysis.join_types import disagreement
from pypto_lite.diagnostics import Note
from pypto_lite.ir import Expr, Type, Var, Yield
from pypto_lite.trace.expressions.operator_calls import arguments_of
from pypto_lite.trace.expressions.scalars import INDEX_TYPE, as_declared, made_the_difference
from pypto_lite.trace.expressions.values import counted
from pypto_lite.trace.names.bindings import define
from pypto_lite.trace.statements.frames import Annotated, Frame, Yielded
from pypto_lite.trace.statements.merging import merged_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.trace.tracer import FunctionTracer


def trace_yield(tracer: FunctionTracer, node: ast.Call, target: ast.expr | None, annotated: Annotated | None) -> None:
    """Traces ``target = pl.yield_(...)``. Raises PL114 where it can't stand, PL109 for a wrong number of names."""
    frame = tracer.frames[-1]
    if frame.kind not in ("loop", "arm"):
        tracer.fail("PL114", "pl.yield_ is for the bodies of loops and the arms of branches", node, hint="use return")
    if frame.returns:
        tracer.fail(
            "PL114", "the other arm returns, so this one can't yield", node, hint="return in both arms, or in none"
        )
    if not tracer.is_last:
        tracer.fail("PL114", "pl.yield_ has to be the last statement of its block", node)
    if frame.kind == "loop" and not frame.carries:
        tracer.fail(
            "PL114", "the loop carries nothing that could be yielded", node,
            hint="name the carries: for i, (x,) in pl.range(n, init_values=(x0,))",
        )  # fmt: skip
    arguments = arguments_of(tracer, node)
    for keyword in node.keywords:
        tracer.fail("PL205", "pl.yield_ takes no keywords", keyword)
    if not arguments.positional:
        tracer.fail("PL114", "pl.yield_ needs a value", node)
    wanted = _wanted(frame, annotated, len(arguments.positional))
    values = tuple(
        [
            tracer.fit(as_declared(tracer, each.value, type_, each.node))
            for each, type_ in zip(arguments.positional, wanted, strict=True)
        ]
    )
    targets = _targets(tracer, target, len(values))
    if annotated is not None and len(values) != 1:
        tracer.fail("PL111", "one annotation can't stand for several values", annotated.node)
    frame.yielded = Yielded(node, values, [each.node for each in arguments.positional], targets, annotated)
    frame.left = "yield"
    tracer.emit(Yield(values, tracer.span(node)))


def _wanted(frame: Frame, annotated: Annotated | None, count: int) -> list[Type | None]:
    """The types that bare numbers take among so many yielded values, as far as they are known.

    An integer that is yielded for an INT64 stays the INDEX that it is: the two agree.
    """
    known = [carry.type for carry in frame.carries] or frame.yields_of_other_arm
    if annotated is not None:
        known = [annotated.type]
    types: list[Type | None] = [None if disagreement(type_, INDEX_TYPE) is None else type_ for type_ in known[:count]]
    return [*types, *[None] * (count - len(types))]


def _targets(tracer: FunctionTracer, target: ast.expr | None, count: int) -> list[ast.Name]:
    if target is None:
        return []
    several = isinstance(target, (ast.Tuple, ast.List))
    elements = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    names: list[ast.Name] = []
    for each in elements:
        if not isinstance(each, ast.Name):
            tracer.fail("PL114", "the results of pl.yield_ are bound to names", each)
        names.append(each)
    if len(names) != count or (several and count == 1 and isinstance(target, ast.List)):
        tracer.fail(
            "PL109", "the number of names is not that of the yielded values", target, found=counted(len(names), "name"),
            expected=counted(count, "name"),
        )  # fmt: skip
    return names


def check_loop_yield(tracer: FunctionTracer, frame: Frame, node: ast.stmt) -> None:
    """PL114 unless the body of a loop with carries yields as many values, of the same types."""
    yielded = frame.yielded
    if yielded is None:
        tracer.fail(
            "PL114", "the body of a loop with init_values has to end in pl.yield_", tracer.header_span(node),
            expected=counted(len(frame.carries), "value"),
        )  # fmt: skip
    if len(yielded.values) != len(frame.carries):
        tracer.fail(
            "PL114", "the number of yielded values is not that of the carries", yielded.node,
            found=counted(len(yielded.values), "value"), expected=counted(len(frame.carries), "value"),
            notes=[Note("the loop is here", tracer.header_span(node))],
        )  # fmt: skip
    for value, carry, place in zip(yielded.values, frame.carries, yielded.nodes, strict=True):
        _check_type(tracer, value, carry.type, place, Note(f"the carry {carry.name!r} is here", carry.span))


def check_arm_yields(tracer: FunctionTracer, then: Yielded, otherwise: Yielded) -> None:
    """PL114 unless both arms yield as many values, of the same types, under the same names."""
    if len(then.values) != len(otherwise.values):
        tracer.fail(
            "PL114", "the arms yield different numbers of values", otherwise.node,
            found=counted(len(otherwise.values), "value"), expected=counted(len(then.values), "value"),
            notes=[Note("the first arm yields here", tracer.span(then.node))],
        )  # fmt: skip
    for first, second, place in zip(then.values, otherwise.values, otherwise.nodes, strict=True):
        _check_type(tracer, second, first.type, place, Note("the first arm yields here", tracer.span(then.node)))
    for first, second in zip(then.targets, otherwise.targets, strict=False):
        if first.id != second.id:
            tracer.fail(
                "PL114", "the arms give a result different names", second, found=second.id, expected=first.id,
                notes=[Note("the first arm names it here", tracer.span(first))],
            )  # fmt: skip


def _check_type(tracer: FunctionTracer, value: Expr, wanted: Type, place: ast.expr, note: Note) -> None:
    differs = disagreement(wanted, value.type)
    if differs is not None:
        why, hint = made_the_difference(value, wanted)
        tracer.fail(
            "PL114", f"the yielded value has another {differs}", place, found=repr(value.type), expected=repr(wanted),
            notes=[note, *why], hint=hint,
        )  # fmt: skip


def define_results(
    tracer: FunctionTracer, yielded: Yielded, types: Sequence[Type], hints: Sequence[str], node: ast.stmt
) -> tuple[Var, ...]:
    """The variables of a loop's or a branch's results, bound to the names that the yield gives them."""
    results: list[Var] = []
    for position, type_ in enumerate(types):
        if yielded.annotation is not None:
            type_ = merged_type(tracer, type_, yielded.annotation, yielded.nodes[position])
        if position < len(yielded.targets):
            target = yielded.targets[position]
            results.append(define(tracer, target.id, type_, target))
        else:
            results.append(Var(hints[position], type_, tracer.header_span(node)))
    return tuple(results)
