"""``pypto-lite lower``: which programs of which files, in which form, and where they go."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

import pypto_lite.language as pl
from pypto_lite import ir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]

KERNEL = """
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


def kernel(name: str = "First", middle: str = "tile = pl.exp(tile)") -> str:
    return KERNEL.format(name=name, middle=middle)


BROKEN = kernel("Broken", "tile = pl.exq(tile)")


def test_the_printed_program_is_the_lowered_one(tmp_path: Path, run_command: Run) -> None:
    path = tmp_path / "one.py"
    path.write_text(kernel())
    outcome = run_command("lower", path)
    assert (outcome.status, outcome.err) == (0, "")
    ir.assert_structural_equal(pl.parse(outcome.out), pl.parse(kernel()).lower())


def test_several_files_are_lowered_in_order(tmp_path: Path, run_command: Run) -> None:
    for name in ("B", "A"):
        (tmp_path / f"{name}.py").write_text(kernel(name))
    outcome = run_command("lower", tmp_path / "B.py", tmp_path / "A.py", "--format", "json")
    assert [found["program"] for found in outcome.objects] == ["B", "A"]
    assert [found["file"] for found in outcome.objects] == [str(tmp_path / "B.py"), str(tmp_path / "A.py")]


def test_standard_input_is_text(run_command: Run) -> None:
    outcome = run_command("lower", "-", "--format", "json", stdin=kernel())
    (found,) = outcome.objects
    assert (found["file"], found["program"], outcome.status) == ("-", "First", 0)


def test_standard_input_is_read_only_once(run_command: Run) -> None:
    outcome = run_command("lower", "-", "-", stdin=kernel())
    assert outcome.status == 2
    assert "only once" in outcome.err


def test_text_is_not_run(tmp_path: Path, run_command: Run) -> None:
    path = tmp_path / "text.py"
    path.write_text(kernel() + "\nraise RuntimeError('was run')\n")
    assert run_command("lower", path, "--text").status == 0
    assert run_command("lower", path).status == 1


def test_an_error_in_one_file_does_not_hide_the_others(tmp_path: Path, run_command: Run) -> None:
    (tmp_path / "bad.py").write_text(BROKEN)
    (tmp_path / "good.py").write_text(kernel())
    outcome = run_command("lower", tmp_path / "bad.py", tmp_path / "missing.py", tmp_path / "good.py")
    assert outcome.status == 1
    assert "class First" in outcome.out
    assert "PL107" in outcome.err
    assert "PL119" in outcome.err
    assert outcome.err.endswith("2 errors\n")


def test_an_error_in_one_program_does_not_hide_the_others_of_its_file(tmp_path: Path, run_command: Run) -> None:
    path = tmp_path / "three.py"
    path.write_text(kernel("First") + BROKEN + kernel("Third"))
    outcome = run_command("lower", path, "--format", "json")
    assert [(found["program"], len(found["functions"])) for found in outcome.objects] == [
        ("First", 1),
        ("Broken", 0),
        ("Third", 1),
    ]
    assert [each["code"] for each in outcome.objects[1]["diagnostics"]] == ["PL107"]
    assert outcome.status == 1


def test_the_diagnostics_of_the_json_object_have_places(tmp_path: Path, run_command: Run) -> None:
    path = tmp_path / "bad.py"
    path.write_text(BROKEN)
    (found,) = run_command("lower", path, "--format", "json").objects
    (diagnostic,) = found["diagnostics"]
    assert (diagnostic["file"], diagnostic["severity"]) == (str(path), "error")
    assert BROKEN.splitlines()[diagnostic["line"] - 1][diagnostic["column"] - 1 :].startswith("pl.exq")


def test_a_program_that_cannot_be_placed_yields_the_functions_that_can(run_command: Run) -> None:
    text = """
import pypto_lite.language as pl

@pl.program
class Half:
    @pl.function(type=pl.FunctionType.InCore)
    def good(
        self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        return pl.store(pl.load(x, [0, 0], [16, 16]), [0, 0], out)

    @pl.function(type=pl.FunctionType.InCore)
    def bad(
        self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        in_mat = pl.load(x, [0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)
        return pl.store(pl.exp(in_mat), [0, 0], out)
"""
    outcome = run_command("lower", "-", "--format", "json", stdin=text)
    (found,) = outcome.objects
    assert list(found["functions"]) == ["good"]
    assert [tile["space"] for tile in found["functions"]["good"]["tiles"]] == ["Vec"]
    assert [each["severity"] for each in found["diagnostics"]] == ["error"]
    assert "in_mat" in found["diagnostics"][0]["message"]
    assert outcome.status == 1


TOO_LARGE = kernel().replace("[16, 16]", "[512, 256]")


def test_tiles_that_do_not_fit_have_all_their_facts(run_command: Run) -> None:
    outcome = run_command("lower", "-", "--format", "json", stdin=TOO_LARGE)
    (found,) = outcome.objects
    function = found["functions"]["kernel"]
    assert [tile["space"] for tile in function["tiles"]] == ["Vec", "Vec"]
    at_peak = [{"name": "tile", "bytes": 524288}]
    assert function["memory"]["Vec"] == {"capacity": 188416, "peak": 524288, "total": 1048576, "at_peak": at_peak}
    assert [each["code"] for each in found["diagnostics"]] == ["PL411"]
    assert outcome.status == 1


def test_tiles_that_do_not_fit_have_their_facts_beside_a_function_that_cannot_be_placed(run_command: Run) -> None:
    bad = TOO_LARGE[TOO_LARGE.index("    @pl.function") :].replace("def kernel", "def bad")
    bad = bad.replace("[0, 0], [512, 256])", "[0, 0], [512, 256], target_memory=pl.MemorySpace.Mat)")
    (found,) = run_command("lower", "-", "--format", "json", stdin=TOO_LARGE + bad).objects
    assert list(found["functions"]) == ["kernel"]
    assert found["functions"]["kernel"]["memory"]["Vec"]["peak"] == 524288


def test_a_warning_is_told_and_the_status_is_fine(run_command: Run) -> None:
    text = kernel(middle="tile = pl.exp(tile)").replace(
        "[0, 0], [16, 16])\n", "[0, 0], [16, 16], target_memory=pl.MemorySpace.Mat)\n", 1
    )
    outcome = run_command("lower", "-", "--target", "none", stdin=text)
    assert outcome.status == 0
    assert "warning[" in outcome.err
    assert "class First" in outcome.out


def test_a_lone_function_is_a_program_of_one_function(run_command: Run) -> None:
    text = """
import pypto_lite.language as pl

@pl.function(type=pl.FunctionType.InCore)
def alone(
    x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
) -> pl.Tensor[[16, 16], pl.FP32]:
    return pl.store(pl.load(x, [0, 0], [16, 16]), [0, 0], out)
"""
    (found,) = run_command("lower", "-", "--format", "json", stdin=text).objects
    assert (found["program"], list(found["functions"])) == ("alone", ["alone"])
    printed = run_command("lower", "-", stdin=text).out
    assert "class" not in printed
    assert isinstance(pl.parse(printed), pl.Function)


def test_output_goes_to_a_file(tmp_path: Path, run_command: Run) -> None:
    printed = run_command("lower", "-", stdin=kernel()).out
    outcome = run_command("lower", "-", "-o", tmp_path / "out.py", stdin=kernel())
    assert (outcome.status, outcome.out) == (0, "")
    assert (tmp_path / "out.py").read_text("utf-8") == printed


def test_a_file_that_cannot_be_written_is_wrong_usage(tmp_path: Path, run_command: Run) -> None:
    outcome = run_command("lower", "-", "-o", tmp_path / "no" / "out.py", stdin=kernel())
    assert outcome.status == 2
    assert "can't be written" in outcome.err


def test_the_name_of_a_file_need_not_be_text(tmp_path: Path, run_command: Run) -> None:
    path = tmp_path / os.fsdecode(b"\xff.py")
    path.write_text(kernel())
    outcome = run_command("lower", path, "--format", "json", "-o", tmp_path / "facts.json")
    assert (outcome.status, outcome.err) == (0, "")
    assert json.loads((tmp_path / "facts.json").read_text("utf-8"))["file"] == str(path)


def test_nothing_is_written_where_nothing_could_be_lowered(tmp_path: Path, run_command: Run) -> None:
    outcome = run_command("lower", "-", "-o", tmp_path / "out.py", stdin=BROKEN)
    assert outcome.status == 1
    assert not (tmp_path / "out.py").exists()


def test_until_stops_after_a_pass(run_command: Run) -> None:
    outcome = run_command("lower", "-", "--until", "FlattenCalls", stdin=kernel())
    assert "tile: pl.Tile[[16, 16], pl.FP32] = pl.load(" in outcome.out
    assert outcome.out == run_command("lower", "-", "--until", "flatten_calls", stdin=kernel()).out


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["--until", "infer_tile_memory"], "infer_tile_memory_space"),
        (["--print-after", "simplfy"], "simplify"),
        (["--target", "Ascend910"], "Ascend910B"),
        (["--format", "yaml"], "json"),
    ],
)
def test_wrong_usage_is_told_with_a_hint(arguments: list[str], hint: str, run_command: Run) -> None:
    outcome = run_command("lower", "-", *arguments, stdin=kernel())
    assert outcome.status == 2
    assert hint in outcome.err
    assert "Traceback" not in outcome.err


def test_target_is_in_the_facts(run_command: Run) -> None:
    targets = [
        run_command("lower", "-", "--format", "json", "--target", name, stdin=kernel()).objects[0]["target"]
        for name in ("Ascend910B", "ascend950", "none")
    ]
    assert targets == ["Ascend910B", "Ascend950", None]


def test_print_after_prints_the_program_at_that_stage(run_command: Run) -> None:
    outcome = run_command("lower", "-", "--print-after", "normalize_statements", stdin=kernel())
    assert outcome.out.startswith("# After normalize_statements")
    assert outcome.out.count("class First") == 2


def test_print_after_all_prints_every_stage(run_command: Run) -> None:
    outcome = run_command("lower", "-", "--print-after-all", stdin=kernel())
    shown = [line.split()[2].rstrip(",") for line in outcome.out.splitlines() if line.startswith("# After ")]
    assert shown == [line.split(":")[0] for line in run_command("passes").out.splitlines() if line[0] != " "]


def test_stages_stay_out_of_the_json_lines(run_command: Run) -> None:
    outcome = run_command("lower", "-", "--print-after-all", "--format", "json", stdin=kernel())
    assert json.loads(outcome.out)["program"] == "First"
    assert "# After infer_tile_memory_space" in outcome.err


def test_time_passes_tells_of_every_pass(run_command: Run) -> None:
    outcome = run_command("lower", "-", "--time-passes", stdin=kernel())
    assert "infer_tile_memory_space" in outcome.err
    assert " ms" in outcome.err
    assert " ms" not in outcome.out
