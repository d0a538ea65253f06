"""Single faults in placed programs: what a mistake of the placement pass would leave behind.

Each function gives every way to make its fault at one place of the program: as a text that says what was done, and a
program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.ir import MemorySpace, TileType

if TYPE_CHECKING:
    from collections.abc import Iterator

SPACES = (MemorySpace.Vec, MemorySpace.Mat, MemorySpace.Left, MemorySpace.Right, MemorySpace.Acc, MemorySpace.Bias)


def faults(program: ir.Program) -> list[tuple[str, ir.Program]]:
    """All single faults of all kinds, in a fixed order."""
    kinds = (relabelled, without_moves, with_aliases, retargeted, redirected)
    return [fault for kind in kinds for fault in kind(program)]


def relabelled(program: ir.Program) -> Iterator[tuple[str, ir.Program]]:
    """A value has another space written next to it."""
    for var in _tiles(program):
        for space in SPACES:
            if space is not var.type.space:
                yield f"{var.name} is said to be in {space.name}", replaced(program, var, in_space(var, space))


def without_moves(program: ir.Program) -> Iterator[tuple[str, ir.Program]]:
    """A move is not there: whoever reads its result reads what is moved."""
    for stmt in _moves(program):
        (source, *_), var = stmt.value.args, stmt.var
        without = ir.rewrite(program, {ir.Assign: lambda each, stmt=stmt: ir.Block(()) if each is stmt else each})
        yield f"{var.name} is not moved", replaced(without, var, source)


def with_aliases(program: ir.Program) -> Iterator[tuple[str, ir.Program]]:
    """A move is another name for what it moves, with its space as it was."""
    for stmt in _moves(program):
        alias = ir.Assign(stmt.var, stmt.value.args[0], span=stmt.span)
        yield f"{stmt.var.name} is only a name", replaced(program, stmt, alias)


def retargeted(program: ir.Program) -> Iterator[tuple[str, ir.Program]]:
    """A move leads elsewhere, and its result is said to be there, or still where it was to be."""
    for stmt in _moves(program):
        for space in SPACES:
            if space is stmt.value.keywords["target_memory"]:
                continue
            call = stmt.value.replace(keywords={**stmt.value.keywords, "target_memory": space})
            moved = replaced(program, stmt, ir.Assign(stmt.var, call, span=stmt.span))
            yield f"{stmt.var.name} is moved to {space.name}", moved
            yield (
                f"{stmt.var.name} is moved to {space.name}, and said to be there",
                replaced(moved, stmt.var, in_space(stmt.var, space)),
            )


def redirected(program: ir.Program) -> Iterator[tuple[str, ir.Program]]:
    """An operand is another tile like it, from another space, that is known there."""
    for stmt, known in _scopes(program):
        call = stmt.value
        for index, arg in enumerate(call.args):
            if not isinstance(arg, ir.Var) or not isinstance(arg.type, TileType):
                continue
            for other in known:
                if other.type.space is arg.type.space or not _alike(other.type, arg.type):
                    continue
                args = (*call.args[:index], other, *call.args[index + 1 :])
                changed = ir.Assign(stmt.var, call.replace(args=args), span=stmt.span)
                yield f"{stmt.var.name} reads {other.name} for {arg.name}", replaced(program, stmt, changed)


def _tiles(program: ir.Program) -> list[ir.Var]:
    """All values that are tiles: assigned ones, carries and results."""
    return [
        var
        for node in ir.walk(program)
        if isinstance(node, ir.Stmt)
        for var in node.definitions()
        if isinstance(var.type, TileType)
    ]


def _moves(program: ir.Program) -> list[ir.Assign]:
    return [
        node
        for node in ir.walk(program)
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Call) and node.value.op == "tile.move"
    ]


def _scopes(program: ir.Program) -> Iterator[tuple[ir.Assign, list[ir.Var]]]:
    """The calls, each with the tiles that are known before it."""
    opened: list[tuple[ir.Stmt, list[ir.Var]]] = [(each.body, []) for each in program.functions.values()]
    while opened:
        stmt, known = opened.pop()
        if isinstance(stmt, ir.Block):
            for each in stmt.statements:
                opened.append((each, known))
                known = [*known, *[var for var in each.definitions() if isinstance(var.type, TileType)]]
        elif isinstance(stmt, ir.Assign) and isinstance(stmt.value, ir.Call):
            yield stmt, known
        opened += [(block, known) for block in stmt.blocks() if not isinstance(stmt, ir.Block)]


def _alike(one: TileType, other: TileType) -> bool:
    """Whether an operator can read a tile of the one type where it read one of the other."""
    return (one.shape, one.dtype, one.valid_shape) == (other.shape, other.dtype, other.valid_shape)


def in_space(var: ir.Var, space: MemorySpace) -> ir.Var:
    return ir.Var(var.name, var.type.replace(space=space), span=var.span)


def replaced(program: ir.Program, old: ir.Node, new: ir.Node) -> ir.Program:
    return ir.rewrite(program, {type(old): lambda node: new if node is old else node})
