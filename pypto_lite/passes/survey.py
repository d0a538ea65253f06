"""Where the variables of a function are assigned and read, and which of them cross the borders of loops and branches.

The function is gone through once and written down as a list of events: a variable is read or assigned, a region (the
body of a loop, a branch, one of its arms) begins or ends. Everything else is a loop over that list, forward or
backward. A variable counts for a region only where it is assigned in it and occurs outside it as well, so the names
that a loop uses for itself cost nothing in the loops around it.
"""

from __future__ import annotations

import enum
from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from pypto_lite import ir
from pypto_lite.passes.properties.findings import keyword_expressions, statements

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def count_definitions(function: ir.Function) -> Counter[ir.Var]:
    """How often each variable of a function is defined; more than once before conversion to SSA only."""
    definitions = Counter(function.params)
    for statement in statements(function):
        definitions.update(statement.definitions())
    return definitions


class Kind(enum.Enum):
    """What kind of code a region is."""

    FUNCTION = "function"
    LOOP = "loop"
    BRANCH = "branch"
    """Both arms together."""
    ARM = "arm"
    """There are always two; a branch without else has an empty one."""
    SECTION = "section"
    """The body of a scope, which runs exactly once."""


class Region:
    """A part of a function. ``assigned`` are the variables that are assigned in it and occur outside it as well."""

    __slots__ = ("assigned", "is_open", "kind", "parent", "statement")

    def __init__(self, kind: Kind, statement: ir.Stmt | None = None) -> None:
        self.kind = kind
        self.statement = statement
        self.parent: Region | None = None
        self.is_open = False
        self.assigned: dict[ir.Var, None] = {}
        """In the order of their first assignment."""


class Act(enum.Enum):
    """What happens in an event."""

    READ = "read"
    ASSIGN = "assign"
    BEGIN = "begin"
    END = "end"


Event: TypeAlias = "tuple[Act, ir.Var | None, Region]"
"""What happens, to which variable (none where a region begins or ends), and in which region, or to which."""

_Item: TypeAlias = "ir.Stmt | tuple[Act, ir.Var | ir.Expr | Region]"


class Survey:
    """The events of one function, and its regions in the order in which they begin."""

    def __init__(self, function: ir.Function, tracked: Collection[ir.Var]) -> None:
        """Only ``tracked`` variables are looked at."""
        self.events: list[Event] = []
        self.regions: list[Region] = []
        self._tracked = tracked
        self._current = Region(Kind.FUNCTION)
        self._current.is_open = True
        self._homes: dict[ir.Var, Region] = {}
        """For each variable the innermost region around all its occurrences."""
        for param in function.params:
            self._occur(Act.ASSIGN, param)
        self._record(function.body)
        self._note_assigned()

    def _record(self, body: ir.Block) -> None:
        stack: list[_Item] = [body]
        while stack:
            item = stack.pop()
            if isinstance(item, tuple):
                self._perform(*item)
            elif isinstance(item, ir.Block):
                stack.extend(item.statements[::-1])
            elif isinstance(item, (ir.For, ir.While, ir.If, ir.Scope)):
                stack.extend(reversed(list(_parts(item))))
            else:
                for operand in item.operands():
                    self._read(operand)
                for var in item.definitions():
                    self._occur(Act.ASSIGN, var)

    def _perform(self, act: Act, subject: ir.Expr | Region) -> None:
        if isinstance(subject, Region):
            (self._begin if act is Act.BEGIN else self._end)(subject)
        elif act is Act.READ:
            self._read(subject)
        elif isinstance(subject, ir.Var):
            self._occur(act, subject)

    def _begin(self, region: Region) -> None:
        region.parent = self._current
        region.is_open = True
        self._current = region
        self.regions.append(region)
        self.events.append((Act.BEGIN, None, region))

    def _end(self, region: Region) -> None:
        region.is_open = False
        assert region.parent is not None
        self._current = region.parent
        self.events.append((Act.END, None, region))

    def _read(self, expression: ir.Expr) -> None:
        stack: list[ir.Node] = [expression]
        while stack:
            node = stack.pop()
            if isinstance(node, ir.Var):
                self._occur(Act.READ, node)
            else:
                stack.extend(node.children())

    def _occur(self, act: Act, var: ir.Var) -> None:
        if var not in self._tracked:
            return
        self.events.append((act, var, self._current))
        self._note_home(var)
        for expression in var.type.expressions() if var.type.symbolic else ():
            for node in ir.walk(expression):
                if isinstance(node, ir.Var) and node in self._tracked:
                    self._note_home(node)

    def _note_home(self, var: ir.Var) -> None:
        """A variable occurs in the current region, in code or in the type of what occurs there."""
        home = self._homes.get(var, self._current)
        # A region that has ended does not lie around this place; its nearest open parent does.
        while not home.is_open:
            assert home.parent is not None
            home = home.parent
        self._homes[var] = home

    def _note_assigned(self) -> None:
        for act, var, region in self.events:
            if act is not Act.ASSIGN or var is None:
                continue
            home = self._homes[var]
            while region is not home and var not in region.assigned:
                region.assigned[var] = None
                assert region.parent is not None
                region = region.parent


def _parts(statement: ir.For | ir.While | ir.If | ir.Scope) -> Iterable[_Item]:
    """What happens in a statement with blocks, in the order in which it happens."""
    match statement:
        case ir.For():
            for operand in (statement.start, statement.stop, statement.step, *statement.inits):
                yield Act.READ, operand
            yield from _loop(statement, (statement.var, *statement.carries), None)
        case ir.While():
            for init in statement.inits:
                yield Act.READ, init
            yield from _loop(statement, statement.carries, statement.condition)
        case ir.If():
            yield Act.READ, statement.condition
            yield from _branch(statement)
        case ir.Scope():
            for operand in (*statement.args, *keyword_expressions(statement)):
                yield Act.READ, operand
            for var in statement.definitions():
                yield Act.ASSIGN, var
            section = Region(Kind.SECTION, statement)
            yield from ((Act.BEGIN, section), statement.body, (Act.END, section))


def _loop(loop: ir.For | ir.While, variables: Iterable[ir.Var], condition: ir.Expr | None) -> Iterable[_Item]:
    region = Region(Kind.LOOP, loop)
    yield Act.BEGIN, region
    for var in variables:
        yield Act.ASSIGN, var
    if condition is not None:
        yield Act.READ, condition
    yield loop.body
    yield Act.END, region
    # The condition of a while loop is evaluated once more than its body, so after it the carries have a value.
    afterwards = (*loop.carries, *loop.results) if condition is not None else loop.results
    for var in afterwards:
        yield Act.ASSIGN, var


def _branch(branch: ir.If) -> Iterable[_Item]:
    both = Region(Kind.BRANCH, branch)
    yield Act.BEGIN, both
    for body in (branch.then_body, branch.else_body):
        arm = Region(Kind.ARM, branch)
        yield Act.BEGIN, arm
        if body is not None:
            yield body
        yield Act.END, arm
    yield Act.END, both
    for result in branch.results:
        yield Act.ASSIGN, result
