"""CheckMemoryCapacity: refuses functions whose tiles cannot fit into the memories of the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from pypto_lite import ir
from pypto_lite.analysis.memory_usage import memory_usage
from pypto_lite.analysis.records import USAGE
from pypto_lite.diagnostics import Diagnostic, Note, Severity, UserError
from pypto_lite.passes.properties import SSAForm, TileMemoryInferred
from pypto_lite.passes.protocol import Pass, ProgramType
from pypto_lite.printer import names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite.analysis.records import Buffer, Usage
    from pypto_lite.passes.protocol import Property
    from pypto_lite.targets import Target

NAMED_BUFFERS: Final = 32
"""How many of the buffers that are live at the fullest moment an error points at, the largest first."""


class CapacityError(UserError):
    """A program with tiles that do not fit. ``program`` is that program all the same, placed and with its numbers:
    the record USAGE, and the errors among its DIAGNOSTICS too."""

    def __init__(self, program: ir.Program, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.program = program


class CheckMemoryCapacity(Pass):
    """Compares what the in-core functions need of each memory with what the target has; changes nothing in them.

    Where even the live tiles of one moment are more than the memory holds, no allocator can make the function run: an
    error (PL411) that names the memory, the bytes, the limit and the tiles. Where only all tiles together are more, it
    may run, if the allocator lets tiles share buffers and finds room for them in one piece: a note (PL412). Without a
    target nothing is refused. What was measured is left as the record USAGE. Costs what ``memory_usage`` does. Raises
    CapacityError, which holds the program with what was measured.
    """

    target: Target | None = None

    requires: ClassVar[frozenset[Property]] = frozenset({SSAForm, TileMemoryInferred})

    def run(self, program: ProgramType) -> ProgramType:
        in_core = [function for function in program.functions.values() if function.type.is_in_core]
        usages = {function.name: memory_usage(function, self.target) for function in in_core}
        findings = [
            finding
            for function in in_core
            for space, usage in sorted(usages[function.name].items(), key=lambda entry: entry[0].value)
            if (finding := self._judge(function, space, usage)) is not None
        ]
        if usages == program.record(USAGE) and not findings:
            return program
        diagnostics = (*program.record(ir.DIAGNOSTICS), *findings)
        checked = program.with_record(USAGE, usages).with_record(ir.DIAGNOSTICS, diagnostics)
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        if errors:
            raise CapacityError(checked, *errors)
        return checked

    def _judge(self, function: ir.Function, space: ir.MemorySpace, usage: Usage) -> Diagnostic | None:
        limit = usage.capacity
        if self.target is None or limit is None or usage.total <= limit:  # the peak is never more than the total
            return None
        if usage.peak > limit:
            return _does_not_fit(function, space, usage, limit, self.target)
        message = (
            f"{function.name!r} has {usage.total} bytes of tiles in {space.name}, where {self.target.name} has "
            f"{limit}: they fit only if tiles share buffers (at most {usage.peak} bytes are live at once)"
        )
        return Diagnostic("PL412", message, function.span, severity=Severity.NOTE)


def _does_not_fit(function: ir.Function, space: ir.MemorySpace, usage: Usage, limit: int, target: Target) -> Diagnostic:
    printed = names(function)
    listed = usage.at_peak[:NAMED_BUFFERS]
    notes = [Note(_line(buffer, printed), buffer.value.span) for buffer in listed]
    left_out = usage.at_peak[NAMED_BUFFERS:]
    if left_out:
        notes.append(Note(f"and {len(left_out)} more, with {sum(buffer.size for buffer in left_out)} bytes"))
    return Diagnostic(
        "PL411",
        f"the tiles of {function.name!r} do not fit into {space.name}: {usage.peak} bytes are live at once, and "
        f"{target.name} has {limit}",
        listed[0].value.span or function.span,
        found=f"{usage.peak} bytes in {space.name}",
        expected=f"at most {limit} bytes",
        notes=notes,
        hint="make the tiles smaller, or load them later and use them up sooner",
    )


def _line(buffer: Buffer, printed: Mapping[ir.Var, str]) -> str:
    tile = buffer.value.type
    assert isinstance(tile, ir.TileType)
    shape = ", ".join(map(str, tile.shape))
    return f"{printed[buffer.value]!r} takes {buffer.size} bytes ([{shape}] of {tile.dtype!r})"
