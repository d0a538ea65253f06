"""Phase 4: which loads move out of their loops, and what moves with them.

The paragraphs of the specification's section on loop-invariant Mat residency, and the tests of their sentences (here,
in test_residency_rules and in test_residency_provenance); sentences that say why something is so have no test.

1. What is recognised. 1 the chain: test_the_whole_chain_moves, test_a_chain_through_transposed_views_moves,
   test_a_chain_that_ends_in_an_extract_moves. 2 exact, as a whole: test_the_whole_chain_moves,
   test_the_chain_moves_in_its_order. 3 the panel: test_a_panel_moves_alone, test_a_panel_may_fan_out. 4 only the
   load: test_what_stages_a_panel_stays_in_its_loop, test_what_stages_a_panel_stays_in_its_pipeline. 5 no general
   motion: test_nothing_else_moves. 6 loaded once, its peer streams: test_the_example_of_the_specification.
2. A first subset. 2 no caller evidence: test_a_kernel_that_nobody_calls_declines. 3 external tensors:
   test_a_tensor_from_outside_declines. 4 only what tensor.create made: test_what_is_passed_must_be_created_there. 6
   panel and chain apart: test_a_chain_that_cannot_move_leaves_the_panel.
3. The mark. 1 eligibility: test_an_unmarked_load_stays. 2 kept and consumed: test_the_mark_is_printed_and_read_back,
   test_every_pass_before_placement_keeps_the_mark, test_the_mark_is_consumed_on_every_load. 3 one of the two shapes:
   test_a_load_that_no_product_reads_declines. 4 and 5 a load of the user's: test_an_unmarked_load_stays.
4. The rules, one test module for the loop and its uses (test_residency_rules), one for callers
   (test_residency_provenance). 1 the loop: test_the_loop_must_run_a_constant_number_of_times. 2 unconditional:
   test_a_conditional_load_declines, test_a_chain_that_is_staged_in_a_branch_leaves_the_panel. 3 the source:
   test_the_source_must_be_a_parameter_that_is_only_read, test_the_load_must_be_into_mat. 4 the call sites:
   test_every_call_must_come_from_a_root_orchestration, test_a_submission_declines. 5 the storage:
   test_names_of_one_storage_are_seen_through, test_a_written_tensor_of_unknown_storage_declines,
   test_a_written_tensor_in_the_same_storage_declines, test_a_kernel_that_writes_the_source_declines,
   test_scalars_and_tensors_that_are_only_read_do_not_matter. 6 invariance: test_the_window_must_be_invariant,
   test_an_extract_that_depends_on_the_loop_leaves_the_panel. 7 order: test_whatever_may_order_memory_declines,
   test_an_effect_in_front_of_the_load_declines, test_control_flow_in_front_of_the_load_declines. 8 uses:
   test_a_second_use_leaves_the_panel, test_any_other_use_of_a_panel_declines,
   test_any_other_use_of_a_staged_value_declines. 9 no result: test_a_load_that_is_yielded_declines,
   test_a_load_that_seeds_a_carry_declines. 10 room: test_more_than_fits_declines,
   test_a_size_that_is_not_known_declines. 11 reserved buffers: test_a_reserved_buffer_declines.
5. What declines changes nothing: every test of a rule compares with the program as placed without marks. 2
   test_one_unsafe_call_is_enough. 3 test_a_call_through_a_wrapper_declines. 4 test_views_and_aliases_take_no_room,
   test_sizes_are_aligned, test_what_is_live_outside_the_loop_takes_room. 5
   test_a_space_that_a_pipeline_replicates_declines, test_a_chain_that_a_pipeline_replicates_leaves_the_panel. 6
   test_the_room_is_that_of_the_whole_function. 7 test_a_load_moves_out_of_one_loop_only,
   test_nested_loops_are_looked_at_independently. 8 test_what_stages_a_panel_stays_in_its_pipeline.
6. The example: test_the_example_of_the_specification, test_a_tensor_from_outside_declines.
"""

from __future__ import annotations

import pytest

from pypto_lite import ir, passes
from pypto_lite import language as pl
from pypto_lite.passes import InferTileMemorySpace
from pypto_lite.targets import ASCEND910B, ASCEND950, Target
from pypto_lite.testing.assertions import assert_pass
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
    loop_of,
    run,
    text_of,
    without_marks,
)


@pytest.mark.parametrize("target", [ASCEND910B, ASCEND950], ids=repr)
def test_the_example_of_the_specification(target: Target) -> None:
    after = text_of(f"""
{A_LOAD.replace(MARK, "")}
a_left = pl.move(a, target_memory=pl.Mem.Left)
{LOOP}
    {B_LOAD}
    b_right = pl.move(b, target_memory=pl.Mem.Right)
    c = pl.matmul(a_left, b_right)
    stored = pl.store(c, [0, i], acc)
    acc_rv = pl.yield_(stored)
return acc_rv
""")
    assert_pass(pl.parse(text_of()), InferTileMemorySpace(target), pl.parse(after))


# The chain.


def test_the_whole_chain_moves() -> None:
    assert_hoisted(text_of(), "a", "a_Left")


def test_a_chain_of_the_right_side_moves() -> None:
    body = changed(BODY, A_LOAD, A_LOAD.replace(MARK, ""))
    body = changed(body, B_LOAD, f"b = pl.load(rhs, [0, 0], [128, 128], target_memory=pl.Mem.Mat{MARK})")
    main = """
fresh = pl.create_tensor([128, 256], dtype=pl.BF16)
done = self.kernel(external, fresh, out, n)
return done
"""
    assert_hoisted(text_of(body, main), "b", "b_Right")


def test_a_chain_that_is_written_out_moves() -> None:
    body = changed(BODY, "c = pl.matmul(a, b)", "left = pl.move(a, target_memory=pl.Mem.Left)\nc = pl.matmul(left, b)")
    assert_hoisted(text_of(body), "a", "left")


def test_a_chain_through_transposed_views_moves() -> None:
    transposed = f"w = pl.load(lhs, [0, 0], [128, 16], target_memory=pl.Mem.Mat{MARK})\na = pl.tile.transpose_view(w)"
    text = text_of(changed(BODY, A_LOAD, transposed), lhs="pl.Tensor[[128, 16], pl.BF16]")
    assert_hoisted(text.replace("create_tensor([16, 128]", "create_tensor([128, 16]"), "w", "a", "a_Left")


def test_a_chain_that_ends_in_an_extract_moves() -> None:
    window = "left = pl.tile.extract(a, 0, 0, [16, 128], target_memory=pl.Mem.Left)\nc = pl.matmul(left, b)"
    assert_hoisted(text_of(changed(BODY, "c = pl.matmul(a, b)", window)), "a", "left")


def test_a_chain_whose_extract_depends_on_a_parameter_moves() -> None:
    window = "left = pl.tile.extract(a, 0, n, [16, 128], target_memory=pl.Mem.Left)\nc = pl.matmul(left, b)"
    assert_hoisted(text_of(changed(BODY, "c = pl.matmul(a, b)", window)), "a", "left")


def test_the_chain_moves_in_its_order() -> None:
    body = changed(BODY, B_LOAD, f"b = pl.load(rhs, [0, 0], [128, 128], target_memory=pl.Mem.Mat{MARK})")
    main = """
fresh = pl.create_tensor([16, 128], dtype=pl.BF16)
more = pl.create_tensor([128, 256], dtype=pl.BF16)
done = self.kernel(fresh, more, out, n)
return done
"""
    placed = run(text_of(body, main))
    first = [each.var.name for each in placed.functions["kernel"].body.statements[:4] if isinstance(each, ir.Assign)]
    assert first == ["a", "b", "a_Left", "b_Right"]


def test_nothing_else_moves() -> None:
    """An invariant vector operator, an invariant scalar and an invariant load without a mark stay."""
    more = f"{B_LOAD}\nw = pl.load(rhs, [0, 0], [128, 128])\ne = pl.exp(w)\nk = n + 1"
    text = text_of(changed(BODY, B_LOAD, more))
    assert_hoisted(text, "a", "a_Left")
    assert loop_of(run(text), ("w", "e", "k")) == dict.fromkeys(("w", "e", "k"), "i")


# The panel.

EXTRACTS = """
for k, (part,) in pl.range(0, 128, 64, init_values=(c0,)):
    left = pl.tile.extract(a, 0, k, [16, 64], target_memory=pl.Mem.Left)
    right = pl.tile.extract(b, k, 0, [64, 128], target_memory=pl.Mem.Right)
    sum = pl.matmul_acc(part, left, right)
    c = pl.yield_(sum)
"""


def tiled(loop: str = "pl.range(0, 128, 64, init_values=(c0,))") -> str:
    """The body with a product that is cut along its inner dimension."""
    inner = EXTRACTS.replace("pl.range(0, 128, 64, init_values=(c0,))", loop).strip("\n")
    return changed(BODY, "c = pl.matmul(a, b)", f"c0 = pl.create_tile([16, 128], dtype=pl.FP32)\n{inner}")


def test_a_panel_moves_alone() -> None:
    assert_hoisted(text_of(tiled()), "a")


def test_what_stages_a_panel_stays_in_its_loop() -> None:
    assert loop_of(run(text_of(tiled())), ("left", "right", "sum")) == dict.fromkeys(("left", "right", "sum"), "k")


def test_what_stages_a_panel_stays_in_its_pipeline() -> None:
    text = text_of(tiled("pl.pipeline(0, 128, 64, init_values=(c0,), stage=2)"))
    assert_hoisted(text, "a")
    assert loop_of(run(text), ("left",)) == {"left": "k"}


def test_a_panel_may_fan_out() -> None:
    """Through transposed views, several copies, and both sides of products."""
    fan = """
t = pl.tile.transpose_view(a)
left = pl.move(a, target_memory=pl.Mem.Left)
half = pl.tile.extract(a, 0, 0, [16, 64], target_memory=pl.Mem.Left)
right = pl.move(t, target_memory=pl.Mem.Right)
window = pl.tile.extract(t, 0, 0, [64, 16], target_memory=pl.Mem.Right)
p = pl.matmul(left, right)
q = pl.matmul(half, window)
c = pl.matmul(left, b)
"""
    assert_hoisted(text_of(changed(BODY, "c = pl.matmul(a, b)", fan.strip())), "a")


def test_a_second_use_leaves_the_panel() -> None:
    assert_hoisted(text_of(changed(BODY, "c = pl.matmul(a, b)", "c = pl.matmul(a, b)\nd = pl.matmul(a, b)")), "a")


def test_an_extract_that_depends_on_the_loop_leaves_the_panel() -> None:
    window = "left = pl.tile.extract(a, 0, i, [16, 128], target_memory=pl.Mem.Left)\nc = pl.matmul(left, b)"
    assert_hoisted(text_of(changed(BODY, "c = pl.matmul(a, b)", window)), "a")


def test_a_chain_that_is_staged_in_a_branch_leaves_the_panel() -> None:
    staged = "if i < 128:\n    d = pl.matmul(a, b)\nc = pl.matmul(b, b)"
    text = text_of(changed(BODY, "c = pl.matmul(a, b)", staged.replace("b, b", "z, b")))
    text = changed(text, A_LOAD, f"{A_LOAD}\nz = pl.load(lhs, [0, 0], [16, 128], target_memory=pl.Mem.Mat)")
    assert_hoisted(text, "a")


def test_a_chain_that_is_staged_behind_an_effect_leaves_the_panel() -> None:
    effect = f"{B_LOAD}\nw = pl.load(rhs, [0, 0], [8, 8])\npl.write(w, [0, 0], pl.const(1.0, pl.BF16))"
    assert_hoisted(text_of(changed(BODY, B_LOAD, effect)), "a")


# The mark.


def test_an_unmarked_load_stays() -> None:
    text = text_of().replace(MARK, "")
    placed = run(text)
    assert decisions(placed) == []
    assert loop_of(placed, ("a", "a_Left")) == dict.fromkeys(("a", "a_Left"), "i")


def test_a_mark_that_says_no_is_none() -> None:
    text = text_of().replace("True}", "False}")
    placed = run(text)
    assert decisions(placed) == []
    assert loop_of(placed, ("a",)) == {"a": "i"}


def test_the_mark_is_printed_and_read_back() -> None:
    program = pl.parse(text_of())
    assert 'attrs={"bridge_load": True}' in str(program)
    ir.assert_structural_equal(pl.parse(str(program)), program)


def test_every_pass_before_placement_keeps_the_mark() -> None:
    pipeline = passes.default_pipeline(ASCEND910B)
    names = [each.name for each in pipeline.passes]
    program = pipeline.run(pl.parse(text_of()), until=names[names.index("infer_tile_memory_space") - 1])
    assert [node.attrs for node in ir.walk(program) if isinstance(node, ir.Call) and node.attrs] == [
        {"bridge_load": True}
    ]


def test_the_mark_is_consumed_on_every_load() -> None:
    """Whether the load moves, stays or stands outside of loops; ``run`` looks whether any is left."""
    outside = f"z = pl.load(lhs, [0, 0], [16, 128], target_memory=pl.Mem.Mat{MARK})\n{LOOP}"
    text = changed(text_of(changed(BODY, LOOP, outside)), B_LOAD, B_LOAD.replace("Mat)", f"Mat{MARK})"))
    assert decisions(run(text)) == [
        ("hoisted", "a"),
        ("hoisted", "a_Left"),
        ("hoist-declined:source-not-created", "b"),
    ]


def test_other_marks_of_the_load_stay() -> None:
    text = text_of().replace('"bridge_load": True', '"bridge_load": True, "origin": 7')
    calls = [node for node in ir.walk(run(text)) if isinstance(node, ir.Call)]
    assert [call.attrs for call in calls if call.attrs] == [{"origin": 7}]


def test_a_load_that_no_product_reads_declines() -> None:
    text = text_of(changed(BODY, "c = pl.matmul(a, b)", "z = pl.load(lhs, [0, 0], [16, 128])\nc = pl.matmul(z, b)"))
    assert_declined(text, "not-a-matmul-operand", "a = pl.load")


# Nested loops.

NESTED = f"""
for j, (outer,) in pl.range(2, init_values=(out,)):
    for i, (acc,) in pl.range(0, 256, 128, init_values=(outer,)):
        {A_LOAD}
        {B_LOAD}
        c = pl.matmul(a, b)
        stored = pl.store(c, [0, i], acc)
        acc_rv = pl.yield_(stored)
    outer_rv = pl.yield_(acc_rv)
return outer_rv
"""


def test_a_load_moves_out_of_one_loop_only() -> None:
    placed = run(text_of(NESTED))
    assert decisions(placed) == [("hoisted", "a"), ("hoisted", "a_Left")]
    assert loop_of(placed, ("a", "a_Left", "b")) == {"a": "j", "a_Left": "j", "b": "i"}


def test_nested_loops_are_looked_at_independently() -> None:
    second = f"z = pl.load(lhs, [0, 0], [16, 128], target_memory=pl.Mem.Mat{MARK})"
    inner = "for i, (acc,) in pl.range(0, 256, 128, init_values=(outer,)):"
    body = changed(NESTED, inner, f"{second}\n{inner}")
    body = changed(body, "c = pl.matmul(a, b)", "d = pl.matmul(z, b)\nc = pl.matmul(a, b)")
    placed = run(text_of(body))
    assert loop_of(placed, ("z", "a")) == {"z": None, "a": "j"}


def test_a_loop_that_stands_around_the_load_only_may_depend_on_anything() -> None:
    assert_hoisted_one = run(text_of(changed(NESTED, "pl.range(2,", "pl.range(n,")))
    assert loop_of(assert_hoisted_one, ("a",)) == {"a": "j"}


def test_without_a_target_nothing_moves_and_the_program_is_the_same() -> None:
    placed = run(text_of(), None)
    ir.assert_structural_equal(placed, without_marks(text_of(), None))
    assert decisions(placed) == [("hoist-declined:capacity-unknown", "a")]
