"""The hook of a run, which is called after every statement, and what it sees."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from pypto_lite import ir
from pypto_lite.interp.code import KNOWN
from pypto_lite.interp.storage import DEFINED, Array, all_defined

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pypto_lite.interp.code import Code, Frame

Hook: TypeAlias = "Callable[[Moment], None]"
"""Is called after every statement of a run, of those that leave something before they do so. A loop or a branch counts
as one when it ends, besides those in it."""


class Moment:
    """A point in a run: the statement that has just been executed, and the values that there are.

    Values are numbers and copies of arrays: masked arrays where some elements have no value. A moment that is kept goes
    on showing the same.
    """

    __slots__ = ("__weakref__", "_code", "_frame", "function", "statement")

    def __init__(self, code: Code, frame: Frame, statement: ir.Stmt) -> None:
        self._code = code
        self._frame = frame
        self.function = code.name
        """The name of the running function."""
        self.statement = statement

    @property
    def made(self) -> dict[str, Any]:
        """The values that the statement has defined, by name."""
        return {var.name: _copied(self._frame[self._code.slot(var)]) for var in self.statement.definitions()}

    @property
    def values(self) -> dict[str, Any]:
        """The values of the function so far, by name: of several values of one name the one that was made last."""
        return {name: _copied(self._frame[slot]) for name, slot in self._frame[KNOWN].items()}

    def keep(self) -> None:
        """Takes copies of all values, for the run goes on and writes into those that it has."""
        frame = [*self._frame]
        for _, slot in self._code.variables():
            frame[slot] = _copied(frame[slot])
        frame[KNOWN] = dict(frame[KNOWN])
        self._frame = frame

    def __repr__(self) -> str:
        place = f" line {self.statement.span.line}" if self.statement.span else ""
        return f"<Moment in {self.function}{place}: {self.statement!r}>"


def visible(value: Any) -> Any:
    """A value as it is shown outside: arrays share the storage, and are masked where elements have no value."""
    if isinstance(value, tuple):
        return tuple([visible(each) for each in cast("tuple[Any, ...]", value)])
    if not isinstance(value, Array):
        return value
    elements, mask = value.elements, value.mask
    return elements if all_defined(mask) else np.ma.masked_array(elements, mask != DEFINED)


def _copied(value: Any) -> Any:
    """What is visible of a value, in storage of its own."""
    if isinstance(value, tuple):
        return tuple([_copied(each) for each in cast("tuple[Any, ...]", value)])
    return visible(value).copy() if isinstance(value, Array) else value


def add_entry(code: Code, hook: Hook | None, defined: Sequence[ir.Var]) -> None:
    """Adds, at the beginning of a body that is run again and again, that these variables have values now."""
    if hook is None:
        return
    following, slots = code.following, _slots(code, defined)

    def step(frame: Frame) -> int:
        _learn(code, frame, slots)
        return following

    code.add(step)


def _slots(code: Code, variables: Sequence[ir.Var]) -> dict[str, int]:
    return {var.name: code.slot(var) for var in variables}


def _learn(code: Code, frame: Frame, slots: Mapping[str, int]) -> None:
    """Names have got values."""
    if frame[KNOWN] is None:  # whatever there is now are parameters and their extents
        frame[KNOWN] = {var.name: slot for var, slot in code.variables() if frame[slot] is not None}
    frame[KNOWN].update(slots)


def add_hook(code: Code, hook: Hook | None, statement: ir.Stmt) -> None:
    """Adds the call of the hook behind a statement."""
    if hook is None:
        return
    following, span = code.following, code.span
    code.span = statement.span or span
    is_loop = isinstance(statement, (ir.For, ir.While))
    slots = _slots(code, statement.results if is_loop else statement.definitions())

    def step(frame: Frame) -> int:
        _learn(code, frame, slots)
        moment = Moment(code, frame, statement)
        hook(moment)
        held = weakref.ref(moment)
        del moment
        kept = held()
        if kept is not None:  # the hook has kept it
            kept.keep()
        return following

    code.add(step)
    code.span = span
