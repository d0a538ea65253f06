"""The extents of what an operator makes: known before the run, or computed where types mention variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.interp.dtypes import mask_dtype, stored_dtype
from pypto_lite.interp.errors import region_too_large
from pypto_lite.ops.framework.meaning import Extents

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    import numpy as np

    from pypto_lite.interp.code import Code, Frame
    from pypto_lite.interp.expressions import Compiler

ArrayLike: TypeAlias = "ir.TileType | ir.TensorType | ir.ArrayType"
"""The types whose values are arrays."""

ARRAY_TYPES: Final = (ir.TileType, ir.TensorType, ir.ArrayType)

Measure: TypeAlias = "Callable[[Frame], Any]"
"""Gives the extents of a result: ``Extents``, a tuple of them, or None where the result is no array."""


def known_extents(type_: ir.Type) -> Any:
    """The extents of a type without variables."""
    if isinstance(type_, ir.TupleType):
        return tuple([known_extents(member) for member in type_.types])
    if not isinstance(type_, ARRAY_TYPES):
        return None
    shape, valid = dims_of(type_)
    plain = cast("tuple[int, ...]", shape), cast("tuple[int, ...]", valid)
    return Extents(*plain, type_.dtype, stored_dtype(type_.dtype))


def measure(compiler: Compiler, type_: ir.Type) -> Generator[ir.Expr, int, Measure]:
    """Adds the steps that compute the dimensions of a type that mentions variables."""
    if not type_.symbolic:
        known = known_extents(type_)
        return lambda frame: known
    if not isinstance(type_, ir.TupleType):
        return (yield from _measure_one(compiler, type_))
    measures: list[Measure] = []
    for member in type_.types:
        measures.append((yield from measure(compiler, member)))
    return lambda frame: tuple([each(frame) for each in measures])


def _measure_one(compiler: Compiler, type_: ir.Type) -> Generator[ir.Expr, int, Measure]:
    assert isinstance(type_, ARRAY_TYPES)
    stored = stored_dtype(type_.dtype)
    shape, valid = dims_of(type_)
    shape_slots = yield from _slots(compiler, shape)
    valid_slots = yield from _slots(compiler, valid)
    dtype = type_.dtype

    def compute(frame: Frame) -> Extents:
        whole = tuple([frame[slot] for slot in shape_slots])
        part = tuple([frame[slot] for slot in valid_slots])
        if any(extent < 0 or extent > limit for extent, limit in zip(part, whole, strict=True)):
            raise region_too_large(part, whole)
        return Extents(whole, part, dtype, stored)

    return compute


def masked_extents(extents: Any) -> Any:
    """The extents of the mask of a result."""
    if isinstance(extents, Extents):
        return Extents(extents.shape, extents.valid, extents.dtype, mask_dtype(extents.storage))
    return None if extents is None else tuple([masked_extents(each) for each in extents])


def stored_as(extents: Any, stored: np.dtype[Any]) -> Any:
    """The extents of a result whose elements are of another type."""
    if isinstance(extents, Extents):
        return Extents(extents.shape, extents.valid, extents.dtype, stored)
    return None if extents is None else tuple([stored_as(each, stored) for each in extents])


def dims_of(type_: ArrayLike) -> tuple[ir.Dims, ir.Dims]:
    """The shape and the valid region that a type gives."""
    if isinstance(type_, ir.ArrayType):
        return (type_.extent,), (type_.extent,)
    shape, valid = type_.shape, type_.valid_shape
    # Where a first operand of lower rank is broadcast, the region keeps its rank.
    return shape, (1,) * (len(shape) - len(valid)) + tuple(valid)


def _slots(compiler: Compiler, dims: ir.Dims) -> Generator[ir.Expr, int, list[int]]:
    slots: list[int] = []
    for dim in dims:
        if isinstance(dim, int):
            slots.append(compiler.code.constant(dim))
            continue
        check_known(compiler.code, dim)
        slots.append((yield dim))
    return slots


def check_known(code: Code, dim: ir.Expr) -> None:
    """PL507 for a dimension that nothing in the function gives a value."""
    for node in ir.walk(dim):
        if isinstance(node, ir.Var) and not code.knows(node):
            message = f"the extent {dim!r} is not known in {code.name}"
            hint = "a symbolic dimension gets its value from a parameter whose shape mentions it"
            raise UserError(Diagnostic("PL507", message, hint=hint))
