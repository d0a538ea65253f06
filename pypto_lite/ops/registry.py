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
anything else      keyword: ``DType``, ``MemorySpace``, ``bool``, ``int``, ``str`` or another
                   enumeration of ``ir``; the rule gets the value
=================  ==========================================================================

``| None`` with the default None makes it optional. Another default is left out of the IR where it is meant; a
default in ``supplied(...)`` is what the language fills in, and the IR always holds the keyword.
"""

from __future__ import annotations

from opcode import opmap
from typing import TYPE_CHECKING, Any, Final, NamedTuple

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
from pypto_lite.ops.declaration import (
    REQUIRED,
    Core,
    Effect,
    ImplicitMove,
    Keyword,
    Level,
    Operand,
    OperandKind,
    Operator,
    Parameter,
    ResultSpace,
    Rule,
    Supplied,
    TakesDType,
    When,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import CodeType

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
    spaces: MemorySpace | Mapping[str, MemorySpace | tuple[MemorySpace, ...]] | None = None,
    result: ResultSpace = None,
    core: Core = Core.SHARED,
    spellings: tuple[str, ...] = (),
    layouts: tuple[str, ...] = (),
    result_layout: TileLayout | None = None,
    effects: Mapping[str, Effect | When] | None = None,
    same_as: Mapping[str, str] | None = None,
    aliases: Mapping[str, tuple[str, ...]] | None = None,
    literals: Mapping[str, TakesDType] | None = None,
    view_of: str | None = None,
    transposes: bool = False,
    reuses: str | None = None,
    by_value: bool = False,
    allocation_of: str | None = None,
    allocates: bool = False,
    reserves: bool = False,
    implicit_move: tuple[str, str] | None = None,
    addresses: bool = False,
    lowers_to: tuple[str, ...] = (),
    in_place_safe: bool = True,
    no_alias: tuple[str, ...] = (),
    synchronises: bool = False,
    pure: bool = True,
    carried: tuple[str, ...] = (),
    details: str = "",
    registry: Registry = REGISTRY,
) -> Callable[[Rule], Operator]:
    """Declares the operator ``name`` (such as ``tile.matmul``) by its type rule; see the module for the parameters.

    ``spaces`` gives the allowed spaces of operands, the preferred first, or one space for all tile operands;
    ``layouts`` names the operands that targets read in row-major order only; ``spellings`` are names after ``pl.``
    besides the operator's own (which gets an underscore where it is a Python keyword); ``aliases`` are further names
    of parameters; ``literals`` say which element type a literal operand takes, by default that of the first tile,
    tensor or array; ``details`` is what a family of operators shares in its documentation. Raises TypeError for a
    declaration that contradicts itself.
    """

    tables = _Tables(spaces, layouts, effects or {}, same_as or {}, aliases or {}, literals or {}, carried)

    def declare(rule: Rule) -> Operator:
        single = [each for each in (view_of, reuses, allocation_of) if each is not None]
        _check_names(name, rule, tables, [*no_alias, *single, *(implicit_move or ())])
        parameters = _parameters(name, rule, tables)
        position = {each.name: each.index for each in parameters if isinstance(each, Operand)}
        facts = {
            "documentation": _documentation(rule, details),
            "spellings": tuple(dict.fromkeys([*spellings, default_spelling(name)])),
            "result": result,
            "result_layout": result_layout,
            "core": core,
            "view_of": position[view_of] if view_of is not None else None,
            "transposes": transposes,
            "reuses": position[reuses] if reuses is not None else None,
            "by_value": by_value,
            "allocation_of": position[allocation_of] if allocation_of is not None else None,
            "allocates": allocates,
            "reserves": reserves,
            "implicit_move": ImplicitMove(*[position[each] for each in implicit_move]) if implicit_move else None,
            "addresses": addresses,
            "lowers_to": lowers_to,
            "in_place_safe": in_place_safe,
            "no_alias": tuple([position[each] for each in no_alias]),
            "synchronises": synchronises,
            "pure": pure,
            "carried": frozenset(carried),
        }
        declared = Operator(name, rule, parameters, rule.__code__.co_argcount, facts)
        registry.add(declared)
        return declared

    return declare


class _Tables(NamedTuple):
    """What a declaration says about single parameters."""

    spaces: MemorySpace | Mapping[str, MemorySpace | tuple[MemorySpace, ...]] | None
    layouts: tuple[str, ...]
    effects: Mapping[str, Effect | When]
    same_as: Mapping[str, str]
    aliases: Mapping[str, tuple[str, ...]]
    literals: Mapping[str, TakesDType]
    carried: tuple[str, ...]


def _parameter_names(rule: Rule) -> tuple[str, ...]:
    code = rule.__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _check_names(name: str, rule: Rule, tables: _Tables, others: Sequence[str]) -> None:
    """TypeError for a name of no known level, and for a fact about a parameter that the rule does not have."""
    level = name.partition(".")[0]
    if level not in [each.value for each in Level]:
        raise TypeError(f"{name} is of no known level: {level!r}")
    spaces = () if tables.spaces is None or isinstance(tables.spaces, MemorySpace) else tables.spaces
    named = {*spaces, *tables.layouts, *tables.effects, *tables.same_as, *tables.aliases, *tables.literals}
    named.update(tables.same_as.values(), tables.carried, others)
    named.update([each.parameter for each in tables.literals.values() if each.parameter is not None])
    for unknown in sorted(named - {*_parameter_names(rule)}):
        raise TypeError(f"{name} has a rule for {unknown!r}, which is no parameter of it")


def _parameters(name: str, rule: Rule, tables: _Tables) -> tuple[Parameter, ...]:
    """The operands and keywords that a rule's signature declares."""
    defaults = _defaults(rule)
    read: frozenset[str] | None = None
    parameters: list[Parameter] = []
    index = 0
    for parameter in _parameter_names(rule):
        annotation = str(rule.__annotations__[parameter]).removesuffix(" | None")
        default = defaults.get(parameter, REQUIRED)
        if annotation in _KINDS:
            parameters.append(_operand(parameter, index, annotation, default is None, tables))
            index += 1
            continue
        if parameter not in tables.carried:
            read = _read_names(rule.__code__) if read is None else read
            if parameter not in read:
                raise TypeError(f"nobody reads the keyword {parameter!r} of {name}")
        parameters.append(_keyword(name, parameter, annotation, default, tables.aliases.get(parameter, ())))
    return tuple(parameters)


def _operand(parameter: str, index: int, annotation: str, optional: bool, tables: _Tables) -> Operand:
    kind, value = _KINDS[annotation]
    own_literal = TakesDType(dtype=INDEX) if annotation in _INTEGERS else None
    return Operand(
        parameter,
        index,
        kind,
        optional=optional,
        same_as=tables.same_as.get(parameter),
        spaces=_allowed(parameter, kind, tables),
        layout=TileLayout.row_major if parameter in tables.layouts else None,
        effect=tables.effects.get(parameter, Effect.READ),
        aliases=tables.aliases.get(parameter, ()),
        literal=tables.literals.get(parameter, own_literal),
        value=value,
    )


def _allowed(parameter: str, kind: OperandKind, tables: _Tables) -> tuple[MemorySpace, ...]:
    """The spaces that an operand can be read from; none for any."""
    if tables.spaces is None:
        return ()
    if isinstance(tables.spaces, MemorySpace):
        return (tables.spaces,) if kind is OperandKind.TILE else ()
    allowed = tables.spaces.get(parameter, ())
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


def _documentation(rule: Rule, details: str) -> str:
    """A rule's docstring without the indentation of its source, and what its family shares behind it."""
    first, *lines = (rule.__doc__ or "").strip().splitlines() or [""]
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    text = "\n".join([first, *[line[min(indents) :].rstrip() for line in lines]])
    return f"{text}\n\n{details}" if details else text


def _defaults(rule: Rule) -> dict[str, Any]:
    code = rule.__code__
    positional = code.co_varnames[: code.co_argcount]
    values = rule.__defaults__ or ()
    defaults = dict(zip(positional[len(positional) - len(values) :], values, strict=True))
    return {**defaults, **(rule.__kwdefaults__ or {})}


_DOUBLE_LOADS: Final = frozenset([code for name, code in opmap.items() if name.startswith("LOAD_FAST_LOAD_FAST")])
"""The instructions that read two variables at once, which Python 3.13 has."""

_SECOND_LOADS: Final = frozenset([code for name, code in opmap.items() if name == "STORE_FAST_LOAD_FAST"])
"""Those that write one variable and read another."""

_LOADS: Final = frozenset([code for name, code in opmap.items() if name.startswith("LOAD_FAST")]) - _DOUBLE_LOADS
"""Those that read one."""


def _read_names(code: CodeType) -> frozenset[str]:
    """The parameters that a rule's code reads, or hands to a function inside it.

    Reads the bytecode itself, as this runs for every operator when the package is imported.
    """
    read = set(code.co_cellvars)
    names = code.co_varnames
    for operation, argument in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        if operation in _LOADS:
            read.add(names[argument])
        elif operation in _DOUBLE_LOADS:
            read.update((names[argument >> 4], names[argument & 15]))
        elif operation in _SECOND_LOADS:
            read.add(names[argument & 15])
    return frozenset(read)
