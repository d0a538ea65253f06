"""Short ways to build IR by hand, for what the language would refuse: broken programs above all."""

from __future__ import annotations

from typing import Any

from pypto_lite import ir
from pypto_lite.diagnostics import SourceText, Span

BOOL, BF16, FP32, INDEX, INT32, TASK_ID = (
    ir.DTYPES[name] for name in ("BOOL", "BF16", "FP32", "INDEX", "INT32", "TASK_ID")
)
ZERO, ONE, FOUR = (ir.index_const(value) for value in (0, 1, 4))
TRUE = ir.const(True)
Vec, Mat, Acc = ir.MemorySpace.Vec, ir.MemorySpace.Mat, ir.MemorySpace.Acc

SOURCE = SourceText("kernel.py", "\n".join(f"line {number}" for number in range(1, 100)))


def line(number: int) -> Span:
    """A place in a source text, to see that findings point at it."""
    return Span(SOURCE, number, 1, number, 5)


def tile(
    *shape: ir.Dim, dtype: ir.DType = FP32, space: ir.MemorySpace | None = None, valid: ir.Dims = ()
) -> ir.TileType:
    return ir.TileType(shape, dtype, space, ir.TileView(valid) if valid else None)


def tensor(*shape: ir.Dim, dtype: ir.DType = FP32) -> ir.TensorType:
    return ir.TensorType(shape, dtype)


def scalar(dtype: ir.DType = INDEX) -> ir.ScalarType:
    return ir.ScalarType(dtype)


def var(name: str, type_: ir.Type | None = None) -> ir.Var:
    return ir.Var(name, type_ if type_ is not None else scalar())


def call(op: str, *args: ir.Expr, result: ir.Type = ir.UNKNOWN, **keywords: Any) -> ir.Call:
    """A call that claims ``result`` as its type, right or wrong."""
    return ir.Call(op, args, keywords, result)


def load(source: ir.Var, result: ir.Type | None = None, offset: ir.Expr = ZERO) -> ir.Call:
    """Loads all of a two-dimensional tensor."""
    assert isinstance(source.type, ir.TensorType)
    shape = ir.make_tuple(source.type.shape)
    claimed = result if result is not None else ir.TileType(source.type.shape, source.type.dtype)
    return call("tile.load", source, ir.make_tuple([offset, ZERO]), shape, shape, result=claimed)


def add(lhs: ir.Expr, rhs: ir.Expr) -> ir.Call:
    return call("tile.add", lhs, rhs, result=lhs.type)


def plus(lhs: ir.Expr, rhs: ir.Expr) -> ir.Binary:
    assert isinstance(lhs.type, ir.ScalarType)
    return ir.Binary("+", lhs, rhs, lhs.type)


def less(lhs: ir.Expr, rhs: ir.Expr) -> ir.Binary:
    return ir.Binary("<", lhs, rhs, scalar(BOOL))


def block(*statements: ir.Stmt) -> ir.Block:
    return ir.Block(statements)


def loop(
    index: ir.Var, body: ir.Block, inits: tuple[ir.Expr, ...] = (), carries: tuple[ir.Var, ...] = (),
    results: tuple[ir.Var, ...] = (), **changes: Any,
) -> ir.For:  # fmt: skip
    made = ir.For(ir.ForKind.Sequential, index, ZERO, FOUR, ONE, inits, carries, body, results)
    return made.replace(**changes) if changes else made


def branch(condition: ir.Expr, then: ir.Block, otherwise: ir.Block | None = None, *results: ir.Var) -> ir.If:
    return ir.If(condition, then, otherwise, results)


def function(
    *statements: ir.Stmt,
    params: tuple[ir.Var, ...] = (),
    returns: tuple[ir.Type, ...] = (),
    type_: ir.FunctionType = ir.FunctionType.InCore,
    name: str = "kernel",
) -> ir.Function:
    directions = tuple([_direction(param) for param in params])
    return ir.Function(name, type_, params, directions, returns, ir.Block(statements), {}, line(1))


def _direction(param: ir.Var) -> ir.ParamDirection:
    return ir.ParamDirection.InOut if isinstance(param.type, ir.TensorType) else ir.ParamDirection.In


def program(*functions: ir.Function) -> ir.Program:
    return ir.Program("P", {each.name: each for each in functions})


def kernel(*statements: ir.Stmt, **facts: Any) -> ir.Program:
    """A program of one function, in-core unless ``type_`` says otherwise."""
    return program(function(*statements, **facts))
