"""StructureControlFlow: what is written with break and continue is what is written without."""

from __future__ import annotations

import pytest

from pypto_lite import ir, passes
from pypto_lite.diagnostics import UserError
from tests.passes.hand_built import (
    BOOL,
    FOUR,
    INT32,
    ONE,
    TRUE,
    ZERO,
    block,
    branch,
    call,
    function,
    kernel,
    less,
    line,
    load,
    loop,
    plus,
    program,
    scalar,
    tensor,
    tile,
    var,
)
from tests.passes.natural_python import TILES, assert_same
from tests.passes.scalar_evaluator import evaluate


def structured(before: ir.Program) -> ir.Program:
    after = passes.structure_control_flow()(before)
    assert not passes.verify(after, {passes.StructuredCtrlFlow, passes.BreakContinueValid})
    assert passes.structure_control_flow()(after) is after
    return after


def note(value: ir.Expr) -> ir.Evaluate:
    return ir.Evaluate(call("test.note", value))


def refusal(before: ir.Program) -> UserError:
    with pytest.raises(UserError) as caught:
        passes.structure_control_flow().run(before)
    return caught.value


# continue


def test_continue_puts_the_rest_of_the_body_under_a_branch() -> None:
    assert_same(
        """
        for i in pl.range(4):
            if i == n:
                continue
            self.note(i)
        return m
        """,
        """
        for i in pl.range(4):
            if not i == n:
                self.note(i)
        return m
        """,
    )


def test_the_rest_of_the_body_moves_into_the_other_arm() -> None:
    assert_same(
        """
        for i in pl.range(4):
            if i == n:
                self.note(n)
                continue
            self.note(i)
        return m
        """,
        """
        for i in pl.range(4):
            if i == n:
                self.note(n)
            else:
                self.note(i)
        return m
        """,
    )


def test_the_rest_of_the_body_follows_what_the_other_arm_has() -> None:
    assert_same(
        """
        for i in pl.range(4):
            if i == n:
                self.note(n)
            else:
                self.note(m)
                continue
            self.note(i)
        return m
        """,
        """
        for i in pl.range(4):
            if i == n:
                self.note(n)
                self.note(i)
            else:
                self.note(m)
        return m
        """,
    )


def test_a_branch_that_may_continue_and_may_go_on_in_the_same_arm_sets_a_flag() -> None:
    assert_same(
        """
        for i in pl.range(4):
            if i == n:
                if i == m:
                    continue
                self.note(n)
            self.note(i)
        return m
        """,
        """
        for i in pl.range(4):
            continued = False
            if i == n:
                if i == m:
                    continued = True
                else:
                    self.note(n)
            if not continued:
                self.note(i)
        return m
        """,
    )


def test_continue_in_a_while_loop() -> None:
    assert_same(
        """
        k = n
        while k > 0:
            k = k - 1
            if k == m:
                continue
            self.note(k)
        return m
        """,
        """
        k = n
        while k > 0:
            k = k - 1
            if not k == m:
                self.note(k)
        return m
        """,
    )


@pytest.mark.parametrize("kind", ["parallel", "pipeline", "unroll"])
def test_continue_in_other_kinds_of_loops(kind: str) -> None:
    assert_same(
        f"""
        for i in pl.{kind}(4):
            if i == n:
                continue
            self.note(i)
        return m
        """,
        f"""
        for i in pl.{kind}(4):
            if not i == n:
                self.note(i)
        return m
        """,
    )


def test_a_negated_condition_loses_its_not() -> None:
    assert_same(
        """
        for i in pl.range(4):
            if not i == n:
                continue
            self.note(i)
        return m
        """,
        """
        for i in pl.range(4):
            if i == n:
                self.note(i)
        return m
        """,
    )


def test_a_branch_of_which_nothing_is_left_disappears_with_its_comments_kept() -> None:
    leaving = branch(less(ZERO, var("n")), block(ir.Continue(comments=("# never mind",)))).replace(
        comments=("# nothing to do",)
    )
    after = structured(kernel(loop(var("i"), block(note(ONE), leaving)), params=()))
    (made,) = after.functions["kernel"].body.statements
    assert isinstance(made, ir.For)
    assert len(made.body.statements) == 1
    assert made.body.trailing_comments == ("# nothing to do", "# never mind")


def test_a_condition_with_a_call_is_still_evaluated() -> None:
    leaving = branch(call("test.note", ONE, result=scalar(BOOL)), block(ir.Continue()))
    after = structured(kernel(loop(var("i"), block(leaving))))
    (made,) = after.functions["kernel"].body.statements
    assert isinstance(made, ir.For)
    (kept,) = made.body.statements
    assert isinstance(kept, ir.If)
    assert kept.then_body.statements == ()


# break


def test_a_loop_with_break_counts_by_itself() -> None:
    assert_same(
        """
        for i in pl.range(m):
            if i == n:
                break
            self.note(i)
        return m
        """,
        """
        broken = False
        i = 0
        while not broken and i < m:
            if i == n:
                broken = True
            else:
                self.note(i)
            i = i + 1
        return m
        """,
    )


def test_a_loop_with_a_negative_step_counts_down() -> None:
    assert_same(
        """
        for i in pl.range(m, 0, -2):
            if i == n:
                break
            self.note(i)
        return m
        """,
        """
        broken = False
        i = m
        while not broken and i > 0:
            if i == n:
                broken = True
            else:
                self.note(i)
            i = i + -2
        return m
        """,
    )


def test_a_step_that_is_known_at_run_time_only_counts_in_either_direction() -> None:
    assert_same(
        """
        for i in pl.range(0, 8, n):
            if i == m:
                break
            self.note(i)
        return m
        """,
        """
        broken = False
        i = 0
        while not broken and (n > 0 and i < 8 or n < 0 and i > 8):
            if i == m:
                broken = True
            else:
                self.note(i)
            i = i + n
        return m
        """,
    )


def test_bounds_are_evaluated_once() -> None:
    assert_same(
        """
        stop = n
        for i in pl.range(stop * 2):
            stop = stop - 1
            if stop == m:
                break
        return stop
        """,
        """
        stop = n
        broken = False
        i_stop = stop * 2
        i = 0
        while not broken and i < i_stop:
            stop = stop - 1
            if stop == m:
                broken = True
            i = i + 1
        return stop
        """,
    )


def test_break_in_a_while_loop() -> None:
    assert_same(
        """
        k = n
        while k > 0:
            if k == m:
                break
            k = k - 1
        return k
        """,
        """
        k = n
        broken = False
        while not broken and k > 0:
            if k == m:
                broken = True
            else:
                k = k - 1
        return k
        """,
    )


def test_an_endless_loop_ends_by_its_break_alone() -> None:
    assert_same(
        """
        k = n
        while True:
            k = k - 1
            if k == m:
                break
        return k
        """,
        """
        k = n
        broken = False
        while not broken:
            k = k - 1
            if k == m:
                broken = True
        return k
        """,
    )


def test_break_and_continue_behind_one_branch() -> None:
    assert_same(
        """
        for i in pl.range(4):
            if i == n:
                if i == m:
                    break
                if n == m:
                    continue
                self.note(n)
            self.note(i)
        return m
        """,
        """
        broken = False
        i = 0
        while not broken and i < 4:
            continued = False
            if i == n:
                if i == m:
                    broken = True
                else:
                    if n == m:
                        continued = True
                    else:
                        self.note(n)
            if not (broken or continued):
                self.note(i)
            i = i + 1
        return m
        """,
    )


def test_both_arms_break() -> None:
    assert_same(
        """
        x = n
        for i in pl.range(4):
            if i == n:
                x = m
                break
            else:
                x = i
                break
        return x
        """,
        """
        x = n
        broken = False
        i = 0
        while not broken and i < 4:
            if i == n:
                x = m
                broken = True
            else:
                x = i
                broken = True
            i = i + 1
        return x
        """,
    )


def test_break_leaves_the_innermost_loop() -> None:
    assert_same(
        """
        for i in pl.range(4):
            for j in pl.range(4):
                if j == n:
                    break
                self.note(j)
            self.note(i)
        return m
        """,
        """
        for i in pl.range(4):
            broken = False
            j = 0
            while not broken and j < 4:
                if j == n:
                    broken = True
                else:
                    self.note(j)
                j = j + 1
            self.note(i)
        return m
        """,
    )


@pytest.mark.parametrize("kind", ["pipeline", "unroll"])
def test_other_kinds_of_loops_keep_their_iterations(kind: str) -> None:
    assert_same(
        f"""
        for i in pl.{kind}(4):
            if i == n:
                break
            self.note(i)
        return m
        """,
        f"""
        broken = False
        for index in pl.{kind}(4):
            if not broken:
                i = index
                if i == n:
                    broken = True
                else:
                    self.note(i)
        return m
        """,
    )


def test_a_loop_with_attributes_keeps_them() -> None:
    leaving = loop(var("i"), block(ir.Break()), attrs={"chunk": 2}, comments=("# rows",))
    after = structured(kernel(leaving))
    first, made = after.functions["kernel"].body.statements
    assert first.comments == ("# rows",)
    assert isinstance(made, ir.For)
    assert made.attrs == {"chunk": 2}


def test_the_loop_variable_keeps_the_value_at_the_break() -> None:
    index = var("i")
    before = function(
        ir.Assign(index, FOUR),
        loop(index, block(branch(less(ONE, index), block(ir.Break())), ir.Assign(index, ir.index_const(9)))),
        ir.Return((index,)),
        returns=(scalar(),),
    )
    assert evaluate(before, ())[0] == [2]
    after = structured(program(before))
    assert evaluate(after.functions["kernel"], ())[0] == [2]
    assert evaluate(passes.convert_to_ssa()(after).functions["kernel"], ())[0] == [2]


def test_bounds_of_another_integer_type_are_converted() -> None:
    index, stop = var("i", scalar(INT32)), var("stop", scalar(INT32))
    leaving = loop(index, block(branch(TRUE, block(ir.Break()))), stop=stop)
    after = passes.convert_to_ssa()(structured(kernel(leaving, params=(stop,))))
    assert not passes.verify(after, {passes.TypeChecked})


def test_nothing_runs_after_a_break() -> None:
    x = var("x")
    before = function(
        ir.Assign(x, ZERO),
        loop(var("i"), block(ir.Assign(x, plus(x, ONE)), ir.Break(), note(x))),
        ir.Return((x,)),
        returns=(scalar(),),
    )
    after = structured(program(before)).functions["kernel"]
    assert evaluate(after, ()) == ([1], [])


# Written carries and results


def test_a_written_carry_keeps_what_was_yielded_last_where_the_body_is_left() -> None:
    assert_same(
        """
        for i, (x,) in pl.range(4, init_values=(n,)):
            if i == m:
                continue
            r = pl.yield_(x + i)
        return r
        """,
        """
        for i, (x,) in pl.range(4, init_values=(n,)):
            kept = x
            if not i == m:
                kept = x + i
            r = pl.yield_(kept)
        return r
        """,
    )


def test_a_written_carry_that_was_bound_again_still_keeps_what_was_yielded_last() -> None:
    assert_same(
        """
        for i, (x,) in pl.range(4, init_values=(n,)):
            x = x * 2
            if i == m:
                break
            r = pl.yield_(x + i)
        return r
        """,
        """
        broken = False
        i = 0
        for x, in pl.while_(init_values=(n,)):
            pl.cond(not broken and i < 4)
            kept = x
            x = x * 2
            if i == m:
                broken = True
            else:
                kept = x + i
            i = i + 1
            r = pl.yield_(kept)
        return r
        """,
    )


def test_a_written_result_of_a_branch_that_is_left_in_one_arm() -> None:
    assert_same(
        """
        for i in pl.range(4):
            if i == n:
                self.note(n)
                continue
            else:
                x = i + 1
            self.note(x)
        return m
        """,
        """
        for i in pl.range(4):
            if i == n:
                self.note(n)
            else:
                x = i + 1
                self.note(x)
        return m
        """,
    )


def test_yielded_values_are_read_before_results_are_assigned() -> None:
    x, y, c = var("x"), var("y"), var("c", scalar(BOOL))
    swapping = branch(
        c,
        block(branch(c, block(branch(c, block(), block(ir.Continue())))), ir.Yield((y, x))),
        block(ir.Yield((x, y))),
        x,
        y,
    )
    before = function(
        ir.Assign(x, ONE),
        ir.Assign(y, FOUR),
        loop(var("i"), block(swapping), stop=ONE),
        ir.Return((x, y)),
        params=(c,),
        returns=(scalar(), scalar()),
    )
    after = structured(program(before)).functions["kernel"]
    assert evaluate(after, (True,))[0] == evaluate(before, (True,))[0] == [4, 1]


# Variables that get their first value in a statement that may be left


def test_a_scalar_starts_from_zero() -> None:
    assert_same(
        """
        for i in pl.range(4):
            if i == n:
                if i == m:
                    continue
                x = 1
            else:
                x = i
            self.note(x)
        return m
        """,
        """
        for i in pl.range(4):
            continued = False
            x = 0
            if i == n:
                if i == m:
                    continued = True
                else:
                    x = 1
            else:
                x = i
            if not continued:
                self.note(x)
        return m
        """,
    )


def test_a_tile_is_not_made_up_but_the_rest_is_copied() -> None:
    assert_same(
        """
        for i in pl.range(4):
            if i == n:
                if n == 2:
                    continue
                t = pl.load(a, [0, 0], [16, 128])
            else:
                t = pl.load(a, [16, 0], [16, 128])
            pl.store(t, [0, 0], out)
        return out
        """,
        """
        for i in pl.range(4):
            if i == n:
                if not n == 2:
                    t = pl.load(a, [0, 0], [16, 128])
                    pl.store(t, [0, 0], out)
            else:
                t = pl.load(a, [16, 0], [16, 128])
                pl.store(t, [0, 0], out)
        return out
        """,
        TILES,
    )


def test_a_tile_that_had_a_value_before_needs_no_copies() -> None:
    assert_same(
        """
        t = pl.load(a, [32, 0], [16, 128])
        for i in pl.range(4):
            if i == n:
                if n == 2:
                    continue
                t = pl.load(a, [0, 0], [16, 128])
            pl.store(t, [0, 0], out)
        return out
        """,
        """
        t = pl.load(a, [32, 0], [16, 128])
        for i in pl.range(4):
            continued = False
            if i == n:
                if n == 2:
                    continued = True
                else:
                    t = pl.load(a, [0, 0], [16, 128])
            if not continued:
                pl.store(t, [0, 0], out)
        return out
        """,
        TILES,
    )


def test_too_many_copies_are_refused() -> None:
    a, c = var("a", tensor(16, 128)), var("c", scalar(BOOL))
    statements: list[ir.Stmt] = []
    for number in range(7):
        t = var(f"t{number}", tile(16, 128))
        assign = ir.Assign(t, load(a))
        leaves = branch(c, block(branch(c, block(ir.Continue())), assign), block(assign))
        statements += [leaves.replace(span=line(number + 2)), ir.Evaluate(call("test.note", t))]
    error = refusal(kernel(loop(var("i"), block(*statements)), params=(a, c)))
    assert (error.code, error.span.line) == ("PL307", 8)


# Scopes


def test_a_scope_that_may_be_left() -> None:
    c, x = var("c", scalar(BOOL)), var("x")
    inside = block(branch(c, block(ir.Continue())), ir.Assign(x, ONE))
    scope = ir.Scope(ir.ScopeKind.Runtime, (), {}, None, inside)
    before = function(loop(var("i"), block(scope, note(x))), params=(c,))
    after = structured(program(before))
    for value in (True, False):
        assert evaluate(after.functions["kernel"], (value,)) == evaluate(before, (value,))
    ssa = passes.convert_to_ssa()(after)
    assert evaluate(ssa.functions["kernel"], (False,)) == evaluate(before, (False,))


def test_continue_ends_a_block_of_an_spmd_loop() -> None:
    c, index = var("c", scalar(BOOL)), var("i")
    spmd = ir.Scope(ir.ScopeKind.Spmd, (FOUR,), {}, index, block(branch(c, block(ir.Continue())), note(index)))
    after = structured(kernel(loop(var("j"), block(spmd)), params=(c,)))
    (made,) = after.functions["kernel"].body.statements
    assert isinstance(made, ir.For)
    (scope,) = made.body.statements
    assert isinstance(scope, ir.Scope)
    (guarded,) = scope.body.statements
    assert isinstance(guarded, ir.If)


# What is kept, and what is refused


def test_a_program_without_break_and_continue_stays_the_same_object() -> None:
    before = kernel(loop(var("i"), block(note(ONE))))
    assert passes.structure_control_flow()(before) is before


def test_functions_and_loops_that_nothing_leaves_stay_the_same_objects() -> None:
    kept = loop(var("i"), block(note(ONE)))
    other = function(note(FOUR), name="other")
    before = program(function(kept, loop(var("j"), block(ir.Break()))), other)
    after = structured(before)
    assert after.functions["other"] is other
    assert after.functions["kernel"].body.statements[0] is kept


def test_comments_in_front_of_a_break_go_to_what_takes_its_place() -> None:
    leaving = branch(TRUE, block(ir.Break(comments=("# found",))))
    after = structured(kernel(loop(var("i"), block(leaving))))
    (flag,) = [
        each
        for each in ir.walk(after)
        if isinstance(each, ir.Assign) and isinstance(each.value, ir.Const) and each.value.value is True
    ]
    assert flag.comments == ("# found",)


@pytest.mark.parametrize("statement", [ir.Break(line(3)), ir.Continue(line(3))])
def test_outside_a_loop(statement: ir.Stmt) -> None:
    before = kernel(branch(TRUE, block(statement)), loop(var("i"), block(ir.Break())))
    error = refusal(before)
    assert (error.code, error.span.line) == ("PL306", 3)


def test_break_in_a_parallel_loop() -> None:
    leaving = branch(TRUE, block(ir.Break(line(3))))
    error = refusal(kernel(loop(var("i"), block(leaving), kind=ir.ForKind.Parallel, span=line(2))))
    assert (error.code, error.span.line) == ("PL307", 3)
    assert [note.span.line for note in error.diagnostics[0].notes] == [2]


def test_break_in_an_spmd_loop() -> None:
    spmd = ir.Scope(ir.ScopeKind.Spmd, (FOUR,), {}, var("i"), block(ir.Break(line(3))), line(2))
    error = refusal(kernel(loop(var("j"), block(spmd))))
    assert (error.code, error.span.line) == ("PL307", 3)


# Cost


def test_forty_nested_loops_with_breaks() -> None:
    c = var("c", scalar(BOOL))
    inner: ir.Stmt = note(ONE)
    for depth in range(40):
        inner = loop(var(f"i{depth}"), block(branch(c, block(ir.Break())), inner))
    after = structured(kernel(inner, params=(c,)))
    assert sum(isinstance(node, ir.While) for node in ir.walk(after)) == 40


def test_the_result_grows_with_the_program() -> None:
    def size(count: int) -> int:
        c = var("c", scalar(BOOL))
        inner = [branch(c, block(note(ONE), ir.Continue())), note(FOUR), branch(c, block(ir.Break())), note(ZERO)]
        after = structured(kernel(*[loop(var("i"), block(*inner)) for _ in range(count)], params=(c,)))
        return sum(1 for _ in ir.walk(after))

    assert size(4_000) - size(3_000) == size(2_000) - size(1_000)


def test_a_body_that_gets_nested_too_deep_is_refused() -> None:
    index = var("i")
    body = [each for _ in range(100) for each in (branch(less(index, ONE), block(ir.Continue())), note(index))]
    error = refusal(kernel(loop(index, block(*body))))
    assert error.code == "PL312"


def test_guards_that_would_be_nested_too_deep_become_one() -> None:
    index = var("i")
    conditions = [less(index, ir.index_const(number)) for number in range(100)]
    body = [*[branch(condition, block(ir.Continue())) for condition in conditions], note(index)]
    after = structured(kernel(loop(index, block(*body))))
    branches = [node for node in ir.walk(after) if isinstance(node, ir.If)]
    found = [node for node in ir.walk(after) if isinstance(node, ir.Binary) and node.operator == "<"]
    assert len(branches) == 2
    assert found == conditions
