"""Branch results with the values of their arms: each lives in one space, by the rule for joins."""

from __future__ import annotations

import pytest

from tests.passes.placed.placement.kernels import CHIPS, assert_placed, assert_refused, moves, place, spaces

TO_VEC = "target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box"
IN_MAT = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"
IN_VEC = "z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)"
ACC = "pl.matmul(a, a)"
VEC = "pl.exp(z)"
MAT = "pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"
LOAD = "pl.load(y, [0, 0], [64, 64])"
CREATE = "pl.create_tile([64, 64], dtype=pl.FP32)"
CREATE_VEC = "pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)"


def branch(then: str, otherwise: str, after: str = "") -> str:
    """A branch whose arms make ``p`` and ``q`` so, with the result ``j``."""
    return f"""
{IN_MAT}
{IN_VEC}
if n < 1:
    p = {then}
    j = pl.yield_(p)
else:
    q = {otherwise}
    j = pl.yield_(q)
{after}
"""


@pytest.mark.parametrize(
    ("then", "otherwise", "expected"),
    [
        (ACC, ACC, ("Acc", "Acc", "Acc")),
        (VEC, VEC, ("Vec", "Vec", "Vec")),
        (MAT, MAT, ("Mat", "Mat", "Mat")),
        (LOAD, LOAD, ("Vec", "Vec", "Vec")),
        (LOAD, VEC, ("Vec", "Vec", "Vec")),
        (LOAD, MAT, ("Mat", "Mat", "Mat")),
        (CREATE, ACC, ("Acc", "Acc", "Acc")),
        (CREATE, MAT, ("Mat", "Mat", "Mat")),
        (CREATE, VEC, ("Vec", "Vec", "Vec")),
        (CREATE, LOAD, ("Vec", "Vec", "Vec")),
        (ACC, VEC, ("Acc", "Vec", "Vec")),
        (ACC, LOAD, ("Acc", "Vec", "Vec")),
        (ACC, CREATE_VEC, ("Acc", "Vec", "Vec")),
        (ACC, MAT, ("Acc", "Mat", "Mat")),
        (VEC, MAT, ("Vec", "Mat", "Mat")),
    ],
)
@pytest.mark.parametrize("swapped", [False, True])
def test_where_the_arms_meet(then: str, otherwise: str, expected: tuple[str, str, str], swapped: bool) -> None:
    placed = spaces(place(branch(otherwise, then) if swapped else branch(then, otherwise)))
    first, second, join = expected
    assert (placed["q"] if swapped else placed["p"]) == first
    assert (placed["p"] if swapped else placed["q"]) == second
    assert placed["j"] == join


def test_only_the_arm_that_differs_has_a_move_at_its_end() -> None:
    assert_placed(
        branch(ACC, VEC),
        f"""
        {IN_MAT}
        {IN_VEC}
        if n < 1:
            a_Left = pl.move(a, target_memory=pl.Mem.Left)
            a_Right = pl.move(a, target_memory=pl.Mem.Right)
            p = pl.matmul(a_Left, a_Right)
            p_Vec = pl.move(p, {TO_VEC})
            j = pl.yield_(p_Vec)
        else:
            q = pl.exp(z)
            j = pl.yield_(q)
        """,
    )


def test_every_arm_is_moved_that_is_not_where_they_meet() -> None:
    placed = place(
        f"""
        {IN_MAT}
        {IN_VEC}
        if n < 1:
            p = pl.matmul(a, a)
            j = p
        elif n < 2:
            q = pl.exp(z)
            j = q
        else:
            j = a
        k = j
        """
    )
    assert spaces(placed)["k"] == "Mat"
    assert moves(placed)[2:] == [("j", "Mat"), ("j", "Mat")]


def test_an_arm_that_yields_a_value_from_outside_moves_it_inside() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        {IN_VEC}
        if n < 1:
            j = pl.yield_(z)
        else:
            j = pl.yield_(a)
        """,
        f"""
        {IN_MAT}
        {IN_VEC}
        if n < 1:
            z_Mat = pl.move(z, target_memory=pl.Mem.Mat)
            j: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.yield_(z_Mat)
        else:
            j = pl.yield_(a)
        """,
    )


def test_a_copy_in_front_of_the_branch_serves_its_arms() -> None:
    placed = place(
        f"""
        {IN_MAT}
        {IN_VEC}
        m = pl.matmul(a, a)
        e = pl.exp(m)
        if n < 1:
            j = pl.yield_(m)
        else:
            j = pl.yield_(z)
        """
    )
    assert moves(placed) == [("a", "Left"), ("a", "Right"), ("m", "Vec")]


def test_the_consumer_of_a_joined_accumulator_gets_its_copy_behind_the_branch() -> None:
    placed = place(branch(ACC, ACC, "e = pl.exp(j)"))
    assert moves(placed)[-1] == ("j", "Vec")


def test_a_joined_operand_is_moved_for_the_cube_core() -> None:
    placed = place(branch(ACC, VEC, "r = pl.matmul(j, a)"))
    assert spaces(placed)["j"] == "Vec"
    assert moves(placed)[-2:] == [("j", "Left"), ("a", "Right")]


def test_a_branch_result_can_be_an_accumulator() -> None:
    placed = place(branch(CREATE, ACC, "r = pl.matmul_acc(j, a, a)"))
    assert [spaces(placed)[name] for name in ("p", "q", "j", "r")] == ["Acc"] * 4


def test_loads_in_nested_branches_all_go_where_the_one_with_a_target_is() -> None:
    placed = place(
        """
        if n < 1:
            j = pl.load(x, [0, 0], [64, 64])
        elif n < 2:
            j = pl.load(y, [0, 0], [64, 64])
        else:
            j = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        k = j
        """
    )
    assert {*spaces(placed).values()} == {"Mat"}
    assert moves(placed) == []


def test_accumulators_in_nested_branches_stay_in_acc_though_the_outer_one_is_read_from_vec() -> None:
    placed = place(
        f"""
        {IN_MAT}
        {IN_VEC}
        if n < 1:
            if n < 2:
                p = pl.matmul(a, a)
                i = pl.yield_(p)
            else:
                q = pl.matmul(a, a)
                i = pl.yield_(q)
            j = pl.yield_(i)
        else:
            j = pl.yield_(z)
        """
    )
    assert [spaces(placed)[name] for name in ("p", "q", "i", "j")] == ["Acc", "Acc", "Acc", "Vec"]
    assert moves(placed)[-1] == ("i", "Vec")


def test_a_branch_result_seeds_a_loop_and_a_loop_result_is_an_arm() -> None:
    placed = place(
        f"""
        {IN_MAT}
        if n < 1:
            c0 = pl.create_tile([64, 64], dtype=pl.FP32)
            j = pl.yield_(c0)
        else:
            d0 = pl.create_tile([64, 64], dtype=pl.FP32)
            for i, (d,) in pl.range(4, init_values=(d0,)):
                d1 = pl.matmul_acc(d, a, a)
                d_rv = pl.yield_(d1)
            j = pl.yield_(d_rv)
        for i, (c,) in pl.range(4, init_values=(j,)):
            c1 = pl.matmul_acc(c, a, a)
            c_rv = pl.yield_(c1)
        """
    )
    assert {spaces(placed)[name] for name in ("c0", "j", "d0", "d", "d1", "d_rv", "c", "c1", "c_rv")} == {"Acc"}


def test_a_create_that_one_loop_wants_in_acc_and_another_in_vec_is_in_acc() -> None:
    placed = place(
        f"""
        {IN_MAT}
        {IN_VEC}
        e = pl.create_tile([64, 64], dtype=pl.FP32)
        for i, (c,) in pl.range(4, init_values=(e,)):
            p = pl.matmul(a, a)
            c_rv = pl.yield_(p)
        for i, (d,) in pl.range(4, init_values=(e,)):
            d_rv = pl.yield_(z)
        """
    )
    assert [spaces(placed)[name] for name in ("e", "c", "d")] == ["Acc", "Acc", "Vec"]
    assert ("e", "Vec") in moves(placed)


def test_an_arm_without_results_needs_nothing() -> None:
    body = f"{IN_VEC}\nif n < 1:\n    e = pl.exp(z)"
    assert_placed(body, body)


# What cannot be.


def test_arms_in_mat_cannot_be_read_by_a_vector_operator() -> None:
    assert_refused(
        """
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        if n < 1:
            p = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)  # note
            j = pl.yield_(p)
        else:
            j = pl.yield_(z)
        e = pl.exp(j)  # expect: PL404
        """,
        "'p'", "'j'", "load the tile without target_memory",
        targets=CHIPS,
    )  # fmt: skip


def test_an_arm_in_vec_cannot_be_an_accumulator() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])
        if n < 1:
            p = pl.exp(a)  # expect: PL404
            j = pl.yield_(p)
        else:
            q = pl.matmul(a, a)
            j = pl.yield_(q)
        r = pl.matmul_acc(j, a, a)  # note
        """,
        "'p'", "'j'", "Acc",
    )  # fmt: skip


def test_arms_in_l0_spaces_that_differ_reach_no_common_space() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])
        if n < 1:
            p = pl.move(a, target_memory=pl.Mem.Left)  # note
            j = pl.yield_(p)  # expect: PL405
        else:
            q = pl.move(a, target_memory=pl.Mem.Right)  # note
            j = pl.yield_(q)
        """,
        "'p'", "'q'", "'j'", "Left", "Right",
    )  # fmt: skip


def test_a_branch_result_that_is_written_in_place_cannot_come_from_mat() -> None:
    assert_refused(
        """
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        if n < 1:
            p = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)  # note
            j = pl.yield_(p)
        else:
            j = pl.yield_(z)
        pl.write(j, [0, 0], s)  # expect: PL402
        """,
        "'p'", "'j'", "in place",
    )  # fmt: skip


def test_a_join_behind_a_join_of_products_is_in_acc_too() -> None:
    """And so is the create that flows into it, wherever else that goes."""
    placed = place(
        """
        a = pl.load(x, [0, 0], [64, 64])
        e = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        m = pl.matmul(a, a)
        z = pl.create_tile([64, 64], dtype=pl.FP32)
        w = pl.create_tile([64, 64], dtype=pl.FP32)
        if n < 0:
            j = pl.yield_(m)
        else:
            j = pl.yield_(z)
        if n < 1:
            k, l = pl.yield_(w, w)
        else:
            k, l = pl.yield_(j, e)
        """
    )
    found = spaces(placed)
    assert [found[name] for name in ("j", "k", "w", "l")] == ["Acc", "Acc", "Acc", "Vec"]
