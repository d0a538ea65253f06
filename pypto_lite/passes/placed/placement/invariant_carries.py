"""Carries that every iteration of their loop passes on unchanged: what they hold, and from how far out."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pypto_lite import ir
    from pypto_lite.passes.placed.placement.problem import Problem
    from pypto_lite.passes.placed.placement.writes import Writes

InvariantCarry: TypeAlias = "tuple[ir.Var, ir.Loop]"


class InvariantCarries:
    """Looks up, for a carry or an alias of one, the value that it holds in the outermost loop that does not change it.

    A loop that writes to the buffer of the value ends the search: what is copied in front of it would be stale.
    """

    def __init__(self, problem: Problem, writes: Writes) -> None:
        self._problem = problem
        self._writes = writes
        self._known: dict[ir.Var, tuple[InvariantCarry | None, ir.Var]] = {}
        """What the search found for a value, and the value at which it ended."""

    def value(self, var: ir.Var) -> ir.Var:
        """The value to copy in the place of ``var``, which is mostly itself."""
        held = self._find(var)[0] if self._problem.invariant_carries else None
        return var if held is None else held[0]

    def loop(self, var: ir.Var) -> ir.Loop | None:
        """The loop in front of which the value is copied; None where it is not held."""
        held = self._find(var)[0]
        return None if held is None else held[1]

    def kept_by(self, var: ir.Var) -> ir.Stmt | None:
        """The write that ended the search at a carry: its loop hands it on, but writes to its buffer."""
        return self._write_under(self._find(var)[1]) if self._problem.invariant_carries else None

    def _find(self, var: ir.Var) -> tuple[InvariantCarry | None, ir.Var]:
        chain: list[ir.Var] = []
        while var not in self._known:
            chain.append(var)
            outer = self._outer(var)
            if outer is None:
                self._known[var] = None, var
                break
            var = outer
        found, end = self._known[var]
        for each in reversed(chain):
            if found is None:
                found = self._held_here(each)
            self._known[each] = found, end
        return self._known[chain[0] if chain else var]

    def _outer(self, var: ir.Var) -> ir.Var | None:
        """What the search goes on with: what an alias names, or what a carry holds unchanged."""
        held = self._held_here(var)
        if held is not None:
            return held[0]
        call, source = self._problem.views.get(var, (None, None))
        return source if call is None and var not in self._problem.invariant_carries else None

    def _held_here(self, var: ir.Var) -> InvariantCarry | None:
        """The value that a carry holds in its own loop, unless the loop writes to its buffer."""
        return None if self._write_under(var) is not None else self._problem.invariant_carries.get(var)

    def _write_under(self, carry: ir.Var) -> ir.Stmt | None:
        """A write, in the loop that hands a carry on unchanged, to the carry's buffer."""
        held = self._problem.invariant_carries.get(carry)
        buffer = None if held is None else self._writes.buffer(held[0])
        return None if held is None or buffer is None else self._writes.inside(held[1].body).get(buffer)
