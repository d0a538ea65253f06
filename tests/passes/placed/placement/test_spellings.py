"""One kernel is placed alike however it is written: in natural Python or with explicit carries, in any form of loop."""

from __future__ import annotations

import pytest

from pypto_lite import ir
from pypto_lite.passes import InferTileMemorySpace
from tests.passes.placed.placement.kernels import ALL_TARGETS, kernel, moves, place, spaces

IN_MAT = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"


def assert_alike(natural: str, explicit: str) -> None:
    """Both bodies become one and the same kernel, on all targets."""
    for target in ALL_TARGETS:
        first, second = (InferTileMemorySpace(target)(kernel(f"{IN_MAT}\n{body}")) for body in (natural, explicit))
        ir.assert_structural_equal(first, second)


def test_an_accumulator_that_is_bound_again() -> None:
    assert_alike(
        "c = pl.create_tile([64, 64], dtype=pl.FP32)\n"
        "for i in pl.range(4):\n"
        "    c = pl.matmul_acc(c, a, a)\n"
        "o = pl.store(c, [0, 0], out)",
        "c0 = pl.create_tile([64, 64], dtype=pl.FP32)\n"
        "for i, (c,) in pl.range(4, init_values=(c0,)):\n"
        "    c1 = pl.matmul_acc(c, a, a)\n"
        "    c_rv = pl.yield_(c1)\n"
        "o = pl.store(c_rv, [0, 0], out)",
    )


def test_an_operand_that_is_loaded_again() -> None:
    assert_alike(
        "b = pl.load(y, [0, 0], [64, 64])\n"
        "for i in pl.range(4):\n"
        "    r = pl.matmul(a, b)\n"
        "    b = pl.load(x, [0, 0], [64, 64])",
        "b0 = pl.load(y, [0, 0], [64, 64])\n"
        "for i, (b,) in pl.range(4, init_values=(b0,)):\n"
        "    r = pl.matmul(a, b)\n"
        "    b1 = pl.load(x, [0, 0], [64, 64])\n"
        "    b_rv = pl.yield_(b1)",
    )


def test_a_name_that_both_arms_bind() -> None:
    assert_alike(
        "z = pl.load(y, [0, 0], [64, 64])\nif n < 1:\n    j = pl.matmul(a, a)\nelse:\n    j = pl.exp(z)\ne = pl.exp(j)",
        "z = pl.load(y, [0, 0], [64, 64])\n"
        "if n < 1:\n"
        "    p = pl.matmul(a, a)\n"
        "    j = pl.yield_(p)\n"
        "else:\n"
        "    q = pl.exp(z)\n"
        "    j = pl.yield_(q)\n"
        "e = pl.exp(j)",
    )


def test_a_name_that_one_arm_binds_again() -> None:
    assert_alike(
        "z = pl.load(y, [0, 0], [64, 64])\nif n < 1:\n    z = pl.matmul(a, a)\nr = pl.matmul(z, a)",
        "z = pl.load(y, [0, 0], [64, 64])\n"
        "if n < 1:\n"
        "    p = pl.matmul(a, a)\n"
        "    j = pl.yield_(p)\n"
        "else:\n"
        "    j = pl.yield_(z)\n"
        "r = pl.matmul(j, a)",
    )


def test_names_that_change_places() -> None:
    """The natural way takes the values apart under names of their own, so only the placement is the same."""
    placed = place(
        f"""
        {IN_MAT}
        c = pl.matmul(a, a)
        d = pl.load(y, [0, 0], [64, 64])
        for i in pl.range(3):
            c, d = d, c
        e = pl.add(c, d)
        """
    )
    assert moves(placed) == [("a", "Left"), ("a", "Right"), ("c", "Vec")]
    carried = [node for node in ir.walk(placed) if isinstance(node, ir.For)]
    assert [var.type.space.name for loop in carried for var in loop.carries + loop.results] == ["Vec"] * 4


LOOPS = {
    "range": ("for i, (c,) in pl.range(4, init_values=({},)):", "c_rv = pl.yield_({})"),
    "parallel": ("for i, (c,) in pl.parallel(4, init_values=({},)):", "c_rv = pl.yield_({})"),
    "while": ("for c, k in pl.while_(init_values=({}, n)):\n    pl.cond(k > 0)", "c_rv, k_rv = pl.yield_({}, k - 1)"),
}
MEMBERS = [
    ("pl.create_tile([64, 64], dtype=pl.FP32)", "pl.matmul_acc(c, a, a)"),
    ("pl.load(y, [0, 0], [64, 64])", "pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"),
    ("pl.load(y, [0, 0], [64, 64])", "pl.exp(c)"),
    ("pl.matmul(a, a)", "pl.exp(c)"),
    ("pl.matmul(a, a)", "c"),
    ("a", "pl.tile.assemble(c, a, [0, 0])"),
]


@pytest.mark.parametrize(("init", "body"), MEMBERS)
def test_every_form_of_loop_is_placed_alike(init: str, body: str) -> None:
    found: list[tuple[dict[str, str], list[tuple[str, str]]]] = []
    for header, end in LOOPS.values():
        lines = [
            IN_MAT,
            f"c0 = {init}",
            header.format("c0"),
            f"    d = {body}",
            f"    {end.format('d')}",
            "r = pl.matmul(c_rv, a)",
        ]
        placed = place("\n".join(lines))
        found.append((spaces(placed), moves(placed)))
    assert found[0] == found[1] == found[2]


def test_a_natural_while_is_a_while_with_carries() -> None:
    assert_alike(
        "c = pl.create_tile([64, 64], dtype=pl.FP32)\n"
        "k = n\n"
        "while k > 0:\n"
        "    c = pl.matmul_acc(c, a, a)\n"
        "    k = k - 1\n"
        "o = pl.store(c, [0, 0], out)",
        "c0 = pl.create_tile([64, 64], dtype=pl.FP32)\n"
        "k0 = n\n"
        "for c, k in pl.while_(init_values=(c0, k0)):\n"
        "    pl.cond(k > 0)\n"
        "    c1 = pl.matmul_acc(c, a, a)\n"
        "    k1 = k - 1\n"
        "    c_rv, k_rv = pl.yield_(c1, k1)\n"
        "o = pl.store(c_rv, [0, 0], out)",
    )
