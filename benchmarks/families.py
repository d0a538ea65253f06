"""Texts of programs that grow: each family stresses something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

HEADER: Final = "import pypto_lite.language as pl\n\n\n@pl.program\nclass P:\n"
PARAMETERS: Final = (
    "self, x: pl.Tensor[[16, 128], pl.BF16], y: pl.Tensor[[128, 128], pl.BF16], n: pl.Scalar[pl.INDEX], "
    "out: pl.Out[pl.Tensor[[16, 128], pl.FP32]]"
)
DEEPEST_NEST: Final = 60
CARRIES: Final = 100
JOINED: Final = 1000
"""How many tiles are handed on at once, at most: so many still fit into Vec."""
TERMS: Final = 40
"""How many terms a line of a long expression has."""


def _kernel(lines: Iterable[str], name: str = "kernel") -> str:
    body = "\n".join(f"        {line}" for line in lines)
    return f"    @pl.function(type=pl.FunctionType.InCore)\n    def {name}({PARAMETERS}):\n{body}\n        return out\n"


def straight(statements: int) -> str:
    """Load, load, matmul, add, store, and again."""
    lines: list[str] = []
    for i in range(statements // 5):
        lines += [
            f"a{i} = pl.load(x, [0, 0], [16, 128])",
            f"b{i} = pl.load(y, [0, 0], [128, 128])",
            f"c{i} = pl.matmul(a{i}, b{i})",
            f"d{i} = pl.add(c{i}, c{i})",
            f"out = pl.store(d{i}, [0, 0], out)",
        ]
    return HEADER + _kernel(lines)


def nests(statements: int) -> str:
    """Loops inside each other, each with a tile of its own that it carries."""
    lines: list[str] = []
    for nest in range(max(1, statements // (2 * DEEPEST_NEST))):
        lines.append(f"t{nest} = pl.create_tile([16, 128], dtype=pl.FP32)")
        for depth in range(DEEPEST_NEST):
            lines.append(f"{'    ' * depth}for i{depth} in pl.range(n):")
            lines.append(f"{'    ' * (depth + 1)}t{nest} = pl.exp(t{nest})")
    return HEADER + _kernel(lines)


def fan_out(statements: int) -> str:
    """One tile that everything reads, some of it from elsewhere."""
    lines = ["a = pl.load(x, [0, 0], [16, 128])", "b = pl.load(y, [0, 0], [128, 128])"]
    lines += [f"c{i} = pl.matmul(a, b)" if i % 2 else f"c{i} = pl.neg(a)" for i in range(statements)]
    return HEADER + _kernel(lines)


def carries(statements: int) -> str:
    """Loops that carry many tiles and change all of them."""
    lines: list[str] = []
    for loop in range(max(1, statements // (2 * CARRIES))):
        names = [f"t{loop}_{i}" for i in range(CARRIES)]
        lines += [f"{name} = pl.create_tile([16, 16], dtype=pl.FP32)" for name in names]
        lines.append("for i in pl.range(n):")
        lines += [f"    {name} = pl.exp({name})" for name in names]
    return HEADER + _kernel(lines)


def joins(statements: int) -> str:
    """A branch, and a loop with a condition that is left early, which hand on as many tiles as there are."""
    lines: list[str] = []
    left = statements // 4
    while left > 0:
        names = [f"t{left}_{i}" for i in range(min(left, JOINED))]
        left -= JOINED
        lines += [f"{name} = pl.create_tile([1, 8], dtype=pl.FP32)" for name in names]
        lines += ["if n > 3:", *[f"    {name} = pl.exp({name})" for name in names]]
        lines += ["else:", *[f"    {name} = pl.neg({name})" for name in names]]
        lines += ["m = n", "while m > 3:", "    m = m - 1", *[f"    {name} = pl.exp({name})" for name in names]]
        lines += ["    if m == 5:", "        break"]
    return HEADER + _kernel(lines)


def functions(statements: int) -> str:
    """Many small functions in one program."""
    lines = ["t = pl.load(x, [0, 0], [16, 128])", "u = pl.neg(t)", "v = pl.exp(pl.cast(u, target_type=pl.FP32))"]
    lines.append("out = pl.store(v, [0, 0], out)")
    return HEADER + "\n".join(_kernel(lines, f"kernel{i}") for i in range(max(1, statements // len(lines))))


def expressions(statements: int) -> str:
    """Scalar expressions with many terms."""
    lines = [f"s{i} = {' + '.join(f'n * {i + term}' for term in range(TERMS))}" for i in range(statements // TERMS)]
    return HEADER + _kernel([*lines, "t = pl.load(x, [0, 0], [16, 128])"])


FAMILIES: Final[dict[str, Callable[[int], str]]] = {
    each.__name__: each for each in (straight, nests, fan_out, carries, joins, functions, expressions)
}
