"""Scalar arithmetic at run time, on Python's numbers, in the element types of the IR.

Integers wrap as those of numpy and of the chip do; a float is rounded to its element type after every operation.
Quotients and remainders round down as in Python; ``/`` of integers rounds towards zero.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.interp.dtypes import integer_range, stored_dtype
from pypto_lite.ir.arithmetic import round_to
from pypto_lite.ir.dtypes import BOOL

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.ir import DType

Number = int | float | bool


def conversion(dtype: DType) -> Callable[[Any], Number]:
    """The function that makes a Python number one of the element type.

    Integers wrap; a float becomes an integer towards zero, nan becomes 0, and what is too large the largest.
    """
    if dtype is BOOL:
        return bool
    if dtype.is_float:
        return _float_conversion(dtype)
    low, high = integer_range(dtype) if dtype.is_int else (0, (1 << 63) - 1)
    span = high - low + 1

    def to_integer(value: Any) -> int:
        if isinstance(value, float):
            if math.isnan(value):
                return 0
            return low if value <= low else high if value >= high else int(value)
        value = int(value)
        return value if low <= value <= high else (value - low) % span + low

    return to_integer


def _float_conversion(dtype: DType) -> Callable[[Any], float]:
    stored = stored_dtype(dtype)

    def to_float(value: Any) -> float:
        near = round_to(float(value), dtype)
        # What overflows, and the types that only numpy knows.
        return float(np.float32(value).astype(stored)) if near is None else near

    return to_float


def _no_value(problem: str) -> UserError:
    return UserError(Diagnostic("PL506", problem))


def check_step(step: int) -> None:
    """PL506 for a loop that would never end."""
    if step == 0:
        raise _no_value("the step of a loop is zero")


def _floor_divide(lhs: Number, rhs: Number) -> Number:
    if rhs == 0:
        if isinstance(lhs, float):
            return float(np.floor_divide(np.float64(lhs), np.float64(rhs)))
        raise _no_value("division by zero")
    return lhs // rhs


def _remainder(lhs: Number, rhs: Number) -> Number:
    if rhs == 0:
        if isinstance(lhs, float):
            return math.nan
        raise _no_value("division by zero")
    return lhs % rhs


def _divide(lhs: Number, rhs: Number) -> Number:
    if isinstance(lhs, float) or isinstance(rhs, float):
        return float(np.float64(lhs) / np.float64(rhs))
    if rhs == 0:
        raise _no_value("division by zero")
    quotient = abs(lhs) // abs(rhs)
    return quotient if (lhs < 0) == (rhs < 0) else -quotient


def _power(lhs: Number, rhs: Number) -> Number:
    if isinstance(lhs, float) or isinstance(rhs, float):
        return float(np.power(np.float64(lhs), np.float64(rhs)))
    if rhs < 0:
        raise _no_value("an integer has no negative powers")
    return pow(int(lhs), int(rhs), 1 << 64)  # it wraps at 64 bits or less in any case


def _shift_left(lhs: Number, rhs: Number) -> int:
    if rhs < 0:
        raise _no_value("an integer has no negative shifts")
    return int(lhs) << min(int(rhs), 64)


def _shift_right(lhs: Number, rhs: Number) -> int:
    if rhs < 0:
        raise _no_value("an integer has no negative shifts")
    return int(lhs) >> int(rhs)


def _least(lhs: Number, rhs: Number) -> Number:
    return math.nan if lhs != lhs or rhs != rhs else min(lhs, rhs)


def _greatest(lhs: Number, rhs: Number) -> Number:
    return math.nan if lhs != lhs or rhs != rhs else max(lhs, rhs)


BINARY: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "//": _floor_divide,
    "%": _remainder,
    "**": _power,
    "<<": _shift_left,
    ">>": _shift_right,
    "&": lambda lhs, rhs: lhs & rhs,
    "|": lambda lhs, rhs: lhs | rhs,
    "^": lambda lhs, rhs: lhs ^ rhs,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "min": _least,
    "max": _greatest,
}
"""What each operator gives before it is converted to its element type; ``and`` and ``or`` are control flow."""

UNARY: Final[dict[str, Callable[[Any], Any]]] = {
    "-": operator.neg,
    "~": operator.invert,
    "not": operator.not_,
    "abs": abs,
}
