"""Translates a function to a Python function of the same lines, whose statements run pieces of compiled code."""

from __future__ import annotations

import ast
import keyword
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from pypto_lite import ir, ops
from pypto_lite.interp.calls import operator_call
from pypto_lite.interp.checks import UNCHECKED, Checks
from pypto_lite.interp.code import MACHINE, Code, Frame
from pypto_lite.interp.expressions import Compiler
from pypto_lite.interp.extents import ARRAY_TYPES
from pypto_lite.interp.hooks import add_entry, add_hook
from pypto_lite.interp.prologue import add_prologue
from pypto_lite.interp.scalars import check_step
from pypto_lite.interp.statements import LEAVING
from pypto_lite.ops.framework.meaning import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping, Sequence

    from pypto_lite.diagnostics import Span
    from pypto_lite.interp.hooks import Hook

RUN: Final = "__run__"
"""The name of the function that runs a piece of code and gives the values that it shows."""

COUNT: Final = "__count__"
"""The name of ``range``."""

SET: Final = "__set__"
"""The name of the function that sets a slot of the frame."""

KEEP: Final = "__keep__"
KEPT: Final = "__kept__"
GET_TRACE: Final = "__get_trace__"
SET_TRACE: Final = "__set_trace__"
"""The names of functions that hide a piece of code from the debugger; see ``tracing``."""

Statements: TypeAlias = "list[ast.stmt]"

Blocks: TypeAlias = "Generator[tuple[ir.Block, Statements], None, None]"
"""A statement that is being translated: yields the blocks in it, each with the list that its statements go into."""

_Opened: TypeAlias = "list[tuple[Iterator[ir.Stmt], Statements, _Owner | None]]"


class Piece(NamedTuple):
    """A part of the code, and the slots whose values it shows."""

    start: int
    end: int
    shown: tuple[int, ...]


class _Owner(NamedTuple):
    """A statement that is being translated, and the list that it stands in."""

    statement: ir.Stmt
    target: Statements
    compound: Blocks


class Translator:
    """Makes the Python function of one function, and its pieces of code."""

    def __init__(
        self,
        function: ir.Function,
        linked: Mapping[str, Code],
        hook: Hook | None = None,
        checks: Checks = UNCHECKED,
    ) -> None:
        self.function = function
        self.hook = hook
        self.code = linked[function.name]
        self.checks = checks
        self.compiler = Compiler(self.code, linked, operator_call, checks)
        self.pieces: list[Piece] = []
        self.targets: tuple[Sequence[int], Sequence[ir.Var]] = ((), ())
        """Where the yield of the current block goes: the slots, and the variables as which they are shown then."""
        self.joins: Sequence[ir.Var] = ()
        """The carries or results that it flows into."""
        self.line = 1

    def translate(self) -> ast.Module:
        """A module that defines the function."""
        function = self.function
        self._go_to(function.span)
        definition = self._placed(ast.parse("def f(): pass").body[0])
        definition.name = _identifier(function.name) or "kernel"
        definition.args.args = [
            ast.arg(_identifier(param.name) or f"_{index}", lineno=self.line, col_offset=0)
            for index, param in enumerate(function.params)
        ]
        body: Statements = []
        body.append(self._do((), lambda: add_prologue(self.compiler, function.params)))
        self._watch(body, lambda: self.checks.enter_function(self.code, function))
        self._translate(function.body, body)
        self._return(ir.Return(()), body, explicit=False)
        definition.body = body
        return ast.fix_missing_locations(ast.Module([definition], []))

    def _translate(self, outermost: ir.Block, body: Statements) -> None:
        """Translates a block and those in it, with a stack for the open ones."""
        opened: _Opened = [(iter(outermost.statements), body, None)]
        while opened:
            statements, target, owner = opened[-1]
            statement = next(statements, None)
            if statement is None:
                opened.pop()
                if not target:
                    target.append(self._placed(ast.Pass()))
                if owner is not None:
                    self._resume(owner, opened)
                continue
            if isinstance(statement, ir.Yield) and owner is not None and statement.span == owner.statement.span:
                self._stay_for(statement, target)
            else:
                self._go_to(statement.span)
            compound = _TRANSLATE[type(statement)](self, statement, target)
            if compound is not None:
                self._resume(_Owner(statement, target, compound), opened)
            elif not isinstance(statement, LEAVING):
                self._add_hook(statement, target)

    def _resume(self, owner: _Owner, opened: _Opened) -> None:
        following = next(owner.compound, None)
        if following is not None:
            block, target = following
            opened.append((iter(block.statements), target, owner))
        else:
            self._add_hook(owner.statement, owner.target)

    def _add_hook(self, statement: ir.Stmt, target: Statements) -> None:
        if self.hook is not None:
            target.append(self._do((), lambda: add_hook(self.code, self.hook, statement)))

    def _add_entry(self, defined: Sequence[ir.Var], target: Statements) -> None:
        if self.hook is not None:
            target.append(self._do((), lambda: add_entry(self.code, self.hook, defined)))

    def _go_to(self, span: Span) -> None:
        if span:
            self.code.span = span
            self.line = span.line

    def _stay_for(self, statement: ir.Yield, target: Statements) -> None:
        """A yield that nobody wrote is at the line of the statement before it, so that no debugger stops there."""
        line = self.line
        self._go_to(statement.span)
        if target and not isinstance(target[-1], (ast.If, ast.For, ast.While)):
            self.line = line

    def _placed(self, node: Any) -> Any:
        """A statement at the current line."""
        node.lineno = node.end_lineno = self.line
        node.col_offset = node.end_col_offset = 0
        return node

    def _run(self, build: Callable[[], Sequence[int]]) -> ast.expr:
        """The expression that runs what ``build`` adds to the code, and gives the values of the slots that it names."""
        start = len(self.code.steps)
        shown = build()
        self.pieces.append(Piece(start, len(self.code.steps), tuple(shown)))
        return self._expression(
            f"({KEEP}({GET_TRACE}()), {SET_TRACE}(None), {RUN}({len(self.pieces) - 1}), {SET_TRACE}({KEPT}()))[2]"
        )

    def _expression(self, text: str) -> Any:
        """An expression at the current line."""
        parsed = ast.parse(text, mode="eval").body
        for node in ast.walk(parsed):
            self._placed(node)
        return parsed

    def _do(self, variables: Sequence[ir.Var], build: Callable[[], Any]) -> ast.stmt:
        """The statement that runs what ``build`` adds, and shows variables as local ones."""
        named = [var for var in variables if _identifier(var.name) is not None]

        def build_and_show() -> list[int]:
            build()
            return [self.code.slot(var) for var in named]

        value = self._run(build_and_show)
        if not named:
            return self._placed(ast.Expr(value))
        targets: list[ast.expr] = [ast.Name(var.name, ast.Store()) for var in named]
        target = targets[0] if len(targets) == 1 else ast.Tuple(targets, ast.Store())
        return self._placed(ast.Assign([target], value))

    def _watch(self, body: Statements, build: Callable[[], Any]) -> None:
        """Adds the statement that runs checks, where there are any."""
        before = len(self.code.steps)
        statement = self._do((), build)
        if len(self.code.steps) > before:
            body.append(statement)

    def _slots(self, expressions: Sequence[ir.Expr]) -> list[int]:
        return [self.compiler.slot(expression) for expression in expressions]

    def _variables(self, variables: Sequence[ir.Var]) -> list[int]:
        return [self.code.slot(var) for var in variables]

    # One method for each kind of statement

    def _assign(self, statement: ir.Assign, body: Statements) -> None:
        def build() -> None:
            self.code.copy(self._slots([statement.value]), [self.code.slot(statement.var)])
            self.checks.assigned(self.code, statement)

        body.append(self._do((*_written_by(statement.value), statement.var), build))

    def _evaluate(self, statement: ir.Evaluate, body: Statements) -> None:
        body.append(self._do(_written_by(statement.value), lambda: self.compiler.slot(statement.value)))

    def _yield(self, statement: ir.Yield, body: Statements) -> None:
        slots, variables = self.targets

        def build() -> None:
            self.code.copy(self._slots(statement.values), slots)
            self.checks.joined(self.code, self.joins, slots)

        body.append(self._do(variables, build))

    def _return(self, statement: ir.Return, body: Statements, *, explicit: bool = True) -> None:
        def build() -> list[int]:
            values = self._slots(statement.values)
            if explicit:
                add_hook(self.code, self.hook, statement)
            self.checks.leave_function(self.code)
            following = self.code.following

            def step(frame: Frame) -> int:
                frame[MACHINE].returned = tuple([frame[slot] for slot in values])
                return following

            self.code.add(step)
            return values

        body.append(self._placed(ast.Return(self._run(build))))

    def _break(self, statement: ir.Break, body: Statements) -> None:
        self._add_hook(statement, body)
        body.append(self._placed(ast.Break()))

    def _continue(self, statement: ir.Continue, body: Statements) -> None:
        self._add_hook(statement, body)
        body.append(self._placed(ast.Continue()))

    def _block(self, statement: ir.Block, body: Statements) -> Blocks:
        yield statement, body

    def _if(self, statement: ir.If, body: Statements) -> Blocks:
        outer, outer_joins = self.targets, self.joins
        test = self._run(lambda: self._slots([statement.condition]))
        made = self._placed(ast.If(test, [], []))
        body.append(made)
        self.targets = self._variables(statement.results), statement.results
        self.joins = statement.results
        yield statement.then_body, made.body
        if statement.else_body is not None:
            yield statement.else_body, made.orelse
        self.targets, self.joins = outer, outer_joins

    def _for(self, statement: ir.For, body: Statements) -> Blocks:
        carried = self._carry(statement, body)
        bounds = (statement.start, statement.stop, statement.step)
        self._watch(body, lambda: self.checks.enter_loop(self.code, statement, carried))
        yield from self._count(bounds, statement.var, statement, carried, body)
        self._watch(body, lambda: self.checks.leave_loop(self.code, statement, carried))
        self._show_results(statement, carried, body)

    def _carry(self, loop: ir.For | ir.While, body: Statements) -> list[int]:
        """Slots for what a loop carries, filled for its first iteration."""
        carried = [self.code.new_slot() for _ in loop.inits]

        def build() -> None:
            self.code.copy(self._slots(loop.inits), carried)
            self.checks.joined(self.code, loop.carries, carried)

        if carried:
            body.append(self._do((), build))
        return carried

    def _count(
        self, bounds: Sequence[ir.Expr], var: ir.Var, loop: ir.For | ir.Scope, carried: list[int], body: Statements
    ) -> Blocks:
        """The loop itself, which counts ``var``."""
        outer, outer_joins, place = self.targets, self.joins, self.code.span
        values = self._run(lambda: self._bounds(bounds))
        counted = ast.Call(ast.Name(COUNT, ast.Load()), [ast.Starred(values, ast.Load())], [])
        name = _identifier(var.name) or "_"
        kept = self._placed(ast.Expr(self._expression(f"{SET}({self.code.slot(var)}, {name})")))
        made = self._placed(ast.For(ast.Name(name, ast.Store()), counted, [kept], [], None))
        body.append(made)
        if isinstance(loop, ir.For) and carried:
            carries = loop.carries
            made.body.append(self._do(carries, lambda: self.code.copy(carried, self._variables(carries))))
        if isinstance(loop, ir.For):
            self._add_entry((var, *loop.carries), made.body)
            self._watch(made.body, lambda: self.checks.next_iteration(self.code, loop, carried))
            self.joins = loop.carries
        else:
            made.body.append(self._do((), lambda: self._set_block(self.code.slot(var), bounds[1])))
            self._add_entry((var,) if loop.var is not None else (), made.body)
        self.targets = carried, ()
        yield loop.body, made.body
        self.targets, self.joins = outer, outer_joins
        self._go_to(place)

    def _bounds(self, bounds: Sequence[ir.Expr]) -> list[int]:
        slots = self._slots(bounds)
        self._add(lambda frame: check_step(frame[slots[2]]))
        return slots

    def _show_results(self, loop: ir.For | ir.While, carried: Sequence[int], body: Statements) -> None:
        def build() -> None:
            self.code.copy(carried, self._variables(loop.results))
            self.checks.joined(self.code, loop.results, carried)

        if carried:
            body.append(self._do(loop.results, build))

    def _while(self, statement: ir.While, body: Statements) -> Blocks:
        outer, outer_joins, place = self.targets, self.joins, self.code.span
        carried = self._carry(statement, body)

        def test() -> list[int]:
            self.code.copy(carried, self._variables(statement.carries))
            return self._slots([statement.condition])

        made = self._placed(ast.While(self._run(test), [], []))
        body.append(made)
        if carried:
            self._go_to(statement.body.statements[0].span)  # Python comes to the test by itself
            made.body.append(self._do(statement.carries, lambda: None))
        self._add_entry(statement.carries, made.body)
        self.targets, self.joins = (carried, ()), statement.carries
        yield statement.body, made.body
        self.targets, self.joins = outer, outer_joins
        self._go_to(place)
        self._show_results(statement, carried, body)

    def _scope(self, statement: ir.Scope, body: Statements) -> Blocks:
        if statement.kind is not ir.ScopeKind.Spmd:
            yield statement.body, body
            return
        count: Any = statement.args[0] if statement.args else statement.keywords["core_num"]
        bounds = ir.index_const(0), ir.dim_expr(count), ir.index_const(1)
        var = statement.var or ir.Var("", ir.ScalarType(ir.DTYPES["INDEX"]))
        kept = self.code.new_slot()
        body.append(self._do((), lambda: self._add(lambda frame: _keep_block(frame, kept))))
        yield from self._count(bounds, var, statement, [], body)
        body.append(self._do((), lambda: self._add(lambda frame: _restore_block(frame, kept))))

    def _add(self, action: Callable[[Frame], None]) -> None:
        following = self.code.following

        def step(frame: Frame) -> int:
            action(frame)
            return following

        self.code.add(step)

    def _set_block(self, index: int, count: ir.Expr) -> None:
        (blocks,) = self._slots([count])
        self._add(lambda frame: _enter_block(frame, frame[index], frame[blocks]))


def _written_by(expression: ir.Expr) -> list[ir.Var]:
    """The arrays in which calls may write elements that had no value, so that they have to be shown anew."""
    found: list[ir.Expr] = []
    for node in ir.walk(expression):
        if isinstance(node, ir.Call):
            operator = ops.lookup(node.op, node.span)
            writes = None if operator.computes is None else operator.computes.writes
            found += [arg for operand, arg in ops.match_operands(operator, node.args) if arg and operand.name == writes]
        elif isinstance(node, (ir.FunctionCall, ir.Submit)):
            found += node.args
    return [each for each in found if isinstance(each, ir.Var) and isinstance(each.type, ARRAY_TYPES)]


def _keep_block(frame: Frame, kept: int) -> None:
    frame[kept] = frame[MACHINE].block


def _restore_block(frame: Frame, kept: int) -> None:
    frame[MACHINE].block = frame[kept]


def _enter_block(frame: Frame, index: int, count: int) -> None:
    frame[MACHINE].block = Block(index, count)


def _identifier(name: str) -> str | None:
    """The name where Python takes it as one of a local variable."""
    return name if name.isidentifier() and not keyword.iskeyword(name) else None


_TRANSLATE: Final[dict[type[ir.Stmt], Callable[[Translator, Any, Statements], Blocks | None]]] = {
    ir.Assign: Translator._assign,  # pyright: ignore[reportPrivateUsage]
    ir.Evaluate: Translator._evaluate,  # pyright: ignore[reportPrivateUsage]
    ir.Yield: Translator._yield,  # pyright: ignore[reportPrivateUsage]
    ir.Return: Translator._return,  # pyright: ignore[reportPrivateUsage]
    ir.Break: Translator._break,  # pyright: ignore[reportPrivateUsage]
    ir.Continue: Translator._continue,  # pyright: ignore[reportPrivateUsage]
    ir.Block: Translator._block,  # pyright: ignore[reportPrivateUsage]
    ir.If: Translator._if,  # pyright: ignore[reportPrivateUsage]
    ir.For: Translator._for,  # pyright: ignore[reportPrivateUsage]
    ir.While: Translator._while,  # pyright: ignore[reportPrivateUsage]
    ir.Scope: Translator._scope,  # pyright: ignore[reportPrivateUsage]
}
