"""ConvertToSSA: names that get their first value in a loop or a branch, and are read behind it."""

from __future__ import annotations

import numpy as np
import pytest

from pypto_lite import ir
from pypto_lite.diagnostics import UserError
from tests.passes.natural_python import TILES, assert_same, parsed

# Loops that certainly run


def test_a_scalar_begins_as_zero_in_front_of_a_loop_that_runs() -> None:
    assert_same(
        """
        for i in pl.range(4):
            last = i * 2
        return last
        """,
        """
        before: pl.Scalar[pl.INDEX] = 0
        for i, (c,) in pl.range(4, init_values=(before,)):
            s = i * 2
            r = pl.yield_(s)
        return r
        """,
    )


def test_a_tile_begins_empty() -> None:
    assert_same(
        """
        for i in pl.range(4):
            t = pl.load(a, [i * 16, 0], [16, 128])
        pl.store(t, [0, 0], out)
        """,
        """
        before = pl.create_tile([16, 128], dtype=pl.FP32)
        for i, (c,) in pl.range(4, init_values=(before,)):
            t = pl.load(a, [i * 16, 0], [16, 128])
            r = pl.yield_(t)
        pl.store(r, [0, 0], out)
        """,
        TILES,
    )


def test_a_tile_begins_with_the_valid_region_that_it_has() -> None:
    assert_same(
        """
        for i in pl.range(4):
            t = pl.load(a, [i * 16, 0], [16, 128], valid_shape=[n, 128])
        pl.store(t, [0, 0], out)
        """,
        """
        before = pl.set_validshape(pl.create_tile([16, 128], dtype=pl.FP32), n, 128)
        for i, (c,) in pl.range(4, init_values=(before,)):
            t = pl.load(a, [i * 16, 0], [16, 128], valid_shape=[n, 128])
            r = pl.yield_(t)
        pl.store(r, [0, 0], out)
        """,
        TILES,
    )


def test_a_tensor_of_an_orchestration_function_begins_as_a_new_one() -> None:
    header = """\
    @pl.function(type=pl.FunctionType.Orchestration)
    def f(self, n: pl.Scalar[pl.INDEX]):
"""
    assert_same(
        """
        for i in pl.range(4):
            t = pl.create_tensor([n, 16], dtype=pl.FP32)
        return t
        """,
        """
        before = pl.create_tensor([n, 16], dtype=pl.FP32)
        for i, (c,) in pl.range(4, init_values=(before,)):
            t = pl.create_tensor([n, 16], dtype=pl.FP32)
            r = pl.yield_(t)
        return r
        """,
        header,
    )


RUNNING = {
    "constant bounds": "for i in pl.range(1, 4):\n    t = pl.load(a, [i * 16, 0], [16, 128])",
    "named bounds": "k = 4\nfor i in pl.range(k):\n    t = pl.load(a, [i * 16, 0], [16, 128])",
    "a constant number of times": "for i in pl.range(n, n + 2):\n    t = pl.load(a, [i * 16, 0], [16, 128])",
    "downward": "for i in pl.range(3, 0, -1):\n    t = pl.load(a, [i * 16, 0], [16, 128])",
    "unrolled": "for i in pl.unroll(4):\n    t = pl.load(a, [i * 16, 0], [16, 128])",
    "nested": "for i in pl.range(2):\n    for j in pl.range(2):\n        t = pl.load(a, [i * 16 + j, 0], [16, 128])",
    "both arms": "for i in pl.range(4):\n    if i > n:\n        t = pl.load(a, [0, 0], [16, 128])\n"
    "    else:\n        t = pl.load(a, [i * 16, 0], [16, 128])",
    "in front of a break": "for i in pl.range(4):\n    t = pl.load(a, [i * 16, 0], [16, 128])\n"
    "    if i > n:\n        break",
    "while a constant": "while True:\n    t = pl.load(a, [n * 16, 0], [16, 128])\n    n = n + 1\n"
    "    if n > 2:\n        break",
    "while a counter": "k = 0\nwhile k < 2:\n    t = pl.load(a, [k * 16, 0], [16, 128])\n    k = k + 1",
    "read by a loop that binds it again": "for i in pl.range(2):\n    t = pl.load(a, [i * 16, 0], [16, 128])\n"
    "for i in pl.range(n):\n    u = pl.add(t, t)\n    t = u",
    "read in an arm that binds it again": "for i in pl.range(2):\n    t = pl.load(a, [i * 16, 0], [16, 128])\n"
    "if n > 0:\n    t = pl.add(t, t)",
    "bound by two loops": "for i in pl.range(2):\n    t = pl.load(a, [0, 0], [8, 128])\n"
    "for i in pl.range(2):\n    t = pl.load(a, [i * 16, 0], [16, 128])",
}


@pytest.mark.parametrize("body", RUNNING.values(), ids=RUNNING)
@pytest.mark.parametrize("n", [0, 1, 2])
def test_a_name_keeps_its_value_behind_a_loop_that_runs(body: str, n: int) -> None:
    """As in Python, where the same text runs on rows of numbers."""
    a = np.repeat(np.arange(64, dtype=np.float32)[:, None], 128, axis=1)
    scope = {"range": range, "a": a, "n": n, "load": lambda x, at, shape: x[at[0] : at[0] + shape[0]], "add": np.add}
    exec(body.replace("pl.unroll", "range").replace("pl.", ""), scope)

    program = parsed(f"{body}\nreturn pl.store(t, [0, 0], out)", TILES, "")
    for each in (program, program.lower()):
        assert (each.run(a=a, n=n) == scope["t"]).all()


# What a name is stored into


def test_a_name_of_a_stored_tensor_is_that_tensor_in_front_of_a_loop_that_may_not_run() -> None:
    assert_same(
        """
        t = pl.load(a, [0, 0], [16, 128])
        for i in pl.range(n):
            r = pl.store(t, [0, 0], out)
        return r
        """,
        """
        t = pl.load(a, [0, 0], [16, 128])
        for i, (c,) in pl.range(n, init_values=(out,)):
            s = pl.store(t, [0, 0], out)
            r = pl.yield_(s)
        return r
        """,
        TILES,
    )


STORED = {
    "a branch": "if n > 1:\n    r = pl.store(t, [0, 0], out)",
    "an arm in a loop": "for i in pl.range(4):\n    if i > n:\n        r = pl.store(t, [0, 0], out)",
    "nested loops": "for i in pl.range(n):\n    for j in pl.range(i):\n        r = pl.store(t, [0, 0], out)",
    "a while loop": "while n > 1:\n    r = pl.store(t, [0, 0], out)\n    n = n - 1",
    "a loop with a break": "for i in pl.range(n):\n    if i > 1:\n        r = pl.store(t, [0, 0], out)\n        break",
    "a chain of stores": "for i in pl.range(n):\n    s = pl.store(t, [0, 0], out)\n    r = pl.store(t, [0, 0], s)",
    "another name": "o = out\nfor i in pl.range(n):\n    r = pl.store(t, [0, 0], o)",
    "a carry": "o = out\nfor i in pl.range(n):\n    o = pl.store(t, [0, 0], o)\n    r = o",
    "a function": "for i in pl.range(n):\n    r = self.fill(out)",
    "one of several results": "for i in pl.range(n):\n    k, r = self.fill_and_count(out)",
    "an element": "for i in pl.range(n):\n    r = pl.write(out, [i, 0], 1.0)",
    "two names": "for i in pl.range(n):\n    q = pl.store(t, [0, 0], out)\n    r = q",
}

FILLS = """\
    @pl.function(type=pl.FunctionType.InCore)
    def fill(self, target: pl.Out[pl.Tensor[[16, 128], pl.FP32]]) -> pl.Tensor[[16, 128], pl.FP32]:
        return pl.store(pl.tile.full([16, 128], pl.FP32, 0.0), [0, 0], target)

    @pl.function(type=pl.FunctionType.InCore)
    def fill_and_count(self, target: pl.Out[pl.Tensor[[16, 128], pl.FP32]]):
        return 1, self.fill(target)
"""


@pytest.mark.parametrize("body", STORED.values(), ids=STORED)
@pytest.mark.parametrize("output", ["pl.Out[pl.Tensor[[16, 128], pl.FP32]]", "pl.Tensor[[16, 128], pl.FP32]"])
def test_a_name_of_a_stored_tensor_may_be_read_behind(body: str, output: str) -> None:
    header = TILES.replace("pl.Out[pl.Tensor[[16, 128], pl.FP32]]", output)
    program = parsed(f"t = pl.load(a, [0, 0], [16, 128])\n{body}\nreturn r", header, FILLS)

    assert program.functions["f"].directions[-1] is ir.ParamDirection.Out
    program.lower()


NOWHERE = {
    "an input": "for i in pl.range(n):\n    r = a",
    "one of two": "for i in pl.range(n):\n    if i > 1:\n        r = pl.store(t, [0, 0], out)\n"
    "    else:\n        r = pl.store(t, [0, 0], other)",
    "a part": "for i in pl.range(n):\n    r = pl.slice(pl.store(t, [0, 0], out), [8, 128], [0, 0])",
    "a loaded tile": "for i in pl.range(n):\n    r = pl.load(out, [0, 0], [16, 128])",
    "a tensor of the loop": "for i in pl.range(n):\n    r = pl.create_tensor([16, 128], dtype=pl.FP32)",
}


@pytest.mark.parametrize("body", NOWHERE.values(), ids=NOWHERE)
def test_other_names_have_no_value_in_front(body: str) -> None:
    header = TILES.replace("    ):", "        other: pl.Out[pl.Tensor[[16, 128], pl.FP32]],\n    ):")
    with pytest.raises(UserError) as caught:
        parsed(f"t = pl.load(a, [0, 0], [16, 128])\n{body}\nv = r", header, "")

    assert caught.value.code == "PL106"
