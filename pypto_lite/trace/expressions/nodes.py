"""Expressions: what each class of AST node means, but for calls and subscripts, which have modules of their own.

Where all parts are known while tracing, so is the value: it is computed as Python would. Otherwise the expression
becomes one of the IR.
"""

from __future__ import annotations

import ast
from typing import Final

from pypto_lite import ops
from pypto_lite.diagnostics import did_you_mean
from pypto_lite.ir import Expr, ScalarType, TensorType, TileType
from pypto_lite.trace.expressions import static_values
from pypto_lite.trace.expressions.overloads import combine_arrays, is_array, unary_of_array
from pypto_lite.trace.expressions.scalars import beside, binary, scalar, unary
from pypto_lite.trace.expressions.values import SELF, describe, plain
from pypto_lite.trace.tracer import FunctionTracer, expression

OPERATORS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
_UNARY: Final[dict[type[ast.unaryop], str]] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}


@expression(ast.Constant)
def _constant(tracer: FunctionTracer, node: ast.Constant) -> object:
    if isinstance(node.value, (complex, bytes)) or node.value is ...:
        tracer.fail("PL104", f"a kernel has no {type(node.value).__name__} values", node)
    return node.value


@expression(ast.Name)
def _name(tracer: FunctionTracer, node: ast.Name) -> object:
    return tracer.lookup(node)


@expression(ast.Attribute)
def _attribute(tracer: FunctionTracer, node: ast.Attribute) -> object:
    names = [node.attr]
    base = node.value
    while isinstance(base, ast.Attribute):
        names.append(base.attr)
        base = base.value
    if not isinstance(base, ast.Name) or tracer.names.get(base.id) is not None:
        return _attribute_path(tracer, node)
    key = (base.id, *names)
    if key not in tracer.members:  # the same few names of the language, over and over
        tracer.members[key] = _attribute_path(tracer, node)
    return tracer.members[key]


def _attribute_path(tracer: FunctionTracer, node: ast.Attribute) -> object:
    """``a.b.c``."""
    path = [node]
    while isinstance(path[-1].value, ast.Attribute) and not tracer.is_evaluated(path[-1].value):
        path.append(path[-1].value)
    owner = tracer.operand(path[-1].value)
    for attribute in reversed(path):
        if owner is SELF:
            owner = tracer.program.member(tracer, attribute)
        elif isinstance(owner, Expr):
            owner = _attribute_of_value(tracer, owner, attribute)
        else:
            owner = plain(static_values.attribute(owner, attribute, tracer.environment))
    return owner


_VALUE_ATTRIBUTES: Final = ("shape", "valid_shape", "ndim", "dtype")


def _attribute_of_value(tracer: FunctionTracer, owner: Expr, node: ast.Attribute) -> object:
    """The facts of a tile's or a tensor's type that kernels may ask for."""
    type_ = owner.type
    name = node.attr
    known = _VALUE_ATTRIBUTES if isinstance(type_, (TileType, TensorType)) else ("dtype",)
    if name not in known or not isinstance(type_, (TileType, TensorType, ScalarType)):
        is_operator = bool(ops.by_spelling(name))
        tracer.fail(
            "PL104",
            f"a value has no attribute {name!r} in a kernel",
            node,
            found=describe(owner),
            expected=f"one of {', '.join(known)}",
            hint=f"operators are functions: pl.{name}(...)" if is_operator else did_you_mean(name, known),
        )
    if name == "dtype" or isinstance(type_, ScalarType):
        return type_.dtype
    if name == "ndim":
        return len(type_.shape)
    return tuple(type_.shape if name == "shape" else type_.valid_shape)


@expression(ast.List, ast.Tuple)
def _sequence(tracer: FunctionTracer, node: ast.List | ast.Tuple) -> object:
    values: list[object] = []
    for element in node.elts:
        if isinstance(element, ast.Constant) and isinstance(element.value, int):  # most elements of most lists
            values.append(element.value)
            continue
        if isinstance(element, ast.Starred):
            tracer.fail("PL104", "a kernel can't unpack with *", element, hint="write the elements out")
        values.append(tracer.operand(element))
    return values if isinstance(node, ast.List) else tuple(values)


@expression(ast.Dict)
def _dict(tracer: FunctionTracer, node: ast.Dict) -> object:
    made: dict[object, object] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            tracer.fail("PL104", "a kernel can't unpack with **", value, hint="write the entries out")
        evaluated = tracer.operand(key)
        if not isinstance(evaluated, (str, int, float)):
            tracer.fail("PL104", "a key has to be a string or a number", key, found=describe(evaluated))
        made[evaluated] = tracer.operand(value)
    return made


@expression(ast.Slice)
def _slice(tracer: FunctionTracer, node: ast.Slice) -> object:
    bounds = [None if bound is None else tracer.operand(bound) for bound in (node.lower, node.upper, node.step)]
    return slice(*bounds)


_REFUSED: Final[dict[type[ast.expr], tuple[str, str]]] = {
    ast.Lambda: ("a lambda", "define a function under @pl.inline and call it"),
    ast.ListComp: ("a comprehension", "compute the list outside the kernel and use its name"),
    ast.SetComp: ("a comprehension", "compute the set outside the kernel and use its name"),
    ast.DictComp: ("a comprehension", "compute the dictionary outside the kernel and use its name"),
    ast.GeneratorExp: ("a generator expression", "compute the values outside the kernel"),
    ast.JoinedStr: ("an f-string", "f-strings can be used in pl.static_print and pl.static_assert only"),
    ast.NamedExpr: ("an assignment expression (:=)", "assign in a statement of its own"),
    ast.Await: ("await", "kernels are not asynchronous; pl.submit starts a task"),
    ast.Yield: ("yield", "pl.yield_ passes values on"),
    ast.YieldFrom: ("yield", "pl.yield_ passes values on"),
    ast.Set: ("a set", "use a list"),
    ast.Starred: ("unpacking with *", "write the elements out"),
}


@expression(*_REFUSED)
def _refused(tracer: FunctionTracer, node: ast.expr) -> object:
    what, hint = _REFUSED[type(node)]
    tracer.fail("PL104", f"{what} is not supported in a kernel", node, hint=hint)


# Arithmetic


@expression(ast.BinOp)
def _binary(tracer: FunctionTracer, node: ast.BinOp) -> object:
    chain = [node]  # a sum of thousands of terms leans to the left
    while isinstance(chain[-1].left, ast.BinOp) and not tracer.is_evaluated(chain[-1].left):
        chain.append(chain[-1].left)
    value = tracer.operand(chain[-1].left)
    for operation in reversed(chain):
        rhs = tracer.operand(operation.right)
        value = tracer.consumed(value)
        value = combine(tracer, operation.op, value, rhs, operation, operation.left, operation.right)
    return value


def combine(
    tracer: FunctionTracer,
    operation: ast.operator,
    lhs: object,
    rhs: object,
    node: ast.expr,
    lhs_node: ast.expr,
    rhs_node: ast.expr,
) -> object:
    """``lhs operation rhs``, of values known while tracing, scalars, tiles or tensors."""
    if not isinstance(lhs, Expr) and not isinstance(rhs, Expr):
        return plain(static_values.binary(operation, lhs, rhs, node, tracer.environment))
    symbol = OPERATORS[type(operation)]
    if is_array(lhs) or is_array(rhs):
        return combine_arrays(tracer, symbol, lhs, rhs, node)
    left, right = beside(tracer, lhs, rhs, lhs_node), beside(tracer, rhs, lhs, rhs_node)
    if symbol == "@":
        tracer.fail("PL201", "@ multiplies tiles", node, found=describe(left), expected="two tiles")
    return binary(tracer, symbol, left, right, node)


@expression(ast.UnaryOp)
def _unary(tracer: FunctionTracer, node: ast.UnaryOp) -> object:
    chain = [node]
    while isinstance(chain[-1].operand, ast.UnaryOp) and not tracer.is_evaluated(chain[-1].operand):
        chain.append(chain[-1].operand)
    if any(isinstance(operation.op, ast.Not) for operation in chain):
        tracer.note_condition(chain[-1].operand)
    value = tracer.operand(chain[-1].operand)
    for operation in reversed(chain):
        symbol = _UNARY[type(operation.op)]
        value = tracer.consumed(value)
        if not isinstance(value, Expr):
            value = static_values.unary(operation.op, value, operation, tracer.environment)
        elif is_array(value):
            value = unary_of_array(tracer, symbol, value, operation)
        elif symbol == "+":
            value = scalar(tracer, value, operation.operand)
        else:
            value = unary(tracer, symbol, scalar(tracer, value, operation.operand), operation)
    return value
