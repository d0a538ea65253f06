"""The parameters of operators: operands, keywords, and what annotations and defaults in their rules say of them."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from pypto_lite.ir import Dims, DType, Expr, MemorySpace, TensorType, TileLayout, TileType
from pypto_lite.ops.framework.relations import When

Index: TypeAlias = Expr
"""Annotates an operand that is a scalar offset, extent or count."""

ConstInt: TypeAlias = int
"""Annotates an operand that is a literal integer."""

Indices: TypeAlias = Dims
"""Annotates an operand that is a list of the indices of an element; a single one may stand without a list."""
Tasks: TypeAlias = Sequence[Expr]
"""Annotates an operand that is a list of tasks, each a TASK_ID or an array of them."""

AnyTile: TypeAlias = "TileType | TensorType"
"""Annotates an operand that is a tile or a tensor."""


class OperandKind(enum.Enum):
    TILE = "tile"
    TENSOR = "tensor"
    TILE_OR_TENSOR = "tile or tensor"
    SCALAR = "scalar"
    CONST = "constant"
    TUPLE = "list"
    ARRAY = "array"


class Effect(enum.Enum):
    """What an operator does to an operand's storage."""

    READ = "read"
    WRITE = "write"
    READ_WRITE = "read and write"

    @property
    def writes(self) -> bool:
        return self is not Effect.READ


class Supplied:
    """A default that the language writes into the IR, as opposed to one that stays absent."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def supplied(value: Any) -> Any:
    """Marks the default of a rule's parameter as one that the language writes into the IR."""
    return Supplied(value)


class TakesDType:
    """How a literal operand gets its element type: that of another parameter, ``change``d, or of ``dtype``.

    ``parameter`` names an operand that is a tile, a tensor or an array, or a keyword that is a DType.
    """

    __slots__ = ("change", "dtype", "parameter")

    def __init__(
        self, parameter: str | None = None, change: Callable[[DType], DType] | None = None, dtype: DType | None = None
    ) -> None:
        self.parameter = parameter
        self.change = change
        self.dtype = dtype


SCRATCH: Final = frozenset(("tmp", "tmp_tile", "scratch", "gm_workspace"))
"""The names of operands that an operator works in."""


class Operand:
    """One operand. ``spaces`` are those it can be read from, the preferred one first; empty means any.

    ``same_as`` names the operand whose value it takes when the user leaves it out; it is always in the IR.
    ``aliases`` are further names under which users may give it. ``literal`` says which element type a literal takes.
    ``takes_one`` says of a list that a single element may stand for a list of one.
    """

    __slots__ = (
        "aliases", "effect", "index", "kind", "layout", "literal", "name", "optional", "same_as", "spaces", "takes_one",
        "value", "when",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        index: int,
        kind: OperandKind,
        *,
        optional: bool = False,
        same_as: str | None = None,
        spaces: tuple[MemorySpace, ...] = (),
        layout: TileLayout | None = None,
        effect: Effect | When = Effect.READ,
        aliases: tuple[str, ...] = (),
        literal: TakesDType | None = None,
        takes_one: bool = False,
        value: type | None = None,
    ) -> None:
        self.name = name
        self.index = index
        self.kind = kind
        self.optional = optional
        self.same_as = same_as
        self.spaces = spaces
        self.layout = layout
        self.effect = effect.otherwise if isinstance(effect, When) else effect
        """What it does without keywords; ``effect_with`` takes them into account."""
        self.when = effect if isinstance(effect, When) else None
        self.aliases = aliases
        self.literal = literal
        self.takes_one = takes_one
        self.value = value
        """What the type rule gets: Expr, Const, int, or None for the operand's type.

        Of a list it gets the elements: None for dimensions, Expr for other expressions.
        """

    @property
    def required(self) -> bool:
        """Whether the IR must hold it."""
        return not self.optional or self.same_as is not None

    @property
    def needed(self) -> bool:
        """Whether users must give it."""
        return not self.optional

    @property
    def is_scratch(self) -> bool:
        """Whether the operator works in it: what it holds does not matter, and is lost."""
        return self.name in SCRATCH

    @property
    def may_write(self) -> bool:
        """Whether some call writes it."""
        return self.effect.writes or (self.when is not None and self.when.then.writes)

    def effect_with(self, keywords: Mapping[str, Any]) -> Effect:
        """What a call with these keywords does to the operand."""
        if self.when is None:
            return self.effect
        holds = all(keywords.get(name) == value for name, value in self.when.keywords.items())
        return self.when.then if holds else self.when.otherwise

    def __repr__(self) -> str:
        return f"Operand({self.name}: {self.kind.value})"


REQUIRED: Final = object()
"""The default of a keyword that has none."""


class Keyword:
    """One keyword. ``default`` is REQUIRED, or the value that an absent keyword means (None: nothing).

    ``supplied`` is what the language writes into the IR when the user leaves the keyword out, or REQUIRED.
    """

    __slots__ = ("aliases", "default", "name", "supplied", "value_type")

    def __init__(
        self, name: str, value_type: type, default: Any, supplied: Any = REQUIRED, aliases: tuple[str, ...] = ()
    ) -> None:
        self.name = name
        self.value_type = value_type
        self.default = default
        self.supplied = supplied
        self.aliases = aliases

    @property
    def required(self) -> bool:
        """Whether the IR must hold it."""
        return self.default is REQUIRED

    @property
    def needed(self) -> bool:
        """Whether users must give it."""
        return self.default is REQUIRED and self.supplied is REQUIRED

    def __repr__(self) -> str:
        return f"Keyword({self.name}: {self.value_type.__name__})"


Parameter: TypeAlias = "Operand | Keyword"
