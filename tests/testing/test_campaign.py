"""Campaigns: the same programs on every executor, and what is found stands alone as a test."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.testing import campaign
from pypto_lite.testing.campaign import CHUNK, Chunk, Report, Serial, fuzz, run_chunk
from pypto_lite.testing.properties import PROPERTIES, Trial
from pypto_lite.testing.reproducers import TRACED, Failure, as_test_file
from pypto_lite.testing.strategies import Sample

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent.parent


def has_no_product(trial: Trial) -> None:
    """A property that some programs lack."""
    if any(isinstance(node, ir.Call) and node.op == "tile.matmul" for node in ir.walk(trial.program)):
        raise AssertionError("product")


def only(monkeypatch: pytest.MonkeyPatch, **properties: Callable[[Trial], None]) -> None:
    """Makes these the only properties."""
    monkeypatch.setattr(campaign, "PROPERTIES", properties)


class Recording(Executor):
    """Does nothing but note what it is asked to do."""

    def __init__(self) -> None:
        self.chunks: list[Chunk] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.chunks += args
        future: Future[Any] = Future()
        future.set_result(Report(args[0].examples))
        return future


def texts_of(chunk: Chunk) -> list[str]:
    """The programs of a chunk; a function of the module, so that other processes can call it."""
    found: list[str] = []

    def note(trial: Trial) -> None:
        found.append(trial.program.as_python())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaign, "PROPERTIES", {"note": note})
        run_chunk(chunk)
    return found


def test_the_examples_are_divided_into_chunks() -> None:
    executor = Recording()
    assert fuzz(executor, examples=2 * CHUNK + 7, seed=3, jobs=2) == Report(2 * CHUNK + 7)
    assert executor.chunks == [Chunk(3, 0, CHUNK), Chunk(3, 1, CHUNK), Chunk(3, 2, 7)]


def test_progress_is_told() -> None:
    told: list[int] = []
    fuzz(Recording(), examples=120, progress=told.append)
    assert told == [50, 100, 120]


def test_it_ends_when_the_time_is_over() -> None:
    assert fuzz(Recording(), minutes=1e-6).tried < 100_000_000


def test_it_ends_at_the_first_failure_in_the_order_of_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, has_no_product=has_no_product)
    with ThreadPoolExecutor(1) as threads:
        reports = [fuzz(executor, examples=400, seed=1, jobs=3) for executor in (Serial(), threads)]
    assert reports[0] == reports[1]
    assert reports[0].tried < 400


def test_a_failure_is_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, has_no_product=has_no_product)
    failure = fuzz(Serial(), examples=400, seed=1).failure
    assert failure is not None
    assert failure.property == "has_no_product"
    assert failure.message.startswith("AssertionError: product")
    assert len(failure.sample.text.splitlines()) < 18
    assert (failure.sample.seed, failure.sample.edit) == (0, 0)


def test_any_exception_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(trial: Trial) -> None:
        raise IndexError(f"no {trial.edit}")

    only(monkeypatch, crash=crash)
    failure = fuzz(Serial(), examples=10).failure
    assert failure is not None
    assert (failure.property, failure.message) == ("crash", "IndexError: no 0")


def test_a_program_that_tracing_refuses_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_sample: Sample) -> Trial:
        raise UserError(Diagnostic("PL203", "no such shape"))

    monkeypatch.setattr(campaign, "trial_of", refuse)
    failure = fuzz(Serial(), examples=10).failure
    assert failure is not None
    assert failure.property == TRACED
    assert "no such shape" in failure.message


def test_other_processes_draw_the_same_programs() -> None:
    chunks = [Chunk(5, 0, 4), Chunk(5, 1, 4)]
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        elsewhere = list(processes.map(texts_of, chunks))
    assert elsewhere == [texts_of(chunk) for chunk in chunks]
    assert elsewhere[0] != elsewhere[1]


def test_every_program_is_drawn_on_its_own() -> None:
    texts = texts_of(Chunk(7, 0, CHUNK))
    assert len(set(texts)) > 0.9 * len(texts)


# The file


def run_pytest(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", name]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


TEXT = """import pypto_lite.language as pl


@pl.program
class Fuzzed:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self,
        x_fp32: pl.Tensor[[64, 64], pl.FP32],
    ):
        t1 = pl.load(x_fp32, [0, 0], [16, 16])
"""


@pytest.mark.parametrize("name", PROPERTIES)
def test_the_file_tries_the_property_on_the_program(tmp_path: Path, name: str) -> None:
    file, text = as_test_file(Failure(name, Sample(TEXT, 3, 4), "AssertionError: it\ndoes not hold"), "Found by me")
    assert file == f"test_fuzzed_{name}.py"
    namespace: dict[str, Any] = {}
    (tmp_path / file).write_text(text)
    exec(compile(text, str(tmp_path / file), "exec"), namespace)
    namespace[f"test_{name}"]()
    assert "# AssertionError: it\n# does not hold" in text
    assert "Found by me" in text


def test_the_file_fails_as_the_property_did(tmp_path: Path) -> None:
    broken = TEXT.replace("[0, 0]", "[60, 60]")
    file, text = as_test_file(Failure(TRACED, Sample(broken, 0, 0), "UserError: ..."), "Found by me")
    (tmp_path / file).write_text(text)
    outcome = run_pytest(tmp_path, file)
    assert outcome.returncode == 1, outcome.stdout
    assert "PL206" in outcome.stdout
