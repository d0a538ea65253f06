"""FlattenCalls gives every call its own statement and changes neither what is called nor in which order."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.diagnostics import UserError
from pypto_lite.testing import assert_pass
from tests.passes.hand_built import (
    BOOL,
    FOUR,
    INDEX,
    ONE,
    TRUE,
    ZERO,
    add,
    block,
    branch,
    call,
    kernel,
    less,
    line,
    loop,
    plus,
    scalar,
    tile,
    var,
)

ESTABLISHED = {passes.NoNestedCalls, passes.SSAForm, passes.UseAfterDef, passes.NormalizedStmtStructure}


def flattened(*statements: ir.Stmt, params: tuple[ir.Var, ...] = ()) -> tuple[ir.Stmt, ...]:
    """The statements of a function after the pass, in which no call is nested any more."""
    after = passes.FlattenCalls()(kernel(*statements, params=params))
    assert passes.verify(after, ESTABLISHED) == []
    assert passes.FlattenCalls()(after) is after
    return after.functions["kernel"].body.statements


def texts(statements: tuple[ir.Stmt, ...]) -> list[str]:
    return [repr(statement) for statement in statements]


def read(name: str, *args: ir.Expr, dtype: ir.DType = INDEX) -> ir.Call:
    return call(f"array.{name}", *args, result=scalar(dtype))


def test_arguments_become_values_before_the_statement_from_left_to_right() -> None:
    a = var("a", tile(16, 16))
    nested = call("tile.sub", add(a, a), call("tile.mul", a, add(a, a), result=a.type), result=a.type)
    made = flattened(ir.Assign(var("r", a.type), nested), params=(a,))
    assert texts(made) == [
        "add: Tile[[16, 16], FP32] = tile.add(a, a)",
        "add: Tile[[16, 16], FP32] = tile.add(a, a)",
        "mul: Tile[[16, 16], FP32] = tile.mul(a, add)",
        "r: Tile[[16, 16], FP32] = tile.sub(add, mul)",
    ]


def test_new_values_are_called_after_operator_and_function() -> None:
    called = ir.FunctionCall("helper", (read("get"),), scalar())
    first, second, _ = flattened(ir.Assign(var("r"), plus(called, ONE)))
    assert isinstance(first, ir.Assign)
    assert isinstance(second, ir.Assign)
    assert (first.var.name, second.var.name) == ("get", "helper")


def test_scalars_keep_their_shape_around_the_call() -> None:
    made = flattened(ir.Assign(var("r"), plus(plus(read("f"), ONE), read("g"))))
    assert texts(made)[2] == "r: Scalar[INDEX] = (f + 1) + g"


def test_bounds_and_inits() -> None:
    carry = var("c")
    nested = loop(
        var("i"), block(ir.Yield((carry,))), (read("init"),), (carry,), (var("r"),),
        start=read("start"), stop=plus(read("stop"), ONE), step=read("step"),
    )  # fmt: skip
    made = texts(flattened(nested))
    assert [text.partition(":")[0] for text in made[:4]] == ["start", "stop", "step", "init"]
    assert made[4] == "for i in Sequential(start, stop + 1, step) with (c = init) -> [r]"


def test_conditions_of_branches() -> None:
    made = flattened(branch(less(read("f"), ONE), block(ir.Assign(var("a"), ONE))))
    assert texts(made) == ["f: Scalar[INDEX] = array.f()", "if f < 1"]


def test_an_elif_evaluates_its_condition_only_when_it_is_reached() -> None:
    inner = branch(less(read("g"), ONE), block(ir.Assign(var("a"), ONE)))
    first, outer = flattened(branch(less(read("f"), ONE), block(ir.Assign(var("b"), ONE)), block(inner)))
    assert repr(first) == "f: Scalar[INDEX] = array.f()"
    assert isinstance(outer, ir.If)
    assert outer.else_body is not None
    assert texts(outer.else_body.statements) == ["g: Scalar[INDEX] = array.g()", "if g < 1"]


def test_yields_and_returns() -> None:
    carry = var("c")
    nested = loop(var("i"), block(ir.Yield((read("f"),))), (ZERO,), (carry,), (var("r"),))
    made, g, final = flattened(nested, ir.Return((plus(read("g"), ONE),)))
    assert isinstance(made, ir.For)
    assert texts(made.body.statements) == ["f: Scalar[INDEX] = array.f()", "yield f"]
    assert texts((g, final)) == ["g: Scalar[INDEX] = array.g()", "return g + 1"]


def test_an_item_of_a_call() -> None:
    pair = ir.TupleType([scalar(), scalar()])
    nested = ir.TupleItem(ir.FunctionCall("pair", (), pair), 1, scalar())
    made = flattened(ir.Assign(var("a"), nested))
    assert texts(made) == ["pair: Tuple[Scalar[INDEX], Scalar[INDEX]] = self.pair()", "a: Scalar[INDEX] = pair[1]"]


def test_lists_of_offsets() -> None:
    x = var("x", tile(16, 16))
    nested = call("tile.read", x, ir.make_tuple([read("f"), plus(read("g"), ONE)]), result=scalar())
    made = flattened(ir.Assign(var("r"), nested), params=(x,))
    assert texts(made)[2] == "r: Scalar[INDEX] = tile.read(x, [f, g + 1])"


def test_an_evaluated_expression_leaves_only_its_calls() -> None:
    made = flattened(ir.Evaluate(plus(read("f"), ONE), comments=("# effect",)))
    assert texts(made) == ["f: Scalar[INDEX] = array.f()"]
    assert made[0].comments == ("# effect",)


def test_the_arguments_of_an_evaluated_call() -> None:
    made = flattened(ir.Evaluate(call("system.wait", read("f"))))
    assert texts(made) == ["f: Scalar[INDEX] = array.f()", "system.wait(f)"]


def test_scopes() -> None:
    scope = ir.Scope(ir.ScopeKind.At, (read("f"),), {"chunk": read("g")}, None, block())
    f, g, made = flattened(scope)
    assert texts((f, g)) == ["f: Scalar[INDEX] = array.f()", "g: Scalar[INDEX] = array.g()"]
    assert isinstance(made, ir.Scope)
    assert repr(made.keywords["chunk"]) == "g"


def test_comments_stay_on_the_statement_and_spans_come_from_the_call() -> None:
    inner = read("f").replace(span=line(3))
    statement = ir.Assign(var("r"), plus(inner, ONE), line(2), ("# why",))
    f, r = flattened(statement)
    assert isinstance(f, ir.Assign)
    assert (f.comments, f.span.line, f.var.span.line) == ((), 3, 3)
    assert (r.comments, r.span.line) == (("# why",), 2)


def test_a_call_without_a_span_gets_that_of_its_statement() -> None:
    f, _ = flattened(ir.Assign(var("r"), plus(read("f"), ONE), line(2)))
    assert f.span.line == 2


# What need not be evaluated


@pytest.mark.parametrize(("operator", "arms"), [("and", ["yield g", "yield False"]), ("or", ["yield True", "yield g"])])
def test_the_right_side_of_a_logical_operator(operator: str, arms: list[str]) -> None:
    nested = ir.Binary(operator, read("f", dtype=BOOL), read("g", dtype=BOOL), scalar(BOOL))
    f, made, r = flattened(ir.Assign(var("r", scalar(BOOL)), nested))
    assert repr(f) == "f: Scalar[BOOL] = array.f()"
    assert isinstance(made, ir.If)
    assert made.else_body is not None
    assert [texts(arm.statements)[-1] for arm in (made.then_body, made.else_body)] == arms
    assert repr(r) == "r: Scalar[BOOL] = chosen"


def test_only_the_left_side_of_a_logical_operator() -> None:
    nested = ir.Binary("and", read("f", dtype=BOOL), TRUE, scalar(BOOL))
    assert texts(flattened(ir.Assign(var("r", scalar(BOOL)), nested)))[1] == "r: Scalar[BOOL] = f and True"


def test_a_logical_operator_on_integers_gives_bools() -> None:
    nested = ir.Binary("or", ONE, read("g"), scalar(BOOL))
    made, _ = flattened(ir.Assign(var("r", scalar(BOOL)), nested))
    assert isinstance(made, ir.If)
    assert repr(made.condition) == "1 != 0"
    assert made.else_body is not None
    assert repr(made.else_body.statements[-1]) == "yield g != 0"


def test_the_arms_of_a_conditional_expression() -> None:
    nested = ir.Select(less(read("c"), ONE), read("f"), plus(read("g"), ONE), scalar())
    c, made, r = flattened(ir.Assign(var("r"), nested))
    assert isinstance(made, ir.If)
    assert made.else_body is not None
    assert repr(c) == "c: Scalar[INDEX] = array.c()"
    assert texts(made.then_body.statements) == ["f: Scalar[INDEX] = array.f()", "yield f"]
    assert texts(made.else_body.statements) == ["g: Scalar[INDEX] = array.g()", "yield g + 1"]
    assert repr(r) == "r: Scalar[INDEX] = chosen"


# While


def test_the_condition_of_a_while_loop_is_carried() -> None:
    nested = ir.While(less(read("f"), FOUR), (), (), block(ir.Assign(var("a"), ONE)), ())
    before, made = flattened(nested)
    assert repr(before) == "f: Scalar[INDEX] = array.f()"
    assert repr(made) == "while condition with (condition = f < 4) -> [condition]"
    assert isinstance(made, ir.While)
    assert texts(made.body.statements) == [
        "a: Scalar[INDEX] = 1",
        "f: Scalar[INDEX] = array.f()",
        "yield f < 4",
    ]


def test_the_condition_of_a_while_loop_reads_inits_before_and_yields_after() -> None:
    n, left, rest = var("n"), var("left"), var("rest")
    body = block(ir.Yield((plus(left, ONE),)))
    nested = ir.While(less(read("f", left), FOUR), (plus(n, ONE),), (left,), body, (rest,))
    start, before, made = flattened(nested, params=(n,))
    assert texts((start, before)) == ["left: Scalar[INDEX] = n + 1", "f: Scalar[INDEX] = array.f(left)"]
    assert repr(made) == "while condition with (left = left, condition = f < 4) -> [rest, condition]"
    assert isinstance(made, ir.While)
    assert texts(made.body.statements) == [
        "left: Scalar[INDEX] = left + 1",
        "f: Scalar[INDEX] = array.f(left)",
        "yield left, f < 4",
    ]


def test_a_while_loop_without_calls_in_its_condition_stays() -> None:
    made = ir.While(less(ONE, FOUR), (), (), block(ir.Assign(var("a"), ONE)), ())
    assert flattened(made, ir.Assign(var("r"), plus(read("f"), ONE)))[0] is made


# The whole


def test_a_flat_program_stays_the_same_object() -> None:
    a = var("a", tile(16, 16))
    before = kernel(ir.Assign(var("b", a.type), add(a, a)), ir.Evaluate(read("f")), params=(a,))
    assert passes.FlattenCalls()(before) is before


def test_breaks_are_refused() -> None:
    with pytest.raises(UserError, match="flatten_calls requires StructuredCtrlFlow"):
        passes.FlattenCalls()(kernel(loop(var("i"), block(ir.Break()))))


def test_deeply_nested_calls_need_no_recursion() -> None:
    deep: ir.Expr = ONE
    for _ in range(3000):
        deep = read("f", deep)
    assert len(flattened(ir.Assign(var("a"), deep))) == 3000


class Machine:
    """Runs scalar programs and writes down each call with its arguments; a call gives a number that depends on both."""

    def __init__(self, given_program: ir.Program, values: dict[str, int]) -> None:
        function = given_program.functions["kernel"]
        self.calls: list[tuple[Any, ...]] = []
        self.values: dict[ir.Var, Any] = {param: values[param.name] for param in function.params}
        self.returned = self.block(function.body)

    def block(self, body: ir.Block) -> list[Any]:
        """Runs the statements; returns what the last one yields or returns."""
        for statement in body.statements:
            match statement:
                case ir.Assign():
                    self.values[statement.var] = self.value(statement.value)
                case ir.Evaluate():
                    self.value(statement.value)
                case ir.Yield() | ir.Return():
                    return [self.value(each) for each in statement.values]
                case ir.If():
                    arm = statement.then_body if self.value(statement.condition) else statement.else_body
                    yielded = self.block(arm) if arm is not None else []
                    self.values.update(zip(statement.results, yielded, strict=True))
                case ir.For():
                    self.loop(statement)
                case ir.While():
                    self.while_loop(statement)
        return []

    def loop(self, made: ir.For) -> None:
        bounds = [self.value(each) for each in (made.start, made.stop, made.step)]
        held = [self.value(each) for each in made.inits]
        for position in range(*bounds):
            self.values[made.var] = position
            self.values.update(zip(made.carries, held, strict=True))
            held = self.block(made.body)
        self.values.update(zip(made.results, held, strict=True))

    def while_loop(self, made: ir.While) -> None:
        held = [self.value(each) for each in made.inits]
        for _ in range(6):
            self.values.update(zip(made.carries, held, strict=True))
            if not self.value(made.condition):
                self.values.update(zip(made.results, held, strict=True))
                return
            held = self.block(made.body)
        raise EndlessLoopError

    def value(self, node: ir.Expr) -> Any:
        match node:
            case ir.Var():
                return self.values[node]
            case ir.Const():
                return node.value
            case ir.Binary(operator="and"):
                return bool(self.value(node.lhs) and self.value(node.rhs))
            case ir.Binary(operator="or"):
                return bool(self.value(node.lhs) or self.value(node.rhs))
            case ir.Binary():
                lhs, rhs = self.value(node.lhs), self.value(node.rhs)
                return {"+": lhs + rhs, "<": lhs < rhs, "!=": lhs != rhs}[node.operator]
            case ir.Select():
                return self.value(node.then if self.value(node.condition) else node.otherwise)
            case ir.MakeTuple():
                return tuple([self.value(each) for each in node.elements])
            case ir.Call():
                self.calls.append((node.op, *[self.value(each) for each in node.args]))
                number = sum(len(str(each)) + 7 * position for position, each in enumerate(self.calls[-3:])) % 5
                return number < 3 if node.type == scalar(BOOL) else number
        raise AssertionError(node)


class EndlessLoopError(Exception):
    """The random program does not end soon."""


@st.composite
def numbers(draw: st.DrawFn, visible: list[ir.Var], depth: int) -> ir.Expr:
    kind = draw(st.sampled_from(["const", "var"] if depth == 0 else ["call", "call", "plus", "select", "var"]))
    if kind == "call":
        args = [draw(numbers(visible, depth - 1)) for _ in range(draw(st.integers(0, 2)))]
        listed = [ir.make_tuple([draw(numbers(visible, depth - 1))])] if draw(st.booleans()) else []
        return read(draw(st.sampled_from("fgh")), *args, *listed)
    if kind == "plus":
        return plus(draw(numbers(visible, depth - 1)), draw(numbers(visible, depth - 1)))
    if kind == "select":
        arms = draw(numbers(visible, depth - 1)), draw(numbers(visible, depth - 1))
        return ir.Select(draw(conditions(visible, depth - 1)), *arms, scalar())
    if kind == "var" and visible:
        return draw(st.sampled_from(visible))
    return ir.index_const(draw(st.integers(0, 3)))


@st.composite
def conditions(draw: st.DrawFn, visible: list[ir.Var], depth: int) -> ir.Expr:
    kind = draw(st.sampled_from(["compare", "call"] if depth <= 0 else ["and", "or", "compare", "call"]))
    if kind == "compare":
        return less(draw(numbers(visible, max(depth - 1, 0))), draw(numbers(visible, max(depth - 1, 0))))
    if kind == "call":
        return read("test", *draw(st.lists(numbers(visible, 0), max_size=1)), dtype=BOOL)
    return ir.Binary(kind, draw(conditions(visible, depth - 1)), draw(conditions(visible, depth - 1)), scalar(BOOL))


@st.composite
def bodies(draw: st.DrawFn, visible: list[ir.Var], depth: int) -> tuple[list[ir.Stmt], list[ir.Var]]:
    """Statements, and the values visible after them."""
    visible = list(visible)
    made: list[ir.Stmt] = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["assign", "evaluate"] if depth == 0 else ["assign", "if", "for", "while"]))
        result = var("v")
        if kind == "assign":
            made.append(ir.Assign(result, draw(numbers(visible, 3))))
        elif kind == "evaluate":
            made.append(ir.Evaluate(draw(numbers(visible, 2).filter(lambda each: isinstance(each, ir.Call)))))
            continue
        elif kind == "if":
            arms = [draw(yielding(visible, depth - 1)) for _ in range(2)]
            made.append(branch(draw(conditions(visible, 2)), *arms, result))
        elif kind == "for":
            index, carry = var("i"), var("c")
            body = draw(yielding([*visible, index, carry], depth - 1))
            made.append(loop(index, body, (draw(numbers(visible, 2)),), (carry,), (result,), stop=ir.index_const(2)))
        else:
            carry = var("c")
            body = draw(yielding([*visible, carry], depth - 1))
            condition = draw(conditions([*visible, carry], 2))
            made.append(ir.While(condition, (draw(numbers(visible, 2)),), (carry,), body, (result,)))
        visible.append(result)
    return made, visible


@st.composite
def yielding(draw: st.DrawFn, visible: list[ir.Var], depth: int) -> ir.Block:
    made, inside = draw(bodies(visible, depth))
    return block(*made, ir.Yield((draw(numbers(inside, 2)),)))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_the_same_calls_are_made_in_the_same_order(data: st.DataObject) -> None:
    n = var("n")
    made, visible = data.draw(bodies([n], 2))
    before = kernel(*made, ir.Return((data.draw(numbers(visible, 2)),)), params=(n,), returns=(scalar(),))
    after = passes.FlattenCalls()(before)
    assert passes.verify(after, ESTABLISHED) == []
    assert executed(after) == executed(before)


def executed(given_program: ir.Program) -> Any:
    try:
        machine = Machine(given_program, {"n": 2})
    except EndlessLoopError:
        return "endless"
    return machine.calls, machine.returned


# In kernels


def test_calls_nested_in_a_kernel() -> None:
    @pl.program
    class Before:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
        ) -> pl.Tensor[[16, 16], pl.FP32]:
            t = pl.load(x, [0, 0], [16, 16])
            # the heart of it
            return pl.store(pl.add(pl.mul(t, t), pl.exp(pl.neg(t))), [0, 0], out)

    @pl.program
    class After:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(
            self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]
        ) -> pl.Tensor[[16, 16], pl.FP32]:
            t = pl.load(x, [0, 0], [16, 16])
            mul = pl.mul(t, t)
            neg = pl.neg(t)
            exp = pl.exp(neg)
            add = pl.add(mul, exp)
            # the heart of it
            store = pl.store(add, [0, 0], out)
            return store

    after = assert_pass(Before, passes.FlattenCalls(), After)
    assert after.functions["kernel"].body.statements[-1].comments == ("# the heart of it",)


def test_a_while_loop_that_reads_its_condition() -> None:
    @pl.program
    class Before:
        @pl.function
        def main(self, flags: pl.Tensor[[16], pl.INT32]) -> pl.Scalar[pl.INDEX]:
            i = 0
            for (at,) in pl.while_(init_values=(i,)):
                pl.cond(pl.read(flags, [at]) > 0)
                (last,) = pl.yield_(at + 1)
            return last

    @pl.program
    class After:
        @pl.function
        def main(self, flags: pl.Tensor[[16], pl.INT32]) -> pl.Scalar[pl.INDEX]:
            i: pl.Scalar[pl.INDEX] = 0
            read = pl.read(flags, [i])
            for at, condition in pl.while_(init_values=(i, read > 0)):
                pl.cond(condition)
                following: pl.Scalar[pl.INDEX] = at + 1
                again = pl.read(flags, [following])
                last, _ = pl.yield_(following, again > 0)
            return last

    assert_pass(Before, passes.FlattenCalls(), After)


def test_a_read_that_need_not_happen() -> None:
    @pl.program
    class Before:
        @pl.function
        def main(self, flags: pl.Tensor[[16], pl.INT32], n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
            result = 0
            if n < 16 and pl.read(flags, [n]) > 0:
                result = 1
            return result

    @pl.program
    class After:
        @pl.function
        def main(self, flags: pl.Tensor[[16], pl.INT32], n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
            result: pl.Scalar[pl.INDEX] = 0
            if n < 16:
                read = pl.read(flags, [n])
                chosen = pl.yield_(read > 0)
            else:
                chosen = pl.yield_(False)
            if chosen:
                one: pl.Scalar[pl.INDEX] = 1
                after = pl.yield_(one)
            else:
                after = pl.yield_(result)
            return after

    assert_pass(Before, passes.FlattenCalls(), After)
