"""Keyword arguments: which names an operator knows, and the values they can have."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final

from pypto_lite.diagnostics import UserError, did_you_mean
from pypto_lite.ir import DTYPES, DType, PadValue
from pypto_lite.ops.framework.parameters import REQUIRED, Keyword
from pypto_lite.ops.framework.problems import problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite.ops.framework.declaration import Operator

_LABELS: Final = {dtype.label: dtype for dtype in DTYPES.values()}
_CODES: Final = {dtype.code: dtype for dtype in DTYPES.values()}


def complete(operator: Operator, given: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of a call as the IR holds them, from what the user wrote.

    Adds what the language supplies, drops what is the same as absent, puts them in the order of the declaration.
    Raises UserError (PL205).
    """
    if not operator.keywords and not given:
        return {}
    check_names(operator, given)
    complete_: dict[str, Any] = {}
    for name, keyword in operator.keywords.items():
        value = given.get(name, keyword.supplied)
        if value is REQUIRED or value is None:
            if keyword.required:
                raise _missing(operator, keyword)
            continue
        value = coerce(operator, keyword, value)
        if keyword.required or value != keyword.default:
            complete_[name] = value
    return complete_


def check(operator: Operator, given: Mapping[str, Any]) -> None:
    """Raises UserError (PL205) unless these keywords can stand in the IR."""
    check_names(operator, given)
    for name, keyword in operator.keywords.items():
        if name not in given:
            if keyword.required:
                raise _missing(operator, keyword)
            continue
        value = given[name]
        if type(value) is not keyword.value_type:
            raise _wrong_value(operator, keyword, value)


def coerced(operator: Operator, given: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords with names and codes turned into values; nothing is added or dropped.

    A code that means nothing stays where the type rule does not read it: the type of the result is the same. Raises
    UserError (PL205).
    """
    check_names(operator, given)
    values: dict[str, Any] = {}
    for name, keyword in operator.keywords.items():
        value = given.get(name)
        if value is None:
            if keyword.required:
                raise _missing(operator, keyword)
            continue
        unread_code = name in operator.carried and type(value) is int and issubclass(keyword.value_type, enum.Enum)
        known = _member(keyword.value_type, value) if unread_code else None
        values[name] = value if unread_code and known is None else coerce(operator, keyword, value)
    return values


def check_names(operator: Operator, given: Mapping[str, Any]) -> None:
    """Raises UserError (PL205) for a keyword that the operator does not have."""
    for name in given:
        if name not in operator.keywords:
            if any(name == operand.name for operand in operator.operands):
                raise problem(
                    "PL205",
                    name,
                    f"{name!r} is an operand of {operator.name}, no keyword",
                    hint="operands go into the list of operands, in their order",
                )
            known = list(operator.keywords)
            raise problem(
                "PL205",
                name,
                f"{operator.name} has no keyword {name!r}",
                expected=f"one of {', '.join(known)}" if known else "no keywords",
                hint=did_you_mean(name, [parameter.name for parameter in operator.parameters]),
            )


def coerce(operator: Operator, keyword: Keyword, value: Any) -> Any:
    """The value as the IR holds it: a dtype, a member of an enumeration, or a plain value.

    Enumerations and dtypes may be given by name or code. Raises UserError (PL205).
    """
    value_type = keyword.value_type
    if type(value) is value_type:
        return value
    found = None
    if value_type is DType:
        found = _dtype(value)
    elif issubclass(value_type, enum.Enum):
        found = _member(value_type, value)
    elif value_type is float and isinstance(value, int) and not isinstance(value, bool):
        found = float(value)
    elif value_type is int and isinstance(value, enum.Enum) and isinstance(value.value, int):
        found = value.value
    if found is None:
        raise _wrong_value(operator, keyword, value)
    return found


def _dtype(value: Any) -> DType | None:
    if isinstance(value, str):
        return DTYPES.get(value) or _LABELS.get(value)
    return _CODES.get(value) if type(value) is int else None


def _member(enumeration: type[enum.Enum], value: Any) -> enum.Enum | None:
    """The member of this name or code; a pad value also by the number that it stands for."""
    if isinstance(value, str):
        return enumeration.__members__.get(value)
    if enumeration is PadValue and type(value) in (int, float):
        return _pad(float(value))
    if type(value) is not int:
        return None
    return next((member for member in enumeration if member.value == value), None)


def _pad(value: float) -> PadValue | None:
    if value == 0:
        return PadValue.zero
    return {float("inf"): PadValue.max, float("-inf"): PadValue.min}.get(value)


def _missing(operator: Operator, keyword: Keyword) -> UserError:
    return problem(
        "PL205", keyword.name, f"{operator.name} needs the keyword {keyword.name!r}", expected=value_text(keyword)
    )


def _wrong_value(operator: Operator, keyword: Keyword, value: Any) -> UserError:
    hint = None
    if isinstance(value, str) and issubclass(keyword.value_type, enum.Enum):
        hint = did_you_mean(value, keyword.value_type.__members__)
    return problem(
        "PL205",
        keyword.name,
        f"{keyword.name!r} of {operator.name} has a value of the wrong kind",
        found=repr(value),
        expected=value_text(keyword),
        hint=hint,
    )


def value_text(keyword: Keyword) -> str:
    """What a keyword's value can be, for a message."""
    value_type = keyword.value_type
    if value_type is DType:
        return "an element type such as pl.FP32"
    if issubclass(value_type, enum.Enum):
        members = [f"pl.{value_type.__name__}.{name}" for name in value_type.__members__]
        return f"one of {', '.join(members)}"
    names: dict[type, str] = {bool: "True or False", int: "an int", float: "a float", str: "a string"}
    return names[value_type]
