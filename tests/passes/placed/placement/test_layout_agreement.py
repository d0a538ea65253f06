"""What meets in a join lies the same way round: a tile and a transposed view would be read with one layout."""

from __future__ import annotations

import pytest

from pypto_lite import passes
from pypto_lite.targets import ASCEND910B
from tests.passes.placed.placement.kernels import assert_refused, kernel, place

SPACES = pytest.mark.parametrize("space", ["Mat", "Vec"])
TILES = """\
a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.{space})
t = pl.tile.transpose_view(a)
"""
READ = {
    "Mat": "b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)\np = pl.matmul(j, b)\n",
    "Vec": "p = pl.exp(j)\n",
}


def branch(then: str, otherwise: str) -> str:
    return f"if n < 1:\n    j = pl.yield_({then})\nelse:\n    j = pl.yield_({otherwise})\n"


def marked(text: str, line: str) -> str:
    """The text with an error expected at this line of it."""
    return text.replace(line, f"{line}  # expect: PL405")


def findings(body: str) -> list[tuple[str, str]]:
    """What the verifier says about a body that is placed by hand."""
    found = passes.verify(kernel(body), {passes.TileMemoryInferred}, ASCEND910B)
    return [(each.code, each.message) for each in found]


@SPACES
@pytest.mark.parametrize(("then", "otherwise"), [("a", "t"), ("t", "a")])
def test_a_tile_and_a_transposed_view_of_it(space: str, then: str, otherwise: str) -> None:
    body = TILES.format(space=space) + branch(then, otherwise) + READ[space]
    assert_refused(
        marked(body, f"    j = pl.yield_({then})"),
        f"'j' would be read with the layout of {then!r}, but {otherwise!r} lies across it",
        "take the transposed view in both places, or in neither",
    )


def test_both_are_shown() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)  # note
        c = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        t = pl.tile.transpose_view(c)  # note
        if n < 1:
            j = pl.yield_(a)  # expect: PL405
        else:
            j = pl.yield_(t)
        p = pl.matmul(j, a)
        """
    )


@SPACES
@pytest.mark.parametrize(
    "header",
    ["for i, (j,) in pl.range(4, init_values=(a,)):", "for (j,) in pl.while_(init_values=(a,)):\n    pl.cond(s < 1.0)"],
)
def test_a_carry_that_turns_in_every_iteration(space: str, header: str) -> None:
    tile = TILES.format(space=space).splitlines()[0]
    first, _, rest = header.partition("\n")
    body = f"{tile}\n{first}  # expect: PL405\n{rest}\n    t = pl.tile.transpose_view(j)\n    j_rv = pl.yield_(t)\n"
    assert_refused(body, "'j' would be read with the layout of 'a', but 't' lies across it")


@SPACES
def test_carries_that_change_places(space: str) -> None:
    header = "for i, (c, d) in pl.range(4, init_values=(a, t)):"
    body = f"{TILES.format(space=space)}{header}  # expect: PL405 # expect: PL405\n    c_rv, d_rv = pl.yield_(d, c)\n"
    assert_refused(body, "'c' would be read with the layout of 'a'", "'d' would be read with the layout of 't'")


@SPACES
@pytest.mark.parametrize(
    "view",
    [
        "u = t",
        "u = pl.slice(t, [64, 64], [0, 0])",
        "u = pl.set_validshape(t, 64, 64)",
        "w = pl.tile.transpose_view(t)\nu = pl.tile.transpose_view(w)",
        "for i, (c,) in pl.range(4, init_values=(t,)):\n    u = pl.yield_(t)",
    ],
)
def test_under_aliases_and_further_views(space: str, view: str) -> None:
    body = f"{TILES.format(space=space)}{view}\n{branch('a', 'u')}{READ[space]}"
    assert_refused(marked(body, "    j = pl.yield_(a)"), "'u' lies across it")


# Fine.


@SPACES
@pytest.mark.parametrize(
    "arms",
    [
        "u = pl.tile.transpose_view(a)\n" + branch("t", "u"),
        "u = pl.tile.transpose_view(t)\n" + branch("a", "u"),
        "for i, (c, d) in pl.range(4, init_values=(a, t)):\n"
        "    u = pl.tile.transpose_view(c)\n    w = pl.tile.transpose_view(d)\n    j, j2 = pl.yield_(w, u)\n",
    ],
)
def test_transposed_in_both_or_in_none(space: str, arms: str) -> None:
    placed = place(TILES.format(space=space) + arms + READ[space], ASCEND910B)
    assert passes.verify(placed, {passes.TileMemoryInferred}, ASCEND910B) == []


def test_following_the_hint_in_vec() -> None:
    move = "u = pl.move(t, target_memory=pl.Mem.Vec, blayout=pl.TileLayout.row_major)\n"
    placed = place(TILES.format(space="Vec") + move + branch("a", "u") + READ["Vec"], ASCEND910B)
    assert passes.verify(placed, {passes.TileMemoryInferred}, ASCEND910B) == []


def test_following_the_hint_in_mat() -> None:
    moved = "al = pl.move(a, target_memory=pl.Mem.Left)\ntl = pl.move(t, target_memory=pl.Mem.Left)\n"
    placed = place(TILES.format(space="Mat") + moved + branch("al", "tl") + READ["Mat"], ASCEND910B)
    assert passes.verify(placed, {passes.TileMemoryInferred}, ASCEND910B) == []


def test_a_single_column_lies_the_same_either_way() -> None:
    body = """
        a = pl.load(x, [0, 0], [64, 64])
        tmp = pl.create_tile([64, 64], dtype=pl.FP32)
        if n < 1:
            r = pl.row_sum(a, tmp)
            j = pl.yield_(r)
        else:
            z = pl.tile.full([64, 1], dtype=pl.FP32, value=0.0)
            j = pl.yield_(z)
        e = pl.exp(j)
        """
    placed = place(body, ASCEND910B)
    assert passes.verify(placed, {passes.TileMemoryInferred}, ASCEND910B) == []


# Placed by hand.


@SPACES
def test_the_verifier_finds_branches(space: str) -> None:
    ((code, message),) = findings(TILES.format(space=space) + branch("a", "t"))
    assert code == "PL405"
    assert "'j' would be read with the layout of 'a', but 't' lies across it" in message


@SPACES
def test_the_verifier_finds_loops(space: str) -> None:
    loop = "for i, (c,) in pl.range(4, init_values=(a,)):\n    u = pl.tile.transpose_view(c)\n    j = pl.yield_(u)\n"
    ((code, message),) = findings(TILES.format(space=space) + loop)
    assert code == "PL405"
    assert "'u' lies across it" in message
