"""What a call in a kernel means: which operator its name stands for, which parameter each argument is, and which
element type a literal takes."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from pypto_lite.diagnostics import NO_SPAN, Diagnostic, Span, UserError, did_you_mean
from pypto_lite.ir import ArrayType, Const, DType, Expr, ScalarType, TensorType, TileType, Var
from pypto_lite.ir.dtypes import BOOL, FP32, INDEX
from pypto_lite.ops.framework.inference import accepts
from pypto_lite.ops.framework.lookup import by_spelling, unknown_operator, unsupported_tensor_operator
from pypto_lite.ops.framework.parameters import REQUIRED, Keyword, Operand, OperandKind, Parameter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pypto_lite.ops.framework.declaration import Operator

Argument = TypeVar("Argument")

_DATA: Final = (TileType, TensorType, ArrayType)


def resolve(
    spelling: str, args: Sequence[object], named: Mapping[str, object] | None = None, span: Span = NO_SPAN
) -> Operator:
    """The operator that ``pl.<spelling>`` means for these arguments, given as in the kernel.

    An argument is an expression, a list, a number that has no element type yet, or the value of a keyword. Raises
    UserError: PL107 for an unknown name, PL209 for tensors where only the tile operator exists, PL201 where no
    operator of that name takes such operands.
    """
    candidates = by_spelling(spelling)
    if not candidates:
        raise UserError(unknown_operator(spelling, span))
    named = named or {}
    if len(candidates) == 1 and not (any(map(_is_tensor, args)) or any(map(_is_tensor, named.values()))):
        return candidates[0]
    for operator in candidates:
        complete = _missing(operator, args, named) is None if named else len(args) >= operator.least
        if complete and _kinds_match(operator, args, named):
            return operator
    # No candidate can be called like this; the nearest one says best what is wrong.
    near = [operator for operator in candidates if _kinds_match(operator, args, named)]
    if near:
        return near[0]
    for operator in candidates:
        _refuse_order(operator, spelling, args, named, span)
    if _wants_tensors(candidates, args, named):
        tensor = next(each for each in (*args, *named.values()) if _is_tensor(each))
        raise UserError(unsupported_tensor_operator(spelling, span, _named(tensor)))
    near = [each for each in candidates if args and _kinds_match(each, args[: each.positional], {})]
    if near or len(candidates) == 1:
        return (near or candidates)[0]
    found = ", ".join([*map(_found, args), *[f"{name}={_found(value)}" for name, value in named.items()]])
    forms = " or ".join(f"pl.{spelling}{signature(operator)}" for operator in candidates)
    raise UserError(
        Diagnostic("PL201", f"pl.{spelling} does not take such operands", span, found=found or "none", expected=forms)
    )


def bind(operator: Operator, args: Sequence[Argument], named: Mapping[str, Argument]) -> dict[str, Argument]:
    """The arguments of a call in a kernel by parameter; parameters that are left out are absent.

    Raises UserError: PL202 for too many arguments or a missing operand, PL205 for an unknown or repeated name or a
    missing keyword.
    """
    bound: dict[str, Argument] = {}
    if len(args) > operator.positional:
        raise UserError(
            Diagnostic(
                "PL202",
                f"{operator.name} takes at most {operator.positional} arguments by position",
                found=str(len(args)),
                expected=signature(operator),
            )
        )
    for parameter, argument in zip(operator.parameters, args, strict=False):
        bound[parameter.name] = argument
    for name, argument in named.items():
        parameter = operator.find_parameter(name)
        if parameter is None:
            hint = did_you_mean(name, [each.name for each in operator.parameters])
            message = f"{operator.name} has no parameter {name!r}"
            raise UserError(Diagnostic("PL205", message, expected=signature(operator), hint=hint, operand=name))
        if parameter.name in bound:
            message = f"{parameter.name} of {operator.name} is given twice"
            raise UserError(Diagnostic("PL205", message, expected=signature(operator), operand=name))
        bound[parameter.name] = argument
    missing = _missing(operator, args, named)
    if missing is not None:
        code = "PL205" if isinstance(missing, Keyword) else "PL202"
        message = f"{operator.name} needs {missing.name!r}"
        raise UserError(Diagnostic(code, message, expected=signature(operator), operand=missing.name))
    return bound


def literal_dtype(
    operator: Operator,
    operand_index: int,
    value: int | float | bool,
    args: Sequence[Expr | None],
    keywords: Mapping[str, Any] | None = None,
) -> DType:
    """The element type of an untyped literal as this operand: that of the operand beside it, or of a keyword.

    A float beside integers stays FP32; a bool is BOOL. ``args`` are the call's operands in the order of the IR, of
    which only types count; None or anything stands at the literal's own place.
    """
    if isinstance(value, bool):
        return BOOL
    dtype = _partner_dtype(operator, operator.operands[operand_index], args, keywords or {})
    if dtype is None:
        return FP32 if isinstance(value, float) else INDEX
    if isinstance(value, float) and not dtype.is_float:
        return FP32
    return dtype


def _partner_dtype(
    operator: Operator, operand: Operand, args: Sequence[Expr | None], keywords: Mapping[str, Any]
) -> DType | None:
    literal = operand.literal
    if literal is None:
        types = [arg.type for index, arg in enumerate(args) if arg is not None and index != operand.index]
        return next((type_.dtype for type_ in types if isinstance(type_, _DATA)), None)
    if literal.dtype is not None:
        return literal.dtype
    parameter = None if literal.parameter is None else operator.find_parameter(literal.parameter)
    if isinstance(parameter, Keyword):
        default = parameter.supplied if parameter.default is REQUIRED else parameter.default
        dtype = keywords.get(parameter.name, default)
        return dtype if isinstance(dtype, DType) else None
    arg = args[parameter.index] if parameter is not None and parameter.index < len(args) else None
    if arg is None or not isinstance(arg.type, _DATA):
        return None
    return arg.type.dtype if literal.change is None else literal.change(arg.type.dtype)


def signature(operator: Operator) -> str:
    """The parameters as they are written in a kernel, such as ``(tile: Tile, axis1: int, axis2: int)``."""
    parts: list[str] = []
    for index, parameter in enumerate(operator.parameters):
        if index == operator.positional:
            parts.append("*")
        parts.append(parameter_text(parameter))
    return f"({', '.join(parts)})"


_KIND_TEXTS: Final = {
    OperandKind.TILE: "Tile",
    OperandKind.TENSOR: "Tensor",
    OperandKind.TILE_OR_TENSOR: "Tile | Tensor",
    OperandKind.SCALAR: "Scalar",
    OperandKind.CONST: "constant",
    OperandKind.TUPLE: "list",
    OperandKind.ARRAY: "Array",
}


def parameter_text(parameter: Parameter) -> str:
    """One parameter with its kind and its default."""
    if isinstance(parameter, Operand):
        kind = "int" if parameter.value is int else _KIND_TEXTS[parameter.kind]
        if parameter.takes_one:
            kind = f"{kind} | Scalar"
        default = (
            f" = {parameter.same_as}" if parameter.same_as is not None else " = None" if parameter.optional else ""
        )
        return f"{parameter.name}: {kind}{default}"
    default = parameter.supplied if parameter.default is REQUIRED else parameter.default
    text = "" if default is REQUIRED else f" = {default!r}"
    return f"{parameter.name}: {parameter.value_type.__name__}{text}"


def _missing(operator: Operator, args: Sequence[object], named: Mapping[str, object]) -> Parameter | None:
    """The first parameter that the user has to give and does not."""
    for index, parameter in enumerate(operator.parameters):
        given = index < min(len(args), operator.positional)
        given = given or parameter.name in named or any(alias in named for alias in parameter.aliases)
        if given:
            continue
        if parameter.needed:
            return parameter
    return None


def _kinds_match(operator: Operator, args: Sequence[object], named: Mapping[str, object]) -> bool:
    """Whether all arguments could be the parameters at whose place they are given."""
    if len(args) > operator.positional:
        return False
    for parameter, argument in zip(operator.parameters, args, strict=False):
        if not _could_be(parameter, argument):
            return False
    for name, argument in named.items():
        parameter = operator.find_parameter(name)
        if parameter is None or not _could_be(parameter, argument):
            return False
    return True


def _refuse_order(
    operator: Operator, spelling: str, args: Sequence[object], named: Mapping[str, object], span: Span
) -> None:
    """PL201 where the lists, tiles and tensors among the arguments would do in another order.

    Numbers stay where they are: ``pl.sub(1.0, t)`` does not mean ``pl.sub(t, 1.0)``.
    """
    parameters = operator.parameters[: operator.positional]
    wrong = [index for index, (each, arg) in enumerate(zip(parameters, args, strict=False)) if not _could_be(each, arg)]
    movable = all(isinstance(args[index], (list, tuple)) or _is_array(args[index]) for index in wrong)
    if len(args) > len(parameters) or not movable or not 1 < len(wrong) <= _MOST_MISPLACED:
        return
    if _missing(operator, args, named) is not None:
        return
    for order in permutations(wrong):
        if all(_could_be(parameters[at], args[given]) for at, given in zip(wrong, order, strict=True)):
            sources = {**{index: index for index in range(len(args))}, **dict(zip(wrong, order, strict=True))}
            texts = [_written(args[sources[at]], parameters[at]) for at in range(len(args))]
            raise UserError(
                Diagnostic(
                    "PL201", f"the arguments of pl.{spelling} are in another order", span,
                    found=", ".join(map(_named, args)), expected=signature(operator),
                    hint=f"write pl.{spelling}({', '.join(texts)})",
                )
            )  # fmt: skip


_MOST_MISPLACED: Final = 4
"""How many arguments are tried in every order."""


def _written(argument: object, parameter: Parameter) -> str:
    """An argument in a hint: its own name where it has one, else that of the parameter."""
    return argument.name if isinstance(argument, Var) else parameter.name


def _is_array(argument: object) -> bool:
    return isinstance(argument, Expr) and isinstance(argument.type, _DATA)


def _could_be(parameter: Parameter, argument: object) -> bool:
    if argument is None:
        return isinstance(parameter, Keyword) or parameter.optional
    if isinstance(parameter, Keyword):
        return not isinstance(argument, (Expr, list, tuple)) or isinstance(argument, Const)
    if isinstance(argument, Expr):
        return accepts(parameter, argument) or (parameter.takes_one and isinstance(argument.type, ScalarType))
    if isinstance(argument, (list, tuple)):
        return parameter.kind is OperandKind.TUPLE
    takes_number = parameter.kind in (OperandKind.SCALAR, OperandKind.CONST) or parameter.takes_one
    return isinstance(argument, (int, float)) and takes_number


def _wants_tensors(candidates: Sequence[Operator], args: Sequence[object], named: Mapping[str, object]) -> bool:
    """Whether a tensor is given for a parameter, and none of the operators takes tensors at all."""
    given = [index for index, argument in enumerate(args) if _is_tensor(argument)]
    names = [name for name, argument in named.items() if _is_tensor(argument)]
    for operator in candidates:
        has_place = any(index < operator.positional for index in given) or any(map(operator.find_parameter, names))
        if not has_place or any(map(_takes_tensors, operator.parameters)):
            return False
    return True


def _is_tensor(argument: object) -> bool:
    return isinstance(argument, Expr) and isinstance(argument.type, TensorType)


def _takes_tensors(parameter: Parameter) -> bool:
    return isinstance(parameter, Operand) and parameter.kind in (OperandKind.TENSOR, OperandKind.TILE_OR_TENSOR)


def _named(argument: object) -> str:
    return f"{argument.name}: {argument.type!r}" if isinstance(argument, Var) else _found(argument)


def _found(argument: object) -> str:
    """The kind of an argument, for a message."""
    if isinstance(argument, Expr):
        return repr(argument.type)
    if isinstance(argument, (list, tuple)):
        return f"a list of {len(cast('Sequence[object]', argument))}"
    return repr(argument)
