"""Makes the copies of tiles that consumers and joins need, in front of the statement that is being rewritten.

A copy made earlier in the same statement list, or in an enclosing one, is used again, unless the tile's buffer has
been written to since. A written move is never used again, nor is a copy that its consumer writes to.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast

from pypto_lite import ir, ops, printer
from pypto_lite.ir import MemorySpace, TileLayout, TileType
from pypto_lite.passes.infer_tile_memory_space.reach import CUBE_SIDE
from pypto_lite.passes.routes import MAT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pypto_lite.passes.infer_tile_memory_space.calls import CallMaker
    from pypto_lite.passes.infer_tile_memory_space.problem import Group, Member, Problem, Use
    from pypto_lite.passes.infer_tile_memory_space.storage import Writes
    from pypto_lite.passes.routes import Routes

FLAT_SPACES: Final = frozenset({MemorySpace.Vec, MemorySpace.Bias})
"""The spaces whose tiles do not lie in boxes."""


Asker: TypeAlias = "Use | Member"
"""What a copy is made for: an operand, or a value that flows into a join."""


class Obstacle(NamedTuple):
    """A write because of which a copy does not do that would do otherwise, and the value that it changes."""

    effect: Effect
    write: ir.Stmt
    var: ir.Var


class Effect(enum.Enum):
    """What a write has for a consequence."""

    STALE = "so that no earlier copy will do"
    OWN = "so that it cannot share a copy"
    INSIDE = "so that no copy in front of the loop will do"


class Request(NamedTuple):
    """What is asked for where a copy is made.

    ``own`` asks for one that nobody else gets, because it is going to be written to; ``obstacles`` are in the way of
    another copy.
    """

    asker: Asker
    own: bool = False
    obstacles: tuple[Obstacle, ...] = ()


class Write:
    """The last time that a buffer was written to: its state since then."""

    __slots__ = ("stmt",)

    def __init__(self, stmt: ir.Stmt) -> None:
        self.stmt = stmt


class Copy:
    """A copy of a tile in another space, and the state that the tile's buffer was in when it was made."""

    __slots__ = ("state", "var")

    def __init__(self, var: ir.Var, state: Write | None) -> None:
        self.var = var
        self.state = state


class Insertion:
    """A tile that was inserted, and everything that it is there for."""

    __slots__ = ("askers", "call", "made_from_it", "obstacles", "source", "var")

    def __init__(self, var: ir.Var, call: ir.Call, source: ir.Var, obstacles: tuple[Obstacle, ...]) -> None:
        self.var = var
        self.call = call
        self.source = source
        """The tile of the function that this is a copy of."""
        self.obstacles = obstacles
        self.askers: dict[Asker, None] = {}
        self.made_from_it: list[Insertion] = []
        """The further steps of longer ways."""


class Frame:
    """A statement list on its way to being rewritten."""

    __slots__ = ("block", "changed", "finish", "hidden", "joins", "out", "position")

    def __init__(self, block: ir.Block, joins: Sequence[Group | None], finish: Callable[[ir.Block], None]) -> None:
        self.block = block
        self.joins = joins
        """For each value that the list yields: the join that it flows into."""
        self.finish = finish
        self.position = 0
        self.out: list[ir.Stmt] = []
        self.hidden: list[tuple[tuple[ir.Var, MemorySpace], Copy | None]] = []
        """The copies made in this list, by what they are copies of, each with the one of an enclosing list that it
        takes the place of."""
        self.changed = False

    def result(self) -> ir.Block:
        """The rewritten list; the same object where nothing changed."""
        block = self.block
        return block.rebuild(self.out) if self.changed else block


class Copier:
    """Keeps the statement lists that are being rewritten, and the copies that are visible in them."""

    def __init__(
        self, function: ir.Function, problem: Problem, writes: Writes, routes: Routes, calls: CallMaker
    ) -> None:
        self.problem = problem
        self.calls = calls
        self.writes = writes
        self.routes = routes
        self.insertions: dict[ir.Var, Insertion] = {}
        """What was inserted, by the value that it makes, in program order but for what loops are preceded by."""
        self.frames: list[Frame] = []
        self.placed: dict[ir.Var, ir.Var] = {}
        """Each tile of the function, and the variable with its final type that takes its place."""
        self._copies: dict[tuple[ir.Var, MemorySpace], Copy] = {}
        """The copies that are visible where rewriting stands."""
        self._states: dict[ir.Var, Write | None] = {}
        """The last write to each buffer that was written to."""
        self.names: Mapping[ir.Var, str] = printer.names(function)
        """The printed name of each value of the function."""
        self._taken = set(self.names.values())
        self._numbers: dict[str, int] = {}
        """For each name that was taken: how many numbers were tried behind it."""

    # Statement lists

    def push(self, frame: Frame) -> None:
        """Goes on with a nested statement list."""
        self.frames.append(frame)

    def pop(self) -> Frame:
        """Leaves the innermost statement list; the copies made in it are not seen outside."""
        frame = self.frames.pop()
        for key, before in reversed(frame.hidden):
            if before is None:
                del self._copies[key]
            else:
                self._copies[key] = before
        return frame

    def emit(self, before: ir.Stmt | None, after: ir.Stmt) -> None:
        """Appends a statement to the innermost list: what became of ``before``, or a new one."""
        frame = self.frames[-1]
        frame.out.append(after)
        frame.changed = frame.changed or after is not before

    # Writes

    def touch(self, writes: Mapping[ir.Var, ir.Stmt]) -> None:
        """Notes that these buffers have been written to, by these statements: copies made before are stale."""
        for buffer, stmt in writes.items():
            self._states[buffer] = Write(stmt)

    def states(self, buffers: Iterable[ir.Var]) -> dict[ir.Var, Write | None]:
        """The states of some buffers, to come back to."""
        return {buffer: self._states.get(buffer) for buffer in buffers}

    def restore(self, states: Mapping[ir.Var, Write | None]) -> None:
        """Comes back to these states: what was written since is not written here."""
        self._states.update(states)

    def _state(self, var: ir.Var) -> Write | None:
        buffer = self.writes.buffer(var)
        return None if buffer is None else self._states.get(buffer)

    # Copies

    def copy(self, var: ir.Var, destination: MemorySpace, request: Request) -> ir.Var:
        """A copy of a tile in another space: one made before, or new moves along the shortest route."""
        space = self.problem.spaces[var]
        current = self.placed[var]
        natural = self.problem.natural(var) if space is not MAT and destination in CUBE_SIDE else None
        if natural is not None:
            current = self._repeat_in_mat(var, natural, request._replace(own=request.own and destination is MAT))
            space = MAT
        current = self._along_route(var, current, space, destination, request)
        self.insertions[current].askers[request.asker] = None
        return current

    def _along_route(
        self, var: ir.Var, current: ir.Var, space: MemorySpace, destination: MemorySpace, request: Request
    ) -> ir.Var:
        # Where there is no route, the move is one that is tolerated without a target.
        for step in self.routes.chain(space, destination) or ((destination,) if space is not destination else ()):
            last = step is destination
            known = None if request.own and last else self._find(var, step)
            current = known or self._move(var, current, step, request if last else request._replace(own=False))
        return current

    def _find(self, var: ir.Var, space: MemorySpace) -> ir.Var | None:
        """A copy that is visible here and not stale."""
        found = self._copies.get((var, space))
        return found.var if found is not None and found.state is self._state(var) else None

    def _move(self, var: ir.Var, current: ir.Var, step: MemorySpace, request: Request) -> ir.Var:
        call = self.calls.make("tile.move", (current,), move_keywords(current, step), {}, request.asker.span)
        return self._insert(var, step, call, current, request)

    def _insert(self, var: ir.Var, space: MemorySpace, call: ir.Call, current: ir.Var, request: Request) -> ir.Var:
        made = ir.Var(self._new_name(var, space), call.type, call.span)
        obstacles = request.obstacles
        self.emit(None, ir.Assign(made, call, call.span))
        if not request.own:
            key, state = (var, space), self._state(var)
            before = self._copies.get(key)
            if before is not None and state is not None:
                obstacles = (*obstacles, Obstacle(Effect.STALE, state.stmt, var))
            self.frames[-1].hidden.append((key, before))
            self._copies[key] = Copy(made, state)
        insertion = self.insertions[made] = Insertion(made, call, var, obstacles)
        if current in self.insertions:
            self.insertions[current].made_from_it.append(insertion)
        return made

    def _new_name(self, var: ir.Var, space: MemorySpace) -> str:
        base = name = f"{self.names[var]}_{space.name}"
        while name in self._taken:
            self._numbers[base] = self._numbers.get(base, 0) + 1
            name = f"{base}__{self._numbers[base]}"
        self._taken.add(name)
        return name

    def _repeat_in_mat(self, var: ir.Var, natural: ir.Var, request: Request) -> ir.Var:
        """A transposed view cannot be moved as it is: the tile itself is moved to Mat and viewed again there."""
        chain: list[tuple[ir.Var, ir.Call]] = []
        known: ir.Var | None = None
        while var is not natural and known is None:
            call, source = self.problem.views[var]
            if call is not None:
                known = None if request.own else self._find(var, MAT)
                chain += [(var, call)] if known is None else []
            var = source
        made_in = self.problem.spaces[natural]
        current = known or self._along_route(natural, self.placed[natural], made_in, MAT, request)
        for viewed, call in reversed(chain):
            operator = ops.lookup(call.op)
            args = list(call.args)
            args[cast("int", operator.view_of)] = current
            again = self.calls.make(call.op, args, call.keywords, call.attrs, request.asker.span)
            current = self._insert(viewed, MAT, again, current, request)
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
