"""InlineFunctions: calls of inline functions become what these functions do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite import ir
from pypto_lite.analysis.exits import find_exits
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.passes.protocol import Pass, ProgramType
from pypto_lite.passes.rewriting.block_builder import with_printable
from pypto_lite.passes.rewriting.call_hoisting import hoist_calls_where
from pypto_lite.passes.rewriting.yields import check_joins
from pypto_lite.passes.written.inlining.calls import calls_in, has_nested_call, in_call_order, inline_calls
from pypto_lite.passes.written.inlining.inliner import Inliner

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_STATEMENTS: Final = 1_000_000
"""How long a function may become."""


class InlineFunctions(Pass):
    """Replace every call of a function of type Inline (``@pl.inline``) by its body.

    Each copy defines variables of its own. Parameters stand for the arguments: a variable or a constant takes the
    parameter's place; anything else, and what the function binds again, is assigned to a variable first. Symbolic
    dimensions of the parameters become the extents of the arguments, and types follow. The returned values take the
    place of the call. Inline functions are expanded before they are inlined themselves, and leave the program.

    Before::                                            After::

        @pl.inline
        def double(self, t: pl.Tile[[16, 16], pl.FP32]):
            doubled = pl.add(t, t)
            return doubled

        x = pl.load(a, [0, 0], [16, 16])                    x = pl.load(a, [0, 0], [16, 16])
        y = self.double(x)                                  doubled = pl.add(x, x)
                                                            y = doubled

    A call inside an expression, a condition or a yield first gets a statement of its own, as ``FlattenCalls`` does it.
    Linear in the size of the result; functions without such calls stay the same objects. A program of inline functions
    alone is left as it is.

    Raises UserError (PL113) for inline functions that call themselves or each other in a circle, for one that is
    submitted, and where a function would get longer than a million statements; PL312 where it gets nested too deep to
    be printed; and what operators raise that can't take the arguments.
    """

    def run(self, program: ProgramType) -> ProgramType:
        inline = {name: each for name, each in program.functions.items() if each.type is ir.FunctionType.Inline}
        others = [each for each in program.functions.values() if each.type is not ir.FunctionType.Inline]
        if not inline or not others:
            return program
        expanded: dict[str, ir.Function] = {}
        sizes: dict[str, int] = {}
        for function in in_call_order(inline):
            check_joins(function, structured=False)
            sizes[function.name] = _size(function, sizes)
            expanded[function.name] = _expanded(function, expanded)
        for function in others:
            _size(function, sizes)
        return with_printable(program, [_expanded(function, expanded) for function in others])


def _size(function: ir.Function, sizes: Mapping[str, int]) -> int:
    """How many statements the function will have; ``sizes`` are those of the inline functions that it calls."""
    calls = inline_calls(function, sizes)
    size = sum(1 for _ in ir.statements(function)) + sum(sizes[call.function] for call in calls)
    if size <= MAX_STATEMENTS:
        return size
    largest = max(calls, key=lambda call: sizes[call.function])
    raise UserError(
        Diagnostic(
            "PL113",
            f"'{function.name}' gets too long when the functions that it calls are inlined",
            largest.span or function.span,
            found=f"{size} statements",
            expected=f"at most {MAX_STATEMENTS}",
            hint="make one of the functions that are called a function of another type",
        )
    )


def _expanded(function: ir.Function, inline: Mapping[str, ir.Function]) -> ir.Function:
    if not inline_calls(function, inline):
        return function
    check_joins(function, structured=False)
    _refuse_continue(function, inline)
    flat = hoist_calls_where(function, lambda statement: has_nested_call(statement, inline))
    return flat.replace(body=ir.trampoline(Inliner(flat, inline).block(flat.body)))


def _refuse_continue(function: ir.Function, inline: Mapping[str, ir.Function]) -> None:
    """Raises PL307 for a continue of a while loop whose condition has to be computed at the end of the body."""
    for loop in ir.statements(function):
        if not isinstance(loop, ir.While) or not any(calls_in(ir.Evaluate(loop.condition, loop.span), inline)):
            continue
        if find_exits(function)[loop.body].continues:
            raise UserError(
                Diagnostic(
                    "PL307",
                    "a while loop has a continue, and an inline function in its condition",
                    loop.span,
                    hint="run structure_control_flow first",
                )
            )
