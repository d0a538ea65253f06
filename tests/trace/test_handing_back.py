"""Inline functions that write parts of their arguments: the names that are passed stand for the written values then.

Calls are compared with what they mean, written out in the caller.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.diagnostics import UserError

PROGRAM = """\
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x: pl.Tensor[[16, 32], pl.FP32],
        n: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
    ) -> pl.Tensor[[16, 32], pl.FP32]:
        t = pl.load(x, [0, 0], [16, 32])
        part = pl.load(x, [4, 0], [4, 32])
        {caller}
        return pl.store(t, [0, 0], out)

    @pl.inline
    def fill(self, a: pl.Tile[[4, 32], pl.FP32], tile: pl.Tile[[16, 32], pl.FP32], n: pl.Scalar[pl.INDEX]):
        {body}
"""


def parsed(body: str, caller: str = "t = self.fill(part, t, n)") -> ir.Program:
    lines = {"body": body, "caller": caller}
    program = pl.parse(PROGRAM.format(**{name: text.replace("\n", "\n        ") for name, text in lines.items()}))
    assert isinstance(program, ir.Program)
    return program


X = np.arange(16 * 32, dtype=np.float32).reshape(16, 32)


def run(program: ir.Program, n: int = 2) -> np.ndarray:
    """What the kernel computes, before and after lowering, and when its printed text is read again."""
    found = program.run(x=X, n=n)
    for other in (program.lower(), pl.parse(str(program))):
        assert (other.run(x=X, n=n) == found).all()
    return found


def written(*rows: int) -> np.ndarray:
    """The input with its second four rows at these places."""
    expected = X.copy()
    for row in rows:
        expected[row : row + 4] = X[4:8]
    return expected


FIRST_ROWS = {
    "returned": ("tile[0:4, :] = a\nreturn tile", "t = self.fill(part, t, n)"),
    "returned, bound to another name": ("tile[0:4, :] = a\nreturn tile", "u = self.fill(part, t, n)"),
    "returned, not bound": ("tile[0:4, :] = a\nreturn tile", "self.fill(part, t, n)"),
    "not returned": ("tile[0:4, :] = a", "self.fill(part, t, n)"),
    "something else returned": ("tile[0:4, :] = a\nreturn a", "part = self.fill(part, t, n)"),
    "among several results": ("tile[0:4, :] = a\nreturn n, tile", "m, t = self.fill(part, t, n)"),
    "several others returned": ("tile[0:4, :] = a\nreturn n, a", "m, part = self.fill(part, t, n)"),
    "under another name": ("u = tile\nu[0:4, :] = a\nreturn u", "t = self.fill(part, t, n)"),
    "under a further name": ("tile[0:4, :] = a\nu = tile\nreturn u", "t = self.fill(part, t, n)"),
    "in two arms that return": (
        "if n > 1:\n    tile[0:4, :] = a\n    return tile\ntile[0:2, :] = a[0:2, :]\n"
        "tile[2:4, :] = a[2:4, :]\nreturn tile",
        "t = self.fill(part, t, n)",
    ),
    "in a branch": ("if n > 1:\n    tile[0:4, :] = a\nreturn tile", "t = self.fill(part, t, n)"),
    "in one of two arms": ("if n < 1:\n    tile[8:12, :] = a\nelse:\n    tile[0:4, :] = a", "self.fill(part, t, n)"),
    "in a loop": ("for i in pl.range(4):\n    tile[i:i + 1, :] = a[i:i + 1, :]", "self.fill(part, t, n)"),
    "one arm of which returns": ("if n < 1:\n    return n\ntile[0:4, :] = a\nreturn n", "m = self.fill(part, t, n)"),
    "one of several parameters": (
        "a[0:2, :] = a[2:4, :]\ntile[0:4, :] = a\nreturn tile",
        "whole = pl.exp(part)\nself.fill(whole, t, n)\nt[0:4, :] = part",
    ),
    "called in a loop": ("tile[0:4, :] = a", "for i in pl.range(n):\n    self.fill(part, t, n)"),
    "called in a branch": ("tile[0:4, :] = a\nreturn n", "if n > 1:\n    m = self.fill(part, t, n)"),
    "called in an expression": ("tile[0:4, :] = a\nreturn n", "m = n + self.fill(part, t, n) * 2"),
    "of a value without a name": ("tile[0:4, :] = a\nreturn tile", "t = self.fill(part, pl.add(t, 0.0), n)"),
    "of what another name stands for": ("tile[0:4, :] = a", "u = t\nself.fill(part, u, n)\nt = u"),
    "of a variable that is bound again": ("tile[0:4, :] = a\nn = n + 1", "self.fill(part, t, n)"),
}


@pytest.mark.parametrize(("body", "caller"), FIRST_ROWS.values(), ids=FIRST_ROWS)
def test_the_caller_sees_a_part_that_is_written(body: str, caller: str) -> None:
    assert (run(parsed(body, caller)) == written(0)).all()


def test_a_part_that_is_written_and_returned_is_the_result() -> None:
    explicit = parsed("tile = pl.assemble(tile, a, [0, 0])\nreturn tile")

    ir.assert_structural_equal(parsed("tile[0:4, :] = a\nreturn tile"), explicit)


def test_a_parameter_that_is_not_returned_is_returned_behind_the_results() -> None:
    explicit = parsed(
        "tile = pl.assemble(tile, a, [0, 0])\nreturn a, tile",
        "results = self.fill(part, t, n)\nt = results[1]\npart = results[0]",
    )

    ir.assert_structural_equal(parsed("tile[0:4, :] = a\nreturn a", "part = self.fill(part, t, n)"), explicit)


def test_a_function_writes_through_another_one() -> None:
    program = (
        PROGRAM.format(caller="self.outer(part, t, n)", body="tile[0:4, :] = a")
        + """
    @pl.inline
    def outer(self, a: pl.Tile[[4, 32], pl.FP32], tile: pl.Tile[[16, 32], pl.FP32], n: pl.Scalar[pl.INDEX]):
        for i in pl.range(2):
            self.fill(a, tile, i)
        tile[8:12, :] = a
"""
    )

    assert (run(pl.parse(program)) == written(0, 8)).all()


@pl.inline
def zeroed(tile: pl.Tile[[16, 32], pl.FP32]):
    tile[0:4, :] = 0.0


@pl.inline
def zeroed_by(tile: pl.Tile[[16, 32], pl.FP32], count: pl.Scalar[pl.INDEX]):
    zeroed(tile)
    return count


def test_a_function_outside_the_program_is_seen_too() -> None:
    @pl.program
    class Outside:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            t = pl.load(x, [0, 0], [16, 32])
            n = zeroed_by(t, 8)
            t[n : n + 4, :] = 0.0
            return pl.store(t, [0, 0], out)

    expected = X.copy()
    expected[0:4] = expected[8:12] = 0

    assert (Outside.run(x=X) == expected).all()
    assert (Outside.lower().run(x=X) == expected).all()


def test_tensors_and_arrays_are_written_alike() -> None:
    @pl.program
    class Others:
        @pl.inline
        def put(self, a: pl.Tensor[[4, 32], pl.FP32], target: pl.Tensor[[16, 32], pl.FP32]):
            target[0:4, :] = a

        @pl.inline
        def count(self, counts: pl.Array[2, pl.INT32]):
            counts[1] = counts[0] + 1

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> tuple[pl.Tensor[[16, 32], pl.FP32], pl.Scalar[pl.INT32]]:
            counts = pl.array.create(2, pl.INT32)
            counts[0] = 4
            self.count(counts)
            out[0:16, :] = x
            self.put(x[4:8, :], out)
            return out, counts[1]

    found, count = Others.run(x=X)

    assert (found == written(0)).all()
    assert count == 5


REFUSED = {
    "a view of the parameter": ("lo = tile[0:8]\nlo[0:4, :] = a  # expect", "self.fill(part, t, n)", "PL103", "view"),
    "the name stands for another value at the end": (
        "tile[0:4, :] = a  # expect\ntile = pl.exp(tile)\nreturn tile", "t = self.fill(part, t, n)", "PL103", "stand",
    ),
    "the name may stand for another value": (
        "if n > 1:\n    tile = pl.exp(tile)\ntile[0:4, :] = a  # expect", "self.fill(part, t, n)", "PL103", "stand",
    ),
    "a part of what a name stands for": ("tile[0:4, :] = a", "self.fill(part, t[:, :], n)  # expect", "PL103", "name"),
    "a view": ("tile[0:4, :] = a", "self.fill(part, pl.reshape(t, [16, 32]), n)  # expect", "PL103", "no name"),
    "an element of a list": ("tile[0:4, :] = a", "h = [t]\nself.fill(part, h[0], n)  # expect", "PL103", "no name"),
    "the same value twice": ("tile[0:4, :] = a", "part = t[0:4]\nself.fill(part, t, n)  # expect", "PL103", "twice"),
    "where Python may not call it": (
        "tile[0:4, :] = a\nreturn n", "m = 1 if n > 3 else self.fill(part, t, n)  # expect", "PL103", "if statement",
    ),
    "no value": ("tile[0:4, :] = a", "m = self.fill(part, t, n)  # expect", "PL201", "no value"),
    "an operand without a value": ("tile[0:4, :] = a", "t = pl.exp(self.fill(part, t, n))  # expect", "PL201", "value"),
    "another name of the value": (
        "tile[0:4, :] = a", "u = t\nself.fill(part, t, n)\nt = pl.add(u, 0.0)  # expect", "PL106", "'u' shares",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "caller", "code", "text"), REFUSED.values(), ids=REFUSED)
def test_what_the_caller_could_not_see_is_refused(body: str, caller: str, code: str, text: str) -> None:
    with pytest.raises(UserError, match=re.escape(text)) as caught:
        parsed(body, caller)

    span = caught.value.span
    assert caught.value.code == code
    assert span.source is not None
    assert "# expect" in (span.source.line(span.line) or "")


def test_a_function_that_writes_parts_can_not_call_itself() -> None:
    with pytest.raises(UserError, match="PL113"):
        parsed("tile[0:4, :] = a\nself.fill(a, tile, n)")
