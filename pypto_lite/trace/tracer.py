"""The state of tracing one function: names, the statements made so far, comments, and how errors find their place.

Other modules register what each class of AST node means (``expression``, ``simple_statement``, ``compound_statement``)
and get the tracer handed. Two rules keep deep code from meeting Python's recursion limit. Blocks are traced by
generators that one driver runs. Expressions are evaluated recursively up to ``MAX_DEPTH``; below that the statement is
traced again, its inner parts first (see ``deep``).

An expression usually becomes one expression of the IR, calls nested in calls. Sometimes a statement has to be made in
the middle of it: a branch, because Python evaluates a call only under a condition, or a name for a part, because the
expression would be too deep to print. Calls that were written further left have to come first then. So the statement is
traced again in a mode in which every call is named as soon as it is evaluated; ``NamingNeeded`` asks for that.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Generator, Hashable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TypeAlias, TypeVar

from pypto_lite import ops
from pypto_lite.diagnostics import Diagnostic, Note, Span, UserError
from pypto_lite.ir import Assign, Block, Call, Expr, FunctionCall, FunctionType, Stmt, Submit, Type, Var
from pypto_lite.passes.properties.printable import MAX_EXPRESSION_DEPTH, MAX_NESTED_BLOCKS
from pypto_lite.trace.definitions.written_parameters import WrittenParameters
from pypto_lite.trace.expressions.spilling import inner_parts
from pypto_lite.trace.expressions.values import plain
from pypto_lite.trace.names.environment import MISSING, Environment, Unavailable, unavailable
from pypto_lite.trace.names.symbol_table import Gone, Names, Static, Variable
from pypto_lite.trace.source.comments import Comments
from pypto_lite.trace.statements.frames import Annotated, Frame

if TYPE_CHECKING:
    from pypto_lite.ir import MemorySpace
    from pypto_lite.ops import Operator
    from pypto_lite.trace.names.constants import Known

MAX_DEPTH: Final = 150
"""How deep expressions are evaluated recursively: enough for 64 operators with a list around each operand."""

NodeType = TypeVar("NodeType", bound=ast.AST)
Result = TypeVar("Result")
Handler = TypeVar("Handler", bound=Callable[..., Any])

Steps: TypeAlias = "Generator[Steps, None, None]"
"""Traces a compound statement or a block; yields the steps of the blocks in it, each to be run to its end."""


CALLS: Final = (Call, FunctionCall, Submit)
"""The classes of expressions that do something when they are evaluated."""


class NamingNeeded(Exception):  # noqa: N818  # a request, and no error
    """The statement has to be traced again, naming every call; where ``deep``, from the innermost part out."""

    def __init__(self, deep: bool) -> None:
        super().__init__()
        self.deep = deep


class Program(Protocol):
    """What the tracer of a function asks of the program around it."""

    def member(self, tracer: FunctionTracer, node: ast.Attribute) -> object:
        """What ``self.name`` means."""
        ...

    def call(self, tracer: FunctionTracer, function: object, node: ast.Call) -> object:
        """A call of another function of the program, or of one outside it, which then belongs to it."""
        ...

    def submit(self, tracer: FunctionTracer, node: ast.Call) -> Expr:
        """A ``pl.submit`` of another function."""
        ...

    def print(self, text: str) -> None:
        """Takes what ``pl.static_print`` prints."""
        ...


_EXPRESSIONS: Final[dict[type[ast.expr], Callable[[FunctionTracer, Any], object]]] = {}
_SIMPLE: Final[dict[type[ast.stmt], Callable[[FunctionTracer, Any], None]]] = {}
_COMPOUND: Final[dict[type[ast.stmt], Callable[[FunctionTracer, Any], Steps]]] = {}


def expression(*classes: type[ast.expr]) -> Callable[[Handler], Handler]:
    """Decorator: gives the value of expressions of these classes."""

    def register(function: Handler) -> Handler:
        _EXPRESSIONS.update(dict.fromkeys(classes, function))
        return function

    return register


def simple_statement(*classes: type[ast.stmt]) -> Callable[[Handler], Handler]:
    """Decorator: traces statements of these classes, which hold no blocks."""

    def register(function: Handler) -> Handler:
        _SIMPLE.update(dict.fromkeys(classes, function))
        return function

    return register


def compound_statement(*classes: type[ast.stmt]) -> Callable[[Handler], Handler]:
    """Decorator: gives the steps that trace statements of these classes, which hold blocks."""

    def register(function: Handler) -> Handler:
        _COMPOUND.update(dict.fromkeys(classes, function))
        return function

    return register


class FunctionTracer:
    """Traces one function. Raises UserError at the first thing that is wrong."""

    def __init__(self, environment: Environment, program: Program, definition: ast.FunctionDef) -> None:
        self.environment = environment
        self.program = program
        self.definition = definition
        self.file = environment.file
        self.names = Names()
        self.statements: list[Stmt] = []
        """The statements of the block that is being traced."""
        self.frames: list[Frame] = [Frame("function", 0, returns=True)]
        self.is_last = False
        """Whether the statement that is being traced is the last one of its block."""
        self.versions: dict[Var, Var] = {}
        """Variables that stand for another one where its type differs in space, layout or view."""
        self.rebinds = False
        """Whether a variable of the IR is assigned more than once."""
        self.statics = False
        """Whether a name has been bound to what only tracing knows."""
        self.jumps = False
        """Whether there is a break or a continue."""
        self.is_deep = False
        """Whether there are so many arms of one branch that they may have to be printed as nested blocks."""
        self.annotated_space: tuple[ast.expr, MemorySpace | None] | None = None
        """The last value beside an annotation, and the space that this names: it counts as ``target_memory``."""
        self.call_count = 0
        """How many calls have been evaluated."""
        self.naming = False
        """Whether every call is named as soon as it is evaluated."""
        self.arms = 0
        """How many conditions there are around the part of the expression that is being evaluated."""
        self.function_type = FunctionType.Opaque
        self.results: tuple[Type, ...] | None = None
        """What the signature says that the function returns; None where it does not say."""
        self.references = WrittenParameters()
        self.heights: dict[Expr, int] = {}
        """The heights of expressions that are higher than a single call."""
        self.members: dict[tuple[str, ...], object] = {}
        """The members of outer names that were read before, by name and attributes, the last one first."""
        self.operators: dict[Hashable, Operator] = {}
        """The operators that were found before, by their spelling and the kinds of the arguments."""
        self.bindings: dict[tuple[Operator, int, tuple[str, ...]], tuple[str, ...]] = {}
        """The parameters that the arguments of a call are, by how many have no name and the names of the others."""
        self.calls = ops.CallMaker()
        self.annotations: dict[str, Annotated] = {}
        """Annotations that were read before, by their text."""
        self.constants: dict[Var, Known] = {}
        """The scalar variables that are bound to a constant first."""
        self.conditions: set[ast.expr] = set()
        """The ``and`` and ``or`` of which only counts whether they are true, not which of their operands they give."""
        self.comments = Comments(self.file)
        self._deep = False
        self._evaluated: dict[ast.expr, object] = {}
        self._depth = 0
        self._blocks = 0
        self._nested = 1
        """How many blocks there are around what is being traced, where ``elif`` counts as no deeper than its ``if``."""
        self._waiting_comments: tuple[str, ...] = ()
        self._is_ascii = self.file.source.text.isascii()

    # Places and errors

    def span(self, node: ast.AST) -> Span:
        """The place of an expression, a statement or an argument."""
        if not self._is_ascii:
            return self.file.span(node)
        located: Any = node
        source = self.file.source
        return Span(source, located.lineno, located.col_offset + 1, located.end_lineno, located.end_col_offset + 1)

    def header_span(self, node: ast.stmt) -> Span:
        """The first line of a statement, without the comment at its end."""
        span = self.span(node)
        if span.end_line == span.line:
            return span
        text = self.file.source.line(span.line) or ""
        for comment in self.file.comments(span.line, span.line):
            text = text[: comment.column - 1]
        return Span(span.source, span.line, span.column, span.line, len(text.rstrip()) + 1)

    def fail(
        self,
        code: str,
        message: str,
        place: ast.AST | Span,
        *,
        found: str | None = None,
        expected: str | None = None,
        hint: str | None = None,
        notes: Sequence[Note] = (),
    ) -> NoReturn:
        """Raises a coded error at a node or a span."""
        span = place if isinstance(place, Span) else self.span(place)
        raise UserError(Diagnostic(code, message, span, found=found, expected=expected, hint=hint, notes=notes))

    # Expressions

    def evaluate(self, node: ast.expr) -> object:
        """The value of an expression: an ``ir.Expr``, or a Python object that only tracing knows."""
        if self._deep and node in self._evaluated:
            return self._evaluated[node]
        handler = _EXPRESSIONS.get(node.__class__)
        if handler is None:
            self.fail("PL104", f"{type(node).__name__} is not supported in a kernel", node)
        depth = self._depth + 1
        if depth > MAX_DEPTH:
            self._go_deep(node)
        self._depth = depth
        value = handler(self, node)
        self._depth = depth - 1
        return value

    def operand(self, node: ast.expr) -> object:
        """The value of an expression that is a part of another one."""
        value = self.lookup(node) if node.__class__ is ast.Name else self.evaluate(node)  # pyright: ignore[reportArgumentType]
        return self.consumed(value) if self.naming else value

    def consumed(self, value: object) -> object:
        """A value that becomes a part of an expression: a name for it, where calls have to be named."""
        if self.naming and isinstance(value, CALLS):
            return self.name(value)
        return value

    def is_evaluated(self, node: ast.expr) -> bool:
        """Whether the value of an inner part of a deep expression is there already."""
        return self._deep and node in self._evaluated

    def name(self, value: Expr, hint: str = "part", place: ast.AST | None = None) -> Var:
        """Assigns a part of an expression to a variable of its own, in front of the statement.

        ``place`` is where a variable is read: its own span is that of its definition.
        """
        span = value.span if place is None else self.span(place)
        var = Var(hint, value.type, span)
        self.emit(Assign(var, value, span))
        return var

    def fit(self, value: Expr, limit: int = MAX_EXPRESSION_DEPTH) -> Expr:
        """The expression, or a name for it where it is deeper than ``limit``."""
        if self.heights.get(value, 0) <= limit:
            return value
        if not self.naming:
            raise NamingNeeded(deep=False)
        return self.name(value)

    def grown(self, value: Expr, *parts: Expr) -> Expr:
        """Notes how deep an expression is that was built of these parts."""
        self.heights[value] = 1 + max(map(self.height, parts))
        return value

    def height(self, value: Expr) -> int:
        """How many operators stand around an expression's innermost operand, itself included."""
        return self.heights.get(value) or (1 if value.__class__ in CALLS else 0)

    def spilled(self, node: ast.expr) -> tuple[object, list[Stmt]]:
        """The value of an expression that Python evaluates only under a condition, and the statements it takes.

        Where the list is empty, nothing happens when it is evaluated, and it may always be.
        """
        calls = self.call_count
        if not self.naming:
            value = self.evaluate(node)
            if self.call_count != calls:
                raise NamingNeeded(deep=False)
            return value, []
        outer = self.statements
        inner: list[Stmt] = []
        self.statements = inner
        self.arms += 1
        value = self.operand(node)
        self.arms -= 1
        self.statements = outer
        if self.call_count == calls:
            outer.extend(inner)
            return value, []
        return value, inner

    def attempt(self, action: Callable[[FunctionTracer, NodeType], Result], node: NodeType) -> Result:
        """What ``action`` gives. It is undone and done again where a statement is needed in the middle of it."""
        statements, count, comments = self.statements, len(self.statements), self._waiting_comments
        depth = self._depth
        try:
            return action(self, node)
        except NamingNeeded as needed:
            deep = needed.deep
        while True:
            self.statements = statements
            del statements[count:]
            self._waiting_comments = comments
            self._depth = depth
            self.arms = 0
            self.naming = True
            self._deep = deep
            self._evaluated.clear()
            try:
                result = action(self, node)
            except NamingNeeded:
                deep = True
                continue
            self.naming = self._deep = False
            self._evaluated.clear()
            return result

    def whole(self, node: ast.expr) -> object:
        """The value of an expression that stands in a statement itself, in no other expression."""
        if self._deep and node not in self._evaluated:
            for part in inner_parts(node):
                self._depth = 0
                self._evaluated[part] = self.operand(part)
        return self.evaluate(node)

    def _go_deep(self, node: ast.expr) -> NoReturn:
        if self._deep:
            self.fail(
                "PL118",
                "the expression is nested too deep",
                node,
                hint="give its inner parts names, in statements before",
            )
        raise NamingNeeded(deep=True)

    def note_condition(self, node: ast.expr) -> None:
        """Notes that of an expression, which will be evaluated, only counts whether it is true, and so of its parts."""
        pending = [node]
        while pending:
            part = pending.pop()
            if isinstance(part, ast.BoolOp) and part not in self.conditions:
                self.conditions.add(part)
                pending += part.values
            elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
                pending.append(part.operand)

    # Names

    def lookup(self, node: ast.Name) -> object:
        """What a name means here. Raises PL105 or PL106, at the use, where it means nothing."""
        binding = self.names.get(node.id)
        if binding is None:
            found = self.environment.find(node.id)
            if found is MISSING:
                raise self._unknown(node)
            if isinstance(found, Unavailable):
                raise unavailable(node.id, self.span(node), found)
            return plain(found)
        if isinstance(binding, Variable):
            return binding.current
        if isinstance(binding, Static):
            return binding.value
        assert isinstance(binding, Gone)
        if binding.last is None:
            raise self._gone(node, binding)
        self.rebinds = True
        self.names.set(node.id, binding.last)
        return binding.last.current

    def _gone(self, node: ast.Name, binding: Gone) -> UserError:
        return UserError(
            Diagnostic(
                "PL106",
                f"{node.id!r} {binding.reason}",
                self.span(node),
                notes=[Note(f"{node.id!r} is bound here", binding.span)],
                hint=binding.hint,
            )
        )

    def _unknown(self, node: ast.Name) -> UserError:
        for other in ast.walk(self.definition):
            if isinstance(other, ast.Name) and other.id == node.id and isinstance(other.ctx, ast.Store):
                return UserError(
                    Diagnostic(
                        "PL106",
                        f"{node.id!r} is used before it is bound",
                        self.span(node),
                        notes=[Note(f"{node.id!r} is bound here", self.span(other))],
                        hint="bind it in a statement above",
                    )
                )
        return self.environment.unknown(node.id, self.span(node), self.names)

    # Statements and blocks

    def emit(self, statement: Stmt) -> None:
        """Adds a statement to the block; comments that wait for one go to it."""
        if self._waiting_comments:
            statement.comments = self.take_comments()
        self.statements.append(statement)

    def take_comments(self) -> tuple[str, ...]:
        """The comments that wait for a statement: one with blocks is made only after its blocks."""
        comments = self._waiting_comments
        self._waiting_comments = ()
        return comments

    def add_comments(self, comments: Sequence[str]) -> None:
        """Comments for the next statement that is made."""
        self._waiting_comments += tuple(comments)

    def run(self, steps: Steps) -> None:
        """Runs the steps of a block and of all blocks in it."""
        stack: list[Steps] = [steps]
        while stack:
            inner = next(stack[-1], None)
            if inner is None:
                stack.pop()
            else:
                stack.append(inner)

    def block(self, body: Sequence[ast.stmt], start: int, *, is_last: bool = True) -> Steps:
        """Traces statements that follow each other. ``start`` is the line from which on comments belong to them;
        ``is_last`` says whether they are the end of a block."""
        frame = self.frames[-1]
        last = len(body) - 1
        for index, node in enumerate(body):
            if frame.left is not None:
                if frame.skips:
                    return
                self._refuse_unreachable(node, frame.left)
            if self.comments.exist:
                self.add_comments(self.comments.before(node, start))
                start = (node.end_lineno or node.lineno) + 1
            self.is_last = is_last and index == last
            simple = _SIMPLE.get(node.__class__)
            if simple is not None:
                self.attempt(simple, node)
                continue
            compound = _COMPOUND.get(node.__class__)
            if compound is None:
                self.fail("PL103", f"{type(node).__name__} is not supported in a kernel", self.header_span(node))
            yield compound(self, node)
        if self.comments.exist and body:
            self.add_comments(self.comments.behind(body))

    def _refuse_unreachable(self, node: ast.stmt, left: str) -> NoReturn:
        if left == "yield":
            self.fail(
                "PL114", "pl.yield_ has to be the last statement of its block", node, hint="move this in front of it"
            )
        self.fail("PL103", f"the statement is never reached: it follows {left}", node, hint="remove it")

    def open_block(self, node: ast.stmt, frame: Frame, *, own_names: bool = True) -> list[Stmt]:
        """Begins a block of a statement. Gives the statements of the outer block, for ``close_block``."""
        self.check_nesting(self.header_span(node))
        self.is_deep = self.is_deep or len(self.frames) > MAX_NESTED_BLOCKS
        outer = self.statements
        self.statements = []
        self.frames.append(frame)
        self._nested += not frame.is_elif
        if own_names:
            self.names.open()
        return outer

    def check_nesting(self, place: ast.AST | Span) -> None:
        """Raises PL118 where one block more would be too deep to be printed."""
        if self._nested + self.arms > MAX_NESTED_BLOCKS:
            self.fail(
                "PL118",
                f"more than {MAX_NESTED_BLOCKS} blocks are nested",
                place,
                hint="move the inner part into a function of its own",
            )

    def close_block(self, node: ast.stmt, outer: list[Stmt]) -> Block:
        """Ends the block that was opened last; its names are the caller's to close."""
        self._nested -= not self.frames.pop().is_elif
        block = Block(tuple(self.statements), self.header_span(node), (), self.take_comments())
        self.statements = outer
        return block

    def new_block(self) -> int:
        """A number for a block whose statements may bind names to new variables."""
        self._blocks += 1
        return self._blocks
