"""Branches: ``if``, ``elif``, ``else``."""

from __future__ import annotations

import ast

from pypto_lite.analysis.join_types import branch_type
from pypto_lite.diagnostics import Note
from pypto_lite.ir import Block, If, Type, Var
from pypto_lite.trace.expressions.conditions import decision
from pypto_lite.trace.names.symbol_table import Binding, Changes, Gone, Static, Variable
from pypto_lite.trace.statements.frames import Frame, Yielded
from pypto_lite.trace.statements.merging import merged_type
from pypto_lite.trace.statements.yields import check_arm_yields, define_results
from pypto_lite.trace.tracer import FunctionTracer, Steps, compound_statement


@compound_statement(ast.If)
def _branch(tracer: FunctionTracer, node: ast.If) -> Steps:
    is_last = tracer.is_last
    decides = tracer.attempt(decision, node.test)
    segments = (node.body, node.lineno + 1), (node.orelse, (node.body[-1].end_lineno or node.lineno) + 1)
    if isinstance(decides, bool):  # only the chosen arm is part of the program
        body, start = segments[0] if decides else segments[1]
        yield tracer.block(body, start, is_last=is_last)
        frame = tracer.frames[-1]
        frame.skips = frame.left in _JUMPS
        return
    comments = tracer.take_comments()
    then_frame = Frame("arm", tracer.new_block())
    outer = tracer.open_block(node, then_frame)
    yield tracer.block(*segments[0])
    then_changes = tracer.names.close()
    then_body = tracer.close_block(node, outer)

    is_elif = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
    yields = () if then_frame.yielded is None else [value.type for value in then_frame.yielded.values]
    else_frame = Frame("arm", tracer.new_block(), other_arm=then_changes, yields_of_other_arm=yields, is_elif=is_elif)
    outer = tracer.open_block(node, else_frame)
    yield tracer.block(*segments[1])
    else_changes = tracer.names.close()
    else_body: Block | None = tracer.close_block(node, outer)
    if not node.orelse or not (else_body.statements or else_body.trailing_comments):
        else_body = None

    yielded = _yielded(tracer, then_frame, else_frame, node)
    _join_names(tracer, node, (then_frame, then_changes), (else_frame, else_changes))
    results: tuple[Var, ...] = ()
    if yielded is not None:
        types, hints = _result_types(yielded[0], yielded[1])
        # Where a type mentions a value that only the arm knows, conversion to SSA finds what stands for it afterwards.
        tracer.rebinds = tracer.rebinds or any(type_.symbolic for type_ in types)
        _add_annotation(tracer, types, *yielded)
        results = define_results(tracer, yielded[0], types, hints, node)
    tracer.emit(If(decides, then_body, else_body, results, tracer.header_span(node), comments))
    if then_frame.left in _JUMPS and else_frame.left in _JUMPS:
        tracer.frames[-1].left = then_frame.left


_JUMPS = ("break", "continue")


def _yielded(tracer: FunctionTracer, then: Frame, otherwise: Frame, node: ast.If) -> tuple[Yielded, Yielded] | None:
    """What both arms yield, with the names in the first of the two; None where neither does."""
    if then.yielded is None and otherwise.yielded is None:
        return None
    if then.yielded is None or otherwise.yielded is None:
        found = then.yielded or otherwise.yielded
        assert found is not None
        tracer.fail(
            "PL114", "only one arm of the branch yields", found.node,
            expected="pl.yield_ at the end of both arms", notes=[Note("the branch is here", tracer.header_span(node))],
        )  # fmt: skip
    check_arm_yields(tracer, then.yielded, otherwise.yielded)
    first, second = then.yielded, otherwise.yielded
    if not first.targets:
        first = Yielded(first.node, first.values, first.nodes, second.targets, second.annotation)
    elif first.annotation is None:
        first = Yielded(first.node, first.values, first.nodes, first.targets, second.annotation)
    return first, second


def _result_types(then: Yielded, otherwise: Yielded) -> tuple[list[Type], list[str]]:
    types: list[Type] = []
    hints: list[str] = []
    for first, second in zip(then.values, otherwise.values, strict=True):
        types.append(branch_type(first.type, second.type))
        hints.append(first.name if isinstance(first, Var) else "result")
    return types, hints


def _add_annotation(tracer: FunctionTracer, types: list[Type], then: Yielded, otherwise: Yielded) -> None:
    """Adds what the second arm's annotation of the result says; PL111 where the first one's says something else."""
    if then.annotation is None or otherwise.annotation is None or then.annotation is otherwise.annotation:
        return
    first = merged_type(tracer, types[0], then.annotation, then.nodes[0])
    types[0] = merged_type(tracer, types[0], otherwise.annotation, otherwise.nodes[0])
    both = merged_type(tracer, first, otherwise.annotation, otherwise.nodes[0])
    if both != merged_type(tracer, types[0], then.annotation, then.nodes[0]):
        tracer.fail(
            "PL111", "the arms annotate the result differently", otherwise.annotation.node,
            found=repr(both), expected=repr(first),
            notes=[Note("the first arm's is here", tracer.span(then.annotation.node))],
        )  # fmt: skip


# Names after a branch


def _join_names(
    tracer: FunctionTracer, node: ast.If, then: tuple[Frame, Changes], otherwise: tuple[Frame, Changes]
) -> None:
    """Binds the names that the arms have changed as they are after the branch.

    An arm that jumps away does not come to an end, so after it things are as at the end of the other one.
    """
    (then_frame, then_changes), (else_frame, else_changes) = then, otherwise
    block = tracer.frames[-1].block
    for name in dict.fromkeys([*then_changes, *else_changes]):
        before = then_changes[name][0] if name in then_changes else else_changes[name][0]
        first = then_changes[name][1] if name in then_changes else before
        second = else_changes[name][1] if name in else_changes else before
        was = before
        if isinstance(before, Gone) and (alive := before.alive(first, second)) is not None:
            first, second = (alive if each is before else each for each in (first, second))
            before = alive
        if then_frame.left in _JUMPS:
            joined = _of_one_arm(second, before, first, block)
        elif else_frame.left in _JUMPS:
            joined = _of_one_arm(first, before, second, block)
        else:
            joined = _joined(tracer, name, node, before, first, second)
        if joined is not None and joined is not was:
            tracer.names.set(name, joined)


def _of_one_arm(after: Binding | None, before: Binding | None, changed: Binding | None, block: int) -> Binding | None:
    """A name as the only arm that comes to an end leaves it: bound in what follows the branch, too."""
    if after is None:
        assert changed is not None
        reason, hint = "is bound only on a way that leaves the loop", "bind it in front of the branch"
        return Gone.behind(changed, block, reason, hint)
    if isinstance(after, Variable) and not isinstance(before, Variable):
        return Variable(after.root, after.current, min(after.block, block), after.span)
    if isinstance(after, Static) and after is not before:
        return Static(after.value, block, after.span)
    return after


def _joined(
    tracer: FunctionTracer,
    name: str,
    node: ast.If,
    before: Binding | None,
    first: Binding | None,
    second: Binding | None,
) -> Binding | None:
    if isinstance(first, Variable) and isinstance(second, Variable) and first.root is second.root:
        # Blocks are numbered from the outside in. The other arm of a branch around may have made the variable.
        block = min(first.block, second.block, tracer.frames[-1].block)
        if isinstance(before, Variable):
            block = before.block
        type_ = branch_type(first.current.type, second.current.type)
        current = _standing_for(tracer, first, second, type_)
        return Variable(first.root, current, block, first.span)
    if first is second:
        return first
    changed = first if first is not before and first is not None else second
    if changed is None:
        return changed
    block = tracer.frames[-1].block
    if isinstance(changed, Gone):
        return Gone.behind(changed, block, changed.reason, "")
    one_arm = not isinstance(first, (Variable, Static)) or not isinstance(second, (Variable, Static))
    if one_arm:
        reason, hint = "has no value on one way through the branch", "in both arms, or in front of the branch"
        return Gone.behind(changed, block, reason, f"bind {name!r} {hint}")
    reason = "has values of different types in the two arms of a branch"
    if isinstance(first, Static) or isinstance(second, Static):
        reason = "is bound in the arms of a branch to what has no value when the kernel runs"
    return Gone(reason, changed.span, "use different names in the two arms")


def _standing_for(tracer: FunctionTracer, first: Variable, second: Variable, type_: Type) -> Var:
    """The variable that stands for a joined one where its type differs from that of the variable of the IR."""
    for each in (first.root, first.current, second.current):
        if each.type == type_:
            return each
    current = Var(first.root.name, type_, first.span)
    tracer.versions[current] = first.root
    return current
