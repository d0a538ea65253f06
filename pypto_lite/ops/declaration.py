"""What is known about one operator, and the decorator that declares it.

A declaration is a function: its parameters, in the order in which users write them, are the operator's operands
and keywords; its body is the type rule; its docstring is the documentation. An annotation says what a parameter is:

=================  ==========================================================================
``TileType``       operand: a tile; the rule gets its type (likewise ``TensorType``,
                   ``ArrayType``, and ``ScalarType`` where the value does not matter)
``Expr``           operand: a scalar; the rule gets the expression, which may be a constant
``Const``          operand: a literal constant; the rule gets it
``Dims``           operand: a list of extents or offsets; the rule gets ints and expressions
anything else      keyword: ``DType``, ``MemorySpace``, ``bool``, ``int``, ``str`` or another
                   enumeration of ``ir``; the rule gets the value
=================  ==========================================================================

``| None`` with the default None makes it optional. Another default is left out of the IR where it is meant; a
default in ``supplied(...)`` is what the language fills in, and the IR always holds the keyword.
"""

from __future__ import annotations

import dis
import enum
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, Final, TypeAlias

from pypto_lite.ir import (
    AtomicType,
    CastMode,
    CompareMode,
    DType,
    MemorySpace,
    PadValue,
    PipeType,
    TensorLayout,
    TileLayout,
    Type,
)

Rule: TypeAlias = Callable[..., Type]


class OperandKind(enum.Enum):
    TILE = "tile"
    TENSOR = "tensor"
    SCALAR = "scalar"
    CONST = "constant"
    TUPLE = "list"
    ARRAY = "array"


class Effect(enum.Enum):
    """What an operator does to an operand's storage."""

    READ = "read"
    WRITE = "write"
    READ_WRITE = "read and write"


class Core(enum.Enum):
    """Which core runs an operator; BY_OPERAND: the core that owns the first tile operand's space, BY_TARGET: the
    one that owns the space of ``target_memory``."""

    CUBE = "cube"
    VECTOR = "vector"
    SHARED = "either"
    MIXED = "both"
    BY_OPERAND = "by operand"
    BY_TARGET = "by target"


class Inherit(enum.Enum):
    """The marker for a result that lives where the first tile operand lives."""

    INHERIT = "inherit"


INHERIT: Final = Inherit.INHERIT


class ByKeyword:
    """A result whose space is the keyword ``target_memory``, else ``default``; without a default it is retargetable."""

    __slots__ = ("default",)

    def __init__(self, default: MemorySpace | None = None) -> None:
        self.default = default


ResultSpace: TypeAlias = "MemorySpace | Inherit | ByKeyword | None"
"""Where a result lives: always in one space, where its operand lives, where the keyword says, or it is no tile."""


class supplied:
    """A default that the language writes into the IR, as opposed to one that stays absent."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Operand:
    """One operand. ``spaces`` are those it can be read from, the preferred one first; empty means any.

    ``same_as`` names the operand whose value it takes when the user leaves it out; it is always in the IR.
    """

    __slots__ = ("effect", "index", "kind", "layout", "name", "optional", "same_as", "spaces", "wants_value")

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
        effect: Effect = Effect.READ,
        wants_value: bool = False,
    ) -> None:
        self.name = name
        self.index = index
        self.kind = kind
        self.optional = optional
        self.same_as = same_as
        self.spaces = spaces
        self.layout = layout
        self.effect = effect
        self.wants_value = wants_value

    def __repr__(self) -> str:
        return f"Operand({self.name}: {self.kind.value})"


REQUIRED: Final = object()
"""The default of a keyword that has none."""


class Keyword:
    """One keyword. ``default`` is REQUIRED, or the value that an absent keyword means (None: nothing).

    ``supplied`` is what the language writes into the IR when the user leaves the keyword out, or REQUIRED.
    """

    __slots__ = ("default", "name", "supplied", "value_type")

    def __init__(self, name: str, value_type: type, default: Any, supplied: Any = REQUIRED) -> None:
        self.name = name
        self.value_type = value_type
        self.default = default
        self.supplied = supplied

    @property
    def required(self) -> bool:
        """Whether the IR must hold it."""
        return self.default is REQUIRED

    def __repr__(self) -> str:
        return f"Keyword({self.name}: {self.value_type.__name__})"


class Operator:
    """Everything that is known about one operator. Read by parser, checker, passes, printer and interpreter alike."""

    __slots__ = (
        "carried", "core", "documentation", "in_place_safe", "keywords", "meaning_function", "name", "no_alias",
        "operands", "parameters", "result_layout", "result_space", "reuses", "rule", "spellings", "synchronises",
        "view_of",
    )  # fmt: skip

    def __init__(self, name: str, rule: Rule, parameters: tuple[Operand | Keyword, ...], facts: Mapping[str, Any]) -> None:
        self.name = name
        self.rule = rule
        self.parameters = parameters
        """Operands and keywords in the order in which users write them."""
        self.operands = tuple([parameter for parameter in parameters if isinstance(parameter, Operand)])
        self.keywords = {parameter.name: parameter for parameter in parameters if isinstance(parameter, Keyword)}
        self.documentation: str = rule.__doc__ or ""
        self.spellings: tuple[str, ...] = facts["spellings"]
        """The names after ``pl.`` that can mean this operator."""
        self.result_space: ResultSpace = facts["result"]
        self.result_layout: TileLayout | None = facts["result_layout"]
        self.core: Core = facts["core"]
        self.view_of: int | None = facts["view_of"]
        """The operand whose storage the result is a view of, without copying."""
        self.reuses: int | None = facts["reuses"]
        """The operand whose storage the result takes over."""
        self.in_place_safe: bool = facts["in_place_safe"]
        self.no_alias: tuple[int, ...] = facts["no_alias"]
        """The operands that must not share storage with the result."""
        self.synchronises: bool = facts["synchronises"]
        """Whether it orders or moves work between cores, or maintains caches: nothing may be moved across it."""
        self.carried: frozenset[str] = facts["carried"]
        """The keywords that the type rule does not read because only later stages do."""
        self.meaning_function: Callable[..., Any] | None = None

    @property
    def retargetable(self) -> bool:
        """Whether placement may choose the space of the result, where no ``target_memory`` is written."""
        return isinstance(self.result_space, ByKeyword) and self.result_space.default is None

    @property
    def inherits(self) -> bool:
        """Whether the result lives where the first tile operand lives."""
        return self.result_space is INHERIT

    def meaning(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorator: declares what the operator computes; the array module is the first parameter."""
        self.meaning_function = function
        return function

    def __repr__(self) -> str:
        return f"Operator({self.name})"


_KINDS = {
    "TileType": (OperandKind.TILE, False),
    "TensorType": (OperandKind.TENSOR, False),
    "ScalarType": (OperandKind.SCALAR, False),
    "ArrayType": (OperandKind.ARRAY, False),
    "Expr": (OperandKind.SCALAR, True),
    "Const": (OperandKind.CONST, True),
    "Dims": (OperandKind.TUPLE, True),
}

_KEYWORD_TYPES: dict[str, type] = {
    value_type.__name__: value_type
    for value_type in (
        bool, int, float, str, DType, MemorySpace, TileLayout, TensorLayout, PadValue, CastMode, CompareMode, AtomicType,
        PipeType,
    )
}  # fmt: skip


class Registry:
    """The operators by name and by spelling."""

    def __init__(self) -> None:
        self.by_name: dict[str, Operator] = {}
        self.by_spelling: dict[str, list[Operator]] = {}

    def add(self, operator: Operator) -> None:
        if operator.name in self.by_name:
            raise TypeError(f"operator {operator.name} is declared twice")
        self.by_name[operator.name] = operator
        for spelling in operator.spellings:
            self.by_spelling.setdefault(spelling, []).append(operator)


REGISTRY: Final = Registry()
"""All operators; complete once ``pypto_lite.ops`` is imported, and never changed afterwards."""


def operator(
    name: str,
    *,
    spaces: Mapping[str, MemorySpace | tuple[MemorySpace, ...]] | None = None,
    result: ResultSpace = None,
    core: Core = Core.SHARED,
    spellings: tuple[str, ...] = (),
    layouts: tuple[str, ...] = (),
    result_layout: TileLayout | None = None,
    effects: Mapping[str, Effect] | None = None,
    same_as: Mapping[str, str] | None = None,
    view_of: str | None = None,
    reuses: str | None = None,
    in_place_safe: bool = True,
    no_alias: tuple[str, ...] = (),
    synchronises: bool = False,
    carried: tuple[str, ...] = (),
    registry: Registry = REGISTRY,
) -> Callable[[Rule], Operator]:
    """Declares the operator ``name`` (such as ``tile.matmul``) by its type rule; see the module for the parameters.

    ``spaces`` gives the allowed spaces of operands, the preferred first; ``layouts`` names the operands that a target
    reads in row-major order only; ``spellings`` are the names after ``pl.``, by default the name itself (with an
    underscore where it is a Python keyword). Raises TypeError for a declaration that contradicts itself.
    """

    def declare(rule: Rule) -> Operator:
        code = rule.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        defaults = _defaults(rule)
        named = {*(spaces or ()), *layouts, *(effects or ()), *(same_as or ()), *no_alias, *carried}
        named |= {each for each in (view_of, reuses) if each is not None}
        for unknown in named - set(names):
            raise TypeError(f"{name} has a rule for {unknown!r}, which is no parameter of it")
        parameters: list[Operand | Keyword] = []
        index = 0
        for parameter in names:
            annotation = str(rule.__annotations__[parameter]).removesuffix(" | None")
            default = defaults.get(parameter, REQUIRED)
            if annotation in _KINDS:
                kind, wants_value = _KINDS[annotation]
                allowed = (spaces or {}).get(parameter, ())
                parameters.append(
                    Operand(
                        parameter,
                        index,
                        kind,
                        optional=default is None,
                        same_as=(same_as or {}).get(parameter),
                        spaces=allowed if isinstance(allowed, tuple) else (allowed,),
                        layout=TileLayout.row_major if parameter in layouts else None,
                        effect=(effects or {}).get(parameter, Effect.READ),
                        wants_value=wants_value,
                    )
                )
                index += 1
            elif annotation in _KEYWORD_TYPES:
                if parameter not in carried and not _reads(code, parameter):
                    raise TypeError(f"nobody reads the keyword {parameter!r} of {name}")
                filled = default.value if isinstance(default, supplied) else REQUIRED
                absent = REQUIRED if isinstance(default, supplied) else default
                parameters.append(Keyword(parameter, _KEYWORD_TYPES[annotation], absent, filled))
            else:
                raise TypeError(f"{name}: the annotation {annotation!r} of {parameter!r} is of no known kind")
        position = {each.name: each.index for each in parameters if isinstance(each, Operand)}
        facts = {
            "spellings": spellings or (default_spelling(name),),
            "result": result,
            "result_layout": result_layout,
            "core": core,
            "view_of": position[view_of] if view_of is not None else None,
            "reuses": position[reuses] if reuses is not None else None,
            "in_place_safe": in_place_safe,
            "no_alias": tuple([position[each] for each in no_alias]),
            "synchronises": synchronises,
            "carried": frozenset(carried),
        }
        declared = Operator(name, rule, tuple(parameters), facts)
        registry.add(declared)
        return declared

    return declare


def default_spelling(name: str) -> str:
    """The name after ``pl.`` that means exactly this operator: ``tile.and_`` for ``tile.and``."""
    return f"{name}_" if name.rpartition(".")[2] in ("and", "or", "not") else name


def _defaults(rule: Rule) -> dict[str, Any]:
    code = rule.__code__
    positional = code.co_varnames[: code.co_argcount]
    values = rule.__defaults__ or ()
    defaults = dict(zip(positional[len(positional) - len(values) :], values, strict=True))
    return {**defaults, **(rule.__kwdefaults__ or {})}


def _reads(code: CodeType, parameter: str) -> bool:
    """Whether a rule's code reads the parameter at all, or hands it to a function inside it."""
    if parameter in code.co_cellvars:
        return True
    for instruction in dis.get_instructions(code):
        if instruction.opname.startswith("LOAD_FAST"):
            read = instruction.argval
            if parameter in (read if isinstance(read, tuple) else (read,)):
                return True
    return False
