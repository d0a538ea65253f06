"""The types of values other than tiles: scalar, array, tuple, tensor, pointer, nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite.ir.enums import PadValue, TensorLayout
from pypto_lite.ir.interned import Interned, dim_list, dim_texts, is_symbolic, map_dims, plain_dims, same_dims
from pypto_lite.ir.node import Expr, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typing_extensions import Self

    from pypto_lite.ir.dtypes import DType
    from pypto_lite.ir.interned import Dim, Dims


class UnknownType(Type):
    """The type of a call that yields no value."""

    __slots__ = ()

    def facts(self) -> dict[str, Any]:
        return {"kind": "UnknownType"}

    def __reduce__(self) -> str:
        return "UNKNOWN"  # pickles as the module's constant, so identity survives

    def __repr__(self) -> str:
        return "Unknown"


class PtrType(Type):
    """The type of a raw allocation."""

    __slots__ = ()

    def facts(self) -> dict[str, Any]:
        return {"kind": "PtrType"}

    def __reduce__(self) -> str:
        return "PTR"  # as above

    def __repr__(self) -> str:
        return "Ptr"


UNKNOWN = UnknownType()
PTR = PtrType()


class ScalarType(Interned):
    """One value of an element type."""

    __slots__ = ("dtype",)
    dtype: DType

    def __new__(cls, dtype: DType) -> Self:
        self, new = cls.find((dtype,), False)
        if new:
            self.dtype = dtype
        return self

    def facts(self) -> dict[str, Any]:
        return {"kind": "scalar", "dtype": self.dtype.label}

    def __repr__(self) -> str:
        return f"Scalar[{self.dtype!r}]"


class ArrayType(Interned):
    """A small fixed-size array of scalars on the core that runs the code."""

    __slots__ = ("dtype", "extent")
    extent: int
    dtype: DType

    def __new__(cls, extent: int, dtype: DType) -> Self:
        self, new = cls.find((extent, dtype), False)
        if new:
            self.extent = extent
            self.dtype = dtype
        return self

    def facts(self) -> dict[str, Any]:
        return {"kind": "ArrayType"}

    def __repr__(self) -> str:
        return f"Array[{self.extent}, {self.dtype!r}]"


class TupleType(Interned):
    """Several values: the results of a call that returns more than one, or the elements of a shape or an offset."""

    __slots__ = ("types",)
    types: tuple[Type, ...]

    def __new__(cls, types: Iterable[Type]) -> Self:
        types = tuple(types)
        # A member's own equality is structural, so the tuple can be keyed by its members either way.
        self, new = cls.find((types,), False) if not any(t.symbolic for t in types) else (object.__new__(cls), True)
        if new:
            self._key = (cls, types)
            self.symbolic = any(t.symbolic for t in types)
            self.types = types
        return self

    def expressions(self) -> tuple[Expr, ...]:
        return tuple([expression for member in self.types for expression in member.expressions()])

    def map_expressions(self, change: Callable[[Expr], Dim]) -> TupleType:
        return TupleType(member.map_expressions(change) for member in self.types) if self.symbolic else self

    def facts(self) -> dict[str, Any]:
        return {"kind": "tuple", "types": [member.facts() for member in self.types]}

    def __repr__(self) -> str:
        return f"Tuple[{', '.join(map(repr, self.types))}]"


class TensorView(Interned):
    """How a tensor's elements lie in global memory, and which of them are valid.

    An empty ``valid_shape`` means the whole shape, an empty ``stride`` means packed rows.
    """

    __slots__ = ("layout", "pad", "stride", "valid_shape")
    valid_shape: Dims
    stride: Dims
    layout: TensorLayout
    pad: PadValue

    def __new__(
        cls,
        valid_shape: Dims = (),
        stride: Dims = (),
        layout: TensorLayout = TensorLayout.ND,
        pad: PadValue = PadValue.null,
    ) -> Self:
        symbolic = is_symbolic(valid_shape) or is_symbolic(stride)
        if symbolic:
            valid_shape, stride = plain_dims(valid_shape), plain_dims(stride)
            symbolic = is_symbolic(valid_shape) or is_symbolic(stride)
        self, new = cls.find((valid_shape, stride, layout, pad), symbolic)
        if new:
            self.valid_shape = valid_shape
            self.stride = stride
            self.layout = layout
            self.pad = pad
        return self

    def expressions(self) -> tuple[Expr, ...]:
        return tuple([extent for extent in (*self.valid_shape, *self.stride) if isinstance(extent, Expr)])

    def map_expressions(self, change: Callable[[Expr], Dim]) -> TensorView:
        if not self.symbolic:
            return self
        return TensorView(map_dims(self.valid_shape, change), map_dims(self.stride, change), self.layout, self.pad)

    def __repr__(self) -> str:
        parts = [f"valid_shape={dim_list(self.valid_shape)}"] if self.valid_shape else []
        parts += [f"stride={dim_list(self.stride)}"] if self.stride else []
        parts += [f"layout={self.layout.name}"] if self.layout is not TensorLayout.ND else []
        parts += [f"pad={self.pad.name}"] if self.pad is not PadValue.null else []
        return f"TensorView({', '.join(parts)})"


class TensorType(Interned):
    """An array in global memory. ``distributed`` marks a window into the memory of several devices.

    A view that says nothing (all valid, packed, ND, no pad) is stored as None.
    """

    __slots__ = ("distributed", "dtype", "shape", "view")
    shape: Dims
    dtype: DType
    view: TensorView | None
    distributed: bool

    def __new__(
        cls, shape: Iterable[Dim], dtype: DType, view: TensorView | None = None, distributed: bool = False
    ) -> Self:
        shape = tuple(shape)
        if is_symbolic(shape):
            shape = plain_dims(shape)
        if view is not None and view.valid_shape and same_dims(view.valid_shape, shape):
            view = TensorView((), view.stride, view.layout, view.pad)
        if view is not None and view is TensorView():
            view = None
        symbolic = is_symbolic(shape) or (view is not None and view.symbolic)
        self, new = cls.find((shape, dtype, view, distributed), symbolic)
        if new:
            self.shape = shape
            self.dtype = dtype
            self.view = view
            self.distributed = distributed
        return self

    @property
    def valid_shape(self) -> Dims:
        """The valid region: what the view says, else the shape."""
        return self.view.valid_shape if self.view is not None and self.view.valid_shape else self.shape

    @property
    def layout(self) -> TensorLayout:
        return self.view.layout if self.view is not None else TensorLayout.ND

    def expressions(self) -> tuple[Expr, ...]:
        own = tuple([extent for extent in self.shape if isinstance(extent, Expr)])
        return own + self.view.expressions() if self.view is not None else own

    def map_expressions(self, change: Callable[[Expr], Dim]) -> TensorType:
        if not self.symbolic:
            return self
        view = self.view.map_expressions(change) if self.view is not None else None
        return TensorType(map_dims(self.shape, change), self.dtype, view, self.distributed)

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "kind": "dtensor" if self.distributed else "tensor",
            "shape": dim_texts(self.shape),
            "dtype": self.dtype.label,
        }
        if self.view is not None:
            facts["valid"] = dim_texts(self.view.valid_shape)
            facts["stride"] = dim_texts(self.view.stride)
            facts["layout"] = self.view.layout.name
            facts["pad"] = self.view.pad.name
        return facts

    def __repr__(self) -> str:
        view = f", {self.view!r}" if self.view is not None else ""
        return f"{'Distributed' if self.distributed else ''}Tensor[{dim_list(self.shape)}, {self.dtype!r}{view}]"
