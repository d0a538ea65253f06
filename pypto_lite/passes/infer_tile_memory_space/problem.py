"""The placement problem of one function: which values must share a space, and what each group of them can be.

A *group* is a set of values that live in one space by nature: a producer with its aliases and with the results of
operators that inherit their operand's space, or a join (a loop carry with its result, a branch result) with the
same. A group has a *domain*, the spaces it can live in. Two kinds of facts narrow domains: *uses*, operands that
must be readable from where the group lives, with or without a move; and *members* of joins, values that must reach the
space of the join, with or without a move.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.ir import MemorySpace, TileType

if TYPE_CHECKING:
    from pypto_lite import ops
    from pypto_lite.diagnostics import Span

JOIN_SPACES = frozenset({MemorySpace.Vec, MemorySpace.Mat, MemorySpace.Acc})
"""Where a join can live, beside a space in which all its members were made."""


class Kind(enum.Enum):
    FIXED = "fixed"
    """A producer that can make one space only."""
    RETARGETABLE = "retargetable"
    """A load or a create that names no target, or a create whose target yields to the carry it seeds."""
    JOIN = "join"


class Role(enum.Enum):
    """What a member is to its join."""

    INIT = "initial value"
    YIELD = "yielded value"
    THEN = "value of the then arm"
    ELSE = "value of the else arm"


class Use:
    """A tile operand that its operator reads only from some spaces, the preferred one first.

    ``in_place`` marks an operand that the operator changes without returning it as a result: a copy would not do.
    """

    __slots__ = ("call", "in_place", "operand", "spaces", "stmt", "var")

    def __init__(
        self,
        var: ir.Var,
        call: ir.Call,
        operand: ops.Operand,
        stmt: ir.Stmt,
        spaces: tuple[MemorySpace, ...],
        in_place: bool,
    ) -> None:
        self.var = var
        self.call = call
        self.operand = operand
        self.stmt = stmt
        self.spaces = spaces
        self.in_place = in_place

    @property
    def span(self) -> Span:
        """Where the call stands: a variable's own span is that of its definition."""
        return self.call.span or self.stmt.span


class Member:
    """A value that flows into a join, and the statement at which it does."""

    __slots__ = ("group", "join", "role", "stmt", "var")

    def __init__(self, group: Group, join: Group, var: ir.Var, role: Role, stmt: ir.Stmt) -> None:
        self.group = group
        self.join = join
        self.var = var
        self.role = role
        self.stmt = stmt


class Group:
    """Values that share one space. ``var`` is the first of them, the one that messages name."""

    __slots__ = (
        "call", "domain", "feeds", "initial", "kind", "members", "merged_into", "preferred", "stmt", "uses", "var",
    )  # fmt: skip

    def __init__(
        self, kind: Kind, var: ir.Var, stmt: ir.Stmt, domain: frozenset[MemorySpace], call: ir.Call | None = None
    ) -> None:
        self.kind = kind
        self.var = var
        self.stmt = stmt
        self.domain = self.initial = domain
        self.call = call
        self.preferred: MemorySpace | None = None
        """The written target of a create that may still give way to the carry it seeds."""
        self.uses: list[Use] = []
        self.members: list[Member] = []
        """What flows into this join."""
        self.feeds: list[Member] = []
        """The joins that this group flows into."""
        self.merged_into: Group | None = None
        """The group of the value that a loop only holds, for a carry that every iteration passes on unchanged."""

    @property
    def space(self) -> MemorySpace:
        """The space of a group that has been decided."""
        (space,) = self.domain
        return space

    @property
    def decided(self) -> bool:
        return len(self.domain) == 1

    def __repr__(self) -> str:
        return f"Group({self.var!r}: {self.kind.value}, {sorted(space.name for space in self.domain)})"


class Problem:
    """All facts about the tiles of one function, as ``collect`` found them."""

    def __init__(self) -> None:
        self.groups: list[Group] = []
        """In program order; groups that were merged away are not among them."""
        self.group_of: dict[ir.Var, Group] = {}
        self.uses: dict[ir.Call, list[Use]] = {}
        """The operands of each call that ask for something."""
        self.held: dict[ir.Var, tuple[ir.Var, ir.Stmt]] = {}
        """Carries that every iteration passes on unchanged, with their initial value and their loop."""
        self.views: dict[ir.Var, tuple[ir.Call | None, ir.Var]] = {}
        """Views and aliases: the call that makes the view (None for an alias), and what it is a view of."""
        self.written: dict[ir.Block, frozenset[int]] = {}
        """For each block in which tiles are changed in place: the storages that change."""
        self.storage: dict[ir.Var, int] = {}
        """Values that may share a buffer have the same number; only for functions that change tiles in place."""

    def group(self, var: ir.Var) -> Group:
        """The group of a tile."""
        first = found = self.group_of[var]
        while found.merged_into is not None:
            found = found.merged_into
        while first.merged_into is not None:  # so that the next search is short
            first.merged_into, first = found, first.merged_into
        self.group_of[var] = found
        return found

    def held_value(self, var: ir.Var) -> tuple[ir.Var, ir.Stmt] | None:
        """For a carry that only holds a value, or an alias of one: the value, and the outermost loop that holds it."""
        result: tuple[ir.Var, ir.Stmt] | None = None
        while True:
            while var not in self.held and var in self.views and self.views[var][0] is None:
                var = self.views[var][1]
            if var not in self.held:
                return result
            result = self.held[var]
            var = result[0]

    def space(self, var: ir.Var) -> MemorySpace:
        """The space of a tile, once all groups are decided."""
        return self.group(var).space


def is_tile(value: ir.Node) -> bool:
    """Whether an expression is a tile."""
    return isinstance(getattr(value, "type", None), TileType)


def last_values(block: ir.Block) -> tuple[ir.Expr, ...]:
    """The values that a body or an arm yields."""
    last = block.statements[-1] if block.statements else None
    return last.values if isinstance(last, ir.Yield) else ()
