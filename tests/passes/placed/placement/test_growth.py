"""Placement takes time and memory in proportion to the kernel, whatever it has more of."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest

from pypto_lite import ir
from pypto_lite import language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.passes import InferTileMemorySpace
from pypto_lite.targets import ASCEND910B
from pypto_lite.testing import assert_linear
from tests.passes.placed.placement.kernels import kernel
from tests.passes.placed.placement.residency import A_LOAD, BODY, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SIZES = (12, 24, 48)
LOADED = ["a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)", "z = pl.load(y, [0, 0], [64, 64])"]


def attempt(program: ir.Program) -> None:
    """Places the program, or finds out why that cannot be done."""
    with contextlib.suppress(UserError):
        InferTileMemorySpace(ASCEND910B).run(program)


def names(prefix: str, numbers: Iterable[int]) -> str:
    return ", ".join(f"{prefix}{number}" for number in numbers)


def carrying(size: int, init: str) -> str:
    """The header of a loop with carries ``c0``, ``c1``, ..."""
    return f"for i, ({names('c', range(size))},) in pl.range(4, init_values=({f'{init}, ' * size})):"


def yielding(size: int, values: str) -> str:
    """The end of such a loop."""
    return f"    {names('r', range(size))} = pl.yield_({values})"


def loop(number: int, init: str, body: str, value: str) -> str:
    """A loop of its own with one carry."""
    header = f"for i{number}, (c{number},) in pl.range(4, init_values=({init},)):"
    return f"{header}\n    {body}\n    r{number} = pl.yield_({value})"


def nested(depth: int, header: str, inner: str, end: str) -> list[str]:
    """Loops in loops; ``{0}`` in the texts is the depth, ``{1}`` the depth of the loop around it."""
    lines = ["    " * level + header.format(level, level - 1) for level in range(depth)]
    lines += ["    " * depth + inner.format(depth - 1)]
    lines += ["    " * (level + 1) + end.format(level, level + 1) for level in reversed(range(depth))]
    return lines


GROWING: dict[str, Callable[[int], list[str]]] = {
    "statements": lambda size: [f"r{i} = pl.matmul(a, z)\ne{i} = pl.exp(r{i})" for i in range(size)],
    "consumers of one tile": lambda size: [f"e{i} = pl.add(z, z)\nr{i} = pl.matmul(z, a)" for i in range(size)],
    "a chain of vector operators": lambda size: ["e0 = z", *[f"e{i + 1} = pl.exp(e{i})" for i in range(size)]],
    "a chain of aliases that are all read": lambda size: [
        "b0 = z",
        *[f"b{i + 1} = b{i}\nr{i} = pl.matmul(b{i}, a)" for i in range(size)],
    ],
    "a chain of transposed views that are all read": lambda size: [
        "b0 = z",
        *[f"b{i + 1} = pl.tile.transpose_view(b{i})\nr{i} = pl.matmul(b{i}, a)" for i in range(size)],
    ],
    "carries": lambda size: [
        carrying(size, "z"),
        *[f"    d{i} = pl.matmul(c{i}, a)" for i in range(size)],
        yielding(size, names("d", range(size))),
    ],
    "carries that change places": lambda size: [
        carrying(size, "z"),
        yielding(size, names("c", [(i + 1) % size for i in range(size)])),
    ],
    "held carries": lambda size: [
        carrying(size, "a"),
        *[f"    d{i} = pl.matmul(c{i}, a)" for i in range(size)],
        yielding(size, names("c", range(size))),
    ],
    "tiles that meet in another space and are changed": lambda size: [
        "r0 = pl.load(x, [0, 0], [64, 64])",
        *[
            f"p{i} = pl.matmul(a, a)\nif n < {i}:\n    r{i + 1} = pl.yield_(p{i})\n"
            f"else:\n    r{i + 1} = pl.yield_(r{i})\npl.write(r{i + 1}, [0, 0], s)"
            for i in range(size)
        ],
    ],
    "loops that start from one tile": lambda size: [loop(i, "z", f"d{i} = pl.exp(c{i})", f"d{i}") for i in range(size)],
    "loops that hold one tile": lambda size: [loop(i, "z", f"d{i} = pl.matmul(c{i}, a)", f"c{i}") for i in range(size)],
    "loops one behind the other": lambda size: [
        loop(i, f"r{i - 1}" if i else "z", f"d{i} = pl.exp(c{i})", f"d{i}") for i in range(size)
    ],
    "branches one behind the other": lambda size: [
        "j0 = z",
        *[
            f"if n < {i}:\n    p{i} = pl.exp(j{i})\n    j{i + 1} = pl.yield_(p{i})\n"
            f"else:\n    q{i} = pl.matmul(j{i}, a)\n    j{i + 1} = pl.yield_(q{i})"
            for i in range(size)
        ],
    ],
    "branches of one tile": lambda size: [
        f"if n < {i}:\n    r{i} = pl.matmul(z, a)\nelse:\n    q{i} = pl.matmul(z, a)" for i in range(size)
    ],
    "writes between consumers": lambda size: [f"r{i} = pl.matmul(z, a)\npl.write(z, [0, 0], s)" for i in range(size)],
    "tiles that are written, and branches": lambda size: [
        f"t{i} = pl.exp(z)\nif n < {i}:\n    pl.write(t{i}, [0, 0], s)\nr{i} = pl.matmul(t{i}, a)" for i in range(size)
    ],
    "mistakes": lambda size: [f"m{i} = pl.exp(z)\nr{i} = pl.matmul_acc(m{i}, a, a)" for i in range(size)],
    "mistakes that come from one tile": lambda size: [
        loop(i, "a", f"d{i} = pl.load(y, [0, 0], [64, 64])\n    e{i} = pl.exp(c{i})", f"d{i}") for i in range(size)
    ],
}


@pytest.mark.parametrize("of", GROWING)
def test_work_grows_with_the_number(of: str) -> None:
    assert_linear(attempt, lambda size: kernel("\n".join([*LOADED, *GROWING[of](size)])), sizes=SIZES)


def failing(made: str, read: str, last: str) -> Callable[[int], list[str]]:
    """Joins that flow into each other and cannot be placed: what is made and read at each, and read of the last."""

    def lines(size: int) -> list[str]:
        joins = [
            f"l{i} = {made}\nif n < {i}:\n    r{i + 1} = pl.yield_(r{i})\nelse:\n    r{i + 1} = pl.yield_(l{i})\n"
            f"k{i} = {read.format(i + 1)}"
            for i in range(size)
        ]
        return ["r0 = pl.load(x, [0, 0], [64, 64])", *joins, last.format(size)]

    return lines


MAT = "pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"
FAILING = {
    "producers that do not fit": failing(MAT, "n + 1", "e = pl.exp(r{0})"),
    "producers that are no accumulators": failing("pl.exp(r0)", "n + 1", "e = pl.matmul_acc(r{0}, a, a)"),
    "producers that do not fit, and readers": failing(MAT, "pl.exp(r{0})", "e = pl.exp(r{0})"),
    "readers of one producer": failing("z", "pl.exp(r{0})", "b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = r{0}"),
}


@pytest.mark.parametrize("of", FAILING)
def test_work_grows_with_the_number_where_it_fails(of: str) -> None:
    def program(size: int) -> ir.Program:
        return kernel("\n".join([*LOADED, *FAILING[of](size)]))

    with pytest.raises(UserError):
        InferTileMemorySpace(ASCEND910B).run(program(2))
    assert_linear(attempt, program, sizes=SIZES)


@pytest.mark.parametrize(
    ("header", "inner", "end"),
    [
        ("for i{0}, (c{0},) in pl.range(4, init_values=(c{1},)):", "r{0}x = pl.exp(c{0})", "r{0} = pl.yield_(r{1})"),
        ("for i{0}, (c{0},) in pl.range(4, init_values=(c{1},)):", "r = pl.matmul(c{0}, a)", "r{0} = pl.yield_(c{0})"),
        ("for i{0} in pl.range(4):", "r = pl.matmul(z, a)", "q{0} = pl.matmul(z, a)"),
        ("if n < {0}:", "r = pl.matmul(z, a)", "q{0} = pl.matmul(z, a)"),
        ("for i{0} in pl.range(4):", "pl.write(z, [0, 0], s)", "q{0} = pl.matmul(z, a)"),
    ],
    ids=["carries", "held carries", "loops with consumers", "branches with consumers", "loops around a write"],
)
def test_work_grows_with_the_depth(header: str, inner: str, end: str) -> None:
    def program(depth: int) -> ir.Program:
        lines = nested(depth, header, inner, end)
        text = "\n".join([*LOADED, "c_first = z", *lines])
        return kernel(text.replace("c-1", "c_first").replace(f"r{depth})", f"r{depth - 1}x)"))

    assert_linear(attempt, program, sizes=SIZES)


def test_work_grows_with_the_number_of_marked_loads() -> None:
    def program(size: int) -> ir.Program:
        loop = BODY.strip().removesuffix("return acc_rv").rstrip()
        loops = [
            loop.replace("acc_rv", f"acc_rv{i}").replace("(out,)", f"({f'acc_rv{i - 1}' if i else 'out'},)")
            for i in range(size)
        ]
        numbered = ["\n".join(_numbered(each, i)) for i, each in enumerate(loops)]
        return pl.parse(text_of("\n".join([*numbered, f"return acc_rv{size - 1}"])))

    assert A_LOAD in BODY
    assert_linear(attempt, program, sizes=(6, 12, 24))


def _numbered(text: str, number: int) -> list[str]:
    """The lines of a loop with its names numbered, so that many stand in one kernel."""
    lines = text.splitlines()
    for name in ("a", "b", "c", "stored"):
        lines = [line.replace(f"    {name} = ", f"    {name}{number} = ") for line in lines]
    lines = [line.replace("(a, b)", f"(a{number}, b{number})").replace("(c,", f"(c{number},") for line in lines]
    return [line.replace("yield_(stored)", f"yield_(stored{number})") for line in lines]
