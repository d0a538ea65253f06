"""Programs from text, where nothing else than a program can come of it."""

from __future__ import annotations

from pypto_lite import language


def parsed(text: str) -> language.Program:
    """The program in a text. Raises UserError where tracing refuses it."""
    program = language.parse(text)
    assert isinstance(program, language.Program)
    return program
