"""structural_equal: what takes part in it, what does not, and that variables correspond one to one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pypto_lite import ir
from pypto_lite.ir.equality import COMPARED
from tests.ir.random_ir import random_program
from tests.ir.samples import (
    BF16,
    FLOAT,
    FP32,
    INDEX,
    INT32,
    NODES,
    ONE,
    SCALAR,
    TILE,
    TWO,
    TYPES,
    changed_type,
    function,
    program,
    var,
)

NODE_FIELDS = [(cls, field) for cls, (_, changes) in NODES.items() for field in changes]
TYPE_FIELDS = [(cls, field) for cls, (_, changes) in TYPES.items() for field in changes]
IGNORED = {"span", "comments", "trailing_comments", "records"}


def is_ignored(cls: type, field: str) -> bool:
    return field in IGNORED or (field == "name" and cls in (ir.Var, ir.Program))


def holder(type_: Any) -> ir.Node:
    """A node that has the type, or a type that has it as its part."""
    if isinstance(type_, ir.TensorView):
        type_ = ir.TensorType((16, 128), BF16, type_)
    elif isinstance(type_, ir.TileView):
        type_ = ir.TileType((16, 128), BF16, ir.MemorySpace.Vec, type_)
    elif isinstance(type_, ir.MemRef):
        type_ = ir.TileType((16, 128), BF16, memref=type_)
    return ir.Assign(var("x", type_), var("y", type_))


def test_samples_cover_every_field_of_every_class() -> None:
    for cls, fields in COMPARED.items():
        samples = NODES.get(cls) or TYPES.get(cls)
        assert set(fields) <= set(samples[1] if samples else ()), cls


@pytest.mark.parametrize(("cls", "field"), NODE_FIELDS, ids=lambda each: getattr(each, "__name__", each))
def test_a_field_of_a_node_takes_part_unless_it_is_ignored(cls: type[ir.Node], field: str) -> None:
    node, changes = NODES[cls]
    other = node.replace(**{field: changes[field]})
    assert ir.structural_equal(node, other) is is_ignored(cls, field)


@pytest.mark.parametrize(("cls", "field"), NODE_FIELDS, ids=lambda each: getattr(each, "__name__", each))
def test_the_difference_names_the_field(cls: type[ir.Node], field: str) -> None:
    node, changes = NODES[cls]
    differences = ir.structural_diff(node, node.replace(**{field: changes[field]}))
    if is_ignored(cls, field):
        assert differences == []
    else:
        assert differences[0].path.startswith((field, f"{field}["))


@pytest.mark.parametrize(("cls", "field"), TYPE_FIELDS, ids=lambda each: getattr(each, "__name__", each))
def test_every_field_of_a_type_takes_part(cls: type, field: str) -> None:
    type_, changes = TYPES[cls]
    other = changed_type(type_, field, changes[field])
    assert not ir.structural_equal(holder(type_), holder(other))
    assert ir.structural_diff(holder(type_), holder(other))


@pytest.mark.parametrize("cls", [*NODES, *TYPES], ids=lambda cls: cls.__name__)
def test_a_node_or_type_equals_itself(cls: type) -> None:
    node = (NODES.get(cls) or TYPES[cls])[0]
    assert ir.structural_equal(node, node)
    assert ir.structural_diff(node, node) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [(1, True), (1, 1.0), (True, 1.0), (0.0, -0.0), (0, False), ("1", 1), (None, 0), (1.5, 2.5), ((1,), (1, 1))],
)
def test_values_that_python_confuses_are_different(first: object, second: object) -> None:
    pairs = [
        (ir.Const(first, SCALAR), ir.Const(second, SCALAR)),  # pyright: ignore[reportArgumentType]
        (ir.Call("op", (), {"value": first}, SCALAR), ir.Call("op", (), {"value": second}, SCALAR)),
        (ir.Call("op", (), {}, SCALAR, {"mark": (first,)}), ir.Call("op", (), {}, SCALAR, {"mark": (second,)})),
    ]
    assert [ir.structural_equal(a, b) for a, b in pairs] == [False] * 3
    assert [len(ir.structural_diff(a, b)) for a, b in pairs] == [1] * 3


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -0.0, 0.0, 10**30, True])
def test_equal_values_of_different_objects_are_equal(value: float) -> None:
    again = type(value)(str(value)) if not isinstance(value, bool) else value
    assert ir.structural_equal(ir.Const(value, FLOAT), ir.Const(again, FLOAT))
    assert ir.structural_equal(ir.Call("op", (), {"v": value}, FLOAT), ir.Call("op", (), {"v": again}, FLOAT))


def test_the_order_of_keywords_does_not_matter() -> None:
    first = ir.Call("op", (), {"a": 1, "b": 2}, SCALAR)
    second = ir.Call("op", (), {"b": 2, "a": 1}, SCALAR)
    assert ir.structural_equal(first, second)


def test_a_list_in_an_attribute_equals_a_tuple() -> None:
    assert ir.structural_equal(ir.Call("op", (), {}, SCALAR, {"a": [1]}), ir.Call("op", (), {}, SCALAR, {"a": (1,)}))


def test_the_order_of_functions_does_not_matter() -> None:
    first, second = function("f", ir.Break()), function("g")
    assert ir.structural_equal(ir.Program("P", {"f": first, "g": second}), ir.Program("P", {"g": second, "f": first}))


def test_a_function_that_only_one_side_has_is_a_difference() -> None:
    both = ir.Program("P", {"f": function("f"), "g": function("g")})
    (difference,) = ir.structural_diff(both, ir.Program("P", {"f": function("f")}))
    assert (difference.path, difference.right) == ("functions['g']", None)


def test_a_block_inside_a_block_is_the_same_as_its_statements() -> None:
    flat = ir.Block((ir.Break(), ir.Continue(), ir.Break()))
    nested = ir.Block((ir.Block((ir.Break(), ir.Block((ir.Continue(),)))), ir.Block(()), ir.Break()))
    assert ir.structural_equal(flat, nested)
    assert not ir.structural_equal(flat, ir.Block((nested, ir.Break())))


@pytest.mark.parametrize("empty", [ir.Block(()), ir.Block((ir.Block(()),))], ids=["empty", "nested"])
def test_an_empty_else_is_the_same_as_none(empty: ir.Block) -> None:
    without = ir.If(ir.const(True), ir.Block((ir.Break(),)), None, ())
    assert ir.structural_equal(without, without.replace(else_body=empty))
    assert ir.structural_equal(without.replace(else_body=empty), without)
    assert ir.structural_diff(without, without.replace(else_body=empty)) == []
    assert ir.structural_hash(without) == ir.structural_hash(without.replace(else_body=empty))


def test_classes_made_for_users_compare_like_those_of_the_ir() -> None:
    class Program(ir.Program):
        pass

    class Function(ir.Function):
        pass

    plain = function("f")
    special = Function(*[getattr(plain, field) for field in plain.fields])
    assert ir.structural_equal(ir.Program("P", {"f": plain}), Program("P", {"f": special}))
    assert ir.structural_equal(special, plain)
    assert ir.structural_equal(plain, special)


# Whole programs


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9))
def test_programs_built_alike_are_equal(seed: int) -> None:
    first, second = random_program(seed), random_program(seed)
    assert ir.structural_equal(first, second)
    assert ir.structural_diff(first, second) == []
    assert ir.structural_hash(first) == ir.structural_hash(second)


def edit(node: Any) -> Any:
    """The node with one thing changed."""
    match node:
        case ir.Const():
            return node.replace(value=-node.value if node.value else 1)
        case ir.Binary():
            return node.replace(operator="//" if node.operator != "//" else "+")
        case ir.Unary():
            return node.replace(operator="~" if node.operator != "~" else "-")
        case ir.Call():
            return node.replace(attrs={"edited": True})
        case ir.For():
            return node.replace(kind=ir.ForKind.Unroll if node.kind is ir.ForKind.Parallel else ir.ForKind.Parallel)
        case _:
            raise AssertionError(node)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_every_single_edit_is_seen(seed: int, place: int) -> None:
    before = random_program(seed)
    editable = (ir.Const, ir.Binary, ir.Unary, ir.Call, ir.For)
    targets = [node for node in ir.walk(before) if isinstance(node, editable)]
    target = targets[place % len(targets)]
    after = ir.rewrite(before, {type(target): lambda node: edit(node) if node is target else node})
    assert not ir.structural_equal(before, after)
    assert ir.structural_diff(before, after)
    assert ir.structural_hash(before) != ir.structural_hash(after)


# Variables


def sum_of(first: ir.Expr, second: ir.Expr) -> ir.Expr:
    return ir.Binary("+", first, second, SCALAR)


def test_variables_correspond_whatever_their_names() -> None:
    a, b, x, y = var("a"), var("b"), var("x"), var("y")
    first = program(ir.Assign(a, ONE), ir.Assign(b, sum_of(a, a)), ir.Return((b, a)))
    second = program(ir.Assign(x, ONE), ir.Assign(y, sum_of(x, x)), ir.Return((y, x)))
    assert ir.structural_equal(first, second)


@pytest.mark.parametrize("swap", [False, True])
def test_a_variable_stands_for_exactly_one(swap: bool) -> None:
    a, x, y = var("a"), var("x"), var("y")
    one = sum_of(a, a)
    two = sum_of(x, y)
    assert not ir.structural_equal(*((two, one) if swap else (one, two)))


def test_exchanged_uses_are_different() -> None:
    a, b, x, y = var("a"), var("b"), var("x"), var("y")
    params = {"directions": (ir.ParamDirection.In,) * 2}
    first = program(ir.Return((sum_of(a, b),)), params=(a, b), **params)
    second = program(ir.Return((sum_of(y, x),)), params=(x, y), **params)
    assert not ir.structural_equal(first, second)
    assert len(ir.structural_diff(first, second)) == 2


def test_a_variable_assigned_twice_differs_from_two_variables() -> None:
    a, x, y = var("a"), var("x"), var("y")
    once = program(ir.Assign(a, ONE), ir.Assign(a, TWO))
    twice = program(ir.Assign(x, ONE), ir.Assign(y, TWO))
    assert not ir.structural_equal(once, twice)
    assert not ir.structural_equal(twice, once)


def test_free_variables_of_fragments_correspond_from_their_first_occurrence_on() -> None:
    a, b, c = var("a"), var("b"), var("c")
    assert ir.structural_equal(sum_of(a, b), sum_of(b, c))
    assert ir.structural_equal(sum_of(a, a), sum_of(b, b))
    assert not ir.structural_equal(ir.Return((a, b, a)), ir.Return((a, b, b)))


def test_the_type_of_a_free_variable_takes_part() -> None:
    assert not ir.structural_equal(var("a", SCALAR), var("a", FLOAT))


def test_symbolic_dimensions_correspond_in_types_too() -> None:
    def kernel(m: ir.Var, n: ir.Var, result: ir.Var) -> ir.Program:
        x = var("x", ir.TensorType([m, n], FP32))
        return program(
            ir.Return((x,)),
            params=(x,),
            directions=(ir.ParamDirection.In,),
            return_types=(ir.TensorType([result, 16], FP32),),
        )

    m, n, p, q = var("m"), var("n"), var("p"), var("q")
    assert ir.structural_equal(kernel(m, n, m), kernel(p, q, p))
    assert not ir.structural_equal(kernel(m, n, m), kernel(p, q, q))
    assert not ir.structural_equal(kernel(m, n, m), kernel(p, p, p))


def test_a_type_shared_by_both_sides_counts_its_dimensions_as_variables() -> None:
    m, n = var("m"), var("n")
    shared = ir.TensorType([m, 16], FP32)
    first = ir.Return((m, var("x", shared)))
    second = ir.Return((n, var("x", shared)))
    assert not ir.structural_equal(first, second)


def test_a_symbolic_dimension_is_the_same_in_all_functions() -> None:
    def two(m: ir.Var, n: ir.Var) -> ir.Program:
        functions = {}
        for name, extent in (("f", m), ("g", n)):
            x = var("x", ir.TensorType([extent, 16], FP32))
            functions[name] = function(name, params=(x,), directions=(ir.ParamDirection.In,))
        return ir.Program("P", functions)

    m, n, p, q = var("m"), var("n"), var("p"), var("q")
    assert ir.structural_equal(two(m, m), two(p, p))
    assert not ir.structural_equal(two(m, m), two(p, q))
    assert not ir.structural_equal(two(m, n), two(p, p))


def test_a_variable_that_two_functions_define_is_local_to_each() -> None:
    shared, x, y = var("shared"), var("x"), var("y")

    def two(first: ir.Var, second: ir.Var) -> ir.Program:
        made = [
            function(name, params=(param,), directions=(ir.ParamDirection.In,))
            for name, param in (("f", first), ("g", second))
        ]
        return ir.Program("P", {each.name: each for each in made})

    assert ir.structural_equal(two(shared, shared), two(x, y))
    assert ir.structural_diff(two(x, y), two(shared, shared)) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (ir.TensorType([16, 128], FP32), ir.TensorType([16, 128], BF16)),
        (ir.TileType([16, 1], FP32), ir.TileType([16, 1], FP32, ir.MemorySpace.Vec)),
        (ir.TileType([16, 128], FP32), ir.TensorType([16, 128], FP32)),
        (ir.ScalarType(INDEX), ir.ScalarType(INT32)),
        (ir.UNKNOWN, ir.PTR),
    ],
)
def test_types_compare_as_well(first: ir.Type, second: ir.Type) -> None:
    assert not ir.structural_equal(first, second)
    assert ir.structural_equal(first, first)


def test_depth_does_not_meet_the_recursion_limit() -> None:
    def nested() -> ir.Stmt:
        inner: ir.Stmt = ir.Break()
        for _ in range(20_000):
            inner = ir.If(ir.const(True), ir.Block((inner,)), None, ())
        return inner

    def deep() -> ir.Expr:
        value: ir.Expr = var("a")
        for _ in range(20_000):
            value = sum_of(value, ONE)
        return value

    assert ir.structural_equal(nested(), nested())
    assert ir.structural_equal(deep(), deep())


def test_every_difference_of_types_stands_at_its_field() -> None:
    placed = ir.TileType([16, 128], BF16, ir.MemorySpace.Mat)
    (difference,) = ir.structural_diff(ir.Assign(var("x", TILE), ONE), ir.Assign(var("x", placed), ONE))
    assert (difference.path, difference.left, difference.right) == ("var.type.space", "None", "MemorySpace.Mat")
