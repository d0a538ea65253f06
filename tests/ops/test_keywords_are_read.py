"""Every keyword has a reader: the type rule, unless the declaration says that only later stages read it."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import TYPE_CHECKING

import pytest

from pypto_lite import ops
from pypto_lite.ir import TileType
from pypto_lite.ops import Operator, Registry, operator

if TYPE_CHECKING:
    from collections.abc import Callable


def unread_keywords(declared: Operator) -> set[str]:
    """The keywords that the type rule does not read, nor a function inside it, and that nobody is said to read."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(declared.rule)))
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return declared.keywords.keys() - read - declared.carried


@pytest.mark.parametrize("name", ops.operators())
def test_every_keyword_is_read(name: str) -> None:
    assert unread_keywords(ops.lookup(name)) == set()


# The check itself


def _declared(rule: Callable[..., TileType], carried: tuple[str, ...] = ()) -> Operator:
    return operator("tile.test", registry=Registry(), carried=carried)(rule)


def test_a_keyword_that_nobody_reads_is_found() -> None:
    def rule(tile: TileType, factor: int) -> TileType:
        return tile

    assert unread_keywords(_declared(rule)) == {"factor"}
    assert unread_keywords(_declared(rule, carried=("factor",))) == set()


def test_a_keyword_that_an_inner_function_reads_is_read() -> None:
    def rule(tile: TileType, factor: int) -> TileType:
        return TileType([extent * factor for extent in tile.shape if isinstance(extent, int)], tile.dtype)

    assert unread_keywords(_declared(rule)) == set()
