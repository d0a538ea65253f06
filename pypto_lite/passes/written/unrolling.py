"""UnrollLoops: every ``pl.unroll`` loop becomes the copies of its body."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, cast

from pypto_lite import ir
from pypto_lite.analysis.def_use_events import count_definitions
from pypto_lite.diagnostics import Diagnostic, Note, UserError
from pypto_lite.passes.protocol import Pass, ProgramType
from pypto_lite.passes.rewriting.block_builder import BlockBuilder, with_printable
from pypto_lite.passes.rewriting.cloner import Cloner
from pypto_lite.passes.rewriting.yields import check_joins, without_yield

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.diagnostics import Span

MAX_COPIES: Final = 4096
"""How many copies of a statement are made at most."""


class UnrollLoops(Pass):
    """Replace every ``pl.unroll`` loop by copies of its body, with the loop variable's values in its place.

    Each copy defines variables of its own. What it carries is handed from copy to copy: the carries are the inits in
    the first copy, in a later one what the one before has yielded; the results are what the last one yields, or the
    inits if there is no copy. Scalar expressions are folded as far as they become constant, types follow. Bounds have
    to be constant once the unrolled loops around are copied. A branch whose condition the loop variable decides is
    left out of a copy but for the arm that is taken, so what it guards never meets a value that it guards against.

    Before::                                                        After::

        for i, (sum_,) in pl.unroll(2, init_values=(zero,)):            x = pl.load(a, [0, 0], [16, 128])
            x = pl.load(a, [i * 16, 0], [16, 128])                      added = pl.add(zero, x)
            added = pl.add(sum_, x)                                     x__1 = pl.load(a, [16, 0], [16, 128])
            total = pl.yield_(added)                                    added__1 = pl.add(added, x__1)
        pl.store(total, [0, 0], out)                                    pl.store(added__1, [0, 0], out)

    Linear in the size of the result; functions without such loops stay the same objects, and so do inline functions,
    whose loops are unrolled where they are inlined, as their bounds may be parameters.

    Raises UserError for a bound that is not constant (PL116), a step of zero (PL108), more than 4096 copies of a
    statement, and a break or a continue of an unrolled loop, which has to be structured first (PL307).
    """

    def run(self, program: ProgramType) -> ProgramType:
        return with_printable(program, [_unrolled(function) for function in program.functions.values()])


def _unrolled(function: ir.Function) -> ir.Function:
    if function.type is ir.FunctionType.Inline or not any(map(_is_unrolled, ir.statements(function))):
        return function
    check_joins(function, structured=False)
    return function.replace(body=ir.trampoline(_Unroller(function).block(function.body)))


def _is_unrolled(statement: ir.Stmt) -> bool:
    return isinstance(statement, ir.For) and statement.kind is ir.ForKind.Unroll


class _Unroller(Cloner):
    """Goes through one function; in copies, variables that are defined there alone are defined anew."""

    def __init__(self, function: ir.Function) -> None:
        super().__init__()
        self._definitions = count_definitions(function)
        self._copies = 1
        """How often what is being copied is copied."""
        self._local: set[ir.Var] = set()
        """The variables that nothing outside the unrolled loops around defines."""
        self._inside: dict[ir.For, Counter[ir.Var]] = {}
        """For each unrolled loop how often its body defines each variable."""
        self._depth = 0
        """How many unrolled loops are around the current point."""
        self._constants: dict[ir.Var, ir.Expr] = {}
        """The scalars, of the result, that are assigned once, and a constant."""

    def define(self, var: ir.Var, type_: ir.Type, statement: ir.Stmt) -> ir.Var:
        if var not in self._local:
            return super().define(var, type_, statement)
        known = self.values.get(var)
        if isinstance(known, ir.Var):
            return known
        made = ir.Var(var.name, type_, var.span)
        self.values[var] = made
        return made

    def copy_assign(self, statement: ir.Assign) -> ir.Stmt | Sequence[ir.Stmt]:
        made = super().copy_assign(statement)
        if isinstance(made, ir.Assign) and self._definitions[statement.var] == 1:
            value = self._folded(made.value)
            if isinstance(value, ir.Const):
                self._constants[made.var] = value
        return made

    def copy_for(self, loop: ir.For) -> ir.Recursive[Any]:
        if loop.kind is not ir.ForKind.Unroll:
            return (yield from super().copy_for(loop))
        indices = self._indices(loop)
        inside = self._definitions_inside(loop)
        local = [var for var, count in inside.items() if count == self._definitions[var]]
        entered = [var for var in local if var not in self._local]
        self._local.update(entered)
        self._copies *= max(1, len(indices))
        self._depth += 1
        around = self.values.get(loop.var)
        builder = BlockBuilder()
        builder.comment(loop.comments)
        handed = self._settled(loop.carries, loop.inits, self.expressions(loop.inits), builder)
        for index in indices:
            for var in local:
                self.values.pop(var, None)
            self._bind_index(loop, index, builder)
            self._bind(loop.carries, handed, loop, builder)
            body: ir.Block = yield self.block(loop.body)
            builder.add(without_yield(body).statements)
            builder.comment(body.trailing_comments)
            handed = self._settled(loop.carries, loop.body.yielded, body.yielded, builder)
        self._local.difference_update(entered)
        self._copies //= max(1, len(indices))
        self._depth -= 1
        self._finish_index(loop, indices, around, builder)
        self._bind(loop.results, handed, loop, builder)
        self.loose_comments = builder.take_comments()
        return builder.statements

    def copy_if(self, branch: ir.If) -> ir.Recursive[Any]:
        """In a copy, a branch on the loop variable is the arm that is taken there."""
        condition = self._folded(self.expression(branch.condition))
        decided = self._depth and isinstance(condition, ir.Const) and not isinstance(branch.condition, ir.Const)
        if not decided or any(map(_is_left, branch.blocks())):
            return (yield from super().copy_if(branch))
        arm = branch.then_body if cast("ir.Const", condition).value else branch.else_body
        builder = BlockBuilder()
        builder.comment(branch.comments)
        if arm is not None:
            body: ir.Block = yield self.block(arm)
            builder.add(without_yield(body).statements)
            builder.comment(body.trailing_comments)
            handed = self._settled(branch.results, arm.yielded, body.yielded, builder)
            self._bind(branch.results, handed, branch, builder)
        self.loose_comments = builder.take_comments()
        return builder.statements

    def _definitions_inside(self, loop: ir.For) -> Counter[ir.Var]:
        """How often the body defines each variable. Raises PL307 where a break or a continue leaves it."""
        found = self._inside.get(loop)
        if found is not None:
            return found
        found = self._inside[loop] = Counter()
        inner_loops = 0
        for point, statement, region in ir.program_order(loop.body):
            if region is not None:
                if region.kind is ir.RegionKind.LOOP:
                    inner_loops += 1 if point is ir.Point.BEGIN else -1
            elif point is not ir.Point.LEAVE:
                if inner_loops == 0 and isinstance(statement, (ir.Break, ir.Continue)):
                    raise _not_structured(statement, loop)
                found.update(statement.definitions())
        return found

    # The loop variable

    def _indices(self, loop: ir.For) -> range:
        """The values of the loop variable. Raises UserError where they are not known or too many."""
        start, stop, step = (
            self._constant(bound, role, loop)
            for bound, role in ((loop.start, "start"), (loop.stop, "stop"), (loop.step, "step"))
        )
        if step == 0:
            raise UserError(Diagnostic("PL108", "the step of pl.unroll is zero", _place(loop.step, loop)))
        indices = range(start, stop, step)
        if self._copies * len(indices) > MAX_COPIES:
            raise _too_many(loop, len(indices), self._copies)
        return indices

    def _constant(self, bound: ir.Expr, role: str, loop: ir.For) -> int:
        value = self._folded(self.expression(bound))
        if isinstance(value, ir.Const) and isinstance(value.value, int):
            return int(value.value)
        notes = [Note(f"'{bound.name}' is defined here", bound.span)] if isinstance(bound, ir.Var) else []
        raise UserError(
            Diagnostic(
                "PL116",
                f"the {role} of pl.unroll is not constant",
                _place(bound, loop),
                found=repr(bound),
                expected="an integer that is known without running the kernel",
                notes=notes,
                hint="use pl.range for a loop whose bounds are not constant",
            )
        )

    def _folded(self, expression: ir.Expr) -> ir.Expr:
        """The expression with the constants that are known of its variables."""
        if not isinstance(expression.type, ir.ScalarType):
            return expression
        return self.replaced(expression, lambda var: self._constants.get(var, var))

    def _bind_index(self, loop: ir.For, index: int, builder: BlockBuilder) -> None:
        value = ir.Const(index, _index_type(loop), loop.var.span)
        if self._inside[loop][loop.var]:
            # The body changes it, so it has to be a variable.
            builder.add([ir.Assign(self.define(loop.var, loop.var.type, loop), value, loop.span)])
        else:
            self.values[loop.var] = value

    def _finish_index(self, loop: ir.For, indices: range, around: ir.Expr | None, builder: BlockBuilder) -> None:
        """After the loop, its variable keeps its last value where it is a variable of the code around, too."""
        if self._inside[loop][loop.var]:
            return
        if around is not None:
            self.values[loop.var] = around
        else:
            self.values.pop(loop.var, None)
        if indices and self._definitions[loop.var] > 1:
            value = ir.Const(indices[-1], _index_type(loop), loop.var.span)
            builder.add([ir.Assign(self.define(loop.var, loop.var.type, loop), value, loop.span)])

    # Carries and results

    def _settled(
        self, carries: Sequence[ir.Var], sources: Sequence[ir.Expr], values: Sequence[ir.Expr], builder: BlockBuilder
    ) -> list[ir.Expr]:
        """``values``, made from ``sources``, as values that stay what they are: those that could change get a name."""
        settled: list[ir.Expr] = []
        for carry, source, value in zip(carries, sources, values, strict=True):
            is_fixed = isinstance(source, ir.Var) and self._definitions[source] <= 1
            if not isinstance(value, ir.Const) and not (is_fixed and isinstance(value, ir.Var)):
                named = ir.Var(carry.name, value.type, value.span)
                builder.add([ir.Assign(named, value, value.span)])
                value = named
            settled.append(value)
        return settled

    def _bind(
        self, variables: Sequence[ir.Var], values: Sequence[ir.Expr], statement: ir.Stmt, builder: BlockBuilder
    ) -> None:
        """Carries or results get their values; those that are assigned elsewhere as well stay variables."""
        for var, value in zip(variables, values, strict=True):
            if self._definitions[var] == 1:
                self.values[var] = value
            else:
                builder.add([ir.Assign(self.define(var, value.type, statement), value, statement.span)])


def _is_left(arm: ir.Block) -> bool:
    """Whether the end of an arm is never reached."""
    return any(isinstance(statement, (ir.Break, ir.Continue, ir.Return)) for statement in arm.statements)


def _index_type(loop: ir.For) -> ir.ScalarType:
    type_ = loop.var.type
    assert isinstance(type_, ir.ScalarType)
    return type_


def _place(bound: ir.Expr, loop: ir.For) -> Span:
    """Where a bound is written; a variable knows only where it is defined."""
    return bound.span if bound.span and not isinstance(bound, ir.Var) else loop.span


def _too_many(loop: ir.For, iterations: int, around: int) -> UserError:
    found = f"{iterations} copies"
    if around > 1:
        found += f" of a loop body that is itself copied {around} times: {iterations * around} copies"
    return UserError(
        Diagnostic(
            "PL108",
            "the loop is unrolled into too many copies",
            loop.span,
            found=found,
            expected=f"at most {MAX_COPIES} copies",
            hint="use pl.range for the outer part of the loop",
        )
    )


def _not_structured(statement: ir.Stmt, loop: ir.For) -> UserError:
    return UserError(
        Diagnostic(
            "PL307",
            f"a {statement!r} leaves an unrolled loop",
            statement.span,
            notes=[Note("this is the loop", loop.span)],
            hint="run structure_control_flow first",
        )
    )
