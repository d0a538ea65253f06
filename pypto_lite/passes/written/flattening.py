"""FlattenCalls: gives every call a statement of its own."""

from __future__ import annotations

from pypto_lite import ir
from pypto_lite.passes.properties import NoNestedCalls, SSAForm, StructuredCtrlFlow
from pypto_lite.passes.protocol import Pass, ProgramType
from pypto_lite.passes.rewriting.call_hoisting import HOISTING


class FlattenCalls(Pass):
    """Give every call a statement of its own.

    A call inside an argument, a shape, a bound, a condition, a yield or a return becomes an assignment in front of the
    statement; several of them in the order in which they are evaluated, from left to right. New values are called after
    the operator or the function.

    What need not be evaluated stays so: a call on the right of ``and`` or ``or``, or in an arm of a conditional
    expression, moves into a branch. A call in the condition of a while loop is made once before the loop and once at
    the end of its body, and the loop carries its outcome::

        while pl.read(flags, [i]) > 0:           read = pl.read(flags, [i])
            ...                                  for (condition,) in pl.while_(init_values=(read > 0,)):
                                                     pl.cond(condition)
                                                     ...
                                                     read__1 = pl.read(flags, [i])
                                                     condition_rv = pl.yield_(read__1 > 0)

    Linear in the size of the program.
    """

    requires = frozenset({SSAForm, StructuredCtrlFlow})
    produces = frozenset({NoNestedCalls})

    def run(self, program: ProgramType) -> ProgramType:
        if not NoNestedCalls.check(program, None):
            return program
        return ir.rewrite(program, HOISTING)
