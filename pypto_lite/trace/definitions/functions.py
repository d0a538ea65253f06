"""The functions of a program: what a call of one means, and in which order they are traced.

A function can be called before it is defined, and from outside the program's class: then it belongs to the program as
well. Where a function does not say what it returns, its body is traced before that of whoever calls it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias, cast

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Note, Span, UserError, did_you_mean
from pypto_lite.ir import (
    UNKNOWN,
    Expr,
    FunctionCall,
    ScalarType,
    Submit,
    TupleType,
    Var,
)
from pypto_lite.ir.dtypes import TASK_ID
from pypto_lite.trace.definitions.bodies import returns_nothing, trace_body
from pypto_lite.trace.definitions.copy_out import COPIED_OUT, CopiedOut, bind_copied_out, may_write_parts
from pypto_lite.trace.definitions.signatures import Signature, bind_parameters, decorator_of, read_signature
from pypto_lite.trace.expressions.attributes import attributes, is_plain
from pypto_lite.trace.expressions.function_calls import bound_arguments, dependencies_of, given, renamed
from pypto_lite.trace.expressions.operator_calls import Arguments, arguments_of
from pypto_lite.trace.expressions.values import FunctionReference, describe
from pypto_lite.trace.names.environment import Unavailable, unavailable
from pypto_lite.trace.source.module import Kernel
from pypto_lite.trace.tracer import FunctionTracer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pypto_lite.trace.names.environment import Environment

Callee: TypeAlias = "FunctionReference | ir.Function | ir.Program | Kernel"

TASK: Final = ScalarType(TASK_ID)


class _NeededFirst(Exception):  # noqa: N818  # a request, and no error
    """The body of a function has to be traced before that of its caller, which is traced again afterwards."""

    def __init__(self, unit: Unit, span: Span) -> None:
        super().__init__()
        self.unit = unit
        self.span = span


class _Failed(Exception):  # noqa: N818  # what is wrong is reported where it is wrong
    """A function that is called is wrong itself, so nothing can be said about its caller."""


class Unit:
    """One function of the program: its definition, or what is known of it from elsewhere, and what it became."""

    __slots__ = ("calls", "definition", "environment", "failed", "function", "in_class", "signature", "source")

    def __init__(self, source: object) -> None:
        self.source = source
        """What it was made from: two functions are the same where this is."""
        self.definition: ast.FunctionDef | None = None
        self.environment: Environment | None = None
        self.in_class = False
        self.signature: Signature | None = None
        self.function: ir.Function | None = None
        self.failed = False
        self.calls: dict[str, Span] = {}
        """The functions that it calls, and where first."""

    @property
    def name(self) -> str:
        """Its name in the program."""
        assert self.signature is not None
        return self.signature.name


class ProgramTracer:
    """Traces the functions of one program. ``constants`` are the names that its class binds to plain values."""

    def __init__(self, name: str, constants: Mapping[str, object]) -> None:
        self.name = name
        self._constants = constants
        self.units: dict[str, Unit] = {}
        """The functions by name: those of the class first, then those outside it, in the order of their first call."""
        self._by_source: dict[object, Unit] = {}
        self.jumps = False
        """Whether there is a break or a continue."""
        self.rebinds = False
        """Whether a variable is assigned more than once."""
        self.is_deep = False
        """Whether a branch has so many arms that they may have to be printed as nested blocks."""
        self.diagnostics: dict[Diagnostic, None] = {}
        """What there is to say about the functions that were traced elsewhere."""
        self._current: Unit | None = None
        self._diagnostics: list[Diagnostic] = []
        self._printed: list[str] = []

    # Collecting the functions

    def add(self, definition: ast.FunctionDef, environment: Environment, *, in_class: bool) -> Unit:
        """Adds a function of the program itself. Raises PL115 for a second one of the same name."""
        before = self.units.get(definition.name)
        span = environment.file.name_span(definition)
        if before is not None:
            first = before.signature.span if before.signature is not None else None
            if before.definition is not None and before.environment is not None:
                first = before.environment.file.name_span(before.definition)
            raise UserError(
                Diagnostic(
                    "PL115", f"there are two functions {definition.name!r}", span,
                    notes=[Note("the first one is here", first)] if first else [], hint="give one of them another name",
                )
            )  # fmt: skip
        return self._add_definition(definition.name, definition, environment, in_class=in_class)

    def _add_definition(
        self, name: str, definition: ast.FunctionDef, environment: Environment, *, in_class: bool
    ) -> Unit:
        unit = Unit(definition)
        unit.definition = definition
        unit.environment = environment
        unit.in_class = in_class
        self.units[name] = self._by_source[definition] = unit
        return unit

    def trace(self) -> dict[str, ir.Function]:
        """Traces all functions, and those outside that they call. Raises what is wrong in any of them, together."""
        for unit in self.units.values():
            self._read_signature(unit)
        traced = 0
        while traced < len(self.units):  # calls may add further ones
            self._trace_with_needed(list(self.units.values())[traced])
            traced += 1
        if not self._diagnostics:
            self._refuse_recursion()
        if self._diagnostics:
            raise UserError(*self._diagnostics)
        return {name: cast("ir.Function", unit.function) for name, unit in self.units.items()}

    def undeclared(self) -> dict[str, Collection[int]]:
        """The tensor parameters of each function, by position, whose annotations say no direction."""
        signatures = {name: unit.signature for name, unit in self.units.items() if unit.definition is not None}
        return {name: each.undeclared for name, each in signatures.items() if each is not None}

    def copied_out(self) -> dict[str, CopiedOut]:
        """What inline functions hand back, by function."""
        signatures = {name: unit.signature for name, unit in self.units.items()}
        return {name: each.copied_out for name, each in signatures.items() if each is not None and each.copied_out}

    def annotation(self, function: str, position: int) -> str:
        """The text of the annotation of such a parameter."""
        signature = self.units[function].signature
        assert signature is not None
        node = signature.undeclared[position]
        return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ast.unparse(node)

    def _read_signature(self, unit: Unit) -> None:
        if unit.definition is None or unit.environment is None:
            return
        try:
            decorator = decorator_of(unit.definition, unit.environment)
            if decorator is None:
                raise UserError(_undecorated(unit.definition, unit.environment))
            environment = unit.environment.inner(self._constants) if unit.in_class else unit.environment
            tracer = FunctionTracer(environment, self, unit.definition)
            unit.signature = read_signature(tracer, decorator)
        except UserError as error:
            unit.failed = True
            self._diagnostics.extend(error.diagnostics)
            return
        if unit.signature.results is None and returns_nothing(unit.definition):
            unit.signature.results = ()

    def _trace_with_needed(self, unit: Unit) -> None:
        """Traces a function, after those that it calls and that don't say what they return."""
        waiting = [unit]
        while waiting:
            current = waiting[-1]
            if current.failed or current.function is not None:
                waiting.pop()
                continue
            try:
                self._trace_one(current)
            except _NeededFirst as needed:
                if needed.unit in waiting:
                    self._diagnostics.append(_recursion(needed.unit, needed.span))
                    for each in waiting:
                        each.failed = True
                waiting.append(needed.unit)
            except _Failed:
                current.failed = True
            except UserError as error:
                current.failed = True
                self._diagnostics.extend(error.diagnostics)

    def _trace_one(self, unit: Unit) -> None:
        assert unit.definition is not None
        assert unit.environment is not None
        assert unit.signature is not None
        self._current = unit
        try:
            tracer, function = self._trace_body(unit, ())
            returned = _returned_parameters(tracer)
            hands_back = [param for param in tracer.references.written if param not in returned]
            if hands_back:
                self._printed.clear()
                tracer, function = self._trace_body(unit, hands_back)
        except _NeededFirst:
            self._printed.clear()  # the function will be traced again
            raise
        finally:
            for text in self._printed:
                print(text)
            self._printed.clear()
        unit.function = function
        unit.signature.results = function.return_types
        if tracer.references.written:
            own = len(function.return_types) - len(hands_back)
            returned.update({param: own + index for index, param in enumerate(hands_back)})
            results = {unit.signature.params.index(param): returned[param] for param in tracer.references.written}
            unit.signature.copied_out = CopiedOut(results, own)
        self.jumps = self.jumps or tracer.jumps
        self.rebinds = self.rebinds or tracer.rebinds
        self.is_deep = self.is_deep or tracer.is_deep

    def _trace_body(self, unit: Unit, hands_back: Sequence[Var]) -> tuple[FunctionTracer, ir.Function]:
        assert unit.definition is not None
        assert unit.environment is not None
        assert unit.signature is not None
        unit.calls.clear()
        tracer = FunctionTracer(unit.environment, self, unit.definition)
        tracer.references.hands_back = hands_back
        bind_parameters(tracer, unit.signature)
        return tracer, trace_body(tracer, unit.signature)

    def _refuse_recursion(self) -> None:
        """PL113 for functions that call themselves, directly or by way of others: an error at one of the calls."""
        done: set[str] = set()
        for start in self.units:
            path: list[tuple[str, Iterator[str]]] = []
            on_path: set[str] = set()
            entering: str | None = start
            while entering is not None or path:
                if entering is not None and entering not in done:
                    on_path.add(entering)
                    path.append((entering, iter(self.units[entering].calls)))
                entering = None
                if not path:
                    break
                name, callees = path[-1]
                callee = next(callees, None)
                if callee is None:
                    path.pop()
                    on_path.discard(name)
                    done.add(name)
                elif callee in on_path:
                    self._diagnostics.append(_recursion(self.units[callee], self.units[name].calls[callee]))
                    return
                else:
                    entering = callee

    # What functions ask

    def member(self, tracer: FunctionTracer, node: ast.Attribute) -> object:
        """What ``self.name`` means: a function, or a constant of the class."""
        if node.attr in self._constants:
            found = self._constants[node.attr]
            if isinstance(found, Unavailable):
                raise unavailable(node.attr, tracer.span(node), found)
            return found
        if node.attr not in self.units:
            tracer.fail(
                "PL107", f"the program has no function {node.attr!r}", node,
                hint=did_you_mean(node.attr, [*self.units, *self._constants]),
            )  # fmt: skip
        return FunctionReference(node.attr)

    def print(self, text: str) -> None:
        """Keeps what a function prints until it is traced to its end: it may have to be traced again."""
        self._printed.append(text)

    def call(self, tracer: FunctionTracer, function: object, node: ast.Call) -> object:
        """A call of a function, or its results where it binds names as well.

        Raises PL113 where the arguments are not those of its parameters.
        """
        signature = self._callee(tracer, cast("Callee", function), node.func)
        arguments = arguments_of(tracer, node)
        named = dict(arguments.named)
        attrs: Mapping[str, Any] = {}
        if "attrs" in named and all(param.name != "attrs" for param in signature.params):
            attrs = attributes(tracer, *named.pop("attrs"))
        bound = bound_arguments(tracer, signature, arguments._replace(named=named), node)
        args, results = given(tracer, signature, bound)
        type_ = UNKNOWN if not results else results[0] if len(results) == 1 else TupleType(results)
        made = FunctionCall(signature.name, args, type_, attrs, tracer.span(node))
        self._note_call(tracer, made)
        if signature.copied_out is None:
            return made
        return bind_copied_out(tracer, signature.copied_out, made, bound, node)

    def submit(self, tracer: FunctionTracer, node: ast.Call) -> Expr:
        """An asynchronous call; its last value is the task."""
        arguments = arguments_of(tracer, node)
        if not arguments.positional:
            tracer.fail("PL202", "pl.submit needs a function", node, expected="pl.submit(self.function, ...)")
        (function, place), *positional = arguments.positional
        if not isinstance(function, (FunctionReference, ir.Function, ir.Program, Kernel)):
            tracer.fail(
                "PL113", "pl.submit takes a function", place, found=describe(function), expected="such as self.kernel"
            )
        signature = self._callee(tracer, function, place)
        params = {param.name for param in signature.params}
        named = {name: each for name, each in arguments.named.items() if name in params}
        others = {name: each for name, each in arguments.named.items() if name not in params}
        attrs: Mapping[str, Any] = attributes(tracer, *others.pop("attrs")) if "attrs" in others else {}
        dependencies = dependencies_of(tracer, others.pop("deps")) if "deps" in others else ()
        keywords: dict[str, Any] = {}
        for name, each in others.items():
            if not is_plain(each.value):
                hint = did_you_mean(name, [*params, "deps"])
                tracer.fail(
                    "PL205",
                    f"pl.submit has no keyword {name!r}",
                    arguments.place(name),
                    found=describe(each.value),
                    hint=hint,
                )
            keywords[name] = each.value
        bound = bound_arguments(tracer, signature, Arguments(positional, named, arguments.keywords), node)
        args, results = given(tracer, signature, bound)
        type_ = TupleType([*results, TASK]) if results else TASK
        made = Submit(signature.name, args, dependencies, type_, keywords, attrs, tracer.span(node))
        self._note_call(tracer, made)
        return made

    def _note_call(self, tracer: FunctionTracer, made: FunctionCall | Submit) -> None:
        tracer.call_count += 1
        assert self._current is not None
        self._current.calls.setdefault(made.function, made.span)
        operands = made.operands()
        if operands:
            tracer.grown(made, *operands)

    # Who is called

    def _callee(self, tracer: FunctionTracer, function: Callee, node: ast.expr) -> Signature:
        """The signature of a function that is called, with its results."""
        unit = (
            self.units[function.name]
            if isinstance(function, FunctionReference)
            else self._outside(tracer, function, node)
        )
        if unit.signature is None:
            raise _Failed
        if unit.signature.results is None or _may_hand_back(unit):
            raise _Failed if unit.failed else _NeededFirst(unit, tracer.span(node))
        return unit.signature

    def _outside(self, tracer: FunctionTracer, function: ir.Function | ir.Program | Kernel, node: ast.expr) -> Unit:
        """A function outside the program's class, which belongs to the program from now on."""
        if isinstance(function, Kernel):
            if not isinstance(function.definition, ast.FunctionDef):
                _refuse_program(tracer, function.definition.name, node)
            return self._outside_definition(function.definition, function.environment)
        records: Mapping[str, Any] = getattr(function, "records", {})
        self.diagnostics.update(dict.fromkeys(records.get(ir.DIAGNOSTICS.name, ())))
        copied_out = records.get(COPIED_OUT.name, COPIED_OUT.initial)
        if isinstance(function, ir.Function):
            self._add_outside({function.name: function}, copied_out)
            return self._by_source[function]
        entry = function.functions.get(function.name)
        if entry is None:
            _refuse_program(tracer, function.name, node)
        self._add_outside(function.functions, copied_out)
        return self._by_source[entry]

    def _outside_definition(self, definition: ast.FunctionDef, environment: Environment) -> Unit:
        known = self._by_source.get(definition)
        if known is not None:
            return known
        name = self._free_name(definition.name)
        unit = self._add_definition(name, definition, environment, in_class=False)
        self._read_signature(unit)
        if unit.signature is not None:
            unit.signature.name = name
        return unit

    def _add_outside(self, functions: Mapping[str, ir.Function], copied_out: Mapping[str, CopiedOut]) -> None:
        """Adds functions that are traced already and call each other. Those whose names are taken get others."""
        new = {name: each for name, each in functions.items() if each not in self._by_source}
        names = {name: self._by_source[each].name for name, each in functions.items() if name not in new}
        same = {name for name, each in new.items() if self._has_equal(each, copied_out.get(name))}
        if any(name in self.units and name not in same for name in new):
            same = set[str]()  # they may be equal and call others that are not
        for name, each in new.items():
            if name in same:
                self._by_source[each] = self.units[name]
            else:
                names[name] = self._free_name(name)
                self.units[names[name]] = self._by_source[each] = Unit(each)
        for name, each in new.items():
            if name not in same:
                _finish_outside(self._by_source[each], renamed(each, names), copied_out.get(name))

    def _has_equal(self, function: ir.Function, copied_out: CopiedOut | None) -> bool:
        known = self.units.get(function.name)
        if known is None or known.function is None or known.signature is None:
            return False
        return known.signature.copied_out == copied_out and ir.structural_equal(known.function, function)

    def _free_name(self, name: str) -> str:
        """The name, or where it is taken, the first one with a number behind it that is not."""
        found, number = name, 0
        while found in self.units or found in self._constants:
            number += 1
            found = f"{name}__{number}"
        return found


def _finish_outside(unit: Unit, function: ir.Function, copied_out: CopiedOut | None) -> None:
    """Gives a unit what is known of a function that was traced elsewhere."""
    unit.function = function
    unit.signature = Signature(
        function.name, function.type, function.params, function.directions, function.return_types, function.attrs,
        function.span,
    )  # fmt: skip
    unit.signature.copied_out = copied_out


def _may_hand_back(unit: Unit) -> bool:
    """Whether only the body of an inline function, which is not traced yet, tells what it hands back."""
    if unit.function is not None or unit.definition is None or unit.signature is None:
        return False
    return unit.signature.type is ir.FunctionType.Inline and may_write_parts(unit.definition)


def _returned_parameters(tracer: FunctionTracer) -> dict[Var, int]:
    """The parameters of an inline function that are the same of its values, whichever of its returns ends it."""
    found: dict[Var, int] = {}
    for param in tracer.references.params:
        common = [places[param] for places in tracer.references.returned]
        always = [index for index in sorted(common[0]) if all(index in each for each in common)] if common else ()
        if always:
            found[param] = always[0]
    return found


def _undecorated(definition: ast.FunctionDef, environment: Environment) -> Diagnostic:
    return Diagnostic(
        "PL115",
        f"{definition.name!r} has none of our decorators in its source",
        environment.file.name_span(definition),
        expected="@pl.function or @pl.inline, or a name for one with its options, directly above def",
        hint="a decorator of another kind can't pass a function on to pl.function",
    )


def _refuse_program(tracer: FunctionTracer, name: str, node: ast.expr) -> NoReturn:
    tracer.fail("PL113", f"{name} is a program, and no function", node, hint="call a function under @pl.function")


def _recursion(unit: Unit, span: Span) -> Diagnostic:
    name = unit.signature.name if unit.signature is not None else ""
    return Diagnostic(
        "PL113", f"{name!r} calls itself, directly or by way of others", span, expected="functions without recursion",
        hint="write a loop",
    )  # fmt: skip
