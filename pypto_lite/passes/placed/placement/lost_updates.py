"""Refuses changes in place that would be missed after placement.

A value that flows into a join in another space gets there as a copy. As the kernel is written it is the same tile
under two names: what is changed under one is read under the other. With a copy between them it is not, so a write to
one side after the flow is an error where the other side may still be read. Where it is not, nobody can tell.

Only operators that change a tile without handing it on as their result count: whoever reads the operand of the others
afterwards gets it as it was, from a copy too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pypto_lite import ir, ops
from pypto_lite.analysis.alias_classes import AliasClasses
from pypto_lite.analysis.execution_order import ExecutionOrder
from pypto_lite.diagnostics import Diagnostic, Note
from pypto_lite.passes.placed.placement.problem import is_tile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pypto_lite.passes.placed.placement.problem import PhiOperand, Problem

    Graph = Mapping[ir.Var, list[ir.Var]]


class Access(NamedTuple):
    """A place where a tile is read or changed."""

    var: ir.Var
    stmt: ir.Stmt
    what: str


def find_lost_updates(problem: Problem, body: ir.Block) -> list[Diagnostic]:
    """An error for each write of a decided problem that would be missed, in program order."""
    copied = [
        phi_operand
        for eclass in problem.eclasses
        for phi_operand in eclass.phi_operands
        if phi_operand.eclass.space is not phi_operand.phi.space
    ]
    if not copied or not problem.changes:
        return []
    return _Finder(problem, body, copied).run()


class _Finder:
    def __init__(self, problem: Problem, body: ir.Block, copied: list[PhiOperand]) -> None:
        self.problem = problem
        self.copied = copied
        self.order = ExecutionOrder(body)
        self.forward: dict[ir.Var, list[ir.Var]] = {}
        """For each value the further names of its buffer, as the kernel is written: views, aliases, joins."""
        self.backward: dict[ir.Var, list[ir.Var]] = {}
        tiles = AliasClasses()
        for later, earlier in problem.same_buffer:
            self.forward.setdefault(earlier, []).append(later)
            self.backward.setdefault(later, []).append(earlier)
            tiles.share(later, earlier)
        self.tiles = tiles
        self.writes: dict[ir.Var, list[Access]] = {}
        """The changes in place of each value, under this name; likewise the reads."""
        self.reads: dict[ir.Var, list[Access]] = {}
        self.defined: dict[ir.Var, int] = {}

    def run(self) -> list[Diagnostic]:
        changed = {self.tiles.root(var) for _, var in self.problem.changes}
        suspicious = [phi_operand for phi_operand in self.copied if self.tiles.root(phi_operand.var) in changed]
        if not suspicious:
            return []
        self._collect(changed)
        found: dict[ir.Stmt, Diagnostic] = {}
        for phi_operand in suspicious:
            for write, diagnostic in self._missed(phi_operand):
                found.setdefault(write, diagnostic)
        return [found[stmt] for stmt in sorted(found, key=self.order.number)]

    def _collect(self, changed: set[ir.Var]) -> None:
        """Notes all changes and reads of tiles that are changed, and where the values are defined."""
        changes = set(self.problem.changes)
        for stmt, var in self.problem.changes:
            self.writes.setdefault(var, []).append(Access(var, stmt, _operator(stmt)))
        for number, stmt in enumerate(self.order.statements()):
            self.defined.update(dict.fromkeys(stmt.definitions(), number))
            for var in _read_by(stmt):
                if self.tiles.root(var) in changed and (stmt, var) not in changes:
                    self.reads.setdefault(var, []).append(Access(var, stmt, _operator(stmt)))
        for phi_operand in self.copied:
            copying = Access(phi_operand.var, phi_operand.stmt, f"the copy for {phi_operand.phi.var.name!r}")
            self.reads.setdefault(phi_operand.var, []).append(copying)

    def _missed(self, phi_operand: PhiOperand) -> Iterator[tuple[ir.Stmt, Diagnostic]]:
        """The writes after a value flowed into a join as a copy that the other side would have to see."""
        source = _Source(self, phi_operand)
        reads, writes = (list(source.later(table)) for table in (self.reads, self.writes))
        if not reads and not writes:
            return  # so it mostly is, and then what the copy becomes need not be looked for
        copy = _Copy(self, phi_operand)
        for write in _among(copy.values, self.writes) if reads else ():
            read = next((each for each in reads if source.misses(write, each)), None)
            if read is not None:
                yield write.stmt, _missed_by_source(phi_operand, write, read)
        for write in writes:
            read = next((each for each in _among(copy.values, self.reads) if copy.misses(source, write, each)), None)
            if read is not None:
                yield write.stmt, _missed_by_copy(phi_operand, write, read)


class _Source:
    """The one side of a flow that becomes a copy: the values that may be the tile itself all the same."""

    def __init__(self, finder: _Finder, phi_operand: PhiOperand) -> None:
        self._finder = finder
        self._order = finder.order
        self._flow = phi_operand.stmt
        above = _reached([phi_operand.var], finder.backward)
        self._values = _reached(above, finder.forward, without=phi_operand.phi.var)
        self._makers = [var for var in above if var not in finder.backward]

    def later(self, table: Mapping[ir.Var, list[Access]]) -> Iterator[Access]:
        """The accesses to these values that may come after the flow."""
        for access in _among(self._values, table):
            if self._order.may_precede(self._flow, access.stmt, self.survival(access.var)):
                yield access

    def misses(self, write: Access, read: Access) -> bool:
        """Whether a read of the source may come after a write to the copy, of the same tile."""
        survives = self.survival(read.var)
        leads = self._order.may_precede
        return leads(self._flow, write.stmt, survives) and leads(write.stmt, read.stmt, survives)

    def survival(self, var: ir.Var) -> Callable[[ir.Loop], bool]:
        """For which loops a value can be, in one iteration, the tile that flowed in the one before."""

        def survives(loop: ir.Loop) -> bool:
            start = self._order.number(loop)
            if all(self._finder.defined[each] > start for each in _reached([var], self._finder.backward)):
                return False
            outlives = any(self._finder.defined[maker] < start for maker in self._makers)
            return outlives or any(carry in self._values for carry in loop.carries)

        return survives


class _Copy:
    """The other side: the values that may be the copy, or be made from it."""

    def __init__(self, finder: _Finder, phi_operand: PhiOperand) -> None:
        self._order = finder.order
        self._flow = phi_operand.stmt
        self.values = _reached([phi_operand.phi.var], finder.forward)

    def misses(self, source: _Source, write: Access, read: Access) -> bool:
        """Whether a read of the copy may come after a write to the source that the copy was made before."""
        survives = source.survival(write.var)
        leads = self._order.may_precede
        return leads(self._flow, write.stmt, lambda loop: survives(loop) and self._survives(loop)) and leads(
            write.stmt, read.stmt, self._survives
        )

    def _survives(self, loop: ir.Loop) -> bool:
        """Whether an iteration of a loop can still see the copy that was made before it."""
        return not self._order.in_loop(self._flow, loop) or any(carry in self.values for carry in loop.carries)


def _among(values: Iterable[ir.Var], table: Mapping[ir.Var, list[Access]]) -> Iterator[Access]:
    """The accesses in a table to any of these values."""
    for var in values:
        yield from table.get(var, ())


def _reached(start: Iterable[ir.Var], graph: Graph, without: ir.Var | None = None) -> dict[ir.Var, None]:
    """What can be reached from some values, themselves included, by ways that avoid one value."""
    found = dict.fromkeys(start)
    queue = list(found)
    for var in queue:
        for near in graph.get(var, ()):
            if near not in found and near is not without:
                found[near] = None
                queue.append(near)
    return found


def _read_by(stmt: ir.Stmt) -> Iterator[ir.Var]:
    """The tiles whose elements a statement looks at, or hands out of the function."""
    operands: Iterable[ir.Expr] = ()
    if isinstance(stmt, (ir.Assign, ir.Evaluate)):
        value = stmt.value
        if isinstance(value, (ir.Call, ir.FunctionCall, ir.Submit)):
            operands = value.operands()
        if isinstance(value, ir.Call) and (operator := ops.find(value.op)) is not None and operator.view_of is not None:
            operands = ()
    elif isinstance(stmt, ir.Return):
        operands = stmt.values
    for operand in operands:
        if isinstance(operand, ir.Var) and is_tile(operand):
            yield operand


def _operator(stmt: ir.Stmt) -> str:
    """What a statement does, for messages."""
    value = stmt.value if isinstance(stmt, (ir.Assign, ir.Evaluate)) else None
    if isinstance(value, ir.Call):
        return value.op
    return "the return" if isinstance(stmt, ir.Return) else "a call"


def _missed_by_source(phi_operand: PhiOperand, write: Access, read: Access) -> Diagnostic:
    source, join = phi_operand.var.name, phi_operand.phi.var.name
    space = phi_operand.phi.space.name
    return Diagnostic(
        "PL402",
        f"{_changed(phi_operand, write)}; {read.what} reads {read.var.name!r} later and would miss the change",
        write.stmt.span,
        expected=f"{source!r} and {join!r} in one space, as they are one tile; or no read of {source!r} later",
        notes=_notes(phi_operand, read),
        hint=f"move {source!r} to {space} under a name of its own, and from there on use that instead of {source!r}",
    )


def _missed_by_copy(phi_operand: PhiOperand, write: Access, read: Access) -> Diagnostic:
    source, join = phi_operand.var.name, phi_operand.phi.var.name
    space = phi_operand.phi.space.name
    return Diagnostic(
        "PL402",
        f"{write.what} changes {write.var.name!r} in place after {source!r} flowed into {join!r}, which lives in "
        f"{space} and gets a copy; {read.what} reads {read.var.name!r} later and would miss the change",
        write.stmt.span,
        expected=f"{source!r} and {join!r} in one space, as they are one tile; or the change before they meet",
        notes=_notes(phi_operand, read),
        hint=f"change {source!r} before it becomes {join!r}, or let all that becomes {join!r} be in "
        f"{_space_of(phi_operand)}",
    )


def _changed(phi_operand: PhiOperand, write: Access) -> str:
    join, where = phi_operand.phi.var.name, f"{phi_operand.var.name!r} is in {_space_of(phi_operand)}"
    name = repr(write.var.name)
    of = "" if write.var is phi_operand.phi.var else f", which comes from {join!r},"
    return (
        f"{write.what} changes {name}{of} in place, in {phi_operand.phi.space.name}, but {where} and flows into "
        f"{join!r} as a copy"
    )


def _space_of(phi_operand: PhiOperand) -> str:
    return phi_operand.eclass.space.name


def _notes(phi_operand: PhiOperand, read: Access) -> list[Note]:
    return [
        Note(f"{phi_operand.var.name!r} is defined here", phi_operand.var.span),
        Note(f"{phi_operand.var.name!r} flows into {phi_operand.phi.var.name!r} here", phi_operand.span),
        Note(f"{read.what} reads {read.var.name!r} here", read.stmt.span),
    ]
