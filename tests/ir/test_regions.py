"""Regions and phis: what each statement declares of control flow, and the walk in program order that follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.ir import Edge, Point, RegionKind

if TYPE_CHECKING:
    from collections.abc import Iterable


@pl.function
def nested(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
    for i, (total,) in pl.range(0, n, 1, init_values=(n,)):
        if i < 2:
            more = pl.yield_(total + i)
        else:
            more = pl.yield_(total)
        last = pl.yield_(more)
    return last


@pl.function
def counting(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
    for (left,) in pl.while_(init_values=(n,)):
        pl.cond(left > 0)
        result = pl.yield_(left - 1)
    return result


def only(kind: type[ir.Stmt], function: ir.Function) -> ir.Stmt:
    (found,) = [stmt for stmt in ir.statements(function) if isinstance(stmt, kind)]
    return found


def names(values: Iterable[ir.Expr]) -> list[str]:
    return [repr(value) for value in values]


def test_a_loop_has_one_region_with_its_variable_and_carries() -> None:
    (region,) = only(ir.For, nested).regions()
    assert (region.kind, names(region.parameters), region.condition) == (RegionKind.LOOP, ["i", "total"], None)


def test_the_condition_of_a_while_loop_belongs_to_its_region() -> None:
    loop = only(ir.While, counting)
    (region,) = loop.regions()
    assert (repr(region.condition), names(loop.entry_operands())) == ("left > 0", ["n"])


def test_a_branch_has_two_arms_even_without_else() -> None:
    branch = ir.If(ir.const(True), ir.Block(()), None, ())
    assert [(each.kind, each.block is None) for each in branch.regions()] == [
        (RegionKind.ARM, False),
        (RegionKind.ARM, True),
    ]


def test_the_body_of_a_scope_is_a_section() -> None:
    index = ir.Var("i", ir.ScalarType(ir.DTYPES["INDEX"]))
    scope = ir.Scope(ir.ScopeKind.Spmd, (ir.index_const(4),), {}, index, ir.Block(()))
    (region,) = scope.regions()
    assert (region.kind, region.parameters) == (RegionKind.SECTION, (index,))


def test_the_phis_of_a_loop_are_its_carries() -> None:
    (phi,) = only(ir.For, nested).phis()
    assert (repr(phi.var), repr(phi.result)) == ("total", "last")
    assert [(each.edge, repr(each.value)) for each in phi.incoming] == [(Edge.INIT, "n"), (Edge.YIELD, "more")]


def test_the_phis_of_a_branch_are_its_results() -> None:
    (phi,) = only(ir.If, nested).phis()
    assert (repr(phi.var), phi.result) == ("more", None)
    assert [(each.edge, repr(each.value)) for each in phi.incoming] == [(Edge.THEN, "total + i"), (Edge.ELSE, "total")]


def test_an_arm_that_leaves_brings_nothing_into_a_phi() -> None:
    one = ir.index_const(1)
    result = ir.Var("r", one.type)
    branch = ir.If(ir.const(True), ir.Block((ir.Break(),)), ir.Block((ir.Yield((one,)),)), (result,))
    (phi,) = branch.phis()
    assert [each.edge for each in phi.incoming] == [Edge.ELSE]


def test_a_yield_in_a_block_at_the_end_counts() -> None:
    one = ir.index_const(1)
    assert ir.Block((ir.Break(), ir.Block((ir.Yield((one,)),)))).yielded == (one,)


def test_the_walk_enters_regions_in_program_order() -> None:
    walk = [
        (visit.point, type(visit.stmt).__name__) for visit in ir.program_order(nested.body) if visit.stmt is not None
    ]
    assert walk == [
        (Point.ENTER, "For"),
        (Point.BEGIN, "For"),
        (Point.ENTER, "If"),
        (Point.BEGIN, "If"),
        (Point.STATEMENT, "Yield"),
        (Point.END, "If"),
        (Point.BEGIN, "If"),
        (Point.STATEMENT, "Yield"),
        (Point.END, "If"),
        (Point.LEAVE, "If"),
        (Point.STATEMENT, "Yield"),
        (Point.END, "For"),
        (Point.LEAVE, "For"),
        (Point.STATEMENT, "Return"),
    ]


def test_a_deep_nest_is_walked_without_recursion() -> None:
    body = ir.Block(())
    for _ in range(5000):
        body = ir.Block((ir.If(ir.const(True), body, None, ()),))
    assert sum(1 for visit in ir.program_order(body) if visit.point is Point.ENTER) == 5000
