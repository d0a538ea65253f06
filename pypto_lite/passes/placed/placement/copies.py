"""Makes the copies of tiles that consumers and joins need, in front of the statement that is being rewritten.

A copy made earlier in the same statement list, or in an enclosing one, is used again, unless the tile's buffer has
been written to since. A written move is never used again, nor is a copy that its consumer writes to.
"""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from pypto_lite import ir, ops, printer
from pypto_lite.ir import MemorySpace
from pypto_lite.passes.placed.placement.calls import placed_attributes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pypto_lite.analysis.routes import Routes
    from pypto_lite.passes.placed.placement.calls import CallMaker
    from pypto_lite.passes.placed.placement.problem import EquivalenceClass, OperandConstraint, PhiOperand, Problem
    from pypto_lite.passes.placed.placement.writes import Writes

NAMES: Final = {space: space.name for space in MemorySpace}


Asker: TypeAlias = "OperandConstraint | PhiOperand"
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


class Insertion:
    """A tile that was inserted: a copy of another one, and everything that it is there for.

    ``state`` is the one that the buffer of ``source`` was in when the copy was made.
    """

    __slots__ = ("askers", "call", "made_from_it", "obstacles", "source", "space", "state", "var")

    def __init__(
        self, var: ir.Var, space: MemorySpace, call: ir.Call, source: ir.Var, state: Write | None,
        obstacles: tuple[Obstacle, ...],
    ) -> None:  # fmt: skip
        self.var = var
        self.space = space
        self.call = call
        self.source = source
        """The tile of the function that this is a copy of."""
        self.state = state
        self.obstacles = obstacles
        self.askers: list[Asker] = []
        self.made_from_it: list[Insertion] = []
        """The further steps of longer ways."""


class OpenBlock:
    """A statement list on its way to being rewritten."""

    __slots__ = ("block", "changed", "finish", "hidden", "joins", "out", "remaining")

    def __init__(
        self, block: ir.Block, joins: Sequence[EquivalenceClass | None], finish: Callable[[ir.Block], None]
    ) -> None:
        self.block = block
        self.remaining = iter(block.statements)
        self.joins = joins
        """For each value that the list yields: the join that it flows into."""
        self.finish = finish
        self.out: list[ir.Stmt] = []
        self.hidden: list[tuple[tuple[ir.Var, MemorySpace], Insertion | None]] = []
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
        self.insertions: list[Insertion] = []
        """What was inserted, in program order but for what loops are preceded by."""
        self.open_blocks: list[OpenBlock] = []
        self.placed: dict[ir.Var, ir.Var] = {}
        """Each tile of the function, and the variable with its final type that takes its place."""
        self._copies: dict[tuple[ir.Var, MemorySpace], Insertion] = {}
        """The copies that are visible where rewriting stands."""
        self._states: dict[ir.Var, Write | None] = {}
        """The last write to each buffer that was written to."""
        self.names: Mapping[ir.Var, str] = printer.names(function)
        """The printed name of each value of the function."""
        self._fresh_names = ir.FreshNames(self.names.values())

    # Statement lists

    def push(self, open_block: OpenBlock) -> None:
        """Goes on with a nested statement list."""
        self.open_blocks.append(open_block)

    def pop(self) -> OpenBlock:
        """Leaves the innermost statement list; the copies made in it are not seen outside."""
        open_block = self.open_blocks.pop()
        if not self.open_blocks:
            return open_block  # the function ends, and nobody looks any more
        for key, before in reversed(open_block.hidden):
            if before is None:
                del self._copies[key]
            else:
                self._copies[key] = before
        return open_block

    def emit(self, before: ir.Stmt | None, after: ir.Stmt) -> None:
        """Appends a statement to the innermost list: what became of ``before``, or a new one."""
        open_block = self.open_blocks[-1]
        open_block.out.append(after)
        if after is not before:
            open_block.changed = True

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
        found = None if request.own else self._find(var, destination)
        found = found or self._copy_anew(var, destination, request)
        found.askers.append(request.asker)
        return found.var

    def _copy_anew(self, var: ir.Var, destination: MemorySpace, request: Request) -> Insertion:
        space = self.problem.space(var)
        natural = self.problem.natural(var) if self.routes.bars(space, destination) else None
        if natural is None:
            return self._along_route(var, None, space, destination, request)
        staging = self.routes.chip.staging
        viewed = self._repeat_view(var, natural, request._replace(own=request.own and destination is staging))
        return viewed if destination is staging else self._along_route(var, viewed, staging, destination, request)

    def _along_route(
        self, var: ir.Var, made: Insertion | None, space: MemorySpace, destination: MemorySpace, request: Request
    ) -> Insertion:
        """Moves ``var``, which stands in ``space`` as ``made`` (None: as itself), to another space."""
        # Where there is no route, the move is one that is tolerated without a target.
        chain = self.routes.chain(space, destination) or (destination,)
        for step in chain[:-1]:
            made = self._find(var, step) or self._move(var, made, step, request._replace(own=False))
        return self._move(var, made, destination, request)

    def _find(self, var: ir.Var, space: MemorySpace) -> Insertion | None:
        """A copy that is visible here and not stale."""
        found = self._copies.get((var, space))
        return found if found is not None and found.state is self._state(var) else None

    def _move(self, var: ir.Var, source: Insertion | None, step: MemorySpace, request: Request) -> Insertion:
        current = self.placed[var] if source is None else source.var
        return self._insert(var, step, self.calls.move(current, step, request.asker.span), source, request)

    def _insert(
        self, var: ir.Var, space: MemorySpace, call: ir.Call, source: Insertion | None, request: Request
    ) -> Insertion:
        made = ir.Var(self._fresh_names.fresh(f"{self.names[var]}_{NAMES[space]}"), call.type, call.span)
        self.emit(None, ir.Assign(made, call, call.span))
        state = self._state(var)
        insertion = Insertion(made, space, call, var, state, request.obstacles)
        self.insertions.append(insertion)
        if not request.own:
            key = (var, space)
            before = self._copies.get(key)
            if before is not None and state is not None:
                insertion.obstacles = (*request.obstacles, Obstacle(Effect.STALE, state.stmt, var))
            self.open_blocks[-1].hidden.append((key, before))
            self._copies[key] = insertion
        if source is not None:
            source.made_from_it.append(insertion)
        return insertion

    def _repeat_view(self, var: ir.Var, natural: ir.Var, request: Request) -> Insertion:
        """A transposed view cannot be moved as it is: the tile itself is moved to Mat, or what the target has in its
        place, and viewed again there."""
        staging = self.routes.chip.staging
        chain: list[tuple[ir.Var, ir.Call]] = []
        known: Insertion | None = None
        while var is not natural and known is None:
            call, source = self.problem.views[var]
            if call is not None:
                known = None if request.own else self._find(var, staging)
                chain += [(var, call)] if known is None else []
            var = source
        made = known or self._staged(natural, request)
        for viewed, call in reversed(chain):
            operator = ops.lookup(call.op)
            args = list(call.args)
            args[cast("int", operator.view_of)] = self.placed[natural] if made is None else made.var
            attrs = placed_attributes(call.attrs, self.placed)
            again = self.calls.make(call.op, args, call.keywords, attrs, request.asker.span)
            made = self._insert(viewed, staging, again, made, request)
        assert made is not None
        return made

    def _staged(self, natural: ir.Var, request: Request) -> Insertion | None:
        """The tile itself in the staging memory; None where it lives there."""
        made_in, staging = self.problem.space(natural), self.routes.chip.staging
        if made_in is staging:
            return None
        found = None if request.own else self._find(natural, staging)
        return found or self._along_route(natural, None, made_in, staging, request)
