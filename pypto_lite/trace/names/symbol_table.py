"""Which names a kernel has defined at the point that is being traced, and what they are bound to.

Python's scopes are functions; what is certain to have a value is narrower. A name that only the body of a loop or only
one arm of a branch binds has none afterwards, so it is Gone there: using it is an error that says why.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pypto_lite.diagnostics import Span
    from pypto_lite.ir import Var


class Variable:
    """A name that is bound to a value of the IR.

    ``root`` is the variable of the IR. ``current`` is the variable to read: the root itself, or one that stands for it
    where the value's memory space, layout or view is another than the root's type says. ``block`` is the block whose
    own statements may bind the name to a new variable; in a block inside it, the same variable has to be assigned.
    """

    __slots__ = ("block", "current", "root", "span")

    def __init__(self, root: Var, current: Var, block: int, span: Span) -> None:
        self.root = root
        self.current = current
        self.block = block
        self.span = span


class Static:
    """A name that is bound to what only tracing knows: a list, a dtype, a function."""

    __slots__ = ("block", "span", "value")

    def __init__(self, value: object, block: int, span: Span) -> None:
        self.value = value
        self.block = block
        self.span = span


class Gone:
    """A name that had a value which may not be there any more.

    ``last`` is the variable that it was bound to where only the flow of control decides whether it still is: then the
    name may be read, and conversion to SSA form finds out.
    """

    __slots__ = ("hint", "last", "reason", "span")

    def __init__(self, reason: str, span: Span, hint: str | None = None, last: Variable | None = None) -> None:
        self.reason = reason
        self.span = span
        self.hint = hint
        self.last = last

    @classmethod
    def behind(cls, binding: Binding, block: int, reason: str, hint: str) -> Gone:
        """A name of a block that has ended, seen from the ``block`` around it."""
        known = binding.last if isinstance(binding, Gone) else binding
        last = Variable(known.root, known.current, block, known.span) if isinstance(known, Variable) else None
        if isinstance(binding, Gone):
            return cls(binding.reason, binding.span, binding.hint, last)
        return cls(reason, binding.span, hint, last)

    def alive(self, *others: Binding | None) -> Variable | None:
        """The variable, where one of the others is bound to it as well: the name was read, so it counts as bound."""
        for other in others:
            if self.last is not None and isinstance(other, Variable) and other.root is self.last.root:
                return self.last
        return None


Window: TypeAlias = "tuple[tuple[int, int], ...]"
"""The first element in each axis, and the one behind the last."""


class Shared:
    """The names that stand for elements of one value, each with its variable and, where known, what it is a part of."""

    __slots__ = ("names", "source", "whole")

    def __init__(self, source: Var) -> None:
        self.source = source
        self.whole = {source}
        """The variables that are the value as it was, but for what has been written: windows are windows of them."""
        self.names: dict[str, tuple[Var, Window | None]] = {source.name: (source, None)}


Binding: TypeAlias = "Variable | Static | Gone"

Changes: TypeAlias = "dict[str, tuple[Binding | None, Binding]]"
"""What a block did to names: each with its binding before and after."""


class Names:
    """The bindings at one point. Blocks are opened and closed; what a closed block did can be looked at and is undone.

    Costs a step for each change, whatever the number of names.
    """

    def __init__(self) -> None:
        self._bindings: dict[str, Binding] = {}
        self._before: list[dict[str, Binding | None]] = []
        self._places: dict[str, Places] | None = None
        self.sharing: dict[Var, Shared] = {}
        """For variables that stand for the same elements as others: what is known of all of them."""
        self.get = self._bindings.get

    def set(self, name: str, binding: Binding) -> None:
        if self._before:
            self._before[-1].setdefault(name, self._bindings.get(name))
        self._bindings[name] = binding

    def open(self) -> None:
        """Begins a block."""
        self._before.append({})

    def close(self) -> Changes:
        """Ends a block: its changes, which no longer hold."""
        changes: Changes = {}
        for name, before in self._before.pop().items():
            changes[name] = (before, self._bindings[name])
            if before is None:
                del self._bindings[name]
            else:
                self._bindings[name] = before
        return changes

    def places_of_binding(self, name: str, definition: ast.FunctionDef) -> Places:
        """Where a function binds a name, or writes a part of it."""
        if self._places is None:
            self._places = _places_of_bindings(definition)
        return self._places.get(name) or Places()

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, binding in self._bindings.items() if not isinstance(binding, Gone)])


class Places:
    """Where a function binds one name, in the order of the text, each with the number of loops and branches around."""

    def __init__(self) -> None:
        self._places: list[tuple[tuple[int, int], int, ast.Name]] = []
        self._deepest: list[int] = []
        """For each place how deep the deepest one is from there on."""

    def add(self, node: ast.Name, depth: int) -> None:
        self._places.append(((node.lineno, node.col_offset), depth, node))

    def finish(self) -> None:
        """Has to be called when all are there."""
        self._places.sort(key=lambda place: place[0])
        deepest = 0
        for _, depth, _ in reversed(self._places):
            deepest = max(deepest, depth)
            self._deepest.append(deepest)
        self._deepest.reverse()

    @property
    def depth(self) -> int:
        """How deep the deepest one is."""
        return self._deepest[0] if self._deepest else 0

    def deeper_behind(self, node: ast.Name) -> bool:
        """Whether one behind ``node``, which is one of them, is deeper than it."""
        index = self._index(node)
        return index + 1 < len(self._places) and self._deepest[index + 1] > self._places[index][1]

    def first_deeper_behind(self, node: ast.Name) -> ast.Name | None:
        """The first one behind ``node``, which is one of them, that is deeper than it."""
        index = self._index(node)
        depth = self._places[index][1]
        return next((other for _, inner, other in self._places[index + 1 :] if inner > depth), None)

    def _index(self, node: ast.Name) -> int:
        return bisect_left(self._places, (node.lineno, node.col_offset), key=lambda place: place[0])


def _places_of_bindings(definition: ast.FunctionDef) -> dict[str, Places]:
    places: dict[str, Places] = {}
    stack: list[tuple[ast.AST, int]] = [(definition, 0)]
    while stack:
        node, depth = stack.pop()
        inner = depth + isinstance(node, (ast.If, ast.For, ast.While))
        stack.extend([(child, inner) for child in ast.iter_child_nodes(node)])
        if not isinstance(node, (ast.Name, ast.Subscript)) or isinstance(node.ctx, ast.Load):
            continue
        target: ast.expr = node
        while isinstance(target, ast.Subscript):
            target = target.value
        if isinstance(target, ast.Name):
            places.setdefault(target.id, Places()).add(target, depth)
    for each in places.values():
        each.finish()
    return places
