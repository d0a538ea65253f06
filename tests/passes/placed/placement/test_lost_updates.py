"""A tile that meets others in another space gets there as a copy: a change that the other side must see is refused."""

from __future__ import annotations

import pytest

from pypto_lite.targets import ASCEND910B
from tests.passes.placed.placement.kernels import assert_refused, moves, place

TILES = """\
b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
c = pl.matmul(b, b)
a = pl.load(x, [0, 0], [64, 64])
"""
IF = """\
if n < 1:
    r = pl.yield_(c)
else:
    r = pl.yield_(a)
"""
WRITE = "pl.write(r, [0, 0], s)"


def copies(body: str) -> list[tuple[str, str]]:
    """The moves of a placed kernel but for those of the operands of the products."""
    made = moves(place(body, ASCEND910B))
    return [move for move in made if move[1] in ("Vec", "Mat")]


def test_a_write_that_a_later_read_of_an_arm_would_miss() -> None:
    assert_refused(
        """
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        c = pl.matmul(b, b)  # note
        if n < 1:
            r = pl.yield_(c)  # note
        else:
            a = pl.load(x, [0, 0], [64, 64])
            r = pl.yield_(a)
        pl.write(r, [0, 0], s)  # expect: PL402
        o = pl.store(c, [0, 0], out)  # note
        """,
        "tile.write changes 'r' in place, in Vec, but 'c' is in Acc and flows into 'r' as a copy",
        "tile.store reads 'c' later and would miss the change",
    )


def test_following_the_hint_helps() -> None:
    to_vec = "target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major, slayout=pl.TileLayout.none_box"
    body = f"{TILES}m = pl.move(c, {to_vec})\n{IF.replace('(c)', '(m)')}{WRITE}\npl.store(m, [0, 0], out)"
    assert copies(body) == [("c", "Vec")]


@pytest.mark.parametrize(
    "write",
    [
        WRITE,
        "q = r\npl.write(q, [0, 0], s)",
        "q = pl.reshape(r, [32, 128])\npl.write(q, [0, 0], s)",
        "q = pl.write(r, [0, 0], s)",
        "pl.tile.fillpad_inplace(r, pad_value=pl.PadValue.zero)",
        "for i in pl.range(4):\n    pl.write(r, [0, 0], s)",
        "if n < 2:\n    j = pl.yield_(r)\nelse:\n    j = pl.yield_(a)\npl.write(j, [0, 0], s)",
    ],
)
@pytest.mark.parametrize(
    "read",
    [
        "o = pl.store(c, [0, 0], out)",
        "d = c\nf = pl.exp(d)",
        "d = pl.reshape(c, [32, 128])\nf = pl.exp(d)",
        "while s < 1.0:\n    f = pl.exp(c)",
        "if n < 2:\n    j2 = pl.yield_(c)\nelse:\n    j2 = pl.yield_(a)\nf = pl.exp(j2)",
    ],
)
def test_under_whatever_name_it_is_written_and_read(write: str, read: str) -> None:
    assert_refused(f"{TILES}{IF}{marked(write)}\n{read}", "would miss the change", targets=(ASCEND910B,))


def marked(write: str) -> str:
    """The text with its last line, which changes the tile, marked."""
    return f"{write}  # expect: PL402"


@pytest.mark.parametrize(
    "rest",
    [
        "f = pl.exp(r)",
        "d = c",
        "if n < 2:\n    pl.write(r, [0, 1], s)\nelse:\n    f = pl.exp(a)",
        "c2 = pl.matmul(b, b)\no = pl.store(c2, [0, 0], out)",
    ],
)
def test_a_tile_that_is_not_read_any_more_may_be_copied(rest: str) -> None:
    assert copies(f"{TILES}f = pl.exp(c)\n{IF}{WRITE}\n{rest}") == [("c", "Vec"), ("c", "Vec")]


def test_what_is_read_in_the_other_arm_does_not_come_after_the_write() -> None:
    inner = "".join(f"    {line}\n" for line in [*IF.splitlines(), WRITE])
    assert copies(f"{TILES}if n < 2:\n{inner}else:\n    f = pl.exp(c)\n") == [("c", "Vec"), ("c", "Vec")]


def test_a_write_before_the_flow_is_in_the_copy() -> None:
    body = f"{TILES}pl.write(a, [0, 0], s)\n{IF.replace('(c)', '(b)')}p = pl.matmul(r, b)"
    assert copies(body) == [("a", "Mat")]


# Loops.


def test_a_write_into_a_carry_that_a_later_read_of_its_initial_value_would_miss() -> None:
    assert_refused(
        f"""
        {TILES.replace(chr(10), chr(10) + 8 * " ")}
        for i, (k,) in pl.range(4, init_values=(c,)):  # note
            pl.write(k, [0, 0], s)  # expect: PL402
            d = pl.exp(k)
            k_rv = pl.yield_(d)
        f = pl.exp(c)  # note
        """,
        "'c' is in Acc and flows into 'k' as a copy",
    )


def test_a_write_into_the_result_of_a_loop() -> None:
    assert_refused(
        f"""
        {TILES.replace(chr(10), chr(10) + 8 * " ")}
        for i, (k,) in pl.range(4, init_values=(a,)):
            d = pl.exp(k)
            k_rv = pl.yield_(c)  # note
        pl.write(k_rv, [0, 0], s)  # expect: PL402
        f = pl.exp(c)  # note
        """,
        "tile.write changes 'k_rv', which comes from 'k', in place",
    )


def test_the_copy_for_the_next_iteration_would_miss_it_too() -> None:
    assert_refused(
        f"""
        {TILES.replace(chr(10), chr(10) + 8 * " ")}
        for i, (k,) in pl.range(4, init_values=(a,)):
            pl.write(k, [0, 0], s)  # expect: PL402
            k_rv = pl.yield_(c)  # note
        f = pl.exp(k_rv)
        """,
        "the copy for 'k' reads 'c' later",
    )


def test_a_read_before_the_write_comes_after_it_in_the_next_iteration() -> None:
    assert_refused(
        f"""
        {TILES.replace(chr(10), chr(10) + 8 * " ")}
        if n < 1:
            r = pl.yield_(c)
        else:
            r = pl.yield_(a)
        for i in pl.range(4):
            f = pl.exp(c)  # note
            pl.write(r, [0, 0], s)  # expect: PL402
        """
    )


def test_a_tile_that_each_iteration_makes_anew_is_another_one() -> None:
    body = f"""\
{TILES}for i, (k,) in pl.range(4, init_values=(a,)):
    pl.write(k, [0, 0], s)
    m = pl.matmul(b, b)
    f = pl.exp(m)
    k_rv = pl.yield_(m)
g = pl.exp(k_rv)
"""
    assert copies(body) == [("m", "Vec"), ("m", "Vec")]


# The other way round: the source is changed, and the copy is read.


def test_a_write_into_the_source_that_the_copy_would_miss() -> None:
    assert_refused(
        """
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)  # note
        if n < 1:
            r = pl.yield_(a)  # note
        else:
            r = pl.yield_(b)
        pl.write(a, [0, 0], s)  # expect: PL402
        q = pl.matmul(r, b)  # note
        """,
        "changes 'a' in place after 'a' flowed into 'r', which lives in Mat and gets a copy; tile.matmul reads 'r'",
    )


def test_a_write_after_the_last_read_of_the_copy_is_fine_in_loops_too() -> None:
    body = f"""\
{TILES}for i in pl.range(4):
    if n < 1:
        r = pl.yield_(a)
    else:
        r = pl.yield_(b)
    q = pl.matmul(r, b)
    pl.write(a, [0, 0], s)
"""
    assert copies(body) == [("a", "Mat")]


def test_two_copies_of_one_tile() -> None:
    other = IF.replace("r =", "q =").replace("n < 1", "n < 2")
    assert_refused(f"{TILES}{IF}{other}{marked(WRITE)}\nf = pl.exp(q)", "reads 'q' later", targets=(ASCEND910B,))


def test_operators_that_hand_their_operand_on_leave_it_as_it_was() -> None:
    """Their result is a tile of its own; what is read under the old name is what was there before."""
    body = f"{TILES}{IF}p = pl.tile.fillpad_inplace(r, pad_value=pl.PadValue.zero)\no = pl.store(c, [0, 0], out)"
    assert copies(body) == [("c", "Vec")]
