"""``python -m benchmarks.processes``: how long whole processes take, from their start to their end."""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks.modules import closure, programs
from pypto_lite.cli.numbers import positive

if TYPE_CHECKING:
    from collections.abc import Sequence

CHECKOUT: Final = Path(__file__).resolve().parent.parent


class Duration(NamedTuple):
    """The medians of several runs of a process, in milliseconds."""

    processor: float
    """What it used of the processor: what else runs hardly counts."""
    clock: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs each process several times and prints a table."""
    options = _parser().parse_args(arguments)
    print("| process | ms of the processor | ms on the clock |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, command in _commands(Path(folder), options.programs, options.names).items():
            found = duration(command, options.runs)
            print(f"| {name} | {found.processor:.0f} | {found.clock:.0f} |", flush=True)
    return 0


def duration(command: Sequence[str], runs: int) -> Duration:
    """How long Python takes for ``command``, after one run that does not count, in which byte code is written."""
    measured = [_once(command) for _ in range(runs + 1)][1:]
    return Duration(*[statistics.median(each) * 1000 for each in zip(*measured, strict=True)])


def _once(command: Sequence[str]) -> tuple[float, float]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(CHECKOUT)
    before, start = _used_by_children(), time.perf_counter()
    subprocess.run([sys.executable, *command], check=True, cwd=CHECKOUT, env=environment, stdout=subprocess.DEVNULL)
    after, end = _used_by_children(), time.perf_counter()
    return after - before, end - start


def _used_by_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _commands(folder: Path, count: int, names: int) -> dict[str, list[str]]:
    """What is run, by what the table calls it. The byte code of the modules in ``folder`` is not kept."""
    many = programs(count)
    (folder / "programs.py").write_text(many, encoding="utf-8")
    (folder / "closure.py").write_text(closure(names), encoding="utf-8")
    return {
        "Python alone": ["-c", "pass"],
        "import pypto_lite.language": ["-c", "import pypto_lite.language"],
        "pypto-lite check examples/matmul.py": ["-m", "pypto_lite", "check", "examples/matmul.py"],
        f"{count} programs in {many.count(chr(10)):,} lines": ["-B", str(folder / "programs.py")],
        f"a kernel that closes over {names} names": ["-B", str(folder / "closure.py")],
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.processes", description="Measures whole processes.")
    parser.add_argument("--runs", type=positive(int), default=9, help="of which the median counts")
    parser.add_argument("--programs", type=positive(int), default=200, help="in the module that has many")
    parser.add_argument("--names", type=positive(int), default=500, help="that the kernel closes over")
    return parser


if __name__ == "__main__":
    sys.exit(main())
