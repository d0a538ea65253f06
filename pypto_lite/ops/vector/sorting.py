"""Operators that sort: blocks of 32 elements, and merges of sorted runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite.ir import TileLayout, TileType
from pypto_lite.ir.dims import multiply
from pypto_lite.ir.dtypes import FP16, FP32, INT32
from pypto_lite.ops.framework.parameters import ConstInt, TakesDType
from pypto_lite.ops.framework.problems import check_dtype, check_same_dtype, problem
from pypto_lite.ops.rules.layouts import fresh
from pypto_lite.ops.rules.windows import in_corner
from pypto_lite.ops.vector.elementwise import vector_operator

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy, Partial

BLOCK: Final = 32
"""How many elements ``sort32`` sorts at a time."""

RUN: Final = 64
"""A sorted run is a multiple of this many elements: 32 values with their positions."""


@vector_operator(
    "tile.sort32",
    spellings=("sort32",),
    layouts=("src", "idx"),
    result_layout=TileLayout.row_major,
    in_place_safe=False,
)
def tile_sort32(src: TileType, idx: TileType) -> TileType:
    """Sorts every 32 elements of a row, largest first, each followed by its ``idx``: [..., N] gives [..., 2 N].

    ``src`` is FP16 or FP32 (PL204). The bits of ``idx`` stand in the places of the elements, the lower ones where they
    are wider; one row of ``idx`` serves all rows. Of equal elements the first comes first, nan comes last. The result
    is fully valid; it has values for the valid elements of ``src``.
    """
    check_dtype("src", src.dtype, (FP16, FP32))
    return fresh((*src.shape[:-1], multiply(src.shape[-1], 2)), src.dtype)


@tile_sort32.evaluator
def _(np: Numpy, src: Elements, idx: Elements, result: Extents) -> Elements | Partial:
    blocks = np.arange(src.shape[-1]) // BLOCK
    order = np.lexsort((-src, np.broadcast_to(blocks, src.shape)))
    bits = idx.astype(f"u{result.storage.itemsize}").view(result.storage)
    pairs = np.stack([src.astype(result.storage), _beside(np, bits, src.shape)], axis=-1)
    return _flattened(np, np.take_along_axis(pairs, order[..., None], axis=-2), result.shape)


def _beside(np: Numpy, idx: Elements, shape: tuple[int, ...]) -> Elements:
    """An index for each element; PL505 where there are too few."""
    repeated = idx.ndim == len(shape) and all(extent == 1 for extent in idx.shape[:-1])
    enough = (*shape[:-1], idx.shape[-1]) if repeated else idx.shape
    if len(enough) != len(shape) or any(own < extent for own, extent in zip(enough, shape, strict=True)):
        raise problem(
            "PL505",
            "idx",
            "there are fewer indices than elements",
            found=str(list(idx.shape)),
            expected=f"a valid region of {list(shape)}, or of one row",
        )
    return np.broadcast_to(idx[tuple([slice(0, extent) for extent in shape])], shape)


def _flattened(np: Numpy, pairs: Elements, shape: tuple[int, ...], known: Elements = True) -> Elements | Partial:
    """Rows of pairs as rows of elements, as far as the result reaches."""
    rows = pairs.reshape(*pairs.shape[:-2], 2 * pairs.shape[-2])
    return in_corner(np, rows[..., : shape[-1]], shape, known)


def _check_rows(sources: list[Elements], result: Extents) -> None:
    """PL506 unless all tiles of a merge have the same valid rows, and there is room for them."""
    leading = [pairs.shape[:-2] for pairs in sources]
    room = result.shape[:-1]
    for index, rows in enumerate(leading):
        fits = len(rows) == len(room) and all(extent <= limit for extent, limit in zip(rows, room, strict=True))
        if rows != leading[0] or not fits:
            raise problem(
                "PL506",
                f"src{index}",
                "the rows of the tiles that are merged do not match",
                found=str(list(rows)),
                expected=f"{list(leading[0])}, and at most {list(room)} as in the scratch",
            )


def _paired(rows: Elements) -> Elements:
    """Rows of elements as rows of pairs of an element and its index."""
    count = rows.shape[-1] // 2
    return rows[..., : 2 * count].reshape(*rows.shape[:-1], count, 2)


def _ranks(np: Numpy, pairs: Elements, run: int) -> Elements:
    """What to sort pairs by, in falling order, in order to merge runs of so many of them.

    A merge takes the largest of the elements at the heads of the runs. So an element comes as late as the least one
    before it in its run; in a sorted run that is the element itself.
    """
    count = pairs.shape[-2]
    runs = -(-count // run)
    scores = np.full((*pairs.shape[:-2], runs * run), -np.inf, np.float32)
    scores[..., :count] = pairs[..., 0]
    ranks = np.minimum.accumulate(scores.reshape(*pairs.shape[:-2], runs, run), axis=-1)
    return ranks.reshape(scores.shape)[..., :count]


@vector_operator(
    "tile.mrgsort_format1",
    spellings=("mrgsort", "tile.mrgsort"),
    layouts=("src",),
    result_layout=TileLayout.row_major,
    in_place_safe=False,
    aliases={"src": ("src0",)},
    literals={"block_len": TakesDType(dtype=INT32)},
)
def tile_mrgsort_format1(src: TileType, *, block_len: ConstInt) -> TileType:
    """Merges every four neighbouring sorted runs of ``block_len`` elements; the shape stays, fully valid.

    ``src`` is what ``sort32`` makes, FP16 or FP32; ``block_len`` is a constant multiple of 64. The last runs of a row
    may be fewer or shorter. Of equal elements that of the first run comes first.

    Raises PL203 for another length, PL204 for another element type.
    """
    check_dtype("src", src.dtype, (FP16, FP32))
    if block_len <= 0 or block_len % RUN:
        raise problem(
            "PL203", "block_len", "runs have another length", found=block_len, expected=f"a positive multiple of {RUN}"
        )
    return fresh(src.shape, src.dtype)


@tile_mrgsort_format1.evaluator
def _(np: Numpy, src: Elements, block_len: int, result: Extents) -> Elements | Partial:
    pairs = _paired(src)
    ranks = _ranks(np, pairs, block_len // 2)
    groups = np.arange(ranks.shape[-1]) // (2 * block_len)
    order = np.lexsort((-ranks, np.broadcast_to(groups, ranks.shape)))
    return _flattened(np, np.take_along_axis(pairs, order[..., None], axis=-2), result.shape)


@vector_operator(
    "tile.mrgsort_format2",
    spellings=("mrgsort", "tile.mrgsort"),
    layouts=("src0", "src1", "src2", "src3"),
    result_layout=TileLayout.row_major,
    in_place_safe=False,
    carried=("exhausted",),
)
def tile_mrgsort_format2(
    src0: TileType,
    src1: TileType,
    src2: TileType | None = None,
    src3: TileType | None = None,
    tmp: TileType | None = None,
    *,
    exhausted: bool = False,
) -> TileType:
    """Merges two to four sorted tiles; the last tile given is scratch, and the result has its shape, fully valid.

    All are FP16 or FP32, of one element type. ``exhausted`` stops where the first of them is used up; what is behind
    has no value. Of equal elements that of the first tile comes first; what is too much for the result is left out.

    Raises PL202 where the scratch is missing, PL204 for other element types.
    """
    tiles = [tile for tile in (src0, src1, src2, src3, tmp) if tile is not None]
    if len(tiles) < 3:
        raise problem("PL202", "tmp", "a merge needs scratch", expected="two to four sorted tiles and a scratch tile")
    check_dtype("src0", src0.dtype, (FP16, FP32))
    for index, tile in enumerate(tiles[1:-1], 1):
        check_same_dtype(f"src{index}", tile.dtype, "src0", src0.dtype)
    return fresh(tiles[-1].shape, src0.dtype)


@tile_mrgsort_format2.evaluator(scratch_last=True)
def _(
    np: Numpy,
    src0: Elements,
    src1: Elements,
    src2: Elements | None,
    src3: Elements | None,
    exhausted: bool,
    result: Extents,
) -> Elements | Partial:
    sources = [_paired(src) for src in (src0, src1, src2, src3) if src is not None]
    _check_rows(sources, result)
    ranks = np.concatenate([_ranks(np, pairs, max(1, pairs.shape[-2])) for pairs in sources], axis=-1)
    order = np.argsort(-ranks, axis=-1, kind="stable")
    merged = np.take_along_axis(np.concatenate(sources, axis=-2), order[..., None], axis=-2)
    if not exhausted:
        return _flattened(np, merged, result.shape)
    lasts = np.cumsum([pairs.shape[-2] for pairs in sources]) - 1
    places = np.argsort(order, axis=-1)
    used_up = places[..., lasts].min(axis=-1, keepdims=True)
    known = np.repeat(np.arange(order.shape[-1]) <= used_up, 2, axis=-1)
    return _flattened(np, merged, result.shape, known[..., : result.shape[-1]])
