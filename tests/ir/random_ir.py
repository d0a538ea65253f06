"""Random well-formed programs in SSA form with every kind of statement and scalar expression."""

from __future__ import annotations

import random

from pypto_lite import ir, ops
from tests.ir.samples import BF16, BOOL, FP32, INDEX

SCALAR, TRUTH, FLOAT = ir.ScalarType(INDEX), ir.ScalarType(BOOL), ir.ScalarType(FP32)
NAMES = ("a", "b", "i", "n", "acc", "x_tile", "value_with_a_rather_long_name", "for", "pl", "x y", "ä", "a__1")
OPERATORS = ("+", "-", "*", "//", "%", "**", "<<", ">>", "&", "|", "^", "min", "max")


class Builder:
    """Builds one function at a time, keeping the variables that are in scope."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.scalars: list[ir.Var] = []
        self.tiles: list[ir.Var] = []

    def var(self, type_: ir.Type) -> ir.Var:
        return ir.Var(self.random.choice(NAMES), type_)

    def function(self, name: str, size: int) -> ir.Function:
        extent = self.var(SCALAR)
        self.tensor = self.var(ir.TensorType([64, 64], BF16))
        self.scalars, self.tiles = [self.var(SCALAR), self.var(SCALAR)], []
        out = self.var(ir.TensorType([extent, 64], BF16))
        params = (self.tensor, *self.scalars, out)
        directions = (ir.ParamDirection.In,) * 3 + (ir.ParamDirection.Out,)
        body = ir.Block((*self.load(), *self.statements(size, 3), ir.Return((out,))))
        return ir.Function(name, ir.FunctionType.InCore, params, directions, (out.type,), body)

    def load(self) -> list[ir.Stmt]:
        call = ops.call("tile.load", (self.tensor, *[ir.make_tuple(dims) for dims in ((0, 0), (16, 32), (16, 32))]))
        return [self.assign(call)]

    def assign(self, value: ir.Expr) -> ir.Assign:
        var = self.var(value.type)
        if value.type == SCALAR:
            self.scalars.append(var)
        elif isinstance(value.type, ir.TileType):
            self.tiles.append(var)
        return ir.Assign(var, value)

    def statements(self, count: int, depth: int) -> list[ir.Stmt]:
        made: list[ir.Stmt] = []
        for _ in range(count):
            kind = self.random.random()
            if kind < 0.35 or depth == 0:
                made.append(self.assign(self.scalar(4)))
            elif kind < 0.6:
                made.append(self.assign(self.tile_call()))
            elif kind < 0.7:
                made.append(ir.Evaluate(self.write()))
            elif kind < 0.85:
                made.append(self.loop(depth - 1))
            else:
                made.append(self.branch(depth - 1))
        return made

    def tile_call(self) -> ir.Call:
        tile = self.random.choice(self.tiles)
        if self.random.random() < 0.5:
            return ops.call("tile.add", (tile, self.random.choice(self.tiles)))
        number = self.random.choice([0.5, -2.0, float("inf"), 1e-7])
        return ops.call("tile.muls", (tile, ir.const(number, self.random.choice([BF16, FP32]))))

    def write(self) -> ir.Call:
        place = ir.MakeTuple((self.index(16), self.index(32)), ir.TupleType([SCALAR, SCALAR]))
        return ops.call("tile.write", (self.random.choice(self.tiles), place, ir.const(1.0, BF16)))

    def index(self, extent: int) -> ir.Expr:
        """An index inside the extent, whatever the values of the variables."""
        if self.random.random() < 0.3:
            return ir.index_const(self.random.randrange(extent))
        return ir.Binary("%", self.scalar(2), ir.index_const(extent), SCALAR)

    def scalar(self, depth: int) -> ir.Expr:
        kind = self.random.random()
        if depth == 0 or kind < 0.3:
            leaf = self.random.choice([*self.scalars, None])
            return leaf if leaf is not None else ir.index_const(self.random.randint(-3, 300))
        if kind < 0.8:
            operator = self.random.choice(OPERATORS)
            total = operator not in ("//", "%", "**", "<<", ">>")
            rhs = self.scalar(depth - 1) if total else ir.index_const(self.random.randint(1, 9))
            return ir.Binary(operator, self.scalar(depth - 1), rhs, SCALAR)
        if kind < 0.9:
            return ir.Unary(self.random.choice(["-", "~", "abs"]), self.scalar(depth - 1), SCALAR)
        return ir.Select(self.condition(depth - 1), self.scalar(depth - 1), self.scalar(depth - 1), SCALAR)

    def condition(self, depth: int) -> ir.Expr:
        kind = self.random.random()
        if depth <= 0 or kind < 0.6:
            operator = self.random.choice(ir.COMPARISONS)
            return ir.Binary(operator, self.scalar(max(depth - 1, 0)), self.scalar(0), TRUTH)
        if kind < 0.8:
            operator = self.random.choice(["and", "or"])
            return ir.Binary(operator, self.condition(depth - 1), self.condition(depth - 1), TRUTH)
        return ir.Unary("not", self.condition(depth - 1), TRUTH)

    def nested(self, count: int, depth: int) -> list[ir.Stmt]:
        """Statements of a block of its own: what they define is not seen behind it."""
        scalars, tiles = list(self.scalars), list(self.tiles)
        made = self.statements(count, depth)
        self.inner = (self.scalars, self.tiles)
        self.scalars, self.tiles = scalars, tiles
        return made

    def loop(self, depth: int) -> ir.For:
        kind = self.random.choice(list(ir.ForKind))
        stop = ir.index_const(3) if kind is ir.ForKind.Unroll else self.scalar(1)
        bounds = [ir.index_const(0), stop, ir.index_const(self.random.randint(1, 2))]
        index = self.var(SCALAR)
        inits = [self.random.choice(self.scalars), self.random.choice(self.tiles)][: self.random.randint(0, 2)]
        carries = tuple([self.var(init.type) for init in inits])
        kept = (list(self.scalars), list(self.tiles))
        self.scalars.append(index)
        for carry in carries:
            (self.scalars if carry.type == SCALAR else self.tiles).append(carry)
        body = self.nested(self.random.randint(0, 3), depth)
        yielded = [self.like(carry, *self.inner) for carry in carries]
        self.scalars, self.tiles = kept
        results = tuple([self.var(carry.type) for carry in carries])
        for result in results:
            (self.scalars if result.type == SCALAR else self.tiles).append(result)
        attrs = {"stage": 2} if kind is ir.ForKind.Pipeline else {}
        block = ir.Block((*body, *([ir.Yield(tuple(yielded))] if carries else [])))
        return ir.For(kind, index, *bounds, tuple(inits), carries, block, results, attrs)

    def branch(self, depth: int) -> ir.If:
        wanted = [SCALAR, self.tiles[0].type][: self.random.randint(0, 2)]
        condition = self.condition(2)
        arms: list[ir.Block] = []
        for _ in range(2):
            statements = self.nested(self.random.randint(0, 2), depth)
            yielded = [self.like(ir.Var("_", type_), *self.inner) for type_ in wanted]
            arms.append(ir.Block((*statements, *([ir.Yield(tuple(yielded))] if wanted else []))))
        results = tuple([self.var(type_) for type_ in wanted])
        for result in results:
            (self.scalars if result.type == SCALAR else self.tiles).append(result)
        otherwise = arms[1] if wanted or arms[1].statements else None
        return ir.If(condition, arms[0], otherwise, results)

    def like(self, wanted: ir.Var, scalars: list[ir.Var], tiles: list[ir.Var]) -> ir.Expr:
        """A value in scope of the same type."""
        return self.random.choice([var for var in (*scalars, *tiles) if var.type == wanted.type])


def random_program(seed: int, size: int = 8, functions: int = 2) -> ir.Program:
    """A program that depends on the seed only."""
    builder = Builder(seed)
    made = [builder.function(f"kernel{number}", size) for number in range(functions)]
    return ir.Program("P", {each.name: each for each in made})
