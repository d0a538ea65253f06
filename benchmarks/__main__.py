"""``python -m benchmarks``: measures, prints a table for each family, and writes JSON."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.families import FAMILIES
from benchmarks.measure import Timing, timings
from benchmarks.steps import STEPS
from pypto_lite.cli.numbers import positive

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the benchmarks that are asked for."""
    options = _parser().parse_args(arguments)
    found: list[Timing] = []
    for name in options.families:
        for size in options.sizes:
            print(f"{name}, {size} statements", file=sys.stderr)
            found += timings(name, FAMILIES[name](size), size, options.runs)
    print("\n\n".join(table(name, found) for name in options.families))
    if options.json is not None:
        machine = {"python": platform.python_version(), "implementation": platform.python_implementation()}
        facts = {"machine": machine, "timings": [timing._asdict() for timing in found]}
        options.json.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return 0


def table(family: str, timings: Iterable[Timing]) -> str:
    """Microseconds a statement by step and size, each with its ratio to the reference."""
    cells = {(each.step, each.statements): each for each in timings if each.family == family}
    sizes = sorted({size for _, size in cells})
    lines = [
        f"{family}: us a statement (times ast.parse)",
        "| step | " + " | ".join(f"{size:,}" for size in sizes) + " |",
        "|---" * (len(sizes) + 1) + "|",
    ]
    for step in STEPS:
        row = [f"{cells[step, size].microseconds:.1f} ({cells[step, size].ratio:.2f})" for size in sizes]
        lines.append(f"| {step} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measures how fast pypto_lite is.")
    parser.add_argument("--families", nargs="+", choices=[*FAMILIES], default=["straight"], metavar="FAMILY")
    parser.add_argument("--sizes", nargs="+", type=positive(int), default=[1000, 10000, 50000], metavar="STATEMENTS")
    parser.add_argument("--runs", type=positive(int), default=5, help="of which the median counts")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was measured there, too")
    return parser


if __name__ == "__main__":
    sys.exit(main())
