"""Keeps apart what lies outside the valid region of an operand and is put into a result all the same.

In other runs such elements keep the values that they have in storage. Here they have none in the result, so that
whoever computes with them is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pypto_lite import ir
from pypto_lite.interp.dtypes import mask_dtype
from pypto_lite.interp.extents import ARRAY_TYPES, masked_extents
from pypto_lite.interp.operands import corner
from pypto_lite.interp.sanitizer import problems
from pypto_lite.interp.storage import DEFINED, Array, NDArray
from pypto_lite.ops.declaration import RESULT, Partial

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.interp.calls import Site
    from pypto_lite.interp.code import Frame


# A plain name for isinstance, after which nothing is known of a type whose own annotations are incomplete.
_ARRAY: Final[Any] = np.ndarray


def region_check(site: Site) -> Callable[[Frame], None] | None:
    """What happens after a call that sees an operand whole and moves elements of it; None for other calls."""
    parameters, meaning = site.meaning.parameters, site.meaning
    whole = [
        (position, parameter, site.slots[position])
        for position, parameter in enumerate(parameters)
        if parameter in meaning.moves & meaning.whole
        and parameter in site.given
        and isinstance(site.given[parameter].type, ARRAY_TYPES)
    ]
    if not whole or site.operator.view_of is not None or isinstance(site.call.type, ir.TupleType):
        return None

    def check(frame: Frame) -> None:
        for position, parameter, slot in whole:
            array, result = frame[slot], frame[site.target]
            if array.valid == array.shape:
                continue
            inside = _from_inside(site, frame, position, array)
            if isinstance(result, Array):
                _undefine(result, inside)
            elif not inside:
                raise problems.outside_region(site.use(parameter), array.valid, array.shape, array.made_at)

    return check


def _from_inside(site: Site, frame: Frame, position: int, array: Array) -> NDArray:
    """Runs the meaning on masks that say of each element whether it lies in a valid region: non-zero where it does."""
    extents = site.measure(frame)
    arguments = site.arguments(frame, extents)
    for each, parameter in enumerate(site.meaning.parameters):
        if parameter in site.meaning.moves:
            arguments[each] = _everything(arguments[each])
    seen = np.zeros(array.elements.shape, mask_dtype(array.elements.dtype))
    seen[corner(array.valid)] = DEFINED
    arguments[position] = seen
    if RESULT in site.meaning.parameters:
        arguments[site.meaning.parameters.index(RESULT)] = masked_extents(extents)
    outcome = site.function(np, *arguments)
    if isinstance(outcome, Partial):
        outcome = np.where(np.logical_and(outcome.known, np.logical_not(outcome.made)), outcome.elements, DEFINED)
    return np.asarray(outcome)


def _undefine(result: Array, inside: NDArray) -> None:
    """Takes their values from elements of a new array, or of its valid region."""
    part = () if inside.shape == result.elements.shape else corner(inside.shape)
    mask = np.full(result.elements.shape, DEFINED, mask_dtype(result.elements.dtype))
    if result.mask is not None:
        mask[...] = result.mask
    mask[part] &= np.where(inside == 0, 0, DEFINED).astype(mask.dtype)
    result.mask = mask[...]


def _everything(argument: Any) -> Any:
    """What stands for an operand all of whose elements may be taken."""
    if not isinstance(argument, _ARRAY):
        return None if argument is None else DEFINED
    return np.full(argument.shape, DEFINED, mask_dtype(argument.dtype))
