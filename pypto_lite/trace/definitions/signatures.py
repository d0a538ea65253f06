"""Signatures: decorators, parameters and results of a function."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from pypto_lite.diagnostics import Diagnostic, Note, Span, UserError, did_you_mean
from pypto_lite.ir import FunctionType, ParamDirection, TensorType, Type, Var
from pypto_lite.trace.definitions.annotations import read_parameter, read_results
from pypto_lite.trace.expressions import static_values
from pypto_lite.trace.expressions.attributes import is_plain, plain_mapping
from pypto_lite.trace.expressions.values import SELF, describe
from pypto_lite.trace.names.builtins import Decorator
from pypto_lite.trace.names.symbol_table import Static, Variable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pypto_lite.trace.definitions.copy_out import CopiedOut
    from pypto_lite.trace.names.environment import Environment
    from pypto_lite.trace.tracer import FunctionTracer


class Signature:
    """What is known of a function before its body is traced. ``results`` is None where only the body tells."""

    __slots__ = ("attrs", "copied_out", "directions", "name", "params", "results", "span", "type", "undeclared")

    def __init__(
        self,
        name: str,
        type_: FunctionType,
        params: Sequence[Var],
        directions: Sequence[ParamDirection],
        results: tuple[Type, ...] | None,
        attrs: Mapping[str, Any],
        span: Span,
    ) -> None:
        self.name = name
        self.type = type_
        self.params = tuple(params)
        self.directions = tuple(directions)
        self.results = results
        self.attrs = attrs
        self.span = span
        """Where the function's name stands in its definition."""
        self.copied_out: CopiedOut | None = None
        """What an inline function hands back of its parameters; known when its body is traced."""
        self.undeclared: dict[int, ast.expr] = {}
        """The annotations of the tensor parameters that say no direction, by position."""


def decorator_of(
    definition: ast.ClassDef | ast.FunctionDef, environment: Environment
) -> tuple[Decorator, ast.expr] | None:
    """The one of our decorators that a definition has, and where. Raises PL115 for any other beside it."""
    found: list[tuple[Decorator, ast.expr]] = []
    others: list[ast.expr] = []
    for node in definition.decorator_list:
        function = node.func if isinstance(node, ast.Call) else node
        try:
            value = static_values.evaluate(function, environment)
        except UserError as error:
            if error.code not in ("PL105", "PL116"):
                raise
            value = None
        if isinstance(value, Decorator):
            found.append((value, node))
        else:
            others.append(node)
    if not found:
        return None
    for node in (*others, *[node for _, node in found[1:]]):
        raise UserError(_refused_decorator(node, environment, found[0]))
    return found[0]


def _refused_decorator(node: ast.expr, environment: Environment, ours: tuple[Decorator, ast.expr]) -> Diagnostic:
    return Diagnostic(
        "PL115",
        "a kernel can't have another decorator",
        environment.span(node),
        notes=[Note(f"{ours[0]!r} is here", environment.span(ours[1]))],
        hint="remove it",
    )


_KEYWORDS: Final = ("type", "level", "role", "attrs")


def read_signature(tracer: FunctionTracer, decorator: tuple[Decorator, ast.expr]) -> Signature:
    """Reads a function's decorator, parameters and results. Raises PL110, PL111, PL115 or PL205 for what is wrong.

    ``tracer`` is one of its own: the parameters are bound in it, since later ones may mention earlier ones.
    """
    definition = tracer.definition
    type_, attrs = _decorated(tracer, *decorator)
    names = _parameters(tracer)
    params: list[Var] = []
    directions: list[ParamDirection] = []
    undeclared: dict[int, ast.expr] = {}
    for node in names:
        if node.annotation is None:
            tracer.fail(
                "PL110", f"the parameter {node.arg!r} has no type", node, expected=f"{node.arg}: pl.Tensor[[...], ...]",
                hint="self is the first parameter of a method" if node.arg == "self" else None,
            )  # fmt: skip
        annotated, direction = read_parameter(tracer, node.annotation)
        span = tracer.span(node)
        if tracer.names.get(node.arg) is not None:
            tracer.fail("PL110", f"there are two parameters {node.arg!r}", node)
        var = Var(
            node.arg, annotated, Span(span.source, span.line, span.column, span.line, span.column + len(node.arg))
        )
        tracer.names.set(node.arg, Variable(var, var, 0, var.span))
        if direction is None and isinstance(annotated, TensorType):
            undeclared[len(params)] = node.annotation
        params.append(var)
        directions.append(direction or ParamDirection.In)
    results = None if definition.returns is None else read_results(tracer, definition.returns)
    span = tracer.file.name_span(definition)
    signature = Signature(definition.name, type_, params, directions, results, attrs, span)
    signature.undeclared = undeclared
    return signature


def bind_parameters(tracer: FunctionTracer, signature: Signature) -> None:
    """Gives the names of a function's parameters their meaning, in a tracer for its body."""
    own = tracer.definition.args.args
    for node in own[: len(own) - len(signature.params)]:
        tracer.names.set(node.arg, Static(SELF, 0, tracer.span(node)))
    for param in signature.params:
        tracer.names.set(param.name, Variable(param, param, 0, param.span))


def _parameters(tracer: FunctionTracer) -> list[ast.arg]:
    """The parameters but for ``self``. Raises PL110 for forms that kernels don't have."""
    arguments = tracer.definition.args
    for node, form in ((arguments.vararg, "*"), (arguments.kwarg, "**")):
        if node is not None:
            tracer.fail("PL110", f"a kernel can't take {form}{node.arg}", node, hint="write the parameters out")
    for node in arguments.kwonlyargs:
        tracer.fail("PL110", "a kernel can't have keyword-only parameters", node, hint="remove the * in front of it")
    for default in (*arguments.defaults, *[each for each in arguments.kw_defaults if each is not None]):
        tracer.fail("PL110", "a parameter can't have a default value", default, hint="pass the value in each call")
    for node in arguments.posonlyargs[:1]:
        tracer.fail("PL110", "a kernel can't have positional-only parameters", node, hint="remove the / behind it")
    names = arguments.args
    has_self = bool(names) and names[0].annotation is None and names[0].arg == "self"
    if getattr(tracer.definition, "type_params", ()):
        tracer.fail("PL110", "a kernel can't have type parameters", tracer.file.name_span(tracer.definition))
    return names[1:] if has_self else names


def _decorated(tracer: FunctionTracer, decorator: Decorator, node: ast.expr) -> tuple[FunctionType, dict[str, Any]]:
    """The function type and the attributes that a decorator gives."""
    keywords: list[ast.keyword] = []
    if isinstance(node, ast.Call):
        if node.args:
            tracer.fail("PL115", f"{decorator!r} takes keywords only", node.args[0], hint="type=pl.FunctionType.InCore")
        keywords = node.keywords
    # A decorator with options may have a name of its own; then these stand elsewhere.
    given = [(name, value, node, node) for name, value in decorator.options.items()]
    given += [(each.arg or "**", tracer.evaluate(each.value), each, each.value) for each in keywords]
    type_ = FunctionType.Inline if decorator.kind == "inline" else FunctionType.Opaque
    attrs: dict[str, Any] = {}
    allowed = _KEYWORDS if decorator.kind == "function" else _KEYWORDS[1:]
    for name, value, whole, place in given:
        if name not in allowed:
            tracer.fail(
                "PL205", f"{decorator!r} has no keyword {name!r}", whole, expected=", ".join(allowed),
                hint=did_you_mean(name, allowed),
            )  # fmt: skip
        if name == "type":
            if not isinstance(value, FunctionType):
                tracer.fail(
                    "PL205", "this is no function type", place, found=describe(value),
                    expected=", ".join(f"pl.FunctionType.{each.name}" for each in FunctionType),
                )  # fmt: skip
            type_ = value
        elif name == "attrs":
            attrs.update(plain_mapping(tracer, value, place))
        elif is_plain(value):
            attrs[name] = value
        else:
            tracer.fail("PL116", f"{name!r} has to be a constant", place, found=describe(value))
    return type_, attrs
