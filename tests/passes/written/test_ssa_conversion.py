"""ConvertToSSA: what is written with names that are bound again is what is written with carries and results."""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.analysis.def_use_events import DefUseEvents, count_definitions
from pypto_lite.analysis.liveness import find_joins
from pypto_lite.diagnostics import UserError
from tests.passes.hand_built import (
    BOOL,
    FOUR,
    ONE,
    TRUE,
    ZERO,
    add,
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
from tests.passes.natural_python import TILES, assert_same, parsed


def converted(before: ir.Program) -> ir.Program:
    """The program in SSA form, with everything checked that holds of it then."""
    after = passes.convert_to_ssa()(before)
    properties = {passes.SSAForm, passes.UseAfterDef, passes.TypeChecked}
    findings = passes.verify(after, properties)
    assert not findings, "\n".join(map(str, findings))
    assert passes.convert_to_ssa()(after) is after
    return after


def body(made: ir.Program) -> tuple[ir.Stmt, ...]:
    return made.functions["kernel"].body.statements


def refusal(before: ir.Program) -> UserError:
    with pytest.raises(UserError) as caught:
        passes.convert_to_ssa()(before)
    return caught.value


# Loops


def test_a_variable_that_an_iteration_reads_and_assigns_is_carried() -> None:
    assert_same(
        """
        total = n
        for i in pl.range(4):
            total = total + i
        return total
        """,
        """
        total = n
        for i, (t,) in pl.range(4, init_values=(total,)):
            s = t + i
            r = pl.yield_(s)
        return r
        """,
    )


def test_a_variable_that_is_only_read_after_the_loop_is_carried() -> None:
    assert_same(
        """
        last = n
        for i in pl.range(m):
            last = i * 2
        return last
        """,
        """
        last = n
        for i, (c,) in pl.range(m, init_values=(last,)):
            s = i * 2
            r = pl.yield_(s)
        return r
        """,
    )


def test_a_variable_that_nothing_reads_later_is_not_carried() -> None:
    assert_same(
        """
        t = n + 1
        self.note(t)
        for i in pl.range(4):
            t = i * 2
            self.note(t)
        return n
        """,
        """
        t = n + 1
        self.note(t)
        for i in pl.range(4):
            u = i * 2
            self.note(u)
        return n
        """,
    )


def test_a_variable_that_is_assigned_again_after_the_loop_is_not_carried() -> None:
    assert_same(
        """
        t = n
        self.note(t)
        for i in pl.range(4):
            t = i * 2
            self.note(t)
        t = m + 1
        return t
        """,
        """
        t = n
        self.note(t)
        for i in pl.range(4):
            u = i * 2
            self.note(u)
        v = m + 1
        return v
        """,
    )


def test_only_the_loops_that_need_it_carry() -> None:
    assert_same(
        """
        t = n
        total = m
        for i in pl.range(4):
            t = i
            for j in pl.range(3):
                t = t + j
                total = total + t
        return total
        """,
        """
        t = n
        total = m
        for i, (total1,) in pl.range(4, init_values=(total,)):
            t1 = i
            for j, (t2, total2) in pl.range(3, init_values=(t1, total1)):
                t3 = t2 + j
                total3 = total2 + t3
                t4, total4 = pl.yield_(t3, total3)
            total5 = pl.yield_(total4)
        return total5
        """,
    )


def test_carries_follow_in_the_order_of_their_first_assignment() -> None:
    made = parsed(
        """
        x = n
        y = n
        z = n
        for i in pl.range(4):
            z = x + 1
            x = y + 1
            y = z + 1
        return x + y + z
        """
    )
    (loop_,) = [each for each in made.functions["f"].body.statements if isinstance(each, ir.For)]
    assert [carry.name for carry in loop_.carries] == ["z", "x", "y"]


def test_a_parameter_can_be_bound_again() -> None:
    assert_same(
        """
        for i in pl.range(4):
            n = n + i
        return n
        """,
        """
        for i, (c,) in pl.range(4, init_values=(n,)):
            s = c + i
            r = pl.yield_(s)
        return r
        """,
    )


def test_a_while_loop_carries_what_its_condition_reads() -> None:
    assert_same(
        """
        k = n
        while k > 0:
            k = k - m
        return m
        """,
        """
        k = n
        for c, in pl.while_(init_values=(k,)):
            pl.cond(c > 0)
            s = c - m
            r = pl.yield_(s)
        return m
        """,
    )


def test_a_swap_through_a_temporary() -> None:
    assert_same(
        """
        x = n
        y = m
        for i in pl.range(4):
            t = x
            x = y
            y = t
        return x - y
        """,
        """
        x = n
        y = m
        for i, (x1, y1) in pl.range(4, init_values=(x, y)):
            t = x1
            x2 = y1
            y2 = t
            xr, yr = pl.yield_(x2, y2)
        return xr - yr
        """,
    )


def test_an_alias_keeps_the_value_that_it_was_given() -> None:
    assert_same(
        """
        x = n
        for i in pl.range(4):
            y = x
            x = x + 1
            self.note(y)
        return x
        """,
        """
        x = n
        for i, (c,) in pl.range(4, init_values=(x,)):
            y = c
            s = c + 1
            self.note(y)
            r = pl.yield_(s)
        return r
        """,
    )


# Branches


def test_a_variable_that_both_arms_give_a_first_value_is_a_result() -> None:
    assert_same(
        """
        if n > 0:
            x = n
        else:
            x = m
        return x
        """,
        """
        if n > 0:
            x1 = n
            x = pl.yield_(x1)
        else:
            x2 = m
            x = pl.yield_(x2)
        return x
        """,
    )


def test_an_arm_that_does_not_assign_a_variable_yields_what_it_had() -> None:
    assert_same(
        """
        x = n
        if n > 0:
            x = m
        return x
        """,
        """
        x = n
        if n > 0:
            x1 = m
            r = pl.yield_(x1)
        else:
            r = pl.yield_(x)
        return r
        """,
    )


def test_a_variable_that_nothing_reads_after_the_branch_is_no_result() -> None:
    assert_same(
        """
        x = n
        if n > 0:
            x = m
            self.note(x)
        return n
        """,
        """
        x = n
        if n > 0:
            y = m
            self.note(y)
        return n
        """,
    )


def test_what_the_other_arm_reads_is_not_live_in_this_one() -> None:
    assert_same(
        """
        x = n
        if n > 0:
            for i in pl.range(4):
                x = i
                self.note(x)
        else:
            self.note(x)
        return n
        """,
        """
        x = n
        if n > 0:
            for i in pl.range(4):
                y = i
                self.note(y)
        else:
            self.note(x)
        return n
        """,
    )


def test_branches_in_branches() -> None:
    assert_same(
        """
        x = n
        if n > 0:
            if m > 0:
                x = x + 1
        else:
            x = m
        return x
        """,
        """
        x = n
        if n > 0:
            if m > 0:
                x1 = x + 1
                x2 = pl.yield_(x1)
            else:
                x2 = pl.yield_(x)
            r = pl.yield_(x2)
        else:
            x3 = m
            r = pl.yield_(x3)
        return r
        """,
    )


def test_a_variable_that_the_second_arm_joins_and_binds_again() -> None:
    assert_same(
        """
        if n > 0:
            x = n
        else:
            if m > 0:
                x = m
            else:
                x = n + m
            x = x + 1
        return x
        """,
        """
        if n > 0:
            x1 = n
            x = pl.yield_(x1)
        else:
            if m > 0:
                x2 = m
                x3 = pl.yield_(x2)
            else:
                x4 = n + m
                x3 = pl.yield_(x4)
            x5 = x3 + 1
            x = pl.yield_(x5)
        return x
        """,
    )


# Both spellings in one program


def test_written_carries_come_before_those_that_are_found() -> None:
    assert_same(
        """
        x = n
        for i, (c,) in pl.range(4, init_values=(m,)):
            x = x + c
            r = pl.yield_(c + i)
        return x + r
        """,
        """
        x = n
        for i, (c, x1) in pl.range(4, init_values=(m, x)):
            x2 = x1 + c
            r, xr = pl.yield_(c + i, x2)
        return xr + r
        """,
    )


def test_a_written_carry_can_be_bound_again() -> None:
    assert_same(
        """
        for i, (c,) in pl.range(4, init_values=(m,)):
            if i > n:
                c = c * 2
            r = pl.yield_(c)
        return r
        """,
        """
        for i, (c,) in pl.range(4, init_values=(m,)):
            if i > n:
                c1 = c * 2
                c2 = pl.yield_(c1)
            else:
                c2 = pl.yield_(c)
            r = pl.yield_(c2)
        return r
        """,
    )


def test_a_written_result_beside_one_that_is_found() -> None:
    assert_same(
        """
        x = n
        if n > 0:
            x = m
            y = pl.yield_(x + 1)
        else:
            y = pl.yield_(n)
        return x + y
        """,
        """
        x = n
        if n > 0:
            x1 = m
            y, xr = pl.yield_(x1 + 1, x1)
        else:
            y, xr = pl.yield_(n, x)
        return xr + y
        """,
    )


def test_a_while_loop_with_written_carries_and_others() -> None:
    assert_same(
        """
        x = n
        for k, in pl.while_(init_values=(m,)):
            pl.cond(k + x > 0)
            x = x - 2
            r = pl.yield_(k - 1)
        return x + r
        """,
        """
        x = n
        for k, x1 in pl.while_(init_values=(m, x)):
            pl.cond(k + x1 > 0)
            x2 = x1 - 2
            r, xr = pl.yield_(k - 1, x2)
        return xr + r
        """,
    )


def test_a_result_can_have_the_name_of_a_variable_that_its_loop_assigns() -> None:
    x, carry, index = var("x"), var("c"), var("i")
    before = kernel(
        ir.Assign(x, ONE),
        loop(index, block(ir.Assign(x, plus(x, carry)), ir.Yield((x,))), (ZERO,), (carry,), (x,)),
        ir.Return((x,)),
        returns=(scalar(),),
    )
    (_, made, returned) = body(converted(before))
    assert isinstance(made, ir.For)
    assert isinstance(returned, ir.Return)
    assert len(made.results) == 2
    assert returned.values == (made.results[0],)


def test_a_while_carry_holds_the_result_after_the_loop() -> None:
    x = var("x")
    before = kernel(
        ir.Assign(x, ONE),
        ir.While(less(x, FOUR), (x,), (x,), block(ir.Yield((plus(x, ONE),))), (var("r"),)),
        ir.Return((x,)),
        returns=(scalar(),),
    )
    (_, made, returned) = body(converted(before))
    assert isinstance(made, ir.While)
    assert isinstance(returned, ir.Return)
    assert returned.values == made.results


def test_a_loop_variable_that_is_a_variable_outside_is_carried() -> None:
    index = var("i")
    before = kernel(ir.Assign(index, FOUR), loop(index, block()), ir.Return((index,)), returns=(scalar(),))
    (first, made, returned) = body(converted(before))
    assert isinstance(first, ir.Assign)
    assert isinstance(made, ir.For)
    assert made.inits == (first.var,)
    assert isinstance(made.body.statements[-1], ir.Yield)
    assert made.body.statements[-1].values == (made.var,)
    assert isinstance(returned, ir.Return)
    assert returned.values == made.results


def test_a_yield_at_the_end_of_a_block_in_the_body_is_the_bodys() -> None:
    x, carry = var("x"), var("c")
    before = kernel(
        ir.Assign(x, ONE),
        loop(var("i"), block(block(ir.Assign(x, plus(x, ONE)), ir.Yield((carry,)))), (ZERO,), (carry,), (var("r"),)),
        ir.Return((x,)),
        returns=(scalar(),),
    )
    (_, made, _) = body(converted(before))
    assert isinstance(made, ir.For)
    assert isinstance(made.body.statements[-1], ir.Block)
    final = made.body.statements[-1].statements[-1]
    assert isinstance(final, ir.Yield)
    assert len(final.values) == 2


# Scopes


def test_the_body_of_a_scope_shares_the_variables_around_it() -> None:
    assert_same(
        """
        x = n
        with pl.scope():
            x = x + 1
            y = x
        return x + y
        """,
        """
        x = n
        with pl.scope():
            x1 = x + 1
            y = x1
        return x1 + y
        """,
    )


def test_expressions_in_the_keywords_of_a_scope_are_renamed() -> None:
    x, y = var("x"), var("y")
    before = kernel(
        ir.Assign(x, ONE),
        branch(TRUE, block(ir.Assign(x, FOUR))),
        ir.Scope(ir.ScopeKind.Spmd, (x,), {"core_num": x, "name": "s"}, y, block(ir.Assign(x, plus(x, y)))),
        ir.Return((x,)),
        returns=(scalar(),),
    )
    (_, chosen, scope, returned) = body(converted(before))
    assert isinstance(chosen, ir.If)
    assert isinstance(scope, ir.Scope)
    assert scope.args == chosen.results
    assert scope.keywords == {"core_num": chosen.results[0], "name": "s"}
    assert isinstance(returned, ir.Return)
    (assigned,) = scope.body.statements
    assert returned.values == assigned.definitions()


# Types


def test_a_memory_space_never_keeps_values_apart() -> None:
    made = assert_same(
        """
        t = pl.load(a, [0, 0], [16, 128], target_memory=pl.MemorySpace.Mat)
        if n > 0:
            t = pl.load(a, [16, 0], [16, 128], target_memory=pl.MemorySpace.Vec)
        return pl.store(t, [0, 0], out)
        """,
        """
        t = pl.load(a, [0, 0], [16, 128], target_memory=pl.MemorySpace.Mat)
        if n > 0:
            t1 = pl.load(a, [16, 0], [16, 128], target_memory=pl.MemorySpace.Vec)
            r = pl.yield_(t1)
        else:
            r = pl.yield_(t)
        return pl.store(r, [0, 0], out)
        """,
        TILES,
    )
    (chosen,) = [each for each in made.functions["f"].body.statements if isinstance(each, ir.If)]
    (result,) = chosen.results
    assert isinstance(result.type, ir.TileType)
    assert result.type.space is None


def test_each_definition_has_the_type_of_its_value() -> None:
    x, index = var("x", tile(16, 128)), var("i")
    source = var("a", tensor(16, 128))
    vec, acc = tile(16, 128, space=ir.MemorySpace.Vec), tile(16, 128, space=ir.MemorySpace.Acc)
    before = kernel(
        ir.Assign(x, load(source, vec)),
        loop(index, block(ir.Assign(x, load(source, acc)))),
        ir.Evaluate(call("tile.store", x)),
        params=(source,),
    )
    (first, made, _) = body(passes.convert_to_ssa()(before))
    assert isinstance(first, ir.Assign)
    assert isinstance(made, ir.For)
    (inner, _) = made.body.statements
    assert isinstance(inner, ir.Assign)
    assert (first.var.type, inner.var.type) == (vec, acc)
    assert made.carries[0].type == made.results[0].type == vec


def test_a_type_mentions_the_value_that_an_extent_had_at_the_definition() -> None:
    made = assert_same(
        """
        rows = n
        t = pl.load(a, [0, 0], [16, 128], valid_shape=[rows, 128])
        for i in pl.range(4):
            rows = rows - 1
            u = pl.add(t, t)
            pl.store(u, [0, 0], out)
        self.note(rows)
        return out
        """,
        """
        rows = n
        t = pl.load(a, [0, 0], [16, 128], valid_shape=[rows, 128])
        for i, (rows1,) in pl.range(4, init_values=(rows,)):
            rows2 = rows1 - 1
            u = pl.add(t, t)
            pl.store(u, [0, 0], out)
            rows3 = pl.yield_(rows2)
        self.note(rows3)
        return out
        """,
        TILES,
    )
    assert not passes.verify(made, {passes.TypeChecked, passes.UseAfterDef})


def test_an_extent_that_both_arms_assign_is_the_result_in_the_type_of_a_joined_tile() -> None:
    a, n, c = var("a", tensor(16, 128)), var("n"), var("c", scalar(BOOL))
    rows = var("rows")
    loaded = tile(16, 128, valid=(rows, 128))
    t = var("t", loaded)
    shape = ir.make_tuple([16, 128])

    def load_rows() -> ir.Call:
        offsets, valid = ir.make_tuple([0, 0]), ir.make_tuple([rows, 128])
        return call("tile.load", a, offsets, shape, valid, result=loaded)

    before = kernel(
        branch(
            c,
            block(ir.Assign(rows, n), ir.Assign(t, load_rows())),
            block(ir.Assign(rows, FOUR), ir.Assign(t, load_rows())),
        ),
        ir.Assign(var("u", loaded), add(t, t)),
        params=(a, n, c),
    )
    made = passes.convert_to_ssa()(before)
    (chosen, used) = body(made)
    assert isinstance(chosen, ir.If)
    joined_rows, joined = chosen.results
    assert joined_rows.name == "rows"
    assert isinstance(joined.type, ir.TileType)
    assert joined.type.valid_shape == (joined_rows, 128)
    assert isinstance(used, ir.Assign)
    assert used.var.type == joined.type
    assert not passes.verify(made, {passes.UseAfterDef})


def test_an_extent_that_both_arms_yield_is_the_result_in_the_type_of_a_yielded_tile() -> None:
    made = assert_same(
        """
        if n > 3:
            rows = n - 1
            t = pl.load(a, [0, 0], [16, 128], valid_shape=[rows, 128])
        else:
            rows = n + 1
            t = pl.load(a, [0, 0], [16, 128], valid_shape=[rows, 128])
        return pl.store(pl.add(t, t), [0, 0], out)
        """,
        """
        if n > 3:
            rows1 = n - 1
            t1 = pl.load(a, [0, 0], [16, 128], valid_shape=[rows1, 128])
            rows, t = pl.yield_(rows1, t1)
        else:
            rows2 = n + 1
            t2 = pl.load(a, [0, 0], [16, 128], valid_shape=[rows2, 128])
            rows, t = pl.yield_(rows2, t2)
        return pl.store(pl.add(t, t), [0, 0], out)
        """,
        TILES,
    )
    assert not passes.verify(made, {passes.TypeChecked, passes.UseAfterDef})
    ir.assert_structural_equal(pl.parse(str(made)), made)


def test_a_yielded_tile_can_stand_before_its_extent() -> None:
    made = parsed(
        """
        if n > 3:
            rows1 = n - 1
            t1 = pl.load(a, [0, 0], [16, 128], valid_shape=[rows1, 128])
            t, rows = pl.yield_(t1, rows1)
        else:
            rows2 = n + 1
            t2 = pl.load(a, [0, 0], [16, 128], valid_shape=[rows2, 128])
            t, rows = pl.yield_(t2, rows2)
        return pl.store(pl.add(t, t), [0, 0], out)
        """,
        TILES,
    )
    assert not passes.verify(made, {passes.TypeChecked, passes.UseAfterDef})
    ir.assert_structural_equal(pl.parse(str(made)), made)


def test_the_other_arms_type_is_taken_where_the_first_ones_is_unknown_outside() -> None:
    a, c, rows = var("a", tensor(16, 128)), var("c", scalar(BOOL)), var("rows")
    t = var("t", tile(16, 128))
    before = kernel(
        branch(
            c,
            block(ir.Assign(rows, FOUR), ir.Assign(t, load(a, tile(16, 128, valid=(rows, 128))))),
            block(ir.Assign(t, load(a, tile(16, 128)))),
        ),
        ir.Evaluate(call("tile.store", t)),
        params=(a, c),
    )
    (chosen, _) = body(passes.convert_to_ssa()(before))
    assert isinstance(chosen, ir.If)
    assert [result.type for result in chosen.results] == [tile(16, 128)]


# What is kept


def test_a_program_in_ssa_form_stays_the_same_object() -> None:
    made = parsed("return n + m")
    assert passes.convert_to_ssa()(made) is made


def test_functions_that_bind_each_name_once_stay_the_same_objects() -> None:
    x = var("x")
    other = function(ir.Assign(var("y"), ONE), name="other")
    before = program(function(ir.Assign(x, ONE), ir.Assign(x, plus(x, ONE))), other)
    after = converted(before)
    assert after.functions["other"] is other
    assert after.functions["kernel"] is not before.functions["kernel"]


def test_statements_without_renamed_variables_stay_the_same_objects() -> None:
    x, same = var("x"), ir.Assign(var("y"), FOUR)
    after = converted(kernel(ir.Assign(x, ONE), same, ir.Assign(x, FOUR)))
    assert body(after)[1] is same


def test_comments_spans_and_attributes_are_kept() -> None:
    x, index = var("x", tile(16, 128)), var("i")
    a = var("a", tensor(16, 128))
    loaded = load(a).replace(attrs={"mark": 1}, span=line(4))
    before = kernel(
        ir.Assign(x, load(a)),
        loop(
            index,
            ir.Block((ir.Assign(x, loaded, line(5), ("# again",)),), line(6), (), ("# end",)),
            kind=ir.ForKind.Pipeline,
            attrs={"stage": 2},
            span=line(7),
            comments=("# loop",),
        ),
        ir.Evaluate(call("tile.store", x)),
        params=(a,),
    )
    (_, made, _) = body(passes.convert_to_ssa()(before))
    assert isinstance(made, ir.For)
    assert (made.kind, made.attrs, made.span.line, made.comments) == (ir.ForKind.Pipeline, {"stage": 2}, 7, ("# loop",))
    assert made.body.trailing_comments == ("# end",)
    assigned = made.body.statements[0]
    assert isinstance(assigned, ir.Assign)
    assert isinstance(assigned.value, ir.Call)
    assert (assigned.comments, assigned.span.line, assigned.value.attrs) == (("# again",), 5, {"mark": 1})


def test_a_new_variable_knows_where_it_is_assigned() -> None:
    x = ir.Var("x", scalar(), line(2))
    after = converted(kernel(ir.Assign(x, ONE, line(2)), ir.Assign(x, FOUR, line(3))))
    assert [(each.var.name, each.var.span.line) for each in body(after) if isinstance(each, ir.Assign)] == [
        ("x", 2),
        ("x", 3),
    ]


# Errors


def test_a_variable_that_one_arm_alone_assigns_has_no_value_after_it() -> None:
    x, read = var("x"), ir.Binary("+", var("n"), ONE, scalar(), line(9))
    read = read.replace(lhs=x)
    before = kernel(branch(TRUE, block(ir.Assign(x, ONE, line(4)))), ir.Assign(x, read, line(8)))
    error = refusal(before)
    assert (error.code, error.span.line) == ("PL106", 9)
    assert [note.span.line for note in error.diagnostics[0].notes] == [4]


def test_a_variable_that_only_a_loop_assigns_has_no_value_after_it() -> None:
    x = var("x")
    made = loop(var("i"), block(ir.Assign(x, ONE, line(4))), stop=var("n"))
    error = refusal(kernel(made, ir.Return((x,), line(8))))
    assert (error.code, error.span.line) == ("PL106", 8)
    assert [note.span.line for note in error.diagnostics[0].notes] == [4]


def test_a_variable_of_an_earlier_iteration_alone_has_no_value() -> None:
    x = var("x")
    reads = branch(TRUE, block(ir.Evaluate(call("tile.store", x, result=ir.UNKNOWN), line(3))))
    error = refusal(kernel(loop(var("i"), block(reads, ir.Assign(x, ONE, line(4))))))
    assert (error.code, error.span.line) == ("PL302", 3)


def test_a_read_before_any_assignment() -> None:
    x = var("x")
    error = refusal(kernel(ir.Assign(var("y"), x, line(2)), ir.Assign(x, ONE, line(3))))
    assert (error.code, error.span.line) == ("PL302", 2)
    assert [note.span.line for note in error.diagnostics[0].notes] == [3]


def test_a_loop_variable_has_no_value_after_its_loop() -> None:
    index = var("i")
    error = refusal(kernel(loop(index, block(), span=line(2)), ir.Return((index,), line(3))))
    assert (error.code, error.span.line) == ("PL106", 3)
    assert [note.span.line for note in error.diagnostics[0].notes] == [2]


@pytest.mark.parametrize(
    ("second", "differs"),
    [
        (tile(16, 64), "shape"),
        (tile(16, 128, dtype=ir.DTYPES["BF16"]), "dtype"),
        (tile(16, 128, valid=(8, 128)), "valid"),
    ],
)
def test_a_loop_cannot_change_what_a_variable_is(second: ir.TileType, differs: str) -> None:
    a, x = var("a", tensor(16, 128)), var("x", tile(16, 128))
    before = kernel(
        ir.Assign(x, load(a), line(2)),
        loop(var("i"), block(ir.Assign(x, load(a, second), line(4)))),
        ir.Evaluate(call("tile.store", x)),
        params=(a,),
    )
    error = refusal(before)
    assert (error.code, error.span.line) == ("PL207", 4)
    assert differs in error.diagnostics[0].message
    assert [note.span.line for note in error.diagnostics[0].notes] == [2]


def test_the_arms_of_a_branch_cannot_give_a_variable_two_shapes() -> None:
    a, x = var("a", tensor(16, 128)), var("x", tile(16, 128))
    before = kernel(
        branch(TRUE, block(ir.Assign(x, load(a), line(3))), block(ir.Assign(x, load(a, tile(8, 128)), line(5)))),
        ir.Evaluate(call("tile.store", x)),
        params=(a,),
    )
    error = refusal(before)
    assert (error.code, error.span.line) == ("PL207", 5)
    assert [note.span.line for note in error.diagnostics[0].notes] == [3]


def test_a_valid_region_that_only_the_arms_know_is_refused() -> None:
    a, c = var("a", tensor(16, 128)), var("c", scalar(BOOL))
    first, second = var("first"), var("second")
    t = var("t", tile(16, 128))
    before = kernel(
        branch(
            c,
            block(ir.Assign(first, FOUR), ir.Assign(t, load(a, tile(16, 128, valid=(first, 128))), line(3))),
            block(ir.Assign(second, FOUR), ir.Assign(t, load(a, tile(16, 128, valid=(second, 128))), line(5))),
        ),
        ir.Evaluate(call("tile.store", t)),
        params=(a, c),
    )
    error = refusal(before)
    assert (error.code, error.span.line) == ("PL208", 3)


def test_break_and_continue_have_to_be_structured_first() -> None:
    error = refusal(kernel(loop(var("i"), block(ir.Break(line(3))))))
    assert (error.code, error.span.line) == ("PL310", 3)


# Cost


def test_sixty_nested_loops_carry_one_variable_each() -> None:
    x = var("x")
    inner: ir.Stmt = ir.Assign(x, plus(x, ONE))
    for depth in range(60):
        inner = loop(var(f"i{depth}"), block(inner))
    made = converted(kernel(ir.Assign(x, ZERO), inner, ir.Return((x,)), returns=(scalar(),)))
    loops = [each for each in ir.walk(made.functions["kernel"]) if isinstance(each, ir.For)]
    assert [len(each.carries) for each in loops] == [1] * 60


def test_what_a_loop_uses_for_itself_costs_nothing_in_the_loops_around() -> None:
    names = [var(f"t{number}") for number in range(500)]
    inner: ir.Stmt = block(*[ir.Assign(each, ONE) for each in names], *[ir.Assign(each, FOUR) for each in names])
    for depth in range(60):
        inner = loop(var(f"i{depth}"), block(inner))
    made = function(inner)
    found = DefUseEvents(made, count_definitions(made))
    assert sum(len(extent.assigned) for extent in found.extents) == 0
    assert len(found.events) == 1000 + 60 + 2 * 60


def test_the_events_grow_with_the_program() -> None:
    def events(count: int) -> int:
        x = var("x")
        updates = [branch(TRUE, block(ir.Assign(x, plus(x, ONE)))) for _ in range(count)]
        made = function(ir.Assign(x, ZERO), *updates)
        found = DefUseEvents(made, count_definitions(made))
        assert len(find_joins(found)) == count
        return len(found.events)

    assert events(10_000) - events(5_000) == 5 * (events(2_000) - events(1_000))


# Programs that no conversion can put right


@pytest.mark.parametrize(
    "broken",
    [
        loop(var("i"), block(), (ZERO,), (var("c"),), (var("r"),), span=line(3)),
        loop(var("i"), block(ir.Yield((ONE,), line(3)))),
        loop(var("i"), block(ir.Yield((ONE,))), (), (var("c"),), (var("r"),), span=line(3)),
        branch(TRUE, block(ir.Yield((ONE,), line(3)))),
        branch(TRUE, block(ir.Yield((ONE,))), None, var("r")).replace(span=line(3)),
        branch(TRUE, block(ir.Yield((ONE,))), block(ir.Yield((ONE, ONE), line(3))), var("r")),
    ],
)
def test_a_join_that_is_not_given_its_values(broken: ir.Stmt) -> None:
    error = refusal(kernel(broken))
    assert (error.code, error.span.line) == ("PL301", 3)


def test_functions_that_share_variables_get_variables_of_their_own() -> None:
    param, x = var("n"), var("x")
    first = function(ir.Assign(x, param), ir.Return((x,)), params=(param,), returns=(scalar(),), name="first")
    second = function(
        ir.Assign(x, plus(param, ONE)), ir.Return((x,)), params=(param,), returns=(scalar(),), name="second"
    )
    made = converted(program(first, second))
    assert made.functions["first"] is first
    assert made.functions["second"].params[0] is not param


def test_submissions_are_renamed_with_what_they_wait_for() -> None:
    task = scalar(ir.DTYPES["TASK_ID"])
    x, t, index = var("x"), var("t", task), var("i")
    submit = ir.Submit("work", (x,), (t,), task, {"priority": 1}, {"mark": 2})
    before = kernel(
        ir.Assign(x, ONE),
        ir.Assign(t, call("system.task_invalid", result=task)),
        loop(index, block(ir.Assign(t, submit), ir.Assign(x, plus(x, index)))),
        ir.Evaluate(ir.Submit("work", (x,), (t,), task)),
        type_=ir.FunctionType.Orchestration,
    )
    (_, _, made, last) = body(passes.convert_to_ssa()(before))
    assert isinstance(made, ir.For)
    assert isinstance(last, ir.Evaluate)
    (inner, _, _) = made.body.statements
    assert isinstance(inner, ir.Assign)
    assert isinstance(inner.value, ir.Submit)
    assert isinstance(last.value, ir.Submit)
    assert (*inner.value.args, *inner.value.dependencies) == tuple(reversed(made.carries))
    assert (*last.value.args, *last.value.dependencies) == tuple(reversed(made.results))
    assert (inner.value.keywords, inner.value.attrs) == ({"priority": 1}, {"mark": 2})
