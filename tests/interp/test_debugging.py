"""Looking into a run: the hook, and debuggers that step through the kernel's own lines."""

from __future__ import annotations

import io
import pdb
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pypto_lite.language as pl
from pypto_lite import interp, ir
from pypto_lite.diagnostics import UserError
from tests.passes.scalar_programs import (
    Features,
    Tree,
    as_program,
    build,
    build_calling,
    calling_programs,
    run_python,
    scalar_programs,
)

from .apply import assert_equal
from .test_control_flow import without_notes

X = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)


@pl.program
class Doubled:
    @pl.function(type=pl.FunctionType.InCore)
    def double(
        self,
        x: pl.Tensor[[64, 32], pl.FP32],
        row: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 32], pl.FP32]],
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        tile = pl.load(x, [row, 0], [16, 32])
        total = pl.add(tile, tile)  # the line to stop at
        return pl.store(total, [row, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self, x: pl.Tensor[[64, 32], pl.FP32], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        for block in pl.spmd(4):
            out = self.double(x, block * 16, out)
        return out


def line_of(comment: str) -> int:
    """The number of the line of this file that ends in a comment."""
    lines = Path(__file__).read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.endswith(f"# {comment}"))


LINE = line_of("the line to stop at")


# The hook


@pytest.mark.parametrize("debug", [False, True])
def test_the_hook_sees_what_every_statement_makes(debug: bool) -> None:
    seen: list[tuple[str, int, list[str]]] = []

    def note(moment: interp.Moment) -> None:
        seen.append((moment.function, moment.statement.span.line - LINE, sorted(moment.made)))

    Doubled.run(x=X, hook=note, debug=debug)
    once = [("double", -1, ["tile"]), ("double", 0, ["total"])]
    assert [each for each in seen if each[0] == "double" and each[1] < 1] == once * 4
    assert seen[-1][0] == "main"


def test_the_hook_sees_values() -> None:
    totals: list[Any] = []

    def note(moment: interp.Moment) -> None:
        if "total" in moment.made:
            assert_equal(moment.values["tile"] * 2, moment.made["total"])
            assert moment.values["row"] == 16 * len(totals)
            totals.append(moment.made["total"].copy())

    Doubled.run(x=X, hook=note)
    assert_equal(np.concatenate(totals), 2 * X)


def test_a_loop_is_a_statement_when_it_ends() -> None:
    @pl.function
    def counted(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        total = 0
        for i in pl.range(n):
            total = total + i
        return total

    kinds: list[type[ir.Stmt]] = []
    counted.run(n=2, hook=lambda moment: kinds.append(type(moment.statement)))
    assert kinds == [ir.Assign, ir.Assign, ir.Yield, ir.Assign, ir.Yield, ir.For, ir.Return]


@pytest.mark.parametrize("debug", [False, True])
def test_of_several_values_of_a_name_the_one_that_was_made_last_is_shown(debug: bool) -> None:
    @pl.function
    def counted(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        t = n
        for i in pl.range(2):
            t = t + 1
            u = t  # noqa: F841 - looked at by the hook
            t = t * 10
        for i in pl.range(3):
            t = t + i
        left = t
        while left > 99:
            left = left - 100
        return left

    shown: list[tuple[str, int, int]] = []

    def note(moment: interp.Moment) -> None:
        values = moment.values
        shown.extend([(name, values["t"], values.get("i", -1)) for name in moment.made if name in ("t", "u")])
        if isinstance(moment.statement, ir.Return):
            shown.append(("left", values["left"], values["i"]))

    counted.run(n=0, hook=note, debug=debug)
    first = [("t", 0, -1), ("t", 1, 0), ("u", 1, 0), ("t", 10, 0), ("t", 11, 1), ("u", 11, 1), ("t", 110, 1)]
    second = [("t", 110, 1), ("t", 110, 0), ("t", 111, 1), ("t", 113, 2), ("t", 113, 2)]
    assert shown == [*first, *second, ("left", 13, 2)]


@pytest.mark.parametrize("debug", [False, True])
def test_the_number_of_a_block_is_known_in_it(debug: bool) -> None:
    program = pl.parse("""
import pypto_lite.language as pl

@pl.function
def f(n: pl.Scalar[pl.INDEX]):
    m = n
    for i in pl.spmd(3):
        m = i + n
""")
    shown: list[int] = []

    def note(moment: interp.Moment) -> None:
        shown.extend([moment.values["i"]] if "i" in moment.values and "m" in moment.made else [])

    program.run(n=1, hook=note, debug=debug)
    assert shown == [0, 1, 2]


def test_a_moment_says_where_it_is() -> None:
    seen: list[str] = []
    Doubled.run(x=X, hook=lambda moment: seen.append(repr(moment)))
    assert f"<Moment in double line {LINE}: total" in seen[1]


def test_what_a_hook_raises_ends_the_run() -> None:
    def fail(moment: interp.Moment) -> None:
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        Doubled.run(x=X, hook=fail)


def test_an_interrupt_says_where_the_run_was() -> None:
    def interrupt(moment: interp.Moment) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match=rf"in double, .*test_debugging\.py:{LINE - 1}"):
        Doubled.run(x=X, hook=interrupt)


@pl.program
class Filled:
    @pl.function(type=pl.FunctionType.InCore)
    def fill(self, out: pl.Out[pl.Tensor[[1, 8], pl.FP32]]) -> pl.Tensor[[1, 8], pl.FP32]:
        tile = pl.create_tile([2, 8], dtype=pl.FP32)
        pl.write(tile, [0, 1], 1.0)
        pl.write(tile, [0, 2], 2.0)
        zeros = pl.tile.full([1, 8], dtype=pl.FP32, value=0.0)
        out = pl.store(zeros, [0, 0], out)  # where Filled ends
        return out


@pytest.mark.parametrize("debug", [False, True])
def test_moments_that_are_kept_show_what_was_there(debug: bool) -> None:
    kept: list[interp.Moment] = []
    Filled.run(hook=kept.append, debug=debug)
    created, written, again, *_, ended = kept
    for moment, numbers in ((created, []), (written, [1]), (again, [1, 2])):
        tile = moment.values["tile"]
        assert tile.compressed().tolist() == numbers
        assert tile.mask.sum() == 16 - len(numbers)
        assert moment.values["out"].mask.all()
    assert created.made["tile"].mask.all()
    assert_equal(ended.values["out"], np.zeros((1, 8), np.float32))
    assert not np.ma.isMaskedArray(ended.values["out"])


def test_what_a_moment_shows_cannot_be_written_into() -> None:
    def overwrite(moment: interp.Moment) -> None:
        for shown in (*moment.made.values(), *moment.values.values()):
            shown[...] = 7

    assert_equal(Filled.run(hook=overwrite), np.zeros((1, 8), np.float32))


# Debuggers


def debugged(commands: list[str], program: Any = Doubled, line: int = LINE, **arguments: Any) -> str:
    """What pdb says to these commands in a run that stops at a line."""

    def run() -> None:
        program.run(debug=True, **arguments)
        len(arguments)  # behind the run

    said = io.StringIO()
    lines = [f"{command}\n" for command in (*commands, f"clear {__file__}:{line}", "continue")]
    debugger = pdb.Pdb(stdin=io.StringIO("".join(lines)), stdout=said, nosigint=True)
    debugger.use_rawinput = False
    debugger.prompt = ""
    traced = sys.gettrace()
    debugger.set_break(__file__, line)
    try:
        debugger.runcall(run)
    finally:
        debugger.clear_all_breaks()
        sys.settrace(traced)
    return said.getvalue()


def test_pdb_stops_at_the_line_of_the_kernel_and_shows_values() -> None:
    said = debugged(["continue", "print(tile[0, :3], row)", "next", "print(total[0, :3])"], x=X)
    assert "total = pl.add(tile, tile)  # the line to stop at" in said
    assert "[0. 1. 2.] 0" in said
    assert "return pl.store(total, [row, 0], out)" in said
    assert "[0. 2. 4.]" in said


def test_pdb_stops_in_every_iteration() -> None:
    said = debugged(["continue", "continue", "print('row', row)"], x=X)
    assert "row 16" in said


def test_pdb_shows_which_elements_have_a_value() -> None:
    commands = ["continue", "print(tile[0, :4])", "print(out)", "next", "print(out)"]
    said = debugged(commands, Filled, line_of("where Filled ends"))
    assert "[-- 1.0 2.0 --]" in said
    assert "[[-- -- -- -- -- -- -- --]]" in said
    assert "[[0. 0. 0. 0. 0. 0. 0. 0.]]" in said


def places(said: str) -> list[tuple[str, str]]:
    """The functions in which pdb stopped, each with its file."""
    return [(function, Path(file).name) for file, function in re.findall(r"^> (.*)\(\d+\)(\w+)\(", said, re.MULTILINE)]


@pytest.mark.parametrize("command", ["step", "next"])
def test_stepping_stays_in_the_lines_of_the_kernel(command: str) -> None:
    seen = places(debugged(["continue", f"clear {__file__}:{LINE}", *[command] * 60], x=X))
    changes = [seen[0], *[other for one, other in pairwise(seen) if one != other]]
    here = Path(__file__).name
    once = [("double", here), ("main", here)]
    expected = [("run", here), *once * (4 if command == "step" else 1), ("run", here)]
    assert changes[: len(expected)] == expected


def test_a_breakpoint_in_a_hook_is_met_when_debugged() -> None:
    def hook(moment: interp.Moment) -> None:
        len(moment.made)  # where a hook stops

    said = debugged(["continue", "next"], line=line_of("where a hook stops"), x=X, hook=hook)
    assert places(said)[-1] == ("hook", Path(__file__).name)


@settings(max_examples=40, deadline=None)
@given(scalar_programs(Features(unrolled=True, leaves_unrolled=True)), st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_debugging_changes_nothing(tree: Tree, args: tuple[int, int]) -> None:
    expected, _ = run_python(tree, args)
    made = without_notes(as_program(build(tree)))
    found = interp.run(made, "f", {"a": args[0], "b": args[1]}, debug=True)
    assert (list(found) if isinstance(found, tuple) else [found]) == expected


@settings(max_examples=20, deadline=None)
@given(calling_programs(), st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_functions_call_each_other_when_debugged(trees: dict[str, Tree], args: tuple[int, int]) -> None:
    expected, _ = run_python(trees, args)
    made = without_notes(build_calling(trees))
    found = interp.run(made, "f", {"a": args[0], "b": args[1]}, debug=True)
    assert (list(found) if isinstance(found, tuple) else [found]) == expected


def test_errors_are_at_their_line_when_debugged() -> None:
    @pl.function
    def quotient(n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        return n // m  # expect: PL506

    with pytest.raises(UserError, match="# expect: PL506"):
        quotient.run(n=1, m=0, debug=True)


@pytest.mark.parametrize("debug", [False, True])
def test_a_loop_without_a_step_is_an_error_at_its_line(debug: bool) -> None:
    @pl.function
    def counted(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        total = 0
        for i in pl.range(0, 4, n):  # expect: PL506
            total = total + i
        return total

    with pytest.raises(UserError, match="# expect: PL506"):
        counted.run(n=0, debug=debug)


def lines_of(function: Any, filename: str, **arguments: Any) -> tuple[Any, list[tuple[str, int]]]:
    """What a function returns, and the functions and lines of a file at which a debugger stops while it runs."""
    lines: list[tuple[str, int]] = []

    def trace(frame: Any, event: str, argument: Any) -> Any:
        if event == "line" and frame.f_code.co_filename == filename:
            lines.append((frame.f_code.co_name, frame.f_lineno))
        return trace

    traced = sys.gettrace()
    sys.settrace(trace)
    try:
        returned = function(**arguments)
    finally:
        sys.settrace(traced)
    return returned, [line for line in lines if line[1] > 3]


BRANCHES_AND_LOOPS = """\
import pypto_lite.language as pl
@pl.function
def f(n: pl.Scalar[pl.INDEX]):
    t = n
    for i in pl.range(3):
        if n > i:
            t = t + 1
            t = t * 2
        else:
            t = t + 2
        t = t + 3
    while t > 9:
        t = t - 16
    return t
"""


def test_lines_are_met_in_the_order_of_python() -> None:
    function = pl.parse(BRANCHES_AND_LOOPS, "a kernel of text")
    _, found = lines_of(function.run, "a kernel of text", n=2, debug=True)
    assert [line for _, line in found] == [
        4, 5, 6, 7, 8, 11, 5, 6, 7, 8, 11, 5, 6, 10, 11, 5, 12, 13, 12, 13, 12, 14,
    ]  # fmt: skip


def test_a_kernel_that_is_only_text_has_lines_too() -> None:
    text = """\
import pypto_lite.language as pl
@pl.function
def f(n: pl.Scalar[pl.INDEX]):
    m = n + 1
    return m
"""
    function = pl.parse(text, "a kernel of text")
    returned, found = lines_of(function.run, "a kernel of text", n=1, debug=True)
    assert returned == 2
    assert found == [("f", 4), ("f", 5)]
