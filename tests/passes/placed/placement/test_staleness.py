"""A copy is as good as its source: after a write into the tile, an alias or a view of it, a consumer gets a new one."""

from __future__ import annotations

import pytest

from tests.passes.placed.placement.kernels import assert_placed, moves, place

VEC = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)"
MAT = "b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"
WRITE = "pl.write(a, [0, 0], s)"
FRESH = [("a", "Left"), ("b", "Right"), ("a", "Left")]
SHARED = [("a", "Left"), ("b", "Right")]


def product(name: str, operand: str = "a") -> str:
    return f"{name} = pl.matmul({operand}, b)"


def test_the_consumer_after_a_write_gets_a_new_copy() -> None:
    assert_placed(
        f"""
        {VEC}
        {MAT}
        p = pl.matmul(a, b)
        {WRITE}
        q = pl.matmul(a, b)
        r = pl.matmul(a, b)
        """,
        f"""
        {VEC}
        {MAT}
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        p = pl.matmul(a_Left, b_Right)
        {WRITE}
        again = pl.move(a, target_memory=pl.Mem.Left)
        q = pl.matmul(again, b_Right)
        r = pl.matmul(again, b_Right)
        """,
    )


@pytest.mark.parametrize(
    "write",
    [
        WRITE,
        "a[0, 0] = s",
        "c = a\npl.write(c, [0, 0], s)",
        "c = pl.reshape(a, [32, 128])\npl.write(c, [0, 0], s)",
        "c = pl.slice(a, [32, 32], [0, 0])\npl.write(c, [0, 0], s)",
        "c = pl.set_validshape(a, 8, 8)\npl.write(c, [0, 0], s)",
        "c = pl.tile.transpose_view(a)\npl.write(c, [0, 0], s)",
        "c = pl.reinterpret_view(a, pl.FP32)\nd = c\npl.write(d, [0, 0], s)",
        "c = pl.write(a, [0, 0], s)",
        "c = pl.write(a, [0, 0], s)\npl.write(c, [0, 1], s)",
        "c = pl.tile.fillpad_inplace(a, pad_value=pl.PadValue.zero)",
        "pl.tile.fillpad_inplace(a, pad_value=pl.PadValue.zero)",
    ],
)
def test_under_whatever_name_it_is_written(write: str) -> None:
    assert moves(place(f"{VEC}\n{MAT}\n{product('p')}\n{write}\n{product('q')}")) == FRESH


@pytest.mark.parametrize(
    "write",
    [
        "c = pl.exp(a)\npl.write(c, [0, 0], s)",
        "c = pl.transpose(a, 0, 1)\npl.write(c, [0, 0], s)",
        "c = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)\npl.write(c, [0, 0], s)",
        "k = pl.read(a, [0, 0])",
        "o = pl.store(a, [0, 0], out)",
    ],
)
def test_what_is_no_write_into_the_tile_leaves_its_copy(write: str) -> None:
    assert moves(place(f"{VEC}\n{MAT}\n{product('p')}\n{write}\n{product('q')}")) == SHARED


def test_a_write_into_a_result_is_one_into_the_operand_that_it_takes_over() -> None:
    taken = "c = pl.tile.fillpad_inplace(a, pad_value=pl.PadValue.zero)"
    placed = place(f"{VEC}\n{MAT}\n{taken}\n{product('p')}\npl.write(c, [0, 0], s)\n{product('q')}")
    assert moves(placed) == FRESH


def test_what_is_assembled_into_a_tile_in_mat_is_a_write() -> None:
    assembled = "u = pl.tile.full([16, 16], dtype=pl.FP32, value=0.0)\nc = pl.tile.assemble(b, u, [0, 0])"
    placed = place(f"{MAT}\n{product('p', 'b')}\n{assembled}\n{product('q', 'b')}")
    assert moves(placed) == 2 * [("b", "Left"), ("b", "Right")]


def test_a_copy_of_a_view_is_stale_after_a_write_into_the_tile() -> None:
    placed = place(f"{VEC}\n{MAT}\nc = pl.reshape(a, [64, 64])\n{product('p', 'c')}\n{WRITE}\n{product('q', 'c')}")
    assert moves(placed) == [("c", "Left"), ("b", "Right"), ("c", "Left")]


def test_the_steps_of_a_longer_way_are_stale_too() -> None:
    placed = place(
        f"""
        row = pl.load(v, [0, 0], [1, 64])
        {MAT}
        p = pl.matmul_bias(b, b, row)
        pl.write(row, [0, 0], s)
        q = pl.matmul_bias(b, b, row)
        """
    )
    steps = [("row", "Mat"), ("row_Mat", "Bias")]
    assert moves(placed) == [("b", "Left"), ("b", "Right"), *steps, ("row", "Mat"), ("row_Mat__1", "Bias")]


def test_a_view_that_was_repeated_in_mat_is_stale_too() -> None:
    placed = place(f"{VEC}\n{MAT}\nt = pl.tile.transpose_view(a)\n{product('p', 't')}\n{WRITE}\n{product('q', 't')}")
    assert moves(placed) == [
        ("a", "Mat"), ("t_Mat", "Left"), ("b", "Right"), ("a", "Mat"), ("t_Mat__1", "Left"),
    ]  # fmt: skip


# In loops.


def test_a_write_at_the_end_of_a_loop_reaches_its_next_iteration() -> None:
    assert_placed(
        f"""
        {VEC}
        {MAT}
        p = pl.matmul(a, b)
        for i in pl.range(4):
            q = pl.matmul(a, b)
            {WRITE}
        r = pl.matmul(a, b)
        """,
        f"""
        {VEC}
        {MAT}
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        p = pl.matmul(a_Left, b_Right)
        for i in pl.range(4):
            inside = pl.move(a, target_memory=pl.Mem.Left)
            q = pl.matmul(inside, b_Right)
            {WRITE}
        after = pl.move(a, target_memory=pl.Mem.Left)
        r = pl.matmul(after, b_Right)
        """,
    )


@pytest.mark.parametrize("header", ["for i in pl.range(4):", "for i in pl.parallel(4):", "while s < 1.0:", "if n < 1:"])
def test_a_write_in_a_nested_list_is_seen_behind_it(header: str) -> None:
    assert moves(place(f"{VEC}\n{MAT}\n{product('p')}\n{header}\n    {WRITE}\n{product('q')}")) == FRESH


def test_a_write_deep_in_a_loop_is_seen_everywhere_in_it() -> None:
    placed = place(
        f"""
        {VEC}
        {MAT}
        p = pl.matmul(a, b)
        for i in pl.range(4):
            for j in pl.range(4):
                q = pl.matmul(a, b)
            if i < 2:
                for j in pl.range(4):
                    {WRITE}
        """
    )
    assert moves(placed) == FRESH


def test_a_loop_without_a_write_uses_the_copy_in_front_of_it() -> None:
    assert moves(place(f"{VEC}\n{MAT}\n{product('p')}\nfor i in pl.range(4):\n    {product('q')}\n{WRITE}")) == SHARED


def test_a_carry_that_is_written_is_copied_after_the_write() -> None:
    placed = place(
        f"""
        {VEC}
        {MAT}
        for i, (c,) in pl.range(4, init_values=(a,)):
            p = pl.matmul(c, b)
            pl.write(c, [0, 0], s)
            q = pl.matmul(c, b)
            d = pl.exp(c)
            c_rv = pl.yield_(d)
        """
    )
    assert moves(placed) == [("c", "Left"), ("b", "Right"), ("c", "Left")]


def test_a_write_into_a_carry_is_one_into_its_initial_value() -> None:
    placed = place(
        f"""
        {VEC}
        {MAT}
        p = pl.matmul(a, b)
        for i, (c,) in pl.range(4, init_values=(a,)):
            pl.write(c, [0, 0], s)
            d = pl.exp(c)
            c_rv = pl.yield_(d)
        q = pl.matmul(a, b)
        """
    )
    assert moves(placed) == FRESH


def test_a_write_into_the_result_of_a_branch_is_one_into_its_arms() -> None:
    placed = place(
        f"""
        {VEC}
        {MAT}
        z = pl.exp(a)
        p = pl.matmul(a, b)
        if n < 1:
            j = pl.yield_(a)
        else:
            j = pl.yield_(z)
        pl.write(j, [0, 0], s)
        q = pl.matmul(a, b)
        """
    )
    assert moves(placed) == FRESH


# In branches.


def test_a_write_in_one_arm_is_not_one_in_the_other() -> None:
    assert_placed(
        f"""
        {VEC}
        {MAT}
        p = pl.matmul(a, b)
        if n < 1:
            {WRITE}
            q = pl.matmul(a, b)
        else:
            r = pl.matmul(a, b)
        """,
        f"""
        {VEC}
        {MAT}
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        p = pl.matmul(a_Left, b_Right)
        if n < 1:
            {WRITE}
            again = pl.move(a, target_memory=pl.Mem.Left)
            q = pl.matmul(again, b_Right)
        else:
            r = pl.matmul(a_Left, b_Right)
        """,
    )


@pytest.mark.parametrize("arms", [("k = n + 1", WRITE), (WRITE, "k = n + 1")])
def test_a_write_in_one_of_two_arms_is_seen_behind_the_branch(arms: tuple[str, str]) -> None:
    branch = f"if n < 1:\n    {arms[0]}\nelse:\n    {arms[1]}"
    assert moves(place(f"{VEC}\n{MAT}\n{product('p')}\n{branch}\n{product('q')}")) == FRESH


def test_a_copy_made_in_an_arm_after_the_write_does_not_help_behind_the_branch() -> None:
    placed = place(f"{VEC}\n{MAT}\n{product('p')}\nif n < 1:\n    {WRITE}\n    {product('q')}\n{product('r')}")
    assert moves(placed) == [*FRESH, ("a", "Left")]


# What is copied into a join is a buffer of its own.


def test_a_carry_that_is_written_gets_a_copy_of_its_own() -> None:
    """The product, which is not read any more, stays in Acc; the earlier copy stays as it is."""
    to_vec = "target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box"
    assert_placed(
        f"""
        {MAT}
        m = pl.matmul(b, b)
        e = pl.exp(m)
        for i, (c,) in pl.range(4, init_values=(m,)):
            pl.write(c, [0, 0], s)
            d = pl.exp(c)
            c_rv = pl.yield_(d)
        f = pl.exp(c_rv)
        """,
        f"""
        {MAT}
        b_Left = pl.move(b, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        m = pl.matmul(b_Left, b_Right)
        m_Vec = pl.move(m, {to_vec})
        e = pl.exp(m_Vec)
        own = pl.move(m, {to_vec})
        for i, (c,) in pl.range(4, init_values=(own,)):
            pl.write(c, [0, 0], s)
            d = pl.exp(c)
            c_rv = pl.yield_(d)
        f = pl.exp(c_rv)
        """,
    )


def test_a_copy_for_a_carry_that_is_not_written_is_shared() -> None:
    placed = place(
        f"""
        {MAT}
        m = pl.matmul(b, b)
        e = pl.exp(m)
        for i, (c,) in pl.range(4, init_values=(m,)):
            d = pl.exp(c)
            c_rv = pl.yield_(d)
        """
    )
    assert moves(placed) == [("b", "Left"), ("b", "Right"), ("m", "Vec")]


def test_an_accumulator_that_is_taken_over_is_read_before_and_after_in_copies_of_its_own() -> None:
    placed = place(
        f"""
        {MAT}
        m = pl.matmul(b, b)
        e = pl.exp(m)
        r = pl.matmul_acc(m, b, b)
        f = pl.exp(r)
        """
    )
    assert moves(placed)[2:] == [("m", "Vec"), ("r", "Vec")]
