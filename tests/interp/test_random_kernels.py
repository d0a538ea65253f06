"""Random kernels compute the same numbers before and after lowering, or end with the same error at the same line."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from pypto_lite import interp, ir, passes
from pypto_lite.diagnostics import UserError
from tests.passes.placed.placement.kernels import kernel
from tests.passes.placed.placement.random_kernels import random_kernel

from .apply import assert_equal

SEEDS = range(48)
INTEGERS = np.random.default_rng(0).integers(-2, 3, (2, 64, 64)).astype(np.float32)
"""So small that sums of products are exact in whatever order."""


def outcome(program: ir.Program, n: int) -> Any:
    """What the kernel leaves in its output, or the code and the line of its error."""
    x, y = INTEGERS
    out = np.full((64, 64), -7, np.float32)
    given = {"x": x, "y": y, "v": x[:1], "h": y.astype(ml_dtypes.bfloat16), "n": n, "s": 2.0, "out": out}
    try:
        interp.run(program, "kernel", given)
    except UserError as error:
        return error.code, error.span.line
    return out


def lowered(program: ir.Program, target: str | None) -> ir.Program | None:
    """The program with every tile placed; None where it can't be."""
    try:
        return passes.default_pipeline(target).run(program)
    except UserError:
        return None


@pytest.mark.parametrize("seed", SEEDS)
def test_random_kernel(seed: int) -> None:
    before = kernel(random_kernel(seed, writes=seed % 2 == 0))
    for target in (None, "Ascend910B"):
        after = lowered(before, target)
        if after is None:
            continue
        for n in (0, 2):
            expected, found = outcome(before, n), outcome(after, n)
            if isinstance(expected, tuple):
                assert found == expected
            else:
                assert_equal(found, expected)


def test_many_random_kernels_run_to_their_end() -> None:
    """So that the test above looks at something."""
    programs = [kernel(random_kernel(seed, writes=seed % 2 == 0)) for seed in SEEDS]
    runs = [outcome(each, 2) for each in programs if lowered(each, None) is not None]
    assert sum(not isinstance(each, tuple) for each in runs) > len(SEEDS) // 4
