"""Recursion on an explicit stack: functions that call themselves for what is nested, however deep that is.

A generator does one node. Where a recursive function would call itself it says ``inner = yield self.block(...)``, and
the trampoline runs the inner generator to its end before it goes on with the outer one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Generator

Result = TypeVar("Result")

Recursive: TypeAlias = "Generator[Recursive[Any], Any, Result]"
"""A computation that yields the nested computations it waits for, and gets the result of each sent back."""


def trampoline(computation: Recursive[Result]) -> Result:
    """The result of a computation, with everything nested in it run on an explicit stack."""
    stack: list[Recursive[Any]] = [computation]
    value: Any = None
    while stack:
        try:
            inner = stack[-1].send(value)
        except StopIteration as finished:
            stack.pop()
            value = finished.value
        else:
            stack.append(inner)
            value = None
    return cast("Result", value)
