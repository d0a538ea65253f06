"""What becomes of what a meaning gives: rounded to the element type, put into storage of its own, or made a number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pypto_lite import ir
from pypto_lite.interp.dtypes import mask_dtype, rounded, stored_dtype
from pypto_lite.interp.errors import wrong_outcome
from pypto_lite.interp.extents import ARRAY_TYPES
from pypto_lite.interp.scalars import conversion
from pypto_lite.interp.storage import DEFINED, all_defined, embedded, new_array, undefined_array
from pypto_lite.ops.framework.meaning import Partial

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.diagnostics import Span

Finish: TypeAlias = "Callable[[Any, Any, Any], Any]"
"""Makes the value of a call of what its meaning gave, of the mask (or None), and of the extents."""


def finisher(type_: ir.Type, name: str, span: Span) -> Finish:
    """What makes values of this type."""
    if isinstance(type_, ir.TupleType):
        members = [finisher(member, name, span) for member in type_.types]

        def finish_all(outcome: Any, mask: Any, extents: Any) -> tuple[Any, ...]:
            masks = mask if mask is not None else (None,) * len(members)
            parts = zip(members, outcome, masks, extents, strict=True)
            return tuple([finish(part, part_mask, each) for finish, part, part_mask, each in parts])

        return finish_all
    if isinstance(type_, ir.ScalarType):
        convert = conversion(type_.dtype)
        return lambda outcome, mask, extents: convert(_number(outcome))
    if isinstance(type_, ARRAY_TYPES):
        return _array_finisher(type_.dtype, name, span)
    return lambda outcome, mask, extents: None


def _number(outcome: Any) -> Any:
    """A plain number; the narrow floats of numpy know ``float`` only."""
    if isinstance(outcome, (int, float)):
        return outcome
    plain = outcome.item()
    return plain if isinstance(plain, (int, float)) else float(outcome)


def _array_finisher(dtype: ir.DType, name: str, span: Span) -> Finish:
    stored = stored_dtype(dtype)
    mask_type = mask_dtype(stored)

    def finish(outcome: Any, mask: Any, extents: Any) -> Any:
        shape, valid = extents.shape, extents.valid
        if outcome is None:
            return undefined_array(shape, stored, valid, span)
        if isinstance(outcome, Partial):
            outcome, mask = _settled(outcome, mask)
        data = rounded(outcome, dtype, stored)
        if mask is not None:
            mask = None if all_defined(mask) else np.asarray(mask, mask_type)
        if data.shape != shape:
            if data.shape != valid:
                raise wrong_outcome(name, data.shape, valid)
            data, mask = embedded(data, shape, mask)
        return new_array(data, mask, valid, span)

    return finish


def _settled(outcome: Partial, mask: Partial | None) -> tuple[Any, Any]:
    """The elements, zero where they are undefined as all storage has it, and their mask."""
    moved = DEFINED if mask is None else mask.elements
    settled = np.where(outcome.made, DEFINED, np.where(outcome.known, moved, 0))
    elements = np.asarray(outcome.elements)
    return np.where(settled == 0, np.zeros((), elements.dtype), elements), settled
