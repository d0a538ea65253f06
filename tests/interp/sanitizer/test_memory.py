"""A sanitized run knows how full each memory was, and stops where more is in use than there is."""

from __future__ import annotations

import contextlib

import ml_dtypes
import numpy as np
import pytest

from pypto_lite import interp, ir, passes
from pypto_lite import language as pl
from pypto_lite.analysis.records import TARGET
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import CoreType, MemorySpace
from pypto_lite.targets import Space, Target
from tests.passes.placed.placement.kernels import kernel
from tests.passes.placed.placement.random_kernels import random_kernel

TILE = 64 * 64 * 4
"""The bytes of the tiles here."""

ONES = np.ones((64, 64), np.float32)


def peaks(program: ir.Program, n: int = 1, target: Target | None = None) -> dict[MemorySpace, int]:
    """The bytes of each memory that were in use at once in a kernel of ``kernels``."""
    sanitizer = interp.Sanitizer(target)
    halves = ONES.astype(ml_dtypes.bfloat16)
    given = {"x": ONES, "y": ONES, "v": ONES[:1], "h": halves, "n": n, "s": 2.0, "out": ONES.copy()}
    interp.run(program, "kernel", given, sanitize=sanitizer)
    return sanitizer.peaks["kernel"]


def placed(body: str) -> ir.Program:
    return passes.default_pipeline(None).run(kernel(body))


def chip(tiles: int) -> Target:
    """A chip with room for so many tiles in Vec."""
    return Target("Small", {MemorySpace.Vec: Space(tiles * TILE, CoreType.VECTOR)}, cube_cores=1, vector_cores=1)


def test_a_result_may_be_written_over_an_operand_that_is_read_for_the_last_time() -> None:
    program = placed("""
        a = pl.load(x, [0, 0], [64, 64])
        b = pl.exp(a)
        c = pl.exp(b)
        pl.store(c, [0, 0], out)
    """)
    assert peaks(program) == {MemorySpace.Vec: TILE}


def test_what_is_read_later_stays_in_use() -> None:
    program = placed("""
        a = pl.load(x, [0, 0], [64, 64])
        b = pl.exp(a)
        c = pl.add(b, a)
        pl.store(c, [0, 0], out)
    """)
    assert peaks(program) == {MemorySpace.Vec: 2 * TILE}


def test_views_and_results_in_place_are_in_the_buffer_of_their_operand() -> None:
    program = placed("""
        a = pl.load(x, [0, 0], [64, 64])
        b = pl.reshape(a, [32, 128])
        c = pl.tile.fillpad_inplace(b, pad_value=pl.PadValue.zero)
        pl.store(pl.reshape(c, [64, 64]), [0, 0], out)
    """)
    assert peaks(program) == {MemorySpace.Vec: TILE}


def test_a_created_tile_takes_no_memory_until_it_is_used() -> None:
    program = placed("""
        a = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        b = pl.load(x, [0, 0], [64, 64])
        pl.store(b, [0, 0], out)
        pl.write(a, [0, 0], s)
    """)
    assert peaks(program) == {MemorySpace.Vec: TILE}


def test_only_the_arm_that_runs_counts() -> None:
    program = placed("""
        a = pl.load(x, [0, 0], [64, 64])
        if n < 1:
            b = pl.exp(a)
            c = pl.add(b, a)
            pl.store(c, [0, 0], out)
        pl.store(a, [0, 0], out)
    """)
    assert peaks(program, n=0) == {MemorySpace.Vec: 2 * TILE}
    assert peaks(program, n=1) == {MemorySpace.Vec: TILE}


def test_more_than_there_is_ends_the_run_at_the_tile_that_was_too_much() -> None:
    program = placed("""
        a = pl.load(x, [0, 0], [64, 64])
        b = pl.load(y, [0, 0], [64, 64])
        c = pl.exp(b)  # the third one
        d = pl.add(b, c)
        pl.store(pl.add(a, d), [0, 0], out)
    """)
    peaks(program, target=chip(3))
    with pytest.raises(UserError) as caught:
        peaks(program, target=chip(2))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PL516"
    assert "the third one" in diagnostic.span.source.line(diagnostic.span.line)
    assert [note.message for note in diagnostic.notes] == [f"{name!r} takes {TILE} bytes" for name in "abc"]


def test_a_created_tile_is_too_much_where_it_is_first_used() -> None:
    program = placed("""
        a = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        b = pl.load(x, [0, 0], [64, 64])
        pl.write(a, [0, 0], s)  # too much
        pl.store(b, [0, 0], out)
    """)
    with pytest.raises(UserError) as caught:
        peaks(program, target=chip(1))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PL516"
    assert "# too much" in diagnostic.span.source.line(diagnostic.span.line)


def test_the_target_is_the_one_that_the_program_was_lowered_for() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[128, 200], pl.FP32], out: pl.Out[pl.Tensor[[128, 200], pl.FP32]]
        ) -> pl.Tensor[[128, 200], pl.FP32]:
            tile = pl.load(x, [0, 0], [128, 200])
            return pl.store(pl.add(tile, pl.exp(tile)), [0, 0], out)

    x = np.zeros((128, 200), np.float32)
    Kernel.lower("Ascend950").run(x=x, sanitize=True)
    Kernel.lower(None).run(x=x, sanitize=True)
    with pytest.raises(UserError) as caught:
        Kernel.lower("Ascend950").run(x=x, sanitize="Ascend910B")
    assert caught.value.code == "PL516"


def test_a_target_of_ones_own_is_remembered() -> None:
    small = chip(2)
    program = passes.InferTileMemorySpace(small)(kernel("a = pl.load(x, [0, 0], [64, 64])\npl.store(a, [0, 0], out)"))
    assert program.record(TARGET) is small
    assert passes.InferTileMemorySpace(small)(program) is program
    assert pl.parse(str(program)).record(TARGET) is None
    ir.assert_structural_equal(pl.parse(str(program)), program)


def needed_and_promised(seed: int) -> list[tuple[int, int]]:
    """The bytes that runs of a random kernel need of each memory, and those that lowering says are the most."""
    try:
        program = passes.default_pipeline(None).run(kernel(random_kernel(seed, writes=seed % 2 == 0)))
    except UserError:  # it can't be placed
        return []
    found: list[tuple[int, int]] = []
    for n in (0, 1, 2):
        with contextlib.suppress(UserError):  # elements without a value
            found += [(used, program.usage["kernel"][space].peak) for space, used in peaks(program, n).items()]
    return found


def test_no_run_needs_more_than_lowering_says() -> None:
    """What CheckMemoryCapacity accepts never ends a run, and it is often as much as a run does need."""
    found = [each for seed in range(60) for each in needed_and_promised(seed)]
    assert [each for each in found if each[0] > each[1]] == []
    assert sum(needed == promised for needed, promised in found) > 100
