"""What it takes to bind a name to a value: which variable of the IR is assigned, and whether that is allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.analysis.join_types import disagreement
from pypto_lite.diagnostics import Note, Span
from pypto_lite.ir import Expr, Type, Var
from pypto_lite.trace.expressions.scalars import made_the_difference
from pypto_lite.trace.expressions.values import SELF, describe
from pypto_lite.trace.names.symbol_table import Gone, Static, Variable

if TYPE_CHECKING:
    import ast

    from pypto_lite.trace.tracer import FunctionTracer


def define(
    tracer: FunctionTracer, name: str, type_: Type, target: ast.expr, value: Expr | None = None, *, keeps: bool = False
) -> Var:
    """The variable to assign where ``name`` is bound to a value of a type. Raises PL207 where it may not be bound so;
    ``value`` tells why, if it is there.

    In the block that bound the name before, that is a new variable; in a block inside it, the one that the name has
    around it. The second arm of a branch assigns the variable that the first one made for the name. ``keeps`` says
    that the value is made of the same elements as what the name was bound to.
    """
    frame = tracer.frames[-1]
    span = tracer.span(target)
    before = tracer.names.get(name)
    if isinstance(before, Static) and (before.block != frame.block or before.value is SELF):
        tracer.fail(
            "PL207", f"{name!r} is bound to another kind of value outside this block", target,
            found=repr(type_), expected=describe(before.value), notes=[Note(f"{name!r} is bound here", before.span)],
            hint="use another name",
        )  # fmt: skip
    if isinstance(before, Variable):
        _check_rebinding(tracer, name, before, type_, target, value)
        if before.block != frame.block:
            if not keeps and before.root in tracer.references.params:
                tracer.references.replaced.add(before.root)
            return _rebind(tracer, name, before.root, before.block, type_, target)
    else:
        other = _of_other_arm(tracer, name, type_)
        if other is not None:
            return _rebind(tracer, name, other[0], other[1], type_, target)
    var = Var(name, type_, span)
    tracer.names.set(name, Variable(var, var, frame.block, span))
    return var


def _check_rebinding(
    tracer: FunctionTracer, name: str, before: Variable, type_: Type, target: ast.expr, value: Expr | None
) -> None:
    wanted = before.current.type
    differs = disagreement(wanted, type_)
    if differs is None:
        return
    why, hint = ([], None) if value is None else made_the_difference(value, wanted)
    tracer.fail(
        "PL207", f"{name!r} is bound again with another {differs}", target, found=repr(type_), expected=repr(wanted),
        notes=[Note(f"{name!r} is bound here", before.span), *why], hint=hint or "use another name",
    )  # fmt: skip


def _rebind(tracer: FunctionTracer, name: str, root: Var, block: int, type_: Type, target: ast.expr) -> Var:
    """Assigns a variable once more; one of another layout stands for it where the type differs in that."""
    tracer.rebinds = True
    span = tracer.span(target)
    current = root
    if root.type != type_:
        current = Var(name, type_, span)
        tracer.versions[current] = root
    tracer.names.set(name, Variable(root, current, block, span))
    return current


def may_be_assigned_again(tracer: FunctionTracer, var: Var) -> bool:
    """Whether a block inside the one that has bound a variable's name binds it again, and so assigns the variable."""
    binding = tracer.names.get(var.name)
    if not isinstance(binding, Variable) or binding.root is not tracer.versions.get(var, var):
        return False
    depth = 0
    for frame in tracer.frames:
        depth += frame.kind in ("loop", "arm")
        if frame.block == binding.block:
            break
    return tracer.names.places_of_binding(var.name, tracer.definition).depth > depth


def _of_other_arm(tracer: FunctionTracer, name: str, type_: Type) -> tuple[Var, int] | None:
    """The variable that the first arm of an enclosing branch made for a name, and the block around the branch."""
    for position in range(len(tracer.frames) - 1, 0, -1):
        frame = tracer.frames[position]
        if frame.kind == "loop":
            return None
        if frame.other_arm is None or name not in frame.other_arm:
            continue
        before, after = frame.other_arm[name]
        if not isinstance(before, Variable) and isinstance(after, Variable):
            fits = disagreement(after.root.type, type_) is None
            return (after.root, tracer.frames[position - 1].block) if fits else None
    return None


# Variables of loops


def check_loop_variable(tracer: FunctionTracer, target: ast.Name) -> None:
    """PL207 where a loop's variable would change a name that an enclosing loop reads again in its next iteration.

    After its loop the variable has no value, other than in Python, so in all other cases nothing can be misunderstood.
    """
    before = tracer.names.get(target.id)
    if not isinstance(before, (Variable, Static)):
        return
    loops = [frame.block for frame in tracer.frames if frame.kind == "loop"]
    if loops and before.block < loops[-1]:
        tracer.fail(
            "PL207", f"the loop variable {target.id!r} would change what the loop around it reads again", target,
            notes=[Note(f"{target.id!r} is bound here", before.span)], hint="use another name",
        )  # fmt: skip


def no_longer_carried(span: Span) -> Gone:
    """What the name of a carry is bound to after its loop."""
    return Gone("is carried by a loop, and has no value after it", span, "pl.yield_ gives the result a name")


def no_longer(span: Span) -> Gone:
    """What the name of a loop's variable is bound to after the loop."""
    return Gone(
        "is the variable of a loop, and has no value after it", span, "bind its value to another name in the loop"
    )
