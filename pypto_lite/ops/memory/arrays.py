"""Operators on small arrays of scalars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite.ir import ArrayType, Const, DType, Expr, ScalarType
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dtypes import BOOL, INDEX, TASK_ID
from pypto_lite.ops.framework.parameters import ConstInt, Effect, Index
from pypto_lite.ops.framework.problems import check_integer, problem
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.rules.windows import element

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Numpy


@operator("array.create", allocates=True)
def array_create(extent: ConstInt, dtype: DType) -> ArrayType:
    """An array of so many elements of an integer type, BOOL or TASK_ID.

    Raises PL203 for an extent that is not positive, PL204 for another element type.
    """
    if extent <= 0:
        raise problem("PL203", "extent", "the extent is not positive", found=extent, expected="at least 1")
    if not dtype.is_int and dtype not in (BOOL, TASK_ID):
        raise problem(
            "PL204",
            "dtype",
            "an array cannot hold this element type",
            found=dtype,
            expected="an integer type, BOOL or TASK_ID",
        )
    return ArrayType(extent, dtype)


@array_create.evaluator
def _(np: Numpy) -> None:
    """Nothing in it is defined."""


def check_index(array: ArrayType, index: Expr) -> None:
    """PL204 for an index that is no integer, PL206 for a constant one outside the array."""
    check_integer("index", scalar_dtype(index))
    if isinstance(index, Const) and not 0 <= index.value < array.extent:
        raise problem(
            "PL206", "index", "the index is outside the array", found=index, expected=f"0 to {array.extent - 1}"
        )


@operator("array.get_element")
def array_get_element(array: ArrayType, index: Index) -> ScalarType:
    """One element of an array. Raises PL204 for an index that is no integer, PL206 for one outside the array."""
    check_index(array, index)
    return ScalarType(array.dtype)


@array_get_element.evaluator(moves=("array",))
def _(np: Numpy, array: Elements, index: int) -> Elements:
    return array[element("array", array.shape, (index,))]


@operator("array.update_element", effects={"array": Effect.READ_WRITE})
def array_update_element(array: ArrayType, index: Index, value: Expr) -> ArrayType:
    """The array with one element changed.

    Raises PL204 for an index that is no integer or a value of another element type (an INDEX goes into any integer
    array), PL206 for an index outside the array.
    """
    check_index(array, index)
    dtype = scalar_dtype(value)
    if dtype is not array.dtype and not (dtype is INDEX and array.dtype.is_int):
        raise problem(
            "PL204",
            "value",
            "the value has another element type than the array",
            found=dtype,
            expected=repr(array.dtype),
            hint=f"convert it with pl.cast(..., pl.{array.dtype.name})",
        )
    return array


@array_update_element.evaluator(moves=("array", "value"))
def _(np: Numpy, array: Elements, index: int, value: Any) -> Elements:
    changed = array.copy()
    changed[element("array", array.shape, (index,))] = value
    return changed
