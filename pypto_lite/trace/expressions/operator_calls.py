"""Calls of operators: ``pl.load(...)``. Which operator is meant, and its arguments as operands and keywords."""

from __future__ import annotations

import ast
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from pypto_lite import ops
from pypto_lite.diagnostics import Diagnostic, Span, UserError, did_you_mean
from pypto_lite.ir import UNKNOWN, Call, Const, DType, Expr, MakeTuple, ScalarType, TupleType, make_tuple, walk
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dtypes import BOOL, DTYPES, TASK_ID
from pypto_lite.ops import OperandKind, Operator
from pypto_lite.trace.expressions.attributes import attributes
from pypto_lite.trace.expressions.function_calls import list_of_tasks
from pypto_lite.trace.expressions.scalars import (
    INDEX_TYPE,
    SMALL,
    beside,
    binary,
    cast_to,
    constant,
    number,
    refuse_quotient,
    scalar,
    to_expression,
)
from pypto_lite.trace.expressions.values import FunctionReference, describe, elements_of
from pypto_lite.trace.names.constants import known, why_unknown, with_constants
from pypto_lite.trace.tracer import CALLS, FunctionTracer, NamingNeeded

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence


class Argument(NamedTuple):
    """An argument of a call: its value, and where it stands."""

    value: object
    node: ast.expr


_argument: Final = partial(cast("Callable[..., Argument]", getattr(tuple, "__new__")), Argument)  # noqa: B009
"""Makes an Argument of a pair, in a third of the time that its constructor takes."""


class Arguments(NamedTuple):
    """The arguments of a call as they are written."""

    positional: Sequence[Argument]
    named: Mapping[str, Argument]
    keywords: Mapping[str, ast.keyword]
    """Where the named ones stand with their names."""

    def place(self, name: str) -> ast.keyword | ast.expr:
        """Where an argument stands that should not be there."""
        return self.keywords[name] if name in self.keywords else self.named[name].node


def arguments_of(tracer: FunctionTracer, node: ast.Call) -> Arguments:
    """Evaluates the arguments of a call, in order. Raises PL104 for unpacking, PL205 for a name given twice."""
    positional: list[Argument] = []
    operand = tracer.operand
    for argument in node.args:
        if argument.__class__ is ast.Starred:
            tracer.fail("PL104", "a kernel can't unpack with *", argument, hint="write the arguments out")
        positional.append(_argument((operand(argument), argument)))
    named: dict[str, Argument] = {}
    places: dict[str, ast.keyword] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            tracer.fail("PL104", "a kernel can't unpack with **", keyword.value, hint="write the arguments out")
        if keyword.arg in named:
            tracer.fail("PL205", f"{keyword.arg!r} is given twice", keyword)
        named[keyword.arg] = _argument((operand(keyword.value), keyword.value))
        places[keyword.arg] = keyword
    return Arguments(positional, named, places)


def call_spelled(tracer: FunctionTracer, spelling: str, arguments: Arguments, node: ast.expr) -> Expr:
    """What ``pl.<spelling>(...)`` means for these arguments: a call of an operator, or a scalar expression."""
    scalar_form = _SCALAR_FORMS.get(spelling)
    if scalar_form is not None and _are_scalars(arguments):
        return scalar_form(tracer, arguments, node)
    positional, named, _ = arguments
    attrs: Mapping[str, Any] = {}
    if "attrs" in named:
        named = dict(named)
        attrs = attributes(tracer, *named.pop("attrs"))
    operator = _operator(tracer, spelling, positional, named, node)
    try:
        bound = _bind(tracer, operator, positional, named)
        if operator.retargetable:
            bound = _targeted(tracer, bound, node)
        try:
            return _bound_call(tracer, operator, bound, attrs, node)
        except UserError as error:
            return _call_with_constants(tracer, operator, bound, attrs, node, error)
    except UserError as error:
        raise _located(tracer, error, operator, arguments, node) from None


def _targeted(tracer: FunctionTracer, bound: Mapping[str, Argument], node: ast.expr) -> Mapping[str, Argument]:
    """The arguments of a load or a create, with the space that an annotation names as ``target_memory``."""
    if tracer.annotated_space is None:
        return bound
    annotated, space = tracer.annotated_space
    written = bound.get("target_memory")
    if annotated is not node or space is None or (written is not None and written.value is not None):
        return bound
    return {**bound, "target_memory": Argument(space, node)}


def _bind(
    tracer: FunctionTracer, operator: Operator, positional: Sequence[Argument], named: Mapping[str, Argument]
) -> Mapping[str, Argument]:
    """The arguments by parameter, which depends on their number and their names alone."""
    key = (operator, len(positional), tuple(named))
    names = tracer.bindings.get(key)
    if names is None:
        bound = ops.bind(operator, positional, named)
        tracer.bindings[key] = tuple(bound)
        return bound
    return dict(zip(names, (*positional, *named.values()), strict=True))


def _bound_call(
    tracer: FunctionTracer,
    operator: Operator,
    bound: Mapping[str, Argument],
    attrs: Mapping[str, Any],
    node: ast.expr,
) -> Call:
    args = _operands(tracer, operator, bound)
    keywords = _keywords(tracer, operator, bound) if operator.keywords else {}
    return make_call(tracer, operator, args, keywords, attrs, tracer.span(node))


def _call_with_constants(
    tracer: FunctionTracer,
    operator: Operator,
    bound: Mapping[str, Argument],
    attrs: Mapping[str, Any],
    node: ast.expr,
    error: UserError,
) -> Call:
    """The call that raised ``error``, for the constants that its variables are known to be."""

    def make(values: Mapping[str, object]) -> Call:
        constants = {name: Argument(values[name], argument.node) for name, argument in bound.items()}
        return _bound_call(tracer, operator, constants, attrs, node)

    return with_constants(tracer, {name: argument.value for name, argument in bound.items()}, make, error)


def _operator(
    tracer: FunctionTracer,
    spelling: str,
    positional: Sequence[Argument],
    named: Mapping[str, Argument],
    node: ast.expr,
) -> Operator:
    """The operator that a spelling means for these arguments. Calls with arguments of the same kinds mean the same."""
    kinds = [_kind(argument.value) for argument in positional]
    key = (spelling, *kinds, *[(name, _kind(argument.value)) for name, argument in named.items()])
    found = tracer.operators.get(key)
    if found is None:
        values = [argument.value for argument in positional]
        named_values = {name: argument.value for name, argument in named.items()}
        found = tracer.operators[key] = ops.resolve(spelling, values, named_values, tracer.span(node))
    return found


def _kind(value: object) -> Hashable:
    """What of an argument counts for which operator is meant."""
    if not isinstance(value, Expr):
        return value.__class__
    if isinstance(value, Const):
        return Const, value.value.__class__
    return value.__class__, value.type.__class__


def make_call(
    tracer: FunctionTracer,
    operator: Operator,
    args: Sequence[Expr],
    keywords: Mapping[str, Any],
    attrs: Mapping[str, Any],
    span: Span,
) -> Call:
    """A call of an operator; its UserErrors have no place."""
    tracer.call_count += 1
    heights = tracer.heights
    is_high = any(argument.__class__ in CALLS or argument in heights for argument in args)
    if is_high:
        args = [tracer.fit(argument) for argument in args]
    call = tracer.calls.make(operator, args, keywords, attrs)
    call.span = span
    if call.type.symbolic and not tracer.naming and any(map(_holds_call, call.type.expressions())):
        raise NamingNeeded(deep=False)  # a type may be written elsewhere, where the call would be made once more
    if is_high or call.attrs:
        tracer.grown(call, *call.operands())
    return call


def _holds_call(expression: Expr) -> bool:
    return any(isinstance(part, CALLS) for part in walk(expression))


def call_operator(
    tracer: FunctionTracer, spelling: str, values: Sequence[object], node: ast.expr, nodes: Sequence[ast.expr] = ()
) -> Expr:
    """A call of the operator that ``pl.<spelling>`` means for these values, which ``node`` stands for.

    ``nodes`` say where the values stand, if not at ``node``.
    """
    places = [*nodes, *[node] * (len(values) - len(nodes))]
    arguments = Arguments([Argument(value, place) for value, place in zip(values, places, strict=True)], {}, {})
    return call_spelled(tracer, spelling, arguments, node)


def _operands(tracer: FunctionTracer, operator: Operator, bound: Mapping[str, Argument]) -> list[Expr]:
    """The operands in the order of the IR. Literals come last: their element type is that of an operand beside them."""
    found: list[Expr | None] = []
    literals: list[tuple[int, Argument, int | float | bool]] = []
    gaps = False
    for operand in operator.operands:
        argument = bound.get(operand.name)
        if argument is None or (argument.value is None and operand.optional):
            if operand.same_as is not None:
                found.append(_made_already(operator, operand.same_as, found))
                continue
            gaps = True
            found.append(None)
            continue
        value = argument.value
        if operand.kind is _TUPLE:
            if operand.takes_one and elements_of(value) is None and not isinstance(value, MakeTuple):
                argument = Argument([value], argument.node)
            listed = list_of_indices if operand.value is None else list_of_tasks
            found.append(listed(tracer, argument, operand.name))
        elif isinstance(value, Expr) and value.type is not UNKNOWN:
            found.append(value)
        elif operand.kind in _LITERAL and (literal := number(value)) is not None:
            literals.append((operand.index, argument, literal))
            found.append(None)
        else:
            found.append(to_expression(tracer, value, argument.node))
    if literals:
        keywords = {name: bound[name].value for name in operator.keywords if name in bound}
        for position, argument, literal in literals:
            dtype = ops.literal_dtype(operator, position, literal, found, keywords)
            found[position] = constant(tracer, literal, dtype, argument.node)
    return _without_gaps(operator, found) if gaps else cast("list[Expr]", found)


def _made_already(operator: Operator, name: str, found: Sequence[Expr | None]) -> Expr | None:
    """The operand of this name, which stands further left and is given once more."""
    return next(made for operand, made in zip(operator.operands, found, strict=False) if operand.name == name)


_TUPLE: Final = OperandKind.TUPLE
_LITERAL: Final = (OperandKind.SCALAR, OperandKind.CONST)


def list_of_indices(tracer: FunctionTracer, argument: Argument, name: str) -> Expr:
    """A list of extents or offsets as an operand. Raises PL201 for no list, PL204 for an element that is no int."""
    value, node = argument
    if isinstance(value, MakeTuple):
        return value
    given = elements_of(value)
    if given is None:
        tracer.fail("PL201", f"{name} has to be a list", node, found=describe(value), expected="a list of integers")
    span = tracer.span(node)
    nodes = node.elts if isinstance(node, (ast.List, ast.Tuple)) else ()
    elements: list[Expr] = []
    height = 0
    all_index = True
    for position, element in enumerate(given):
        if element.__class__ is int and -SMALL <= cast("int", element) <= SMALL:
            elements.append(Const(cast("int", element), INDEX_TYPE, span))
            continue
        place = nodes[position] if position < len(nodes) else node
        made = _element(tracer, element, place, name)
        height = max(height, tracer.height(made))
        all_index = all_index and made.type is INDEX_TYPE
        elements.append(made)
    if not all_index:
        made = make_tuple(elements, span)
    else:
        made = MakeTuple(tuple(elements), _tuple_of_indices(len(elements)), span)
    if height:
        tracer.heights[made] = height
    return made


@cache
def _tuple_of_indices(count: int) -> TupleType:
    return TupleType([INDEX_TYPE] * count)


def _element(tracer: FunctionTracer, element: object, node: ast.expr, name: str) -> Expr:
    """An element of a list of extents or offsets."""
    made = scalar(tracer, element, node)
    dtype = scalar_dtype(made)
    if dtype.is_float or dtype is BOOL:
        hint = "use // to divide integers" if dtype.is_float else None
        tracer.fail(
            "PL204", f"an element of {name} is no integer", node, found=describe(element), expected="an integer",
            hint=hint,
        )  # fmt: skip
    refuse_quotient(tracer, made, node, f"an element of {name}")
    return tracer.fit(made)


def _without_gaps(operator: Operator, found: Sequence[Expr | None]) -> list[Expr]:
    """The operands that are given. An empty list takes the place of a list left out in front of another one."""
    last = max([index for index, each in enumerate(found) if each is not None], default=-1)
    operands: list[Expr] = []
    for index in range(last + 1):
        each = found[index]
        if each is not None:
            operands.append(each)
        elif operator.operands[index].kind is OperandKind.TUPLE:
            operands.append(make_tuple(()))
    return operands


def _keywords(tracer: FunctionTracer, operator: Operator, bound: Mapping[str, Argument]) -> dict[str, Any]:
    keywords: dict[str, Any] = {}
    for name in operator.keywords:
        argument = bound.get(name)
        if argument is None:
            continue
        value = known(tracer, argument.value)
        if isinstance(value, FunctionReference):
            value = value.name
        if isinstance(value, Expr):
            tracer.fail(
                "PL116", f"{name!r} has to be known while tracing", argument.node, found=describe(value),
                notes=why_unknown(tracer, value),
            )  # fmt: skip
        keywords[name] = value
    return keywords


def _located(
    tracer: FunctionTracer, error: UserError, operator: Operator, arguments: Arguments, node: ast.expr
) -> UserError:
    """The error with its place: the argument that it names, else the whole call."""
    diagnostics: list[Diagnostic] = []
    for diagnostic in error.diagnostics:
        if not diagnostic.span:
            place = _argument_node(operator, diagnostic.operand, arguments)
            diagnostic = diagnostic.at(tracer.span(place if place is not None else node))
        diagnostics.append(diagnostic)
    return UserError(*diagnostics)


def _argument_node(operator: Operator, name: str | None, arguments: Arguments) -> ast.expr | ast.keyword | None:
    if name is None:
        return None
    if name in arguments.keywords and operator.find_parameter(name) is None:
        return arguments.keywords[name]
    if name in arguments.named:
        return arguments.named[name].node
    for index, parameter in enumerate(operator.parameters):
        if parameter.name == name or name in parameter.aliases:
            for alias in (parameter.name, *parameter.aliases):
                if alias in arguments.named:
                    return arguments.named[alias].node
            return arguments.positional[index].node if index < len(arguments.positional) else None
    return None


# Forms of operators on scalars


def _are_scalars(arguments: Arguments) -> bool:
    found = False
    for value, _ in (*arguments.positional, *arguments.named.values()):
        if isinstance(value, Expr):
            if not isinstance(value.type, ScalarType):
                return False
            found = True
        elif number(value) is not None:
            found = True
        elif not isinstance(value, (DType, str)):
            return False
    return found


def _scalar_cast(tracer: FunctionTracer, arguments: Arguments, node: ast.expr) -> Expr:
    value, target, mode = parameters(tracer, arguments, node, "cast", ("input", "target_type"), {"mode": "round"})
    if mode.value != "round":
        tracer.fail("PL205", "a scalar is cast with the mode 'round' only", mode.node, found=describe(mode.value))
    dtype = target.value
    if isinstance(dtype, str):
        dtype = next((each for each in DTYPES.values() if dtype in (each.name, each.label)), dtype)
    if not isinstance(dtype, DType):
        tracer.fail(
            "PL205", "an element type is needed here", target.node, found=describe(dtype), expected="such as pl.FP32"
        )
    found = scalar(tracer, value.value, value.node)
    if TASK_ID in (dtype, scalar_dtype(found)):
        tracer.fail("PL204", "a TASK_ID can't be converted", node)
    return cast_to(tracer, found, dtype, node)


def _scalar_binary(name: str, operator: str) -> Callable[[FunctionTracer, Arguments, ast.expr], Expr]:
    def combine(tracer: FunctionTracer, arguments: Arguments, node: ast.expr) -> Expr:
        lhs, rhs = parameters(tracer, arguments, node, name, ("lhs", "rhs"), {})
        left, right = beside(tracer, lhs.value, rhs.value, lhs.node), beside(tracer, rhs.value, lhs.value, rhs.node)
        return binary(tracer, operator, left, right, node)

    return combine


_SCALAR_FORMS: Final[Mapping[str, Callable[[FunctionTracer, Arguments, ast.expr], Expr]]] = {
    "cast": _scalar_cast,
    "add": _scalar_binary("add", "+"),
    "sub": _scalar_binary("sub", "-"),
    "mul": _scalar_binary("mul", "*"),
    "div": _scalar_binary("div", "/"),
}
"""The operators that scalars have too."""


def parameters(
    tracer: FunctionTracer,
    arguments: Arguments,
    node: ast.expr,
    name: str,
    required: Sequence[str],
    optional: Mapping[str, object],
) -> list[Argument]:
    """The arguments of something that is no operator, by the names of its parameters.

    Raises PL202 for a wrong number of arguments, PL205 for an unknown name or one that is given twice.
    """
    names = [*required, *optional]
    if len(arguments.positional) > len(names):
        given = len(arguments.positional)
        tracer.fail(
            "PL202",
            f"pl.{name} takes at most {len(names)} arguments",
            node,
            found=str(given),
            expected=", ".join(names),
        )
    found = dict(zip(names, arguments.positional, strict=False))
    for keyword, argument in arguments.named.items():
        if keyword not in names:
            tracer.fail(
                "PL205", f"pl.{name} has no parameter {keyword!r}", arguments.place(keyword), expected=", ".join(names),
                hint=did_you_mean(keyword, names),
            )  # fmt: skip
        if keyword in found:
            tracer.fail("PL205", f"{keyword!r} of pl.{name} is given twice", arguments.place(keyword))
        found[keyword] = argument
    for missing in [each for each in required if each not in found]:
        tracer.fail("PL202", f"pl.{name} needs {missing!r}", node, expected=", ".join(names))
    return [found[each] if each in found else Argument(optional[each], node) for each in names]
