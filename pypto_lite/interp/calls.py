"""Compiles calls of operators: how operands reach an operator's meaning, and what becomes of what it gives.

All that can be known before the run is found out once for each call in the source: the operator, its keywords, which
slot is which parameter, how each operand is to be seen, and the extents of the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pypto_lite import ir, ops
from pypto_lite.interp.code import MACHINE
from pypto_lite.interp.dtypes import computing_dtype, rounded, stored_dtype, widened
from pypto_lite.interp.errors import Use, no_meaning, not_a_view, undefined_use
from pypto_lite.interp.extents import ARRAY_TYPES, Measure, masked_extents, measure, stored_as
from pypto_lite.interp.operands import (
    Prepare,
    elementwise_array,
    elementwise_scalar,
    masked,
    region,
    shown,
    stored,
    zeroed,
)
from pypto_lite.interp.results import finisher
from pypto_lite.interp.storage import DEFINED, Array, Kind, all_defined
from pypto_lite.ir import AtomicType
from pypto_lite.ops.framework.meaning import BLOCK, RESULT, TYPES, Meaning
from pypto_lite.ops.framework.parameters import REQUIRED, Keyword, Operand

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pypto_lite.interp.code import Code, Frame, Step
    from pypto_lite.interp.expressions import Compiler, Parts
    from pypto_lite.ops.framework.declaration import Operator


class Site:
    """One call in the source, as its steps need it."""

    __slots__ = (
        "call",
        "evaluator",
        "following",
        "function",
        "given",
        "measure",
        "operator",
        "prepared",
        "slots",
        "span",
        "target",
    )  # fmt: skip

    def __init__(
        self,
        call: ir.Call,
        operator: Operator,
        evaluator: Meaning,
        given: Mapping[str, ir.Expr],
        measured: Measure,
        target: int,
    ) -> None:
        self.call = call
        self.operator = operator
        self.given = given
        """The operands that are read, by name."""
        self.evaluator = evaluator
        self.function = evaluator.function
        self.slots: list[int] = []
        """The slots of the meaning's parameters; for ``result`` and ``block`` that of the machine."""
        self.measure = measured
        self.target = target
        self.span = call.span
        """Where what the call makes was made."""
        self.following = -1
        self.prepared: list[tuple[int, Prepare]] = []
        """How parameters are made of what is in their slots, for those that are not taken as they are."""

    def arguments(self, frame: Frame, extents: Any) -> list[Any]:
        """What the meaning gets after the array module."""
        values = [frame[slot] for slot in self.slots]
        for position, prepare in self.prepared:
            values[position] = prepare(values[position], extents)
        return values

    def use(self, parameter: str) -> Use:
        """An operand, as messages speak of it."""
        arg = self.given[parameter]
        return Use(self.operator.name, parameter, arg.name if isinstance(arg, ir.Var) else None)

    def slot_of(self, parameter: str) -> int:
        return self.slots[self.evaluator.parameters.index(parameter)]


def operator_call(compiler: Compiler, call: ir.Call, target: int) -> Parts:
    """Adds the step of a call, whose result goes into ``target``."""
    code = compiler.code
    operator = ops.lookup(call.op, call.span)
    outer = code.span
    arguments: dict[str, int] = {}
    given: dict[str, ir.Expr] = {}
    for operand, arg in _read_operands(operator, call):
        if arg is None or (operand.optional and isinstance(arg, ir.MakeTuple) and not arg.elements):
            arguments[operand.name] = code.constant(None)
            continue
        given[operand.name] = arg
        arguments[operand.name] = yield arg
    code.span = call.span or outer
    if operator.computes is None:
        code.add(_refuse_step(call))
    else:
        measured = yield from measure(compiler, call.type)
        site = Site(call, operator, operator.computes, given, measured, target)
        site.slots = [_slot(code, site, arguments, name) for name in operator.computes.parameters]
        site.prepared = _prepared(site)
        site.span, site.following = code.span, code.following
        code.operands[len(code.steps)] = {name: arg.name for name, arg in given.items() if isinstance(arg, ir.Var)}
        code.add(compiler.checks.call(code, site, arguments, _choose(site)(site)))
    code.span = outer
    return target


def _read_operands(operator: Operator, call: ir.Call) -> list[tuple[Operand, ir.Expr | None]]:
    """The operands with their arguments; what is scratch counts as left out."""
    matched = ops.match_operands(operator, call.args)
    if operator.computes is None or not operator.computes.scratch_last:
        return matched
    scratch = max([index for index, (_, arg) in enumerate(matched) if arg is not None])
    return [(operand, None if index == scratch else arg) for index, (operand, arg) in enumerate(matched)]


def _refuse_step(call: ir.Call) -> Step:
    def step(frame: Frame) -> int:
        raise no_meaning(call.op, call.span)

    return step


def _slot(code: Code, site: Site, arguments: Mapping[str, int], name: str) -> int:
    """The slot of one parameter of a meaning."""
    if name in (RESULT, BLOCK):
        return MACHINE
    if name == TYPES:
        return code.new_slot({operand: arg.type for operand, arg in site.given.items()})
    if name in arguments:
        return arguments[name]
    return code.constant(site.call.keywords.get(name, _default(site.operator.keywords[name])))


def _default(keyword: Keyword) -> Any:
    return None if keyword.default is REQUIRED else keyword.default


def _prepared(site: Site) -> list[tuple[int, Prepare]]:
    """How each parameter that is an array, or an elementwise scalar, reaches the meaning."""
    evaluator = site.evaluator
    prepared: list[tuple[int, Prepare]] = []
    for position, parameter in enumerate(evaluator.parameters):
        if parameter in _OF_MACHINE:
            prepared.append((position, _OF_MACHINE[parameter]))
        arg = site.given.get(parameter)
        if arg is None:
            continue
        if isinstance(arg.type, ARRAY_TYPES):
            prepared.append((position, _prepare_array(site, parameter, arg.type.dtype)))
        elif evaluator.elementwise and isinstance(arg.type, ir.ScalarType):
            assert isinstance(site.call.type, ARRAY_TYPES)
            prepared.append((position, elementwise_scalar(computing_dtype(site.call.type.dtype))))
    return prepared


_OF_MACHINE: Final[Mapping[str, Prepare]] = {
    RESULT: lambda machine, extents: extents,
    BLOCK: lambda machine, extents: machine.block,
}


def _prepare_array(site: Site, parameter: str, dtype: ir.DType) -> Prepare:
    evaluator, result = site.evaluator, site.call.type
    whole = parameter in evaluator.whole
    if parameter in evaluator.sized:
        return lambda array, extents: array.shape
    if parameter in evaluator.shows:
        return shown(dtype)
    if parameter == evaluator.writes or parameter in evaluator.moves:
        return stored(whole or parameter == evaluator.writes)
    if parameter == evaluator.accumulates:
        return zeroed(dtype, whole)
    if evaluator.elementwise:
        assert isinstance(result, ARRAY_TYPES)
        return elementwise_array(site.use(parameter), computing_dtype(result.dtype))
    return region(site.use(parameter), dtype, whole)


def _choose(site: Site) -> Callable[[Site], Step]:
    if site.operator.view_of is not None:
        return _view_step
    if site.evaluator.writes is not None:
        return _write_step
    return _move_step if site.evaluator.moves else _compute_step


def _compute_step(site: Site) -> Step:
    """The usual case: new elements from those of the operands."""
    function, target, following = site.function, site.target, site.following
    measured, arguments = site.measure, site.arguments
    finish = finisher(site.call.type, site.operator.name, site.span)

    def step(frame: Frame) -> int:
        extents = measured(frame)
        frame[target] = finish(function(np, *arguments(frame, extents)), None, extents)
        return following

    return step


def _move_step(site: Site) -> Step:
    """Elements are put elsewhere: what is known of each goes with it."""
    function, target, following = site.function, site.target, site.following
    measured, get_arguments = site.measure, site.arguments
    finish = finisher(site.call.type, site.operator.name, site.span)
    moved = _moved(site)

    def step(frame: Frame) -> int:
        extents = measured(frame)
        arguments = get_arguments(frame, extents)
        outcome = function(np, *arguments)
        for _, _, slot in moved:
            value = frame[slot]
            if isinstance(value, Array) and value.mask is not None:
                mask = _moved_mask(site, arguments, moved, frame, extents)
                made = frame[target] = finish(outcome, mask, extents)
                if isinstance(made, Array) and made.mask is not None:
                    made.made_at = _lacking(moved, frame)[1].made_at  # where what is undefined comes from
                return following
        frame[target] = finish(outcome, None, extents)
        return following

    return step


def _moved(site: Site) -> list[tuple[int, bool, int]]:
    """The parameters whose elements are moved: the position of each, whether it is seen whole, and its slot."""
    evaluator = site.evaluator
    return [
        (position, parameter in evaluator.whole, slot)
        for position, (parameter, slot) in enumerate(zip(evaluator.parameters, site.slots, strict=True))
        if parameter in evaluator.moves
    ]


def _moved_mask(
    site: Site, arguments: Sequence[Any], moved: Sequence[tuple[int, bool, int]], frame: Frame, extents: Any
) -> Any:
    """What is known of the elements of a result, some of which may be undefined."""
    values = [(position, whole, frame[slot]) for position, whole, slot in moved]
    mask = site.function(np, *_masked_arguments(site, arguments, values, extents))
    if isinstance(site.call.type, ir.ScalarType) and mask != DEFINED:
        position, array = _lacking(moved, frame)
        raise undefined_use(site.use(site.evaluator.parameters[position]), array, np.asarray(mask))
    return mask


def _lacking(moved: Sequence[tuple[int, bool, int]], frame: Frame) -> tuple[int, Array]:
    """The first operand that is moved and has elements without a value, and its position."""
    arrays = [(position, frame[slot]) for position, _, slot in moved if isinstance(frame[slot], Array)]
    return next(((position, array) for position, array in arrays if not all_defined(array.mask)), arrays[0])


def _masked_arguments(
    site: Site, arguments: Sequence[Any], moved: Sequence[tuple[int, bool, Any]], extents: Any
) -> list[Any]:
    """The arguments with what is known of the elements in the place of what is moved; a number is known."""
    changed = [*arguments]
    for position, whole, value in moved:
        if value is not None:
            changed[position] = masked(value, whole) if isinstance(value, Array) else DEFINED
    return _for_result(site, changed, masked_extents(extents))


def _for_result(site: Site, arguments: Sequence[Any], extents: Any) -> list[Any]:
    """The arguments for a result of these extents."""
    changed = [*arguments]
    if RESULT in site.evaluator.parameters:
        changed[site.evaluator.parameters.index(RESULT)] = extents
    return changed


def _view_step(site: Site) -> Step:
    """The result shares the storage of an operand."""
    assert site.operator.view_of is not None
    function, target, following = site.function, site.target, site.following
    parameter = site.operator.operands[site.operator.view_of].name
    position = site.evaluator.parameters.index(parameter)
    slot = site.slots[position]
    site.prepared = [(each, prepare) for each, prepare in site.prepared if each != position]

    def step(frame: Frame) -> int:
        extents = site.measure(frame)
        arguments = site.arguments(frame, extents)

        def look(seen: Any, kind: Kind) -> Any:
            arguments[position] = seen
            return function(np, *_for_result(site, arguments, _EXTENTS[kind](extents)))

        seen = frame[slot].view(look, extents.valid)
        if seen is None:
            raise not_a_view(site.operator.name, parameter)
        seen.shape = extents.shape
        frame[target] = seen
        return following

    return step


_EXTENTS: Final[Mapping[Kind, Callable[[Any], Any]]] = {
    Kind.ELEMENTS: lambda extents: extents,
    Kind.MASK: masked_extents,
    Kind.POSITIONS: lambda extents: stored_as(extents, np.dtype(np.intp)),
}
"""What a meaning is told of the result, by what it sees."""

_ADDS: Final = AtomicType.Add


def _write_step(site: Site) -> Step:
    """Storage is written; the result is the operand that was written, whose valid region may have grown."""
    function, target, following = site.function, site.target, site.following
    written = site.evaluator.writes
    assert written is not None
    use = site.use(written)
    slot = site.slot_of(written)
    adds = site.call.keywords.get("atomic") is _ADDS
    type_ = site.given[written].type
    assert isinstance(type_, ARRAY_TYPES)
    dtype, element_type = type_.dtype, stored_dtype(type_.dtype)

    def step(frame: Frame) -> int:
        extents = site.measure(frame)
        array: Array = frame[slot]
        where, values = function(np, *site.arguments(frame, extents))
        if adds:
            values = _sum(use, array, where, values)
        array.write(where, rounded(values, dtype, element_type))
        frame[target] = array if extents.valid == array.valid else array.with_valid(extents.valid)
        return following

    return step


def _sum(use: Use, array: Array, where: Any, values: Any) -> Any:
    """What is there already, plus the new values."""
    mask = array.mask
    if mask is not None and not all_defined(mask[where]):
        raise undefined_use(use, array, mask[where])
    return widened(array.elements[where]) + widened(np.asarray(values))
