"""Which operands an operator takes, found by asking its type rule: what random calls are drawn from.

Nothing here knows a single operator. A rule that refuses an operand names it, so the search changes that operand and
asks again; an operator that is declared tomorrow has its signatures without a word here.
"""

from __future__ import annotations

import enum
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from pypto_lite import ir, ops
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.ir.dtypes import (
    BF16,
    BOOL,
    FP8E4M3FN,
    FP8E8M0,
    FP16,
    FP32,
    INDEX,
    INT8,
    INT16,
    INT32,
    UINT8,
    UINT16,
    UINT32,
)
from pypto_lite.ops import OperandKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pypto_lite.ir import DType, Expr
    from pypto_lite.ops import Keyword, Operand, Operator

SHAPES: Final = ((16, 16), (16, 32), (32, 16), (1, 32), (32, 1), (16, 64))
"""The shapes of tiles that an operator is asked about first; others follow from them."""

DTYPES: Final = (FP32, BF16, INT32, FP16, INT8, UINT8, INT16, UINT16, UINT32, FP8E4M3FN, FP8E8M0)
"""The element types of tiles, the commonest first."""

LARGEST: Final = 64

TENSOR_SHAPE: Final = (LARGEST, LARGEST)
"""The shape of the tensors that tiles are loaded from."""

BLOCK: Final = 16
"""The rows of an accumulator that a single row of a product takes up."""

SCALED: Final = 32
"""How many elements share a scale."""

TURNS: Final = 7
"""The searches begin in turn at this many other candidates for the operands behind the first."""

MOST_QUESTIONS: Final = 200
"""How often one search asks the rule."""


WRONG_DTYPE: Final = "PL204"
"""The code of a refusal for which another shape makes no difference."""

_Candidate = TypeVar("_Candidate")


class Signature(NamedTuple):
    """Operands that the rule of an operator accepts.

    ``args`` are variables for tiles, tensors and scalars (whose types count), lists and constants otherwise.
    """

    args: tuple[Expr, ...]
    keywords: Mapping[str, Any]
    options: tuple[Mapping[str, Any], ...]
    """Further keywords, each set of them accepted beside the others."""
    result: ir.Type


@cache
def signatures(operator: Operator) -> tuple[Signature, ...]:
    """The different signatures of an operator; none where its rule accepts nothing that is tried here."""
    found: dict[tuple[Any, ...], Signature] = {}
    optional = [operand.name for operand in operator.operands if not operand.needed]
    for position, (shape, dtype) in enumerate(product(SHAPES, DTYPES)):
        for count in range(len(optional) + 1):
            signature = _Search(operator, optional[:count], shape, dtype, position % TURNS).signature()
            if signature is not None:
                key = (*[_key(arg) for arg in signature.args], *map(repr, signature.keywords.items()))
                found.setdefault(key, signature)
    return tuple(found.values())


def _key(arg: Expr) -> Any:
    return repr(arg) if isinstance(arg, (ir.MakeTuple, ir.Const)) else arg.type


def _element_type(candidate: Any) -> object:
    """The element type of a tile; whatever else a candidate is, it is like no other."""
    type_ = candidate.type if isinstance(candidate, ir.Var) else None
    return type_.dtype if isinstance(type_, ir.TileType) else candidate


def _turned(candidates: tuple[_Candidate, ...], turn: int) -> tuple[_Candidate, ...]:
    begin = turn % len(candidates)
    return (*candidates[begin:], *candidates[:begin])


class _Search:
    """Looks for one signature whose first tile has a certain type.

    ``optional`` operands are given besides those that have to be. ``turn`` rotates what is tried for the other
    operands, so that several searches find different ones.
    """

    def __init__(
        self, operator: Operator, optional: Sequence[str], shape: tuple[int, int], dtype: DType, turn: int
    ) -> None:
        self._operator = operator
        self._shape = shape
        self._dtype = dtype
        self._turn = turn
        self._choices: dict[str, Sequence[Any]] = {}
        # What is accumulated has the shape of the result, so it follows from all others.
        accumulated = None if operator.computes is None else operator.computes.accumulates
        for parameter in sorted(operator.parameters, key=lambda each: each.name == accumulated):
            if parameter.needed or parameter.name in optional:
                self._choices[parameter.name] = self._candidates(parameter)
        kinds = (OperandKind.TILE, OperandKind.TENSOR, OperandKind.TILE_OR_TENSOR)
        operands = [each for each in operator.operands if each.needed and each.name != accumulated]
        first = next((each for each in operands if each.kind in kinds), None)
        if first is not None:
            type_ = (
                ir.TensorType(TENSOR_SHAPE, dtype) if first.kind is OperandKind.TENSOR else ir.TileType(shape, dtype)
            )
            self._choices[first.name] = [ir.Var("first", type_)]

    def signature(self) -> Signature | None:
        if not all(self._choices.values()):
            return None
        chosen = dict.fromkeys(self._choices, 0)
        for _ in range(MOST_QUESTIONS):
            args, keywords = self._arguments(chosen)
            try:
                call = ops.call(self._operator, args, keywords)
            except UserError as error:
                if not self._advance(chosen, error.diagnostics[0]):
                    return None
            else:
                return Signature(call.args, call.keywords, tuple(self._options(call)), call.type)
        return None

    def _advance(self, chosen: dict[str, int], refusal: Diagnostic) -> bool:
        """Goes on to the next candidate of the operand that was refused, or of one before it.

        Where there are none, as the first operand stays what it is, the last one is to be another.
        """
        names = [name for name, candidates in self._choices.items() if len(candidates) > 1]
        behind = names.index(refusal.operand) + 1 if refusal.operand in names else len(names)
        for name in reversed(names[:behind]):
            candidates = self._choices[name]
            following = chosen[name] + 1
            if name == refusal.operand and refusal.code == WRONG_DTYPE:
                refused = _element_type(candidates[chosen[name]])
                while following < len(candidates) and _element_type(candidates[following]) is refused:
                    following += 1
            if following < len(candidates):
                chosen[name] = following
                return True
            chosen[name] = 0
        return False

    def _arguments(self, chosen: Mapping[str, int]) -> tuple[list[Expr], dict[str, Any]]:
        values = {name: self._choices[name][index] for name, index in chosen.items()}
        args = [values[each.name] for each in self._operator.operands if each.name in values]
        keywords = {name: value for name, value in values.items() if name in self._operator.keywords}
        # An operand that is the same as another one where users leave it out is always in the IR.
        for position, operand in enumerate(self._operator.operands):
            if operand.same_as is not None and operand.name not in values:
                args.insert(position, values[operand.same_as])
        return args, keywords

    def _options(self, call: ir.Call) -> Iterator[Mapping[str, Any]]:
        """Other values of keywords that the rule accepts beside the others, one keyword at a time."""
        for keyword in self._operator.keywords.values():
            for value in self._values(keyword):
                if value == call.keywords.get(keyword.name, keyword.default):
                    continue
                try:
                    ops.call(self._operator, call.args, {**call.keywords, keyword.name: value})
                except UserError:
                    continue
                yield {keyword.name: value}

    def _candidates(self, parameter: Operand | Keyword) -> Sequence[Any]:
        if isinstance(parameter, ops.Keyword):
            return self._values(parameter)
        kind = OperandKind.TILE if parameter.kind is OperandKind.TILE_OR_TENSOR else parameter.kind
        return _candidates(kind, self._shape, self._dtype, self._turn)

    def _values(self, keyword: Keyword) -> Sequence[Any]:
        kind = keyword.value_type
        rule = self._operator.result_space
        if kind is ir.MemorySpace and isinstance(rule, ops.ByKeyword):
            return rule.choices
        if issubclass(kind, enum.Enum):
            return list(kind)
        if kind is bool:
            return [True, False]
        if kind is int:
            return [*range(8), 16, 32]
        if kind is float:
            return [0.0, 1.0]
        if kind is ir.DType:
            return _dtypes(self._dtype, self._turn)
        return []


@cache
def _candidates(kind: OperandKind, shape: tuple[int, int], dtype: DType, turn: int) -> Sequence[Expr]:
    """What an operand of a kind can be beside a first tile of this shape and element type."""
    dtypes = _dtypes(dtype, turn)
    if kind is OperandKind.TILE:
        return [ir.Var("t", type_) for dtype in dtypes for type_ in _tiles(shape, dtype, turn)]
    if kind is OperandKind.TENSOR:
        return [ir.Var("x", ir.TensorType(TENSOR_SHAPE, dtype)) for dtype in dtypes]
    if kind is OperandKind.SCALAR:
        return [ir.Var("s", ir.ScalarType(dtype)) for dtype in (dtype, INDEX, FP32, INT32, BOOL)]
    if kind is OperandKind.CONST:
        return [ir.const(1.0, FP32), ir.const(0), ir.const(1), ir.const(32), ir.const(64)]
    if kind is OperandKind.TUPLE:
        return [ir.make_tuple(dims) for dims in _lists(shape, turn)]
    return [ir.Var("a", ir.ArrayType(8, dtype)) for dtype in (dtype, INDEX) if dtype.is_int]


def _dtypes(dtype: DType, turn: int) -> tuple[DType, ...]:
    return tuple(dict.fromkeys([dtype, *_turned(DTYPES, turn)]))


def _tiles(shape: tuple[int, int], dtype: DType, turn: int) -> tuple[ir.TileType, ...]:
    """The tiles that go with the first one: as it is, turned, a row, a column, squares, halves, what scales it."""
    rows, columns = shape
    shapes = [shape, (columns, rows), (rows, 1), (1, columns), (columns, columns), (rows, rows), (1, rows)]
    shapes += [(rows, 2 * columns), (1, 32), (rows, max(columns // 2, 1)), (BLOCK, columns)]
    if columns >= 2 * SCALED:
        shapes += [(rows, columns // SCALED), (columns // SCALED, columns)]
    whole = [ir.TileType(each, dtype) for each in dict.fromkeys(shapes) if max(each) <= LARGEST]
    row = ir.TileType((BLOCK, columns), dtype, view=ir.TileView((1, columns)))
    return _turned((*whole, row), turn)


def _lists(shape: tuple[int, int], turn: int) -> tuple[tuple[int, ...], ...]:
    """Shapes, offsets and axes."""
    rows, columns = shape
    shapes = [shape, (0, 0), (columns, rows), (1, rows * columns), (rows, max(columns // 2, 1))]
    lists = dict.fromkeys([*shapes, (max(rows // 2, 1), columns), (0, 1), (1, 1), (0,), (rows,), (32, 128)])
    return _turned(tuple(lists), turn)
