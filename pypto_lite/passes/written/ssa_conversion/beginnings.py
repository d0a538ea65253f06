"""Variables that get their first value in a loop or a branch and are read behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.analysis.def_use_events import DefUseEvents
from pypto_lite.passes.properties.directions import WHOLE, places_of, tensors_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pypto_lite import ops
    from pypto_lite.passes.properties.directions import Returning


def find_escaping(function: ir.Function, defined: Collection[ir.Var]) -> set[ir.Var]:
    """The variables that occur outside a loop or a branch in which they are assigned."""
    extents = DefUseEvents(function, defined).extents
    return {var for each in extents if each.kind is not ir.RegionKind.SECTION for var in each.assigned}


def find_stored_into(function: ir.Function, program: ir.Program, variables: Iterable[ir.Var]) -> dict[ir.Var, ir.Var]:
    """The parameter that is stored into wherever one of the variables is assigned, for each of which there is one.

    Such a variable is another name of the tensor. So it has a value where it is not assigned yet: the parameter.
    """
    tensors = [var for var in variables if isinstance(var.type, ir.TensorType) and var not in function.params]
    if not tensors:
        return {}
    known = {name: each.effects for name, each in tensors_of(program, {}).items()}
    sources = _sources(function)
    found = {var: _stored_into(var, function, sources, known) for var in tensors}
    return {var: param for var, param in found.items() if param is not None}


def _sources(function: ir.Function) -> dict[ir.Var, list[ir.Expr]]:
    """For each variable all values that it is bound to."""
    sources: dict[ir.Var, list[ir.Expr]] = {}
    for statement in ir.statements(function):
        if isinstance(statement, ir.Assign):
            sources.setdefault(statement.var, []).append(statement.value)
        for phi in statement.phis():
            for var in (phi.var,) if phi.result is None else (phi.var, phi.result):
                sources.setdefault(var, []).extend([each.value for each in phi.incoming])
    return sources


def _stored_into(
    var: ir.Var,
    function: ir.Function,
    sources: Mapping[ir.Var, list[ir.Expr]],
    known: Mapping[str, Returning],
) -> ir.Var | None:
    found: set[ir.Var] = set()
    is_stored = False
    seen = {(var, WHOLE)}
    pending = [(var, WHOLE)]
    while pending:
        place, item = pending.pop()
        if place in function.params:
            found.add(place)
        elif place not in sources:
            return None
        for value in sources.get(place, ()):
            places = list(places_of(value, item, known, _written_operand))
            if len(places) != 1:
                return None
            is_stored = is_stored or not isinstance(value, (ir.Var, ir.TupleItem))
            pending += [each for each in places if each not in seen]
            seen.update(places)
    if len(found) != 1 or not is_stored:
        return None
    (param,) = found
    return param if param.type == var.type else None


def _written_operand(operator: ops.Operator | None) -> int | None:
    """The position of the operand that an operator writes and gives back."""
    if operator is None or operator.tied_operand is not None or operator.computes is None:
        return None if operator is None else operator.tied_operand
    return next((each.index for each in operator.operands if each.name == operator.computes.writes), None)
