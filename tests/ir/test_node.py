"""What the metaclass makes of a class body, and walking."""

from __future__ import annotations

import pytest

from pypto_lite import ir
from pypto_lite.diagnostics import NO_SPAN
from tests.ir.samples import NODES, ONE, SCALAR, SPAN, TWO, function, var

CLASSES = list(NODES)


def by_class(cls: type) -> str:
    return cls.__name__


@pytest.mark.parametrize("cls", CLASSES, ids=by_class)
def test_nodes_have_slots_and_no_dictionary(cls: type[ir.Node]) -> None:
    node = NODES[cls][0]
    assert not hasattr(node, "__dict__")
    with pytest.raises(AttributeError):
        node.unknown = 1  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("cls", CLASSES, ids=by_class)
def test_fields_are_taken_by_position_in_their_order(cls: type[ir.Node]) -> None:
    node = NODES[cls][0]
    again = cls(*[getattr(node, field) for field in cls.fields])
    assert all(getattr(again, field) is getattr(node, field) for field in cls.fields)


@pytest.mark.parametrize("cls", CLASSES, ids=by_class)
def test_children_are_the_nodes_in_child_fields(cls: type[ir.Node]) -> None:
    node = NODES[cls][0]
    expected: list[ir.Node] = []
    for field in cls.child_fields:
        value = getattr(node, field)
        if isinstance(value, dict):
            expected += [each for each in value.values() if isinstance(each, ir.Expr)]
        else:
            expected += value if isinstance(value, tuple) else [value] if value is not None else []
    if cls is ir.Program:
        expected = list(NODES[cls][0].functions.values())  # pyright: ignore[reportAttributeAccessIssue]
    assert list(node.children()) == expected


@pytest.mark.parametrize("cls", CLASSES, ids=by_class)
def test_operands_definitions_and_blocks_are_the_children_by_role(cls: type[ir.Node]) -> None:
    node = NODES[cls][0]
    if cls in (ir.Block, ir.Program, ir.Function):
        return
    parts = [*node.operands(), *node.definitions(), *node.blocks()]
    assert sorted(map(id, parts)) == sorted(map(id, node.children()))


@pytest.mark.parametrize("cls", CLASSES, ids=by_class)
def test_rebuilding_with_the_same_children_gives_an_equal_node(cls: type[ir.Node]) -> None:
    node = NODES[cls][0]
    again = node.rebuild(node.children())
    assert type(again) is cls
    assert list(again.children()) == list(node.children())
    assert ir.structural_equal(node, again)


@pytest.mark.parametrize("cls", CLASSES, ids=by_class)
def test_rebuilding_puts_other_children_into_their_fields(cls: type[ir.Node]) -> None:
    node = NODES[cls][0]
    copies = [child.rebuild(child.children()) if child.children() else child.replace() for child in node.children()]
    again = node.rebuild(copies)
    assert list(again.children()) == copies
    assert ir.structural_equal(node, again) or cls in (ir.For, ir.While)


def test_nodes_are_compared_by_identity() -> None:
    assert ir.index_const(1) != ir.index_const(1)
    assert len({ir.index_const(1), ir.index_const(1)}) == 2


def test_defaults_are_filled_in() -> None:
    made = ir.Assign(var("x"), ONE)
    assert (made.span, made.comments) == (NO_SPAN, ())


def test_replace_changes_some_fields_only() -> None:
    before = ir.Assign(var("x"), ONE, SPAN)
    after = before.replace(value=TWO)
    assert (after.var, after.value, after.span) == (before.var, TWO, SPAN)
    assert before.value is ONE


def test_matching_by_position() -> None:
    match ir.Binary("+", ONE, TWO, SCALAR):
        case ir.Binary("+", lhs, rhs):
            assert (lhs, rhs) == (ONE, TWO)
        case _:
            pytest.fail("the pattern does not match")


def test_a_loop_defines_its_variable_carries_and_results() -> None:
    i, carry, result = var("i"), var("carry"), var("result")
    loop = ir.For(ir.ForKind.Sequential, i, ONE, TWO, ONE, (TWO,), (carry,), ir.Block(()), (result,))
    assert loop.definitions() == (i, carry, result)
    assert loop.operands() == (ONE, TWO, ONE, TWO)


def test_walk_goes_in_program_order() -> None:
    x, y = var("x"), var("y")
    kernel = function("f", ir.Assign(x, ONE), ir.If(x, ir.Block((ir.Assign(y, TWO),)), None, ()), params=(var("p"),))
    seen = [node.name if isinstance(node, ir.Var) else type(node).__name__ for node in ir.walk(kernel)]
    assert seen == [
        "Function", "p", "Block", "Assign", "Const", "x", "If", "x", "Block", "Assign", "Const", "y",
    ]  # fmt: skip


def test_walk_does_not_meet_the_recursion_limit() -> None:
    value: ir.Expr = ONE
    for _ in range(50_000):
        value = ir.Unary("-", value, SCALAR)
    assert sum(1 for _ in ir.walk(value)) == 50_001


def test_programs_keep_the_class_they_were_given() -> None:
    class Program(ir.Program):
        pass

    program = Program("P", {"f": function("f")}, {"decisions": ("reason",)})
    again = program.with_functions([function("g")])
    assert type(again) is Program
    assert (list(again.functions), again.records, again.name) == (["g"], {"decisions": ("reason",)}, "P")


@pytest.mark.parametrize("count", [1, 3])
def test_a_node_is_rebuilt_of_as_many_children_as_it_has(count: int) -> None:
    with pytest.raises(ValueError, match=f"has 2 children, and {count} are given"):
        ir.Binary("+", ONE, TWO, SCALAR).rebuild([ONE] * count)
