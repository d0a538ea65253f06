"""Element types on numpy: how they are stored, in which type they are computed, how a result is rounded to one.

A float is computed in 32 bits and rounded once, to the nearest (ties to even). Integers wrap, also from a wider
integer to a narrower one. From a float to an integer the value is rounded and what is too large becomes the largest;
the operators that round in another way do so themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import ml_dtypes
import numpy as np

from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.ir import DTYPES, DType
from pypto_lite.ir.dtypes import BOOL

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements

FLOAT32: Final = np.dtype(np.float32)

_STORED: Final[dict[str, Any]] = {
    "BOOL": np.bool_,
    "INT4": ml_dtypes.int4,
    "INT8": np.int8,
    "INT16": np.int16,
    "INT32": np.int32,
    "INT64": np.int64,
    "INDEX": np.int64,
    "UINT4": ml_dtypes.uint4,
    "UINT8": np.uint8,
    "UINT16": np.uint16,
    "UINT32": np.uint32,
    "UINT64": np.uint64,
    "FP4": ml_dtypes.float4_e2m1fn,
    "FP8E4M3FN": ml_dtypes.float8_e4m3fn,
    "FP8E5M2": ml_dtypes.float8_e5m2,
    "FP8E8M0": ml_dtypes.float8_e8m0fnu,
    "FP16": np.float16,
    "FP32": np.float32,
    "BF16": ml_dtypes.bfloat16,
    "TASK_ID": np.int64,
}
"""The numpy type of each element type; HF4 and HF8 have none."""

STORED: Final[dict[DType, np.dtype[Any]]] = {DTYPES[name]: np.dtype(each) for name, each in _STORED.items()}

_NARROW_FLOATS: Final = frozenset([stored for dtype, stored in STORED.items() if dtype.is_float and stored != FLOAT32])
"""The float types that are computed in 32 bits."""

_NARROW_INTS: Final = {np.dtype(ml_dtypes.int4): np.dtype(np.int8), np.dtype(ml_dtypes.uint4): np.dtype(np.uint8)}
"""The integer types that are computed in bytes."""

_COMPUTED_AS: Final = {**_NARROW_INTS, np.dtype(np.bool_): np.dtype(np.uint8)}
"""The types in which elementwise operators compute what numpy has no arithmetic for."""

_MASKS: Final = {size: np.dtype(f"i{size}") for size in (1, 2, 4, 8)}


def stored_dtype(dtype: DType) -> np.dtype[Any]:
    """The numpy type in which elements are stored. Raises UserError (PL508) where there is none."""
    found = STORED.get(dtype)
    if found is None:
        raise UserError(
            Diagnostic("PL508", f"numpy has no element type for {dtype!r}", hint="pl.FP8E4M3FN and pl.FP8E5M2 have one")
        )
    return found


def computing_dtype(dtype: DType) -> np.dtype[Any]:
    """The numpy type in which elementwise operators compute a result of this type."""
    stored = stored_dtype(dtype)
    return FLOAT32 if dtype.is_float else _COMPUTED_AS.get(stored, stored)


def mask_dtype(stored: np.dtype[Any]) -> np.dtype[Any]:
    """The integers as wide as an element in which masks are kept; see ``storage``."""
    return _MASKS[stored.itemsize]


def wider_dtype(dtype: DType) -> np.dtype[Any] | None:
    """The numpy type into which elements are widened before they are computed with; None where they are not."""
    stored = stored_dtype(dtype)
    return FLOAT32 if stored in _NARROW_FLOATS else _NARROW_INTS.get(stored)


def widened(elements: Elements) -> Elements:
    """The elements in a type that numpy computes well: narrow floats in 32 bits, 4-bit integers in bytes."""
    dtype = elements.dtype
    if dtype in _NARROW_FLOATS:
        return elements.astype(FLOAT32)
    wider = _NARROW_INTS.get(dtype)
    return elements if wider is None else elements.astype(wider)


def is_floating(dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "f" or dtype in _NARROW_FLOATS


def rounded(elements: Any, dtype: DType, stored: np.dtype[Any]) -> Elements:
    """The elements as they are stored in an element type; the same array where they are of its type already."""
    elements = np.asarray(elements)
    if elements.dtype is stored or elements.dtype == stored:
        return elements
    if dtype is BOOL:
        return elements.astype(bool)
    if dtype.is_float or not is_floating(elements.dtype):
        return elements.astype(stored)
    return saturated(np.rint(widened(elements)), dtype).astype(stored)


def saturated(values: Elements, dtype: DType) -> Elements:
    """Whole numbers, kept as floats or clipped as integers, within the range of an integer type; nan becomes 0."""
    low, high = integer_range(dtype)
    wide = np.where(np.isnan(values), 0, values).astype(np.float64)
    # The largest 64-bit integers are no floats: what reaches them is set apart.
    inside = (wide > float(low)) & (wide < float(high))
    whole = np.where(inside, wide, 0).astype(np.int64 if low < 0 or dtype.bits < 64 else np.uint64)
    return np.where(inside, whole, np.where(wide > 0, whole.dtype.type(high), whole.dtype.type(low)))


def integer_range(dtype: DType) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    if dtype.category == "uint":
        return 0, (1 << dtype.bits) - 1
    return -(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1
