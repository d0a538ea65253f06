"""TypeChecked finds each claim that does not follow from the operands, and nothing in programs without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pypto_lite import ir, passes
from tests.passes.hand_built import (
    BF16,
    BOOL,
    FOUR,
    FP32,
    INDEX,
    INT32,
    ONE,
    TASK_ID,
    TRUE,
    ZERO,
    Acc,
    Mat,
    Vec,
    add,
    block,
    branch,
    call,
    function,
    kernel,
    less,
    load,
    loop,
    plus,
    program,
    scalar,
    tensor,
    tile,
    var,
)

if TYPE_CHECKING:
    from collections.abc import Callable

INT64 = ir.DTYPES["INT64"]
HALF = ir.const(0.5)

# Calls of operators


def _shape() -> ir.Program:
    x = var("x", tensor(16, 128))
    return _assigned(load(x, tile(16, 64)), x)


def _dtype() -> ir.Program:
    x = var("x", tensor(16, 128))
    return _assigned(load(x, tile(16, 128, dtype=BF16)), x)


def _rank() -> ir.Program:
    x = var("x", tensor(16, 128))
    return _assigned(load(x, tile(2048)), x)


def _kind() -> ir.Program:
    x = var("x", tensor(16, 128))
    return _assigned(load(x, tensor(16, 128)), x)


def _valid_region() -> ir.Program:
    x = var("x", tensor(16, 128))
    return _assigned(load(x, tile(16, 128, valid=(8, 128))), x)


def _valid_region_of_another_variable() -> ir.Program:
    n, m, x = var("n"), var("m"), var("x", tile(16, 16))
    claimed = tile(16, 16, valid=(m, 16))
    return _assigned(call("tile.set_validshape", x, n, ir.index_const(16), result=claimed), n, m, x)


def _space_against_the_keyword() -> ir.Program:
    x = var("x", tensor(16, 128))
    loaded = load(x, tile(16, 128, space=Vec)).replace(keywords={"target_memory": Mat})
    return _assigned(loaded, x)


def _space_of_a_fixed_result() -> ir.Program:
    a = var("a", tile(16, 16, dtype=BF16))
    return _assigned(call("tile.matmul", a, a, result=tile(16, 16, space=Vec)), a)


def _space_of_an_inherited_result() -> ir.Program:
    a = var("a", tile(16, 16, space=Mat))
    shape = ir.make_tuple([8, 32])
    return _assigned(call("tile.reshape", a, shape, result=tile(8, 32, space=Vec)), a)


def _unknown_operator() -> ir.Program:
    return kernel(ir.Evaluate(call("tile.frobnicate")))


def _too_few_operands() -> ir.Program:
    a = var("a", tile(16, 16))
    return _assigned(call("tile.add", a, result=a.type), a)


def _operand_kind() -> ir.Program:
    x = var("x", tensor(16, 16))
    return _assigned(call("tile.add", x, x, result=tile(16, 16)), x)


def _operand_shapes() -> ir.Program:
    a, b = var("a", tile(16, 16)), var("b", tile(8, 16))
    return _assigned(call("tile.add", a, b, result=a.type), a, b)


def _unknown_keyword() -> ir.Program:
    a = var("a", tile(16, 16))
    return _assigned(call("tile.add", a, a, result=a.type, loudly=True), a)


def _keyword_value() -> ir.Program:
    x = var("x", tensor(16, 16))
    return _assigned(load(x).replace(keywords={"target_memory": 3}), x)


def _nested_call() -> ir.Program:
    a = var("a", tile(16, 16))
    wrong = call("tile.add", a, a, result=tile(16, 16, dtype=BF16))
    return _assigned(call("tile.cast", wrong, result=a.type, target_type=FP32, mode=ir.CastMode.round), a)


# Assignments


def _assigned_dtype() -> ir.Program:
    return kernel(ir.Assign(var("a", scalar(INT32)), ONE))


def _assigned_shape() -> ir.Program:
    a = var("a", tile(16, 16))
    return kernel(ir.Assign(var("b", tile(16, 8)), a), params=(a,))


def _assigned_space() -> ir.Program:
    a = var("a", tile(16, 16, space=Acc))
    return kernel(ir.Assign(var("b", tile(16, 16, space=Vec)), a), params=(a,))


def _assigned_call_type() -> ir.Program:
    a = var("a", tile(16, 16))
    return kernel(ir.Assign(var("b", tile(16, 16, dtype=BF16)), add(a, a)), params=(a,))


def _assigned_array() -> ir.Program:
    a = var("a", ir.ArrayType(8, INT32))
    return kernel(ir.Assign(var("b", ir.ArrayType(4, INT32)), a), params=(a,))


def _assigned_pair() -> ir.Program:
    pair = var("p", ir.TupleType([scalar(), scalar()]))
    return kernel(ir.Assign(var("b", ir.TupleType([scalar()])), pair), params=(pair,))


def _assigned_distribution() -> ir.Program:
    x = var("x", tensor(16, 16))
    return kernel(ir.Assign(var("b", ir.TensorType([16, 16], FP32, None, True)), x), params=(x,))


def _assigned_valid_region_of_a_tensor() -> ir.Program:
    x = var("x", tensor(16, 16))
    part = ir.TensorType([16, 16], FP32, ir.TensorView((8, 16)))
    return kernel(ir.Assign(var("b", part), x), params=(x,))


# Scalar expressions


def _mixed_operands() -> ir.Program:
    return _scalar(ir.Binary("+", ONE, HALF, scalar()))


def _mixed_widths() -> ir.Program:
    return _scalar(ir.Binary("+", ONE, ir.const(1, INT32), scalar()))


def _comparison_of_no_bool() -> ir.Program:
    return _scalar(ir.Binary("<", ZERO, ONE, scalar()))


def _logical_of_no_bool() -> ir.Program:
    return _scalar(ir.Binary("and", TRUE, TRUE, scalar()))


def _sum_of_another_type() -> ir.Program:
    return _scalar(ir.Binary("+", ZERO, ONE, scalar(INT32)))


def _sum_of_bools() -> ir.Program:
    return _scalar(ir.Binary("+", TRUE, TRUE, scalar(BOOL)))


def _bits_of_floats() -> ir.Program:
    return _scalar(ir.Binary("&", HALF, HALF, scalar(FP32)))


def _sum_with_a_tile() -> ir.Program:
    a = var("a", tile(16, 16))
    return kernel(ir.Assign(var("s"), ir.Binary("+", ONE, a, scalar())), params=(a,))


def _inverted_float() -> ir.Program:
    return _scalar(ir.Unary("~", HALF, scalar(FP32)))


def _not_of_no_bool() -> ir.Program:
    return _scalar(ir.Unary("not", ONE, scalar()))


def _negated_to_another_type() -> ir.Program:
    return _scalar(ir.Unary("-", ONE, scalar(INT32)))


def _negated_tile() -> ir.Program:
    a = var("a", tile(16, 16))
    return kernel(ir.Assign(var("s"), ir.Unary("-", a, scalar())), params=(a,))


def _selected_tile() -> ir.Program:
    a = var("a", tile(16, 16))
    return kernel(ir.Assign(var("s"), ir.Select(TRUE, ONE, a, scalar())), params=(a,))


def _listed_tile() -> ir.Program:
    x, a = var("x", tensor(16, 16)), var("a", tile(16, 16))
    listed = ir.MakeTuple((ZERO, a), ir.TupleType([scalar(), a.type]))
    return kernel(ir.Return((listed,)), params=(x, a), returns=(listed.type,))


def _cast_of_a_tile() -> ir.Program:
    a = var("a", tile(16, 16))
    return kernel(ir.Assign(var("s"), ir.Cast(a, scalar())), params=(a,))


def _select_by_an_integer() -> ir.Program:
    return _scalar(ir.Select(ONE, ZERO, FOUR, scalar()))


def _select_of_two_types() -> ir.Program:
    return _scalar(ir.Select(TRUE, ZERO, HALF, scalar()))


def _constant_too_large() -> ir.Program:
    return _scalar(ir.Const(1 << 40, scalar(INT32)))


def _float_constant_of_an_integer_type() -> ir.Program:
    return _scalar(ir.Const(1.5, scalar(INT32)))


def _integer_constant_of_a_float_type() -> ir.Program:
    return _scalar(ir.Const(1, scalar(FP32)))


def _item_out_of_range() -> ir.Program:
    pair = var("p", ir.TupleType([scalar(), scalar()]))
    return kernel(ir.Assign(var("a"), ir.TupleItem(pair, 2, scalar())), params=(pair,))


def _item_of_a_scalar() -> ir.Program:
    n = var("n")
    return kernel(ir.Assign(var("a"), ir.TupleItem(n, 0, scalar())), params=(n,))


def _item_of_another_type() -> ir.Program:
    pair = var("p", ir.TupleType([scalar(), scalar(FP32)]))
    return kernel(ir.Assign(var("a"), ir.TupleItem(pair, 1, scalar())), params=(pair,))


def _list_type() -> ir.Program:
    x = var("x", tensor(16, 16))
    wrong = ir.MakeTuple((ZERO, ZERO), ir.TupleType([scalar(), scalar(INT32)]))
    whole = ir.make_tuple([16, 16])
    return _assigned(call("tile.load", x, wrong, whole, whole, result=tile(16, 16)), x)


# Loops, branches, returns


def _float_bound() -> ir.Program:
    return kernel(loop(var("i"), block(), stop=HALF))


def _float_loop_variable() -> ir.Program:
    return kernel(loop(var("i", scalar(FP32)), block()))


def _zero_step() -> ir.Program:
    return kernel(loop(var("i"), block(), step=ZERO))


def _integer_condition() -> ir.Program:
    return kernel(branch(ONE, block(ir.Assign(var("a"), ONE))))


def _integer_while_condition() -> ir.Program:
    return kernel(ir.While(ONE, (), (), block(), ()))


def _carry_shape() -> ir.Program:
    start, carry = var("s", tile(16, 16)), var("c", tile(16, 8))
    made = loop(var("i"), block(ir.Yield((carry,))), (start,), (carry,), (var("r", carry.type),))
    return kernel(made, params=(start,))


def _yield_dtype() -> ir.Program:
    carry = var("c")
    return kernel(loop(var("i"), block(ir.Yield((HALF,))), (ZERO,), (carry,), (var("r"),)))


def _while_yield_dtype() -> ir.Program:
    carry = var("c")
    return kernel(ir.While(less(carry, ONE), (ZERO,), (carry,), block(ir.Yield((HALF,))), (var("r"),)))


def _loop_result_dtype() -> ir.Program:
    carry = var("c")
    return kernel(loop(var("i"), block(ir.Yield((carry,))), (ZERO,), (carry,), (var("r", scalar(FP32)),)))


def _yield_valid_region() -> ir.Program:
    start, carry = var("s", tile(16, 16)), var("c", tile(16, 16))
    smaller = var("y", tile(16, 16, valid=(8, 16)))
    made = loop(var("i"), block(ir.Yield((smaller,))), (start,), (carry,), (var("r", carry.type),))
    return kernel(made, params=(start, smaller))


def _then_shape() -> ir.Program:
    a, b = var("a", tile(16, 16)), var("b", tile(8, 16))
    return kernel(branch(TRUE, block(ir.Yield((b,))), block(ir.Yield((a,))), var("r", a.type)), params=(a, b))


def _else_shape() -> ir.Program:
    a, b = var("a", tile(16, 16)), var("b", tile(8, 16))
    return kernel(branch(TRUE, block(ir.Yield((a,))), block(ir.Yield((b,))), var("r", a.type)), params=(a, b))


def _returned_dtype() -> ir.Program:
    return kernel(ir.Return((ONE,)), returns=(scalar(FP32),))


def _returned_shape() -> ir.Program:
    x = var("x", tensor(16, 16))
    return kernel(ir.Return((x,)), params=(x,), returns=(tensor(16, 8),))


def _too_many_returned() -> ir.Program:
    return kernel(ir.Return((ONE, ONE)), returns=(scalar(),))


def _nothing_returned() -> ir.Program:
    return kernel(returns=(scalar(),))


def _returned_without_signature() -> ir.Program:
    return kernel(ir.Return((ONE,)))


def _directions() -> ir.Program:
    return program(function(params=(var("n"),)).replace(directions=()))


# Calls of functions


def _callee(name: str = "callee") -> ir.Function:
    size, x, n = var("M"), var("x", tensor(var("M"), 16)), var("n")
    x = var("x", tensor(size, 16))
    return function(ir.Return((x,)), params=(x, n), returns=(tensor(size, 16),), name=name)


def _calling(*args: ir.Expr, result: ir.Type, callee: str = "callee", given: tuple[ir.Var, ...] = ()) -> ir.Program:
    made = ir.Assign(var("r", result), ir.FunctionCall(callee, args, result))
    return program(_callee(), function(made, params=given, name="caller"))


def _unknown_function() -> ir.Program:
    return _calling(result=scalar(), callee="nobody")


def _too_few_arguments() -> ir.Program:
    y = var("y", tensor(32, 16))
    return _calling(y, result=tensor(32, 16), given=(y,))


def _argument_kind() -> ir.Program:
    return _calling(ONE, ONE, result=tensor(32, 16))


def _argument_shape() -> ir.Program:
    y = var("y", tensor(32, 8))
    return _calling(y, ONE, result=tensor(32, 16), given=(y,))


def _argument_dtype() -> ir.Program:
    y = var("y", tensor(32, 16))
    return _calling(y, HALF, result=tensor(32, 16), given=(y,))


def _result_of_a_call() -> ir.Program:
    y = var("y", tensor(32, 16))
    return _calling(y, ONE, result=tensor(64, 16), given=(y,))


def _region_of_an_argument_of_an_inline_function() -> ir.Program:
    x = var("x", tile(16, 16))
    y = var("y", tile(16, 16, valid=(8, 16)))
    inline = function(ir.Return((x,)), params=(x,), returns=(x.type,), name="inline")
    inline = inline.replace(type=ir.FunctionType.Inline)
    made = ir.Assign(var("r", x.type), ir.FunctionCall("inline", (y,), x.type))
    return program(inline, function(made, params=(y,), name="caller"))


def _task_of_a_submission() -> ir.Program:
    y = var("y", tensor(32, 16))
    submitted = ir.Submit("callee", (y, ONE), (), tensor(32, 16))
    return program(_callee(), function(ir.Assign(var("r", submitted.type), submitted), params=(y,), name="caller"))


def _assigned(value: ir.Expr, *params: ir.Var) -> ir.Program:
    return kernel(ir.Assign(var("r", value.type), value), params=params)


def _scalar(value: ir.Expr) -> ir.Program:
    return kernel(ir.Assign(var("s", value.type), value))


def _name_in_the_table() -> ir.Program:
    return ir.Program("P", {"f": function(name="f"), "g": function(name="f")})


FAULTS = (
    _name_in_the_table,
    _shape, _dtype, _rank, _kind, _valid_region, _valid_region_of_another_variable, _space_against_the_keyword,
    _space_of_an_inherited_result, _unknown_operator, _too_few_operands, _operand_kind,
    _operand_shapes, _unknown_keyword, _keyword_value, _nested_call, _assigned_dtype, _assigned_shape, _assigned_space,
    _assigned_call_type, _mixed_operands, _mixed_widths, _comparison_of_no_bool, _logical_of_no_bool,
    _sum_of_another_type, _sum_of_bools, _bits_of_floats, _sum_with_a_tile, _inverted_float, _not_of_no_bool,
    _negated_to_another_type, _cast_of_a_tile, _select_by_an_integer, _select_of_two_types, _constant_too_large,
    _float_constant_of_an_integer_type, _integer_constant_of_a_float_type, _item_out_of_range, _item_of_a_scalar,
    _item_of_another_type, _list_type, _float_bound, _float_loop_variable, _zero_step, _integer_condition,
    _integer_while_condition, _carry_shape, _yield_dtype, _while_yield_dtype, _loop_result_dtype, _yield_valid_region,
    _then_shape, _else_shape, _returned_dtype, _returned_shape, _too_many_returned, _nothing_returned,
    _returned_without_signature, _directions, _unknown_function, _too_few_arguments, _argument_kind, _argument_shape,
    _argument_dtype, _region_of_an_argument_of_an_inline_function, _result_of_a_call, _task_of_a_submission,
    _assigned_array, _assigned_pair, _assigned_distribution,
    _assigned_valid_region_of_a_tensor, _negated_tile, _selected_tile, _listed_tile,
)  # fmt: skip


@pytest.mark.parametrize("build", FAULTS, ids=lambda fault: fault.__name__)
def test_a_wrong_type_is_found(build: Callable[[], ir.Program]) -> None:
    findings = passes.verify(build(), {passes.TypeChecked})
    assert [finding.code for finding in findings] == ["PL303"]


def test_a_space_that_the_operator_cannot_write_is_found_as_placement_does() -> None:
    (finding,) = passes.verify(_space_of_a_fixed_result(), {passes.TypeChecked})
    assert finding.code == "PL403"
    assert finding.message == "tile.matmul cannot write 'r' to Vec"
    assert finding.expected == "Acc"


def test_the_finding_shows_both_types() -> None:
    (finding,) = passes.verify(_shape(), {passes.TypeChecked})
    assert (finding.found, finding.expected) == ("Tile[[16, 64], FP32]", "Tile[[16, 128], FP32]")


# What is no fault


def _check(*statements: ir.Stmt, params: tuple[ir.Var, ...] = ()) -> list[object]:
    return list(passes.verify(kernel(*statements, params=params), {passes.TypeChecked}))


def test_spaces_that_are_not_known_agree_with_all() -> None:
    a = var("a", tile(16, 16))
    placed = ir.Assign(var("b", tile(16, 16, space=Vec)), add(a, a))
    assert _check(placed, params=(a,)) == []


def test_layouts_take_no_part() -> None:
    a = var("a", tile(16, 16))
    columns = ir.TileType([16, 16], FP32, None, ir.TileView((), ir.TileLayout.col_major))
    assert _check(ir.Assign(var("b", columns), add(a, a)), params=(a,)) == []


def test_joined_tiles_may_live_in_different_spaces() -> None:
    start, carry, result = var("s", tile(16, 16, space=Vec)), var("c", tile(16, 16)), var("r", tile(16, 16, space=Acc))
    made = loop(var("i"), block(ir.Yield((carry,))), (start,), (carry,), (result,))
    assert _check(made, params=(start,)) == []


def test_joined_tiles_may_have_valid_regions_that_nobody_knows() -> None:
    n, start, carry = var("n"), var("s", tile(16, 16)), var("c", tile(16, 16))
    part = var("p", tile(16, 16, valid=(n, 16)))
    made = loop(var("i"), block(ir.Yield((part,))), (start,), (carry,), (var("r", carry.type),))
    assert _check(made, params=(n, start, part)) == []


def test_index_and_int64_stand_for_each_other() -> None:
    n = var("n", scalar(INT64))
    assert _check(ir.Assign(var("a", scalar(INDEX)), plus(n, ONE)), params=(n,)) == []


def test_valid_regions_may_be_written_in_another_way() -> None:
    n, x = var("n"), var("x", tile(16, 16))
    more = plus(n, ONE)
    claimed = tile(16, 16, valid=(plus(ONE, n), 16))
    given = call("tile.set_validshape", x, more, ir.index_const(16), result=claimed)
    assert _check(ir.Assign(var("t", claimed), given), params=(n, x)) == []


def test_symbolic_dimensions_of_a_signature_take_the_extents_of_the_arguments() -> None:
    y = var("y", tensor(32, 16))
    assert passes.verify(_calling(y, ONE, result=tensor(32, 16), given=(y,)), {passes.TypeChecked}) == []


def test_the_last_value_of_a_submission_is_its_task() -> None:
    y = var("y", tensor(32, 16))
    pair = ir.TupleType([tensor(32, 16), scalar(TASK_ID)])
    submitted = ir.Submit("callee", (y, ONE), (), pair)
    caller = function(ir.Assign(var("r", pair), submitted), params=(y,), name="caller")
    assert passes.verify(program(_callee(), caller), {passes.TypeChecked}) == []


def test_equal_looking_calls_are_inferred_once(monkeypatch: pytest.MonkeyPatch) -> None:
    a = var("a", tile(16, 16))
    counted: list[object] = []
    infer = passes.properties.type_checked.ops.infer
    monkeypatch.setattr(
        passes.properties.type_checked.ops, "infer", lambda *given: counted.append(given) or infer(*given)
    )
    assert _check(*[ir.Assign(var("b", a.type), add(a, a)) for _ in range(10)], params=(a,)) == []
    assert len(counted) == 1


def test_deep_expressions_need_no_recursion() -> None:
    deep: ir.Expr = ONE
    for _ in range(5000):
        deep = plus(deep, ONE)
    assert _check(ir.Assign(var("a"), deep)) == []
