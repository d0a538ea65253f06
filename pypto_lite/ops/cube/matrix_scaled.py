"""Matrix products of FP8 operands with a scale for every 32 elements (MX)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import MemorySpace, TileType
from pypto_lite.ir.dims import ceil_divide, provably_different
from pypto_lite.ir.dtypes import FP8E4M3FN, FP8E8M0, FP32
from pypto_lite.ops.cube.matrix import (
    ACC,
    BIAS,
    LEFT,
    RIGHT,
    added,
    biased,
    check_accumulator,
    check_bias,
    cube_operator,
    product,
    product_shape,
)
from pypto_lite.ops.framework.declaration import INHERIT, Core
from pypto_lite.ops.framework.parameters import Effect
from pypto_lite.ops.framework.problems import check_dtype, check_rank, list_text, problem
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.rules.layouts import accumulated, same

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Numpy
    from pypto_lite.ops.rules.numeric import Types

SCALED_ELEMENTS: Final = 32
"""How many elements share one scale."""

_DETAILS: Final = """\
``lhs`` [M, K] and ``rhs`` [K, N] are FP8E4M3FN; the scales are FP8E8M0, one for every 32 elements along K:
[M, ceil(K / 32)] and [ceil(K / 32), N], as valid as their operands. M is a multiple of 16, K of 64, N of 32.

Raises PL203, PL204, or PL208 for scales that are valid elsewhere than their operands."""

_SPACES: Final = {"lhs": LEFT, "lhs_scale": MemorySpace.LeftScale, "rhs": RIGHT, "rhs_scale": MemorySpace.RightScale}
_scaled = partial(cube_operator, details=_DETAILS)


def scaled_product(lhs: TileType, lhs_scale: TileType, rhs: TileType, rhs_scale: TileType) -> TileType:
    """The shared rule of a scaled product."""
    for name, tile, dtype in (
        ("lhs", lhs, FP8E4M3FN),
        ("rhs", rhs, FP8E4M3FN),
        ("lhs_scale", lhs_scale, FP8E8M0),
        ("rhs_scale", rhs_scale, FP8E8M0),
    ):
        check_dtype(name, tile.dtype, (dtype,))
        check_rank(name, tile, 2)
    rows, columns = product_shape(lhs, rhs)
    for name, extent, multiple in (("lhs", rows, 16), ("lhs", lhs.shape[1], 64), ("rhs", columns, 32)):
        if isinstance(extent, int) and extent % multiple:
            raise problem(
                "PL203",
                name,
                f"an extent of {name} is no multiple of {multiple}",
                found=extent,
                expected="M a multiple of 16, K of 64, N of 32",
            )
    _check_scale("lhs_scale", lhs_scale, lhs, 1)
    _check_scale("rhs_scale", rhs_scale, rhs, 0)
    return product(lhs, rhs, FP32)


def _check_scale(operand: str, scale: TileType, tile: TileType, inner: int) -> None:
    """PL203 or PL208 unless there is a scale for every 32 (valid) elements along the inner axis."""
    for code, what, own, theirs in (
        ("PL203", "shape", scale.shape, tile.shape),
        ("PL208", "valid region", scale.valid_shape, tile.valid_shape),
    ):
        expected = list(theirs)
        expected[inner] = ceil_divide(theirs[inner], SCALED_ELEMENTS)
        if any(map(provably_different, own, expected)):
            raise problem(
                code,
                operand,
                f"{operand} has the wrong {what}",
                found=list_text(own),
                expected=list_text(tuple(expected)),
            )


@_scaled("tile.matmul_mx", spellings=("matmul_mx",), spaces=_SPACES)
def tile_matmul_mx(lhs: TileType, lhs_scale: TileType, rhs: TileType, rhs_scale: TileType) -> TileType:
    """Scaled matrix product, ``lhs @ rhs``: [M, N] of FP32, valid as in ``matmul``."""
    return scaled_product(lhs, lhs_scale, rhs, rhs_scale)


@tile_matmul_mx.evaluator
def _(np: Numpy, lhs: Elements, lhs_scale: Elements, rhs: Elements, rhs_scale: Elements) -> Elements:
    return scaled_and_multiplied(np, lhs, lhs_scale, rhs, rhs_scale)


def scaled_and_multiplied(
    np: Numpy, lhs: Elements, lhs_scale: Elements, rhs: Elements, rhs_scale: Elements
) -> Elements:
    """The product of the scaled operands, over the inner extent that both have valid.

    A scale reaches as far as FP32 does, so what is scaled needs the range of 64 bits until it is summed up.
    """
    left = lhs * _spread(np, "lhs_scale", lhs_scale, 1, lhs.shape)
    right = rhs * _spread(np, "rhs_scale", rhs_scale, 0, rhs.shape)
    inner = min(lhs.shape[1], rhs.shape[0])
    return (left[:, :inner] @ right[:inner]).astype(np.float32)


def _spread(np: Numpy, operand: str, scale: Elements, axis: int, shape: tuple[int, ...]) -> Elements:
    """The scale of each element; PL504 where there is none."""
    spread = np.repeat(scale.astype(np.float64), SCALED_ELEMENTS, axis=axis)
    if any(own < extent for own, extent in zip(spread.shape, shape, strict=True)):
        raise problem(
            "PL504",
            operand,
            f"{operand} is not valid for every valid element",
            found=str(list(scale.shape)),
            expected=f"a scale for every {SCALED_ELEMENTS} of {list(shape)}",
        )
    return spread[: shape[0], : shape[1]]


@_scaled(
    "tile.matmul_mx_acc",
    spellings=("matmul_mx_acc",),
    spaces={"acc": ACC, **_SPACES},
    effects={"acc": Effect.READ_WRITE},
    tied_operand="acc",
)
def tile_matmul_mx_acc(
    acc: TileType, lhs: TileType, lhs_scale: TileType, rhs: TileType, rhs_scale: TileType
) -> TileType:
    """Adds a scaled matrix product to ``acc`` (FP32), in its place; the valid region is that of ``acc``."""
    result = scaled_product(lhs, lhs_scale, rhs, rhs_scale)
    check_accumulator(acc, result.shape, FP32)
    return accumulated(acc.shape, FP32, acc.valid_shape, acc.effective_view.compact)


@tile_matmul_mx_acc.evaluator(accumulates="acc")
def _(np: Numpy, acc: Elements, lhs: Elements, lhs_scale: Elements, rhs: Elements, rhs_scale: Elements) -> Elements:
    return added(np, acc, scaled_and_multiplied(np, lhs, lhs_scale, rhs, rhs_scale))


@_scaled("tile.matmul_mx_bias", spellings=("matmul_mx_bias",), spaces={**_SPACES, "bias": BIAS})
def tile_matmul_mx_bias(
    lhs: TileType, lhs_scale: TileType, rhs: TileType, rhs_scale: TileType, bias: TileType
) -> TileType:
    """Scaled matrix product plus a row, ``lhs @ rhs + bias``; the bias is [1, N] of FP32."""
    result = scaled_product(lhs, lhs_scale, rhs, rhs_scale)
    check_bias(bias, result.shape[1], FP32)
    return result


@tile_matmul_mx_bias.evaluator
def _(
    np: Numpy, lhs: Elements, lhs_scale: Elements, rhs: Elements, rhs_scale: Elements, bias: Elements, types: Types
) -> Elements:
    return biased(scaled_and_multiplied(np, lhs, lhs_scale, rhs, rhs_scale), bias, types)


_PAIRS: Final = {MemorySpace.LeftScale: MemorySpace.Left, MemorySpace.RightScale: MemorySpace.Right}


@operator(
    "tile.tget_scale_addr",
    result=INHERIT,
    core=Core.BY_OPERAND,
    effects={"dst_scale": Effect.WRITE},
    tied_operand="dst_scale",
)
def tile_tget_scale_addr(dst_scale: TileType, src: TileType) -> TileType:
    """Ties a scale buffer to the operand that it scales: LeftScale to Left, RightScale to Right.

    The result is the scale buffer, whose elements stay.

    Raises PL210 for other spaces, or where they are not known yet.
    """
    expected = None if dst_scale.space is None else _PAIRS.get(dst_scale.space)
    if expected is None or src.space is not expected:
        raise problem(
            "PL210",
            "dst_scale",
            "the two tiles are no pair of scale and operand",
            found=f"{dst_scale.space!r} and {src.space!r}",
            expected="LeftScale and Left, or RightScale and Right",
        )
    return same(dst_scale, dst_scale.space)


@tile_tget_scale_addr.evaluator(moves=("dst_scale",), whole=("dst_scale",))
def _(np: Numpy, dst_scale: Elements) -> Elements:
    return dst_scale
