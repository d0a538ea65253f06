"""Gives every variable of a function a name of its own.

The first variable with a hint keeps it, later ones become ``bt__1``, ``bt__2`` in program order.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from typing import TYPE_CHECKING, Any, Final, cast

from pypto_lite.ir import Assign, Call, Const, Expr, Function, MakeTuple, Node, Program, Scope, Type, Var

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

RESERVED: Final = frozenset({*keyword.kwlist, "__debug__", "pl", "self", "abs", "float"})
"""What printed code uses itself."""

_SUFFIX: Final = re.compile(r"__\d+$")


class Occurrences:
    """The variables below some node, in the order in which they first occur, and which of them it defines."""

    __slots__ = ("defined", "free", "order")

    def __init__(self, root: Node) -> None:
        order: dict[Var, None] = {}
        defined: set[Var] = set()
        _scan(root, order, defined)
        mentioned: dict[Var, None] = {}
        for type_ in _types(root, order):
            for expression in type_.expressions():
                _scan(expression, mentioned, defined)
        self.order = {**order, **mentioned}
        """All of them; those that occur in types only come last."""
        self.defined = defined
        self.free: list[Var] = []
        """Those that it does not define: symbolic dimensions, or any variables of a fragment."""
        if len(self.order) > len(defined):  # what it defines is part of the order
            self.free += dict.fromkeys([var for var in (*mentioned, *order) if var not in defined])


def _scan(root: Node, order: dict[Var, None], defined: set[Var]) -> None:
    stack: list[Any] = [root]
    pop, extend, define = stack.pop, stack.extend, defined.add
    while stack:
        node = pop()
        cls = node.__class__
        if cls is Assign and node.value.__class__ is Call:  # most statements are, so this way is short
            for arg in node.value.args:
                kind = arg.__class__
                if kind is Var:
                    order[arg] = None
                elif kind is MakeTuple:
                    if arg.integers is None:
                        for element in arg.elements:
                            if element.__class__ is not Const:
                                _scan(element, order, defined)
                elif kind is not Const:
                    _scan(arg, order, defined)
            var = node.var
            order[var] = None
            define(var)
        elif cls is Var:
            order[node] = None
        elif cls is not Const:
            if node.defining_fields:
                defined.update(node.definitions())
                if cls is Scope:
                    extend(_expressions_in(node.keywords.values()))
            children = node.children()
            if children:
                extend(children[::-1])


def _expressions_in(values: Iterable[Any]) -> list[Expr]:
    """The expressions among values, and among the items of lists of them."""
    found: list[Expr] = []
    for value in values:
        items = cast("Sequence[Any]", value) if isinstance(value, (list, tuple)) else (value,)
        found += [item for item in items if isinstance(item, Expr)]
    return found


def _types(root: Node, order: Iterable[Var]) -> list[Type]:
    """The types that mention expressions, each once."""
    types = [var.type for var in order if var.type.symbolic]
    if isinstance(root, Function):
        types += [type_ for type_ in root.return_types if type_.symbolic]
    return list(dict.fromkeys(types))


class _Namer:
    """Hands out names that are still free."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = {*RESERVED, *taken}
        self._bases: dict[str, str] = {}
        """What the numbers go behind, by hint."""
        self._last: dict[str, int] = {}
        """The last number that was tried, by base."""

    def name(self, hint: str) -> str:
        taken = self._taken
        if hint not in taken and hint.isidentifier() and hint.isascii():
            taken.add(hint)
            return hint
        base = self._bases.get(hint)
        if base is None:
            chosen = _identifier(hint)
            base = self._bases[hint] = _SUFFIX.sub("", chosen) or chosen
            if chosen not in taken:
                taken.add(chosen)
                return chosen
        number = self._last.get(base, 0)
        while True:
            number += 1
            chosen = f"{base}__{number}"
            if chosen not in taken:
                break
        self._last[base] = number
        taken.add(chosen)
        return chosen


def _identifier(hint: str) -> str:
    """The hint, or the nearest thing to it that is an identifier in the form that Python compares."""
    hint = unicodedata.normalize("NFKC", hint)
    if not hint.isidentifier():
        hint = re.sub(r"\W", "_", hint)
        if not hint.isidentifier():
            hint = f"v{hint}"
    return hint


def name_all(variables: Iterable[Var], taken: Iterable[str] = ()) -> dict[Var, str]:
    """Names for variables in their order, different from each other and from those that are taken."""
    name = _Namer(taken).name
    return {var: name(var.name) for var in variables}


def names(function: Function, dimensions: Mapping[Var, str] | None = None) -> dict[Var, str]:
    """The printed name of every variable of a function.

    ``dimensions`` are names that variables from outside the function have in its program.
    """
    return function_names(Occurrences(function), dimensions or {})


def function_names(found: Occurrences, dimensions: Mapping[Var, str]) -> dict[Var, str]:
    if not found.free:
        return name_all(found.order)
    outside = {var: dimensions[var] for var in found.free if var in dimensions}
    outside |= name_all([var for var in found.free if var not in outside], outside.values())
    free = set(found.free)
    inside = name_all([var for var in found.order if var not in free], outside.values())
    return {**outside, **inside}


def class_name(program: Program) -> str:
    """The name of a program as its class can have it."""
    return _Namer(()).name(program.name)


def dimension_names(program: Program, occurrences: Iterable[Occurrences]) -> dict[Var, str]:
    """The names of the variables that the functions of a program use without defining them: symbolic dimensions."""
    free = dict.fromkeys([var for found in occurrences for var in found.free])
    return name_all(free, [class_name(program), *program.functions])
