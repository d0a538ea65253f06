"""How many bytes of each memory a placed function needs, all at once and at the fullest moment."""

import pypto_lite.language as pl
from pypto_lite.ir import MemorySpace
from pypto_lite.passes.memory_usage import Usage, memory_usage

BLOCK = 64 * 64 * 4
"""The bytes of a [64, 64] tile of FP32."""


def usage(*body: str, space: MemorySpace = MemorySpace.Vec) -> Usage:
    """The usage of one memory by a kernel with these statements, without a target."""
    lines = "\n".join(f"        {line}" for line in body)
    program = pl.parse(f"""
import pypto_lite.language as pl

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(
        self, x: pl.Tensor[[64, 64], pl.FP32], n: pl.Scalar[pl.INDEX], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
    ) -> pl.Tensor[[64, 64], pl.FP32]:
{lines}
        return out
""")
    return memory_usage(program.lower(target=None).functions["kernel"])[space]


def test_a_tile_takes_its_elements():
    assert usage("t = pl.load(x, [0, 0], [64, 64])", "out = pl.store(t, [0, 0], out)").peak == BLOCK


def test_sizes_are_aligned_to_what_the_allocator_aligns_to():
    assert usage("t = pl.load(x, [0, 0], [1, 3])", "out = pl.store(t, [0, 0], out)").total == 32


def test_a_result_may_be_written_over_an_operand_that_is_used_for_the_last_time():
    chain = ["t = pl.load(x, [0, 0], [64, 64])", "u = pl.exp(t)", "v = pl.exp(u)"]
    found = usage(*chain, "out = pl.store(v, [0, 0], out)")
    assert (found.total, found.peak) == (3 * BLOCK, BLOCK)


def test_an_operand_that_is_used_again_is_live_beside_the_result():
    chain = ["t = pl.load(x, [0, 0], [64, 64])", "u = pl.exp(t)", "v = pl.add(t, u)"]
    assert usage(*chain, "out = pl.store(v, [0, 0], out)").peak == 2 * BLOCK


def test_an_operator_that_cannot_work_in_place_needs_room_for_both():
    chain = ["t = pl.load(x, [0, 0], [64, 64])", "u = pl.recip(t)"]
    assert usage(*chain, "out = pl.store(u, [0, 0], out)").peak == 2 * BLOCK


def test_views_and_aliases_take_nothing():
    views = [
        "t = pl.load(x, [0, 0], [64, 64])",
        "a = t",
        "s = pl.slice(a, [16, 64], [0, 0])",
        "r = pl.reshape(s, [64, 16])",
    ]
    assert usage(*views, "out = pl.store(r, [0, 0], out)").total == BLOCK


def test_a_view_keeps_what_it_views_alive():
    body = ["t = pl.load(x, [0, 0], [64, 64])", "s = pl.slice(t, [16, 64], [0, 0])", "u = pl.load(x, [0, 0], [64, 64])"]
    found = usage(*body, "out = pl.store(u, [0, 0], out)", "out = pl.store(s, [0, 0], out)")
    assert found.peak == 2 * BLOCK


def test_what_a_loop_reads_from_outside_is_live_throughout_the_loop():
    found = usage(
        "t = pl.load(x, [0, 0], [64, 64])",
        "for i in pl.range(n):",
        "    out = pl.store(t, [0, 0], out)",
        "    u = pl.load(x, [0, 0], [64, 64])",
        "    out = pl.store(u, [0, 0], out)",
    )
    assert found.peak == 2 * BLOCK


def test_an_accumulator_that_a_loop_carries_is_one_buffer():
    found = usage(
        "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.MemorySpace.Mat)",
        "c = pl.create_tile([64, 64], dtype=pl.FP32)",
        "for i in pl.range(n):",
        "    c = pl.matmul_acc(c, a, a)",
        "out = pl.store(c, [0, 0], out)",
        space=MemorySpace.Acc,
    )
    assert (found.total, found.peak) == (BLOCK, BLOCK)


def test_the_buffers_of_the_fullest_moment_are_named_the_largest_first():
    found = usage(
        "t = pl.load(x, [0, 0], [16, 64])",
        "u = pl.load(x, [0, 0], [64, 64])",
        "out = pl.store(t, [0, 0], out)",
        "out = pl.store(u, [0, 0], out)",
    )
    assert [(buffer.value.name, buffer.size) for buffer in found.at_peak] == [("u", BLOCK), ("t", BLOCK // 4)]
