"""Arrays to run a program on: small whole numbers and halves, so that most results are exact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pypto_lite import ir
from pypto_lite.interp.dtypes import stored_dtype
from pypto_lite.interp.entry import choose
from pypto_lite.interp.expressions import evaluate
from pypto_lite.ir.dtypes import BOOL

if TYPE_CHECKING:
    from collections.abc import Mapping

Arguments = dict[str, Any]

SYMBOLIC_EXTENT: Final = 32
"""What a symbolic dimension is, unless a scalar parameter or the caller says."""

MOST: Final = 3
"""Scalars and what may be an index are at most this, halves too; bytes are at most twice as much."""


def arguments(
    program: ir.Program, seed: int = 0, function: str | None = None, extent: int = SYMBOLIC_EXTENT
) -> Arguments:
    """Arguments for a run of the program, by the names of the parameters; always the same for a seed.

    Floats are halves from -3 to 3 (quarters would not survive a product in 8 bits), signed bytes go from -6 to 6, other
    integers, which are often indices, from 0 to 3. Every array is given, ``Out`` too, so that what a kernel leaves
    alone is seen to be left alone. ``function`` is the entry by default; ``extent`` is what symbolic
    dimensions are that no scalar parameter names. Raises UserError PL501.
    """
    entry = choose(program, function)
    random = np.random.default_rng(seed)
    extents: dict[ir.Var, int] = {}
    made: Arguments = {}
    for param in entry.params:
        if isinstance(param.type, ir.ScalarType):
            made[param.name] = _scalar(param.type.dtype, random)
            if param.type.dtype.is_int:
                extents[param] = made[param.name]
    for param in entry.params:
        if isinstance(param.type, (ir.TensorType, ir.ArrayType)):
            made[param.name] = _array(param.type, extents, extent, random)
    return made


def _scalar(dtype: ir.DType, random: np.random.Generator) -> Any:
    number = int(random.integers(0, MOST + 1))
    if dtype is BOOL:
        return bool(number % 2)
    return number / 2 if dtype.is_float else number


def _array(
    type_: ir.TensorType | ir.ArrayType, extents: Mapping[ir.Var, int], symbolic: int, random: np.random.Generator
) -> Any:
    dims = type_.shape if isinstance(type_, ir.TensorType) else (type_.extent,)
    shape = tuple([dim if isinstance(dim, int) else _extent(dim, extents, symbolic) for dim in dims])
    dtype = type_.dtype
    signed = dtype.is_float or (dtype.category == "sint" and dtype.bits <= 8)
    numbers = random.integers(-2 * MOST, 2 * MOST + 1, shape) if signed else random.integers(0, MOST + 1, shape)
    return (numbers / 2 if dtype.is_float else numbers).astype(stored_dtype(dtype))


def _extent(dim: ir.Expr, extents: Mapping[ir.Var, int], symbolic: int) -> int:
    values = {node: extents.get(node, symbolic) for node in ir.walk(dim) if isinstance(node, ir.Var)}
    return evaluate(dim, values)
