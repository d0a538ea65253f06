"""What a run of a program shows, and whether two runs show the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from pypto_lite.diagnostics import UserError
from pypto_lite.interp.dtypes import is_floating, widened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite import language

CLOSE: Final = 1e-4
"""How far floats may differ, relative to the largest, where a sum is taken in another order."""

_ARRAY: Final[Any] = np.ndarray


class Outcome(NamedTuple):
    """What a run shows: every value by name, or the code and the line of the error that ends it."""

    values: Mapping[str, Any]
    error: tuple[str, int] | None = None


def outcome(program: language.Program, arguments: Mapping[str, Any]) -> Outcome:
    """Runs the program; the arguments stay as they are."""
    given = {name: value.copy() if isinstance(value, _ARRAY) else value for name, value in arguments.items()}
    try:
        returned: Any = program.run(**given)
    except UserError as error:
        return Outcome({}, (error.code, error.span.line))
    results: list[Any] = [*returned] if isinstance(returned, tuple) else [returned]
    return Outcome({**given, **{f"result {number}": value for number, value in enumerate(results)}})


def difference(first: Outcome, second: Outcome) -> str | None:
    """What differs between two runs, in a sentence; None where nothing does."""
    if first.error != second.error:
        return f"{_error(first)} instead of {_error(second)}"
    if list(first.values) != list(second.values):
        return f"values {', '.join(second.values)} instead of {', '.join(first.values)}"
    for name, value in first.values.items():
        if not _same(value, second.values[name]):
            return f"{name} is\n{second.values[name]}\ninstead of\n{value}"
    return None


def _error(run: Outcome) -> str:
    return "values" if run.error is None else f"{run.error[0]} at line {run.error[1]}"


def _same(first: Any, second: Any) -> bool:
    """Whether two values are equal to the last bit, or floats that are close."""
    if first is None or second is None:
        return first is second
    one, other = np.asarray(first), np.asarray(second)
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.tobytes() == other.tobytes():
        return True
    return is_floating(one.dtype) and _close(widened(one).astype(np.float64), widened(other).astype(np.float64))


def _close(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    finite = np.abs(one[np.isfinite(one)])
    return np.allclose(one, other, rtol=CLOSE, atol=CLOSE * float(finite.max(initial=1.0)), equal_nan=True)
