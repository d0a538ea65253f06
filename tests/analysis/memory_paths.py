"""What the tiles of a function need, found by brute force, to compare the compiler's numbers with.

``Walk`` follows one way through a function: each loop runs 0, 1 or 2 times and each branch goes either way, whatever
their bounds and conditions say. A name is bound to a thing, which is one tile in one place, and to its contents: an
alias, a view and a join are bound to those that they stand for, and a result that takes over an operand to the same
thing with other contents (but for ``tile.write``, which changes the contents for all names). So it is known afterwards
until when each name and each thing was needed on that way.

``classical`` is the liveness of textbooks: sets of names, backward over the function, loops until nothing changes.
"""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

from pypto_lite import ir, ops
from pypto_lite.analysis.accesses import written_operands
from pypto_lite.analysis.footprint import tile_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

MOST_ITERATIONS = 2

Bytes = dict["ir.MemorySpace | None", int]


class Thing:
    """One tile in one place. It is there from ``begin`` (None: nothing is in it yet) to ``last``."""

    def __init__(self, begin: int | None) -> None:
        self.begin = begin
        self.last = begin
        self.owner: ir.Var | None = None

    def work(self, time: int) -> None:
        self.begin = time if self.begin is None else self.begin
        self.last = time


class Binding:
    """One name while it stands for one thing, from ``time`` on; None for a tile that nothing is in yet. ``is_made``
    says that an operator makes the thing then."""

    def __init__(self, var: ir.Var, thing: Thing, contents: object, time: int | None, is_made: bool) -> None:
        self.var = var
        self.thing = thing
        self.contents = contents
        self.time = time
        self.is_made = is_made
        self.reads: list[int] = []
        self.names: list[Binding] = []
        """Aliases and views of it."""
        self.flows: list[tuple[int, Binding]] = []
        """When it flowed into which join."""
        self.first: int | None = None
        self.last: int | None = None
        """When it was needed, if ever; set once the way is at its end."""

    def settle(self) -> None:
        """Finds out when it was needed, after all bindings that came later."""
        works = [*self.reads, *[each.first for each in self.names if each.time is None and each.first is not None]]
        ends = [each.last for each in self.names if each.last is not None]
        ends += [time for time, join in self.flows if join.last is not None]
        self.first = min(works, default=None) if self.time is None else self.time
        self.last = max([*self.reads, *ends], default=self.time if self.is_made else None)

    def needed_at(self, time: int) -> bool:
        return self.first is not None and self.last is not None and self.first <= time <= self.last


class Walk:
    """One way through a function. ``choose`` is asked for a number below its argument."""

    def __init__(self, function: ir.Function, choose: Callable[[int], int]) -> None:
        self.choose = choose
        self.time = 0
        self.scope: dict[ir.Var, Binding] = {}
        self.bindings: list[Binding] = []
        self.things: list[Thing] = []
        self.moments: list[tuple[object, int, list[Binding]]] = []
        """Each with the place in the function, the time, and the names in scope."""
        self.block(function.body, ())
        for binding in reversed(self.bindings):
            binding.settle()

    def needed(self) -> Iterator[tuple[object, list[Binding]]]:
        """The names that are needed at each moment, with its place in the function."""
        for place, time, scope in self.moments:
            yield place, [each for each in scope if each.needed_at(time)]

    def most(self) -> Bytes:
        """The most bytes that things take at one time."""
        found: Bytes = {}
        for _, time, _ in self.moments:
            used: Bytes = {}
            for thing in self.things:
                if thing.begin is not None and thing.last is not None and thing.begin <= time <= thing.last:
                    add(used, thing.owner)
            raise_to(found, used)
        return found

    def block(self, block: ir.Block, joins: Sequence[ir.Var]) -> list[Binding | None]:
        """Runs the statements; what they yield in the end into these joins."""
        flowing: list[Binding | None] = [None] * len(joins)
        for stmt in flat(block):
            match stmt:
                case ir.For() | ir.While():
                    self.loop(stmt)
                case ir.If():
                    self.branch(stmt)
                case ir.Yield(values):
                    flowing = self.flow(stmt, values)
                case _:
                    self.plain(stmt)
        return flowing

    def record(self, *place: object) -> None:
        self.moments.append((place, self.time, list(self.scope.values())))

    def bind(self, var: ir.Var, thing: Thing, contents: object, time: int | None, is_made: bool = False) -> Binding:
        thing.owner = var if thing.owner is None else thing.owner
        binding = self.scope[var] = Binding(var, thing, contents, time, is_made)
        self.bindings.append(binding)
        return binding

    def read(self, operands: Iterable[ir.Expr]) -> None:
        for var in tiles_in(operands):
            if var in self.scope:
                self.scope[var].reads.append(self.time)
                self.scope[var].thing.work(self.time)

    def plain(self, stmt: ir.Stmt) -> None:
        source = named(stmt)
        if source is not None and source in self.scope:
            assert isinstance(stmt, ir.Assign)
            viewed = self.scope[source]
            time = None if viewed.time is None else self.time
            viewed.names.append(self.bind(stmt.var, viewed.thing, viewed.contents, time))
            return
        self.time += 1
        self.read(stmt.operands())
        self.record(stmt, "reads")
        self.time += 1
        self.read(kept(stmt))
        if isinstance(stmt, ir.Assign) and isinstance(stmt.var.type, ir.TileType):
            is_empty = isinstance(stmt.value, ir.Call) and stmt.value.op == "tile.create"
            over = [self.scope[each] for each in taken_over(stmt) if each in self.scope]
            thing = over[0].thing if over else Thing(None if is_empty else self.time)
            if over:
                thing.work(self.time)
            else:
                self.things.append(thing)
            is_written = isinstance(stmt.value, ir.Call) and stmt.value.op == "tile.write"
            contents = over[0].contents if over and is_written else object()
            self.bind(stmt.var, thing, contents, None if is_empty else self.time, not is_empty)
        self.record(stmt, "makes")

    def flow(self, stmt: ir.Stmt, values: Iterable[ir.Expr]) -> list[Binding | None]:
        self.time += 1
        self.record(stmt, "flows")
        return [self.scope.get(value) if isinstance(value, ir.Var) else None for value in values]

    def join(self, joins: Iterable[ir.Var], flowing: Iterable[Binding | None], time: int) -> None:
        """Binds what flowed at a time to the joins."""
        for var, source in zip(joins, flowing, strict=True):
            if source is not None:
                is_empty = source.thing.begin is None
                joined = self.bind(var, source.thing, source.contents, None if is_empty else self.time)
                source.flows.append((time, joined))

    def loop(self, stmt: ir.For | ir.While) -> None:
        for_reads = (stmt.start, stmt.stop, stmt.step) if isinstance(stmt, ir.For) else ()
        flowing = self.flow(stmt, stmt.inits)
        self.read(for_reads)
        outside = self.scope
        left = self.choose(MOST_ITERATIONS + 1)
        while True:
            flowed = self.time
            self.time += 1
            self.scope = dict(outside)
            self.join(stmt.carries, flowing, flowed)
            self.record(stmt, "iterates")
            if left == 0:
                break
            left -= 1
            flowing = self.block(stmt.body, stmt.carries)
        flowed = self.time
        carried = [self.scope.get(carry) for carry in stmt.carries]
        self.scope = outside
        self.time += 1
        self.join(stmt.results, carried, flowed)
        self.record(stmt, "is done")

    def branch(self, stmt: ir.If) -> None:
        self.time += 1
        self.read([stmt.condition])
        self.record(stmt, "chooses")
        outside = self.scope
        arms = [stmt.then_body, stmt.else_body]
        arm = arms[self.choose(2)]
        self.scope = dict(outside)
        flowing = [] if arm is None else self.block(arm, stmt.results)
        flowed = self.time
        self.scope = outside
        self.time += 1
        self.join(stmt.results, flowing or [None] * len(stmt.results), flowed)
        self.record(stmt, "is done")


def walks(function: ir.Function, most: int) -> Iterator[Walk]:
    """All ways through a function, the first of them in order; where there are more, as many at random."""
    prefix: list[int] = []
    for _ in range(most):
        taken: list[tuple[int, int]] = []

        def choose(below: int, taken: list[tuple[int, int]] = taken, prefix: list[int] = prefix) -> int:
            choice = prefix[len(taken)] if len(taken) < len(prefix) else 0
            taken.append((choice, below))
            return choice

        yield Walk(function, choose)
        while taken and taken[-1][0] + 1 == taken[-1][1]:
            taken.pop()
        if not taken:
            return
        prefix = [choice for choice, _ in taken]
        prefix[-1] += 1
    source = random.Random(most)
    for _ in range(most):
        yield Walk(function, source.randrange)


def union_over_ways(function: ir.Function, ways: Iterable[Walk]) -> Bytes:
    """The most bytes of the names that are needed, on any of the ways, at one place of the function.

    Two names count once where they never stood for different contents, and where the one takes over the other. A tile
    that nothing works on still needs a memory as large as itself.
    """
    needed: dict[object, dict[ir.Var, None]] = {}
    same: set[tuple[ir.Var, ir.Var]] = set()
    different: set[tuple[ir.Var, ir.Var]] = set()
    for way in ways:
        for place, bindings in way.needed():
            needed.setdefault(place, {}).update(dict.fromkeys([each.var for each in bindings]))
        for _, _, scope in way.moments:
            for first, second in itertools.combinations(scope, 2):
                (same if first.contents is second.contents else different).add((first.var, second.var))
    groups = takers(function)
    for first, second in same - different:
        groups.join(first, second)
    found: Bytes = {}
    for names in [*needed.values(), *[[stmt.var] for stmt in assignments(function)]]:
        raise_to(found, groups.bytes(names))
    return found


def classical(function: ir.Function) -> Bytes:
    """The most bytes at one place by the liveness of textbooks, where every join is a tile of its own."""
    groups = takers(function)
    for stmt in assignments(function):
        source = named(stmt)
        if source is not None:
            groups.join(stmt.var, source)
    liveness = _Classical(groups)
    liveness.block(function.body, frozenset())
    return liveness.found


class _Classical:
    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.found: Bytes = {}

    def record(self, live: frozenset[ir.Var]) -> frozenset[ir.Var]:
        raise_to(self.found, self.groups.bytes(live))
        return live

    def block(self, block: ir.Block, live: frozenset[ir.Var]) -> frozenset[ir.Var]:
        """What is live before the statements, given what is live behind them."""
        for stmt in reversed(flat(block)):
            match stmt:
                case ir.For() | ir.While():
                    live = self.loop(stmt, live)
                case ir.If():
                    arms = [self.block(arm, live - {*stmt.results}) for arm in stmt.blocks()]
                    through = live - {*stmt.results} if stmt.else_body is None else frozenset[ir.Var]()
                    self.record(live | {*stmt.results})
                    live = self.record(through.union(*arms, tiles_in([stmt.condition])))
                case _:
                    self.record(live | {*kept(stmt)} | {var for var in stmt.definitions() if is_tile(var)})
                    live = self.record((live - {*stmt.definitions()}) | {*tiles_in(stmt.operands())})
        return live

    def loop(self, stmt: ir.For | ir.While, live: frozenset[ir.Var]) -> frozenset[ir.Var]:
        self.record(live | {*stmt.results})
        carries = {*stmt.carries}
        head = (live - {*stmt.results}) | carries
        if isinstance(stmt, ir.While):
            head |= {*tiles_in([stmt.condition])}
        while (more := head | self.block(stmt.body, head - carries)) != head:
            head = more
        self.record(head)
        return self.record((head - carries) | {*tiles_in(stmt.inits)})


class Groups:
    """Names that are in one place."""

    def __init__(self) -> None:
        self.group: dict[ir.Var, set[ir.Var]] = {}

    def join(self, first: ir.Var, second: ir.Var) -> None:
        merged = self.group.get(first, {first}) | self.group.get(second, {second})
        self.group.update(dict.fromkeys(merged, merged))

    def bytes(self, names: Iterable[ir.Var]) -> Bytes:
        """What these names take; of several in one place the largest."""
        largest: dict[frozenset[ir.Var], ir.Var] = {}
        for name in names:
            if is_tile(name):
                group = frozenset(self.group.get(name, {name}))
                largest[group] = max(name, largest.get(group, name), key=size)
        used: Bytes = {}
        for name in largest.values():
            add(used, name)
        return used


def takers(function: ir.Function) -> Groups:
    """The results that take over operands, with those."""
    groups = Groups()
    for stmt in assignments(function):
        for operand in taken_over(stmt):
            groups.join(stmt.var, operand)
    return groups


def assignments(function: ir.Function) -> Iterator[ir.Assign]:
    return (node for node in ir.walk(function.body) if isinstance(node, ir.Assign))


def flat(block: ir.Block) -> list[ir.Stmt]:
    found: list[ir.Stmt] = []
    for stmt in block.statements:
        inner = stmt if isinstance(stmt, ir.Block) else stmt.body if isinstance(stmt, ir.Scope) else None
        found += [stmt] if inner is None else flat(inner)
    return found


def is_tile(var: ir.Expr) -> bool:
    return isinstance(var, ir.Var) and isinstance(var.type, ir.TileType)


def tiles_in(operands: Iterable[ir.Expr]) -> list[ir.Var]:
    return [node for each in operands for node in ir.walk(each) if isinstance(node, ir.Var) and is_tile(node)]


def named(stmt: ir.Stmt) -> ir.Var | None:
    """What the statement only gives another name, or views."""
    if not isinstance(stmt, ir.Assign) or not is_tile(stmt.var):
        return None
    source = stmt.value
    operator = ops.find(source.op) if isinstance(source, ir.Call) else None
    if isinstance(source, ir.Call) and operator is not None and operator.view_of is not None:
        source = source.args[operator.view_of]
    return source if isinstance(source, ir.Var) else None


def kept(stmt: ir.Stmt) -> list[ir.Var]:
    """The operands that must still be there when the result is."""
    call = stmt.value if isinstance(stmt, (ir.Assign, ir.Evaluate)) else None
    operator = ops.find(call.op) if isinstance(call, ir.Call) else None
    if operator is None or not isinstance(call, ir.Call) or operator.view_of is not None:
        return []
    indices = range(len(call.args)) if not operator.in_place_safe else operator.no_alias
    return tiles_in([call.args[index] for index in indices])


def taken_over(stmt: ir.Assign) -> list[ir.Var]:
    call = stmt.value
    operator = ops.find(call.op) if isinstance(call, ir.Call) else None
    if operator is None or not isinstance(call, ir.Call) or not isinstance(stmt.var.type, ir.TileType):
        return []
    indices = {*written_operands(call, operator), operator.tied_operand} - {None}
    operands = [call.args[index] for index in indices if index is not None]
    return [
        each
        for each in operands
        if isinstance(each, ir.Var) and isinstance(each.type, ir.TileType) and each.type.space is stmt.var.type.space
    ]


def size(var: ir.Var) -> int:
    assert isinstance(var.type, ir.TileType)
    return tile_bytes(var.type) or 0


def add(used: Bytes, var: ir.Var | None) -> None:
    assert var is not None
    assert isinstance(var.type, ir.TileType)
    used[var.type.space] = used.get(var.type.space, 0) + size(var)


def raise_to(found: Bytes, used: Bytes) -> None:
    for space, taken in used.items():
        found[space] = max(found.get(space, 0), taken)
