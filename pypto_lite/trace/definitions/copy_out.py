"""Inline functions that write a part of an argument: as in Python, their callers see it.

``out[0:4, :] = a`` gives a name a new value, and a function has no names of its caller. So an inline function returns
the last values of the parameters of which it writes a part, behind its own results where they are not among them, and a
call of it binds the names that were passed to these values. Such a function is traced before its callers, and again
once it is known which parameters it writes.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

from pypto_lite import ops
from pypto_lite.diagnostics import Note
from pypto_lite.ir import UNKNOWN, Assign, Call, Expr, FunctionCall, FunctionType, Record, TupleItem, TupleType, Var
from pypto_lite.trace.names.alias_tracking import is_view, part_written, shares_elements, still_shared
from pypto_lite.trace.names.bindings import define
from pypto_lite.trace.names.symbol_table import Variable
from pypto_lite.trace.tracer import NamingNeeded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pypto_lite.trace.expressions.operator_calls import Argument
    from pypto_lite.trace.tracer import FunctionTracer


class CopiedOut(NamedTuple):
    """Which values that an inline function returns are parameters after it has written parts of them."""

    results: Mapping[int, int]
    """For the position of such a parameter that of the value."""
    own: int
    """How many values the function returns as it is written; the others stand behind these."""


COPIED_OUT: Final[Record[Mapping[str, CopiedOut]]] = Record("copied_out", {})
"""What is handed back by the functions of a program, for those outside it that call them."""


def may_write_parts(definition: ast.FunctionDef) -> bool:
    """Whether a function writes a part of something, or calls a function, which may."""
    return any(
        (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.Call) and not _is_of_language(node.func))
        for node in ast.walk(definition)
    )


def _is_of_language(function: ast.expr) -> bool:
    """Whether a call has the form of an operator's: an attribute of something that is not ``self``."""
    while isinstance(function, ast.Attribute):
        function = function.value
        if isinstance(function, ast.Name):
            return function.id != "self"
    return False


# In the function


def last_values(tracer: FunctionTracer, own: Sequence[Expr]) -> tuple[Expr, ...]:
    """What a return hands back behind the function's ``own`` values. Notes which parameters are among these."""
    if tracer.function_type is not FunctionType.Inline:
        return ()
    held = {param: _last_value(tracer, param) for param in tracer.references.params}
    tracer.references.returned.append(
        {param: {at for at, each in enumerate(own) if each is value} for param, value in held.items()}
    )
    return tuple([_certain(tracer, param, held[param]) for param in tracer.references.hands_back])


def _last_value(tracer: FunctionTracer, param: Var) -> Var | None:
    """The value that stands for all elements of a parameter here: that of the name which wrote them last."""
    shared = tracer.names.sharing.get(param)
    for name in (param.name,) if shared is None else shared.names:
        binding = tracer.names.get(name)
        if isinstance(binding, Variable) and (
            binding.root is param if shared is None else {binding.root, binding.current} & shared.whole
        ):
            return binding.current
    return None


def _certain(tracer: FunctionTracer, param: Var, value: Var | None) -> Var:
    return _refuse(tracer, param) if value is None else value


def check_handed_back(tracer: FunctionTracer) -> None:
    """Raises PL103 for a part that is written of what may no longer be the parameter."""
    for param in tracer.references.written:
        if param in tracer.references.replaced:
            _refuse(tracer, param)


def _refuse(tracer: FunctionTracer, param: Var) -> NoReturn:
    tracer.fail(
        "PL103", f"the part that is written of the parameter {param.name!r} would not reach the caller",
        tracer.references.written.get(param) or param.span,
        notes=[Note(f"the parameter {param.name!r} is here", param.span)],
        hint=f"let {param.name!r} stand for the written value to the end of the function: "
        "bind other values to other names",
    )  # fmt: skip


def keeps_elements(tracer: FunctionTracer, value: Expr) -> bool:
    """Whether a value is made of all elements of a parameter of the inline function, in their places."""
    while isinstance(value, Call):
        operator = ops.find(value.op)
        if operator is None or operator.tied_operand is None:
            return False
        value = value.args[operator.tied_operand]
    if not isinstance(value, Var):
        return False
    shared = tracer.names.sharing.get(value)
    return value in tracer.references.params if shared is None else value in shared.whole


# In its callers


def bind_copied_out(
    tracer: FunctionTracer, handed: CopiedOut, call: FunctionCall, arguments: Sequence[Argument], node: ast.Call
) -> object:
    """Binds the names that were passed to what a call hands back. Gives the function's own results.

    Where it has none, that is a call without a value, which is refused wherever one is needed.
    """
    if not tracer.naming:
        raise NamingNeeded(deep=False)  # names are bound in the middle of the statement
    targets = {
        result: _target(tracer, arguments, position)
        for position, result in handed.results.items()
        if not _is_of_its_own(tracer, arguments[position])
    }
    if targets and tracer.arms:
        tracer.fail(
            "PL103", "a function that writes a part of an argument is called where Python may not call it", node,
            hint="call it in an if statement",
        )  # fmt: skip
    tracer.references.performed.add(node)
    if isinstance(call.type, TupleType):
        whole = tracer.name(call, "results")
        values = [TupleItem(whole, index, type_, call.span) for index, type_ in enumerate(call.type.types)]
    else:
        values = [call if targets else tracer.name(call, "result")]
    own = [_bind(tracer, *targets[index], value) if index in targets else value for index, value in enumerate(values)][
        : handed.own
    ]
    if not own:
        return call.replace(type=UNKNOWN)
    return own[0] if len(own) == 1 else tuple(own)


def _is_of_its_own(tracer: FunctionTracer, argument: Argument) -> bool:
    """Whether an argument is a value that was made for this call, so that nobody sees what is written."""
    value, node = argument
    if isinstance(node, ast.Call) and isinstance(value, Var):  # it was named in front of this call
        named = (each for each in reversed(tracer.statements) if isinstance(each, Assign) and each.var is value)
        value = next((each.value for each in named), value)
    return isinstance(value, Call) and not is_view(value)


def _target(tracer: FunctionTracer, arguments: Sequence[Argument], position: int) -> tuple[ast.Name, Var]:
    """The name to bind, and what it is bound to.

    Raises PL103 where there is none, or another argument stands for elements of the same value.
    """
    value, node = arguments[position]
    binding = tracer.names.get(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(value, Var) or not isinstance(node, ast.Name) or not isinstance(binding, Variable):
        tracer.fail(
            "PL103", "the function writes a part of this argument, which has no name", node,
            hint="bind it to a name, pass that, and write it back",
        )  # fmt: skip
    for index, other in enumerate(arguments):
        if index != position and isinstance(other.value, Expr) and shares_elements(tracer, other.value, value):
            tracer.fail(
                "PL103", f"the function writes a part of {node.id!r}, which it is passed twice", other.node,
                notes=[Note("it is passed here as well", tracer.span(node))], hint="pass a copy",
            )  # fmt: skip
    return node, value


def _bind(tracer: FunctionTracer, name: ast.Name, owner: Var, value: Expr) -> Var:
    part_written(tracer, name, owner, None)
    var = define(tracer, name.id, value.type, name, keeps=True)
    still_shared(tracer, name.id, owner, var)
    tracer.emit(Assign(var, value, value.span))
    tracer.references.bound.add(var)
    return var
