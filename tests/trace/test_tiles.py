"""Python's operators and subscripts on tiles, tensors and arrays."""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir
from tests.trace.kernels import assert_same, statements, value


@pytest.mark.parametrize(
    ("expression", "meaning"),
    [
        ("t + t", "pl.add(t, t)"),
        ("t * 2.0", "pl.mul(t, 2.0)"),
        ("2.0 * t", "pl.mul(t, 2.0)"),
        ("t - f", "pl.sub(t, f)"),
        ("t / t", "pl.div(t, t)"),
        ("-t", "pl.neg(t)"),
        ("+t", "t"),
        ("abs(t)", "pl.abs(t)"),
        ("3.0 - t", "pl.add(pl.neg(t), 3.0)"),
        ("t @ pl.tile.transpose_view(t)", "pl.matmul(t, pl.tile.transpose_view(t))"),
        ("(t + t) * t - t", "pl.sub(pl.mul(pl.add(t, t), t), t)"),
    ],
)
def test_operators(expression: str, meaning: str) -> None:
    assert_same(f"value = {expression}", f"value = {meaning}")


@pytest.mark.parametrize(
    ("selection", "meaning"),
    [
        ("x[3, 4]", "pl.read(x, [3, 4])"),
        ("x[-1, -2]", "pl.read(x, [63, 126])"),
        ("x[n, k]", "pl.read(x, [n, k])"),
        ("x[n][k]", "pl.read(x, [n, k])"),
        ("x[3]", "pl.slice(x, [1, 128], [3, 0], drop_dims=[0])"),
        ("x[:, 5]", "pl.slice(x, [64, 1], [0, 5], drop_dims=[1])"),
        ("x[..., 5]", "pl.slice(x, [64, 1], [0, 5], drop_dims=[1])"),
        ("x[5, ...]", "pl.slice(x, [1, 128], [5, 0], drop_dims=[0])"),
        ("x[8:24]", "pl.slice(x, [16, 128], [8, 0])"),
        ("x[8:24, 16:]", "pl.slice(x, [16, 112], [8, 16])"),
        ("x[-8:, :-28]", "pl.slice(x, [8, 100], [56, 0])"),
        ("x[n : n + 8, :]", "pl.slice(x, [8, 128], [n, 0])"),
        ("x[n * 2 : (n + 4) * 2]", "pl.slice(x, [8, 128], [n * 2, 0])"),
        ("x[8:24][2:6]", "pl.slice(x, [4, 128], [10, 0])"),
        ("x[8:24][2]", "pl.slice(x, [1, 128], [10, 0], drop_dims=[0])"),
        ("x[8:24, 16:32][-1, 3]", "pl.read(x, [23, 19])"),
        ("x[2][16:32][1]", "pl.read(x, [2, 17])"),
        ("x[(2, 3)]", "pl.read(x, [2, 3])"),
        ("t[3, 4]", "pl.read(t, [3, 4])"),
        ("t[0:8]", "pl.slice(t, [8, 128], [0, 0])"),
        ("t[n : n + 8, 16:32]", "pl.slice(t, [8, 16], [n, 16])"),
        ("t[n]", "pl.slice(t, [1, 128], [n, 0], drop_dims=[0])"),
        ("t[4:n]", "pl.slice(t, [12, 128], [4, 0], [pl.max(pl.min(n, 16) - 4, 0), 128])"),
        ("t[0:n, 0:8]", "pl.slice(t, [16, 8], [0, 0], [pl.max(pl.min(n, 16), 0), 8])"),
    ],
)
def test_reading(selection: str, meaning: str) -> None:
    assert_same(f"value = {selection}", f"value = {meaning}")


def test_a_slice_of_a_tensor_may_have_an_extent_known_only_at_run_time() -> None:
    found = value("x[:n]")

    assert isinstance(found.type, ir.TensorType)
    assert isinstance(found.type.shape[0], ir.Var)
    assert found.type.shape[1] == 128


def test_a_part_of_a_tile_keeps_two_dimensions() -> None:
    assert isinstance(value("t[3]").type, ir.TileType)
    assert value("t[3]").type.facts()["shape"] == [1, 128]
    assert value("t[3][5]").type == ir.ScalarType(ir.DTYPES["FP32"])


@pytest.mark.parametrize(
    ("assignment", "meaning"),
    [
        ("out[3, 4] = f", "pl.write(out, [3, 4], f)"),
        ("out[n][k] = 1", "pl.write(out, [n, k], 1.0)"),
        ("t[-1, 0] = 2.5", "pl.write(t, [15, 0], 2.5)"),
        ("out[0:16, :] = x[0:16]", "out = pl.assemble(out, pl.slice(x, [16, 128], [0, 0]), [0, 0])"),
        ("out[n : n + 64] = x", "out = pl.assemble(out, x, [n, 0])"),
        (
            "out[n] = x[3]",
            "out = pl.assemble(out, pl.reshape(pl.slice(x, [1, 128], [3, 0], drop_dims=[0]), [1, 128]), [n, 0])",
        ),
        ("t[8:16] = t[0:8]", "t = pl.assemble(t, pl.slice(t, [8, 128], [0, 0]), [8, 0])"),
        ("t[3] = t[4]", "t = pl.assemble(t, pl.slice(t, [1, 128], [4, 0], drop_dims=[0]), [3, 0])"),
        ("t[0:8] = 0.0", "t = pl.assemble(t, pl.tile.full([8, 128], dtype=pl.FP32, value=0.0), [0, 0])"),
        ("t[0, 0] += 1.0", "pl.write(t, [0, 0], pl.read(t, [0, 0]) + 1.0)"),
        ("t[0:8] *= 2.0", "t = pl.assemble(t, pl.mul(pl.slice(t, [8, 128], [0, 0]), 2.0), [0, 0])"),
        ("a, t[0, 1] = f, f", "a = f\npl.write(t, [0, 1], f)"),
    ],
)
def test_writing(assignment: str, meaning: str) -> None:
    natural, explicit = statements(assignment), statements(meaning)

    ir.assert_structural_equal(ir.Block(natural[-1:]), ir.Block(explicit[-1:]))


LINES = """import pypto_lite.language as pl

@pl.function(type=pl.FunctionType.InCore)
def kernel(x: pl.Tensor[[64], pl.FP32], i: pl.Scalar[pl.INT32], out: pl.Out[pl.Tensor[[64], pl.FP32]]):
    t = pl.load(x, [0], [64])
    {}
"""


@pytest.mark.parametrize(
    ("natural", "explicit"),
    [
        ("value = pl.read(x, 3)", "value = pl.read(x, [3])"),
        ("value = pl.tensor.read(x, i + 1)", "value = pl.tensor.read(x, [i + 1])"),
        ("value = pl.read(t, i)", "value = pl.read(t, [i])"),
        ("value = pl.tile.read(src=t, offset=3)", "value = pl.tile.read(src=t, offset=[3])"),
        ("pl.write(out, 3, 2.5)", "pl.write(out, [3], 2.5)"),
        ("t = pl.write(t, i, 2.5)", "t = pl.write(t, [i], 2.5)"),
    ],
)
def test_a_single_index_needs_no_list(natural: str, explicit: str) -> None:
    ir.assert_structural_equal(pl.parse(LINES.format(natural)), pl.parse(LINES.format(explicit)))


def test_arrays() -> None:
    create = "a = pl.array.create(4, dtype=pl.INT32)\n"

    assert_same(
        f"{create}a[0] = 5\na[n] = k\nvalue = a[-1] + a[n]",
        f"""{create}a1 = pl.array.update_element(a, 0, pl.const(5, pl.INT32))
a2 = pl.array.update_element(a1, n, k)
value = pl.array.get_element(a2, 3) + pl.array.get_element(a2, n)""",
    )


def test_several_results_are_taken_by_index() -> None:
    assert_same("r = self.two(x)\na = r[0]\nb = r[-1]", "a, b = self.two(x)")


def test_an_index_with_a_call_is_evaluated_once() -> None:
    assert_same(
        "value = x[pl.tile.get_block_idx() : pl.tile.get_block_idx() + 8]\nout[pl.tile.get_block_idx(), 0] += 1.0",
        """lower = pl.tile.get_block_idx()
upper = pl.tile.get_block_idx()
value = pl.slice(x, [upper + 8 - lower, 128], [lower, 0])
position = pl.tile.get_block_idx()
element = pl.read(out, [position, 0])
pl.write(out, [position, 0], element + 1.0)""",
    )
