"""Operators that pass tiles between the cube core and the vector cores, and set up the pipes between them.

Pipes have no meaning in a run: what is received depends on the other core, which would have to run beside.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pypto_lite.ir import UNKNOWN, Dims, DType, MemorySpace, ScalarType, SplitMode, TileType, Type, UnknownType
from pypto_lite.ir.dims import ceil_divide, multiply
from pypto_lite.ir.dtypes import INT32
from pypto_lite.ops.framework.declaration import Core
from pypto_lite.ops.framework.parameters import TakesDType
from pypto_lite.ops.framework.problems import check_extents, check_rank, problem
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.rules.layouts import flat_by_shape, view

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Numpy

_TRANSFER_DETAILS: Final = """\
``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
``id`` names the pipe where there are several."""

_push = partial(operator, synchronises=True, details=_TRANSFER_DETAILS)
_pop = partial(operator, synchronises=True, details=_TRANSFER_DETAILS)
_free = partial(operator, synchronises=True, carried=("split", "id"), details=_TRANSFER_DETAILS)


@_push(
    "tile.tpush_to_aiv",
    spellings=("tpush_to_aiv", "system.tpush_to_aiv"),
    core=Core.CUBE,
    carried=("split", "lane_stride", "id"),
)
def tile_tpush_to_aiv(
    tile: TileType,
    *,
    split: SplitMode,
    lane_stride: int | None = None,
    id: int | None = None,  # noqa: A002
) -> UnknownType:
    """Sends a tile from the cube core to the vector cores."""
    return UNKNOWN


@_push(
    "tile.tpush_to_aic", spellings=("tpush_to_aic", "system.tpush_to_aic"), core=Core.VECTOR, carried=("split", "id")
)
def tile_tpush_to_aic(tile: TileType, *, split: SplitMode, id: int | None = None) -> UnknownType:  # noqa: A002
    """Sends a tile from a vector core to the cube core."""
    return UNKNOWN


def popped(shape: Dims | None, dtype: DType | None, space: MemorySpace) -> Type:
    """A received tile; without a shape its type is what the annotation says."""
    if shape is None and dtype is None:
        return UNKNOWN
    if shape is None or dtype is None:
        missing = "shape" if shape is None else "dtype"
        raise problem("PL205", missing, "a received tile needs both its shape and its dtype", expected=missing)
    check_extents("shape", shape, static=True)
    return TileType(shape, dtype, space)


@_pop(
    "tile.tpop_from_aic",
    spellings=("tpop_from_aic", "system.tpop_from_aic"),
    core=Core.VECTOR,
    carried=("split", "lane_stride", "id"),
)
def tile_tpop_from_aic(
    *,
    shape: Dims | None = None,
    dtype: DType | None = None,
    split: SplitMode = SplitMode.NONE,
    lane_stride: int | None = None,
    id: int | None = None,  # noqa: A002
) -> Type:
    """Receives a tile from the cube core: [*shape] of ``dtype`` in Vec.

    Without both, the annotation of the variable says what it is. Raises PL203 for extents that are not positive
    constants, PL205 where one of the two is missing.
    """
    return popped(shape, dtype, MemorySpace.Vec)


@_pop(
    "tile.tpop_from_aiv", spellings=("tpop_from_aiv", "system.tpop_from_aiv"), core=Core.CUBE, carried=("split", "id")
)
def tile_tpop_from_aiv(
    *,
    shape: Dims | None = None,
    dtype: DType | None = None,
    split: SplitMode = SplitMode.NONE,
    id: int | None = None,  # noqa: A002
) -> Type:
    """Receives a tile from a vector core: [*shape] of ``dtype`` in Mat.

    Without both, the annotation of the variable says what it is. Raises PL203 for extents that are not positive
    constants, PL205 where one of the two is missing.
    """
    return popped(shape, dtype, MemorySpace.Mat)


@_free("system.tfree_to_aic", spellings=("tfree_to_aic",), core=Core.VECTOR)
def system_tfree_to_aic(
    tile: TileType,
    *,
    split: SplitMode | None = None,
    id: int | None = None,  # noqa: A002
) -> UnknownType:
    """Gives the slot of a received tile back to the cube core."""
    return UNKNOWN


@_free("system.tfree_to_aiv", spellings=("tfree_to_aiv",), core=Core.CUBE)
def system_tfree_to_aiv(
    tile: TileType,
    *,
    split: SplitMode | None = None,
    id: int | None = None,  # noqa: A002
) -> UnknownType:
    """Gives the slot of a received tile back to a vector core."""
    return UNKNOWN


_BUFFER: Final = TakesDType(dtype=INT32)

_pipe = partial(
    operator,
    synchronises=True,
    carried=("dir_mask", "slot_num", "local_slot_num", "id"),
    literals={"c2v_consumer_buf": _BUFFER, "v2c_consumer_buf": _BUFFER},
    details="Raises PL205 for a slot size that is not positive.",
)


def check_bytes(keyword: str, size: int) -> None:
    """PL205 for a number of bytes that is not positive."""
    if size <= 0:
        raise problem("PL205", keyword, f"{keyword} is not positive", found=size, expected="at least 1 byte")


@_pipe("system.aic_initialize_pipe", spellings=("aic_initialize_pipe",), core=Core.CUBE)
def system_aic_initialize_pipe(
    c2v_consumer_buf: ScalarType,
    v2c_consumer_buf: ScalarType,
    *,
    dir_mask: int,
    slot_size: int,
    slot_num: int | None = None,
    local_slot_num: int | None = None,
    id: int | None = None,  # noqa: A002
) -> UnknownType:
    """Sets up a pipe between the cores, on the cube core: directions, bytes of a slot, number of slots."""
    check_bytes("slot_size", slot_size)
    return UNKNOWN


@_pipe("system.aiv_initialize_pipe", spellings=("aiv_initialize_pipe",), core=Core.VECTOR)
def system_aiv_initialize_pipe(
    c2v_consumer_buf: ScalarType,
    v2c_consumer_buf: ScalarType,
    *,
    dir_mask: int,
    slot_size: int,
    slot_num: int | None = None,
    local_slot_num: int | None = None,
    id: int | None = None,  # noqa: A002
) -> UnknownType:
    """Sets up a pipe between the cores, on a vector core: directions, bytes of a slot, number of slots."""
    check_bytes("slot_size", slot_size)
    return UNKNOWN


@operator("system.reserve_buffer", spellings=("reserve_buffer",), reserves=True, carried=("name", "base"))
def system_reserve_buffer(*, name: str, size: int, base: int = -1) -> ScalarType:
    """Reserves ``size`` bytes on chip under a name for what other cores send.

    ``base`` is their address; -1 leaves it open. The result is the address, an INT32.

    Raises PL205 for a size that is not positive.
    """
    check_bytes("size", size)
    return ScalarType(INT32)


@operator("system.import_peer_buffer", spellings=("import_peer_buffer",), pure=False, carried=("name", "peer_func"))
def system_import_peer_buffer(*, name: str, peer_func: str) -> ScalarType:
    """The address of the buffer that another function reserved under this name, an INT32."""
    return ScalarType(INT32)


_SPLIT_AXES: Final = {SplitMode.UP_DOWN: 0, SplitMode.LEFT_RIGHT: 1}


@operator(
    "tile.aiv_shard",
    spellings=("aiv_shard",),
    result=MemorySpace.Vec,
    core=Core.MIXED,
    aliases={"tile": ("x",)},
    carried=("lane_stride",),
)
def tile_aiv_shard(tile: TileType, *, split: SplitMode, lane_stride: int | None = None) -> TileType:
    """The part of a matrix that one of the two vector cores gets: half of its rows, or half of its columns, rounded up.

    A run has one vector core, to which only a matrix that is not split means anything (PL507).

    Raises PL203 for other than two dimensions.
    """
    check_rank("tile", tile, 2)
    axis = _SPLIT_AXES.get(split)
    shape, valid = _halved(tile.shape, axis), _halved(tile.valid_shape, axis)
    return TileType(shape, tile.dtype, None, view(flat_by_shape(shape), shape, valid))


@tile_aiv_shard.evaluator(moves=("tile",), whole=("tile",))
def _(np: Numpy, tile: Elements, split: SplitMode) -> Elements:
    check_undivided(split)
    return tile


def check_undivided(split: SplitMode) -> None:
    """PL507 for a part of a tile, which is one thing on one core and another on the other."""
    if split is not SplitMode.NONE:
        raise problem(
            "PL507",
            "split",
            "a run has one vector core, and there is no tile for it to share",
            found=split,
            expected="pl.SplitMode.NONE",
            hint="run the program as it is before its vector work is split",
        )


def _halved(dims: Dims, axis: int | None) -> Dims:
    return tuple([ceil_divide(dim, 2) if index == axis else dim for index, dim in enumerate(dims)])


@operator(
    "tile.aic_gather", spellings=("aic_gather",), result=MemorySpace.Mat, core=Core.MIXED, aliases={"tile": ("x",)}
)
def tile_aic_gather(tile: TileType, *, split: SplitMode) -> TileType:
    """The matrix that the parts of the two vector cores make up: twice the rows, or twice the columns, in Mat.

    A run has one vector core, to which only a matrix that is not split means anything (PL507).

    Raises PL203 for other than two dimensions.
    """
    check_rank("tile", tile, 2)
    axis = _SPLIT_AXES.get(split)
    shape, valid = _doubled(tile.shape, axis), _doubled(tile.valid_shape, axis)
    return TileType(shape, tile.dtype, None, view(flat_by_shape(shape), shape, valid))


@tile_aic_gather.evaluator(moves=("tile",), whole=("tile",))
def _(np: Numpy, tile: Elements, split: SplitMode) -> Elements:
    check_undivided(split)
    return tile


def _doubled(dims: Dims, axis: int | None) -> Dims:
    return tuple([multiply(dim, 2) if index == axis else dim for index, dim in enumerate(dims)])
