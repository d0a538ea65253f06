"""Short ways to make the operands of calls in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.ir import (
    Dim,
    Dims,
    DType,
    MemorySpace,
    ScalarType,
    TensorLayout,
    TensorType,
    TensorView,
    TileType,
    TileView,
    Var,
)
from pypto_lite.ir.dtypes import FP32, INDEX

if TYPE_CHECKING:
    from pypto_lite.diagnostics import Diagnostic, UserError


def tile(
    *shape: Dim, dtype: DType = FP32, space: MemorySpace | None = None, valid: Dims = (), view: TileView | None = None
) -> Var:
    """A flat tile, of which ``valid`` holds data."""
    if valid:
        view = TileView(valid)
    return Var("tile", TileType(shape, dtype, space, view))


def tensor(
    *shape: Dim,
    dtype: DType = FP32,
    valid: Dims = (),
    layout: TensorLayout = TensorLayout.ND,
    distributed: bool = False,
) -> Var:
    return Var("tensor", TensorType(shape, dtype, TensorView(valid, (), layout), distributed))


def scalar(dtype: DType = INDEX, name: str = "s") -> Var:
    return Var(name, ScalarType(dtype))


def found_by(error: UserError) -> Diagnostic:
    """The one diagnostic of an error."""
    (diagnostic,) = error.diagnostics
    return diagnostic
