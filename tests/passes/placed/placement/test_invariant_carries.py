"""Carries that every iteration passes on unchanged live where their value does, and are copied before the loop."""

from __future__ import annotations

import pytest

from tests.passes.placed.placement.kernels import assert_placed, moves, place, spaces

IN_MAT = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"


@pytest.mark.parametrize(
    ("maker", "space"),
    [
        ("pl.matmul(a, a)", "Acc"),
        ("a", "Mat"),
        ("pl.load(y, [0, 0], [64, 64])", "Vec"),
        ("pl.move(a, target_memory=pl.Mem.Left)", "Left"),
        ("pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Bias)", "Bias"),
    ],
)
@pytest.mark.parametrize("passed", ["c", "d", "e"])
def test_a_held_carry_lives_where_its_value_does(maker: str, space: str, passed: str) -> None:
    placed = place(
        f"""
        {IN_MAT}
        b = {maker}
        for i, (c,) in pl.range(4, init_values=(b,)):
            d = c
            e = d
            c_rv = pl.yield_({passed})
        """
    )
    assert [spaces(placed)[name] for name in ("b", "c", "d", "e", "c_rv")] == [space] * 5


def test_a_held_operand_is_moved_once_before_the_loop() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        for i, (c,) in pl.range(4, init_values=(a,)):
            r = pl.matmul(c, c)
            c_rv = pl.yield_(c)
        """,
        f"""
        {IN_MAT}
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        for i, (c,) in pl.range(4, init_values=(a,)):
            r = pl.matmul(a_Left, a_Right)
            c_rv = pl.yield_(c)
        """,
    )


@pytest.mark.parametrize(
    "header",
    [
        "for i, (c, k) in pl.parallel(4, init_values=(a, n)):\n    k1 = k + 1",
        "for c, k in pl.while_(init_values=(a, n)):\n    pl.cond(k > 0)\n    k1 = k - 1",
    ],
)
def test_any_form_of_loop_can_hold_a_carry(header: str) -> None:
    placed = place(f"{IN_MAT}\n{header}\n    r = pl.matmul(c, c)\n    c_rv, k_rv = pl.yield_(c, k1)")
    assert moves(placed) == [("a", "Left"), ("a", "Right")]


def test_an_earlier_copy_of_the_held_value_is_used() -> None:
    placed = place(
        f"""
        {IN_MAT}
        q = pl.matmul(a, a)
        for i, (c,) in pl.range(4, init_values=(a,)):
            r = pl.matmul(c, c)
            c_rv = pl.yield_(c)
        """
    )
    assert moves(placed) == [("a", "Left"), ("a", "Right")]


def test_what_nested_loops_hold_is_moved_before_the_outermost() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        for i, (b,) in pl.range(4, init_values=(a,)):
            for j, (c,) in pl.range(4, init_values=(b,)):
                d = c
                r = pl.matmul(d, d)
                c_rv = pl.yield_(c)
            b_rv = pl.yield_(c_rv)
        """,
        f"""
        {IN_MAT}
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        for i, (b,) in pl.range(4, init_values=(a,)):
            for j, (c,) in pl.range(4, init_values=(b,)):
                d: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = c
                r = pl.matmul(a_Left, a_Right)
                c_rv = pl.yield_(c)
            b_rv = pl.yield_(c_rv)
        """,
    )


def test_the_result_of_an_inner_loop_that_holds_a_carry_is_held_too() -> None:
    placed = place(
        f"""
        {IN_MAT}
        for i, (b,) in pl.range(4, init_values=(a,)):
            for j, (c,) in pl.range(4, init_values=(b,)):
                c_rv = pl.yield_(c)
            r = pl.matmul(c_rv, c_rv)
            b_rv = pl.yield_(b)
        """
    )
    assert moves(placed) == [("a", "Left"), ("a", "Right")]


def test_a_branch_that_passes_a_carry_on_in_both_arms_holds_it() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        for i, (c,) in pl.range(4, init_values=(a,)):
            r = pl.matmul(c, c)
            if i < 2:
                e = pl.exp(r)
                j = pl.yield_(c)
            else:
                j = pl.yield_(c)
            c_rv = pl.yield_(j)
        """,
        f"""
        {IN_MAT}
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        for i, (c,) in pl.range(4, init_values=(a,)):
            r = pl.matmul(a_Left, a_Right)
            if i < 2:
                r_Vec = pl.move(
                    r, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box
                )
                e = pl.exp(r_Vec)
                j = pl.yield_(c)
            else:
                j = pl.yield_(c)
            c_rv = pl.yield_(j)
        """,
    )


def test_a_carry_that_one_arm_replaces_is_not_held() -> None:
    placed = place(
        f"""
        {IN_MAT}
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        for i, (c,) in pl.range(4, init_values=(a,)):
            r = pl.matmul(c, c)
            if i < 2:
                j = pl.yield_(b)
            else:
                j = pl.yield_(c)
            c_rv = pl.yield_(j)
        """
    )
    assert moves(placed) == [("c", "Left"), ("c", "Right")]


def test_a_carry_that_always_gets_its_first_value_is_held() -> None:
    placed = place(
        f"""
        {IN_MAT}
        for i, (c,) in pl.range(4, init_values=(a,)):
            r = pl.matmul(c, c)
            c_rv = pl.yield_(a)
        """
    )
    assert moves(placed) == [("a", "Left"), ("a", "Right")]


def test_a_loop_in_a_branch_has_its_copies_in_the_arm() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        if n < 1:
            for i, (c,) in pl.range(4, init_values=(a,)):
                r = pl.matmul(c, c)
                c_rv = pl.yield_(c)
        """,
        f"""
        {IN_MAT}
        if n < 1:
            a_Left = pl.move(a, target_memory=pl.Mem.Left)
            a_Right = pl.move(a, target_memory=pl.Mem.Right)
            for i, (c,) in pl.range(4, init_values=(a,)):
                r = pl.matmul(a_Left, a_Right)
                c_rv = pl.yield_(c)
        """,
    )


def test_the_result_of_the_loop_has_a_copy_of_its_own() -> None:
    placed = place(
        f"""
        {IN_MAT}
        for i, (c,) in pl.range(4, init_values=(a,)):
            r = pl.matmul(c, c)
            c_rv = pl.yield_(c)
        q = pl.matmul(c_rv, c_rv)
        """
    )
    assert moves(placed) == [("a", "Left"), ("a", "Right"), ("c_rv", "Left"), ("c_rv", "Right")]


def test_a_held_tile_that_the_loop_writes_to_is_copied_in_the_loop() -> None:
    placed = place(
        """
        b = pl.load(y, [0, 0], [64, 64])
        for i, (c,) in pl.range(4, init_values=(b,)):
            r = pl.matmul(c, c)
            pl.write(c, [0, 0], s)
            c_rv = pl.yield_(c)
        """
    )
    assert moves(placed) == [("c", "Left"), ("c", "Right")]


def test_a_held_tile_that_only_the_outer_loop_writes_to_is_copied_before_the_inner() -> None:
    assert_placed(
        """
        a = pl.load(y, [0, 0], [64, 64])
        for i, (b,) in pl.range(4, init_values=(a,)):
            for j, (c,) in pl.range(4, init_values=(b,)):
                r = pl.matmul(c, c)
                c_rv = pl.yield_(c)
            pl.write(b, [0, 0], s)
            b_rv = pl.yield_(b)
        """,
        """
        a = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        for i, (b,) in pl.range(4, init_values=(a,)):
            b_Left = pl.move(b, target_memory=pl.Mem.Left)
            b_Right = pl.move(b, target_memory=pl.Mem.Right)
            for j, (c,) in pl.range(4, init_values=(b,)):
                r = pl.matmul(b_Left, b_Right)
                c_rv = pl.yield_(c)
            pl.write(b, [0, 0], s)
            b_rv = pl.yield_(b)
        """,
    )


def test_a_held_carry_that_flows_into_another_join_is_moved_before_the_loop_too() -> None:
    to_vec = "target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box"
    assert_placed(
        f"""
        {IN_MAT}
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        m = pl.matmul(a, a)
        for i, (c, d) in pl.range(4, init_values=(m, z)):
            e = pl.exp(d)
            c_rv, d_rv = pl.yield_(c, c)
        """,
        f"""
        {IN_MAT}
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        m = pl.matmul(a_Left, a_Right)
        m_Vec = pl.move(m, {to_vec})
        for i, (c, d) in pl.range(4, init_values=(m, z)):
            e = pl.exp(d)
            c_rv, d_rv = pl.yield_(c, m_Vec)
        """,
    )
