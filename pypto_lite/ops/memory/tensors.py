"""Operators on tensors in global memory, as orchestration functions need them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite.ir import (
    AtomicType,
    Const,
    Dim,
    Dims,
    DType,
    Expr,
    PadValue,
    ScalarType,
    TensorLayout,
    TensorType,
    TensorView,
)
from pypto_lite.ir.dims import all_provably_equal, multiply
from pypto_lite.ir.dtypes import INDEX
from pypto_lite.ops.framework.declaration import INHERIT
from pypto_lite.ops.framework.parameters import ConstInt, Effect, Indices
from pypto_lite.ops.framework.problems import (
    check_extents,
    check_length,
    check_plain,
    check_rank,
    check_valid,
    list_text,
    problem,
)
from pypto_lite.ops.framework.registry import operator
from pypto_lite.ops.memory.elements import check_element, check_indices
from pypto_lite.ops.memory.transfers import WRITES_OR_ADDS, grown
from pypto_lite.ops.memory.views import check_count, reshaped
from pypto_lite.ops.rules.regions import (
    Source,
    check_end,
    check_start,
    dropped_axes,
    read_window,
    reshaped_region,
    without_axes,
    written_region,
)
from pypto_lite.ops.rules.windows import cut_window, element, window
from pypto_lite.ops.vector.fills import DTYPE_LITERAL, check_fill
from pypto_lite.ops.vector.rearrangements import axis_index

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Extents, Numpy


@operator(
    "tensor.create",
    spellings=("create_tensor", "tensor.create_tensor"),
    allocates=True,
    lowers_to=("tile.create",),
    carried=("manual_dep", "init_value"),
)
def tensor_create(
    shape: Dims,
    dtype: DType,
    layout: TensorLayout = TensorLayout.ND,
    manual_dep: bool = False,
    init_value: float | None = None,
) -> TensorType:
    """A new tensor in global memory: [*shape] of ``dtype``; extents may be expressions.

    ``init_value`` fills it; ``manual_dep`` leaves the ordering of its readers and writers to the program.

    Raises PL203 for extents that are not positive.
    """
    check_extents("shape", shape, static=False)
    return TensorType(shape, dtype, TensorView((), (), layout))


@tensor_create.evaluator
def _(np: Numpy, init_value: float | None, result: Extents) -> Elements | None:
    return None if init_value is None else np.full(result.shape, init_value)


@operator("tensor.full", spellings=("full",), literals={"value": DTYPE_LITERAL}, lowers_to=("tile.full",))
def tensor_full(shape: Dims, dtype: DType, value: Const) -> TensorType:
    """A tensor with every element the same constant: [*shape] of ``dtype``.

    Raises PL203 for extents that are not positive, PL204 for a value that the element type does not know.
    """
    check_extents("shape", shape, static=False)
    check_fill(value, dtype)
    return TensorType(shape, dtype)


@tensor_full.evaluator
def _(np: Numpy, value: float, result: Extents) -> Elements:
    return np.full(result.shape, value)


@operator("tensor.dim", spellings=("dim",), addresses=True)
def tensor_dim(tensor: TensorType, axis: ConstInt) -> ScalarType:
    """One extent of a tensor, an INDEX; negative axes count from the end.

    Raises PL201 for a tensor on several devices, PL203 for an axis that does not exist.
    """
    check_plain("tensor", tensor)
    axis_index("axis", axis, len(tensor.shape))
    return ScalarType(INDEX)


@tensor_dim.evaluator(sized=("tensor",))
def _(np: Numpy, tensor: tuple[int, ...], axis: int) -> int:
    return tensor[axis]


@operator(
    "tensor.read",
    spellings=("read",),
    aliases={"tensor": ("src",), "indices": ("offset",)},
    addresses=True,
    lowers_to=("tile.read",),
)
def tensor_read(tensor: TensorType, indices: Indices) -> ScalarType:
    """One element as a scalar; one index for each dimension, a single one also without a list.

    Raises PL203 for another number of indices, PL204 for indices that are no integers, PL206 for an
    index outside the tensor.
    """
    check_indices(indices, tensor.shape)
    return ScalarType(tensor.dtype)


@tensor_read.evaluator(moves=("tensor",), whole=("tensor",))
def _(np: Numpy, tensor: Elements, indices: tuple[int, ...]) -> Elements:
    return tensor[element("tensor", tensor.shape, indices)]


@operator(
    "tensor.write",
    spellings=("write",),
    effects={"tensor": Effect.WRITE},
    aliases={"tensor": ("dst",), "indices": ("offset",)},
    addresses=True,
    lowers_to=("tile.write",),
)
def tensor_write(tensor: TensorType, indices: Indices, value: Expr) -> TensorType:
    """Writes a scalar into one element, by an index for each dimension; the result is the tensor after the write.

    Raises PL203 for another number of indices, PL204 for indices that are no integers or a value of another type, PL206
    for an index outside the tensor.
    """
    check_indices(indices, tensor.shape)
    check_element(value, tensor.dtype)
    return tensor


@tensor_write.evaluator(writes="tensor")
def _(np: Numpy, tensor: Elements, indices: tuple[int, ...], value: Any) -> tuple[Any, Any]:
    return element("tensor", tensor.shape, indices), value


@operator(
    "tensor.slice",
    spellings=("slice",),
    result=INHERIT,
    view_of="input",
    allocation_of="input",
    aliases={"input": ("tensor",)},
    addresses=True,
    lowers_to=("tile.load", "tile.slice"),
)
def tensor_slice(
    input: TensorType,  # noqa: A002 - users write it so
    shape: Dims,
    offset: Dims,
    valid_shape: Dims | None = None,
    drop_dims: Dims | None = None,
    pad_value: PadValue | None = None,
    clamp: bool = False,
) -> TensorType:
    """A window of a tensor, without copying: [*shape] at ``offset``; extents may be expressions.

    ``valid_shape`` is the part that holds data; ``clamp`` cuts the window off at the end of the tensor; ``drop_dims``
    names axes of extent 1 that the result loses; ``pad_value`` is what counts beyond the valid part.

    Raises PL203 for shapes that do not fit, PL206 for a window that provably leaves the tensor, PL208 for a valid
    region larger than the window.
    """
    rank = len(input.shape)
    check_extents("shape", shape, static=False)
    check_length("shape", shape, rank, "the tensor")
    check_length("offset", offset, rank, "the tensor")
    if valid_shape is not None:
        check_length("valid_shape", valid_shape, rank, "the tensor")
    source = Source("input", input.shape, input.valid_shape)
    valid = read_window(source, offset, shape, valid_shape, clamp=clamp)
    dropped = dropped_axes("drop_dims", drop_dims or (), shape, valid)
    if len(dropped) == rank:
        raise problem(
            "PL203",
            "drop_dims",
            "no axis would be left",
            found=list_text(drop_dims or ()),
            expected="at least one axis that stays",
            hint="pl.read gives a single element",
        )
    shape, valid = without_axes(shape, dropped), without_axes(valid, dropped)
    return TensorType(shape, input.dtype, _view(shape, valid, (), input.layout, pad_value), input.distributed)


@tensor_slice.evaluator
def _(
    np: Numpy,
    input: Elements,  # noqa: A002
    shape: tuple[int, ...],
    offset: tuple[int, ...],
    drop_dims: tuple[int, ...] | None,
    valid_shape: tuple[int, ...] | None,
    clamp: bool,
) -> Elements:
    needed = (0,) * len(shape) if clamp else valid_shape or shape
    return np.squeeze(input[cut_window("input", input.shape, offset, shape, needed)], axis=drop_dims or ())


def _view(
    shape: Dims, valid: Dims, stride: Dims, layout: TensorLayout = TensorLayout.ND, pad: PadValue | None = None
) -> TensorView:
    region = () if all_provably_equal(shape, valid) else valid
    return TensorView(region, stride, layout, PadValue.null if pad is None else pad)


@operator(
    "tensor.assemble",
    spellings=("assemble",),
    effects={"target": WRITES_OR_ADDS},
    tied_operand="target",
    by_value=True,
    allocation_of="target",
    carried=("atomic",),
    lowers_to=("tile.store", "tile.assemble"),
)
def tensor_assemble(
    target: TensorType, source: TensorType, offset: Dims, *, atomic: AtomicType = AtomicType.None_
) -> TensorType:
    """``target`` with ``source`` written into it at ``offset``; the element types may differ.

    ``atomic=pl.AtomicType.Add`` adds to what is there. A target that is only partly valid grows by the valid part of
    the source.

    Raises PL203, PL206 for a source that provably leaves the target, PL208 where the valid region cannot grow so.
    """
    check_length("offset", offset, len(target.shape), "the target")
    check_rank("source", source, len(target.shape))
    destination = Source("target", target.shape, target.valid_shape)
    for axis in range(len(offset)):
        check_start(destination, offset, axis)
        check_end(destination, offset, axis, source.valid_shape[axis], source.valid_shape)
    return grown(target, written_region(destination, source.valid_shape, offset))


@tensor_assemble.evaluator(writes="target")
def _(np: Numpy, target: Elements, source: Elements, offset: tuple[int, ...]) -> tuple[Any, Elements]:
    return window("target", target.shape, offset, source.shape), source


@operator(
    "tensor.reshape",
    spellings=("reshape",),
    result=INHERIT,
    view_of="input",
    aliases={"input": ("tensor",)},
    addresses=True,
    lowers_to=("tile.reshape",),
)
def tensor_reshape(
    input: TensorType,  # noqa: A002 - users write it so
    shape: Dims,
    valid_shape: Dims | None = None,
) -> TensorType:
    """The same elements in another shape, row by row, without copying.

    The valid region follows where the new shape can express it, or is ``valid_shape``.

    Raises PL201 for a tensor on several devices, PL203 for another number of elements, PL208 for a valid region that
    has no place in the new shape.
    """
    check_plain("input", input)
    check_extents("shape", shape, static=False)
    check_count("shape", input.shape, shape)
    if valid_shape is None:
        valid = reshaped_region("input", input.shape, input.valid_shape, shape)
    else:
        check_valid("valid_shape", valid_shape, shape)
        valid = valid_shape
    return TensorType(shape, input.dtype, _view(shape, valid, ()))


@tensor_reshape.evaluator
def _(np: Numpy, input: Elements, result: Extents) -> Elements:  # noqa: A002
    return reshaped("input", input, result.shape)


@operator(
    "tensor.view",
    result=INHERIT,
    view_of="input",
    allocation_of="input",
    aliases={"input": ("tensor",)},
    addresses=True,
)
def tensor_view(
    input: TensorType,  # noqa: A002 - users write it so
    shape: Dims | None = None,
    valid_shape: Dims | None = None,
    *,
    layout: TensorLayout | None = None,
) -> TensorType:
    """The same memory seen in another shape or layout, with strides that say so.

    A change of ``layout`` alone between ND and DN exchanges the last two axes. The valid region follows, or is
    ``valid_shape``.

    Raises PL203 for another number of elements, PL208 for a valid region that has no place in the new shape.
    """
    own = input.layout
    order = own if layout is None else layout
    if shape is None:
        turned = layout is not None and layout is not own and TensorLayout.DN in (layout, own)
        seen, valid = (
            (_exchanged(input.shape), _exchanged(input.valid_shape)) if turned else (input.shape, input.valid_shape)
        )
    else:
        check_extents("shape", shape, static=False)
        check_count("shape", input.shape, shape)
        seen = shape
        valid = reshaped_region("input", input.shape, input.valid_shape, shape) if valid_shape is None else shape
    if valid_shape is not None:
        check_valid("valid_shape", valid_shape, seen)
        valid = valid_shape
    return TensorType(seen, input.dtype, _view(seen, valid, packed_strides(seen, order), order), input.distributed)


@tensor_view.evaluator
def _(
    np: Numpy,
    input: Elements,  # noqa: A002
    layout: TensorLayout | None,
    result: Extents,
    types: dict[str, Any],
) -> Elements:
    own = types["input"].layout
    in_memory = np.swapaxes(input, -1, -2) if own is TensorLayout.DN else input
    if (own if layout is None else layout) is TensorLayout.DN:
        columns = reshaped("input", in_memory, (*result.shape[:-2], *result.shape[-2:][::-1]))
        return np.swapaxes(columns, -1, -2)
    return reshaped("input", in_memory, result.shape)


def _exchanged(dims: Dims) -> Dims:
    return (*dims[:-2], *dims[-2:][::-1])


def packed_strides(shape: Dims, layout: TensorLayout) -> Dims:
    """How far apart neighbours lie in each axis where nothing is left between rows (ND) or columns (DN).

    Other layouts order their elements in boxes and have no strides.
    """
    if layout not in (TensorLayout.ND, TensorLayout.DN):
        return ()
    ordered = _exchanged(shape) if layout is TensorLayout.DN else shape
    strides: list[Dim] = []
    step: Dim = 1
    for extent in reversed(ordered):
        strides.append(step)
        step = multiply(step, extent)
    packed = tuple(reversed(strides))
    return _exchanged(packed) if layout is TensorLayout.DN else packed
