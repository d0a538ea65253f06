"""Every example computes what plain numpy computes: as it is written, and after every pass, for every target."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ml_dtypes
import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parent.parent.parent / "examples"
TARGETS = (None, "Ascend910B", "Ascend950")

Arrays = dict[str, Any]
BF16 = ml_dtypes.bfloat16


def normal(*shape: int, dtype: Any = np.float32, seed: int = 0) -> Any:
    """Random numbers of an element type, always the same ones."""
    return np.random.default_rng((seed, *shape)).standard_normal(shape, np.float32).astype(dtype)


def branch(activate: bool) -> tuple[Arrays, Any]:
    x, weight = normal(32, 64, dtype=BF16), normal(64, 32, dtype=BF16)
    product = x.astype(np.float32) @ weight.astype(np.float32)
    arguments = {"x": x, "weight": weight, "activate": activate}
    return arguments, np.maximum(product, 0) if activate else product


def elementwise_add() -> tuple[Arrays, Any]:
    x, y = normal(256, 128), normal(256, 128, seed=1)
    return {"x": x, "y": y}, x + y


def explicit_ssa() -> tuple[Arrays, Any]:
    a, b = normal(64, 64, dtype=BF16), normal(256, 32, dtype=BF16)
    steps = zip(np.split(a.astype(np.float32), 4), np.split(b.astype(np.float32), 4), strict=True)
    return {"a": a, "b": b}, sum(each_a @ each_b for each_a, each_b in steps)


def softmax(scores: Any) -> Any:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def flash_attention() -> tuple[Arrays, Any]:
    query, key, value = (normal(256, 64, dtype=BF16, seed=seed) for seed in range(3))
    scores = query.astype(np.float32) @ key.astype(np.float32).T / np.sqrt(np.float32(64))
    return {"query": query, "key": key, "value": value}, softmax(scores) @ value.astype(np.float32)


def layer_norm() -> tuple[Arrays, Any]:
    x, gamma, beta = normal(128, 256), normal(1, 256), normal(1, 256, seed=1)
    centred = x - x.mean(axis=1, keepdims=True)
    variance = (centred**2).mean(axis=1, keepdims=True)
    return {"x": x, "gamma": gamma, "beta": beta}, centred / np.sqrt(variance + 1e-5) * gamma + beta


def matmul() -> tuple[Arrays, Any]:
    x, y = normal(16, 128, dtype=BF16), normal(128, 128, dtype=BF16)
    return {"x": x, "y": y}, x.astype(np.float32) @ y.astype(np.float32)


def orchestration() -> tuple[Arrays, Any]:
    x, y = normal(512, 128), normal(512, 128, seed=1)
    return {"x": x, "y": y, "a": 2.5}, np.float32(2.5) * x + y


def row_softmax() -> tuple[Arrays, Any]:
    x = normal(128, 256)
    return {"x": x}, softmax(x)


def tiled_matmul() -> tuple[Arrays, Any]:
    a, b = normal(256, 512, dtype=BF16), normal(512, 256, dtype=BF16)
    return {"a": a, "b": b}, a.astype(np.float32) @ b.astype(np.float32)


CASES: dict[str, Callable[[], tuple[Arrays, Any]]] = {
    "branch.py (activated)": lambda: branch(True),
    "branch.py": lambda: branch(False),
    "elementwise_add.py": elementwise_add,
    "explicit_ssa.py": explicit_ssa,
    "flash_attention.py": flash_attention,
    "layer_norm.py": layer_norm,
    "matmul.py": matmul,
    "orchestration.py": orchestration,
    "row_softmax.py": row_softmax,
    "tiled_matmul.py": tiled_matmul,
}
"""The arguments of each example, and what it computes of them."""

ROUNDED = {"flash_attention.py": 0.02}
"""The examples that round between their steps, and how far that may lead."""


def programs(case: str) -> list[pl.Program]:
    values = runpy.run_path(str(FOLDER / case.partition(" ")[0])).values()
    found = [value for value in values if isinstance(value, pl.Program)]
    assert found
    return found


def test_every_example_has_a_case() -> None:
    assert {case.partition(" ")[0] for case in CASES} == {path.name for path in FOLDER.glob("*.py")}


@pytest.mark.parametrize("case", CASES)
def test_example(case: str) -> None:
    """One run is compared with numpy; the others compute the same as that one, to the last bit."""
    arguments, expected = CASES[case]()
    for program in programs(case):
        computed = program.run(**arguments)
        np.testing.assert_allclose(computed, expected, rtol=1e-4, atol=ROUNDED.get(case, 1e-4))
        for target in TARGETS:
            stage: ir.Program = program
            for each in passes.default_pipeline(target).passes:
                stage, before = each.run(stage), stage
                assert isinstance(stage, pl.Program)
                if stage is not before:
                    np.testing.assert_array_equal(stage.run(**arguments), computed, err_msg=f"{each.name}, {target}")
