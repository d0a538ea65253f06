"""``pypto-lite run``: what it compares, what it prints, and how it ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pypto_lite import ir
from pypto_lite.cli import running
from pypto_lite.cli.lowering import Lowered, lower

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.cli.files import Unit
    from pypto_lite.passes import Pipeline

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

HEAD = "import pypto_lite.language as pl\n\n"

DOUBLE = (
    HEAD
    + """
@pl.program
class Double:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]):
        tile = pl.load(x, [0, 0], [16, 32])
        pl.store(pl.add(tile, tile), [0, 0], out)
"""
)


@pytest.fixture
def run_text(tmp_path: Path, run_command: Callable[..., Any]) -> Callable[..., Any]:
    """Runs ``pypto-lite run`` on a file with this text."""

    def run(text: str, *options: str) -> Any:
        path = tmp_path / "kernels.py"
        path.write_text(text, encoding="utf-8")
        return run_command("run", path, *options)

    return run


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
@pytest.mark.parametrize("target", ["none", "Ascend950"])
def test_examples_compute_the_same_after_lowering(path: Path, target: str, run_command: Callable[..., Any]) -> None:
    outcome = run_command("run", path, "--target", target, "--sanitize")
    assert (outcome.status, outcome.err) == (0, "")
    assert "largest difference after lowering: 0\n" in outcome.out


def test_every_output_has_a_line(run_text: Callable[..., Any]) -> None:
    outcome = run_text(
        HEAD
        + """
@pl.function(type=pl.FunctionType.InCore)
def kernel(
    x: pl.Tensor[[16, 32], pl.BF16],
    out: pl.Out[pl.Tensor[[16, 32], pl.BF16]],
    kept: pl.InOut[pl.Tensor[[4], pl.INT32]],
) -> tuple[pl.Tensor[[16, 32], pl.BF16], pl.Scalar[pl.BF16]]:
    tile = pl.load(x, [0, 0], [16, 32])
    return pl.store(tile, [0, 0], out), pl.read(tile, [0, 0])
"""
    )
    assert outcome.status == 0
    assert outcome.out.splitlines()[:3] == [
        "kernel()",
        "  out     bfloat16 [16, 32]  largest difference after lowering: 0",
        "  kept    int32 [4]          largest difference after lowering: 0",
    ]
    assert outcome.out.splitlines()[3].startswith("  result  the number")


def test_a_lowered_program_that_computes_something_else_is_told(
    run_text: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lower_wrongly(unit: Unit, pipeline: Pipeline) -> Lowered:
        lowered = lower(unit, pipeline)
        assert lowered.program is not None
        rules = {ir.Call: lambda call: call.replace(op="tile.mul") if call.op == "tile.add" else call}
        return lowered._replace(program=ir.rewrite(lowered.program, rules))

    monkeypatch.setattr(running, "lower", lower_wrongly)
    outcome = run_text(DOUBLE)
    assert outcome.status == 1
    # Of halves from -3 to 3 the square of -3 is the farthest from its double.
    assert outcome.out.endswith("largest difference after lowering: 15\n")


def test_the_seed_chooses_the_numbers(run_text: Callable[..., Any]) -> None:
    text = DOUBLE.replace("pl.store(pl", "pl.print(tile)\n        pl.store(pl")
    first, again, other = (run_text(text, "--seed", seed).out for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


def test_scalars_and_symbolic_dimensions_get_values_with_which_the_kernel_runs(run_text: Callable[..., Any]) -> None:
    outcome = run_text(
        HEAD
        + """
M = pl.dynamic("M")

@pl.program
class Rows:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[M, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[M, 64], pl.FP32]]
    ):
        for i in pl.range(0, M, 64):
            tile = pl.load(x, [i + n - 2, 0], [64, 64])
            pl.store(tile, [i, 0], out)
"""
    )
    assert outcome.status == 0
    assert outcome.out.startswith("Rows.kernel(n=2, M=")


PRINTING = DOUBLE.replace(
    "        pl.store(", '        pl.print(pl.read(tile, [0, 0]), label="first")\n        pl.store('
)


def test_what_a_kernel_prints_is_shown_once(run_text: Callable[..., Any]) -> None:
    outcome = run_text(PRINTING)
    assert outcome.out.splitlines()[1] == "Double.kernel()"
    assert outcome.out.count("first:") == 1


def test_what_a_kernel_prints_before_it_fails_is_shown(run_text: Callable[..., Any]) -> None:
    outcome = run_text(PRINTING.replace("pl.add(tile, tile)", "pl.create_tile([16, 32], dtype=pl.FP32)"))
    assert outcome.status == 1
    assert outcome.out.count("first:") == 1


def test_what_is_printed_otherwise_after_lowering_is_shown_too(
    run_text: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lower_wrongly(unit: Unit, pipeline: Pipeline) -> Lowered:
        lowered = lower(unit, pipeline)
        assert lowered.program is not None
        rules = {ir.Call: lambda call: call.replace(keywords={"label": "other"}) if "label" in call.keywords else call}
        return lowered._replace(program=ir.rewrite(lowered.program, rules))

    monkeypatch.setattr(running, "lower", lower_wrongly)
    lines = run_text(PRINTING).out.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == ["first", "after lowering", "other"]


TWO_ENTRIES = DOUBLE + DOUBLE[DOUBLE.index("    @pl.function") :].replace("kernel", "other").replace(
    "tile, tile", "tile, 1.0"
)


def test_a_function_can_be_named(run_text: Callable[..., Any]) -> None:
    assert run_text(TWO_ENTRIES, "--function", "other").out.startswith("Double.other()\n")


def test_which_function_is_meant_has_to_be_clear(run_text: Callable[..., Any]) -> None:
    outcome = run_text(TWO_ENTRIES)
    assert outcome.status == 1
    assert "PL501" in outcome.err
    assert "hint: name one: --function kernel\n" in outcome.err


def test_text_is_parsed_and_not_executed(run_text: Callable[..., Any]) -> None:
    outcome = run_text('raise SystemExit("executed")\n' + DOUBLE, "--text")
    assert (outcome.status, outcome.err) == (0, "")
    assert "executed" in run_text('raise SystemExit("executed")\n' + DOUBLE).err


def test_an_error_of_a_run_is_shown_at_its_line(run_text: Callable[..., Any]) -> None:
    outcome = run_text(DOUBLE.replace("pl.add(tile, tile)", "pl.create_tile([16, 32], dtype=pl.FP32)"))
    assert outcome.status == 1
    assert "error[PL504]" in outcome.err
    assert "kernels.py:9:" in outcome.err
    assert outcome.err.endswith("1 error\n")


def test_a_program_that_can_not_be_lowered_is_not_run(run_text: Callable[..., Any]) -> None:
    outcome = run_text(DOUBLE.replace("[16, 32])\n", "[16, 32], target_memory=pl.Mem.Mat)\n"))
    assert (outcome.status, outcome.out) == (1, "")
    assert "error[PL404]" in outcome.err


def test_the_sanitizer_ends_a_run_that_would_go_on(run_text: Callable[..., Any]) -> None:
    text = DOUBLE.replace("        tile", "        for i in pl.parallel(2):\n          tile").replace(
        "        pl.store", "          pl.store"
    )
    assert run_text(text).status == 0
    outcome = run_text(text, "--sanitize")
    assert outcome.status == 1
    assert "error[PL519]" in outcome.err


def test_the_sanitizer_tells_its_notes_and_how_full_the_memories_were(run_text: Callable[..., Any]) -> None:
    text = DOUBLE.replace(
        "pl.add(tile, tile)", "pl.add(tile, pl.tile.fillpad_inplace(tile, pad_value=pl.PadValue.zero))"
    )
    outcome = run_text(text, "--sanitize")
    assert outcome.status == 0
    assert "note[PL520]" in outcome.err
    assert outcome.err.endswith("1 note\n")
    assert outcome.out.endswith("  kernel: at most 2,048 of 188,416 bytes of Vec in use\n")


def test_a_seed_is_a_whole_number(run_text: Callable[..., Any]) -> None:
    outcome = run_text(DOUBLE, "--seed", "x")
    assert outcome.status == 2
