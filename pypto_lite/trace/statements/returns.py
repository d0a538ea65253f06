"""Returns: what a function gives back, and branches whose arms return."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NoReturn, TypeAlias, cast

from pypto_lite.analysis.join_types import branch_type
from pypto_lite.analysis.type_agreement import Agreement, difference
from pypto_lite.diagnostics import Note
from pypto_lite.ir import Block, Expr, If, Return, TupleItem, TupleType, Type, Var, Yield
from pypto_lite.trace.definitions.copy_out import last_values
from pypto_lite.trace.expressions.conditions import decision
from pypto_lite.trace.expressions.scalars import as_declared, made_the_difference
from pypto_lite.trace.expressions.values import counted, describe
from pypto_lite.trace.statements.frames import Frame

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pypto_lite.trace.tracer import FunctionTracer, Steps

Segment: TypeAlias = "tuple[Sequence[ast.stmt], int]"
"""Statements that follow each other, and the line from which on comments belong to them."""


def returned_values(tracer: FunctionTracer, node: ast.Return) -> tuple[Expr, ...]:
    """The values of a return. Raises PL112 where it can't stand, or where they are not what the signature says."""
    if not tracer.frames[-1].returns:
        _refuse_place(tracer, node)
    if node.value is None:
        values: Sequence[object] = ()
        nodes: Sequence[ast.expr] = ()
    else:
        value = tracer.whole(node.value)
        values, nodes = _several(tracer, value, node.value)
    wanted = tracer.results
    if wanted is not None and len(values) != len(wanted):
        _refuse_count(tracer, len(values), wanted, node)
    made: list[Expr] = []
    for position, (each, place) in enumerate(zip(values, nodes, strict=True)):
        type_ = None if wanted is None else wanted[position]
        made.append(tracer.fit(_returned(tracer, each, type_, place)))
    return (*made, *last_values(tracer, made))


def end(tracer: FunctionTracer, place: ast.stmt) -> None:
    """What a function does at an end without a return. Raises PL112 where it has to return something."""
    missing_return(tracer, None if place is tracer.definition else place)
    copied_out = last_values(tracer, ())
    if copied_out:
        finish(tracer, copied_out, place)


def _several(tracer: FunctionTracer, value: object, node: ast.expr) -> tuple[Sequence[object], Sequence[ast.expr]]:
    """The values of ``return a, b``, and where they stand. A call that gives several values returns all of them."""
    if isinstance(value, Expr) and isinstance(value.type, TupleType):
        whole = value if isinstance(value, Var) else tracer.name(value, "results")
        items: list[object] = []
        for position, type_ in enumerate(value.type.types):
            items.append(tracer.name(TupleItem(whole, position, type_, tracer.span(node)), "result"))
        return items, [node] * len(items)
    if isinstance(value, (list, tuple)):
        values = cast("Sequence[object]", value)
        nodes = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node] * len(values)
        return values, nodes
    if value is None:
        return (), ()
    return [value], [node]


def _returned(tracer: FunctionTracer, value: object, wanted: Type | None, node: ast.expr) -> Expr:
    """One value, as the signature says; a bare number takes the element type."""
    made = as_declared(tracer, value, wanted, node)
    differs = None if wanted is None else difference(wanted, made.type, Agreement.with_function(tracer.function_type))
    if differs is not None:
        assert wanted is not None
        returns = tracer.definition.returns
        why, hint = made_the_difference(made, wanted)
        notes = [] if returns is None else [Note("the signature says it here", tracer.span(returns))]
        tracer.fail(
            "PL112", f"the returned value has another {differs} than the signature says", node, found=describe(made),
            expected=repr(wanted), notes=[*notes, *why], hint=hint,
        )  # fmt: skip
    return made


def _refuse_place(tracer: FunctionTracer, node: ast.Return) -> NoReturn:
    kinds = {frame.kind for frame in tracer.frames}
    if "loop" in kinds:
        tracer.fail(
            "PL112", "return stands in a loop", node, hint="bind the value to a name, and return it after the loop"
        )
    if "scope" in kinds:
        hint = "return at the end of the function: the names that are bound in the scope are known there"
        tracer.fail("PL112", "return stands in a scope that does not end the function", node, hint=hint)
    tracer.fail(
        "PL112", "return stands in a branch that does not end the function on both ways", node,
        hint="bind the value to a name in both arms, and return it at the end",
    )  # fmt: skip


def _refuse_count(tracer: FunctionTracer, count: int, wanted: Sequence[Type], node: ast.Return) -> NoReturn:
    returns = tracer.definition.returns
    tracer.fail(
        "PL112", "the number of returned values is not that of the signature", node.value or node,
        found=counted(count, "value"), expected=counted(len(wanted), "value"),
        notes=[] if returns is None else [Note("the signature says it here", tracer.span(returns))],
    )  # fmt: skip


def finish(tracer: FunctionTracer, values: tuple[Expr, ...], node: ast.stmt) -> None:
    """Ends the function, or the arm of a branch at its end, with these values."""
    frame = tracer.frames[-1]
    frame.left = "return"
    frame.returned = values
    frame.returned_at = node
    span = tracer.header_span(node)
    if frame.kind != "arm":
        tracer.emit(Return(values, span))
    elif values:
        tracer.emit(Yield(values, span))


def missing_return(tracer: FunctionTracer, place: ast.stmt | None) -> None:
    """PL112 where the end of a function that returns something is reached without a return."""
    if not tracer.results:
        return
    returns = tracer.definition.returns
    tracer.fail(
        "PL112",
        "the function does not return a value"
        if place is None
        else "the function does not return a value on every way",
        tracer.file.name_span(tracer.definition) if place is None else tracer.header_span(place),
        expected=", ".join(map(repr, tracer.results)),
        notes=[] if returns is None else [Note("the signature says it here", tracer.span(returns))],
        hint="end it with return, or remove the annotation of the result",
    )


# Branches whose arms return


def last_block(tracer: FunctionTracer, segments: Sequence[Segment]) -> Steps:
    """Traces the statements at the end of a function. What follows a branch with a return is part of its other arm."""
    for index, (body, start) in enumerate(segments):
        position = next((at for at, each in enumerate(body) if isinstance(each, ast.If) and _returns(each)), None)
        if position is None:
            yield tracer.block(body, start, is_last=index == len(segments) - 1)
            continue
        branch = cast("ast.If", body[position])
        before = body[:position]
        if before:
            yield tracer.block(before, start, is_last=False)
            start = (before[-1].end_lineno or before[-1].lineno) + 1
        if tracer.frames[-1].left is not None:
            yield tracer.block([branch], start)  # refuses it
        rest = [(body[position + 1 :], (branch.end_lineno or branch.lineno) + 1), *segments[index + 1 :]]
        if tracer.comments.exist:
            tracer.add_comments(tracer.comments.before(branch, start))
        yield _returning_branch(tracer, branch, [segment for segment in rest if segment[0]])
        return


def _returns(branch: ast.If) -> bool:
    """Whether there is a return in a branch, but for those in loops and scopes in it."""
    return next(_returns_in(branch), None) is not None


def _returns_in(branch: ast.If) -> Iterator[ast.Return]:
    pending: list[ast.stmt] = [branch]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Return):
            yield node
        elif isinstance(node, ast.If):
            pending += [*node.body, *node.orelse]


def _goes_on(body: Sequence[ast.stmt]) -> bool:
    """Whether the end of a block may be reached: whether what follows it is a part of it."""
    pending = [body]
    while pending:
        block = pending.pop()
        last = block[-1] if block else None
        if isinstance(last, ast.Return):
            continue
        if not isinstance(last, ast.If):
            return True
        pending += [last.body, last.orelse]
    return False


def _returning_branch(tracer: FunctionTracer, node: ast.If, rest: list[Segment]) -> Steps:
    comments = tracer.take_comments()
    decides = tracer.attempt(decision, node.test)
    segments = (node.body, node.lineno + 1), (node.orelse, (node.body[-1].end_lineno or node.lineno) + 1)
    if isinstance(decides, bool):
        tracer.add_comments(comments)
        chosen = segments[0] if decides else segments[1]
        yield last_block(tracer, [*([chosen] if chosen[0] else []), *(rest if _goes_on(chosen[0]) else [])])
        return
    go_on = [_goes_on(body) for body, _ in segments]
    if all(go_on) and rest:
        _refuse_place(tracer, next(_returns_in(node)))
    if not any(go_on) and rest:
        tracer.fail("PL103", "the statement is never reached: it follows return", rest[0][0][0], hint="remove it")
    blocks: list[Block] = []
    returned: list[Frame] = []
    for (body, start), goes_on in zip(segments, go_on, strict=True):
        is_elif = body is node.orelse and len(body) == 1 and isinstance(body[0], ast.If) and not (goes_on and rest)
        frame = Frame("arm", tracer.new_block(), is_elif=is_elif, returns=True)
        outer = tracer.open_block(node, frame)
        yield last_block(tracer, [*([(body, start)] if body else []), *(rest if goes_on else [])])
        if frame.left is None:
            end(tracer, node)
            frame.returned_at = node
        tracer.names.close()
        blocks.append(tracer.close_block(node, outer))
        returned.append(frame)
    results = _results(tracer, returned[0], returned[1])
    # Where a type mentions a value of an arm, conversion to SSA finds what stands for it afterwards.
    tracer.rebinds = tracer.rebinds or any(result.type.symbolic for result in results)
    otherwise = blocks[1] if blocks[1].statements else None
    tracer.emit(If(decides, blocks[0], otherwise, results, tracer.header_span(node), comments))
    finish(tracer, results, node)


def _results(tracer: FunctionTracer, then: Frame, otherwise: Frame) -> tuple[Var, ...]:
    """The variables for what two arms return."""
    assert otherwise.returned_at is not None
    assert then.returned_at is not None
    place = otherwise.returned_at
    note = Note("the other arm returns here", tracer.header_span(then.returned_at))
    if len(then.returned) != len(otherwise.returned):
        tracer.fail(
            "PL112",
            "the arms return different numbers of values",
            tracer.header_span(place),
            found=counted(len(otherwise.returned), "value"),
            expected=counted(len(then.returned), "value"),
            notes=[note],
        )
    results: list[Var] = []
    for first, second in zip(then.returned, otherwise.returned, strict=True):
        differs = difference(first.type, second.type, Agreement.JOIN)
        if differs is not None:
            tracer.fail(
                "PL112", f"the arms return values of another {differs}", tracer.header_span(place),
                found=describe(second), expected=describe(first), notes=[note],
            )  # fmt: skip
        name = first.name if isinstance(first, Var) else "result"
        results.append(Var(name, branch_type(first.type, second.type), tracer.header_span(place)))
    return tuple(results)
