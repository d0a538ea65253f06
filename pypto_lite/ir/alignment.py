"""Which statement of one list corresponds to which of another, so that differences are few.

Equal statements at both ends are paired first, then those that occur once on either side and in the same order, then
the rest of each small gap as ``difflib`` does it; statements of the same kind that are left in a gap are taken
for changed ones. All of it is linear but for the gaps, whose size is bounded.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pypto_lite.ir.equality import COMPARED, kind_of, parts_of, statements_of
from pypto_lite.ir.expressions import Var
from pypto_lite.ir.node import Node, Stmt, Type
from pypto_lite.ir.statements import Block
from pypto_lite.ir.types import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

Pair: TypeAlias = "tuple[int | None, int | None]"
"""The indices of two corresponding statements, or None on the side on which there is none."""

GAP_PRODUCT: Final = 250_000
"""The largest gap, as product of the lengths of its sides, that is matched as ``difflib`` does it."""

_HOLE: Final = Var("?", UNKNOWN)
"""Stands for every expression in a type, so that types hash alike whatever variables they mention."""


class Shapes:
    """Hash values of statements that ignore which variables they read: what stays alike under an edit elsewhere.

    Each statement is hashed once, nested ones before those that hold them.
    """

    def __init__(self) -> None:
        self._known: dict[Stmt, int] = {}

    def of(self, root: Stmt) -> int:
        known = self._known.get(root)
        if known is not None:
            return known
        stack: list[tuple[Stmt, bool]] = [(root, False)]
        while stack:
            statement, ready = stack.pop()
            if ready:
                self._known[statement] = self._hash(statement)
            elif statement not in self._known:
                stack.append((statement, True))
                stack.extend([(block, False) for block in statement.blocks()])
                if isinstance(statement, Block):
                    stack.extend([(inner, False) for inner in statements_of(statement)])
        return self._known[root]

    def _hash(self, root: Stmt) -> int:
        defined = set(root.definitions())
        parts: list[Hashable] = []
        stack: list[Any] = [root]
        while stack:
            item = stack.pop()
            if item is not root and isinstance(item, Stmt):
                parts.append(self._known[item])
                continue
            cls = kind_of(item)
            fields = COMPARED.get(cls)
            parts.append(cls)
            if cls is Var:
                parts.append(_type_hash(item.type) if item in defined else 0)
            elif cls is Block:
                stack.extend(statements_of(item))
            elif isinstance(item, Type):
                parts.append(_type_hash(item))
            elif fields is not None:
                stack.extend(parts_of(item, fields))
            elif cls is tuple:
                parts.append(len(item))
                stack.extend(item)
            elif cls is dict:
                stack.extend([part for key in sorted(item, key=repr) for part in (key, item[key])])
            else:
                parts.append(repr(item))
        return hash(tuple(parts))


def _type_hash(of: Type) -> int:
    return hash(of.map_expressions(lambda _: _HOLE))


def align(before: Sequence[Stmt], after: Sequence[Stmt], shapes: Shapes) -> list[Pair]:
    """The pairs of corresponding statements in program order, with those that have no partner in between."""
    left, right = [shapes.of(each) for each in before], [shapes.of(each) for each in after]
    matches = _matches(left, right)
    pairs: list[Pair] = []
    low_left = low_right = 0
    for first, second in [*matches, (len(left), len(right))]:
        pairs += _changed(before, after, range(low_left, first), range(low_right, second))
        pairs.append((first, second))
        low_left, low_right = first + 1, second + 1
    pairs.pop()  # the sentinel behind both ends
    return pairs


def _matches(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Pairs of indices of equal items, increasing on both sides."""
    matches: list[tuple[int, int]] = []
    gaps = [(0, len(left), 0, len(right))]
    while gaps:
        low_left, high_left, low_right, high_right = gaps.pop()
        while low_left < high_left and low_right < high_right and left[low_left] == right[low_right]:
            matches.append((low_left, low_right))
            low_left, low_right = low_left + 1, low_right + 1
        while low_left < high_left and low_right < high_right and left[high_left - 1] == right[high_right - 1]:
            high_left, high_right = high_left - 1, high_right - 1
            matches.append((high_left, high_right))
        if low_left == high_left or low_right == high_right:
            continue
        anchors = _anchors(left[low_left:high_left], right[low_right:high_right])
        if not anchors:
            matches += _within_gap(left, right, (low_left, high_left, low_right, high_right))
            continue
        from_left, from_right = low_left, low_right
        for first, second in anchors:
            first, second = low_left + first, low_right + second
            matches.append((first, second))
            gaps.append((from_left, first, from_right, second))
            from_left, from_right = first + 1, second + 1
        gaps.append((from_left, high_left, from_right, high_right))
    return sorted(matches)


def _anchors(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[int, int]]:
    """The longest increasing run of pairs among the items that occur exactly once on either side."""
    once_left = {item for item, count in Counter(left).items() if count == 1}
    once_right = {item for item, count in Counter(right).items() if count == 1}
    places = {item: index for index, item in enumerate(right) if item in once_right and item in once_left}
    pairs = [(index, places[item]) for index, item in enumerate(left) if item in places]
    # Patience sorting: tails[k] is the smallest right index that ends an increasing run of k + 1 pairs.
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for number, (_, second) in enumerate(pairs):
        length = bisect_left(tails, second)
        previous.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(second)
            ends.append(number)
        else:
            tails[length] = second
            ends[length] = number
    run: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        run.append(pairs[number])
        number = previous[number]
    return run[::-1]


def _within_gap(
    left: Sequence[Hashable], right: Sequence[Hashable], gap: tuple[int, int, int, int]
) -> list[tuple[int, int]]:
    low_left, high_left, low_right, high_right = gap
    if (high_left - low_left) * (high_right - low_right) > GAP_PRODUCT:
        return []
    matcher = SequenceMatcher(None, left[low_left:high_left], right[low_right:high_right], autojunk=False)
    return [
        (low_left + block.a + offset, low_right + block.b + offset)
        for block in matcher.get_matching_blocks()
        for offset in range(block.size)
    ]


def _changed(before: Sequence[Stmt], after: Sequence[Stmt], left: range, right: range) -> list[Pair]:
    """The pairs within a gap without equal statements: those of the same kind, in order; the rest stands alone."""
    if not left or not right:
        return [*[(first, None) for first in left], *[(None, second) for second in right]]
    if len(left) == len(right) == 1:
        return [(left[0], right[0])]
    kinds_left = [_kind(before[index]) for index in left]
    kinds_right = [_kind(after[index]) for index in right]
    pairs: list[Pair] = []
    low_left, low_right = left.start, right.start
    kept = [(left.start + first, right.start + second) for first, second in _matches(kinds_left, kinds_right)]
    for first, second in [*kept, (left.stop, right.stop)]:
        # What is left between has no kind in common: as many as stand on both sides are taken for replaced.
        replaced = min(first - low_left, second - low_right)
        pairs += [(low_left + offset, low_right + offset) for offset in range(replaced)]
        pairs += [(index, None) for index in range(low_left + replaced, first)]
        pairs += [(None, index) for index in range(low_right + replaced, second)]
        pairs.append((first, second))
        low_left, low_right = first + 1, second + 1
    pairs.pop()
    return pairs


def _kind(statement: Stmt) -> Hashable:
    """What hardly changes when a statement is edited: its class, and the operator or function that it calls."""
    value: Node | None = getattr(statement, "value", None)
    return (type(statement), type(value), getattr(value, "op", None), getattr(value, "function", None))
