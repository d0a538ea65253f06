"""Type rules on plain data: operand types as types or as dicts in, the type of the result out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pypto_lite.ir import (
    DTYPES,
    ArrayType,
    CompactMode,
    Const,
    Dims,
    DType,
    Expr,
    MemorySpace,
    PadValue,
    ScalarType,
    TensorLayout,
    TensorType,
    TensorView,
    TileLayout,
    TileType,
    TileView,
    Type,
    Var,
    const,
    make_tuple,
)
from pypto_lite.ir.dtypes import INDEX, INT32
from pypto_lite.ops.framework import keywords as keyword_rules
from pypto_lite.ops.framework.dispatch import literal_dtype
from pypto_lite.ops.framework.inference import run_rule
from pypto_lite.ops.framework.lookup import lookup

if TYPE_CHECKING:
    from pypto_lite.ops.framework.declaration import Operator

Fact: TypeAlias = "Type | Expr | Mapping[str, Any] | Sequence[int | str] | int | float"
"""An operand as plain data: a type, a dict as ``Type.facts()`` gives it, a list of extents, or a literal."""

_LABELS: Final = {dtype.label: dtype for dtype in DTYPES.values()}

UNDESCRIBED_ARRAY: Final = ArrayType(8, INT32)
"""What a dict that says no more than "array" stands for."""


def result_type(name: str | Operator, operands: Sequence[Fact], /, **keywords: Any) -> Type:
    """The type of what an operator makes of these operands.

    Extents and offsets that are strings are symbolic scalars of that name; a scalar without a name is ``sym0``,
    ``sym1``, ... by its order. Enumerations and dtypes may be given by name or code. Raises UserError.
    """
    operator = lookup(name) if isinstance(name, str) else name
    values = keyword_rules.coerced(operator, keywords)
    return run_rule(operator, read_operands(operator, operands, values), values)


def read_operands(operator: Operator, operands: Sequence[Fact], keywords: Mapping[str, Any]) -> list[Expr]:
    """The operands of a call from plain data: variables of these types, lists and constants."""
    reader = _Reader()
    args: list[Expr | None] = [reader.operand(fact) for fact in operands]
    for index, fact in enumerate(operands):
        if isinstance(fact, (int, float)):
            known = index < len(operator.operands)
            dtype = literal_dtype(operator, index, fact, args, keywords) if known else None
            args[index] = const(fact, dtype)
    return cast("list[Expr]", args)


class _Reader:
    """Makes operands from plain data; one name is one variable."""

    def __init__(self) -> None:
        self._scalars: dict[str, Var] = {}
        self._unnamed = 0

    def operand(self, fact: Fact) -> Expr | None:
        """The operand, or None for a literal, whose element type depends on the others."""
        if isinstance(fact, Expr):
            return fact
        if isinstance(fact, Type):
            return Var("value", fact)
        if isinstance(fact, (int, float)):
            return None
        if not isinstance(fact, Mapping):
            return make_tuple(self._dims(fact))
        kind = fact["kind"]
        if kind == "const":
            return Const(fact["value"], ScalarType(_LABELS[fact["dtype"]]))
        if kind == "scalar":
            name = f"sym{self._unnamed}"
            self._unnamed += 1
            return self._scalar(name, _LABELS[fact["dtype"]])
        return Var("value", self._type(fact))

    def _type(self, fact: Mapping[str, Any]) -> Type:
        readers = {"tile": self._tile, "tensor": self._tensor, "dtensor": self._tensor}
        if fact["kind"] in readers:
            return readers[fact["kind"]](fact)
        return UNDESCRIBED_ARRAY

    def _tile(self, fact: Mapping[str, Any]) -> TileType:
        shape = self._dims(fact["shape"])
        space = fact.get("space")
        view = None
        if fact.get("explicit_view"):
            view = TileView(
                self._dims(fact["valid"]),
                TileLayout[fact["blayout"]],
                TileLayout[fact["slayout"]],
                fact["fractal"],
                PadValue[fact["pad"]],
                CompactMode[fact["compact"]],
            )
        return TileType(shape, _LABELS[fact["dtype"]], None if space is None else MemorySpace[space], view)

    def _tensor(self, fact: Mapping[str, Any]) -> TensorType:
        view = None
        if "layout" in fact:
            layout, pad = TensorLayout[fact["layout"]], PadValue[fact["pad"]]
            view = TensorView(self._dims(fact["valid"]), self._dims(fact["stride"]), layout, pad)
        return TensorType(self._dims(fact["shape"]), _LABELS[fact["dtype"]], view, fact["kind"] == "dtensor")

    def _dims(self, dims: Sequence[int | str]) -> Dims:
        return tuple([dim if isinstance(dim, int) else self._scalar(dim, INDEX) for dim in dims])

    def _scalar(self, name: str, dtype: DType) -> Var:
        return self._scalars.setdefault(name, Var(name, ScalarType(dtype)))
