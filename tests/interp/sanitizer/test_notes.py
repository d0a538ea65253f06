"""What a sanitized run says without stopping, and what it says of valid regions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from pypto_lite import interp
from pypto_lite import language as pl
from pypto_lite.diagnostics import Diagnostic, Severity, UserError

X = np.arange(16 * 16, dtype=np.float32).reshape(16, 16) % 5


def notes(program: pl.Program, **scalars: object) -> list[Diagnostic]:
    sanitizer = interp.Sanitizer()
    for each in (program, program.lower()):
        each.run(x=X, sanitize=sanitizer, **scalars)
    assert all(note.severity is Severity.NOTE for note in sanitizer.notes)
    return sanitizer.notes


@pl.program
class Overwritten:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        whole = pl.load(x, [0, 0], [16, 16])
        filled = pl.tile.fillpad_inplace(pl.set_validshape(whole, 8, 16), pad_value=pl.PadValue.zero)
        return pl.store(pl.add(whole, filled), [0, 0], out)


def test_an_operand_that_was_overwritten_is_noted_where_it_is_read() -> None:
    (note,) = notes(Overwritten)
    assert note.code == "PL520"
    assert "'whole'" in note.message
    assert "tile.fillpad_inplace" in note.message
    assert "pl.add(whole, filled)" in note.span.source.line(note.span.line)
    assert [each.span.line for each in note.notes] == [note.span.line - 1, note.span.line - 2]


def test_reading_what_the_operator_gave_is_not_noted() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
        ) -> pl.Tensor[[16, 16], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 16])
            total = pl.matmul(tile, tile)
            for k in pl.range(3):
                total = pl.matmul_acc(total, tile, tile)
            pl.write(tile, [0, 0], 1.0)
            return pl.store(total, [0, 0], out)

    assert notes(Kernel) == []


def test_a_view_of_an_overwritten_tile_is_noted() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
        ) -> pl.Tensor[[16, 16], pl.FP32]:
            tile = pl.load(x, [0, 0], [16, 16])
            first = pl.matmul(tile, tile)
            corner = pl.slice(first, [16, 16], [0, 0])
            second = pl.matmul_acc(first, tile, tile)
            pl.store(corner, [0, 0], out)
            return pl.store(second, [0, 0], out)

    (note,) = notes(Kernel)
    assert (note.code, note.operand) == ("PL520", "tile")


@pl.program
class Accumulate:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[16, 16], pl.FP32], begin: pl.Scalar[pl.BOOL], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        total = pl.create_tile([16, 16], dtype=pl.FP32)
        tile = pl.load(x, [0, 0], [16, 16])
        for k in pl.range(3):
            total = pl.matmul_acc(total, tile, tile, init_cond=begin and k == 0)
        return pl.store(total, [0, 0], out)


def test_an_accumulator_without_a_value_is_noted_once() -> None:
    (note,) = notes(Accumulate, begin=False)
    assert note.code == "PL521"
    assert "create_tile" in note.notes[0].span.source.line(note.notes[0].span.line)


def test_an_accumulator_that_is_not_read_is_not_noted() -> None:
    assert notes(Accumulate, begin=True) == []


def test_only_the_valid_region_of_an_accumulator_counts() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[1, 16], pl.FP32]]
        ) -> pl.Tensor[[1, 16], pl.FP32]:
            row = pl.load(x, [0, 0], [1, 16])
            tile = pl.load(x, [0, 0], [16, 16])
            return pl.store(pl.gemv_acc(pl.gemv(row, tile), row, tile), [0, 0], out)

    assert notes(Kernel) == []


@pl.program
class Scratch:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[16, 16], pl.INT32], way: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[16, 16], pl.INT32]]
    ) -> pl.Tensor[[16, 16], pl.INT32]:
        tile = pl.load(x, [0, 0], [16, 16])
        other = pl.load(x, [0, 0], [16, 16])
        both = pl.create_tile([32, 16], dtype=pl.INT32)
        upper, lower = pl.slice(both, [16, 16], [0, 0]), pl.slice(both, [16, 16], [16, 0])
        for i in pl.range(16):
            for j in pl.range(16):
                pl.write(upper, [i, j], pl.const(1, pl.INT32))
        result = tile
        if way == 0:
            result = pl.xor(tile, tile, other)
            result = pl.add(result, other)  # noted: read after it was scratch
        elif way == 1:
            result = pl.xor(tile, other, other)  # noted: scratch and operand
        elif way == 2:
            result = pl.xor(tile, upper, lower)
            result = pl.xor(result, upper, lower)
            result = pl.xor(result, upper, other)
            for i in pl.range(16):
                for j in pl.range(16):
                    pl.write(lower, [i, j], pl.const(1, pl.INT32))
            result = pl.add(result, lower)
        return pl.store(result, [0, 0], out)


@pytest.mark.parametrize(
    ("way", "line"), [(0, "# noted: read after it was scratch"), (1, "# noted: scratch and operand"), (2, "")]
)
def test_scratch_that_holds_what_is_read(way: int, line: str) -> None:
    sanitizer = interp.Sanitizer()
    Scratch.run(x=X.astype(np.int32), way=way, sanitize=sanitizer)
    assert [note.code for note in sanitizer.notes] == ["PL520"] * bool(line)
    for note in sanitizer.notes:
        assert line in note.span.source.line(note.span.line)
        assert "'other'" in note.message
        assert "tmp" in note.message


def test_notes_are_warnings_at_the_line_of_the_kernel() -> None:
    with pytest.warns(interp.SanitizerNote, match="PL520") as warned:
        Overwritten.run(x=X, sanitize=True)
    assert [warning.filename for warning in warned] == [Overwritten.span.filename]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Overwritten.run(x=X)


def test_a_scalar_is_not_read_from_outside_a_valid_region() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], row: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.FP32]:
            narrow = pl.set_validshape(pl.load(x, [0, 0], [16, 16]), 4, 16)
            return pl.read(narrow, [row, 1])  # expect: PL517

    assert Kernel.run(x=X, row=3, sanitize=True) == X[3, 1]
    assert Kernel.run(x=X, row=4) == X[4, 1]
    with pytest.raises(UserError) as caught:
        Kernel.run(x=X, row=4, sanitize=True)
    assert caught.value.code == "PL517"
    assert "# expect" in caught.value.span.source.line(caught.value.span.line)


def test_what_is_taken_from_outside_a_valid_region_has_no_value() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 16], pl.FP32], rows: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
        ) -> pl.Tensor[[16, 16], pl.FP32]:
            narrow = pl.set_validshape(pl.load(x, [0, 0], [16, 16]), 4, 16)
            moved = pl.move(narrow, target_memory=pl.Mem.Vec)
            part = pl.set_validshape(moved, rows, 16)
            return pl.store(part, [0, 0], out)  # expect: PL504

    Kernel.run(x=X, rows=4, sanitize=interp.Sanitizer())
    Kernel.run(x=X, rows=5)
    with pytest.raises(UserError) as caught:
        Kernel.run(x=X, rows=5, sanitize=True)
    assert caught.value.code == "PL504"


def test_a_target_of_that_name_has_to_exist() -> None:
    with pytest.raises(UserError) as caught:
        Overwritten.run(x=X, sanitize="Ascend")
    assert caught.value.code == "PL409"


@pl.program
class Incomplete:
    @pl.function(type=pl.FunctionType.InCore)
    def part(
        self, x: pl.Tensor[[16, 16], pl.FP32], row: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        return pl.store(pl.load(x, [0, 0], [4, 16]), [row, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(
        self, x: pl.Tensor[[16, 16], pl.FP32], parts: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
    ) -> pl.Tensor[[16, 16], pl.FP32]:
        for i in pl.range(parts):
            out = self.part(x, i * 4, out)
        return out


@pytest.mark.parametrize("debug", [False, True])
def test_an_output_that_is_written_in_part_is_noted_where_it_is_written_last(debug: bool) -> None:
    sanitizer = interp.Sanitizer()
    Incomplete.run(x=X, parts=3, sanitize=sanitizer, debug=debug)
    (note,) = sanitizer.notes
    assert note.code == "PL522"
    assert "'out'" in note.message
    assert note.found == "64 of 256 elements, the first at [12, 0]"
    assert "pl.store" in note.span.source.line(note.span.line)


def test_an_output_that_is_not_written_at_all_is_noted_where_it_is_declared() -> None:
    (note,) = notes(Incomplete, parts=0)
    assert note.found == "256 of 256 elements, the first at [0, 0]"
    assert "parts: pl.Scalar" in note.span.source.line(note.span.line)


def test_an_output_that_is_written_in_several_parts_is_not_noted() -> None:
    assert notes(Incomplete, parts=4) == []
