"""IR built by hand for the tests of the printer."""

from __future__ import annotations

from typing import Any

from pypto_lite import ir, ops
from tests.ir.samples import BF16, BOOL, FP32, INDEX, SCALAR

IN, OUT, IN_OUT = ir.ParamDirection.In, ir.ParamDirection.Out, ir.ParamDirection.InOut
TRUTH = ir.ScalarType(BOOL)
TENSOR = ir.TensorType([16, 128], BF16)
ZERO, ONE, FOUR = (ir.index_const(value) for value in (0, 1, 4))


def var(name: str, type_: ir.Type = SCALAR) -> ir.Var:
    return ir.Var(name, type_)


def assign(name: str, value: ir.Expr, type_: ir.Type | None = None) -> ir.Assign:
    """Assigns a value to a new variable of its type, or of another one."""
    return ir.Assign(var(name, type_ if type_ is not None else value.type), value)


def load(tensor: ir.Var, **keywords: Any) -> ir.Call:
    assert isinstance(tensor.type, ir.TensorType)
    shape = ir.make_tuple(tensor.type.shape)
    return ops.call("tile.load", (tensor, ir.make_tuple([0, 0]), shape, shape), keywords)


def less(lhs: ir.Expr, rhs: ir.Expr) -> ir.Binary:
    return ir.Binary("<", lhs, rhs, TRUTH)


def plus(lhs: ir.Expr, rhs: ir.Expr) -> ir.Binary:
    return ir.Binary("+", lhs, rhs, SCALAR)


def block(*statements: ir.Stmt) -> ir.Block:
    return ir.Block(statements)


def loop(index: ir.Var, body: ir.Block, *carried: tuple[ir.Expr, ir.Var, ir.Var], **changes: Any) -> ir.For:
    """``for index in range(4)``; each of ``carried`` is an init, a carry and a result."""
    inits, carries, results = zip(*carried, strict=True) if carried else ((), (), ())
    made = ir.For(ir.ForKind.Sequential, index, ZERO, FOUR, ONE, inits, carries, body, results)
    return made.replace(**changes) if changes else made


def function(
    *statements: ir.Stmt,
    params: tuple[tuple[ir.Var, ir.ParamDirection], ...] = (),
    returns: tuple[ir.Type, ...] = (),
    type_: ir.FunctionType = ir.FunctionType.InCore,
    name: str = "kernel",
    **fields: Any,
) -> ir.Function:
    variables = tuple([param for param, _ in params])
    directions = tuple([direction for _, direction in params])
    return ir.Function(name, type_, variables, directions, returns, ir.Block(statements), **fields)


def program(*functions: ir.Function, **fields: Any) -> ir.Program:
    return ir.Program("P", {each.name: each for each in functions}, **fields)


def placed_matmul() -> ir.Program:
    """The specification's example, as it is after placement."""
    x, y = var("x", TENSOR), var("y", ir.TensorType([128, 128], BF16))
    out = var("out_0", ir.TensorType([16, 128], FP32))
    vec, left, right = ir.MemorySpace.Vec, ir.MemorySpace.Left, ir.MemorySpace.Right
    x_tile, y_tile = assign("x_tile", load(x, target_memory=vec)), assign("y_tile", load(y, target_memory=vec))
    x_left = assign("x_tile_Left", ops.call("tile.move", (x_tile.var,), {"target_memory": left}))
    y_right = assign("y_tile_Right", ops.call("tile.move", (y_tile.var,), {"target_memory": right}))
    z_tile = assign("z_tile", ops.call("tile.matmul", (x_left.var, y_right.var)))
    stored = assign("out_0", ops.call("tile.store", (z_tile.var, ir.make_tuple([0, 0]), out)))
    return ir.Program(
        "After",
        {
            "main_incore_0": function(
                x_tile, y_tile, x_left, y_right, z_tile, stored, ir.Return((stored.var,)),
                params=((x, IN), (y, IN), (out, OUT)), returns=(out.type,), name="main_incore_0",
            )
        },
    )  # fmt: skip


__all__ = [
    "BF16", "BOOL", "FOUR", "FP32", "IN", "INDEX", "IN_OUT", "ONE", "OUT", "SCALAR", "TENSOR", "TRUTH", "ZERO",
    "assign", "block", "function", "less", "load", "loop", "placed_matmul", "plus", "program", "var",
]  # fmt: skip
