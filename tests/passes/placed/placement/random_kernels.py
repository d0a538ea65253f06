"""Random kernels for tests of placement: tiles of one shape, every kind of producer, consumer, view, loop and branch.

Whether a kernel can be placed is left to chance. Names are unique, so values are known by them.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MAKERS = (
    "pl.load(x, [0, 0], [64, 64])",
    "pl.load(y, [0, 0], [64, 64])",
    "pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)",
    "pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)",
    "pl.create_tile([64, 64], dtype=pl.FP32)",
    "pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)",
    "pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Acc)",
    "pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)",
)
USERS = (
    "pl.exp({0})",
    "pl.add({0}, {1})",
    "pl.matmul({0}, {1})",
    "pl.matmul({0}, {1})",
    "pl.matmul_acc({0}, {1}, {2})",
    "{0}",
    "pl.reshape({0}, [64, 64])",
    "pl.slice({0}, [64, 64], [0, 0])",
    "pl.tile.transpose_view({0})",
    "pl.tile.assemble({0}, {1}, [0, 0])",
    "pl.move({0}, target_memory=pl.Mem.Vec)",
    "pl.move({0}, target_memory=pl.Mem.Mat)",
    "pl.move({0}, target_memory=pl.Mem.Left)",
)
READERS = ("pl.store({0}, [0, 0], out)", "first{2} = pl.read({0}, [0, 0])")
WRITERS = ("pl.write({0}, [0, {1}], s)", "pl.tile.fillpad_inplace({0}, pad_value=pl.PadValue.zero)")
DEEPEST = 3

JOINED_MAKERS = (
    "pl.load(x, [0, 0], [64, 64])",
    "pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)",
    "pl.matmul(m, m)",
    "pl.matmul(m, m)",
    "pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)",
)
JOINED_USERS = ("{0}", "pl.slice({0}, [64, 64], [0, 0])", "pl.exp({0})")
JOINED_READERS = (
    "pl.store({0}, [0, 0], out)",
    "p{2} = pl.matmul({0}, m)\npl.store(p{2}, [0, 0], out)",
    "pl.write({0}, [0, {1}], s)",
    "pl.write({0}, [0, {1}], s)",
)


def random_kernel(seed: int, *, writes: bool = False, statements: int = 12) -> str:
    """The body of a kernel of some statements; ``writes`` lets it change tiles in place."""
    writer = _Writer(random.Random(seed), MAKERS, USERS, (*READERS, *WRITERS) if writes else READERS)
    writer.block([], 0, writer.random.randrange(4, statements))
    return "\n".join(writer.lines)


def random_joins(seed: int, statements: int = 10) -> str:
    """The body of a kernel in which tiles of different spaces meet, and are changed in place, more than anything."""
    writer = _Writer(random.Random(seed), JOINED_MAKERS, JOINED_USERS, JOINED_READERS)
    writer.joins = 0.2
    writer.line(0, "m = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)")
    writer.block([], 0, writer.random.randrange(4, statements))
    return "\n".join(writer.lines)


class _Writer:
    def __init__(
        self, source: random.Random, makers: Sequence[str], users: Sequence[str], readers: Sequence[str]
    ) -> None:
        self.random = source
        self.makers = makers
        self.users = users
        self.readers = readers
        self.joins = 0.12
        """How many of the statements are branches, and how many are loops."""
        self.lines: list[str] = []
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"t{self.count}"

    def line(self, depth: int, text: str) -> None:
        self.lines += ["    " * depth + line for line in text.splitlines()]

    def block(self, known: Sequence[str], depth: int, statements: int) -> list[str]:
        """Writes statements; the names that are known after them, in the list."""
        scope = list(known)
        for _ in range(statements):
            kind = self.random.random()
            if kind < self.joins and scope and depth < DEEPEST:
                scope += self.branch(scope, depth)
            elif kind < 2 * self.joins and scope and depth < DEEPEST:
                scope += self.loop(scope, depth)
            else:
                scope += self.simple(scope, depth)
        return scope

    def simple(self, scope: list[str], depth: int) -> list[str]:
        kind = self.random.random()
        operands = [self.random.choice(scope) for _ in range(3)] if scope else []
        if operands and kind < (0.15 if self.joins < 0.2 else 0.35):
            self.line(depth, self.random.choice(self.readers).format(operands[0], self.count % 64, self.count))
            self.count += 1
            return []
        choices = self.users if operands and kind < 0.75 else self.makers
        made = self.name()
        self.line(depth, f"{made} = {self.random.choice(choices).format(*operands)}")
        return [made]

    def branch(self, scope: list[str], depth: int) -> list[str]:
        results = [self.name() for _ in range(self.random.choice([0, 1, 1, 2]))]
        for header in (f"if n < {self.random.randrange(3)}:", "else:"):
            self.line(depth, header)
            inner = self.block(scope, depth + 1, self.random.randrange(1, 3))
            self.end(depth + 1, results, [self.random.choice(inner) for _ in results])
        return results

    def loop(self, scope: list[str], depth: int) -> list[str]:
        carries = [self.name() for _ in range(self.random.choice([0, 1, 1, 2]))]
        results = [self.name() for _ in carries]
        inits = [self.random.choice(scope) for _ in carries]
        index = self.name()
        if self.random.random() < 0.3:
            names, values = ", ".join([*carries, f"w{index}"]), ", ".join([*inits, "n"])
            self.line(
                depth,
                f"for {'' if carries else '('}{names}{'' if carries else ',)'} in pl.while_(init_values=({values},)):",
            )
            self.line(depth + 1, f"pl.cond(w{index} > 0)")
            extra_results, extra_values = [f"left{index}"], [f"w{index} - 1"]
        else:
            carried = f", ({', '.join(carries)},)" if carries else ""
            values = f", init_values=({', '.join(inits)},)" if carries else ""
            self.line(depth, f"for i{index}{carried} in pl.range({self.random.choice([0, 2, 3])}{values}):")
            extra_results, extra_values = [], []
        inner = self.block([*scope, *carries], depth + 1, self.random.randrange(1, 4))
        yielded = [self.random.choice([*inner, *carries, *carries]) for _ in carries]
        self.end(depth + 1, [*results, *extra_results], [*yielded, *extra_values])
        return results

    def end(self, depth: int, results: list[str], values: list[str]) -> None:
        """The yield at the end of a nested list, or a statement that keeps it from being empty."""
        if results:
            self.line(depth, f"{', '.join(results)} = pl.yield_({', '.join(values)})")
        else:
            self.line(depth, f"k{self.name()} = n + 1")
