"""The base of types that are known by their fields, and the dimensions that stand in them.

Types with constant dimensions are interned, so two equal ones are one object; ``==`` compares the others by
structure, their symbolic dimensions as expressions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from pypto_lite.ir.node import Expr, Type

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typing_extensions import Self

Dim: TypeAlias = "int | Expr"
"""An extent or an offset: an int where it is constant, else a scalar expression."""

Dims: TypeAlias = "tuple[Dim, ...]"

_interned: dict[tuple[Any, ...], Any] = {}


class Interned(Type):
    """A type that is known by its fields: equal fields, equal types; and one object where no field is symbolic."""

    __slots__ = ("_key", "symbolic")
    _key: tuple[Any, ...]

    @classmethod
    def find(cls, fields: tuple[Any, ...], expressions: bool) -> tuple[Self, bool]:
        """The type of these fields, and whether it is new, so that the caller still has to fill it."""
        if expressions:
            key = (cls, *[field_key(field) for field in fields])
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
        # Of two equal types without expressions there is one object only.
        return self is other or (self.symbolic and isinstance(other, Interned) and self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        # Made again through the constructor, so that a type that is unpickled is the interned one.
        code = type(self).__new__.__code__
        return type(self), tuple([getattr(self, name) for name in code.co_varnames[1 : code.co_argcount]])


def field_key(field: Any) -> Any:
    if isinstance(field, Expr):
        return field.structure()
    if isinstance(field, tuple):
        return tuple([field_key(element) for element in cast("tuple[Any, ...]", field)])
    return field


def is_symbolic(extents: Iterable[Dim]) -> bool:
    for extent in extents:  # noqa: SIM110 - on the path of every type that is made: a generator costs thrice as much
        if isinstance(extent, Expr):
            return True
    return False


def plain_dims(extents: Dims) -> Dims:
    """The extents with constants as plain ints."""
    return tuple([extent.as_dim() if isinstance(extent, Expr) else extent for extent in extents])


def same_dims(first: Dims, second: Dims) -> bool:
    """Whether two lists of extents are the same, as expressions."""
    return first == second or (len(first) == len(second) and field_key(first) == field_key(second))


def map_dims(extents: Dims, change: Callable[[Expr], Dim]) -> Dims:
    return tuple([change(extent) if isinstance(extent, Expr) else extent for extent in extents])


def dim_texts(extents: Dims) -> list[int | str]:
    return [extent if isinstance(extent, int) else repr(extent) for extent in extents]


def dim_list(extents: Dims) -> str:
    return f"[{', '.join(map(repr, extents))}]"
