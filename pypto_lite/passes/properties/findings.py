"""What the verifiers share: collecting findings with a place, and going through the statements of a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Span
from pypto_lite.passes.routes import ACC, ANY_TARGET

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pypto_lite.diagnostics import Note

CALLS = (ir.Call, ir.FunctionCall, ir.Submit)
"""The expressions that are calls."""

LEAVES = (ir.Var, ir.Const)
"""The expressions that hold no others."""


class Findings:
    """The diagnostics that one verifier collects, all under one code unless it says otherwise."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._function: ir.Function | None = None
        self.diagnostics: list[Diagnostic] = []

    def enter(self, function: ir.Function) -> None:
        """What follows is about this function."""
        self._function = function

    def add(
        self,
        message: str,
        at: ir.Stmt | ir.Expr | ir.Function,
        *,
        code: str | None = None,
        found: str | None = None,
        expected: str | None = None,
        notes: Iterable[Note] = (),
        hint: str | None = None,
    ) -> None:
        """Adds a finding at a node; where the node has no span, the message says in which function it is."""
        span: Span = at.span
        if not span and self._function is not None:
            span = self._function.span
            message = f"{message}, in function '{self._function.name}'"
            if found is None and not isinstance(at, ir.Function):
                found = repr(at)
        self.diagnostics.append(
            Diagnostic(code or self._code, message, span, found=found, expected=expected, notes=notes, hint=hint)
        )


def cannot_write(
    call: ir.Call,
    var: ir.Var | None,
    declared: ir.MemorySpace,
    possible: Iterable[ir.MemorySpace],
    span: Span,
) -> Diagnostic:
    """The error (PL403) for a result, assigned to ``var``, that is declared in a space which it can't be written to."""
    space = declared.name
    name = repr(var.name) if var is not None else "its result"
    return Diagnostic(
        "PL403",
        f"{call.op} cannot write {name} to {space}",
        span,
        found=f"{name} declared in {space}",
        expected=" or ".join(each.name for each in sorted(possible, key=lambda each: each.value)),
        hint=_way_to(declared, possible),
    )


def _way_to(declared: ir.MemorySpace, possible: Iterable[ir.MemorySpace]) -> str:
    """What to write instead of a space that a producer does not write."""
    if declared is ACC:
        return (
            "leave the space out: nothing is moved into Acc; an accumulator starts as an empty tile, "
            "pl.create_tile(...), or as the result of a plain pl.matmul"
        )
    if all(ANY_TARGET.chain(made, declared) is None for made in possible):
        return f"leave the space out: no move leads to {declared.name} either"
    return f"leave the space out, and move the tile with pl.move(..., target_memory=pl.MemorySpace.{declared.name})"


def statements(function: ir.Function) -> Iterator[ir.Stmt]:
    """Every statement of a function, nested blocks included, each before what is in it, in program order."""
    yield function.body
    nest = [iter(function.body.statements)]
    while nest:
        for statement in nest[-1]:
            yield statement
            if statement.__class__ not in _WITHOUT_BLOCKS:
                inner = statement.statements if isinstance(statement, ir.Block) else statement.blocks()
                nest.append(iter(inner))
                break
        else:
            nest.pop()


_WITHOUT_BLOCKS = frozenset({ir.Assign, ir.Evaluate, ir.Yield, ir.Return, ir.Break, ir.Continue})


def calls(statement: ir.Stmt) -> list[ir.Call | ir.FunctionCall | ir.Submit]:
    """The calls in what a statement reads itself, in the keywords of a scope too, outer ones before inner ones."""
    value = statement.value if isinstance(statement, (ir.Assign, ir.Evaluate)) else None
    if isinstance(value, ir.Call) and holds_no_calls(value):
        return [value]  # as it is with nearly all statements
    found: list[ir.Call | ir.FunctionCall | ir.Submit] = []
    stack: list[ir.Node] = []
    if isinstance(statement, ir.Scope):
        stack.extend(keyword_expressions(statement)[::-1])
    stack.extend(statement.operands()[::-1])
    while stack:
        node = stack.pop()
        if isinstance(node, LEAVES):
            continue
        if isinstance(node, CALLS):
            found.append(node)
        stack.extend(node.children()[::-1])
    return found


def holds_no_calls(call: ir.Call) -> bool:
    """Whether the operands of a call are, as they mostly are, variables, constants and lists of such."""
    for arg in call.args:
        if isinstance(arg, ir.MakeTuple):
            if arg.integers is None and not all(isinstance(element, LEAVES) for element in arg.elements):
                return False
        elif not isinstance(arg, LEAVES):
            return False
    return True


def spliced(block: ir.Block) -> Iterator[ir.Stmt]:
    """The statements of a block, with those of Blocks directly in it in their place."""
    stack: list[ir.Stmt] = list(block.statements[::-1])
    while stack:
        statement = stack.pop()
        if isinstance(statement, ir.Block):
            stack.extend(statement.statements[::-1])
        else:
            yield statement


def keyword_expressions(statement: ir.Stmt) -> list[ir.Expr]:
    """The expressions among the keywords of a scope, which are no operands of it."""
    if not isinstance(statement, ir.Scope):
        return []
    return [value for value in statement.keywords.values() if isinstance(value, ir.Expr)]


def plural(count: int, noun: str) -> str:
    """``1 value``, ``2 values``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def calls_something(expression: ir.Expr) -> bool:
    """Whether there is a call anywhere in an expression."""
    return any(isinstance(node, CALLS) for node in ir.walk(expression))
