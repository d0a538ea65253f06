"""Operators of the cube core: matrix products into the accumulator."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pypto_lite.ir import CompactMode, Dim, Dims, DType, Expr, MemorySpace, TileType
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dims import provably_different, provably_equal
from pypto_lite.ir.dtypes import BF16, BOOL, FP16, FP32, INT8, INT32
from pypto_lite.ops.framework.declaration import Core
from pypto_lite.ops.framework.parameters import Effect, TakesDType
from pypto_lite.ops.framework.problems import check_dtype, check_rank, check_same_dtype, check_shape, list_text, problem
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.rules.layouts import accumulated, broadcast
from pypto_lite.ops.rules.numeric import Types, alongside
from pypto_lite.ops.rules.windows import in_corner

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy, Partial

LEFT: Final = MemorySpace.Left
RIGHT: Final = MemorySpace.Right
ACC: Final = MemorySpace.Acc
BIAS: Final = MemorySpace.Bias

GEMV_ROWS: Final = 16
"""How many rows a matrix-vector product takes up in the accumulator, of which the first is valid."""

ACC_PHASES: Final = ("unspecified", "partial", "final")

cube_operator = partial(operator, result=ACC, core=Core.CUBE)
"""Declares an operator that the cube core runs, with its result in Acc."""

_product = partial(cube_operator, spaces={"lhs": LEFT, "rhs": RIGHT})
_accumulating = partial(
    cube_operator,
    spaces={"acc": ACC, "lhs": LEFT, "rhs": RIGHT},
    effects={"acc": Effect.READ_WRITE},
    tied_operand="acc",
)
_biased = partial(cube_operator, spaces={"lhs": LEFT, "rhs": RIGHT, "bias": BIAS})


def product_dtype(lhs: TileType, rhs: TileType) -> DType:
    """FP32 for floats, INT32 for the rest; PL204 where the two differ."""
    check_same_dtype("rhs", rhs.dtype, "lhs", lhs.dtype)
    return FP32 if lhs.dtype.is_float else INT32


def product_shape(lhs: TileType, rhs: TileType) -> tuple[Dim, Dim]:
    """[M, N] of [M, K] and [K, N]; PL203 for other ranks and for inner extents that differ."""
    check_rank("lhs", lhs, 2)
    check_rank("rhs", rhs, 2)
    check_inner(lhs, rhs)
    return lhs.shape[0], rhs.shape[1]


def check_inner(lhs: TileType, rhs: TileType) -> None:
    """PL203 where the columns of ``lhs`` are provably not the rows of ``rhs``."""
    if provably_different(lhs.shape[-1], rhs.shape[-2]):
        raise problem(
            "PL203",
            "rhs",
            "the inner extents of the product differ",
            found=f"{list_text(lhs.shape)} and {list_text(rhs.shape)}",
            expected=f"rhs with {lhs.shape[-1]!r} rows, as lhs has columns",
            hint="pl.tile.transpose_view turns a tile around without copying it",
        )


def product(lhs: TileType, rhs: TileType, dtype: DType) -> TileType:
    """The shared rule of a product: rows and valid rows of ``lhs``, columns and valid columns of ``rhs``."""
    shape = product_shape(lhs, rhs)
    valid = lhs.valid_shape[0], rhs.valid_shape[1]
    compact = CompactMode.null if provably_equal(valid[0], shape[0]) else CompactMode.normal
    return accumulated(shape, dtype, valid, compact)


def check_accumulator(acc: TileType, shape: Dims, dtype: DType) -> None:
    """PL203 or PL204 unless the accumulator is what the product makes."""
    if acc.dtype is not dtype:
        raise problem(
            "PL204",
            "acc",
            "the accumulator has the wrong element type",
            found=acc.dtype,
            expected=repr(dtype),
            hint="products of floats accumulate in FP32, of integers in INT32",
        )
    check_shape("acc", acc.shape, shape, "of the product")


def check_bias(bias: TileType, columns: Dim, dtype: DType) -> None:
    """PL203 or PL204 unless the bias is one row of the product."""
    check_shape("bias", bias.shape, (1, columns), "of one row of the product")
    if bias.dtype is not dtype:
        raise problem(
            "PL204",
            "bias",
            "the bias has the wrong element type",
            found=bias.dtype,
            expected=repr(dtype),
            hint="a bias has the element type of the product",
        )


@_product("tile.matmul", spellings=("matmul",))
def tile_matmul(lhs: TileType, rhs: TileType, out_dtype: DType | None = None) -> TileType:
    """Matrix product, ``lhs @ rhs``: [M, K] and [K, N] give [M, N].

    Both have the same element type; floats give FP32, integers INT32, which wrap. The valid region has the valid rows
    of ``lhs`` and the valid columns of ``rhs``; K ends where either is no longer valid. ``out_dtype`` only says again
    what the element type of the product is.

    Raises PL203 for other ranks or inner extents that differ, PL204 for element types that differ.
    """
    dtype = product_dtype(lhs, rhs)
    if out_dtype is not None:
        check_same_dtype("out_dtype", out_dtype, "the product", dtype)
    return product(lhs, rhs, dtype)


@tile_matmul.evaluator
def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    return multiplied(np, lhs, rhs)


def multiplied(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
    """The product over the inner extent that both have valid: floats in FP32; integers exactly, then they wrap.

    numpy multiplies floats much faster than integers, and a float of 64 bits holds the sums of bytes exactly.
    """
    if lhs.shape[-1] != rhs.shape[-2]:
        inner = min(lhs.shape[-1], rhs.shape[-2])
        lhs, rhs = lhs[..., :inner], rhs[..., :inner, :]
    if lhs.dtype == np.float32:
        return lhs @ rhs
    if lhs.dtype.itemsize == 1:
        return (lhs.astype(np.float64) @ rhs.astype(np.float64)).astype(np.int64)
    return lhs.astype(np.int64) @ rhs.astype(np.int64)


@_accumulating("tile.matmul_acc", spellings=("matmul_acc",), literals={"init_cond": TakesDType(dtype=BOOL)})
def tile_matmul_acc(acc: TileType, lhs: TileType, rhs: TileType, init_cond: Expr | None = None) -> TileType:
    """Adds a matrix product to ``acc``, in its place: ``acc + lhs @ rhs``; [M, N], [M, K], [K, N].

    Where ``init_cond`` (a BOOL) holds, ``acc`` counts as zero, as it does where it has no value yet. The valid region
    is that of ``acc``.

    Raises PL203 or PL204 where the operands do not fit.
    """
    check_accumulator(acc, product_shape(lhs, rhs), product_dtype(lhs, rhs))
    if init_cond is not None:
        check_dtype("init_cond", scalar_dtype(init_cond), (BOOL,))
    return accumulated(acc.shape, acc.dtype, acc.valid_shape, acc.effective_view.compact)


@tile_matmul_acc.evaluator(accumulates="acc")
def _(np: Numpy, acc: Elements, lhs: Elements, rhs: Elements, init_cond: bool | None) -> Elements:
    product = multiplied(np, lhs, rhs)
    return added(np, np.zeros_like(acc) if init_cond else acc, product)


def added(np: Numpy, acc: Elements, product: Elements) -> Elements:
    """The accumulator with a product added in its corner; either may have the smaller valid region."""
    if acc.shape == product.shape:
        return acc + product.astype(acc.dtype, copy=False)
    corner: Any = tuple([slice(0, min(extents)) for extents in zip(acc.shape, product.shape, strict=True)])
    total = acc.copy()
    total[corner] += product[corner].astype(acc.dtype)
    return total


@_biased("tile.matmul_bias", spellings=("matmul_bias",))
def tile_matmul_bias(lhs: TileType, rhs: TileType, bias: TileType) -> TileType:
    """Matrix product plus a row: ``lhs @ rhs + bias``; [M, K], [K, N], [1, N] give [M, N].

    As ``matmul``; the bias has the element type of the product. Raises PL203 or PL204 where the operands do not fit.
    """
    dtype = product_dtype(lhs, rhs)
    result = product(lhs, rhs, dtype)
    check_bias(bias, result.shape[1], dtype)
    return result


@tile_matmul_bias.evaluator
def _(np: Numpy, lhs: Elements, rhs: Elements, bias: Elements, types: Types) -> Elements:
    return biased(multiplied(np, lhs, rhs), bias, types)


def biased(product: Elements, bias: Elements, types: Types) -> Elements:
    """The product with a row added to each of its rows; PL504 where the row is valid in fewer columns."""
    return product + alongside("bias", bias, types["bias"].shape, product.shape)


def vector_product(lhs: TileType, rhs: TileType, acc_phase: str) -> TileType:
    """The shared rule of a matrix-vector product: [16, N], of which the first row is valid."""
    if acc_phase not in ACC_PHASES:
        expected = " or ".join(map(repr, ACC_PHASES))
        raise problem("PL205", "acc_phase", "there is no such phase", found=repr(acc_phase), expected=expected)
    check_same_dtype("rhs", rhs.dtype, "lhs", lhs.dtype)
    check_dtype("lhs", lhs.dtype, (FP16, BF16, FP32, INT8))
    rows, columns = product_shape(lhs, rhs)
    if rows != 1:
        raise problem(
            "PL203",
            "lhs",
            "lhs must be one row",
            found=list_text(lhs.shape),
            expected="a shape of [1, K]",
            hint="pl.matmul multiplies matrices of more rows",
        )
    dtype = FP32 if lhs.dtype.is_float else INT32
    return accumulated((GEMV_ROWS, columns), dtype, (1, rhs.valid_shape[1]))


@_product("tile.gemv", spellings=("gemv",))
def tile_gemv(lhs: TileType, rhs: TileType, acc_phase: str = "unspecified") -> TileType:
    """Product of a row and a matrix, ``lhs @ rhs``: [1, K] and [K, N] give [16, N], of which [1, N] is valid.

    FP16, BF16 and FP32 give FP32, INT8 gives INT32. ``acc_phase`` is ``"unspecified"``, ``"partial"`` or ``"final"``.

    Raises PL203, PL204 or PL205 where the operands do not fit.
    """
    return vector_product(lhs, rhs, acc_phase)


@tile_gemv.evaluator
def _(np: Numpy, lhs: Elements, rhs: Elements, result: Extents) -> Elements | Partial:
    return in_corner(np, multiplied(np, lhs, rhs), result.valid)


@_accumulating("tile.gemv_acc", spellings=("gemv_acc",))
def tile_gemv_acc(acc: TileType, lhs: TileType, rhs: TileType, acc_phase: str = "unspecified") -> TileType:
    """Adds the product of a row and a matrix to ``acc``, in its place; ``acc`` is what ``gemv`` makes.

    Raises PL203, PL204, PL205, or PL208 for another valid region than one row.
    """
    result = vector_product(lhs, rhs, acc_phase)
    check_accumulator(acc, result.shape, result.dtype)
    rows, columns = acc.valid_shape
    if not provably_equal(rows, 1) or provably_different(columns, result.valid_shape[1]):
        raise problem(
            "PL208",
            "acc",
            "the accumulator has the wrong valid region",
            found=list_text(acc.valid_shape),
            expected=list_text(result.valid_shape),
            hint="start from pl.gemv, or narrow it with pl.set_validshape",
        )
    return result


@tile_gemv_acc.evaluator(accumulates="acc")
def _(np: Numpy, acc: Elements, lhs: Elements, rhs: Elements, result: Extents) -> Elements:
    row = np.zeros(result.valid, acc.dtype)
    return added(np, added(np, row, acc), multiplied(np, lhs, rhs))


@_biased("tile.gemv_bias", spellings=("gemv_bias",))
def tile_gemv_bias(lhs: TileType, rhs: TileType, bias: TileType, acc_phase: str = "unspecified") -> TileType:
    """Product of a row and a matrix plus a row: [1, K], [K, N], [1, N] give [16, N], of which [1, N] is valid.

    As ``gemv``; the bias has the element type of the product. Raises PL203, PL204 or PL205 where they do not fit.
    """
    result = vector_product(lhs, rhs, acc_phase)
    check_bias(bias, result.shape[1], result.dtype)
    return result


@tile_gemv_bias.evaluator
def _(np: Numpy, lhs: Elements, rhs: Elements, bias: Elements, types: Types, result: Extents) -> Elements | Partial:
    return in_corner(np, biased(multiplied(np, lhs, rhs), bias, types), result.valid)


def batched(lhs: TileType, rhs: TileType) -> Dims:
    """The shape of a product of stacks of matrices, whose leading extents are broadcast."""
    for operand, tile in (("lhs", lhs), ("rhs", rhs)):
        if len(tile.shape) < 2:
            raise problem(
                "PL203",
                operand,
                f"{operand} must be a matrix or a stack of matrices",
                found=list_text(tile.shape),
                expected="at least 2 dimensions",
            )
    check_inner(lhs, rhs)
    return (*broadcast("rhs", lhs.shape[:-2], rhs.shape[:-2]), lhs.shape[-2], rhs.shape[-1])


@_product("tile.batch_matmul", spellings=("batch_matmul",))
def tile_batch_matmul(lhs: TileType, rhs: TileType) -> TileType:
    """Matrix products of stacks: [..., M, K] and [..., K, N] give [..., M, N], leading extents broadcast.

    Element types as in ``matmul``; the result is fully valid. Raises PL203 or PL204 where the operands do not fit.
    """
    shape = batched(lhs, rhs)
    return accumulated(shape, product_dtype(lhs, rhs), shape)


@tile_batch_matmul.evaluator
def _(np: Numpy, lhs: Elements, rhs: Elements, types: Types, result: Extents) -> Elements | Partial:
    return in_corner(np, multiplied(np, *paired_stacks(lhs, rhs, types)), result.shape)


def paired_stacks(lhs: Elements, rhs: Elements, types: Types) -> tuple[Elements, Elements]:
    """The parts of two stacks of one rank in which both have valid matrices; an extent of 1 is repeated."""
    rank = max(lhs.ndim, rhs.ndim)
    whole = [(1,) * (rank - len(types[name].shape)) + types[name].shape for name in ("lhs", "rhs")]
    lhs, rhs = [stack.reshape((1,) * (rank - stack.ndim) + stack.shape) for stack in (lhs, rhs)]
    for axis, extents in enumerate(zip(*whole, strict=True)):
        if axis < rank - 2 and not any(isinstance(extent, int) and extent == 1 for extent in extents):
            both: Any = (*[slice(None)] * axis, slice(0, min(lhs.shape[axis], rhs.shape[axis])))
            lhs, rhs = lhs[both], rhs[both]
    return lhs, rhs


@_accumulating("tile.batch_matmul_acc")
def tile_batch_matmul_acc(acc: TileType, lhs: TileType, rhs: TileType) -> TileType:
    """Adds matrix products of stacks to ``acc``, in its place; as ``batch_matmul``. The result is fully valid.

    Raises PL203 or PL204 where the operands do not fit.
    """
    check_accumulator(acc, batched(lhs, rhs), product_dtype(lhs, rhs))
    return accumulated(acc.shape, acc.dtype, acc.shape)


@tile_batch_matmul_acc.evaluator(accumulates="acc", whole=("acc",))
def _(np: Numpy, acc: Elements, lhs: Elements, rhs: Elements, types: Types) -> Elements:
    return added(np, acc, multiplied(np, *paired_stacks(lhs, rhs, types)))
