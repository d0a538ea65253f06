"""Calls of functions: the arguments of the parameters, the types of the results, and the names of the functions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.analysis.type_agreement import Agreement, difference
from pypto_lite.diagnostics import Note, did_you_mean
from pypto_lite.ir import ArrayType, Dim, Expr, ScalarType, Type, Var, dim_expr
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dims import provably_different
from pypto_lite.ir.dtypes import TASK_ID
from pypto_lite.trace.expressions.scalars import as_declared, to_expression
from pypto_lite.trace.expressions.values import describe, elements_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pypto_lite.trace.definitions.signatures import Signature
    from pypto_lite.trace.expressions.operator_calls import Argument, Arguments
    from pypto_lite.trace.tracer import FunctionTracer


def given(
    tracer: FunctionTracer,
    signature: Signature,
    bound: Sequence[Argument],
) -> tuple[tuple[Expr, ...], tuple[Type, ...]]:
    """The values for the parameters of a call, and the types of its results; ``bound`` are the arguments in order."""
    values: list[Expr] = []
    dimensions: dict[Var, Expr] = {}
    for param, argument in zip(signature.params, bound, strict=True):
        value = _argument(tracer, signature, param, argument)
        values.append(value)
        _match_dimensions(tracer, param, value, argument, dimensions)
        if isinstance(value, (ir.Var, ir.Const)):
            dimensions[param] = value
    substitution = ir.Substitution(dimensions)
    if signature.type is ir.FunctionType.Inline:
        for param, value, argument in zip(signature.params, values, bound, strict=True):
            _check_region(tracer, signature, param, substitution.type(param.type), value, argument)
    args = tuple([tracer.fit(value) for value in values])
    return args, tuple([substitution.type(each) for each in signature.results or ()])


def bound_arguments(
    tracer: FunctionTracer,
    signature: Signature,
    arguments: Arguments,
    node: ast.Call,
) -> list[Argument]:
    """The argument of each parameter. Raises PL113 for one too many or one too few."""
    names = [param.name for param in signature.params]
    note = Note(f"{signature.name!r} is defined here", signature.span)
    expected = f"{signature.name}({', '.join(names)})"
    positional, named, _ = arguments
    if len(positional) > len(names):
        tracer.fail(
            "PL113", f"{signature.name!r} takes {len(names)} arguments", positional[len(names)].node,
            found=f"{len(positional)}", expected=expected, notes=[note],
        )  # fmt: skip
    bound = dict(zip(names, positional, strict=False))
    for name, argument in named.items():
        if name not in names:
            tracer.fail(
                "PL113",
                f"{signature.name!r} has no parameter {name!r}",
                arguments.place(name),
                expected=expected,
                notes=[note],
                hint=did_you_mean(name, names),
            )
        if name in bound:
            tracer.fail("PL113", f"{name!r} is given twice", arguments.place(name), expected=expected, notes=[note])
        bound[name] = argument
    for name in names:
        if name not in bound:
            tracer.fail("PL113", f"{signature.name!r} needs {name!r}", node, expected=expected, notes=[note])
    return [bound[name] for name in names]


def _argument(tracer: FunctionTracer, signature: Signature, param: Var, argument: Argument) -> Expr:
    """An argument as an expression of the type of its parameter."""
    value, node = argument
    found = as_declared(tracer, value, param.type, node)
    differs = difference(param.type, found.type, Agreement.CALL)
    if differs is not None:
        hint = None
        if isinstance(param.type, ScalarType) and isinstance(found.type, ScalarType):
            hint = f"convert it: pl.cast(..., pl.{param.type.dtype!r})"
        tracer.fail(
            "PL113", f"the argument {param.name!r} of {signature.name!r} has another {differs}", node,
            found=describe(found), expected=repr(param.type), hint=hint,
            notes=[Note(f"the parameter {param.name!r} is here", param.span)],
        )  # fmt: skip
    return found


def _check_region(
    tracer: FunctionTracer, signature: Signature, param: Var, wanted: Type, value: Expr, argument: Argument
) -> None:
    """PL113 unless an argument of an inline function certainly has the valid region that the parameter has."""
    if difference(wanted, value.type, Agreement.INLINE) is None:
        return
    tracer.fail(
        "PL113", f"the argument {param.name!r} of {signature.name!r} has another valid region", argument.node,
        found=describe(value), expected=repr(param.type), notes=[Note("the parameter is here", param.span)],
        hint="an extent from pl.dynamic in the valid_shape of its pl.TileView takes that of the argument",
    )  # fmt: skip


def _match_dimensions(
    tracer: FunctionTracer, param: Var, value: Expr, argument: Argument, dimensions: dict[Var, Expr]
) -> None:
    """Finds out what the symbolic dimensions of a parameter are in this call."""
    for one, other in zip(_extents(param.type), _extents(value.type), strict=True):
        if not isinstance(one, Var):
            continue
        known = dimensions.setdefault(one, dim_expr(other))
        if provably_different(ir.expr_dim(known), other):
            tracer.fail(
                "PL113", f"the dimension {one.name!r} has two values in this call", argument.node,
                found=repr(other), expected=f"{known!r}, as in an argument before",
                notes=[Note(f"the parameter {param.name!r} is here", param.span)],
            )  # fmt: skip


def _extents(type_: Type) -> Sequence[Dim]:
    if not isinstance(type_, (ir.TileType, ir.TensorType)):
        return ()
    return (*type_.shape, *type_.valid_shape)


def list_of_tasks(tracer: FunctionTracer, argument: Argument, name: str) -> Expr:
    """A list of tasks as the operand ``name``. Raises PL201 for no list, PL204 for an element that is no task."""
    tasks = dependencies_of(tracer, argument, name)
    made = ir.make_tuple(tasks, tracer.span(argument.node))
    height = max(map(tracer.height, tasks), default=0)
    if height:
        tracer.heights[made] = height
    return made


def dependencies_of(tracer: FunctionTracer, argument: Argument, name: str = "deps") -> tuple[Expr, ...]:
    """The tasks that a call waits for: each a TASK_ID, an array of them, or None."""
    value, node = argument
    elements = elements_of(value)
    if elements is None:
        tracer.fail("PL201", f"{name} has to be a list of tasks", node, found=describe(value), expected="[task, ...]")
    places = node.elts if isinstance(node, (ast.List, ast.Tuple)) else [node] * len(elements)
    found: list[Expr] = []
    for each, place in zip(elements, places, strict=True):
        task = to_expression(tracer, each, place)
        is_array = isinstance(task.type, ArrayType) and task.type.dtype is TASK_ID
        if not is_array and (not isinstance(task.type, ScalarType) or scalar_dtype(task) is not TASK_ID):
            expected = "a TASK_ID, or an array of them"
            tracer.fail("PL204", "this is no task", place, found=describe(task), expected=expected)
        found.append(tracer.fit(task))
    return tuple(found)


def renamed(function: ir.Function, names: Mapping[str, str]) -> ir.Function:
    """A function under the name that it has in a program, with calls of others by the names that they have there."""
    if all(name == other for name, other in names.items()):
        return function

    def call(node: ir.FunctionCall | ir.Submit) -> ir.FunctionCall | ir.Submit:
        name = names.get(node.function, node.function)
        return node if name == node.function else node.replace(function=name)

    changed = ir.rewrite(function, {ir.FunctionCall: call, ir.Submit: call})
    return changed.replace(name=names[function.name])
