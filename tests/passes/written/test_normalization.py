"""NormalizeStatements brings every statement structure into its normal form, and loses nothing that matters."""

from __future__ import annotations

import pytest

from pypto_lite import ir, passes
from tests.passes.hand_built import (
    ONE,
    TRUE,
    ZERO,
    add,
    block,
    branch,
    call,
    kernel,
    less,
    loop,
    plus,
    program,
    tile,
    var,
)


def normalized(*statements: ir.Stmt, params: tuple[ir.Var, ...] = ()) -> ir.Block:
    """The body of a function of these statements, after the pass, which is in normal form and stays as it is."""
    after = passes.NormalizeStatements()(kernel(*statements, params=params))
    assert passes.verify(after, {passes.NormalizedStmtStructure}) == []
    assert passes.NormalizeStatements()(after) is after
    return after.functions["kernel"].body


def assign(name: str, *comments: str) -> ir.Assign:
    return ir.Assign(var(name), ONE, comments=comments)


def texts(body: ir.Block) -> list[str]:
    return [repr(statement) for statement in body.statements]


def test_blocks_in_blocks_are_spliced() -> None:
    a, b, c, d = (assign(name) for name in "abcd")
    body = normalized(a, block(b, block(block(), c)), d)
    assert body.statements == (a, b, c, d)


def test_blocks_inside_loops_and_branches_are_spliced() -> None:
    a, b = assign("a"), assign("b")
    (outer,) = normalized(loop(var("i"), block(block(branch(TRUE, block(block(a)), block(block(b))))))).statements
    assert isinstance(outer, ir.For)
    (inner,) = outer.body.statements
    assert isinstance(inner, ir.If)
    assert inner.then_body.statements == (a,)
    assert inner.else_body is not None
    assert inner.else_body.statements == (b,)


@pytest.mark.parametrize("terminator", [ir.Break(), ir.Continue()], ids=repr)
def test_what_follows_a_terminator_is_dropped(terminator: ir.Stmt) -> None:
    (made,) = normalized(loop(var("i"), block(assign("a"), terminator, assign("b")))).statements
    assert isinstance(made, ir.For)
    assert texts(made.body) == ["a: Scalar[INDEX] = 1", repr(terminator)]


def test_what_follows_a_return_is_dropped() -> None:
    assert texts(normalized(assign("a"), ir.Return(()), assign("b"))) == ["a: Scalar[INDEX] = 1", "return"]


def test_what_follows_a_block_that_ends_in_a_terminator_is_dropped() -> None:
    (made,) = normalized(loop(var("i"), block(block(ir.Break()), assign("b")))).statements
    assert isinstance(made, ir.For)
    assert texts(made.body) == ["break"]


def test_an_empty_else_is_removed_and_its_comments_stay() -> None:
    otherwise = ir.Block((), comments=("# why",), trailing_comments=("# not",))
    (made,) = normalized(branch(TRUE, block(assign("a")), otherwise)).statements
    assert isinstance(made, ir.If)
    assert made.else_body is None
    assert made.comments == ("# why", "# not")


def test_an_else_that_becomes_empty_is_removed() -> None:
    value = var("v")
    (made,) = normalized(branch(TRUE, block(assign("a")), block(ir.Evaluate(value))), params=(value,)).statements
    assert isinstance(made, ir.If)
    assert made.else_body is None


def test_evaluated_values_without_a_call_are_dropped() -> None:
    value = var("v")
    assert normalized(ir.Evaluate(value), ir.Evaluate(plus(value, ONE)), params=(value,)).statements == ()


def test_evaluated_calls_stay_also_inside_expressions() -> None:
    read = call("tile.get_block_idx", result=ZERO.type)
    body = normalized(ir.Evaluate(plus(read, ONE)), ir.Evaluate(read), block())
    assert len(body.statements) == 2


def test_yields_of_nothing_are_dropped() -> None:
    (made,) = normalized(loop(var("i"), block(assign("a"), ir.Yield(())))).statements
    assert isinstance(made, ir.For)
    assert texts(made.body) == ["a: Scalar[INDEX] = 1"]


def test_branches_with_empty_arms_stay() -> None:
    (made,) = normalized(branch(TRUE, block(), block(assign("a"))), block()).statements
    assert isinstance(made, ir.If)


def test_comments_of_spliced_blocks_go_to_the_next_statement() -> None:
    inner = ir.Block((assign("b", "# b"),), comments=("# before",), trailing_comments=("# behind",))
    body = normalized(inner, assign("c", "# c"))
    assert [statement.comments for statement in body.statements] == [("# before", "# b"), ("# behind", "# c")]


def test_comments_behind_the_last_statement_trail() -> None:
    inner = ir.Block((), comments=("# alone",))
    outer = kernel().functions["kernel"].replace(body=ir.Block((assign("a"), inner), trailing_comments=("# end",)))
    after = passes.NormalizeStatements()(program(outer))
    assert after.functions["kernel"].body.trailing_comments == ("# alone", "# end")


def test_comments_of_dropped_statements_stay() -> None:
    value = var("v")
    body = normalized(ir.Evaluate(value, comments=("# see",)), assign("a"), params=(value,))
    assert body.statements[0].comments == ("# see",)


def test_a_normal_program_stays_the_same_object() -> None:
    carry, a = var("c", tile(16, 16)), var("a", tile(16, 16))
    made = loop(var("i"), block(ir.Yield((carry,))), (a,), (carry,), (var("r", a.type),))
    before = kernel(made, branch(less(ZERO, ONE), block(ir.Evaluate(add(a, a)))), ir.Return(()), params=(a,))
    assert passes.NormalizeStatements()(before) is before


def test_a_normal_part_stays_the_same_object() -> None:
    still = loop(var("i"), block(assign("a")))
    assert normalized(still, block()).statements == (still,)


def test_deep_blocks_need_no_recursion() -> None:
    inner = block(assign("a"))
    for _ in range(3000):
        inner = block(inner)
    assert texts(normalized(inner)) == ["a: Scalar[INDEX] = 1"]
