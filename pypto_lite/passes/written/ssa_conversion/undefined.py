"""The error for reading a variable that does not have a value on every way to where it is read."""

from __future__ import annotations

import re

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Note, Span, UserError

MAX_NOTES = 3
"""How many of a variable's definitions the error shows."""


def undefined(var: ir.Var, function: ir.Function, reader: ir.Stmt) -> UserError:
    """The error at ``reader``, or the expression in it, that reads ``var``; says where ``var`` is defined."""
    before: list[ir.Stmt] = []
    after: list[ir.Stmt] = []
    found = before
    for statement in ir.statements(function):
        if statement is reader:
            found = after
        if var in statement.definitions():
            found.append(statement)
    notes = [Note(_where(var, each), each.span) for each in (before or after)[:MAX_NOTES]]
    span = _place(var, reader)
    if not before:
        return UserError(Diagnostic("PL302", f"'{var.name}' is read before it is assigned", span, notes=notes))
    diagnostic = Diagnostic(
        "PL106",
        f"'{var.name}' has no value here on some way through the code",
        span,
        expected="an assignment on every way to this place",
        notes=notes,
        hint="assign it before the loop or branch, or in both arms of the branch",
    )
    return UserError(diagnostic)


def _where(var: ir.Var, definition: ir.Stmt) -> str:
    if isinstance(definition, ir.Loop):
        return f"'{var.name}' has a value only in this loop"
    return f"'{var.name}' is assigned here, which may not run"


def _place(var: ir.Var, reader: ir.Stmt) -> Span:
    """Where the name stands in the text of the expression directly around the variable, or of the statement."""
    return _name_in(_expression_around(var, reader), var.name)


def _name_in(span: Span, name: str) -> Span:
    """The place of the first word in a span that is this name, and not that of a keyword or an attribute."""
    text = None if span.source is None or span.line != span.end_line else span.source.line(span.line)
    if text is None or not text.isascii():
        return span
    word = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w|\s*=(?!=))")
    found = word.search(text, span.column - 1, span.end_column - 1)
    return span if found is None else Span(span.source, span.line, found.start() + 1, span.line, found.end() + 1)


def _expression_around(var: ir.Var, reader: ir.Stmt) -> Span:
    for operand in reader.operands():
        for node in ir.walk(operand):
            if isinstance(node, ir.Expr) and node.span and var in node.children():
                return node.span
    return reader.span
