"""Assignments: binding names, annotated and augmented assignment, taking several values apart, writing into parts."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NoReturn, TypeGuard, cast

from pypto_lite.diagnostics import Note
from pypto_lite.ir import (
    UNKNOWN,
    ArrayType,
    Assign,
    Call,
    Const,
    Evaluate,
    Expr,
    TupleItem,
    TupleType,
    Var,
)
from pypto_lite.trace.definitions.annotations import read_annotation
from pypto_lite.trace.definitions.copy_out import keeps_elements
from pypto_lite.trace.expressions.calls import construct_called
from pypto_lite.trace.expressions.nodes import combine
from pypto_lite.trace.expressions.operator_calls import call_operator
from pypto_lite.trace.expressions.overloads import is_array
from pypto_lite.trace.expressions.scalars import as_declared, kept, number
from pypto_lite.trace.expressions.subscripts import Selection, array_index, chain_of, select, write
from pypto_lite.trace.expressions.values import counted, describe, elements_of
from pypto_lite.trace.names.alias_tracking import note_sharing, part_written, still_shared, window_of
from pypto_lite.trace.names.bindings import define, may_be_assigned_again
from pypto_lite.trace.names.builtins import YIELD
from pypto_lite.trace.names.constants import note_constant
from pypto_lite.trace.names.symbol_table import Static, Variable
from pypto_lite.trace.statements.merging import merged
from pypto_lite.trace.statements.yields import trace_yield
from pypto_lite.trace.tracer import FunctionTracer, NamingNeeded, simple_statement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.trace.statements.frames import Annotated


@simple_statement(ast.Assign)
def _assign(tracer: FunctionTracer, node: ast.Assign) -> None:
    if isinstance(node.value, ast.Call) and construct_called(tracer, node.value) is YIELD:
        if len(node.targets) > 1:
            tracer.fail("PL114", "the results of pl.yield_ are named once", node.targets[1])
        trace_yield(tracer, node.value, node.targets[0], None)
        return
    value = tracer.whole(node.value)
    if len(node.targets) > 1 and not isinstance(node.targets[0], ast.Name) and _is_composed(value):
        value = tracer.name(value)
    for target in node.targets:
        bound = _assign_to(tracer, target, value, node.value, node)
        if _is_composed(value):
            value = bound


@simple_statement(ast.AnnAssign)
def _annotated_assign(tracer: FunctionTracer, node: ast.AnnAssign) -> None:
    if not isinstance(node.target, ast.Name):
        tracer.fail("PL103", "only a name can have an annotation", node.target)
    if node.value is None:
        tracer.fail(
            "PL103", "an annotation without a value is not supported in a kernel", node, hint="bind the name to a value"
        )
    annotated = read_annotation(tracer, node.annotation)
    if isinstance(node.value, ast.Call) and construct_called(tracer, node.value) is YIELD:
        trace_yield(tracer, node.value, node.target, annotated)
        return
    tracer.annotated_space = node.value, annotated.space
    value = tracer.whole(node.value)
    bind_value(tracer, node.target, value, node.value, node, annotated)


@simple_statement(ast.AugAssign)
def _augmented_assign(tracer: FunctionTracer, node: ast.AugAssign) -> None:
    target = node.target
    if isinstance(target, ast.Name):
        before = tracer.lookup(target)
        value = _augmented(tracer, node, before)
        bind_value(tracer, target, value, node.value, node, None)
        return
    if not isinstance(target, ast.Subscript):
        _refuse_target(tracer, target)
    calls = tracer.call_count
    place = _PartTarget(tracer, target)
    if tracer.call_count != calls and not tracer.naming:
        raise NamingNeeded(deep=False)  # the indices are evaluated once, and used twice
    before = tracer.consumed(place.read(target))
    value = _augmented(tracer, node, before)
    place.write(tracer.consumed(value), node.value, node)


def _augmented(tracer: FunctionTracer, node: ast.AugAssign, before: object) -> object:
    """The new value of the target, which was ``before``."""
    place = cast("ast.expr", node)  # the statement is the place of the operation in it
    value = combine(tracer, node.op, before, tracer.operand(node.value), place, node.target, node.value)
    return kept(tracer, value, before, place)


def _is_composed(value: object) -> TypeGuard[Expr]:
    """Whether a value is an expression that has to be evaluated, and only once."""
    return isinstance(value, Expr) and not isinstance(value, (Var, Const))


def _assign_to(tracer: FunctionTracer, target: ast.expr, value: object, value_node: ast.expr, node: ast.stmt) -> object:
    """Assigns to a target. Gives what further targets of the same statement get."""
    if isinstance(target, ast.Name):
        return bind_value(tracer, target, value, value_node, node, None)
    if isinstance(target, (ast.Tuple, ast.List)):
        return _unpack(tracer, target, value, value_node, node)
    if not isinstance(target, ast.Subscript):
        _refuse_target(tracer, target)
    if tracer.naming and _is_composed(value):
        value = tracer.name(value)
    calls = tracer.call_count
    place = _PartTarget(tracer, target)
    if tracer.call_count != calls and _is_composed(value):
        raise NamingNeeded(deep=False)  # the value is evaluated before the indices
    place.write(value, value_node, node)
    return value


def _refuse_target(tracer: FunctionTracer, target: ast.expr) -> NoReturn:
    if isinstance(target, ast.Attribute):
        hint = "a program has no state: return the value, or write it into an Out parameter"
        tracer.fail("PL103", "an attribute can't be assigned in a kernel", target, hint=hint)
    tracer.fail("PL103", "this can't be assigned in a kernel", target, expected="a name, or a part: t[...]")


# Names


def bind_value(
    tracer: FunctionTracer,
    target: ast.Name,
    value: object,
    value_node: ast.expr,
    node: ast.stmt,
    annotated: Annotated | None,
) -> object:
    """Binds a name: by a statement of the IR, or, to what only tracing knows, by none. Gives what it is bound to."""
    if value is None or number(value) is not None:
        value = _typed_number(tracer, target, value, value_node, annotated)
    if not isinstance(value, Expr):
        if annotated is not None:
            tracer.fail("PL111", "this is no value of the annotated type", value_node, found=describe(value))
        _bind_static(tracer, target, settled(tracer, value, target.id), node)
        return value
    if annotated is None and value in tracer.references.bound and _is_bound_to(tracer, target, value):
        return value  # the call has bound the name
    if annotated is not None:
        value, type_ = merged(tracer, value, annotated, value_node)
    else:
        type_ = value.type
    if type_ is UNKNOWN:
        tracer.fail("PL201", "the call has no value", value_node, hint=_no_value_hint(value))
    keeps = bool(tracer.references.params) and keeps_elements(tracer, value)
    var = define(tracer, target.id, type_, target, value, keeps=keeps)
    tracer.emit(Assign(var, value, tracer.span(node)))
    note_constant(tracer, var, value, target)
    note_sharing(tracer, target.id, var, value)
    return var


def _is_bound_to(tracer: FunctionTracer, target: ast.Name, value: Expr) -> bool:
    binding = tracer.names.get(target.id)
    return isinstance(binding, Variable) and binding.current is value


def _no_value_hint(value: Expr) -> str:
    if isinstance(value, Call) and value.op.startswith("tile.tpop"):
        return "say what it receives: with shape= and dtype=, or with an annotation of the name"
    return "call it in a statement of its own"


def _typed_number(
    tracer: FunctionTracer, target: ast.Name, value: object, node: ast.expr, annotated: Annotated | None
) -> Expr:
    """A bare number as a constant of the annotated element type, or of that which the name has already."""
    if annotated is not None:
        return as_declared(tracer, value, annotated.type, node)
    binding = tracer.names.get(target.id)
    return as_declared(tracer, value, binding.current.type if isinstance(binding, Variable) else None, node)


def settled(tracer: FunctionTracer, value: object, hint: str) -> object:
    """A value that only tracing knows; expressions in it get names, so that they are evaluated once and now.

    So do variables that a block further inside may assign once more: the value keeps what they are now.
    """
    elements = elements_of(value)
    if elements is not None:
        parts = [settled(tracer, each, hint) for each in elements]
        return parts if isinstance(elements, list) else tuple(parts)
    if isinstance(value, dict):
        entries = cast("dict[object, object]", value)
        return {key: settled(tracer, each, hint) for key, each in entries.items()}
    if not isinstance(value, Expr):
        return value
    named = _is_composed(value) or (isinstance(value, Var) and may_be_assigned_again(tracer, value))
    held = tracer.name(value, hint) if named else value
    if isinstance(held, Var):
        note_sharing(tracer, hint, held, value)
    return held


def _bind_static(tracer: FunctionTracer, target: ast.Name, value: object, node: ast.stmt) -> None:
    block = tracer.frames[-1].block
    before = tracer.names.get(target.id)
    if isinstance(before, (Variable, Static)) and before.block != block:
        several = elements_of(value) is not None
        reason = "is bound to another kind of value outside this block"
        if several and isinstance(before, Static):
            reason = "is bound outside this block, and loops and branches can't hand on several values under one name"
        tracer.fail(
            "PL207", f"{target.id!r} {reason}", target, found=describe(value),
            notes=[Note(f"{target.id!r} is bound here", before.span)],
            hint="bind each value to a name of its own: a, b = b, a" if several else "use another name",
        )  # fmt: skip
    tracer.statics = True
    tracer.names.set(target.id, Static(value, block, tracer.span(target)))


# Several values


def _unpack(
    tracer: FunctionTracer, target: ast.Tuple | ast.List, value: object, value_node: ast.expr, node: ast.stmt
) -> object:
    for each in target.elts:
        if isinstance(each, ast.Starred):
            tracer.fail("PL103", "a kernel can't unpack with *", each, hint="write a target for each value")
    if isinstance(value, Expr):
        return _unpack_call(tracer, target, value, value_node, node)
    values = elements_of(value)
    if values is None:
        tracer.fail(
            "PL109",
            "this is a single value",
            value_node,
            found=describe(value),
            expected=counted(len(target.elts), "value"),
        )
    _check_count(tracer, target, len(values), value_node)
    nodes = value_node.elts if isinstance(value_node, (ast.Tuple, ast.List)) else [value_node] * len(values)
    if len(values) > 1 and _may_interfere(tracer, target):
        # All values are there before the first target is assigned: a, b = b, a exchanges them.
        hints = [each.id if isinstance(each, ast.Name) else "part" for each in target.elts]
        values = [
            tracer.name(each, hint, place)
            if isinstance(each, Expr) and _is_changed_by(tracer, each, target.elts[:index])
            else each
            for index, (each, hint, place) in enumerate(zip(values, hints, nodes, strict=True))
        ]
    for each, part, place in zip(target.elts, values, nodes, strict=True):
        _assign_to(tracer, each, part, place, node)
    return value


def _is_changed_by(tracer: FunctionTracer, value: Expr, targets: Sequence[ast.expr]) -> bool:
    """Whether a value may be another one once these targets are assigned, or has to be evaluated in front of that."""
    if not isinstance(value, Var):
        return not isinstance(value, Const)
    for target in targets:
        binding = tracer.names.get(target.id) if isinstance(target, ast.Name) else None
        if not isinstance(target, ast.Name):
            return True
        if isinstance(binding, Variable) and binding.root is tracer.versions.get(value, value):
            return True
    return False


def _may_interfere(tracer: FunctionTracer, target: ast.Tuple | ast.List) -> bool:
    """Whether assigning one of the targets may change what a later value reads.

    Binding a name does so only where the same variable of the IR is assigned once more.
    """
    block = tracer.frames[-1].block
    for each in target.elts:
        binding = tracer.names.get(each.id) if isinstance(each, ast.Name) else None
        if not isinstance(each, ast.Name) or (isinstance(binding, Variable) and binding.block != block):
            return True
    return False


def _unpack_call(
    tracer: FunctionTracer, target: ast.Tuple | ast.List, value: Expr, value_node: ast.expr, node: ast.stmt
) -> object:
    type_ = value.type
    if not isinstance(type_, TupleType):
        tracer.fail(
            "PL109",
            "this is a single value",
            value_node,
            found=describe(value),
            expected=counted(len(target.elts), "value"),
        )
    _check_count(tracer, target, len(type_.types), value_node)
    whole = value if isinstance(value, Var) else tracer.name(value, "results")
    for position, each in enumerate(target.elts):
        item = TupleItem(whole, position, type_.types[position], tracer.span(each))
        _assign_to(tracer, each, item, value_node, node)
    return whole


def _check_count(tracer: FunctionTracer, target: ast.Tuple | ast.List, count: int, value_node: ast.expr) -> None:
    if len(target.elts) != count:
        tracer.fail(
            "PL109", "the number of names is not that of the values", target, found=counted(len(target.elts), "name"),
            expected=counted(count, "value"), notes=[Note("the values are here", tracer.span(value_node))],
        )  # fmt: skip


# Parts


class _PartTarget:
    """``name[...]`` as the target of an assignment."""

    def __init__(self, tracer: FunctionTracer, target: ast.Subscript) -> None:
        self._tracer = tracer
        chain = chain_of(tracer, target)
        base = chain[-1].value
        if not isinstance(base, ast.Name):
            tracer.fail(
                "PL103", "only a part of what a name is bound to can be assigned", base, hint="bind it to a name"
            )
        self._target = target
        self._name = base
        owner = tracer.lookup(base)
        if not isinstance(owner, Expr) or not (is_array(owner) or isinstance(owner.type, ArrayType)):
            tracer.fail(
                "PL103", "a part of this can't be assigned", base, found=describe(owner),
                expected="a tensor, a tile or an array",
            )  # fmt: skip
        self._owner: Expr = owner
        self._selection: Selection | None = None
        self._index: object = None
        if is_array(owner):
            self._selection = Selection(owner)
            for each in reversed(chain):
                if not self._selection.kept:
                    tracer.fail("PL203", "an element can't be subscripted", each)
                select(tracer, self._selection, each)
        else:
            if len(chain) > 1:
                tracer.fail("PL203", "an element of an array can't be subscripted", target)
            assert isinstance(owner.type, ArrayType)
            self._index = array_index(tracer, owner.type, tracer.operand(target.slice), target.slice)

    def read(self, node: ast.expr) -> Expr:
        """The value of the part."""
        if self._selection is not None:
            return self._selection.read(self._tracer, node)
        return call_operator(self._tracer, "array.get_element", [self._owner, self._index], node)

    def write(self, value: object, value_node: ast.expr, node: ast.stmt) -> None:
        """Assigns the part."""
        tracer = self._tracer
        place = self._target
        if self._selection is None:
            nodes = [self._name, place.slice, value_node]
            call = call_operator(tracer, "array.update_element", [self._owner, self._index, value], place, nodes)
        else:
            call = write(tracer, self._selection, value, place, value_node)
            if not self._selection.kept:
                tracer.emit(Evaluate(call, tracer.span(node)))
                return
        assert isinstance(self._owner, Var)
        selection = self._selection
        part = None if selection is None else window_of(selection.offsets, selection.window)
        part_written(tracer, self._name, self._owner, part)
        var = define(tracer, self._name.id, call.type, self._name, keeps=True)
        still_shared(tracer, self._name.id, self._owner, var)
        tracer.emit(Assign(var, call, tracer.span(node)))
