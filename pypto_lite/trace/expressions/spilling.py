"""Cuts an expression that is too deep to be evaluated recursively into parts that are not."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

PART_HEIGHT: Final = 30
"""How many levels of an expression are evaluated recursively at a time."""

_CLOSED: Final = (
    ast.Lambda, ast.JoinedStr, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.operator, ast.unaryop,
    ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip
"""What is not looked into: it is refused as a whole, or holds no expressions."""


def inner_parts(root: ast.expr) -> list[ast.expr]:
    """The inner parts of an expression in Python's order of evaluation: its calls, and on long ways without one a part
    every few levels.

    What Python evaluates only under a condition is left out where it holds calls: whether they happen depends on the
    condition, so they are evaluated with it.
    """
    with_calls = _with_calls(root)
    heights: dict[ast.AST, int] = {}
    parts: list[ast.expr] = []
    stack: list[tuple[ast.AST, list[ast.AST] | None]] = [(root, None)]
    while stack:
        node, children = stack.pop()
        if children is None:
            children = _evaluated(node, with_calls)
            stack.append((node, children))
            stack.extend([(child, None) for child in reversed(children)])
            continue
        height = 1 + max([heights[child] for child in children], default=0)
        cut = isinstance(node, ast.Call) or height >= PART_HEIGHT
        if cut and node is not root and isinstance(node, ast.expr) and not isinstance(node, ast.Starred):
            parts.append(node)
            height = 0
        heights[node] = height
    return parts


def _children(node: ast.AST) -> Iterator[ast.AST]:
    return iter(()) if isinstance(node, _CLOSED) else ast.iter_child_nodes(node)


def _with_calls(root: ast.AST) -> set[ast.AST]:
    """The nodes that are or hold calls."""
    order: list[tuple[ast.AST, ast.AST | None]] = []
    stack: list[tuple[ast.AST, ast.AST | None]] = [(root, None)]
    while stack:
        entry = stack.pop()
        order.append(entry)
        stack.extend([(child, entry[0]) for child in _children(entry[0])])
    found: set[ast.AST] = set()
    for node, parent in reversed(order):
        if isinstance(node, ast.Call):
            found.add(node)
        if node in found and parent is not None:
            found.add(parent)
    return found


def _evaluated(node: ast.AST, with_calls: set[ast.AST]) -> list[ast.AST]:
    """The parts of a node that may be evaluated before it, in order."""
    if isinstance(node, ast.IfExp):
        certain: list[ast.AST] = [node.test]
        conditional: list[ast.expr] = [node.body, node.orelse]
    elif isinstance(node, ast.BoolOp):
        certain, conditional = [node.values[0]], node.values[1:]
    elif isinstance(node, ast.Compare):
        certain, conditional = [node.left, node.comparators[0]], node.comparators[1:]
    else:
        return list(_children(node))
    return [*certain, *[each for each in conditional if each not in with_calls]]
