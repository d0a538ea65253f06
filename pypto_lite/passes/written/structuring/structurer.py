"""Rebuilds a function without break and continue."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite import ir
from pypto_lite.analysis.def_use_events import DefUseEvents, count_definitions
from pypto_lite.analysis.exits import exits_of, find_exits
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.ir import arithmetic
from pypto_lite.passes.rewriting.block_builder import BlockBuilder
from pypto_lite.passes.rewriting.cloner import same
from pypto_lite.passes.written.structuring.continuation import Continuation, Visibility, continuation_of
from pypto_lite.passes.written.structuring.loops import BOOL, Counter, Leaving, both, flag, negated, set_flag

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pypto_lite.analysis.exits import Exits

MAX_COPIES: Final = 64
"""How many copies of the rest of a loop body are made at most."""

_TASK_ID: Final = ir.DTYPES["TASK_ID"]


class Structurer:
    """Goes through one function in the order of its new form."""

    def __init__(self, function: ir.Function) -> None:
        self._definitions = count_definitions(function)
        self._exits = find_exits(function)
        self._visible = Visibility(function.params)
        self._assigned: dict[ir.Stmt, dict[ir.Var, None]] = {}
        """For loops, branches and scopes the variables that they assign and that occur outside them as well."""
        for extent in DefUseEvents(function, self._definitions).extents:
            if extent.statement is not None:
                self._assigned.setdefault(extent.statement, {}).update(extent.assigned)
        self._loose_comments: tuple[str, ...] = ()
        """Comments of branches of which nothing is left, for the next statement."""
        self._copies = 1
        """How many copies are made of what is being done."""

    # Statements that nothing leaves

    def block(self, block: ir.Block) -> ir.Recursive[ir.Block]:
        """A block that no break or continue leaves; there may be loops in it that are left."""
        builder: list[ir.Stmt] = []
        for statement in block.statements:
            if isinstance(statement, (ir.Break, ir.Continue)):
                raise _outside(statement)
            made: Sequence[ir.Stmt] = yield self._stay(statement)
            builder.extend(made)
        return block if same(builder, block.statements) else block.replace(statements=tuple(builder))

    def _stay(self, statement: ir.Stmt) -> ir.Recursive[Sequence[ir.Stmt]]:
        """What is made of a statement that ends only at its end."""
        match statement:
            case ir.For() | ir.While():
                made: Sequence[ir.Stmt] = yield self._loop(statement)
                return made
            case ir.If():
                return ((yield self._whole_branch(statement)),)
            case ir.Scope():
                return ((yield self._whole_scope(statement)),)
            case ir.Block():
                return ((yield self.block(statement)),)
            case _:
                self._visible.define(statement.definitions())
                return (statement,)

    def _whole_branch(self, branch: ir.If) -> ir.Recursive[ir.If]:
        self._visible.open()
        then_body: ir.Block = yield self.block(branch.then_body)
        then_defined = self._visible.close()
        self._visible.open()
        else_body: ir.Block | None = None
        if branch.else_body is not None:
            else_body = yield self.block(branch.else_body)
        self._visible.define_in_both(then_defined, self._visible.close())
        self._visible.define(branch.results)
        if then_body is branch.then_body and else_body is branch.else_body:
            return branch
        return branch.replace(then_body=then_body, else_body=else_body)

    def _whole_scope(self, scope: ir.Scope) -> ir.Recursive[ir.Scope]:
        self._visible.define(scope.definitions())
        if scope.var is None or not self._exits[scope.body].leaves:
            body: ir.Block = yield self.block(scope.body)
        else:
            # The body of a loop over pl.spmd: continue ends it.
            leaving = Leaving(scope, None)
            body = yield self._sequence(continuation_of(scope.body), leaving, False, scope)
            body = leaving.enclose(body)
        return scope if body is scope.body else scope.replace(body=body)

    # Loops

    def _loop(self, loop: ir.For | ir.While) -> ir.Recursive[Sequence[ir.Stmt]]:
        exits = self._exits[loop.body]
        self._visible.open()
        self._visible.define(loop.carries if isinstance(loop, ir.While) else (loop.var, *loop.carries))
        if not exits.leaves:
            body: ir.Block = yield self.block(loop.body)
            made: Sequence[ir.Stmt] = (loop if body is loop.body else loop.replace(body=body),)
        else:
            ordered = not (isinstance(loop, ir.For) and loop.kind is ir.ForKind.Parallel)
            leaving = Leaving(loop, flag("broken", loop.span) if exits.breaks and ordered else None)
            code = continuation_of(loop.body, leaving.next_values)
            body = yield self._sequence(code, leaving, False, loop)
            made = self._left_loop(loop, leaving, body)
        self._visible.close()
        self._visible.define(loop.results)
        return made

    def _left_loop(self, loop: ir.For | ir.While, leaving: Leaving, body: ir.Block) -> Sequence[ir.Stmt]:
        """The loop with its new body, and what is done before it."""
        if leaving.broken is None:
            return (loop.replace(body=leaving.enclose(body)),)
        goes_on = negated(leaving.broken)
        before: list[ir.Stmt] = [set_flag(leaving.broken, False, loop.span)]
        if isinstance(loop, ir.While):
            condition = both(goes_on, loop.condition)
            made = loop.replace(condition=condition, body=leaving.enclose(body), comments=())
        elif loop.kind is ir.ForKind.Sequential and not loop.attrs:
            is_private = self._definitions[loop.var] == 1
            counter = Counter(loop, self._assigned[loop], counts_itself=is_private)
            before += counter.before
            condition = both(goes_on, counter.condition())
            counted = leaving.enclose(body, counter.first(), counter.last())
            made = ir.While(condition, loop.inits, counter.carries, counted, loop.results, loop.span)
        else:
            # A loop of another kind keeps its iterations; those after the break do nothing.
            index = ir.Var(loop.var.name, loop.var.type, loop.var.span)
            kept = body.replace(statements=(ir.Assign(loop.var, index, loop.span), *body.statements))
            guarded = ir.Block((ir.If(goes_on, kept, None, (), loop.span),), loop.body.span)
            made = loop.replace(var=index, body=leaving.enclose(guarded), comments=())
        before[0] = before[0].replace(comments=loop.comments)
        return (*before, made)

    # Statements that a break or a continue leaves

    def _sequence(
        self, code: Continuation | None, leaving: Leaving, skips: bool, around: ir.Stmt
    ) -> ir.Recursive[ir.Block]:
        """All of the code as one block; ``skips`` if a test follows behind it whether it was left."""
        builder = BlockBuilder()
        while code is not None:
            if code.position == len(code.statements):
                builder.comment(code.trailing_comments)
                code = code.after
                continue
            statement = code.statements[code.position]
            rest = code.behind_first()
            if isinstance(statement, ir.Yield):
                builder.comment(statement.comments)
                builder.add(_assigned(code.receivers, statement))
            elif isinstance(statement, (ir.Break, ir.Continue)):
                builder.comment(statement.comments)
                builder.add(leaving.leave(statement, skips))
                break
            elif not self._exits[statement].leaves:
                made: Sequence[ir.Stmt] = yield self._stay(statement)
                builder.add(made)
            elif isinstance(statement, ir.Block):
                builder.comment(statement.comments)
                rest = continuation_of(statement, code.receivers, rest)
            else:
                made = yield (self._branch if isinstance(statement, ir.If) else self._scope)(
                    statement, rest, leaving, skips
                )
                builder.add(made)
                builder.comment(self._take_loose_comments())
                break
            code = rest
        return builder.instead_of(ir.Block((), around.span))

    def _branch(
        self, branch: Any, rest: Continuation, leaving: Leaving, skips: bool
    ) -> ir.Recursive[Sequence[ir.Stmt]]:
        """A branch that may leave the loop, and the ``rest`` of the code: in the arm from which it is reached.

        If both arms may reach it and may also leave, it comes behind the branch, under a test whether that was left.
        """
        then_exits, else_exits = self._exits[branch.then_body], exits_of(branch.else_body, self._exits)
        if not (then_exits.falls and else_exits.falls) or rest.is_done():
            after_then = rest if then_exits.falls else None
            after_else = rest if else_exits.falls else None
            made: Sequence[ir.Stmt] = yield self._arms(branch, after_then, after_else, leaving, skips)
            return made
        unknown = [var for var in (*branch.results, *self._assigned[branch]) if var not in self._visible]
        if self._needs_copies(branch, unknown):
            return (yield self._copied(branch, rest, leaving, skips))
        before = self._start_values(unknown, branch)
        inside: Sequence[ir.Stmt] = yield self._arms(branch, None, None, leaving, True)
        exits = then_exits.beside(else_exits)
        behind: Sequence[ir.Stmt] = yield self._guarded(rest, exits, leaving, skips, branch)
        return (*before, *inside, *behind)

    def _arms(
        self,
        branch: ir.If,
        after_then: Continuation | None,
        after_else: Continuation | None,
        leaving: Leaving,
        skips: bool,
    ) -> ir.Recursive[Sequence[ir.Stmt]]:
        """The branch with more code at the ends of its arms; nothing where nothing is left of it."""
        self._visible.open()
        code = continuation_of(branch.then_body, branch.results, after_then)
        then_body: ir.Block = yield self._sequence(code, leaving, skips, branch.then_body)
        then_defined = self._visible.close()
        self._visible.open()
        code = continuation_of(branch.else_body, branch.results, after_else)
        else_body: ir.Block = yield self._sequence(code, leaving, skips, branch.else_body or branch)
        self._visible.define_in_both(then_defined, self._visible.close())
        condition, comments = branch.condition, branch.comments
        if not then_body.statements and else_body.statements:
            condition, then_body, else_body = negated(condition), else_body, then_body
        if not else_body.statements:
            comments += else_body.trailing_comments
        if not then_body.statements and not ir.calls_something(condition):
            self._loose_comments += (*comments, *then_body.trailing_comments)
            return ()
        otherwise = else_body if else_body.statements else None
        return (ir.If(condition, then_body, otherwise, (), branch.span, comments),)

    def _copied(
        self, branch: ir.If, rest: Continuation, leaving: Leaving, skips: bool
    ) -> ir.Recursive[Sequence[ir.Stmt]]:
        """The branch with a copy of the rest in each arm."""
        self._copies *= 2
        if self._copies > MAX_COPIES:
            raise _too_many_copies(branch)
        made: Sequence[ir.Stmt] = yield self._arms(branch, rest, rest, leaving, skips)
        self._copies //= 2
        return made

    def _guarded(
        self, rest: Continuation, exits: Exits, leaving: Leaving, skips: bool, behind: ir.Stmt
    ) -> ir.Recursive[Sequence[ir.Stmt]]:
        """The rest of the code, done unless the statement in front of it was left."""
        stayed = negated(leaving.left(exits.breaks, exits.continues, behind.span))
        self._visible.open()
        body: ir.Block = yield self._sequence(rest, leaving, skips, behind)
        self._visible.close()
        if not body.statements:
            self._loose_comments += body.trailing_comments
            return ()
        return (ir.If(stayed, body, None, (), behind.span),)

    def _scope(self, scope: Any, rest: Continuation, leaving: Leaving, skips: bool) -> ir.Recursive[Sequence[ir.Stmt]]:
        """A scope that may leave the loop around it, and the rest of the code behind it."""
        exits = self._exits[scope.body]
        goes_on = exits.falls and not rest.is_done()
        unknown = [var for var in self._assigned[scope] if var not in self._visible]
        before = self._start_values(unknown, scope) if goes_on else ()
        self._visible.define(scope.definitions())
        body: ir.Block = yield self._sequence(continuation_of(scope.body), leaving, skips or goes_on, scope.body)
        inside = (*before, scope.replace(body=body))
        if not goes_on:
            return inside
        behind: Sequence[ir.Stmt] = yield self._guarded(rest, exits, leaving, skips, scope)
        return (*inside, *behind)

    def _take_loose_comments(self) -> tuple[str, ...]:
        loose, self._loose_comments = self._loose_comments, ()
        return loose

    # Variables that get their value in a statement that may be left

    def _start_values(self, unknown: Sequence[ir.Var], statement: ir.Stmt) -> Sequence[ir.Stmt]:
        """Values for scalars that the statement may be left without assigning: they have one on every way then.

        Nothing reads these values, for what follows is done only where the statement was not left.
        """
        scalars = [var for var in unknown if _has_zero(var)]
        self._visible.define(scalars)
        return [ir.Assign(var, _zero(var), statement.span) for var in scalars]

    def _needs_copies(self, branch: ir.If, unknown: Sequence[ir.Var]) -> bool:
        """Whether the branch gives a value to something that could have none if it was left, and is no scalar."""
        wanted = {var for var in unknown if not _has_zero(var)}
        if not wanted:
            return False
        given: Collection[ir.Var] | None = ir.trampoline(self._given(branch, wanted))
        return not wanted.isdisjoint(branch.results) or bool(given)

    def _given(self, statement: ir.Stmt, wanted: Collection[ir.Var]) -> ir.Recursive[set[ir.Var] | None]:
        """Which of the wanted variables have a value wherever the statement's end is reached; None if it never is."""
        match statement:
            case ir.Block():
                found: set[ir.Var] = set()
                for each in statement.statements:
                    given = yield self._given(each, wanted)
                    if given is None:
                        return None
                    found |= given
                return found
            case ir.If():
                then = yield self._given(statement.then_body, wanted)
                otherwise = set[ir.Var]()
                if statement.else_body is not None:
                    otherwise = yield self._given(statement.else_body, wanted)
                if then is None or otherwise is None:
                    return otherwise if then is None else then
                return (then & otherwise) | {var for var in statement.results if var in wanted}
            case ir.Scope():
                given = yield self._given(statement.body, wanted)
                return given
            case ir.For() | ir.While():
                return {var for var in statement.results if var in wanted}
            case ir.Break() | ir.Continue():
                return None
            case _:
                return {var for var in statement.definitions() if var in wanted}


def _has_zero(var: ir.Var) -> bool:
    return isinstance(var.type, ir.ScalarType) and var.type.dtype is not _TASK_ID


def _zero(var: ir.Var) -> ir.Const:
    dtype = arithmetic.scalar_dtype(var)
    return ir.const(False if dtype is BOOL.dtype else 0, dtype, var.span)


def _assigned(receivers: Sequence[ir.Var], statement: ir.Yield) -> Sequence[ir.Stmt]:
    """What a yield does, as assignments, in which no value may be assigned before it is read."""
    values: Sequence[ir.Expr] = statement.values
    read = {node for value in values[1:] for node in ir.walk(value)}
    kept: list[ir.Stmt] = []
    if not read.isdisjoint(receivers):
        kept = [
            ir.Assign(ir.Var(receiver.name, value.type, value.span), value, statement.span)
            for receiver, value in zip(receivers, values, strict=True)
        ]
        values = [each.var for each in kept if isinstance(each, ir.Assign)]
    assigned = [ir.Assign(var, value, statement.span) for var, value in zip(receivers, values, strict=True)]
    return (*kept, *assigned)


def _outside(statement: ir.Stmt) -> UserError:
    return UserError(Diagnostic("PL306", f"{statement!r} stands outside a loop", statement.span))


def _too_many_copies(branch: ir.If) -> UserError:
    return UserError(
        Diagnostic(
            "PL307",
            f"leaving the loop here would need more than {MAX_COPIES} copies of the rest of its body",
            branch.span,
            expected="few branches that both may leave the loop and give a tile or a tensor its first value",
            hint="assign what is used after the branch before it",
        )
    )
