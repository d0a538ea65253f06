"""What is written down about each tile: the rule that decided, and the places that led to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pypto_lite import ir, passes
from pypto_lite.analysis.records import RULES
from pypto_lite.targets import ASCEND910B
from tests.passes.placed.placement.kernels import kernel, place
from tests.passes.placed.placement.random_kernels import random_kernel

if TYPE_CHECKING:
    from pypto_lite.passes import Cause, Decision


def decisions(program: ir.Program, name: str) -> list[Decision]:
    return [each for each in program.decisions if each.subject.name == name]


def decision(body: str, name: str) -> Decision:
    (found,) = decisions(place(body, ASCEND910B), name)
    return found


def line(cause: Cause) -> str:
    assert cause.span.source is not None
    return (cause.span.source.line(cause.span.line) or "").strip()


def told(body: str, name: str) -> tuple[str, str, list[tuple[str, str]]]:
    """The rule, the space, and for each cause what it says and the source line that it is about."""
    found = decision(body, name)
    assert found.space is not None
    return found.rule, found.space.name, [(cause.message, line(cause)) for cause in found.causes]


def test_a_tile_of_which_nobody_wants_anything_else_is_in_vec_by_default() -> None:
    assert told("t = pl.load(x, [0, 0], [64, 64])\npl.store(t, [0, 0], out)", "t") == ("default", "Vec", [])


def test_a_written_space_is_its_own_reason() -> None:
    made = "t = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)"
    assert told(made, "t") == ("written", "Mat", [("Mat is written here", made)])


def test_an_operator_that_can_write_one_space_only_is_a_reason() -> None:
    body = "t = pl.load(x, [0, 0], [64, 64])\nu = pl.matmul(t, t)"
    assert told(body, "u") == ("producer", "Acc", [("tile.matmul writes its result to Acc", "u = pl.matmul(t, t)")])


def test_what_a_function_returns_is_in_vec() -> None:
    program = kernel("t = pl.tile.full([64, 64], dtype=pl.FP32, value=0.0)")
    returned = program.functions["kernel"].body.statements[0]
    assert isinstance(returned, ir.Assign)
    call = ir.FunctionCall("make", (), returned.var.type)
    made = ir.Assign(ir.Var("t", returned.var.type), call)
    function = program.functions["kernel"].replace(body=ir.Block((made,)))
    placed = passes.InferTileMemorySpace(ASCEND910B).run(program.with_functions([function]))
    (found,) = decisions(placed, "t")
    assert (found.rule, found.space) == ("function-result", ir.MemorySpace.Vec)


def test_an_operand_that_only_one_space_serves_is_a_reason() -> None:
    body = """
        t = pl.create_tile([64, 64], dtype=pl.FP32)
        m = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        u = pl.matmul_acc(t, m, m)
    """
    assert told(body, "t") == (
        "demanded", "Acc", [("tile.matmul_acc reads its operand acc in Acc", "u = pl.matmul_acc(t, m, m)")],
    )  # fmt: skip


def test_a_declared_space_of_an_alias_is_a_reason() -> None:
    body = "t = pl.load(x, [0, 0], [64, 64])\nu: pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat] = t"
    assert told(body, "t") == ("demanded", "Mat", [("'u' is declared in Mat here", body.splitlines()[1])])


CARRIED = """
    m = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
    empty = pl.create_tile([64, 64], dtype=pl.FP32)
    for i, (total,) in pl.range(4, init_values=(empty,)):
        more = pl.matmul_acc(total, m, m)
        final = pl.yield_(more)
    pl.store(final, [0, 0], out)
"""


def test_a_carry_is_held_by_what_reads_it_and_by_what_flows_into_it() -> None:
    assert told(CARRIED, "total") == (
        "demanded",
        "Acc",
        [
            ("tile.matmul_acc reads its operand acc in Acc", "more = pl.matmul_acc(total, m, m)"),
            (
                "'empty', in Acc, flows into it as its initial value",
                "for i, (total,) in pl.range(4, init_values=(empty,)):",
            ),
            ("'more', in Acc, flows into it as its yielded value", "final = pl.yield_(more)"),
        ],
    )


def test_a_reader_is_named_that_excludes_one_of_several_spaces() -> None:
    """From Acc the vector operator could be served, not from Mat, where the next join lives."""
    body = """
        a = pl.load(x, [0, 0], [64, 64])
        m = pl.matmul(a, a)
        t = pl.load(y, [0, 0], [64, 64])
        if n < 1:
            j = pl.yield_(m)
        else:
            j = pl.yield_(t)
        e = pl.exp(j)
        q = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        if n < 2:
            k = pl.yield_(j)
        else:
            k = pl.yield_(q)
        """
    rule, space, causes = told(body, "j")
    assert (rule, space, causes[0]) == ("demanded", "Vec", ("tile.exp reads its operand tile in Vec", "e = pl.exp(j)"))
    assert told(body, "k")[1] == "Mat"


def test_an_initial_value_is_held_by_the_carry_that_it_flows_into() -> None:
    loop = "for i, (total,) in pl.range(4, init_values=(empty,)):"
    assert told(CARRIED, "empty") == ("joined", "Acc", [("it flows into 'total', in Acc", loop)])


def test_the_result_of_a_loop_follows_its_carry() -> None:
    assert told(CARRIED, "final")[0] == "carried"
    assert told(CARRIED, "final")[2][0][0] == "it is what the loop carries as 'total'"


def test_a_carry_that_is_only_handed_on_follows_its_initial_value() -> None:
    body = """
        m = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        for i, (held,) in pl.range(4, init_values=(m,)):
            p = pl.matmul(held, held)
            pl.store(p, [0, 0], out)
            last = pl.yield_(held)
    """
    assert told(body, "held")[2][0][0] == "the loop hands 'm' on unchanged"
    assert (decision(body, "held").rule, decision(body, "last").rule) == ("handed-on", "handed-on")


def test_a_branch_result_is_held_by_the_arm_that_cannot_join_the_other() -> None:
    body = """
        t = pl.load(x, [0, 0], [64, 64])
        if n < 1:
            a = pl.matmul(t, t)
            r = pl.yield_(a)
        else:
            b = pl.exp(t)
            r = pl.yield_(b)
    """
    assert told(body, "r") == (
        "joined", "Vec", [("'b', in Vec, flows into it as its value of the else arm", "r = pl.yield_(b)")]
    )  # fmt: skip


def test_a_load_that_cannot_follow_its_join_into_acc_is_a_reason() -> None:
    body = """
        t = pl.load(x, [0, 0], [64, 64])
        if n < 1:
            a = pl.matmul(t, t)
            r = pl.yield_(a)
        else:
            b = pl.load(y, [0, 0], [64, 64])
            r = pl.yield_(b)
    """
    assert told(body, "b")[2] == [
        ("tile.load writes its result to Vec or Mat only", "b = pl.load(y, [0, 0], [64, 64])"),
        ("it flows into 'r', in Vec", "r = pl.yield_(b)"),
    ]


@pytest.mark.parametrize(
    ("made", "rule", "message"),
    [
        ("t", "alias", "it is 't' under another name"),
        ("pl.reshape(t, [32, 128])", "view", "it is a view of 't'"),
        ("pl.tile.assemble(t, t, [0, 0])", "inherits", "tile.assemble leaves its result where 't' is"),
    ],
)
def test_a_value_that_lives_where_another_does_says_so(made: str, rule: str, message: str) -> None:
    body = f"t = pl.load(x, [0, 0], [64, 64])\nu = {made}"
    placed = place(body, ASCEND910B)
    (viewed,), (found,) = decisions(placed, "t"), decisions(placed, "u")
    assert (found.rule, [(cause.message, cause.value) for cause in found.causes]) == (rule, [(message, viewed.subject)])


def test_a_join_that_a_transposed_view_keeps_in_mat_names_the_view() -> None:
    body = """
        t = pl.load(x, [0, 0], [64, 64])
        turned = pl.tile.transpose_view(t)
        u = pl.tile.transpose_view(pl.load(y, [0, 0], [64, 64]))
        if n < 1:
            r = pl.yield_(turned)
        else:
            r = pl.yield_(u)
        p = pl.matmul(r, t)
    """
    program = passes.default_pipeline(ASCEND910B).run(kernel(body))
    (found,) = decisions(program, "r")
    assert found.space is ir.MemorySpace.Mat
    assert (
        "'turned', a transposed view, flows into it: only from Mat can the cube core read that",
        "r = pl.yield_(turned)",
    ) in [(cause.message, line(cause)) for cause in found.causes]


def test_a_create_whose_written_space_gives_way_says_so() -> None:
    gave_way = CARRIED.replace("dtype=pl.FP32)", "dtype=pl.FP32, target_memory=pl.Mem.Vec)", 1)
    assert told(gave_way, "empty")[:2] == ("gave-way", "Acc")


def test_a_reader_of_vec_is_no_reason_for_acc() -> None:
    read = CARRIED.replace("dtype=pl.FP32)", "dtype=pl.FP32, target_memory=pl.Mem.Vec)", 1) + "    e = pl.exp(final)\n"
    assert [message for message, _ in told(read, "total")[2]] == [message for message, _ in told(CARRIED, "total")[2]]


def test_a_copy_for_a_written_join_says_so_where_another_could_have_been_shared() -> None:
    body = """
        t = pl.load(x, [0, 0], [64, 64])
        a = pl.matmul(t, t)
        e = pl.exp(a)
        for i, (c,) in pl.range(4, init_values=(a,)):
            pl.write(c, [0, 0], s)
            last = pl.yield_(e)
    """
    message = "tile.write changes 'c', so that it cannot share a copy"
    shared = [message for each in ("a_Vec", "a_Vec__1") for message, _ in told(body, each)[2]]
    alone = [message for message, _ in told(body.replace("e = pl.exp(a)", "e = pl.exp(t)"), "a_Vec")[2]]
    assert message in shared
    assert message not in alone


def test_a_copy_names_all_consumers_that_it_serves() -> None:
    body = """
        t = pl.load(x, [0, 0], [64, 64])
        a = pl.matmul(t, t)
        b = pl.matmul(t, t)
    """
    assert told(body, "t_Left") == (
        "inserted-move",
        "Left",
        [
            ("'t' lives in Vec", "t = pl.load(x, [0, 0], [64, 64])"),
            ("tile.matmul reads its operand lhs in Left", "a = pl.matmul(t, t)"),
            ("tile.matmul reads its operand lhs in Left", "b = pl.matmul(t, t)"),
        ],
    )


def test_a_step_of_a_longer_way_names_the_next_step() -> None:
    body = """
        t = pl.load(x, [0, 0], [64, 64])
        a = pl.matmul(t, t)
        b = pl.matmul(a, t)
    """
    assert told(body, "a_Mat")[2][1:] == [("'a_Left' is made from it", "b = pl.matmul(a, t)")]


def test_a_view_repeated_in_mat_names_what_is_made_from_it() -> None:
    body = """
        t = pl.load(x, [0, 0], [64, 64])
        turned = pl.tile.transpose_view(t)
        a = pl.matmul(turned, t)
    """
    assert told(body, "turned_Mat")[:2] == ("view-repeated-in-mat", "Mat")
    assert told(body, "turned_Mat")[2][1:] == [("'turned_Left' is made from it", "a = pl.matmul(turned, t)")]


def test_a_second_copy_names_the_write_that_made_the_first_one_stale() -> None:
    body = """
        t = pl.load(x, [0, 0], [64, 64])
        a = pl.matmul(t, t)
        pl.write(t, [0, 0], s)
        b = pl.matmul(t, t)
    """
    causes = told(body, "t_Left__1")[2]
    assert causes[1:] == [
        ("tile.matmul reads its operand lhs in Left", "b = pl.matmul(t, t)"),
        ("tile.write changes 't', so that no earlier copy will do", "pl.write(t, [0, 0], s)"),
    ]


def test_a_copy_for_a_join_names_the_join() -> None:
    body = """
        t = pl.load(x, [0, 0], [64, 64])
        a = pl.matmul(t, t)
        e = pl.exp(t)
        for i, (c,) in pl.range(4, init_values=(a,)):
            last = pl.yield_(e)
    """
    assert told(body, "a_Vec")[2][1] == (
        "it flows into 'c', which lives in Vec", "for i, (c,) in pl.range(4, init_values=(a,)):"
    )  # fmt: skip


def test_names_are_those_of_the_printed_program() -> None:
    body = "t = pl.load(x, [0, 0], [64, 64])\nt = pl.exp(t)\nu = t"
    (found,) = decisions(place(body), "u")
    assert [cause.message for cause in found.causes] == ["it is 't__1' under another name"]


@pytest.mark.parametrize("seed", range(40))
def test_every_tile_has_one_decision_and_every_value_in_it_is_in_the_program(seed: int) -> None:
    try:
        placed = place(random_kernel(seed, writes=True), ASCEND910B)
    except passes.PlacementError:
        return
    variables = {node for node in ir.walk(placed.functions["kernel"]) if isinstance(node, ir.Var)}
    tiles = {var for var in variables if isinstance(var.type, ir.TileType)}
    subjects = [each.subject for each in placed.decisions if each.space is not None]
    assert len(subjects) == len(set(subjects))
    assert set(subjects) == tiles
    assert {cause.value for each in placed.decisions for cause in each.causes} - {None} <= variables
    assert all(isinstance(each.subject.type, ir.TileType) for each in placed.decisions)


def test_placing_again_leaves_the_decisions_alone() -> None:
    placed = place(CARRIED, ASCEND910B)
    assert passes.InferTileMemorySpace(ASCEND910B).run(placed).decisions == placed.decisions


def test_every_rule_is_documented() -> None:
    documentation = (Path(__file__).parents[4] / "docs" / "placement.md").read_text("utf-8")
    table = [line.split("|")[1] for line in documentation.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`([\w-]+)`", " ".join(table))) == RULES


@pytest.mark.parametrize("seed", range(0, 120, 3))
def test_no_decision_rests_on_another_rule(seed: int) -> None:
    try:
        placed = place(random_kernel(seed, writes=True), ASCEND910B)
    except passes.PlacementError:
        return
    assert {each.rule for each in placed.decisions} <= RULES
