"""The vector operators against loops over Python's own numbers, on generated shapes, valid regions and elements."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pypto_lite import ops
from pypto_lite.interp.dtypes import STORED
from pypto_lite.ir.arithmetic import round_to
from pypto_lite.ir.dtypes import BF16, FP16, FP32, INT8, INT32, UINT8
from pypto_lite.ops.vector import comparisons, elementwise, expansions, reductions, scalar_forms, unary

from .apply import Tile, apply, assert_equal

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.ir import DType

DECLARED_IN = {each.__name__ for each in (comparisons, elementwise, expansions, reductions, scalar_forms, unary)}

few_examples = settings(max_examples=15, deadline=None)


def test_every_vector_operator_has_a_meaning() -> None:
    declared = [ops.lookup(name) for name in ops.operators()]
    missing = [each.name for each in declared if each.rule.__module__ in DECLARED_IN and each.computes is None]
    assert missing == []


# What the operators compute, on two numbers


def towards_zero(lhs: int, rhs: int) -> int:
    quotient = abs(lhs) // abs(rhs) if rhs else 0
    return quotient if (lhs < 0) == (rhs < 0) else -quotient


def c_remainder(lhs: int, rhs: int) -> int:
    return lhs - rhs * towards_zero(lhs, rhs) if rhs else 0


def floor_remainder(lhs: int, rhs: int) -> int:
    return lhs % rhs if rhs else 0


INTEGERS: dict[str, Callable[[int, int], int]] = {
    "add": lambda lhs, rhs: lhs + rhs,
    "sub": lambda lhs, rhs: lhs - rhs,
    "mul": lambda lhs, rhs: lhs * rhs,
    "fmod": c_remainder,
    "rem": floor_remainder,
    "maximum": max,
    "minimum": min,
    "and": lambda lhs, rhs: lhs & rhs,
    "or": lambda lhs, rhs: lhs | rhs,
    "xor": lambda lhs, rhs: lhs ^ rhs,
    "shl": lambda lhs, rhs: lhs << rhs if 0 <= rhs < 64 else 0,
    "shr": lambda lhs, rhs: lhs >> rhs if 0 <= rhs < 64 else -(lhs < 0),
}

FLOATS: dict[str, Callable[[float, float], float]] = {
    "add": lambda lhs, rhs: lhs + rhs,
    "sub": lambda lhs, rhs: lhs - rhs,
    "mul": lambda lhs, rhs: lhs * rhs,
    "fmod": lambda lhs, rhs: math.fmod(lhs, rhs) if rhs else math.nan,
    "maximum": max,
    "minimum": min,
    "row_expand_sub": lambda lhs, rhs: lhs - rhs,
    "col_expand_mul": lambda lhs, rhs: lhs * rhs,
}


def wrapped(value: int, dtype: DType) -> int:
    value &= (1 << dtype.bits) - 1
    return value - (1 << dtype.bits) if dtype.category == "sint" and value >> (dtype.bits - 1) else value


def rounded(value: float, dtype: DType) -> float:
    near = round_to(value, dtype)
    assert near is not None  # nothing here overflows
    return near


# Operands


class Pair(NamedTuple):
    """Two tiles of which the second is broadcast, and the region that is computed."""

    lhs: np.ndarray[Any, Any]
    rhs: np.ndarray[Any, Any]
    valid: tuple[int, int]


def numbers(dtype: DType) -> st.SearchStrategy[Any]:
    if dtype.is_float:
        # Small enough that no product overflows a half.
        return st.floats(-200, 200, width=16)
    low = -(1 << (dtype.bits - 1)) if dtype.category == "sint" else 0
    return st.one_of(st.integers(low, low + (1 << dtype.bits) - 1), st.integers(max(low, -9), 9))


@st.composite
def tiles(draw: st.DrawFn, dtype: DType, rows: int, columns: int) -> np.ndarray[Any, Any]:
    elements = draw(st.lists(numbers(dtype), min_size=rows * columns, max_size=rows * columns))
    return np.array(elements, STORED[dtype]).reshape(rows, columns)


@st.composite
def pairs(draw: st.DrawFn, dtype: DType, name: str) -> Pair:
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 9))
    valid = draw(st.integers(1, rows)), draw(st.integers(1, columns))
    repeated_rows = name.startswith("col_expand") or draw(st.booleans())
    repeated_columns = name.startswith("row_expand") or (draw(st.booleans()) and not name.startswith("col_expand"))
    if name.startswith("row_expand"):
        repeated_rows = False
    shape = 1 if repeated_rows else rows, 1 if repeated_columns else columns
    return Pair(draw(tiles(dtype, rows, columns)), draw(tiles(dtype, *shape)), valid)


def looped(pair: Pair, function: Callable[[Any, Any], Any], stored: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The function of each pair of elements in the valid region, zeros elsewhere."""
    result = np.zeros(pair.lhs.shape, stored)
    (rows, columns), (own_rows, own_columns) = pair.valid, pair.rhs.shape
    for row in range(rows):
        for column in range(columns):
            other = pair.rhs[row if own_rows > 1 else 0, column if own_columns > 1 else 0]
            result[row, column] = function(number(pair.lhs[row, column]), number(other))
    return result


def number(element: Any) -> int | float:
    return int(element) if element.dtype.kind in "iu" else float(element)


def with_scratch(name: str, pair: Pair) -> list[Any]:
    scratch = [np.zeros_like(pair.lhs)] if name in ("rem", "xor") else []
    return [Tile(pair.lhs, pair.valid), pair.rhs, *scratch]


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("dtype", [INT8, UINT8, INT32])
def test_integers(name: str, dtype: DType) -> None:
    @few_examples
    @given(pair=pairs(dtype, name))
    def check(pair: Pair) -> None:
        expected = looped(pair, lambda lhs, rhs: wrapped(INTEGERS[name](lhs, rhs), dtype), STORED[dtype])
        assert_equal(apply(f"tile.{name}", *with_scratch(name, pair)), expected)

    check()


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("dtype", [FP16, BF16, FP32])
def test_floats(name: str, dtype: DType) -> None:
    """Python computes in 64 bits, so it, too, rounds correctly to FP32 and to narrower types."""

    @few_examples
    @given(pair=pairs(dtype, name))
    def check(pair: Pair) -> None:
        expected = looped(pair, lambda lhs, rhs: rounded(FLOATS[name](lhs, rhs), dtype), STORED[dtype])
        assert_equal(apply(f"tile.{name}", *with_scratch(name, pair)), expected)

    check()


@few_examples
@given(pair=pairs(INT32, "div"))
def test_quotients_of_integers(pair: Pair) -> None:
    rhs = np.array(np.broadcast_to(pair.rhs, pair.lhs.shape))
    expected = looped(Pair(pair.lhs, rhs, pair.valid), lambda a, b: wrapped(towards_zero(a, b), INT32), STORED[INT32])
    assert_equal(apply("tile.div", Tile(pair.lhs, pair.valid), Tile(rhs, pair.valid)), expected)


@few_examples
@given(pair=pairs(INT8, "cmp"), relation=st.sampled_from(["eq", "ne", "lt", "le", "gt", "ge"]))
def test_comparisons_and_choices(pair: Pair, relation: str) -> None:
    lhs = Tile(pair.lhs, pair.valid)
    mask = apply("tile.cmp", lhs, pair.rhs, cmp_type=relation)
    chosen = apply("tile.sel", mask, lhs, pair.rhs, pair.lhs)
    holds = {"eq": "__eq__", "ne": "__ne__", "lt": "__lt__", "le": "__le__", "gt": "__gt__", "ge": "__ge__"}[relation]
    expected = looped(pair, lambda a, b: getattr(a, holds)(b), np.dtype(bool))
    for row, column in np.ndindex(*pair.valid):
        assert mask[row, column // 8] >> (column % 8) & 1 == expected[row, column]
    assert_equal(chosen, looped(pair, lambda a, b: a if getattr(a, holds)(b) else b, STORED[INT8]))


@few_examples
@given(pair=pairs(INT8, "part_add"), rows=st.integers(1, 4), columns=st.integers(1, 9))
def test_partial_sums(pair: Pair, rows: int, columns: int) -> None:
    """What of the second tile is not valid counts as zero."""
    own_rows, own_columns = pair.rhs.shape
    second = Tile(pair.rhs, (min(rows, own_rows), min(columns, own_columns)))
    known = pair.rhs.copy()
    known[second.valid[0] :] = 0
    known[:, second.valid[1] :] = 0
    expected = looped(pair._replace(rhs=known), lambda a, b: wrapped(a + b, INT8), STORED[INT8])
    assert_equal(apply("tile.part_add", Tile(pair.lhs, pair.valid), second), expected)


@few_examples
@given(pair=pairs(INT8, "row_sum"))
def test_reductions_of_rows(pair: Pair) -> None:
    rows, columns = pair.valid
    tile, scratch = Tile(pair.lhs, pair.valid), np.zeros_like(pair.lhs)
    lines = [[int(each) for each in line[:columns]] for line in pair.lhs[:rows]]
    rest = [0] * (len(pair.lhs) - rows)
    expected = {
        "row_sum": [wrapped(sum(line), INT8) for line in lines],
        "row_prod": [wrapped(math.prod(line), INT8) for line in lines],
        "row_max": [max(line) for line in lines],
        "row_argmax": [line.index(max(line)) for line in lines],
        "row_argmin": [line.index(min(line)) for line in lines],
    }
    for name, column in expected.items():
        assert_equal(apply(f"tile.{name}", tile, scratch)[:, 0], [*column, *rest])


@few_examples
@given(pair=pairs(INT8, "col_sum"))
def test_reductions_of_columns(pair: Pair) -> None:
    rows, columns = pair.valid
    tile = Tile(pair.lhs, pair.valid)
    lines = [[int(each) for each in line[:rows]] for line in pair.lhs.T[:columns]]
    rest = [0] * (pair.lhs.shape[1] - columns)
    expected = {
        "col_sum": [wrapped(sum(line), INT8) for line in lines],
        "col_prod": [wrapped(math.prod(line), INT8) for line in lines],
        "col_max": [max(line) for line in lines],
        "col_min": [min(line) for line in lines],
    }
    for name, row in expected.items():
        assert_equal(apply(f"tile.{name}", tile)[0], [*row, *rest])
