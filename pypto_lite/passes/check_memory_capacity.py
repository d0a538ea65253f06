"""CheckMemoryCapacity: refuses functions whose tiles cannot fit into the memories of the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, Note, Severity, UserError
from pypto_lite.passes.memory_usage import Buffer, Usage, memory_usage
from pypto_lite.passes.properties import SSAForm, TileMemoryInferred
from pypto_lite.passes.protocol import Pass, ProgramType

if TYPE_CHECKING:
    from pypto_lite.passes.protocol import Property
    from pypto_lite.targets import Target

NAMED_BUFFERS: Final = 8
"""How many of the buffers that are live at the fullest moment an error points at, the largest first."""


class CheckMemoryCapacity(Pass):
    """Compares what the in-core functions need of each memory with what the target has; changes nothing in them.

    Where even the live tiles of one moment are more than the memory holds, the function cannot run: an error (PL411)
    that names the memory, the bytes, the limit and the tiles. Where only all tiles together are more, it can, if the
    allocator lets tiles share buffers: a note (PL412). Without a target nothing is refused. What was measured is left
    in ``Program.usage``. Costs time in proportion to the number of statements, times its logarithm.
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
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        if errors:
            raise UserError(*errors)
        if usages == program.usage and not findings:
            return program
        return program.replace(usage=usages, diagnostics=(*program.diagnostics, *findings))

    def _judge(self, function: ir.Function, space: ir.MemorySpace, usage: Usage) -> Diagnostic | None:
        limit = usage.capacity
        if self.target is None or limit is None or usage.total <= limit:
            return None
        if usage.peak > limit:
            return _does_not_fit(function, space, usage, limit, self.target)
        message = (
            f"{function.name!r} has {usage.total} bytes of tiles in {space.name}, where {self.target.name} has "
            f"{limit}: they fit only if tiles share buffers (at most {usage.peak} bytes are live at once)"
        )
        return Diagnostic("PL412", message, function.span, severity=Severity.NOTE)


def _does_not_fit(function: ir.Function, space: ir.MemorySpace, usage: Usage, limit: int, target: Target) -> Diagnostic:
    named = usage.at_peak[:NAMED_BUFFERS]
    left_out = len(usage.at_peak) - len(named)
    notes = [Note(_line(buffer), buffer.allocation.span) for buffer in named]
    if left_out:
        rest = sum(buffer.size for buffer in usage.at_peak[NAMED_BUFFERS:])
        notes.append(Note(f"and {left_out} smaller ones with {rest} bytes together"))
    return Diagnostic(
        "PL411",
        f"the tiles of {function.name!r} do not fit into {space.name}: {usage.peak} bytes are live at once, and "
        f"{target.name} has {limit}",
        usage.at_peak[0].allocation.span or function.span,
        found=f"{usage.peak} bytes in {space.name}",
        expected=f"at most {limit} bytes",
        notes=notes,
        hint="make the tiles smaller, or load them later and use them up sooner",
    )


def _line(buffer: Buffer) -> str:
    var = buffer.allocation.var
    assert isinstance(var.type, ir.TileType)
    shape = ", ".join(map(str, var.type.shape))
    return f"{var.name!r} takes {buffer.size} bytes ([{shape}] of {var.type.dtype!r})"
