"""Statements. Loops and branches name their carries and results explicitly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite.diagnostics import NO_SPAN, Span
from pypto_lite.ir.node import Expr, Stmt
from pypto_lite.ir.regions import Edge, Incoming, Phi, Region, RegionKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pypto_lite.ir.enums import ForKind, ScopeKind
    from pypto_lite.ir.expressions import Var


LOOP_OPTIONS: Final = ("stage", "chunk", "chunk_policy")
"""The attributes of loops that are written as keywords of their own; others as ``attrs={...}``."""


class Block(Stmt, children=("statements",)):
    """A list of statements: the body of a function, a loop or an arm; also a statement of its own, until normalised.

    ``trailing_comments`` are the source comments after its last statement.
    """

    statements: tuple[Stmt, ...]
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()
    trailing_comments: tuple[str, ...] = ()

    def blocks(self) -> tuple[Block, ...]:
        return tuple([statement for statement in self.statements if isinstance(statement, Block)])

    def operands(self) -> tuple[Expr, ...]:
        return ()

    @property
    def terminator(self) -> Stmt | None:
        """The statement that it ends with, which may be that of a Block at its end; None where it is empty."""
        last: Stmt = self
        while isinstance(last, Block):
            if not last.statements:
                return None
            last = last.statements[-1]
        return last

    @property
    def yielded(self) -> tuple[Expr, ...]:
        """The values that its final Yield passes on; none where it has no such end."""
        last = self.terminator
        return last.values if isinstance(last, Yield) else ()

    def rebuild(self, children: Any) -> Block:
        return Block(tuple(children), self.span, self.comments, self.trailing_comments)

    def __repr__(self) -> str:
        return f"Block({len(self.statements)} statements)"


class Assign(Stmt, children=("value", "var"), defines=("var",)):
    """``var = value``."""

    var: Var
    value: Expr
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"{self.var!r}: {self.var.type!r} = {self.value!r}"


class Evaluate(Stmt, children=("value",)):
    """A call for its effect."""

    value: Expr
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return repr(self.value)


class _LoopFields:
    """What all loops have; no Node, so that each class lists these among its own fields, in its own order."""

    __slots__ = ()
    inits: tuple[Expr, ...]
    carries: tuple[Var, ...]
    body: Block
    results: tuple[Var, ...]


class Loop(Stmt, _LoopFields):
    """The base of loops.

    ``carries`` hold ``inits`` in the first iteration and afterwards what the body's final Yield gave; ``results`` hold
    the last yielded values, or the inits where the loop does not run. All four have the same length.
    """

    def exit_definitions(self) -> tuple[Var, ...]:
        return self.results

    def phis(self) -> tuple[Phi, ...]:
        if not self.carries:
            return ()
        entries = [Incoming(Edge.INIT, init, self) for init in self.inits]
        ways = [entries, _incoming(Edge.YIELD, self.body)]
        return tuple([_phi(ways, position, carry, self.results) for position, carry in enumerate(self.carries)])


class For(
    Loop,
    children=("start", "stop", "step", "inits", "var", "carries", "body", "results"),
    defines=("var", "carries", "results"),
):
    """A counting loop over ``range(start, stop, step)``.

    ``attrs`` are the keywords of the loop call that have no meaning of their own here, such as ``stage`` of a pipeline.
    """

    kind: ForKind
    var: Var
    start: Expr
    stop: Expr
    step: Expr
    inits: tuple[Expr, ...]
    carries: tuple[Var, ...]
    body: Block
    results: tuple[Var, ...]
    attrs: Mapping[str, Any] = {}
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def regions(self) -> tuple[Region, ...]:
        return (Region(RegionKind.LOOP, self.body, (self.var, *self.carries)),)

    def __repr__(self) -> str:
        header = f"for {self.var!r} in {self.kind.name}({self.start!r}, {self.stop!r}, {self.step!r})"
        return f"{header}{_carried(self.carries, self.inits, self.results)}"


class While(
    Loop,
    children=("inits", "carries", "condition", "body", "results"),
    defines=("carries", "results"),
):
    """A loop that runs while ``condition``, which reads the carries, holds."""

    condition: Expr
    inits: tuple[Expr, ...]
    carries: tuple[Var, ...]
    body: Block
    results: tuple[Var, ...]
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def entry_operands(self) -> tuple[Expr, ...]:
        return self.inits

    def regions(self) -> tuple[Region, ...]:
        return (Region(RegionKind.LOOP, self.body, self.carries, self.condition),)

    def __repr__(self) -> str:
        return f"while {self.condition!r}{_carried(self.carries, self.inits, self.results)}"


class If(
    Stmt,
    children=("condition", "then_body", "else_body", "results"),
    defines=("results",),
):
    """A branch. With ``results`` both arms end in a Yield of as many values, which become the results."""

    condition: Expr
    then_body: Block
    else_body: Block | None
    results: tuple[Var, ...]
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def regions(self) -> tuple[Region, ...]:
        return (Region(RegionKind.ARM, self.then_body), Region(RegionKind.ARM, self.else_body))

    def exit_definitions(self) -> tuple[Var, ...]:
        return self.results

    def phis(self) -> tuple[Phi, ...]:
        if not self.results:
            return ()
        ways = [_incoming(Edge.THEN, self.then_body), _incoming(Edge.ELSE, self.else_body)]
        return tuple([_phi(ways, position, result) for position, result in enumerate(self.results)])

    def __repr__(self) -> str:
        return f"if {self.condition!r}" + (f" -> {list(self.results)!r}" if self.results else "")


class Yield(Stmt, children=("values",)):
    """The values that a body or an arm passes on; always its last statement."""

    values: tuple[Expr, ...]
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"yield {', '.join(map(repr, self.values))}"


class Return(Stmt, children=("values",)):
    """The values of the function; always the last statement of its body."""

    values: tuple[Expr, ...]
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"return {', '.join(map(repr, self.values))}".rstrip()


class Break(Stmt):
    """Leaves the innermost loop."""

    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "break"


class Continue(Stmt):
    """Goes on with the next iteration of the innermost loop."""

    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "continue"


class Scope(Stmt, children=("args", "keywords", "var", "body"), defines=("var",)):
    """A ``with`` block of a scope (``pl.at``, ``pl.spmd``, ...), or a loop over ``pl.spmd`` where ``var`` is its index.

    The names defined in it are visible after it, as in Python's ``with``. ``args`` are its positional operands,
    ``keywords`` its keyword arguments: operands too where they are expressions, else plain data.
    """

    kind: ScopeKind
    args: tuple[Expr, ...]
    keywords: Mapping[str, Any]
    var: Var | None
    body: Block
    span: Span = NO_SPAN
    comments: tuple[str, ...] = ()

    def regions(self) -> tuple[Region, ...]:
        return (Region(RegionKind.SECTION, self.body, self.definitions()),)

    def __repr__(self) -> str:
        return f"scope {self.kind.name}({', '.join([*map(repr, self.args), *map(str, self.keywords)])})"


def _carried(carries: tuple[Var, ...], inits: tuple[Expr, ...], results: tuple[Var, ...]) -> str:
    if not carries:
        return ""
    pairs = ", ".join(f"{carry!r} = {init!r}" for carry, init in zip(carries, inits, strict=False))
    return f" with ({pairs}) -> {list(results)!r}"


def _incoming(edge: Edge, block: Block | None) -> list[Incoming]:
    """What a block yields at its end."""
    last = None if block is None else block.terminator
    return [Incoming(edge, value, last) for value in last.values] if isinstance(last, Yield) else []


def _phi(ways: Iterable[list[Incoming]], position: int, var: Var, results: tuple[Var, ...] = ()) -> Phi:
    incoming = tuple([way[position] for way in ways if position < len(way)])
    return Phi(var, incoming, results[position] if position < len(results) else None)
