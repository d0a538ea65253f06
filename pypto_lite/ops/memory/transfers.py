"""Operators that bring tiles into being and move them between memories."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Final

from pypto_lite.ir import (
    PTR,
    AtomicType,
    Dims,
    DType,
    MemorySpace,
    PipeType,
    PtrType,
    ScalarType,
    TensorLayout,
    TensorType,
    TensorView,
    TileLayout,
    TileType,
    TileView,
    implicit_tile_view,
)
from pypto_lite.ir.dtypes import BF16, FP4, FP8E8M0, FP16, FP32, INT8, INT16, INT32, UINT8
from pypto_lite.ops.framework.declaration import ByKeyword, Core
from pypto_lite.ops.framework.parameters import ConstInt, Effect
from pypto_lite.ops.framework.problems import (
    check_dtype,
    check_extents,
    check_length,
    check_rank,
    check_valid,
    list_text,
    one_of,
    problem,
)
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.framework.relations import When, Window
from pypto_lite.ops.rules.layouts import BOXED, BOXED_TURNED, FLAT, FLAT_COLUMNS, view
from pypto_lite.ops.rules.regions import Source, check_end, check_leading, check_start, read_window, written_region
from pypto_lite.ops.rules.windows import window

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy

LOADED_INTO: Final = (MemorySpace.Vec, MemorySpace.Mat)
"""The spaces that data comes into from global memory."""

CREATED_IN: Final = (
    MemorySpace.Vec,
    MemorySpace.Mat,
    MemorySpace.Left,
    MemorySpace.Right,
    MemorySpace.Acc,
    MemorySpace.Bias,
)
"""The spaces in which an empty tile can be made."""

SCALE_SPACES: Final = (MemorySpace.LeftScale, MemorySpace.RightScale)

ON_CHIP: Final = (*CREATED_IN, *SCALE_SPACES)
"""The spaces that a tile can be moved into."""

_ATOMIC_DTYPES: Final = (FP32, BF16, FP16, INT32, INT16, INT8)

_ROW, _COL = TileLayout.row_major, TileLayout.col_major

WRITES_OR_ADDS: Final = When({"atomic": AtomicType.Add}, Effect.READ_WRITE, Effect.WRITE)
"""What an operator with the keyword ``atomic`` does to its destination."""


@operator(
    "tile.create", spellings=("create_tile", "tile.create_tile"), result=ByKeyword(choices=CREATED_IN), allocates=True
)
def tile_create(
    shape: Dims,
    dtype: DType,
    target_memory: MemorySpace | None = None,
    transpose: bool | None = None,
    *,
    flat_layout: bool | None = None,
) -> TileType:
    """A new tile of undefined contents: [*shape] of ``dtype``, fully valid.

    Without ``target_memory`` placement chooses the space. In Mat, ``transpose`` lays it out as the cube core reads a
    transposed matrix and ``flat_layout`` without boxes.

    Raises PL203 for extents that are not positive constants (or an odd last one of FP4), PL210 for a scale buffer.
    """
    check_extents("shape", shape, static=True)
    last = shape[-1] if shape else 0
    if dtype is FP4 and isinstance(last, int) and (last == 0 or last % 2):
        raise problem(
            "PL203", "shape", "FP4 elements come in pairs", found=list_text(shape), expected="an even last extent"
        )
    if target_memory in SCALE_SPACES:
        raise problem(
            "PL210",
            "target_memory",
            "a scale buffer cannot be created",
            found=target_memory,
            expected="another space",
            hint="move the scales into it with pl.move",
        )
    layout = None
    if target_memory is MemorySpace.Mat and transpose and len(shape) == 2:
        layout = BOXED_TURNED
    elif target_memory is MemorySpace.Mat and flat_layout:
        layout = FLAT
    return TileType(shape, dtype, target_memory, layout)


@tile_create.evaluator
def _(np: Numpy) -> None:
    """Nothing in it is defined."""


@operator(
    "tile.load",
    spellings=("load",),
    result=ByKeyword(choices=LOADED_INTO),
    core=Core.BY_TARGET,
    pipe=PipeType.MTE2,
    same_as={"valid_shape": "shapes"},
    window=Window("tensor", "offsets", ("shapes",)),
)
def tile_load(
    tensor: TensorType,
    offsets: Dims,
    shapes: Dims,
    valid_shape: Dims | None = None,
    target_memory: MemorySpace | None = None,
    clamp: bool = False,
) -> TileType:
    """Reads the window ``shapes`` of a tensor at ``offsets`` into a tile.

    ``shapes`` is constant; ``valid_shape`` (all of it by default) is the part that holds data. ``clamp`` cuts the
    window off at the end of the tensor. Without ``target_memory`` placement chooses the space. To a window of more axes
    the tensor has leading axes of extent 1.

    Raises PL203 for a shape that does not fit, PL206 for a window that provably leaves the tensor, PL208 for a valid
    region larger than the window, PL210 for a tensor layout that the space cannot hold.
    """
    requested = shapes if valid_shape is None else valid_shape
    check_extents("shapes", shapes, static=True)
    check_length("offsets", offsets, len(shapes), "the window")
    check_valid("valid_shape", requested, shapes)
    source = Source("tensor", tensor.shape, tensor.valid_shape, "offsets")
    if len(tensor.shape) == len(shapes):
        valid = read_window(source, offsets, shapes, requested, clamp=clamp)
    else:
        valid = requested
        if len(tensor.shape) < len(shapes):
            check_leading("shapes", source, offsets, shapes, () if clamp else valid)
        for axis in range(len(offsets)):
            check_start(source, offsets, axis)
    base = _loaded_view(tensor, shapes, target_memory)
    return TileType(shapes, tensor.dtype, target_memory, view(base, shapes, valid))


@tile_load.evaluator(moves=("tensor",), whole=("tensor",))
def _(np: Numpy, tensor: Elements, offsets: tuple[int, ...], result: Extents) -> Elements:
    source = of_rank(tensor, len(offsets))
    return source[window("tensor", source.shape, offsets, result.valid)]


def of_rank(tensor: Elements, rank: int) -> Elements:
    """A tensor as a window of another rank sees it: leading axes are rows behind one another, or of extent 1."""
    missing = rank - tensor.ndim
    if missing == 0:
        return tensor
    if missing > 0:
        return tensor.reshape((1,) * missing + tensor.shape)
    return tensor.reshape((prod(tensor.shape[: 1 - missing]), *tensor.shape[1 - missing :]))


def _loaded_view(tensor: TensorType, shapes: Dims, space: MemorySpace | None) -> TileView:
    """The layout that a load gives a tile."""
    if tensor.layout in (TensorLayout.MX_A_ZZ, TensorLayout.MX_B_NN):
        return _scale_view(tensor, shapes, space)
    if space is not MemorySpace.Mat:
        return FLAT_COLUMNS if shapes and shapes[-1] == 1 else FLAT
    by_columns = tensor.layout is TensorLayout.DN
    if len(shapes) == 2 and shapes[1 if by_columns else 0] == 1:
        return FLAT
    return BOXED_TURNED if by_columns else BOXED


def _scale_view(tensor: TensorType, shapes: Dims, space: MemorySpace | None) -> TileView:
    """The layout of scales on their way to the cube core."""
    check_dtype("tensor", tensor.dtype, (FP8E8M0, UINT8))
    check_rank("tensor", tensor, 2)
    if len(shapes) != 2 or space is not MemorySpace.Mat:
        raise problem(
            "PL210",
            "target_memory",
            f"a tensor in {tensor.layout.name} layout holds scales, which go to Mat",
            found=repr(space),
            expected="pl.MemorySpace.Mat, and a window of two dimensions",
        )
    order = _ROW if tensor.layout is TensorLayout.MX_A_ZZ else _COL
    return TileView((), order, order, 32)


@operator(
    "tile.store",
    spellings=("store",),
    spaces={"tile": (MemorySpace.Vec, MemorySpace.Acc)},
    core=Core.BY_OPERAND,
    effects={"output_tensor": WRITES_OR_ADDS},
    tied_operand="output_tensor",
    window=Window("output_tensor", "offsets", ("shapes", "tile")),
)
def tile_store(
    tile: TileType,
    offsets: Dims,
    output_tensor: TensorType,
    shapes: Dims | None = None,
    *,
    atomic: AtomicType = AtomicType.None_,
) -> TensorType:
    """Writes the valid part of a tile into a tensor at ``offsets``; the result is the tensor after the write.

    The element types may differ. ``atomic=pl.AtomicType.Add`` adds to what is there (FP32, BF16, FP16, INT32, INT16 or
    INT8). ``shapes`` gives the window that is written where its rank differs from the tile's. A tensor that is only
    partly valid grows by what is written.

    Raises PL203, PL204, PL206 for a write that provably leaves the tensor, or PL208 where the valid region cannot
    grow so.
    """
    if atomic is AtomicType.Add and output_tensor.dtype not in _ATOMIC_DTYPES:
        raise problem(
            "PL204",
            "output_tensor",
            "atomic adds do not know this element type",
            found=output_tensor.dtype,
            expected=one_of(_ATOMIC_DTYPES),
        )
    if shapes is not None:
        check_extents("shapes", shapes, static=False)
        check_length("shapes", shapes, len(offsets), "the offsets")
    else:
        check_length("offsets", offsets, len(tile.shape), "the tile")
    target = Source("output_tensor", output_tensor.shape, output_tensor.valid_shape, "offsets")
    for axis in range(len(offsets)):
        check_start(target, offsets, axis)
    if len(offsets) > len(output_tensor.shape):
        if shapes is None:
            check_leading("tile", target, offsets, tile.shape, tile.valid_shape)
        else:
            check_leading("shapes", target, offsets, shapes, shapes)
    if shapes is not None or len(tile.shape) != len(output_tensor.shape):
        return output_tensor
    for axis, extent in enumerate(tile.valid_shape):
        check_end(target, offsets, axis, extent, tile.valid_shape)
    return grown(output_tensor, written_region(target, tile.valid_shape, offsets))


@tile_store.evaluator(writes="output_tensor", sized=("output_tensor",))
def _(
    np: Numpy,
    tile: Elements,
    offsets: tuple[int, ...],
    output_tensor: tuple[int, ...],
    shapes: tuple[int, ...] | None,
) -> tuple[Any, Elements]:
    values = tile if shapes is None else _as_window(tile, shapes)
    missing = len(offsets) - len(output_tensor)
    if missing >= 0:
        where = window("output_tensor", (1,) * missing + output_tensor, offsets, values.shape)
        return where[missing:], values.reshape(values.shape[missing:])
    # Leading axes are rows behind one another, as in of_rank.
    leading, rest = output_tensor[: 1 - missing], output_tensor[1 - missing :]
    rows, *others = window("output_tensor", (prod(leading), *rest), offsets, values.shape)
    return (*np.unravel_index(np.arange(rows.start, rows.stop), leading), *others), values


def _as_window(tile: Elements, shapes: tuple[int, ...]) -> Elements:
    """The valid part of a tile as a window of another rank: row by row, or its corner where that is all there is.

    PL506 where the tile has more rows than a window of fewer axes.
    """
    if tile.size == prod(shapes):
        return tile.reshape(shapes)
    fewer = max(tile.ndim - len(shapes), 0)
    if prod(tile.shape[:fewer]) != 1:
        raise problem(
            "PL506",
            "shapes",
            "the window has no place for the rows of the tile",
            found=f"{list(shapes)} for {list(tile.shape)}",
            expected="as many elements as are valid, or as many axes as the tile has",
        )
    corner = tile.reshape((1,) * (len(shapes) - tile.ndim) + tile.shape[fewer:])
    return corner[tuple([slice(0, extent) for extent in shapes])]


def grown(tensor: TensorType, valid: Dims) -> TensorType:
    """The tensor with another valid region."""
    own = tensor.view
    if own is None or valid is own.valid_shape:
        return tensor
    changed = TensorView(valid, own.stride, own.layout, own.pad)
    return TensorType(tensor.shape, tensor.dtype, changed, tensor.distributed)


@operator(
    "tile.move",
    spellings=("move",),
    result=ByKeyword(MemorySpace.Vec, ON_CHIP),
    core=Core.BY_ROUTE,
    in_place_safe=False,
)
def tile_move(
    tile: TileType, target_memory: MemorySpace, blayout: TileLayout | None = None, slayout: TileLayout | None = None
) -> TileType:
    """Copies a tile into another space.

    Shape, element type and valid region stay (UINT8 becomes FP8E8M0 in a scale buffer). The layout becomes that of the
    space where it boxes its tiles; Vec and Bias keep the tile's own, unless ``blayout`` and ``slayout`` say otherwise.

    Raises PL203, PL204 or PL210 for a tile that a scale buffer cannot take.
    """
    if target_memory in SCALE_SPACES:
        return _moved_scales(tile, target_memory)
    own, theirs = tile.effective_view, implicit_tile_view(tile.shape, target_memory)
    flat = theirs.slayout is TileLayout.none_box
    order = own.blayout if flat else theirs.blayout
    boxes = own.slayout if flat else theirs.slayout
    if target_memory is MemorySpace.Right:
        order = _ROW
    base = TileView((), blayout or order, slayout or boxes, theirs.fractal, own.pad)
    return TileType(tile.shape, tile.dtype, target_memory, view(base, tile.shape, tile.valid_shape))


@tile_move.evaluator(moves=("tile",), whole=("tile",))
def _(np: Numpy, tile: Elements, result: Extents) -> Elements:
    # In a scale buffer bytes count as exponents.
    return tile if tile.dtype == result.storage else tile.view(result.storage)


def _moved_scales(tile: TileType, space: MemorySpace) -> TileType:
    check_rank("tile", tile, 2)
    check_dtype("tile", tile.dtype, (UINT8, FP8E8M0))
    expected = implicit_tile_view(tile.shape, space)
    own = tile.effective_view
    same_layout = (own.blayout, own.slayout, own.fractal) == (expected.blayout, expected.slayout, expected.fractal)
    if tile.space is not MemorySpace.Mat or not same_layout:
        order = expected.blayout.name
        raise problem(
            "PL210",
            "tile",
            f"scales reach {space.name} from Mat, laid out as they are there",
            found=tile,
            expected=f"a tile in Mat, {order}/{order}/{expected.fractal}",
            hint="load them from a tensor in the layout pl.TensorLayout.MX_A_ZZ or MX_B_NN",
        )
    return TileType(tile.shape, FP8E8M0, space, view(expected, tile.shape, tile.valid_shape))


@operator("tile.alloc", core=Core.VECTOR, carried=("pinned",), allocates=True)
def tile_alloc(memory_space: ConstInt, size: ScalarType, pinned: bool = False) -> PtrType:
    """A raw allocation of ``size`` bytes in the space of this number; PL210 for a number that is no space."""
    if all(space.value != memory_space for space in MemorySpace):
        raise problem(
            "PL210",
            "memory_space",
            "there is no memory space of this number",
            found=memory_space,
            expected=f"0 to {max(space.value for space in MemorySpace)}",
        )
    return PTR


@tile_alloc.evaluator
def _(np: Numpy) -> None:
    """Raw memory, which nothing here can look into."""
