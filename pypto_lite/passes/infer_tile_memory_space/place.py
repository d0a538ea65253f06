"""Rewrites a function whose groups are decided: every tile gets its space, every consumer reads where it can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pypto_lite import ir, ops
from pypto_lite.diagnostics import Diagnostic, Note, Severity, Span
from pypto_lite.ir import MemorySpace, TileType
from pypto_lite.passes.decisions import Cause
from pypto_lite.passes.infer_tile_memory_space.copies import Copier, Frame, move_keywords
from pypto_lite.passes.infer_tile_memory_space.problem import Group, Kind, Problem, Use, is_tile, last_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pypto_lite.passes.routes import Routes


class Placer:
    """Rewrites one function. ``decisions`` and ``diagnostics`` are what there is to say about it afterwards."""

    def __init__(self, function: ir.Function, problem: Problem, routes: Routes) -> None:
        self.function = function
        self.problem = problem
        self.routes = routes
        self.copier = Copier(function, problem, routes)
        self.diagnostics: list[Diagnostic] = []
        self.placed = self.copier.placed
        self._hoists = self._find_hoists()
        self._body = function.body
        self._rewrites: dict[type[ir.Stmt], Callable[[Any], None]] = {
            ir.Assign: self._assign,
            ir.Evaluate: self._evaluate,
            ir.Return: self._return,
            ir.Yield: self._yield,
            ir.For: self._loop,
            ir.While: self._loop,
            ir.If: self._if,
        }

    def run(self) -> ir.Function:
        """The function with every tile placed; the same object where nothing changes."""
        frames = self.copier.frames
        self._push(self.function.body, (), self._finish)
        while frames:
            frame = frames[-1]
            if frame.position == len(frame.block.statements):
                frames.pop()
                frame.finish(frame.result())
                continue
            stmt = frame.block.statements[frame.position]
            frame.position += 1
            rewrite = self._rewrites.get(type(stmt))
            if rewrite is None:
                self.copier.emit(stmt, stmt)
            else:
                rewrite(stmt)
        return self.function if self._body is self.function.body else self.function.replace(body=self._body)

    def _finish(self, body: ir.Block) -> None:
        self._body = body

    def _push(self, block: ir.Block, joins: Sequence[Group | None], finish: Callable[[ir.Block], None]) -> None:
        self.copier.frames.append(Frame(block, joins, finish))

    def _emit(self, stmt: ir.Stmt, **changes: Any) -> None:
        """Passes a statement on, with those of its fields changed that became other objects."""
        changed = any(getattr(stmt, field) is not value for field, value in changes.items())
        self.copier.emit(stmt, stmt.replace(**changes) if changed else stmt)

    # Statements

    def _assign(self, stmt: ir.Assign) -> None:
        value = self._call(stmt.value, stmt) if isinstance(stmt.value, ir.Call) else self._expression(stmt.value)
        if not isinstance(stmt.var.type, TileType):
            return self._emit(stmt, value=value)
        placed = cast("TileType", value.type).replace(space=self.problem.space(stmt.var), memref=stmt.var.type.memref)
        if isinstance(value, ir.Call) and value.type != placed:
            value = value.replace(type=placed)
        return self._emit(stmt, var=self._place(stmt.var, placed), value=value)

    def _evaluate(self, stmt: ir.Evaluate) -> None:
        value = self._call(stmt.value, stmt) if isinstance(stmt.value, ir.Call) else self._expression(stmt.value)
        self._emit(stmt, value=value)

    def _return(self, stmt: ir.Return) -> None:
        self._emit(stmt, values=self._expressions(stmt.values))

    def _yield(self, stmt: ir.Yield) -> None:
        self._emit(stmt, values=self._joined(stmt.values, self.copier.frames[-1].joins, stmt.span))

    def _loop(self, stmt: ir.For | ir.While) -> None:
        for value, destination, cause in self._hoists.get(stmt, ()):
            self.copier.copy(value, destination, cause)
        joins = [self._join(carry) for carry in stmt.carries]
        inits = self._joined(stmt.inits, joins, stmt.span)
        carries = self._place_all(stmt.carries, [init.type for init in inits])
        stale = self.problem.written.get(stmt.body, frozenset())
        self.copier.touch(stale)

        def finish(body: ir.Block) -> None:
            results = self._place_all(stmt.results, [carry.type for carry in carries])
            self.copier.touch(stale)
            self._emit(stmt, inits=inits, carries=carries, body=body, results=results)

        self._push(stmt.body, joins, finish)

    def _if(self, stmt: ir.If) -> None:
        joins = [self._join(result) for result in stmt.results]
        states = dict(self.copier.states)

        def finish_then(then_body: ir.Block) -> None:
            if stmt.else_body is None:
                finish(then_body, None)
                return
            # What the first arm writes is not written in the second.
            self.copier.states = dict(states)
            self._push(stmt.else_body, joins, lambda else_body: finish(then_body, else_body))

        def finish(then_body: ir.Block, else_body: ir.Block | None) -> None:
            for arm in stmt.blocks():
                self.copier.touch(self.problem.written.get(arm, ()))
            results = self._place_all(stmt.results, [value.type for value in last_values(then_body)])
            self._emit(stmt, then_body=then_body, else_body=else_body, results=results)

        self._push(stmt.then_body, joins, finish_then)

    # Values

    def _place(self, var: ir.Var, placed: ir.Type) -> ir.Var:
        """The variable with its final type."""
        result = var if var.type == placed else ir.Var(var.name, placed, var.span)
        self.placed[var] = result
        return result

    def _place_all(self, variables: tuple[ir.Var, ...], types: Iterable[ir.Type]) -> tuple[ir.Var, ...]:
        placed = [self._place(var, final) if is_tile(var) else var for var, final in zip(variables, types, strict=True)]
        return _same_or(variables, placed)

    def _join(self, var: ir.Var) -> Group | None:
        return self.problem.group(var) if is_tile(var) else None

    def _expression(self, value: ir.Expr) -> ir.Expr:
        """An expression with the final variables in it."""
        if isinstance(value, ir.Var):
            return self.placed.get(value, value)
        if isinstance(value, (ir.Call, ir.FunctionCall, ir.Submit, ir.TupleItem)):
            operands = self._expressions(value.operands())
            return value if operands is value.operands() else value.rebuild(operands)
        return value

    def _expressions(self, values: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
        return _same_or(values, [self._expression(value) for value in values])

    def _joined(self, values: tuple[ir.Expr, ...], joins: Sequence[Group | None], span: Span) -> tuple[ir.Expr, ...]:
        """The values that flow into joins: each as it is, or as its copy in the space of the join."""
        if not joins:
            return self._expressions(values)
        placed: list[ir.Expr] = []
        for value, join in zip(values, joins, strict=True):
            if join is not None and isinstance(value, ir.Var) and self.problem.space(value) is not join.space:
                cause = Cause(f"it flows into {join.var.name!r}, which lives in {join.space.name}", span, join.var)
                # A copy of its own where the join's buffer is written to: others must not see that.
                fresh = value in self.problem.storage
                placed.append(self.copier.copy(value, join.space, cause, fresh=fresh))
            else:
                placed.append(self._expression(value))
        return _same_or(values, placed)

    # Calls

    def _call(self, call: ir.Call, stmt: ir.Stmt) -> ir.Call:
        uses = self.problem.uses.get(call, ())
        args = [self._expression(argument) for argument in call.args]
        for use in uses:
            args[use.operand.index] = self._served(use)
        keywords = self._keywords(call, args, stmt)
        for use in uses:
            if use.in_place and use.var in self.problem.storage:
                self.copier.touch((self.problem.storage[use.var],))
        if keywords is call.keywords and all(a is b for a, b in zip(args, call.args, strict=True)):
            return call
        return ops.call(call.op, args, keywords, attrs=call.attrs, span=call.span)

    def _keywords(self, call: ir.Call, args: Sequence[ir.Expr], stmt: ir.Stmt) -> Mapping[str, Any]:
        """The keywords of a call, with the space that was chosen for it, or the layout that its new source asks for."""
        if call.op == "tile.move":
            return {**move_keywords(args[0], call.keywords["target_memory"]), **call.keywords}
        group = self.problem.group_of.get(stmt.var) if isinstance(stmt, ir.Assign) else None
        if group is None or group.kind is not Kind.RETARGETABLE or group.call is not call:
            return call.keywords
        written = call.keywords.get("target_memory")
        if written is group.space:
            return call.keywords
        if written is not None:
            self.diagnostics.append(_yielded_target(group, written))
        return {**call.keywords, "target_memory": group.space}

    def _served(self, use: Use) -> ir.Var:
        """The operand where its operator can read it: the tile itself, or a copy."""
        space = self.problem.space(use.var)
        if space in use.spaces:
            return self.placed[use.var]
        destination = self._destination(use)
        if self.routes.chain(space, destination) is None:
            self.diagnostics.append(_impossible_move(use, space, destination))
        return self.copier.copy(self._copied(use), destination, _use_cause(use))

    def _destination(self, use: Use) -> MemorySpace:
        """The preferred one of the spaces that an operator reads from, of those that can be reached."""
        space = self.problem.space(use.var)
        reachable = [wanted for wanted in use.spaces if self.routes.chain(space, wanted) is not None]
        return reachable[0] if reachable else use.spaces[0]

    # A carry that every iteration passes on unchanged is copied once, in front of its loop.

    def _copied(self, use: Use) -> ir.Var:
        held = self._held(use)
        return held[0] if held is not None else use.var

    def _held(self, use: Use) -> tuple[ir.Var, ir.Stmt] | None:
        held = self.problem.held_value(use.var)
        if held is None:
            return None
        written = self.problem.written.get(held[1].blocks()[0], ())
        return None if self.problem.storage.get(held[0]) in written else held

    def _find_hoists(self) -> dict[ir.Stmt, list[tuple[ir.Var, MemorySpace, Cause]]]:
        """For each loop: the values it only holds of which its body needs copies."""
        hoists: dict[ir.Stmt, list[tuple[ir.Var, MemorySpace, Cause]]] = {}
        if not self.problem.held:
            return hoists
        for uses in self.problem.uses.values():
            for use in uses:
                held = self._held(use)
                if held is not None and self.problem.space(use.var) not in use.spaces:
                    entry = (held[0], self._destination(use), _use_cause(use))
                    hoists.setdefault(held[1], []).append(entry)
        return hoists


def _same_or(before: tuple[Any, ...], after: Sequence[Any]) -> tuple[Any, ...]:
    """``before`` where nothing changed, so that unchanged statements stay the same objects."""
    return before if all(a is b for a, b in zip(before, after, strict=True)) else tuple(after)


def _use_cause(use: Use) -> Cause:
    wanted = " or ".join(space.name for space in use.spaces)
    return Cause(f"{use.call.op} reads {use.operand.name!r} from {wanted}", use.span, use.var)


def _yielded_target(group: Group, written: MemorySpace) -> Diagnostic:
    return Diagnostic(
        "PL409",
        f"{group.var.name!r} is created in {group.space.name}, where the loop that it seeds carries it, not in "
        f"{written.name} as written",
        group.stmt.span,
        severity=Severity.NOTE,
        hint="leave out target_memory, or write the space of the carry",
    )


def _impossible_move(use: Use, space: MemorySpace, destination: MemorySpace) -> Diagnostic:
    return Diagnostic(
        "PL407",
        f"{use.var.name!r} lives in {space.name}, and {use.call.op} reads it from {destination.name}: no chip can "
        "make this move",
        use.span,
        severity=Severity.WARNING,
        notes=[Note(f"{use.var.name!r} is defined here", use.var.span)],
        hint="load the tile without target_memory, or once more into Vec; with a target this is an error",
    )
