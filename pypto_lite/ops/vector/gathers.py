"""Operators that pick elements of a tile by index or pattern, or put them there."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import CompareMode, Dim, DType, ScalarType, TileLayout, TileType, TupleType
from pypto_lite.ir.dims import floor_divide, multiply, provably_different
from pypto_lite.ir.dtypes import FP16, FP32, INT16, INT32, UINT32
from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy, Partial
from pypto_lite.ops.framework.parameters import Effect, TakesDType, supplied
from pypto_lite.ops.framework.problems import (
    check_dtype,
    check_integer,
    check_rank,
    check_same_dtype,
    check_shape,
    list_text,
    problem,
)
from pypto_lite.ops.rules.layouts import fresh, same
from pypto_lite.ops.rules.windows import check_positions, in_corner, shared_part
from pypto_lite.ops.vector.comparisons import COMPARISONS
from pypto_lite.ops.vector.elementwise import vector_operator

if TYPE_CHECKING:
    from pypto_lite.ops.rules.numeric import Types

BLOCK_BYTES: Final = 32
"""The vector core reads memory in blocks of this many bytes."""

GATHERED: Final = (FP16, FP32, INT16, INT32)

PATTERN_DETAILS: Final = """\
Patterns: 1 and 2 take every second element, from the first or the second one; 3 to 6 every fourth, from the first to
the fourth one; 7 takes all (``pl.tile.MaskPattern`` has names for them)."""

_PATTERNS: Final = {1: (0, 2), 2: (1, 2), 3: (0, 4), 4: (1, 4), 5: (2, 4), 6: (3, 4), 7: (0, 1)}
"""The first element that each pattern takes, and of how many it takes one."""

_into = partial(vector_operator, effects={"dst": Effect.READ_WRITE}, tied_operand="dst")
"""Declares an operator that writes into its first tile."""


def pattern_stride(mask_pattern: int) -> int:
    """Of how many elements a pattern takes one; PL205 for what is no pattern."""
    if mask_pattern not in _PATTERNS:
        raise problem("PL205", "mask_pattern", "there is no such pattern", found=mask_pattern, expected="1 to 7")
    _, stride = _PATTERNS[mask_pattern]
    return stride


def taken(elements: Elements, mask_pattern: int) -> Elements:
    """A view of the elements of each row that a pattern takes."""
    first, stride = _PATTERNS[mask_pattern]
    return elements[..., first::stride]


@vector_operator("tile.gather", in_place_safe=False)
def tile_gather(src: TileType, indices: TileType, tmp: TileType) -> TileType:
    """The elements of ``src`` at these flat positions, in the shape of ``indices``; ``tmp`` is scratch.

    ``src`` is FP16, FP32, INT16 or INT32; ``indices`` INT32, or INT16 beside 16-bit elements. Positions count row by
    row through the whole shape of ``src``. The result is fully valid; it has values where ``indices`` is valid.

    Raises PL204 for other element types.
    """
    check_dtype("src", src.dtype, GATHERED)
    check_dtype("indices", indices.dtype, (INT32, INT16) if src.dtype.bits == 16 else (INT32,))
    return fresh(indices.shape, src.dtype)


@tile_gather.evaluator(moves=("src",), whole=("src",))
def _(np: Numpy, src: Elements, indices: Elements, result: Extents) -> Elements | Partial:
    check_positions("indices", indices, src.size, "src")
    return in_corner(np, src.reshape(-1)[indices], result.shape)


@vector_operator(
    "tile.gatherb",
    spellings=("gatherb",),
    layouts=("src", "offset"),
    result_layout=TileLayout.row_major,
    in_place_safe=False,
)
def tile_gatherb(src: TileType, offset: TileType, *, output_dtype: DType | None = None) -> TileType:
    """Blocks of 32 bytes of ``src`` at these byte offsets: [M, N] offsets give [M, N * 32 / element bytes].

    ``offset`` is UINT32 with a multiple of 8 columns, its elements are multiples of 32; ``output_dtype`` is that of
    ``src`` where it is left out.

    Raises PL203 for other columns, PL204 for other element types.
    """
    check_dtype("offset", offset.dtype, (UINT32,))
    check_rank("offset", offset, 2)
    columns = offset.shape[1]
    if isinstance(columns, int) and columns % 8:
        raise problem(
            "PL203",
            "offset",
            "offset has the wrong number of columns",
            found=list_text(offset.shape),
            expected="a multiple of 8 columns",
        )
    dtype = output_dtype or src.dtype
    elements = BLOCK_BYTES // dtype.get_byte()
    shape = offset.shape[0], multiply(columns, elements)
    return fresh(shape, dtype, (offset.valid_shape[0], multiply(offset.valid_shape[1], elements)))


@tile_gatherb.evaluator(moves=("src",), whole=("src",))
def _(np: Numpy, src: Elements, offset: Elements, types: Types, result: Extents) -> Elements:
    size = BLOCK_BYTES // types["src"].dtype.get_byte()
    count = src.size // size
    check_positions("offset", offset, count * BLOCK_BYTES, "src")
    unaligned = offset[offset % BLOCK_BYTES != 0]
    if unaligned.size:
        raise problem(
            "PL506",
            "offset",
            "a block begins inside another",
            found=str(unaligned[0]),
            expected=f"multiples of {BLOCK_BYTES} bytes",
        )
    blocks = src.reshape(-1)[: count * size].reshape(count, size)
    return blocks[offset // BLOCK_BYTES].reshape(len(offset), offset.shape[1] * size).view(result.storage)


@vector_operator("tile.gather_mask", in_place_safe=False, details=PATTERN_DETAILS)
def tile_gather_mask(src: TileType, mask_pattern: int, *, output_dtype: DType | None = None) -> TileType:
    """The elements of each row that a pattern takes, side by side: [..., N] gives [..., N / 1, 2 or 4], fully valid.

    ``output_dtype`` reads the elements as another type of the same width.

    Raises PL203 for columns that the pattern does not divide, PL204 for a type of another width, PL205 for another
    pattern.
    """
    stride = pattern_stride(mask_pattern)
    if output_dtype is not None and output_dtype.bits != src.dtype.bits:
        raise problem(
            "PL204",
            "output_dtype",
            "output_dtype has another width than the elements",
            found=output_dtype,
            expected=f"a type of {src.dtype.bits} bits",
        )
    columns = src.shape[-1]
    if isinstance(columns, int) and columns % stride:
        raise problem(
            "PL203",
            "src",
            "the pattern does not divide the columns",
            found=list_text(src.shape),
            expected=f"a multiple of {stride} columns",
        )
    return fresh((*src.shape[:-1], floor_divide(columns, stride)), output_dtype or src.dtype)


@tile_gather_mask.evaluator(moves=("src",), whole=("src",))
def _(np: Numpy, src: Elements, mask_pattern: int, result: Extents) -> Elements:
    return np.ascontiguousarray(taken(src, mask_pattern)).view(result.storage)


@vector_operator(
    "tile.gather_compare", in_place_safe=False, carried=("cmp_mode", "offset"), literals={"kvalue": TakesDType("src")}
)
def tile_gather_compare(
    src: TileType,
    kvalue: ScalarType,
    tmp: TileType,
    *,
    cmp_mode: CompareMode = supplied(CompareMode.eq),
    offset: int = 0,
    out_cols: int,
    count_dtype: DType = INT32,
) -> TupleType:
    """The positions in each row whose elements compare so with a scalar, and how many there are.

    [M, N] gives [M, out_cols] positions (INT32, ``offset`` added) and [1, M] counts of ``count_dtype``; ``kvalue`` has
    the element type of ``src``, ``tmp`` is scratch. The positions stand side by side; what is behind them in their row
    has no value. A count also counts the positions for which there are not enough columns.

    Raises PL203 for other than two dimensions, PL204 for another type of the scalar, PL205 for no columns.
    """
    check_rank("src", src, 2)
    check_same_dtype("kvalue", kvalue.dtype, "src", src.dtype)
    check_integer("count_dtype", count_dtype)
    if out_cols <= 0:
        raise problem("PL205", "out_cols", "out_cols is not positive", found=out_cols, expected="at least 1")
    rows = src.shape[0]
    return TupleType([fresh((rows, out_cols), INT32), fresh((1, rows), count_dtype)])


@tile_gather_compare.evaluator
def _(
    np: Numpy,
    src: Elements,
    kvalue: float,
    cmp_mode: CompareMode,
    offset: int,
    result: tuple[Extents, Extents],
) -> tuple[Partial, Elements | Partial]:
    found = COMPARISONS[cmp_mode](src, kvalue)
    rank = found.cumsum(axis=1) - 1
    rows, columns = np.nonzero(found & (rank < result[0].shape[1]))
    positions, known = np.zeros(result[0].shape, np.int32), np.zeros(result[0].shape, bool)
    positions[rows, rank[rows, columns]] = columns + offset
    known[rows, rank[rows, columns]] = True
    return Partial(positions, known), in_corner(np, found.sum(axis=1)[None, :], result[1].shape)


@_into("tile.scatter")
def tile_scatter(dst: TileType, src: TileType, indexes: TileType) -> TileType:
    """Writes the elements of ``src`` to these flat positions of ``dst``, in its place.

    ``src`` has the element type of ``dst``; ``indexes`` the shape of ``src``, INT32 for 4-byte elements, else INT16.
    Positions count row by row through the whole shape of ``dst``; one that is named more than once gets the last
    element.

    Raises PL203 or PL204 otherwise.
    """
    check_same_dtype("src", src.dtype, "dst", dst.dtype)
    check_dtype("indexes", indexes.dtype, (INT32 if dst.dtype.get_byte() == 4 else INT16,))
    check_shape("indexes", indexes.shape, src.shape, "of src")
    return same(dst)


@tile_scatter.evaluator(moves=("dst", "src"), whole=("dst",))
def _(np: Numpy, dst: Elements, src: Elements, indexes: Elements) -> Elements:
    check_positions("indexes", indexes, dst.size, "dst")
    elements, positions = shared_part(src, indexes)
    scattered = dst.copy()
    scattered.reshape(-1)[positions] = elements
    return scattered


@_into("tile.scatter_mask", details=PATTERN_DETAILS)
def tile_scatter_mask(dst: TileType, src: TileType, mask_pattern: int) -> TileType:
    """Spreads the elements of ``src`` over the positions of ``dst`` that a pattern takes, in its place.

    [..., N] goes into [..., N * 1, 2 or 4] of the same element type.

    Raises PL203 for other shapes, PL204 for another element type, PL205 for another pattern.
    """
    stride = pattern_stride(mask_pattern)
    check_same_dtype("src", src.dtype, "dst", dst.dtype)
    columns: Dim = multiply(src.shape[-1], stride)
    check_shape("dst", dst.shape, (*src.shape[:-1], columns), f"of src with {stride} times the columns")
    return same(dst)


@tile_scatter_mask.evaluator(moves=("dst", "src"), whole=("dst",))
def _(np: Numpy, dst: Elements, src: Elements, mask_pattern: int) -> Elements:
    scattered = dst.copy()
    places, _ = shared_part(taken(scattered, mask_pattern), src)
    places[...] = src
    return scattered


@vector_operator(
    "tile.scatter_update", spellings=("scatter_update",), effects={"input": Effect.READ_WRITE}, tied_operand="input"
)
def tile_scatter_update(
    input: TileType,  # noqa: A002 - users write it so
    index: TileType,
    src: TileType,
    dim: int = -2,
) -> TileType:
    """Replaces the rows of ``input`` that ``index`` names by the rows of ``src``, in its place.

    ``input`` has two or four dimensions, ``index`` is a matrix of integers, ``src`` has the element type and the
    columns of ``input``; ``dim`` is -2. The valid indices, read row by row, take the valid rows of ``src`` in turn;
    with four dimensions all leading extents together count the rows. A row that is named more than once gets the last
    one.

    Raises PL203, PL204, or PL205 for another ``dim``.
    """
    if len(input.shape) not in (2, 4):
        raise problem(
            "PL203",
            "input",
            "input must have two or four dimensions",
            found=list_text(input.shape),
            expected="2 or 4 extents",
        )
    check_rank("index", index, 2)
    check_integer("index", index.dtype)
    check_same_dtype("src", src.dtype, "input", input.dtype)
    if provably_different(src.shape[-1], input.shape[-1]):
        raise problem(
            "PL203",
            "src",
            "src must have the columns of input",
            found=list_text(src.shape),
            expected=f"{input.shape[-1]!r} columns",
        )
    if dim != -2:
        raise problem("PL205", "dim", "only rows can be replaced", found=dim, expected="-2")
    return same(input)


@tile_scatter_update.evaluator(moves=("input", "src"), whole=("input",))
def _(np: Numpy, input: Elements, index: Elements, src: Elements) -> Elements:  # noqa: A002 - as above
    updated = input.copy()
    rows = updated.reshape(-1, input.shape[-1])
    check_positions("index", index, len(rows), "the rows of input")
    named, given = index.reshape(-1), src.reshape(prod(src.shape[:-1]), src.shape[-1])
    count = min(len(named), len(given))
    rows[named[:count], : src.shape[-1]] = given[:count]
    return updated
