"""Compiles statements: loops, branches and scopes become jumps, carries and results become copies between slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.interp.code import MACHINE, RETURN, Code, Frame, Label
from pypto_lite.interp.hooks import add_entry, add_hook
from pypto_lite.interp.scalars import check_step
from pypto_lite.ops.framework.meaning import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from pypto_lite.interp.expressions import Compiler
    from pypto_lite.interp.hooks import Hook

LEAVING: Final = (ir.Return, ir.Break, ir.Continue)
"""The statements behind which nothing runs: the hook is called before they leave."""

Blocks: TypeAlias = "Generator[ir.Block, None, None]"
"""A statement that is being compiled: yields the blocks that belong at the current place."""

_Opened: TypeAlias = "list[tuple[Iterator[ir.Stmt], tuple[ir.Stmt, Blocks] | None]]"
"""The blocks that are being compiled, each with the statement that it belongs to."""


class Enclosing:
    """What the statements of a block refer to: where its yield goes, where break and continue go."""

    __slots__ = ("after", "joins", "next_iteration", "targets")

    def __init__(
        self,
        targets: Sequence[int],
        next_iteration: Label | None,
        after: Label | None,
        joins: Sequence[ir.Var] = (),
    ) -> None:
        self.targets = targets
        """The slots for what the block yields."""
        self.joins = joins
        """The carries or results that it flows into."""
        self.next_iteration = next_iteration
        self.after = after
        """The end of the innermost loop."""


class FunctionCompiler:
    """Compiles the body of one function."""

    def __init__(self, compiler: Compiler, hook: Hook | None = None) -> None:
        self.compiler = compiler
        self.hook = hook
        self.code: Code = compiler.code
        self.checks = compiler.checks
        self.enclosing = Enclosing((), None, None)

    def compile(self, function: ir.Function) -> None:
        """Adds the steps of the whole body; a body that does not end in a return returns nothing."""
        self.checks.enter_function(self.code, function)
        open_blocks: _Opened = [(iter(function.body.statements), None)]
        while open_blocks:
            statements, owner = open_blocks[-1]
            statement = next(statements, None)
            if statement is None:
                open_blocks.pop()
                if owner is not None:
                    self._resume(owner, open_blocks)
                continue
            self.code.span = statement.span or self.code.span
            compound = _COMPILE[type(statement)](self, statement)
            if compound is not None:
                self._resume((statement, compound), open_blocks)
            elif not isinstance(statement, LEAVING):
                add_hook(self.code, self.hook, statement)
        self._leave_function(())

    def _resume(self, owner: tuple[ir.Stmt, Blocks], open_blocks: _Opened) -> None:
        statement, compound = owner
        block = next(compound, None)
        if block is not None:
            open_blocks.append((iter(block.statements), owner))
        else:
            add_hook(self.code, self.hook, statement)

    def slots(self, expressions: Sequence[ir.Expr]) -> list[int]:
        return [self.compiler.slot(expression) for expression in expressions]

    def variables(self, variables: Sequence[ir.Var]) -> list[int]:
        return [self.code.slot(var) for var in variables]

    # One method for each kind of statement

    def _assign(self, statement: ir.Assign) -> None:
        if isinstance(statement.value, ir.Call):
            self.compiler.call_into(self.code.slot(statement.var), statement.value)
        else:
            value = self.compiler.slot(statement.value)
            self.code.copy([value], [self.code.slot(statement.var)])
        self.checks.assigned(self.code, statement)

    def _evaluate(self, statement: ir.Evaluate) -> None:
        self.compiler.slot(statement.value)

    def _yield(self, statement: ir.Yield) -> None:
        self.code.copy(self.slots(statement.values), self.enclosing.targets)
        self.checks.joined(self.code, self.enclosing.joins, self.enclosing.targets)

    def _return(self, statement: ir.Return) -> None:
        values = self.slots(statement.values)
        add_hook(self.code, self.hook, statement)
        self._leave_function(values)

    def _leave_function(self, values: Sequence[int]) -> None:
        self.checks.leave_function(self.code)

        def step(frame: Frame) -> int:
            frame[MACHINE].returned = tuple([frame[slot] for slot in values])
            return RETURN

        self.code.add(step)

    def _break(self, statement: ir.Break) -> None:
        add_hook(self.code, self.hook, statement)
        self.code.jump(self._of_loop(self.enclosing.after, statement))

    def _continue(self, statement: ir.Continue) -> None:
        add_hook(self.code, self.hook, statement)
        self.code.jump(self._of_loop(self.enclosing.next_iteration, statement))

    def _of_loop(self, label: Label | None, statement: ir.Stmt) -> Label:
        if label is None:
            raise UserError(Diagnostic("PL306", f"{statement!r} outside a loop", statement.span))
        return label

    def _block(self, statement: ir.Block) -> Blocks:
        yield statement

    def _if(self, statement: ir.If) -> Blocks:
        code, outer = self.code, self.enclosing
        otherwise, end = Label(), Label()
        code.jump_unless(self.compiler.slot(statement.condition), otherwise)
        targets = self.variables(statement.results)
        self.enclosing = Enclosing(targets, outer.next_iteration, outer.after, statement.results)
        yield statement.then_body
        code.jump(end)
        code.place(otherwise)
        if statement.else_body is not None:
            yield statement.else_body
        code.place(end)
        self.enclosing = outer

    def _for(self, statement: ir.For) -> Blocks:
        bounds = self.slots((statement.start, statement.stop, statement.step))
        carried = self._carried(statement)
        self.checks.enter_loop(self.code, statement, carried)
        for body in self._counted(bounds, self.code.slot(statement.var), statement.body, carried, statement.carries):
            self.code.copy(carried, self.variables(statement.carries))
            add_entry(self.code, self.hook, (statement.var, *statement.carries))
            self.checks.next_iteration(self.code, statement, carried)
            yield body
        self.checks.leave_loop(self.code, statement, carried)
        self._leave(statement, carried)

    def _carried(self, loop: ir.For | ir.While) -> list[int]:
        """Slots for what a loop carries, filled for its first iteration.

        They are none of a variable: a body may assign to its carries and leave before its yield.
        """
        carried = [self.code.new_slot() for _ in loop.inits]
        self.code.copy(self.slots(loop.inits), carried)
        self.checks.joined(self.code, loop.carries, carried)
        return carried

    def _leave(self, loop: ir.For | ir.While, carried: Sequence[int]) -> None:
        """Gives the results of a loop their values."""
        self.code.copy(carried, self.variables(loop.results))
        self.checks.joined(self.code, loop.results, carried)

    def _counted(
        self, bounds: Sequence[int], var: int, body: ir.Block, carried: Sequence[int], carries: Sequence[ir.Var] = ()
    ) -> Blocks:
        """The loop itself: counts ``var``, and leaves what it carries in ``carried``."""
        code, outer = self.code, self.enclosing
        head, end = Label(), Label()
        counter = code.new_slot()
        code.add(_start_step(bounds, counter, code.following))
        code.place(head)
        following = code.following

        def advance(frame: Frame) -> int:
            index = next(frame[counter], None)
            if index is None:
                return end.step
            frame[var] = index
            return following

        code.add(advance)
        self.enclosing = Enclosing(carried, head, end, carries)
        yield body
        code.jump(head)
        code.place(end)
        self.enclosing = outer

    def _while(self, statement: ir.While) -> Blocks:
        code, outer = self.code, self.enclosing
        head, end = Label(), Label()
        carried = self._carried(statement)
        code.place(head)
        code.copy(carried, self.variables(statement.carries))
        code.jump_unless(self.compiler.slot(statement.condition), end)
        add_entry(code, self.hook, statement.carries)
        self.enclosing = Enclosing(carried, head, end, statement.carries)
        yield statement.body
        code.jump(head)
        code.place(end)
        self.enclosing = outer
        self._leave(statement, carried)

    def _scope(self, statement: ir.Scope) -> Blocks:
        """Scopes say where and when code runs, not what it computes; ``pl.spmd`` runs it once for each block."""
        if statement.kind is ir.ScopeKind.Spmd:
            yield from self._spmd(statement)
            return
        yield statement.body

    def _spmd(self, statement: ir.Scope) -> Blocks:
        code = self.code
        count = statement.args[0] if statement.args else statement.keywords["core_num"]
        blocks = self.compiler.slot(count) if isinstance(count, ir.Expr) else code.constant(count)
        var = code.new_slot() if statement.var is None else code.slot(statement.var)
        outer, following = code.new_slot(), code.following

        def enter(frame: Frame) -> int:
            frame[outer] = frame[MACHINE].block
            return following

        code.add(enter)
        zero, one = code.constant(0), code.constant(1)
        numbered = self._counted((zero, blocks, one), var, statement.body, ())
        for body in numbered:
            code.add(_block_step(var, blocks, code.following))
            add_entry(code, self.hook, () if statement.var is None else (statement.var,))
            yield body
        left = code.following

        def leave(frame: Frame) -> int:
            frame[MACHINE].block = frame[outer]
            return left

        code.add(leave)


def _start_step(bounds: Sequence[int], counter: int, following: int) -> Callable[[Frame], int]:
    start, stop, step_by = bounds

    def step(frame: Frame) -> int:
        check_step(frame[step_by])
        frame[counter] = iter(range(frame[start], frame[stop], frame[step_by]))
        return following

    return step


def _block_step(var: int, blocks: int, following: int) -> Callable[[Frame], int]:
    def step(frame: Frame) -> int:
        frame[MACHINE].block = Block(frame[var], frame[blocks])
        return following

    return step


_COMPILE: Final[dict[type[ir.Stmt], Callable[[FunctionCompiler, Any], Blocks | None]]] = {
    ir.Assign: FunctionCompiler._assign,  # pyright: ignore[reportPrivateUsage]
    ir.Evaluate: FunctionCompiler._evaluate,  # pyright: ignore[reportPrivateUsage]
    ir.Yield: FunctionCompiler._yield,  # pyright: ignore[reportPrivateUsage]
    ir.Return: FunctionCompiler._return,  # pyright: ignore[reportPrivateUsage]
    ir.Break: FunctionCompiler._break,  # pyright: ignore[reportPrivateUsage]
    ir.Continue: FunctionCompiler._continue,  # pyright: ignore[reportPrivateUsage]
    ir.Block: FunctionCompiler._block,  # pyright: ignore[reportPrivateUsage]
    ir.If: FunctionCompiler._if,  # pyright: ignore[reportPrivateUsage]
    ir.For: FunctionCompiler._for,  # pyright: ignore[reportPrivateUsage]
    ir.While: FunctionCompiler._while,  # pyright: ignore[reportPrivateUsage]
    ir.Scope: FunctionCompiler._scope,  # pyright: ignore[reportPrivateUsage]
}
