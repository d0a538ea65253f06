"""Names that a kernel binds to a constant: ``m = 16`` makes a variable of the program, which counts as 16 where a value
has to be known while tracing.

What may be known only when the kernel runs stays a variable, so that the program says what was written. A variable is
no constant behind an arm or a loop that has bound it again, nor in a loop that does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from pypto_lite.diagnostics import Diagnostic, Note, UserError
from pypto_lite.ir import (
    Binary,
    Cast,
    Const,
    Expr,
    ScalarType,
    Select,
    Substitution,
    Type,
    Unary,
    Var,
    rewrite,
    walk,
)
from pypto_lite.ir.arithmetic import simplify_binary, simplify_cast, simplify_select, simplify_unary
from pypto_lite.trace.expressions.values import elements_of

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from pypto_lite.trace.statements.frames import Frame
    from pypto_lite.trace.tracer import FunctionTracer


Result = TypeVar("Result")


class Known(NamedTuple):
    """The last binding of a scalar variable that was bound to a constant first."""

    first: Const
    value: Const | None
    """What the binding gives it, if that is known."""
    target: ast.Name
    around: Sequence[Frame]
    """The loops and arms around it."""
    is_carry: bool = False


def note_constant(tracer: FunctionTracer, var: Var, value: Expr, target: ast.Name) -> None:
    """Remembers the value of a scalar variable that is assigned, if that is known."""
    if not isinstance(var.type, ScalarType):
        return
    before = tracer.constants.get(var)
    constant = _folded(tracer, value)
    if before is not None:
        tracer.constants[var] = Known(before.first, constant, target, _around(tracer))
    elif constant is not None:
        tracer.constants[var] = Known(constant, constant, target, _around(tracer))


def note_carry(tracer: FunctionTracer, carry: Var, value: Expr, target: ast.Name) -> None:
    """Remembers that the carry of a loop begins with a value that is known, if so."""
    constant = _folded(tracer, value) if isinstance(carry.type, ScalarType) else None
    if constant is not None:
        tracer.constants[carry] = Known(constant, None, target, (), is_carry=True)


def known(tracer: FunctionTracer, value: object, *, certain: bool = True) -> object:
    """The Python number that a scalar is, in a list too; any other value as it is.

    Where not ``certain``, a variable that changes counts as the constant that it was bound to first.
    """
    if isinstance(value, Expr):
        constant = _folded(tracer, value, certain=certain) if isinstance(value.type, ScalarType) else None
        return value if constant is None else constant.value
    elements = elements_of(value)
    if elements is None or not any(isinstance(each, Expr) for each in elements):
        return value
    found = [known(tracer, each, certain=certain) for each in elements]
    if all(after is before for after, before in zip(found, elements, strict=True)):
        return value
    return found if isinstance(value, list) else tuple(found)


def known_type(tracer: FunctionTracer, type_: Type) -> Type:
    """The type with what is known in the place of variables."""
    constants = {
        part: constant
        for expression in type_.expressions()
        for part in walk(expression)
        if isinstance(part, Var) and (constant := _value_of(tracer, part)) is not None
    }
    return Substitution(constants).type(type_) if constants else type_


def with_constants(
    tracer: FunctionTracer,
    values: Mapping[str, object],
    make: Callable[[Mapping[str, object]], Result],
    error: UserError,
) -> Result:
    """What ``make`` gives for arguments with numbers in the place of variables that are known.

    Raises ``error``, which it raised for the variables, where that changes nothing; with a note that says so, where
    it would have been right if a variable were not bound again.
    """
    constants = {name: known(tracer, value) for name, value in values.items()}
    if any(constants[name] is not value for name, value in values.items()):
        return make(constants)
    first = {name: known(tracer, value, certain=False) for name, value in values.items()}
    if any(first[name] is not value for name, value in values.items()):
        try:
            make(first)
        except UserError:
            raise error from None
        raise UserError(*[_with_notes(each, why_unknown(tracer, *values.values())) for each in error.diagnostics])
    raise error


def why_unknown(tracer: FunctionTracer, *values: object) -> list[Note]:
    """For variables in the values that are bound to a constant first, where they get another value."""
    notes: dict[Var, Note] = {}
    for value in values:
        for var in _variables(value):
            if var in tracer.constants and var not in notes and _value_of(tracer, var) is None:
                notes[var] = _why_unknown(tracer, var)
    return list(notes.values())


def _with_notes(diagnostic: Diagnostic, notes: list[Note]) -> Diagnostic:
    return Diagnostic(
        diagnostic.code, diagnostic.message, diagnostic.span, severity=diagnostic.severity, found=diagnostic.found,
        expected=diagnostic.expected, notes=(*diagnostic.notes, *notes), operand=diagnostic.operand,
        hint="bind the constant to a name of its own, once",
    )  # fmt: skip


def _variables(value: object) -> Iterator[Var]:
    if isinstance(value, Expr):
        yield from [part for part in walk(value) if isinstance(part, Var)]
        return
    for each in elements_of(value) or ():
        yield from _variables(each)


def _folded(tracer: FunctionTracer, value: Expr, *, certain: bool = True) -> Const | None:
    """The constant that a scalar expression is, if that is known while tracing."""
    if isinstance(value, Const):
        return value
    for part in walk(value):
        if isinstance(part, Var):
            if part not in tracer.constants or (certain and _value_of(tracer, part) is None):
                return None
        elif not isinstance(part, (Const, Binary, Unary, Cast, Select)):
            return None

    def constant(var: Var) -> Expr:
        return _value_of(tracer, var) or tracer.constants[var].first

    rules: dict[type[Expr], Any] = {
        Var: constant, Binary: simplify_binary, Unary: simplify_unary, Cast: simplify_cast, Select: simplify_select,
    }  # fmt: skip
    folded = rewrite(value, cast("Any", rules))
    return folded if isinstance(folded, Const) else None


def _value_of(tracer: FunctionTracer, var: Var) -> Const | None:
    """The constant that a variable has at the point that is being traced, if that is known."""
    binding = tracer.constants.get(var)
    if binding is None or _bound_in_a_closed_block(tracer, binding) or _bound_later_in_a_loop(tracer, var, binding):
        return None
    return binding.value


def _around(tracer: FunctionTracer) -> list[Frame]:
    """The loops and arms that are being traced."""
    return [frame for frame in tracer.frames if frame.kind in ("loop", "arm")]


def _bound_in_a_closed_block(tracer: FunctionTracer, binding: Known) -> bool:
    """Whether a variable was bound by an arm or a loop that has ended, and that may not have run."""
    return bool(binding.around) and binding.around[-1] not in tracer.frames


def _bound_later_in_a_loop(tracer: FunctionTracer, var: Var, binding: Known) -> bool:
    """Whether a loop that is being traced binds a variable, maybe behind this use of it."""
    if all(frame.kind != "loop" for frame in _around(tracer)[len(binding.around) :]):
        return False
    return tracer.names.places_of_binding(var.name, tracer.definition).deeper_behind(binding.target)


def _why_unknown(tracer: FunctionTracer, var: Var) -> Note:
    binding = tracer.constants[var]
    if binding.is_carry:
        return Note(f"{var.name!r} is carried by a loop, so it is no constant", tracer.span(binding.target))
    target = binding.target
    if _bound_later_in_a_loop(tracer, var, binding):
        places = tracer.names.places_of_binding(var.name, tracer.definition)
        target = places.first_deeper_behind(target) or target
    return Note(f"{var.name!r} is bound again here, so it is no constant", tracer.span(target))
