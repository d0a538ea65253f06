"""Plain values as Python text: numbers, strings, element types, members of enumerations, tuples and dictionaries."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from pypto_lite.ir import DType, Expr, NamedEnum, Type


def number(value: int | float | bool) -> str:
    """A number; floats in their shortest form that reads back as the same value."""
    if isinstance(value, float) and not math.isfinite(value):
        return 'float("nan")' if math.isnan(value) else 'float("inf")' if value > 0 else 'float("-inf")'
    return repr(value)


def string(value: str) -> str:
    """A string in double quotes, or in single ones where that needs fewer backslashes."""
    quote = "'" if value.count('"') > value.count("'") else '"'
    # Python's own repr escapes everything but the other kind of quote.
    characters = [chr(92) + each if each == quote else each if each in "'\"" else repr(each)[1:-1] for each in value]
    return f"{quote}{''.join(characters)}{quote}"


def member(value: NamedEnum) -> str:
    """A member of an enumeration as the namespace spells it."""
    return f"pl.{type(value).__name__}.{value.name}"


def data(value: Any, expression: Callable[[Expr], str], type_text: Callable[[Type], str]) -> str:
    """Plain data: what attributes and keywords hold. The functions give the text of expressions and types in it."""
    if isinstance(value, (bool, int, float)):
        return number(value)
    if isinstance(value, str):
        return string(value)
    if isinstance(value, DType):
        return f"pl.{value.name}"
    if isinstance(value, NamedEnum):
        return member(value)
    if isinstance(value, Expr):
        return expression(value)
    if isinstance(value, Type):
        return type_text(value)
    if isinstance(value, Mapping):
        entries = [
            f"{data(key, expression, type_text)}: {data(each, expression, type_text)}"
            for key, each in cast("Mapping[Any, Any]", value).items()
        ]
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, (list, tuple)):
        items = [data(each, expression, type_text) for each in cast("Sequence[Any]", value)]
        if isinstance(value, list):
            return f"[{', '.join(items)}]"
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
    return repr(value)
