"""A name that a kernel binds to a constant counts as the constant where a value has to be known while tracing."""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.diagnostics import UserError
from tests.trace.kernels import assert_same, text_of, traced

LOAD = "u = pl.load(x, [0, 0], [m, 128])"


def loads(program: ir.Program) -> list[ir.Type]:
    return [node.type for node in ir.walk(program.functions["kernel"]) if isinstance(node, ir.Call)][1:-1]


@pytest.mark.parametrize(
    "body",
    [
        "m = 8\n" + LOAD,
        "m: pl.Scalar[pl.INT32] = 8\n" + LOAD,
        "k, m = 1, 8\n" + LOAD,
        "m = 4\nm = 8\n" + LOAD,
        "m = 4\nm += 4\n" + LOAD,
        "half = 4\nm = half * 2\n" + LOAD,
        "half = 4\nu = pl.load(x, [0, 0], [min(half + half, 100), 128])",
        "rows = 8\nm = rows\n" + LOAD,
        "m = 8\nwindow = [m, 128]\nu = pl.load(x, [0, 0], window)",
        "m = 8\nu = pl.slice(t, [m, 128], [0, 0])",
        "m = 8\nu: pl.Tile[[m, 128], pl.FP32] = pl.load(x, [0, 0], [8, 128])",
        "for i in pl.range(4):\n    m = 8\n    " + LOAD,
        "m = 8\nfor i in pl.range(4):\n    " + LOAD,
        "m = 8\nwith pl.at(level=pl.Level.CORE_GROUP):\n    " + LOAD,
        "m = 8\nif c:\n    " + LOAD + "\nm = n",
        "m = 8\n" + LOAD + "\nif c:\n    m = 16",
        "if c:\n    m = 16\nelse:\n    m = 8\n    " + LOAD,
        "if c:\n    return out\nm = 8\n" + LOAD,
    ],
)
def test_extents(body: str) -> None:
    assert loads(traced(body)) == [ir.TileType((8, 128), ir.DTYPES["FP32"])]


@pytest.mark.parametrize(
    "body",
    [
        "m = 2\npl.static_assert(m * 2 == 4)",
        "m = 2\nfor i in pl.unroll(m):\n    t = pl.exp(t)",
        "m = 2\nfor i in pl.pipeline(4, stage=m):\n    u = pl.exp(t)",
        "m = 1\ne = pl.dim(x, m)",
        "m = 1\nu = pl.tile.transpose(t, 0, m)",
        "m = 1\nu = pl.load(x, [0, 0], [SHAPE[m - 1], 128])",
        "m = 1\na = self.two(x)\nb = a[m]",
        "m = 1\nv = pl.const(m, pl.INT32)",
        "m = 4\na: pl.Array[m, pl.INT32] = pl.array.create(m, pl.INT32)",
    ],
)
def test_all_places_where_a_constant_is_needed(body: str) -> None:
    program = traced(body)

    ir.assert_structural_equal(pl.parse(program.as_python()), program)


def test_a_constant_beside_a_tile_is_a_number_of_its_element_type() -> None:
    assert_same("scale = 2\nu = t * scale\nv = pl.add(u, scale)", "scale = 2\nu = t * 2.0\nv = pl.add(u, 2.0)")


def test_the_variable_stays_where_none_is_needed() -> None:
    program = traced("m = 16\nu = pl.load(x, [m, 0], [16, 128])\nif m > n:\n    u = pl.exp(u)")

    kernel = program.functions["kernel"]
    (assigned,) = [node for node in ir.walk(kernel) if isinstance(node, ir.Assign) and node.var.name == "m"]
    uses = [node for node in ir.walk(kernel.body) if node is assigned.var]
    assert isinstance(assigned.value, ir.Const)
    assert len(uses) == 3
    ir.assert_structural_equal(pl.parse(program.as_python()), program)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("m = 8\nif c:\n    m = 16\n" + LOAD, "m = 16"),
        ("m = 8\nif c:\n    m = n\n" + LOAD, "m = n"),
        ("if c:\n    m = 8\nelse:\n    m = 16\n" + LOAD, "m = 16"),
        ("m = 8\nfor i in pl.range(4):\n    " + LOAD + "\n    m = m + 8", "m = m + 8"),
        ("m = 8\nwhile m < n:\n    " + LOAD + "\n    m *= 2", "m *= 2"),
        ("if c:\n    return out\nm = 8\nfor i in pl.range(4):\n    " + LOAD + "\n    m = m + 8", "m = m + 8"),
        ("for i, (m,) in pl.range(4, init_values=(8,)):\n    " + LOAD + "\n    r = pl.yield_(m)", "for i, (m,)"),
    ],
)
def test_a_variable_that_changes_is_no_constant(body: str, line: str) -> None:
    text = text_of(body)
    with pytest.raises(UserError) as caught:
        pl.parse(text)

    (diagnostic,) = caught.value.diagnostics
    (note,) = diagnostic.notes
    assert diagnostic.code == "PL203"
    assert "shapes must be constant" in diagnostic.message
    assert "no constant" in note.message
    assert text.splitlines()[note.span.line - 1].strip().startswith(line)


def test_a_wrong_constant_is_refused_as_such() -> None:
    with pytest.raises(UserError, match=r"\[0, 128\]"):
        traced("m = 0\n" + LOAD)
