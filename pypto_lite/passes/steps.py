"""Lets a pass be written as if it called itself for nested blocks, however deep they are nested.

A generator does one block. Where a recursive function would call itself it says ``inner = yield self.block(...)``,
and the driver runs the inner generator to its end before it goes on with the outer one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Generator

Result = TypeVar("Result")

Steps: TypeAlias = "Generator[Steps[Any], Any, Result]"
"""Work that yields the inner work it waits for, and gets the result of each of them sent back."""


def run(steps: Steps[Result]) -> Result:
    """The result of ``steps``, with everything inside it run on an explicit stack."""
    stack: list[Steps[Any]] = [steps]
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
