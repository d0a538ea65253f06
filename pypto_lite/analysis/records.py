"""Records that passes leave in a program, as data: the target, why each value is where it is, what memory it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from pypto_lite.ir import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite import ir
    from pypto_lite.diagnostics import Span
    from pypto_lite.targets import Target


RULES: Final = frozenset(
    {
        "alias", "carried", "default", "demanded", "function-result", "gave-way", "handed-on", "inherits",
        "inserted-move", "joined", "producer", "view", "view-repeated-in-mat", "written",
    }
)  # fmt: skip
"""The rules by which a tile gets its space; docs/placement.md says what each means."""


class Cause(NamedTuple):
    """One place that led to a decision: a consumer that asks for a space, a producer that can make only one, a join.

    ``value`` is the value that stands there, where the cause is about one; following the causes of decisions from
    value to value gives the whole chain of reasons.
    """

    message: str
    span: Span
    value: ir.Var | None = None


class Decision(NamedTuple):
    """Where ``subject`` lives and why.

    ``rule`` is one of RULES, or ``hoisted``, or ``hoist-declined:`` and why; then ``space`` is None.
    ``inserted`` marks a value that the pass made, such as the result of an inserted move.
    """

    rule: str
    subject: ir.Var
    space: ir.MemorySpace | None
    causes: tuple[Cause, ...] = ()
    inserted: bool = False


TARGET: Final[Record[Target | None]] = Record("target", None)
"""The target that the program was lowered for; None also where it was lowered for none in particular."""

DECISIONS: Final[Record[tuple[Decision, ...]]] = Record("decisions", ())
"""Why each value is where it is."""


class Buffer(NamedTuple):
    """One buffer: the largest value that is made in it, and its size in bytes, aligned."""

    value: ir.Var
    size: int


class Usage(NamedTuple):
    """The bytes of one memory that a function needs, beside those that the target has."""

    capacity: int | None
    """None without a target, and where the target does not say."""
    total: int
    """With all allocations live at once; never less than the peak."""
    peak: int
    """At the moment when the live buffers take most: no allocator needs less."""
    at_peak: tuple[Buffer, ...]
    """The buffers that are live then, the largest first."""


Usages: TypeAlias = "Mapping[str, Mapping[ir.MemorySpace, Usage]]"
"""By function and memory."""

USAGE: Final[Record[Usages]] = Record("usage", {})
"""How much of each memory the in-core functions need."""
