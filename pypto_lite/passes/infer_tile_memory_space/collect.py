"""Reads a function once, in program order, and writes down the placement problem that it poses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, cast

from pypto_lite import ir, ops
from pypto_lite.ir import MemorySpace, TileType
from pypto_lite.passes.infer_tile_memory_space.problem import (
    JOIN_SPACES,
    Group,
    Kind,
    Member,
    Problem,
    Role,
    Use,
    last_values,
)
from pypto_lite.passes.infer_tile_memory_space.storage import Storages

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.passes.routes import Routes

TRANSFERS = frozenset({"tile.move", "tile.extract"})
"""The operators that carry a tile from one space to another."""

Steps: TypeAlias = "list[tuple[Callable[[Any, Steps], None], ir.Stmt]]"
"""What is still to do, the next step last: a method of the collector and the statement that it gets."""


def collect(function: ir.Function, routes: Routes) -> Problem:
    """The placement problem of an in-core function in SSA form whose calls are flat."""
    return _Collector(routes).run(function)


class _Collector:
    """Visits statements with an explicit stack: an entry is a step to do, with the statement it belongs to."""

    def __init__(self, routes: Routes) -> None:
        self.routes = routes
        self.problem = Problem()
        self.storages = Storages()
        self.same: dict[ir.Var, ir.Var] = {}
        """Values that are another value under a second name: aliases, and carries and results that only hold it."""

    def run(self, function: ir.Function) -> Problem:
        stack: Steps = [(self.block, function.body)]
        while stack:
            step, stmt = stack.pop()
            step(stmt, stack)
        self.settle_merged()
        self.problem.storage, self.problem.written = self.storages.result(function.body)
        return self.problem

    def settle_merged(self) -> None:
        """Hands what was noted about carries that only hold a value to the group of that value."""
        problem = self.problem
        for group in problem.groups:
            if group.merged_into is not None:
                holder = problem.group(group.var)
                holder.uses += group.uses
                holder.feeds += group.feeds
                for member in group.feeds:
                    member.group = holder
        problem.groups = [group for group in problem.groups if group.merged_into is None]

    def block(self, stmt: ir.Block, stack: Steps) -> None:
        enter: dict[type[ir.Stmt], Callable[[Any, Steps], None]] = {
            ir.Assign: self.assign,
            ir.Evaluate: self.evaluate,
            ir.For: self.enter_loop,
            ir.While: self.enter_loop,
            ir.If: self.enter_if,
        }
        for inner in reversed(stmt.statements):
            step = enter.get(type(inner))
            if step is not None:
                stack.append((step, inner))

    # Plain statements

    def assign(self, stmt: ir.Assign, stack: Steps) -> None:
        value = stmt.value
        if isinstance(value, ir.Call):
            self.call(value, stmt)
        if not isinstance(stmt.var.type, TileType):
            return
        if isinstance(value, ir.Var):
            self.alias(stmt.var, value)
        elif isinstance(value, ir.Call):
            self.produced(stmt, value)
        else:
            # A function's result, or an item of a tuple of results: in Vec, unless its type says otherwise.
            self.fixed(stmt, stmt.var.type.space or MemorySpace.Vec, None)

    def evaluate(self, stmt: ir.Evaluate, stack: Steps) -> None:
        if isinstance(stmt.value, ir.Call):
            self.call(stmt.value, stmt)

    def alias(self, var: ir.Var, source: ir.Var) -> None:
        problem = self.problem
        problem.group_of[var] = problem.group(source)
        problem.views[var] = (None, source)
        self.same[var] = source
        self.storages.share(var, source)

    def produced(self, stmt: ir.Assign, call: ir.Call) -> None:
        operator = ops.find(call.op)
        if operator is None or not call.op.startswith("tile."):
            return self.fixed(stmt, MemorySpace.Vec, call)
        result = operator.result_space
        if isinstance(result, MemorySpace):
            return self.fixed(stmt, result, call)
        if operator.inherits:
            source = _first_tile(call)
            if source is not None:
                return self.inherited(stmt.var, call, operator, source)
        if isinstance(result, ops.ByKeyword):
            written = call.keywords.get("target_memory", result.default)
            return self.by_keyword(stmt, call, result, written)
        space = cast("TileType", stmt.var.type).space
        return self.fixed(stmt, space if space not in (None, MemorySpace.DDR) else MemorySpace.Vec, call)

    def fixed(self, stmt: ir.Assign, space: MemorySpace, call: ir.Call | None) -> None:
        self.add(Group(Kind.FIXED, stmt.var, stmt, frozenset({space}), call))

    def by_keyword(self, stmt: ir.Assign, call: ir.Call, result: ops.ByKeyword, written: MemorySpace | None) -> None:
        if written is not None:
            return self.fixed(stmt, written, call)
        return self.add(Group(Kind.RETARGETABLE, stmt.var, stmt, frozenset(result.choices) & JOIN_SPACES, call))

    def inherited(self, var: ir.Var, call: ir.Call, operator: ops.Operator, source: ir.Var) -> None:
        self.problem.group_of[var] = self.problem.group(source)
        if operator.view_of is not None and call.args[operator.view_of] is source:
            self.problem.views[var] = (call, source)
            self.storages.share(var, source)

    def add(self, group: Group) -> None:
        self.problem.groups.append(group)
        self.problem.group_of[group.var] = group

    def call(self, call: ir.Call, stmt: ir.Stmt) -> None:
        """Writes down what the operands of a call ask for."""
        operator = ops.find(call.op)
        if operator is None:
            return
        for operand, argument in zip(operator.operands, call.args, strict=False):
            if not isinstance(argument, ir.Var) or not isinstance(argument.type, TileType):
                continue
            in_place = operand.effect is not ops.Effect.READ and operator.reuses != operand.index
            if in_place and not operator.inherits:
                self.storages.write(argument, stmt)
            spaces = operand.spaces or self.transfer_sources(call, operator, operand)
            if spaces:
                use = Use(argument, call, operand, stmt, spaces, in_place)
                self.problem.group(argument).uses.append(use)
                self.problem.uses.setdefault(call, []).append(use)

    def transfer_sources(self, call: ir.Call, operator: ops.Operator, operand: ops.Operand) -> tuple[MemorySpace, ...]:
        """From where a written move can be made in one step; for other operators nothing is asked."""
        result = operator.result_space
        if operand.index != 0 or call.op not in TRANSFERS or not isinstance(result, ops.ByKeyword):
            return ()
        destination = call.keywords.get("target_memory", result.default)
        ordered = (MemorySpace.Mat, MemorySpace.Vec, MemorySpace.Acc)
        return (*[space for space in ordered if self.routes.allows(space, destination)], destination)

    # Joins

    def enter_loop(self, stmt: ir.For | ir.While, stack: Steps) -> None:
        for carry, init in zip(stmt.carries, stmt.inits, strict=True):
            if isinstance(init, ir.Var) and isinstance(carry.type, TileType):
                join = Group(Kind.JOIN, carry, stmt, JOIN_SPACES)
                self.add(join)
                self.storages.share(carry, init)
                self.join(join, init, Role.INIT, stmt)
        stack.append((self.leave_loop, stmt))
        stack.append((self.block, stmt.body))

    def leave_loop(self, stmt: ir.For | ir.While, stack: Steps) -> None:
        yielded = last_values(stmt.body)
        for index, (carry, result) in enumerate(zip(stmt.carries, stmt.results, strict=True)):
            if carry not in self.problem.group_of:
                continue
            value = yielded[index]
            join = self.problem.group_of[carry]
            self.problem.group_of[result] = join
            self.storages.share(result, carry)
            init = stmt.inits[index]
            if isinstance(value, ir.Var):
                self.storages.share(value, carry)
                if self.origin(value) is carry and isinstance(init, ir.Var):
                    self.hold(stmt, join, carry, result, init)
                else:
                    self.join(join, value, Role.YIELD, stmt.body.statements[-1])

    def hold(self, stmt: ir.Stmt, join: Group, carry: ir.Var, result: ir.Var, init: ir.Var) -> None:
        """Joins a carry that only holds its initial value with the group of that value."""
        for member in join.members:
            member.group.feeds.remove(member)
        join.merged_into = self.problem.group(init)
        self.same[carry] = self.same[result] = init
        self.problem.held[carry] = (init, stmt)

    def origin(self, var: ir.Var) -> ir.Var:
        """The value that a chain of aliases, and of loops that only hold it, goes back to."""
        while var in self.same:
            var = self.same[var]
        return var

    def enter_if(self, stmt: ir.If, stack: Steps) -> None:
        stack.append((self.leave_if, stmt))
        if stmt.else_body is not None:
            stack.append((self.block, stmt.else_body))
        stack.append((self.block, stmt.then_body))

    def leave_if(self, stmt: ir.If, stack: Steps) -> None:
        if not stmt.results or stmt.else_body is None:
            return
        arms = ((stmt.then_body, Role.THEN), (stmt.else_body, Role.ELSE))
        for index, result in enumerate(stmt.results):
            if not isinstance(result.type, TileType):
                continue
            join = Group(Kind.JOIN, result, stmt, JOIN_SPACES)
            self.add(join)
            for arm, role in arms:
                value = last_values(arm)[index]
                if isinstance(value, ir.Var):
                    self.storages.share(value, result)
                    self.join(join, value, role, arm.statements[-1])

    def join(self, join: Group, value: ir.Var, role: Role, stmt: ir.Stmt) -> None:
        group = self.problem.group(value)
        if group is join:
            return
        if role is Role.INIT:
            _let_create_yield(group)
        member = Member(group, join, value, role, stmt)
        join.members.append(member)
        group.feeds.append(member)


def _let_create_yield(group: Group) -> None:
    """Frees a create that names a target and seeds a carry: the empty buffer can be made where the carry lives."""
    call = group.call
    operator = ops.find(call.op) if call is not None else None
    if group.kind is Kind.FIXED and call is not None and call.op == "tile.create" and operator is not None:
        result = cast("ops.ByKeyword", operator.result_space)
        group.kind = Kind.RETARGETABLE
        group.preferred = group.space
        group.domain = group.initial = group.domain | (frozenset(result.choices) & JOIN_SPACES)


def _first_tile(call: ir.Call) -> ir.Var | None:
    for argument in call.args:
        if isinstance(argument, ir.Var) and isinstance(argument.type, TileType):
            return argument
    return None
