"""What functions do to the tensors that they are given, against what their signatures say: ``pl.Out``, ``pl.InOut``.

A tensor is written by operators that change memory, and by functions that it is passed to. It may have been given other
names before: by aliases and views, by loops that carry it, by branches and by functions that return it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

from pypto_lite import ir, ops
from pypto_lite.diagnostics import Note
from pypto_lite.passes.properties.findings import Findings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pypto_lite.diagnostics import Diagnostic

WHOLE: Final = -1

Shared: TypeAlias = "Callable[[ops.Operator | None], int | None]"
"""Gives the position of the operand that the result of an operator may stand for."""

Place: TypeAlias = "tuple[ir.Var, int]"
"""A variable, and which of the values in it, where it holds several; WHOLE where it is one."""


def check_directions(program: ir.Program) -> list[Diagnostic]:
    """An error (PL211) for each statement that writes a tensor which its function was given for reading only.

    Parameters of inline functions are variables of the caller, so those of the caller count, wherever the write is.
    Linear in the size of the program, but for tensors that several parameters may stand for.
    """
    return faults_in(program, tensors_of(program, {}))


def tensors_of(program: ir.Program, undeclared: Mapping[str, Collection[int]]) -> dict[str, Tensors]:
    """The tensors of each function, with what it does to them, callees before their callers.

    ``undeclared`` holds the positions of the parameters of functions whose types don't say whether they are written.
    """
    functions = {name: Tensors(each, undeclared.get(name)) for name, each in program.functions.items()}
    ordered = {name: functions[name] for name in _callees_first(functions)}
    effects: dict[str, Effects] = {}
    for name, each in ordered.items():
        effects[name] = each.effects = each.find_effects(effects)
    return ordered


def faults_in(program: ir.Program, functions: Mapping[str, Tensors]) -> list[Diagnostic]:
    """The errors for writes, in the order of the program."""
    findings = Findings("PL211")
    for name in program.functions:
        findings.enter(functions[name].function)
        for write, param in functions[name].faults:
            _report(write, param, findings)
    return findings.diagnostics


class Write(NamedTuple):
    """A call that writes one of its arguments; ``receiver`` is the parameter of the called function."""

    number: int
    """In the order of the program."""
    call: ir.Expr
    statement: ir.Stmt
    receiver: ir.Var | None


class Returning(Protocol):
    """What is known of a function that is called."""

    @property
    def returns(self) -> Sequence[Collection[int]]:
        """For each value that it returns, the positions of the parameters whose tensor this may be."""
        ...


class Effects(NamedTuple):
    """What callers have to know of a function."""

    function: ir.Function
    writes: frozenset[int]
    """The positions of the parameters that it writes."""
    returns: Sequence[frozenset[int]]
    """For each value that it returns, the positions of the parameters that this may be."""


def _report(write: Write, param: ir.Var, findings: Findings) -> None:
    notes = [Note(f"the parameter {param.name!r} is here", param.span)]
    if write.receiver is not None:
        notes.append(Note(f"what is passed as {write.receiver.name!r} is written", write.receiver.span))
    findings.add(
        f"the parameter {param.name!r} is written, but its type says that it is only read",
        write.call if write.call.span else write.statement,
        notes=notes,
        hint=f"annotate it as {param.name}: pl.Out[...], or pl.InOut[...] where it is read as well",
    )


class Tensors:
    """The tensors of one function: what each variable may stand for, and which are written and returned."""

    def __init__(self, function: ir.Function, undeclared: Collection[int] | None) -> None:
        """``undeclared`` are the parameters whose types say no direction; None where that is not known."""
        self.function = function
        self._undeclared = undeclared or ()
        self._declares = undeclared is not None or function.type is not ir.FunctionType.Inline
        """Whether the directions of other parameters say something. Those of inline functions have none in the IR."""
        self.effects = Effects(function, frozenset(), ())
        """Known once they are found, like what follows."""
        self.callees: dict[str, None] = {}
        self.faults: list[tuple[Write, ir.Var]] = []
        """The writes into parameters that are only read."""
        self.written: dict[int, Write] = {}
        """The first write into each undeclared parameter that is written."""
        self.sources: dict[Place, list[tuple[ir.Expr, int]]] = {}
        """For each place the values that it may be, each with the item of it."""
        self._bound_again: set[Place] = set()
        self._writers: list[tuple[ir.Call | ir.FunctionCall | ir.Submit, ir.Stmt]] = []
        self.returned: list[Sequence[ir.Expr]] = []
        if any(isinstance(param.type, ir.TensorType) for param in function.params):
            self._collect()

    def _collect(self) -> None:
        for statement in ir.statements(self.function):
            if isinstance(statement, ir.Assign):
                self._link(statement.var, (statement.value,))
                if _only_reads(statement.value):
                    continue
            elif isinstance(statement, ir.Loop):
                values = zip(statement.inits, statement.body.yielded, strict=False)
                for carry, result, each in zip(statement.carries, statement.results, values, strict=False):
                    self._link(carry, each)
                    self._link(result, each)
            elif isinstance(statement, ir.If) and statement.else_body is not None:
                arms = zip(statement.then_body.yielded, statement.else_body.yielded, strict=False)
                for result, each in zip(statement.results, arms, strict=False):
                    self._link(result, each)
            elif isinstance(statement, ir.Return):
                self.returned.append(statement.values)
            for call in ir.calls(statement):
                if not isinstance(call, ir.Call):
                    self.callees[call.function] = None
                elif not may_write(ops.find(call.op)):
                    continue
                self._writers.append((call, statement))

    def _link(self, var: ir.Var, values: Sequence[ir.Expr]) -> None:
        if type(var.type) is ir.TileType:
            return
        for item in _tensors_in(var.type):
            place = (var, item)
            if place in self.sources:
                self._bound_again.add(place)
            self.sources[place] = [(value, item) for value in values]

    def find_effects(self, known: Mapping[str, Effects]) -> Effects:
        """What it writes and returns, where ``known`` are the effects of the functions that it calls."""
        derived = self.derived(known)
        writes: dict[Place, list[Write]] = {}
        for number, (call, statement) in enumerate(self._writers):
            for argument, receiver in _written(call, known):
                for place in places_of(argument, WHOLE, known):
                    writes.setdefault(place, []).append(Write(number, call, statement, receiver))
        returned = [self.places_returned(index, known) for index in range(len(self.function.return_types))]
        written: set[int] = set()
        returns: list[set[int]] = [set() for _ in returned]
        is_inline = self.function.type is ir.FunctionType.Inline
        for position, (param, direction) in enumerate(
            zip(self.function.params, self.function.directions, strict=False)
        ):
            if not isinstance(param.type, ir.TensorType):
                continue
            start = (param, WHOLE)
            places = {} if start in self.sources else reached(start, derived)
            for value, values in zip(returns, returned, strict=True):
                if not values.isdisjoint(places):
                    value.add(position)
            found = [write for place in places for write in writes.get(place, ())]
            is_open = position in self._undeclared
            if found if is_inline or is_open else direction is not ir.ParamDirection.In:
                written.add(position)
            if found and is_open and not is_inline:
                self.written[position] = min(found, key=_number)
            elif self._declares and not is_open and direction is ir.ParamDirection.In:
                self.faults.extend([(write, param) for write in sorted(found, key=_number)])
        return Effects(self.function, frozenset(written), [frozenset(each) for each in returns])

    def derived(self, known: Mapping[str, Returning], shared: Shared | None = None) -> dict[Place, list[Place]]:
        """For each place those that may stand for the same tensor because of it.

        A variable that is bound again, before conversion to SSA form, may be anything: nothing is certain of it.
        """
        derived: dict[Place, list[Place]] = {}
        for place, values in self.sources.items():
            if place in self._bound_again:
                continue
            for value, item in values:
                for source in places_of(value, item, known, shared):
                    derived.setdefault(source, []).append(place)
        return derived

    def places_returned(self, index: int, known: Mapping[str, Returning], shared: Shared | None = None) -> set[Place]:
        """The places whose tensor a value that the function returns may be."""
        found: set[Place] = set()
        for values in self.returned:
            if index < len(values):
                found.update(places_of(values[index], WHOLE, known, shared))
        return found


def _number(write: Write) -> int:
    return write.number


def _tensors_in(type_: ir.Type) -> Iterable[int]:
    """Which values of a variable are tensors."""
    if isinstance(type_, ir.TensorType):
        return (WHOLE,)
    if not isinstance(type_, ir.TupleType):
        return ()
    return [index for index, each in enumerate(type_.types) if isinstance(each, ir.TensorType)]


def places_of(
    value: ir.Expr, item: int, known: Mapping[str, Returning], shared: Shared | None = None
) -> Iterator[Place]:
    """The variables whose tensor a value may be; ``shared`` says which operand of an operator its result may be."""
    find_shared = shared or shared_operand
    pending = [(value, item)]
    while pending:
        value, item = pending.pop()
        if isinstance(value, ir.Var):
            yield value, item
        elif isinstance(value, ir.TupleItem):
            pending.append((value.tuple, value.index))
        elif isinstance(value, ir.MakeTuple):
            if 0 <= item < len(value.elements):
                pending.append((value.elements[item], WHOLE))
        elif isinstance(value, ir.Call):
            position = find_shared(ops.find(value.op))
            if position is not None and position < len(value.args):
                pending.append((value.args[position], WHOLE))
        elif isinstance(value, (ir.FunctionCall, ir.Submit)) and value.function in known:
            returns = known[value.function].returns
            positions = returns[max(item, 0)] if max(item, 0) < len(returns) else ()
            pending.extend([(value.args[position], WHOLE) for position in positions if position < len(value.args)])


def _written(
    call: ir.Call | ir.FunctionCall | ir.Submit, known: Mapping[str, Effects]
) -> Iterator[tuple[ir.Expr, ir.Var | None]]:
    """The arguments that a call writes, each with the parameter of the called function."""
    if not isinstance(call, ir.Call):
        callee = known.get(call.function)
        if callee is not None:
            for position, (argument, param) in enumerate(zip(call.args, callee.function.params, strict=False)):
                if position in callee.writes:
                    yield argument, param
        return
    operator = ops.find(call.op)
    assert operator is not None
    for operand, argument in zip(operator.operands, call.args, strict=False):
        if not isinstance(argument.type, ir.TensorType) or operand.is_scratch:
            continue  # memory to work with holds nothing before and after
        if operand.effect_with(call.keywords).writes:
            yield argument, None


@cache
def may_write(operator: ops.Operator | None) -> bool:
    """Whether an operator writes one of its operands, with some keywords."""
    if operator is None or operator.by_value:
        return False
    return any(operand.may_write and not operand.is_scratch for operand in operator.operands)


def _only_reads(value: ir.Expr) -> bool:
    """Whether a value is, as most are, a single call that writes nothing."""
    return isinstance(value, ir.Call) and not may_write(ops.find(value.op)) and ir.holds_no_calls(value)


def shared_operand(operator: ops.Operator | None) -> int | None:
    """The position of the operand whose elements the result of an operator is made of, without a copy."""
    if operator is None or operator.by_value:
        return None
    return operator.view_of if operator.view_of is not None else operator.tied_operand


def reached(start: Place, derived: Mapping[Place, Sequence[Place]]) -> dict[Place, None]:
    """All places that may stand for the tensor of the first one, in the order in which they are found."""
    found = {start: None}
    pending = [start]
    while pending:
        for place in derived.get(pending.pop(), ()):
            if place not in found:
                found[place] = None
                pending.append(place)
    return found


def _callees_first(functions: Mapping[str, Tensors]) -> list[str]:
    """The names of the functions, each behind those that it calls, but where they call each other in a circle."""
    ordered: dict[str, None] = {}
    for first in functions:
        path = {first: iter(functions[first].callees)} if first not in ordered else {}
        while path:
            name = next(reversed(path))
            callee = next(path[name], None)
            if callee is None:
                ordered[name] = None
                del path[name]
            elif callee in functions and callee not in ordered and callee not in path:
                path[callee] = iter(functions[callee].callees)
    return list(ordered)
