"""Calls, scopes and loops of kernels as they are written, at every stage of lowering."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.diagnostics import UserError

from .apply import assert_equal

NUMBERS = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)


def stages(program: pl.Program) -> list[ir.Program]:
    """The program and what each pass makes of it."""
    found: list[ir.Program] = [program]
    for each in passes.default_pipeline(None).passes:
        found.append(each.run(found[-1]))
    return found


def check(program: pl.Program, expected: Any, **arguments: Any) -> None:
    """At every stage the program returns what is expected."""
    for stage in stages(program):
        assert isinstance(stage, pl.Program)
        assert_equal(stage.run(**arguments), expected)


@pl.program
class Blocks:
    """Doubles a tensor in blocks, in every way that an orchestration function can go through them."""

    @pl.function(type=pl.FunctionType.InCore)
    def double(
        self,
        x: pl.Tensor[[64, 32], pl.FP32],
        block: pl.Scalar[pl.INDEX],
        out: pl.Out[pl.Tensor[[64, 32], pl.FP32]],
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        tile = pl.load(x, [block * 16, 0], [16, 32])
        return pl.store(pl.add(tile, tile), [block * 16, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def sequential(
        self, x: pl.Tensor[[64, 32], pl.FP32], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        for block in pl.range(4):
            out = self.double(x, block, out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def backwards(
        self, x: pl.Tensor[[64, 32], pl.FP32], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        for block in pl.parallel(3, -1, -1):
            out = self.double(x, block, out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def unrolled(
        self, x: pl.Tensor[[64, 32], pl.FP32], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        for block in pl.unroll(4):
            out = self.double(x, block, out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def counted_down(
        self, x: pl.Tensor[[64, 32], pl.FP32], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        left = 4
        while left > 0:
            left = left - 1
            out = self.double(x, left, out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def on_all_cores(
        self, x: pl.Tensor[[64, 32], pl.FP32], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        for block in pl.spmd(4):
            out = self.double(x, block, out)
        return out

    @pl.function(type=pl.FunctionType.Orchestration)
    def submitted(
        self, x: pl.Tensor[[64, 32], pl.FP32], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        out, first = pl.submit(self.double, x, 0, out)
        out, second = pl.submit(self.double, x, 1, out, deps=[first])
        for block in pl.range(2, 4):
            out, _ = pl.submit(self.double, x, block, out, deps=[first, second])
        return out

    @pl.function
    def too_many(
        self, x: pl.Tensor[[64, 32], pl.FP32], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]
    ) -> pl.Tensor[[64, 32], pl.FP32]:
        for block in pl.range(2):
            out = self.double(x, 3 + block, out)
        return out


def test_every_way_through_the_blocks() -> None:
    names = [name for name, function in Blocks.functions.items() if function.type is ir.FunctionType.Orchestration]
    assert len(names) == 6
    for stage in stages(Blocks)[:-2]:
        for name in names:
            assert_equal(pl.Program.run(stage, name, x=NUMBERS), 2 * NUMBERS)


def test_a_block_knows_its_number() -> None:
    @pl.program
    class Numbered:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, out: pl.InOut[pl.Tensor[[4, 2], pl.INT32]]):
            block = pl.tile.get_block_idx()
            pl.write(out, [block, 0], pl.cast(block, pl.INT32))
            pl.write(out, [block, 1], pl.cast(pl.tile.get_block_num(), pl.INT32))

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(self, out: pl.InOut[pl.Tensor[[4, 2], pl.INT32]]):
            with pl.spmd(3):
                self.kernel(out)

    out = np.full((4, 2), -1, np.int32)
    assert Numbered.run(out=out) is None
    assert_equal(out, [[0, 3], [1, 3], [2, 3], [-1, -1]])


def test_several_results() -> None:
    @pl.program
    class Several:
        @pl.function
        def both(
            self, n: pl.Scalar[pl.INDEX], m: pl.Scalar[pl.INDEX]
        ) -> tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INDEX]]:
            return n + m, n - m

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(self, n: pl.Scalar[pl.INDEX]) -> tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INDEX]]:
            total, difference = self.both(n, 3)
            return difference, total

    for stage in stages(Several):
        assert pl.Program.run(stage, n=5) == (2, 8)


def test_inline_functions_and_calls_inside_calls() -> None:
    @pl.program
    class Inlined:
        @pl.function(type=pl.FunctionType.Inline)
        def doubled(self, tile: pl.Tile[[16, 32], pl.FP32]) -> pl.Tile[[16, 32], pl.FP32]:
            return pl.add(tile, tile)

        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[64, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            four_times = self.doubled(self.doubled(pl.load(x, [0, 0], [16, 32])))
            return pl.store(pl.add(four_times, pl.load(x, [16, 0], [16, 32])), [0, 0], out)

    check(Inlined, 4 * NUMBERS[:16] + NUMBERS[16:32], x=NUMBERS)


def test_a_call_is_made_only_where_it_is_needed() -> None:
    """The element on the right of ``and`` lies outside the tensor where the left side does not hold."""

    @pl.program
    class Guarded:
        @pl.function
        def main(self, x: pl.Tensor[[4], pl.INT32], i: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
            found = 0
            if i < 4 and pl.read(x, [i]) > 0:
                found = 1
            return found + (10 if i >= 4 or pl.read(x, [i]) > 1 else 0)

    x = np.array([0, 1, 2, 3], np.int32)
    for stage in stages(Guarded):
        assert [pl.Program.run(stage, x=x, i=i) for i in range(6)] == [0, 1, 11, 11, 10, 10]


def test_a_condition_that_reads_is_read_again_for_each_iteration() -> None:
    @pl.program
    class Waiting:
        @pl.function
        def main(self, flags: pl.InOut[pl.Tensor[[4], pl.INT32]]) -> pl.Scalar[pl.INDEX]:
            i = 0
            while pl.read(flags, [i]) > 0:
                pl.write(flags, [i], pl.const(0, pl.INT32))
                i = i + 1
            return i

    for stage in stages(Waiting):
        flags = np.array([1, 1, 0, 1], np.int32)
        assert pl.Program.run(stage, flags=flags) == 2
        assert_equal(flags, [0, 0, 0, 1])


def test_loops_that_are_left() -> None:
    @pl.program
    class Left:
        @pl.function
        def main(self, x: pl.Tensor[[8], pl.INT32]) -> pl.Scalar[pl.INT32]:
            total = pl.const(0, pl.INT32)
            for i in pl.range(8):
                element = pl.read(x, [i])
                if element < 0:
                    break
                if element == 3:
                    continue
                total = total + element
            return total

    x = np.array([1, 3, 2, 3, 4, -1, 100, 100], np.int32)
    for stage in stages(Left):
        assert pl.Program.run(stage, x=x) == 7


def test_a_symbolic_dimension_has_the_extent_of_the_argument() -> None:
    rows = pl.dynamic("rows")

    @pl.program
    class Symbolic:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[rows, 32], pl.FP32], out: pl.Out[pl.Tensor[[rows, 32], pl.FP32]]
        ) -> pl.Tensor[[rows, 32], pl.FP32]:
            for row in pl.range(0, pl.tensor.dim(x, 0), 16):
                tile = pl.load(x, [row, 0], [16, 32], valid_shape=[pl.min(16, rows - row), 32])
                out = pl.store(pl.add(tile, tile), [row, 0], out)
            return out

    for count in (64, 37, 1):
        check(Symbolic, 2 * NUMBERS[:count], x=NUMBERS[:count])


def test_tasks_wait_for_those_in_an_array() -> None:
    @pl.program
    class Tasks:
        @pl.function(type=pl.FunctionType.InCore)
        def note(self, n: pl.Scalar[pl.INDEX], out: pl.InOut[pl.Tensor[[4], pl.INT32]]):
            pl.write(out, [n], pl.cast(n, pl.INT32))

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(self, out: pl.InOut[pl.Tensor[[4], pl.INT32]]) -> pl.Scalar[pl.BOOL]:
            tasks = pl.array.create(3, pl.TASK_ID)
            for i in pl.range(3):
                tasks[i] = pl.submit(self.note, i, out)
            last = pl.submit(self.note, 3, out, deps=[tasks, None, tasks[2]])
            return pl.system.task_is_valid(pl.system.task_dummy(deps=[last, tasks, None]))

    out = np.full(4, -1, np.int32)
    assert Tasks.run(out=out) is True
    assert_equal(out, [0, 1, 2, 3])


def test_windows_of_symbolic_extents_are_cut_off_at_the_end() -> None:
    rows = pl.dynamic("rows")

    @pl.program
    class Windows:
        @pl.function(type=pl.FunctionType.InCore)
        def double(
            self,
            x: pl.Tensor[[rows, 32], pl.FP32],
            count: pl.Scalar[pl.INDEX],
            out: pl.Out[pl.Tensor[[rows, 32], pl.FP32]],
        ) -> pl.Tensor[[rows, 32], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 32], valid_shape=[count, 32])
            return pl.store(pl.add(tile, tile), [0, 0], out)

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(
            self,
            x: pl.Tensor[[rows, 32], pl.FP32],
            step: pl.Scalar[pl.INDEX],
            out: pl.Out[pl.Tensor[[rows, 32], pl.FP32]],
        ) -> pl.Tensor[[rows, 32], pl.FP32]:
            doubled = pl.create_tensor([rows, 32], dtype=pl.FP32)
            for row in pl.range(0, rows, step):
                count = pl.min(step, rows - row)
                window = pl.slice(x, [step, 32], [row, 0], valid_shape=[count, 32])
                target = pl.slice(doubled, [step, 32], [row, 0], valid_shape=[count, 32])
                out = pl.assemble(out, self.double(window, count, target), [row, 0])
            return out

    for step in (8, 10, 16):
        check(Windows, 2 * NUMBERS[:40], x=NUMBERS[:40], step=step)


@pytest.mark.parametrize("debug", [False, True])
def test_an_error_tells_where_its_function_was_called(debug: bool) -> None:
    with pytest.raises(UserError) as caught:
        Blocks.run("too_many", x=NUMBERS, debug=debug)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PL505"
    lines = [(each.message, each.span.source.line(each.span.line).strip()) for each in diagnostic.notes]
    assert lines == [("called from here", "out = self.double(x, 3 + block, out)")]
