"""The use of an element that nothing was written to is an error at the line of the use."""

from __future__ import annotations

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

from .apply import assert_equal

ONES = np.ones((16, 32), np.float32)


def trapped(program: pl.Program, **arguments: object) -> UserError:
    with pytest.raises(UserError) as caught:
        program.run(**arguments)
    assert caught.value.code == "PL504"
    return caught.value


def test_the_error_names_the_use_and_where_the_tile_was_made() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            total = pl.create_tile([16, 32], dtype=pl.FP32)
            tile = pl.load(x, [0, 0], [16, 32])
            total = pl.add(total, tile)  # expect: PL504
            return pl.store(total, [0, 0], out)

    for program in (Kernel, Kernel.lower()):
        error = trapped(program, x=ONES)
        (diagnostic,) = error.diagnostics
        assert "# expect: PL504" in str(error)
        assert diagnostic.operand == "lhs"
        assert diagnostic.message == "lhs of tile.add ('total') has elements without a value"
        assert "create_tile" in diagnostic.notes[0].span.source.line(diagnostic.notes[0].span.line)


def test_storing_is_a_use() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]) -> pl.Tensor[[16, 32], pl.FP32]:
            return pl.store(pl.create_tile([16, 32], dtype=pl.FP32), [0, 0], out)

    assert trapped(Kernel).diagnostics[0].operand == "tile"


def test_moving_is_no_use() -> None:
    """Views, moves and assembled tiles keep what is not defined undefined."""

    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self,
            x: pl.Tensor[[16, 32], pl.FP32],
            row: pl.Scalar[pl.INDEX],
            out: pl.Out[pl.Tensor[[16, 32], pl.FP32]],
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            empty = pl.create_tile([32, 32], dtype=pl.FP32)
            tile = pl.load(x, [0, 0], [16, 32])
            half = pl.tile.assemble(empty, tile, [0, 0])
            turned = pl.transpose(pl.move(half, target_memory=pl.MemorySpace.Vec), 0, 1)
            back = pl.tile.transpose_view(turned)
            part = pl.slice(back, [16, 32], [row, 0])
            return pl.store(part, [0, 0], out)

    assert_equal(Kernel.run(x=ONES, row=0), ONES)
    (diagnostic,) = trapped(Kernel, x=ONES, row=1).diagnostics
    assert diagnostic.found == "32 of 512 elements, the first at [15, 0]"
    assert "empty = pl.create_tile" in diagnostic.notes[0].span.source.line(diagnostic.notes[0].span.line)


def test_a_single_element_can_be_written_and_read() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, column: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.FP32]:
            tile = pl.create_tile([16, 32], dtype=pl.FP32)
            pl.write(tile, [2, 3], 4.0)
            return pl.read(tile, [2, column])

    assert Kernel.run(column=3) == 4.0
    trapped(Kernel, column=4)


def test_an_output_is_undefined_until_it_is_written() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]) -> pl.Tensor[[16, 32], pl.FP32]:
            tile = pl.load(out, [0, 0], [16, 32])
            return pl.store(pl.add(tile, tile), [0, 0], out)

    for arguments in ({}, {"out": ONES.copy()}):
        assert "an InOut has the values" in str(trapped(Kernel, **arguments))


def test_an_in_and_out_argument_has_the_values_that_it_is_given() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, out: pl.InOut[pl.Tensor[[16, 32], pl.FP32]]) -> pl.Tensor[[16, 32], pl.FP32]:
            tile = pl.load(out, [0, 0], [16, 32])
            return pl.store(pl.add(tile, tile), [0, 0], out)

    assert_equal(Kernel.run(out=ONES.copy()), 2 * ONES)


def test_what_is_not_written_of_an_output_stays_as_it_was() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            return pl.store(pl.load(x, [0, 0], [8, 32]), [8, 0], out)

    assert_equal(Kernel.run(x=ONES), np.concatenate([0 * ONES[:8], ONES[:8]]))
    out = 5 * ONES
    assert Kernel.run(x=ONES, out=out) is out
    assert_equal(out, np.concatenate([5 * ONES[:8], ONES[:8]]))


def test_an_accumulator_begins_at_zero() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
        ) -> pl.Tensor[[16, 16], pl.FP32]:
            total = pl.create_tile([16, 16], dtype=pl.FP32)
            tile = pl.load(x, [0, 0], [16, 16])
            for _ in pl.range(3):
                total = pl.matmul_acc(total, tile, tile)
            return pl.store(total, [0, 0], out)

    x = np.eye(16, dtype=np.float32) * 2
    assert_equal(Kernel.run(x=x), 12 * np.eye(16, dtype=np.float32))


def test_adding_to_what_is_not_there_is_a_use() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 32], pl.FP32], out: pl.Out[pl.Tensor[[16, 32], pl.FP32]]
        ) -> pl.Tensor[[16, 32], pl.FP32]:
            return pl.store(pl.load(x, [0, 0], [16, 32]), [0, 0], out, atomic=pl.AtomicType.Add)

    for arguments in ({}, {"out": ONES.copy()}):
        assert trapped(Kernel, x=ONES, **arguments).diagnostics[0].operand == "output_tensor"


def test_an_element_of_an_array() -> None:
    @pl.program
    class Kernel:
        @pl.function
        def kernel(self, index: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INT32]:
            numbers = pl.array.create(4, pl.INT32)
            numbers = pl.array.update_element(numbers, 2, pl.const(7, pl.INT32))
            return pl.array.get_element(numbers, index)

    assert Kernel.run(index=2) == 7
    trapped(Kernel, index=1)


def test_what_is_undefined_is_traced_to_the_operand_that_it_comes_from() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, out: pl.Out[pl.Tensor[[2, 16], pl.FP32]]) -> pl.Tensor[[2, 16], pl.FP32]:
            first = pl.create_tile([1, 1], dtype=pl.FP32)
            pl.write(first, [0, 0], 1.0)
            empty = pl.create_tile([1, 1], dtype=pl.FP32)
            both = pl.concat(first, empty)
            return pl.store(pl.add(both, both), [0, 0], out)  # expect: PL504

    (diagnostic,) = trapped(Kernel).diagnostics
    assert "empty = pl.create_tile" in diagnostic.notes[0].span.source.line(diagnostic.notes[0].span.line)
