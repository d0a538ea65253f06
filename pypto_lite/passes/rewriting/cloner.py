"""Goes through statements in program order and rebuilds them with other values in the place of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite import ir
from pypto_lite.analysis.join_types import branch_type, check_agreement
from pypto_lite.passes.rewriting.block_builder import BlockBuilder
from pypto_lite.passes.rewriting.value_mapper import ValueMapper

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


NO_STATEMENT: Final = ir.Block(())


class Cloner(ValueMapper):
    """Rebuilds blocks with ``values`` for variables; a variable whose type changes becomes another one.

    A subclass overrides what is done for a class of statements, or for every variable that is defined. Statements in
    which nothing changes stay the same objects.
    """

    simple: ir.Dispatch[Callable[[Any], ir.Stmt | Sequence[ir.Stmt]]] = ir.Dispatch()
    """What is made of statements without blocks: a statement, or several in its place."""
    compound: ir.Dispatch[Callable[[Any], ir.Recursive[Any]]] = ir.Dispatch()
    """The same of statements with blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.statement: ir.Stmt = NO_STATEMENT
        """The statement that is being rebuilt, while its own operands are."""
        self.loose_comments: tuple[str, ...] = ()
        """Comments behind what was made last, for the next statement."""

    def define(self, var: ir.Var, type_: ir.Type, statement: ir.Stmt) -> ir.Var:
        """The variable that ``statement`` now defines, of this type, in the place of ``var``."""
        if type_ == var.type:
            return var
        # In code that is not in SSA form a variable is defined more than once and must stay one variable.
        known = self.values.get(var)
        if isinstance(known, ir.Var):
            return known
        made = ir.Var(var.name, type_, var.span)
        self.values[var] = made
        return made

    @compound.on(ir.Block)
    def block(self, block: ir.Block) -> ir.Recursive[ir.Block]:
        """The block with its statements rebuilt."""
        builder = BlockBuilder()
        changed = False
        for statement in block.statements:
            self.statement = statement
            simple = self.simple.get(type(statement))
            if simple is not None:
                made = simple(statement)
            else:
                made = yield self.compound[type(statement)](statement)
            builder.add((made,) if isinstance(made, ir.Stmt) else made)
            if made is not statement:
                changed = True
                builder.comment(self.loose_comments)
                self.loose_comments = ()
        return builder.instead_of(block) if changed else block

    @simple.on(ir.Assign)
    def copy_assign(self, statement: ir.Assign) -> ir.Stmt | Sequence[ir.Stmt]:
        value = self.expression(statement.value)
        type_ = self.follow(statement.var.type, statement.value.type, value.type)
        var = self.define(statement.var, type_, statement)
        if var is statement.var and value is statement.value:
            return statement
        return ir.Assign(var, value, statement.span, statement.comments)

    @simple.on(ir.Evaluate)
    def copy_evaluate(self, statement: ir.Evaluate) -> ir.Stmt | Sequence[ir.Stmt]:
        value = self.expression(statement.value)
        return statement if value is statement.value else statement.replace(value=value)

    @simple.on(ir.Yield, ir.Return)
    def copy_values(self, statement: ir.Yield | ir.Return) -> ir.Stmt:
        """A statement that passes values on."""
        values = self.expressions(statement.values)
        return statement if same(values, statement.values) else statement.replace(values=values)

    @simple.on(ir.Break, ir.Continue)
    def copy_exit(self, statement: ir.Stmt) -> ir.Stmt:
        return statement

    @compound.on(ir.For)
    def copy_for(self, loop: ir.For) -> ir.Recursive[Any]:
        operands = self.expressions(loop.entry_operands())
        inits = operands[len(operands) - len(loop.inits) :]
        var = self.define(loop.var, self.type(loop.var.type), loop)
        carries = self.define_followers(loop.carries, types_of(loop.inits), types_of(inits), loop)
        body: ir.Block = yield self.block(loop.body)
        _check_carries(loop, carries, inits, body)
        results = self.define_followers(loop.results, types_of(loop.carries), types_of(carries), loop)
        return rebuilt(loop, (*operands, var, *carries, body, *results))

    @compound.on(ir.While)
    def copy_while(self, loop: ir.While) -> ir.Recursive[Any]:
        inits = self.expressions(loop.inits)
        carries = self.define_followers(loop.carries, types_of(loop.inits), types_of(inits), loop)
        condition = self.expression(loop.condition)
        body: ir.Block = yield self.block(loop.body)
        _check_carries(loop, carries, inits, body)
        results = self.define_followers(loop.results, types_of(loop.carries), types_of(carries), loop)
        return rebuilt(loop, (*inits, *carries, condition, body, *results))

    @compound.on(ir.If)
    def copy_if(self, branch: ir.If) -> ir.Recursive[Any]:
        condition = self.expression(branch.condition)
        then_body: ir.Block = yield self.block(branch.then_body)
        else_body: ir.Block | None = None
        if branch.else_body is not None:
            else_body = yield self.block(branch.else_body)
        results = self._define_results(branch, then_body, else_body)
        arms = [then_body] if else_body is None else [then_body, else_body]
        return rebuilt(branch, (condition, *arms, *results))

    def _define_results(self, branch: ir.If, then_body: ir.Block, else_body: ir.Block | None) -> tuple[ir.Var, ...]:
        if not branch.results or branch.else_body is None or else_body is None:
            return branch.results
        old, new = ((branch.then_body.yielded, branch.else_body.yielded), (then_body.yielded, else_body.yielded))
        if not any(new):
            return branch.results  # nothing comes to the end of the branch
        if not all(new):
            # One arm leaves the loop around; the types are those of the other one's values.
            before, after = (types_of(arms[0] or arms[1]) for arms in (old, new))
        else:
            before, after = ([branch_type(t.type, e.type) for t, e in zip(*arms, strict=True)] for arms in (old, new))
        results = self.define_followers(branch.results, before, after, branch)
        for result, one, other in zip(results, *new, strict=False):
            check_agreement(result, one, other, "in the two arms of a branch")
        return results

    @compound.on(ir.Scope)
    def copy_scope(self, scope: ir.Scope) -> ir.Recursive[Any]:
        operands = self.expressions(scope.operands())
        variables = [self.define(var, self.type(var.type), scope) for var in scope.definitions()]
        body: ir.Block = yield self.block(scope.body)
        return rebuilt(scope, (*operands, *variables, body))

    def define_followers(
        self, variables: Sequence[ir.Var], before: Sequence[ir.Type], after: Sequence[ir.Type], statement: ir.Stmt
    ) -> tuple[ir.Var, ...]:
        """Carries and results: each is defined with the type of its source, which was ``before`` and is ``after``."""
        made: dict[int, ir.Var] = {}
        # Scalars come first: they may be extents in the types of the others.
        order = sorted(range(len(variables)), key=lambda i: not isinstance(variables[i].type, ir.ScalarType))
        for position in order:
            var = variables[position]
            type_ = self.follow(var.type, before[position], after[position])
            made[position] = self.define(var, type_, statement)
        return tuple([made[position] for position in range(len(variables))])


def _check_carries(loop: ir.Loop, carries: Sequence[ir.Var], inits: Sequence[ir.Expr], body: ir.Block) -> None:
    """Raises PL207 where a carry whose type has changed does not get values of that type."""
    if same(carries, loop.carries):
        return
    # A body that ends in a break or a continue yields nothing.
    for carry, init, value in zip(carries, inits, body.yielded, strict=False):
        check_agreement(carry, init, value, "in the loop")


def types_of(values: Sequence[ir.Expr]) -> list[ir.Type]:
    return [value.type for value in values]


def rebuilt(statement: ir.Stmt, children: Sequence[ir.Node]) -> ir.Stmt:
    """The statement with these children; the same object where they are its own."""
    return statement if same(children, statement.children()) else statement.rebuild(children)


def same(first: Sequence[object], second: Sequence[object]) -> bool:
    """Whether two lists hold the same objects."""
    return len(first) == len(second) and all(one is other for one, other in zip(first, second, strict=True))
