"""Operators that sort: blocks of 32 elements, and merges of sorted runs."""

from __future__ import annotations

from typing import Final

from pypto_lite.ir import TileLayout, TileType
from pypto_lite.ir.dims import multiply
from pypto_lite.ir.dtypes import FP16, FP32, INT32
from pypto_lite.ops.declaration import ConstInt, TakesDType
from pypto_lite.ops.elementwise import vector_operator
from pypto_lite.ops.layouts import fresh
from pypto_lite.ops.problems import check_dtype, check_same_dtype, problem

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

    ``src`` is FP16 or FP32 (PL204). The result is fully valid.
    """
    check_dtype("src", src.dtype, (FP16, FP32))
    return fresh((*src.shape[:-1], multiply(src.shape[-1], 2)), src.dtype)


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

    ``src`` is what ``sort32`` makes, FP16 or FP32; ``block_len`` is a constant multiple of 64.

    Raises PL203 for another length, PL204 for another element type.
    """
    check_dtype("src", src.dtype, (FP16, FP32))
    if block_len <= 0 or block_len % RUN:
        raise problem(
            "PL203", "block_len", "runs have another length", found=block_len, expected=f"a positive multiple of {RUN}"
        )
    return fresh(src.shape, src.dtype)


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

    All are FP16 or FP32, of one element type. ``exhausted`` stops where the first of them is used up.

    Raises PL202 where the scratch is missing, PL204 for other element types.
    """
    tiles = [tile for tile in (src0, src1, src2, src3, tmp) if tile is not None]
    if len(tiles) < 3:
        raise problem("PL202", "tmp", "a merge needs scratch", expected="two to four sorted tiles and a scratch tile")
    check_dtype("src0", src0.dtype, (FP16, FP32))
    for index, tile in enumerate(tiles[1:-1], 1):
        check_same_dtype(f"src{index}", tile.dtype, "src0", src0.dtype)
    return fresh(tiles[-1].shape, src0.dtype)
