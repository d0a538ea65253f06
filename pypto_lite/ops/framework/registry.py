"""The decorator that declares operators, and the table of all of them.

A declaration is a function: its parameters, in the order in which users write them, are the operator's operands
and keywords; its body is the type rule; its docstring is the documentation. An annotation says what a parameter is:

=================  ==========================================================================
``TileType``       operand: a tile; the rule gets its type (likewise ``TensorType``,
                   ``ArrayType``, and ``ScalarType`` where the value does not matter)
``AnyTile``        operand: a tile or a tensor; the rule gets its type
``Expr``           operand: a scalar; the rule gets the expression, which may be a constant
``Index``          operand: a scalar that is an offset, an extent or a count; likewise
``Const``          operand: a literal constant; the rule gets it
``ConstInt``       operand: a literal integer; the rule gets the int
``Dims``           operand: a list of extents or offsets; the rule gets ints and expressions
``Indices``        operand: likewise the indices of an element, one of which may stand without a list
anything else      keyword: ``DType``, ``MemorySpace``, ``bool``, ``int``, ``str`` or another
                   enumeration of ``ir``; the rule gets the value
=================  ==========================================================================

``| None`` with the default None makes it optional. Another default is left out of the IR where it is meant; a
default in ``supplied(...)`` is what the language fills in, and the IR always holds the keyword.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pypto_lite.ir import (
    AtomicType,
    CastMode,
    CoalesceMode,
    CompareMode,
    Const,
    DType,
    Expr,
    MemorySpace,
    OutOfBoundsMode,
    PadValue,
    PipeType,
    SplitMode,
    TensorLayout,
    TileLayout,
)
from pypto_lite.ir.dtypes import INDEX
from pypto_lite.ops.framework.declaration import Facts, Level, Operator, Rule
from pypto_lite.ops.framework.parameters import (
    REQUIRED,
    Effect,
    Keyword,
    Operand,
    OperandKind,
    Parameter,
    Supplied,
    TakesDType,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from typing_extensions import Unpack

_KINDS: Final[dict[str, tuple[OperandKind, type | None]]] = {
    "TileType": (OperandKind.TILE, None),
    "TensorType": (OperandKind.TENSOR, None),
    "AnyTile": (OperandKind.TILE_OR_TENSOR, None),
    "ScalarType": (OperandKind.SCALAR, None),
    "ArrayType": (OperandKind.ARRAY, None),
    "Expr": (OperandKind.SCALAR, Expr),
    "Index": (OperandKind.SCALAR, Expr),
    "Const": (OperandKind.CONST, Const),
    "ConstInt": (OperandKind.CONST, int),
    "Dims": (OperandKind.TUPLE, None),
    "Indices": (OperandKind.TUPLE, None),
    "Tasks": (OperandKind.TUPLE, Expr),
}
"""What an annotation makes of a parameter: the kind of operand, and what the rule gets (None: its type)."""

_INTEGERS: Final = ("Index", "ConstInt")
"""The annotations of operands whose literals are INDEX, whatever the other operands are."""

_KEYWORD_TYPES: Final[dict[str, type]] = {
    value_type.__name__: value_type
    for value_type in (
        bool, int, float, str, DType, MemorySpace, TileLayout, TensorLayout, PadValue, CastMode, CompareMode,
        CoalesceMode, OutOfBoundsMode, AtomicType, PipeType, SplitMode,
    )
}  # fmt: skip


_LEVELS: Final = frozenset(level.value for level in Level)

_FACTS: Final = frozenset(Facts.__annotations__)


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
    name: str, *, documentation: str = "", details: str = "", registry: Registry = REGISTRY, **facts: Unpack[Facts]
) -> Callable[[Rule], Operator]:
    """Declares the operator ``name`` (such as ``tile.matmul``) by its type rule; see the module for the parameters.

    ``documentation`` is that of the rule, if nothing else is said; ``details`` is what a family of operators shares
    behind it. Raises TypeError for a declaration that contradicts itself.
    """

    def declare(rule: Rule) -> Operator:
        _check(name, rule, facts)
        spellings = tuple(dict.fromkeys([*facts.get("spellings", ()), default_spelling(name)]))
        texts = (documentation or rule.__doc__ or "", details)
        declared = Operator(name, rule, _parameters(name, rule, facts), texts, {**facts, "spellings": spellings})
        registry.add(declared)
        return declared

    return declare


def _parameter_names(rule: Rule) -> tuple[str, ...]:
    code = rule.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _check(name: str, rule: Rule, facts: Facts) -> None:
    """TypeError for a name of no known level, a fact that is none, and one about a parameter that the rule has not."""
    level = name.partition(".")[0]
    if level not in _LEVELS:
        raise TypeError(f"{name} is of no known level: {level!r}")
    known = _parameter_names(rule)
    for fact, value in facts.items():
        if fact not in _FACTS:
            raise TypeError(f"{name} has a fact {fact!r}, which operators have not")
        for parameter in _named_by(fact, value):
            if parameter not in known:
                raise TypeError(f"{name} has a rule for {parameter!r}, which is no parameter of it")


def _named_by(fact: str, value: Any) -> Iterable[str]:
    """The parameters that a fact is about, or names."""
    if fact in ("view_of", "tied_operand", "allocation_of"):
        return (value,)
    if fact == "same_as":
        return (*value, *value.values())
    if fact == "literals":
        return (*value, *[each.parameter for each in value.values() if each.parameter is not None])
    if fact == "window":
        return (value.operand, value.offsets, *value.extents)
    about_several = ("aliases", "carried", "effects", "implicit_move", "layouts", "no_alias", "spaces")
    return value if fact in about_several and not isinstance(value, MemorySpace) else ()


def _parameters(name: str, rule: Rule, facts: Facts) -> tuple[Parameter, ...]:
    """The operands and keywords that a rule's signature declares."""
    defaults = _defaults(rule)
    parameters: list[Parameter] = []
    index = 0
    for parameter in _parameter_names(rule):
        annotation = str(rule.__annotations__[parameter]).removesuffix(" | None")
        default = defaults.get(parameter, REQUIRED)
        if annotation in _KINDS:
            parameters.append(_operand(parameter, index, annotation, default is None, facts))
            index += 1
        else:
            aliases = facts.get("aliases", {}).get(parameter, ())
            parameters.append(_keyword(name, parameter, annotation, default, aliases))
    return tuple(parameters)


def _operand(parameter: str, index: int, annotation: str, optional: bool, facts: Facts) -> Operand:
    kind, value = _KINDS[annotation]
    own_literal = TakesDType(dtype=INDEX) if annotation in _INTEGERS else None
    return Operand(
        parameter,
        index,
        kind,
        optional=optional,
        same_as=facts.get("same_as", {}).get(parameter),
        spaces=_allowed(parameter, kind, facts.get("spaces", {})),
        layout=TileLayout.row_major if parameter in facts.get("layouts", ()) else None,
        effect=facts.get("effects", {}).get(parameter, Effect.READ),
        aliases=facts.get("aliases", {}).get(parameter, ()),
        literal=facts.get("literals", {}).get(parameter, own_literal),
        takes_one=annotation == "Indices",
        value=value,
    )


def _allowed(
    parameter: str, kind: OperandKind, spaces: MemorySpace | Mapping[str, MemorySpace | tuple[MemorySpace, ...]]
) -> tuple[MemorySpace, ...]:
    """The spaces that an operand can be read from; none for any."""
    if isinstance(spaces, MemorySpace):
        return (spaces,) if kind is OperandKind.TILE else ()
    allowed = spaces.get(parameter, ())
    return allowed if isinstance(allowed, tuple) else (allowed,)


def default_spelling(name: str) -> str:
    """The name after ``pl.`` that means exactly this operator: ``tile.and_`` for ``tile.and``."""
    return f"{name}_" if name.rpartition(".")[2] in ("and", "or", "not") else name


def _keyword(name: str, parameter: str, annotation: str, default: Any, aliases: tuple[str, ...]) -> Keyword:
    if annotation not in _KEYWORD_TYPES:
        raise TypeError(f"{name}: the annotation {annotation!r} of {parameter!r} is of no known kind")
    value_type = _KEYWORD_TYPES[annotation]
    if isinstance(default, Supplied):
        return Keyword(parameter, value_type, REQUIRED, default.value, aliases)
    return Keyword(parameter, value_type, default, REQUIRED, aliases)


def _defaults(rule: Rule) -> dict[str, Any]:
    code = rule.__code__
    positional = code.co_varnames[: code.co_argcount]
    values = rule.__defaults__ or ()
    defaults = dict(zip(positional[len(positional) - len(values) :], values, strict=True))
    return {**defaults, **(rule.__kwdefaults__ or {})}
