"""Where a producer's result lives: one test for each row of the specification's resolution table.

Two rows have no test, because no such operator exists: operators that are not registered, and ``tile.*`` operators
with a memory rule of which none of the rows is true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pypto_lite import ir, ops, passes
from pypto_lite import language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.ops.framework import registry
from tests.passes.hand_built import kernel as hand_built_kernel
from tests.passes.hand_built import tile, var
from tests.passes.placed.placement.kernels import CHIPS, assert_placed, assert_refused, place, spaces

if TYPE_CHECKING:
    from collections.abc import Iterator


# An operator without a memory rule: what its type says, if it says something, else Vec.


@pytest.mark.parametrize(("operator", "space"), [("tpop_from_aic", "Vec"), ("tpop_from_aiv", "Mat")])
def test_without_a_memory_rule_the_type_decides(operator: str, space: str) -> None:
    placed = place(f"t = pl.{operator}(shape=[64, 64], dtype=pl.FP32)")
    assert spaces(placed) == {"t": space}


@pytest.mark.parametrize("written", ["", ", pl.Mem.DDR"])
def test_without_a_memory_rule_a_type_that_names_no_space_on_chip_means_vec(written: str) -> None:
    placed = place(f"t: pl.Tile[[64, 64], pl.FP32{written}] = pl.tpop_from_aiv()")
    assert spaces(placed) == {"t": "Vec"}


def test_without_a_memory_rule_an_operand_that_is_taken_over_decides() -> None:
    assert_placed(
        """
        into = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Mat)
        gathered = pl.gather_row(into, x, [0, 0], [0, 0], [1, 64])
        """,
        """
        into = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Mat)
        gathered: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.gather_row(into, x, [0, 0], [0, 0], [1, 64])
        """,
    )


# An operator whose rule gives a space.


@pytest.mark.parametrize(
    ("call", "space"),
    [
        ("pl.matmul(a, a)", "Acc"),
        ("pl.exp(a)", "Vec"),
        ("pl.add(a, a)", "Vec"),
        ("pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)", "Vec"),
        ("pl.aic_gather(a, split=pl.SplitMode.UP_DOWN)", "Mat"),
        ("pl.aiv_shard(a, split=pl.SplitMode.UP_DOWN)", "Vec"),
        ("pl.move(a, target_memory=pl.Mem.Right)", "Right"),
        ("pl.tile.extract(a, 0, 0, [16, 16], target_memory=pl.Mem.Left)", "Left"),
        ("pl.tile.extract(a, 0, 0, [16, 16])", "Vec"),
    ],
)
def test_a_rule_that_gives_a_space_decides(call: str, space: str) -> None:
    placed = place(f"a = pl.load(x, [0, 0], [64, 64])\nr = {call}")
    assert spaces(placed)["r"] == space


# An operator whose result inherits: where its first tile lives.

INHERITING = [
    "pl.slice(t, [32, 32], [0, 0])",
    "pl.reshape(t, [32, 128])",
    "pl.set_validshape(t, 8, 64)",
    "pl.transpose(t, 0, 1)",
    "pl.tile.transpose_view(t)",
    "pl.tile.assemble(t, t, [0, 0])",
]
MAKERS = {
    "Vec": "pl.exp(other)",
    "Mat": "pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)",
    "Acc": "pl.matmul(other, other)",
}


@pytest.mark.parametrize("space", MAKERS)
@pytest.mark.parametrize("call", INHERITING)
def test_an_inheriting_operator_is_where_its_first_tile_is(call: str, space: str) -> None:
    placed = place(f"other = pl.load(y, [0, 0], [64, 64])\nt = {MAKERS[space]}\nr = {call}")
    assert spaces(placed)["r"] == spaces(placed)["t"] == space


def test_a_reinterpreted_view_is_where_its_tile_is() -> None:
    placed = place("t = pl.load(x, [0, 0], [64, 64])\nr = pl.reinterpret_view(t, pl.INT16)")
    assert spaces(placed) == {"t": "Vec", "r": "Vec"}


def test_a_scale_address_is_where_its_scale_buffer_is() -> None:
    scale = ir.Var("scale", tile(16, 2, dtype=ir.DTYPES["FP8E8M0"], space=ir.MemorySpace.LeftScale))
    operand = ir.Var("operand", tile(16, 64, dtype=ir.DTYPES["FP8E4M3FN"], space=ir.MemorySpace.Left))
    call = ops.call("tile.tget_scale_addr", [scale, operand])
    assert isinstance(call.type, ir.TileType)
    assert call.type.space is ir.MemorySpace.LeftScale


# A load or a create.


@pytest.mark.parametrize("call", ["pl.load(x, [0, 0], [64, 64]{})", "pl.create_tile([64, 64], dtype=pl.FP32{})"])
def test_without_a_target_and_without_a_demand_it_is_in_vec(call: str) -> None:
    assert_placed(f"t = {call.format('')}", f"t = {call.format(', target_memory=pl.Mem.Vec')}")


@pytest.mark.parametrize("space", ["Vec", "Mat"])
def test_a_written_target_of_a_load_stays(space: str) -> None:
    body = f"t = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.{space})"
    assert_placed(body, body)


@pytest.mark.parametrize("space", ["Vec", "Mat", "Left", "Right", "Acc", "Bias"])
def test_a_written_target_of_a_create_stays(space: str) -> None:
    body = f"t = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.{space})"
    assert_placed(body, body)


def test_an_annotation_is_a_written_target() -> None:
    assert_placed(
        "t: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = pl.load(x, [0, 0], [64, 64])",
        "t = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)",
    )


@pytest.mark.parametrize("space", ["Left", "Right", "Acc", "Bias"])
def test_a_load_cannot_write_what_only_moves_reach(space: str) -> None:
    call = "pl.load(x, [0, 0], [64, 64])"
    assert_refused(f"t: pl.Tile[[64, 64], pl.FP32, pl.Mem.{space}] = {call}  # expect: PL403", "'t'", space)


# An operator outside ``tile.*`` that makes a tile.


@pytest.fixture
def received() -> Iterator[str]:
    """An operator that only this test knows: it makes a tile, has no memory rule, and is none of ``tile.*``."""

    @registry.operator("system.receive")
    def system_receive() -> ir.TileType:
        """A tile from elsewhere."""
        return tile(64, 64)

    yield system_receive.name
    del registry.REGISTRY.by_name["system.receive"]
    for spelling in system_receive.spellings:
        del registry.REGISTRY.by_spelling[spelling]


def test_an_operator_outside_tile_makes_a_tile_in_vec(received: str) -> None:
    came = var("came", tile(64, 64))
    program = hand_built_kernel(ir.Assign(came, ops.call(received, [])))
    assert spaces(passes.infer_tile_memory_space()(program)) == {"came": "Vec"}


# Values that no operator makes.


def test_an_alias_is_where_its_source_is() -> None:
    assert_placed(
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        b = a
        c = b
        """,
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = a
        c: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = b
        """,
    )


def test_the_items_of_several_results_are_where_their_operator_puts_them() -> None:
    placed = place(
        """
        t = pl.load(x, [0, 0], [64, 64])
        m = pl.matmul(t, t)
        found, count = pl.tile.gather_compare(m, s, t, cmp_mode="eq", out_cols=8)
        """
    )
    assert spaces(placed) == {
        "t": "Vec", "t_Left": "Left", "t_Right": "Right", "m": "Acc", "m_Vec": "Vec", "found": "Vec", "count": "Vec",
    }  # fmt: skip


def test_an_item_that_is_used_where_it_is_taken_gets_a_name() -> None:
    assert_placed(
        """
        t = pl.load(x, [0, 0], [64, 64])
        found = pl.tile.gather_compare(t, s, t, cmp_mode="eq", out_cols=8)
        e = pl.neg(found[1])
        for i, (c,) in pl.range(4, init_values=(found[0],)):
            again = pl.tile.gather_compare(t, s, t, cmp_mode="eq", out_cols=8)
            c_rv = pl.yield_(again[0])
        """,
        """
        t = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        found = pl.tile.gather_compare(t, s, t, cmp_mode="eq", out_cols=8)
        found_1 = found[1]
        e = pl.neg(found_1)
        found_0 = found[0]
        for i, (c,) in pl.range(4, init_values=(found_0,)):
            again = pl.tile.gather_compare(t, s, t, cmp_mode="eq", out_cols=8)
            again_0 = again[0]
            c_rv = pl.yield_(again_0)
        """,
    )


def test_what_a_called_function_returns_is_in_vec() -> None:
    program = pl.parse(
        """
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def helper(self, x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tile[[64, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [64, 64])
        return t

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.FP32]):
        came = self.helper(x)
        e = pl.exp(came)
"""
    )
    assert spaces(passes.infer_tile_memory_space()(program)) == {"came": "Vec", "e": "Vec"}


def test_a_called_function_that_leaves_its_tile_elsewhere_is_refused() -> None:
    program = pl.parse(
        """
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def helper(self, x: pl.Tensor[[64, 64], pl.FP32]) -> pl.Tile[[64, 64], pl.FP32]:
        t = pl.load(x, [0, 0], [64, 64])
        return pl.matmul(t, t)

    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.FP32]):
        came = self.helper(x)
        e = pl.exp(came)
"""
    )
    with pytest.raises(UserError, match="'helper' returns a tile in Acc") as caught:
        program.lower()
    assert (caught.value.code, caught.value.span.line) == ("PL406", 14)


# A space that is declared for a value that lives where another one does.


def test_a_space_declared_for_an_alias_decides_about_a_load_without_a_target() -> None:
    assert_placed(
        """
        a = pl.load(x, [0, 0], [64, 64])
        b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = a
        """,
        """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = a
        """,
    )


def test_a_space_declared_for_a_view_decides_about_a_create_without_a_target() -> None:
    assert_placed(
        """
        a = pl.create_tile([64, 64], dtype=pl.FP32)
        b: pl.Tile[[32, 128], pl.FP32, pl.Mem.Acc] = pl.reshape(a, [32, 128])
        """,
        """
        a = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Acc)
        b: pl.Tile[[32, 128], pl.FP32, pl.Mem.Acc] = pl.reshape(a, [32, 128])
        """,
    )


def test_a_declared_space_that_no_producer_can_make_is_refused() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])  # note
        b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Acc] = a  # expect: PL410
        """,
        "'b'", "'a'", "Acc", "Vec or Mat",
    )  # fmt: skip


def test_a_declared_space_that_a_consumer_cannot_read_is_refused() -> None:
    assert_refused(
        """
        a = pl.load(x, [0, 0], [64, 64])  # expect: PL405 # note
        b: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = a  # note
        e = pl.exp(a)  # note
        """,
        "'a'", "'b'",
        targets=CHIPS,
    )  # fmt: skip
