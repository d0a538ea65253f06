"""Each single fault in the structure of a program is found, under its own code and at its own place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pypto_lite import ir, passes
from tests.passes.hand_built import (
    BOOL,
    FP32,
    INDEX,
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

STRUCTURAL = {
    passes.SSAForm,
    passes.UseAfterDef,
    passes.NoNestedCalls,
    passes.NormalizedStmtStructure,
    passes.BreakContinueValid,
    passes.StructuredCtrlFlow,
    passes.SplitIncoreOrch,
    passes.IncoreTileOps,
    passes.Printable,
}

Faults = dict[str, Callable[[], ir.Program]]


def sound() -> ir.Program:
    """A program with every kind of statement and value that a lowered program can have, and no fault."""
    x, out, n, size = var("x", tensor(16, 128)), var("out", tensor(16, 128)), var("n"), var("M")
    y = var("y", tensor(size, 128))
    window = tile(16, 128, valid=(n, 128))
    start, part, index, acc, total = (
        var(name, type_)
        for name, type_ in (
            ("start", tile(16, 128)), ("part", window), ("i", scalar()), ("acc", tile(16, 128)), ("t", tile(16, 128)),
        )
    )  # fmt: skip
    then, otherwise, chosen, summed = (var(name, tile(16, 128)) for name in ("then", "otherwise", "chosen", "summed"))
    more, left, rest = var("more", scalar(BOOL)), var("left"), var("rest")
    stored = var("stored", tensor(16, 128))
    body = block(
        ir.Assign(total, add(acc, start)),
        branch(
            less(index, n),
            block(ir.Assign(then, add(total, start)), ir.Yield((then,))),
            block(ir.Assign(otherwise, add(total, total)), ir.Yield((otherwise,))),
            chosen,
        ),
        ir.Yield((chosen,)),
    )
    once = ir.While(less(ZERO, left), (n,), (left,), block(ir.Yield((plus(left, ONE),))), (rest,))
    store = call("tile.store", summed, ir.make_tuple([0, 0]), out, result=tensor(16, 128))
    return kernel(
        ir.Assign(start, load(x)),
        ir.Assign(part, load(x, window)),
        loop(index, body, (start,), (acc,), (summed,)),
        once,
        ir.Assign(more, less(rest, n)),
        branch(more, block(ir.Evaluate(call("system.bar_all")))),
        ir.Assign(stored, store),
        ir.Return((stored,)),
        params=(x, y, out, n),
        returns=(tensor(16, 128),),
    )


def test_a_sound_program_has_all_structural_properties() -> None:
    assert passes.verify(sound(), STRUCTURAL) == []


# SSAForm


def _assigned_twice() -> ir.Program:
    value = var("a")
    return kernel(ir.Assign(value, ZERO), ir.Assign(value, ONE))


def _param_assigned() -> ir.Program:
    param = var("p")
    return kernel(ir.Assign(param, ZERO), params=(param,))


def _param_twice() -> ir.Program:
    param = var("p")
    return kernel(params=(param, param))


def _loop_variable_assigned() -> ir.Program:
    index = var("i")
    return kernel(loop(index, block(ir.Assign(index, ZERO))))


def _carry_is_result() -> ir.Program:
    carry = var("a")
    return kernel(loop(var("i"), block(ir.Yield((carry,))), (ZERO,), (carry,), (carry,)))


def _assigned_in_both_arms() -> ir.Program:
    value = var("a")
    return kernel(branch(TRUE, block(ir.Assign(value, ZERO)), block(ir.Assign(value, ONE))))


def _branch_result_assigned() -> ir.Program:
    value = var("a")
    arms = block(ir.Yield((ZERO,))), block(ir.Yield((ONE,)))
    return kernel(branch(TRUE, *arms, value), ir.Assign(value, ONE))


def _defined_in_two_functions() -> ir.Program:
    value = var("a")
    return program(function(ir.Assign(value, ZERO)), function(ir.Assign(value, ZERO), name="other"))


def _scope_variable_assigned() -> ir.Program:
    index = var("i")
    scope = ir.Scope(ir.ScopeKind.Spmd, (), {}, index, block())
    return kernel(scope, ir.Assign(index, ZERO))


def _fewer_inits_than_carries() -> ir.Program:
    carry = var("a")
    return kernel(loop(var("i"), block(ir.Yield((carry,))), (), (carry,), (var("r"),)))


def _fewer_results_than_carries() -> ir.Program:
    carry = var("a")
    return kernel(loop(var("i"), block(ir.Yield((carry,))), (ZERO,), (carry,), ()))


def _loop_does_not_yield() -> ir.Program:
    carry = var("a")
    return kernel(loop(var("i"), block(), (ZERO,), (carry,), (var("r"),)))


def _while_does_not_yield() -> ir.Program:
    carry = var("a")
    return kernel(ir.While(less(carry, ONE), (ZERO,), (carry,), block(ir.Assign(var("b"), carry)), (var("r"),)))


def _loop_yields_too_much() -> ir.Program:
    carry = var("a")
    return kernel(loop(var("i"), block(ir.Yield((carry, carry))), (ZERO,), (carry,), (var("r"),)))


def _loop_yields_another_kind() -> ir.Program:
    x, carry = var("x", tensor(16, 16)), var("a")
    return kernel(loop(var("i"), block(ir.Yield((x,))), (ZERO,), (carry,), (var("r"),)), params=(x,))


def _carry_of_another_kind_than_its_init() -> ir.Program:
    x, carry = var("x", tensor(16, 16)), var("a")
    return kernel(loop(var("i"), block(ir.Yield((carry,))), (x,), (carry,), (var("r", x.type),)), params=(x,))


def _yields_twice() -> ir.Program:
    carry = var("a")
    return kernel(loop(var("i"), block(ir.Yield((carry,)), ir.Yield((carry,))), (ZERO,), (carry,), (var("r"),)))


def _then_arm_does_not_yield() -> ir.Program:
    return kernel(branch(TRUE, block(), block(ir.Yield((ONE,))), var("r")))


def _else_arm_does_not_yield() -> ir.Program:
    return kernel(branch(TRUE, block(ir.Yield((ONE,))), block(ir.Evaluate(call("system.bar_all"))), var("r")))


def _result_without_else() -> ir.Program:
    return kernel(branch(TRUE, block(ir.Yield((ONE,))), None, var("r")))


SSA_FAULTS: Faults = {
    fault.__name__: fault
    for fault in (
        _assigned_twice, _param_assigned, _param_twice, _loop_variable_assigned, _carry_is_result,
        _assigned_in_both_arms, _branch_result_assigned, _defined_in_two_functions, _scope_variable_assigned,
        _fewer_inits_than_carries, _fewer_results_than_carries, _loop_does_not_yield, _while_does_not_yield,
        _loop_yields_too_much, _loop_yields_another_kind, _carry_of_another_kind_than_its_init, _yields_twice,
        _then_arm_does_not_yield, _else_arm_does_not_yield, _result_without_else,
    )
}  # fmt: skip


# UseAfterDef


def _never_defined() -> ir.Program:
    return kernel(ir.Assign(var("a"), plus(var("b"), ONE)))


def _used_before() -> ir.Program:
    late = var("b")
    return kernel(ir.Assign(var("a"), late), ir.Assign(late, ONE))


def _loop_variable_after_loop() -> ir.Program:
    index = var("i")
    return kernel(loop(index, block()), ir.Assign(var("a"), index))


def _loop_variable_in_bounds() -> ir.Program:
    index = var("i")
    return kernel(loop(index, block(), stop=index))


def _body_value_after_loop() -> ir.Program:
    inside = var("b")
    return kernel(loop(var("i"), block(ir.Assign(inside, ONE))), ir.Assign(var("a"), inside))


def _carry_after_loop() -> ir.Program:
    carry = var("c")
    made = loop(var("i"), block(ir.Yield((carry,))), (ZERO,), (carry,), (var("r"),))
    return kernel(made, ir.Assign(var("a"), carry))


def _carry_in_its_init() -> ir.Program:
    carry = var("c")
    return kernel(loop(var("i"), block(ir.Yield((carry,))), (carry,), (carry,), (var("r"),)))


def _result_inside_loop() -> ir.Program:
    carry, result = var("c"), var("r")
    return kernel(loop(var("i"), block(ir.Yield((result,))), (ZERO,), (carry,), (result,)))


def _then_value_in_else() -> ir.Program:
    inside = var("b")
    return kernel(branch(TRUE, block(ir.Assign(inside, ONE)), block(ir.Assign(var("a"), inside))))


def _arm_value_after_branch() -> ir.Program:
    inside = var("b")
    return kernel(branch(TRUE, block(ir.Assign(inside, ONE))), ir.Assign(var("a"), inside))


def _condition_reads_the_body() -> ir.Program:
    inside, carry = var("b"), var("c")
    body = block(ir.Assign(inside, ONE), ir.Yield((inside,)))
    return kernel(ir.While(less(inside, ONE), (ZERO,), (carry,), body, (var("r"),)))


def _undefined_in_a_nested_argument() -> ir.Program:
    x = var("x", tensor(16, 16))
    read = call("tensor.read", x, ir.make_tuple([ZERO, plus(var("b"), ONE)]), result=scalar(FP32))
    return kernel(ir.Assign(var("a", scalar(FP32)), read), params=(x,))


def _undefined_in_return() -> ir.Program:
    return kernel(ir.Return((var("a"),)), returns=(scalar(),))


def _undefined_in_yield() -> ir.Program:
    carry = var("c")
    return kernel(loop(var("i"), block(ir.Yield((var("b"),))), (ZERO,), (carry,), (var("r"),)))


def _undefined_in_a_valid_region() -> ir.Program:
    x = var("x", tensor(16, 16))
    claimed = tile(16, 16, valid=(var("n"), 16))
    return kernel(ir.Assign(var("t", claimed), load(x, tile(16, 16))), params=(x,))


def _late_in_a_valid_region() -> ir.Program:
    x, late = var("x", tensor(16, 16)), var("n")
    claimed = tile(16, 16, valid=(late, 16))
    return kernel(ir.Assign(var("t", claimed), load(x, tile(16, 16))), ir.Assign(late, ONE), params=(x,))


def _undefined_in_a_claimed_type() -> ir.Program:
    x = var("x", tensor(16, 16))
    return kernel(ir.Evaluate(load(x, tile(16, 16, valid=(var("n"), 16)))), params=(x,))


def _undefined_in_a_carry_type() -> ir.Program:
    carry = var("c", tile(16, 16, valid=(var("n"), 16)))
    start = var("s", tile(16, 16))
    made = loop(var("i"), block(ir.Yield((carry,))), (start,), (carry,), (var("r", tile(16, 16)),))
    return kernel(made, params=(start,))


def _body_value_in_return_type() -> ir.Program:
    size, x = var("n"), var("x", tensor(16, 16))
    return kernel(ir.Assign(size, ONE), ir.Return((x,)), params=(x,), returns=(tensor(size, 16),))


def _value_of_another_function() -> ir.Program:
    value = var("v")
    return program(function(ir.Assign(value, ONE)), function(ir.Assign(var("a"), value), name="other"))


def _dimension_as_value_where_no_parameter_has_it() -> ir.Program:
    size = var("M")
    x = var("x", tensor(size, 16))
    return program(function(params=(x,)), function(ir.Assign(var("a"), size), name="other"))


def _parameter_type_of_a_later_value() -> ir.Program:
    size = var("n")
    return kernel(ir.Assign(size, ONE), params=(var("x", tensor(size, 16)),))


def _undefined_in_a_scope_keyword() -> ir.Program:
    return kernel(ir.Scope(ir.ScopeKind.At, (), {"chunk": var("n")}, None, block()))


USE_FAULTS: Faults = {
    fault.__name__: fault
    for fault in (
        _never_defined, _used_before, _loop_variable_after_loop, _loop_variable_in_bounds, _body_value_after_loop,
        _carry_after_loop, _carry_in_its_init, _result_inside_loop, _then_value_in_else, _arm_value_after_branch,
        _condition_reads_the_body, _undefined_in_a_nested_argument, _undefined_in_return, _undefined_in_yield,
        _undefined_in_a_valid_region, _late_in_a_valid_region, _undefined_in_a_claimed_type,
        _undefined_in_a_carry_type, _body_value_in_return_type, _value_of_another_function,
        _dimension_as_value_where_no_parameter_has_it, _undefined_in_a_scope_keyword,
        _parameter_type_of_a_later_value,
    )
}  # fmt: skip


# NoNestedCalls


def _read() -> ir.Call:
    return call("tile.get_block_idx", result=scalar())


def _call_in_argument() -> ir.Program:
    x = var("x", tile(16, 16))
    return kernel(ir.Assign(var("a", x.type), add(add(x, x), x)), params=(x,))


def _call_in_shape() -> ir.Program:
    created = call("tile.create", ir.make_tuple([_read(), ONE]), result=tile(16, 16), dtype=FP32)
    return kernel(ir.Assign(var("a", tile(16, 16)), created))


def _call_in_scalar() -> ir.Program:
    return kernel(ir.Assign(var("a"), plus(_read(), ONE)))


def _call_in_bound() -> ir.Program:
    return kernel(loop(var("i"), block(), stop=_read()))


def _call_in_init() -> ir.Program:
    carry = var("c")
    return kernel(loop(var("i"), block(ir.Yield((carry,))), (_read(),), (carry,), (var("r"),)))


def _call_in_condition() -> ir.Program:
    return kernel(branch(less(_read(), ONE), block(ir.Evaluate(call("system.bar_all")))))


def _call_in_while() -> ir.Program:
    return kernel(ir.While(less(_read(), ONE), (), (), block(), ()))


def _call_in_yield() -> ir.Program:
    carry = var("c")
    return kernel(loop(var("i"), block(ir.Yield((_read(),))), (ZERO,), (carry,), (var("r"),)))


def _call_in_return() -> ir.Program:
    return kernel(ir.Return((_read(),)), returns=(scalar(),))


def _item_of_a_call() -> ir.Program:
    made = ir.FunctionCall("pair", (), ir.TupleType([scalar(), scalar()]))
    return kernel(ir.Assign(var("a"), ir.TupleItem(made, 0, scalar())))


def _call_in_scope_keyword() -> ir.Program:
    return kernel(ir.Scope(ir.ScopeKind.At, (), {"chunk": _read()}, None, block()))


NESTED_CALLS: Faults = {
    fault.__name__: fault
    for fault in (
        _call_in_argument, _call_in_shape, _call_in_scalar, _call_in_bound, _call_in_init, _call_in_condition,
        _call_in_while, _call_in_yield, _call_in_return, _item_of_a_call, _call_in_scope_keyword,
    )
}  # fmt: skip


# NormalizedStmtStructure


def _block_in_block() -> ir.Program:
    return kernel(block())


def _after_yield() -> ir.Program:
    carry = var("c")
    body = block(ir.Yield((carry,)), ir.Assign(var("a"), ONE))
    return kernel(loop(var("i"), body, (ZERO,), (carry,), (var("r"),)))


def _after_return() -> ir.Program:
    return kernel(ir.Return(()), ir.Assign(var("a"), ONE))


def _after_break() -> ir.Program:
    return kernel(loop(var("i"), block(ir.Break(), ir.Assign(var("a"), ONE))))


def _after_continue() -> ir.Program:
    return kernel(loop(var("i"), block(ir.Continue(), ir.Assign(var("a"), ONE))))


def _yield_without_carries() -> ir.Program:
    return kernel(loop(var("i"), block(ir.Yield(()))))


def _yield_without_results() -> ir.Program:
    return kernel(branch(TRUE, block(ir.Yield((ONE,)))))


def _yield_in_function() -> ir.Program:
    return kernel(ir.Yield((ONE,)))


def _yield_in_scope() -> ir.Program:
    return kernel(ir.Scope(ir.ScopeKind.At, (), {}, None, block(ir.Yield(()))))


def _empty_else() -> ir.Program:
    return kernel(branch(TRUE, block(), block()))


def _evaluated_variable() -> ir.Program:
    value = var("a")
    return kernel(ir.Evaluate(value), params=(value,))


def _result_in_one_arm() -> ir.Program:
    return kernel(branch(TRUE, block(ir.Yield((ONE,))), None, var("r")))


def _return_in_branch() -> ir.Program:
    return kernel(branch(TRUE, block(ir.Return(()))))


def _return_in_loop() -> ir.Program:
    return kernel(loop(var("i"), block(ir.Return(()))))


STRUCTURE_FAULTS: Faults = {
    fault.__name__: fault
    for fault in (
        _block_in_block, _after_yield, _after_return, _after_break, _after_continue, _yield_without_carries,
        _yield_without_results, _yield_in_function, _yield_in_scope, _empty_else, _evaluated_variable,
        _result_in_one_arm, _return_in_branch, _return_in_loop,
    )
}  # fmt: skip


# BreakContinueValid, StructuredCtrlFlow


def _break_outside() -> ir.Program:
    return kernel(ir.Break())


def _continue_in_branch_outside() -> ir.Program:
    return kernel(branch(TRUE, block(ir.Continue())))


def _break_after_loop() -> ir.Program:
    return kernel(loop(var("i"), block()), ir.Break())


LOOPLESS_BREAKS: Faults = {
    fault.__name__: fault for fault in (_break_outside, _continue_in_branch_outside, _break_after_loop)
}


def _break_in_loop() -> ir.Program:
    return kernel(loop(var("i"), block(branch(TRUE, block(ir.Break())))))


def _continue_in_while() -> ir.Program:
    return kernel(ir.While(TRUE, (), (), block(ir.Continue()), ()))


BREAKS: Faults = {fault.__name__: fault for fault in (_break_in_loop, _continue_in_while)}


# SplitIncoreOrch

ORCHESTRATION = ir.FunctionType.Orchestration


def _tile_operator_in_orchestration() -> ir.Program:
    x = var("x", tensor(16, 16))
    return kernel(ir.Assign(var("t", tile(16, 16)), load(x)), params=(x,), type_=ORCHESTRATION)


def _tile_parameter_of_orchestration() -> ir.Program:
    return kernel(params=(var("t", tile(16, 16)),), type_=ORCHESTRATION)


def _tile_from_a_function_in_orchestration() -> ir.Program:
    made = ir.FunctionCall("other", (), tile(16, 16))
    return kernel(ir.Assign(var("t", tile(16, 16)), made), type_=ORCHESTRATION)


def _tile_carry_in_orchestration() -> ir.Program:
    carry, result = var("c", tile(16, 16)), var("r")
    made = loop(var("i"), block(ir.Yield((ZERO,))), (ZERO,), (carry,), (result,))
    return kernel(made, type_=ORCHESTRATION)


def _submit_in_core() -> ir.Program:
    submitted = ir.Submit("other", (), (), scalar())
    return kernel(ir.Assign(var("task"), submitted))


def _in_core_calls_orchestration() -> ir.Program:
    called = ir.FunctionCall("main", (), ir.UNKNOWN)
    return program(function(ir.Evaluate(called)), function(name="main", type_=ORCHESTRATION))


MIXED: Faults = {
    fault.__name__: fault
    for fault in (
        _tile_operator_in_orchestration, _tile_parameter_of_orchestration, _tile_from_a_function_in_orchestration,
        _tile_carry_in_orchestration, _submit_in_core, _in_core_calls_orchestration,
    )
}  # fmt: skip


def _scope_in_opaque() -> ir.Program:
    return kernel(ir.Scope(ir.ScopeKind.At, (), {}, None, block()), type_=ir.FunctionType.Opaque)


def _scope_in_loop() -> ir.Program:
    inner = ir.Scope(ir.ScopeKind.Manual, (), {}, None, block())
    return kernel(loop(var("i"), block(inner)), type_=ORCHESTRATION)


SCOPES: Faults = {fault.__name__: fault for fault in (_scope_in_opaque, _scope_in_loop)}


# IncoreTileOps


def _three_dimensions() -> ir.Program:
    x = var("x", tensor(2, 16, 16))
    return kernel(ir.Assign(var("t", tile(2, 16, 16)), load(x)), params=(x,))


def _symbolic_extent() -> ir.Program:
    size, x = var("n"), var("x", tensor(16, 16))
    made = ir.Assign(var("t", tile(size, 16)), load(x, tile(16, 16)))
    return kernel(made, params=(x, size))


def _flat_parameter() -> ir.Program:
    return kernel(params=(var("t", tile(16)),))


def _flat_carry() -> ir.Program:
    start, carry, result = var("s", tile(16, 16)), var("c", tile(16)), var("r", tile(16, 16))
    return kernel(loop(var("i"), block(ir.Yield((start,))), (start,), (carry,), (result,)), params=(start,))


def _flat_loop_result() -> ir.Program:
    start, carry, result = var("s", tile(16, 16)), var("c", tile(16, 16)), var("r", tile(16))
    return kernel(loop(var("i"), block(ir.Yield((start,))), (start,), (carry,), (result,)), params=(start,))


def _flat_branch_result() -> ir.Program:
    start = var("s", tile(16, 16))
    arms = block(ir.Yield((start,))), block(ir.Yield((start,)))
    return kernel(branch(TRUE, *arms, var("r", tile(16))), params=(start,))


def _flat_evaluated() -> ir.Program:
    x = var("x", tensor(16, 16))
    return kernel(ir.Evaluate(load(x, tile(16))), params=(x,))


def _flat_member_of_a_tuple() -> ir.Program:
    pair = ir.TupleType([scalar(), tile(16)])
    return kernel(ir.Assign(var("p", pair), ir.FunctionCall("other", (), pair)))


def _tensor_compute_in_core() -> ir.Program:
    created = call("tensor.create", ir.make_tuple([16, 16]), result=tensor(16, 16), dtype=FP32)
    return kernel(ir.Assign(var("t", tensor(16, 16)), created))


NOT_TILES: Faults = {
    fault.__name__: fault
    for fault in (
        _three_dimensions, _symbolic_extent, _flat_parameter, _flat_carry, _flat_loop_result, _flat_branch_result,
        _flat_evaluated, _flat_member_of_a_tuple, _tensor_compute_in_core,
    )
}  # fmt: skip


# Printable


def _deep_expression() -> ir.Program:
    deep: ir.Expr = ONE
    for _ in range(65):
        deep = plus(deep, ONE)
    return kernel(ir.Assign(var("a"), deep))


def _deep_argument() -> ir.Program:
    deep: ir.Expr = ONE
    for _ in range(65):
        deep = plus(ONE, deep)
    x = var("x", tensor(16, 16))
    return kernel(ir.Assign(var("t", tile(16, 16)), load(x, offset=deep)), params=(x,))


def _deep_dimension() -> ir.Program:
    n = var("n")
    deep: ir.Expr = n
    for _ in range(65):
        deep = plus(deep, ONE)
    return kernel(params=(n, var("x", tensor(deep, 16))))


def _nested(levels: int) -> ir.Program:
    inner = block()
    for _ in range(levels):
        inner = block(loop(var("i"), inner))
    return kernel(*inner.statements)


def _many_nested_blocks() -> ir.Program:
    return _nested(91)


TOO_DEEP: Faults = {
    fault.__name__: fault for fault in (_deep_expression, _deep_argument, _deep_dimension, _many_nested_blocks)
}

TABLE = [
    (passes.SSAForm, "PL301", SSA_FAULTS),
    (passes.UseAfterDef, "PL302", USE_FAULTS),
    (passes.NoNestedCalls, "PL304", NESTED_CALLS),
    (passes.NormalizedStmtStructure, "PL305", STRUCTURE_FAULTS),
    (passes.BreakContinueValid, "PL306", LOOPLESS_BREAKS),
    (passes.StructuredCtrlFlow, "PL307", BREAKS),
    (passes.SplitIncoreOrch, "PL308", MIXED),
    (passes.SplitIncoreOrch, "PL311", SCOPES),
    (passes.IncoreTileOps, "PL309", NOT_TILES),
    (passes.Printable, "PL312", TOO_DEEP),
]


@pytest.mark.parametrize(
    ("judged", "code", "build"),
    [pytest.param(judged, code, fault, id=name) for judged, code, faults in TABLE for name, fault in faults.items()],
)
def test_a_single_fault_is_found_once(judged: passes.Property, code: str, build: Callable[[], ir.Program]) -> None:
    findings = passes.verify(build(), {judged})
    assert [finding.code for finding in findings] == [code]


@pytest.mark.parametrize("judged", sorted(STRUCTURAL, key=repr), ids=repr)
def test_a_finding_points_at_its_line(judged: passes.Property) -> None:
    faults = next(faults for each, _, faults in TABLE if each is judged)
    at_fault = next(iter(faults.values()))()
    marked = ir.rewrite(at_fault, dict.fromkeys(STATEMENTS, lambda statement: statement.replace(span=line(7))))
    lines = {finding.span.line for finding in passes.verify(marked, {judged})}
    assert lines == {7}


STATEMENTS = (
    ir.Assign, ir.Evaluate, ir.For, ir.While, ir.If, ir.Yield, ir.Return, ir.Scope, ir.Break, ir.Continue, ir.Block,
)  # fmt: skip


def test_all_findings_are_listed() -> None:
    value = var("a")
    thrice = kernel(*[ir.Assign(value, ZERO) for _ in range(4)])
    assert len(passes.verify(thrice, {passes.SSAForm})) == 3


def test_a_value_used_twice_in_one_statement_is_one_finding() -> None:
    value = var("a")
    twice = kernel(ir.Assign(var("b"), plus(value, value)), ir.Assign(var("c"), value))
    assert len(passes.verify(twice, {passes.UseAfterDef})) == 2


def test_a_second_definition_points_at_the_first() -> None:
    value = var("a")
    twice = kernel(ir.Assign(value, ZERO, line(3)), ir.Assign(value, ZERO, line(5)))
    (finding,) = passes.verify(twice, {passes.SSAForm})
    assert (finding.span.line, finding.notes[0].span.line) == (5, 3)


def test_a_use_outside_points_at_the_definition() -> None:
    inside = var("b")
    out_of_scope = kernel(loop(var("i"), block(ir.Assign(inside, ONE, line(3)))), ir.Assign(var("a"), inside, line(5)))
    (finding,) = passes.verify(out_of_scope, {passes.UseAfterDef})
    assert (finding.span.line, finding.notes[0].span.line) == (5, 3)


def test_a_finding_without_a_place_names_its_function() -> None:
    (finding,) = passes.verify(_assigned_twice(), {passes.SSAForm})
    assert "in function 'kernel'" in finding.message


# What is no fault


def test_a_scope_body_shares_the_block_around_it() -> None:
    inside = var("b")
    scope = ir.Scope(ir.ScopeKind.At, (), {}, None, block(ir.Assign(inside, ONE)))
    assert passes.verify(kernel(scope, ir.Assign(var("a"), inside)), {passes.UseAfterDef}) == []


def test_a_variable_assigned_in_both_arms_is_visible_after_them() -> None:
    value = var("a")
    arms = block(ir.Assign(value, ZERO)), block(ir.Assign(value, ONE))
    assert passes.verify(kernel(branch(TRUE, *arms), ir.Assign(var("b"), value)), {passes.UseAfterDef}) == []


@pytest.mark.parametrize("leave", [ir.Break(), ir.Continue(), ir.Return(())], ids=repr)
def test_an_arm_that_leaves_hides_nothing(leave: ir.Stmt) -> None:
    value = var("a")
    made = branch(TRUE, block(leave), block(ir.Assign(value, ONE)))
    body = block(made, ir.Assign(var("b"), value))
    assert passes.verify(kernel(loop(var("i"), body)), {passes.UseAfterDef}) == []


def test_a_value_is_hidden_again_behind_the_loop_that_breaks() -> None:
    value = var("a")
    broken = loop(var("i"), block(branch(TRUE, block(ir.Break()), block(ir.Assign(value, ONE)))))
    (finding,) = passes.verify(kernel(broken, ir.Assign(var("b"), value)), {passes.UseAfterDef})
    assert finding.code == "PL302"


def test_a_type_may_mention_a_dimension_of_another_signature() -> None:
    size = var("M")
    callee = function(params=(var("x", tensor(size, 16)),), returns=(tensor(size, 16),), name="callee")
    given = var("y", tensor(size, 16))
    made = ir.Assign(given, ir.FunctionCall("callee", (), tensor(size, 16)))
    assert passes.verify(program(callee, function(made, name="caller")), {passes.UseAfterDef}) == []


def test_a_dimension_of_a_parameter_is_a_value() -> None:
    size = var("M")
    used = kernel(ir.Assign(var("a"), size), params=(var("x", tensor(size, 16)),))
    assert passes.verify(used, {passes.UseAfterDef}) == []


def test_a_return_may_end_a_scope_that_ends_the_function() -> None:
    scope = ir.Scope(ir.ScopeKind.At, (), {}, None, block(ir.Return(())))
    assert passes.verify(kernel(scope), {passes.NormalizedStmtStructure}) == []


def test_in_core_code_may_address_tensors() -> None:
    x = var("x", tensor(16, 16))
    read = call("tensor.read", x, ir.make_tuple([0, 0]), result=scalar(FP32))
    used = kernel(ir.Assign(var("a", scalar(FP32)), read), params=(x,))
    assert passes.verify(used, {passes.IncoreTileOps}) == []


def test_an_in_core_tile_may_have_a_symbolic_valid_region() -> None:
    n = var("n")
    assert passes.verify(kernel(params=(n, var("t", tile(16, 16, valid=(n, 16))))), {passes.IncoreTileOps}) == []


def test_opaque_functions_may_hold_tiles_of_any_rank() -> None:
    opaque = kernel(params=(var("t", tile(2, 16, 16)),), type_=ir.FunctionType.Opaque)
    assert passes.verify(opaque, STRUCTURAL) == []


def test_ninety_nested_blocks_can_be_printed() -> None:
    assert passes.verify(_nested(90), {passes.Printable}) == []


def test_sixty_four_operators_around_an_operand_can_be_printed() -> None:
    deep: ir.Expr = ONE
    for _ in range(64):
        deep = plus(deep, ONE)
    assert passes.verify(kernel(ir.Assign(var("a"), deep)), {passes.Printable}) == []


def _chain_of_elif(length: int) -> ir.Program:
    chain = branch(TRUE, block(ir.Assign(var("a"), ONE)))
    for _ in range(length):
        chain = branch(TRUE, block(ir.Assign(var("a"), ONE)), block(chain))
    return kernel(chain)


@pytest.mark.parametrize(("length", "count"), [(200, 0), (999, 0), (1001, 1)])
def test_elif_does_not_nest_but_has_a_limit(length: int, count: int) -> None:
    assert len(passes.verify(_chain_of_elif(length), {passes.Printable})) == count


def test_deep_nesting_needs_no_recursion() -> None:
    assert passes.verify(_nested(3000), STRUCTURAL - {passes.Printable}) == []


def test_deep_expressions_need_no_recursion() -> None:
    deep: ir.Expr = ONE
    for _ in range(5000):
        deep = plus(deep, ONE)
    program_of_one = kernel(ir.Assign(var("a", scalar(INDEX)), deep))
    assert passes.verify(program_of_one, STRUCTURAL - {passes.Printable}) == []


@pytest.mark.parametrize(
    "build", [pytest.param(fault, id=name) for _, _, faults in TABLE for name, fault in faults.items()]
)
def test_broken_programs_can_be_looked_at(build: Callable[[], ir.Program]) -> None:
    broken = build()
    assert all(repr(node) for node in ir.walk(broken))
    assert passes.verify(broken, STRUCTURAL | {passes.TypeChecked}) != []
