"""StructureControlFlow: loops that end by their bounds and conditions alone, without break and continue."""

from __future__ import annotations

from pypto_lite import ir
from pypto_lite.passes.properties import BreakContinueValid, SSAForm, StructuredCtrlFlow
from pypto_lite.passes.properties.printable import nests_too_deep
from pypto_lite.passes.protocol import Pass, ProgramType
from pypto_lite.passes.rewriting.block_builder import with_printable
from pypto_lite.passes.rewriting.yields import check_joins
from pypto_lite.passes.written.structuring.guards import with_joined_guards
from pypto_lite.passes.written.structuring.structurer import Structurer


class StructureControlFlow(Pass):
    """Replace break and continue by branches and conditions.

    What follows a branch that always leaves in one arm moves into the other arm, so ``if c: continue`` becomes a branch
    around the rest of the body. What follows a branch that may leave in an arm that may also go on comes under a test
    of a flag that says whether it was left: ``broken`` or ``continued``. Where branches would be nested too deep to be
    printed, those with nothing else between them become one. A loop with a break goes on while it
    is not ``broken``: a while loop by its condition, a ``pl.range`` loop as a while loop that counts by itself, an
    unrolled or pipelined loop with all its iterations, of which those after the break do nothing.

    Before::                                        After::

        for i in pl.range(4):                           broken = False
            if i == n:                                  i = 0
                break                                   while not broken and i < 4:
            total = total + i                               if i == n:
                                                                broken = True
                                                            else:
                                                                total = total + i
                                                            i = i + 1

    In a loop with written carries, an iteration that is left hands on what it began with: what was yielded last. A
    scalar that gets its first value in a statement that may be left starts from zero before it; where it is a tile or
    a tensor, the rest of the body is copied into the arms instead. The result is not in SSA form. Linear in the size of
    the result, which is that of the function but for these copies; functions without break and continue stay the same
    objects.

    Raises UserError for a break in a ``pl.parallel`` or ``pl.spmd`` loop, and where more than 64 copies would be needed
    (PL307), for break and continue outside a loop (PL306), and where arms get nested too deep to be printed (PL312).
    """

    requires = frozenset({BreakContinueValid})
    produces = frozenset({StructuredCtrlFlow})
    invalidates = frozenset({SSAForm})

    def run(self, program: ProgramType) -> ProgramType:
        return with_printable(program, [_structured(function) for function in program.functions.values()])


def _structured(function: ir.Function) -> ir.Function:
    if not any(isinstance(statement, (ir.Break, ir.Continue)) for statement in ir.statements(function)):
        return function
    check_joins(function, structured=False)
    made = function.replace(body=ir.trampoline(Structurer(function).block(function.body)))
    return with_joined_guards(made) if nests_too_deep(made) else made
