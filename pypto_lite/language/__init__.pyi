# ruff: noqa
# Written by pypto_lite/language/stub.py; do not edit: change stub_head.txt or the operators.

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Annotated, Any, Final, Generic, Literal, ParamSpec, TypeVar, overload
from typing import Tuple as Tuple

from typing_extensions import TypeAlias

from pypto_lite.ir import AtomicType as AtomicType
from pypto_lite.ir import CompactMode as CompactMode
from pypto_lite.ir import CoreType as CoreType
from pypto_lite.ir import DType as DType
from pypto_lite.ir import FunctionType as FunctionType
from pypto_lite.ir import Level as Level
from pypto_lite.ir import MemorySpace as MemorySpace
from pypto_lite.ir import PadValue as PadValue
from pypto_lite.ir import PipeType as PipeType
from pypto_lite.ir import Role as Role
from pypto_lite.ir import ScopeMode as ScopeMode
from pypto_lite.ir import SplitMode as SplitMode
from pypto_lite.ir import TensorLayout as TensorLayout
from pypto_lite.ir import TileLayout as TileLayout
from pypto_lite.ir.dtypes import BF16 as BF16
from pypto_lite.ir.dtypes import BOOL as BOOL
from pypto_lite.ir.dtypes import FP4 as FP4
from pypto_lite.ir.dtypes import FP8E4M3FN as FP8E4M3FN
from pypto_lite.ir.dtypes import FP8E5M2 as FP8E5M2
from pypto_lite.ir.dtypes import FP8E8M0 as FP8E8M0
from pypto_lite.ir.dtypes import FP16 as FP16
from pypto_lite.ir.dtypes import FP32 as FP32
from pypto_lite.ir.dtypes import HF4 as HF4
from pypto_lite.ir.dtypes import HF8 as HF8
from pypto_lite.ir.dtypes import INDEX as INDEX
from pypto_lite.ir.dtypes import INT4 as INT4
from pypto_lite.ir.dtypes import INT8 as INT8
from pypto_lite.ir.dtypes import INT16 as INT16
from pypto_lite.ir.dtypes import INT32 as INT32
from pypto_lite.ir.dtypes import INT64 as INT64
from pypto_lite.ir.dtypes import TASK_ID as TASK_ID
from pypto_lite.ir.dtypes import UINT4 as UINT4
from pypto_lite.ir.dtypes import UINT8 as UINT8
from pypto_lite.ir.dtypes import UINT16 as UINT16
from pypto_lite.ir.dtypes import UINT32 as UINT32
from pypto_lite.ir.dtypes import UINT64 as UINT64
from pypto_lite.program import Function as Function
from pypto_lite.program import Program as Program
from pypto_lite.trace.names.builtins import DynVar as DynVar
from pypto_lite.trace.names.builtins import MaskPattern as _MaskPattern
from pypto_lite.trace.names.builtins import dynamic as dynamic

_Type = TypeVar("_Type")
_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

Mem = MemorySpace
ND: Final = TensorLayout.ND
DN: Final = TensorLayout.DN
NZ: Final = TensorLayout.NZ
MX_A_ZZ: Final = TensorLayout.MX_A_ZZ
MX_B_NN: Final = TensorLayout.MX_B_NN
AUTO: Final[int]
"""The ``base`` of ``pl.reserve_buffer`` that leaves the address to the compiler."""

class Scalar:
    """``pl.Scalar[pl.INDEX]``: one value of an element type."""

    def __class_getitem__(cls, item: Any) -> type[Scalar]: ...
    def __add__(self, other: _Number) -> Scalar: ...
    def __radd__(self, other: float) -> Scalar: ...
    def __sub__(self, other: _Number) -> Scalar: ...
    def __rsub__(self, other: float) -> Scalar: ...
    def __mul__(self, other: _Number) -> Scalar: ...
    def __rmul__(self, other: float) -> Scalar: ...
    def __truediv__(self, other: _Number) -> Scalar: ...
    def __rtruediv__(self, other: float) -> Scalar: ...
    def __floordiv__(self, other: _Number) -> Scalar: ...
    def __rfloordiv__(self, other: float) -> Scalar: ...
    def __mod__(self, other: _Number) -> Scalar: ...
    def __rmod__(self, other: float) -> Scalar: ...
    def __pow__(self, other: _Number) -> Scalar: ...
    def __rpow__(self, other: float) -> Scalar: ...
    def __lshift__(self, other: _Number) -> Scalar: ...
    def __rlshift__(self, other: int) -> Scalar: ...
    def __rshift__(self, other: _Number) -> Scalar: ...
    def __rrshift__(self, other: int) -> Scalar: ...
    def __and__(self, other: _Number) -> Scalar: ...
    def __rand__(self, other: int) -> Scalar: ...
    def __or__(self, other: _Number) -> Scalar: ...
    def __ror__(self, other: int) -> Scalar: ...
    def __xor__(self, other: _Number) -> Scalar: ...
    def __rxor__(self, other: int) -> Scalar: ...
    def __lt__(self, other: _Number) -> Scalar: ...
    def __le__(self, other: _Number) -> Scalar: ...
    def __gt__(self, other: _Number) -> Scalar: ...
    def __ge__(self, other: _Number) -> Scalar: ...
    def __neg__(self) -> Scalar: ...
    def __invert__(self) -> Scalar: ...
    def __abs__(self) -> Scalar: ...

_Number: TypeAlias = Scalar | DynVar | float
"""What can stand where a scalar is wanted."""

_Extents: TypeAlias = Sequence[_Number] | Scalar
"""A shape or offsets."""

_Tasks: TypeAlias = Sequence[Scalar | Array | None]
"""Tasks, and arrays of them."""

class Tensor:
    """``pl.Tensor[[rows, columns], dtype]``: an array in global memory."""

    def __class_getitem__(cls, item: Any) -> type[Tensor]: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...

class DistributedTensor(Tensor):
    """``pl.DistributedTensor[[rows, columns], dtype]``: a window into the memory of several devices."""

    def __class_getitem__(cls, item: Any) -> type[DistributedTensor]: ...

class Tile:
    """``pl.Tile[[rows, columns], dtype, space]``: an array in an on-chip buffer."""

    def __class_getitem__(cls, item: Any) -> type[Tile]: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __setitem__(self, index: Any, value: Any) -> None: ...
    def __add__(self, other: Tile | _Number) -> Tile: ...
    def __radd__(self, other: _Number) -> Tile: ...
    def __sub__(self, other: Tile | _Number) -> Tile: ...
    def __rsub__(self, other: _Number) -> Tile: ...
    def __mul__(self, other: Tile | _Number) -> Tile: ...
    def __rmul__(self, other: _Number) -> Tile: ...
    def __truediv__(self, other: Tile | _Number) -> Tile: ...
    def __rtruediv__(self, other: _Number) -> Tile: ...
    def __neg__(self) -> Tile: ...
    def __abs__(self) -> Tile: ...

class Array:
    """``pl.Array[extent, dtype]``: a small array of scalars on the core that runs the code."""

    def __class_getitem__(cls, item: Any) -> type[Array]: ...
    def __getitem__(self, index: _Number) -> Scalar: ...
    def __setitem__(self, index: _Number, value: _Number) -> None: ...

class Ptr:
    """A raw allocation."""

In: TypeAlias = Annotated[_Type, "read"]
"""``pl.In[pl.Tensor[...]]``: a parameter that the function only reads."""
Out: TypeAlias = Annotated[_Type, "written"]
"""``pl.Out[pl.Tensor[...]]``: a parameter that the function writes."""
InOut: TypeAlias = Annotated[_Type, "read and written"]
"""``pl.InOut[pl.Tensor[...]]``: a parameter that the function reads and writes."""

class MemRef:
    """``pl.MemRef("name")`` in an annotation: tiles with the same name share one buffer."""

    def __init__(self, name: str) -> None: ...

class TensorView:
    """``pl.TensorView(...)`` in an annotation: how a tensor lies in memory, and which part of it is valid."""

    def __init__(
        self,
        *,
        valid_shape: Sequence[_Number] = ...,
        stride: Sequence[_Number] = ...,
        layout: TensorLayout = ...,
        pad: PadValue = ...,
    ) -> None: ...

class TileView:
    """``pl.TileView(...)`` in an annotation: how a tile lies in its buffer, and which part of it is valid."""

    def __init__(
        self,
        *,
        valid_shape: Sequence[_Number] = ...,
        blayout: TileLayout = ...,
        slayout: TileLayout = ...,
        fractal: int = ...,
        pad: PadValue = ...,
        compact: CompactMode = ...,
        stride: Sequence[_Number] = ...,
        start_offset: _Number = ...,
    ) -> None: ...

class _Kernel(Function, Generic[_Parameters, _Result]):
    def __call__(self, *args: _Parameters.args, **keywords: _Parameters.kwargs) -> _Result: ...
    def __get__(self, instance: Any, owner: Any) -> Callable[..., _Result]: ...

_Decorator: TypeAlias = Callable[[Callable[_Parameters, _Result]], _Kernel[_Parameters, _Result]]

@overload
def program(cls: type) -> Program:
    """Makes a Program of a class whose methods are under ``@pl.function``."""

@overload
def program() -> Callable[[type], Program]: ...
@overload
def function(function: Callable[_Parameters, _Result], /) -> _Kernel[_Parameters, _Result]:
    """Makes a kernel of a function: alone it is a Function, in a class a part of a Program."""

@overload
def function(
    *, type: FunctionType = ..., level: Level = ..., role: Role = ..., attrs: Mapping[str, Any] = ...
) -> _Decorator[_Parameters, _Result]:
    """Makes a kernel of a function; ``type`` says where it runs."""

@overload
def inline(function: Callable[_Parameters, _Result], /) -> _Kernel[_Parameters, _Result]:
    """Marks a function whose body takes the place of each of its calls."""

@overload
def inline() -> _Decorator[_Parameters, _Result]: ...
def parse(text: str, filename: str = "<string>") -> Program | Function:
    """The program in a text, or the function where the text holds one ``@pl.function`` and no program.

    The text is read, not run: names mean its own constants (literals, arithmetic on them, ``math``) and ``pl``.
    Raises UserError where it is no Python, no kernel, or holds more than one program.
    """

def loads(path: str | os.PathLike[str]) -> Program | Function:
    """The program or function in a file, as ``parse`` reads it. Raises UserError also where it can't be read."""

parse_program = parse
loads_program = loads

def range(*bounds: _Number, init_values: Sequence[Any] = ..., attrs: Mapping[str, Any] = ...) -> Iterator[Any]:
    """``for i in pl.range([start,] stop[, step])``: a sequential loop.

    With ``init_values`` it is ``for i, (a, b) in pl.range(...)`` and the body ends in ``pl.yield_``.
    """

def parallel(*bounds: _Number, init_values: Sequence[Any] = ..., **keywords: Any) -> Iterator[Any]:
    """A loop like ``pl.range`` whose iterations may run at the same time."""

def pipeline(*bounds: _Number, stage: int = ..., init_values: Sequence[Any] = ..., **keywords: Any) -> Iterator[Any]:
    """A loop like ``pl.range`` whose iterations overlap in ``stage`` stages."""

def unroll(*bounds: int, init_values: Sequence[Any] = ..., **keywords: Any) -> Iterator[Any]:
    """A loop like ``pl.range`` with constant bounds that is replaced by its iterations."""

def while_(*, init_values: Sequence[Any] = ...) -> Iterator[Any]:
    """``for a, b in pl.while_(init_values=(...))``: a loop while ``pl.cond``, its first statement, holds."""

def cond(condition: _Number) -> None:
    """The condition of a ``pl.while_`` loop: the first statement of its body."""

def yield_(*values: Any) -> Any:
    """The values that a loop body or a branch passes on: its last statement."""

def const(value: float, dtype: DType) -> Scalar:
    """A scalar constant of an element type."""

def min(a: _Number, b: _Number, /) -> Scalar:
    """The smaller of two scalars."""

def max(a: _Number, b: _Number, /) -> Scalar:
    """The larger of two scalars."""

def static_print(*values: Any) -> None:
    """Prints values and types while tracing."""

def static_assert(condition: Any, message: str = ...) -> None:
    """Checks a condition while tracing."""

class _Scope(AbstractContextManager[Any], Iterator[Scalar]): ...

def at(*, level: Level = ..., role: Role = ..., **keywords: Any) -> AbstractContextManager[Any]:
    """``with pl.at(level=pl.Level.CORE_GROUP)``: where the block runs."""

def spmd(*args: _Number, **keywords: Any) -> _Scope:
    """``with pl.spmd(n)`` or ``for i in pl.spmd(n)``: the block runs n times, in parallel."""

def cluster(**keywords: Any) -> AbstractContextManager[Any]:
    """``with pl.cluster()``: the block runs on one cluster."""

def scope(*, mode: ScopeMode = ..., **keywords: Any) -> AbstractContextManager[Any]:
    """``with pl.scope(mode=pl.ScopeMode.AUTO)``: a scope of the runtime."""

def manual_scope(**keywords: Any) -> AbstractContextManager[Any]:
    """``with pl.manual_scope()``: a scope whose dependencies are written out."""

def submit(function: Callable[..., Any], *args: Any, deps: Sequence[Any] = ..., **keywords: Any) -> Any:
    """``pl.submit(self.function, x, deps=[t])``: an asynchronous call; its last value is its TASK_ID."""

# fmt: off

def abs(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Absolute value.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

@overload
def add(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Sum, ``lhs + rhs``.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def add(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``lhs + rhs`` with a scalar.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """
@overload
def add(lhs: _Number, rhs: _Number, /) -> Scalar:
    """On scalars."""

def addc(lhs: Tile, rhs: Tile, rhs2: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Sum of three, ``lhs + rhs + rhs2``.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """

def addsc(lhs: Tile, rhs: _Number, rhs2: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``lhs + rhs + rhs2`` with a scalar in the middle.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    The scalar takes part in the element type.
    """

def aic_gather(tile: Tile, *, split: SplitMode, attrs: Mapping[str, Any] = ...) -> Tile:
    """The matrix that the parts of the two vector cores make up: twice the rows, or twice the columns, in Mat.

    A run has one vector core, to which only a matrix that is not split means anything (PL507).

    Raises PL203 for other than two dimensions.
    """

def aic_initialize_pipe(
    c2v_consumer_buf: _Number,
    v2c_consumer_buf: _Number,
    *,
    dir_mask: int,
    slot_size: int,
    slot_num: int | None = ...,
    local_slot_num: int | None = ...,
    id: int | None = ...,
    attrs: Mapping[str, Any] = ...,
) -> None:
    """Sets up a pipe between the cores, on the cube core: directions, bytes of a slot, number of slots.

    Raises PL205 for a slot size that is not positive.
    """

def aiv_initialize_pipe(
    c2v_consumer_buf: _Number,
    v2c_consumer_buf: _Number,
    *,
    dir_mask: int,
    slot_size: int,
    slot_num: int | None = ...,
    local_slot_num: int | None = ...,
    id: int | None = ...,
    attrs: Mapping[str, Any] = ...,
) -> None:
    """Sets up a pipe between the cores, on a vector core: directions, bytes of a slot, number of slots.

    Raises PL205 for a slot size that is not positive.
    """

def aiv_shard(tile: Tile, *, split: SplitMode, lane_stride: int | None = ..., attrs: Mapping[str, Any] = ...) -> Tile:
    """The part of a matrix that one of the two vector cores gets: half of its rows, or half of its columns, rounded up.

    A run has one vector core, to which only a matrix that is not split means anything (PL507).

    Raises PL203 for other than two dimensions.
    """

@overload
def and_(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Bitwise ``lhs & rhs`` of integers; PL204 for others.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def and_(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Bitwise ``lhs & rhs`` of integers with a scalar; PL204 for others.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def ands(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Bitwise ``lhs & rhs`` of integers with a scalar; PL204 for others.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

@overload
def assemble(target: Tile, source: Tile, offset: _Extents, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``target`` with ``source`` written into it at ``offset``.

    Both have the same element type, or ``source`` is FP32 and ``target`` BF16 or FP16. A target that is only partly
    valid grows by the valid part of the source.

    Raises PL203, PL204, PL206 for a source that provably leaves the target, PL208 where the valid region cannot grow
    so.
    """
@overload
def assemble(
    target: Tensor,
    source: Tensor,
    offset: _Extents,
    *,
    atomic: AtomicType = ...,
    attrs: Mapping[str, Any] = ...,
) -> Tensor:
    """``target`` with ``source`` written into it at ``offset``; the element types may differ.

    ``atomic=pl.AtomicType.Add`` adds to what is there. A target that is only partly valid grows by the valid part of
    the source.

    Raises PL203, PL206 for a source that provably leaves the target, PL208 where the valid region cannot grow so.
    """

def batch_matmul(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Matrix products of stacks: [..., M, K] and [..., K, N] give [..., M, N], leading extents broadcast.

    Element types as in ``matmul``; the result is fully valid. Raises PL203 or PL204 where the operands do not fit.
    """

@overload
def cast(
    tile: Tile,
    target_type: DType,
    mode: Literal["none", "rint", "round", "floor", "ceil", "trunc", "odd"] | int = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Converts the elements to ``target_type``.

    ``mode`` says how numbers are rounded that lie between two of ``target_type``: ``"rint"`` and ``"none"`` to the
    nearest, in the middle to the even one; ``"round"`` to the nearest, in the middle away from zero; ``"floor"`` down;
    ``"ceil"`` up; ``"trunc"`` towards zero; ``"odd"`` to the odd one. Or it is a number from 0, in the order none,
    rint, round, floor, ceil, trunc, odd.

    From floats to integers what is too large or too small becomes the largest or smallest integer, and nan 0. From
    integers to integers the lower bits are kept. From floats to floats what is too large becomes infinite, where the
    mode rounds that way and the type has infinity, else the largest number; nan is 0 in FP4, which has none.
    ``BOOL`` asks whether a number is not zero.

    Raises PL204 where the tile has that element type already.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """
@overload
def cast(value: _Number, target_type: DType) -> Scalar:
    """On scalars."""

@overload
def cmp(
    lhs: Tile,
    rhs: Tile,
    cmp_type: Literal["eq", "ne", "lt", "le", "gt", "ge"] | int = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Compares the elements: a UINT8 tile of one bit for each.

    [..., N] and [..., N], broadcast, give [..., ceil(N / 8) rounded up to 32], of which ceil(N / 8) is valid. A bit is
    set where the relation holds, which of nan only ``"ne"`` does; the first of eight elements is the lowest bit.
    ``cmp_type`` is ``"eq"``, ``"ne"``, ``"lt"``, ``"le"``, ``"gt"`` or ``"ge"``, or its number from 0.

    Raises PL203 where the shapes do not match.
    """
@overload
def cmp(
    lhs: Tile,
    rhs: _Number,
    cmp_type: Literal["eq", "ne", "lt", "le", "gt", "ge"] | int = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Compares the elements with a scalar; as ``cmp``."""

def cmps(
    lhs: Tile,
    rhs: _Number,
    cmp_type: Literal["eq", "ne", "lt", "le", "gt", "ge"] | int = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Compares the elements with a scalar; as ``cmp``."""

def col_argmax(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Position of the largest element of each column.

    Only what is valid counts. Of several that are equal it is the first; nan prevails.

    The first axis is reduced: [M, ...] gives [1, ...] of INT32; the valid columns stay valid. ``tmp_tile`` is scratch.

    Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
    """

def col_argmin(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Position of the smallest element of each column.

    Only what is valid counts. Of several that are equal it is the first; nan prevails.

    The first axis is reduced: [M, ...] gives [1, ...] of INT32; the valid columns stay valid. ``tmp_tile`` is scratch.

    Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
    """

def col_expand(target: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Each element of ``col_tile`` spread over its column; ``target`` gives the shape.

    [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
    """

def col_expand_add(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``tile + col_tile``, column by column.

    [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
    """

def col_expand_div(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``tile / col_tile``, column by column.

    [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
    """

def col_expand_expdif(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``exp(tile - col_tile)``, column by column.

    [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
    """

def col_expand_max(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The larger of ``tile`` and ``col_tile``, column by column.

    [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
    """

def col_expand_min(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The smaller of ``tile`` and ``col_tile``, column by column.

    [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
    """

def col_expand_mul(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``tile * col_tile``, column by column.

    [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
    """

def col_expand_sub(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``tile - col_tile``, column by column.

    [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
    """

def col_max(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Largest element of each column.

    Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

    The first axis is reduced: [M, ...] gives [1, ...]; the valid columns stay valid.

    Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
    """

def col_min(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Smallest element of each column.

    Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

    The first axis is reduced: [M, ...] gives [1, ...]; the valid columns stay valid.

    Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
    """

def col_prod(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Product of each column.

    Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

    The first axis is reduced: [M, ...] gives [1, ...]; the valid columns stay valid.

    Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
    """

def col_sum(tile: Tile, tmp_tile: Tile | None = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Sum of each column; with scratch ``tmp_tile`` added up as a binary tree.

    Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

    The first axis is reduced: [M, ...] gives [1, ...]; the valid columns stay valid.

    Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
    """

def concat(src0: Tile, src1: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Two tiles side by side: [M, N0] and [M, N1] give [M, N0 + N1], fully valid.

    Raises PL203 for other than two dimensions or different numbers of rows, PL204 for different element types.
    """

def cos(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Cosine of an FP32 tile; PL204 for others.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def create_tensor(
    shape: _Extents,
    dtype: DType,
    layout: TensorLayout = ...,
    manual_dep: bool = ...,
    init_value: float | None = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tensor:
    """A new tensor in global memory: [*shape] of ``dtype``; extents may be expressions.

    ``init_value`` fills it; ``manual_dep`` leaves the ordering of its readers and writers to the program.

    Raises PL203 for extents that are not positive.
    """

def create_tile(
    shape: _Extents,
    dtype: DType,
    target_memory: MemorySpace | None = ...,
    transpose: bool | None = ...,
    *,
    flat_layout: bool | None = ...,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """A new tile of undefined contents: [*shape] of ``dtype``, fully valid.

    Without ``target_memory`` placement chooses the space. In Mat, ``transpose`` lays it out as the cube core reads a
    transposed matrix and ``flat_layout`` without boxes.

    Raises PL203 for extents that are not positive constants (or an odd last one of FP4), PL210 for a scale buffer.
    """

def dim(tensor: Tensor, axis: int, *, attrs: Mapping[str, Any] = ...) -> Scalar:
    """One extent of a tensor, an INDEX; negative axes count from the end.

    Raises PL201 for a tensor on several devices, PL203 for an axis that does not exist.
    """

@overload
def div(lhs: Tile, rhs: Tile, high_precision: bool = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Quotient, ``lhs / rhs``; of integers rounded towards zero, and 0 where ``rhs`` is 0.

    Both tiles have the same shape, valid region and element type, which is INT16, INT32, FP16 or FP32;
    ``high_precision`` needs FP16 or FP32.

    Raises PL203 for another shape, PL204 for another element type, PL208 for another valid region.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """
@overload
def div(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``lhs / rhs`` with a scalar; of integers rounded towards zero, and 0 where ``rhs`` is 0.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """
@overload
def div(lhs: _Number, rhs: _Number, /) -> Scalar:
    """On scalars."""

def exp(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """e to the power of each element; for integers rounded to the nearest, as all functions are.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def expands(target: Tile, scalar: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """A tile like ``target`` with every element the scalar.

    The element type is that of both combined, so an FP32 scalar widens an FP16 tile.
    """

def fillpad(tile: Tile, pad_value: PadValue = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Copies a tile and fills what is not valid.

    ``pad_value`` is zero (or 0), max (``float("inf")``) or min (``float("-inf")``): the largest or smallest value of the
    element type. The result is fully valid.

    Raises PL205 for the pad value null.
    """

def fillpad_expand(tile: Tile, shape: _Extents, pad_value: PadValue = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Copies a tile into the corner of a larger one, [*shape], and fills the rest.

    Raises PL203 for extents that are not constant or smaller than the tile's.

    ``pad_value`` is zero (or 0), max (``float("inf")``) or min (``float("-inf")``): the largest or smallest value of the
    element type. The result is fully valid.

    Raises PL205 for the pad value null.
    """

@overload
def fmod(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Remainder of the division towards zero, with the sign of ``lhs``, as C's ``fmod``.

    Where ``rhs`` is zero it is nan, or 0 for integers.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def fmod(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Remainder of the division by a scalar towards zero, with the sign of ``lhs``; by zero as ``fmod``.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def fmods(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Remainder of the division by a scalar towards zero, with the sign of ``lhs``; by zero as ``fmod``.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def full(shape: _Extents, dtype: DType, value: float, *, attrs: Mapping[str, Any] = ...) -> Tensor:
    """A tensor with every element the same constant: [*shape] of ``dtype``.

    Raises PL203 for extents that are not positive, PL204 for a value that the element type does not know.
    """

def gather_row(
    dst: Tile,
    src: Tensor,
    dst_offset: _Extents,
    src_offset: _Extents,
    shapes: _Extents,
    transpose: bool = ...,
    *,
    valid_shape: _Extents | None = ...,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Reads the window ``shapes`` of a tensor at ``src_offset`` into a tile at ``dst_offset``, in its place.

    ``shapes`` is constant; ``valid_shape`` is the part of it that is read; ``transpose`` turns it around on the way. A
    tile of fewer axes than the tensor takes a window whose leading extents are 1.

    Raises PL201 for a tensor on several devices, PL203, PL204 for another element type, PL208 for a wrong valid region.
    """

def gatherb(src: Tile, offset: Tile, *, output_dtype: DType | None = ..., attrs: Mapping[str, Any] = ...) -> Tile:
    """Blocks of 32 bytes of ``src`` at these byte offsets: [M, N] offsets give [M, N * 32 / element bytes].

    ``offset`` is UINT32 with a multiple of 8 columns, its elements are multiples of 32; ``output_dtype`` is that of
    ``src`` where it is left out.

    Raises PL203 for other columns, PL204 for other element types.
    """

def gemv(lhs: Tile, rhs: Tile, acc_phase: str = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Product of a row and a matrix, ``lhs @ rhs``: [1, K] and [K, N] give [16, N], of which [1, N] is valid.

    FP16, BF16 and FP32 give FP32, INT8 gives INT32. ``acc_phase`` is ``"unspecified"``, ``"partial"`` or ``"final"``.

    Raises PL203, PL204 or PL205 where the operands do not fit.
    """

def gemv_acc(acc: Tile, lhs: Tile, rhs: Tile, acc_phase: str = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Adds the product of a row and a matrix to ``acc``, in its place; ``acc`` is what ``gemv`` makes.

    Raises PL203, PL204, PL205, or PL208 for another valid region than one row.
    """

def gemv_bias(lhs: Tile, rhs: Tile, bias: Tile, acc_phase: str = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Product of a row and a matrix plus a row: [1, K], [K, N], [1, N] give [16, N], of which [1, N] is valid.

    As ``gemv``; the bias has the element type of the product. Raises PL203, PL204 or PL205 where they do not fit.
    """

def get_block_idx(*, attrs: Mapping[str, Any] = ...) -> Scalar:
    """The number of the running block, an INDEX."""

def get_block_num(*, attrs: Mapping[str, Any] = ...) -> Scalar:
    """How many blocks run, an INDEX."""

def get_subblock_idx(*, attrs: Mapping[str, Any] = ...) -> Scalar:
    """The number of the running vector core within its block, an INDEX."""

def import_peer_buffer(*, name: str, peer_func: str, attrs: Mapping[str, Any] = ...) -> Scalar:
    """The address of the buffer that another function reserved under this name, an INT32."""

def load(
    tensor: Tensor,
    offsets: _Extents,
    shapes: _Extents,
    valid_shape: _Extents | None = ...,
    target_memory: MemorySpace | None = ...,
    clamp: bool = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Reads the window ``shapes`` of a tensor at ``offsets`` into a tile.

    ``shapes`` is constant; ``valid_shape`` (all of it by default) is the part that holds data. ``clamp`` cuts the
    window off at the end of the tensor. Without ``target_memory`` placement chooses the space. To a window of more axes
    the tensor has leading axes of extent 1.

    Raises PL203 for a shape that does not fit, PL206 for a window that provably leaves the tensor, PL208 for a valid
    region larger than the window, PL210 for a tensor layout that the space cannot hold.
    """

def log(tile: Tile, high_precision: bool = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Natural logarithm of an FP16 or FP32 tile; PL204 for others.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def lrelu(tile: Tile, slope: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``tile`` where it is positive, else ``tile * slope``; a literal slope is FP32.

    Integers times a float are rounded to the nearest; an integer slope takes the element type of the tile.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def matmul(lhs: Tile, rhs: Tile, out_dtype: DType | None = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Matrix product, ``lhs @ rhs``: [M, K] and [K, N] give [M, N].

    Both have the same element type; floats give FP32, integers INT32, which wrap. The valid region has the valid rows
    of ``lhs`` and the valid columns of ``rhs``; K ends where either is no longer valid. ``out_dtype`` only says again
    what the element type of the product is.

    Raises PL203 for other ranks or inner extents that differ, PL204 for element types that differ.
    """

def matmul_acc(
    acc: Tile,
    lhs: Tile,
    rhs: Tile,
    init_cond: _Number | None = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Adds a matrix product to ``acc``, in its place: ``acc + lhs @ rhs``; [M, N], [M, K], [K, N].

    Where ``init_cond`` (a BOOL) holds, ``acc`` counts as zero, as it does where it has no value yet. The valid region
    is that of ``acc``.

    Raises PL203 or PL204 where the operands do not fit.
    """

def matmul_bias(lhs: Tile, rhs: Tile, bias: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Matrix product plus a row: ``lhs @ rhs + bias``; [M, K], [K, N], [1, N] give [M, N].

    As ``matmul``; the bias has the element type of the product. Raises PL203 or PL204 where the operands do not fit.
    """

def matmul_mx(lhs: Tile, lhs_scale: Tile, rhs: Tile, rhs_scale: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Scaled matrix product, ``lhs @ rhs``: [M, N] of FP32, valid as in ``matmul``.

    ``lhs`` [M, K] and ``rhs`` [K, N] are FP8E4M3FN; the scales are FP8E8M0, one for every 32 elements along K:
    [M, ceil(K / 32)] and [ceil(K / 32), N], as valid as their operands. M is a multiple of 16, K of 64, N of 32.

    Raises PL203, PL204, or PL208 for scales that are valid elsewhere than their operands.
    """

def matmul_mx_acc(
    acc: Tile,
    lhs: Tile,
    lhs_scale: Tile,
    rhs: Tile,
    rhs_scale: Tile,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Adds a scaled matrix product to ``acc`` (FP32), in its place; the valid region is that of ``acc``.

    ``lhs`` [M, K] and ``rhs`` [K, N] are FP8E4M3FN; the scales are FP8E8M0, one for every 32 elements along K:
    [M, ceil(K / 32)] and [ceil(K / 32), N], as valid as their operands. M is a multiple of 16, K of 64, N of 32.

    Raises PL203, PL204, or PL208 for scales that are valid elsewhere than their operands.
    """

def matmul_mx_bias(
    lhs: Tile,
    lhs_scale: Tile,
    rhs: Tile,
    rhs_scale: Tile,
    bias: Tile,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Scaled matrix product plus a row, ``lhs @ rhs + bias``; the bias is [1, N] of FP32.

    ``lhs`` [M, K] and ``rhs`` [K, N] are FP8E4M3FN; the scales are FP8E8M0, one for every 32 elements along K:
    [M, ceil(K / 32)] and [ceil(K / 32), N], as valid as their operands. M is a multiple of 16, K of 64, N of 32.

    Raises PL203, PL204, or PL208 for scales that are valid elsewhere than their operands.
    """

@overload
def maximum(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The larger element of each pair; nan where one of them is.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def maximum(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The larger one of each element and a scalar; nan where one of them is.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def maximums(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The larger one of each element and a scalar; nan where one of them is.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def mgather(
    mem: Tensor,
    idx: Tile | Tensor,
    coalesce: Literal["row", "elem"] | int = ...,
    *,
    gather_oob: Literal["undefined", "clamp", "wrap", "zero"] | int = ...,
    target_memory: MemorySpace = ...,
    scratch: Tensor | None = ...,
    valid_shape: _Extents | None = ...,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Reads rows or elements of a tensor into a tile in Vec or Mat, by an index of INT32.

    ``"row"``: [1, R] indices (or [R, 1] in Vec) give [R, columns of mem]. ``"elem"``: the result has the shape of
    ``idx``, whose elements are positions that count row by row through all of ``mem``. Vec takes its indices from a
    tile, Mat from a two-dimensional tensor in ND layout, and only whole boxes: multiples of 16 rows and of 32 bytes in
    a row. ``scratch`` is memory that Mat needs for elements. ``gather_oob`` says what an index outside the tensor
    gives: ``"undefined"``, ``"clamp"``, ``"wrap"`` or ``"zero"``.

    Raises PL201 for indices that lie in the wrong place, PL203, PL204, PL208, or PL210 for another space.
    """

@overload
def minimum(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The smaller element of each pair; nan where one of them is.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def minimum(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The smaller one of each element and a scalar; nan where one of them is.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def minimums(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The smaller one of each element and a scalar; nan where one of them is.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def move(
    tile: Tile,
    target_memory: MemorySpace,
    blayout: TileLayout | None = ...,
    slayout: TileLayout | None = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Copies a tile into another space.

    Shape, element type and valid region stay (UINT8 becomes FP8E8M0 in a scale buffer). The layout becomes that of the
    space where it boxes its tiles; Vec and Bias keep the tile's own, unless ``blayout`` and ``slayout`` say otherwise.

    Raises PL203, PL204 or PL210 for a tile that a scale buffer cannot take.
    """

@overload
def mrgsort(src: Tile, *, block_len: int, attrs: Mapping[str, Any] = ...) -> Tile:
    """Merges every four neighbouring sorted runs of ``block_len`` elements; the shape stays, fully valid.

    ``src`` is what ``sort32`` makes, FP16 or FP32; ``block_len`` is a constant multiple of 64. The last runs of a row
    may be fewer or shorter. Of equal elements that of the first run comes first.

    Raises PL203 for another length, PL204 for another element type.
    """
@overload
def mrgsort(
    src0: Tile,
    src1: Tile,
    src2: Tile | None = ...,
    src3: Tile | None = ...,
    tmp: Tile | None = ...,
    *,
    exhausted: bool = ...,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Merges two to four sorted tiles; the last tile given is scratch, and the result has its shape, fully valid.

    All are FP16 or FP32, of one element type. ``exhausted`` stops where the first of them is used up; what is behind
    has no value. Of equal elements that of the first tile comes first; what is too much for the result is left out.

    Raises PL202 where the scratch is missing, PL204 for other element types.
    """

def mscatter(src: Tile, idx: Tile, output_tensor: Tensor, *, attrs: Mapping[str, Any] = ...) -> Tensor:
    """Writes each element of a tile to the flat position in a tensor that ``idx`` names; the result is the tensor.

    ``src`` is FP16, FP32, INT16 or INT32, as the tensor; ``idx`` is INT32 of the same shape. A position that is named
    more than once gets the last element.

    Raises PL203 or PL204 otherwise.
    """

@overload
def mul(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Product of the elements, ``lhs * rhs``.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def mul(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``lhs * rhs`` with a scalar.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """
@overload
def mul(lhs: _Number, rhs: _Number, /) -> Scalar:
    """On scalars."""

def neg(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``-tile``, for every element type.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def not_(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Bitwise complement of an INT16 or UINT16 tile; PL204 for others.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

@overload
def or_(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Bitwise ``lhs | rhs`` of integers; PL204 for others.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def or_(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Bitwise ``lhs | rhs`` of integers with a scalar; PL204 for others.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def ors(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Bitwise ``lhs | rhs`` of integers with a scalar; PL204 for others.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def part_add(src0: Tile, src1: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Sum where both tiles are valid; the element of ``src0`` where only that is.

    ``src1`` may be valid in less than ``src0``, or in more, which has no effect.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """

def part_max(src0: Tile, src1: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The larger element where both tiles are valid; that of ``src0`` where only that is.

    ``src1`` may be valid in less than ``src0``, or in more, which has no effect.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """

def part_min(src0: Tile, src1: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The smaller element where both tiles are valid; that of ``src0`` where only that is.

    ``src1`` may be valid in less than ``src0``, or in more, which has no effect.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """

def part_mul(src0: Tile, src1: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Product where both tiles are valid; the element of ``src0`` where only that is.

    ``src1`` may be valid in less than ``src0``, or in more, which has no effect.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """

def prelu(tile: Tile, slope: Tile, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``tile`` where it is positive, else ``tile * slope``; ``tmp`` is scratch.

    Two-dimensional, FP16 or FP32; ``slope`` has the element type, shape and valid region of ``tile``.

    Raises PL203, PL204 or PL208 otherwise.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

@overload
def print(tile: Tile, label: str = ..., *, attrs: Mapping[str, Any] = ...) -> None:
    """Prints a tile.

    A run on numpy prints it; on the chip it does nothing. ``label`` stands in front. Of tiles and
    tensors the valid part is printed; what has no value is ``--``.
    """
@overload
def print(tensor: Tensor, label: str = ..., *, attrs: Mapping[str, Any] = ...) -> None:
    """Prints a tensor.

    A run on numpy prints it; on the chip it does nothing. ``label`` stands in front. Of tiles and
    tensors the valid part is printed; what has no value is ``--``.
    """
@overload
def print(value: _Number, label: str = ..., *, attrs: Mapping[str, Any] = ...) -> None:
    """Prints a scalar.

    A run on numpy prints it; on the chip it does nothing. ``label`` stands in front. Of tiles and
    tensors the valid part is printed; what has no value is ``--``.
    """

@overload
def read(tile: Tile, indices: _Extents | _Number, *, attrs: Mapping[str, Any] = ...) -> Scalar:
    """One element as a scalar; one index for each dimension, a single one also without a list.

    Raises PL203 for another number of indices, PL204 for indices that are no integers, PL206 for one outside the tile.
    """
@overload
def read(tensor: Tensor, indices: _Extents | _Number, *, attrs: Mapping[str, Any] = ...) -> Scalar:
    """One element as a scalar; one index for each dimension, a single one also without a list.

    Raises PL203 for another number of indices, PL204 for indices that are no integers, PL206 for an
    index outside the tensor.
    """

def recip(tile: Tile, high_precision: bool = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``1 / tile``; of integers rounded towards zero. ``high_precision`` needs FP16 or FP32 (PL204).

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def reinterpret_view(data: Tile, dtype: DType, *, shape: _Extents | None = ..., attrs: Mapping[str, Any] = ...) -> Tile:
    """The same bytes as elements of another type, without copying.

    The contiguous axis becomes longer or shorter by the ratio of the widths; ``shape`` gives another shape of as many
    bytes. Integers of 8 to 64 bits, FP16, FP32 and BF16; the tile is flat and packed.

    Raises PL203 for bytes that do not fit, PL204 for other element types, PL210 for a tile that is not flat.
    """

def relu(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The element where it is positive, else 0; nan stays nan.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

@overload
def rem(lhs: Tile, rhs: Tile, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Remainder of the floor division, with the sign of ``rhs``; ``tmp`` is scratch.

    Where ``rhs`` is zero it is nan, or 0 for integers.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def rem(lhs: Tile, rhs: _Number, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Remainder of the floor division by a scalar, as ``rem``.

    ``tmp`` is scratch, and takes part in shape and element type.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    The scalar takes part in the element type.
    """

def rems(lhs: Tile, rhs: _Number, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Remainder of the floor division by a scalar, as ``rem``.

    ``tmp`` is scratch, and takes part in shape and element type.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    The scalar takes part in the element type.
    """

def reserve_buffer(*, name: str, size: int, base: int = ..., attrs: Mapping[str, Any] = ...) -> Scalar:
    """Reserves ``size`` bytes on chip under a name for what other cores send.

    ``base`` is their address; -1 leaves it open. The result is the address, an INT32.

    Raises PL205 for a size that is not positive.
    """

@overload
def reshape(input: Tile, shape: _Extents, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The same elements in another shape, row by row, without copying.

    The valid region follows where the new shape can express it; the result is flat.

    Raises PL203 for another number of elements, PL208 for a valid region that has no place in the new shape.
    """
@overload
def reshape(
    input: Tensor,
    shape: _Extents,
    valid_shape: _Extents | None = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tensor:
    """The same elements in another shape, row by row, without copying.

    The valid region follows where the new shape can express it, or is ``valid_shape``.

    Raises PL201 for a tensor on several devices, PL203 for another number of elements, PL208 for a valid region that
    has no place in the new shape.
    """

def row_argmax(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Position of the largest element of each row.

    Only what is valid counts. Of several that are equal it is the first; nan prevails.

    [..., M, N] gives [..., M, 1] of INT32, laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the
    same shape and element type.

    Raises PL203 or PL204 for another scratch, PL208 for a tile of which nothing is valid.
    """

def row_argmin(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Position of the smallest element of each row.

    Only what is valid counts. Of several that are equal it is the first; nan prevails.

    [..., M, N] gives [..., M, 1] of INT32, laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the
    same shape and element type.

    Raises PL203 or PL204 for another scratch, PL208 for a tile of which nothing is valid.
    """

def row_expand(target: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Each element of ``row_vec`` spread over its row; ``target`` gives the shape.

    [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
    """

def row_expand_add(tile: Tile, row_vec: Tile, tmp: Tile | None = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``tile + row_vec``, row by row; ``tmp`` is scratch.

    [..., M, N] and [..., M, 1] by columns, or [..., M, 32 bytes] by rows with the element repeated, give [..., M, N].
    Both have the same element type, INT8, INT16, INT32, FP16 or FP32, and as many valid rows.

    Raises PL203, PL204, PL208 for other valid rows, or PL210 for another layout.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def row_expand_div(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``tile / row_vec``, row by row.

    [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
    """

def row_expand_expdif(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``exp(tile - row_vec)``, row by row.

    [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
    """

def row_expand_max(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The larger of ``tile`` and ``row_vec``, row by row.

    [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
    """

def row_expand_min(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The smaller of ``tile`` and ``row_vec``, row by row.

    [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
    """

def row_expand_mul(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``tile * row_vec``, row by row.

    [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
    """

def row_expand_sub(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``tile - row_vec``, row by row.

    [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.

    Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
    """

def row_max(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Largest element of each row.

    Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

    [..., M, N] gives [..., M, 1], laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the same
    element type and rank, each extent at least as large as that of ``tile``.

    Raises PL203 for less than two dimensions or too small a scratch, PL204 for its element type, PL208 for a tile of which
    nothing is valid.
    """

def row_min(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Smallest element of each row of an INT16, INT32, FP16 or FP32 tile (PL204) that lies flat (PL210).

    Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

    [..., M, N] gives [..., M, 1], laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the same
    element type and rank, each extent at least as large as that of ``tile``.

    Raises PL203 for less than two dimensions or too small a scratch, PL204 for its element type, PL208 for a tile of which
    nothing is valid.
    """

def row_prod(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Product of each row.

    Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

    [..., M, N] gives [..., M, 1], laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the same
    element type and rank, each extent at least as large as that of ``tile``.

    Raises PL203 for less than two dimensions or too small a scratch, PL204 for its element type, PL208 for a tile of which
    nothing is valid.
    """

def row_sum(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Sum of each row.

    Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

    [..., M, N] gives [..., M, 1], laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the same
    element type and rank, each extent at least as large as that of ``tile``.

    Raises PL203 for less than two dimensions or too small a scratch, PL204 for its element type, PL208 for a tile of which
    nothing is valid.
    """

def rsqrt(tile: Tile, tmp: Tile | None = ..., high_precision: bool = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``1 / sqrt(tile)``; with scratch ``tmp``, or ``high_precision`` (FP16, FP32), in high precision.

    Raises PL203 or PL204 where ``tmp`` has not the shape and the element type of ``tile``.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def scatter_update(input: Tile, index: Tile, src: Tile, dim: int = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Replaces the rows of ``input`` that ``index`` names by the rows of ``src``, in its place.

    ``input`` has two or four dimensions, ``index`` is a matrix of integers, ``src`` has the element type and the
    columns of ``input``; ``dim`` is -2. The valid indices, read row by row, take the valid rows of ``src`` in turn;
    with four dimensions all leading extents together count the rows. A row that is named more than once gets the last
    one.

    Raises PL203, PL204, or PL205 for another ``dim``.
    """

def sel(mask: Tile, lhs: Tile, rhs: Tile, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``lhs`` where the bit of ``mask`` (as ``cmp`` makes it) is set, else ``rhs``; ``tmp`` is scratch.

    A mask of wider integers than bytes has the bit of the first element lowest, too. ``lhs`` and ``rhs`` are broadcast
    and promoted as in ``add``; the valid region and order are those of ``lhs``.

    Raises PL203 where their shapes do not match.
    """

def sels(mask: Tile, src: Tile, tmp: Tile, scalar: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``src`` where the bit of ``mask`` (as ``cmp`` makes it) is set, else the scalar; ``tmp`` is scratch.

    Two-dimensional. ``mask`` holds integers of 8, 16 or 32 bits; the scalar has the element type of ``src``, or the
    signed one of its width.

    Raises PL203 or PL204 otherwise.
    """

def set_validshape(tile: Tile, valid_rows: _Number, valid_cols: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """The same tile with another valid region, [valid_rows, valid_cols], without copying.

    Raises PL203 for other than two dimensions, PL204 for extents that are no INT64, UINT64 or INDEX, PL208 for a region
    that is provably negative or larger than the tile.
    """

@overload
def shl(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Shift to the left, ``lhs << rhs``, of integers; the result has the element type of ``lhs``. PL204 for others.

    All bits are shifted out where the count is negative or at least the width of the element type.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def shl(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Shift to the left, ``lhs << rhs``, of integers by a scalar, as ``shl``; PL204 for others.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def shls(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Shift to the left, ``lhs << rhs``, of integers by a scalar, as ``shl``; PL204 for others.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

@overload
def shr(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Shift to the right, ``lhs >> rhs``, of integers; the result has the element type of ``lhs``. PL204 for others.

    Signed integers keep their sign. All bits are shifted out where the count is negative or at least the width of the
    element type.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def shr(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Shift to the right, ``lhs >> rhs``, of integers by a scalar, as ``shr``; PL204 for others.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def shrs(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Shift to the right, ``lhs >> rhs``, of integers by a scalar, as ``shr``; PL204 for others.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def sin(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Sine of an FP32 tile; PL204 for others.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

@overload
def slice(
    input: Tile,
    shape: _Extents,
    offset: _Extents,
    valid_shape: _Extents | None = ...,
    drop_dims: _Extents | None = ...,
    pad_value: PadValue | None = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """A window of a tile, without copying: [*shape] at ``offset``.

    ``shape`` is constant and lies inside the tile. The valid part is what the tile has valid there, or less where
    ``valid_shape`` says so. ``drop_dims`` names axes of extent 1 that the result loses; it keeps at least two.

    Raises PL203 for shapes that do not fit, PL206 for a window that provably leaves the tile, PL208 for a valid region
    larger than the window.
    """
@overload
def slice(
    input: Tensor,
    shape: _Extents,
    offset: _Extents,
    valid_shape: _Extents | None = ...,
    drop_dims: _Extents | None = ...,
    pad_value: PadValue | None = ...,
    clamp: bool = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tensor:
    """A window of a tensor, without copying: [*shape] at ``offset``; extents may be expressions.

    ``valid_shape`` is the part that holds data; ``clamp`` cuts the window off at the end of the tensor; ``drop_dims``
    names axes of extent 1 that the result loses; ``pad_value`` is what counts beyond the valid part.

    Raises PL203 for shapes that do not fit, PL206 for a window that provably leaves the tensor, PL208 for a valid
    region larger than the window.
    """

def sort32(src: Tile, idx: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Sorts every 32 elements of a row, largest first, each followed by its ``idx``: [..., N] gives [..., 2 N].

    ``src`` is FP16 or FP32 (PL204). The bits of ``idx`` stand in the places of the elements, the lower ones where they
    are wider; one row of ``idx`` serves all rows. Of equal elements the first comes first, nan comes last. The result
    is fully valid; it has values for the valid elements of ``src``.
    """

def sqrt(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Square root.

    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def store(
    tile: Tile,
    offsets: _Extents,
    output_tensor: Tensor,
    shapes: _Extents | None = ...,
    *,
    atomic: AtomicType = ...,
    attrs: Mapping[str, Any] = ...,
) -> Tensor:
    """Writes the valid part of a tile into a tensor at ``offsets``; the result is the tensor after the write.

    The element types may differ. ``atomic=pl.AtomicType.Add`` adds to what is there (FP32, BF16, FP16, INT32, INT16 or
    INT8). ``shapes`` gives the window that is written where its rank differs from the tile's. A tensor that is only
    partly valid grows by what is written.

    Raises PL203, PL204, PL206 for a write that provably leaves the tensor, or PL208 where the valid region cannot
    grow so.
    """

@overload
def sub(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Difference, ``lhs - rhs``.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def sub(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``lhs - rhs`` with a scalar, each INT8, INT16, INT32, FP16, FP32 or BF16 (PL204).

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """
@overload
def sub(lhs: _Number, rhs: _Number, /) -> Scalar:
    """On scalars."""

def subc(lhs: Tile, rhs: Tile, rhs2: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``lhs - rhs + rhs2``.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """

def subsc(lhs: Tile, rhs: _Number, rhs2: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """``lhs - rhs + rhs2`` with a scalar in the middle.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    The scalar takes part in the element type.
    """

def tfree_to_aic(
    tile: Tile,
    *,
    split: SplitMode | None = ...,
    id: int | None = ...,
    attrs: Mapping[str, Any] = ...,
) -> None:
    """Gives the slot of a received tile back to the cube core.

    ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
    ``id`` names the pipe where there are several.
    """

def tfree_to_aiv(
    tile: Tile,
    *,
    split: SplitMode | None = ...,
    id: int | None = ...,
    attrs: Mapping[str, Any] = ...,
) -> None:
    """Gives the slot of a received tile back to a vector core.

    ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
    ``id`` names the pipe where there are several.
    """

def tpop_from_aic(
    *,
    shape: _Extents | None = ...,
    dtype: DType | None = ...,
    split: SplitMode = ...,
    lane_stride: int | None = ...,
    id: int | None = ...,
    attrs: Mapping[str, Any] = ...,
) -> Any:
    """Receives a tile from the cube core: [*shape] of ``dtype`` in Vec.

    Without both, the annotation of the variable says what it is. Raises PL203 for extents that are not positive
    constants, PL205 where one of the two is missing.

    ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
    ``id`` names the pipe where there are several.
    """

def tpop_from_aiv(
    *,
    shape: _Extents | None = ...,
    dtype: DType | None = ...,
    split: SplitMode = ...,
    id: int | None = ...,
    attrs: Mapping[str, Any] = ...,
) -> Any:
    """Receives a tile from a vector core: [*shape] of ``dtype`` in Mat.

    Without both, the annotation of the variable says what it is. Raises PL203 for extents that are not positive
    constants, PL205 where one of the two is missing.

    ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
    ``id`` names the pipe where there are several.
    """

def tpush_to_aic(tile: Tile, *, split: SplitMode, id: int | None = ..., attrs: Mapping[str, Any] = ...) -> None:
    """Sends a tile from a vector core to the cube core.

    ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
    ``id`` names the pipe where there are several.
    """

def tpush_to_aiv(
    tile: Tile,
    *,
    split: SplitMode,
    lane_stride: int | None = ...,
    id: int | None = ...,
    attrs: Mapping[str, Any] = ...,
) -> None:
    """Sends a tile from the cube core to the vector cores.

    ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
    ``id`` names the pipe where there are several.
    """

def transpose(input: Tile, axis1: int, axis2: int, tmp: Tile | None = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
    """A copy with two axes exchanged; negative axes count from the end. The result is fully valid; ``tmp`` is scratch.

    Raises PL203 for axes that do not exist or are the same.
    """

def tri(
    diagonal: _Number,
    shape: _Extents,
    valid_shape: _Extents | None = ...,
    dtype: DType = ...,
    upper: bool = ...,
    *,
    attrs: Mapping[str, Any] = ...,
) -> Tile:
    """Ones on one side of a diagonal and zeros elsewhere: [M, N] of ``dtype``, row-major.

    The ones are at and below the diagonal, or at and above it (``upper``); ``diagonal`` (an INT32) counts from the main
    one to the right.

    Raises PL203 for other than two constant extents, PL204 for the diagonal's element type, PL208 for a wrong valid
    region.
    """

@overload
def write(tile: Tile, indices: _Extents | _Number, value: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Writes a scalar into one element, by an index for each dimension; the result is the tile after the write.

    Raises PL203 for another number of indices, PL204 for indices that are no integers or a value of another type, PL206
    for an index outside the tile.
    """
@overload
def write(tensor: Tensor, indices: _Extents | _Number, value: _Number, *, attrs: Mapping[str, Any] = ...) -> Tensor:
    """Writes a scalar into one element, by an index for each dimension; the result is the tensor after the write.

    Raises PL203 for another number of indices, PL204 for indices that are no integers or a value of another type, PL206
    for an index outside the tensor.
    """

@overload
def xor(lhs: Tile, rhs: Tile, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Bitwise ``lhs ^ rhs`` of integers; ``tmp`` is scratch. PL204 for others.

    Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
    the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

    Raises PL203 where the shapes do not match.
    """
@overload
def xor(lhs: Tile, rhs: _Number, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Bitwise ``lhs ^ rhs`` of integers with a scalar; ``tmp`` is scratch. PL204 for others.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

def xors(lhs: Tile, rhs: _Number, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
    """Bitwise ``lhs ^ rhs`` of integers with a scalar; ``tmp`` is scratch. PL204 for others.

    The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
    Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

    The result keeps the first tile's valid region, order and pad.
    """

class array:
    """The operators of ``pl.array``."""

    @staticmethod
    def create(extent: int, dtype: DType, *, attrs: Mapping[str, Any] = ...) -> Array:
        """An array of so many elements of an integer type, BOOL or TASK_ID.

        Raises PL203 for an extent that is not positive, PL204 for another element type.
        """

    @staticmethod
    def get_element(array: Array, index: _Number, *, attrs: Mapping[str, Any] = ...) -> Scalar:
        """One element of an array. Raises PL204 for an index that is no integer, PL206 for one outside the array."""

    @staticmethod
    def update_element(array: Array, index: _Number, value: _Number, *, attrs: Mapping[str, Any] = ...) -> Array:
        """The array with one element changed.

        Raises PL204 for an index that is no integer or a value of another element type (an INDEX goes into any integer
        array), PL206 for an index outside the array.
        """

class system:
    """The operators of ``pl.system``."""

    @staticmethod
    def aic_initialize_pipe(
        c2v_consumer_buf: _Number,
        v2c_consumer_buf: _Number,
        *,
        dir_mask: int,
        slot_size: int,
        slot_num: int | None = ...,
        local_slot_num: int | None = ...,
        id: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> None:
        """Sets up a pipe between the cores, on the cube core: directions, bytes of a slot, number of slots.

        Raises PL205 for a slot size that is not positive.
        """

    @staticmethod
    def aiv_initialize_pipe(
        c2v_consumer_buf: _Number,
        v2c_consumer_buf: _Number,
        *,
        dir_mask: int,
        slot_size: int,
        slot_num: int | None = ...,
        local_slot_num: int | None = ...,
        id: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> None:
        """Sets up a pipe between the cores, on a vector core: directions, bytes of a slot, number of slots.

        Raises PL205 for a slot size that is not positive.
        """

    @staticmethod
    def available_aiv_count(*, attrs: Mapping[str, Any] = ...) -> Scalar:
        """How many vector cores are free, an INT32."""

    @staticmethod
    def available_cluster_count(*, attrs: Mapping[str, Any] = ...) -> Scalar:
        """How many clusters are free, an INT32."""

    @staticmethod
    def bar_all(*, attrs: Mapping[str, Any] = ...) -> None:
        """Waits for all pipes of the core."""

    @staticmethod
    def bar_m(*, attrs: Mapping[str, Any] = ...) -> None:
        """Waits for the matrix pipe."""

    @staticmethod
    def bar_v(*, attrs: Mapping[str, Any] = ...) -> None:
        """Waits for the vector pipe."""

    @staticmethod
    def cacheinvalid(
        tensor: Tensor | None = ...,
        shapes: _Extents | None = ...,
        offsets: _Extents | None = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> None:
        """Makes the cache forget global memory: all of it, or the window ``shapes`` of a tensor at ``offsets``.

        Raises PL202 where only some of the three are given, PL203 where they do not fit.
        """

    @staticmethod
    def fence(*, attrs: Mapping[str, Any] = ...) -> None:
        """Makes all writes so far visible before any later access."""

    @staticmethod
    def import_peer_buffer(*, name: str, peer_func: str, attrs: Mapping[str, Any] = ...) -> Scalar:
        """The address of the buffer that another function reserved under this name, an INT32."""

    @staticmethod
    def print_scalar(value: _Number, label: str = ..., *, attrs: Mapping[str, Any] = ...) -> None:
        """Prints a scalar.

        A run on numpy prints it; on the chip it does nothing. ``label`` stands in front. Of tiles and
        tensors the valid part is printed; what has no value is ``--``.
        """

    @staticmethod
    def print_tensor(tensor: Tensor, label: str = ..., *, attrs: Mapping[str, Any] = ...) -> None:
        """Prints a tensor.

        A run on numpy prints it; on the chip it does nothing. ``label`` stands in front. Of tiles and
        tensors the valid part is printed; what has no value is ``--``.
        """

    @staticmethod
    def reserve_buffer(*, name: str, size: int, base: int = ..., attrs: Mapping[str, Any] = ...) -> Scalar:
        """Reserves ``size`` bytes on chip under a name for what other cores send.

        ``base`` is their address; -1 leaves it open. The result is the address, an INT32.

        Raises PL205 for a size that is not positive.
        """

    @staticmethod
    def set_ffts(workspace: Tensor, *, attrs: Mapping[str, Any] = ...) -> None:
        """Sets the workspace for flags between cores: at least 256 INT64 in a row. Raises PL203 or PL204 otherwise."""

    @staticmethod
    def sync_dst(*, set_pipe: PipeType, wait_pipe: PipeType, event_id: int, attrs: Mapping[str, Any] = ...) -> None:
        """Waits for an event between two pipes of one core. Raises PL205 for a negative event."""

    @staticmethod
    def sync_set(
        event_id_dyn: _Number | None = ...,
        *,
        pipe: PipeType,
        event_id: int | None = ...,
        ffts_mode: int | None = ...,
        core_type: str | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> None:
        """Sets an event for other cores once the pipe has come so far.

        The event is a number from 0 to 13 or a value; ``ffts_mode`` is 0, 1 or 2; ``core_type`` is ``"aic"`` or ``"aiv"``.
        Raises PL205 for anything else.
        """

    @staticmethod
    def sync_src(*, set_pipe: PipeType, wait_pipe: PipeType, event_id: int, attrs: Mapping[str, Any] = ...) -> None:
        """Sets an event between two pipes of one core. Raises PL205 for a negative event."""

    @staticmethod
    def sync_wait(
        event_id_dyn: _Number | None = ...,
        *,
        pipe: PipeType,
        event_id: int | None = ...,
        core_type: str | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> None:
        """Holds the pipe until another core has set the event.

        The event is a number from 0 to 13 or a value; ``core_type`` is ``"aic"`` or ``"aiv"``. Raises PL205 for anything
        else.
        """

    @staticmethod
    def syncall(
        *,
        core_type: str = ...,
        mode: str = ...,
        gm_workspace: Tensor | None = ...,
        used_cores: _Number | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> None:
        """Waits until all cores have come here: ``"mix"``, ``"aic_only"`` or ``"aiv_only"``.

        ``mode="soft"`` counts them in ``gm_workspace``, for ``used_cores`` cores; the operands are for it alone.

        Raises PL202 for operands in the hard mode or a missing workspace in the soft one, PL205 for other strings.
        """

    @staticmethod
    def task_dummy(*, deps: _Tasks | None = ..., attrs: Mapping[str, Any] = ...) -> Scalar:
        """A task that does nothing but wait for others: for each TASK_ID, and all in each array of them.

        The result is its TASK_ID. Raises PL204 for what is no task.
        """

    @staticmethod
    def task_invalid(*, attrs: Mapping[str, Any] = ...) -> Scalar:
        """The TASK_ID of no task; ``None`` means it too."""

    @staticmethod
    def task_is_valid(task_id: _Number, *, attrs: Mapping[str, Any] = ...) -> Scalar:
        """Whether a TASK_ID (PL204) names a task, a BOOL."""

    @staticmethod
    def tfree_to_aic(
        tile: Tile,
        *,
        split: SplitMode | None = ...,
        id: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> None:
        """Gives the slot of a received tile back to the cube core.

        ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
        ``id`` names the pipe where there are several.
        """

    @staticmethod
    def tfree_to_aiv(
        tile: Tile,
        *,
        split: SplitMode | None = ...,
        id: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> None:
        """Gives the slot of a received tile back to a vector core.

        ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
        ``id`` names the pipe where there are several.
        """

    @staticmethod
    def tpop_from_aic(
        *,
        shape: _Extents | None = ...,
        dtype: DType | None = ...,
        split: SplitMode = ...,
        lane_stride: int | None = ...,
        id: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Any:
        """Receives a tile from the cube core: [*shape] of ``dtype`` in Vec.

        Without both, the annotation of the variable says what it is. Raises PL203 for extents that are not positive
        constants, PL205 where one of the two is missing.

        ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
        ``id`` names the pipe where there are several.
        """

    @staticmethod
    def tpop_from_aiv(
        *,
        shape: _Extents | None = ...,
        dtype: DType | None = ...,
        split: SplitMode = ...,
        id: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Any:
        """Receives a tile from a vector core: [*shape] of ``dtype`` in Mat.

        Without both, the annotation of the variable says what it is. Raises PL203 for extents that are not positive
        constants, PL205 where one of the two is missing.

        ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
        ``id`` names the pipe where there are several.
        """

    @staticmethod
    def tpush_to_aic(tile: Tile, *, split: SplitMode, id: int | None = ..., attrs: Mapping[str, Any] = ...) -> None:
        """Sends a tile from a vector core to the cube core.

        ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
        ``id`` names the pipe where there are several.
        """

    @staticmethod
    def tpush_to_aiv(
        tile: Tile,
        *,
        split: SplitMode,
        lane_stride: int | None = ...,
        id: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> None:
        """Sends a tile from the cube core to the vector cores.

        ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
        ``id`` names the pipe where there are several.
        """

class tensor:
    """The operators of ``pl.tensor``."""

    @staticmethod
    def assemble(
        target: Tensor,
        source: Tensor,
        offset: _Extents,
        *,
        atomic: AtomicType = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tensor:
        """``target`` with ``source`` written into it at ``offset``; the element types may differ.

        ``atomic=pl.AtomicType.Add`` adds to what is there. A target that is only partly valid grows by the valid part of
        the source.

        Raises PL203, PL206 for a source that provably leaves the target, PL208 where the valid region cannot grow so.
        """

    @staticmethod
    def create(
        shape: _Extents,
        dtype: DType,
        layout: TensorLayout = ...,
        manual_dep: bool = ...,
        init_value: float | None = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tensor:
        """A new tensor in global memory: [*shape] of ``dtype``; extents may be expressions.

        ``init_value`` fills it; ``manual_dep`` leaves the ordering of its readers and writers to the program.

        Raises PL203 for extents that are not positive.
        """

    @staticmethod
    def create_tensor(
        shape: _Extents,
        dtype: DType,
        layout: TensorLayout = ...,
        manual_dep: bool = ...,
        init_value: float | None = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tensor:
        """A new tensor in global memory: [*shape] of ``dtype``; extents may be expressions.

        ``init_value`` fills it; ``manual_dep`` leaves the ordering of its readers and writers to the program.

        Raises PL203 for extents that are not positive.
        """

    @staticmethod
    def dim(tensor: Tensor, axis: int, *, attrs: Mapping[str, Any] = ...) -> Scalar:
        """One extent of a tensor, an INDEX; negative axes count from the end.

        Raises PL201 for a tensor on several devices, PL203 for an axis that does not exist.
        """

    @staticmethod
    def full(shape: _Extents, dtype: DType, value: float, *, attrs: Mapping[str, Any] = ...) -> Tensor:
        """A tensor with every element the same constant: [*shape] of ``dtype``.

        Raises PL203 for extents that are not positive, PL204 for a value that the element type does not know.
        """

    @staticmethod
    def read(tensor: Tensor, indices: _Extents | _Number, *, attrs: Mapping[str, Any] = ...) -> Scalar:
        """One element as a scalar; one index for each dimension, a single one also without a list.

        Raises PL203 for another number of indices, PL204 for indices that are no integers, PL206 for an
        index outside the tensor.
        """

    @staticmethod
    def reshape(
        input: Tensor,
        shape: _Extents,
        valid_shape: _Extents | None = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tensor:
        """The same elements in another shape, row by row, without copying.

        The valid region follows where the new shape can express it, or is ``valid_shape``.

        Raises PL201 for a tensor on several devices, PL203 for another number of elements, PL208 for a valid region that
        has no place in the new shape.
        """

    @staticmethod
    def slice(
        input: Tensor,
        shape: _Extents,
        offset: _Extents,
        valid_shape: _Extents | None = ...,
        drop_dims: _Extents | None = ...,
        pad_value: PadValue | None = ...,
        clamp: bool = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tensor:
        """A window of a tensor, without copying: [*shape] at ``offset``; extents may be expressions.

        ``valid_shape`` is the part that holds data; ``clamp`` cuts the window off at the end of the tensor; ``drop_dims``
        names axes of extent 1 that the result loses; ``pad_value`` is what counts beyond the valid part.

        Raises PL203 for shapes that do not fit, PL206 for a window that provably leaves the tensor, PL208 for a valid
        region larger than the window.
        """

    @staticmethod
    def view(
        input: Tensor,
        shape: _Extents | None = ...,
        valid_shape: _Extents | None = ...,
        *,
        layout: TensorLayout | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tensor:
        """The same memory seen in another shape or layout, with strides that say so.

        A change of ``layout`` alone between ND and DN exchanges the last two axes. The valid region follows, or is
        ``valid_shape``.

        Raises PL203 for another number of elements, PL208 for a valid region that has no place in the new shape.
        """

    @staticmethod
    def write(tensor: Tensor, indices: _Extents | _Number, value: _Number, *, attrs: Mapping[str, Any] = ...) -> Tensor:
        """Writes a scalar into one element, by an index for each dimension; the result is the tensor after the write.

        Raises PL203 for another number of indices, PL204 for indices that are no integers or a value of another type, PL206
        for an index outside the tensor.
        """

class tile:
    """The operators of ``pl.tile``."""

    MaskPattern = _MaskPattern

    @staticmethod
    def abs(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Absolute value.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @overload
    @staticmethod
    def add(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Sum, ``lhs + rhs``.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def add(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs + rhs`` with a scalar.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def addc(lhs: Tile, rhs: Tile, rhs2: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Sum of three, ``lhs + rhs + rhs2``.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """

    @staticmethod
    def adds(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs + rhs`` with a scalar.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def addsc(lhs: Tile, rhs: _Number, rhs2: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs + rhs + rhs2`` with a scalar in the middle.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        The scalar takes part in the element type.
        """

    @staticmethod
    def aic_gather(tile: Tile, *, split: SplitMode, attrs: Mapping[str, Any] = ...) -> Tile:
        """The matrix that the parts of the two vector cores make up: twice the rows, or twice the columns, in Mat.

        A run has one vector core, to which only a matrix that is not split means anything (PL507).

        Raises PL203 for other than two dimensions.
        """

    @staticmethod
    def aiv_shard(
        tile: Tile,
        *,
        split: SplitMode,
        lane_stride: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """The part of a matrix that one of the two vector cores gets: half of its rows, or half of its columns, rounded up.

        A run has one vector core, to which only a matrix that is not split means anything (PL507).

        Raises PL203 for other than two dimensions.
        """

    @staticmethod
    def alloc(memory_space: int, size: _Number, pinned: bool = ..., *, attrs: Mapping[str, Any] = ...) -> Ptr:
        """A raw allocation of ``size`` bytes in the space of this number; PL210 for a number that is no space."""

    @overload
    @staticmethod
    def and_(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Bitwise ``lhs & rhs`` of integers; PL204 for others.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def and_(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Bitwise ``lhs & rhs`` of integers with a scalar; PL204 for others.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def ands(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Bitwise ``lhs & rhs`` of integers with a scalar; PL204 for others.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def arange(
        start: _Number,
        shape: _Extents,
        dtype: DType = ...,
        descending: bool = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Consecutive integers from ``start``, upwards or ``descending``: [1, ..., 1, N] of ``dtype``.

        ``dtype`` is INT16, INT32, UINT16 or UINT32, and that of ``start``.

        Raises PL203 for a shape of other than one row, PL204 for other element types.
        """

    @staticmethod
    def assemble(target: Tile, source: Tile, offset: _Extents, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``target`` with ``source`` written into it at ``offset``.

        Both have the same element type, or ``source`` is FP32 and ``target`` BF16 or FP16. A target that is only partly
        valid grows by the valid part of the source.

        Raises PL203, PL204, PL206 for a source that provably leaves the target, PL208 where the valid region cannot grow
        so.
        """

    @staticmethod
    def batch_matmul(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Matrix products of stacks: [..., M, K] and [..., K, N] give [..., M, N], leading extents broadcast.

        Element types as in ``matmul``; the result is fully valid. Raises PL203 or PL204 where the operands do not fit.
        """

    @staticmethod
    def batch_matmul_acc(acc: Tile, lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Adds matrix products of stacks to ``acc``, in its place; as ``batch_matmul``. The result is fully valid.

        Raises PL203 or PL204 where the operands do not fit.
        """

    @staticmethod
    def cast(
        tile: Tile,
        target_type: DType,
        mode: Literal["none", "rint", "round", "floor", "ceil", "trunc", "odd"] | int = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Converts the elements to ``target_type``.

        ``mode`` says how numbers are rounded that lie between two of ``target_type``: ``"rint"`` and ``"none"`` to the
        nearest, in the middle to the even one; ``"round"`` to the nearest, in the middle away from zero; ``"floor"`` down;
        ``"ceil"`` up; ``"trunc"`` towards zero; ``"odd"`` to the odd one. Or it is a number from 0, in the order none,
        rint, round, floor, ceil, trunc, odd.

        From floats to integers what is too large or too small becomes the largest or smallest integer, and nan 0. From
        integers to integers the lower bits are kept. From floats to floats what is too large becomes infinite, where the
        mode rounds that way and the type has infinity, else the largest number; nan is 0 in FP4, which has none.
        ``BOOL`` asks whether a number is not zero.

        Raises PL204 where the tile has that element type already.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def ci(
        start: _Number,
        shape: _Extents,
        dtype: DType = ...,
        descending: bool = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Consecutive integers from ``start``, upwards or ``descending``: [1, ..., 1, N] of ``dtype``.

        ``dtype`` is INT16, INT32, UINT16 or UINT32, and that of ``start``.

        Raises PL203 for a shape of other than one row, PL204 for other element types.
        """

    @staticmethod
    def cmp(
        lhs: Tile,
        rhs: Tile,
        cmp_type: Literal["eq", "ne", "lt", "le", "gt", "ge"] | int = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Compares the elements: a UINT8 tile of one bit for each.

        [..., N] and [..., N], broadcast, give [..., ceil(N / 8) rounded up to 32], of which ceil(N / 8) is valid. A bit is
        set where the relation holds, which of nan only ``"ne"`` does; the first of eight elements is the lowest bit.
        ``cmp_type`` is ``"eq"``, ``"ne"``, ``"lt"``, ``"le"``, ``"gt"`` or ``"ge"``, or its number from 0.

        Raises PL203 where the shapes do not match.
        """

    @staticmethod
    def cmps(
        lhs: Tile,
        rhs: _Number,
        cmp_type: Literal["eq", "ne", "lt", "le", "gt", "ge"] | int = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Compares the elements with a scalar; as ``cmp``."""

    @staticmethod
    def col_argmax(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Position of the largest element of each column.

        Only what is valid counts. Of several that are equal it is the first; nan prevails.

        The first axis is reduced: [M, ...] gives [1, ...] of INT32; the valid columns stay valid. ``tmp_tile`` is scratch.

        Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
        """

    @staticmethod
    def col_argmin(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Position of the smallest element of each column.

        Only what is valid counts. Of several that are equal it is the first; nan prevails.

        The first axis is reduced: [M, ...] gives [1, ...] of INT32; the valid columns stay valid. ``tmp_tile`` is scratch.

        Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
        """

    @staticmethod
    def col_expand(target: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Each element of ``col_tile`` spread over its column; ``target`` gives the shape.

        [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
        """

    @staticmethod
    def col_expand_add(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``tile + col_tile``, column by column.

        [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
        """

    @staticmethod
    def col_expand_div(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``tile / col_tile``, column by column.

        [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
        """

    @staticmethod
    def col_expand_expdif(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``exp(tile - col_tile)``, column by column.

        [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
        """

    @staticmethod
    def col_expand_max(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The larger of ``tile`` and ``col_tile``, column by column.

        [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
        """

    @staticmethod
    def col_expand_min(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The smaller of ``tile`` and ``col_tile``, column by column.

        [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
        """

    @staticmethod
    def col_expand_mul(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``tile * col_tile``, column by column.

        [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
        """

    @staticmethod
    def col_expand_sub(tile: Tile, col_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``tile - col_tile``, column by column.

        [..., M, N] and [1, N] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one row with as many columns, or has more axes than the first.
        """

    @staticmethod
    def col_max(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Largest element of each column.

        Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

        The first axis is reduced: [M, ...] gives [1, ...]; the valid columns stay valid.

        Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
        """

    @staticmethod
    def col_min(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Smallest element of each column.

        Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

        The first axis is reduced: [M, ...] gives [1, ...]; the valid columns stay valid.

        Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
        """

    @staticmethod
    def col_prod(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Product of each column.

        Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

        The first axis is reduced: [M, ...] gives [1, ...]; the valid columns stay valid.

        Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
        """

    @staticmethod
    def col_sum(tile: Tile, tmp_tile: Tile | None = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Sum of each column; with scratch ``tmp_tile`` added up as a binary tree.

        Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

        The first axis is reduced: [M, ...] gives [1, ...]; the valid columns stay valid.

        Raises PL203 for less than two dimensions, PL208 for a tile of which nothing is valid.
        """

    @staticmethod
    def concat(src0: Tile, src1: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Two tiles side by side: [M, N0] and [M, N1] give [M, N0 + N1], fully valid.

        Raises PL203 for other than two dimensions or different numbers of rows, PL204 for different element types.
        """

    @staticmethod
    def cos(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Cosine of an FP32 tile; PL204 for others.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def create(
        shape: _Extents,
        dtype: DType,
        target_memory: MemorySpace | None = ...,
        transpose: bool | None = ...,
        *,
        flat_layout: bool | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """A new tile of undefined contents: [*shape] of ``dtype``, fully valid.

        Without ``target_memory`` placement chooses the space. In Mat, ``transpose`` lays it out as the cube core reads a
        transposed matrix and ``flat_layout`` without boxes.

        Raises PL203 for extents that are not positive constants (or an odd last one of FP4), PL210 for a scale buffer.
        """

    @staticmethod
    def create_tile(
        shape: _Extents,
        dtype: DType,
        target_memory: MemorySpace | None = ...,
        transpose: bool | None = ...,
        *,
        flat_layout: bool | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """A new tile of undefined contents: [*shape] of ``dtype``, fully valid.

        Without ``target_memory`` placement chooses the space. In Mat, ``transpose`` lays it out as the cube core reads a
        transposed matrix and ``flat_layout`` without boxes.

        Raises PL203 for extents that are not positive constants (or an odd last one of FP4), PL210 for a scale buffer.
        """

    @overload
    @staticmethod
    def div(lhs: Tile, rhs: Tile, high_precision: bool = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Quotient, ``lhs / rhs``; of integers rounded towards zero, and 0 where ``rhs`` is 0.

        Both tiles have the same shape, valid region and element type, which is INT16, INT32, FP16 or FP32;
        ``high_precision`` needs FP16 or FP32.

        Raises PL203 for another shape, PL204 for another element type, PL208 for another valid region.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """
    @overload
    @staticmethod
    def div(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs / rhs`` with a scalar; of integers rounded towards zero, and 0 where ``rhs`` is 0.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def divs(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs / rhs`` with a scalar; of integers rounded towards zero, and 0 where ``rhs`` is 0.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def exp(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """e to the power of each element; for integers rounded to the nearest, as all functions are.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def expands(target: Tile, scalar: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """A tile like ``target`` with every element the scalar.

        The element type is that of both combined, so an FP32 scalar widens an FP16 tile.
        """

    @staticmethod
    def extract(
        src: Tile,
        index_row: _Number,
        index_col: _Number,
        shape: _Extents,
        *,
        target_memory: MemorySpace = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """A copy of the window [*shape] of a matrix at row ``index_row`` and column ``index_col`` in another space.

        ``shape`` is constant. The valid part is what the source has valid there.

        Raises PL203 for other than two dimensions, PL204 for an index that is no integer, PL206 for a window that provably
        leaves the source.
        """

    @staticmethod
    def fillpad(tile: Tile, pad_value: PadValue = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Copies a tile and fills what is not valid.

        ``pad_value`` is zero (or 0), max (``float("inf")``) or min (``float("-inf")``): the largest or smallest value of the
        element type. The result is fully valid.

        Raises PL205 for the pad value null.
        """

    @staticmethod
    def fillpad_expand(
        tile: Tile,
        shape: _Extents,
        pad_value: PadValue = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Copies a tile into the corner of a larger one, [*shape], and fills the rest.

        Raises PL203 for extents that are not constant or smaller than the tile's.

        ``pad_value`` is zero (or 0), max (``float("inf")``) or min (``float("-inf")``): the largest or smallest value of the
        element type. The result is fully valid.

        Raises PL205 for the pad value null.
        """

    @staticmethod
    def fillpad_inplace(tile: Tile, pad_value: PadValue = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Fills what is not valid in the tile itself.

        ``pad_value`` is zero (or 0), max (``float("inf")``) or min (``float("-inf")``): the largest or smallest value of the
        element type. The result is fully valid.

        Raises PL205 for the pad value null.
        """

    @staticmethod
    def fmod(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Remainder of the division towards zero, with the sign of ``lhs``, as C's ``fmod``.

        Where ``rhs`` is zero it is nan, or 0 for integers.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """

    @staticmethod
    def fmods(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Remainder of the division by a scalar towards zero, with the sign of ``lhs``; by zero as ``fmod``.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def full(shape: _Extents, dtype: DType, value: float, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """A tile with every element the same constant: [*shape] of ``dtype``, row-major.

        Raises PL203 for extents that are not positive constants, PL204 for a value that the element type does not know.
        """

    @staticmethod
    def gather(src: Tile, indices: Tile, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The elements of ``src`` at these flat positions, in the shape of ``indices``; ``tmp`` is scratch.

        ``src`` is FP16, FP32, INT16 or INT32; ``indices`` INT32, or INT16 beside 16-bit elements. Positions count row by
        row through the whole shape of ``src``. The result is fully valid; it has values where ``indices`` is valid.

        Raises PL204 for other element types.
        """

    @staticmethod
    def gather_compare(
        src: Tile,
        kvalue: _Number,
        tmp: Tile,
        *,
        cmp_mode: Literal["eq", "ne", "lt", "le", "gt", "ge"] | int = ...,
        offset: int = ...,
        out_cols: int = ...,
        count_dtype: DType = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Any:
        """The positions in each row whose elements compare so with a scalar, and how many there are.

        [M, N] gives [M, out_cols] positions (INT32, ``offset`` added) and [1, M] counts of ``count_dtype``; ``kvalue`` has
        the element type of ``src``, ``tmp`` is scratch. The positions stand side by side; what is behind them in their row
        has no value. A count also counts the positions for which there are not enough columns.

        Raises PL203 for other than two dimensions, PL204 for another type of the scalar, PL205 for no columns.
        """

    @staticmethod
    def gather_mask(
        src: Tile,
        mask_pattern: int,
        *,
        output_dtype: DType | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """The elements of each row that a pattern takes, side by side: [..., N] gives [..., N / 1, 2 or 4], fully valid.

        ``output_dtype`` reads the elements as another type of the same width.

        Raises PL203 for columns that the pattern does not divide, PL204 for a type of another width, PL205 for another
        pattern.

        Patterns: 1 and 2 take every second element, from the first or the second one; 3 to 6 every fourth, from the first to
        the fourth one; 7 takes all (``pl.tile.MaskPattern`` has names for them).
        """

    @staticmethod
    def gather_row(
        dst: Tile,
        src: Tensor,
        dst_offset: _Extents,
        src_offset: _Extents,
        shapes: _Extents,
        transpose: bool = ...,
        *,
        valid_shape: _Extents | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Reads the window ``shapes`` of a tensor at ``src_offset`` into a tile at ``dst_offset``, in its place.

        ``shapes`` is constant; ``valid_shape`` is the part of it that is read; ``transpose`` turns it around on the way. A
        tile of fewer axes than the tensor takes a window whose leading extents are 1.

        Raises PL201 for a tensor on several devices, PL203, PL204 for another element type, PL208 for a wrong valid region.
        """

    @staticmethod
    def gatherb(src: Tile, offset: Tile, *, output_dtype: DType | None = ..., attrs: Mapping[str, Any] = ...) -> Tile:
        """Blocks of 32 bytes of ``src`` at these byte offsets: [M, N] offsets give [M, N * 32 / element bytes].

        ``offset`` is UINT32 with a multiple of 8 columns, its elements are multiples of 32; ``output_dtype`` is that of
        ``src`` where it is left out.

        Raises PL203 for other columns, PL204 for other element types.
        """

    @staticmethod
    def gemv(lhs: Tile, rhs: Tile, acc_phase: str = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Product of a row and a matrix, ``lhs @ rhs``: [1, K] and [K, N] give [16, N], of which [1, N] is valid.

        FP16, BF16 and FP32 give FP32, INT8 gives INT32. ``acc_phase`` is ``"unspecified"``, ``"partial"`` or ``"final"``.

        Raises PL203, PL204 or PL205 where the operands do not fit.
        """

    @staticmethod
    def gemv_acc(acc: Tile, lhs: Tile, rhs: Tile, acc_phase: str = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Adds the product of a row and a matrix to ``acc``, in its place; ``acc`` is what ``gemv`` makes.

        Raises PL203, PL204, PL205, or PL208 for another valid region than one row.
        """

    @staticmethod
    def gemv_bias(lhs: Tile, rhs: Tile, bias: Tile, acc_phase: str = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Product of a row and a matrix plus a row: [1, K], [K, N], [1, N] give [16, N], of which [1, N] is valid.

        As ``gemv``; the bias has the element type of the product. Raises PL203, PL204 or PL205 where they do not fit.
        """

    @staticmethod
    def get_block_idx(*, attrs: Mapping[str, Any] = ...) -> Scalar:
        """The number of the running block, an INDEX."""

    @staticmethod
    def get_block_num(*, attrs: Mapping[str, Any] = ...) -> Scalar:
        """How many blocks run, an INDEX."""

    @staticmethod
    def get_subblock_idx(*, attrs: Mapping[str, Any] = ...) -> Scalar:
        """The number of the running vector core within its block, an INDEX."""

    @staticmethod
    def load(
        tensor: Tensor,
        offsets: _Extents,
        shapes: _Extents,
        valid_shape: _Extents | None = ...,
        target_memory: MemorySpace | None = ...,
        clamp: bool = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Reads the window ``shapes`` of a tensor at ``offsets`` into a tile.

        ``shapes`` is constant; ``valid_shape`` (all of it by default) is the part that holds data. ``clamp`` cuts the
        window off at the end of the tensor. Without ``target_memory`` placement chooses the space. To a window of more axes
        the tensor has leading axes of extent 1.

        Raises PL203 for a shape that does not fit, PL206 for a window that provably leaves the tensor, PL208 for a valid
        region larger than the window, PL210 for a tensor layout that the space cannot hold.
        """

    @staticmethod
    def log(tile: Tile, high_precision: bool = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Natural logarithm of an FP16 or FP32 tile; PL204 for others.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def lrelu(tile: Tile, slope: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``tile`` where it is positive, else ``tile * slope``; a literal slope is FP32.

        Integers times a float are rounded to the nearest; an integer slope takes the element type of the tile.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def matmul(lhs: Tile, rhs: Tile, out_dtype: DType | None = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Matrix product, ``lhs @ rhs``: [M, K] and [K, N] give [M, N].

        Both have the same element type; floats give FP32, integers INT32, which wrap. The valid region has the valid rows
        of ``lhs`` and the valid columns of ``rhs``; K ends where either is no longer valid. ``out_dtype`` only says again
        what the element type of the product is.

        Raises PL203 for other ranks or inner extents that differ, PL204 for element types that differ.
        """

    @staticmethod
    def matmul_acc(
        acc: Tile,
        lhs: Tile,
        rhs: Tile,
        init_cond: _Number | None = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Adds a matrix product to ``acc``, in its place: ``acc + lhs @ rhs``; [M, N], [M, K], [K, N].

        Where ``init_cond`` (a BOOL) holds, ``acc`` counts as zero, as it does where it has no value yet. The valid region
        is that of ``acc``.

        Raises PL203 or PL204 where the operands do not fit.
        """

    @staticmethod
    def matmul_bias(lhs: Tile, rhs: Tile, bias: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Matrix product plus a row: ``lhs @ rhs + bias``; [M, K], [K, N], [1, N] give [M, N].

        As ``matmul``; the bias has the element type of the product. Raises PL203 or PL204 where the operands do not fit.
        """

    @staticmethod
    def matmul_mx(lhs: Tile, lhs_scale: Tile, rhs: Tile, rhs_scale: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Scaled matrix product, ``lhs @ rhs``: [M, N] of FP32, valid as in ``matmul``.

        ``lhs`` [M, K] and ``rhs`` [K, N] are FP8E4M3FN; the scales are FP8E8M0, one for every 32 elements along K:
        [M, ceil(K / 32)] and [ceil(K / 32), N], as valid as their operands. M is a multiple of 16, K of 64, N of 32.

        Raises PL203, PL204, or PL208 for scales that are valid elsewhere than their operands.
        """

    @staticmethod
    def matmul_mx_acc(
        acc: Tile,
        lhs: Tile,
        lhs_scale: Tile,
        rhs: Tile,
        rhs_scale: Tile,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Adds a scaled matrix product to ``acc`` (FP32), in its place; the valid region is that of ``acc``.

        ``lhs`` [M, K] and ``rhs`` [K, N] are FP8E4M3FN; the scales are FP8E8M0, one for every 32 elements along K:
        [M, ceil(K / 32)] and [ceil(K / 32), N], as valid as their operands. M is a multiple of 16, K of 64, N of 32.

        Raises PL203, PL204, or PL208 for scales that are valid elsewhere than their operands.
        """

    @staticmethod
    def matmul_mx_bias(
        lhs: Tile,
        lhs_scale: Tile,
        rhs: Tile,
        rhs_scale: Tile,
        bias: Tile,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Scaled matrix product plus a row, ``lhs @ rhs + bias``; the bias is [1, N] of FP32.

        ``lhs`` [M, K] and ``rhs`` [K, N] are FP8E4M3FN; the scales are FP8E8M0, one for every 32 elements along K:
        [M, ceil(K / 32)] and [ceil(K / 32), N], as valid as their operands. M is a multiple of 16, K of 64, N of 32.

        Raises PL203, PL204, or PL208 for scales that are valid elsewhere than their operands.
        """

    @overload
    @staticmethod
    def maximum(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The larger element of each pair; nan where one of them is.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def maximum(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The larger one of each element and a scalar; nan where one of them is.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def maximums(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The larger one of each element and a scalar; nan where one of them is.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def mgather(
        mem: Tensor,
        idx: Tile | Tensor,
        coalesce: Literal["row", "elem"] | int = ...,
        *,
        gather_oob: Literal["undefined", "clamp", "wrap", "zero"] | int = ...,
        target_memory: MemorySpace = ...,
        scratch: Tensor | None = ...,
        valid_shape: _Extents | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Reads rows or elements of a tensor into a tile in Vec or Mat, by an index of INT32.

        ``"row"``: [1, R] indices (or [R, 1] in Vec) give [R, columns of mem]. ``"elem"``: the result has the shape of
        ``idx``, whose elements are positions that count row by row through all of ``mem``. Vec takes its indices from a
        tile, Mat from a two-dimensional tensor in ND layout, and only whole boxes: multiples of 16 rows and of 32 bytes in
        a row. ``scratch`` is memory that Mat needs for elements. ``gather_oob`` says what an index outside the tensor
        gives: ``"undefined"``, ``"clamp"``, ``"wrap"`` or ``"zero"``.

        Raises PL201 for indices that lie in the wrong place, PL203, PL204, PL208, or PL210 for another space.
        """

    @overload
    @staticmethod
    def minimum(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The smaller element of each pair; nan where one of them is.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def minimum(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The smaller one of each element and a scalar; nan where one of them is.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def minimums(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The smaller one of each element and a scalar; nan where one of them is.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def move(
        tile: Tile,
        target_memory: MemorySpace,
        blayout: TileLayout | None = ...,
        slayout: TileLayout | None = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Copies a tile into another space.

        Shape, element type and valid region stay (UINT8 becomes FP8E8M0 in a scale buffer). The layout becomes that of the
        space where it boxes its tiles; Vec and Bias keep the tile's own, unless ``blayout`` and ``slayout`` say otherwise.

        Raises PL203, PL204 or PL210 for a tile that a scale buffer cannot take.
        """

    @overload
    @staticmethod
    def mrgsort(src: Tile, *, block_len: int, attrs: Mapping[str, Any] = ...) -> Tile:
        """Merges every four neighbouring sorted runs of ``block_len`` elements; the shape stays, fully valid.

        ``src`` is what ``sort32`` makes, FP16 or FP32; ``block_len`` is a constant multiple of 64. The last runs of a row
        may be fewer or shorter. Of equal elements that of the first run comes first.

        Raises PL203 for another length, PL204 for another element type.
        """
    @overload
    @staticmethod
    def mrgsort(
        src0: Tile,
        src1: Tile,
        src2: Tile | None = ...,
        src3: Tile | None = ...,
        tmp: Tile | None = ...,
        *,
        exhausted: bool = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Merges two to four sorted tiles; the last tile given is scratch, and the result has its shape, fully valid.

        All are FP16 or FP32, of one element type. ``exhausted`` stops where the first of them is used up; what is behind
        has no value. Of equal elements that of the first tile comes first; what is too much for the result is left out.

        Raises PL202 where the scratch is missing, PL204 for other element types.
        """

    @staticmethod
    def mrgsort_format1(src: Tile, *, block_len: int, attrs: Mapping[str, Any] = ...) -> Tile:
        """Merges every four neighbouring sorted runs of ``block_len`` elements; the shape stays, fully valid.

        ``src`` is what ``sort32`` makes, FP16 or FP32; ``block_len`` is a constant multiple of 64. The last runs of a row
        may be fewer or shorter. Of equal elements that of the first run comes first.

        Raises PL203 for another length, PL204 for another element type.
        """

    @staticmethod
    def mrgsort_format2(
        src0: Tile,
        src1: Tile,
        src2: Tile | None = ...,
        src3: Tile | None = ...,
        tmp: Tile | None = ...,
        *,
        exhausted: bool = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Merges two to four sorted tiles; the last tile given is scratch, and the result has its shape, fully valid.

        All are FP16 or FP32, of one element type. ``exhausted`` stops where the first of them is used up; what is behind
        has no value. Of equal elements that of the first tile comes first; what is too much for the result is left out.

        Raises PL202 where the scratch is missing, PL204 for other element types.
        """

    @staticmethod
    def mscatter(src: Tile, idx: Tile, output_tensor: Tensor, *, attrs: Mapping[str, Any] = ...) -> Tensor:
        """Writes each element of a tile to the flat position in a tensor that ``idx`` names; the result is the tensor.

        ``src`` is FP16, FP32, INT16 or INT32, as the tensor; ``idx`` is INT32 of the same shape. A position that is named
        more than once gets the last element.

        Raises PL203 or PL204 otherwise.
        """

    @overload
    @staticmethod
    def mul(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Product of the elements, ``lhs * rhs``.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def mul(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs * rhs`` with a scalar.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def muls(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs * rhs`` with a scalar.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def neg(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``-tile``, for every element type.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def not_(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Bitwise complement of an INT16 or UINT16 tile; PL204 for others.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @overload
    @staticmethod
    def or_(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Bitwise ``lhs | rhs`` of integers; PL204 for others.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def or_(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Bitwise ``lhs | rhs`` of integers with a scalar; PL204 for others.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def ors(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Bitwise ``lhs | rhs`` of integers with a scalar; PL204 for others.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def part_add(src0: Tile, src1: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Sum where both tiles are valid; the element of ``src0`` where only that is.

        ``src1`` may be valid in less than ``src0``, or in more, which has no effect.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """

    @staticmethod
    def part_max(src0: Tile, src1: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The larger element where both tiles are valid; that of ``src0`` where only that is.

        ``src1`` may be valid in less than ``src0``, or in more, which has no effect.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """

    @staticmethod
    def part_min(src0: Tile, src1: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The smaller element where both tiles are valid; that of ``src0`` where only that is.

        ``src1`` may be valid in less than ``src0``, or in more, which has no effect.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """

    @staticmethod
    def part_mul(src0: Tile, src1: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Product where both tiles are valid; the element of ``src0`` where only that is.

        ``src1`` may be valid in less than ``src0``, or in more, which has no effect.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """

    @staticmethod
    def prelu(tile: Tile, slope: Tile, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``tile`` where it is positive, else ``tile * slope``; ``tmp`` is scratch.

        Two-dimensional, FP16 or FP32; ``slope`` has the element type, shape and valid region of ``tile``.

        Raises PL203, PL204 or PL208 otherwise.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def print(tile: Tile, label: str = ..., *, attrs: Mapping[str, Any] = ...) -> None:
        """Prints a tile.

        A run on numpy prints it; on the chip it does nothing. ``label`` stands in front. Of tiles and
        tensors the valid part is printed; what has no value is ``--``.
        """

    @staticmethod
    def random(
        key0: _Number,
        key1: _Number,
        counter0: _Number,
        counter1: _Number,
        counter2: _Number,
        counter3: _Number,
        shape: _Extents,
        valid_shape: _Extents | None = ...,
        dtype: DType = ...,
        rounds: int = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Random bits by a counter-based generator: [*shape] of INT32 or UINT32, row-major.

        Keys and counters are INT32; ``rounds`` is 7 or 10. The generator is Philox4x32: row by row, every four elements
        are the words made of one counter of 128 bits (``counter0`` the lowest), which then counts on.

        Raises PL203, PL204 for other element types, PL205 for other rounds, PL208 for a wrong valid region.
        """

    @staticmethod
    def read(tile: Tile, indices: _Extents | _Number, *, attrs: Mapping[str, Any] = ...) -> Scalar:
        """One element as a scalar; one index for each dimension, a single one also without a list.

        Raises PL203 for another number of indices, PL204 for indices that are no integers, PL206 for one outside the tile.
        """

    @staticmethod
    def recip(tile: Tile, high_precision: bool = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``1 / tile``; of integers rounded towards zero. ``high_precision`` needs FP16 or FP32 (PL204).

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def reinterpret_view(
        data: Tile,
        dtype: DType,
        *,
        shape: _Extents | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """The same bytes as elements of another type, without copying.

        The contiguous axis becomes longer or shorter by the ratio of the widths; ``shape`` gives another shape of as many
        bytes. Integers of 8 to 64 bits, FP16, FP32 and BF16; the tile is flat and packed.

        Raises PL203 for bytes that do not fit, PL204 for other element types, PL210 for a tile that is not flat.
        """

    @staticmethod
    def relu(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The element where it is positive, else 0; nan stays nan.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @overload
    @staticmethod
    def rem(lhs: Tile, rhs: Tile, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Remainder of the floor division, with the sign of ``rhs``; ``tmp`` is scratch.

        Where ``rhs`` is zero it is nan, or 0 for integers.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def rem(lhs: Tile, rhs: _Number, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Remainder of the floor division by a scalar, as ``rem``.

        ``tmp`` is scratch, and takes part in shape and element type.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        The scalar takes part in the element type.
        """

    @staticmethod
    def rems(lhs: Tile, rhs: _Number, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Remainder of the floor division by a scalar, as ``rem``.

        ``tmp`` is scratch, and takes part in shape and element type.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        The scalar takes part in the element type.
        """

    @staticmethod
    def reshape(input: Tile, shape: _Extents, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The same elements in another shape, row by row, without copying.

        The valid region follows where the new shape can express it; the result is flat.

        Raises PL203 for another number of elements, PL208 for a valid region that has no place in the new shape.
        """

    @staticmethod
    def row_argmax(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Position of the largest element of each row.

        Only what is valid counts. Of several that are equal it is the first; nan prevails.

        [..., M, N] gives [..., M, 1] of INT32, laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the
        same shape and element type.

        Raises PL203 or PL204 for another scratch, PL208 for a tile of which nothing is valid.
        """

    @staticmethod
    def row_argmin(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Position of the smallest element of each row.

        Only what is valid counts. Of several that are equal it is the first; nan prevails.

        [..., M, N] gives [..., M, 1] of INT32, laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the
        same shape and element type.

        Raises PL203 or PL204 for another scratch, PL208 for a tile of which nothing is valid.
        """

    @staticmethod
    def row_expand(target: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Each element of ``row_vec`` spread over its row; ``target`` gives the shape.

        [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
        """

    @staticmethod
    def row_expand_add(tile: Tile, row_vec: Tile, tmp: Tile | None = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``tile + row_vec``, row by row; ``tmp`` is scratch.

        [..., M, N] and [..., M, 1] by columns, or [..., M, 32 bytes] by rows with the element repeated, give [..., M, N].
        Both have the same element type, INT8, INT16, INT32, FP16 or FP32, and as many valid rows.

        Raises PL203, PL204, PL208 for other valid rows, or PL210 for another layout.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def row_expand_div(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``tile / row_vec``, row by row.

        [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
        """

    @staticmethod
    def row_expand_expdif(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``exp(tile - row_vec)``, row by row.

        [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
        """

    @staticmethod
    def row_expand_max(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The larger of ``tile`` and ``row_vec``, row by row.

        [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
        """

    @staticmethod
    def row_expand_min(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The smaller of ``tile`` and ``row_vec``, row by row.

        [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
        """

    @staticmethod
    def row_expand_mul(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``tile * row_vec``, row by row.

        [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
        """

    @staticmethod
    def row_expand_sub(tile: Tile, row_vec: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``tile - row_vec``, row by row.

        [..., M, N] and [..., M, 1] give [..., M, N]. Element types may differ; they are combined as in ``add``.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.

        Raises PL203 where the second tile is not one column with as many rows, or has more axes than the first.
        """

    @staticmethod
    def row_max(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Largest element of each row.

        Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

        [..., M, N] gives [..., M, 1], laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the same
        element type and rank, each extent at least as large as that of ``tile``.

        Raises PL203 for less than two dimensions or too small a scratch, PL204 for its element type, PL208 for a tile of which
        nothing is valid.
        """

    @staticmethod
    def row_min(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Smallest element of each row of an INT16, INT32, FP16 or FP32 tile (PL204) that lies flat (PL210).

        Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

        [..., M, N] gives [..., M, 1], laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the same
        element type and rank, each extent at least as large as that of ``tile``.

        Raises PL203 for less than two dimensions or too small a scratch, PL204 for its element type, PL208 for a tile of which
        nothing is valid.
        """

    @staticmethod
    def row_prod(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Product of each row.

        Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

        [..., M, N] gives [..., M, 1], laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the same
        element type and rank, each extent at least as large as that of ``tile``.

        Raises PL203 for less than two dimensions or too small a scratch, PL204 for its element type, PL208 for a tile of which
        nothing is valid.
        """

    @staticmethod
    def row_sum(tile: Tile, tmp_tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Sum of each row.

        Only what is valid counts. Sums and products of floats are accumulated in FP32; those of integers wrap. Nan prevails.

        [..., M, N] gives [..., M, 1], laid out by columns; the valid rows stay valid. ``tmp_tile`` is scratch of the same
        element type and rank, each extent at least as large as that of ``tile``.

        Raises PL203 for less than two dimensions or too small a scratch, PL204 for its element type, PL208 for a tile of which
        nothing is valid.
        """

    @staticmethod
    def rsqrt(
        tile: Tile,
        tmp: Tile | None = ...,
        high_precision: bool = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """``1 / sqrt(tile)``; with scratch ``tmp``, or ``high_precision`` (FP16, FP32), in high precision.

        Raises PL203 or PL204 where ``tmp`` has not the shape and the element type of ``tile``.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def scatter(dst: Tile, src: Tile, indexes: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Writes the elements of ``src`` to these flat positions of ``dst``, in its place.

        ``src`` has the element type of ``dst``; ``indexes`` the shape of ``src``, INT32 for 4-byte elements, else INT16.
        Positions count row by row through the whole shape of ``dst``; one that is named more than once gets the last
        element.

        Raises PL203 or PL204 otherwise.
        """

    @staticmethod
    def scatter_mask(dst: Tile, src: Tile, mask_pattern: int, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Spreads the elements of ``src`` over the positions of ``dst`` that a pattern takes, in its place.

        [..., N] goes into [..., N * 1, 2 or 4] of the same element type.

        Raises PL203 for other shapes, PL204 for another element type, PL205 for another pattern.

        Patterns: 1 and 2 take every second element, from the first or the second one; 3 to 6 every fourth, from the first to
        the fourth one; 7 takes all (``pl.tile.MaskPattern`` has names for them).
        """

    @staticmethod
    def scatter_update(input: Tile, index: Tile, src: Tile, dim: int = ..., *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Replaces the rows of ``input`` that ``index`` names by the rows of ``src``, in its place.

        ``input`` has two or four dimensions, ``index`` is a matrix of integers, ``src`` has the element type and the
        columns of ``input``; ``dim`` is -2. The valid indices, read row by row, take the valid rows of ``src`` in turn;
        with four dimensions all leading extents together count the rows. A row that is named more than once gets the last
        one.

        Raises PL203, PL204, or PL205 for another ``dim``.
        """

    @staticmethod
    def sel(mask: Tile, lhs: Tile, rhs: Tile, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs`` where the bit of ``mask`` (as ``cmp`` makes it) is set, else ``rhs``; ``tmp`` is scratch.

        A mask of wider integers than bytes has the bit of the first element lowest, too. ``lhs`` and ``rhs`` are broadcast
        and promoted as in ``add``; the valid region and order are those of ``lhs``.

        Raises PL203 where their shapes do not match.
        """

    @staticmethod
    def sels(mask: Tile, src: Tile, tmp: Tile, scalar: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``src`` where the bit of ``mask`` (as ``cmp`` makes it) is set, else the scalar; ``tmp`` is scratch.

        Two-dimensional. ``mask`` holds integers of 8, 16 or 32 bits; the scalar has the element type of ``src``, or the
        signed one of its width.

        Raises PL203 or PL204 otherwise.
        """

    @staticmethod
    def set_validshape(tile: Tile, valid_rows: _Number, valid_cols: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The same tile with another valid region, [valid_rows, valid_cols], without copying.

        Raises PL203 for other than two dimensions, PL204 for extents that are no INT64, UINT64 or INDEX, PL208 for a region
        that is provably negative or larger than the tile.
        """

    @overload
    @staticmethod
    def shl(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Shift to the left, ``lhs << rhs``, of integers; the result has the element type of ``lhs``. PL204 for others.

        All bits are shifted out where the count is negative or at least the width of the element type.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def shl(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Shift to the left, ``lhs << rhs``, of integers by a scalar, as ``shl``; PL204 for others.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def shls(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Shift to the left, ``lhs << rhs``, of integers by a scalar, as ``shl``; PL204 for others.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @overload
    @staticmethod
    def shr(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Shift to the right, ``lhs >> rhs``, of integers; the result has the element type of ``lhs``. PL204 for others.

        Signed integers keep their sign. All bits are shifted out where the count is negative or at least the width of the
        element type.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def shr(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Shift to the right, ``lhs >> rhs``, of integers by a scalar, as ``shr``; PL204 for others.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def shrs(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Shift to the right, ``lhs >> rhs``, of integers by a scalar, as ``shr``; PL204 for others.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def sin(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Sine of an FP32 tile; PL204 for others.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def slice(
        input: Tile,
        shape: _Extents,
        offset: _Extents,
        valid_shape: _Extents | None = ...,
        drop_dims: _Extents | None = ...,
        pad_value: PadValue | None = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """A window of a tile, without copying: [*shape] at ``offset``.

        ``shape`` is constant and lies inside the tile. The valid part is what the tile has valid there, or less where
        ``valid_shape`` says so. ``drop_dims`` names axes of extent 1 that the result loses; it keeps at least two.

        Raises PL203 for shapes that do not fit, PL206 for a window that provably leaves the tile, PL208 for a valid region
        larger than the window.
        """

    @staticmethod
    def sort32(src: Tile, idx: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Sorts every 32 elements of a row, largest first, each followed by its ``idx``: [..., N] gives [..., 2 N].

        ``src`` is FP16 or FP32 (PL204). The bits of ``idx`` stand in the places of the elements, the lower ones where they
        are wider; one row of ``idx`` serves all rows. Of equal elements the first comes first, nan comes last. The result
        is fully valid; it has values for the valid elements of ``src``.
        """

    @staticmethod
    def sqrt(tile: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Square root.

        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def store(
        tile: Tile,
        offsets: _Extents,
        output_tensor: Tensor,
        shapes: _Extents | None = ...,
        *,
        atomic: AtomicType = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Tensor:
        """Writes the valid part of a tile into a tensor at ``offsets``; the result is the tensor after the write.

        The element types may differ. ``atomic=pl.AtomicType.Add`` adds to what is there (FP32, BF16, FP16, INT32, INT16 or
        INT8). ``shapes`` gives the window that is written where its rank differs from the tile's. A tensor that is only
        partly valid grows by what is written.

        Raises PL203, PL204, PL206 for a write that provably leaves the tensor, or PL208 where the valid region cannot
        grow so.
        """

    @overload
    @staticmethod
    def sub(lhs: Tile, rhs: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Difference, ``lhs - rhs``.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def sub(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs - rhs`` with a scalar, each INT8, INT16, INT32, FP16, FP32 or BF16 (PL204).

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def subc(lhs: Tile, rhs: Tile, rhs2: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs - rhs + rhs2``.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """

    @staticmethod
    def subs(lhs: Tile, rhs: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs - rhs`` with a scalar, each INT8, INT16, INT32, FP16, FP32 or BF16 (PL204).

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def subsc(lhs: Tile, rhs: _Number, rhs2: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """``lhs - rhs + rhs2`` with a scalar in the middle.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        The scalar takes part in the element type.
        """

    @staticmethod
    def tget_scale_addr(dst_scale: Tile, src: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Ties a scale buffer to the operand that it scales: LeftScale to Left, RightScale to Right.

        The result is the scale buffer, whose elements stay.

        Raises PL210 for other spaces, or where they are not known yet.
        """

    @staticmethod
    def tpop_from_aic(
        *,
        shape: _Extents | None = ...,
        dtype: DType | None = ...,
        split: SplitMode = ...,
        lane_stride: int | None = ...,
        id: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Any:
        """Receives a tile from the cube core: [*shape] of ``dtype`` in Vec.

        Without both, the annotation of the variable says what it is. Raises PL203 for extents that are not positive
        constants, PL205 where one of the two is missing.

        ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
        ``id`` names the pipe where there are several.
        """

    @staticmethod
    def tpop_from_aiv(
        *,
        shape: _Extents | None = ...,
        dtype: DType | None = ...,
        split: SplitMode = ...,
        id: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> Any:
        """Receives a tile from a vector core: [*shape] of ``dtype`` in Mat.

        Without both, the annotation of the variable says what it is. Raises PL203 for extents that are not positive
        constants, PL205 where one of the two is missing.

        ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
        ``id`` names the pipe where there are several.
        """

    @staticmethod
    def tpush_to_aic(tile: Tile, *, split: SplitMode, id: int | None = ..., attrs: Mapping[str, Any] = ...) -> None:
        """Sends a tile from a vector core to the cube core.

        ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
        ``id`` names the pipe where there are several.
        """

    @staticmethod
    def tpush_to_aiv(
        tile: Tile,
        *,
        split: SplitMode,
        lane_stride: int | None = ...,
        id: int | None = ...,
        attrs: Mapping[str, Any] = ...,
    ) -> None:
        """Sends a tile from the cube core to the vector cores.

        ``split`` says how the two vector cores share it: ``pl.SplitMode.NONE``, ``UP_DOWN`` (rows) or ``LEFT_RIGHT`` (columns).
        ``id`` names the pipe where there are several.
        """

    @staticmethod
    def transpose(
        input: Tile,
        axis1: int,
        axis2: int,
        tmp: Tile | None = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """A copy with two axes exchanged; negative axes count from the end. The result is fully valid; ``tmp`` is scratch.

        Raises PL203 for axes that do not exist or are the same.
        """

    @staticmethod
    def transpose_view(input: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """The tile with its last two axes exchanged, without copying: [..., M, N] gives [..., N, M].

        The order of rows and columns is exchanged too, in the whole and in the boxes, so the bytes stay where they are.

        Raises PL203 for less than two dimensions.
        """

    @staticmethod
    def tri(
        diagonal: _Number,
        shape: _Extents,
        valid_shape: _Extents | None = ...,
        dtype: DType = ...,
        upper: bool = ...,
        *,
        attrs: Mapping[str, Any] = ...,
    ) -> Tile:
        """Ones on one side of a diagonal and zeros elsewhere: [M, N] of ``dtype``, row-major.

        The ones are at and below the diagonal, or at and above it (``upper``); ``diagonal`` (an INT32) counts from the main
        one to the right.

        Raises PL203 for other than two constant extents, PL204 for the diagonal's element type, PL208 for a wrong valid
        region.
        """

    @staticmethod
    def write(tile: Tile, indices: _Extents | _Number, value: _Number, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Writes a scalar into one element, by an index for each dimension; the result is the tile after the write.

        Raises PL203 for another number of indices, PL204 for indices that are no integers or a value of another type, PL206
        for an index outside the tile.
        """

    @overload
    @staticmethod
    def xor(lhs: Tile, rhs: Tile, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Bitwise ``lhs ^ rhs`` of integers; ``tmp`` is scratch. PL204 for others.

        Shapes are broadcast as in numpy, aligned at the right. Element types may differ: a float wins over an integer, then
        the wider one, at equal width the first (or the signed one). Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad: the region is not widened by broadcasting.

        Raises PL203 where the shapes do not match.
        """
    @overload
    @staticmethod
    def xor(lhs: Tile, rhs: _Number, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Bitwise ``lhs ^ rhs`` of integers with a scalar; ``tmp`` is scratch. PL204 for others.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """

    @staticmethod
    def xors(lhs: Tile, rhs: _Number, tmp: Tile, *, attrs: Mapping[str, Any] = ...) -> Tile:
        """Bitwise ``lhs ^ rhs`` of integers with a scalar; ``tmp`` is scratch. PL204 for others.

        The result has the element type of the tile, whatever that of the scalar; a literal takes it too.
        Floats narrower than FP32 are computed in FP32 and rounded once; integers wrap.

        The result keeps the first tile's valid region, order and pad.
        """
