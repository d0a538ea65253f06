"""Where inline functions are called, and in which order they can be expanded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Note, UserError

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping


def calls_in(statement: ir.Stmt, inline: Container[str]) -> Iterator[ir.FunctionCall]:
    """The calls of inline functions that a statement makes itself, outside its blocks.

    Raises PL113 for one that is submitted.
    """
    for operand in statement.operands():
        for node in ir.walk(operand):
            if isinstance(node, ir.FunctionCall) and node.function in inline:
                yield node
            elif isinstance(node, ir.Submit) and node.function in inline:
                raise _submitted(node, statement)


def has_nested_call(statement: ir.Stmt, inline: Container[str]) -> bool:
    """Whether a statement calls an inline function in any place but as its own value."""
    direct = statement.value if isinstance(statement, (ir.Assign, ir.Evaluate)) else None
    return any(call is not direct for call in calls_in(statement, inline))


def inline_calls(function: ir.Function, inline: Container[str]) -> list[ir.FunctionCall]:
    """All calls of inline functions in a function."""
    return [call for statement in ir.statements(function) for call in calls_in(statement, inline)]


def in_call_order(inline: Mapping[str, ir.Function]) -> list[ir.Function]:
    """The inline functions, each behind those that it calls. Raises PL113 where they call each other in a circle."""
    ordered: dict[str, ir.Function] = {}
    for first in inline:
        path: dict[str, Iterator[ir.FunctionCall]] = {}
        if first not in ordered:
            path[first] = iter(inline_calls(inline[first], inline))
        while path:
            name, calls = next(reversed(path.items()))
            call = next(calls, None)
            if call is None:
                ordered[name] = inline[name]
                del path[name]
            elif call.function in path:
                raise _circle(call, list(path))
            elif call.function not in ordered:
                path[call.function] = iter(inline_calls(inline[call.function], inline))
    return list(ordered.values())


def _circle(call: ir.FunctionCall, path: list[str]) -> UserError:
    circle = [*path[path.index(call.function) :], call.function]
    return UserError(
        Diagnostic(
            "PL113",
            "an inline function can't be part of its own body",
            call.span,
            found=" -> ".join(circle),
            expected="inline functions that do not call each other in a circle",
        )
    )


def _submitted(submit: ir.Submit, statement: ir.Stmt) -> UserError:
    return UserError(
        Diagnostic(
            "PL113",
            f"'{submit.function}' is an inline function and can't be submitted",
            submit.span or statement.span,
            notes=[Note("it becomes a part of the function that calls it, so there is no task to run")],
            hint="call it directly, or make it a function of another type",
        )
    )
