"""Programs from text, where nothing else than a program can come of it."""

from __future__ import annotations

from pypto_lite import language, trace


def parsed(text: str) -> language.Program:
    """The program in a text. Raises UserError where tracing refuses it."""
    program = language.parse(text)
    assert isinstance(program, language.Program)
    return program


def as_written(text: str) -> language.Program:
    """The program in a text before it is in SSA form: loops are left, and names bound again, as they are written."""
    return trace.parse_as_written(
        text, "<string>", language, make_program=language.Program, make_function=language.Function
    )
