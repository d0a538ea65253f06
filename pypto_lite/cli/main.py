"""The command line ``pypto-lite``: its arguments, and how it ends."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pypto_lite import __version__, passes
from pypto_lite.cli import commands, streams
from pypto_lite.cli.bugs import attempt
from pypto_lite.cli.mutants import has_mutants, run_mutants
from pypto_lite.cli.numbers import positive
from pypto_lite.diagnostics import UserError, did_you_mean
from pypto_lite.passes.protocol import snake_case
from pypto_lite.targets import DEFAULT_TARGET, TARGETS, Target

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_TARGET = "none"
MOST_SEEDS = 1_000_000
"""How many seeds a campaign begins with where none is given."""
INTERRUPTED = 130
CLOSED_PIPE = 141
"""The statuses that shells give to commands which SIGINT and SIGPIPE end."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command.

    Returns 0 where all is fine, 1 where a program has errors, 2 for wrong usage or output that can't be written.
    """
    streams.use_utf8()
    try:
        try:
            return _status(arguments)
        finally:  # also where argparse ends, with its help or with wrong usage
            streams.flush()
    except BrokenPipeError:
        streams.give_up()
        return CLOSED_PIPE
    except streams.OutputError as error:
        with contextlib.suppress(OSError, streams.OutputError):
            streams.tell(str(error))
        streams.give_up()
        return commands.WRONG_USAGE
    except KeyboardInterrupt:
        return INTERRUPTED


def _status(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    options = vars(parser.parse_args(arguments))
    try:
        return attempt(lambda: _run(parser, options))
    except UserError as error:
        for diagnostic in error.diagnostics:
            streams.tell(str(diagnostic))
        return commands.ERRORS


def _run(parser: argparse.ArgumentParser, options: dict[str, Any]) -> int:
    command = options["command"]
    if command == "passes":
        return commands.show_passes(options["target"])
    if command == "ops":
        return commands.show_operators(options["name"])
    if command == "fuzz":
        return _fuzz(parser, options)
    files: list[str] = _files(options)
    if files.count("-") > 1:
        parser.error("standard input can be read only once")
    if command == "diff":
        return commands.diff_files(*files, as_text=options["text"])
    if command == "why":
        value, function = options["value"], options["function"]
        return commands.tell_why(files[0], value, function, target=options["target"], as_text=options["text"])
    if command == "run":
        return _run_programs(files, options)
    if command == "check":
        return commands.check_files(files, target=options["target"], as_text=options["text"])
    names = [each.name for each in passes.default_pipeline(options["target"]).passes]
    until: str | None = options["until"]
    print_after: list[str] = options["print_after"]
    return commands.lower_files(
        files,
        target=options["target"],
        as_text=options["text"],
        as_json=options["format"] == "json",
        until=_pass_name(parser, until, names) if until is not None else None,
        print_after=None if options["print_after_all"] else [_pass_name(parser, each, names) for each in print_after],
        time_passes=options["time_passes"],
        output=options["output"],
    )


def _run_programs(files: Sequence[str], options: dict[str, Any]) -> int:
    from pypto_lite.cli.running import Options, run_files  # numpy is slow to import

    asked = Options(options["function"], options["target"], options["seed"], options["sanitize"])
    return run_files(files, asked, as_text=options["text"])


def _fuzz(parser: argparse.ArgumentParser, options: dict[str, Any]) -> int:
    if find_spec("hypothesis") is None:
        parser.error("fuzz draws programs with hypothesis, which is not installed: pip install 'pypto-lite[test]'")
    if options["mutants"] is not None:
        return _mutants(parser, options)
    from pypto_lite.cli.fuzzing import fuzz_command  # hypothesis and numpy are slow to import

    seed = options["seed"]
    if seed is None:
        seed = secrets.randbelow(MOST_SEEDS)
        streams.tell(f"--seed {seed}")
    found = fuzz_command(examples=options["examples"], seed=seed, minutes=options["minutes"], jobs=options["jobs"])
    return commands.FINE if found is None else commands.ERRORS


def _mutants(parser: argparse.ArgumentParser, options: dict[str, Any]) -> int:
    if options["jobs"] != 1 or any(options[name] is not None for name in ("examples", "seed", "minutes")):
        parser.error("--mutants comes first: what follows are options of python -m tests.mutants")
    if not has_mutants(Path.cwd()):
        parser.error("--mutants needs a checkout of pypto_lite as the working directory: mutants live with the tests")
    streams.flush()
    return run_mutants(options["mutants"])


def _files(options: dict[str, Any]) -> list[str]:
    singly = [options[key] for key in ("first", "second", "file") if key in options]
    return singly or options["files"]


def _pass_name(parser: argparse.ArgumentParser, text: str, names: Sequence[str]) -> str:
    name = snake_case(text)
    if name not in names:
        hint = did_you_mean(name, names) or f"the passes are {', '.join(names)}"
        parser.error(f"there is no pass {text!r}; {hint}")
    return name


def _target(text: str) -> Target | None:
    if text.lower() == NO_TARGET:
        return None
    for name, target in TARGETS.items():
        if name.lower() == text.lower():
            return target
    hint = did_you_mean(text, [*TARGETS, NO_TARGET]) or f"one of {', '.join([*TARGETS, NO_TARGET])}"
    raise argparse.ArgumentTypeError(f"there is no target {text!r}; {hint}")


def _whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return int(text)


class _Parser(argparse.ArgumentParser):
    def _print_message(self, message: str, file: object = None) -> None:
        """Writes help and usage as we write everything: argparse passes over what it can't write."""
        write = streams.show if file is sys.stdout else streams.tell
        write(message.rstrip("\n"))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="pypto-lite", description="See where every tile of an Ascend kernel lives, and what has to move."
    )
    parser.add_argument("--version", action="version", version=f"pypto-lite {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    lower = subparsers.add_parser("lower", help="print the programs of files with every tile placed")
    _add_files(lower)
    _add_target(lower)
    lower.add_argument("--until", metavar="PASS", help="the last pass to run")
    lower.add_argument(
        "--format", choices=("python", "json"), default="python", help="Python text, or one JSON object a line"
    )
    lower.add_argument(
        "--print-after", metavar="PASS", action="append", default=[], help="print the programs after a pass, too"
    )
    lower.add_argument("--print-after-all", action="store_true", help="print the programs after every pass, too")
    lower.add_argument("--time-passes", action="store_true", help="tell how long each pass takes")
    lower.add_argument("-o", dest="output", metavar="OUT", help="write the result to this file")

    check = subparsers.add_parser("check", help="tell what is wrong with the programs of files")
    _add_files(check)
    _add_target(check)

    why = subparsers.add_parser("why", help="tell why a tile lives where it does, line by line")
    why.add_argument("file", metavar="FILE", help="a Python file; - is text from standard input")
    why.add_argument("value", metavar="VALUE", help="the name of a tile, as written or as printed by lower")
    why.add_argument("--function", metavar="NAME", help="the function to look in, where several have the name")
    _add_text(why)
    _add_target(why)

    run = subparsers.add_parser(
        "run",
        help="run programs on numpy, before and after lowering, and compare",
        description="Runs every program on generated arrays of small numbers, as it is written and after lowering. "
        "Symbolic dimensions and scalars get values with which the program runs to its end.",
    )
    _add_run_options(run)

    diff = subparsers.add_parser("diff", help="tell where two programs differ; names and comments make no difference")
    diff.add_argument("first", metavar="A")
    diff.add_argument("second", metavar="B")
    _add_text(diff)

    operators = subparsers.add_parser("ops", help="list the operators, or tell all about one")
    operators.add_argument("name", metavar="NAME", nargs="?", help="such as tile.matmul or matmul")

    fuzz = subparsers.add_parser(
        "fuzz",
        help="look for programs that passes get wrong, until one is found",
        description="Tries what should hold of every program on random ones, until one is found for which it does "
        "not hold; that is written into the working directory as a test. Without --examples and --minutes it goes on "
        "until it is interrupted.",
    )
    _add_fuzz_options(fuzz)

    pipeline = subparsers.add_parser("passes", help="list the passes with what each requires and produces")
    _add_target(pipeline)
    return parser


def _add_run_options(run: argparse.ArgumentParser) -> None:
    _add_files(run)
    run.add_argument("--function", metavar="NAME", help="the function to run, where several could be meant")
    run.add_argument("--seed", metavar="S", type=_whole, default=0, help="which arrays to generate; by default 0")
    run.add_argument(
        "--sanitize",
        action="store_true",
        help="check spaces, moves, memories, valid regions and parallel iterations while the programs run",
    )
    _add_target(run)


def _add_fuzz_options(fuzz: argparse.ArgumentParser) -> None:
    fuzz.add_argument("--examples", metavar="N", type=positive(int), help="how many programs to try")
    fuzz.add_argument("--seed", metavar="S", type=int, help="draw the programs of this number; by default a new one")
    fuzz.add_argument("--minutes", metavar="M", type=positive(float), help="how long to try")
    fuzz.add_argument("--jobs", metavar="J", type=positive(int), default=1, help="how many processes to use")
    fuzz.add_argument(
        "--mutants",
        nargs=argparse.REMAINDER,
        help="in a checkout of pypto_lite: plant faults in the passes one at a time, and tell which the tests find; "
        "what follows are options of python -m tests.mutants, such as --help",
    )


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="a Python file; - is text from standard input")
    _add_text(parser)


def _add_text(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--text", action="store_true", help="read files as text and run nothing in them")


def _add_target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--target",
        type=_target,
        default=DEFAULT_TARGET,
        help=f"{', '.join([*TARGETS, NO_TARGET])}; by default {DEFAULT_TARGET.name}",
    )
