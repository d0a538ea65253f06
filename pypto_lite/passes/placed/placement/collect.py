"""Reads a function once, in program order, and writes down the placement problem that it poses."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from pypto_lite import ir, ops
from pypto_lite.ir import MemorySpace, Point, TileType
from pypto_lite.passes.placed.placement.problem import (
    ALONE,
    FIXED,
    PHI,
    RETARGETABLE,
    AnnotationConstraint,
    EquivalenceClass,
    OperandConstraint,
    PhiOperand,
    Problem,
    is_tile,
)
from pypto_lite.passes.placed.placement.producers import check_producer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.analysis.routes import Routes

TILE_KINDS = frozenset({ops.OperandKind.TILE, ops.OperandKind.TILE_OR_TENSOR})

ANY_SPACE = frozenset(MemorySpace)


class TileOperand(NamedTuple):
    """An operand that can be a tile."""

    position: int
    operand: ops.Operand
    may_write: bool
    taken: bool
    """Whether the result takes over its storage."""
    transferred: bool
    """Whether it is carried to the space that the call names."""
    carried: bool
    """Whether it is carried into another operand."""


def collect(function: ir.Function, routes: Routes) -> Problem:
    """The placement problem of an in-core function in SSA form whose calls are flat."""
    return _Collector(routes).run(function)


class _Collector:
    """Visits the statements of one function."""

    def __init__(self, routes: Routes) -> None:
        self.routes = routes
        self.problem = Problem()
        self.operands: dict[str, list[TileOperand]] = {}
        self.same: dict[ir.Var, ir.Var] = {}
        """Values that are another value under a second name: aliases, and joins that only hand one value on."""

    def run(self, function: ir.Function) -> Problem:
        for point, stmt, _ in ir.program_order(function.body):
            if point is Point.STATEMENT:
                if isinstance(stmt, ir.Assign):
                    self.assign(stmt)
                elif isinstance(stmt, ir.Evaluate):
                    self.evaluate(stmt)
            elif point is Point.ENTER:
                if isinstance(stmt, ir.Loop):
                    self.enter_loop(stmt)
            elif point is Point.LEAVE:
                self.leave(stmt)
        self.settle_merged()
        self.mark_transposed_phis()
        self.turn_moves()
        self.let_creates_yield()
        return self.problem

    # Plain statements

    def assign(self, stmt: ir.Assign) -> None:
        value = stmt.value
        declared = stmt.var.type
        if isinstance(value, ir.Call):
            self.call(value, stmt)
            if isinstance(declared, TileType):
                self.produced(stmt, value, declared.space)
        elif isinstance(declared, TileType):
            if isinstance(value, ir.Var):
                self.alias(stmt, value)
            else:
                # A function's result, or an item of a tuple of results.
                self.fixed(stmt, declared.space or self.routes.chip.preference[0], None)

    def evaluate(self, stmt: ir.Evaluate) -> None:
        if isinstance(stmt.value, ir.Call):
            self.call(stmt.value, stmt)

    def alias(self, stmt: ir.Assign, source: ir.Var) -> None:
        self.problem.eclass_of[stmt.var] = self.problem.eclass(source)
        self.names_again(stmt.var, source, stmt)
        self.declared(stmt.var, _space(source), stmt)

    def names_again(self, var: ir.Var, source: ir.Var, stmt: ir.Stmt) -> None:
        """Notes that a value is another one under a second name."""
        self.problem.views[var] = (None, source)
        self.problem.follows[var] = (stmt, source)
        self.problem.same_buffer.append((var, source))
        self.same[var] = source

    def declared(self, var: ir.Var, derived: MemorySpace | None, stmt: ir.Stmt) -> None:
        """Notes a space that ``var`` does not have from what it is made from, so that somebody wrote it."""
        space = _space(var)
        if space is not None and space is not derived:
            eclass = self.problem.eclass_of[var]
            eclass.constraints.append(AnnotationConstraint(eclass, var, space, stmt))

    def produced(self, stmt: ir.Assign, call: ir.Call, declared: MemorySpace | None) -> None:
        operator = ops.find(call.op)
        if operator is not None and declared is not None:
            refused = check_producer(stmt, call, operator, declared, self.routes)
            if refused is not None:
                self.problem.refused.append(refused)
        if operator is None or operator.level is not ops.Level.TILE:
            return self.fixed(stmt, self.routes.chip.preference[0], call)
        result = operator.result_space
        if isinstance(result, MemorySpace):
            return self.fixed(stmt, result, call)
        if isinstance(result, ops.ByKeyword):
            written = call.keywords.get("target_memory", result.default)
            return self.by_keyword(stmt, call, result, written)
        source = _inherited_from(operator, call)
        if source is not None:
            return self.inherited(stmt, call, operator, source)
        known = declared if declared is not MemorySpace.DDR else None
        return self.fixed(stmt, known or self.routes.chip.preference[0], call)

    def fixed(self, stmt: ir.Assign, space: MemorySpace, call: ir.Call | None) -> None:
        self.add(EquivalenceClass(FIXED, stmt.var, stmt, ALONE[space], call))

    def by_keyword(self, stmt: ir.Assign, call: ir.Call, result: ops.ByKeyword, written: MemorySpace | None) -> None:
        if written is not None:
            return self.fixed(stmt, written, call)
        return self.add(EquivalenceClass(RETARGETABLE, stmt.var, stmt, result.domain, call))

    def inherited(self, stmt: ir.Assign, call: ir.Call, operator: ops.Operator, source: ir.Var) -> None:
        self.problem.eclass_of[stmt.var] = self.problem.eclass(source)
        self.problem.follows[stmt.var] = (call, source)
        if operator.view_of is not None and call.args[operator.view_of] is source:
            self.problem.views[stmt.var] = (call, source)
            self.problem.same_buffer.append((stmt.var, source))
        # While the first tile has no space, the type rule takes that of a later one.
        known = (space for space in map(_space, call.args) if space is not None)
        self.declared(stmt.var, next(known, None), stmt)

    def add(self, eclass: EquivalenceClass) -> None:
        self.problem.eclasses.append(eclass)
        self.problem.eclass_of[eclass.var] = eclass

    def call(self, call: ir.Call, stmt: ir.Assign | ir.Evaluate) -> None:
        """Writes down what the operands of a call ask for, and which of them it writes to."""
        operands = self.operands.get(call.op)
        if operands is None:
            operands = self.operands[call.op] = _tile_operands(call.op)
        if not operands:
            return
        problem = self.problem
        known = call in problem.uses  # one call can stand in several statements
        uses: list[OperandConstraint] = []
        args = call.args
        for position, operand, may_write, taken, transferred, carried in operands:
            argument = args[position] if position < len(args) else None
            if not isinstance(argument, ir.Var) or not isinstance(argument.type, TileType):
                continue
            overwritten = may_write and operand.effect_with(call.keywords).writes
            in_place = overwritten and not (taken and isinstance(stmt, ir.Assign))
            if overwritten:
                self.written(argument, operand, stmt, in_place)
            if known:
                continue
            eclass = problem.eclass(argument)
            if operand.spaces:
                spaces, written_move = operand.spaces, None
            elif transferred:
                written_move = _destination(call)
                spaces = self.routes.sources(written_move)
            elif carried:
                problem.implicit_moves.append(
                    OperandConstraint(eclass, argument, call, position, operand, stmt, (), False, False)
                )
                continue
            else:
                continue
            use = OperandConstraint(
                eclass, argument, call, position, operand, stmt, spaces, in_place, overwritten, written_move
            )
            uses.append(use)
            eclass.constraints.append(use)
        if not known:
            problem.uses[call] = uses

    def written(self, argument: ir.Var, operand: ops.Operand, stmt: ir.Assign | ir.Evaluate, in_place: bool) -> None:
        self.problem.writes.append((stmt, argument, operand.spaces))
        if in_place:
            self.problem.changes.append((stmt, argument))
        if isinstance(stmt, ir.Assign):
            shared = self.problem.same_buffer if in_place else self.problem.taken_over
            shared.append((stmt.var, argument))

    # Joins

    def enter_loop(self, loop: ir.Loop) -> None:
        for phi in loop.phis():
            init = phi.incoming[0].value
            if isinstance(init, ir.Var) and is_tile(phi.var):
                self.add(EquivalenceClass(PHI, phi.var, loop, ANY_SPACE))
                self.declared(phi.var, _space(init), loop)

    def leave(self, stmt: ir.Stmt) -> None:
        for phi in stmt.phis():
            first, second = [each.value for each in phi.incoming]
            if not isinstance(first, ir.Var) or not isinstance(second, ir.Var) or not is_tile(phi.var):
                continue
            if isinstance(stmt, ir.Loop):
                self.leave_loop(stmt, phi, first, second)
            else:
                self.leave_branch(stmt, phi, first, second)

    def leave_loop(self, loop: ir.Loop, phi: ir.Phi, init: ir.Var, value: ir.Var) -> None:
        carry, result = phi.var, cast("ir.Var", phi.result)
        join = self.problem.eclass_of[result] = self.problem.eclass_of[carry]
        self.declared(result, _space(carry), loop)
        if self.origin(value) in (carry, self.origin(init)):
            self.hand_on(join, init, (carry, result), loop)
            self.problem.invariant_carries[carry] = (init, loop)
        else:
            self.problem.follows[result] = (loop, carry)
            self.problem.same_buffer.append((result, carry))
            self.join(join, phi)

    def leave_branch(self, branch: ir.Stmt, phi: ir.Phi, then: ir.Var, otherwise: ir.Var) -> None:
        join = EquivalenceClass(PHI, phi.var, branch, ANY_SPACE)
        self.add(join)
        self.declared(phi.var, _space(then) if _space(then) is _space(otherwise) else None, branch)
        if self.origin(then) is self.origin(otherwise):
            self.hand_on(join, self.origin(then), (phi.var,), branch)
        else:
            self.join(join, phi)

    def hand_on(self, join: EquivalenceClass, value: ir.Var, names: Iterable[ir.Var], stmt: ir.Stmt) -> None:
        """Merges a join whose every member is one and the same value with the group of that value."""
        join.merged_into = self.problem.eclass(value)
        for var in names:
            self.names_again(var, value, stmt)

    def origin(self, var: ir.Var) -> ir.Var:
        """The value that a chain of aliases, and of joins that only hand it on, goes back to."""
        found = var
        while found in self.same:
            found = self.same[found]
        while var is not found:  # so that the next search is short
            self.same[var], var = found, self.same[var]
        return found

    def join(self, join: EquivalenceClass, phi: ir.Phi) -> None:
        """Notes what flows into a join that is a value of its own."""
        for edge, value, stmt in phi.incoming:
            var = cast("ir.Var", value)
            eclass = self.problem.eclass(var)
            self.problem.same_buffer.append((join.var, var))
            if eclass is not join:
                phi_operand = PhiOperand(eclass, join, var, edge, stmt)
                join.phi_operands = (*join.phi_operands, phi_operand)
                eclass.phi_uses.append(phi_operand)

    # What is known only at the end

    def settle_merged(self) -> None:
        """Hands what was noted about joins that only hand a value on to the group of that value."""
        problem = self.problem
        merged = [eclass for eclass in problem.eclasses if eclass.merged_into is not None]
        if not merged:
            return
        for eclass in merged:
            holder = problem.eclass(eclass.var)
            holder.constraints += eclass.constraints
            holder.phi_uses += eclass.phi_uses
            for fact in (*eclass.constraints, *eclass.phi_uses):
                fact.eclass = holder
        for use in problem.implicit_moves:
            use.eclass = problem.eclass(use.var)
        problem.eclass_of = {var: problem.eclass(var) for var in problem.eclass_of}
        problem.eclasses = [eclass for eclass in problem.eclasses if eclass.merged_into is None]

    def mark_transposed_phis(self) -> None:
        """Marks the joins that transposed views flow into, directly or through other joins."""
        pending = [
            phi_operand.phi
            for eclass in self.problem.eclasses
            for phi_operand in eclass.phi_operands
            if self.problem.natural(phi_operand.var)
        ]
        while pending:
            eclass = pending.pop()
            if not eclass.transposed:
                eclass.transposed = True
                pending += [phi_operand.phi for phi_operand in eclass.phi_uses]

    def turn_moves(self) -> None:
        """Lets the moves that the program makes itself take transposed views to the cube side from where they can."""
        for use in (use for uses in self.problem.uses.values() for use in uses):
            destination = use.written_move
            if destination is not None and self.problem.transposed(use.var):
                use.spaces = tuple(space for space in use.spaces if not self.routes.bars(space, destination))

    def let_creates_yield(self) -> None:
        """Frees creates that name a target and seed a carry: the empty tile can be made where the carry lives."""
        pending = [
            phi_operand.eclass
            for eclass in self.problem.eclasses
            for phi_operand in eclass.phi_operands
            if phi_operand.edge is ir.Edge.INIT
        ]
        seen: set[EquivalenceClass] = set()
        while pending:
            eclass = pending.pop()
            if eclass in seen:
                continue
            seen.add(eclass)
            if eclass.kind is PHI and isinstance(eclass.stmt, ir.If):
                pending += [phi_operand.eclass for phi_operand in eclass.phi_operands]
            elif eclass.kind is FIXED and eclass.creates:
                _let_yield(eclass)


def _tile_operands(op: str) -> list[TileOperand]:
    operator = ops.find(op)
    if operator is None:
        return []
    carried = None if operator.implicit_move is None else operator.implicit_move.source
    return [
        TileOperand(
            index,
            each,
            each.may_write,
            taken=operator.inherits or operator.tied_operand == index,
            transferred=operator.transfers and index == 0,
            carried=index == carried,
        )
        for index, each in enumerate(operator.operands)
        if each.kind in TILE_KINDS
    ]


def _destination(call: ir.Call) -> MemorySpace:
    """Where a transfer takes its tile."""
    result = cast("ops.ByKeyword", ops.lookup(call.op).result_space)
    return cast("MemorySpace", call.keywords.get("target_memory", result.default))


def _let_yield(eclass: EquivalenceClass) -> None:
    operator = ops.lookup(cast("ir.Call", eclass.call).op)
    eclass.kind = RETARGETABLE
    (eclass.preferred,) = eclass.domain
    eclass.domain = eclass.initial = eclass.domain | cast("ops.ByKeyword", operator.result_space).domain


def _inherited_from(operator: ops.Operator, call: ir.Call) -> ir.Var | None:
    """The operand that a result shares its space with: the first tile, or the one that it takes over."""
    candidates = call.args
    if not operator.inherits:
        candidates = () if operator.tied_operand is None else (call.args[operator.tied_operand],)
    return next((each for each in candidates if isinstance(each, ir.Var) and is_tile(each)), None)


def _space(value: ir.Expr) -> MemorySpace | None:
    return value.type.space if isinstance(value.type, TileType) else None
