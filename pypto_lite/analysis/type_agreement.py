"""When two types agree, and how scalar expressions are typed: the rules behind TypeChecked."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final

from pypto_lite import ir
from pypto_lite.ir import arithmetic, dims

if TYPE_CHECKING:
    from collections.abc import Callable


class Agreement(enum.Enum):
    """How closely two types have to agree."""

    CLAIM = "claim"
    """What is claimed of a value and what it is: everything that is known, but not the layout."""
    JOIN = "join"
    """The values that meet in a loop or a branch: kind, shape and dtype, and no provably different valid regions."""
    CALL = "call"
    """What a function is given or returns: kind and dtype, and no provably different shapes."""
    INLINE = "inline"
    """What an inline function is given or returns: also valid regions that are the same for certain, for its body works
    on the region of the argument once it stands in the place of the call."""

    @staticmethod
    def with_function(kind: ir.FunctionType) -> Agreement:
        """How closely what a function of this kind is given or returns has to agree with its signature."""
        return Agreement.INLINE if kind is ir.FunctionType.Inline else Agreement.CALL


def difference(first: ir.Type, second: ir.Type, agreement: Agreement) -> str | None:
    """What two types disagree in, such as ``"shape"``, or None where they agree."""
    if first is second:
        return None
    if type(first) is not type(second):
        return "kind"
    if isinstance(first, ir.TupleType) and isinstance(second, ir.TupleType):
        return _tuple_difference(first, second, agreement)
    if isinstance(first, ir.ScalarType) and isinstance(second, ir.ScalarType):
        return None if same_scalar_dtype(first.dtype, second.dtype) else "dtype"
    if isinstance(first, ir.ArrayType) and isinstance(second, ir.ArrayType):
        return "extent" if first.extent != second.extent else "dtype"
    if isinstance(first, (ir.TileType, ir.TensorType)) and isinstance(second, (ir.TileType, ir.TensorType)):
        return _window_difference(first, second, agreement)
    return None


def _tuple_difference(first: ir.TupleType, second: ir.TupleType, agreement: Agreement) -> str | None:
    """Tuples of tuples do not occur, so this goes down one level only."""
    if len(first.types) != len(second.types):
        return "number of values"
    found = (difference(one, other, agreement) for one, other in zip(first.types, second.types, strict=True))
    return next((each for each in found if each is not None), None)


def _window_difference(
    first: ir.TileType | ir.TensorType, second: ir.TileType | ir.TensorType, agreement: Agreement
) -> str | None:
    if (
        isinstance(first, ir.TensorType)
        and isinstance(second, ir.TensorType)
        and first.distributed != second.distributed
    ):
        return "kind"
    if first.dtype is not second.dtype:
        return "dtype"
    if len(first.shape) != len(second.shape):
        return "rank"
    proved = agreement not in (Agreement.CALL, Agreement.INLINE)
    if not _same_extents(first.shape, second.shape, proved):
        return "shape"
    if agreement is Agreement.CALL:
        return None
    if agreement is Agreement.INLINE:
        return None if _same_extents(first.valid_shape, second.valid_shape, True) else "valid region"
    if isinstance(first, ir.TileType) and isinstance(second, ir.TileType):
        if not _same_extents(first.valid_shape, second.valid_shape, agreement is Agreement.CLAIM):
            return "valid region"
        known = first.space is not None and second.space is not None
        if known and first.space is not second.space and agreement is Agreement.CLAIM:
            return "memory space"
    elif agreement is Agreement.CLAIM and not _same_extents(first.valid_shape, second.valid_shape, True):
        return "valid region"
    return None


def _same_extents(first: ir.Dims, second: ir.Dims, proved: bool) -> bool:
    """Whether extents are the same for certain, or (not ``proved``) are not different for certain."""
    if first == second:
        return True
    if len(first) != len(second):
        return False
    pairs = zip(first, second, strict=True)
    if not proved:
        return not any(dims.provably_different(one, other) for one, other in pairs)
    return all(_provably_same(one, other) for one, other in pairs)


def _provably_same(first: ir.Dim, second: ir.Dim) -> bool:
    if isinstance(first, int) and isinstance(second, int):
        return first == second
    if dims.provably_equal(first, second):
        return True
    return dims.provably_at_most(first, second) and dims.provably_at_most(second, first)


def same_scalar_dtype(first: ir.DType, second: ir.DType) -> bool:
    """Whether scalars of two element types stand for each other: equal ones, and INDEX and INT64."""
    return first is second or (first in _INDEX_LIKE and second in _INDEX_LIKE)


BOOL: Final = ir.DTYPES["BOOL"]
_INDEX_LIKE: Final = (ir.DTYPES["INDEX"], ir.DTYPES["INT64"])


def is_integer(expression: ir.Expr) -> bool:
    return isinstance(expression.type, ir.ScalarType) and expression.type.dtype.is_int


def is_bool(expression: ir.Expr) -> bool:
    return isinstance(expression.type, ir.ScalarType) and expression.type.dtype is BOOL


def _binary_fault(node: ir.Binary) -> str | None:
    lhs, rhs = node.lhs.type, node.rhs.type
    if not isinstance(lhs, ir.ScalarType) or not isinstance(rhs, ir.ScalarType):
        return f"{node.operator} combines what are not two scalars"
    if not same_scalar_dtype(lhs.dtype, rhs.dtype):
        return f"{node.operator} combines two element types, {lhs.dtype!r} and {rhs.dtype!r}"
    if arithmetic.operand_dtype(node.operator, lhs.dtype, rhs.dtype) is None:
        return f"{node.operator} does not work on {lhs.dtype!r}"
    expected = BOOL if node.operator in ir.COMPARISONS else lhs.dtype
    if not same_scalar_dtype(node.type.dtype, expected):
        return f"{node.operator} gives {expected!r}, not {node.type.dtype!r}"
    return None


def _unary_fault(node: ir.Unary) -> str | None:
    value = node.value.type
    if not isinstance(value, ir.ScalarType):
        return f"{node.operator} is applied to what is no scalar"
    if node.operator == "~" and not value.dtype.is_int:
        return f"~ does not work on {value.dtype!r}"
    expected = BOOL if node.operator == "not" else value.dtype
    return None if node.type.dtype is expected else f"{node.operator} gives {expected!r}, not {node.type.dtype!r}"


def _cast_fault(node: ir.Cast) -> str | None:
    return None if isinstance(node.value.type, ir.ScalarType) else "what is no scalar is cast to a scalar"


def _select_fault(node: ir.Select) -> str | None:
    if not is_bool(node.condition):
        return "the condition of a conditional expression is no BOOL"
    for arm in (node.then, node.otherwise):
        if not isinstance(arm.type, ir.ScalarType):
            return "an arm of a conditional expression is no scalar"
        if not same_scalar_dtype(arm.type.dtype, node.type.dtype):
            return f"an arm of a conditional expression is {arm.type.dtype!r}, the expression {node.type.dtype!r}"
    return None


def _const_fault(node: ir.Const) -> str | None:
    dtype = node.type.dtype
    if type(node.value) is not _PYTHON_TYPES[dtype]:
        return f"a constant of type {dtype!r} holds the Python value {node.value!r}"
    return None if arithmetic.fits(node.value, dtype) else f"{dtype!r} cannot hold {node.value!r}"


_PYTHON_TYPES: Final = {
    dtype: float if dtype.is_float else int if dtype.is_int else bool for dtype in ir.DTYPES.values()
}
"""What a constant of an element type holds."""


def _tuple_fault(node: ir.MakeTuple) -> str | None:
    types = tuple([element.type for element in node.elements])
    return None if node.type.types == types else "the type of a list is not that of its elements"


def _item_fault(node: ir.TupleItem) -> str | None:
    held = node.tuple.type
    if not isinstance(held, ir.TupleType):
        return "an item is taken from what holds one value only"
    if not 0 <= node.index < len(held.types):
        return f"item {node.index} is taken of {len(held.types)} values"
    differs = difference(node.type, held.types[node.index], Agreement.CLAIM)
    return f"the {differs} of item {node.index} is not that of the value taken" if differs is not None else None


EXPRESSION_FAULTS: Final[dict[type[ir.Node], Callable[..., str | None]]] = {
    ir.Binary: _binary_fault,
    ir.Unary: _unary_fault,
    ir.Cast: _cast_fault,
    ir.Select: _select_fault,
    ir.Const: _const_fault,
    ir.MakeTuple: _tuple_fault,
    ir.TupleItem: _item_fault,
}
"""By class of expression: what is wrong with the types of a node and its operands, or None."""
