"""The reasons that passes leave behind, as data: what was decided about a value, by which rule, because of what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pypto_lite import ir
    from pypto_lite.diagnostics import Span


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
