"""The two families of errors: what a user wrote is wrong (UserError), or we are (InternalError)."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from pypto_lite.diagnostics.codes import CODES
from pypto_lite.diagnostics.render import render
from pypto_lite.diagnostics.source import NO_SPAN, Span

if TYPE_CHECKING:
    from collections.abc import Iterable


class Severity(enum.Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Note:
    """A second place that a diagnostic points at, such as "accumulator created here"."""

    __slots__ = ("message", "span")

    def __init__(self, message: str, span: Span = NO_SPAN) -> None:
        self.message = message
        self.span = span


class Diagnostic:
    """One finding: a code, a place, what was found, what was expected, other places, and a hint.

    ``operand`` names the operand or keyword of a call that is at fault, for whoever knows the call's
    source and can point the span at that operand.
    """

    __slots__ = ("code", "expected", "found", "hint", "message", "notes", "operand", "severity", "span")

    def __init__(
        self,
        code: str,
        message: str,
        span: Span = NO_SPAN,
        *,
        severity: Severity = Severity.ERROR,
        found: str | None = None,
        expected: str | None = None,
        notes: Iterable[Note] = (),
        hint: str | None = None,
        operand: str | None = None,
    ) -> None:
        if code not in CODES:
            raise KeyError(f"diagnostic code {code} is not in the table of codes")
        self.code = code
        self.message = message
        self.span = span
        self.severity = severity
        self.found = found
        self.expected = expected
        self.notes = tuple(notes)
        self.hint = hint
        self.operand = operand

    def at(self, span: Span) -> Diagnostic:
        """The same diagnostic at ``span``."""
        return self.replace(span=span)

    def replace(self, **changes: Any) -> Diagnostic:
        """The same diagnostic but for some fields."""
        return Diagnostic(**{name: changes.get(name, getattr(self, name)) for name in Diagnostic.__slots__})

    def __str__(self) -> str:
        return render(self)

    def __repr__(self) -> str:
        return f"Diagnostic({self.code}, {self.message!r}, {self.span!r})"


class UserError(Exception):
    """What the user wrote cannot be accepted. Holds one or more diagnostics, the first of them an error."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.diagnostics = diagnostics

    @property
    def code(self) -> str:
        return self.diagnostics[0].code

    @property
    def span(self) -> Span:
        return self.diagnostics[0].span

    def located(self, span: Span) -> UserError:
        """The error with ``span`` as the place of what has none yet."""
        return UserError(*[each if each.span else each.at(span) for each in self.diagnostics])

    def __str__(self) -> str:
        return "\n\n".join(render(diagnostic) for diagnostic in self.diagnostics)

    def _render_traceback_(self) -> list[str]:
        """What IPython and notebooks show: the diagnostics, which know the places, instead of a traceback of ours."""
        return str(self).splitlines()


class InternalError(Exception):
    """A bug of pypto_lite: carries the pass that failed, the printed IR and the path of a reproducer file."""

    def __init__(
        self, message: str, *, pass_name: str | None = None, printed: str | None = None, reproducer: str | None = None
    ) -> None:
        super().__init__(message)
        self.pass_name = pass_name
        self.printed = printed
        self.reproducer = reproducer

    def __str__(self) -> str:
        parts = [f"PL901: {self.args[0]}"]
        if self.pass_name is not None:
            parts.append(f"in pass {self.pass_name}")
        if self.reproducer is not None:
            parts.append(f"to reproduce: {self.reproducer}")
        return "\n  ".join(parts)
