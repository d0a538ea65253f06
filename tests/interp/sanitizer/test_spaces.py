"""A sanitized run of a placed program stops where a tile is in a space in which it can't be, or is said to be."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from pypto_lite import interp, ir, passes
from pypto_lite import language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import MemorySpace
from tests.passes.placed.placement.kernels import kernel

from .faults import in_space, replaced

ONES = np.ones((64, 64), np.float32)


def run(program: ir.Program, target: str | None = None) -> interp.Sanitizer:
    """Runs a kernel of ``kernels`` as placed, whether placement has seen it or not."""
    sanitizer = interp.Sanitizer(target, placed=True)
    interp.run(program, "kernel", arguments(), sanitize=sanitizer)
    return sanitizer


def arguments() -> dict[str, object]:
    """Arguments for a kernel of ``kernels``."""
    halves = ONES.astype(ml_dtypes.bfloat16)
    return {"x": ONES, "y": ONES, "v": ONES[:1], "h": halves, "n": 1, "s": 2.0, "out": ONES.copy()}


def trapped(body: str, target: str | None = None) -> UserError:
    """The error of a kernel with this body, which marks the line of the error."""
    program = kernel(body)
    with pytest.raises(UserError) as caught:
        run(program, target)
    code = caught.value.code
    assert f"# expect: {code}" in caught.value.span.source.line(caught.value.span.line)
    return caught.value


def relabelled(program: ir.Program, name: str, space: MemorySpace) -> ir.Program:
    """The program with another space written next to a value."""
    (var,) = {node for node in ir.walk(program) if isinstance(node, ir.Var) and node.name == name}
    return replaced(program, var, in_space(var, space))


def test_an_operand_is_read_from_a_space_that_the_operator_reads() -> None:
    error = trapped("""
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        b = pl.move(a, target_memory=pl.Mem.Left)
        c = pl.matmul(b, a)  # expect: PL511
        pl.store(c, [0, 0], out)
    """)
    (diagnostic,) = error.diagnostics
    assert diagnostic.message == "rhs of tile.matmul ('a') is in Mat, which tile.matmul cannot read"
    assert diagnostic.operand == "rhs"
    assert "a = pl.load" in diagnostic.notes[0].span.source.line(diagnostic.notes[0].span.line)


def test_a_tile_is_where_its_operator_puts_it_and_not_where_its_type_says() -> None:
    program = kernel("""
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        b = pl.exp(a)
        pl.store(b, [0, 0], out)
    """)
    with pytest.raises(UserError) as caught:
        run(relabelled(program, "b", MemorySpace.Acc))
    assert caught.value.code == "PL512"
    assert caught.value.diagnostics[0].message == "tile.exp does not write 'b' to Acc"


def test_a_move_goes_a_way_that_there_is() -> None:
    trapped("""
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        b = pl.move(a, target_memory=pl.Mem.Bias)  # expect: PL513
        pl.store(a, [0, 0], out)
    """)


def test_what_is_assembled_comes_from_the_same_space_or_one_move_away() -> None:
    trapped(
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        b = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        c = pl.tile.assemble(b, a, [0, 0])
        d = pl.tile.assemble(a, b, [0, 0])  # expect: PL513
        pl.store(d, [0, 0], out)
    """,
        "Ascend910B",
    )


def test_a_transposed_view_goes_to_the_cube_side_from_mat() -> None:
    trapped("""
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        b = pl.move(pl.tile.transpose_view(a), target_memory=pl.Mem.Right)
        c = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        d = pl.slice(pl.tile.transpose_view(c), [64, 64], [0, 0])
        e = pl.move(d, target_memory=pl.Mem.Right)  # expect: PL513
        pl.store(c, [0, 0], out)
    """)


def test_nothing_is_moved_into_the_accumulator() -> None:
    trapped("""
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        b = pl.move(a, target_memory=pl.Mem.Acc)  # expect: PL513
        pl.store(b, [0, 0], out)
    """)


def test_from_mat_to_vec_no_chip_moves() -> None:
    body = """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        b = pl.move(a, target_memory=pl.Mem.Vec)  # expect: PL513
        pl.store(b, [0, 0], out)
    """
    trapped(body, "Ascend910B")
    run(kernel(body))  # without a chip it is tolerated


def test_a_space_has_to_be_on_the_chip() -> None:
    program = kernel("""
        a = pl.load(x, [0, 0], [16, 64], target_memory=pl.Mem.Mat)
        b = pl.move(a, target_memory=pl.Mem.Left)
        pl.store(pl.load(y, [0, 0], [64, 64]), [0, 0], out)
    """)
    (move,) = [node for node in ir.walk(program) if isinstance(node, ir.Call) and node.op == "tile.move"]
    scales = {**move.keywords, "target_memory": MemorySpace.LeftScale}
    moved = relabelled(replaced(program, move, move.replace(keywords=scales)), "b", MemorySpace.LeftScale)
    with pytest.raises(UserError) as caught:
        run(moved, "Ascend910B")
    assert caught.value.code == "PL514"
    run(moved, "Ascend950")


@pytest.mark.parametrize("name", ["carried", "result"])
def test_a_join_is_in_one_space(name: str) -> None:
    program = kernel("""
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        for i, (carried,) in pl.range(2, init_values=(a,)):
            b = pl.exp(carried)
            result = pl.yield_(b)
        pl.store(result, [0, 0], out)
    """)
    run(program)
    with pytest.raises(UserError) as caught:
        run(relabelled(program, name, MemorySpace.Mat))
    assert caught.value.code == "PL515"


def test_an_alias_is_in_the_space_of_what_it_names() -> None:
    program = kernel("""
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        b = a
        pl.store(b, [0, 0], out)
    """)
    with pytest.raises(UserError) as caught:
        run(relabelled(program, "b", MemorySpace.Mat))
    assert caught.value.code == "PL515"
    assert caught.value.diagnostics[0].message == "'b' is in Mat, but 'a' is in Vec"


def test_each_of_several_results_is_where_the_operator_puts_it() -> None:
    program = kernel("""
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        tmp = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        where, count = pl.tile.gather_compare(a, 1.0, tmp, out_cols=64)
    """)
    run(program)
    with pytest.raises(UserError) as caught:
        run(relabelled(program, "count", MemorySpace.Mat))
    assert caught.value.code == "PL515"


def test_before_placement_spaces_are_not_judged() -> None:
    @pl.program
    class Kernel:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
        ) -> pl.Tensor[[64, 64], pl.FP32]:
            tile = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
            return pl.store(pl.matmul(tile, tile), [0, 0], out)

    for program in (Kernel, Kernel.lower()):
        assert (program.run(x=ONES, sanitize="Ascend910B") == 64).all()


def test_a_run_for_debuggers_is_watched_too() -> None:
    program = passes.default_pipeline(None).run(
        kernel("""
        a = pl.load(x, [0, 0], [64, 64])
        for i, (carried,) in pl.range(2, init_values=(a,)):
            result = pl.yield_(pl.exp(carried))
        pl.store(result, [0, 0], out)
    """)
    )
    interp.run(program, "kernel", arguments(), debug=True, sanitize=True)
    with pytest.raises(UserError) as caught:
        interp.run(relabelled(program, "carried", MemorySpace.Mat), "kernel", arguments(), debug=True, sanitize=True)
    assert caught.value.code == "PL515"
