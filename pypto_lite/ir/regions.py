"""How control and values flow through a statement with nested blocks: its regions and its phis.

Each statement class declares both, beside its children and definitions; whoever follows control flow asks for them and
needs to know no class of statement.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pypto_lite.ir.expressions import Var
    from pypto_lite.ir.node import Expr, Stmt
    from pypto_lite.ir.statements import Block


class RegionKind(enum.Enum):
    """How often a region runs, and who sees what is defined in it."""

    LOOP = "loop body"
    """Any number of times; nothing of its inside is visible outside."""
    ARM = "arm"
    """At most once, and then no other arm of the branch does; nothing of its inside is visible outside."""
    SECTION = "section"
    """The body of a scope: exactly once; it shares the names of what is around it."""


class Region(NamedTuple):
    """A nested block as its statement runs it."""

    kind: RegionKind
    block: Block | None
    """None for the arm that a branch without ``else`` lacks."""
    parameters: tuple[Var, ...] = ()
    """What the statement defines at the start of each run: a loop's variable and carries, a scope's variable."""
    condition: Expr | None = None
    """What is evaluated before each run, and once more when the loop ends: the condition of a while loop."""


class Edge(enum.Enum):
    """The edge of control flow by which a value gets into a phi."""

    INIT = "initial value"
    YIELD = "yielded value"
    THEN = "value of the then arm"
    ELSE = "value of the else arm"


class Incoming(NamedTuple):
    """One value that flows into a phi, and the statement at which it does: the loop itself, or a Yield."""

    edge: Edge
    value: Expr
    stmt: Stmt


class Phi(NamedTuple):
    """A variable that holds one of several values: a carry of a loop, or a result of a branch."""

    var: Var
    incoming: tuple[Incoming, ...]
    """The init first, of a loop; none of a body or an arm that does not end in a Yield."""
    result: Var | None = None
    """The variable that holds a carry's last value after the loop."""
