"""The hook of a run, which is called after every statement, and what it sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from pypto_lite.interp.storage import Array

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite import ir
    from pypto_lite.interp.code import Code, Frame

Hook: TypeAlias = "Callable[[Moment], None]"
"""Is called after every statement of a run; a loop or a branch counts as one when it ends, besides those in it."""


class Moment:
    """A point in a run: the statement that has just been executed, and the values that there are."""

    __slots__ = ("_code", "_frame", "function", "statement")

    def __init__(self, code: Code, frame: Frame, statement: ir.Stmt) -> None:
        self._code = code
        self._frame = frame
        self.function = code.name
        """The name of the running function."""
        self.statement = statement

    @property
    def made(self) -> dict[str, Any]:
        """The values that the statement has defined, by name: numpy arrays that share the storage, and numbers."""
        return {var.name: visible(self._frame[self._code.slot(var)]) for var in self.statement.definitions()}

    @property
    def values(self) -> dict[str, Any]:
        """The values of the function so far, by name; of several values of one name the latest one of the text."""
        found = {var.name: visible(self._frame[slot]) for var, slot in self._code.variables()}
        return {name: value for name, value in found.items() if value is not None}


def visible(value: Any) -> Any:
    """A value as it is shown outside."""
    return value.elements if isinstance(value, Array) else value


def add_hook(code: Code, hook: Hook | None, statement: ir.Stmt) -> None:
    """Adds the call of the hook behind a statement."""
    if hook is None:
        return
    following, span = code.following, code.span
    code.span = statement.span or span

    def step(frame: Frame) -> int:
        hook(Moment(code, frame, statement))
        return following

    code.add(step)
    code.span = span
