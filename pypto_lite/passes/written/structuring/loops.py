"""The loops that take the place of loops with break and continue, and what their bodies need to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Note, UserError
from pypto_lite.ir import arithmetic

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pypto_lite.diagnostics import Span

BOOL: Final = ir.ScalarType(ir.DTYPES["BOOL"])
_INDEX_LIKE: Final = (ir.DTYPES["INDEX"], ir.DTYPES["INT64"])


class Leaving:
    """What the body of one loop needs so that it can be left without break and continue.

    ``broken`` is set where the loop is left, ``continued`` where the rest of the iteration is skipped, if anything
    asks for it. ``next_values`` are what the body yields in the end: what the iteration began with, unless the yield
    that is written in the body is reached.
    """

    def __init__(self, loop: ir.For | ir.While | ir.Scope, broken: ir.Var | None) -> None:
        self.loop = loop
        self.broken = broken
        self.continued: ir.Var | None = None
        self.carries = () if isinstance(loop, ir.Scope) else loop.carries
        self.next_values = tuple([_renamed(carry) for carry in self.carries])

    def flag_continued(self) -> ir.Var:
        if self.continued is None:
            self.continued = flag("continued", self.loop.span)
        return self.continued

    def leave(self, statement: ir.Stmt, skips: bool) -> list[ir.Stmt]:
        """What is done in the place of a break or a continue; ``skips`` if a test of a flag follows somewhere."""
        span = statement.span
        done: list[ir.Stmt] = []
        if isinstance(statement, ir.Break):
            if self.broken is None:
                raise _unordered(statement, self.loop)
            done.append(set_flag(self.broken, True, span))
        elif skips:
            done.append(set_flag(self.flag_continued(), True, span))
        return done

    def left(self, breaks: bool, continues: bool, span: Span) -> ir.Expr:
        """The condition that a break or a continue was done."""
        flags: list[ir.Expr] = []
        if breaks and self.broken is not None:
            flags.append(self.broken)
        if continues:
            flags.append(self.flag_continued())
        first, *others = flags
        return arithmetic.combine("or", first, others[0], span) if others else first

    def enclose(self, body: ir.Block, first: Sequence[ir.Stmt] = (), last: Sequence[ir.Stmt] = ()) -> ir.Block:
        """The body of the loop, between ``first`` and ``last``; flags and carries get their values before and after."""
        span = self.loop.span
        start: list[ir.Stmt] = []
        if self.continued is not None:
            start.append(set_flag(self.continued, False, span))
        start += [ir.Assign(kept, carry, span) for kept, carry in zip(self.next_values, self.carries, strict=True)]
        final = (ir.Yield(self.next_values, span),) if self.next_values else ()
        return body.replace(statements=(*first, *start, *body.statements, *last, *final))


def _renamed(var: ir.Var) -> ir.Var:
    return ir.Var(var.name, var.type, var.span)


def flag(name: str, span: Span) -> ir.Var:
    return ir.Var(name, BOOL, span)


def set_flag(var: ir.Var, value: bool, span: Span) -> ir.Assign:
    return ir.Assign(var, ir.Const(value, BOOL, span), span)


def negated(condition: ir.Expr) -> ir.Expr:
    """``not condition``."""
    if isinstance(condition, ir.Unary) and condition.operator == "not" and condition.value.type is BOOL:
        return condition.value
    return arithmetic.negate("not", condition, condition.span)


def both(first: ir.Expr, second: ir.Expr) -> ir.Expr:
    """``first and second``."""
    if isinstance(second, ir.Const) and second.value:
        return first
    return arithmetic.combine("and", first, second, second.span)


class Counter:
    """Counts like a For, in the condition and the body of a While.

    A loop variable that is assigned nowhere else counts itself and is advanced at the end of an iteration. Otherwise
    another variable counts and gives the loop variable its value at the start, so that neither what the body makes of
    that nor a break disturbs the count.
    """

    def __init__(self, loop: ir.For, assigned: Collection[ir.Var], *, counts_itself: bool) -> None:
        """``assigned`` are the variables that the loop assigns and that occur outside it as well."""
        self._loop = loop
        self._assigned = assigned
        self.carries = tuple([_renamed(carry) if carry in assigned else carry for carry in loop.carries])
        """The carries of the While. Those of a For are assigned at the start of an iteration, a While's even without
        one, so one that is read after the loop has to be assigned in the body."""
        self.before: list[ir.Stmt] = []
        """What is done before the loop."""
        self._stop = self._kept(loop.stop, "stop")
        self._step = self._kept(loop.step, "step")
        self._count = loop.var if counts_itself else ir.Var(f"{loop.var.name}_next", loop.var.type, loop.var.span)
        self.before.append(ir.Assign(self._count, self._converted(loop.start), loop.span))

    def condition(self) -> ir.Expr:
        """Whether there is a further iteration."""
        up, down = (arithmetic.combine(relation, self._count, self._stop, self._loop.span) for relation in "<>")
        if isinstance(self._step, ir.Const):
            return up if self._step.value > 0 else down
        span = self._loop.step.span
        zero = ir.const(0, arithmetic.scalar_dtype(self._step), span)
        rising = arithmetic.combine("and", arithmetic.combine(">", self._step, zero, span), up, span)
        falling = arithmetic.combine("and", arithmetic.combine("<", self._step, zero, span), down, span)
        return arithmetic.combine("or", rising, falling, span)

    def first(self) -> list[ir.Stmt]:
        """What is done at the start of an iteration."""
        span = self._loop.span
        changed: list[ir.Stmt] = []
        if self._count is not self._loop.var:
            changed += [ir.Assign(self._loop.var, self._count, span), self._advance()]
        for carry, new in zip(self._loop.carries, self.carries, strict=True):
            if new is not carry:
                changed.append(ir.Assign(carry, new, span))
        return changed

    def last(self) -> list[ir.Stmt]:
        """What is done at the end of an iteration, even of one that was left."""
        return [self._advance()] if self._count is self._loop.var else []

    def _advance(self) -> ir.Stmt:
        following = arithmetic.combine("+", self._count, self._step, self._loop.span)
        return ir.Assign(self._count, following, self._loop.span)

    def _kept(self, bound: ir.Expr, role: str) -> ir.Expr:
        bound = self._converted(bound)
        if isinstance(bound, ir.Const) or (isinstance(bound, ir.Var) and bound not in self._assigned):
            return bound
        kept = ir.Var(f"{self._loop.var.name}_{role}", bound.type, bound.span or self._loop.span)
        self.before.append(ir.Assign(kept, bound, self._loop.span))
        return kept

    def _converted(self, bound: ir.Expr) -> ir.Expr:
        wanted, dtype = arithmetic.scalar_dtype(self._loop.var), arithmetic.scalar_dtype(bound)
        if wanted is dtype or (wanted in _INDEX_LIKE and dtype in _INDEX_LIKE):
            return bound
        return arithmetic.convert(bound, wanted, bound.span)


def _unordered(statement: ir.Stmt, loop: ir.Stmt) -> UserError:
    name = "pl.spmd" if isinstance(loop, ir.Scope) else "pl.parallel"
    return UserError(
        Diagnostic(
            "PL307",
            f"break cannot leave a {name} loop: its iterations have no order",
            statement.span,
            notes=[Note("this is the loop", loop.span)],
            hint="use pl.range, or put what follows under a condition",
        )
    )
