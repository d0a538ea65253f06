"""The text of types as annotations spell them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pypto_lite.ir import (
    ArrayType,
    CompactMode,
    Dim,
    Dims,
    Expr,
    MemRef,
    PadValue,
    PtrType,
    ScalarType,
    TensorLayout,
    TensorType,
    TensorView,
    TileType,
    TileView,
    TupleType,
    Type,
    UnknownType,
)
from pypto_lite.printer.literals import member, string

if TYPE_CHECKING:
    from collections.abc import Callable

_FLAT: Final = TileView()


_Writer: TypeAlias = "Callable[[Annotations, Any], str]"
_WRITERS: Final[dict[type[Type], _Writer]] = {}


def _writes(cls: type[Type]) -> Callable[[_Writer], _Writer]:
    """Declares which method writes a class of types."""

    def declare(method: _Writer) -> _Writer:
        _WRITERS[cls] = method
        return method

    return declare


class Annotations:
    """Writes types; each type without expressions is written once."""

    def __init__(self, expression: Callable[[Expr], str]) -> None:
        self._expression = expression
        self._known: dict[int, tuple[Type, str]] = {}

    def text(self, type_: Type) -> str:
        known = self._known.get(id(type_))
        if known is not None:
            return known[1]
        text = self._nested(type_) if isinstance(type_, TupleType) else self._single(type_)
        if not type_.symbolic:
            self._known[id(type_)] = (type_, text)  # holding the type keeps its id from being used again
        return text

    def _nested(self, root: TupleType) -> str:
        """A tuple of types, which may be tuples again."""
        stack: list[tuple[Type, bool]] = [(root, False)]
        done: list[str] = []
        while stack:
            type_, ready = stack.pop()
            if not isinstance(type_, TupleType):
                done.append(self._single(type_))
            elif not ready:
                stack.append((type_, True))
                stack.extend([(member_type, False) for member_type in reversed(type_.types)])
            else:
                first = len(done) - len(type_.types)
                done[first:] = [f"pl.Tuple[{', '.join(done[first:]) or '()'}]"]
        return done[0]

    def _single(self, type_: Type) -> str:
        return _WRITERS[type(type_)](self, type_)

    def dim(self, extent: Dim) -> str:
        return self._expression(extent) if isinstance(extent, Expr) else str(extent)

    def _dims(self, extents: Dims) -> str:
        return f"[{', '.join([self.dim(extent) for extent in extents])}]"

    @_writes(ScalarType)
    def _scalar(self, type_: ScalarType) -> str:
        return f"pl.Scalar[pl.{type_.dtype.name}]"

    @_writes(ArrayType)
    def _array(self, type_: ArrayType) -> str:
        return f"pl.Array[{type_.extent}, pl.{type_.dtype.name}]"

    @_writes(TensorType)
    def _tensor(self, type_: TensorType) -> str:
        parts = [self._dims(type_.shape), f"pl.{type_.dtype.name}"]
        view = type_.view
        if view is not None and view == TensorView(layout=view.layout):
            parts.append(member(view.layout))
        elif view is not None:
            parts.append(self._tensor_view(view))
        return f"pl.{'DistributedTensor' if type_.distributed else 'Tensor'}[{', '.join(parts)}]"

    @_writes(TensorView)
    def _tensor_view(self, view: TensorView) -> str:
        parts = [f"valid_shape={self._dims(view.valid_shape)}"] if view.valid_shape else []
        parts += [f"stride={self._dims(view.stride)}"] if view.stride else []
        parts += [f"layout={member(view.layout)}"] if view.layout is not TensorLayout.ND else []
        parts += [f"pad={member(view.pad)}"] if view.pad is not PadValue.null else []
        return f"pl.TensorView({', '.join(parts)})"

    def with_view(self, type_: TileType) -> str:
        """A tile type with the view that it has without storing one, for where its value has another one."""
        return self._tile_viewed(type_, type_.effective_view)

    @_writes(TileType)
    def _tile(self, type_: TileType) -> str:
        return self._tile_viewed(type_, type_.view)

    def _tile_viewed(self, type_: TileType, view: TileView | None) -> str:
        parts = [self._dims(type_.shape), f"pl.{type_.dtype.name}"]
        if type_.space is not None:
            parts.append(member(type_.space))
        if view is not None:
            parts.append(self._tile_view(view))
        if type_.memref is not None:
            parts.append(self._memref(type_.memref))
        return f"pl.Tile[{', '.join(parts)}]"

    @_writes(TileView)
    def _tile_view(self, view: TileView) -> str:
        parts = [f"valid_shape={self._dims(view.valid_shape)}"] if view.valid_shape else []
        for name in ("blayout", "slayout"):
            value = getattr(view, name)
            parts += [f"{name}={member(value)}"] if value is not getattr(_FLAT, name) else []
        parts += [f"fractal={view.fractal}"] if view.fractal != _FLAT.fractal else []
        parts += [f"pad={member(view.pad)}"] if view.pad is not PadValue.null else []
        parts += [f"compact={member(view.compact)}"] if view.compact is not CompactMode.null else []
        parts += [f"stride={self._dims(view.stride)}"] if view.stride else []
        parts += [f"start_offset={self.dim(view.start_offset)}"] if view.start_offset is not None else []
        return f"pl.TileView({', '.join(parts)})"

    @_writes(MemRef)
    def _memref(self, memref: MemRef) -> str:
        return f"pl.MemRef({string(memref.name)})"

    @_writes(PtrType)
    def _pointer(self, type_: PtrType) -> str:
        return "pl.Ptr"

    @_writes(UnknownType)
    def _unknown(self, type_: UnknownType) -> str:
        return "None"
