"""Phase 4: keeps loop-invariant matmul operands resident in Mat.

A load that carries the compiler's private mark is moved in front of its loop when nothing can change what it reads. Two
shapes are recognised. An *exact chain* ``load -> transpose_view* -> move or extract`` into Left or Right, each value
with its one use, moves as a whole. A *panel* whose every use leads through transposed views and moves or extracts
into matching matmul operands moves alone, and what stages it into Left and Right stays. A chain moves out of one loop
at a time. The mark is consumed on every load, moved or not; each load that stays keeps the rule that forbade it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pypto_lite import ir, ops
from pypto_lite.analysis.accesses import tile_accesses
from pypto_lite.analysis.footprint import allocations, owners, tile_bytes
from pypto_lite.analysis.loops import Inventory, Occurrence
from pypto_lite.analysis.records import Cause, Decision
from pypto_lite.ir import ForKind, MemorySpace
from pypto_lite.passes.placed.placement.provenance import Provenance, Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.targets import Target

MARK: Final = "bridge_load"
"""The call attribute of loads that the compiler made to bring a tensor operand to the cube core."""

STAGED: Final = (MemorySpace.Mat, MemorySpace.Left, MemorySpace.Right)
"""The spaces whose capacity a resident operand can exhaust."""


class Outcome(NamedTuple):
    """The functions after the phase, and what was decided about each marked load."""

    functions: list[ir.Function]
    decisions: list[Decision]


def keep_resident(program: ir.Program, functions: Sequence[ir.Function], target: Target | None) -> Outcome:
    """Moves marked loads of the placed ``functions`` of ``program`` out of loops where that is provably right."""
    outcome = Outcome([], [])
    provenance: Provenance | None = None
    for function in functions:
        marked = _marked_loads(function) if function.type.is_in_core else {}
        if marked:
            provenance = provenance or Provenance(program)
            candidates = [var for var, mark in marked.items() if mark]
            function = _Residency(_without_marks(function), provenance, target).run(candidates, outcome.decisions)
        outcome.functions.append(function)
    return outcome


def _marked_loads(function: ir.Function) -> dict[ir.Var, Any]:
    """What is loaded by calls that carry the mark, and what each mark says."""
    return {
        node.var: node.value.attrs[MARK]
        for node in ir.statements(function)
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Call) and MARK in node.value.attrs
    }


def _without_marks(function: ir.Function) -> ir.Function:
    def consume(call: ir.Call) -> ir.Call:
        if MARK not in call.attrs:
            return call
        return call.replace(attrs={name: value for name, value in call.attrs.items() if name != MARK})

    return ir.rewrite(function, {ir.Call: consume})


class _Residency:
    """The analysis of one function; its loops are looked at as they were before anything moved."""

    def __init__(self, function: ir.Function, provenance: Provenance, target: Target | None) -> None:
        self.function = function
        self.provenance = provenance
        self.target = target
        self.inventory = Inventory(function)
        self.owners = owners(tile_accesses(function))
        self.capacity_refusal = self._refuse_capacity()
        self.replicated = self._replicated_spaces()

    def run(self, marked: Sequence[ir.Var], decisions: list[Decision]) -> ir.Function:
        """The function with those of the marked loads moved that can be."""
        moves: dict[ir.Var, list[ir.Assign]] = {}
        for var in marked:
            place = self.inventory.places[var]
            if place.loop is None and not place.conditional:
                continue  # it stands outside all loops already
            chain = self._movable(var)
            if isinstance(chain, Refusal):
                decisions.append(
                    Decision(f"hoist-declined:{chain.rule}", var, None, (Cause(chain.message, chain.span),))
                )
                continue
            loop = place.loop
            assert isinstance(loop, ir.For)
            moves.setdefault(loop.var, []).extend(chain)
            cause = Cause("every iteration reads the same window, which nothing writes meanwhile", loop.span, loop.var)
            decisions += [Decision("hoisted", stmt.var, None, (cause,)) for stmt in chain]
        return self._moved(moves) if moves else self.function

    def _moved(self, moves: dict[ir.Var, list[ir.Assign]]) -> ir.Function:
        leaving = {stmt.var for chain in moves.values() for stmt in chain}

        def leave(stmt: ir.Assign) -> ir.Stmt | tuple[ir.Stmt, ...]:
            return () if stmt.var in leaving else stmt

        def precede(loop: ir.For) -> ir.Stmt | tuple[ir.Stmt, ...]:
            if loop.var not in moves:
                return loop
            chain = sorted(moves[loop.var], key=lambda stmt: self.inventory.places[stmt.var].number)
            return (*chain, loop)

        return ir.rewrite(self.function, {ir.Assign: leave, ir.For: precede})

    # The rules

    def _movable(self, var: ir.Var) -> list[ir.Assign] | Refusal:
        """The statements that move with a marked load, in order; or the rule that forbids it."""
        stmt = self.inventory.assigns[var]
        refusal = self._refuse_loop(var) or self._refuse_source(stmt) or self._refuse_invariance(stmt)
        refusal = refusal or self._refuse_prefix(var) or self.capacity_refusal
        if refusal is not None:
            return refusal
        exact = self._exact_chain(stmt)
        if exact is not None:
            return exact
        return self._refuse_panel(var) or self._refuse_replication((MemorySpace.Mat,), stmt) or [stmt]

    def _refuse_loop(self, var: ir.Var) -> Refusal | None:
        place = self.inventory.places[var]
        loop, span = place.loop, self.inventory.assigns[var].span
        if place.conditional:
            return Refusal("conditional-load", f"{var.name!r} is loaded in a branch", span)
        if not isinstance(loop, ir.For) or loop.kind is not ForKind.Sequential:
            kind = loop.kind.name.lower() if isinstance(loop, ir.For) else "while"
            return Refusal("loop-not-sequential", f"the loop around {var.name!r} is a {kind} loop", span)
        bounds = (loop.start, loop.stop, loop.step)
        start, stop, step = (bound.value if isinstance(bound, ir.Const) else None for bound in bounds)
        if start is None or stop is None or step is None:
            return Refusal("loop-bounds-not-constant", "a bound of the loop is not a constant", loop.span)
        if step <= 0:
            return Refusal("loop-step-not-positive", f"the step of the loop is {step}", loop.span)
        if start >= stop:
            return Refusal("loop-does-not-run", "the loop has no iteration", loop.span)
        effect = self.inventory.ordering_effect(loop)
        if effect is not None:
            return Refusal("ordering-effect", f"{effect!r} in the loop may order memory accesses", effect.span)
        return None

    def _refuse_source(self, stmt: ir.Assign) -> Refusal | None:
        call = stmt.value
        assert isinstance(call, ir.Call)
        operator = ops.find(call.op)
        source = call.args[0] if operator is not None and operator.loads else None
        if not isinstance(source, ir.Var) or source not in self.function.params:
            return Refusal("source-not-a-parameter", f"{stmt.var.name!r} is not loaded from a parameter", stmt.span)
        if _space(stmt.var) is not MemorySpace.Mat:
            return Refusal("not-in-mat", f"{stmt.var.name!r} is not loaded into Mat", stmt.span)
        return self.provenance.refuse(self.function, source)

    def _refuse_invariance(self, stmt: ir.Assign) -> Refusal | None:
        loop = self.inventory.places[stmt.var].loop
        assert loop is not None
        variant = self.inventory.variant_in(loop, stmt.value)
        if variant is not None:
            message = f"{stmt.var.name!r} depends on {variant.name!r}, which the loop changes"
            return Refusal("loop-variant", message, variant.span)
        return None

    def _refuse_prefix(self, var: ir.Var) -> Refusal | None:
        place = self.inventory.places[var]
        assert place.loop is not None
        closing = self.inventory.closing_statement(place.loop)
        if closing is not None and closing.position < place.position:
            return Refusal("prefix-closed", f"{closing.stmt!r} stands before {var.name!r}", closing.stmt.span)
        return None

    def _refuse_capacity(self) -> Refusal | None:
        """Why there may be no room: judged for the whole function, as if every allocation were live at once."""
        for node in ir.walk(self.function.body):
            if isinstance(node, ir.Call) and _reserves(node):
                return Refusal("reserved-buffer", "the function reserves a buffer of its own", node.span)
        if self.target is None:
            return Refusal("capacity-unknown", "without a target no capacity is known", self.function.span)
        used = dict.fromkeys(STAGED, 0)
        for stmt in allocations(self.owners):
            space = _space(stmt.var)
            if space not in used:
                continue
            assert isinstance(stmt.var.type, ir.TileType)
            size = tile_bytes(stmt.var.type)
            if size is None:
                return Refusal("size-not-static", f"{stmt.var.name!r} has no constant size", stmt.span)
            used[space] += size
        for space, size in used.items():
            limit = self.target.capacity(space)
            if limit is not None and size > limit:
                message = f"the tiles in {space.name} take up to {size} bytes, and there are {limit}"
                return Refusal("capacity", message, self.function.span)
        return None

    def _replicated_spaces(self) -> dict[MemorySpace, ir.Assign]:
        """The spaces with an allocation that lowering a pipeline may replicate, with the first such allocation."""
        spaces: dict[MemorySpace, ir.Assign] = {}
        for stmt in self.owners:
            space = _space(stmt.var)
            if space is not None and self.inventory.in_pipeline(stmt.var):
                spaces.setdefault(space, stmt)
        return spaces

    def _refuse_replication(self, spaces: Sequence[MemorySpace], stmt: ir.Assign) -> Refusal | None:
        for space in spaces:
            replicated = self.replicated.get(space)
            if replicated is not None:
                message = f"the pipeline around {replicated.var.name!r} may need more room in {space.name}"
                return Refusal("pipeline-replicates", message, replicated.span)
        return None

    # The two shapes

    def _exact_chain(self, load: ir.Assign) -> list[ir.Assign] | None:
        """The load and what stages it into Left or Right, where all of it can move; else None."""
        loop = self.inventory.places[load.var].loop
        assert loop is not None
        closing = self.inventory.closing_statement(loop)
        chain = [load]
        while True:
            uses = self.inventory.uses.get(chain[-1].var, [])
            stmt = uses[0].stmt if len(uses) == 1 else None
            if not isinstance(stmt, ir.Assign) or not isinstance(stmt.value, ir.Call) or uses[0].argument != 0:
                return None
            place = self.inventory.places[stmt.var]
            late = closing is not None and place.position > closing.position
            if place.loop is not loop or place.conditional or late:
                return None
            if self._variant_beside(loop, stmt.value, chain[-1].var):
                return None
            chain.append(stmt)
            operator = ops.find(stmt.value.op)
            if operator is None or not (operator.transfers or operator.transposes):
                return None
            if operator.transfers:
                break
        space = _space(chain[-1].var)
        last = self.inventory.uses.get(chain[-1].var, [])
        if space not in (MemorySpace.Left, MemorySpace.Right) or len(last) != 1 or not last[0].is_operand_in(space):
            return None
        return None if self._refuse_replication((MemorySpace.Mat, space), load) else chain

    def _variant_beside(self, loop: ir.Loop, call: ir.Call, moved: ir.Var) -> bool:
        """Whether a call depends on what the loop changes, other than on the value that moves with it."""
        return any(self.inventory.variant_in(loop, argument) for argument in call.args if argument is not moved)

    def _refuse_panel(self, var: ir.Var) -> Refusal | None:
        """A use of a panel, or of what is staged from it, that is not on a way into a matching matmul operand."""
        pending = [var]
        staged: list[ir.Var] = []
        while pending:
            value = pending.pop()
            for use in self.inventory.uses.get(value, []):
                made = self._made_from(use)
                if made is None:
                    message = f"{value.name!r} is also used by {use.stmt!r}"
                    return Refusal("unsupported-use", message, use.stmt.span)
                (staged if _space(made) is not MemorySpace.Mat else pending).append(made)
        for each in staged:
            refusal = self._refuse_operand(each)
            if refusal is not None:
                return refusal
        if not any(self.inventory.uses.get(each) for each in staged):
            return Refusal("not-a-matmul-operand", f"no matmul reads {var.name!r}", self.inventory.assigns[var].span)
        return None

    def _made_from(self, use: Occurrence) -> ir.Var | None:
        """The transposed view, or the copy in Left or Right, that a use makes; None for any other use."""
        stmt, call = use.stmt, use.call
        if not isinstance(stmt, ir.Assign) or call is None or call is not stmt.value or use.argument != 0:
            return None
        operator = ops.find(call.op)
        if operator is None:
            return None
        staged = operator.transfers and _space(stmt.var) in (MemorySpace.Left, MemorySpace.Right)
        return stmt.var if staged or operator.transposes else None

    def _refuse_operand(self, staged: ir.Var) -> Refusal | None:
        space = _space(staged)
        for use in self.inventory.uses.get(staged, []):
            if space is None or not use.is_operand_in(space):
                message = f"{staged.name!r} is used by {use.stmt!r}, where no matmul reads an operand from its space"
                return Refusal("not-a-matmul-operand", message, use.stmt.span)
        return None


def _reserves(call: ir.Call) -> bool:
    operator = ops.find(call.op)
    return operator is not None and operator.reserves


def _space(var: ir.Var) -> MemorySpace | None:
    return var.type.space if isinstance(var.type, ir.TileType) else None
