"""How many bytes of each memory a placed function needs, all at once and at the fullest moment.

Nearly all tiles here are [64, 64] of FP32, which take 16384 bytes: one block. The words of a test count blocks.
"""

import pypto_lite.language as pl
from pypto_lite.analysis.memory_usage import Usage, memory_usage
from pypto_lite.ir import MemorySpace

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


def test_an_operand_that_is_left_out_keeps_no_other_from_sharing():
    """The scratch tile of row_expand_add, which the result may not share, is optional."""
    rows = ["t = pl.load(x, [0, 0], [64, 64])", "c = pl.load(x, [0, 0], [64, 1])", "u = pl.row_expand_add(t, c)"]
    assert usage(*rows, "out = pl.store(u, [0, 0], out)").peak == BLOCK + 64 * 4


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


LOAD = "pl.load(x, [0, 0], [64, 64])"


def blocks(*body: str, space: MemorySpace = MemorySpace.Vec) -> float:
    """The peak in blocks."""
    return usage(*body, space=space).peak / BLOCK


def store(*names: str) -> list[str]:
    return [f"out = pl.store({name}, [0, 0], out)" for name in names]


# Loops


def test_carries_that_swap_are_two_buffers():
    """Both are read after the loop, so p and q are there at once all the time: 2 blocks, one for each load."""
    body = [f"p = {LOAD}", f"q = {LOAD}", "for i in pl.range(n):", "    p, q = q, p"]
    assert blocks(*body, *store("p", "q")) == 2


def test_carries_that_swap_one_and_the_same_tile_are_one_buffer():
    """p and q are the same tile before the first swap, so after each: 1 block."""
    body = [f"p = {LOAD}", "q = p", "for i in pl.range(n):", "    p, q = q, p"]
    assert blocks(*body, *store("p", "q")) == 1


def test_three_carries_that_rotate_are_three_buffers():
    """a, b and c are read after the loop: 3 blocks, and none for the rotation itself."""
    body = [*[f"{name} = {LOAD}" for name in "abc"], "for i in pl.range(n):", "    a, b, c = b, c, a"]
    assert blocks(*body, *store("a", "b", "c")) == 3


def test_a_carry_is_a_buffer_beside_its_init_that_is_still_read():
    """c begins as a copy of x and changes, x is read in each iteration: 2 blocks."""
    body = [f"t = {LOAD}", "c = t", "for i in pl.range(n):", "    c = pl.exp(c)", "    c = pl.add(c, t)"]
    assert blocks(*body, *store("c")) == 2


def test_a_carry_takes_the_place_of_an_init_that_is_not_read_again():
    """t is handed over to c, c to the result of exp, that to c again, the last one to what is stored: 1 block."""
    body = [f"t = {LOAD}", "c = t", "for i in pl.range(n):", "    c = pl.exp(c)"]
    assert blocks(*body, *store("c")) == 1


def test_a_carry_that_is_written_over_in_place_is_a_buffer_beside_its_init_that_is_still_read():
    """matmul_acc writes over the carry, not over m, which is stored at the end: 2 blocks of Acc."""
    body = [
        f"a = {LOAD}",
        "m = pl.matmul(a, a)",
        "c = m",
        "for i in pl.range(n):",
        "    c = pl.matmul_acc(c, a, a)",
    ]
    assert blocks(*body, *store("c", "m"), space=MemorySpace.Acc) == 2


def test_one_created_tile_that_begins_two_carries_is_two_buffers():
    """The carries are changed differently: 2 blocks. The created tile has no contents, and needs none beside them."""
    body = [
        f"a = {LOAD}",
        f"b = {LOAD}",
        "c = pl.create_tile([64, 64], dtype=pl.FP32)",
        "d = c",
        "for i in pl.range(n):",
        "    c = pl.matmul_acc(c, a, b)",
        "    d = pl.matmul_acc(d, b, a)",
    ]
    assert blocks(*body, *store("c", "d"), space=MemorySpace.Acc) == 2


def test_one_tile_that_begins_carries_which_change_alike_is_one_buffer():
    """c and d are the same after each iteration: 1 block."""
    body = [f"c = {LOAD}", "d = c", "for i in pl.range(n):", "    c = pl.exp(c)", "    d = c"]
    assert blocks(*body, *store("c", "d")) == 1


def test_a_carry_that_every_iteration_hands_on_unchanged_is_its_init():
    """k is a carry whose arms both give it back, in an inner loop too; it stays t, which is read again: 1 block."""
    body = [
        f"t = {LOAD}",
        "for i, (k,) in pl.range(n, init_values=(t,)):",
        "    for j, (m,) in pl.range(n, init_values=(k,)):",
        "        if n > 1:",
        "            e = pl.yield_(m)",
        "        else:",
        "            e = pl.yield_(k)",
        "        f = pl.yield_(e)",
        "    g = pl.yield_(f)",
    ]
    assert blocks(*body, *store("g", "t")) == 1


def test_a_carry_that_is_handed_on_unchanged_keeps_its_init_only_as_long_as_it_is_read():
    """Neither k nor its result is read, so t is gone before u is loaded: 1 block."""
    body = [f"t = {LOAD}", *store("t"), "for i, (k,) in pl.range(n, init_values=(t,)):", f"    u = {LOAD}"]
    assert blocks(*body, "    out2 = pl.store(u, [0, 0], out)", "    g = pl.yield_(k)") == 1


def test_a_loop_that_may_not_run_keeps_the_init_until_it_begins():
    """c is loaded anew in each iteration and read after the loop. t has to last until the loop, as it is the result
    where there is no iteration: beside u, which is loaded before the loop and stored in front of it, 2 blocks."""
    body = [f"t = {LOAD}", f"u = {LOAD}", *store("u"), "c = t", "for i in pl.range(n):", f"    c = {LOAD}"]
    assert blocks(*body, *store("c")) == 2


def test_bounds_make_no_difference():
    """As before, but the loop runs 3 times for sure, or never: loops are taken to run any number of times."""
    for bound in ("3", "0"):
        body = [f"t = {LOAD}", f"u = {LOAD}", *store("u"), "c = t", f"for i in pl.range({bound}):", f"    c = {LOAD}"]
        assert blocks(*body, *store("c")) == 2


def test_a_carry_that_is_not_read_in_the_body_is_not_there_during_the_body():
    """At the beginning of an iteration c is there (1 block), as it is the result where the loop ends. In the body it
    is loaded anew at the end, after u has come and gone: 1 block."""
    body = [f"c = {LOAD}", "for i in pl.range(n):", f"    u = {LOAD}", "    out = pl.store(u, [0, 0], out)"]
    assert blocks(*body, f"    c = {LOAD}", *store("c")) == 1


def test_a_carry_is_there_until_it_is_read_last_in_the_body():
    """c is read after u is loaded, and both are gone when the next c is loaded: 2 blocks."""
    body = [f"c = {LOAD}", "for i in pl.range(n):", f"    u = {LOAD}", "    v = pl.add(c, u)"]
    assert blocks(*body, "    out = pl.store(v, [0, 0], out)", f"    c = {LOAD}", *store("c")) == 2


def test_a_carry_that_nothing_reads_needs_nothing():
    """c is not read in the body, nor is its result: t is gone before u is loaded, and what is yielded is gone at once
    (it is there when it is loaded, beside nothing): 1 block."""
    body = [f"t = {LOAD}", *store("t"), f"u = {LOAD}", *store("u")]
    loop = ["for i, (c,) in pl.range(n, init_values=(t,)):", f"    v = {LOAD}", "    r = pl.yield_(v)"]
    assert blocks(*body, *loop) == 1


def test_carries_that_only_feed_each_other_need_nothing():
    """c and d swap t and u, and nobody reads either: t and u are gone when v is loaded. Before that both are there
    once, as u is loaded while t has still to be stored: 2 blocks, and not 3."""
    body = [f"t = {LOAD}", f"u = {LOAD}", *store("t", "u"), f"v = {LOAD}"]
    loop = ["for i, (c, d) in pl.range(n, init_values=(t, u)):", "    e, f = pl.yield_(d, c)"]
    assert blocks(*body, *loop, *store("v")) == 2


def test_a_result_that_is_not_used_still_lets_the_next_iteration_read_the_carry():
    """The result of the loop is not used, but c is read in each iteration. There u is loaded while c waits: 2."""
    body = [f"t = {LOAD}", "for i, (c,) in pl.range(n, init_values=(t,)):", f"    u = {LOAD}", "    w = pl.add(c, u)"]
    assert blocks(*body, "    r = pl.yield_(w)") == 2


def test_the_result_of_a_loop_begins_after_it():
    """In the loop there are u and v at once, but nothing else: c is handed over to the result only at its end. 2."""
    body = [
        f"c = {LOAD}",
        "for i in pl.range(n):",
        f"    u = {LOAD}",
        f"    v = {LOAD}",
        "    c = pl.add(u, v)",
    ]
    assert blocks(*body, *store("c")) == 2


def test_what_nested_loops_read_is_live_throughout_the_outer_one():
    """t is read in the inner loop only. u is loaded after that, but the next iteration reads t again: 2 blocks."""
    body = [
        f"t = {LOAD}",
        "for i in pl.range(n):",
        "    for j in pl.range(n):",
        "        out = pl.store(t, [0, 0], out)",
        f"    u = {LOAD}",
        "    out = pl.store(u, [0, 0], out)",
    ]
    assert blocks(*body) == 2


def test_nested_loops_hand_one_buffer_through():
    """c goes through the carries and results of both loops and is changed in the inner one: 1 block."""
    body = [f"c = {LOAD}", "for i in pl.range(n):", "    for j in pl.range(n):", "        c = pl.exp(c)"]
    assert blocks(*body, *store("c")) == 1


def test_a_while_loop_needs_what_a_counting_loop_needs():
    """Carries that swap (2 blocks), beside t, which the body reads: 3 blocks."""
    start = [f"{name} = {LOAD}" for name in "tpq"]
    turn = ["    out = pl.store(t, [0, 0], out)", "    p, q = q, p"]
    assert blocks(*start, "for i in pl.range(n):", *turn, *store("p", "q")) == 3
    assert blocks(*start, "while n > 0:", *turn, "    n = n - 1", *store("p", "q")) == 3


# Branches


def test_the_arms_of_a_branch_are_alternatives():
    """The then-arm has y and z, and adds them in place (2 blocks); the else-arm loads r (1). The result begins when
    the arm is over, in the place of what the arm made: 2 blocks at most, as without the branch."""
    branch = ["if n > 0:", f"    y = {LOAD}", f"    z = {LOAD}", "    r = pl.add(y, z)", "else:", f"    r = {LOAD}"]
    assert blocks(*branch, *store("r")) == 2
    assert blocks(*[line.strip() for line in branch[1:4]], *store("r")) == 2


def test_a_branch_result_beside_both_tiles_that_it_may_be_is_a_third_buffer():
    """r has one place, and is p or q; all three are read later: 3 blocks. The loads themselves are only two."""
    body = [f"p = {LOAD}", f"q = {LOAD}", "if n > 0:", "    r = p", "else:", "    r = q"]
    found = usage(*body, *store("r", "p", "q"))
    assert (found.peak, found.total) == (3 * BLOCK, 3 * BLOCK)
    assert [buffer.value.name for buffer in found.at_peak] == ["p", "q", "r"]


def test_a_branch_result_takes_the_place_of_what_is_not_read_again():
    """r is p or q, and neither is read after the branch: 2 blocks before it, 1 after it."""
    body = [f"p = {LOAD}", f"q = {LOAD}", "if n > 0:", "    r = p", "else:", "    r = q"]
    assert blocks(*body, *store("r")) == 2


def test_a_branch_result_that_is_the_same_tile_either_way_is_that_tile():
    """Both arms give t, one of them under another name, and t is read afterwards: 1 block."""
    body = [f"t = {LOAD}", "a = t", "if n > 0:", "    r = pl.yield_(t)", "else:", "    r = pl.yield_(a)"]
    assert blocks(*body, *store("r", "t")) == 1


def test_a_branch_result_is_there_until_it_is_read():
    """r is loaded in either arm, and u comes and goes before r is read: 2 blocks."""
    body = ["if n > 0:", f"    r = {LOAD}", "else:", f"    r = {LOAD}", f"u = {LOAD}", *store("u")]
    assert blocks(*body, *store("r")) == 2


def test_what_is_chosen_from_results_that_are_always_the_same_is_the_same_too():
    """r and s are one tile, so w is that tile too, whichever of them it is. Beside it, u: 2 blocks."""
    body = [f"p = {LOAD}", f"q = {LOAD}", "if n > 0:", "    r = p", "    s = p", "else:", "    r = q", "    s = q"]
    choice = ["if n > 1:", "    w = pl.yield_(r)", "else:", "    w = pl.yield_(s)", f"u = {LOAD}"]
    assert blocks(*body, *choice, *store("u", "w", "r")) == 2


def test_what_is_chosen_in_a_loop_from_carries_that_change_alike_is_the_same_too():
    """c and d are one tile in each iteration, so w is that tile too. Beside it, u: 2 blocks."""
    loop = [
        f"t = {LOAD}",
        "for i, (c, d) in pl.range(n, init_values=(t, t)):",
        "    if n > 1:",
        "        w = pl.yield_(c)",
        "    else:",
        "        w = pl.yield_(d)",
        f"    u = {LOAD}",
        *[f"    {line}" for line in store("u", "w")],
        "    e = pl.exp(c)",
        "    f, g = pl.yield_(e, e)",
    ]
    assert blocks(*loop) == 2


def test_branch_results_that_are_always_the_same_are_one_buffer():
    """r and s are p in one case and q in the other. With p, which is read again, 2 blocks after the branch."""
    body = [f"p = {LOAD}", f"q = {LOAD}", "if n > 0:", "    r = p", "    s = p", "else:", "    r = q", "    s = q"]
    assert blocks(*body, *store("r", "s", "p")) == 2


def test_a_branch_result_that_nothing_reads_needs_nothing():
    """p is gone after its store, though an arm yields it; q is loaded after that: 1 block."""
    body = [f"p = {LOAD}", *store("p"), f"q = {LOAD}", *store("q")]
    branch = ["if n > 0:", "    r = pl.yield_(p)", "else:", "    r = pl.yield_(q)"]
    assert blocks(*body, *branch) == 1


def test_a_tile_that_one_arm_reads_is_not_there_in_the_other():
    """The then-arm reads t and u (2 blocks), the else-arm has two others (2), nothing is read after them: 2 blocks."""
    for arms in (("if n > 0:", "else:"), ("if n < 1:", "else:")):
        body = [
            f"t = {LOAD}",
            f"u = {LOAD}",
            arms[0],
            "    out = pl.store(t, [0, 0], out)",
            "    out = pl.store(u, [0, 0], out)",
            arms[1],
            f"    v = {LOAD}",
            f"    w = {LOAD}",
            "    out = pl.store(v, [0, 0], out)",
            "    out = pl.store(w, [0, 0], out)",
        ]
        assert blocks(*body) == 2


def test_a_tile_that_the_else_arm_reads_is_not_there_in_the_then_arm():
    """As before with the arms exchanged: t and u end nowhere in the then-arm, which comes first in the text: 2."""
    body = [
        f"t = {LOAD}",
        f"u = {LOAD}",
        "if n > 0:",
        f"    v = {LOAD}",
        f"    w = {LOAD}",
        "    out = pl.store(v, [0, 0], out)",
        "    out = pl.store(w, [0, 0], out)",
        "else:",
        "    out = pl.store(t, [0, 0], out)",
        "    out = pl.store(u, [0, 0], out)",
    ]
    assert blocks(*body) == 2


def test_a_tile_that_is_read_after_a_branch_is_there_in_both_arms():
    """t waits while an arm has v and w: 3 blocks, whichever arm has them."""
    busy = [f"    v = {LOAD}", f"    w = {LOAD}", *[f"    {line}" for line in store("v", "w")]]
    idle = ["    m = n + 1"]
    for then, otherwise in ((busy, idle), (idle, busy)):
        assert blocks(f"t = {LOAD}", "if n > 0:", *then, "else:", *otherwise, *store("t")) == 3


def test_a_tile_that_one_arm_reads_is_there_in_both_arms_where_a_loop_comes_round_to_it():
    """The else-arm does not read t, but a later iteration may: t beside v and w, 3 blocks."""
    body = [
        f"t = {LOAD}",
        "for i in pl.range(n):",
        "    if n > 0:",
        "        out = pl.store(t, [0, 0], out)",
        "    else:",
        f"        v = {LOAD}",
        f"        w = {LOAD}",
        "        out = pl.store(v, [0, 0], out)",
        "        out = pl.store(w, [0, 0], out)",
    ]
    assert blocks(*body) == 3


# Created tiles


def test_a_created_tile_needs_no_bytes_before_an_operator_works_on_it():
    """c is created first and written after t has come and gone: 1 block."""
    body = ["c = pl.create_tile([64, 64], dtype=pl.FP32)", f"t = {LOAD}", *store("t")]
    assert blocks(*body, "c = pl.write(c, [0, 0], 1.0)", *store("c")) == 1


def test_a_created_tile_is_there_from_the_arm_on_that_works_on_it():
    """One arm writes to c and then loads u: 2 blocks. The other loads two tiles before it writes to c, so that those
    are gone: 2 blocks again. With c in place from the beginning there would be 3."""
    body = [
        "c = pl.create_tile([64, 64], dtype=pl.FP32)",
        "if n > 0:",
        "    pl.write(c, [0, 0], 1.0)",
        f"    u = {LOAD}",
        "    out = pl.store(u, [0, 0], out)",
        "else:",
        f"    v = {LOAD}",
        f"    w = {LOAD}",
        "    out = pl.store(v, [0, 0], out)",
        "    out = pl.store(w, [0, 0], out)",
        "    pl.write(c, [0, 0], 2.0)",
    ]
    assert blocks(*body, *store("c")) == 2


def test_a_created_tile_that_an_arm_works_on_is_there_to_the_end_of_the_arm():
    """One arm writes to c and then has u and v as well: 3 blocks. c is read after the branch, or in the arm itself."""
    arm = [
        "    pl.write(c, [0, 0], 1.0)",
        f"    u = {LOAD}",
        f"    v = {LOAD}",
        *[f"    {line}" for line in store("u", "v")],
    ]
    created = "c = pl.create_tile([64, 64], dtype=pl.FP32)"
    assert blocks(created, "if n > 0:", *arm, "else:", "    pl.write(c, [0, 0], 2.0)", *store("c")) == 3
    assert blocks(created, "if n > 0:", *arm, *[f"    {line}" for line in store("c")]) == 3


def test_a_created_tile_that_an_iteration_works_on_is_there_in_the_next_one():
    """c is written in each iteration, and yielded at its end. It stays for the next iteration, beside u and v: 3."""
    body = [
        "c = pl.create_tile([64, 64], dtype=pl.FP32)",
        f"t = {LOAD}",
        "for i, (k,) in pl.range(n, init_values=(t,)):",
        f"    u = {LOAD}",
        f"    v = {LOAD}",
        *[f"    {line}" for line in store("u", "v")],
        "    pl.write(c, [0, 0], 1.0)",
        "    r = pl.yield_(c)",
    ]
    assert blocks(*body, *store("r")) == 3


def test_a_created_tile_that_begins_a_carry_first_is_there_from_where_it_is_worked_on_itself():
    """In the arm, c begins the carry of a loop, which is stored, and then is written to itself, so that it is read
    with contents at the end. Before that it is beside u and v: 3 blocks."""
    body = [
        "c = pl.create_tile([64, 64], dtype=pl.FP32)",
        "if n > 0:",
        "    for i, (k,) in pl.range(n, init_values=(c,)):",
        "        e = pl.exp(k)",
        "        r = pl.yield_(e)",
        *[f"    {line}" for line in store("r")],
        "    pl.write(c, [0, 0], 1.0)",
        f"u = {LOAD}",
        f"v = {LOAD}",
    ]
    assert blocks(*body, *store("u", "v", "c")) == 3


def test_one_created_tile_that_begins_the_carries_of_two_loops_is_no_buffer_beside_them():
    """The first loop's result is stored before the second loop begins: 1 block of Acc."""
    loop = ["for i in pl.range(n):", "    {0} = pl.matmul_acc({0}, a, a)", "out = pl.store({0}, [0, 0], out)"]
    body = [f"a = {LOAD}", "c = pl.create_tile([64, 64], dtype=pl.FP32)", "d = c"]
    body += [line.format("c") for line in loop] + [line.format("d") for line in loop]
    assert blocks(*body, space=MemorySpace.Acc) == 1


def test_a_join_of_created_tiles_is_as_empty_as_they_are():
    """r is one of two created tiles. It is written after t has come and gone: 1 block."""
    created = "    c = pl.create_tile([64, 64], dtype=pl.FP32)"
    body = ["if n > 0:", created, "else:", created, f"t = {LOAD}", *store("t")]
    assert blocks(*body, "c = pl.write(c, [0, 0], 1.0)", *store("c")) == 1


def test_no_memory_is_smaller_than_a_tile_that_is_created_in_it():
    """Nothing works on c, so it needs no bytes at any time; but it has to have a place: 1 block."""
    found = usage("c = pl.create_tile([64, 64], dtype=pl.FP32)")
    assert (found.peak, [buffer.value.name for buffer in found.at_peak]) == (BLOCK, ["c"])


# Tiles that share storage


def test_a_tile_that_is_written_to_stays_itself():
    """pl.write changes t itself in one arm, so r is t either way, and v a view of it: 1 block."""
    body = [
        f"t = {LOAD}",
        "v = pl.slice(t, [64, 64], [0, 0])",
        "r = t",
        "if n > 0:",
        "    r = pl.write(r, [0, 0], 1.0)",
    ]
    assert blocks(*body, *store("r", "v")) == 1


def test_tiles_of_one_declared_allocation_are_one_buffer_of_the_largest():
    """a (1/4 block) and b (1 block) declare one allocation and are live at once: 1 block."""
    tile = "pl.Tile[[{0}, 64], pl.FP32, pl.MemRef('shared')] = pl.load(x, [0, 0], [{0}, 64])"
    body = [f"a: {tile.format(16)}", f"b: {tile.format(64)}", *store("a", "b")]
    found = usage(*body)
    assert (found.total, found.peak, [buffer.value.name for buffer in found.at_peak]) == (BLOCK, BLOCK, ["b"])


def test_a_declared_allocation_is_needed_while_any_of_its_tiles_is():
    """a (in the allocation) is gone when u and v are there (2 blocks), and u and v when b is: 2 blocks, not 3."""
    tile = f"pl.Tile[[64, 64], pl.FP32, pl.MemRef('shared')] = {LOAD}"
    body = [f"a: {tile}", *store("a"), f"u = {LOAD}", f"v = {LOAD}", *store("u", "v"), f"b: {tile}", *store("b")]
    assert blocks(*body) == 2


def test_a_declared_allocation_beside_others():
    """a is still read when u is loaded: 2 blocks. b is in a's allocation: no third one."""
    tile = f"pl.Tile[[64, 64], pl.FP32, pl.MemRef('shared')] = {LOAD}"
    assert blocks(f"a: {tile}", f"u = {LOAD}", f"b: {tile}", *store("a", "u", "b")) == 2


def test_a_tile_that_is_returned_is_there_until_the_end():
    @pl.program
    class Program:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]
        ) -> pl.Tile[[64, 64], pl.FP32]:
            t = pl.load(x, [0, 0], [64, 64])
            u = pl.load(x, [0, 0], [64, 64])
            pl.store(u, [0, 0], out)
            return t

    assert memory_usage(Program.lower(target=None).functions["kernel"])[MemorySpace.Vec].peak == 2 * BLOCK


def test_all_results_of_a_call_are_there_at_once():
    """found ([64, 8] INT32, 2048 bytes) and count ([1, 64], 256 bytes) are made by one call beside t and its two
    others, also where nobody reads one of them."""
    body = [f"t = {LOAD}", 'found, count = pl.tile.gather_compare(t, 1.0, t, cmp_mode="eq", out_cols=8)']
    peak = usage(*body)
    assert {buffer.value.name for buffer in peak.at_peak} == {"t", "found", "count"}
