"""``python -m benchmarks.built``: lowers kernels that are built as IR, larger than anyone would write as text."""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import time
from typing import TYPE_CHECKING, NamedTuple, cast

import pypto_lite.language as pl
from benchmarks.families import straight
from pypto_lite import ir
from pypto_lite.cli.numbers import positive
from pypto_lite.testing.parsing import parsed

if TYPE_CHECKING:
    from collections.abc import Sequence


class Lowering(NamedTuple):
    """What lowering one program took."""

    built: int
    """The most memory that the process had before, in the units of the system: KiB on Linux, bytes on macOS."""
    peak: int
    """The most memory that it had in the end."""
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Lowers a program of each size, each in a process of its own, and prints a table."""
    options = _parser().parse_args(arguments)
    print("| statements | us a statement | MiB, built | MiB, at the peak | bytes a statement at the peak |")
    print("|---" * 5 + "|")
    unit = 1 if sys.platform == "darwin" else 1024
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for size, found in zip(options.sizes, pool.imap(lowering, options.sizes), strict=True):
            built, peak = found.built * unit, found.peak * unit
            cells = f"{found.seconds / size * 1e6:.1f} | {built >> 20} | {peak >> 20} | {peak / size:,.0f}"
            print(f"| {size:,} | {cells} |", flush=True)
    return 0


def lowering(statements: int) -> Lowering:
    """Lowers ``program(statements)`` with the default pipeline, verified."""
    made = program(statements)
    built = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    lowered = made.lower()
    seconds = time.process_time() - start
    assert len(lowered.functions["kernel"].body.statements) > len(made.functions["kernel"].body.statements)
    return Lowering(built, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, seconds)


def program(statements: int) -> pl.Program:
    """What ``straight`` has as text: load, load, matmul, add, store, and again."""
    once = parsed(straight(5))
    kernel = once.functions["kernel"]
    *repeated, _ = cast("list[ir.Assign]", list(kernel.body.statements))
    first = stored = kernel.params[-1]
    made: list[ir.Stmt] = []
    for _ in range(max(1, statements // len(repeated))):
        values: dict[ir.Expr, ir.Expr] = {first: stored}
        for each in repeated:
            var = ir.Var(each.var.name, each.var.type, each.var.span)
            value = each.value.rebuild([values.get(operand, operand) for operand in each.value.operands()])
            made.append(ir.Assign(var, value, each.span))
            values[each.var] = stored = var
    made.append(ir.Return((stored,)))
    return once.with_functions([kernel.replace(body=ir.Block(tuple(made)))])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.built", description="Lowers programs built as IR.")
    sizes = [100_000, 300_000, 1_000_000]
    parser.add_argument("--sizes", nargs="+", type=positive(int), default=sizes, metavar="STATEMENTS")
    return parser


if __name__ == "__main__":
    sys.exit(main())
