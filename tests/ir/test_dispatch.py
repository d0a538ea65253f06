"""Dispatch tables: methods by the class of the node that they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite import ir

if TYPE_CHECKING:
    from collections.abc import Callable

ONE = ir.index_const(1)


class Describing:
    describe: ir.Dispatch[Callable[[Any], str]] = ir.Dispatch()

    @describe.on(ir.Break, ir.Continue)
    def exit(self, stmt: ir.Stmt) -> str:
        return f"leaves by {stmt!r}"

    @describe.on(ir.Return)
    def returned(self, stmt: ir.Return) -> str:
        return "returns"


class Counting(Describing):
    def returned(self, stmt: ir.Return) -> str:
        return f"returns {len(stmt.values)}"


def test_a_method_is_found_by_each_of_its_classes() -> None:
    table = Describing().describe
    assert [table[type(stmt)](stmt) for stmt in (ir.Break(), ir.Continue())] == [
        "leaves by break",
        "leaves by continue",
    ]


def test_a_subclass_overrides_by_the_name_of_the_method() -> None:
    stmt = ir.Return((ONE, ONE))
    assert [each.describe[ir.Return](stmt) for each in (Describing(), Counting())] == ["returns", "returns 2"]


def test_other_classes_are_not_in_the_table() -> None:
    assert ir.Yield not in Describing().describe
