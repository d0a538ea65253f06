"""Coded errors, spans and their rendering. The lowest room: knows no IR class."""

from pypto_lite.diagnostics.codes import CODES, Code
from pypto_lite.diagnostics.errors import Diagnostic, InternalError, Note, Severity, UserError
from pypto_lite.diagnostics.render import render
from pypto_lite.diagnostics.source import NO_SPAN, SourceText, Span
from pypto_lite.diagnostics.suggest import did_you_mean

__all__ = [
    "CODES",
    "NO_SPAN",
    "Code",
    "Diagnostic",
    "InternalError",
    "Note",
    "Severity",
    "SourceText",
    "Span",
    "UserError",
    "did_you_mean",
    "render",
]
