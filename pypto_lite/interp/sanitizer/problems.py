"""The errors and notes of sanitized runs. Whoever raises one knows no place: the running step adds its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pypto_lite.diagnostics import Diagnostic, Note, Severity, UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pypto_lite import ir
    from pypto_lite.diagnostics import Span
    from pypto_lite.interp.errors import Use
    from pypto_lite.interp.sanitizer.contents import Buffer, Content
    from pypto_lite.interp.sanitizer.memory import Peak
    from pypto_lite.targets import Target

NAMED_BUFFERS: Final = 8
"""How many of the buffers that are in use at the fullest moment an error points at, the largest first."""


SEQUENTIAL: Final = "pl.range runs iterations one after the other"


def made(span: Span, what: str = "made here") -> list[Note]:
    """Where a value was made, if that is known."""
    return [Note(what, span)] if span else []


def spaces_text(spaces: Iterable[ir.MemorySpace]) -> str:
    return " or ".join([space.name for space in spaces])


def wrong_operand_space(
    use: Use, buffer: Buffer, space: ir.MemorySpace, allowed: Sequence[ir.MemorySpace]
) -> UserError:
    """PL511: an operator reads a tile from a space that it cannot read."""
    return UserError(
        Diagnostic(
            "PL511",
            f"{use} is in {space.name}, which {use.operator} cannot read",
            found=f"a tile in {space.name}",
            expected=f"one in {spaces_text(allowed)}",
            notes=made(buffer.made_at),
            hint=f"pl.move(..., target_memory=pl.MemorySpace.{allowed[0].name}) copies it there",
            operand=use.operand,
        )
    )


def wrong_result_space(
    operator: str, name: str, space: ir.MemorySpace, possible: Sequence[ir.MemorySpace]
) -> UserError:
    """PL512: an operator is to write a space that it cannot write."""
    return UserError(
        Diagnostic(
            "PL512",
            f"{operator} does not write {name!r} to {space.name}",
            found=f"{name!r} in {space.name}",
            expected=spaces_text(possible),
        )
    )


def no_route(operator: str, value: str, buffer: Buffer, source: ir.MemorySpace, to: ir.MemorySpace) -> UserError:
    """PL513: a tile is carried a way that no instruction goes."""
    return UserError(
        Diagnostic(
            "PL513",
            f"{operator} carries {value!r} from {source.name} to {to.name}, which no single move does",
            notes=made(buffer.made_at),
        )
    )


def turned_on_the_way(
    operator: str, value: str, buffer: Buffer, source: ir.MemorySpace, to: ir.MemorySpace
) -> UserError:
    """PL513: a transposed view is carried to the cube side, but not from where it is read the other way round."""
    return UserError(
        Diagnostic(
            "PL513",
            f"{value!r} is a transposed view in {source.name}, which {operator} cannot carry to {to.name} as it is",
            expected="a transposed view of the tile in Mat",
            notes=made(buffer.made_at),
        )
    )


def no_such_space(name: str, space: ir.MemorySpace, target: Target | None) -> UserError:
    """PL514: a tile is in a space that the target does not have."""
    return UserError(Diagnostic("PL514", f"{name!r} is in {space.name}, which {target!r} does not have"))


def other_space(name: str, expected: ir.MemorySpace, buffer: Buffer, space: ir.MemorySpace) -> UserError:
    """PL515: a value reaches a name that stands for a tile in another space."""
    value = f"{buffer.name!r}" if buffer.name else "what flows into it"
    return UserError(
        Diagnostic(
            "PL515",
            f"{name!r} is in {expected.name}, but {value} is in {space.name}",
            found=f"a tile in {space.name}",
            expected=f"one in {expected.name}",
            notes=made(buffer.made_at),
        )
    )


def does_not_fit(function: str, space: ir.MemorySpace, peak: Peak, limit: int, target: Target | None) -> UserError:
    """PL516: more bytes of a memory are in use at once than there are."""
    named, left_out = peak.buffers[:NAMED_BUFFERS], peak.buffers[NAMED_BUFFERS:]
    notes = [Note(f"{each.name!r} takes {each.size} bytes", each.made_at) for each in named]
    if left_out:
        notes.append(
            Note(f"and {len(left_out)} smaller ones with {sum(each.size for each in left_out)} bytes together")
        )
    chip = "the target" if target is None else target.name
    return UserError(
        Diagnostic(
            "PL516",
            f"the tiles of {function!r} do not fit into {space.name}: {peak.used} bytes are in use at once, and "
            f"{chip} has {limit}",
            peak.last.begun_at,
            found=f"{peak.used} bytes in {space.name}",
            expected=f"at most {limit} bytes",
            notes=notes,
            hint="make the tiles smaller, or load them later and use them up sooner",
        )
    )


def outside_region(use: Use, valid: tuple[int, ...], shape: tuple[int, ...], made_at: Span) -> UserError:
    """PL517: an element that lies outside the valid region of an operand is read as a scalar."""
    return UserError(
        Diagnostic(
            "PL517",
            f"{use} is read outside its valid region",
            expected=f"an element inside {list(valid)}, which is valid of {list(shape)}",
            notes=made(made_at),
            operand=use.operand,
        )
    )


def handed_on(name: str, made_at: Span) -> UserError:
    """PL518: an iteration of a parallel loop reads what the one before it has made."""
    return UserError(
        Diagnostic(
            "PL518",
            f"an iteration of pl.parallel gets {name!r} from the one before it, but they run at the same time",
            notes=made(made_at),
            hint=SEQUENTIAL,
        )
    )


def given_by_several(name: str, made_at: Span) -> UserError:
    """PL519: iterations of a parallel loop give one result different values."""
    return UserError(
        Diagnostic(
            "PL519",
            f"iterations of pl.parallel give {name!r} different values, and any of them may be the last",
            notes=made(made_at),
            hint=SEQUENTIAL,
        )
    )


def dependence(use: Use, iterations: tuple[int | None, int | None], variable: str, what: str, other: Span) -> UserError:
    """PL518: one iteration of a parallel loop reads what another one writes."""
    return UserError(_conflict("PL518", f"{what} in {use}", iterations, variable, "depends on", other, use))


def same_place(use: Use, iterations: tuple[int | None, int | None], variable: str, other: Span) -> UserError:
    """PL519: two iterations of a parallel loop write the same elements."""
    what = f"elements of {use} are written by both"
    return UserError(_conflict("PL519", what, iterations, variable, "writes the same place as", other, use))


def _conflict(
    code: str, what: str, iterations: tuple[int | None, int | None], variable: str, how: str, other: Span, use: Use
) -> Diagnostic:
    first, second = iterations
    return Diagnostic(
        code,
        f"the iteration of pl.parallel with {variable} = {second} {how} that with {variable} = {first}: {what}",
        notes=made(other, f"the other access, with {variable} = {first}"),
        hint=SEQUENTIAL,
        operand=use.operand,
    )


def overwritten(use: Use, content: Content, by: Content, span: Span) -> Diagnostic:
    """PL520, a note: an operand is read after an operator wrote its result over it."""
    return Diagnostic(
        "PL520",
        f"{use} was overwritten by {by.written_by}, which works in place",
        span,
        severity=Severity.NOTE,
        notes=[*made(by.written_at, "overwritten here"), *made(content.written_at)],
        hint="on the chip this reads the new contents; read what the operator gave, or copy the tile before",
        operand=use.operand,
    )


def worked_in(use: Use, scratch: Use, worked_at: Span, span: Span) -> Diagnostic:
    """PL520, a note: an operand is read that lies where an operator works, or has worked."""
    return Diagnostic(
        "PL520",
        f"{use} lies where {scratch.operator} works: it is its {scratch.operand}",
        span,
        severity=Severity.NOTE,
        notes=[Note("used as scratch here", worked_at)] if worked_at is not span else (),
        hint="on the chip this reads what the operator has left there; a pl.create_tile is scratch that nobody needs",
        operand=use.operand,
    )


def incomplete_output(param: ir.Var, found: str, last_write: Span) -> Diagnostic:
    """PL522, a note: the function has ended, and elements of an ``Out`` were never written."""
    return Diagnostic(
        "PL522",
        f"{param.name!r} ends with elements that nothing was written to"
        if last_write
        else f"nothing is written to {param.name!r}",
        last_write or param.span,
        severity=Severity.NOTE,
        found=found,
        notes=made(param.span, "declared here") if last_write else (),
        hint="in an array that is given they stay what they are, in one that the run makes they are zero",
        operand=param.name,
    )


def empty_accumulator(use: Use, made_at: Span, span: Span) -> Diagnostic:
    """PL521, a note: an accumulator that nothing was written to counts as zero."""
    return Diagnostic(
        "PL521",
        f"{use} has elements that nothing was written to, which count as zero",
        span,
        severity=Severity.NOTE,
        notes=made(made_at),
        hint="init_cond=True in the first step, or a product without accumulator, does not read it",
        operand=use.operand,
    )
