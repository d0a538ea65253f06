"""Records which functions are executed: each notes itself as its first statement."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING, Final

from tests.mutants.mutant import replace_source
from tests.mutants.sources import Source

if TYPE_CHECKING:
    from collections.abc import Collection

NOTE: Final = "_note_for_mutants"
"""The name under which the function that notes is found from everywhere."""


def record(modules: Collection[str]) -> set[str]:
    """The set that the keys of the functions of these modules get into as they are executed from now on."""
    executing: set[str] = set()
    setattr(builtins, NOTE, executing.add)
    replace_source(modules, _with_notes)
    return executing


def _with_notes(module: str, text: str) -> ast.Module:
    source = Source(module, text)
    for definition in source.definitions:
        node = definition.node
        if isinstance(node, ast.FunctionDef):
            first = 0 if ast.get_docstring(node) is None else 1
            node.body[first:first] = ast.parse(f"{NOTE}({definition.key!r})").body
    return source.tree
