"""The types of tiles: how they lie in an on-chip buffer, and which part of them holds data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite.ir.enums import CompactMode, MemorySpace, PadValue, TileLayout
from pypto_lite.ir.interned import Interned, dim_list, dim_texts, is_symbolic, map_dims, plain_dims, same_dims
from pypto_lite.ir.node import Expr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typing_extensions import Self

    from pypto_lite.ir.dtypes import DType
    from pypto_lite.ir.interned import Dim, Dims


class TileView(Interned):
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
        symbolic = is_symbolic(valid_shape) or is_symbolic(stride) or isinstance(start_offset, Expr)
        if symbolic:
            valid_shape, stride = plain_dims(valid_shape), plain_dims(stride)
            start_offset = start_offset.as_dim() if isinstance(start_offset, Expr) else start_offset
            symbolic = is_symbolic(valid_shape) or is_symbolic(stride) or isinstance(start_offset, Expr)
        self, new = cls.find((valid_shape, blayout, slayout, fractal, pad, compact, stride, start_offset), symbolic)
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
            valid_shape=map_dims(self.valid_shape, change), stride=map_dims(self.stride, change), start_offset=offset
        )

    def __repr__(self) -> str:
        parts = [f"valid_shape={dim_list(self.valid_shape)}"] if self.valid_shape else []
        parts += [f"{self.blayout.name}/{self.slayout.name}/{self.fractal}"]
        parts += [f"pad={self.pad.name}"] if self.pad is not PadValue.null else []
        parts += [f"compact={self.compact.name}"] if self.compact is not CompactMode.null else []
        parts += [f"stride={dim_list(self.stride)}"] if self.stride else []
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


class MemRef(Interned):
    """A declared allocation: tiles with the same name share one buffer. Every pass preserves it."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Self:
        self, new = cls.find((name,), False)
        if new:
            self.name = name
        return self

    def __repr__(self) -> str:
        return f"MemRef({self.name!r})"


class TileType(Interned):
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
        if is_symbolic(shape):
            shape = plain_dims(shape)
        if view is not None:
            if view.valid_shape and same_dims(view.valid_shape, shape):
                view = view.replace(valid_shape=())
            if view == implicit_tile_view(shape, space):
                view = None
        symbolic = is_symbolic(shape) or (view is not None and view.symbolic)
        self, new = cls.find((shape, dtype, space, view, memref), symbolic)
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
        return self.replace(shape=map_dims(self.shape, change), view=view)

    def facts(self) -> dict[str, Any]:
        view = self.effective_view
        return {
            "kind": "tile",
            "shape": dim_texts(self.shape),
            "dtype": self.dtype.label,
            "space": self.space.name if self.space is not None else None,
            "explicit_view": self.view is not None,
            "valid": dim_texts(self.valid_shape),
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
        return f"Tile[{dim_list(self.shape)}, {self.dtype!r}{space}{view}{memref}]"
