"""The verifier and the sanitizer agree: where all statements of a program run, one refuses what the other stops.

The programs are random kernels, placed, with a single fault each, or none that matters.
"""

from __future__ import annotations

import random

import ml_dtypes
import numpy as np
import pytest

from pypto_lite import interp, ir, passes
from pypto_lite.diagnostics import UserError
from pypto_lite.passes.properties.tile_memory_inferred import check_tile_memory
from pypto_lite.targets import find_target
from tests.passes.infer_tile_memory_space.kernels import kernel
from tests.passes.infer_tile_memory_space.random_kernels import random_kernel

from .faults import faults

SEEDS = range(60)
INPUTS = (0, 1, 2)
"""The values of the scalar that branches and loops depend on."""

FAULTS = 12
"""How many faults are tried in each kernel."""

SPACES = ("PL511", "PL512", "PL513", "PL514", "PL515")
"""What the sanitizer says of what both know."""

TWOS = np.full((64, 64), 2, np.float32)


def end(program: ir.Program, n: int, target: str | None, seen: set[ir.Stmt]) -> str | None:
    """The code of the error that a run ends with; ``seen`` gets the statements that have run."""
    halves = TWOS.astype(ml_dtypes.bfloat16)
    given = {"x": TWOS, "y": TWOS, "v": TWOS[:1], "h": halves, "n": n, "s": 2.0, "out": TWOS.copy()}
    sanitizer = interp.Sanitizer(target, placed=True)
    try:
        interp.run(program, "kernel", given, sanitize=sanitizer, hook=lambda moment: seen.add(moment.statement))
    except UserError as error:
        return error.code
    return None


def placed(seed: int, target: str | None) -> ir.Program | None:
    """A placed kernel that runs to its end, and each of its statements for some input; None for other seeds."""
    try:
        program = passes.default_pipeline(target).run(kernel(random_kernel(seed, writes=seed % 2 == 0)))
    except UserError:
        return None
    seen: set[ir.Stmt] = set()
    ends = [end(program, n, target, seen) for n in INPUTS]
    if any(ends):
        return None
    statements = [node for node in ir.walk(program) if isinstance(node, ir.Stmt) and not isinstance(node, ir.Block)]
    return program if seen.issuperset(statements) else None


def verdicts(seed: int, target: str | None) -> list[tuple[str, bool, bool]]:
    """For some faults of a kernel what was done, whether the verifier refuses it, and whether a run is stopped."""
    program = placed(seed, target)
    if program is None:
        return []
    found: list[tuple[str, bool, bool]] = []
    possible = faults(program)
    for told, faulty in random.Random(seed).sample(possible, min(FAULTS, len(possible))):
        refused = bool(check_tile_memory(faulty, find_target(target)))
        ends = [end(faulty, n, target, set()) for n in INPUTS]
        stopped = any(code in SPACES for code in ends)
        # An error of another kind may end all runs before they come to what is wrong.
        if stopped or not any(ends):
            found.append((told, refused, stopped))
    return found


@pytest.mark.parametrize("target", [None, "Ascend910B"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_fault_is_refused_if_and_only_if_a_run_is_stopped(seed: int, target: str | None) -> None:
    assert [each for each in verdicts(seed, target) if each[1] is not each[2]] == []


def test_there_are_faults_of_both_kinds() -> None:
    """So that the test above looks at something."""
    found = [refused for seed in SEEDS[:20] for _, refused, _ in verdicts(seed, None)]
    assert found.count(True) > 50
    assert found.count(False) > 1
