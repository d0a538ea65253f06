"""TileMemoryInferred: every tile has a space, and everything that touches it agrees with that space.

Looks at types and declarations only, and at every kind of value alike, so that it can find what the placement pass
does wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from pypto_lite import ir, ops
from pypto_lite.analysis.layout_agreement import check_layout_agreement, transposed_views
from pypto_lite.analysis.routes import Routes
from pypto_lite.diagnostics import Note
from pypto_lite.ir import MemorySpace, TileType
from pypto_lite.passes.properties.findings import Findings
from pypto_lite.passes.protocol import Property

if TYPE_CHECKING:
    from pypto_lite.diagnostics import Diagnostic
    from pypto_lite.targets import Target


def check_tile_memory(program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """Every tile of an in-core function has a memory space that its producer, its consumers and its joins agree with.

    Every operand is in a space that its operator reads, every producer writes the space its result is in, aliases and
    views are where what they view is, the members of each join are in one space, every move is one that the target
    can make, and no parameter is a tile. Tiles that are returned have their space in the return types too.
    """
    findings = Findings("PL401")
    routes = Routes(target)
    for function in program.functions.values():
        if function.type.is_in_core:
            findings.enter(function)
            _Checker(findings, routes, transposed_views(ir.statements(function))).check(function)
    return findings.diagnostics


TileMemoryInferred = Property("TileMemoryInferred", check_tile_memory)


class _Checker:
    def __init__(self, findings: Findings, routes: Routes, transposed: set[ir.Var]) -> None:
        self.findings = findings
        self.routes = routes
        self.transposed = transposed
        """The transposed views: nothing takes them to the cube side as they are, but from Mat."""

    def check(self, function: ir.Function) -> None:
        for param in function.params:
            if isinstance(param.type, TileType):
                self.findings.add(f"parameter {param.name!r} of an in-core function is a tile", param, code="PL406")
        for declared in function.return_types:
            if isinstance(declared, TileType) and declared.space is None:
                self.findings.add("a tile that is returned has no memory space in the return type", function)
        for statement in ir.statements(function):
            for var in statement.definitions():
                self._check_defined(var)
            if isinstance(statement, ir.Assign):
                self._check_assigned(statement, statement.var, statement.value)
            elif isinstance(statement, ir.Evaluate):
                self._check_evaluated(statement, statement.value)
            elif isinstance(statement, ir.Return):
                self._check_returned(function, statement)
            for phi in statement.phis():
                self._check_phi(phi, statement)

    def _check_assigned(self, stmt: ir.Assign, var: ir.Var, value: ir.Expr) -> None:
        if isinstance(value, ir.Call):
            operator = ops.find(value.op)
            if operator is not None:
                self._check_operands(operator, value, stmt)
                for each in _members(var):
                    self._check_producer(operator, each, value)
        elif isinstance(value, ir.Var):
            self._check_same(var, value, "alias")
        elif isinstance(value, ir.TupleItem) and isinstance(value.tuple, ir.Var):
            self._check_same(var, _members(value.tuple)[value.index], "item")

    def _check_evaluated(self, stmt: ir.Evaluate, value: ir.Expr) -> None:
        if isinstance(value, ir.Call):
            operator = ops.find(value.op)
            if operator is not None:
                self._check_operands(operator, value, stmt)
        elif isinstance(value, ir.FunctionCall) and _lacks_space(value.type):
            self.findings.add(f"a tile that {value.function!r} returns has no memory space", stmt)

    def _check_defined(self, var: ir.Var) -> None:
        space = _space(var)
        if space is None and _lacks_space(var.type):
            what = "tile" if isinstance(var.type, TileType) else "a tile in"
            self.findings.add(f"{what} {var.name!r} has no memory space", var)
        if space is not None and not self.routes.exists(space):
            self.findings.add(
                f"tile {var.name!r} is in {space.name}, which {self.routes.target!r} does not have", var, code="PL408"
            )

    def _check_returned(self, function: ir.Function, stmt: ir.Return) -> None:
        for value, declared in zip(stmt.values, function.return_types, strict=False):
            space, expected = _space(value), declared.space if isinstance(declared, TileType) else None
            if space is not None and expected is not None and space is not expected:
                self.findings.add(
                    f"{value!r} is in {space.name}, but declared to be returned in {expected.name}", stmt, code="PL410"
                )

    def _check_operands(self, operator: ops.Operator, call: ir.Call, stmt: ir.Stmt) -> None:
        for operand, argument in zip(operator.operands, call.args, strict=False):
            space = _space(argument) if operand.spaces else None
            if space is not None and space not in operand.spaces:
                self.findings.add(
                    f"{call.op} cannot read {operand.name!r} from {space.name}",
                    call if call.span else stmt,
                    code="PL402",
                    found=f"{argument!r} in {space.name}",
                    expected=" or ".join(allowed.name for allowed in operand.spaces),
                )
        move = operator.implicit_move
        if move is not None:
            self._check_carried(call, stmt, call.args[move.source], call.args[move.destination])

    def _check_carried(self, call: ir.Call, stmt: ir.Stmt, source: ir.Expr, target: ir.Expr) -> None:
        """What is carried into a tile goes within its space, or a way that there is."""
        space, destination = _space(source), _space(target)
        if space is None or destination is None:
            return
        if self.routes.carries(space, destination):
            self._check_transposed(source, destination, call if call.span else stmt)
            return
        if not self.routes.tolerates(space, destination):
            self.findings.add(
                f"{call.op} cannot carry a tile from {space.name} into one in {destination.name}",
                call if call.span else stmt,
                code="PL407",
                found=f"{source!r} in {space.name}, {target!r} in {destination.name}",
                expected=f"a tile in {destination.name}, or where a single move leads there from",
            )

    def _check_producer(self, operator: ops.Operator, var: ir.Var, call: ir.Call) -> None:
        space = _space(var)
        if space is None:
            return
        result = operator.result_space
        if isinstance(result, MemorySpace):
            self._check_written(var, call, (result,))
        elif isinstance(result, ops.ByKeyword):
            written = call.keywords.get("target_memory", result.default)
            self._check_written(var, call, result.choices if written in (None, space) else (written,))
            self._check_route(var, call)
        else:
            source = _shared_with(operator, call)
            if source is not None:
                self._check_same(var, source, f"result of {call.op}")

    def _check_written(self, var: ir.Var, call: ir.Call, possible: tuple[MemorySpace, ...]) -> None:
        space = cast("MemorySpace", _space(var))
        if space not in possible:
            self.findings.add(
                f"{call.op} does not write {var.name!r} to {space.name}",
                var if var.span else call,
                code="PL403",
                found=f"{var.name!r} in {space.name}",
                expected=" or ".join(each.name for each in possible),
            )

    def _check_route(self, var: ir.Var, call: ir.Call) -> None:
        """A tile that is carried from one space to another goes a way that there is."""
        source, destination = _space(call.args[0]) if call.args else None, cast("MemorySpace", _space(var))
        if source is None or self.routes.tolerates(source, destination):
            return
        if self.routes.allows(source, destination):
            self._check_transposed(call.args[0], destination, call if call.span else var)
            return
        self.findings.add(
            f"no single move leads from {source.name} to {destination.name}",
            call if call.span else var,
            code="PL407",
            found=f"{call.args[0]!r} in {source.name}, moved to {destination.name}",
        )

    def _check_transposed(self, source: ir.Expr, destination: MemorySpace, at: ir.Stmt | ir.Expr) -> None:
        space = _space(source)
        if source in self.transposed and space not in (None, destination) and self.routes.bars(space, destination):
            self.findings.add(
                f"{source!r} is a transposed view in {space.name}, which cannot be moved to "
                f"{destination.name} as it is",
                at,
                code="PL407",
                expected=f"a transposed view of the tile in {self.routes.chip.staging.name}",
                notes=[Note(f"{source!r} is defined here", source.span)],
            )

    def _check_same(self, var: ir.Var, source: ir.Expr, what: str) -> None:
        space, expected = _space(var), _space(source)
        if space is not None and expected is not None and space is not expected:
            self.findings.add(
                f"{what} {var.name!r} is in {space.name}, but {source!r} is in {expected.name}",
                var,
                code="PL410",
                notes=[Note(f"{source!r} is defined here", source.span)],
            )

    def _check_phi(self, phi: ir.Phi, stmt: ir.Stmt) -> None:
        for each in phi.incoming:
            self._check_member(phi.var, each.value, _FLOWS[each.edge])
        if phi.result is not None:
            self._check_member(phi.var, phi.result, "the result of the loop")
        if len(phi.incoming) == 2:
            one, other = [each.value for each in phi.incoming]
            # What meets in one space lies in its buffers the same way round.
            found = check_layout_agreement(phi.var, (one, one.type), (other, other.type), stmt.span)
            if found is not None and _space(one) is _space(other):
                self.findings.diagnostics.append(found)

    def _check_member(self, join: ir.Var, member: ir.Expr, what: str) -> None:
        space, other = _space(join), _space(member)
        if space is not None and other is not None and space is not other:
            self.findings.add(
                f"{join.name!r} is in {space.name}, but {what}, {member!r}, is in {other.name}",
                join,
                code="PL405",
                notes=[Note(f"{member!r} is here", member.span)],
            )


_FLOWS: Final = {
    ir.Edge.INIT: "its initial value",
    ir.Edge.YIELD: "what the body yields",
    ir.Edge.THEN: "what the then arm yields",
    ir.Edge.ELSE: "what the else arm yields",
}
"""What flows into a join, for messages."""


def _shared_with(operator: ops.Operator, call: ir.Call) -> ir.Expr | None:
    """The operand in whose space a result lives: the first tile, or the one whose storage it takes over."""
    candidates = call.args if operator.inherits else ()
    if operator.tied_operand is not None:
        candidates = (call.args[operator.tied_operand],)
    return next((argument for argument in candidates if _space(argument) is not None), None)


def _members(var: ir.Var) -> list[ir.Var]:
    """The values that a call makes: one, or each of several."""
    if not isinstance(var.type, ir.TupleType):
        return [var]
    return [ir.Var(f"{var.name}[{index}]", type_, var.span) for index, type_ in enumerate(var.type.types)]


def _lacks_space(kind: ir.Type) -> bool:
    """Whether a type is that of a tile without a space, or of several values with such a tile among them."""
    types = kind.types if isinstance(kind, ir.TupleType) else (kind,)
    return any(isinstance(each, TileType) and each.space is None for each in types)


def _space(value: ir.Expr) -> MemorySpace | None:
    return value.type.space if isinstance(value.type, TileType) else None
