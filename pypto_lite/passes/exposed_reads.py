"""Upward-exposed reads of tensor parameters: those that may find what the parameter held when its function began.

A function is gone through once in program order, with the parts of parameters that are certainly written by then. A
read of such a part is covered; all others are exposed. A loop may not run and a branch takes one of its arms, so what
is written in them counts behind them only where it certainly is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pypto_lite import ir, ops
from pypto_lite.ir import Point, RegionKind
from pypto_lite.ir.dims import add, all_provably_equal, provably_at_most, provably_counts
from pypto_lite.passes.properties.directions import WHOLE, places_of, reached

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pypto_lite.passes.properties.directions import Place, Tensors

MAX_WINDOWS = 8
"""How many written windows of one parameter a read is compared with, the last ones first."""

_AnyCall: TypeAlias = "ir.Call | ir.FunctionCall | ir.Submit"


class Window(NamedTuple):
    """A part of a tensor."""

    offsets: ir.Dims
    extents: ir.Dims

    def lies_in(self, other: Window) -> bool:
        """Whether it is certainly a part of the other one."""
        return len(self.offsets) == len(other.offsets) and all(
            provably_at_most(low, start) and provably_at_most(add(start, extent), add(low, size))
            for start, extent, low, size in zip(*self, *other, strict=True)
        )


class Contents(NamedTuple):
    """What callers have to know of what parameters hold, each by the position of the parameter."""

    exposed: Mapping[int, ir.Expr]
    """The parameters with an exposed read, and the first call that reads."""
    filled: frozenset[int]
    """Those that are certainly written as a whole."""
    returns: Sequence[Collection[int]]
    """For each value that is returned, those whose elements it may hold."""


class Identity(NamedTuple):
    """Which parameters the values are that a function returns."""

    returns: Sequence[Collection[int]]
    """For each value the parameter that it certainly is, as a whole, if it is one."""


class Known(NamedTuple):
    """What is known of the functions that are called."""

    contents: dict[str, Contents]
    identities: dict[str, Identity]


def add_contents(tensors: Tensors, known: Known) -> None:
    """Finds the exposed reads of a function in SSA form, where the functions that it calls are ``known`` already."""
    function = tensors.function
    params = {
        position: (param, WHOLE)
        for position, param in enumerate(function.params)
        if isinstance(param.type, ir.TensorType)
    }
    derived = tensors.derived(known.contents, _held_operand)
    holders: dict[Place, list[int]] = {}
    for position, start in params.items():
        for place in reached(start, derived):
            holders.setdefault(place, []).append(position)
    handles = _handles(tensors, params, derived, known)
    walk = _Walk(function, holders, handles, known)
    walk.run()
    returns = [
        frozenset([position for place in places for position in holders.get(place, ())])
        for places in (
            tensors.places_returned(index, known.contents, _held_operand) for index in range(len(function.return_types))
        )
    ]
    known.contents[function.name] = Contents(walk.exposed, frozenset(walk.whole), returns)
    known.identities[function.name] = Identity(
        [_identity(tensors, index, handles, known) for index in range(len(function.return_types))]
    )


def _identity(tensors: Tensors, index: int, handles: Mapping[Place, int], known: Known) -> set[int]:
    """The parameter that a returned value certainly is, if it is one."""
    found: set[int | None] = set()
    for values in tensors.returned:
        place = _handle(values[index], WHOLE, known)
        found.add(None if place is None else handles.get(place))
    return {position for position in found if position is not None} if len(found) == 1 else set()


def _handle(value: ir.Expr, item: int, known: Known) -> Place | None:
    """The one place that a value is another name for, as a whole."""
    places = list(places_of(value, item, known.identities, _whole_operand))
    return places[0] if len(places) == 1 else None


def _held_operand(operator: ops.Operator | None) -> int | None:
    """The position of the operand whose elements may be in the result."""
    if operator is None:
        return None
    return operator.view_of if operator.view_of is not None else operator.tied_operand


def _handles(
    tensors: Tensors,
    params: Mapping[int, Place],
    derived: Mapping[Place, Sequence[Place]],
    known: Known,
) -> dict[Place, int]:
    """The places that certainly stand for all of one parameter, and for which."""
    handles: dict[Place, int] = {}
    for position, start in params.items():
        found = reached(start, derived)
        doubtful = [place for place in found if place != start]
        while doubtful:
            place = doubtful.pop()
            if place not in found:
                continue
            if any(_handle(value, item, known) not in found for value, item in tensors.sources[place]):
                del found[place]
                doubtful.extend(derived.get(place, ()))
        handles.update(dict.fromkeys(found, position))
    return handles


def _whole_operand(operator: ops.Operator | None) -> int | None:
    """The position of the operand that the result of an operator is, as a whole and under another name."""
    return None if operator is None or operator.by_value else operator.tied_operand


class _Walk:
    """Goes through one function in program order, with what is certainly written."""

    def __init__(
        self,
        function: ir.Function,
        holders: Mapping[Place, Sequence[int]],
        handles: Mapping[Place, int],
        known: Known,
    ) -> None:
        """``holders`` are the parameters whose elements a place may hold, ``handles`` what it certainly stands for."""
        self._function = function
        self._holders = holders
        self._handles = handles
        self._known = known
        self.exposed: dict[int, ir.Expr] = {}
        self.whole: set[int] = set()
        """The parameters that are certainly written as a whole."""
        self._windows: dict[int, list[Window]] = {}
        self._trail: list[tuple[int, Window | None]] = []
        """What was written so far, all of it where there is no window: the way back."""

    def run(self) -> None:
        marks: list[int] = []
        """How long the trail was where each region around began."""
        arms: list[set[int]] = []
        """What each arm that has ended, of the branches around, has written as a whole."""
        for point, stmt, region in ir.program_order(self._function.body):
            if region is None:
                if point is Point.LEAVE:
                    if isinstance(stmt, ir.If):
                        self._add_whole(arms.pop() & arms.pop())
                else:
                    self._note(stmt)
            elif point is Point.BEGIN:
                marks.append(len(self._trail))
            elif region.kind is RegionKind.ARM:
                arms.append(self._go_back(marks.pop()))
            elif region.kind is RegionKind.LOOP:
                self._end_loop(stmt, marks.pop())
            else:
                marks.pop()

    def _note(self, stmt: ir.Stmt) -> None:
        for call in reversed(ir.calls(stmt)):
            self._read(call)
            self._write(call)

    def _end_loop(self, loop: ir.Stmt, mark: int) -> None:
        whole = self._go_back(mark)
        if isinstance(loop, ir.For) and provably_counts(*map(ir.expr_dim, (loop.start, loop.stop, loop.step))):
            self._add_whole(whole)

    def _go_back(self, mark: int) -> set[int]:
        """Forgets what was written since the trail was ``mark`` long. Gives what was written as a whole."""
        whole: set[int] = set()
        while len(self._trail) > mark:
            position, window = self._trail.pop()
            if window is None:
                whole.add(position)
            else:
                self._windows[position].pop()
        self.whole -= whole
        return whole

    def _add_whole(self, positions: set[int]) -> None:
        for position in sorted(positions - self.whole):
            self._trail.append((position, None))
            self.whole.add(position)

    def _read(self, call: _AnyCall) -> None:
        for argument, window in _reads(call, self._known.contents):
            handled = self._handled(argument)
            for place in places_of(argument, WHOLE, self._known.contents, _held_operand):
                for position in self._holders.get(place, ()):
                    if not self._is_covered(position, window if position == handled else None):
                        self.exposed.setdefault(position, call)

    def _handled(self, argument: ir.Expr) -> int | None:
        """The parameter that an argument certainly is, as a whole."""
        place = _handle(argument, WHOLE, self._known)
        return None if place is None else self._handles.get(place)

    def _is_covered(self, position: int, window: Window | None) -> bool:
        if position in self.whole:
            return True
        written = self._windows.get(position, ())[-MAX_WINDOWS:]
        return window is not None and any(window.lies_in(each) for each in reversed(written))

    def _write(self, call: _AnyCall) -> None:
        for argument, window in _certain_writes(call, self._known.contents):
            position = self._handled(argument)
            if position is None or position in self.whole:
                continue
            shape = self._shape(position)
            if window is None or (len(window.extents) == len(shape) and all_provably_equal(window.extents, shape)):
                self._add_whole({position})
            else:
                self._trail.append((position, window))
                self._windows.setdefault(position, []).append(window)

    def _shape(self, position: int) -> ir.Dims:
        type_ = self._function.params[position].type
        assert isinstance(type_, ir.TensorType)
        return type_.shape


def _reads(call: _AnyCall, known: Mapping[str, Contents]) -> list[tuple[ir.Expr, Window | None]]:
    """The tensors among the arguments of a call that it may read, with the part where that is known."""
    if not isinstance(call, ir.Call):
        callee = known.get(call.function)
        positions = range(len(call.args)) if callee is None else callee.exposed
        return [(call.args[position], None) for position in positions if position < len(call.args)]
    operator = ops.find(call.op)
    if operator is None:
        return [(argument, None) for argument in call.args]
    sized = () if operator.computes is None else operator.computes.sized
    found: list[tuple[ir.Expr, Window | None]] = []
    matched = ops.match_operands(operator, call.args)
    for operand, argument in matched:
        if argument is None or not isinstance(argument.type, ir.TensorType) or operand.index == operator.view_of:
            continue
        effect = operand.effect_with(call.keywords)
        if operand.is_scratch:
            continue  # memory to work with holds nothing before
        if effect is not ops.Effect.WRITE and (effect.writes or operand.name not in sized):
            found.append((argument, _window(operator, operand.name, matched)))
    return found


def _certain_writes(call: _AnyCall, known: Mapping[str, Contents]) -> list[tuple[ir.Expr, Window | None]]:
    """The tensors among the arguments that a call certainly writes a part of, all of it where there is no window."""
    if not isinstance(call, ir.Call):
        callee = known.get(call.function)
        return [] if callee is None else [(call.args[position], None) for position in sorted(callee.filled)]
    operator = ops.find(call.op)
    if operator is None or operator.window is None or operator.by_value:
        return []
    matched = ops.match_operands(operator, call.args)
    found: list[tuple[ir.Expr, Window | None]] = []
    for operand, argument in matched:
        if argument is not None and operand.effect_with(call.keywords).writes:
            window = _window(operator, operand.name, matched)
            found += [] if window is None else [(argument, window)]
    return found


def _window(
    operator: ops.Operator, operand: str, matched: Sequence[tuple[ops.Operand, ir.Expr | None]]
) -> Window | None:
    """The part of an operand that a call of an operator reads or writes, where that is known."""
    declared = operator.window
    if declared is None or declared.operand != operand:
        return None
    given = {each.name: argument for each, argument in matched}
    offsets = given[declared.offsets]
    size = next(given[name] for name in declared.extents if given[name] is not None)
    assert isinstance(offsets, ir.MakeTuple)
    if isinstance(size, ir.MakeTuple):
        extents = ir.tuple_dims(size)
    else:
        assert size is not None
        assert isinstance(size.type, (ir.TileType, ir.TensorType))
        extents = size.type.valid_shape
    places = ir.tuple_dims(offsets)
    missing = len(places) - len(extents)
    return Window(places, (*(1,) * missing, *extents)) if missing >= 0 else None
