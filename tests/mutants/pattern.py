"""Mutants that are named: a function, what stands in it, and what stands there instead, compared as syntax trees.

So they are found wherever the function has moved to and however it is laid out.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, Final

from tests.mutants.mutant import Mutant, mutant_at
from tests.mutants.sources import modules_under, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.mutants.sources import Definition

PACKAGES: Final = ("pypto_lite.passes", "pypto_lite.analysis", "pypto_lite.ops", "pypto_lite.targets")
"""Where the functions are looked for."""


def named(name: str, breaks: str, function: str, before: str, after: str) -> Mutant:
    """The mutant of a function or constant of this qualified name in which the pattern occurs once.

    Raises ValueError where there are none or several.
    """
    pattern = ast.parse(before).body[0]
    sought = _dump(pattern.value if isinstance(pattern, ast.Expr) else pattern)
    places = [
        (definition, node)
        for definition in _definitions().get(function, ())
        for node in ast.walk(definition.node)
        if isinstance(node, (ast.expr, ast.stmt)) and _dump(node) == sought
    ]
    if len(places) != 1:
        raise ValueError(f"mutant {name!r}: {before!r} occurs {len(places)} times in {function!r}, not once")
    ((definition, node),) = places
    return mutant_at(name, definition, node, after, breaks)


@cache
def _dump(node: ast.AST) -> str:
    return ast.dump(node).replace("ctx=Store()", "ctx=Load()")


@cache
def _definitions() -> dict[str, list[Definition]]:
    """The definitions of each name."""
    return _by_name(
        definition
        for package in PACKAGES
        for module in modules_under(package)
        for definition in source_of(module).definitions
    )


def _by_name(definitions: Iterable[Definition]) -> dict[str, list[Definition]]:
    found: dict[str, list[Definition]] = {}
    for definition in definitions:
        found.setdefault(definition.name, []).append(definition)
    return found
