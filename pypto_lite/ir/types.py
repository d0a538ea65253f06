"""The types of values: scalar, tensor, tile, tuple, array, pointer.

Types with constant dimensions are interned, so two equal ones are one object; ``==`` compares the others by
structure, their symbolic dimensions as expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from pypto_lite.ir.enums import CompactMode, MemorySpace, PadValue, TensorLayout, TileLayout
from pypto_lite.ir.node import Expr, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typing_extensions import Self

    from pypto_lite.ir.dtypes import DType

Dim: TypeAlias = "int | Expr"
"""An extent or an offset: an int where it is constant, else a scalar expression."""

Dims: TypeAlias = "tuple[Dim, ...]"

_interned: dict[tuple[Any, ...], Any] = {}


class _Keyed(Type):
    """A type that is known by its fields: equal fields, equal types; and one object where no field is symbolic."""

    __slots__ = ("_key", "symbolic")
    _key: tuple[Any, ...]

    @classmethod
    def _find(cls, fields: tuple[Any, ...], expressions: bool) -> tuple[Self, bool]:
        """The type of these fields, and whether it is new, so that the caller still has to fill it."""
        if expressions:
            key = (cls, *[_field_key(field) for field in fields])
        else:
            key = (cls, *fields)
            found = _interned.get(key)
            if found is not None:
                return cast("Self", found), False
        made = object.__new__(cls)
        made._key = key
        made.symbolic = expressions
        if not expressions:
            _interned[key] = made
        return made, True

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, _Keyed) and self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        # Made again through the constructor, so that a type that is unpickled is the interned one.
        code = type(self).__new__.__code__
        return type(self), tuple([getattr(self, name) for name in code.co_varnames[1 : code.co_argcount]])


def _field_key(field: Any) -> Any:
    if isinstance(field, Expr):
        return field.structure()
    if isinstance(field, tuple):
        return tuple([_field_key(element) for element in cast("tuple[Any, ...]", field)])
    return field


def _is_symbolic(extents: Iterable[Dim]) -> bool:
    for extent in extents:  # noqa: SIM110 - on the path of every type that is made: a generator costs thrice as much
        if isinstance(extent, Expr):
            return True
    return False


def _plain(extents: Dims) -> Dims:
    """The extents with constants as plain ints."""
    return tuple([extent.as_dim() if isinstance(extent, Expr) else extent for extent in extents])


def _same(first: Dims, second: Dims) -> bool:
    """Whether two lists of extents are the same, as expressions."""
    return first == second or (len(first) == len(second) and _field_key(first) == _field_key(second))


def _map(extents: Dims, change: Callable[[Expr], Dim]) -> Dims:
    return tuple([change(extent) if isinstance(extent, Expr) else extent for extent in extents])


def _texts(extents: Dims) -> list[int | str]:
    return [extent if isinstance(extent, int) else repr(extent) for extent in extents]


def _list(extents: Dims) -> str:
    return f"[{', '.join(map(repr, extents))}]"


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


class ScalarType(_Keyed):
    """One value of an element type."""

    __slots__ = ("dtype",)
    dtype: DType

    def __new__(cls, dtype: DType) -> Self:
        self, new = cls._find((dtype,), False)
        if new:
            self.dtype = dtype
        return self

    def facts(self) -> dict[str, Any]:
        return {"kind": "scalar", "dtype": self.dtype.label}

    def __repr__(self) -> str:
        return f"Scalar[{self.dtype!r}]"


class ArrayType(_Keyed):
    """A small fixed-size array of scalars on the core that runs the code."""

    __slots__ = ("dtype", "extent")
    extent: int
    dtype: DType

    def __new__(cls, extent: int, dtype: DType) -> Self:
        self, new = cls._find((extent, dtype), False)
        if new:
            self.extent = extent
            self.dtype = dtype
        return self

    def facts(self) -> dict[str, Any]:
        return {"kind": "ArrayType"}

    def __repr__(self) -> str:
        return f"Array[{self.extent}, {self.dtype!r}]"


class TupleType(_Keyed):
    """Several values: the results of a call that returns more than one, or the elements of a shape or an offset."""

    __slots__ = ("types",)
    types: tuple[Type, ...]

    def __new__(cls, types: Iterable[Type]) -> Self:
        types = tuple(types)
        # A member's own equality is structural, so the tuple can be keyed by its members either way.
        self, new = cls._find((types,), False) if not any(t.symbolic for t in types) else (object.__new__(cls), True)
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


class TensorView(_Keyed):
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
        symbolic = _is_symbolic(valid_shape) or _is_symbolic(stride)
        if symbolic:
            valid_shape, stride = _plain(valid_shape), _plain(stride)
            symbolic = _is_symbolic(valid_shape) or _is_symbolic(stride)
        self, new = cls._find((valid_shape, stride, layout, pad), symbolic)
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
        return TensorView(_map(self.valid_shape, change), _map(self.stride, change), self.layout, self.pad)

    def __repr__(self) -> str:
        parts = [f"valid_shape={_list(self.valid_shape)}"] if self.valid_shape else []
        parts += [f"stride={_list(self.stride)}"] if self.stride else []
        parts += [f"layout={self.layout.name}"] if self.layout is not TensorLayout.ND else []
        parts += [f"pad={self.pad.name}"] if self.pad is not PadValue.null else []
        return f"TensorView({', '.join(parts)})"


class TensorType(_Keyed):
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
        if _is_symbolic(shape):
            shape = _plain(shape)
        if view is not None and view.valid_shape and _same(view.valid_shape, shape):
            view = TensorView((), view.stride, view.layout, view.pad)
        if view is not None and view is TensorView():
            view = None
        symbolic = _is_symbolic(shape) or (view is not None and view.symbolic)
        self, new = cls._find((shape, dtype, view, distributed), symbolic)
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
        return TensorType(_map(self.shape, change), self.dtype, view, self.distributed)

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "kind": "dtensor" if self.distributed else "tensor",
            "shape": _texts(self.shape),
            "dtype": self.dtype.label,
        }
        if self.view is not None:
            facts["valid"] = _texts(self.view.valid_shape)
            facts["stride"] = _texts(self.view.stride)
            facts["layout"] = self.view.layout.name
            facts["pad"] = self.view.pad.name
        return facts

    def __repr__(self) -> str:
        view = f", {self.view!r}" if self.view is not None else ""
        return f"{'Distributed' if self.distributed else ''}Tensor[{_list(self.shape)}, {self.dtype!r}{view}]"


class TileView(_Keyed):
    """How a tile's elements lie in its buffer, and which of them are valid.

    An empty ``valid_shape`` means the whole shape. ``fractal`` is the size of a box in bytes.
    """

    __slots__ = ("blayout", "compact", "fractal", "pad", "slayout", "start_offset", "stride", "valid_shape")
    valid_shape: Dims
    blayout: TileLayout
    slayout: TileLayout
    fractal: int
    pad: PadValue
    compact: CompactMode
    stride: Dims
    start_offset: Dim | None

    def __new__(
        cls,
        valid_shape: Dims = (),
        blayout: TileLayout = TileLayout.row_major,
        slayout: TileLayout = TileLayout.none_box,
        fractal: int = 512,
        pad: PadValue = PadValue.null,
        compact: CompactMode = CompactMode.null,
        stride: Dims = (),
        start_offset: Dim | None = None,
    ) -> Self:
        symbolic = _is_symbolic(valid_shape) or _is_symbolic(stride) or isinstance(start_offset, Expr)
        if symbolic:
            valid_shape, stride = _plain(valid_shape), _plain(stride)
            start_offset = start_offset.as_dim() if isinstance(start_offset, Expr) else start_offset
            symbolic = _is_symbolic(valid_shape) or _is_symbolic(stride) or isinstance(start_offset, Expr)
        self, new = cls._find((valid_shape, blayout, slayout, fractal, pad, compact, stride, start_offset), symbolic)
        if new:
            self.valid_shape = valid_shape
            self.blayout = blayout
            self.slayout = slayout
            self.fractal = fractal
            self.pad = pad
            self.compact = compact
            self.stride = stride
            self.start_offset = start_offset
        return self

    def replace(self, **changes: Any) -> TileView:
        """The same view with some fields changed."""
        names = ("valid_shape", "blayout", "slayout", "fractal", "pad", "compact", "stride", "start_offset")
        return TileView(**{**{name: getattr(self, name) for name in names}, **changes})

    def expressions(self) -> tuple[Expr, ...]:
        offsets = () if self.start_offset is None else (self.start_offset,)
        return tuple([e for e in (*self.valid_shape, *self.stride, *offsets) if isinstance(e, Expr)])

    def map_expressions(self, change: Callable[[Expr], Dim]) -> TileView:
        if not self.symbolic:
            return self
        offset = change(self.start_offset) if isinstance(self.start_offset, Expr) else self.start_offset
        return self.replace(
            valid_shape=_map(self.valid_shape, change), stride=_map(self.stride, change), start_offset=offset
        )

    def __repr__(self) -> str:
        parts = [f"valid_shape={_list(self.valid_shape)}"] if self.valid_shape else []
        parts += [f"{self.blayout.name}/{self.slayout.name}/{self.fractal}"]
        parts += [f"pad={self.pad.name}"] if self.pad is not PadValue.null else []
        parts += [f"compact={self.compact.name}"] if self.compact is not CompactMode.null else []
        parts += [f"stride={_list(self.stride)}"] if self.stride else []
        parts += [f"start_offset={self.start_offset!r}"] if self.start_offset is not None else []
        return f"TileView({', '.join(parts)})"


def implicit_tile_view(shape: Dims, space: MemorySpace | None) -> TileView:
    """The view of a tile that stores none: flat in Vec and where the space is open, boxed on the cube side.

    Source: the catalogue's table of implicit views. The shape rule makes an [n, 1] tile (n > 1, both constant)
    column-major wherever the space does not fix the order.
    """
    column = len(shape) == 2 and shape[1] == 1 and isinstance(shape[0], int) and shape[0] > 1
    return (_IMPLICIT_COLUMNS if column else _IMPLICIT)[space]


def _implicit_views(by_shape: TileLayout) -> dict[MemorySpace | None, TileView]:
    """The implicit views of tiles whose order, where the space does not fix it, is ``by_shape``."""
    row, col = TileLayout.row_major, TileLayout.col_major
    views: dict[MemorySpace | None, TileView] = dict.fromkeys((None, *MemorySpace), TileView((), by_shape))
    views[MemorySpace.Mat] = views[MemorySpace.Left] = TileView((), col, row, 512)
    views[MemorySpace.Right] = TileView((), by_shape, col, 512)
    views[MemorySpace.Acc] = TileView((), col, row, 1024)
    views[MemorySpace.LeftScale] = TileView((), row, row, 32)
    views[MemorySpace.RightScale] = TileView((), col, col, 32)
    return views


_IMPLICIT = _implicit_views(TileLayout.row_major)
_IMPLICIT_COLUMNS = _implicit_views(TileLayout.col_major)


class MemRef(_Keyed):
    """A declared allocation: tiles with the same name share one buffer. Every pass preserves it."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Self:
        self, new = cls._find((name,), False)
        if new:
            self.name = name
        return self

    def __repr__(self) -> str:
        return f"MemRef({self.name!r})"


class TileType(_Keyed):
    """An array in an on-chip buffer; ``space`` is None until it is placed.

    A view that equals the implicit view of the shape and the space is stored as None, so a flat, fully valid tile
    whose space is set to Mat later reads back as boxed.
    """

    __slots__ = ("_effective", "dtype", "memref", "shape", "space", "view")
    shape: Dims
    dtype: DType
    space: MemorySpace | None
    view: TileView | None
    memref: MemRef | None
    _effective: TileView | None

    def __new__(
        cls,
        shape: Iterable[Dim],
        dtype: DType,
        space: MemorySpace | None = None,
        view: TileView | None = None,
        memref: MemRef | None = None,
    ) -> Self:
        shape = tuple(shape)
        if _is_symbolic(shape):
            shape = _plain(shape)
        if view is not None:
            if view.valid_shape and _same(view.valid_shape, shape):
                view = view.replace(valid_shape=())
            if view == implicit_tile_view(shape, space):
                view = None
        symbolic = _is_symbolic(shape) or (view is not None and view.symbolic)
        self, new = cls._find((shape, dtype, space, view, memref), symbolic)
        if new:
            self.shape = shape
            self.dtype = dtype
            self.space = space
            self.view = view
            self.memref = memref
            self._effective = None
        return self

    @property
    def effective_view(self) -> TileView:
        """The stored view, else the implicit one of the shape and the space."""
        if self._effective is None:
            self._effective = self.view if self.view is not None else implicit_tile_view(self.shape, self.space)
        return self._effective

    @property
    def valid_shape(self) -> Dims:
        """The valid region: what the view says, else the shape."""
        return self.view.valid_shape if self.view is not None and self.view.valid_shape else self.shape

    def replace(self, **changes: Any) -> TileType:
        """The same type with some fields changed (and its view stored as its new space wants it)."""
        names = ("shape", "dtype", "space", "view", "memref")
        return TileType(**{**{name: getattr(self, name) for name in names}, **changes})

    def expressions(self) -> tuple[Expr, ...]:
        own = tuple([extent for extent in self.shape if isinstance(extent, Expr)])
        return own + self.view.expressions() if self.view is not None else own

    def map_expressions(self, change: Callable[[Expr], Dim]) -> TileType:
        if not self.symbolic:
            return self
        view = self.view.map_expressions(change) if self.view is not None else None
        return self.replace(shape=_map(self.shape, change), view=view)

    def facts(self) -> dict[str, Any]:
        view = self.effective_view
        return {
            "kind": "tile",
            "shape": _texts(self.shape),
            "dtype": self.dtype.label,
            "space": self.space.name if self.space is not None else None,
            "explicit_view": self.view is not None,
            "valid": _texts(self.valid_shape),
            "blayout": view.blayout.name,
            "slayout": view.slayout.name,
            "fractal": view.fractal,
            "pad": view.pad.name,
            "compact": view.compact.name,
        }

    def __repr__(self) -> str:
        space = f", {self.space.name}" if self.space is not None else ""
        view = f", {self.view!r}" if self.view is not None else ""
        memref = f", {self.memref!r}" if self.memref is not None else ""
        return f"Tile[{_list(self.shape)}, {self.dtype!r}{space}{view}{memref}]"
