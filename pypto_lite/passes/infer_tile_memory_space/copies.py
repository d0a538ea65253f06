"""Makes the copies of tiles that consumers and joins need, in front of the statement that is being rewritten.

A copy made earlier in the same statement list, or in an enclosing one, is used again, unless the tile's buffer has
been written to since. A written move is never used again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from pypto_lite import ir, ops, printer
from pypto_lite.ir import MemorySpace, TileLayout, TileType
from pypto_lite.passes.decisions import Cause, Decision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pypto_lite.passes.infer_tile_memory_space.problem import Group, Problem
    from pypto_lite.passes.routes import Routes

CUBE_SIDE: Final = frozenset(
    {
        MemorySpace.Mat,
        MemorySpace.Left,
        MemorySpace.Right,
        MemorySpace.Bias,
        MemorySpace.LeftScale,
        MemorySpace.RightScale,
    }
)
"""The spaces that only the cube core reads."""

FLAT_SPACES: Final = frozenset({MemorySpace.Vec, MemorySpace.Bias})
"""The spaces whose tiles do not lie in boxes."""

TRANSPOSE_VIEW: Final = "tile.transpose_view"


class Frame:
    """A statement list on its way to being rewritten."""

    __slots__ = ("block", "changed", "copies", "finish", "joins", "out", "position")

    def __init__(self, block: ir.Block, joins: Sequence[Group | None], finish: Callable[[ir.Block], None]) -> None:
        self.block = block
        self.joins = joins
        """For each value that the list yields: the join that it flows into."""
        self.finish = finish
        self.position = 0
        self.out: list[ir.Stmt] = []
        self.copies: dict[tuple[ir.Var, MemorySpace], tuple[ir.Var, int]] = {}
        """The copies made in this list, each with the state that the tile's buffer was in."""
        self.changed = False

    def result(self) -> ir.Block:
        """The rewritten list; the same object where nothing changed."""
        block = self.block
        return block.rebuild(self.out) if self.changed else block


class Copier:
    """Keeps the statement lists that are being rewritten, and the copies that are visible in them."""

    def __init__(self, function: ir.Function, problem: Problem, routes: Routes) -> None:
        self.problem = problem
        self.routes = routes
        self.decisions: list[Decision] = []
        self.frames: list[Frame] = []
        self.placed: dict[ir.Var, ir.Var] = {}
        """Each tile of the function, and the variable with its final type that takes its place."""
        self.states: dict[int, int] = {}
        """The state of each storage that is ever written: another number after each write."""
        self._last_state = 0
        self._names: Mapping[ir.Var, str] = printer.names(function)
        self._taken = set(self._names.values())

    def emit(self, before: ir.Stmt | None, after: ir.Stmt) -> None:
        """Appends a statement to the innermost list: what became of ``before``, or a new one."""
        frame = self.frames[-1]
        frame.out.append(after)
        frame.changed = frame.changed or after is not before

    def touch(self, storages: Iterable[int]) -> None:
        """Notes that these storages have been written to: copies made before are stale."""
        for storage in storages:
            self._last_state += 1
            self.states[storage] = self._last_state

    def copy(self, var: ir.Var, destination: MemorySpace, cause: Cause, *, fresh: bool = False) -> ir.Var:
        """A copy of a tile in another space: one made before, or new moves along the shortest route.

        ``fresh`` asks for one of its own, for a join whose members may be written to.
        """
        space = self.problem.space(var)
        current = self.placed[var]
        natural = self._natural(var) if space is not MemorySpace.Mat and destination in CUBE_SIDE else None
        if natural is not None:
            current = self._repeat_in_mat(var, natural, cause)
            space = MemorySpace.Mat
        # Where there is no route, the move is one that is tolerated without a target.
        for step in self.routes.chain(space, destination) or ((destination,) if space is not destination else ()):
            known = None if fresh else self._find(var, step)
            current = known if known is not None else self._move(var, current, step, cause)
        return current

    def _find(self, var: ir.Var, space: MemorySpace) -> ir.Var | None:
        """A copy that is visible here and not stale."""
        state = self._state(var)
        for frame in reversed(self.frames):
            found = frame.copies.get((var, space))
            if found is not None and found[1] == state:
                return found[0]
        return None

    def _state(self, var: ir.Var) -> int:
        storage = self.problem.storage.get(var)
        return 0 if storage is None else self.states.get(storage, 0)

    def _move(self, var: ir.Var, current: ir.Var, step: MemorySpace, cause: Cause) -> ir.Var:
        keywords = move_keywords(current, step)
        call = ops.call("tile.move", (current,), keywords, span=cause.span)
        return self._insert(var, step, call, "inserted-move", cause)

    def _insert(self, var: ir.Var, space: MemorySpace, call: ir.Call, rule: str, cause: Cause) -> ir.Var:
        made = ir.Var(self._new_name(var, space), call.type, cause.span)
        self.emit(None, ir.Assign(made, call, cause.span))
        self.frames[-1].copies[var, space] = (made, self._state(var))
        self.decisions.append(Decision(rule, made, space, (cause,), inserted=True))
        return made

    def _new_name(self, var: ir.Var, space: MemorySpace) -> str:
        base = name = f"{self._names[var]}_{space.name}"
        count = 0
        while name in self._taken:
            count += 1
            name = f"{base}__{count}"
        self._taken.add(name)
        return name

    # A transposed view cannot be moved as it is: the tile itself is moved to Mat and viewed again there.

    def _natural(self, var: ir.Var) -> ir.Var | None:
        """The tile under the innermost transposed view that this one is a view of, if it is."""
        natural: ir.Var | None = None
        while var in self.problem.views:
            call, source = self.problem.views[var]
            if call is not None and call.op == TRANSPOSE_VIEW:
                natural = source
            var = source
        return natural

    def _repeat_in_mat(self, var: ir.Var, natural: ir.Var, cause: Cause) -> ir.Var:
        chain: list[tuple[ir.Var, ir.Call]] = []
        while var is not natural:
            call, source = self.problem.views[var]
            if call is not None:
                chain.append((var, call))
            var = source
        current = self.copy(natural, MemorySpace.Mat, cause)
        for viewed, call in reversed(chain):
            known = self._find(viewed, MemorySpace.Mat)
            if known is None:
                operator = ops.lookup(call.op)
                args = list(call.args)
                args[cast("int", operator.view_of)] = current
                again = ops.call(operator, args, call.keywords, attrs=call.attrs, span=cause.span)
                known = self._insert(viewed, MemorySpace.Mat, again, "view-repeated-in-mat", cause)
            current = known
        return current


def move_keywords(source: ir.Expr, destination: MemorySpace) -> dict[str, Any]:
    """The keywords of a move: a boxed tile is laid out flat where the space is flat, and else as the space wants it."""
    keywords: dict[str, Any] = {"target_memory": destination}
    if destination in FLAT_SPACES and is_boxed(source):
        keywords["blayout"] = TileLayout.row_major
        keywords["slayout"] = TileLayout.none_box
    return keywords


def is_boxed(tile: ir.Expr) -> bool:
    """Whether a tile's elements lie in boxes, as the cube core wants them."""
    return cast("TileType", tile.type).effective_view.slayout is not TileLayout.none_box
