"""InlineFunctions: a call of an inline function becomes what the function does."""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.diagnostics import UserError
from pypto_lite.testing import assert_pass
from pypto_lite.testing.properties import Trial, passes_keep_numbers
from tests.passes.hand_built import (
    FOUR,
    ONE,
    ZERO,
    add,
    block,
    branch,
    call,
    function,
    kernel,
    less,
    line,
    loop,
    plus,
    program,
    scalar,
    tile,
    var,
)
from tests.passes.natural_python import OTHERS, TILES, parsed
from tests.passes.scalar_evaluator import evaluate

Inline = ir.FunctionType.Inline


def assert_inlined(inline: str, before: str, after: str, header: str = TILES) -> ir.Program:
    """The kernel, beside these inline functions, becomes another one."""
    return assert_pass(parsed(before, header, OTHERS + inline), passes.inline_functions(), parsed(after, header))


def call_of(name: str, *args: ir.Expr, result: ir.Type = ir.UNKNOWN) -> ir.FunctionCall:
    return ir.FunctionCall(name, args, result)


def refusal(before: ir.Program) -> UserError:
    with pytest.raises(UserError) as caught:
        passes.inline_functions()(before)
    return caught.value


DOUBLE = """
    @pl.inline
    def double(self, t: pl.Tile[[16, 128], pl.FP32]):
        doubled = pl.add(t, t)
        return doubled
"""


def test_arguments_take_the_place_of_parameters() -> None:
    assert_inlined(
        DOUBLE,
        """
        x = pl.load(a, [0, 0], [16, 128])
        y = self.double(x)
        return pl.store(y, [0, 0], out)
        """,
        """
        x = pl.load(a, [0, 0], [16, 128])
        doubled = pl.add(x, x)
        y = doubled
        return pl.store(y, [0, 0], out)
        """,
    )


def test_each_copy_has_variables_of_its_own() -> None:
    assert_inlined(
        DOUBLE,
        """
        x = pl.load(a, [0, 0], [16, 128])
        y = self.double(x)
        z = self.double(y)
        return pl.store(z, [0, 0], out)
        """,
        """
        x = pl.load(a, [0, 0], [16, 128])
        first = pl.add(x, x)
        y = first
        second = pl.add(y, y)
        z = second
        return pl.store(z, [0, 0], out)
        """,
    )


def test_a_variable_of_the_caller_keeps_apart_from_one_of_the_same_name() -> None:
    assert_inlined(
        DOUBLE,
        """
        doubled = pl.load(a, [0, 0], [16, 128])
        y = self.double(doubled)
        return pl.store(pl.add(y, doubled), [0, 0], out)
        """,
        """
        x = pl.load(a, [0, 0], [16, 128])
        doubled = pl.add(x, x)
        y = doubled
        return pl.store(pl.add(y, x), [0, 0], out)
        """,
    )


def test_an_argument_that_is_an_expression_is_evaluated_once() -> None:
    assert_inlined(
        """
    @pl.inline
    def twice(self, k: pl.Scalar[pl.INDEX]):
        return k + k
""",
        """
        k = self.twice(n * 2)
        t = pl.load(a, [k, 0], [16, 128])
        return pl.store(t, [0, 0], out)
        """,
        """
        given = n * 2
        k = given + given
        t = pl.load(a, [k, 0], [16, 128])
        return pl.store(t, [0, 0], out)
        """,
    )


def test_constants_are_folded_in_the_copy() -> None:
    assert_inlined(
        """
    @pl.inline
    def row(self, source: pl.Tensor[[64, 128], pl.FP32], k: pl.Scalar[pl.INDEX]):
        return pl.load(source, [k * 16, 0], [16, 128])
""",
        """
        t = self.row(a, 2)
        return pl.store(t, [0, 0], out)
        """,
        """
        t = pl.load(a, [32, 0], [16, 128])
        return pl.store(t, [0, 0], out)
        """,
    )


def test_a_parameter_that_is_bound_again_does_not_change_the_argument() -> None:
    assert_inlined(
        """
    @pl.inline
    def advance(self, k: pl.Scalar[pl.INDEX]):
        if k > 3:
            k = k + 1
        return k
""",
        """
        k = self.advance(n)
        t = pl.load(a, [k + n, 0], [16, 128])
        return pl.store(t, [0, 0], out)
        """,
        """
        if n > 3:
            k1 = n + 1
            k = pl.yield_(k1)
        else:
            k = pl.yield_(n)
        r = k
        t = pl.load(a, [r + n, 0], [16, 128])
        return pl.store(t, [0, 0], out)
        """,
    )


def test_output_parameters_stand_for_the_tensors_that_are_given() -> None:
    assert_inlined(
        """
    @pl.inline
    def copy(self, source: pl.Tensor[[64, 128], pl.FP32], target: pl.Out[pl.Tensor[[16, 128], pl.FP32]]):
        t = pl.load(source, [0, 0], [16, 128])
        target = pl.store(t, [0, 0], target)
        return target
""",
        """
        out = self.copy(a, out)
        return out
        """,
        """
        t = pl.load(a, [0, 0], [16, 128])
        target = pl.store(t, [0, 0], out)
        result = target
        return result
        """,
    )


def test_several_results_become_the_values_themselves() -> None:
    assert_inlined(
        """
    @pl.inline
    def both(self, t: pl.Tile[[16, 128], pl.FP32]):
        up = pl.add(t, t)
        down = pl.sub(t, t)
        return up, down
""",
        """
        x = pl.load(a, [0, 0], [16, 128])
        y, z = self.both(x)
        return pl.store(pl.add(y, z), [0, 0], out)
        """,
        """
        x = pl.load(a, [0, 0], [16, 128])
        up = pl.add(x, x)
        down = pl.sub(x, x)
        y = up
        z = down
        return pl.store(pl.add(y, z), [0, 0], out)
        """,
    )


def test_a_call_for_its_effect() -> None:
    assert_inlined(
        """
    @pl.inline
    def put(self, t: pl.Tile[[16, 128], pl.FP32], target: pl.Out[pl.Tensor[[16, 128], pl.FP32]]):
        pl.store(t, [0, 0], target)
""",
        """
        x = pl.load(a, [0, 0], [16, 128])
        self.put(x, out)
        return out
        """,
        """
        x = pl.load(a, [0, 0], [16, 128])
        pl.store(x, [0, 0], out)
        return out
        """,
    )


def test_inline_functions_that_call_inline_functions() -> None:
    assert_inlined(
        """
    @pl.inline
    def four(self, t: pl.Tile[[16, 128], pl.FP32]):
        return self.double(self.double(t))
"""
        + DOUBLE,
        """
        x = pl.load(a, [0, 0], [16, 128])
        y = self.four(x)
        return pl.store(y, [0, 0], out)
        """,
        """
        x = pl.load(a, [0, 0], [16, 128])
        d1 = pl.add(x, x)
        r1 = d1
        d2 = pl.add(r1, r1)
        r2 = d2
        y = r2
        return pl.store(y, [0, 0], out)
        """,
    )


def test_calls_in_loops_branches_and_scopes() -> None:
    assert_inlined(
        DOUBLE,
        """
        x = pl.load(a, [0, 0], [16, 128])
        for i in pl.range(4):
            if i > n:
                with pl.scope():
                    x = self.double(x)
        return pl.store(x, [0, 0], out)
        """,
        """
        x = pl.load(a, [0, 0], [16, 128])
        for i in pl.range(4):
            if i > n:
                with pl.scope():
                    d = pl.add(x, x)
                    x = d
        return pl.store(x, [0, 0], out)
        """,
    )


def test_calls_in_arguments_yields_and_returns_come_first() -> None:
    assert_inlined(
        DOUBLE,
        """
        x = pl.load(a, [0, 0], [16, 128])
        for i, (t,) in pl.range(4, init_values=(self.double(x),)):
            r = pl.yield_(self.double(t))
        return pl.store(self.double(r), [0, 0], out)
        """,
        """
        x = pl.load(a, [0, 0], [16, 128])
        d = pl.add(x, x)
        init = d
        for i, (t,) in pl.range(4, init_values=(init,)):
            e = pl.add(t, t)
            next_ = e
            r = pl.yield_(next_)
        f = pl.add(r, r)
        last = f
        stored = pl.store(last, [0, 0], out)
        return stored
        """,
    )


def test_symbolic_dimensions_become_the_extents_of_the_arguments() -> None:
    rows = ir.Var("M", scalar())
    param, arg = var("t", tile(rows, 128)), var("x", tile(16, 128))
    doubled = var("doubled", tile(rows, 128))
    inline = function(
        ir.Assign(doubled, add(param, param)),
        ir.Return((doubled,)),
        params=(param,),
        returns=(tile(rows, 128),),
        type_=Inline,
        name="double",
    )
    y = var("y", tile(16, 128))
    caller = function(ir.Assign(y, call_of("double", arg, result=tile(16, 128))), params=(arg,))
    made = passes.inline_functions()(program(inline, caller))
    first, second = made.functions["kernel"].body.statements
    assert isinstance(first, ir.Assign)
    assert isinstance(second, ir.Assign)
    assert isinstance(first.value.type, ir.TileType)
    assert first.var.type == first.value.type
    assert first.value.type.shape == (16, 128)
    assert not passes.verify(made, {passes.TypeChecked, passes.UseAfterDef})


def test_a_while_condition_that_calls_is_computed_before_and_in_the_loop() -> None:
    k = var("k")
    inline = function(
        ir.Evaluate(call("test.note", k)), ir.Return((plus(k, k),)), params=(k,), returns=(scalar(),), type_=Inline,
        name="double",
    )  # fmt: skip
    c, n = var("c"), var("n")
    caller = function(
        ir.While(
            less(call_of("double", c, result=scalar()), ir.index_const(10)),
            (n,),
            (c,),
            block(ir.Yield((plus(c, ONE),))),
            (var("r"),),
        ),
        params=(n,),
    )
    before = program(inline, caller)
    made = passes.inline_functions()(before)
    assert not passes.verify(made, {passes.SSAForm, passes.UseAfterDef})
    assert evaluate(made.functions["kernel"], (3,)) == evaluate(caller, (3,), before)


def test_the_order_of_calls_is_kept() -> None:
    k = var("k")
    noting = function(
        ir.Evaluate(call("test.note", k)), ir.Return((k,)), params=(k,), returns=(scalar(),), type_=Inline, name="h"
    )

    def h(value: ir.Expr) -> ir.FunctionCall:
        return call_of("h", value, result=scalar())

    total = plus(plus(h(ONE), call("test.note", FOUR, result=scalar())), h(plus(h(ZERO), ONE)))
    x = var("x")
    caller = function(ir.Assign(x, total), ir.Return((x,)), returns=(scalar(),))
    before = program(noting, caller)
    made = passes.inline_functions()(before)
    assert evaluate(made.functions["kernel"], ()) == evaluate(caller, (), before) == ([6], [(1,), (4,), (0,), (1,)])


def test_before_conversion_to_ssa_a_returned_parameter_is_a_copy_of_the_argument() -> None:
    first, second, pair = var("first"), var("second"), ir.TupleType((scalar(), scalar()))
    swap = function(
        ir.Return((second, first)), params=(first, second), returns=(scalar(), scalar()), type_=Inline, name="swap"
    )
    x, y, both = var("x"), var("y"), var("both", pair)
    caller = function(
        ir.Assign(x, ONE),
        ir.Assign(y, FOUR),
        ir.Assign(both, call_of("swap", x, y, result=pair)),
        ir.Assign(x, ir.TupleItem(both, 0, scalar())),
        ir.Assign(y, ir.TupleItem(both, 1, scalar())),
        ir.Return((x, y)),
        returns=(scalar(), scalar()),
    )
    made = passes.inline_functions()(program(swap, caller))
    assert evaluate(made.functions["kernel"], ())[0] == [4, 1]


def test_a_return_at_the_end_of_a_scope() -> None:
    k = var("k")
    scope = ir.Scope(ir.ScopeKind.Runtime, (), {}, None, block(ir.Return((plus(k, ONE),))))
    inline = function(scope, params=(k,), returns=(scalar(),), type_=Inline, name="next")
    x, n = var("x"), var("n")
    caller = function(
        ir.Assign(x, call_of("next", n, result=scalar())), ir.Return((x,)), params=(n,), returns=(scalar(),)
    )
    made = passes.inline_functions()(program(inline, caller))
    assert evaluate(made.functions["kernel"], (4,))[0] == [5]


def test_comments_and_attributes_are_kept() -> None:
    k = var("k")
    marked = call("test.note", k).replace(attrs={"mark": 1})
    inline = function(ir.Evaluate(marked, line(2), ("# inside",)), params=(k,), type_=Inline, name="put")
    caller = function(ir.Evaluate(call_of("put", ONE), line(8), ("# outside",)))
    (made,) = passes.inline_functions()(program(inline, caller)).functions["kernel"].body.statements
    assert isinstance(made, ir.Evaluate)
    assert isinstance(made.value, ir.Call)
    assert (made.comments, made.span.line, made.value.attrs) == (("# outside", "# inside"), 2, {"mark": 1})


def test_an_inline_function_that_nothing_calls_leaves_the_program() -> None:
    unused = function(ir.Return(()), type_=Inline, name="unused")
    caller = function(ir.Return(()))
    made = passes.inline_functions()(program(unused, caller))
    assert dict(made.functions) == {"kernel": caller}


def test_functions_that_call_none_stay_the_same_objects() -> None:
    inline = function(ir.Return(()), type_=Inline, name="nothing")
    calling = function(ir.Evaluate(call_of("nothing")), name="calling")
    other = function(ir.Assign(var("x"), ONE), name="other")
    made = passes.inline_functions()(program(inline, calling, other))
    assert made.functions["other"] is other
    assert made.functions["calling"].body.statements == ()


def test_a_program_without_inline_functions_stays_the_same_object() -> None:
    before = kernel(ir.Assign(var("x"), ONE))
    assert passes.inline_functions()(before) is before


def test_a_program_of_inline_functions_alone_stays_as_it_is() -> None:
    before = program(function(ir.Return(()), type_=Inline, name="alone"))
    assert passes.inline_functions()(before) is before


# Errors


def test_inline_functions_in_a_circle() -> None:
    def calling(name: str, other: str, at: int) -> ir.Function:
        evaluated = ir.Evaluate(call_of(other).replace(span=line(at)))
        return function(evaluated, type_=Inline, name=name)

    error = refusal(program(calling("a", "b", 2), calling("b", "c", 3), calling("c", "b", 4), function()))
    assert (error.code, error.span.line) == ("PL113", 4)
    assert error.diagnostics[0].found == "b -> c -> b"


def test_an_inline_function_cannot_be_submitted() -> None:
    inline = function(ir.Return(()), type_=Inline, name="work")
    task = ir.ScalarType(ir.DTYPES["TASK_ID"])
    submit = ir.Submit("work", (), (), task, span=line(5))
    error = refusal(program(inline, function(ir.Assign(var("t", task), submit))))
    assert (error.code, error.span.line) == ("PL113", 5)


def test_submissions_of_other_functions_are_kept() -> None:
    inline = function(ir.Return(()), type_=Inline, name="nothing")
    other = function(params=(var("x"),), name="other", type_=ir.FunctionType.InCore)
    task, n = ir.ScalarType(ir.DTYPES["TASK_ID"]), var("n")
    submit = ir.Assign(var("t", task), ir.Submit("other", (n,), (), task, attrs={"mark": 1}))
    made = passes.inline_functions()(
        program(inline, other, function(ir.Evaluate(call_of("nothing")), submit, params=(n,)))
    )
    assert made.functions["kernel"].body.statements == (submit,)


def test_what_the_copy_cannot_do_names_the_call() -> None:
    with pytest.raises(UserError) as caught:
        passes.inline_functions()(
            parsed(
                """
                t = self.row(a, 4)
                return pl.store(t, [0, 0], out)
                """,
                TILES,
                """
    @pl.inline
    def row(self, source: pl.Tensor[[64, 128], pl.FP32], k: pl.Scalar[pl.INDEX]):
        return pl.load(source, [k * 16, 0], [16, 128])
""",
            )
        )
    assert caught.value.code == "PL206"
    assert "self.row(a, 4)" in str(caught.value)


def test_inlining_that_explodes_is_refused() -> None:
    functions = [function(ir.Evaluate(call("test.note", ONE)), type_=Inline, name="f0")]
    for depth in range(1, 25):
        inner = ir.Evaluate(call_of(f"f{depth - 1}"))
        functions.append(function(inner, inner, type_=Inline, name=f"f{depth}"))
    error = refusal(program(*functions, function(ir.Evaluate(call_of("f24")))))
    assert error.code == "PL113"
    assert "statements" in (error.diagnostics[0].found or "")


def test_a_condition_that_calls_in_a_loop_with_continue() -> None:
    inline = function(ir.Return((ONE,)), returns=(scalar(),), type_=Inline, name="one")
    condition = less(call_of("one", result=scalar()), FOUR)
    leaving = ir.While(condition, (), (), block(branch(less(ZERO, ONE), block(ir.Continue()))), (), line(3))
    error = refusal(program(inline, function(leaving)))
    assert (error.code, error.span.line) == ("PL307", 3)


def test_two_hundred_functions_that_call_each_other_in_a_row() -> None:
    k = var("k")
    functions = [function(ir.Evaluate(call("test.note", k)), params=(k,), type_=Inline, name="f0")]
    for depth in range(1, 200):
        k = var("k")
        functions.append(
            function(ir.Evaluate(call_of(f"f{depth - 1}", k)), params=(k,), type_=Inline, name=f"f{depth}")
        )
    made = passes.inline_functions()(program(*reversed(functions), function(ir.Evaluate(call_of("f199", FOUR)))))
    assert evaluate(made.functions["kernel"], ())[1] == [(4,)]


def test_loops_in_the_copy_define_their_own_variables() -> None:
    k, index, carry, result = var("k"), var("i"), var("c"), var("r")
    inline = function(
        loop(index, block(ir.Yield((plus(carry, index),))), (k,), (carry,), (result,)),
        ir.Return((result,)),
        params=(k,),
        returns=(scalar(),),
        type_=Inline,
        name="total",
    )
    x, y, n = var("x"), var("y"), var("n")
    caller = function(
        ir.Assign(x, call_of("total", n, result=scalar())),
        ir.Assign(y, call_of("total", x, result=scalar())),
        ir.Return((y,)),
        params=(n,),
        returns=(scalar(),),
    )
    made = passes.inline_functions()(program(inline, caller))
    assert not passes.verify(made, {passes.SSAForm, passes.UseAfterDef, passes.TypeChecked})
    assert evaluate(made.functions["kernel"], (1,))[0] == [13]


def test_a_call_with_the_wrong_number_of_arguments() -> None:
    inline = function(ir.Return(()), params=(var("k"),), type_=Inline, name="one")
    error = refusal(program(inline, function(ir.Evaluate(call_of("one").replace(span=line(4))))))
    assert (error.code, error.span.line) == ("PL113", 4)


def test_an_annotation_at_the_call_is_kept() -> None:
    made = passes.inline_functions()(
        parsed(
            """
            x = pl.load(a, [0, 0], [16, 128])
            y: pl.Tile[[16, 128], pl.FP32, pl.MemRef("shared")] = self.double(x)
            return pl.store(y, [0, 0], out)
            """,
            TILES,
            DOUBLE,
        )
    )
    annotated = made.functions["f"].body.statements[2]
    assert isinstance(annotated, ir.Assign)
    assert isinstance(annotated.var.type, ir.TileType)
    assert annotated.var.type.memref == ir.MemRef("shared")
    assert annotated.var.type.space is ir.MemorySpace.Vec
    assert not passes.verify(made, {passes.TypeChecked})
    ir.assert_structural_equal(pl.parse(str(made)), made)


def test_joins_follow_the_arguments() -> None:
    made = passes.inline_functions()(
        parsed(
            """
            x = pl.load(a, [0, 0], [16, 128], valid_shape=[8, 128])
            y = self.grown(x, n)
            return pl.store(y, [0, 0], out)
            """,
            TILES,
            """
    ROWS = pl.dynamic("ROWS")

    @pl.inline
    def grown(self, t: pl.Tile[[16, 128], pl.FP32, pl.TileView(valid_shape=[ROWS, 128])], k: pl.Scalar[pl.INDEX]):
        for i in pl.range(4):
            if i > k:
                t = pl.add(t, t)
            else:
                t = pl.mul(t, 2.0)
        return t
""",
        )
    )
    assert not passes.verify(made, {passes.TypeChecked, passes.UseAfterDef, passes.SSAForm})
    (loop_,) = [each for each in made.functions["f"].body.statements if isinstance(each, ir.For)]
    chosen = loop_.body.statements[0]
    assert isinstance(chosen, ir.If)
    for joined in (*loop_.carries, *loop_.results, *chosen.results):
        assert isinstance(joined.type, ir.TileType)
        assert joined.type.valid_shape == (8, 128)
    ir.assert_structural_equal(pl.parse(str(made)), made)


def test_a_loop_that_cannot_carry_the_argument_is_refused() -> None:
    before = parsed(
        """
        x = pl.load(a, [0, 0], [16, 128], valid_shape=[8, 128])
        y = self.padded(x)
        return pl.store(y, [0, 0], out)
        """,
        TILES,
        """
    ROWS = pl.dynamic("ROWS")

    @pl.inline
    def padded(self, t: pl.Tile[[16, 128], pl.FP32, pl.TileView(valid_shape=[ROWS, 128])]):
        for i in pl.range(4):
            t = pl.fillpad(t, pad_value=pl.PadValue.zero)
        return t
""",
    )
    error = refusal(before)
    assert error.code == "PL207"
    assert "self.padded(x)" in str(error)


def test_a_run_is_the_same_where_a_valid_region_is_left_open() -> None:
    program = parsed(
        """
        for i in pl.range(3):
            x = pl.load(a, [i * 16, 0], [16, 128], valid_shape=[pl.min(n * i, 16), 128])
            pl.store(self.doubled_twice(x), [0, 0], out)
        return out
        """,
        TILES,
        """
    ROWS = pl.dynamic("ROWS")

    @pl.inline
    def doubled_twice(self, t: pl.Tile[[16, 128], pl.FP32, pl.TileView(valid_shape=[ROWS, 128])]):
        for i in pl.range(2):
            t = pl.add(t, t)
        return t
""",
    )
    assert isinstance(program, pl.Program)
    passes_keep_numbers(Trial(program))


def test_an_index_given_for_an_int64_makes_indices_of_what_is_computed_with_it() -> None:
    program = pl.parse(
        """
@pl.inline
def counted(m: pl.Scalar[pl.INT64]) -> pl.Scalar[pl.INT64]:
    for i in pl.range(3):
        m = m * 2 + 1
    return m

@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INT64]:
        return counted(n)
"""
    )
    inlined = passes.inline_functions()(program)
    ir.assert_structural_equal(pl.parse(str(inlined)), inlined)
    assert inlined.run(n=1) == 15
