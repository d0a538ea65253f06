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

CLOSE: Final = 1e-5
"""How far a float may differ, relative to what it was: a pass may take a sum in another order."""

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
        differs = _difference(value, second.values[name])
        if differs is not None:
            return f"{name} {differs}"
    return None


def _error(run: Outcome) -> str:
    return "values" if run.error is None else f"{run.error[0]} (line {run.error[1]})"


def _difference(first: Any, second: Any) -> str | None:
    """In what the second value differs from the first, but for floats that are close; None where in nothing."""
    one, other = np.asarray(first), np.asarray(second)
    if (one.dtype, one.shape) != (other.dtype, other.shape):
        return f"is {_kind(second)} instead of {_kind(first)}"
    differ = np.asarray(one != other)
    if is_floating(one.dtype):
        with np.errstate(all="ignore"):  # nan and infinity are values here
            floats = [widened(each).astype(np.float64) for each in (one, other)]
            differ &= ~np.isclose(*floats, rtol=CLOSE, atol=0, equal_nan=True)
    count = int(np.count_nonzero(differ))
    if not count:
        return None
    if not one.shape:
        return f"is {second} instead of {first}"
    place = tuple(np.argwhere(differ)[0].tolist())
    where = ", ".join(map(str, place))
    return f"differs in {count} of {one.size} elements, the first at [{where}]: {other[place]} instead of {one[place]}"


def _kind(value: Any) -> str:
    if not isinstance(value, _ARRAY):
        return repr(value)
    return f"an array of {value.dtype} with the shape {value.shape}"
