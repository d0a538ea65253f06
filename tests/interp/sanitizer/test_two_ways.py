"""The verifier and the sanitizer agree: where all statements of a program run, one refuses what the other stops.

The programs are random ones, placed, with a single fault each, or none that matters.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pypto_lite import interp, ir, passes
from pypto_lite.diagnostics import UserError
from pypto_lite.passes.properties.tile_memory_inferred import check_tile_memory
from pypto_lite.targets import find_target
from pypto_lite.testing.arguments import Arguments, arguments
from pypto_lite.testing.parsing import parsed
from pypto_lite.testing.strategies import texts
from tests.passes.placed.placement.kernels import kernel
from tests.passes.placed.placement.random_kernels import random_kernel

from .faults import faults

if TYPE_CHECKING:
    from collections.abc import Sequence

TARGETS = (None, "Ascend910B", "Ascend950")

SEEDS = range(60)
INPUTS = (0, 1, 2)
"""The values of the scalar that branches and loops depend on."""

FAULTS = 12
"""How many faults are tried in each kernel."""

SPACES = ("PL511", "PL512", "PL513", "PL514", "PL515")
"""What the sanitizer says of what both know."""

TWOS = np.full((64, 64), 2, np.float32)


def kernel_inputs() -> list[Arguments]:
    """The arguments of the kernels that are made for placement."""
    halves = TWOS.astype(ml_dtypes.bfloat16)
    common = {"x": TWOS, "y": TWOS, "v": TWOS[:1], "h": halves, "s": 2.0}
    return [{**common, "n": n, "out": TWOS.copy()} for n in INPUTS]


def ends(program: ir.Program, inputs: Sequence[Arguments], target: str | None, seen: set[ir.Stmt]) -> list[str | None]:
    """The codes of the errors that the runs end with; ``seen`` gets the statements that have run."""
    found: list[str | None] = []
    for each in inputs:
        sanitizer = interp.Sanitizer(target, placed=True)
        try:
            interp.run(program, None, dict(each), sanitize=sanitizer, hook=lambda moment: seen.add(moment.statement))
            found.append(None)
        except UserError as error:
            found.append(error.code)
    return found


def placed(program: ir.Program, inputs: Sequence[Arguments], target: str | None) -> ir.Program | None:
    """The program placed, if it runs to its end, and each of its statements for some input; else None."""
    try:
        program = passes.default_pipeline(target).run(program)
    except UserError:
        return None
    seen: set[ir.Stmt] = set()
    if any(ends(program, inputs, target, seen)):
        return None
    statements = [node for node in ir.walk(program) if isinstance(node, ir.Stmt) and not isinstance(node, ir.Block)]
    return program if seen.issuperset(statements) else None


def verdicts(
    program: ir.Program, inputs: Sequence[Arguments], target: str | None, seed: int
) -> list[tuple[str, bool, bool]]:
    """For some faults of a program what was done, whether the verifier refuses it, and whether a run is stopped."""
    lowered = placed(program, inputs, target)
    if lowered is None:
        return []
    found: list[tuple[str, bool, bool]] = []
    possible = faults(lowered)
    for told, faulty in random.Random(seed).sample(possible, min(FAULTS, len(possible))):
        refused = bool(check_tile_memory(faulty, find_target(target)))
        codes = ends(faulty, inputs, target, set())
        stopped = any(code in SPACES for code in codes)
        # An error of another kind may end all runs before they come to what is wrong.
        if stopped or not any(codes):
            found.append((told, refused, stopped))
    return found


def of_kernel(seed: int, target: str | None) -> list[tuple[str, bool, bool]]:
    """The verdicts about a kernel that is made for placement."""
    return verdicts(kernel(random_kernel(seed, writes=seed % 2 == 0)), kernel_inputs(), target, seed)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_fault_is_refused_if_and_only_if_a_run_is_stopped(seed: int, target: str | None) -> None:
    assert [each for each in of_kernel(seed, target) if each[1] is not each[2]] == []


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(texts(size=4, kernels=1), st.sampled_from(TARGETS), st.integers(0, 63))
def test_a_fault_of_any_program_is_refused_if_and_only_if_a_run_is_stopped(
    text: str, target: str | None, seed: int
) -> None:
    program = parsed(text)
    inputs = [arguments(program, number) for number in range(4)]
    assert [each for each in verdicts(program, inputs, target, seed) if each[1] is not each[2]] == []


def test_there_are_faults_of_both_kinds() -> None:
    """So that the test above looks at something."""
    found = [refused for seed in SEEDS[:20] for _, refused, _ in of_kernel(seed, None)]
    assert found.count(True) > 50
    assert found.count(False) > 1
