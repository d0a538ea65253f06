"""Dispatch tables: the method for each class of node, written beside the method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pypto_lite.ir.node import Node

Bound = TypeVar("Bound")
"""What a bound method of the table is to its callers."""
Method = TypeVar("Method", bound="Callable[..., Any]")


class Dispatch(Generic[Bound]):
    """The table of a class whose methods are each for some classes of nodes: ``table[type(node)](node)``.

    ::

        class Counter:
            count = Dispatch()

            @count.on(ir.For, ir.While)
            def _loop(self, loop): ...

    Each instance sees a dictionary of bound methods, those of a subclass in the place of the ones that they override.
    """

    def __init__(self) -> None:
        self._names: dict[type[Node], str] = {}
        self._attribute = ""

    def on(self, *classes: type[Node]) -> Callable[[Method], Method]:
        """A decorator: the method is for nodes of just these classes."""

        def note(method: Method) -> Method:
            self._names.update(dict.fromkeys(classes, method.__name__))
            return method

        return note

    def __set_name__(self, owner: type, name: str) -> None:
        self._attribute = name

    def __get__(self, instance: Any, owner: type) -> Mapping[type[Node], Bound]:
        bound = {cls: getattr(instance, name) for cls, name in self._names.items()}
        vars(instance)[self._attribute] = bound  # found there from now on, without coming here
        return bound
