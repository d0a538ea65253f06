"""Phases 2 and 3: which moves are inserted, where they stand, what reads them, and how often."""

from __future__ import annotations

import textwrap

from pypto_lite import ir, printer
from tests.passes.placed.placement.kernels import assert_placed, place

LOADED = """
a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
"""


def after_loads(text: str) -> str:
    """A body that begins with the two loads into Mat."""
    return LOADED + textwrap.dedent(text)


# Where they stand.


def test_a_move_stands_in_front_of_the_first_consumer() -> None:
    assert_placed(
        after_loads("""
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        r = pl.matmul(a, b)
        """),
        after_loads("""
        z = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        """),
    )


def test_one_copy_serves_all_consumers_of_a_list() -> None:
    assert_placed(
        after_loads("""
        r = pl.matmul(a, b)
        q = pl.matmul(a, b)
        e = pl.exp(r)
        f = pl.add(r, e)
        """),
        after_loads("""
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        q = pl.matmul(a_Left, b_Right)
        r_Vec = pl.move(r, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        e = pl.exp(r_Vec)
        f = pl.add(r_Vec, e)
        """),
    )


def test_a_tile_in_two_slots_is_copied_to_both() -> None:
    assert_placed(
        after_loads("r = pl.matmul(a, a)"),
        after_loads("""
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, a_Right)
        """),
    )


def test_a_tile_that_an_operator_reads_twice_is_copied_once() -> None:
    assert_placed(
        after_loads("""
        r = pl.matmul(a, b)
        e = pl.mul(r, r)
        """),
        after_loads("""
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        r_Vec = pl.move(r, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        e = pl.mul(r_Vec, r_Vec)
        """),
    )


def test_a_copy_in_an_enclosing_list_is_used_again() -> None:
    assert_placed(
        after_loads("""
        r = pl.matmul(a, b)
        for i in pl.range(4):
            if i < 2:
                q = pl.matmul(a, b)
        """),
        after_loads("""
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        for i in pl.range(4):
            if i < 2:
                q = pl.matmul(a_Left, b_Right)
        """),
    )


def test_a_copy_in_a_nested_list_is_not_seen_outside() -> None:
    assert_placed(
        after_loads("""
        for i in pl.range(4):
            q = pl.matmul(a, b)
        r = pl.matmul(a, b)
        """),
        after_loads("""
        for i in pl.range(4):
            inner_left = pl.move(a, target_memory=pl.Mem.Left)
            inner_right = pl.move(b, target_memory=pl.Mem.Right)
            q = pl.matmul(inner_left, inner_right)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        """),
    )


def test_sibling_arms_have_copies_of_their_own() -> None:
    assert_placed(
        after_loads("""
        if n < 1:
            q = pl.matmul(a, b)
        else:
            r = pl.matmul(a, b)
        """),
        after_loads("""
        if n < 1:
            then_left = pl.move(a, target_memory=pl.Mem.Left)
            then_right = pl.move(b, target_memory=pl.Mem.Right)
            q = pl.matmul(then_left, then_right)
        else:
            else_left = pl.move(a, target_memory=pl.Mem.Left)
            else_right = pl.move(b, target_memory=pl.Mem.Right)
            r = pl.matmul(else_left, else_right)
        """),
    )


def test_an_elif_is_a_list_within_the_else_arm() -> None:
    assert_placed(
        after_loads("""
        if n < 1:
            q = pl.matmul(a, a)
        elif n < 2:
            r = pl.matmul(b, b)
        """),
        after_loads("""
        if n < 1:
            a_Left = pl.move(a, target_memory=pl.Mem.Left)
            a_Right = pl.move(a, target_memory=pl.Mem.Right)
            q = pl.matmul(a_Left, a_Right)
        elif n < 2:
            b_Left = pl.move(b, target_memory=pl.Mem.Left)
            b_Right = pl.move(b, target_memory=pl.Mem.Right)
            r = pl.matmul(b_Left, b_Right)
        """),
    )


def test_a_while_loop_has_its_copies_in_its_body() -> None:
    assert_placed(
        after_loads("""
        for (m,) in pl.while_(init_values=(n,)):
            pl.cond(m > 0)
            r = pl.matmul(a, b)
            m_rv = pl.yield_(m - 1)
        """),
        after_loads("""
        for (m,) in pl.while_(init_values=(n,)):
            pl.cond(m > 0)
            a_Left = pl.move(a, target_memory=pl.Mem.Left)
            b_Right = pl.move(b, target_memory=pl.Mem.Right)
            r = pl.matmul(a_Left, b_Right)
            m_rv = pl.yield_(m - 1)
        """),
    )


def test_a_call_for_its_effect_is_a_consumer_too() -> None:
    assert_placed(
        after_loads("""
        r = pl.matmul(a, b)
        rows = pl.tile.full([64, 64], dtype=pl.INT32, value=0)
        pl.mscatter(r, rows, out)
        """),
        after_loads("""
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        rows = pl.tile.full([64, 64], dtype=pl.INT32, value=0)
        r_Vec = pl.move(r, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        pl.mscatter(r_Vec, rows, out)
        """),
    )


def test_a_call_that_makes_a_scalar_is_a_consumer_too() -> None:
    assert_placed(
        after_loads("""
        r = pl.matmul(a, b)
        first = pl.read(r, [0, 0])
        """),
        after_loads("""
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        r_Vec = pl.move(r, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        first = pl.read(r_Vec, [0, 0])
        """),
    )


# What needs none.


def test_a_consumer_that_reads_where_the_tile_is_reads_it_there() -> None:
    """The copy for one consumer is not forced on the other: a store reads Acc."""
    assert_placed(
        after_loads("""
        r = pl.matmul(a, b)
        e = pl.exp(r)
        o = pl.store(r, [0, 0], out)
        """),
        after_loads("""
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        r_Vec = pl.move(r, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        e = pl.exp(r_Vec)
        o = pl.store(r, [0, 0], out)
        """),
    )


def test_an_operand_without_a_rule_is_read_where_it_is() -> None:
    body = after_loads("""
        m = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Mat)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        filled = pl.tile.assemble(m, r, [0, 0])
        """)
    assert_placed(body, body)


# Written moves.


def test_a_written_move_is_never_used_for_another_consumer() -> None:
    assert_placed(
        after_loads("""
        left = pl.move(a, target_memory=pl.Mem.Left)
        right = pl.move(b, target_memory=pl.Mem.Right)
        q = pl.matmul(left, right)
        r = pl.matmul(a, b)
        """),
        after_loads("""
        left = pl.move(a, target_memory=pl.Mem.Left)
        right = pl.move(b, target_memory=pl.Mem.Right)
        q = pl.matmul(left, right)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        """),
    )


# What a copy is a copy of.


def test_an_alias_has_a_copy_of_its_own() -> None:
    assert_placed(
        after_loads("""
        q = pl.matmul(a, b)
        c = a
        r = pl.matmul(c, b)
        """),
        after_loads("""
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        q = pl.matmul(a_Left, b_Right)
        c: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = a
        c_Left = pl.move(c, target_memory=pl.Mem.Left)
        r = pl.matmul(c_Left, b_Right)
        """),
    )


def test_an_operand_that_is_taken_over_is_a_copy_that_nobody_else_reads() -> None:
    """``fillpad_inplace`` writes into its operand, so it gets a copy of its own and no earlier or later one."""
    assert_placed(
        after_loads("""
        r = pl.matmul(a, b)
        e = pl.exp(r)
        p = pl.tile.fillpad_inplace(r, pad_value=pl.PadValue.zero)
        f = pl.exp(r)
        """),
        after_loads("""
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        r_Vec = pl.move(r, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        e = pl.exp(r_Vec)
        own = pl.move(r, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box)
        p = pl.tile.fillpad_inplace(own, pad_value=pl.PadValue.zero)
        f = pl.exp(r_Vec)
        """),
    )


# Their names.


def inserted(program: ir.Program) -> list[str]:
    """The printed names of the inserted tiles."""
    names = printer.names(program.functions["kernel"])
    return [names[decision.subject] for decision in program.decisions if decision.inserted]


def test_a_copy_is_named_after_its_tile_and_its_space() -> None:
    assert inserted(place(after_loads("r = pl.matmul(a, b)"))) == ["a_Left", "b_Right"]


def test_copies_of_one_tile_in_two_lists_have_two_names() -> None:
    placed = place(
        after_loads("""
        if n < 1:
            q = pl.matmul(a, b)
        r = pl.matmul(a, b)
        """)
    )
    assert inserted(placed) == ["a_Left", "b_Right", "a_Left__1", "b_Right__1"]


def test_a_name_that_the_kernel_uses_itself_stays_with_it() -> None:
    placed = place(
        after_loads("""
        r = pl.matmul(a, b)
        a_Left = pl.exp(r)
        """)
    )
    assert inserted(placed) == ["a_Left__1", "b_Right", "r_Vec"]
    assert "a_Left" in printer.names(placed.functions["kernel"]).values()


def test_the_copy_of_a_name_that_was_bound_again_has_the_printed_name() -> None:
    placed = place(
        after_loads("""
        a = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        r = pl.matmul(a, b)
        """)
    )
    assert inserted(placed) == ["a__1_Left", "b_Right"]
