"""What bad kernels get: each snippet in ``errors/*.txt`` says which code it expects, and at which piece of text.

A snippet begins with a line ``=== title``. Where the title begins with ``[text]`` it is a whole text, else the middle
of the kernel below. The failing line ends in ``# expect: CODE `piece` ``: the error has that code, and its place is
that piece of the line, to the column; ``#2`` behind the piece says the second one on the line. What follows a semicolon
is part of the error's rendered text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

HEAD = """import math
import pypto_lite.language as pl

M = pl.dynamic("M")
K = pl.dynamic("K")
N = 16
SHAPE = [16, 128]


@pl.inline
def doubled(a: pl.Tile[[16, 128], pl.FP32]) -> pl.Tile[[16, 128], pl.FP32]:
    return pl.add(a, a)


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[64, 128], pl.FP32],
        h: pl.Tensor[[64, 128], pl.BF16],
        n: pl.Scalar[pl.INDEX],
        k: pl.Scalar[pl.INT32],
        f: pl.Scalar[pl.FP32],
        c: pl.Scalar[pl.BOOL],
        out: pl.Out[pl.Tensor[[64, 128], pl.FP32]],
    ) -> pl.Tensor[[64, 128], pl.FP32]:
        t = pl.load(x, [0, 0], [16, 128])
"""
TAIL = """        return pl.store(t, [0, 0], out)

    @pl.function
    def helper(self, a: pl.Tensor[[64, 128], pl.FP32], m: pl.Scalar[pl.INT32]) -> pl.Tensor[[64, 128], pl.FP32]:
        return a

    @pl.function
    def two(self, a: pl.Tensor[[64, 128], pl.FP32]):
        return a, a

    @pl.function
    def nothing(self, a: pl.Tensor[[64, 128], pl.FP32]):
        pass

    @pl.function
    def dims(self, a: pl.Tensor[[M, K], pl.FP32], b: pl.Tensor[[M, 8], pl.FP32]) -> pl.Tensor[[K, M], pl.FP32]:
        return pl.create_tensor([K, M], dtype=pl.FP32)
"""
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
                indented = [f"        {line}" if line else line for line in body.split("\n")]
                body = "\n".join([HEAD.rstrip("\n"), *indented, TAIL])
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


def test_there_are_many_snippets() -> None:
    assert len(SNIPPETS) >= 240
    assert len({snippet.title for snippet in SNIPPETS}) == len(SNIPPETS)
