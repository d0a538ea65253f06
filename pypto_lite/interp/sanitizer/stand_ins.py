"""Runs meanings on something else than elements, to see which elements they put where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pypto_lite.ops.framework.meaning import RESULT, Partial

if TYPE_CHECKING:
    from pypto_lite.interp.calls import Site
    from pypto_lite.interp.code import Frame
    from pypto_lite.interp.storage import NDArray


def run_on(site: Site, frame: Frame, parameter: str, stand_in: NDArray, other: int, result: Any) -> NDArray:
    """What a meaning that moves elements makes of ``stand_in`` in the place of an operand.

    ``other`` stands for the elements of the other operands that are moved, and for those that the meaning makes itself;
    ``result`` is the extents of what it makes.
    """
    evaluator = site.evaluator
    arguments = site.arguments(frame, site.measure(frame))
    for position, each in enumerate(evaluator.parameters):
        if each == parameter:
            arguments[position] = stand_in
        elif each in evaluator.moves and arguments[position] is not None:
            shape = getattr(arguments[position], "shape", ())  # none of a number
            arguments[position] = np.broadcast_to(np.asarray(other, stand_in.dtype), shape)
        elif each == RESULT:
            arguments[position] = result
    outcome = site.function(np, *arguments)
    if isinstance(outcome, Partial):
        moved = np.logical_and(outcome.known, np.logical_not(outcome.made))
        outcome = np.where(moved, outcome.elements, other)
    return np.asarray(outcome)
