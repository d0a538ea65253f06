"""The diagnostics that a verifier collects, each with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.analysis.routes import ACC, ANY_TARGET
from pypto_lite.diagnostics import Diagnostic, Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.diagnostics import Note


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


def plural(count: int, noun: str) -> str:
    """``1 value``, ``2 values``."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
