"""Runs kernels on terms instead of numbers, so that a kernel before and after placement can be compared.

A tile is a buffer that holds a term, or a view of one. A move makes a buffer with the same term, so what is stored and
read must be the same terms whatever is moved to where, as long as no copy is stale. An operand that an operator takes
over has no value any more; a kernel that reads it all the same means nothing, which raises MeaninglessError.
"""

from __future__ import annotations

from typing import Any, Final

from pypto_lite import ir, ops

MOST_ITERATIONS: Final = 10


class MeaninglessError(Exception):
    """The kernel reads a tile that another value has taken over."""


class Buffer:
    def __init__(self, term: Any) -> None:
        self.term = term
        """None where another value has taken the buffer over."""


class View:
    def __init__(self, base: Buffer | View, how: Any) -> None:
        self.base = base
        self.how = how


def run(function: ir.Function, n: int) -> list[Any]:
    """The terms that the kernel stores and reads, in order, where its parameter ``n`` has this value."""
    machine = _Machine()
    for param in function.params:
        machine.values[param] = n if param.name == "n" else ("parameter", param.name)
    machine.block(function.body)
    return machine.trace


def term_of(value: Any) -> Any:
    """What a value holds; MeaninglessError if it was taken over."""
    if isinstance(value, View):
        return _seen(value.how, term_of(value.base))
    if isinstance(value, Buffer):
        if value.term is None:
            raise MeaninglessError
        return value.term
    return value


def _seen(how: Any, term: Any) -> Any:
    """What a view shows; what was written through the very same view is a write into what it shows."""
    if isinstance(term, tuple) and term[0] == "written" and term[1] and term[1][-1] == how:
        _, path, before, value = term
        return ("written", path[:-1], _seen(how, before), value)
    return (how, term)


def _buffer_of(value: Any) -> tuple[Buffer, list[Any]]:
    path: list[Any] = []
    while isinstance(value, View):
        path.append(value.how)
        value = value.base
    assert isinstance(value, Buffer)
    return value, path


def _copy(value: Any) -> Buffer:
    """A buffer with what a tile holds; moving what nobody reads afterwards is no fault."""
    try:
        return Buffer(term_of(value))
    except MeaninglessError:
        return Buffer(None)


class _Machine:
    def __init__(self) -> None:
        self.values: dict[ir.Var, Any] = {}
        self.trace: list[Any] = []

    def block(self, block: ir.Block) -> list[Any]:
        """Runs the statements; what the block yields. Kernels of tests are not deep, so this may recurse."""
        for statement in block.statements:
            match statement:
                case ir.Assign():
                    self.values[statement.var] = self.value(statement.value)
                case ir.Evaluate():
                    self.value(statement.value)
                case ir.Yield():
                    return [self.value(each) for each in statement.values]
                case ir.If():
                    taken = statement.then_body if self.value(statement.condition) else statement.else_body
                    self.define(statement.results, self.block(taken) if taken is not None else [])
                case ir.For() | ir.While():
                    self.loop(statement)
                case _:
                    raise AssertionError(f"{statement!r} is none of the statements of test kernels")
        return []

    def define(self, variables: tuple[ir.Var, ...], values: list[Any]) -> None:
        self.values.update(zip(variables, values, strict=True))

    def loop(self, loop: ir.For | ir.While) -> None:
        carried = [self.value(init) for init in loop.inits]
        for index in self.iterations(loop):
            self.define(loop.carries, carried)
            if isinstance(loop, ir.For):
                self.values[loop.var] = index
            elif not self.value(loop.condition):
                break
            carried = self.block(loop.body)
        self.define(loop.results, carried)

    def iterations(self, loop: ir.For | ir.While) -> range:
        if isinstance(loop, ir.While):
            return range(MOST_ITERATIONS)
        return range(self.value(loop.start), self.value(loop.stop), self.value(loop.step))

    def value(self, expression: ir.Expr) -> Any:
        match expression:
            case ir.Var():
                return self.values[expression]
            case ir.Const():
                return expression.value
            case ir.MakeTuple():
                return tuple(self.value(element) for element in expression.elements)
            case ir.Binary():
                lhs, rhs = self.value(expression.lhs), self.value(expression.rhs)
                return {"+": lambda: lhs + rhs, "-": lambda: lhs - rhs, "<": lambda: lhs < rhs, ">": lambda: lhs > rhs}[
                    expression.operator
                ]()
            case ir.Call():
                return self.call(expression, [self.value(arg) for arg in expression.args])
            case _:
                raise AssertionError(f"{expression!r} is none of the expressions of test kernels")

    def call(self, call: ir.Call, args: list[Any]) -> Any:
        operator = ops.lookup(call.op)
        if call.op == "tile.move":
            return _copy(args[0])
        if operator.view_of is not None:
            return View(args[operator.view_of], (call.op, tuple(args[1:])))
        if call.op == "tile.write":
            buffer, path = _buffer_of(args[0])
            buffer.term = ("written", tuple(path), term_of(buffer), args[1])
            return args[0]
        terms = tuple(term_of(arg) for arg in args)
        if call.op in ("tile.store", "tile.read"):
            self.trace.append((call.op, terms[0]))
            return args[2] if call.op == "tile.store" else (call.op, terms[0])
        if operator.tied_operand is not None or call.op == "tile.assemble":
            _buffer_of(args[operator.tied_operand or 0])[0].term = None
        return Buffer((call.op, terms))
