"""How the statements of a function can be left: at their end, or by a break or a continue of the loop around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pypto_lite import ir

if TYPE_CHECKING:
    from collections.abc import Mapping


class Exits(NamedTuple):
    """Whether a statement's end can be reached, and whether it can break from or continue the loop around it."""

    falls: bool = True
    breaks: bool = False
    continues: bool = False

    @property
    def leaves(self) -> bool:
        return self.breaks or self.continues

    def followed_by(self, other: Exits) -> Exits:
        return Exits(other.falls, self.breaks or other.breaks, self.continues or other.continues)

    def beside(self, other: Exits) -> Exits:
        return Exits(self.falls or other.falls, self.breaks or other.breaks, self.continues or other.continues)


STAYS: Final = Exits()


def find_exits(function: ir.Function) -> Mapping[ir.Stmt, Exits]:
    """The exits of every statement of the function; that of a loop is its end, it catches those of its body."""
    exits: dict[ir.Stmt, Exits] = {}
    for statement in reversed(list(ir.statements(function))):  # inner ones before those around them
        exits[statement] = _exits(statement, exits)
    return exits


def _exits(statement: ir.Stmt, inner: Mapping[ir.Stmt, Exits]) -> Exits:
    match statement:
        case ir.Break():
            return Exits(falls=False, breaks=True)
        case ir.Continue():
            return Exits(falls=False, continues=True)
        case ir.Block():
            found = STAYS
            for each in statement.statements:
                found = found.followed_by(inner[each])
                if not found.falls:
                    break
            return found
        case ir.If():
            return inner[statement.then_body].beside(exits_of(statement.else_body, inner))
        case ir.Scope() if statement.var is None:  # that of a loop over pl.spmd catches its own
            return inner[statement.body]
        case _:
            return STAYS


def exits_of(block: ir.Block | None, exits: Mapping[ir.Stmt, Exits]) -> Exits:
    """The exits of an arm that may be missing."""
    return STAYS if block is None else exits[block]
