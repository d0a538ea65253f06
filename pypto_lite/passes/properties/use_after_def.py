"""UseAfterDef: a value is used only where its definition comes before, on every way there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.diagnostics import Note
from pypto_lite.passes.properties.findings import Findings
from pypto_lite.passes.protocol import Property

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from pypto_lite.diagnostics import Diagnostic
    from pypto_lite.targets import Target


def check_use_after_def(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """Each use is dominated by its definition: in operands, conditions, yields and returns, and in dimensions of types.

    After a loop or a branch nothing of its inside is visible but its results; a scope's body shares the block around
    it. A symbolic dimension is defined by the parameters whose types mention it; a type may mention every dimension
    that some signature of the program mentions.
    """
    findings = Findings("PL302")
    definitions = _Definitions(program)
    for function in program.functions.values():
        findings.enter(function)
        _Visibility(function, definitions, findings).check()
    return findings.diagnostics


UseAfterDef = Property("UseAfterDef", check_use_after_def)


class _Definitions:
    """Where values are defined in the whole program; looked up only once something is wrong."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._places: dict[ir.Var, tuple[ir.Function, ir.Stmt | ir.Function]] | None = None
        self._dimensions: set[ir.Var] | None = None

    def place(self, var: ir.Var) -> tuple[ir.Function, ir.Stmt | ir.Function] | None:
        """The function and the statement (or function, for a parameter) that define ``var``."""
        if self._places is None:
            self._places = {}
            for function in self._program.functions.values():
                self._places.update(dict.fromkeys(function.params, (function, function)))
                for statement in ir.statements(function):
                    self._places.update(dict.fromkeys(statement.definitions(), (function, statement)))
        return self._places.get(var)

    def is_dimension(self, var: ir.Var) -> bool:
        """Whether ``var`` is a symbolic dimension of some signature of the program."""
        if self._dimensions is None:
            self._dimensions = set()
            for function in self._program.functions.values():
                self._dimensions.update(_dimensions([param.type for param in function.params]))
                self._dimensions.update(_dimensions(function.return_types))
        return var in self._dimensions and self.place(var) is None


def _dimensions(types: Iterable[ir.Type]) -> set[ir.Var]:
    """The variables that types mention."""
    expressions = [expression for each in types for expression in each.expressions()]
    return {node for expression in expressions for node in ir.walk(expression) if isinstance(node, ir.Var)}


def _is_index(var: ir.Var) -> bool:
    """Whether it has the type of a symbolic dimension."""
    return isinstance(var.type, ir.ScalarType) and var.type.dtype is ir.DTYPES["INDEX"]


class _Visibility:
    """Goes through one function and knows at each point which values are visible."""

    def __init__(self, function: ir.Function, definitions: _Definitions, findings: Findings) -> None:
        self._function = function
        self._definitions = definitions
        self._findings = findings
        self._dimensions = _dimensions([param.type for param in function.params])
        self._visible: set[ir.Var] = {*function.params, *self._dimensions}
        self._added: list[ir.Var] = []
        """What the current block made visible."""
        self._left = False
        """Whether the current point is behind a break, a continue or a return, so never reached."""
        self._around: list[tuple[list[ir.Var], bool]] = []
        """The same two of the blocks around the current one."""
        self._arms: list[list[tuple[list[ir.Var], bool]]] = []
        """Of each statement around the current point the arms that have ended: what each made visible, and whether it
        was left."""
        self._reported: set[tuple[ir.Var, ir.Stmt | ir.Function]] = set()

    def check(self) -> None:
        for each in self._function.return_types:
            self._use_type(each, self._function)
        for point, statement, region in ir.program_order(self._function.body):
            if point is ir.Point.LEAVE:
                self._leave(statement)
            elif region is None:
                self._visit(point, statement)
            elif point is ir.Point.BEGIN:
                self._begin(region, statement)
            elif region.kind is ir.RegionKind.LOOP:
                self._close()
            elif region.kind is ir.RegionKind.ARM:
                self._arms[-1].append(self._close())

    def _visit(self, point: ir.Point, statement: ir.Stmt) -> None:
        for operand in statement.entry_operands():
            self._use(operand, statement)
        if point is ir.Point.ENTER:
            self._arms.append([])
            return
        self._define_all(statement.definitions(), statement)
        self._left = self._left or isinstance(statement, (ir.Break, ir.Continue, ir.Return))

    def _begin(self, region: ir.Region, statement: ir.Stmt) -> None:
        if region.kind is not ir.RegionKind.SECTION:
            self._open()
        self._define_all(region.parameters, statement)
        if region.condition is not None:
            self._use(region.condition, statement)

    def _leave(self, statement: ir.Stmt) -> None:
        arms = self._arms.pop()
        if arms:
            self._join_arms(*arms)
        self._define_all(statement.exit_definitions(), statement)

    def _join_arms(self, then: tuple[list[ir.Var], bool], otherwise: tuple[list[ir.Var], bool]) -> None:
        """Shows what both arms made visible: before conversion to SSA a variable may be assigned in both."""
        (then_added, then_left), (else_added, else_left) = then, otherwise
        if then_left:  # an arm that is left does not count
            self._show(else_added)
        elif else_left:
            self._show(then_added)
        elif then_added and else_added:
            both = set(else_added)
            self._show([var for var in then_added if var in both])
        self._left = self._left or (then_left and else_left)

    def _open(self) -> None:
        self._around.append((self._added, self._left))
        self._added, self._left = [], False

    def _close(self) -> tuple[list[ir.Var], bool]:
        """Ends a block; returns what it had made visible, and whether its end is never reached."""
        inside = (self._added, self._left)
        self._visible.difference_update(self._added)
        self._added, self._left = self._around.pop()
        return inside

    def _show(self, values: Iterable[ir.Var]) -> None:
        for var in values:
            if var not in self._visible:
                self._visible.add(var)
                self._added.append(var)

    def _define(self, var: ir.Var, statement: ir.Stmt) -> None:
        if var.type.symbolic:
            self._use_type(var.type, statement)
        if var not in self._visible:
            self._visible.add(var)
            self._added.append(var)
        elif var in self._dimensions:
            self._findings.add(f"the types of the parameters mention '{var.name}' before its definition", statement)

    def _define_all(self, values: Sequence[ir.Var], statement: ir.Stmt) -> None:
        """Values that come into being together: the types of some may mention others, whatever their order."""
        for first in (True, False):
            for var in values:
                if isinstance(var.type, ir.ScalarType) is first:
                    self._define(var, statement)

    def _use(self, expression: ir.Expr, statement: ir.Stmt) -> None:
        visible = self._visible
        stack: list[Any] = [expression]
        while stack:
            node = stack.pop()
            if type(node) is ir.Var:
                if node not in visible:
                    self._report(node, statement)
                continue
            if type(node) is ir.MakeTuple and node.integers is not None:
                continue
            if node.type.symbolic:
                self._use_type(node.type, statement)
            stack.extend(node.children()[::-1])

    def _use_type(self, used: ir.Type, statement: ir.Stmt | ir.Function) -> None:
        for expression in used.expressions():
            for node in ir.walk(expression):
                if isinstance(node, ir.Var) and node not in self._visible and not self._definitions.is_dimension(node):
                    self._report(node, statement)

    def _report(self, var: ir.Var, user: ir.Stmt | ir.Function) -> None:
        if (var, user) in self._reported:
            return
        self._reported.add((var, user))
        place = self._definitions.place(var)
        if place is None:
            hint = (
                "a symbolic dimension has a value where the type of a parameter mentions it" if _is_index(var) else None
            )
            self._findings.add(f"'{var.name}' is used but defined nowhere", user, hint=hint)
            return
        function, definition = place
        notes = [Note(f"'{var.name}' is defined here", definition.span)] if definition.span else []
        if function is not self._function:
            self._findings.add(f"'{var.name}' is a value of the function '{function.name}'", user, notes=notes)
        else:
            message = f"'{var.name}' is used where it is not defined"
            expected = "a definition before the use, in the same block or around it"
            self._findings.add(message, user, expected=expected, notes=notes)
