"""InferTileMemorySpace: gives every on-chip tile a memory space and makes the moves that follow from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pypto_lite import ir
from pypto_lite.analysis.records import DECISIONS, TARGET
from pypto_lite.analysis.routes import VEC, Routes
from pypto_lite.collector import garbage_collection_paused
from pypto_lite.diagnostics import Diagnostic, Severity, UserError
from pypto_lite.ir import MemorySpace, TileType
from pypto_lite.passes.placed.placement.collect import collect
from pypto_lite.passes.placed.placement.conflicts import explain
from pypto_lite.passes.placed.placement.implicit_moves import serve_implicit_moves
from pypto_lite.passes.placed.placement.lost_updates import find_lost_updates
from pypto_lite.passes.placed.placement.place import Placer
from pypto_lite.passes.placed.placement.reasons import Reasons
from pypto_lite.passes.placed.placement.residency import keep_resident
from pypto_lite.passes.placed.placement.results import misdeclared_returns, place_results, returned_values
from pypto_lite.passes.placed.placement.solve import solve
from pypto_lite.passes.placed.placement.tuple_scalarization import scalarize_tuples
from pypto_lite.passes.properties import (
    IncoreTileOps,
    NoNestedCalls,
    NormalizedStmtStructure,
    SplitIncoreOrch,
    SSAForm,
    TileMemoryInferred,
)
from pypto_lite.passes.protocol import Pass, ProgramType

if TYPE_CHECKING:
    from pypto_lite.analysis.records import Decision
    from pypto_lite.passes.protocol import Property
    from pypto_lite.targets import Target


class PlacementError(UserError):
    """A program that cannot be placed. ``program`` is as much of it as could be: the other functions are placed."""

    def __init__(self, program: ir.Program, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.program = program


class InferTileMemorySpace(Pass):
    """Gives every tile of the in-core functions a memory space, and inserts ``tile.move`` where a consumer needs it.

    Values that live together by nature form groups: a producer with its aliases and views, a loop carry with its
    result, a branch result. What producers can make, what consumers read, and which moves exist narrow the spaces of
    each group to a fixed point (``solve``); then every consumer that cannot read its operand where it is gets a copy,
    in front of it, once for each statement list (``place``).

    Before::

        x_tile: pl.Tile[[16, 128], pl.BF16] = pl.load(x, [0, 0], [16, 128])
        y_tile: pl.Tile[[128, 128], pl.BF16] = pl.load(y, [0, 0], [128, 128])
        z_tile: pl.Tile[[16, 128], pl.FP32, pl.MemorySpace.Acc] = pl.matmul(x_tile, y_tile)

    After: both loads are in Vec, ``x_tile_Left`` and ``y_tile_Right`` are moved in front of the matmul, which reads
    them. Costs time in proportion to the number of IR nodes. Raises PlacementError for a program that no legal moves
    make right.
    """

    target: Target | None = None

    requires: ClassVar[frozenset[Property]] = frozenset(
        {SSAForm, IncoreTileOps, SplitIncoreOrch, NormalizedStmtStructure, NoNestedCalls}
    )
    produces: ClassVar[frozenset[Property]] = frozenset({SSAForm, TileMemoryInferred, NormalizedStmtStructure})

    @garbage_collection_paused()
    def run(self, program: ProgramType) -> ProgramType:
        routes = Routes(self.target)
        functions: list[ir.Function] = []
        decisions: list[Decision] = []
        diagnostics: list[Diagnostic] = []
        for function in program.functions.values():
            if function.type.is_in_core:
                function = _place(function, routes, decisions, diagnostics)
            functions.append(function)
        diagnostics += [*misdeclared_returns(functions), *_returns_elsewhere(functions, routes)]
        functions = place_results(functions)
        resident = keep_resident(program, functions, self.target)
        functions = resident.functions
        decisions += resident.decisions
        placed = program
        if program.record(TARGET) is not self.target:
            placed = placed.with_record(TARGET, self.target)
        if any(a is not b for a, b in zip(functions, program.functions.values(), strict=True)):
            placed = placed.with_functions(functions)
        known = program.record(DECISIONS)
        decided = {decision.subject for decision in known}
        decisions = [decision for decision in decisions if decision.subject not in decided]
        if decisions:
            placed = placed.with_record(DECISIONS, (*known, *decisions))
        said = {_identity(diagnostic) for diagnostic in program.record(ir.DIAGNOSTICS)}
        new = [diagnostic for diagnostic in diagnostics if _identity(diagnostic) not in said]
        if new:
            placed = placed.with_record(ir.DIAGNOSTICS, (*program.record(ir.DIAGNOSTICS), *new))
        errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR]
        if errors:
            raise PlacementError(placed, *errors)
        return placed


def _place(
    function: ir.Function, routes: Routes, decisions: list[Decision], diagnostics: list[Diagnostic]
) -> ir.Function:
    """The function placed; the function as it was, with diagnostics, where that cannot be done."""
    tiles = _tile_parameters(function)
    if tiles:
        diagnostics += tiles
        return function
    named = scalarize_tuples(function)
    problem = collect(named, routes)
    if problem.refused:
        diagnostics += problem.refused
        return function
    if not problem.eclasses:
        return function
    conflicts = solve(problem, routes)
    if conflicts:
        diagnostics += explain(conflicts, routes)
        return function
    refused = [*serve_implicit_moves(problem, routes), *find_lost_updates(problem, named.body)]
    if refused:
        diagnostics += refused
        return function
    placer = Placer(named, problem, routes)
    try:
        placed = placer.run()
    except UserError as refusal:  # an operator that does not take its operands where they turned out to live
        diagnostics += refusal.diagnostics
        return function
    diagnostics += placer.diagnostics
    if any(diagnostic.severity is Severity.ERROR for diagnostic in placer.diagnostics):
        return function
    copier = placer.copier
    decisions += Reasons(problem, routes, copier.placed, copier.names).decisions(copier.insertions)
    return placed


def _identity(diagnostic: Diagnostic) -> tuple[str, int, int]:
    """What two diagnostics share that say the same about the same place, before and after placement."""
    return diagnostic.code, diagnostic.span.line, diagnostic.span.column


def _tile_parameters(function: ir.Function) -> list[Diagnostic]:
    return [
        Diagnostic(
            "PL406",
            f"parameter {param.name!r} of the in-core function {function.name!r} is a tile",
            param.span or function.span,
            expected="tensors and scalars: a function gets its data from global memory",
            hint="pass the tensor and load the tile inside; or make the function a pl.inline helper",
        )
        for param in function.params
        if isinstance(param.type, TileType)
    ]


def _returns_elsewhere(functions: list[ir.Function], routes: Routes) -> list[Diagnostic]:
    """Calls whose callee leaves a tile in another space than Vec, where the specification lets the caller expect it."""
    returned = {function.name: spaces for function in functions if (spaces := _returned_spaces(function))}
    if not returned:
        return []
    return [
        Diagnostic(
            "PL406",
            f"{call.function!r} returns a tile in {space.name} to the in-core function {function.name!r}, which reads "
            "it from Vec",
            call.span or function.span,
            hint=(
                "move the tile to Vec before it is returned, store it to a tensor, or "
                if routes.chain(space, VEC)
                else ""
            )
            + "make the callee a pl.inline helper",
        )
        for function in functions
        if function.type.is_in_core
        for stmt in ir.statements(function)
        for call in ir.calls(stmt)
        if isinstance(call, ir.FunctionCall)
        for space in returned.get(call.function, ())
    ]


def _returned_spaces(function: ir.Function) -> list[MemorySpace]:
    """The spaces, other than Vec, of the tiles that a function returns."""
    types = [value.type for value in returned_values(function)]
    spaces = [each.space for each in types if isinstance(each, TileType) and each.space is not None]
    return [space for space in spaces if space is not VEC]
