"""Calls in expressions: of operators, of constructs such as ``pl.const``, of Python's builtins, of functions."""

from __future__ import annotations

import ast
import builtins
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Final

from pypto_lite import ir, ops
from pypto_lite.ir import DType, Expr, TensorType, TileType
from pypto_lite.trace.expressions import static_values
from pypto_lite.trace.expressions.operator_calls import Argument, Arguments, arguments_of, call_spelled, parameters
from pypto_lite.trace.expressions.overloads import is_array, unary_of_array
from pypto_lite.trace.expressions.scalars import beside, binary, constant, number, scalar, unary
from pypto_lite.trace.expressions.values import FunctionReference, describe, elements_of, plain
from pypto_lite.trace.names.builtins import (
    CONST,
    CONSTRUCTS,
    MAX,
    MIN,
    RANGE,
    STATIC_ASSERT,
    STATIC_PRINT,
    SUBMIT,
    YIELD,
    AnnotationForm,
    Construct,
    Decorator,
    Deferred,
    OperatorName,
)
from pypto_lite.trace.names.constants import known, why_unknown
from pypto_lite.trace.source.module import Kernel
from pypto_lite.trace.tracer import FunctionTracer, expression

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@expression(ast.Call)
def _call(tracer: FunctionTracer, node: ast.Call) -> object:
    function = tracer.operand(node.func)
    if isinstance(function, OperatorName):
        return call_spelled(tracer, function.spelling, arguments_of(tracer, node), node)
    if isinstance(function, (FunctionReference, ir.Function, ir.Program, Kernel)):
        return tracer.program.call(tracer, function, node)
    if isinstance(function, Construct):
        return _call_construct(tracer, function, node)
    if isinstance(function, (Decorator, Deferred)):
        tracer.fail("PL104", f"{function!r} can't be called in a kernel", node.func)
    if isinstance(function, Expr):
        tracer.fail("PL104", "a value can't be called", node.func, found=describe(function))
    arguments = arguments_of(tracer, node)
    builtin = _BUILTINS.get(function) if isinstance(function, (BuiltinFunctionType, type)) else None
    if builtin is not None:
        return builtin(tracer, arguments, node)
    return _call_static(tracer, function, arguments, node)


def construct_called(tracer: FunctionTracer, node: ast.Call) -> Construct | None:
    """The construct that a call is of, looked up by name, without evaluating anything."""
    function = node.func
    if isinstance(function, ast.Attribute):
        if function.attr not in CONSTRUCTS or not isinstance(function.value, ast.Name):
            return None
        owner = None if tracer.names.get(function.value.id) else tracer.environment.find(function.value.id)
        found = getattr(owner, function.attr, None) if isinstance(owner, ModuleType) else None
    elif isinstance(function, ast.Name):
        found = None if tracer.names.get(function.id) else tracer.environment.find(function.id)
    else:
        return None
    return found if isinstance(found, Construct) else None


# Constructs


def _call_construct(tracer: FunctionTracer, construct: Construct, node: ast.Call) -> object:
    handler = _CONSTRUCTS.get(construct)
    if handler is None:
        place, hint = _PLACES.get(construct.name, ("in a with statement", None))
        tracer.fail("PL104", f"{construct!r} can only stand {place}", node, hint=hint)
    return handler(tracer, node)


_PLACES: Final[Mapping[str, tuple[str, str | None]]] = {
    YIELD.name: ("alone or at the right of an assignment, at the end of a block", None),
    "cond": ("in the first statement of the body of a pl.while_ loop", None),
    **dict.fromkeys(
        ("range", "parallel", "pipeline", "unroll", "while_"),
        ("in the header of a for loop", "for i in pl.range(n):"),
    ),
    **dict.fromkeys((STATIC_PRINT.name, STATIC_ASSERT.name), ("in a statement of its own", None)),
}


def _const(tracer: FunctionTracer, node: ast.Call) -> object:
    value, dtype = parameters(tracer, arguments_of(tracer, node), node, "const", ("value", "dtype"), {})
    if not isinstance(dtype.value, DType):
        tracer.fail(
            "PL205",
            "an element type is needed here",
            dtype.node,
            found=describe(dtype.value),
            expected="such as pl.INT32",
        )
    found = number(known(tracer, value.value))
    if found is None:
        tracer.fail(
            "PL116", "the value of a constant has to be known while tracing", value.node, found=describe(value.value),
            hint="pl.cast converts a value", notes=why_unknown(tracer, value.value),
        )  # fmt: skip
    return constant(tracer, found, dtype.value, value.node)


def _extreme(name: str, python: Callable[..., Any]) -> Callable[[FunctionTracer, ast.Call], object]:
    def handle(tracer: FunctionTracer, node: ast.Call) -> object:
        arguments = arguments_of(tracer, node)
        pair = parameters(tracer, arguments, node, name, ("lhs", "rhs"), {})
        return _smallest(tracer, name, python, pair, node)

    return handle


def _smallest(
    tracer: FunctionTracer, name: str, python: Callable[..., Any], values: Sequence[Argument], node: ast.Call
) -> object:
    """``min`` or ``max`` of scalars, or of numbers that are known while tracing."""
    for each in values:
        if is_array(each.value):
            hint = f"pl.{name}imum takes tiles"
            tracer.fail(
                "PL201", f"{name} takes scalars", each.node, found=describe(each.value), expected="scalars", hint=hint
            )
    if not any(isinstance(each.value, Expr) for each in values):
        return static_values.called(python, [each.value for each in values], {}, node, tracer.environment)
    first, *others = values
    typed = next(each.value for each in values if isinstance(each.value, Expr))
    found = beside(tracer, first.value, typed, first.node)
    for each in others:
        found = binary(tracer, name, found, beside(tracer, each.value, found, each.node), node)
    return found


def _submit(tracer: FunctionTracer, node: ast.Call) -> object:
    return tracer.program.submit(tracer, node)


_CONSTRUCTS: Final[Mapping[Construct, Callable[[FunctionTracer, ast.Call], object]]] = {
    CONST: _const,
    MIN: _extreme("min", min),
    MAX: _extreme("max", max),
    SUBMIT: _submit,
}


# Python's own functions


def _builtin_abs(tracer: FunctionTracer, arguments: Arguments, node: ast.Call) -> object:
    if len(arguments.positional) != 1 or arguments.named or not isinstance(arguments.positional[0].value, Expr):
        return _call_static(tracer, abs, arguments, node)
    value, place = arguments.positional[0]
    if is_array(value):
        return unary_of_array(tracer, "abs", value, node)  # pyright: ignore[reportArgumentType]  # is_array says so
    return unary(tracer, "abs", scalar(tracer, value, place), node)


def _builtin_extreme(name: str, python: Callable[..., Any]) -> Callable[[FunctionTracer, Arguments, ast.Call], object]:
    def handle(tracer: FunctionTracer, arguments: Arguments, node: ast.Call) -> object:
        if arguments.named or not any(isinstance(each.value, Expr) for each in arguments.positional):
            return _call_static(tracer, python, arguments, node)
        return _smallest(tracer, name, python, arguments.positional, node)

    return handle


def _builtin_conversion(python: type, dtype: str) -> Callable[[FunctionTracer, Arguments, ast.Call], object]:
    def handle(tracer: FunctionTracer, arguments: Arguments, node: ast.Call) -> object:
        for each in arguments.positional:
            if isinstance(each.value, Expr):
                hint = f"pl.cast(value, {dtype}) converts a scalar"
                tracer.fail("PL104", f"{python.__name__} can't convert a value of the kernel", node, hint=hint)
        return _call_static(tracer, python, arguments, node)

    return handle


def _builtin_len(tracer: FunctionTracer, arguments: Arguments, node: ast.Call) -> object:
    value = arguments.positional[0].value if len(arguments.positional) == 1 else None
    if not isinstance(value, Expr):
        return _call_static(tracer, len, arguments, node)
    if not isinstance(value.type, (TileType, TensorType)):
        tracer.fail("PL104", "this has no length", arguments.positional[0].node, found=describe(value))
    return value.type.shape[0]


def _builtin_range(tracer: FunctionTracer, arguments: Arguments, node: ast.Call) -> object:
    tracer.fail("PL108", "range is Python's own", node.func, expected="pl.range", hint=f"for i in {RANGE!r}(...):")


def _builtin_print(tracer: FunctionTracer, arguments: Arguments, node: ast.Call) -> object:
    tracer.fail(
        "PL104", "print is Python's own", node.func, hint="pl.print prints in a run, pl.static_print while tracing"
    )


def _builtin_breakpoint(tracer: FunctionTracer, arguments: Arguments, node: ast.Call) -> object:
    hint = "set a breakpoint at the line in pdb or an editor, and run(..., debug=True) stops there"
    tracer.fail("PL104", "kernels cannot call breakpoint()", node.func, hint=hint)


_BUILTINS: Final[Mapping[Any, Callable[[FunctionTracer, Arguments, ast.Call], object]]] = {
    builtins.abs: _builtin_abs,
    builtins.breakpoint: _builtin_breakpoint,
    builtins.min: _builtin_extreme("min", min),
    builtins.max: _builtin_extreme("max", max),
    builtins.int: _builtin_conversion(int, "pl.INT32"),
    builtins.float: _builtin_conversion(float, "pl.FP32"),
    builtins.bool: _builtin_conversion(bool, "pl.BOOL"),
    builtins.len: _builtin_len,
    builtins.range: _builtin_range,
    builtins.print: _builtin_print,
}
_STATIC_BUILTINS: Final = (abs, bool, dict, float, int, len, list, max, min, pow, round, sorted, str, sum, tuple)


def _call_static(tracer: FunctionTracer, function: object, arguments: Arguments, node: ast.Call) -> object:
    """A call whose value is computed while tracing: no argument may be a value of the kernel."""
    given = [*arguments.positional, *arguments.named.values()]
    name = getattr(function, "__name__", None) or repr(function)
    module = getattr(function, "__module__", None)
    if isinstance(function, AnnotationForm):
        keywords = {key: each.value for key, each in arguments.named.items()}
        return static_values.called(
            function, [each.value for each in arguments.positional], keywords, node, tracer.environment
        )
    for each in given:
        if _mentions_values(each.value):
            tracer.fail(
                "PL113", f"{name} is no kernel function, so it can't be given values of a kernel", node.func,
                hint=_instead_of(name, function),
            )  # fmt: skip
    if module == "builtins" and function not in _STATIC_BUILTINS:
        tracer.fail("PL104", f"{name} can't be called in a kernel", node.func)
    if not callable(function):
        tracer.fail("PL104", "this can't be called", node.func, found=describe(function))
    keywords = {key: each.value for key, each in arguments.named.items()}
    values = [each.value for each in arguments.positional]
    return plain(static_values.called(function, values, keywords, node, tracer.environment))


def _instead_of(name: str, function: object) -> str | None:
    """What a kernel can call in the place of a function of Python."""
    if ops.by_spelling(name):
        return f"pl.{name} is the operator on tiles and tensors"
    is_users = isinstance(function, FunctionType) and not (function.__module__ or "").startswith("pypto_lite")
    return "put @pl.inline or @pl.function above its definition" if is_users else None


def _mentions_values(value: object) -> bool:
    elements = elements_of(value)
    return isinstance(value, Expr) if elements is None else any(map(_mentions_values, elements))
