"""Gives every definition a variable of its own, and makes the carries and results that connect them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pypto_lite import ir, ops
from pypto_lite.analysis.join_types import Arm, check_agreement, disagreement, result_types
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.ir.dims import provably_counts
from pypto_lite.passes.rewriting.cloner import Cloner, same, types_of
from pypto_lite.passes.rewriting.yields import yielding_more
from pypto_lite.passes.written.ssa_conversion.undefined import undefined

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from pypto_lite.diagnostics import Span


class _DoneArm(NamedTuple):
    """An arm that has been gone through: its block, what variables hold at its end, and what was defined in it."""

    body: ir.Block
    values: Mapping[ir.Var, ir.Expr]
    inside: Collection[ir.Expr]

    def yields(self, more: Sequence[ir.Var]) -> Arm:
        """What the arm yields: its own values, and what the variables in ``more`` hold."""
        return Arm((*self.body.yielded, *[self.values[var] for var in more]), self.inside)


class _Placeholder(NamedTuple):
    """What a variable is in front of a loop that certainly runs and gives it its first value: never read."""

    var: ir.Var
    name: ir.Var
    value: ir.Expr


class Renamer(Cloner):
    """Goes through one function in program order; ``values`` are what the variables hold at the current point.

    What a block binds is undone at its end, where joins give the variables that are read later their new values.
    """

    def __init__(
        self,
        function: ir.Function,
        params: Sequence[ir.Var],
        defined: Collection[ir.Var],
        repeated: Collection[ir.Var],
        joins: Iterator[tuple[ir.Var, ...]],
        initial: Mapping[ir.Var, ir.Var],
    ) -> None:
        """``params`` take the place of the function's own. ``repeated`` are those of the ``defined`` variables that are
        defined more than once; ``joins`` is what the loops and branches hand on, in program order; ``initial`` are the
        parameters that variables are before they are assigned."""
        super().__init__()
        self._function = function
        self._defined = defined
        self._repeated = repeated
        self._joins = joins
        self._trail: list[tuple[ir.Var, ir.Expr | None, ir.Expr]] = []
        """What was bound since the function's start, with what the variable held before: the way back."""
        self._constants: dict[ir.Var, ir.Const] = {}
        """The variables that are a constant under a name."""
        for param, made in zip(function.params, params, strict=True):
            self._bind(param, made)
        for var, param in initial.items():
            self._bind(var, self.values[param])

    def read(self, var: ir.Var) -> ir.Expr:
        value = self.values.get(var)
        if value is None and var in self._defined:
            raise undefined(var, self._function, self.statement)
        # What no statement defines is a symbolic dimension.
        return var if value is None else value

    def define(self, var: ir.Var, type_: ir.Type, statement: ir.Stmt) -> ir.Var:
        made = self._version(var, type_, statement)
        self._bind(var, made)
        return made

    def _version(self, var: ir.Var, type_: ir.Type, statement: ir.Stmt) -> ir.Var:
        """The variable that stands for ``var`` where ``statement`` defines it."""
        if var in self._repeated:
            return ir.Var(var.name, type_, var.span if _covers(statement.span, var.span) else statement.span)
        return var if type_ == var.type else ir.Var(var.name, type_, var.span)

    def _bind(self, var: ir.Var, value: ir.Expr) -> None:
        self._trail.append((var, self.values.get(var), value))
        self.values[var] = value

    def _go_back(self, mark: int) -> None:
        """Forgets everything that was bound since the trail was ``mark`` long."""
        while len(self._trail) > mark:
            var, before, _ = self._trail.pop()
            if before is None:
                del self.values[var]
            else:
                self.values[var] = before

    def copy_assign(self, statement: ir.Assign) -> ir.Stmt:
        value = self.expression(statement.value)
        var = statement.var
        # One variable has one type, but each of its definitions has that of the value.
        if var in self._repeated and not isinstance(value.type, ir.UnknownType):
            type_ = value.type
        else:
            type_ = self.follow(var.type, statement.value.type, value.type)
        made = self.define(var, type_, statement)
        if isinstance(value, ir.Const):
            self._constants[made] = value
        if made is var and value is statement.value:
            return statement
        return ir.Assign(made, value, statement.span, statement.comments)

    def copy_for(self, loop: ir.For) -> ir.Recursive[Any]:
        start, stop, step, *rest = self.expressions((loop.start, loop.stop, loop.step, *loop.inits))
        inits = tuple(rest)
        mark = len(self._trail)
        joined = next(self._joins)
        begun = self._begun_inside(joined, loop, lambda: self._certainly_counts(start, stop, step))
        carried, more_inits, more_carries = self._begin_carries(joined, loop)
        var = self.define(loop.var, self.type(loop.var.type), loop)
        carries = self.define_followers(loop.carries, types_of(loop.inits), types_of(inits), loop)
        body: ir.Block = yield self.block(loop.body)
        placeholders = self._placeholders(begun, mark, loop)
        carried, more_inits, more_carries = _with_more(carried, more_inits, more_carries, placeholders)
        body = self._end_body(body, carried, more_inits, loop)
        self._go_back(mark)
        more_results = self._bind_joins(carried, more_carries, loop)
        results = self.define_followers(loop.results, types_of(loop.carries), types_of(carries), loop)
        made = ir.For(
            loop.kind, var, start, stop, step, (*inits, *more_inits), (*carries, *more_carries), body,
            (*results, *more_results), loop.attrs, loop.span, loop.comments,
        )  # fmt: skip
        return loop if same(made.children(), loop.children()) else (*_assigned(placeholders), made)

    def copy_while(self, loop: ir.While) -> ir.Recursive[Any]:
        inits = self.expressions(loop.inits)
        mark = len(self._trail)
        joined = next(self._joins)
        begun = self._begun_inside(joined, loop, lambda: self._certainly_begins(loop, inits))
        carried, more_inits, more_carries = self._begin_carries(joined, loop)
        carries = self.define_followers(loop.carries, types_of(loop.inits), types_of(inits), loop)
        condition = self.expression(loop.condition)
        body: ir.Block = yield self.block(loop.body)
        placeholders = self._placeholders(begun, mark, loop)
        carried, more_inits, more_carries = _with_more(carried, more_inits, more_carries, placeholders)
        body = self._end_body(body, carried, more_inits, loop)
        self._go_back(mark)
        more_results = self._bind_joins(carried, more_carries, loop)
        results = self.define_followers(loop.results, types_of(loop.carries), types_of(carries), loop)
        self._bind_finished(loop, results)
        made = ir.While(
            condition, (*inits, *more_inits), (*carries, *more_carries), body, (*results, *more_results), loop.span,
            loop.comments,
        )  # fmt: skip
        return loop if same(made.children(), loop.children()) else (*_assigned(placeholders), made)

    def _certainly_counts(self, start: ir.Expr, stop: ir.Expr, step: ir.Expr) -> bool:
        return provably_counts(*[ir.expr_dim(self._with_constants(each)) for each in (start, stop, step)])

    def _certainly_begins(self, loop: ir.While, inits: Sequence[ir.Expr]) -> bool:
        """Whether the condition certainly holds where the loop begins."""
        first = {**self.values, **dict(zip(loop.carries, inits, strict=True))}
        condition = self.replaced(loop.condition, lambda var: first.get(var, var))
        decided = self._with_constants(condition)
        return isinstance(decided, ir.Const) and bool(decided.value)

    def _with_constants(self, expression: ir.Expr) -> ir.Expr:
        """The expression with the constants that its variables are."""
        return self.replaced(expression, lambda var: self._constants.get(var, var))

    def _begun_inside(
        self, joined: Sequence[ir.Var], loop: ir.For | ir.While, certainly_runs: Callable[[], bool]
    ) -> list[ir.Var]:
        """The variables that a loop has to hand on and that get their first value in it; none unless it certainly runs.

        Its own variable, carries and results are none of them.
        """
        own = loop.definitions()
        begun = [var for var in joined if var not in self.values and var not in own]
        return begun if begun and certainly_runs() else []

    def _placeholders(self, begun: Sequence[ir.Var], mark: int, loop: ir.Stmt) -> list[_Placeholder]:
        """What stands in front of the loop for those of the variables that each iteration certainly gives a value."""
        inside = {value for _, _, value in self._trail[mark:]}
        made: list[_Placeholder] = []
        for var in begun:
            value = self.values.get(var)
            if value is None or Arm((), inside).hides(value.type):
                continue
            init = self._anything(value.type, loop.span)
            if init is not None and disagreement(init.type, value.type) is None:
                name = ir.Var(var.name, init.type, loop.span)
                made.append(_Placeholder(var, name, init))
        return made

    def _anything(self, type_: ir.Type, span: Span) -> ir.Expr | None:
        """A value of a type at the current point, whichever."""
        function = self._function
        if not isinstance(type_, ir.TensorType) or not function.type.is_in_core:
            return ops.undefined(type_, span)
        # A core can't make a tensor; one that is written anyway has the least to fear of another name.
        params = [
            (direction is not ir.ParamDirection.In, position)
            for position, (param, direction) in enumerate(zip(function.params, function.directions, strict=True))
            if param.type == type_
        ]
        return self.values[function.params[max(params)[1]]] if params else None

    def _begin_carries(
        self, joined: Sequence[ir.Var], loop: ir.Stmt
    ) -> tuple[Sequence[ir.Var], tuple[ir.Expr, ...], tuple[ir.Var, ...]]:
        """The variables that have to be carried, their inits and their carries.

        One that has no value in front of the loop can't be; reading it is an error, where it is read.
        """
        carried = [var for var in joined if var in self.values]
        inits = tuple([self.values[var] for var in carried])
        return carried, inits, self._bind_joins(carried, inits, loop)

    def _bind_joins(self, variables: Sequence[ir.Var], sources: Sequence[ir.Expr], loop: ir.Stmt) -> tuple[ir.Var, ...]:
        """New carries or results for ``variables``, of the types of the ``sources``."""
        made = tuple([ir.Var(v.name, source.type, loop.span) for v, source in zip(variables, sources, strict=True)])
        for var, value in zip(variables, made, strict=True):
            self._bind(var, value)
        return made

    def _end_body(self, body: ir.Block, carried: Sequence[ir.Var], inits: Sequence[ir.Expr], loop: ir.Stmt) -> ir.Block:
        """The body with what the carried variables hold at its end yielded there."""
        values = [self.values[var] for var in carried]
        for var, init, value in zip(carried, inits, values, strict=True):
            check_agreement(var, init, value, "in the loop")
        return yielding_more(body, values, loop.span)

    def _bind_finished(self, loop: ir.While, results: Sequence[ir.Var]) -> None:
        """A condition is evaluated once more than the body: after the loop the carries hold the results."""
        bound = set(loop.results)
        for carry, result in zip(loop.carries, results, strict=True):
            if carry in self._repeated and carry not in bound:
                self._bind(carry, result)

    def copy_if(self, branch: ir.If) -> ir.Recursive[Any]:
        condition = self.expression(branch.condition)
        joined = next(self._joins)
        then: _DoneArm = yield self._arm(branch.then_body, joined)
        otherwise: _DoneArm = yield self._arm(branch.else_body or ir.Block((), branch.span), joined)
        # What has no value at the end of one arm has none after the branch.
        more = [var for var in joined if var in then.values and var in otherwise.values]
        arms = then.yields(more), otherwise.yields(more)
        results = self._bind_results(branch, more, *arms)
        then_body = yielding_more(then.body, [then.values[var] for var in more], branch.span)
        else_body = yielding_more(otherwise.body, [otherwise.values[var] for var in more], branch.span)
        if branch.else_body is None and not more:
            else_body = None
        made = ir.If(condition, then_body, else_body, results, branch.span, branch.comments)
        return branch if same(made.children(), branch.children()) else made

    def _arm(self, body: ir.Block, joined: Sequence[ir.Var]) -> ir.Recursive[_DoneArm]:
        mark = len(self._trail)
        made: ir.Block = yield self.block(body)
        values = {var: self.values[var] for var in joined if var in self.values}
        inside = {value for _, _, value in self._trail[mark:]}
        self._go_back(mark)
        return _DoneArm(made, values, inside)

    def _bind_results(self, branch: ir.If, more: Sequence[ir.Var], then: Arm, otherwise: Arm) -> tuple[ir.Var, ...]:
        """The branch's results: its own, and those for the variables in ``more``."""
        variables = (*branch.results, *more)
        if not variables:
            return ()
        made: dict[int, ir.Var] = {}
        # The dimensions of other results may be scalar results.
        for position, var in enumerate(variables):
            one, other = then.values[position], otherwise.values[position]
            if position >= len(branch.results):
                check_agreement(var, one, other, "in the two arms of a branch")
            if isinstance(one.type, ir.ScalarType):
                made[position] = self._version(var, one.type, branch)
        types = result_types(then, otherwise, made)
        before = branch.then_body.yielded
        for position, var in enumerate(variables):
            type_ = types[position]
            own = self.type(var.type)
            is_written = position < len(branch.results)
            if is_written and before[position].type == then.values[position].type and not then.hides(own):
                type_ = own
            if type_ is None:
                raise _hidden_dimension(var, then.values[position])
            if position not in made or made[position].type != type_:
                made[position] = self._version(var, type_, branch)
        # An explicit result is assigned after what its arms have assigned.
        for position in (*range(len(branch.results), len(variables)), *range(len(branch.results))):
            self._bind(variables[position], made[position])
        return tuple([made[position] for position in range(len(variables))])


def _with_more(
    carried: Sequence[ir.Var],
    inits: Sequence[ir.Expr],
    carries: Sequence[ir.Var],
    placeholders: Sequence[_Placeholder],
) -> tuple[Sequence[ir.Var], tuple[ir.Expr, ...], tuple[ir.Var, ...]]:
    """What a loop carries, with what it begins with a placeholder."""
    return (
        [*carried, *[each.var for each in placeholders]],
        (*inits, *[each.name for each in placeholders]),
        (*carries, *[ir.Var(each.name.name, each.name.type, each.name.span) for each in placeholders]),
    )


def _assigned(placeholders: Sequence[_Placeholder]) -> list[ir.Stmt]:
    return [ir.Assign(each.name, each.value, each.name.span) for each in placeholders]


def _covers(outer: Span, inner: Span) -> bool:
    return outer.source is inner.source and outer.line <= inner.line <= outer.end_line


def _hidden_dimension(var: ir.Var, value: ir.Expr) -> UserError:
    return UserError(
        Diagnostic(
            "PL208",
            f"the valid region of '{var.name}' depends on a value that is known in one arm of the branch only",
            value.span,
            found=repr(value.type),
            hint="compute its extents before the branch, or assign them to the same name in both arms",
        )
    )
