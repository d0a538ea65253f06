"""What bad kernels get: each snippet in ``errors/*.txt`` says which code it expects, and at which piece of text.

A snippet begins with a line ``=== title``. Where the title begins with ``[text]`` it is a whole text, else the middle
of the kernel in ``kernels.py``. The failing line ends in ``# expect: CODE `piece` ``: the error has that code, and its
place is that piece of the line, to the column; ``#2`` behind the piece says the second one on the line. What follows a
semicolon is part of the error's rendered text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import Diagnostic, UserError
from tests.trace.kernels import text_of

EXPECTED = re.compile(r"# expect: (PL\d{3}) `(.+?)`(?:#(\d))?(?:; (.*))?$")


class Snippet(NamedTuple):
    """A kernel with a mistake in it."""

    title: str
    text: str


def read_snippets() -> list[Snippet]:
    snippets: list[Snippet] = []
    for path in sorted(Path(__file__).parent.joinpath("errors").glob("*.txt")):
        for part in path.read_text().split("=== ")[1:]:
            title, _, body = part.partition("\n")
            body = body.rstrip("\n")
            if not title.startswith("[text]"):
                body = text_of(body)
            snippets.append(Snippet(f"{path.stem}: {title}", body))
    return snippets


SNIPPETS = read_snippets()


@pytest.mark.parametrize("snippet", SNIPPETS, ids=[snippet.title for snippet in SNIPPETS])
def test_error(snippet: Snippet) -> None:
    ((number, line),) = [(n, line) for n, line in enumerate(snippet.text.split("\n"), 1) if "# expect:" in line]
    expected = EXPECTED.search(line)
    assert expected is not None, line
    code, piece, which, rendered = expected.groups()
    column = -1
    for _ in range(int(which or 1)):
        column = line.index(piece, column + 1)

    with pytest.raises(UserError) as caught:
        pl.parse(snippet.text, "kernel.py")

    first = caught.value.diagnostics[0]
    span = first.span
    end = len(line) if span.end_line > span.line else span.end_column - 1
    found = (first.code, span.line, span.column, line[span.column - 1 : end].rstrip())
    assert found == (code, number, column + 1, piece)
    assert rendered is None or rendered in str(caught.value)


def diagnostics_of(text: str) -> tuple[Diagnostic, ...]:
    try:
        pl.parse(text, "kernel.py")
    except UserError as error:
        return error.diagnostics
    return ()


def test_proposed_names_are_known_where_they_are_proposed() -> None:
    followed = 0
    for snippet in SNIPPETS:
        if "did you mean" not in (hint := diagnostics_of(snippet.text)[0].hint or ""):
            continue
        for proposed in re.findall(r"'([\w.]+)'", hint):
            followed += 1
            after = diagnostics_of(corrected(snippet.text, proposed))
            unknown = [each.message for each in after if each.code in ("PL105", "PL107", "PL205", "PL209")]
            assert not any(f"'{proposed}'" in message for message in unknown), snippet.title
    assert followed >= 10


def corrected(text: str, proposed: str) -> str:
    """The text with a proposed name in the place of the misspelled one that its first error is about."""
    diagnostic = diagnostics_of(text)[0]
    wrong = re.findall(r"'(\w+)'", f"{diagnostic.message} {diagnostic.found}")[-1]
    lines = text.split("\n")
    line = lines[diagnostic.span.line - 1]
    head, tail = line[: diagnostic.span.column - 1], line[diagnostic.span.column - 1 :]
    qualified = r"(?:\bpl\.)?" if proposed.startswith("pl.") else ""
    lines[diagnostic.span.line - 1] = head + re.sub(rf"{qualified}\b{wrong}\b", proposed, tail, count=1)
    assert lines[diagnostic.span.line - 1] != line
    return "\n".join(lines)


def test_there_are_many_snippets() -> None:
    assert len(SNIPPETS) >= 240
    assert len({snippet.title for snippet in SNIPPETS}) == len(SNIPPETS)
