"""How a call of an operator is written: which of its names, and which arguments by position or by name.

The name is the shortest one that is understood as the same operator for such operands. Arguments stand in the order
of the operator's signature, by position as far as nothing is left out. Left out is what reading supplies again.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from pypto_lite import ops
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import Call, Const, DType, Expr, MakeTuple, QuotedEnum
from pypto_lite.ops import REQUIRED, Keyword, Operator
from pypto_lite.ops.framework.registry import default_spelling
from pypto_lite.printer.literals import string

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Literal: TypeAlias = "Callable[[Const, DType], str]"
"""Writes a constant operand for which a plain number is read as the given element type."""

Data: TypeAlias = "Callable[[Any], str]"
"""Writes plain data."""


class _Operand(NamedTuple):
    """An operand in a form of call."""

    position: int
    """Its place in the call's arguments."""
    declared: int
    """Its place in the declaration."""
    name: str
    by_position: bool
    same_as: int | None
    """The place of the argument whose value it has when it is left out."""
    literal: bool
    """Whether it may be a plain number."""


class _Form(NamedTuple):
    """How calls with operands of the same kinds and the same keywords are written."""

    head: str
    operator: Operator | None
    parts: tuple[_Operand | str, ...]
    """Operands and names of keywords, in the order of the signature."""
    supplied: Mapping[str, Any]
    """The values with which keywords are left out."""
    plain: bool
    """Whether all arguments are written by position, as they are."""


_Kinds: TypeAlias = "tuple[str, tuple[type, ...], tuple[str, ...]]"


_KINDS: Final = frozenset((Const, MakeTuple))
"""The classes of operands that are kinds of their own; else the kind is that of the type."""


class CallForms:
    """The forms of calls that were needed so far."""

    def __init__(self) -> None:
        self._forms: dict[_Kinds, _Form] = {}

    def written(
        self, call: Call, texts: Sequence[str], literal: Literal, data: Data, without: str | None = None
    ) -> tuple[str, list[str]]:
        """The text up to the opening bracket, and the arguments, of a call whose operands have these texts.

        ``without`` is a keyword to leave out.
        """
        args, keywords = call.args, call.keywords
        # Which operator a name means can depend on the kinds of the operands.
        kinds = tuple([arg.__class__ if arg.__class__ in _KINDS else arg.type.__class__ for arg in args])
        key = (call.op, kinds, tuple(keywords))
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = _form(call)
        if form.plain:
            return form.head, list(texts)
        written: list[str] = []
        gap = False
        for part in form.parts:
            if isinstance(part, str):
                value = keywords[part]
                if part == without or (part in form.supplied and _is_supplied(value, form.supplied[part])):
                    continue
                mode = isinstance(value, QuotedEnum)
                written.append(f"{part}={string(value.name) if mode else data(value)}")
                continue
            arg = args[part.position]
            if part.same_as is not None and _same(arg, args[part.same_as]):
                gap = True
                continue
            text = texts[part.position]
            if part.literal and isinstance(arg, Const):
                text = literal(arg, _literal_dtype(form.operator, part.declared, arg, call))
            written.append(text if part.by_position and not gap else f"{part.name}={text}")
        return form.head, written


def _is_supplied(value: Any, supplied: Any) -> bool:
    return type(value) is type(supplied) and value == supplied


def _same(a: Expr, b: Expr) -> bool:
    """Whether two lists hold the same variables and constants."""
    if not isinstance(a, MakeTuple) or not isinstance(b, MakeTuple) or len(a.elements) != len(b.elements):
        return False
    for first, second in zip(a.elements, b.elements, strict=True):
        if first is second:
            continue
        if not isinstance(first, Const) or not isinstance(second, Const):
            return False
        if first.type is not second.type or first.value != second.value:
            return False
    return True


def _literal_dtype(operator: Operator | None, index: int, arg: Const, call: Call) -> DType:
    assert operator is not None
    operands: Sequence[Expr | None] = call.args
    if len(call.args) < len(operator.operands):  # one may have been left out in front of others
        operands = [given for _, given in ops.match_operands(operator, call.args)]
    return ops.literal_dtype(operator, index, arg.value, operands, call.keywords)


def _form(call: Call) -> _Form:
    operator = ops.find(call.op)
    if operator is None:
        return _plain_form(call, default_spelling(call.op))
    try:
        matched = ops.match_operands(operator, call.args)
    except UserError:
        return _plain_form(call, default_spelling(call.op))  # the verifier says what is wrong with it
    given = [operand.index for operand, arg in matched if arg is not None]
    parts = _parts(operator, call, {index: place for place, index in enumerate(given)})
    plain = len(parts) == len(call.args) and all(_is_plain(part, call) for part in parts)
    return _Form(f"pl.{_spelling(operator, call, parts)}(", operator, parts, _supplied(operator), plain)


@cache
def _supplied(operator: Operator) -> Mapping[str, Any]:
    return {
        keyword.name: keyword.supplied for keyword in operator.keywords.values() if keyword.supplied is not REQUIRED
    }


@cache
def _spellings(operator: Operator) -> Sequence[str]:
    """The names of an operator: those without a group first, then the shorter ones."""
    return sorted(operator.spellings, key=lambda each: ("." in each, len(each)))


def _is_plain(part: _Operand | str, call: Call) -> bool:
    if isinstance(part, str) or not part.by_position or part.same_as is not None:
        return False
    return not (part.literal and isinstance(call.args[part.position], Const))


def _parts(operator: Operator, call: Call, places: Mapping[int, int]) -> tuple[_Operand | str, ...]:
    """What is written, in the order of the signature. ``places`` are those of the operands among the arguments."""
    parts: list[_Operand | str] = []
    unbroken = True
    for number, parameter in enumerate(operator.parameters):
        if isinstance(parameter, Keyword):
            unbroken = False
            if parameter.name in call.keywords:
                parts.append(parameter.name)
        elif parameter.index not in places:
            unbroken = False
        else:
            model = operator.find_parameter(parameter.same_as) if parameter.same_as is not None else None
            same_as = places.get(model.index) if isinstance(model, ops.Operand) else None
            by_position = unbroken and number < operator.positional
            literal = parameter.kind in _NUMBERS
            place = places[parameter.index]
            parts.append(_Operand(place, parameter.index, parameter.name, by_position, same_as, literal))
    parts += [name for name in call.keywords if name not in operator.keywords]
    return tuple(parts)


_NUMBERS: Final = (ops.OperandKind.SCALAR, ops.OperandKind.CONST)


def _plain_form(call: Call, spelling: str) -> _Form:
    """Everything by position and name, as it is: for what no declaration describes."""
    operands = [_Operand(index, index, "", True, None, False) for index in range(len(call.args))]
    return _Form(f"pl.{spelling}(", None, (*operands, *call.keywords), {}, not call.keywords)


def _spelling(operator: Operator, call: Call, parts: Sequence[_Operand | str]) -> str:
    """The shortest name that means this operator where it is called like this."""
    positional: list[object] = []
    named: dict[str, object] = {}
    for part in parts:
        if isinstance(part, str):
            named[part] = call.keywords[part]
        elif part.by_position:
            positional.append(call.args[part.position])
        else:
            named[part.name] = call.args[part.position]
    for spelling in _spellings(operator):
        try:
            found = ops.resolve(spelling, positional, named)
        except UserError:
            continue
        if found is operator:
            return spelling
    return default_spelling(operator.name)
