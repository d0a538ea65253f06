"""The types of values that come together after a branch or in a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pypto_lite import ir
from pypto_lite.analysis.type_agreement import Agreement, difference
from pypto_lite.diagnostics import Diagnostic, Note, UserError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


def disagreement(first: ir.Type, second: ir.Type) -> str | None:
    """What keeps two values from coming together, such as ``"shape"``; None where nothing does.

    Memory spaces and layouts never do.
    """
    return difference(first, second, Agreement.JOIN)


def check_agreement(var: ir.Var, first: ir.Expr, second: ir.Expr, where: str) -> None:
    """Raises PL207 where a variable would come out of a loop or a branch with one of two types."""
    differs = disagreement(first.type, second.type)
    if differs is None:
        return
    raise UserError(
        Diagnostic(
            "PL207",
            f"'{var.name}' is bound to values that differ in their {differs} {where}",
            second.span,
            found=repr(second.type),
            expected=f"{first.type!r}, as before",
            notes=[Note(f"'{var.name}' is bound here first", first.span)],
            hint="use another name for one of the two",
        )
    )


def branch_type(then: ir.Type, otherwise: ir.Type) -> ir.Type:
    """The type of a branch's result whose arms yield values of these types: that of the then-arm.

    A tile has no memory space unless both arms yield it in the same one.
    """
    if not isinstance(then, ir.TileType) or not isinstance(otherwise, ir.TileType) or then.space is otherwise.space:
        return then
    return then.replace(space=None)


class Arm(NamedTuple):
    """What an arm of a branch yields, and the values that are defined in it and not known after it."""

    values: Sequence[ir.Expr]
    inside: Collection[ir.Expr]

    def hides(self, type_: ir.Type) -> bool:
        """Whether the type mentions a value that is not known after the arm."""
        return any(node in self.inside for each in type_.expressions() for node in ir.walk(each))


def result_types(then: Arm, otherwise: Arm, results: Mapping[int, ir.Var]) -> list[ir.Type | None]:
    """The types of a branch's results by ``branch_type``, so that they mention only what is known after the branch.

    A dimension that is a value of an arm becomes the result, among ``results`` by position, which that value is handed
    on as; if that does not give the same for both arms, the type in the else-arm is taken. None where there is no type.
    """
    types: list[ir.Type | None] = []
    from_then, from_else = ({arm.values[i]: result for i, result in results.items()} for arm in (then, otherwise))
    for one, other in zip(then.values, otherwise.values, strict=True):
        type_ = branch_type(one.type, other.type)
        if not type_.symbolic or not then.hides(type_):
            types.append(type_)
            continue
        mirrored = branch_type(other.type, one.type)
        mapped = _mapped(type_, from_then)
        if not then.hides(mapped) and mapped.expressions() == _mapped(mirrored, from_else).expressions():
            types.append(mapped)
        else:
            types.append(None if otherwise.hides(mirrored) else mirrored)
    return types


def _mapped(type_: ir.Type, results: Mapping[ir.Expr, ir.Expr]) -> ir.Type:
    variables = {value: result for value, result in results.items() if isinstance(value, ir.Var)}
    return ir.Substitution(variables).type(type_)
