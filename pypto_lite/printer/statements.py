"""Writes statements: what each class of them looks like, and the blocks they hold."""

from __future__ import annotations

from collections import Counter
from copy import copy
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pypto_lite import ops
from pypto_lite.ir import (
    LOOP_OPTIONS,
    UNKNOWN,
    Assign,
    Block,
    Break,
    Call,
    Const,
    Continue,
    Evaluate,
    Expr,
    For,
    ForKind,
    FunctionCall,
    If,
    Return,
    Scope,
    ScopeKind,
    Stmt,
    Submit,
    TileType,
    TupleItem,
    TupleType,
    Type,
    Var,
    While,
    Yield,
    walk,
)
from pypto_lite.ir.dtypes import INDEX
from pypto_lite.printer.inferred import Inferred, hides_view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pypto_lite.printer.expressions import Expressions
    from pypto_lite.printer.output import Output
    from pypto_lite.printer.patterns import Patterns

_LOOPS: Final = {
    ForKind.Sequential: "range",
    ForKind.Parallel: "parallel",
    ForKind.Unroll: "unroll",
    ForKind.Pipeline: "pipeline",
}
_SCOPES: Final = {
    ScopeKind.At: "at",
    ScopeKind.Spmd: "spmd",
    ScopeKind.Cluster: "cluster",
    ScopeKind.Runtime: "scope",
    ScopeKind.Manual: "manual_scope",
}


class _Frame:
    """A block that is being written."""

    __slots__ = ("block", "count", "depth", "header", "opened", "owner", "part", "rest")

    def __init__(
        self, block: Block, depth: int, owner: For | While | If | None = None, header: str | None = None
    ) -> None:
        self.block = block
        self.depth = depth
        self.owner = owner
        """The loop or branch whose results its Yield defines."""
        self.header = header
        """The line in front of it, where the statement that holds it has not written it: ``else:``."""
        self.part = False
        """Whether it is a block directly inside another one."""
        self.rest = iter(block.statements)
        """What is still to be written."""
        self.opened = False
        self.count = 0
        """How many lines of code there were before it."""


_Writer: TypeAlias = "Callable[[Statements, Any, _Frame], None]"
_WRITERS: Final[dict[type[Stmt], _Writer]] = {}


def _writes(cls: type[Stmt]) -> Callable[[_Writer], _Writer]:
    """Declares which method writes a class of statements."""

    def declare(method: _Writer) -> _Writer:
        _WRITERS[cls] = method
        return method

    return declare


class Statements:
    """Writes the statements of one function or of a fragment."""

    def __init__(
        self, output: Output, expressions: Expressions, patterns: Patterns | None, inferred: Inferred | None = None
    ) -> None:
        self._output = output
        self._expressions = expressions
        self._patterns = patterns
        """Those of the whole text; None where each line is to be composed by itself."""
        self._inferred = inferred
        """Knows which annotations can be left out; None where all are written."""
        self._frames: list[_Frame] = []
        self._root: Stmt = Block(())
        self._occurrences: Counter[Any] | None = None

    def write(self, root: Stmt, depth: int) -> None:
        """Writes a statement, or the statements of a block, ``depth`` levels indented."""
        self._root = root
        frames = self._frames
        frames.append(_Frame(root if isinstance(root, Block) else Block((root,)), depth))
        while frames:
            frame = frames[-1]
            if not frame.opened:
                self._open(frame)
            depth = frame.depth
            for statement in frame.rest:
                if statement.comments:
                    self._comments(statement.comments, depth)
                _WRITERS[statement.__class__](self, statement, frame)
                if frames[-1] is not frame:
                    break  # what the statement holds comes first
            else:
                frames.pop()
                self._close(frame)

    def _open(self, frame: _Frame) -> None:
        frame.opened = True
        if frame.header is not None:
            self._output.line(frame.header, frame.depth - 1)
        frame.count = self._output.count
        self._comments(frame.block.comments, frame.depth)
        owner = frame.owner
        if isinstance(owner, While) and owner.carries:
            self._output.call("pl.cond(", [self._expressions.typed(owner.condition)], frame.depth)

    def _close(self, frame: _Frame) -> None:
        if frame.count == self._output.count and not frame.part:
            self._output.line("pass", frame.depth)
        self._comments(frame.block.trailing_comments, frame.depth)

    def _comments(self, comments: Sequence[str], depth: int) -> None:
        for comment in comments:
            self._output.comment(comment, depth)

    def _line(self, statement: Stmt, text: str, frame: _Frame) -> None:
        self._output.line(self._expressions.marked(statement, text), frame.depth)

    # Assignments and calls

    @_writes(Assign)
    def _assign(self, statement: Assign, frame: _Frame) -> None:
        value = statement.value
        if isinstance(statement.var.type, TupleType) and isinstance(value, (FunctionCall, Submit, Call)):
            items = self._unpacked(statement, frame)
            if items:
                self._unpacking(statement, items, frame)
                return
        elif isinstance(value, Call) and self._patterns is not None:
            line = self._patterns.line(statement, value, frame.depth, self._expressions, self._called)
            if line is not None:
                self._output.lines.append(line)
                return
        self._valued(statement, *self._target(statement, self._expressions.name(statement.var)), frame)

    def _target(self, statement: Assign, name: str) -> tuple[str, Type | None]:
        """The variable with its type, unless tracing finds that by itself; and the type that is written."""
        type_ = statement.var.type
        if self._inferred is not None and self._inferred.assigned(statement):
            return name, None
        return self._annotated(name, type_, statement.value), type_

    def _annotated(self, name: str, type_: Type, value: Expr) -> str:
        """A variable with its type, so that the type is understood as it is beside this value."""
        if type_ is UNKNOWN:
            return name
        types = self._expressions.types
        if isinstance(type_, TileType) and hides_view(value, type_):
            return f"{name}: {types.with_view(type_)}"
        return f"{name}: {types.text(type_)}"

    def _valued(self, statement: Assign, target: str, shown: Type | None, frame: _Frame) -> None:
        """``target = value``; ``shown`` is the type that the target names."""
        value = statement.value
        parts = self._expressions.call_parts(value, _said(value, shown))
        start = self._expressions.marked(statement, target)
        if parts is None:
            self._output.line(f"{start} = {self._expressions.text(value)}", frame.depth)
        else:
            self._output.call(f"{start} = {parts[0]}", parts[1], frame.depth)

    def _called(self, statement: Assign, name: str, operands: list[str]) -> tuple[str, list[str]]:
        """The assignment of a call to a variable of this name, with operands of these texts: what is in front of the
        arguments, and the arguments."""
        target, shown = self._target(statement, name)
        call = cast("Call", statement.value)
        head, arguments = self._expressions.operator_call(call, operands, _said(call, shown))
        return f"{target} = {head}", arguments

    def _unpacked(self, statement: Assign, frame: _Frame) -> list[Assign]:
        """The statements right behind the assignment of a tuple that take it apart, if nothing else reads it."""
        var = statement.var
        types = cast("TupleType", var.type).types
        items: list[Assign] = []
        for index, (item, type_) in enumerate(zip(copy(frame.rest), types, strict=False)):
            if not isinstance(item, Assign) or not isinstance(item.value, TupleItem) or item.comments:
                return []
            if item.value.tuple is not var or item.value.index != index or item.var.type != type_:
                return []
            items.append(item)
        if self._occurrences is None:
            self._occurrences = Counter(node for node in walk(self._root) if isinstance(node, Var))
        return items if len(items) == len(types) and self._occurrences[var] == len(items) + 1 else []

    def _unpacking(self, statement: Assign, items: Sequence[Assign], frame: _Frame) -> None:
        for _ in items:
            next(frame.rest)
        names = [self._expressions.marked(item, self._expressions.name(item.var)) for item in items]
        target = f"({names[0]},)" if len(names) == 1 else ", ".join(names)
        self._valued(statement, target, None, frame)

    @_writes(Evaluate)
    def _evaluate(self, statement: Evaluate, frame: _Frame) -> None:
        parts = self._expressions.call_parts(statement.value)
        if parts is None:
            self._line(statement, self._expressions.typed(statement.value), frame)
        else:
            self._output.call(self._expressions.marked(statement, parts[0]), parts[1], frame.depth)

    @_writes(Yield)
    def _yield(self, statement: Yield, frame: _Frame) -> None:
        values = self._expressions.texts(statement.values)
        results = frame.owner.results if frame.owner is not None else ()
        head = "pl.yield_("
        if results and len(results) == len(values):
            if len(results) == 1:
                target = self._expressions.name(results[0])
                if self._inferred is None or not self._inferred.yielded(cast("For | While | If", frame.owner)):
                    target = self._annotated(target, results[0].type, statement.values[0])
                head = f"{target} = {head}"
            else:
                head = f"{', '.join(map(self._expressions.name, results))} = {head}"
        self._output.call(self._expressions.marked(statement, head), values, frame.depth)

    @_writes(Return)
    def _return(self, statement: Return, frame: _Frame) -> None:
        values = ", ".join(self._expressions.texts(statement.values))
        self._line(statement, f"return {values}".rstrip(), frame)

    @_writes(Break)
    def _break(self, statement: Break, frame: _Frame) -> None:
        self._line(statement, "break", frame)

    @_writes(Continue)
    def _continue(self, statement: Continue, frame: _Frame) -> None:
        self._line(statement, "continue", frame)

    # Statements with blocks

    @_writes(Block)
    def _block(self, statement: Block, frame: _Frame) -> None:
        inner = Block(statement.statements, statement.span, (), statement.trailing_comments)
        self._frames.append(_Frame(inner, frame.depth, frame.owner))
        self._frames[-1].part = True

    @_writes(For)
    def _for(self, statement: For, frame: _Frame) -> None:
        target = self._expressions.name(statement.var)
        if statement.carries:
            target += f", ({_listed(map(self._expressions.name, statement.carries))})"
        options = {name: value for name, value in statement.attrs.items() if name in LOOP_OPTIONS}
        others = {name: value for name, value in statement.attrs.items() if name not in LOOP_OPTIONS}
        arguments = [*self._bounds(statement), *self._inits(statement.inits), *self._options(options)]
        arguments += self._expressions.attributes(others)
        self._line(statement, f"for {target} in pl.{_LOOPS[statement.kind]}({', '.join(arguments)}):", frame)
        self._frames.append(_Frame(statement.body, frame.depth + 1, statement))

    def _bounds(self, statement: For) -> list[str]:
        bounds = [statement.start, statement.stop, statement.step]
        if _is_index(statement.step, 1):
            bounds.pop()
            if _is_index(statement.start, 0):
                bounds.pop(0)
        return self._expressions.texts(bounds)

    def _inits(self, inits: Sequence[Expr]) -> list[str]:
        return [f"init_values=({_listed(self._expressions.texts(inits))})"] if inits else []

    def _options(self, options: Mapping[str, Any]) -> list[str]:
        return [f"{name}={self._expressions.data(value)}" for name, value in options.items()]

    @_writes(While)
    def _while(self, statement: While, frame: _Frame) -> None:
        if statement.carries:
            names = [self._expressions.name(carry) for carry in statement.carries]
            target = f"({names[0]},)" if len(names) == 1 else ", ".join(names)
            inits = self._inits(statement.inits)
            self._line(statement, f"for {target} in pl.while_({', '.join(inits)}):", frame)
        else:
            self._line(statement, f"while {self._expressions.typed(statement.condition)}:", frame)
        self._frames.append(_Frame(statement.body, frame.depth + 1, statement))

    @_writes(If)
    def _if(self, statement: If, frame: _Frame) -> None:
        self._line(statement, f"if {self._expressions.typed(statement.condition)}:", frame)
        depth = frame.depth + 1
        arms = [_Frame(statement.then_body, depth, statement)]
        while True:
            other = statement.else_body
            if other is None or not (other.statements or other.comments or other.trailing_comments):
                break
            nested = _sole_branch(statement, other)
            if nested is None:
                arms.append(_Frame(other, depth, statement, "else:"))
                break
            header = self._expressions.marked(nested, f"elif {self._expressions.typed(nested.condition)}:")
            arms.append(_Frame(nested.then_body, depth, nested, header))
            statement = nested
        self._frames.extend(reversed(arms))

    @_writes(Scope)
    def _scope(self, statement: Scope, frame: _Frame) -> None:
        # Lists are tuples in the IR; brackets are how they are written.
        keywords = {
            name: list(cast("Sequence[Any]", value)) if isinstance(value, tuple) else value
            for name, value in statement.keywords.items()
        }
        arguments = [*self._expressions.texts(statement.args), *self._options(keywords)]
        call = f"pl.{_SCOPES[statement.kind]}({', '.join(arguments)})"
        if statement.var is None:
            self._line(statement, f"with {call}:", frame)
        else:
            self._line(statement, f"for {self._expressions.name(statement.var)} in {call}:", frame)
        self._frames.append(_Frame(statement.body, frame.depth + 1))


def _said(value: Expr, shown: Type | None) -> str | None:
    """The keyword that the printed type says already, where reading makes this keyword of it."""
    if not isinstance(value, Call) or not isinstance(shown, TileType):
        return None
    target = value.keywords.get("target_memory")
    if target is None or shown.space is not target:
        return None
    operator = ops.find(value.op)
    return "target_memory" if operator is not None and operator.retargetable else None


def _is_index(expression: Expr, value: int) -> bool:
    return isinstance(expression, Const) and expression.value == value and expression.type.dtype is INDEX


def _listed(texts: Any) -> str:
    """The items of a tuple, with the comma that a single one needs."""
    items = list(texts)
    return f"{items[0]}," if len(items) == 1 else ", ".join(items)


def _sole_branch(outer: If, block: Block) -> If | None:
    """The branch that is all there is in an ``else``, where both can be written with ``elif``."""
    if outer.results or len(block.statements) != 1 or block.comments or block.trailing_comments:
        return None
    (nested,) = block.statements
    return nested if isinstance(nested, If) and not nested.results and not nested.comments else None
