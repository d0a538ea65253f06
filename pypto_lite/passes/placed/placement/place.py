"""Rewrites a function whose groups are decided: every tile gets its space, every consumer reads where it can."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from pypto_lite import ir, ops
from pypto_lite.analysis.layout_agreement import check_layout_agreement
from pypto_lite.diagnostics import Diagnostic, Note, Severity
from pypto_lite.ir import MemorySpace, TileLayout, TileType, TileView
from pypto_lite.passes.placed.placement.calls import CallMaker, move_keywords, placed_attributes, placed_expression
from pypto_lite.passes.placed.placement.conflicts import way_into_vec
from pypto_lite.passes.placed.placement.copies import Copier, Effect, Obstacle, OpenBlock, Request
from pypto_lite.passes.placed.placement.invariant_carries import InvariantCarries
from pypto_lite.passes.placed.placement.problem import (
    RETARGETABLE,
    EquivalenceClass,
    OperandConstraint,
    PhiOperand,
    Problem,
    is_tile,
)
from pypto_lite.passes.placed.placement.writes import Writes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pypto_lite.analysis.routes import Routes


StmtType = TypeVar("StmtType", bound=ir.Stmt)


class Placer:
    """Rewrites one function; ``diagnostics`` are what there is to say about it afterwards."""

    rewrites: ir.Dispatch[Callable[[Any], None]] = ir.Dispatch()

    def __init__(self, function: ir.Function, problem: Problem, routes: Routes) -> None:
        self.function = function
        self.problem = problem
        self.routes = routes
        self.writes = Writes(problem, function.body)
        self.calls = CallMaker(routes)
        self.copier = Copier(function, problem, self.writes, routes, self.calls)
        self.diagnostics: list[Diagnostic] = []
        self.placed = self.copier.placed
        self.invariant_carries = InvariantCarries(problem, self.writes)
        self._hoists = self._find_hoists()
        self._destinations: dict[tuple[MemorySpace, tuple[MemorySpace, ...]], tuple[MemorySpace, bool]] = {}
        self._body = function.body

    def run(self) -> ir.Function:
        """The function with every tile placed; the same object where nothing changes.

        Raises UserError for a call that its operator refuses now that its operands have a space.
        """
        self._push(self.function.body, (), self._finish)
        open_blocks, rewrites = self.copier.open_blocks, self.rewrites
        while open_blocks:
            open_block = open_blocks[-1]
            for stmt in open_block.remaining:
                rewrite = rewrites.get(type(stmt))
                if rewrite is None:
                    self.copier.emit(stmt, stmt)
                else:
                    rewrite(stmt)
                if open_blocks[-1] is not open_block:
                    break  # the statement has a list of its own, which comes first
            else:
                self.copier.pop()
                open_block.finish(open_block.result())
        return self.function if self._body is self.function.body else self.function.replace(body=self._body)

    def _finish(self, body: ir.Block) -> None:
        self._body = body

    def _push(
        self, block: ir.Block, joins: Sequence[EquivalenceClass | None], finish: Callable[[ir.Block], None]
    ) -> None:
        self.copier.push(OpenBlock(block, joins, finish))

    # Statements

    @rewrites.on(ir.Assign)
    def _assign(self, stmt: ir.Assign) -> None:
        var, declared = stmt.var, stmt.var.type
        eclass = self.problem.eclass_of.get(var)
        value = self._value(stmt, eclass)
        if isinstance(declared, TileType):
            assert eclass is not None
            placed = _placed(value.type, eclass.space, declared.memref)
            if declared.view is not None and value is not stmt.value:
                placed = self._with_written_layout(placed, stmt)
            if value.type != placed and not isinstance(value, ir.Var):
                value = value.replace(type=placed)
            var = self._place(var, placed)
        elif isinstance(declared, ir.TupleType):
            var = self._place(var, value.type)
        changed = var is not stmt.var or value is not stmt.value
        self.copier.emit(stmt, ir.Assign(var, value, stmt.span, stmt.comments) if changed else stmt)

    def _with_written_layout(self, placed: TileType, stmt: ir.Assign) -> TileType:
        """The type with the flat layout that an annotation names, in Vec, which takes any."""
        call, own = stmt.value, cast("TileType", stmt.var.type).effective_view
        flat = placed.space is MemorySpace.Vec and own.slayout is TileLayout.none_box
        if not flat or not isinstance(call, ir.Call) or ops.find(call.op) is None:
            return placed
        inferred = self.calls.make(call.op, call.args, call.keywords, call.attrs, call.span).type
        if not isinstance(inferred, TileType) or _layout(own) == _layout(inferred.effective_view):
            return placed
        blayout, slayout, fractal = _layout(own)
        view = placed.effective_view.replace(blayout=blayout, slayout=slayout, fractal=fractal)
        return TileType(placed.shape, placed.dtype, placed.space, view, placed.memref)

    @rewrites.on(ir.Evaluate)
    def _evaluate(self, stmt: ir.Evaluate) -> None:
        value = self._value(stmt, None)
        self.copier.emit(stmt, stmt if value is stmt.value else stmt.replace(value=value))

    @rewrites.on(ir.Return)
    def _return(self, stmt: ir.Return) -> None:
        values = self._expressions(stmt.values)
        self.copier.emit(stmt, stmt if values is stmt.values else stmt.replace(values=values))

    @rewrites.on(ir.Yield)
    def _yield(self, stmt: ir.Yield) -> None:
        values = self._joined(stmt.values, self.copier.open_blocks[-1].joins, stmt)
        self.copier.emit(stmt, stmt if values is stmt.values else stmt.replace(values=values))

    @rewrites.on(ir.For, ir.While)
    def _loop(self, stmt: ir.Loop) -> None:
        for make_copy in self._hoists.get(stmt, ()):
            make_copy()
        joins = [self._join(carry) for carry in stmt.carries]
        inits = self._joined(stmt.inits, joins, stmt)
        carries = self._place_all(stmt.carries, [init.type for init in inits])
        stale = self.writes.inside(stmt.body)
        self.copier.touch(stale)

        def finish(body: ir.Block) -> None:
            results = self._place_all(stmt.results, [carry.type for carry in carries])
            self.copier.touch(stale)
            changed = _changed(stmt, {"inits": inits, "carries": carries, "body": body, "results": results})
            self._compare(stmt, changed)
            self.copier.emit(stmt, changed)

        self._push(stmt.body, joins, finish)

    @rewrites.on(ir.If)
    def _if(self, stmt: ir.If) -> None:
        joins = [self._join(result) for result in stmt.results]
        states = self.copier.states(self.writes.inside(stmt.then_body))

        def finish_then(then_body: ir.Block) -> None:
            if stmt.else_body is None:
                finish(then_body, None)
                return
            # What the first arm writes is not written in the second.
            self.copier.restore(states)
            self._push(stmt.else_body, joins, lambda else_body: finish(then_body, else_body))

        def finish(then_body: ir.Block, else_body: ir.Block | None) -> None:
            for arm in stmt.blocks():
                self.copier.touch(self.writes.inside(arm))
            results = self._place_all(stmt.results, [value.type for value in then_body.yielded])
            changed = _changed(stmt, {"then_body": then_body, "else_body": else_body, "results": results})
            self._compare(stmt, changed)
            self.copier.emit(stmt, changed)

        self._push(stmt.then_body, joins, finish_then)

    # Values

    def _place(self, var: ir.Var, placed: ir.Type) -> ir.Var:
        """The variable with its final type."""
        result = var if var.type == placed else ir.Var(var.name, placed, var.span)
        self.placed[var] = result
        return result

    def _compare(self, stmt: ir.Stmt, placed: ir.Stmt) -> None:
        """Refuses joins whose values, named as in the function, lie the one across the other where they are placed."""
        for phi, after in zip(stmt.phis(), placed.phis(), strict=True):
            one, other = [
                (each.value, made.value.type) for each, made in zip(phi.incoming, after.incoming, strict=True)
            ]
            found = check_layout_agreement(phi.var, one, other, stmt.span)
            if found is not None:
                self.diagnostics.append(found)

    def _place_all(self, variables: tuple[ir.Var, ...], types: Iterable[ir.Type]) -> tuple[ir.Var, ...]:
        placed = [self._place(var, final) if is_tile(var) else var for var, final in zip(variables, types, strict=True)]
        return _same_or(variables, placed)

    def _join(self, var: ir.Var) -> EquivalenceClass | None:
        return self.problem.eclass(var) if is_tile(var) else None

    def _value(self, stmt: ir.Assign | ir.Evaluate, eclass: EquivalenceClass | None) -> ir.Expr:
        """What a statement assigns or evaluates; its result, if it is a tile, is of ``eclass``."""
        value = stmt.value
        return self._call(value, stmt, eclass) if isinstance(value, ir.Call) else self._expression(value)

    def _expression(self, value: ir.Expr) -> ir.Expr:
        """An expression with the final variables in it."""
        return placed_expression(value, self.placed)

    def _expressions(self, values: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
        return _same_or(values, [self._expression(value) for value in values])

    def _joined(
        self, values: tuple[ir.Expr, ...], joins: Sequence[EquivalenceClass | None], stmt: ir.Stmt
    ) -> tuple[ir.Expr, ...]:
        """The values that flow into joins: each as it is, or as its copy in the space of the join."""
        if not joins:
            return self._expressions(values)
        placed: list[ir.Expr] = []
        for value, join in zip(values, joins, strict=True):
            if join is not None and isinstance(value, ir.Var) and self.problem.space(value) is not join.space:
                phi_operand = next(each for each in join.phi_operands if each.var is value and each.stmt is stmt)
                placed.append(self._flowing(phi_operand))
            else:
                placed.append(self._expression(value))
        return _same_or(values, placed)

    def _flowing(self, phi_operand: PhiOperand) -> ir.Var:
        """A copy of a value in the space of the join that it flows into; one of its own where the join is written."""
        write = self.writes.first(phi_operand.phi.var)
        obstacles = () if write is None else (Obstacle(Effect.OWN, write, phi_operand.phi.var),)
        request = Request(phi_operand, write is not None, (*obstacles, *self._keeping_inside(phi_operand.var)))
        return self.copier.copy(self.invariant_carries.value(phi_operand.var), phi_operand.phi.space, request)

    def _keeping_inside(self, var: ir.Var) -> tuple[Obstacle, ...]:
        """A write because of which a carry that its loop only hands on is copied inside the loop all the same."""
        write = self.invariant_carries.kept_by(var)
        return () if write is None else (Obstacle(Effect.INSIDE, write, var),)

    # Calls

    def _call(self, call: ir.Call, stmt: ir.Assign | ir.Evaluate, eclass: EquivalenceClass | None) -> ir.Call:
        args = [
            self.placed.get(arg, arg) if type(arg) is ir.Var else arg if type(arg) in _LEAVES else self._expression(arg)
            for arg in call.args
        ]
        for use in self.problem.uses.get(call, ()):
            args[use.position] = self._served(use)
        keywords = self._keywords(call, args, eclass)
        if self.problem.writes:
            self.copier.touch(self.writes.at(stmt))
        placed = _same_or(call.args, args)
        attrs = placed_attributes(call.attrs, self.placed)
        if keywords is call.keywords and placed is call.args and attrs is call.attrs:
            return call
        if ops.find(call.op) is None:
            return call.replace(args=placed, attrs=attrs)
        return self.calls.make(call.op, placed, keywords, attrs, call.span or stmt.span)

    def _keywords(self, call: ir.Call, args: Sequence[ir.Expr], eclass: EquivalenceClass | None) -> Mapping[str, Any]:
        """The keywords of a call, with the space that was chosen for it, or the layout that its new source asks for."""
        if call.op == ops.MOVE.name:
            needed = move_keywords(args[0], call.keywords["target_memory"], self.routes)
            return call.keywords if needed.keys() <= call.keywords.keys() else {**needed, **call.keywords}
        if eclass is None or eclass.kind is not RETARGETABLE or eclass.call is not call:
            return call.keywords
        written = call.keywords.get("target_memory")
        if written is eclass.space:
            return call.keywords
        if written is not None:
            self.diagnostics.append(_yielded_target(eclass, written))
        return {**call.keywords, "target_memory": eclass.space}

    def _served(self, use: OperandConstraint) -> ir.Var:
        """The operand where its operator can read it: the tile itself, or a copy."""
        space = use.eclass.space
        if space in use.spaces:
            if use.written_move is not None and not self.routes.allows(space, use.written_move):
                self._warn(use, space, use.written_move)
            return self.placed[use.var]
        return self._copied(use)

    def _copied(self, use: OperandConstraint) -> ir.Var:
        """A copy for an operand: of itself, or of what the carry that it is only holds."""
        var, obstacles = use.var, ()
        space = use.eclass.space
        destination, exists = self._destination(space, use.spaces)
        known = len(self.copier.insertions)
        if self.problem.invariant_carries:
            var, obstacles = self.invariant_carries.value(var), self._keeping_inside(var)
        copied = self.copier.copy(var, destination, Request(use, use.overwritten, obstacles))
        if not exists and len(self.copier.insertions) != known:
            self._warn(use, space, destination)
        return copied

    def _warn(self, use: OperandConstraint, space: MemorySpace, destination: MemorySpace) -> None:
        way = way_into_vec(use.eclass)
        self.diagnostics.append(_impossible_move(use, space, destination, way))

    def _destination(self, space: MemorySpace, wanted: tuple[MemorySpace, ...]) -> tuple[MemorySpace, bool]:
        """The preferred one of the spaces that an operator reads from, of those that can be reached; and whether one
        can."""
        found = self._destinations.get((space, wanted))
        if found is None:
            image = next((each for each in wanted if self.routes.chain(space, each) is not None), None)
            found = (wanted[0], False) if image is None else (image, True)
            self._destinations[space, wanted] = found
        return found

    def _find_hoists(self) -> dict[ir.Stmt, list[Callable[[], ir.Var]]]:
        """For each loop: what makes the copies that are made in front of it, for its body.

        A carry that every iteration passes on unchanged is copied once, in front of its loop.
        """
        hoists: dict[ir.Stmt, list[Callable[[], ir.Var]]] = {}
        if not self.problem.invariant_carries:
            return hoists
        for use in (use for uses in self.problem.uses.values() for use in uses):
            loop = self.invariant_carries.loop(use.var)
            if loop is not None and not use.overwritten and use.eclass.space not in use.spaces:
                hoists.setdefault(loop, []).append(partial(self._copied, use))
        for phi_operand in (phi_operand for eclass in self.problem.eclasses for phi_operand in eclass.phi_operands):
            loop = self.invariant_carries.loop(phi_operand.var)
            moved = phi_operand.eclass.space is not phi_operand.phi.space
            if loop is not None and moved and self.writes.buffer(phi_operand.phi.var) is None:
                hoists.setdefault(loop, []).append(partial(self._flowing, phi_operand))
        return hoists


_LEAVES: Final = frozenset({ir.Const, ir.MakeTuple})
"""The operands in which no tile stands."""


def _changed(stmt: StmtType, fields: dict[str, Any]) -> StmtType:
    """The statement with these fields; the same object where they are what they were."""
    same = all(getattr(stmt, field) is value for field, value in fields.items())
    return stmt if same else stmt.replace(**fields)


def _layout(view: TileView) -> tuple[TileLayout, TileLayout, int]:
    return view.blayout, view.slayout, view.fractal


def _placed(made: ir.Type, space: MemorySpace, memref: ir.MemRef | None) -> TileType:
    """The type of a tile that is made so, in its space and its declared allocation."""
    assert isinstance(made, TileType)
    if made.space is space and made.memref is memref:
        return made
    return TileType(made.shape, made.dtype, space, made.view, memref)


def _same_or(before: tuple[Any, ...], after: Sequence[Any]) -> tuple[Any, ...]:
    """``before`` where nothing changed, so that unchanged statements stay the same objects."""
    changed = tuple(after)
    return before if changed == before else changed


def _yielded_target(eclass: EquivalenceClass, written: MemorySpace) -> Diagnostic:
    return Diagnostic(
        "PL413",
        f"{eclass.var.name!r} is created in {eclass.space.name}, where the loop that it seeds carries it, not in "
        f"{written.name} as written",
        eclass.stmt.span,
        severity=Severity.NOTE,
        hint="leave out target_memory, or write the space of the carry",
    )


def _impossible_move(use: OperandConstraint, space: MemorySpace, destination: MemorySpace, way: str) -> Diagnostic:
    reads = "moves it to" if use.written_move is not None else "reads it from"
    return Diagnostic(
        "PL407",
        f"{use.var.name!r} lives in {space.name}, and {use.call.op} {reads} {destination.name}: no chip can make this "
        "move",
        use.span,
        severity=Severity.WARNING,
        notes=[Note(f"{use.var.name!r} is defined here", use.var.span)],
        hint=f"{way}; with a target this is an error",
    )
