"""Arithmetic on dimensions, and what can be proved about them.

A dimension is an int or a scalar expression. Results are ints wherever they can be; comparisons answer whether
something holds for every value of the variables, so a False means "not known", not "it is not so".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pypto_lite.ir.arithmetic import combine
from pypto_lite.ir.expressions import Binary, Cast, Const, Expr, dim_expr, expr_dim
from pypto_lite.ir.types import ScalarType

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from pypto_lite.ir.interned import Dim, Dims

_Terms: TypeAlias = "dict[Hashable, tuple[int, Expr]]"
"""The terms of a sum by structure, each with its coefficient."""

PROOF_DEPTH = 8
"""How many nested min and max the bounds of an expression are looked for in."""

PROOF_STEPS = 12
"""How many times a proof puts an operand of a min or max in its place."""


def add(lhs: Dim, rhs: Dim) -> Dim:
    return lhs + rhs if isinstance(lhs, int) and isinstance(rhs, int) else _combine("+", lhs, rhs)


def subtract(lhs: Dim, rhs: Dim) -> Dim:
    return lhs - rhs if isinstance(lhs, int) and isinstance(rhs, int) else _combine("-", lhs, rhs)


def multiply(lhs: Dim, rhs: Dim) -> Dim:
    return lhs * rhs if isinstance(lhs, int) and isinstance(rhs, int) else _combine("*", lhs, rhs)


def floor_divide(lhs: Dim, rhs: Dim) -> Dim:
    return _combine("//", lhs, rhs)


def ceil_divide(lhs: Dim, divisor: int) -> Dim:
    """``lhs / divisor`` rounded up, for a positive divisor."""
    return lhs if divisor == 1 else floor_divide(add(lhs, divisor - 1), divisor)


def round_up(lhs: Dim, multiple: int) -> Dim:
    """The smallest multiple of ``multiple`` that is at least ``lhs``."""
    return multiply(ceil_divide(lhs, multiple), multiple)


def minimum(lhs: Dim, rhs: Dim) -> Dim:
    """The smaller one; one of the two where it is known which."""
    if provably_at_most(lhs, rhs):
        return lhs
    return rhs if provably_at_most(rhs, lhs) else _combine("min", lhs, rhs)


def maximum(lhs: Dim, rhs: Dim) -> Dim:
    """The larger one; one of the two where it is known which."""
    if provably_at_most(rhs, lhs):
        return lhs
    return rhs if provably_at_most(lhs, rhs) else _combine("max", lhs, rhs)


def product(dims: Iterable[Dim]) -> Dim:
    """The product of all, 1 for none."""
    result: Dim = 1
    for dim in dims:
        result = multiply(result, dim)
    return result


def all_static(dims: Dims) -> bool:
    """Whether all of them are ints."""
    return all(isinstance(dim, int) for dim in dims)


def provably_equal(lhs: Dim, rhs: Dim) -> bool:
    if isinstance(lhs, int) and isinstance(rhs, int):
        return lhs == rhs
    if lhs is rhs:
        return True
    constant, terms = _linear_difference(lhs, rhs)
    return not terms and constant == 0


def constant_difference(lhs: Dim, rhs: Dim) -> int | None:
    """``lhs - rhs`` where that is the same for all values of the variables, else None."""
    if isinstance(lhs, int) and isinstance(rhs, int):
        return lhs - rhs
    constant, terms = _linear_difference(lhs, rhs)
    return None if terms else constant


def provably_different(lhs: Dim, rhs: Dim) -> bool:
    if isinstance(lhs, int) and isinstance(rhs, int):
        return lhs != rhs
    return provably_less(lhs, rhs) or provably_less(rhs, lhs)


def provably_less(lhs: Dim, rhs: Dim) -> bool:
    """Whether ``lhs < rhs`` always."""
    if isinstance(lhs, int) and isinstance(rhs, int):
        return lhs < rhs
    return provably_at_most(add(lhs, 1), rhs)


def provably_at_most(lhs: Dim, rhs: Dim) -> bool:
    """Whether ``lhs <= rhs`` always."""
    if isinstance(lhs, int) and isinstance(rhs, int):
        return lhs <= rhs
    return _Proof().at_most(lhs, rhs)


def provably_counts(start: Dim, stop: Dim, step: Dim) -> bool:
    """Whether a loop that counts from ``start`` to ``stop`` certainly has a first iteration."""
    if not isinstance(step, int):
        return False
    return provably_less(start, stop) if step > 0 else provably_less(stop, start)


def all_provably_equal(lhs: Sequence[Dim], rhs: Sequence[Dim]) -> bool:
    """Whether two lists have the same length and provably equal elements."""
    return lhs == rhs or (len(lhs) == len(rhs) and all(map(provably_equal, lhs, rhs)))


def _combine(operator: str, lhs: Dim, rhs: Dim) -> Dim:
    return expr_dim(combine(operator, dim_expr(lhs), dim_expr(rhs)))


class _Proof:
    """The search for a proof, which gives up after so many steps: alternatives of nested min and max multiply."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = PROOF_STEPS

    def at_most(self, lhs: Dim, rhs: Dim) -> bool:
        constant, terms = _linear_difference(lhs, rhs)
        greatest = _sum_bounds(constant, terms, PROOF_DEPTH)[1]
        if greatest is not None and greatest <= 0:
            return True
        if self.steps <= 0:
            return False
        rest = subtract(lhs, rhs)
        return any(self._by_choice(rest, coefficient, atom) for coefficient, atom in terms.values())

    def _by_choice(self, rest: Dim, coefficient: int, atom: Expr) -> bool:
        """Whether ``rest <= 0`` because its min or max is at most, or at least, each (or all) of its operands."""
        if not (isinstance(atom, Binary) and atom.operator in ("min", "max") and abs(coefficient) == 1):
            return False
        self.steps -= 1
        others = subtract(rest, atom) if coefficient == 1 else add(rest, atom)
        put_back = add if coefficient == 1 else subtract
        arms = (self.at_most(put_back(others, expr_dim(arm)), 0) for arm in (atom.lhs, atom.rhs))
        one_is_enough = (atom.operator == "min") == (coefficient == 1)
        return any(arms) if one_is_enough else all(arms)


def _linear_difference(lhs: Dim, rhs: Dim) -> tuple[int, _Terms]:
    """``lhs - rhs`` as a constant and the other terms with their coefficients, by structure."""
    constant = 0
    terms: _Terms = {}
    stack: list[tuple[int, Dim]] = [(1, lhs), (-1, rhs)]
    while stack:
        factor, dim = stack.pop()
        dim = dim if isinstance(dim, int) else expr_dim(dim)
        if isinstance(dim, int):
            constant += factor * dim
            continue
        if isinstance(dim, Cast) and _widens(dim):
            stack.append((factor, dim.value))
            continue
        if isinstance(dim, Binary) and dim.operator in ("+", "-"):
            stack.append((factor, dim.lhs))
            stack.append((factor if dim.operator == "+" else -factor, dim.rhs))
            continue
        if isinstance(dim, Binary) and dim.operator == "*":
            scaled = _scaled(dim)
            if scaled is not None:
                if scaled[0]:
                    stack.append((factor * scaled[0], scaled[1]))
                continue
        key = dim.structure()
        coefficient = factor + (terms[key][0] if key in terms else 0)
        if coefficient:
            terms[key] = (coefficient, dim)
        else:
            del terms[key]
    return constant, terms


def _widens(cast: Cast) -> bool:
    """Whether a cast between integers keeps every value."""
    before, after = cast.value.type, cast.type
    if not isinstance(before, ScalarType) or not before.dtype.is_int or not after.dtype.is_int:
        return False
    if before.dtype.category == after.dtype.category:
        return before.dtype.bits <= after.dtype.bits
    return after.dtype.category == "sint" and before.dtype.bits < after.dtype.bits


def _scaled(product_: Binary) -> tuple[int, Expr] | None:
    """The constant factor and the other one of a product, where one is constant."""
    for constant, other in ((product_.lhs, product_.rhs), (product_.rhs, product_.lhs)):
        if isinstance(constant, Const) and isinstance(constant.value, int):
            return int(constant.value), other
    return None


def _bounds(atom: Expr, depth: int) -> tuple[int | None, int | None]:
    """What is known of the least and the greatest value of an expression that is no sum."""
    if not isinstance(atom, Binary) or depth == 0:
        return None, None
    if atom.operator == "%" and isinstance(atom.rhs, Const) and atom.rhs.value > 0:
        return 0, int(atom.rhs.value) - 1
    if atom.operator not in ("min", "max"):
        return None, None
    arms = [_sum_bounds(*_linear_difference(arm, 0), depth - 1) for arm in (atom.lhs, atom.rhs)]
    lows = [low for low, _ in arms if low is not None]
    highs = [high for _, high in arms if high is not None]
    if atom.operator == "min":
        return (min(lows) if len(lows) == 2 else None), min(highs, default=None)
    return max(lows, default=None), (max(highs) if len(highs) == 2 else None)


def _sum_bounds(constant: int, terms: _Terms, depth: int) -> tuple[int | None, int | None]:
    """What is known of the least and the greatest value of a constant and its terms."""
    low: int | None = constant
    high: int | None = constant
    for coefficient, atom in terms.values():
        ends = _bounds(atom, depth)
        least, greatest = ends if coefficient > 0 else ends[::-1]
        low = None if low is None or least is None else low + coefficient * least
        high = None if high is None or greatest is None else high + coefficient * greatest
    return low, high
