"""UnrollLoops: an unrolled loop becomes the copies of its body."""

from __future__ import annotations

import pytest

from pypto_lite import ir, passes
from pypto_lite.diagnostics import UserError
from pypto_lite.testing import assert_pass
from tests.passes.hand_built import (
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
    line,
    loop,
    plus,
    program,
    scalar,
    var,
)
from tests.passes.natural_python import SCALARS, TILES, parsed
from tests.passes.scalar_evaluator import evaluate

Unroll = ir.ForKind.Unroll


def assert_unrolled(before: str, after: str, header: str = SCALARS) -> ir.Program:
    return assert_pass(parsed(before, header), passes.unroll_loops(), parsed(after, header))


def unroll(index: ir.Var, body: ir.Block, *carried: tuple[ir.Var, ...], **changes: object) -> ir.For:
    return loop(index, body, *carried, kind=Unroll, **changes)  # type: ignore[arg-type]


def note(value: ir.Expr) -> ir.Evaluate:
    return ir.Evaluate(call("test.note", value))


def refusal(before: ir.Program) -> UserError:
    with pytest.raises(UserError) as caught:
        passes.unroll_loops()(before)
    return caught.value


def test_the_loop_variable_becomes_a_constant_in_each_copy() -> None:
    assert_unrolled(
        """
        for i in pl.unroll(3):
            t = pl.load(a, [i * 16 + n, 0], [16, 128])
            pl.store(t, [0, 0], out)
        return out
        """,
        """
        t = pl.load(a, [0 + n, 0], [16, 128])
        pl.store(t, [0, 0], out)
        u = pl.load(a, [16 + n, 0], [16, 128])
        pl.store(u, [0, 0], out)
        v = pl.load(a, [32 + n, 0], [16, 128])
        pl.store(v, [0, 0], out)
        return out
        """,
        TILES,
    )


def test_start_and_step() -> None:
    assert_unrolled(
        """
        for i in pl.unroll(5, 0, -2):
            self.note(i)
        return n
        """,
        """
        self.note(5)
        self.note(3)
        self.note(1)
        return n
        """,
    )


def test_carries_are_handed_from_copy_to_copy() -> None:
    assert_unrolled(
        """
        x = pl.load(a, [0, 0], [16, 128])
        for i in pl.unroll(1, 3):
            t = pl.load(a, [i * 16, 0], [16, 128])
            x = pl.add(x, t)
        return pl.store(x, [0, 0], out)
        """,
        """
        x = pl.load(a, [0, 0], [16, 128])
        t = pl.load(a, [16, 0], [16, 128])
        x1 = pl.add(x, t)
        u = pl.load(a, [32, 0], [16, 128])
        x2 = pl.add(x1, u)
        return pl.store(x2, [0, 0], out)
        """,
        TILES,
    )


def test_carries_that_change_places() -> None:
    assert_unrolled(
        """
        for i, (x, y) in pl.unroll(3, init_values=(n, m)):
            self.note(x)
            xr, yr = pl.yield_(y, x)
        return xr - yr
        """,
        """
        self.note(n)
        self.note(m)
        self.note(n)
        return m - n
        """,
    )


def test_a_yielded_expression_is_evaluated_once() -> None:
    assert_unrolled(
        """
        for i, (x,) in pl.unroll(2, init_values=(n,)):
            self.note(x * x)
            r = pl.yield_(x + m)
        return r
        """,
        """
        self.note(n * n)
        x1 = n + m
        self.note(x1 * x1)
        x2 = x1 + m
        return x2
        """,
    )


def test_a_loop_without_iterations_gives_its_inits() -> None:
    assert_unrolled(
        """
        for i, (x,) in pl.unroll(4, 4, init_values=(n,)):
            self.note(x)
            r = pl.yield_(x + 1)
        return r
        """,
        """
        return n
        """,
    )


def test_loops_in_unrolled_loops_are_copied() -> None:
    assert_unrolled(
        """
        x = n
        for i in pl.unroll(2):
            for j in pl.range(m):
                x = x + j
        return x
        """,
        """
        x = n
        for j in pl.range(m):
            x = x + j
        for k in pl.range(m):
            x = x + k
        return x
        """,
    )


def test_unrolled_loops_in_loops_branches_and_scopes() -> None:
    assert_unrolled(
        """
        for i in pl.range(m):
            if i > n:
                with pl.scope():
                    for j in pl.unroll(2):
                        self.note(i + j)
        return n
        """,
        """
        for i in pl.range(m):
            if i > n:
                with pl.scope():
                    self.note(i + 0)
                    self.note(i + 1)
        return n
        """,
    )


def test_a_branch_on_the_loop_variable_is_decided_in_each_copy() -> None:
    assert_unrolled(
        """
        t = pl.load(a, [0, 0], [16, 128])
        for i in pl.unroll(6):
            row = i * 16
            if row < 64:
                t = pl.add(t, pl.load(a, [row, 0], [16, 128]))
            elif i > 4:
                t = pl.mul(t, 2.0)
        pl.store(t, [0, 0], out)
        return out
        """,
        """
        t = pl.load(a, [0, 0], [16, 128])
        row0 = 0
        t = pl.add(t, pl.load(a, [row0, 0], [16, 128]))
        row1 = 16
        t = pl.add(t, pl.load(a, [row1, 0], [16, 128]))
        row2 = 32
        t = pl.add(t, pl.load(a, [row2, 0], [16, 128]))
        row3 = 48
        t = pl.add(t, pl.load(a, [row3, 0], [16, 128]))
        row4 = 64
        row5 = 80
        t = pl.mul(t, 2.0)
        pl.store(t, [0, 0], out)
        return out
        """,
        TILES,
    )


def test_bounds_can_depend_on_the_unrolled_loop_around() -> None:
    outer, inner = var("i"), var("j")
    nested = unroll(inner, block(note(plus(outer, inner))), stop=plus(outer, ONE))
    made = passes.unroll_loops()(kernel(unroll(outer, block(nested), stop=ir.index_const(3))))
    assert evaluate(made.functions["kernel"], ())[1] == [(0,), (1,), (2,), (2,), (3,), (4,)]
    assert not any(isinstance(node, ir.For) for node in ir.walk(made))


def test_a_bound_can_be_a_variable_that_holds_a_constant() -> None:
    n, twice = var("n"), var("twice")
    before = kernel(
        ir.Assign(n, ONE),
        ir.Assign(twice, plus(n, n)),
        unroll(var("i"), block(note(n)), stop=twice),
    )
    made = passes.unroll_loops()(before)
    assert evaluate(made.functions["kernel"], ())[1] == [(1,), (1,)]


def test_types_follow() -> None:
    made = assert_unrolled(
        """
        for i in pl.unroll(1, 3):
            t = pl.load(a, [0, 0], [16, 128], valid_shape=[i * 4, 128])
            pl.store(t, [0, 0], out)
        return out
        """,
        """
        t = pl.load(a, [0, 0], [16, 128], valid_shape=[4, 128])
        pl.store(t, [0, 0], out)
        u = pl.load(a, [0, 0], [16, 128], valid_shape=[8, 128])
        pl.store(u, [0, 0], out)
        return out
        """,
        TILES,
    )
    loads = [each for each in made.functions["f"].body.statements if isinstance(each, ir.Assign)]
    assert [each.var.type.valid_shape for each in loads if isinstance(each.var.type, ir.TileType)] == [
        (4, 128),
        (8, 128),
    ]


def test_the_loop_variable_keeps_its_type() -> None:
    index = var("i", scalar(INT32))
    (made,) = (
        passes.unroll_loops()(kernel(unroll(index, block(note(index)), stop=ONE))).functions["kernel"].body.statements
    )
    assert isinstance(made, ir.Evaluate)
    (constant,) = made.value.children()
    assert isinstance(constant, ir.Const)
    assert constant.type == scalar(INT32)


# Before conversion to SSA


def test_a_variable_that_is_bound_outside_stays_one_variable() -> None:
    x, index = var("x"), var("i")
    before = function(
        ir.Assign(x, ONE),
        unroll(index, block(ir.Assign(x, plus(x, index)))),
        ir.Return((x,)),
        returns=(scalar(),),
    )
    made = passes.unroll_loops()(program(before)).functions["kernel"]
    assigned = [each.var for each in made.body.statements if isinstance(each, ir.Assign)]
    assert assigned == [x] * 5
    assert evaluate(made, ())[0] == [7]


def test_a_loop_variable_that_the_body_changes_begins_each_copy_anew() -> None:
    index = var("i")
    before = function(unroll(index, block(ir.Assign(index, plus(index, index)), note(index)), stop=ir.index_const(3)))
    made = passes.unroll_loops()(program(before)).functions["kernel"]
    assert evaluate(made, ())[1] == [(0,), (2,), (4,)]


def test_a_loop_variable_that_is_read_after_the_loop_holds_its_last_value() -> None:
    index = var("i")
    before = function(
        ir.Assign(index, ir.index_const(9)), unroll(index, block()), ir.Return((index,)), returns=(scalar(),)
    )
    made = passes.unroll_loops()(program(before)).functions["kernel"]
    assert evaluate(made, ())[0] == [3]


# What is kept


def test_functions_without_unrolled_loops_stay_the_same_objects() -> None:
    other = function(loop(var("i"), block(note(ONE))), name="other")
    before = program(function(unroll(var("i"), block(note(ONE)))), other)
    made = passes.unroll_loops()(before)
    assert made.functions["other"] is other
    assert passes.unroll_loops()(made) is made


def test_comments_go_to_what_follows() -> None:
    body = ir.Block((note(ONE).replace(comments=("# inside",)),), trailing_comments=("# end",))
    before = kernel(unroll(var("i"), body, stop=ir.index_const(2), comments=("# loop",)), note(FOUR))
    statements = passes.unroll_loops()(before).functions["kernel"].body.statements
    assert [each.comments for each in statements] == [("# loop", "# inside"), ("# end", "# inside"), ("# end",)]


def test_attributes_of_calls_are_kept() -> None:
    index = var("i")
    marked = ir.Evaluate(call("test.note", index).replace(attrs={"mark": 1}))
    statements = passes.unroll_loops()(kernel(unroll(index, block(marked)))).functions["kernel"].body.statements
    assert [
        each.value.attrs for each in statements if isinstance(each, ir.Evaluate) and isinstance(each.value, ir.Call)
    ] == [{"mark": 1}] * 4


# Errors


@pytest.mark.parametrize("bound", ["start", "stop", "step"])
def test_a_bound_that_is_not_constant(bound: str) -> None:
    n = var("n")
    dynamic = ir.Binary("+", n, ONE, scalar(), line(5))
    error = refusal(kernel(unroll(var("i"), block(), **{bound: dynamic}), params=(n,)))
    assert (error.code, error.span.line) == ("PL116", 5)
    assert bound in error.diagnostics[0].message


def test_a_step_of_zero() -> None:
    error = refusal(kernel(unroll(var("i"), block(), step=ZERO, span=line(3))))
    assert (error.code, error.span.line) == ("PL108", 3)


def test_too_many_copies() -> None:
    error = refusal(kernel(unroll(var("i"), block(), stop=ir.index_const(5000), span=line(3))))
    assert (error.code, error.span.line) == ("PL108", 3)
    assert "5000" in (error.diagnostics[0].found or "")


def test_too_many_copies_by_nesting() -> None:
    inner = unroll(var("j"), block(), stop=ir.index_const(100), span=line(4))
    error = refusal(kernel(unroll(var("i"), block(inner), stop=ir.index_const(50))))
    assert (error.code, error.span.line) == ("PL108", 4)
    assert "50 times" in (error.diagnostics[0].found or "")
    assert "5000" in (error.diagnostics[0].found or "")


def test_loops_beside_each_other_count_each_for_itself() -> None:
    first, second = (unroll(var("i"), block(note(ONE)), stop=ir.index_const(3000)) for _ in range(2))
    made = passes.unroll_loops()(kernel(first, second))
    assert len(made.functions["kernel"].body.statements) == 6000


@pytest.mark.parametrize("statement", [ir.Break(line(3)), ir.Continue(line(3))])
def test_break_and_continue_have_to_be_structured_first(statement: ir.Stmt) -> None:
    error = refusal(kernel(unroll(var("i"), block(branch(TRUE, block(statement))))))
    assert (error.code, error.span.line) == ("PL307", 3)


def test_a_break_of_a_loop_inside_is_no_concern() -> None:
    inner = loop(var("j"), block(ir.Break()))
    made = passes.unroll_loops()(kernel(unroll(var("i"), block(inner))))
    assert len(made.functions["kernel"].body.statements) == 4


def test_a_window_that_leaves_its_source_in_one_copy() -> None:
    with pytest.raises(UserError) as caught:
        passes.unroll_loops()(
            parsed(
                """
                for i in pl.unroll(5):
                    t = pl.load(a, [i * 16, 0], [16, 128])
                    pl.store(t, [0, 0], out)
                return out
                """,
                TILES,
            )
        )
    assert caught.value.code == "PL206"


def test_sixty_nested_loops_of_one_iteration() -> None:
    total = ir.index_const(0)
    inner: ir.Stmt = note(total)
    for depth in range(60):
        inner = unroll(var(f"i{depth}"), block(inner), stop=ONE)
    made = passes.unroll_loops()(kernel(inner))
    assert len(made.functions["kernel"].body.statements) == 1


def test_loops_of_an_inline_function_are_unrolled_where_it_is_inlined() -> None:
    before = parsed(
        """
        x = self.total(n, 3)
        return x
        """,
        SCALARS,
        """
    @pl.inline
    def total(self, first: pl.Scalar[pl.INDEX], count: pl.Scalar[pl.INDEX]):
        x = first
        for i in pl.unroll(count):
            x = x + i
        return x
""",
    )
    assert passes.unroll_loops()(before) is before
    made = passes.unroll_loops()(passes.inline_functions()(before))
    ir.assert_structural_equal(
        made,
        parsed(
            """
            first = n
            x = first + 0
            y = x + 1
            z = y + 2
            result = z
            return result
            """,
            SCALARS,
            "",
        ),
    )


def test_a_branch_with_results_that_one_arm_leaves() -> None:
    index, result = var("i"), var("r")
    inner = loop(
        var("j"),
        block(branch(TRUE, block(ir.Yield((plus(index, ONE),))), block(ir.Break()), result), note(result)),
        stop=ONE,
    )
    before = function(unroll(index, block(inner), stop=ir.index_const(2)))
    made = passes.unroll_loops()(program(before)).functions["kernel"]
    assert evaluate(made, ())[1] == [(1,), (2,)]
