"""ConvertToSSA: gives every definition a variable of its own; loops carry and branches yield what is read later."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.analysis.def_use_events import DefUseEvents, count_definitions
from pypto_lite.analysis.liveness import find_joins
from pypto_lite.diagnostics import UserError
from pypto_lite.passes.properties import SSAForm, StructuredCtrlFlow
from pypto_lite.passes.protocol import Pass, ProgramType
from pypto_lite.passes.rewriting.cloner import same
from pypto_lite.passes.rewriting.yields import check_joins
from pypto_lite.passes.written.ssa_conversion.beginnings import find_escaping, find_stored_into
from pypto_lite.passes.written.ssa_conversion.renamer import Renamer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping


class ConvertToSSA(Pass):
    """Give every definition a variable of its own.

    A variable that is assigned more than once becomes a variable for each assignment, of the type of the value. One
    that is assigned in a loop and read in a later iteration or after the loop is carried by it; one that is assigned in
    an arm and read after the branch is a result of it. A variable that is not read later makes neither. Carries and
    results that are written in the program come first, the others follow in the order of their first assignment; in a
    body, the loop variable and the written carries count as assigned anew at the start of each iteration. The body of
    a scope shares the variables of what is around it.

    Before::                                        After::

        x = pl.load(a, [0, 0], [16, 128])               x = pl.load(a, [0, 0], [16, 128])
        for i in pl.range(4):                           for i, (x__1,) in pl.range(4, init_values=(x,)):
            if i > 1:                                       if i > 1:
                x = pl.add(x, x)                                x__2 = pl.add(x__1, x__1)
                                                                x__3 = pl.yield_(x__2)
                                                            else:
                                                                x__3 = pl.yield_(x__1)
                                                            x__4 = pl.yield_(x__3)
        pl.store(x, [0, 0], out)                        pl.store(x__4, [0, 0], out)

    A variable that gets its first value in a loop has one after the loop where the loop certainly runs: what is carried
    into it is an empty tile, or whatever value of the type there is, which nothing reads. One that is assigned only
    where a parameter is stored into, such as ``r = pl.store(t, [0, 0], out)``, is that parameter where it is not
    assigned yet. Any other has no value behind a loop or an arm that may not run.

    The function is written down once as def-use events, on that list it is found what has to be carried (``liveness``),
    and one walk in program order renames (``renamer``). Time is proportional to the number of nodes plus, for each
    variable that is assigned more than once, the number of loops and branches around its assignments that it leaves.

    Raises UserError for a variable that is read where it does not have a value on every way (PL106), or before any
    assignment (PL302), and for one that meets itself in another shape or dtype (PL207) or with a valid region
    that is unknown outside an arm (PL208); for a loop or branch that is not given what it hands on (PL301).
    """

    requires = frozenset({StructuredCtrlFlow})
    produces = frozenset({SSAForm})

    def run(self, program: ProgramType) -> ProgramType:
        functions: list[ir.Function] = []
        taken: set[ir.Var] = set()
        for function in program.functions.values():
            definitions = count_definitions(function)
            functions.append(_convert(function, definitions, taken, program))
            taken.update(definitions)
        if all(made is before for made, before in zip(functions, program.functions.values(), strict=True)):
            return program
        return program.with_functions(functions)


def _convert(
    function: ir.Function, definitions: Mapping[ir.Var, int], taken: Collection[ir.Var], program: ir.Program
) -> ir.Function:
    """The function in SSA form; the variables that are ``taken`` belong to other functions."""
    check_joins(function)
    repeated = {var for var, count in definitions.items() if count > 1 or var in taken}
    params = tuple([ir.Var(each.name, each.type, each.span) if each in taken else each for each in function.params])
    try:
        return _renamed(function, params, definitions, repeated, {})
    except UserError as error:
        # Only then is it worth to look at variables that are assigned once: few are read outside their blocks.
        if error.code not in ("PL106", "PL302"):
            raise
    tracked = repeated | find_escaping(function, definitions)
    return _renamed(function, params, definitions, tracked, find_stored_into(function, program, tracked))


def _renamed(
    function: ir.Function,
    params: tuple[ir.Var, ...],
    definitions: Mapping[ir.Var, int],
    tracked: Collection[ir.Var],
    initial: Mapping[ir.Var, ir.Var],
) -> ir.Function:
    """The function with a variable for each definition of the ``tracked`` ones."""
    joins: Iterator[tuple[ir.Var, ...]] = repeat(())
    if tracked:
        events = DefUseEvents(function, tracked)
        found = find_joins(events)
        joins = iter([found[extent] for extent in events.extents if extent in found])
    body = ir.trampoline(Renamer(function, params, definitions, tracked, joins, initial).block(function.body))
    return (
        function
        if body is function.body and same(params, function.params)
        else function.replace(body=body, params=params)
    )
