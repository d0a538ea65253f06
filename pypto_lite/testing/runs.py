"""What a run of a program shows, and whether two runs show the same."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np

from pypto_lite import interp
from pypto_lite.diagnostics import UserError
from pypto_lite.interp.dtypes import is_floating, widened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite import ir

CLOSE: Final = 1e-4
"""How far floats may differ, relative to the largest, where a sum is taken in another order."""

MOST_STATEMENTS: Final = 100_000
"""After how many statements a run counts as endless; random programs take some hundreds."""

_ARRAY: Final[Any] = np.ndarray


class Outcome(NamedTuple):
    """What a run shows: every value by name, or the code and the line of the error that ends it."""

    values: Mapping[str, Any]
    error: tuple[str, int] | None = None


class EndlessRunError(Exception):
    """A run takes so many statements that it may never end."""


def outcome(
    program: ir.Program,
    arguments: Mapping[str, Any],
    function: str | None = None,
    sanitize: Literal[False] | interp.Sanitizer = False,
) -> Outcome:
    """Runs the program; the arguments stay as they are. A run that does not end shows that."""
    statements = count(1)

    def watch(_moment: object) -> None:
        if next(statements) > MOST_STATEMENTS:
            raise EndlessRunError

    given = {name: value.copy() if isinstance(value, _ARRAY) else value for name, value in arguments.items()}
    try:
        returned: Any = interp.run(program, function, given, hook=watch, sanitize=sanitize)
    except EndlessRunError:
        return Outcome({}, ("it does not end", 0))
    except UserError as error:
        return Outcome({}, (error.code, error.span.line))
    results: list[Any] = [*returned] if isinstance(returned, tuple) else [returned]
    return Outcome({**given, **{f"result {number}": value for number, value in enumerate(results)}})


def difference(first: Outcome, second: Outcome) -> str | None:
    """What differs between two runs, in a sentence; None where nothing does."""
    if first.error != second.error:
        return f"{_error(second)} instead of {_error(first)}"
    if list(first.values) != list(second.values):
        return f"values {', '.join(second.values)} instead of {', '.join(first.values)}"
    for name, value in first.values.items():
        if not _same(value, second.values[name]):
            return f"{name} is\n{second.values[name]}\ninstead of\n{value}"
    return None


def _error(run: Outcome) -> str:
    return "values" if run.error is None else f"{run.error[0]} (line {run.error[1]})"


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
