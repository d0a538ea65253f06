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

import dis
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, Final

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
    Keyword,
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
        bool, int, float, str, DType, MemorySpace, TileLayout, TensorLayout, PadValue, CastMode, CompareMode, CoalesceMode,
        OutOfBoundsMode, AtomicType, PipeType, SplitMode,
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
    reuses: str | None = None,
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

    def declare(rule: Rule) -> Operator:
        code = rule.__code__
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        by_operand = spaces if isinstance(spaces, Mapping) else {}
        tables: list[Mapping[str, Any] | None] = [by_operand, effects, same_as, aliases, literals]
        named = {*layouts, *no_alias, *carried, *[key for table in tables if table is not None for key in table]}
        named |= {each for each in (view_of, reuses) if each is not None}
        for unknown in sorted(named - set(names)):
            raise TypeError(f"{name} has a rule for {unknown!r}, which is no parameter of it")
        defaults = _defaults(rule)
        parameters: list[Parameter] = []
        index = 0
        for parameter in names:
            annotation = str(rule.__annotations__[parameter]).removesuffix(" | None")
            default = defaults.get(parameter, REQUIRED)
            also = (aliases or {}).get(parameter, ())
            if annotation not in _KINDS:
                if parameter not in carried and not _reads(code, parameter):
                    raise TypeError(f"nobody reads the keyword {parameter!r} of {name}")
                parameters.append(_keyword(name, parameter, annotation, default, also))
                continue
            kind, value = _KINDS[annotation]
            allowed = by_operand.get(parameter, ())
            if isinstance(spaces, MemorySpace) and kind is OperandKind.TILE:
                allowed = spaces
            own_literal = TakesDType(dtype=INDEX) if annotation in _INTEGERS else None
            operand = Operand(
                parameter,
                index,
                kind,
                optional=default is None,
                same_as=(same_as or {}).get(parameter),
                spaces=allowed if isinstance(allowed, tuple) else (allowed,),
                layout=TileLayout.row_major if parameter in layouts else None,
                effect=(effects or {}).get(parameter, Effect.READ),
                aliases=also,
                literal=(literals or {}).get(parameter, own_literal),
                value=value,
            )
            parameters.append(operand)
            index += 1
        position = {each.name: each.index for each in parameters if isinstance(each, Operand)}
        facts = {
            "documentation": _documentation(rule, details),
            "spellings": tuple(dict.fromkeys([*spellings, default_spelling(name)])),
            "result": result,
            "result_layout": result_layout,
            "core": core,
            "view_of": position[view_of] if view_of is not None else None,
            "reuses": position[reuses] if reuses is not None else None,
            "in_place_safe": in_place_safe,
            "no_alias": tuple([position[each] for each in no_alias]),
            "synchronises": synchronises,
            "pure": pure,
            "carried": frozenset(carried),
        }
        declared = Operator(name, rule, tuple(parameters), code.co_argcount, facts)
        registry.add(declared)
        return declared

    return declare


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
    lines = (rule.__doc__ or "").strip().splitlines()
    text = "\n".join([line.removeprefix("    ").rstrip() for line in lines])
    return f"{text}\n\n{details}" if details else text


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
