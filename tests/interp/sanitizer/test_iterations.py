"""A sanitized run stops where iterations of a parallel loop depend on each other or write the same place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pypto_lite import language as pl
from pypto_lite.diagnostics import NO_SPAN, UserError
from pypto_lite.interp.storage import Array, Numbers

X = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)


def run(body: str, *, debug: bool = False) -> np.ndarray:
    """Runs a kernel over a tensor ``x``, a tensor ``out`` that is read too, both [64, 32], and returns ``out``."""
    lines = "\n".join(f"            {line.strip(' ') and line}" for line in body.strip("\n").splitlines())
    program = pl.parse(f"""
import pypto_lite.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[64, 32], pl.FP32], out: pl.InOut[pl.Tensor[[64, 32], pl.FP32]], n: pl.Scalar[pl.INDEX]
    ):
        if n == n:
{lines}
""")
    out = X.copy()
    program.run(x=X, out=out, n=1, sanitize=True, debug=debug)
    return out


def stopped(body: str, code: str) -> UserError:
    with pytest.raises(UserError) as caught:
        run(body)
    assert caught.value.code == code
    assert f"# expect: {code}" in caught.value.span.source.line(caught.value.span.line)
    return caught.value


def test_iterations_that_write_different_places_may_run_at_the_same_time() -> None:
    found = run("""
for i in pl.parallel(4):
    tile = pl.load(x, [i * 16, 0], [16, 32])
    pl.store(pl.add(tile, tile), [i * 16, 0], out)
""")
    np.testing.assert_array_equal(found, 2 * X)


def test_two_iterations_write_the_same_place() -> None:
    error = stopped(
        """
for i in pl.parallel(3):
    tile = pl.load(x, [i * 16, 0], [16, 32])
    pl.store(tile, [i * 8, 0], out)  # expect: PL519
""",
        "PL519",
    )
    (diagnostic,) = error.diagnostics
    assert "with i = 1 writes the same place as that with i = 0" in diagnostic.message
    assert "output_tensor of tile.store ('out')" in diagnostic.message
    assert "pl.store" in diagnostic.notes[0].span.source.line(diagnostic.notes[0].span.line)


def test_an_iteration_reads_what_an_earlier_one_writes() -> None:
    error = stopped(
        """
for i in pl.parallel(3):
    tile = pl.load(out, [i * 16, 0], [16, 32])  # expect: PL518
    pl.store(tile, [i * 16 + 16, 0], out)
""",
        "PL518",
    )
    assert "with i = 1 depends on that with i = 0" in error.diagnostics[0].message


def test_an_iteration_writes_what_an_earlier_one_reads() -> None:
    stopped(
        """
for i in pl.parallel(3):
    tile = pl.load(out, [32 - i * 16, 0], [16, 32])
    pl.store(tile, [48 - i * 16, 0], out)  # expect: PL518
""",
        "PL518",
    )


def test_an_iteration_may_read_what_it_has_written_itself() -> None:
    run("""
for i in pl.parallel(4):
    pl.store(pl.load(x, [i * 16, 0], [16, 32]), [i * 16, 0], out)
    pl.store(pl.exp(pl.load(out, [i * 16, 0], [16, 32])), [i * 16, 0], out)
""")


def test_iterations_may_add_to_the_same_place() -> None:
    run("""
for i in pl.parallel(4):
    pl.store(pl.load(x, [i * 16, 0], [16, 32]), [0, 0], out, atomic=pl.AtomicType.Add)
""")


def test_single_elements_are_places_too() -> None:
    run("""
for i in pl.parallel(4):
    pl.write(out, [i, 0], pl.read(out, [i, 1]))
""")
    stopped(
        """
for i in pl.parallel(4):
    pl.write(out, [0, i // 2], pl.read(x, [i, 0]))  # expect: PL519
""",
        "PL519",
    )


def test_views_are_the_same_place() -> None:
    stopped(
        """
for i in pl.parallel(4):
    rows = pl.slice(out, [16, 32], [0, 0])
    pl.store(pl.load(x, [i * 16, 0], [16, 32]), [0, 0], rows)  # expect: PL519
""",
        "PL519",
    )


def test_a_number_that_is_counted_is_handed_on() -> None:
    error = stopped(
        """
count = n
for i in pl.parallel(4):  # expect: PL518
    pl.store(pl.load(x, [i * 16, 0], [16, 32]), [i * 16, 0], out)
    count = count + 1
pl.write(out, [count, 0], 1.0)
""",
        "PL518",
    )
    assert "'count" in error.diagnostics[0].message


def test_a_tile_that_is_summed_up_is_handed_on() -> None:
    stopped(
        """
total = pl.load(x, [0, 0], [16, 32])
for i in pl.parallel(4):  # expect: PL518
    total = pl.add(total, pl.load(x, [i * 16, 0], [16, 32]))
pl.store(total, [0, 0], out)
""",
        "PL518",
    )


def test_iterations_give_one_name_different_values() -> None:
    error = stopped(
        """
last = n
for i in pl.parallel(4):  # expect: PL519
    pl.store(pl.load(x, [i * 16, 0], [16, 32]), [i * 16, 0], out)
    last = i
pl.write(out, [last, 0], 1.0)
""",
        "PL519",
    )
    assert "'last" in error.diagnostics[0].message


def test_iterations_may_give_one_name_the_same_value() -> None:
    run("""
first = pl.load(x, [0, 0], [16, 32])
other = pl.load(x, [16, 0], [16, 32])
for i in pl.parallel(3):
    pl.write(out, [i, 0], 1.0)
    first = other
pl.store(first, [48, 0], out)
""")


def test_iterations_may_load_the_same_values() -> None:
    run("""
t = pl.load(x, [16, 0], [16, 32])
for i in pl.parallel(3):
    pl.write(out, [i, 0], 1.0)
    t = pl.load(x, [0, 0], [16, 32])
pl.store(t, [48, 0], out)
""")


def test_iterations_give_one_name_different_parts_of_a_tile() -> None:
    stopped(
        """
t = pl.load(x, [0, 0], [16, 32])
s = pl.slice(t, [4, 32], [0, 0])
for i in pl.parallel(4):  # expect: PL519
    s = pl.slice(t, [4, 32], [i * 4, 0])
pl.store(s, [0, 0], out)
""",
        "PL519",
    )


def test_a_part_of_a_tile_is_handed_on() -> None:
    stopped(
        """
t = pl.load(x, [0, 0], [16, 32])
s = pl.slice(t, [4, 32], [0, 0])
for i in pl.parallel(4):  # expect: PL518
    pl.store(s, [i * 4, 0], out)
    s = pl.slice(t, [4, 32], [i * 4, 0])
""",
        "PL518",
    )


def test_parts_that_lie_apart_are_told_apart() -> None:
    """Elements of a transposed view that is seen in another shape lie at places that no strides give."""
    stopped(
        """
t = pl.load(x, [0, 0], [16, 32])
u = pl.reshape(pl.tile.transpose_view(t), [16, 32])
s = pl.slice(u, [4, 32], [0, 0])
for i in pl.parallel(4):  # expect: PL519
    s = pl.slice(u, [4, 32], [i * 4, 0])
pl.store(s, [0, 0], out)
""",
        "PL519",
    )


def test_other_loops_may_do_all_that() -> None:
    run("""
total = pl.load(x, [0, 0], [16, 32])
for i in pl.range(4):
    total = pl.add(total, pl.load(out, [i * 16, 0], [16, 32]))
    pl.store(total, [0, 0], out)
""")


def test_functions_that_are_called_belong_to_the_iteration() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[64, 32], pl.FP32], row: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]
        ) -> pl.Tensor[[64, 32], pl.FP32]:
            return pl.store(pl.load(x, [row, 0], [16, 32]), [row, 0], out)  # expect: PL519

        @pl.function(type=pl.FunctionType.Orchestration)
        def main(
            self, x: pl.Tensor[[64, 32], pl.FP32], step: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 32], pl.FP32]]
        ) -> pl.Tensor[[64, 32], pl.FP32]:
            for i in pl.parallel(4):
                out = self.kernel(x, i * step, out)
            return out

    for program in (Kernel, Kernel.lower()):
        program.run(x=X, step=16, sanitize=True)
        with pytest.raises(UserError) as caught:
            program.run(x=X, step=8, sanitize=True)
        assert caught.value.code == "PL519"
        assert "# expect" in caught.value.span.source.line(caught.value.span.line)


def test_runs_for_debuggers_are_watched_too() -> None:
    with pytest.raises(UserError) as caught:
        run(
            """
for i in pl.parallel(2):
    pl.store(pl.load(x, [i * 16, 0], [16, 32]), [0, 0], out)
""",
            debug=True,
        )
    assert caught.value.code == "PL519"


def test_a_tile_that_is_made_right_in_front_of_the_loop_is_watched() -> None:
    stopped(
        """
tile = pl.load(x, [0, 0], [16, 32])
for i in pl.parallel(8):
    value = pl.read(tile, [0, 0])  # expect: PL518
    pl.write(tile, [0, 0], value + 1.0)
""",
        "PL518",
    )


def test_iterations_that_give_a_name_the_same_nan_agree() -> None:
    run("""
pl.write(out, [0, 0], pl.const(float("nan"), pl.FP32))
value = pl.read(x, [0, 0])
for i in pl.parallel(4):
    value = pl.read(out, [0, 0])
pl.write(out, [1, 0], value)
""")


def test_blocks_of_bytes_are_places_too() -> None:
    body = """
tile = pl.load(x, [0, 0], [16, 32])
second = pl.tile.full([1, 8], dtype=pl.UINT32, value=32)
for i in pl.parallel(2):
    block = pl.tile.gatherb(tile, second)  # expect: PL518
    pl.write(tile, [0, i + 4], 1.0)
"""
    run(body)
    stopped(body.replace("i + 4", "i + 12"), "PL518")


@pytest.mark.parametrize("where", [np.s_[5, 7], np.s_[2:4, 3:6], np.s_[[1, 0], [2, 3]]])
def test_an_access_costs_what_it_takes_and_not_what_the_tensor_is_large(where: Any) -> None:
    size = 1 << 20  # the square of that in bytes is more than there is
    elements = np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), (size, size), (size, 1))
    tensor = Array(elements, None, elements.shape, NO_SPAN)
    rows, columns = (np.arange(size)[index] for index in where)
    expected = rows * size + columns if rows.shape == columns.shape else rows[:, None] * size + columns
    np.testing.assert_array_equal(tensor.positions(Numbers(), lambda numbers: numbers[where]), expected)
