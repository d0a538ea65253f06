"""What a symbolic dimension is, where the shape of an argument has it in an extent such as ``M * 2`` or ``M + N``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


class Undoing(NamedTuple):
    """One operation around a dimension that is not known, and its other operand, which is."""

    operator: str
    known: ir.Expr
    known_is_left: bool


class Inverse(NamedTuple):
    """How an extent gives the only dimension in it that is not known: the operations around it, outermost first."""

    dimension: ir.Var
    operations: Sequence[Undoing]

    def solve(self, extent: int, known: Sequence[int]) -> int | None:
        """The dimension, where the known operands have these values; None where no size of it gives this extent."""
        for operation, value in zip(self.operations, known, strict=True):
            undone = _UNDO[operation.operator, operation.known_is_left](extent, value)
            if undone is None:
                return None
            extent = undone
        return extent if extent >= 0 else None


def _divided(extent: int, factor: int) -> int | None:
    return extent // factor if factor and extent % factor == 0 else None


_UNDO: Final[Mapping[tuple[str, bool], Callable[[int, int], int | None]]] = {
    ("+", True): lambda extent, known: extent - known,
    ("+", False): lambda extent, known: extent - known,
    ("-", True): lambda extent, known: known - extent,
    ("-", False): lambda extent, known: extent + known,
    ("*", True): _divided,
    ("*", False): _divided,
    # A division counts as exact: what is written M // 2 is half of M.
    ("//", False): lambda extent, known: extent * known,
}
"""What the operand that is not known is, by operator and by whether the known one is the left operand."""


def inverse_of(extent: ir.Dim, is_known: Callable[[ir.Var], bool]) -> Inverse | None:
    """How ``extent`` gives the dimension in it that is not known; None where none is, or where it does not tell."""

    def all_known(expression: ir.Expr) -> bool:
        return all(is_known(part) for part in ir.walk(expression) if isinstance(part, ir.Var))

    if isinstance(extent, int) or all_known(extent):
        return None
    operations: list[Undoing] = []
    part = extent
    while not isinstance(part, ir.Var):
        if not isinstance(part, ir.Binary):
            return None
        known_is_left = all_known(part.lhs)
        known, other = (part.lhs, part.rhs) if known_is_left else (part.rhs, part.lhs)
        if (part.operator, known_is_left) not in _UNDO or not all_known(known):
            return None
        operations.append(Undoing(part.operator, known, known_is_left))
        part = other
    return Inverse(part, operations)


def impossible_extent(param: ir.Var, axis: int, extent: int, dim: ir.Dim, dimension: ir.Var) -> UserError:
    """The error for an argument whose extent no size of a dimension gives."""
    return UserError(
        Diagnostic(
            "PL503",
            f"the argument for {param.name!r} does not fit",
            param.span,
            found=f"an extent of {extent} in axis {axis}",
            expected=f"{dim!r} for some {dimension.name}",
        )
    )
