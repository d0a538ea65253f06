"""Finds out the directions of tensor parameters that are written and whose annotation says none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Note, Severity, UserError
from pypto_lite.passes.exposed_reads import Known, add_contents
from pypto_lite.passes.properties.directions import faults_in, tensors_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from pypto_lite.passes.properties.directions import Tensors, Write
    from pypto_lite.passes.protocol import ProgramType


def infer_directions(
    program: ProgramType, undeclared: Mapping[str, Collection[int]], annotation: Callable[[str, int], str]
) -> ProgramType:
    """The program, in SSA form, with a direction for each written parameter among the ``undeclared`` ones.

    These are given by function, as positions; ``annotation`` gives the text of the annotation of one. A parameter is
    ``Out`` where nothing reads what it held when its function began, else ``InOut``; the diagnostics of the program get
    a warning (PL212) for each. Parameters of inline functions have no directions: they stand for variables of the
    caller.

    Raises UserError (PL211) for a write into any other parameter that is only read.
    """
    functions = tensors_of(program, undeclared)
    faults = faults_in(program, functions)
    if faults:
        raise UserError(*faults)
    if not any(each.written for each in functions.values()):
        return program
    known = Known({}, {})
    for each in functions.values():  # callees come before their callers
        add_contents(each, known)
        _respect_declared(each, known)
    warnings: list[Diagnostic] = []
    changed: list[ir.Function] = []
    for name, function in program.functions.items():
        directions = list(function.directions)
        for position, write in functions[name].written.items():
            read = known.contents[name].exposed.get(position)
            directions[position] = ir.ParamDirection.Out if read is None else ir.ParamDirection.InOut
            wanted = f"pl.{directions[position].name}[{annotation(name, position)}]"
            warnings.append(_warning(function.params[position], wanted, write, read))
        changed.append(function.replace(directions=tuple(directions)) if functions[name].written else function)
    diagnostics = (*program.record(ir.DIAGNOSTICS), *warnings)
    return program.with_functions(changed).with_record(ir.DIAGNOSTICS, diagnostics)


def _respect_declared(tensors: Tensors, known: Known) -> None:
    """Lets callers take declared outputs as they are declared: an ``Out`` is not read, an ``InOut`` is."""
    function = tensors.function
    if function.type is ir.FunctionType.Inline:
        return
    exposed = dict(known.contents[function.name].exposed)
    for position, direction in enumerate(function.directions):
        if direction is ir.ParamDirection.Out:
            exposed.pop(position, None)
        elif direction is ir.ParamDirection.InOut:
            exposed.setdefault(position, function.params[position])
    known.contents[function.name] = known.contents[function.name]._replace(exposed=exposed)


def _warning(param: ir.Var, wanted: str, write: Write, read: ir.Expr | None) -> Diagnostic:
    notes = [Note("it is written here", write.call.span or write.statement.span)]
    if read is not None:
        notes.append(Note("what it held before may be read here", read.span))
    return Diagnostic(
        "PL212",
        f"the parameter {param.name!r} is written, and its annotation does not say so",
        param.span,
        severity=Severity.WARNING,
        notes=notes,
        hint=f"annotate it as {param.name}: {wanted}",
    )
