"""What calls, loops, scopes and functions carry beside their operands: plain data, and values of the kernel."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, cast

from pypto_lite.ir import DType, Expr, MakeTuple, TupleType, const
from pypto_lite.trace.expressions.values import describe, elements_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite.trace.tracer import FunctionTracer


def plain_mapping(tracer: FunctionTracer, value: object, node: ast.expr) -> Mapping[str, Any]:
    """A dictionary of plain data with names as keys. Raises PL205 where it is anything else, PL116 for other data."""
    found = _dictionary(tracer, value, node)
    for key, each in found.items():
        if not is_plain(each):
            tracer.fail("PL116", f"the value of {key!r} has to be known while tracing", node, found=describe(each))
    return found


def attributes(tracer: FunctionTracer, value: object, node: ast.expr) -> Mapping[str, Any]:
    """The ``attrs`` of a call: plain data and values of the kernel by name. Raises PL205 or PL116 for anything else."""
    found = _dictionary(tracer, value, node)
    places = node.values if isinstance(node, ast.Dict) else [node] * len(found)
    return {
        name: each if is_plain(each) else data_or_value(tracer, name, each, place)
        for (name, each), place in zip(found.items(), places, strict=True)
    }


def data_or_value(tracer: FunctionTracer, name: str, value: object, node: ast.expr) -> object:
    """Plain data as it is, a value of the kernel, or a list of values as one. Raises PL116 for anything else."""
    elements = elements_of(value)
    for each in (value,) if elements is None else elements:
        if not isinstance(each, Expr) and not is_plain(each):
            tracer.fail("PL116", f"{name!r} has to be plain data or a value", node, found=describe(value))
    if elements is None:
        return tracer.fit(value) if isinstance(value, Expr) else value
    if not any(isinstance(each, Expr) for each in elements):
        return tuple(elements)
    listed: list[Expr] = []
    for each in elements:
        if not isinstance(each, (Expr, bool, int, float)):
            tracer.fail("PL116", f"{name!r} holds values beside other data", node, expected="one or the other")
        listed.append(tracer.fit(each) if isinstance(each, Expr) else const(each))
    return MakeTuple(tuple(listed), TupleType([each.type for each in listed]), tracer.span(node))


def is_plain(value: object) -> bool:
    """Whether a value is plain data, which calls, loops and functions may carry."""
    elements = elements_of(value)
    if elements is not None:
        return all(map(is_plain, elements))
    return value is None or isinstance(value, (bool, int, float, str, DType)) or _is_our_enumeration(value)


def _is_our_enumeration(value: object) -> bool:
    return type(value).__module__ == "pypto_lite.ir.enums"


def _dictionary(tracer: FunctionTracer, value: object, node: ast.expr) -> dict[str, object]:
    if not isinstance(value, dict):
        tracer.fail("PL205", "a dictionary is needed here", node, found=describe(value))
    found = cast("dict[object, object]", value)
    for key in found:
        if not isinstance(key, str):
            tracer.fail("PL205", "the keys have to be strings", node, found=describe(key))
    return cast("dict[str, object]", found)
