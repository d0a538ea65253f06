"""Compiles expressions: each operation becomes a step whose outcome has a slot of its own.

Compiling is written as generators: ``slot = yield operand`` compiles a part first, and ``drive`` keeps the open ones on
a stack of its own, so depth does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.interp.checks import UNCHECKED, Checks
from pypto_lite.interp.code import CALL, MACHINE, Code, Frame, Label, Step
from pypto_lite.interp.scalars import BINARY, UNARY, conversion
from pypto_lite.ir.dtypes import BOOL

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

Parts: TypeAlias = "Generator[ir.Expr, int, int]"
"""A compilation in progress: yields the expressions that it needs, gets their slots, returns its own."""

Linked: TypeAlias = "Mapping[str, Code]"
"""The code of every function of the program, by name; filled while functions are compiled."""


class Compiler:
    """What the compilation of expressions needs: the code that it adds to, and the other functions."""

    __slots__ = ("_operator_call", "checks", "code", "linked")

    def __init__(
        self,
        code: Code,
        linked: Linked,
        operator_call: Callable[[Compiler, ir.Call, int], Parts],
        checks: Checks = UNCHECKED,
    ) -> None:
        self.code = code
        self.checks = checks
        self.linked = linked
        self._operator_call = operator_call

    def slot(self, expression: ir.Expr) -> int:
        """Adds the steps that compute an expression; the slot where its value is then."""
        if isinstance(expression, ir.Var):
            return self.code.slot(expression)
        if isinstance(expression, ir.Const):
            return _constant(self.code, expression)
        return self.drive(_COMPILE[type(expression)](self, expression))

    def call_into(self, target: int, call: ir.Call) -> None:
        """Adds the steps that leave what an operator gives in a slot."""
        self.drive(self.operator_call(call, target))

    def operator_call(self, call: ir.Call, target: int) -> Parts:
        return self._operator_call(self, call, target)

    def drive(self, outermost: Parts) -> int:
        """Runs a compilation and those that it waits for."""
        waiting = [outermost]
        value: int | None = None
        while waiting:
            try:
                needed = waiting[-1].send(cast("int", value))
            except StopIteration as stop:
                value = stop.value
                waiting.pop()
                continue
            if isinstance(needed, ir.Var):
                value = self.code.slot(needed)
            elif isinstance(needed, ir.Const):
                value = _constant(self.code, needed)
            else:
                value = None
                waiting.append(_COMPILE[type(needed)](self, needed))
        assert value is not None
        return value


def evaluate(expression: ir.Expr, values: Mapping[ir.Var, Any]) -> Any:
    """The value of a scalar expression without calls, where its variables have these values."""
    code = Code("an extent", tuple(values))
    compiler = Compiler(code, {}, _no_call)
    target = compiler.slot(expression)
    frame = [*code.frame]
    for slot, value in zip(code.params, values.values(), strict=True):
        frame[slot] = value
    at = 0
    while at < len(code.steps):
        at = code.steps[at](frame)
    return frame[target]


def _no_call(compiler: Compiler, call: ir.Call, target: int) -> Parts:
    raise UserError(Diagnostic("PL507", f"{call.op} is called in an extent", call.span))


def _constant(code: Code, constant: ir.Const) -> int:
    dtype = constant.type.dtype
    return code.constant(conversion(dtype)(constant.value))


def _each(expressions: Sequence[ir.Expr]) -> Generator[ir.Expr, int, list[int]]:
    """The slots of several expressions, in their order."""
    slots: list[int] = []
    for expression in expressions:
        slots.append((yield expression))
    return slots


def _binary(compiler: Compiler, node: ir.Binary) -> Parts:
    if node.operator in ("and", "or"):
        return (yield from _logical(compiler, node))
    lhs = yield node.lhs
    rhs = yield node.rhs
    code = compiler.code
    target = code.new_slot()
    code.add(_binary_step(node, lhs, rhs, target, code.following))
    return target


def _binary_step(node: ir.Binary, lhs: int, rhs: int, target: int, following: int) -> Step:
    compute = BINARY[node.operator]
    dtype = node.type.dtype
    if dtype is BOOL:

        def compare(frame: Frame) -> int:
            frame[target] = compute(frame[lhs], frame[rhs])
            return following

        return compare
    convert = conversion(dtype)

    def step(frame: Frame) -> int:
        frame[target] = convert(compute(frame[lhs], frame[rhs]))
        return following

    return step


def _logical(compiler: Compiler, node: ir.Binary) -> Parts:
    """The right operand is evaluated only where the left one does not decide."""
    code = compiler.code
    target, end, right = code.new_slot(), Label(), Label()
    lhs = yield node.lhs
    code.copy([lhs], [target])
    if node.operator == "and":
        code.jump_unless(target, end)
    else:
        code.jump_unless(target, right)
        code.jump(end)
        code.place(right)
    rhs = yield node.rhs
    code.copy([rhs], [target])
    code.place(end)
    return target


def _unary(compiler: Compiler, node: ir.Unary) -> Parts:
    value = yield node.value
    compute = UNARY[node.operator]
    convert = conversion(node.type.dtype)
    return _computed(compiler.code, value, lambda operand: convert(compute(operand)))


def _cast(compiler: Compiler, node: ir.Cast) -> Parts:
    value = yield node.value
    return _computed(compiler.code, value, conversion(node.type.dtype))


def _computed(code: Code, value: int, compute: Callable[[Any], Any]) -> int:
    """The slot of what a function makes of one value."""
    target, following = code.new_slot(), code.following

    def step(frame: Frame) -> int:
        frame[target] = compute(frame[value])
        return following

    code.add(step)
    return target


def _select(compiler: Compiler, node: ir.Select) -> Parts:
    code = compiler.code
    target, otherwise, end = code.new_slot(), Label(), Label()
    condition = yield node.condition
    code.jump_unless(condition, otherwise)
    then = yield node.then
    code.copy([then], [target])
    code.jump(end)
    code.place(otherwise)
    chosen = yield node.otherwise
    code.copy([chosen], [target])
    code.place(end)
    return target


def _tuple_item(compiler: Compiler, node: ir.TupleItem) -> Parts:
    values = yield node.tuple
    index = node.index
    return _computed(compiler.code, values, lambda operand: operand[index])


def _make_tuple(compiler: Compiler, node: ir.MakeTuple) -> Parts:
    code = compiler.code
    if all(isinstance(element, ir.Const) for element in node.elements):
        return code.constant(tuple([cast("ir.Const", element).value for element in node.elements]))
    slots = yield from _each(node.elements)
    target, following = code.new_slot(), code.following

    def step(frame: Frame) -> int:
        frame[target] = tuple([frame[slot] for slot in slots])
        return following

    code.add(step)
    return target


def _operator_call(compiler: Compiler, node: ir.Call) -> Parts:
    return compiler.operator_call(node, compiler.code.new_slot())


def _function_call(compiler: Compiler, node: ir.FunctionCall) -> Parts:
    slots = yield from _each(node.args)
    return _called(compiler, node, slots)


def _called(compiler: Compiler, node: ir.FunctionCall | ir.Submit, slots: list[int]) -> int:
    """Adds the call of a function; the slot of what it returns: a value, or a tuple of several."""
    code = compiler.code
    called = compiler.linked.get(node.function)
    if called is None:
        message = f"there is no function {node.function!r} to call"
        raise UserError(Diagnostic("PL501", message, node.span or code.span))
    target, following = code.new_slot(), code.following

    def step(frame: Frame) -> int:
        frame[MACHINE].pending = (called, [frame[slot] for slot in slots], target, following)
        return CALL

    outer, code.span = code.span, node.span or code.span
    code.add(step)
    code.span = outer
    return target


def _with_task(type_: ir.Type) -> Callable[[Any, int], Any]:
    """What a submission gives: what the function returns, and its task behind it."""
    if not isinstance(type_, ir.TupleType):
        return lambda returned, task: task
    if len(type_.types) == 2:
        return lambda returned, task: (returned, task)
    return lambda returned, task: (*returned, task)


def _submit(compiler: Compiler, node: ir.Submit) -> Parts:
    """A task runs when it is submitted: what it depends on was submitted, and has run, before."""
    slots = yield from _each(node.args)
    yield from _each(node.dependencies)
    values = _called(compiler, node, slots)
    code = compiler.code
    target, following = code.new_slot(), code.following
    finish = _with_task(node.type)

    def step(frame: Frame) -> int:
        machine = frame[MACHINE]
        machine.tasks += 1
        frame[target] = finish(frame[values], machine.tasks)
        return following

    code.add(step)
    return target


_COMPILE: Final[dict[type[ir.Expr], Callable[[Compiler, Any], Parts]]] = {
    ir.Binary: _binary,
    ir.Unary: _unary,
    ir.Cast: _cast,
    ir.Select: _select,
    ir.TupleItem: _tuple_item,
    ir.MakeTuple: _make_tuple,
    ir.Call: _operator_call,
    ir.FunctionCall: _function_call,
    ir.Submit: _submit,
}
