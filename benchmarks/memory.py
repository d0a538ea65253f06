"""``python -m benchmarks.memory``: the bytes a statement takes, at the peak of a step and in what the step leaves."""

from __future__ import annotations

import argparse
import ast
import gc
import sys
import tracemalloc
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import pypto_lite.language as pl
from benchmarks.families import FAMILIES
from pypto_lite.cli.numbers import positive

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Family = Callable[[int], str]

Result = TypeVar("Result")


class Usage(NamedTuple):
    """Bytes beyond those that were in use before."""

    kept: int
    peak: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures one family and prints a table."""
    options = _parser().parse_args(arguments)
    family = FAMILIES[options.family]
    pl.parse(family(100)).lower()  # what is kept from one program to the next is there
    found = [usages(family(size)) for size in options.sizes]
    print(f"{options.family}: bytes a statement, kept / at the peak")
    print("| step | " + " | ".join(f"{size:,}" for size in options.sizes) + " |")
    print("|---" * (len(options.sizes) + 1) + "|")
    for step in found[0]:
        cells = [
            f"{each[step].kept / size:,.0f} / {each[step].peak / size:,.0f}"
            for size, each in zip(options.sizes, found, strict=True)
        ]
        print(f"| {step} | {' | '.join(cells)} |")
    return 0


def usages(text: str) -> dict[str, Usage]:
    """What each step takes, beside its input."""
    gc.collect()
    tracemalloc.start()
    try:
        _, parsed = _usage(partial(ast.parse, text))
        program, traced = _usage(partial(pl.parse, text))
        _, lowered = _usage(program.lower)
    finally:
        tracemalloc.stop()
    return {"ast.parse alone": parsed, "text to IR": traced, "pipeline, verified": lowered}


def _usage(work: Callable[[], Result]) -> tuple[Result, Usage]:
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    result = work()
    _, peak = tracemalloc.get_traced_memory()
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    return result, Usage(after - before, peak - before)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description="Measures memory.")
    parser.add_argument("--family", choices=FAMILIES, default="straight", metavar="FAMILY")
    parser.add_argument("--sizes", nargs="+", type=positive(int), default=[1000, 10000], metavar="STATEMENTS")
    return parser


if __name__ == "__main__":
    sys.exit(main())
