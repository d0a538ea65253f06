"""Loop carries with their initial values, yields and results: each lives in one space.

First the common space of the members; else loads and creates that name no target go where the others are; else Vec,
then Mat, with moves on the members that differ.
"""

from __future__ import annotations

import pytest

from tests.passes.placed.placement.kernels import (
    CHIPS,
    assert_placed,
    assert_refused,
    kernel,
    moves,
    place,
    spaces,
)

TO_VEC = "target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box"
IN_MAT = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"
PRODUCT = f"{IN_MAT}\nm = pl.matmul(a, a)"

LOOPS = {
    "range": "for i, (c,) in pl.range(4, init_values=({init},)):",
    "parallel": "for i, (c,) in pl.parallel(4, init_values=({init},)):",
    "pipeline": "for i, (c,) in pl.pipeline(4, init_values=({init},), stage=2):",
    "dynamic": "for i, (c,) in pl.range(n, init_values=({init},)):",
    "zero-trip": "for i, (c,) in pl.range(0, init_values=({init},)):",
    "while": "for c, k in pl.while_(init_values=({init}, n)):\n    pl.cond(k > 0)\n    k1 = k - 1",
}


def loop(init: str, body: str, yielded: str, form: str = "range") -> str:
    """A loop of some form that carries ``c``, whose result is ``c_rv``."""
    header = LOOPS[form].format(init=init)
    results, values = ("c_rv, k_rv", f"{yielded}, k1") if form == "while" else ("c_rv", yielded)
    return f"{header}\n    {body}\n    {results} = pl.yield_({values})"


every_form = pytest.mark.parametrize("form", LOOPS)


# All members are made in one space.


@every_form
def test_members_in_one_space_stay_there(form: str) -> None:
    placed = place(f"{PRODUCT}\n{loop('m', 'd = pl.matmul_acc(c, a, a)', 'd', form)}")
    assert [spaces(placed)[name] for name in ("m", "c", "d", "c_rv")] == ["Acc"] * 4
    assert moves(placed) == [("a", "Left"), ("a", "Right")]


@every_form
def test_an_empty_tile_is_created_where_the_loop_accumulates(form: str) -> None:
    create = "c0 = pl.create_tile([64, 64], dtype=pl.FP32)"
    placed = place(f"{IN_MAT}\n{create}\n{loop('c0', 'd = pl.matmul_acc(c, a, a)', 'd', form)}")
    assert [spaces(placed)[name] for name in ("c0", "c", "d", "c_rv")] == ["Acc"] * 4
    assert moves(placed) == [("a", "Left"), ("a", "Right")]


@every_form
def test_an_empty_tile_is_created_where_the_loop_yields_to(form: str) -> None:
    """Nothing reads the carry; a plain product is yielded."""
    create = "c0 = pl.create_tile([64, 64], dtype=pl.FP32)"
    placed = place(f"{IN_MAT}\n{create}\n{loop('c0', 'd = pl.matmul(a, a)', 'd', form)}")
    assert [spaces(placed)[name] for name in ("c0", "c", "d", "c_rv")] == ["Acc"] * 4


@pytest.mark.parametrize("space", ["Vec", "Mat"])
@every_form
def test_a_load_without_a_target_goes_where_the_yield_is(space: str, form: str) -> None:
    init = "b = pl.load(y, [0, 0], [64, 64])"
    body = f"d = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.{space})"
    placed = place(f"{init}\n{loop('b', body, 'd', form)}")
    assert [spaces(placed)[name] for name in ("b", "c", "d", "c_rv")] == [space] * 4


@pytest.mark.parametrize("space", ["Vec", "Mat"])
def test_a_yielded_load_without_a_target_goes_where_the_initial_value_is(space: str) -> None:
    init = f"b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.{space})"
    placed = place(f"{init}\n{loop('b', 'd = pl.load(x, [0, 0], [64, 64])', 'd')}")
    assert [spaces(placed)[name] for name in ("b", "c", "d", "c_rv")] == [space] * 4


def test_loads_without_a_target_agree_on_vec() -> None:
    placed = place(f"b = pl.load(y, [0, 0], [64, 64])\n{loop('b', 'd = pl.load(x, [0, 0], [64, 64])', 'd')}")
    assert {*spaces(placed).values()} == {"Vec"}


@pytest.mark.parametrize("space", ["Left", "Right", "Bias"])
def test_members_that_are_moved_to_one_l0_space_meet_there(space: str) -> None:
    body = f"""
{IN_MAT}
b = pl.move(a, target_memory=pl.Mem.{space})
{loop("b", f"d = pl.move(a, target_memory=pl.Mem.{space})", "d")}
"""
    assert [spaces(place(body))[name] for name in ("b", "c", "d", "c_rv")] == [space] * 4


def test_an_empty_tile_is_created_in_the_l0_space_that_the_loop_yields_to() -> None:
    create = "c0 = pl.create_tile([64, 64], dtype=pl.FP32)"
    placed = place(f"{IN_MAT}\n{create}\n{loop('c0', 'd = pl.move(a, target_memory=pl.Mem.Left)', 'd')}")
    assert [spaces(placed)[name] for name in ("c0", "c", "d", "c_rv")] == ["Left"] * 4


# A written target of a create gives way.


def test_a_create_with_a_target_gives_way_to_its_carry_with_a_note() -> None:
    body = (
        f"{IN_MAT}\nc0 = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)\n"
        f"{loop('c0', 'd = pl.matmul_acc(c, a, a)', 'd')}"
    )
    placed = place(body)
    assert [spaces(placed)[name] for name in ("c0", "c", "d", "c_rv")] == ["Acc"] * 4
    assert [(each.code, each.severity.value, each.span.line) for each in placed.diagnostics] == [("PL413", "note", 18)]


def test_a_create_in_an_arm_gives_way_to_the_carry_that_the_branch_seeds() -> None:
    placed = place(
        f"""
        {IN_MAT}
        if n < 1:
            c0 = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
            j = pl.yield_(c0)
        else:
            m = pl.matmul(a, a)
            j = pl.yield_(m)
        for i, (c,) in pl.range(4, init_values=(j,)):
            d = pl.matmul_acc(c, a, a)
            c_rv = pl.yield_(d)
        """
    )
    assert [spaces(placed)[name] for name in ("c0", "j", "c", "c_rv")] == ["Acc"] * 4


@pytest.mark.parametrize("space", ["Vec", "Mat"])
def test_a_create_with_a_target_that_suits_its_carry_keeps_it(space: str) -> None:
    create = f"c0 = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.{space})"
    placed = place(f"{create}\n{loop('c0', 'd = pl.load(x, [0, 0], [64, 64])', 'd')}")
    assert {*spaces(placed).values()} == {space}
    assert placed.diagnostics == ()


def test_a_create_that_a_loop_only_holds_keeps_its_target() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])
        c0 = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)  # expect: PL404
        for i, (c,) in pl.range(4, init_values=(c0,)):
            d = pl.matmul_acc(c, a, a)  # note
            c_rv = pl.yield_(c)
        """,
        "'c0'", "'c'",
    )  # fmt: skip


def test_the_written_target_of_a_load_never_gives_way() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])
        c0 = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)  # expect: PL404
        for i, (c,) in pl.range(4, init_values=(c0,)):
            d = pl.matmul_acc(c, a, a)  # note
            c_rv = pl.yield_(d)
        """,
        "'c0'", "Acc",
    )  # fmt: skip


# Members that differ: moves on the ones that are elsewhere.


@every_form
def test_a_yielded_product_is_moved_to_the_carry_in_vec(form: str) -> None:
    seed = "z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)"
    placed = place(f"{PRODUCT}\n{seed}\n{loop('z', 'd = pl.matmul(a, a)', 'd', form)}")
    assert [spaces(placed)[name] for name in ("z", "c", "d", "c_rv")] == ["Vec", "Vec", "Acc", "Vec"]
    assert moves(placed)[-1] == ("d", "Vec")


@every_form
def test_a_product_that_seeds_a_carry_in_vec_is_moved_before_the_loop(form: str) -> None:
    placed = place(f"{PRODUCT}\n{loop('m', 'd = pl.exp(c)', 'd', form)}")
    assert [spaces(placed)[name] for name in ("m", "c", "d", "c_rv")] == ["Acc", "Vec", "Vec", "Vec"]
    assert moves(placed)[-1] == ("m", "Vec")


def test_the_moves_of_members_stand_before_the_loop_and_before_the_yield() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        m = pl.matmul(a, a)
        for i, (c, d) in pl.range(4, init_values=(m, z)):
            e = pl.exp(c)
            p = pl.matmul(a, a)
            c_rv, d_rv = pl.yield_(e, p)
        """,
        f"""
        {IN_MAT}
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        m = pl.matmul(a_Left, a_Right)
        m_Vec = pl.move(m, {TO_VEC})
        for i, (c, d) in pl.range(4, init_values=(m_Vec, z)):
            e = pl.exp(c)
            p = pl.matmul(a_Left, a_Right)
            p_Vec = pl.move(p, {TO_VEC})
            c_rv, d_rv = pl.yield_(e, p_Vec)
        """,
    )


def test_members_in_vec_and_mat_meet_in_mat() -> None:
    """Nothing moves out of Mat."""
    body = f"{IN_MAT}\nz = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)\n{loop('z', 'd = a', 'd')}"
    placed = place(body)
    assert [spaces(placed)[name] for name in ("z", "c", "d", "c_rv")] == ["Vec", "Mat", "Mat", "Mat"]
    assert moves(placed) == [("z", "Mat")]


def test_members_in_acc_and_mat_meet_in_mat() -> None:
    placed = place(f"{PRODUCT}\n{loop('m', 'd = a', 'd')}")
    assert [spaces(placed)[name] for name in ("m", "c", "d", "c_rv")] == ["Acc", "Mat", "Mat", "Mat"]
    assert moves(placed)[-1] == ("m", "Mat")


def test_a_product_and_a_load_without_a_target_meet_in_vec() -> None:
    placed = place(f"{PRODUCT}\n{loop('m', 'd = pl.load(x, [0, 0], [64, 64])', 'd')}")
    assert [spaces(placed)[name] for name in ("m", "c", "d", "c_rv")] == ["Acc", "Vec", "Vec", "Vec"]


# Consumers of carries.


def test_a_carry_is_moved_for_its_consumers_in_every_iteration() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        b = pl.load(y, [0, 0], [64, 64])
        for i, (c,) in pl.range(4, init_values=(b,)):
            r = pl.matmul(a, c)
            d = pl.load(x, [0, 0], [64, 64])
            c_rv = pl.yield_(d)
        r1 = pl.matmul(a, c_rv)
        """,
        f"""
        {IN_MAT}
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        for i, (c,) in pl.range(4, init_values=(b,)):
            inner = pl.move(a, target_memory=pl.Mem.Left)
            c_Right = pl.move(c, target_memory=pl.Mem.Right)
            r = pl.matmul(inner, c_Right)
            d = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
            c_rv = pl.yield_(d)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        c_rv_Right = pl.move(c_rv, target_memory=pl.Mem.Right)
        r1 = pl.matmul(a_Left, c_rv_Right)
        """,
    )


def test_an_accumulator_that_is_read_by_a_vector_operator_is_moved_to_vec_in_every_iteration() -> None:
    body = loop("m", "e = pl.exp(c)\n    d = pl.matmul_acc(c, a, a)", "d")
    placed = place(f"{PRODUCT}\n{body}")
    assert [spaces(placed)[name] for name in ("m", "c", "d", "c_rv", "e")] == ["Acc"] * 4 + ["Vec"]
    assert moves(placed)[2:] == [("c", "Vec")]


# Nested loops, and loops that exchange their carries.


def test_the_carries_of_one_value_in_nested_loops_share_its_space() -> None:
    placed = place(
        f"""
        {IN_MAT}
        c0 = pl.create_tile([64, 64], dtype=pl.FP32)
        for i, (b,) in pl.range(2, init_values=(c0,)):
            for j, (c,) in pl.range(2, init_values=(b,)):
                d = pl.matmul_acc(c, a, a)
                c_rv = pl.yield_(d)
            b_rv = pl.yield_(c_rv)
        o = pl.store(b_rv, [0, 0], out)
        """
    )
    assert [spaces(placed)[name] for name in ("c0", "b", "c", "d", "c_rv", "b_rv")] == ["Acc"] * 6


def test_nested_carries_in_an_l0_space_share_it() -> None:
    placed = place(
        f"""
        {IN_MAT}
        c0 = pl.move(a, target_memory=pl.Mem.Left)
        for i, (b,) in pl.range(2, init_values=(c0,)):
            for j, (c,) in pl.range(2, init_values=(b,)):
                d = pl.move(a, target_memory=pl.Mem.Left)
                c_rv = pl.yield_(d)
            b_rv = pl.yield_(c_rv)
        """
    )
    assert [spaces(placed)[name] for name in ("c0", "b", "c", "d", "c_rv", "b_rv")] == ["Left"] * 6


def test_carries_that_change_places_share_a_space() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        m = pl.matmul(a, a)
        b = pl.load(y, [0, 0], [64, 64])
        for i, (c, d) in pl.range(3, init_values=(m, b)):
            c_rv, d_rv = pl.yield_(d, c)
        """,
        f"""
        {IN_MAT}
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        m = pl.matmul(a_Left, a_Right)
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        m_Vec = pl.move(m, {TO_VEC})
        for i, (c, d) in pl.range(3, init_values=(m_Vec, b)):
            c_rv, d_rv = pl.yield_(d, c)
        """,
    )


def test_three_carries_that_change_places_share_a_space() -> None:
    placed = place(
        f"""
        {IN_MAT}
        b = pl.load(y, [0, 0], [64, 64])
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        for i, (c, d, e) in pl.range(3, init_values=(a, b, z)):
            c_rv, d_rv, e_rv = pl.yield_(d, e, c)
        """
    )
    assert {spaces(placed)[name] for name in ("c", "d", "e", "c_rv", "d_rv", "e_rv")} == {"Mat"}
    assert moves(placed) == [("z", "Mat")]


# What cannot be.


def test_a_carry_that_a_vector_operator_reads_cannot_be_in_mat() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)  # note
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        for i, (c,) in pl.range(4, init_values=(z,)):
            e = pl.exp(c)  # expect: PL404
            c_rv = pl.yield_(a)
        """,
        "'a'", "'c'", "Mat", "Vec",
        targets=CHIPS,
    )  # fmt: skip


def test_a_carry_of_a_vector_operator_cannot_be_an_accumulator() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])
        m = pl.matmul(a, a)
        for i, (c,) in pl.range(4, init_values=(m,)):
            r = pl.matmul_acc(c, a, a)  # note
            e = pl.exp(r)  # expect: PL404
            c_rv = pl.yield_(e)
        """,
        "'e'", "Acc",
    )  # fmt: skip


def test_members_in_an_l0_space_and_elsewhere_reach_no_common_space() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])  # note
        b = pl.move(a, target_memory=pl.Mem.Left)  # note
        for i, (c,) in pl.range(4, init_values=(a,)):  # expect: PL405
            c_rv = pl.yield_(b)
        """,
        "'a'", "'b'", "'c'",
    )  # fmt: skip


def test_a_program_that_is_refused_is_left_as_it_was() -> None:
    program = kernel("a = pl.load(x, [0, 0], [64, 64])\nz = pl.exp(a)\nr = pl.matmul_acc(z, a, a)")
    before = str(program)
    assert_refused("a = pl.load(x, [0, 0], [64, 64])\nz = pl.exp(a)  # expect: PL404\nr = pl.matmul_acc(z, a, a)")
    assert str(program) == before


def test_a_create_between_two_loops_goes_where_it_need_not_be_moved() -> None:
    """It could be in Acc as well, like the other carry: then it would have to be moved for the first loop."""
    placed = place(
        f"""
        {IN_MAT}
        m = pl.matmul(a, a)
        w = pl.create_tile([64, 64], dtype=pl.FP32)
        if n < 1:
            j = pl.yield_(m)
        else:
            j = pl.yield_(w)
        z = pl.create_tile([64, 64], dtype=pl.FP32)
        f = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        for i, (c,) in pl.range(4, init_values=(z,)):
            c_rv = pl.yield_(f)
        for k, (d,) in pl.range(4, init_values=(w,)):
            d_rv = pl.yield_(z)
        """
    )
    found = spaces(placed)
    assert [found[name] for name in ("j", "w", "c", "z", "d")] == ["Acc", "Acc", "Vec", "Vec", "Vec"]
