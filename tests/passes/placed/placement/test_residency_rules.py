"""Phase 4: the rules about the loop, the window, the uses of the load, and the room that there is.

Each test changes the one thing that a rule is about in a program that allows the load to move; where the rule draws a
line, a second program stands just on the other side of it.
"""

from __future__ import annotations

import pytest

from pypto_lite import ir
from pypto_lite import language as pl
from pypto_lite.passes import InferTileMemorySpace
from pypto_lite.targets import ASCEND910B, ASCEND950
from tests.passes.placed.placement.residency import (
    A_LOAD,
    B_LOAD,
    BODY,
    LOOP,
    MARK,
    assert_declined,
    assert_hoisted,
    changed,
    decisions,
    text_of,
)

PRODUCT = "c = pl.matmul(a, b)"
SMALL = "z = pl.load(rhs, [0, 0], [16, 16])"
Z_LOAD = A_LOAD.replace("a = ", "z = ").replace(MARK, "")


def with_line(before: str, after: str) -> str:
    """The program with one line of the kernel changed."""
    return text_of(changed(BODY, before, after))


# The loop.


@pytest.mark.parametrize(
    ("bounds", "rule"),
    [
        ("pl.range(0, n, 128,", "loop-bounds-not-constant"),
        ("pl.range(n, 256, 128,", "loop-bounds-not-constant"),
        ("pl.range(0, 256, n,", "loop-bounds-not-constant"),
        ("pl.range(128, -1, -128,", "loop-step-not-positive"),
        ("pl.range(0, 0, 128,", "loop-does-not-run"),
        ("pl.range(256, 0, 128,", "loop-does-not-run"),
        ("pl.parallel(0, 256, 128,", "loop-not-sequential"),
        ("pl.pipeline(0, 256, 128, stage=2,", "loop-not-sequential"),
    ],
)
def test_the_loop_must_run_a_constant_number_of_times(bounds: str, rule: str) -> None:
    assert_declined(with_line("pl.range(0, 256, 128,", bounds), rule)


@pytest.mark.parametrize("bounds", ["pl.range(0, 1, 128,", "pl.range(128, 129, 1,", "pl.range(2,"])
def test_one_iteration_is_enough(bounds: str) -> None:
    assert_hoisted(with_line("pl.range(0, 256, 128,", bounds), "a", "a_Left")


def test_a_while_loop_declines() -> None:
    body = f"""
for acc, k in pl.while_(init_values=(out, n)):
    pl.cond(k > 0)
    {A_LOAD}
    b = pl.load(rhs, [0, 0], [128, 128], target_memory=pl.Mem.Mat)
    {PRODUCT}
    stored = pl.store(c, [0, 0], acc)
    acc_rv, k_rv = pl.yield_(stored, k - 1)
return acc_rv
"""
    assert_declined(text_of(body), "loop-not-sequential", "a = pl.load")


def test_a_conditional_load_declines() -> None:
    conditional = f"if i < 128:\n    {A_LOAD}\n    d = pl.matmul(a, b)\n{Z_LOAD}\nc = pl.matmul(z, b)"
    text = text_of(changed(changed(BODY, A_LOAD, "k = n"), PRODUCT, conditional))
    assert_declined(text, "conditional-load", "a = pl.load")


# The source.


@pytest.mark.parametrize(
    ("direction", "body"),
    [("pl.InOut[pl.Tensor[[16, 128], pl.BF16]]", BODY), ("pl.Out[pl.Tensor[[16, 128], pl.BF16]]", BODY)],
)
def test_the_source_must_be_a_parameter_that_is_only_read(direction: str, body: str) -> None:
    assert_declined(text_of(body, lhs=direction), "source-not-in", "lhs:")


@pytest.mark.parametrize("source", ["same = lhs", "same = pl.slice(lhs, [16, 128], [0, 0])"])
def test_the_source_must_be_the_parameter_itself(source: str) -> None:
    renamed = A_LOAD.replace("lhs", "same")
    assert_declined(text_of(f"{source}\n{changed(BODY, A_LOAD, renamed)}"), "source-not-a-parameter", "a = pl.load")


def test_the_load_must_be_into_mat() -> None:
    assert_declined(with_line(A_LOAD, A_LOAD.replace("pl.Mem.Mat", "pl.Mem.Vec")), "not-in-mat", "a = pl.load")


# The window.


@pytest.mark.parametrize(
    "window",
    [
        "[i * 0, 0], [16, 128]",
        "[k, 0], [16, 128]",
        "[0, 0], [16, 128], valid_shape=[i // 128 + 1, 128]",
        "[0, 0], [16, 128], valid_shape=[k + 1, 128]",
    ],
)
def test_the_window_must_be_invariant(window: str) -> None:
    moved = A_LOAD.replace("[0, 0], [16, 128]", window)
    assert_declined(with_line(A_LOAD, f"k = n * 0\n{moved}"), "loop-variant")


@pytest.mark.parametrize(
    "window", ["[n * 0, 0], [16, 128]", "[k, 0], [16, 128]", "[0, 0], [16, 128], valid_shape=[k + 1, 128]"]
)
def test_what_is_known_before_the_loop_may_stand_in_the_window(window: str) -> None:
    moved = A_LOAD.replace("[0, 0], [16, 128]", window)
    assert_hoisted(text_of(f"k = n * 0\n{changed(BODY, A_LOAD, moved)}"), "a", "a_Left")


# What orders memory.

ORDERING = [
    "self.helper(rhs)",
    "pl.system.syncall()",
    "pl.system.bar_all()",
    "pl.system.fence()",
    "pl.system.cacheinvalid()",
    "pl.system.sync_set(pipe=pl.PipeType.MTE2, event_id=0)",
    "w = pl.tpop_from_aiv(shape=[16, 16], dtype=pl.FP32)",
    "pl.tpush_to_aic(z, split=pl.SplitMode.NONE)",
    "w = pl.aic_gather(z, split=pl.SplitMode.UP_DOWN)",
]
HELPER = """
@pl.function(type=pl.FunctionType.InCore)
def helper(self, rhs: pl.Tensor[[128, 256], pl.BF16]):
    pass
"""


@pytest.mark.parametrize("call", ORDERING)
@pytest.mark.parametrize("where", ["before", "after", "at the end", "nested"])
def test_whatever_may_order_memory_declines(call: str, where: str) -> None:
    last = changed(BODY, "acc_rv = pl.yield_(stored)", call)
    body = {
        "before": changed(BODY, A_LOAD, f"{call}\n{A_LOAD}"),
        "after": changed(BODY, PRODUCT, f"{PRODUCT}\n{call}"),
        "nested": changed(BODY, PRODUCT, f"{PRODUCT}\nif i < 128:\n    {call}"),
        "at the end": changed(last, LOOP, "for i in pl.range(0, 256, 128):")
        .replace("[0, i], acc)", "[0, i], out)")
        .replace("return acc_rv", "return out"),
    }[where]
    assert_declined(text_of(f"{SMALL}\n{body.strip()}", more=HELPER), "ordering-effect", call)


@pytest.mark.parametrize("call", ORDERING)
def test_what_orders_memory_outside_the_loop_does_not_matter(call: str) -> None:
    assert_hoisted(text_of(f"{SMALL}\n{call}\n{BODY.strip()}", more=HELPER), "a", "a_Left")


def test_an_operator_that_nobody_knows_declines() -> None:
    program = pl.parse(with_line(PRODUCT, f"{PRODUCT}\n{SMALL}\npl.read(z, [0, 0])"))

    def forget(call: ir.Call) -> ir.Call:
        return call.replace(op="test.unknown") if call.op == "tile.read" else call

    placed = InferTileMemorySpace(ASCEND910B).run(ir.rewrite(program, {ir.Call: forget}))
    assert decisions(placed) == [("hoist-declined:ordering-effect", "a")]


# What stands in front of the load.


@pytest.mark.parametrize(
    "effect",
    [
        "first = pl.store(z, [0, 0], out)",
        "pl.store(z, [0, 0], out)",
        "pl.write(z, [0, 0], pl.const(1.0, pl.BF16))",
        "pl.tensor.write(out, [0, 0], pl.const(1.0, pl.FP32))",
    ],
)
def test_an_effect_in_front_of_the_load_declines(effect: str) -> None:
    assert_declined(with_line(A_LOAD, f"{SMALL}\n{effect}\n{A_LOAD}"), "prefix-closed", effect)
    assert_hoisted(with_line(PRODUCT, f"{PRODUCT}\n{SMALL}\n{effect}"), "a", "a_Left")


@pytest.mark.parametrize("control", ["if i < 128:", "for j in pl.range(4):", "while n < 1:"])
def test_control_flow_in_front_of_the_load_declines(control: str) -> None:
    inner = f"{control}\n    k = n + 1"
    assert_declined(with_line(A_LOAD, f"{inner}\n{A_LOAD}"), "prefix-closed", control)
    assert_hoisted(with_line(PRODUCT, f"{PRODUCT}\n{inner}"), "a", "a_Left")


def test_what_has_no_effect_may_stand_in_front_of_the_load() -> None:
    harmless = (
        "k = n + 1\nz = pl.load(rhs, [0, 0], [16, 16])\ne = pl.exp(z)\nw = pl.create_tile([16, 16], dtype=pl.FP32)"
    )
    assert_hoisted(with_line(A_LOAD, f"{harmless}\n{A_LOAD}"), "a", "a_Left")


# The uses of the load.


@pytest.mark.parametrize(
    "use",
    [
        "same = a",
        "w = pl.slice(a, [16, 64], [0, 0])",
        "w = pl.reshape(a, [16, 128])",
        "w = pl.tile.assemble(a, z, [0, 0])",
        "bias = pl.tile.extract(a, 0, 0, [16, 16], target_memory=pl.Mem.Bias)",
        "t = pl.tile.transpose_view(a)\nsame = t",
        "t = pl.tile.transpose_view(a)\nw = pl.slice(t, [16, 16], [0, 0])",
        "if i < 128:\n    j = pl.yield_(a)\nelse:\n    j = pl.yield_(z)",
    ],
)
def test_any_other_use_of_a_panel_declines(use: str) -> None:
    assert_declined(with_line(PRODUCT, f"{Z_LOAD}\n{use}\n{PRODUCT}"), "unsupported-use")


@pytest.mark.parametrize(
    "use",
    [
        "same = left",
        "w = pl.slice(left, [16, 64], [0, 0])",
        "if i < 128:\n    j = pl.yield_(left)\n"
        "else:\n    other = pl.move(z, target_memory=pl.Mem.Left)\n    j = pl.yield_(other)",
        "for k, (carried,) in pl.range(2, init_values=(left,)):\n    again = pl.move(z, target_memory=pl.Mem.Left)\n"
        "    rv = pl.yield_(again)",
    ],
)
def test_any_other_use_of_a_staged_value_declines(use: str) -> None:
    staged = "left = pl.move(a, target_memory=pl.Mem.Left)"
    text = with_line(PRODUCT, f"{Z_LOAD}\n{staged}\n{use}\nc = pl.matmul(left, b)")
    assert_declined(text, "not-a-matmul-operand")


def test_a_load_that_is_yielded_declines() -> None:
    text = text_of(f"""
{Z_LOAD}
for i, (acc, w) in pl.range(0, 256, 128, init_values=(out, z)):
    {A_LOAD}
    {B_LOAD}
    {PRODUCT}
    stored = pl.store(c, [0, i], acc)
    acc_rv, w_rv = pl.yield_(stored, a)
return acc_rv
""")
    assert_declined(text, "unsupported-use", "pl.yield_")


def test_a_load_that_seeds_a_carry_declines() -> None:
    inner = f"for k, (w,) in pl.range(2, init_values=(a,)):\n    {Z_LOAD}\n    w_rv = pl.yield_(z)"
    assert_declined(with_line(PRODUCT, f"{inner}\n{PRODUCT}"), "unsupported-use", "for k")


# The room.


def loads(rows: int, columns: int, space: str = "Mat", name: str = "w") -> str:
    """A load of [rows, columns] BF16 that stands in front of the loop."""
    return f"{name} = pl.create_tile([{rows}, {columns}], dtype=pl.BF16, target_memory=pl.Mem.{space})\n"


MAT_LEFT = 524288 - 16 * 128 * 2 - 128 * 128 * 2
"""What the two loads of the kernel leave of Mat."""


def test_more_than_fits_declines() -> None:
    assert_hoisted(text_of(loads(1, MAT_LEFT // 2) + BODY.strip()), "a", "a_Left")
    assert_declined(text_of(loads(1, MAT_LEFT // 2 + 16) + BODY.strip()), "capacity")


@pytest.mark.parametrize(("space", "bytes_left"), [("Left", 65536 - 4096), ("Right", 65536 - 32768)])
def test_the_room_in_l0_counts_too(space: str, bytes_left: int) -> None:
    assert_hoisted(text_of(loads(1, bytes_left // 2, space) + BODY.strip()), "a", "a_Left")
    assert_declined(text_of(loads(1, bytes_left // 2 + 16, space) + BODY.strip()), "capacity")


def test_other_spaces_do_not_count() -> None:
    assert_hoisted(text_of(loads(1, 1 << 20, "Vec") + loads(1, 1 << 20, "Acc", "u") + BODY.strip()), "a", "a_Left")


def test_sizes_are_aligned() -> None:
    """A tile of two bytes takes 32: as many as there is room for, and one more."""
    small = "".join(loads(1, 1, "Mat", f"w{index}") for index in range(3))
    assert_hoisted(text_of(small + loads(1, MAT_LEFT // 2 - 48) + BODY.strip()), "a", "a_Left")
    assert_declined(text_of(small + loads(1, MAT_LEFT // 2 - 47) + BODY.strip()), "capacity")


def test_views_and_aliases_take_no_room() -> None:
    views = f"same = w\nview = pl.reshape(w, [2, {MAT_LEFT // 4}])\nturned = pl.tile.transpose_view(w)\n"
    assert_hoisted(text_of(loads(1, MAT_LEFT // 2) + views + BODY.strip()), "a", "a_Left")


def test_results_that_take_over_an_operand_take_no_room() -> None:
    filled = loads(1, MAT_LEFT // 2) + "z = pl.load(rhs, [0, 0], [1, 16])\nfull = pl.tile.assemble(w, z, [0, 0])\n"
    assert_hoisted(text_of(filled + BODY.strip()), "a", "a_Left")


def test_tiles_of_one_declared_allocation_take_the_room_of_the_largest() -> None:
    def declared(name: str, columns: int) -> str:
        tile = f"pl.Tile[[1, {columns}], pl.BF16, pl.Mem.Mat, pl.MemRef('shared')]"
        return f"{name}: {tile} = pl.create_tile([1, {columns}], dtype=pl.BF16)\n"

    fits, most = declared("w", 16) + declared("u", MAT_LEFT // 2), MAT_LEFT // 2 + 16
    assert_hoisted(text_of(fits + BODY.strip()), "a", "a_Left")
    assert_declined(text_of(declared("w", 16) + declared("u", most) + BODY.strip()), "capacity")


def test_what_is_live_outside_the_loop_takes_room() -> None:
    behind = BODY.replace("return acc_rv", f"{loads(1, MAT_LEFT // 2 + 16)}return acc_rv")
    assert_declined(text_of(behind), "capacity")


def test_the_room_is_that_of_the_whole_function() -> None:
    """Two buffers that are never live together count both."""
    half = MAT_LEFT // 4 + 16
    branch = f"if n < 1:\n    {loads(1, half)}else:\n    {loads(1, half, 'Mat', 'u')}"
    assert_declined(text_of(branch + BODY.strip()), "capacity")


def test_the_room_is_that_of_the_target() -> None:
    """Acc is no part of it, and Mat, Left and Right are equally large on both chips."""
    for target in (ASCEND910B, ASCEND950):
        assert_declined(text_of(loads(1, MAT_LEFT // 2 + 16) + BODY.strip()), "capacity", target=target)


def test_a_size_that_is_not_known_declines() -> None:
    program = pl.parse(text_of("w = pl.tpop_from_aiv(shape=[16, 16], dtype=pl.BF16)\n" + BODY.strip()))
    rows = program.functions["kernel"].params[-1]
    stretched = ir.TileType((rows, 16), ir.DTYPES["BF16"], ir.MemorySpace.Mat)

    def stretch(stmt: ir.Assign) -> ir.Assign:
        if stmt.var.name != "w":
            return stmt
        return stmt.replace(var=ir.Var("w", stretched), value=stmt.value.replace(type=stretched))

    placed = InferTileMemorySpace(ASCEND910B).run(ir.rewrite(program, {ir.Assign: stretch}))
    assert decisions(placed) == [("hoist-declined:size-not-static", "a")]


def test_a_reserved_buffer_declines() -> None:
    reserved = "address = pl.reserve_buffer(name='peer', size=1024)\n"
    assert_declined(text_of(reserved + BODY.strip()), "reserved-buffer", "reserve_buffer")


# Pipelines replicate what is allocated in them.


def pipeline(*statements: str) -> str:
    """A pipeline of these statements in front of the loop."""
    return "for k in pl.pipeline(2, stage=2):\n" + "".join(f"    {each}\n" for each in statements)


def test_a_space_that_a_pipeline_replicates_declines() -> None:
    load = "w = pl.load(rhs, [0, 0], [16, 16], target_memory=pl.Mem.{})"
    assert_declined(text_of(pipeline(load.format("Mat")) + BODY.strip()), "pipeline-replicates", "w = pl.load")
    assert_hoisted(text_of(pipeline(load.format("Vec")) + BODY.strip()), "a", "a_Left")


def test_a_view_in_a_pipeline_replicates_nothing() -> None:
    text = text_of(loads(16, 16) + pipeline("view = pl.tile.transpose_view(w)") + BODY.strip())
    assert_hoisted(text, "a", "a_Left")


@pytest.mark.parametrize(("space", "names"), [("Left", ("a",)), ("Right", ("a", "a_Left"))])
def test_a_chain_that_a_pipeline_replicates_leaves_the_panel(space: str, names: tuple[str, ...]) -> None:
    text = text_of(loads(16, 16) + pipeline(f"staged = pl.move(w, target_memory=pl.Mem.{space})") + BODY.strip())
    assert_hoisted(text, *names)


def test_a_loop_within_a_pipeline_replicates_too() -> None:
    nested = "for k in pl.pipeline(2, stage=2):\n    for j in pl.range(2):\n        " + Z_LOAD + "\n"
    assert_declined(text_of(nested + BODY.strip()), "pipeline-replicates")


def test_a_chain_that_cannot_move_leaves_the_panel() -> None:
    """Each shape is judged by itself: here the staged value is read twice, so only the panel moves."""
    assert_hoisted(with_line(PRODUCT, f"d = pl.matmul(a, b)\n{PRODUCT}"), "a")
