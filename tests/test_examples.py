"""The shipped examples: each runs, lowers on every target without a warning, and is placed as its text says."""

from __future__ import annotations

import runpy
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parent.parent / "examples"
EXAMPLES = sorted(FOLDER.glob("*.py"))
TARGETS = ("none", "Ascend910B", "Ascend950")


@pytest.fixture
def facts_of(run_command: Callable[..., Any]) -> Callable[[str], dict[str, dict[str, Any]]]:
    """The facts of the functions of one example's only program, by name."""

    def facts(name: str) -> dict[str, dict[str, Any]]:
        (program,) = run_command("lower", FOLDER / f"{name}.py", "--format", "json").objects
        return program["functions"]

    return facts


def spaces(function: dict[str, Any]) -> dict[str, str]:
    return {tile["name"]: tile["space"] for tile in function["tiles"]}


def inserted(function: dict[str, Any]) -> Counter[tuple[str, str, str]]:
    """The inserted moves: what is moved, where to, in which block."""
    moves = [move for move in function["moves"] if move["origin"] == "inserted"]
    return Counter((move["source"], move["to"], move["block"]) for move in moves)


def test_the_examples_are_there() -> None:
    assert {path.stem for path in EXAMPLES} == {
        "branch", "elementwise_add", "explicit_ssa", "flash_attention", "layer_norm", "matmul", "orchestration",
        "row_softmax", "tiled_matmul",
    }  # fmt: skip


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("target", TARGETS)
def test_example_lowers_without_a_word(path: Path, target: str, run_command: Callable[..., Any]) -> None:
    outcome = run_command("lower", path, "--target", target)
    assert (outcome.status, outcome.err) == (0, "")
    assert "@pl.program" in outcome.out


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_prints_what_the_command_prints(
    path: Path, capsys: pytest.CaptureFixture[str], run_command: Callable[..., Any]
) -> None:
    runpy.run_path(str(path), run_name="__main__")
    printed = capsys.readouterr().out
    assert printed.split() == run_command("lower", path).out.split()


@pytest.mark.parametrize("path", [path for path in EXAMPLES if path.stem != "explicit_ssa"], ids=lambda path: path.stem)
def test_example_reads_as_text_too(path: Path, run_command: Callable[..., Any]) -> None:
    assert run_command("lower", path, "--text").out == run_command("lower", path).out


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_says_what_to_look_at(path: Path) -> None:
    assert "What to look at:" in path.read_text("utf-8")


def test_elementwise_add_stays_in_vec(facts_of: Callable[[str], Any]) -> None:
    kernel = facts_of("elementwise_add")["kernel"]
    assert spaces(kernel) == {"x_tile": "Vec", "y_tile": "Vec", "total": "Vec"}
    assert kernel["moves"] == []


def test_matmul_gets_two_moves(facts_of: Callable[[str], Any]) -> None:
    kernel = facts_of("matmul")["main_incore_0"]
    assert spaces(kernel) == {
        "x_tile": "Vec", "y_tile": "Vec", "x_tile_Left": "Left", "y_tile_Right": "Right", "z_tile": "Acc",
    }  # fmt: skip
    assert inserted(kernel) == Counter([("x_tile", "Left", "body"), ("y_tile", "Right", "body")])


def test_tiled_matmul_accumulates_in_acc(facts_of: Callable[[str], Any]) -> None:
    kernel = facts_of("tiled_matmul")["kernel"]
    assert kernel["creates"] == [{"name": "total", "target_memory": "Acc"}]
    assert {tile["space"] for tile in kernel["tiles"] if tile["role"] in ("carry", "loop_result")} == {"Acc"}
    loop = "body/for0/for0/for0"
    assert inserted(kernel) == Counter([("a_tile", "Left", loop), ("b_tile", "Right", loop)])


def test_explicit_and_natural_spelling_are_the_same_program(run_command: Callable[..., Any]) -> None:
    natural, explicit = run_command("lower", FOLDER / "explicit_ssa.py", "--format", "json").objects
    assert (natural["program"], explicit["program"]) == ("Natural", "Explicit")
    unnamed = [
        [{key: value for key, value in tile.items() if key != "name"} for tile in each["functions"]["kernel"]["tiles"]]
        for each in (natural, explicit)
    ]
    assert unnamed[0] == unnamed[1]
    assert run_command("diff", FOLDER / "explicit_ssa.py", FOLDER / "explicit_ssa.py").status == 0


@pytest.mark.parametrize("name", ["row_softmax", "layer_norm"])
def test_row_kernels_are_vector_work(name: str, facts_of: Callable[[str], Any]) -> None:
    kernel = facts_of(name)["kernel"]
    assert {tile["space"] for tile in kernel["tiles"]} == {"Vec"}
    assert kernel["moves"] == []


def test_reductions_are_columns_and_layer_norm_turns_them_into_rows(facts_of: Callable[[str], Any]) -> None:
    tiles = {tile["name"]: tile for tile in facts_of("layer_norm")["kernel"]["tiles"]}
    assert (tiles["variance"]["shape"], tiles["variance"]["blayout"]) == ([16, 1], "col_major")
    assert (tiles["variance_row"]["shape"], tiles["variance_row"]["blayout"]) == ([1, 16], "row_major")
    assert (tiles["inverse"]["shape"], tiles["inverse"]["blayout"]) == ([16, 1], "col_major")


def test_branch_result_is_in_vec_with_a_move_in_each_arm(facts_of: Callable[[str], Any]) -> None:
    kernel = facts_of("branch")["kernel"]
    results = [tile["space"] for tile in kernel["tiles"] if tile["role"] == "branch_result"]
    assert results == ["Vec"]
    to_vec = [(move["from"], move["block"]) for move in kernel["moves"] if move["to"] == "Vec"]
    assert to_vec == [("Acc", "body/if0/then"), ("Acc", "body/if0/else")]


def test_only_the_kernel_of_orchestration_is_placed(facts_of: Callable[[str], Any]) -> None:
    functions = facts_of("orchestration")
    assert functions["main"] == {
        "type": "Orchestration",
        "tiles": [],
        "moves": [],
        "loads": [],
        "creates": [],
        "memory": {},
    }
    assert set(spaces(functions["kernel"]).values()) == {"Vec"}


def test_flash_attention_alternates_between_the_cores(facts_of: Callable[[str], Any]) -> None:
    kernel = facts_of("flash_attention")["attend"]
    where = spaces(kernel)
    assert {name: where[name] for name in ("query_tile", "key_tile", "value_tile")} == {
        "query_tile": "Mat", "key_tile": "Mat", "value_tile": "Mat",
    }  # fmt: skip
    assert {name: where[name] for name in ("scores", "weighted")} == {"scores": "Acc", "weighted": "Acc"}
    carried = [tile for tile in kernel["tiles"] if tile["role"] == "carry"]
    assert sorted(tile["shape"] for tile in carried) == [[1, 64], [1, 64], [64, 64]]
    assert {tile["space"] for tile in carried} == {"Vec"}
    moved = {(move["from"], move["to"]) for move in kernel["moves"]}
    assert moved == {("Mat", "Left"), ("Mat", "Right"), ("Acc", "Vec"), ("Vec", "Left")}
    vec_moves = [source for source, to, block in inserted(kernel) if to == "Vec"]
    assert vec_moves == ["scores", "weighted"]
