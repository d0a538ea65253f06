"""Random in-core functions: operator calls, scalars, loops and branches over the values that are known so far."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from pypto_lite import ir, ops
from pypto_lite.diagnostics import UserError
from pypto_lite.ir.dtypes import FP32, INDEX
from pypto_lite.testing.random_calls import READ, Group, RandomCalls
from pypto_lite.testing.scopes import Drawn, FunctionText, Parameter, Value, VisibleValues, text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pypto_lite.targets import Target
    from pypto_lite.testing.choices import Choices

DEEPEST: Final = 3
"""How deep loops and branches are nested."""

MOST_TRIPS: Final = 3
"""How often a loop runs at most."""

STORED: Final = 3
"""How many tiles a kernel stores at its end, at most."""

NESTED: Final = 3
"""How many statements a list in a loop or a branch has at most."""

INLINED: Final = 3
"""How many statements an inline function has at most."""

MARK: Final = "tensor.write"
"""What shows that a run has come to a place."""

WRITE: Final = "tile.write"
"""What changes a tile."""

CARRIED: Final = (ir.TileType, ir.ScalarType, ir.TensorType)


class Inline(NamedTuple):
    """An inline function that kernels can call."""

    name: str
    params: Sequence[Parameter]
    result: ir.TileType


class Style(NamedTuple):
    """How functions are written: with each name bound once, or as in Python."""

    explicit: bool
    size: int
    """How many statements a list of a function holds at most."""


class RandomFunction:
    """Draws one function."""

    def __init__(
        self,
        choices: Choices,
        function: FunctionText,
        groups: Sequence[Group],
        targets: Sequence[Target | None],
        style: Style,
        inlines: Sequence[Inline] = (),
    ) -> None:
        self._choices = choices
        self._function = function
        self._groups = {group.name: group for group in groups}
        self._style = style
        self._inlines = inlines
        names = {each.name for group in groups for each in group.operators}
        self._calls = RandomCalls(choices, function, targets, reads=READ in names)
        self._marks = MARK in names
        self._rewrites = WRITE in names
        self._kinds = self._statement_kinds()
        self._kinds_in_loops = (*self._kinds, *[self._leave] * 20)

    def _statement_kinds(self) -> tuple[Callable[[VisibleValues, int], None], ...]:
        """What statements can be, the simplest first; the more often, the likelier."""
        kinds: list[Callable[[VisibleValues, int], None]] = []
        weights = {"vector": 3, "cube": 3, "view": 2, "memory": 3, "other": 1}
        for name in self._groups:
            kinds += [partial(self._call, name)] * weights[name]
        kinds += [self._alias, self._scalar, self._again, self._again]
        kinds += [self._branch, self._branch, self._loop, self._loop, self._loop]
        if self._marks:
            kinds += [self._mark] * 2
        if "cube" in self._groups:
            kinds += [self._accumulation]
        if self._inlines:
            kinds += [self._inlined] * 2
        return tuple(kinds)

    def kernel(self) -> None:
        """Draws the body of a kernel: statements, then stores of some of what they made."""
        scope = VisibleValues()
        self._statements(scope, 0, self._style.size)
        self._stores(scope)
        outputs = [each.var for each in self._function.params.values() if each.direction is not ir.ParamDirection.In]
        if outputs and not self._choices.chance(3):
            self._function.returned += outputs
            self._function.line(f"return {', '.join(each.name for each in outputs)}")

    def inline(self, params: Sequence[ir.TileType]) -> Inline:
        """Draws the body of an inline function of tiles (and what it asks for besides), which returns a tile."""
        scope = VisibleValues()
        for number, type_ in enumerate(params):
            scope.add(Value(self._function.parameter(f"a{number}", type_, ir.ParamDirection.In), fixed=True))
        open_extents = {extent for type_ in params for extent in type_.valid_shape}
        self._statements(scope, 1, INLINED)
        returned = [
            (value.var, value.type)
            for value in scope.of(ir.TileType)
            if value.defined and isinstance(value.type, ir.TileType) and _variables(value.type) <= open_extents
        ]
        var, result = returned[0]
        self._function.line(f"return {var.name}")
        return Inline(self._function.name, tuple(self._function.params.values()), result)

    # Lists of statements

    def _statements(self, scope: VisibleValues, depth: int, most: int) -> None:
        for _ in range(self._choices.below(most + 1)):
            self._choices.together(lambda: self._statement(scope, depth))

    def _statement(self, scope: VisibleValues, depth: int) -> None:
        """A statement, or none: an example shrinks by statements that come to nothing."""
        kinds = self._kinds_in_loops if scope.in_loop else self._kinds
        kind = self._choices.below(len(kinds) + 1)
        if kind:
            kinds[kind - 1](scope, depth)

    def _call(self, group: str, scope: VisibleValues, _depth: int = 0) -> None:
        operator = self._choices.pick(self._groups[group].operators)
        drawn = self._calls.draw(operator, scope)
        if drawn is not None:
            self._keep(drawn, scope)
            scope.calls.insert(0, drawn)

    def _keep(self, drawn: Drawn, scope: VisibleValues) -> None:
        """Writes a call as a statement, with names for what it makes."""
        type_ = drawn.call.type
        evaluator = drawn.operator.computes
        writes = evaluator is not None and evaluator.writes is not None
        if isinstance(type_, ir.UnknownType) or (writes and not self._choices.chance(3)):
            self._function.line(text(drawn.call))
            return
        if isinstance(type_, ir.TupleType):
            members = [Value(ir.Var(self._function.fresh("t"), member), drawn.defined) for member in type_.types]
            self._function.assign(", ".join(value.var.name for value in members), drawn.call)
            for value in members:
                scope.add(value)
            return
        self._bind(drawn.call, drawn.defined, scope)

    def _again(self, scope: VisibleValues, _depth: int) -> None:
        """A call that was made before, once more; often after a write to one of its operands."""
        if not scope.calls:
            return
        drawn = self._choices.pick(scope.calls[:4])
        written = ops.lookup(WRITE).operands[0]
        tiles = [
            (value.var, value.type.dtype)
            for value in scope.of(ir.TileType)
            if value.var in drawn.call.args
            and isinstance(value.type, ir.TileType)
            and value.defined
            and self._calls.reaches(value, written.spaces)
        ]
        if self._rewrites and tiles and self._choices.chance(2):
            tile, dtype = self._choices.pick(tiles)
            number = ir.const(1 + self._choices.below(8), dtype)
            self._function.line(text(ops.call(WRITE, [tile, ir.make_tuple((0, 0)), number])))
        self._keep(drawn, scope)

    def _bind(self, made: ir.Expr, defined: bool, scope: VisibleValues) -> None:
        """Gives a value a name: a new one, or one of a value of the same type."""
        again = [value for value in scope if value.type == made.type and not value.fixed and value.defined and defined]
        if (
            again
            and not self._style.explicit
            and (self._choices.chance(2) or (scope.in_loop and self._choices.chance(2)))
        ):
            self._function.assign(self._choices.pick(again).var.name, made)
            return
        letter = "t" if isinstance(made.type, ir.TileType) else "v"
        value = Value(ir.Var(self._function.fresh(letter), made.type), defined)
        self._function.assign(value.var.name, made)
        scope.add(value)

    def _alias(self, scope: VisibleValues, _depth: int) -> None:
        known = scope.of(*CARRIED)
        if known:
            value = self._choices.pick(known[:8])
            self._bind(value.var, value.defined, scope)

    def _scalar(self, scope: VisibleValues, _depth: int) -> None:
        self._bind(self._calls.index(scope), True, scope)

    def _inlined(self, scope: VisibleValues, _depth: int) -> None:
        inline = self._choices.pick(self._inlines)
        args = [self._choices.together(partial(self._argument, param, scope)) for param in inline.params]
        extents: dict[ir.Var, ir.Expr] = {}
        for param, arg in zip(inline.params, args, strict=True):
            if isinstance(param.var.type, ir.TileType) and isinstance(arg.type, ir.TileType):
                pairs = zip(param.var.type.valid_shape, arg.type.valid_shape, strict=True)
                extents.update({own: ir.dim_expr(given) for own, given in pairs if isinstance(own, ir.Var)})
        result = ir.Substitution(extents).type(inline.result)
        self._bind(ir.FunctionCall(inline.name, tuple(args), result), True, scope)

    def _argument(self, param: Parameter, scope: VisibleValues) -> ir.Expr:
        """What is given for a parameter of an inline function; a tensor is that of the same name."""
        type_ = param.var.type
        if isinstance(type_, ir.TileType):
            return self._tile(type_, scope)
        if isinstance(type_, ir.ScalarType) and type_.dtype is not INDEX:
            return self._calls.scalar(type_.dtype, scope)
        if isinstance(type_, ir.ScalarType):
            return self._calls.index(scope)
        return self._function.parameter(param.var.name, type_, param.direction)

    def _tile(self, type_: ir.TileType, scope: VisibleValues) -> ir.Expr:
        """A tile for a parameter of this type, loaded where there is none; of any region where that is left open.

        Its layout is that of the parameter: operators may take no other one, once the function is inlined.
        """
        is_open = type_.symbolic
        known = [
            value
            for value in scope.of(ir.TileType)
            if isinstance(value.type, ir.TileType)
            and value.defined
            and (value.type.shape, value.type.dtype) == (type_.shape, type_.dtype)
            and _layout(value.type) == _layout(type_)
            and (is_open or value.type.valid_shape == type_.valid_shape)
        ]
        if known and not self._choices.chance(3):
            return self._choices.pick(known).var
        return self._calls.loaded(ir.TileType(type_.shape, type_.dtype), (), scope, whole=not is_open)

    # Branches

    def _branch(self, scope: VisibleValues, depth: int) -> None:
        if depth >= DEEPEST:
            return
        condition = text(self._calls.condition(scope))
        shared = self._chosen(scope)
        results = [Value(ir.Var(self._function.fresh("r"), each.type), each.defined) for each in shared]

        def arm() -> None:
            inner = scope.nested()
            self._choices.together(lambda: self._statements(inner, depth + 1, NESTED))
            self._yield(results, inner)

        self._function.nested(f"if {condition}:", arm)
        if results or self._choices.chance(2):
            self._function.nested("else:", arm)
        for value in results:
            scope.add(value)

    def _chosen(self, scope: VisibleValues) -> list[Value]:
        """Some of the values, of the types that loops carry and branches give."""
        known = [value for value in scope.of(*CARRIED) if not value.type.symbolic]
        count = self._choices.below(3)
        return [self._choices.pick(known[:8]) for _ in range(count)] if known else []

    def _yield(self, results: Sequence[Value], scope: VisibleValues) -> None:
        """Hands on values of the types of the results, in natural programs by giving them these names."""
        if not results:
            return
        values = [self._like(result, scope) for result in results]
        if not self._style.explicit:
            for result, value in zip(results, values, strict=True):
                self._function.assign(result.var.name, value.var)
            return
        names = ", ".join(result.var.name for result in results)
        self._function.line(f"{names} = pl.yield_({', '.join(value.var.name for value in values)})")

    def _like(self, wanted: Value, scope: VisibleValues) -> Value:
        """A value of the same type, that is defined if the wanted one is."""
        same = [value for value in scope if value.type == wanted.type and (value.defined or not wanted.defined)]
        return self._choices.pick(same[:8])

    # Loops

    def _loop(self, scope: VisibleValues, depth: int) -> None:
        if depth >= DEEPEST:
            return
        kinds = (self._counting, self._counting, self._explicit_while if self._style.explicit else self._while)
        self._choices.pick(kinds)(scope, depth)

    def _counting(self, scope: VisibleValues, depth: int) -> None:
        kind = self._choices.pick(("range", "range", "range", "unroll", "unroll", "parallel", "pipeline"))
        fixed = self._style.explicit or kind != "range"
        var = Value(ir.Var(self._function.fresh("i"), ir.ScalarType(INDEX)), fixed=fixed)
        trips: ir.Expr = ir.index_const(1 + self._choices.below(MOST_TRIPS))
        if kind != "unroll" and self._choices.chance(4):
            trips = self._calls.clamped(scope, MOST_TRIPS)
        leaves = kind == "range" and (self._style.explicit or not self._choices.chance(3))
        certain = isinstance(trips, ir.Const) and kind != "parallel" and not leaves and not self._style.explicit
        inits = self._chosen(scope) if self._style.explicit else []
        carries, results = self._carried(inits), self._carried(inits, "r")
        parts = ["0", text(trips), "2"] if self._choices.chance(3) else [text(trips)]
        if inits:
            parts.append(f"init_values={_tuple(inits)}")
        if kind == "pipeline":
            parts.append("stage=2")
        target = f"{var.var.name}, {_tuple(carries)}" if carries else var.var.name

        def body() -> None:
            inner = scope.nested(var, *carries, in_loop=leaves)
            if self._choices.chance(2):
                self._mark(inner)
            self._choices.together(lambda: self._statements(inner, depth + 1, NESTED))
            self._yield(results, inner)
            if certain:
                results.extend(self._kept_behind(inner, scope, var))

        self._function.nested(f"for {target} in pl.{kind}({', '.join(parts)}):", body)
        for value in results:
            scope.add(value)

    def _kept_behind(self, inner: VisibleValues, scope: VisibleValues, var: Value) -> list[Value]:
        """Some of the values that get their names in a loop which certainly runs, to be read behind it."""
        outer = {value.var for value in scope}
        known = [value for value in inner.of(*CARRIED) if value.var not in outer and value.var is not var.var]
        kept = [value for value in known if value.defined and not value.fixed and not value.type.symbolic]
        return kept[: self._choices.below(3)]

    def _carried(self, inits: Sequence[Value], letter: str = "c") -> list[Value]:
        return [Value(ir.Var(self._function.fresh(letter), each.type), each.defined) for each in inits]

    def _leave(self, scope: VisibleValues, depth: int) -> None:
        """A ``break`` or a ``continue`` under one condition or two, with marks where a run comes if it stays; often the
        other one as well."""
        words = ("break", "continue") if self._choices.chance(2) else ("continue", "break")
        for word in words[: 1 + self._choices.below(2)]:
            self._exit(word, scope, depth)

    def _exit(self, word: str, scope: VisibleValues, depth: int) -> None:
        def leaving() -> None:
            self._choices.together(lambda: self._statements(scope.nested(), DEEPEST, 1))
            self._function.line(word)

        def arm() -> None:
            condition = f"if {text(self._calls.condition(scope))}:"
            if self._choices.chance(3):
                self._function.nested(condition, lambda: self._mark(scope))
                self._function.nested("else:", leaving)
            else:
                self._function.nested(condition, leaving)
            self._mark(scope)

        if depth < DEEPEST and self._choices.chance(3):
            self._function.nested(f"if {text(self._calls.condition(scope))}:", arm)
            self._mark(scope)
        else:
            arm()

    def _mark(self, scope: VisibleValues, _depth: int = 0) -> None:
        """Writes a number to a place that depends on the scalars, so that a run shows which iterations come here."""
        if not self._marks:
            return
        out = self._function.tensor(FP32, written=True)
        number = ir.const(float(1 + self._choices.below(8)), FP32)
        self._function.line(text(ops.call(MARK, [out, self._calls.place(scope), number])))

    def _while(self, scope: VisibleValues, depth: int) -> None:
        left = Value(ir.Var(self._function.fresh("w"), ir.ScalarType(INDEX)), fixed=True)
        self._function.assign(left.var.name, self._calls.clamped(scope, MOST_TRIPS))

        def body() -> None:
            self._function.line(f"{left.var.name} = {left.var.name} - 1")
            inner = scope.nested(left, in_loop=True)
            self._choices.together(lambda: self._statements(inner, depth + 1, NESTED))

        more = text(self._calls.condition(scope)) if self._choices.chance(3) else None
        condition = f"{left.var.name} > 0" if more is None else f"{left.var.name} > 0 and ({more})"
        self._function.nested(f"while {condition}:", body)

    def _explicit_while(self, scope: VisibleValues, depth: int) -> None:
        inits = self._chosen(scope)
        left = Value(ir.Var(self._function.fresh("w"), ir.ScalarType(INDEX)), fixed=True)
        carries, results = self._carried(inits), self._carried(inits, "r")
        begin = text(self._calls.clamped(scope, MOST_TRIPS))
        values = ", ".join([*(value.var.name for value in inits), begin])
        after = self._function.fresh("w")

        def body() -> None:
            self._function.line(f"pl.cond({left.var.name} > 0)")
            inner = scope.nested(left, *carries, in_loop=False)
            self._choices.together(lambda: self._statements(inner, depth + 1, NESTED))
            yielded = [self._like(result, inner).var.name for result in results]
            names = ", ".join([*(value.var.name for value in results), after])
            self._function.line(f"{names} = pl.yield_({', '.join([*yielded, f'{left.var.name} - 1'])})")

        names = ", ".join([*(value.var.name for value in carries), left.var.name])
        names = names if inits else f"({names},)"
        self._function.nested(f"for {names} in pl.while_(init_values=({values},)):", body)
        for value in results:
            scope.add(value)

    def _accumulation(self, scope: VisibleValues, depth: int) -> None:
        """An accumulator, empty or a first product, to which a loop adds products."""
        product = self._calls.draw(ops.lookup("tile.matmul"), scope)
        if product is None or not isinstance(product.call.type, ir.TileType) or product.call.type.symbolic:
            return
        lhs, rhs = product.call.args
        type_ = ir.TileType(product.call.type.shape, product.call.type.dtype)
        begin: ir.Expr = product.call
        if self._choices.chance(2) or type_.valid_shape != product.call.type.valid_shape:
            begin = ops.call("tile.create", [ir.make_tuple(type_.shape)], {"dtype": type_.dtype})
        name = self._function.fresh("t")
        acc = ir.Var(name, begin.type)
        try:
            total = ops.call("tile.matmul_acc", [acc, lhs, rhs])
        except UserError:
            return
        self._function.assign(name, begin)
        var = self._function.fresh("i")
        trips = 1 + self._choices.below(MOST_TRIPS)
        if self._style.explicit:
            carry, following, result = (self._function.fresh(letter) for letter in "ctr")
            total = total.rebuild((ir.Var(carry, acc.type), lhs, rhs))

            def steps() -> None:
                self._function.assign(following, total)
                self._function.line(f"{result} = pl.yield_({following})")

            self._function.nested(f"for {var}, ({carry},) in pl.range({trips}, init_values=({name},)):", steps)
            name = result
        else:
            self._function.nested(f"for {var} in pl.range({trips}):", lambda: self._function.assign(name, total))
        scope.add(Value(ir.Var(name, begin.type), fixed=True))

    # The end

    def _stores(self, scope: VisibleValues) -> None:
        """Stores some of the tiles that are known at the end, so that a run shows them."""
        store = ops.lookup("tile.store")
        reachable = [
            value
            for value in scope.of(ir.TileType)
            if value.defined and self._calls.reaches(value, store.operands[0].spaces)
        ]
        for number in range(min(len(reachable), STORED)):
            self._choices.together(lambda number=number: self._store(number, reachable))

    def _store(self, number: int, reachable: list[Value]) -> None:
        """Stores one of the tiles, seldom none, into the quarter of this number of a tensor."""
        choice = self._choices.below(4 * len(reachable))
        if choice == 0:
            return
        value = reachable.pop(choice % len(reachable))
        assert isinstance(value.type, ir.TileType)
        direction = ir.ParamDirection.Out if self._choices.chance(3) else ir.ParamDirection.InOut
        out = self._function.tensor(value.type.dtype, written=True, direction=direction)
        offsets = ir.make_tuple((32 * (number % 2), 32 * (number // 2)))
        try:
            self._function.line(text(ops.call("tile.store", [value.var, offsets, out])))
        except UserError:  # such as for a tile that is larger than a quarter
            return


def _layout(type_: ir.TileType) -> ir.TileView:
    return type_.effective_view.replace(valid_shape=())


def _variables(type_: ir.Type) -> set[ir.Expr]:
    """The variables that a type mentions."""
    return {node for each in type_.expressions() for node in ir.walk(each) if isinstance(node, ir.Var)}


def _tuple(values: Sequence[Value]) -> str:
    return f"({''.join(value.var.name + ', ' for value in values).rstrip(' ')})"
