"""Keeps apart what lies outside the valid region of an operand and is put into a result all the same.

In other runs such elements keep the values that they have in storage. Here they have none in the result, so that
whoever computes with them is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pypto_lite import ir
from pypto_lite.interp.dtypes import mask_dtype
from pypto_lite.interp.extents import ARRAY_TYPES, masked_extents
from pypto_lite.interp.operands import corner
from pypto_lite.interp.sanitizer import problems
from pypto_lite.interp.sanitizer.stand_ins import run_on
from pypto_lite.interp.storage import DEFINED, Array, NDArray

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.interp.calls import Site
    from pypto_lite.interp.code import Frame


def region_check(site: Site) -> Callable[[Frame], None] | None:
    """What happens after a call that sees an operand whole and moves elements of it; None for other calls."""
    parameters, evaluator = site.evaluator.parameters, site.evaluator
    whole = [
        (parameter, slot)
        for parameter, slot in zip(parameters, site.slots, strict=True)
        if parameter in evaluator.moves & evaluator.whole
        and parameter in site.given
        and isinstance(site.given[parameter].type, ARRAY_TYPES)
    ]
    if not whole or site.operator.view_of is not None or isinstance(site.call.type, ir.TupleType):
        return None

    def check(frame: Frame) -> None:
        for parameter, slot in whole:
            array, result = frame[slot], frame[site.target]
            if array.valid == array.shape:
                continue
            inside = _from_inside(site, frame, parameter, array)
            if isinstance(result, Array):
                _undefine(result, inside)
            elif not inside:
                raise problems.outside_region(site.use(parameter), array.valid, array.shape, array.made_at)

    return check


def _from_inside(site: Site, frame: Frame, parameter: str, array: Array) -> NDArray:
    """Runs the meaning on masks of the valid region: non-zero where an element of the result comes from inside."""
    dtype = mask_dtype(array.elements.dtype)
    result = masked_extents(site.measure(frame))
    inside: NDArray = np.asarray(DEFINED)
    for axis, (extent, limit) in enumerate(zip(array.elements.shape, array.valid, strict=True)):
        if limit < extent:
            along = np.zeros((extent,) + (1,) * (len(array.valid) - axis - 1), dtype)
            along[:limit] = DEFINED
            inside = inside & run_on(
                site, frame, parameter, np.broadcast_to(along, array.elements.shape), DEFINED, result
            )
    return inside


def _undefine(result: Array, inside: NDArray) -> None:
    """Takes their values from elements of a new array, or of its valid region."""
    part = () if inside.shape == result.elements.shape else corner(inside.shape)
    mask = np.full(result.elements.shape, DEFINED, mask_dtype(result.elements.dtype))
    if result.mask is not None:
        mask[...] = result.mask
    mask[part] &= np.where(inside == 0, 0, DEFINED).astype(mask.dtype)
    result.mask = mask[...]
