"""Writing a slice of what has several names: the others are not read afterwards, since they would not see it."""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.diagnostics import UserError
from tests.trace.kernels import text_of, traced


@pytest.mark.parametrize(
    "body",
    [
        "lo = t[0:8]\nhi = t[8:16]\nt[0:8] = pl.exp(lo)\nt[8:16] = pl.exp(hi)",
        "u = t\nu[0:4] = 0.0\nt = pl.exp(u)",
        "u = pl.exp(t)\nu[0:4] = 0.0\nt = pl.add(t, u)",
        "u = t\nt = pl.exp(t)\nt[0:4] = 0.0\nt = pl.add(t, u)",
        "for i in pl.range(4):\n    u = t[4:8]\n    t[0:8] = pl.exp(t[0:8])\n    t[0:4] = t[8:12]",
        "u = t[0:4]\nfor i in pl.range(4):\n    u = t[4:8]\n    t[4:8] = u",
        "u = t\nu[0:4] = 0.0\nu[0:4] = 1.0\nt = u",
    ],
)
def test_what_can_not_be_misunderstood_is_accepted(body: str) -> None:
    traced(body)


@pytest.mark.parametrize(
    "body",
    [
        "lo = t[0:8]\nt[0:4] = 0.0\nv = pl.exp(lo)  # expect",
        "lo = t[0:8]\nlo[0:4] = 0.0\nv = pl.exp(t)  # expect",
        "lo = t[0:8]\nmid = t[4:12]\nlo[0:2] = 0.0\nv = pl.exp(mid)  # expect",
        "lo = t[0:8]\npart = lo[0:2]\nlo[4:8] = 0.0\nv = pl.exp(part)  # expect",
        "lo = t[0:8]\nt[8:16] = 0.0\nlo[0:4] = 0.0\nv = pl.exp(t)  # expect",
        "lo = t[0:8]\nif c:\n    lo[0:4] = 0.0\nv = pl.exp(t)  # expect",
        "lo = t[0:8]\nif c:\n    lo[0:4] = 0.0\nelse:\n    t[0:4] = 0.0\n    v = pl.exp(lo)  # expect",
        "held = [t, n]\nt[0:4] = 0.0\nv = pl.exp(held[0])  # expect",
        "held = {'k': t[0:8]}\nt[0:4] = 0.0\nv = pl.exp(held['k'])  # expect",
        "u = pl.reshape(t, [128, 16])\nu[0:4] = 0.0\nv = pl.exp(t)  # expect",
        "w = x[0:32]\nw[0:16] = x[32:48]\nv = pl.load(x, [0, 0], [16, 128])  # expect",
        "numbers = pl.array.create(4, pl.INT32)\nsame = numbers\nsame[0] = k\nv = numbers[0]  # expect",
    ],
)
def test_another_name_of_written_elements_is_not_read(body: str) -> None:
    text = text_of(body)

    with pytest.raises(UserError) as caught:
        pl.parse(text, "kernel.py")

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PL106"
    assert "# expect" in text.split("\n")[diagnostic.span.line - 1]
    assert "itself" in (diagnostic.hint or "")


def test_a_loop_does_not_read_it_again() -> None:
    with pytest.raises(UserError, match=r"PL103.*the loop reads 'lo' again"):
        traced("lo = t[0:8]\nfor i in pl.range(4):\n    v = pl.exp(lo)\n    t[0:4] = 0.0")


def test_an_inline_function_writes_into_its_own_tile() -> None:
    text = text_of("t = zero(t)").replace(
        "@pl.program",
        "@pl.inline\ndef zero(a: pl.Tile[[16, 128], pl.FP32]):\n    b = pl.exp(a)\n    b[0:4, :] = 0.0\n"
        "    return b\n\n@pl.program",
    )
    program = pl.parse(text, "kernel.py")
    written = [node for node in ir.walk(program) if isinstance(node, ir.Call) and node.op == "tile.assemble"]
    assert len(written) == 1
