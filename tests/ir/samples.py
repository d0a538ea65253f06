"""One sample of every class of node and type, and for each of its fields another value."""

from __future__ import annotations

from typing import Any

from pypto_lite import ir
from pypto_lite.diagnostics import SourceText, Span

FP32, BF16, INDEX, INT32, BOOL = (ir.DTYPES[name] for name in ("FP32", "BF16", "INDEX", "INT32", "BOOL"))
SCALAR, FLOAT, TRUTH = ir.ScalarType(INDEX), ir.ScalarType(FP32), ir.ScalarType(BOOL)
TILE = ir.TileType([16, 128], BF16)
TENSOR = ir.TensorType([16, 128], BF16)
PAIR = ir.TupleType([SCALAR, SCALAR])
SPAN = Span(SourceText("kernel.py", "text"), 1, 1, 1, 5)


def var(name: str = "x", type_: ir.Type = SCALAR) -> ir.Var:
    return ir.Var(name, type_)


A, B, C = var("a"), var("b"), var("c")
ONE, TWO = ir.index_const(1), ir.index_const(2)
RETURN, BREAK = ir.Block((ir.Return(()),)), ir.Block((ir.Break(),))


def function(name: str = "kernel", *statements: ir.Stmt, **fields: Any) -> ir.Function:
    """A function of these statements, without parameters unless they are given."""
    given = {"type": ir.FunctionType.InCore, "params": (), "directions": (), "return_types": (), **fields}
    return ir.Function(name, body=ir.Block(statements), **given)


def program(*statements: ir.Stmt, **fields: Any) -> ir.Program:
    """A program of one function ``kernel``."""
    return ir.Program("P", {"kernel": function("kernel", *statements, **fields)})


NODES: dict[type[ir.Node], tuple[ir.Node, dict[str, Any]]] = {
    ir.Var: (A, {"name": "other", "type": FLOAT, "span": SPAN}),
    ir.Const: (ONE, {"value": 3, "type": ir.ScalarType(INT32), "span": SPAN}),
    ir.Binary: (
        ir.Binary("+", ONE, TWO, SCALAR),
        {"operator": "-", "lhs": TWO, "rhs": ONE, "type": FLOAT, "span": SPAN},
    ),
    ir.Unary: (ir.Unary("-", ONE, SCALAR), {"operator": "~", "value": TWO, "type": FLOAT, "span": SPAN}),
    ir.Cast: (ir.Cast(ONE, FLOAT), {"value": TWO, "type": SCALAR, "span": SPAN}),
    ir.Select: (
        ir.Select(A, ONE, TWO, SCALAR),
        {"condition": ONE, "then": TWO, "otherwise": ONE, "type": FLOAT, "span": SPAN},
    ),
    ir.MakeTuple: (
        ir.make_tuple([1, 2]),
        {"elements": (ONE, ONE), "type": ir.TupleType([SCALAR, FLOAT]), "span": SPAN},
    ),
    ir.TupleItem: (ir.TupleItem(var("t", PAIR), 0, SCALAR), {"tuple": ONE, "index": 1, "type": FLOAT, "span": SPAN}),
    ir.Call: (
        ir.Call("tile.exp", (A,), {"mode": 1}, TILE, {"mark": True}),
        {
            "op": "tile.log",
            "args": (A, A),
            "keywords": {"mode": 2},
            "type": TENSOR,
            "attrs": {"mark": False},
            "span": SPAN,
        },
    ),
    ir.FunctionCall: (
        ir.FunctionCall("helper", (A,), SCALAR, {"mark": 1}),
        {"function": "other", "args": (), "type": FLOAT, "attrs": {}, "span": SPAN},
    ),
    ir.Submit: (
        ir.Submit("helper", (A,), (B,), PAIR, {"core": 1}, {"mark": 1}),
        {
            "function": "other",
            "args": (A, A),
            "dependencies": (B, B),
            "type": SCALAR,
            "keywords": {"core": 2},
            "attrs": {"mark": 2},
            "span": SPAN,
        },
    ),
    ir.Assign: (ir.Assign(A, ONE), {"var": var("a", FLOAT), "value": TWO, "span": SPAN, "comments": ("# note",)}),
    ir.Evaluate: (ir.Evaluate(ONE), {"value": TWO, "span": SPAN, "comments": ("# note",)}),
    ir.For: (
        ir.For(ir.ForKind.Sequential, A, ONE, TWO, ONE, (TWO,), (B,), RETURN, (C,), {"stage": 2}),
        {
            "kind": ir.ForKind.Parallel,
            "var": var("a", FLOAT),
            "start": TWO,
            "stop": ONE,
            "step": TWO,
            "inits": (ONE,),
            "carries": (var("b", FLOAT),),
            "body": BREAK,
            "results": (var("c", FLOAT),),
            "attrs": {"stage": 3},
            "span": SPAN,
            "comments": ("# note",),
        },
    ),
    ir.While: (
        ir.While(B, (ONE,), (B,), RETURN, (C,)),
        {
            "condition": ONE,
            "inits": (TWO,),
            "carries": (var("b", FLOAT),),
            "body": BREAK,
            "results": (),
            "span": SPAN,
            "comments": ("# note",),
        },
    ),
    ir.If: (
        ir.If(A, RETURN, BREAK, (C,)),
        {
            "condition": ONE,
            "then_body": BREAK,
            "else_body": None,
            "results": (),
            "span": SPAN,
            "comments": ("# note",),
        },
    ),
    ir.Yield: (ir.Yield((A,)), {"values": (A, A), "span": SPAN, "comments": ("# note",)}),
    ir.Return: (ir.Return((A,)), {"values": (), "span": SPAN, "comments": ("# note",)}),
    ir.Break: (ir.Break(), {"span": SPAN, "comments": ("# note",)}),
    ir.Continue: (ir.Continue(), {"span": SPAN, "comments": ("# note",)}),
    ir.Scope: (
        ir.Scope(ir.ScopeKind.Spmd, (ONE,), {"name": "x"}, A, RETURN),
        {
            "kind": ir.ScopeKind.At,
            "args": (TWO,),
            "keywords": {"name": "y"},
            "var": None,
            "body": BREAK,
            "span": SPAN,
            "comments": ("# note",),
        },
    ),
    ir.Block: (
        RETURN,
        {"statements": (), "span": SPAN, "comments": ("# note",), "trailing_comments": ("# end",)},
    ),
    ir.Function: (
        function("f", params=(A,), directions=(ir.ParamDirection.In,), return_types=(SCALAR,), attrs={"level": 1}),
        {
            "name": "g",
            "type": ir.FunctionType.AIC,
            "params": (var("a", FLOAT),),
            "directions": (ir.ParamDirection.Out,),
            "return_types": (FLOAT,),
            "body": BREAK,
            "attrs": {"level": 2},
            "span": SPAN,
            "comments": ("# note",),
        },
    ),
    ir.Program: (
        ir.Program("P", {"f": function("f")}),
        {
            "name": "Q",
            "functions": {"f": function("f", ir.Break())},
            "records": {"decisions": ("reason",)},
            "span": SPAN,
            "comments": ("# note",),
        },
    ),
}
"""A node of each class, and another value for each of its fields."""

_TILE_VIEW = ir.TileView((8, 128), pad=ir.PadValue.zero)
_TENSOR_VIEW = ir.TensorView((8, 128), layout=ir.TensorLayout.DN)

TYPES: dict[type, tuple[Any, dict[str, Any]]] = {
    ir.ScalarType: (SCALAR, {"dtype": INT32}),
    ir.ArrayType: (ir.ArrayType(8, INT32), {"extent": 9, "dtype": INDEX}),
    ir.TupleType: (PAIR, {"types": (SCALAR,)}),
    ir.MemRef: (ir.MemRef("a"), {"name": "b"}),
    ir.TensorView: (
        _TENSOR_VIEW,
        {
            "valid_shape": (4, 128),
            "stride": (256, 1),
            "layout": ir.TensorLayout.NZ,
            "pad": ir.PadValue.max,
        },
    ),
    ir.TensorType: (
        ir.TensorType((16, 128), BF16, _TENSOR_VIEW),
        {"shape": (32, 128), "dtype": FP32, "view": None, "distributed": True},
    ),
    ir.TileView: (
        _TILE_VIEW,
        {
            "valid_shape": (4, 128),
            "blayout": ir.TileLayout.col_major,
            "slayout": ir.TileLayout.row_major,
            "fractal": 1024,
            "pad": ir.PadValue.max,
            "compact": ir.CompactMode.normal,
            "stride": (256, 1),
            "start_offset": 4,
        },
    ),
    ir.TileType: (
        ir.TileType((16, 128), BF16, ir.MemorySpace.Vec, _TILE_VIEW, ir.MemRef("a")),
        {
            "shape": (32, 128),
            "dtype": FP32,
            "space": ir.MemorySpace.Mat,
            "view": None,
            "memref": None,
        },
    ),
}
"""A type (or part of one) of each class that has fields, and another value for each of them."""


def changed_type(type_: Any, field: str, value: Any) -> Any:
    """The type with one field changed."""
    names = [slot for slot in type(type_).__slots__ if not slot.startswith("_")]
    return type(type_)(**{**{name: getattr(type_, name) for name in names}, field: value})
