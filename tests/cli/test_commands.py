"""The other commands, and how the command as a whole behaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, ops, passes

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PROGRAM = """
import pypto_lite.language as pl

@pl.program
class {name}:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        tile = pl.load(x, [0, 0], [16, 16])
        {middle}
        return pl.store(tile, [0, 0], out)
"""


def program(middle: str = "tile = pl.exp(tile)", name: str = "P") -> str:
    return PROGRAM.format(middle=middle, name=name)


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    def write(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path / name

    return write


def test_check_says_nothing_of_good_files(written: Any, run_command: Run) -> None:
    outcome = run_command("check", written("a.py", program()), written("b.py", program()))
    assert outcome == (0, "", "")


def test_check_tells_all_errors_of_all_files(written: Any, run_command: Run) -> None:
    first = written("a.py", program("tile = pl.exq(tile)") + program("tile = pl.exp(tale)", "Q"))
    second = written("b.py", program("tile = pl.exp(tile, tile)"))
    outcome = run_command("check", first, second)
    assert (outcome.status, outcome.out) == (1, "")
    assert outcome.err.count("error[") == 3
    assert outcome.err.endswith("3 errors\n")


def test_check_says_which_parameters_are_written_though_no_annotation_does(written: Any, run_command: Run) -> None:
    """As warnings, once for each parameter, beside the errors where there are some."""
    undeclared = program().replace("pl.Out[pl.Tensor[[16, 16], pl.FP32]]", "pl.Tensor[[16, 16], pl.FP32]")
    fine = run_command("check", written("a.py", undeclared))
    assert fine.status == 0
    assert fine.err.count("warning[PL212]") == 1
    assert "annotate it as out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]" in fine.err

    matrix = undeclared.replace("[0, 0], [16, 16])\n", "[0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)\n", 1)
    refused = run_command("check", written("mat.py", matrix))
    assert refused.status == 1
    assert refused.err.count("warning[PL212]") == 1


def test_check_finds_what_only_lowering_finds(written: Any, run_command: Run) -> None:
    text = program().replace("[0, 0], [16, 16])\n", "[0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)\n", 1)
    path = written("mat.py", text)
    assert run_command("check", path).status == 1
    assert run_command("check", path, "--target", "none").status == 0


def test_why_tells_the_reasons_of_a_tile(written: Any, run_command: Run) -> None:
    outcome = run_command("why", written("a.py", program()), "tile__1")
    assert (outcome.status, outcome.err) == (0, "")
    assert "because tile.exp writes its result to Vec" in outcome.out


def test_why_asks_all_programs_of_a_file(written: Any, run_command: Run) -> None:
    file = written("a.py", program() + program("other = pl.neg(tile)", "Q"))
    assert run_command("why", file, "tile").out.count("'tile', in kernel") == 2
    only_in_one = run_command("why", file, "other")
    assert (only_in_one.status, only_in_one.err) == (0, "")


def test_why_looks_in_one_function(run_command: Run) -> None:
    text = program()
    found = run_command("why", "-", "tile", "--function", "kernel", stdin=text)
    missing = run_command("why", "-", "tile", "--function", "kernle", stdin=text)
    assert found.status == 0
    assert (missing.status, missing.out) == (1, "")
    assert "did you mean 'kernel'?" in missing.err


def test_why_of_an_unknown_name_is_an_error(run_command: Run) -> None:
    outcome = run_command("why", "-", "tale", stdin=program())
    assert (outcome.status, outcome.out) == (1, "")
    assert "there is no tile called 'tale'" in outcome.err


def test_why_answers_for_tiles_that_do_not_fit(run_command: Run) -> None:
    outcome = run_command("why", "-", "tile", stdin=program().replace("[16, 16]", "[512, 256]"))
    assert outcome.status == 1
    assert "PL411" in outcome.err
    assert "lives in Vec" in outcome.out
    assert "It takes 524,288 bytes" in outcome.out
    assert "At most 524,288 of 188,416 bytes of Vec are in use at once" in outcome.out


def test_why_follows_the_target(run_command: Run) -> None:
    outcome = run_command("why", "-", "tile", "--target", "none", stdin=program())
    assert "At most 1,024 bytes of Vec" in outcome.out


def test_diff_of_equal_programs_is_empty(written: Any, run_command: Run) -> None:
    other = program().replace("tile", "renamed")
    assert run_command("diff", written("a.py", program()), written("b.py", other)) == (0, "", "")


def test_diff_tells_where_programs_differ(written: Any, run_command: Run) -> None:
    outcome = run_command("diff", written("a.py", program()), written("b.py", program("tile = pl.abs(tile)")))
    assert outcome.status == 1
    assert "tile.exp" in outcome.out
    assert "tile.abs" in outcome.out


def test_diff_pairs_programs_by_name(written: Any, run_command: Run) -> None:
    first = written("a.py", program(name="P") + program(name="Q"))
    second = written("b.py", program(name="Q") + program("tile = pl.abs(tile)", name="R"))
    outcome = run_command("diff", first, second)
    assert outcome.status == 1
    assert outcome.out.splitlines() == ["P: only in the first file", "R: only in the second file"]


def test_diff_of_a_bad_file_tells_its_error(written: Any, run_command: Run) -> None:
    outcome = run_command("diff", written("a.py", program()), written("b.py", "x ="))
    assert (outcome.status, outcome.out) == (1, "")
    assert "PL101" in outcome.err


def test_diff_reads_standard_input(written: Any, run_command: Run) -> None:
    assert run_command("diff", written("a.py", program()), "-", stdin=program()).status == 0


def test_passes_lists_the_pipeline(run_command: Run) -> None:
    outcome = run_command("passes")
    shown = [line.partition(":")[0] for line in outcome.out.splitlines() if not line.startswith(" ")]
    assert shown == [each.name for each in passes.default_pipeline("Ascend910B").passes]
    assert "requires" in outcome.out
    assert "TileMemoryInferred" in outcome.out


def test_ops_lists_every_operator(run_command: Run) -> None:
    lines = run_command("ops").out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == sorted(ops.operators())
    (matmul,) = [line for line in lines if line.startswith("tile.matmul ")]
    assert matmul.split() == ["tile.matmul", "lhs:", "Left,", "rhs:", "Right", "Acc", "cube"]


@pytest.mark.parametrize("name", sorted(ops.operators()))
def test_every_operator_has_a_page(name: str, run_command: Run) -> None:
    outcome = run_command("ops", name)
    assert outcome.status == 0
    assert outcome.out.startswith(f"{name}(")
    assert ops.operators()[name].documentation.split("\n")[0].strip() in outcome.out


def test_a_spelling_shows_all_that_it_can_mean(run_command: Run) -> None:
    out = run_command("ops", "pl.maximum").out
    assert "tile.maximum(" in out
    assert "tile.maximums(" in out


def test_an_unknown_operator_gets_a_suggestion(run_command: Run) -> None:
    outcome = run_command("ops", "tile.matmol")
    assert outcome.status == 2
    assert "tile.matmul" in outcome.err


@pytest.mark.parametrize(
    "arguments", [[], ["lowr", "x.py"], ["lower"], ["diff", "a.py"], ["check", "--unknown", "x.py"]]
)
def test_wrong_usage_ends_with_2(arguments: list[str], run_command: Run) -> None:
    outcome = run_command(*arguments)
    assert outcome.status == 2
    assert "usage:" in outcome.err


def test_version(run_command: Run) -> None:
    outcome = run_command("--version")
    assert outcome.status == 0
    assert outcome.out.startswith("pypto-lite ")


def test_python_dash_m_is_the_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "pypto_lite", "lower", EXAMPLES / "matmul.py", "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout)["program"] == "Matmul"


def test_checking_imports_no_numpy() -> None:
    code = (
        "import sys\nfrom pypto_lite.cli import main\n"
        f"status = main(['check', {str(EXAMPLES / 'matmul.py')!r}])\n"
        "print(status, sorted({'numpy', 'hypothesis', 'ml_dtypes', 'astor'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "0 []"


def test_a_reader_that_leaves_early_is_no_traceback() -> None:
    command = f"'{sys.executable}' -m pypto_lite ops | head -n 1"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("operator")
    assert ran.stderr == ""


def in_shell(line: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """A run of ``pypto-lite`` as part of a line of bash, in which it is ``$0``."""
    command = f"pypto() {{ '{sys.executable}' -m pypto_lite \"$@\"; }}; {line}"
    return subprocess.run(
        ["bash", "-c", command, "bash", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=EXAMPLES.parent,
        env={**os.environ, **environment},
    )


def test_a_closed_pipe_ends_as_it_ends_other_commands() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run(
        [sys.executable, "-m", "pypto_lite", "ops"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.parametrize("command", ["lower examples/matmul.py", "ops", "--help", "--version"])
@pytest.mark.parametrize("place", ["/dev/full", "&-"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_cannot_be_written_is_told_in_one_line(command: str, place: str, unbuffered: str) -> None:
    ran = in_shell(f"pypto {command} >{place}", PYTHONUNBUFFERED=unbuffered)
    assert ran.returncode == 2
    assert ran.stderr.startswith("standard output can't be written: ")
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("place", ["/dev/full", "&-"])
def test_checking_a_good_file_needs_no_output(place: str) -> None:
    ran = in_shell(f"pypto check examples/matmul.py >{place}")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("line", ['check "$1"', "lower", "ops tile.matmol"])
def test_messages_that_cannot_be_written_are_no_traceback(line: str, written: Any) -> None:
    ran = in_shell(f"pypto {line} 2>/dev/full", written("bad.py", "x ="))
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", "")


def test_messages_do_not_go_to_standard_output_where_standard_error_is_closed(written: Any) -> None:
    ran = in_shell('pypto check "$1" 2>&-', written("bad.py", "x ="))
    assert (ran.returncode, ran.stdout) == (1, "")


def test_closed_standard_input_is_an_error_of_the_file() -> None:
    ran = in_shell("pypto check - <&-")
    assert ran.returncode == 1
    assert ran.stderr.startswith("error[PL119]: standard input can't be read")


def test_programs_are_utf8_in_every_locale(written: Any) -> None:
    text = program("größe = pl.exp(tile)").replace("pl.store(tile", "pl.store(größe")
    ran = in_shell('pypto lower "$1"', written("a.py", text), PYTHONIOENCODING="latin-1", LC_ALL="C")
    assert ran.returncode == 0
    ir.assert_structural_equal(pl.parse(ran.stdout), pl.parse(text).lower())
    assert "größe" in ran.stdout
