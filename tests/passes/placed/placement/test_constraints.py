"""Phase 0: what consumers ask of loads and creates that name no target, also across aliases and views.

A load can be asked for Vec or Mat, and no operand asks for Mat: it ends in Vec, and is moved from there. A create is an
empty tile and can be made anywhere; it follows a demand for Acc, into which nothing can be moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.passes.placed.placement.kernels import (
    ALL_TARGETS,
    assert_placed,
    assert_refused,
    moves,
    place,
    spaces,
)

if TYPE_CHECKING:
    from pypto_lite.targets import Target

CREATED = "c = pl.create_tile([64, 64], dtype=pl.FP32)"
TWICE_LOADED = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"


# Clamped to Vec or Mat.


def test_a_load_that_the_left_and_the_right_side_want_stops_at_vec() -> None:
    assert_placed(
        """
        a = pl.load(x, [0, 0], [64, 64])
        b = pl.load(y, [0, 0], [64, 64])
        r = pl.matmul(a, b)
        """,
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(a_Left, b_Right)
        """,
    )


def test_a_create_that_the_left_side_wants_stops_at_vec() -> None:
    placed = place(f"{CREATED}\n{TWICE_LOADED}\nr = pl.matmul(c, a)")
    assert spaces(placed)["c"] == "Vec"


def test_a_load_whose_bias_is_wanted_stops_at_vec() -> None:
    placed = place(f"{TWICE_LOADED}\nb = pl.load(v, [0, 0], [1, 64])\nr = pl.matmul_bias(a, a, b)")
    assert spaces(placed)["b"] == "Vec"
    assert moves(placed)[-2:] == [("b", "Mat"), ("b_Mat", "Bias")]


# The first allowed space.


def test_what_is_only_stored_is_in_the_first_space_that_a_store_reads() -> None:
    placed = place(f"{CREATED}\no = pl.store(c, [0, 0], out)")
    assert spaces(placed) == {"c": "Vec"}


# A demand for Acc.


def test_a_created_accumulator_is_created_in_acc() -> None:
    assert_placed(
        f"""
        {TWICE_LOADED}
        {CREATED}
        r = pl.matmul_acc(c, a, a)
        """,
        f"""
        {TWICE_LOADED}
        c = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Acc)
        a_Left = pl.move(a, target_memory=pl.Mem.Left)
        a_Right = pl.move(a, target_memory=pl.Mem.Right)
        r = pl.matmul_acc(c, a_Left, a_Right)
        """,
    )


@pytest.mark.parametrize(
    "view",
    [
        "d = c",
        "d = pl.reshape(c, [64, 64])",
        "d = pl.slice(c, [64, 64], [0, 0])",
        "d = pl.set_validshape(c, 64, 64)",
        "d = pl.transpose(c, 0, 1)",
        "d = pl.tile.transpose_view(c)",
        "m = pl.matmul(a, a)\nd = pl.tile.assemble(c, m, [0, 0])",
        "b = c\nd = pl.reshape(b, [64, 64])",
    ],
)
def test_the_demand_crosses_aliases_and_whatever_inherits(view: str) -> None:
    placed = place(f"{TWICE_LOADED}\n{CREATED}\n{view}\nr = pl.matmul_acc(d, a, a)")
    assert spaces(placed)["c"] == spaces(placed)["d"] == "Acc"


@pytest.mark.parametrize("reader", ["e = pl.exp(c)", "o = pl.store(c, [0, 0], out)", "r0 = pl.matmul(c, a)"])
@pytest.mark.parametrize("first", [True, False])
def test_the_demand_for_acc_wins_over_every_other(reader: str, first: bool) -> None:
    accumulate = "r = pl.matmul_acc(c, a, a)"
    uses = [reader, accumulate] if first else [accumulate, reader]
    placed = place("\n".join([TWICE_LOADED, CREATED, *uses]))
    assert spaces(placed)["c"] == "Acc"


def test_the_demand_does_not_cross_a_vector_operator() -> None:
    assert_placed(
        """
        a = pl.load(x, [0, 0], [64, 64], valid_shape=[48, 64])
        p = pl.fillpad(a, pad_value=pl.PadValue.zero)
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        r = pl.matmul(p, b)
        """,
        """
        a = pl.load(x, [0, 0], [64, 64], valid_shape=[48, 64], target_memory=pl.Mem.Vec)
        p = pl.fillpad(a, pad_value=pl.PadValue.zero)
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        p_Left = pl.move(p, target_memory=pl.Mem.Left)
        b_Right = pl.move(b, target_memory=pl.Mem.Right)
        r = pl.matmul(p_Left, b_Right)
        """,
    )


def test_a_view_that_is_not_possible_in_acc_is_refused_where_it_is_made() -> None:
    assert_refused(
        f"""
        {TWICE_LOADED}
        {CREATED}
        d = pl.reinterpret_view(c, pl.FP32)  # expect: PL210
        r = pl.matmul_acc(d, a, a)
        """,
        "Acc",
    )


# Accumulators that nothing can put into Acc.


@pytest.mark.parametrize(
    "maker",
    [
        "c = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)",
        "c = pl.exp(a0)",
        "c = pl.load(y, [0, 0], [64, 64])",
        "c = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)",
        "c = pl.move(a0, target_memory=pl.Mem.Mat)",
        "c = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)",
    ],
)
def test_an_accumulator_that_is_made_elsewhere_is_refused_where_it_is_made(maker: str) -> None:
    assert_refused(
        f"""
        a0 = pl.load(x, [0, 0], [64, 64])
        {maker}  # expect: PL404
        r = pl.matmul_acc(c, a0, a0)  # note
        """,
        "'c'", "Acc", "hint:",
    )  # fmt: skip


def test_an_accumulator_that_is_a_view_is_refused_by_both_names() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])
        c = pl.exp(a)  # expect: PL404
        d = pl.reshape(c, [64, 64])
        r = pl.matmul_acc(d, a, a)  # note
        """,
        "'c'", "'d'", "pl.create_tile",
    )  # fmt: skip


def test_a_created_accumulator_in_another_space_is_told_to_leave_it_out() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])
        c = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)  # expect: PL404
        r = pl.matmul_acc(c, a, a)  # note
        """,
        "leave out target_memory",
    )


def test_an_accumulator_that_is_written_in_place_has_no_space_that_suits_both() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])
        c = pl.create_tile([64, 64], dtype=pl.FP32)  # expect: PL405
        pl.write(c, [0, 0], s)  # note
        r = pl.matmul_acc(c, a, a)  # note
        """,
        "'c'", "tile.write", "tile.matmul_acc",
    )  # fmt: skip


@pytest.mark.parametrize("target", ALL_TARGETS, ids=repr)
def test_every_accumulating_operator_wants_acc(target: Target | None) -> None:
    row = "a = pl.load(v, [0, 0], [1, 64])\nb = pl.load(x, [0, 0], [64, 64])"
    seed = "c0 = pl.create_tile([16, 64], dtype=pl.FP32)\nc = pl.set_validshape(c0, 1, 64)"
    placed = place(f"{row}\n{seed}\nr = pl.tile.gemv_acc(c, a, b)", target)
    assert spaces(placed)["c0"] == "Acc"
