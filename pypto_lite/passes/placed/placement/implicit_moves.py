"""Serves the operands that are carried into another operand: ``tile.assemble`` writes its source where its target is.

Such an operator makes a move of its own, so it takes its source within the target's space or along one legal move. A
source from further away is moved on its way first. Where both live was decided without regard to this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from pypto_lite import ops
from pypto_lite.analysis.routes import MAT, VEC
from pypto_lite.diagnostics import Diagnostic, Note
from pypto_lite.ir import MemorySpace

if TYPE_CHECKING:
    from pypto_lite import ir
    from pypto_lite.analysis.routes import Routes
    from pypto_lite.passes.placed.placement.problem import OperandConstraint, Problem


def serve_implicit_moves(problem: Problem, routes: Routes) -> list[Diagnostic]:
    """Adds what these operands ask for to the uses of a decided problem; an error for each that nothing can serve."""
    refused: list[Diagnostic] = []
    for use in problem.implicit_moves:
        space, target = use.eclass.space, _target(use)
        destination = problem.space(target)
        if routes.tolerates(space, destination):
            use.spaces, use.written_move = (space,), destination
        else:
            use.spaces = _readable(problem, routes, use, destination)
        if not any(_reaches(problem, routes, use, each) for each in use.spaces):
            refused.append(_refusal(problem, routes, use, target))
        problem.uses[use.call].append(use)
    return refused


def _target(use: OperandConstraint) -> ir.Var:
    """The operand that another one is carried into."""
    move = cast("ops.ImplicitMove", ops.lookup(use.call.op).implicit_move)
    return cast("ir.Var", use.call.args[move.destination])


def _readable(
    problem: Problem, routes: Routes, use: OperandConstraint, destination: MemorySpace
) -> tuple[MemorySpace, ...]:
    """From where an operand can be carried to its destination, which comes last, as it may be the longest way."""
    transposed = problem.transposed(use.var)
    near = [
        each
        for each in routes.sources(destination)
        if routes.allows(each, destination) and not (transposed and routes.bars(each, destination))
    ]
    return (*[each for each in near if each is not destination], destination)


def _reaches(problem: Problem, routes: Routes, use: OperandConstraint, space: MemorySpace) -> bool:
    own = use.eclass.space
    transposed = use.eclass.transposed and own is not space
    return routes.chain(own, space) is not None and not (transposed and routes.bars(own, space))


def _refusal(problem: Problem, routes: Routes, use: OperandConstraint, target: ir.Var) -> Diagnostic:
    space, destination = use.eclass.space, problem.space(target)
    source, into = use.var.name, target.name
    return Diagnostic(
        "PL404",
        f"{use.call.op} would carry {source!r} from {space.name} into {into!r}, which is in {destination.name}, and no "
        "move leads there",
        use.span,
        found=f"{source!r} in {space.name}",
        expected=f"a tile in {' or '.join(each.name for each in use.spaces)}",
        notes=[Note(f"{source!r} is defined here", use.var.span), Note(f"{into!r} is defined here", target.span)],
        hint=_hint(routes, source, space, into, destination),
    )


def _hint(routes: Routes, source: str, space: MemorySpace, into: str, destination: MemorySpace) -> str | None:
    if not any(routes.allows(space, each) for each in MemorySpace):
        return f"nothing leaves {space.name}: assemble from the tile that {source!r} was made from"
    if routes.allows(destination, space):
        load = f"have {source!r} in Vec too, or " if (space, destination) == (MAT, VEC) else ""
        return f"{load}move {into!r} to {space.name} under a name of its own, and assemble into that"
    return None
