"""Calls of operators: checks operands and keywords, runs the type rule, and says where the result lives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from pypto_lite.diagnostics import NO_SPAN, Diagnostic, Span, UserError
from pypto_lite.ir import (
    ArrayType,
    Call,
    Const,
    Expr,
    MakeTuple,
    MemorySpace,
    ScalarType,
    TensorType,
    TileType,
    TupleType,
    Type,
    tuple_dims,
)
from pypto_lite.ops.framework import keywords as keyword_rules
from pypto_lite.ops.framework.declaration import INHERIT, ByKeyword, Operator
from pypto_lite.ops.framework.lookup import lookup
from pypto_lite.ops.framework.parameters import REQUIRED, Keyword, Operand, OperandKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TYPES: Final[dict[OperandKind, tuple[type[Type], ...]]] = {
    OperandKind.TILE: (TileType,),
    OperandKind.TENSOR: (TensorType,),
    OperandKind.TILE_OR_TENSOR: (TileType, TensorType),
    OperandKind.SCALAR: (ScalarType,),
    OperandKind.CONST: (ScalarType,),
    OperandKind.TUPLE: (TupleType,),
    OperandKind.ARRAY: (ArrayType,),
}
"""The types of values that an operand of a kind can have."""


def call(
    operator: Operator | str,
    args: Sequence[Expr],
    keywords: Mapping[str, Any] | None = None,
    *,
    attrs: Mapping[str, Any] | None = None,
    span: Span = NO_SPAN,
) -> Call:
    """A call of an operator with the type that its rule gives.

    ``args`` are the operands in the order of the IR. The keywords are completed: names and codes become values, what
    the language supplies is added, what is the same as absent is left out. Raises UserError, at ``span`` where there
    is one.
    """
    if isinstance(operator, str):
        operator = lookup(operator, span)
    try:
        completed = keyword_rules.complete(operator, keywords or {})
        result = run_rule(operator, args, completed)
    except UserError as error:
        if not span:
            raise
        raise error.located(span) from None
    return Call(operator.name, tuple(args), completed, result, attrs or {}, span)


def infer(operator: Operator, args: Sequence[Expr], keywords: Mapping[str, Any]) -> Type:
    """The type of a call that stands in the IR: the rule's result in the space where it lives.

    Raises UserError, whose diagnostic names the operand and has no span.
    """
    if keywords or operator.keywords:
        keyword_rules.check(operator, keywords)
    return run_rule(operator, args, keywords)


def run_rule(operator: Operator, args: Sequence[Expr], keywords: Mapping[str, Any]) -> Type:
    """The type of a call whose keywords are known to be right."""
    values = [_value(operand, arg) for operand, arg in match_operands(operator, args)]
    result = _apply(operator, values, keywords)
    space = _result_space(operator, args, keywords)
    return result if space is None else _placed(result, space)


def _apply(operator: Operator, values: Sequence[Any], keywords: Mapping[str, Any]) -> Type:
    """What the rule makes of the operands' values and the keywords."""
    if not operator.keywords and operator.positional == len(values):
        return operator.rule(*values)
    positional: list[Any] = []
    named: dict[str, Any] = {}
    take = iter(values)
    for index, parameter in enumerate(operator.parameters):
        if isinstance(parameter, Keyword):
            default = None if parameter.default is REQUIRED else parameter.default
            value = keywords.get(parameter.name, default)
        else:
            value = next(take)
        if index < operator.positional:
            positional.append(value)
        else:
            named[parameter.name] = value
    return operator.rule(*positional, **named)


def match_operands(operator: Operator, args: Sequence[Expr]) -> list[tuple[Operand, Expr | None]]:
    """Each declared operand with its argument, None for one that is left out.

    An optional operand is passed over where the next argument is of another kind. Raises UserError (PL201, PL202).
    """
    operands = operator.operands
    matched: list[tuple[Operand, Expr | None]] = []
    position = 0
    count = len(args)
    for operand in operands:
        arg = args[position] if position < count else None
        if arg is not None and accepts(operand, arg):
            matched.append((operand, arg))
            position += 1
        elif not operand.required:
            matched.append((operand, None))
        elif arg is None:
            raise _wrong_count(operator, count)
        else:
            raise _wrong_kind(operator, operand, arg)
    if position < count:
        optional = [operand for operand, arg in matched if arg is None]
        if optional:
            raise _wrong_kind(operator, optional[-1], args[position])
        raise _wrong_count(operator, count)
    return matched


def accepts(operand: Operand, arg: Expr) -> bool:
    """Whether an argument is of the kind that the operand takes."""
    kind = operand.kind
    if not isinstance(arg.type, _TYPES[kind]):
        return False
    if kind is OperandKind.CONST:
        return isinstance(arg, Const) and (operand.value is not int or type(arg.value) is int)
    return kind is not OperandKind.TUPLE or (
        isinstance(arg, MakeTuple) and (operand.value is not None or _is_of_numbers(arg))
    )


def _is_of_numbers(listed: MakeTuple) -> bool:
    """Whether a list can be extents or offsets: one among the attributes of a call may hold tiles and tensors, too."""
    if listed.integers is not None:
        return True
    return not any(isinstance(each.type, (TileType, TensorType)) for each in listed.elements)


def _value(operand: Operand, arg: Expr | None) -> Any:
    """What the rule gets for an operand. A list of no elements stands for an optional list that is left out."""
    if arg is None:
        return None
    if operand.kind is OperandKind.TUPLE:
        given = cast("MakeTuple", arg)
        elements = tuple_dims(given) if operand.value is None else given.elements
        return None if operand.optional and not elements else elements
    if operand.value is None:
        return arg.type
    return int(cast("Const", arg).value) if operand.value is int else arg


def _result_space(operator: Operator, args: Sequence[Expr], keywords: Mapping[str, Any]) -> MemorySpace | None:
    rule = operator.result_space
    if rule is None or isinstance(rule, MemorySpace):
        return rule
    if isinstance(rule, ByKeyword):
        return keywords.get("target_memory", rule.default)
    assert rule is INHERIT
    for arg in args:
        type_ = arg.type
        if isinstance(type_, TileType) and type_.space is not None:
            return type_.space
    return None


def _placed(result: Type, space: MemorySpace) -> Type:
    """The result with all its tiles that have no space yet in ``space``."""
    if isinstance(result, TileType):
        return result if result.space is not None else TileType(result.shape, result.dtype, space, result.view)
    if isinstance(result, TupleType):
        return TupleType([_placed(member, space) for member in result.types])
    return result


def _wrong_count(operator: Operator, count: int) -> UserError:
    least = sum(operand.required for operand in operator.operands)
    most = len(operator.operands)
    expected = str(least) if least == most else f"{least} to {most}"
    names = ", ".join(operand.name if operand.required else f"{operand.name}?" for operand in operator.operands)
    return UserError(
        Diagnostic(
            "PL202",
            f"{operator.name} is given the wrong number of operands",
            found=str(count),
            expected=f"{expected} ({names})" if names else "none",
        )
    )


def _wrong_kind(operator: Operator, operand: Operand, arg: Expr) -> UserError:
    article = "an" if operand.kind is OperandKind.ARRAY else "a"
    expected = f"{article} {operand.kind.value}"
    hint = None
    if operand.kind is OperandKind.CONST:
        expected = "an integer constant" if operand.value is int else "a literal constant"
    elif operand.kind is OperandKind.TILE and isinstance(arg.type, TensorType):
        hint = "load the tensor into a tile with pl.load first"
    elif operand.kind is OperandKind.TENSOR and isinstance(arg.type, TileType):
        hint = "a tile lives on chip; pl.store writes it into a tensor"
    return UserError(
        Diagnostic(
            "PL201",
            f"{operand.name} of {operator.name} is of the wrong kind",
            found=found_text(arg),
            expected=expected,
            hint=hint,
            operand=operand.name,
        )
    )


def found_text(arg: Expr) -> str:
    """A value and its type, for a message."""
    return f"{arg!r}: {arg.type!r}"
