"""The placement problem of one function: which values must share a space, and what each group of them can be.

A *group* is a set of values that live in one space by nature: a producer with its aliases and with the results of
operators that inherit their operand's space, or a join (a loop carry with its result, a branch result) with the
same. A group has a *domain*, the spaces it can live in. Two kinds of facts narrow domains: *demands*, what operands and
annotations ask for, with or without a move; and *members* of joins, values that must reach the space of the join, with
or without a move.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, TypeAlias

from pypto_lite import ops
from pypto_lite.ir import MemorySpace, TileType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pypto_lite import ir
    from pypto_lite.diagnostics import Diagnostic, Span


ALONE: Final = {space: frozenset({space}) for space in MemorySpace}
"""The domain of what can live in one space only."""


class Kind(enum.Enum):
    FIXED = "fixed"
    """A producer that can make one space only."""
    RETARGETABLE = "retargetable"
    """A load or a create that names no target, or a create whose target yields to the carry it seeds."""
    PHI = "join"


# Looking up members of enumerations takes its time.
FIXED: Final = Kind.FIXED
RETARGETABLE: Final = Kind.RETARGETABLE
PHI: Final = Kind.PHI


class OperandConstraint:
    """A tile operand that its operator reads only from some spaces, the preferred one first.

    ``in_place`` marks an operand that the operator changes without handing it on as its result: a copy would not do.
    ``overwritten`` marks any operand that it writes to: a copy of one is good for this use only. ``written_move`` is
    the destination where the operator is a move that the program makes itself; then ``spaces`` are those from which
    one move leads there, and may be none.
    """

    __slots__ = (
        "call", "eclass", "in_place", "operand", "overwritten", "position", "spaces", "stmt", "var", "written_move",
    )  # fmt: skip

    def __init__(
        self, eclass: EquivalenceClass, var: ir.Var, call: ir.Call, position: int, operand: ops.Operand, stmt: ir.Stmt,
        spaces: tuple[MemorySpace, ...], in_place: bool, overwritten: bool, written_move: MemorySpace | None = None,
    ) -> None:  # fmt: skip
        self.eclass = eclass
        """That of ``var``."""
        self.var = var
        self.call = call
        self.position = position
        """Which argument of the call it is."""
        self.operand = operand
        self.stmt = stmt
        self.spaces = spaces
        self.in_place = in_place
        self.overwritten = overwritten
        self.written_move = written_move

    @property
    def span(self) -> Span:
        """Where the call stands: a variable's own span is that of its definition."""
        return self.call.span or self.stmt.span


class AnnotationConstraint:
    """A space that an annotation names for a value that lives where another one does: an alias, a view, a join."""

    __slots__ = ("eclass", "spaces", "stmt", "var")

    in_place = True

    def __init__(self, eclass: EquivalenceClass, var: ir.Var, space: MemorySpace, stmt: ir.Stmt) -> None:
        self.eclass = eclass
        self.var = var
        self.spaces = (space,)
        self.stmt = stmt

    @property
    def span(self) -> Span:
        return self.var.span or self.stmt.span


UseConstraint: TypeAlias = "OperandConstraint | AnnotationConstraint"


class PhiOperand:
    """A value that flows into a join, and the statement at which it does."""

    __slots__ = ("eclass", "edge", "phi", "stmt", "var")

    def __init__(
        self, eclass: EquivalenceClass, join: EquivalenceClass, var: ir.Var, edge: ir.Edge, stmt: ir.Stmt
    ) -> None:
        self.eclass = eclass
        self.phi = join
        self.var = var
        self.edge = edge
        self.stmt = stmt

    @property
    def span(self) -> Span:
        """Where the value flows in."""
        return self.stmt.span


class EquivalenceClass:
    """Values that share one space. ``var`` is the first of them, the one that messages name."""

    __slots__ = (
        "call",
        "constraints",
        "domain",
        "initial",
        "kind",
        "merged_into",
        "phi_operands",
        "phi_uses",
        "preferred",
        "space",
        "stmt",
        "transposed",
        "var",
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
        self.constraints: list[UseConstraint] = []
        self.phi_operands: tuple[PhiOperand, ...] = ()
        """What flows into this join: two values, into others nothing."""
        self.phi_uses: list[PhiOperand] = []
        """The joins that this group flows into."""
        self.merged_into: EquivalenceClass | None = None
        """The group of the value that a join only hands on, where every member of it is that value."""
        self.transposed = False
        """Whether transposed views flow into this join: outside Mat they cannot be moved to the cube side any more."""
        self.space: MemorySpace
        """Where it lives, once the problem is solved."""

    @property
    def decided(self) -> bool:
        return len(self.domain) == 1

    @property
    def gave_way(self) -> bool:
        """Whether it is a create that lives elsewhere than its written target says."""
        return self.preferred is not None and self.preferred is not self.space

    @property
    def creates(self) -> bool:
        """Whether it is an empty tile, which can be made in any space."""
        operator = self.operator
        return operator is not None and operator.allocates

    @property
    def loads(self) -> bool:
        """Whether it comes from global memory, from where it can come into other spaces, too."""
        operator = self.operator
        return operator is not None and operator.loads

    @property
    def operator(self) -> ops.Operator | None:
        """What makes it, where that is a call of an operator."""
        return None if self.call is None else ops.find(self.call.op)

    def neighbours(self) -> Iterator[EquivalenceClass]:
        """The groups that flow into this one, and those that it flows into."""
        for phi_operand in self.phi_operands:
            yield phi_operand.eclass
        for phi_operand in self.phi_uses:
            yield phi_operand.phi

    def __repr__(self) -> str:
        return f"Group({self.var!r}: {self.kind.value}, {sorted(space.name for space in self.domain)})"


class Problem:
    """All facts about the tiles of one function, as ``collect`` found them."""

    def __init__(self) -> None:
        self.eclasses: list[EquivalenceClass] = []
        """In program order; groups that were merged away are not among them."""
        self.eclass_of: dict[ir.Var, EquivalenceClass] = {}
        """The group of each tile, in program order; while it is collected, perhaps one that was merged away."""
        self.uses: dict[ir.Call, list[OperandConstraint]] = {}
        """The operands of each call that ask for something."""
        self.implicit_moves: list[OperandConstraint] = []
        """The operands that are carried into another operand, wherever that is: no demands, as any space may do."""
        self.invariant_carries: dict[ir.Var, tuple[ir.Var, ir.Loop]] = {}
        """Carries that every iteration passes on unchanged, with their initial value and their loop."""
        self.views: dict[ir.Var, tuple[ir.Call | None, ir.Var]] = {}
        """Views and aliases: the call that makes the view (None for an alias), and what it is a view of."""
        self.follows: dict[ir.Var, tuple[ir.Call | ir.Stmt, ir.Var]] = {}
        """Values that live where another one does: what says so (the call of an operator that leaves its result where
        its operand is, the assignment of an alias, a loop, a branch), and that other value."""
        self.same_buffer: list[tuple[ir.Var, ir.Var]] = []
        """Pairs of values that are one buffer if they live in one space: a further name, and what it is a name of."""
        self.taken_over: list[tuple[ir.Var, ir.Var]] = []
        """Results that take over the buffer of an operand, if they live in one space, with that operand."""
        self.writes: list[tuple[ir.Stmt, ir.Var, tuple[MemorySpace, ...]]] = []
        """Statements that write to a tile, and from where they take it; anywhere else, they write to a copy of it."""
        self.changes: list[tuple[ir.Stmt, ir.Var]] = []
        """Those of them that change the tile in place, without handing it on as their result."""
        self.refused: list[Diagnostic] = []
        """What is written about producers that they cannot do; then the rest of the problem means little."""
        self.tolerated: frozenset[EquivalenceClass] = frozenset()
        """Groups of which Vec is asked by way of a move that is only made without a target, once all are decided."""
        self._naturals: dict[ir.Var, ir.Var | None] = {}

    def eclass(self, var: ir.Var) -> EquivalenceClass:
        """The group of a tile, also while it is collected."""
        first = found = self.eclass_of[var]
        if found.merged_into is None:
            return found
        while found.merged_into is not None:
            found = found.merged_into
        while first.merged_into is not None:  # so that the next search is short
            first.merged_into, first = found, first.merged_into
        self.eclass_of[var] = found
        return found

    def space(self, var: ir.Var) -> MemorySpace:
        """Where a tile lives, once the problem is solved."""
        return self.eclass_of[var].space

    def transposed(self, var: ir.Var) -> bool:
        """Whether a tile is a transposed view, or may be one that came through a join."""
        return self.natural(var) is not None or self.eclass(var).transposed

    def natural(self, var: ir.Var) -> ir.Var | None:
        """The tile under the innermost transposed view that this one is a view of, if it is."""
        if not self.views:
            return None
        chain: list[ir.Var] = []
        while var not in self._naturals and var in self.views:
            chain.append(var)
            var = self.views[var][1]
        found = self._naturals.setdefault(var, None)
        for viewed in reversed(chain):
            call, source = self.views[viewed]
            if found is None and call is not None and ops.lookup(call.op).transposes:
                found = source
            self._naturals[viewed] = found
        return found


def is_tile(value: ir.Node) -> bool:
    """Whether an expression is a tile."""
    return isinstance(getattr(value, "type", None), TileType)
