"""What each statement of a function does to its tiles: which it reads, names again, writes and takes over.

Worked out in one walk, for all that is asked about live ranges and buffers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pypto_lite import ir, ops
from pypto_lite.ir import Point, TileType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


PLAIN: Final = Point.STATEMENT


class TileAccess(NamedTuple):
    """One step in program order, and what the statement does to tiles there."""

    point: Point
    stmt: ir.Stmt
    region: ir.Region | None = None
    reads: Sequence[ir.Var] = ()
    """The tiles that it reads itself. A name or a view reads nothing, nor does what only flows into a join: what reads
    the one or the other reads the tile."""
    names: ir.Var | None = None
    """The tile that it only gives another name, or views."""
    updated_operand: ir.Var | None = None
    """The tile that it changes and gives back."""
    tied_operands: Sequence[ir.Var] = ()
    """The tiles whose storage its result takes over."""
    keeps: Sequence[ir.Var] = ()
    """The operands that its result may not be written over."""
    allocates: bool = False
    """Whether it brings a new buffer into being."""


def tile_accesses(function: ir.Function) -> list[TileAccess]:
    """What happens to tiles at every point of a function, in program order."""
    uses = _Uses()
    return [
        uses.at(visit.stmt) if visit.point is PLAIN else TileAccess(*visit, _read_by_header(visit))
        for visit in ir.program_order(function.body)
    ]


def written_operands(call: ir.Call, operator: ops.Operator) -> list[int]:
    """The tile operands whose buffer a call writes to."""
    return [
        operand.index
        for operand, argument in zip(operator.operands, call.args, strict=False)
        if operand.may_write
        if isinstance(argument.type, TileType) and operand.effect_with(call.keywords) is not ops.Effect.READ
    ]


def in_one_memory(first: ir.Var, second: ir.Var) -> bool:
    """Whether two values are tiles in the same memory, so that they can be in one buffer."""
    one, other = first.type, second.type
    return isinstance(one, TileType) and isinstance(other, TileType) and one.space is other.space


def _read_by_header(visit: ir.Visit) -> Sequence[ir.Var]:
    """What a statement with regions reads itself: before them, and at the beginning of each."""
    operands: Iterable[ir.Expr] = ()
    if visit.region is not None:
        if visit.point is Point.BEGIN and visit.region.condition is not None:
            operands = (visit.region.condition,)
    elif visit.point is Point.ENTER:
        inits = {incoming.value for phi in visit.stmt.phis() for incoming in phi.incoming}
        operands = [each for each in visit.stmt.entry_operands() if each not in inits]
    return [var for operand in operands for var in _tiles_in(operand)]


class _Uses:
    """Finds what plain statements do, with what is known of their operators."""

    def __init__(self) -> None:
        self._rules: dict[str, _Rule | None] = {}

    def at(self, stmt: ir.Stmt) -> TileAccess:
        if isinstance(stmt, ir.Yield):
            return TileAccess(PLAIN, stmt)
        if isinstance(stmt, (ir.Assign, ir.Evaluate)) and isinstance(stmt.value, ir.Call):
            return self._call(stmt, stmt.value)
        reads = [var for operand in stmt.operands() for var in _tiles_in(operand)]
        if not isinstance(stmt, ir.Assign):
            return TileAccess(PLAIN, stmt, None, reads)
        names = _tile_of(stmt.var, stmt.value)
        if names is not None:
            return TileAccess(PLAIN, stmt, None, (), names)
        return TileAccess(PLAIN, stmt, None, reads, allocates=isinstance(stmt.value, (ir.FunctionCall, ir.TupleItem)))

    def _call(self, stmt: ir.Assign | ir.Evaluate, call: ir.Call) -> TileAccess:
        rule = self._rules[call.op] if call.op in self._rules else self._rule(call.op)
        reads = _tiles_in(call)
        if rule is None:
            return TileAccess(PLAIN, stmt, None, reads, allocates=True)
        result = stmt.var if isinstance(stmt, ir.Assign) else None
        if rule.view_of is not None:
            viewed = _tile_of(result, call.args[rule.view_of])
            if viewed is not None:
                return TileAccess(PLAIN, stmt, None, [var for var in reads if var is not viewed], viewed)
        keeps = _kept(rule, call) if rule.keeps else ()
        if not rule.may_tie:
            return TileAccess(PLAIN, stmt, None, reads, None, None, (), keeps, rule.view_of is None)
        written = written_operands(call, rule.operator)
        over = {*rule.tied_operand, *written}
        tied_operands = [var for index in over if (var := _tile_of(result, call.args[index])) is not None]
        updated_operand = None if rule.updated_operand is None else _tile_of(result, call.args[rule.updated_operand])
        allocates = rule.view_of is None and not over
        return TileAccess(PLAIN, stmt, None, reads, None, updated_operand, tied_operands, keeps, allocates)

    def _rule(self, op: str) -> _Rule | None:
        """What an operator does with the tiles that it is given; None for one that is not known."""
        operator = ops.find(op)
        self._rules[op] = rule = None if operator is None else _Rule(operator)
        return rule


class _Rule:
    """The part of an operator's declaration that is about storage, by places of operands."""

    __slots__ = ("keeps", "may_tie", "operator", "optional", "tied_operand", "updated_operand", "view_of")

    def __init__(self, operator: ops.Operator) -> None:
        self.operator = operator
        self.view_of = operator.view_of
        self.tied_operand = () if operator.tied_operand is None else (operator.tied_operand,)
        writes = None if operator.computes is None else operator.computes.writes
        self.updated_operand = next((each.index for each in operator.operands if each.name == writes), None)
        self.optional = not all(each.required for each in operator.operands)
        self.keeps = [
            each.index for each in operator.operands if not operator.in_place_safe or each.index in operator.no_alias
        ]
        self.may_tie = bool(self.tied_operand) or any(each.may_write for each in operator.operands)


def _kept(rule: _Rule, call: ir.Call) -> list[ir.Var]:
    if rule.optional:  # operands that are left out shift the places of those behind them
        matched = ops.match_operands(rule.operator, call.args)
        arguments = [arg for operand, arg in matched if operand.index in rule.keeps]
    else:
        arguments = [call.args[index] for index in rule.keeps]
    return [arg for arg in arguments if isinstance(arg, ir.Var) and isinstance(arg.type, TileType)]


def _tile_of(result: ir.Var | None, operand: ir.Expr) -> ir.Var | None:
    """An operand that is a tile in the memory of a result."""
    if result is None or not isinstance(operand, ir.Var) or not in_one_memory(result, operand):
        return None
    return operand


def _tiles_in(operand: ir.Expr) -> list[ir.Var]:
    """Constants and lists of extents hold no tiles, and are most of what there is to look at."""
    found: list[ir.Var] = []
    for part in operand.args if isinstance(operand, ir.Call) else (operand,):
        if isinstance(part, ir.Var):
            if isinstance(part.type, TileType):
                found.append(part)
        elif not isinstance(part, (ir.Const, ir.MakeTuple)):
            inner = [node for node in ir.walk(part) if isinstance(node, ir.Var)]
            found += [var for var in inner if isinstance(var.type, TileType)]
    return found
