"""Transposed views of tiles outside Mat cannot be moved to the cube side: the tile is moved, and viewed there."""

from __future__ import annotations

import pytest

from pypto_lite import passes
from pypto_lite.targets import ASCEND910B
from tests.passes.placed.placement.kernels import (
    CHIPS,
    assert_placed,
    assert_refused,
    kernel,
    moves,
    place,
    spaces,
)

IN_MAT = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"
LOADED = "b = pl.load(y, [0, 0], [64, 64])"
IN_VEC = "b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)"
TURNED = "t = pl.tile.transpose_view(b)"


def test_a_transposed_view_in_mat_is_moved_as_it_is() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        t = pl.tile.transpose_view(a)
        r = pl.matmul(a, t)
        """,
        f"""
        {IN_MAT}
        t = pl.tile.transpose_view(a)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        t_Right = pl.move(t, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, t_Right)
        """,
    )


def test_the_view_of_a_tile_in_vec_is_repeated_in_mat() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        {LOADED}
        {TURNED}
        r = pl.matmul(a, t)
        """,
        f"""
        {IN_MAT}
        {IN_VEC}
        {TURNED}
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Mat = pl.move(b, target_memory=pl.Mem.Mat)
        t_Mat = pl.tile.transpose_view(b_Mat)
        t_Right = pl.move(t_Mat, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, t_Right)
        """,
    )


def test_the_view_of_a_product_is_repeated_in_mat() -> None:
    placed = place(f"{IN_MAT}\nm = pl.matmul(a, a)\nt = pl.tile.transpose_view(m)\nr = pl.matmul(a, t)")
    assert spaces(placed)["t"] == "Acc"
    assert moves(placed)[2:] == [("m", "Mat"), ("t_Mat", "Right")]


def test_a_vector_operator_reads_the_view_where_it_is() -> None:
    placed = place(f"{LOADED}\n{TURNED}\ne = pl.exp(t)")
    assert moves(placed) == []


def test_an_alias_of_the_view_is_no_view_of_its_own() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        {LOADED}
        {TURNED}
        u = t
        r = pl.matmul(a, u)
        """,
        f"""
        {IN_MAT}
        {IN_VEC}
        {TURNED}
        u: pl.Tile[[64, 64], pl.FP32, pl.Mem.Vec, pl.TileView(blayout=pl.TileLayout.col_major)] = t
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Mat = pl.move(b, target_memory=pl.Mem.Mat)
        t_Mat = pl.tile.transpose_view(b_Mat)
        u_Right = pl.move(t_Mat, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, u_Right)
        """,
    )


def test_further_views_are_repeated_too() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        {LOADED}
        w = pl.slice(b, [64, 32], [0, 0])
        t = pl.tile.transpose_view(w)
        u = pl.slice(t, [16, 64], [0, 0])
        q = pl.set_validshape(u, 8, 64)
        r = pl.matmul(q, a)
        """,
        f"""
        {IN_MAT}
        {IN_VEC}
        w = pl.slice(b, [64, 32], [0, 0])
        t = pl.tile.transpose_view(w)
        u = pl.slice(t, [16, 64], [0, 0])
        q = pl.set_validshape(u, 8, 64)
        w_Mat = pl.move(w, target_memory=pl.Mem.Mat)
        t_Mat = pl.tile.transpose_view(w_Mat)
        u_Mat = pl.slice(t_Mat, [16, 64], [0, 0])
        q_Mat = pl.set_validshape(u_Mat, 8, 64)
        q_Left = pl.move(q_Mat, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        r = pl.matmul(q_Left, a_Right)
        """,
    )


def test_a_view_that_is_turned_twice_goes_back_to_its_tile() -> None:
    placed = place(f"{IN_MAT}\n{LOADED}\n{TURNED}\nu = pl.tile.transpose_view(t)\nr = pl.matmul(u, a)")
    assert moves(placed) == [("b", "Mat"), ("u_Mat", "Left"), ("a", "Right")]


def test_a_repeated_view_is_used_again() -> None:
    placed = place(
        f"""
        {LOADED}
        {TURNED}
        r = pl.matmul(t, t)
        u = pl.slice(t, [16, 64], [0, 0])
        q = pl.matmul(u, t)
        """
    )
    assert moves(placed) == [("b", "Mat"), ("t_Mat", "Left"), ("t_Mat", "Right"), ("u_Mat", "Left")]


def test_a_repeated_view_is_not_seen_in_a_sibling_arm() -> None:
    placed = place(
        f"""
        {IN_MAT}
        {LOADED}
        {TURNED}
        if n < 1:
            r = pl.matmul(a, t)
        else:
            q = pl.matmul(a, t)
        """
    )
    copies = [("a", "Left"), ("b", "Mat")]
    assert moves(placed) == [*copies, ("t_Mat", "Right"), *copies, ("t_Mat__1", "Right")]


@pytest.mark.parametrize("operand", ["c", "d"])
def test_a_held_carry_of_the_view_is_repeated_before_the_loop(operand: str) -> None:
    placed = place(
        f"""
        {IN_MAT}
        {LOADED}
        {TURNED}
        for i, (c,) in pl.range(4, init_values=(t,)):
            d = c
            r = pl.matmul(a, {operand})
            c_rv = pl.yield_(c)
        """
    )
    assert moves(placed) == [("b", "Mat"), ("t_Mat", "Right"), ("a", "Left")]


def test_a_slice_of_a_held_carry_of_the_view_is_repeated_in_the_loop() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        {LOADED}
        {TURNED}
        for i, (c,) in pl.range(4, init_values=(t,)):
            u = pl.slice(c, [16, 64], [i * 16, 0])
            r = pl.matmul(u, a)
            c_rv = pl.yield_(c)
        """,
        f"""
        {IN_MAT}
        {IN_VEC}
        {TURNED}
        for i, (c,) in pl.range(4, init_values=(t,)):
            u = pl.slice(c, [16, 64], [i * 16, 0])
            b_Mat = pl.move(b, target_memory=pl.Mem.Mat)
            t_Mat = pl.tile.transpose_view(b_Mat)
            u_Mat = pl.slice(t_Mat, [16, 64], [i * 16, 0])
            u_Left = pl.move(u_Mat, target_memory=pl.Mem.Left)
            a_Right = pl.move(a, target_memory=pl.Mem.Right)
            r = pl.matmul(u_Left, a_Right)
            c_rv = pl.yield_(c)
        """,
    )


# Views that go through a join cannot be repeated any more: such a join is in Mat where the cube side needs it.


def test_a_carry_of_transposed_views_that_the_cube_side_reads_is_in_mat() -> None:
    assert_placed(
        f"""
        {IN_MAT}
        {LOADED}
        {TURNED}
        for i, (c,) in pl.range(4, init_values=(t,)):
            r = pl.matmul(a, c)
            d = pl.exp(b)
            u = pl.tile.transpose_view(d)
            c_rv = pl.yield_(u)
        """,
        f"""
        {IN_MAT}
        {IN_VEC}
        {TURNED}
        b_Mat = pl.move(b, target_memory=pl.Mem.Mat)
        t_Mat = pl.tile.transpose_view(b_Mat)
        for i, (c,) in pl.range(4, init_values=(t_Mat,)):
            a_Left = pl.move(a, target_memory=pl.Mem.Left)
            c_Right = pl.move(c, target_memory=pl.Mem.Right)
            r = pl.matmul(a_Left, c_Right)
            d = pl.exp(b)
            u = pl.tile.transpose_view(d)
            d_Mat = pl.move(d, target_memory=pl.Mem.Mat)
            u_Mat = pl.tile.transpose_view(d_Mat)
            c_rv = pl.yield_(u_Mat)
        """,
    )


def test_a_branch_of_transposed_views_that_the_cube_side_reads_is_in_mat() -> None:
    placed = place(
        f"""
        {IN_MAT}
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        if n < 1:
            t = pl.tile.transpose_view(z)
            j = pl.yield_(t)
        else:
            e = pl.exp(z)
            u = pl.tile.transpose_view(e)
            j = pl.yield_(u)
        r = pl.matmul(a, j)
        """
    )
    assert spaces(placed)["j"] == "Mat"
    assert moves(placed) == [("z", "Mat"), ("e", "Mat"), ("a", "Left"), ("j", "Right")]


def test_a_carry_of_transposed_views_that_vector_operators_read_stays_in_vec() -> None:
    placed = place(
        f"""
        {LOADED}
        {TURNED}
        for i, (c,) in pl.range(4, init_values=(t,)):
            e = pl.exp(b)
            u = pl.tile.transpose_view(e)
            c_rv = pl.yield_(u)
        f = pl.exp(c_rv)
        """
    )
    assert {*spaces(placed).values()} == {"Vec"}
    assert moves(placed) == []


def test_a_join_of_such_a_join_is_in_mat_too() -> None:
    placed = place(
        f"""
        {IN_MAT}
        {LOADED}
        {TURNED}
        for i, (c,) in pl.range(4, init_values=(t,)):
            e = pl.exp(b)
            u = pl.tile.transpose_view(e)
            c_rv = pl.yield_(u)
        if n < 1:
            j = pl.yield_(c_rv)
        else:
            w = pl.tile.transpose_view(b)
            j = pl.yield_(w)
        r = pl.matmul(a, j)
        """
    )
    assert spaces(placed)["c"] == spaces(placed)["c_rv"] == spaces(placed)["j"] == "Mat"


def test_a_join_of_such_joins_alone_is_in_mat_too() -> None:
    branch = "if n < {0}:\n    {1} = pl.yield_({2})\nelse:\n    {1} = pl.yield_({3})"
    views = "\n".join(
        f"v{k} = pl.tile.full([64, 64], dtype=pl.FP32, value={k}.0)\nt{k} = pl.tile.transpose_view(v{k})"
        for k in range(4)
    )
    joins = [branch.format(1, "j", "t0", "t1"), branch.format(2, "k", "t2", "t3"), branch.format(3, "both", "j", "k")]
    placed = place("\n".join([IN_MAT, views, *joins, "r = pl.matmul(a, both)"]))
    assert [spaces(placed)[name] for name in ("j", "k", "both")] == ["Mat", "Mat", "Mat"]


def test_a_join_of_transposed_views_that_both_sides_read_is_refused_on_a_chip() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        if n < 1:
            t = pl.tile.transpose_view(z)
            j = pl.yield_(t)  # expect: PL405
        else:
            e = pl.exp(z)
            j = pl.yield_(e)
        f = pl.exp(j)  # note
        r = pl.matmul(a, j)  # note
        """,
        "'j'", "transposed views get from Mat only",
        targets=CHIPS,
    )  # fmt: skip


# Moves that the kernel makes itself.


@pytest.mark.parametrize("space", ["Left", "Right"])
@pytest.mark.parametrize(
    "transfer",
    [
        "pl.move({0}, target_memory=pl.Mem.{1})",
        "pl.tile.extract({0}, 0, 0, [32, 32], target_memory=pl.Mem.{1})",
    ],
)
def test_a_written_move_to_the_matrix_unit_starts_from_a_view_in_mat(transfer: str, space: str) -> None:
    assert_placed(
        f"{IN_VEC}\n{TURNED}\nw = {transfer.format('t', space)}",
        f"{IN_VEC}\n{TURNED}\nb_Mat = pl.move(b, target_memory=pl.Mem.Mat)\n"
        f"t_Mat = pl.tile.transpose_view(b_Mat)\nw = {transfer.format('t_Mat', space)}",
    )


def test_so_does_one_of_a_product() -> None:
    body = f"{IN_MAT}\nm = pl.matmul(a, a)\nt = pl.tile.transpose_view(m)\nw = pl.move(t, target_memory=pl.Mem.Left)"
    assert moves(place(body))[2:] == [("m", "Mat"), ("t_Mat", "Left")]


@pytest.mark.parametrize("view", ["u = t", "u = pl.slice(t, [64, 64], [0, 0])", "u = pl.tile.transpose_view(t)"])
def test_so_does_one_of_an_alias_or_a_further_view(view: str) -> None:
    assert moves(place(f"{IN_VEC}\n{TURNED}\n{view}\nw = pl.move(u, target_memory=pl.Mem.Left)"))[0] == ("b", "Mat")


def test_so_does_one_of_a_join() -> None:
    body = f"""
        {LOADED}
        {TURNED}
        for i, (c,) in pl.range(4, init_values=(t,)):
            e = pl.exp(b)
            u = pl.tile.transpose_view(e)
            w = pl.move(c, target_memory=pl.Mem.Left)
            c_rv = pl.yield_(u)
        """
    placed = place(body)
    assert spaces(placed)["c"] == "Mat"
    assert [move[1] for move in moves(placed)] == ["Mat", "Left", "Mat"]


def test_a_written_move_to_vec_takes_it_as_it_is() -> None:
    assert moves(place(f"{IN_VEC}\n{TURNED}\nw = pl.move(t, target_memory=pl.Mem.Vec)")) == [("t", "Vec")]


@pytest.mark.parametrize(
    "transfer",
    ["pl.move(t, target_memory=pl.Mem.Mat)", "pl.tile.extract(t, 0, 0, [32, 32], target_memory=pl.Mem.Mat)"],
)
def test_a_written_move_to_mat_is_refused(transfer: str) -> None:
    assert_refused(
        f"""
        {IN_VEC}  # note
        {TURNED}
        w = {transfer}  # expect: PL404
        """,
        "a transposed view cannot be moved there as it is",
        "pl.tile.transpose_view(pl.move(..., target_memory=pl.MemorySpace.Mat))",
    )


def test_following_its_hint_helps() -> None:
    body = f"{IN_VEC}\nm = pl.move(b, target_memory=pl.Mem.Mat)\nw = pl.tile.transpose_view(m)"
    assert_placed(body, body)


@pytest.mark.parametrize("space", ["Mat", "Left", "Right"])
@pytest.mark.parametrize("view", ["u = t", "u = pl.slice(t, [64, 64], [0, 0])"])
def test_the_verifier_finds_moves_of_transposed_views(space: str, view: str) -> None:
    program = kernel(f"{IN_VEC}\n{TURNED}\n{view}\nw = pl.move(u, target_memory=pl.Mem.{space})")
    assert [each.code for each in passes.verify(program, {passes.TileMemoryInferred}, ASCEND910B)] == ["PL407"]


def test_the_verifier_finds_them_behind_joins_and_in_assemblies() -> None:
    program = kernel(
        f"""
        {IN_MAT}
        {IN_VEC}
        {TURNED}
        for i, (c,) in pl.range(4, init_values=(t,)):
            w = pl.move(c, target_memory=pl.Mem.Left)
            q = pl.tile.assemble(a, c, [0, 0])
            c_rv = pl.yield_(c)
        """
    )
    found = passes.verify(program, {passes.TileMemoryInferred}, ASCEND910B)
    assert [each.code for each in found] == ["PL407", "PL407"]
