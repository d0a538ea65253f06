"""Gives the tiles that functions return their spaces: in the return types, and in the types of the calls.

A type without a space gets that of the tile that is returned; a space that a return type names must be that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Note
from pypto_lite.ir import MemorySpace, TileType, TupleType

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pypto_lite.diagnostics import Span


def place_results(functions: Sequence[ir.Function]) -> list[ir.Function]:
    """The functions, in which all but some in-core ones are placed, with the spaces of what these return."""
    placed = [_with_placed_returns(function) if function.type.is_in_core else function for function in functions]
    returned = {
        after.name: after.return_types
        for before, after in zip(functions, placed, strict=True)
        if any(isinstance(each, TileType) for each in (*before.return_types, *after.return_types))
    }
    if not returned:
        return placed
    return [_with_placed_calls(function, returned) for function in placed]


def misdeclared_returns(functions: Iterable[ir.Function]) -> list[Diagnostic]:
    """An error (PL410) for each tile that is returned from another space than the return type names."""
    return [
        Diagnostic(
            "PL410",
            f"{function.name!r} is declared to return a tile in {declared.space.name}, but {_named(value)} is in "
            f"{value.type.space.name}",
            _returning(function),
            notes=[Note(f"{_named(value)} is defined here", value.span)],
            hint="leave the space out of the return type, or move the tile before it is returned",
        )
        for function in functions
        if function.type.is_in_core
        for value, declared in zip(returned_values(function), function.return_types, strict=False)
        if isinstance(declared, TileType) and isinstance(value.type, TileType)
        if declared.space is not None and value.type.space is not None and declared.space is not value.type.space
    ]


def returned_values(function: ir.Function) -> tuple[ir.Expr, ...]:
    """What a function returns, at its end."""
    last = function.body.statements[-1] if function.body.statements else None
    return last.values if isinstance(last, ir.Return) else ()


def _returning(function: ir.Function) -> Span:
    return function.body.statements[-1].span or function.span


def _named(value: ir.Expr) -> str:
    return repr(value.name) if isinstance(value, ir.Var) else repr(value)


def _with_placed_returns(function: ir.Function) -> ir.Function:
    values = returned_values(function)
    if len(values) != len(function.return_types):
        return function
    types = [_in_space(each, _space(value.type)) for each, value in zip(function.return_types, values, strict=True)]
    same = all(before is after for before, after in zip(function.return_types, types, strict=True))
    return function if same else function.replace(return_types=tuple(types))


def _with_placed_calls(function: ir.Function, returned: Mapping[str, tuple[ir.Type, ...]]) -> ir.Function:
    """The function with the spaces in what it calls, and in the values that this is assigned to."""
    known: dict[ir.Var, ir.Var] = {}

    def call(node: ir.FunctionCall) -> ir.FunctionCall:
        types = returned.get(node.function)
        placed = node.type if types is None else _like(node.type, types)
        return node if placed is node.type else node.replace(type=placed)

    def item(node: ir.TupleItem) -> ir.TupleItem:
        placed = _like(node.type, _types(node.tuple.type)[node.index : node.index + 1])
        return node if placed is node.type else node.replace(type=placed)

    def assign(node: ir.Assign) -> ir.Assign:
        placed = _like(node.var.type, _types(node.value.type))
        if placed is node.var.type or isinstance(node.value, ir.Call):
            return node
        known[node.var] = ir.Var(node.var.name, placed, node.var.span)
        return node.replace(var=known[node.var])

    def variable(node: ir.Var) -> ir.Var:
        return known.get(node, node)

    return ir.rewrite(
        function,
        {
            ir.FunctionCall: call,
            ir.TupleItem: item,
            ir.Assign: assign,
            ir.Var: variable,
        },
    )


def _types(kind: ir.Type) -> tuple[ir.Type, ...]:
    return kind.types if isinstance(kind, TupleType) else (kind,)


def _like(declared: ir.Type, types: Sequence[ir.Type]) -> ir.Type:
    """A type, or the tuple of several, with the spaces of these types where it has none."""
    if isinstance(declared, TupleType):
        placed = [_in_space(each, _space(other)) for each, other in zip(declared.types, types, strict=False)]
        placed += declared.types[len(placed) :]
        same = all(before is after for before, after in zip(declared.types, placed, strict=True))
        return declared if same else TupleType(placed)
    return _in_space(declared, _space(types[0])) if types else declared


def _in_space(declared: ir.Type, space: MemorySpace | None) -> ir.Type:
    if not isinstance(declared, TileType) or declared.space is not None or space is None:
        return declared
    return declared.replace(space=space)


def _space(kind: ir.Type) -> MemorySpace | None:
    return kind.space if isinstance(kind, TileType) else None
