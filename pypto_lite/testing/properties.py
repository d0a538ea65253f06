"""What holds of every program, whatever it is: the properties that random programs are tried on.

Each is a function that raises an AssertionError where it does not hold, so each is also a test of one program.
``PROPERTIES`` has them all under one signature.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from pypto_lite import interp, ir, language, passes, printer
from pypto_lite.analysis.records import DECISIONS, USAGE
from pypto_lite.diagnostics import UserError
from pypto_lite.passes import (
    CheckMemoryCapacity,
    ConvertToSSA,
    FlattenCalls,
    InferTileMemorySpace,
    NoNestedCalls,
    NormalizedStmtStructure,
    NormalizeStatements,
    SSAForm,
    StructureControlFlow,
    TypeChecked,
)
from pypto_lite.passes.pipeline import ALWAYS
from pypto_lite.passes.protocol import errors_of, ordered
from pypto_lite.report.why import why
from pypto_lite.targets import TARGETS
from pypto_lite.testing.arguments import Arguments
from pypto_lite.testing.arguments import arguments as made_arguments
from pypto_lite.testing.assertions import assert_same
from pypto_lite.testing.denormalization import with_calls_in_conditions, without_normal_form
from pypto_lite.testing.edits import edited, renamed
from pypto_lite.testing.parsing import parsed
from pypto_lite.testing.runs import Outcome, difference, outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pypto_lite.passes import Decision, Pass, Property

EVERY_TARGET: Final[tuple[str | None, ...]] = (None, *TARGETS)

AT_ONCE: Final = (StructureControlFlow(), ConvertToSSA())
"""The passes that tracing ends with."""

AS_WRITTEN: Final = ALWAYS - {TypeChecked}
"""What holds before them: a name that is bound again may stand for tiles of several spaces and layouts."""

MAY_REFUSE: Final = (InferTileMemorySpace, CheckMemoryCapacity)
"""The passes that may find out that a program does not go onto a chip; all others take what tracing makes."""


MISPLACED: Final = frozenset({"PL511", "PL512", "PL513", "PL514", "PL515", "PL516"})
"""The errors of sanitized runs that no placed program ends with; others tell of faults that kernels have themselves."""
FOUND_OUT: Final = ("PL203", "PL206", "PL208")
"""What any pass may refuse that finds out an extent or an offset, where a run ends with an error too."""

TOLD: Final = 4
"""Of how many tiles of a function the reasons are told."""


class Stage(NamedTuple):
    """A pass, and a program before and after it."""

    made_by: Pass
    before: language.Program
    after: language.Program
    held: frozenset[Property]
    """What holds after it."""

    @property
    def changes(self) -> bool:
        return self.after is not self.before

    def __str__(self) -> str:
        target = self.made_by.target
        return self.made_by.name + (f" for {target.name}" if target is not None else "")


class Trial:
    """A program that properties are tried on, with what else they need.

    It may be one before it is in SSA form, so that the passes that tracing ends with are tried, too. ``edit`` says
    which edit of it is made; the ``arguments`` are made where they are not given.
    """

    def __init__(self, program: language.Program, *, arguments: Arguments | None = None, edit: int = 0) -> None:
        self.written = program
        self.edit = edit
        self._given = arguments
        self._texts: dict[language.Program, str] = {}

    @cached_property
    def program(self) -> language.Program:
        """The program as tracing returns it: the same one if it is in SSA form."""
        return self.traced[-1].after

    @cached_property
    def arguments(self) -> Arguments:
        return made_arguments(self.written) if self._given is None else self._given

    @cached_property
    def outcome(self) -> Outcome:
        """What a run of the program as it is written shows."""
        return outcome(self.written, self.arguments)

    @cached_property
    def traced(self) -> tuple[Stage, ...]:
        """What the passes that tracing ends with make of the program as it is written. Raises AssertionError."""
        found: list[Stage] = []
        program, held = self.written, AS_WRITTEN
        for each in AT_ONCE:
            try:
                stage = _stage(each, program, held)
            except UserError as error:
                raise _refused(each, error) from error
            found.append(stage)
            program, held = stage.after, stage.held
        return tuple(found)

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """What every pass makes of the program, in tracing, then for no target and for each, up to one that refuses it.

        Passes that are the same for several targets run once. Raises AssertionError where a pass refuses that has no
        reason to, or where what held before or should hold now does not, so that no pass is tried on what another one
        has broken.
        """
        found: dict[tuple[Pass, ...], Stage] = {}
        for target in EVERY_TARGET:
            program, held = self.program, ALWAYS
            done: tuple[Pass, ...] = ()
            for each in passes.default_pipeline(target).passes:
                done = (*done, each)
                try:
                    stage = found.get(done) or _stage(each, program, held)
                except UserError as error:
                    if isinstance(each, MAY_REFUSE) or (error.code in FOUND_OUT and self.outcome.error is not None):
                        break
                    raise _refused(each, error) from error
                found[done] = stage
                program, held = stage.after, stage.held
        return (*self.traced, *found.values())

    @cached_property
    def distinct(self) -> tuple[Stage, ...]:
        """The stages whose program equals none before it: most are the same for all targets, and many passes idle."""
        seen: dict[int, list[ir.Program]] = {ir.structural_hash(self.written): [self.written]}
        found: list[Stage] = []
        for stage in self.stages:
            alike = seen.setdefault(ir.structural_hash(stage.after), []) if stage.changes else [stage.after]
            if not any(ir.structural_equal(each, stage.after) for each in alike):
                alike.append(stage.after)
                found.append(stage)
        return tuple(found)

    def text(self, program: language.Program) -> str:
        """The text of a stage of the program, printed once."""
        if program not in self._texts:
            self._texts[program] = program.as_python()
        return self._texts[program]

    def lowered(self, target: str | None) -> language.Program | None:
        """The program lowered for a target; None where a pass refuses it."""
        last = passes.default_pipeline(target).passes[-1]
        return next((stage.after for stage in self.stages if stage.made_by == last), None)


def _refused(each: Pass, error: UserError) -> AssertionError:
    return AssertionError(f"{each.name} refuses the program: {error}")


def _stage(each: Pass, before: language.Program, held: frozenset[Property]) -> Stage:
    """What a pass makes of a program for which some properties hold. Raises UserError where it refuses it."""
    after = each(before)
    held = (held | each.requires) - each.invalidates | each.produces
    if SSAForm in held:
        held |= ALWAYS
    stage = Stage(each, before, after, held)
    if stage.changes:
        findings = [finding for known in ordered(held) for finding in errors_of(known, after, each.target)]
        assert not findings, f"what {stage} makes is not well-formed: {findings[0]}"
    return stage


def passes_verify(trial: Trial) -> None:
    """Every pass makes a well-formed program with all that it promises, and leaves alone what it was given.

    What held before still holds unless the pass says otherwise, and a pass makes the same of the same program.
    """
    for stage in trial.stages:
        if not stage.changes:
            continue
        assert type(stage.after) is type(trial.program), f"{stage} returns a {type(stage.after).__name__}"
        printed = trial.text(stage.before)
        again = stage.made_by.run(stage.before)
        assert_same(again, stage.after, f"{stage} makes something else the second time")
        assert stage.before.as_python() == printed, f"{stage} changes what it is given"


def passes_are_idempotent(trial: Trial) -> None:
    """A second run of a pass changes nothing."""
    for stage in trial.stages:
        again = stage.made_by.run(stage.after)
        if again is not stage.after:
            assert_same(again, stage.after, f"a second run of {stage} changes its own result")


def text_reads_back(trial: Trial) -> None:
    """At every stage in SSA form the printed program, with or without the types that follow, parses to an equal one."""
    _assert_reads_back(trial.program, trial.text(trial.program), "the program as it was written")
    for stage in trial.distinct:
        if SSAForm in stage.held:
            _assert_reads_back(stage.after, trial.text(stage.after), f"after {stage}")
    for program in (trial.program, trial.stages[-1].after):
        _assert_reads_back(program, program.as_python(concise=True), "without the types that follow")


def _assert_reads_back(program: language.Program, text: str, where: str) -> None:
    try:
        read = parsed(text)
    except UserError as error:
        raise AssertionError(f"what is printed is refused, {where}: {error}\n{text}") from error
    assert_same(read, program, f"what is printed means another program, {where}")


def passes_keep_numbers(trial: Trial) -> None:
    """A run gives the same before and after every pass: arrays and numbers, or the same error at the same line."""
    for stage in trial.distinct:
        differs = difference(trial.outcome, outcome(stage.after, trial.arguments))
        assert differs is None, f"after {stage} a run gives something else: {differs}"


def sanitizer_agrees(trial: Trial) -> None:
    """A sanitized run of a lowered program finds every tile where it has to be, and no memory fuller than measured."""
    for target in EVERY_TARGET:
        placed = trial.lowered(target)
        if placed is None:
            continue
        sanitizer = interp.Sanitizer(target, placed=True)
        error = outcome(placed, trial.arguments, sanitize=sanitizer).error
        assert error is None or error[0] not in MISPLACED, f"lowered for {target}, a sanitized run ends with {error}"
        for name, peaks in sanitizer.peaks.items():
            for space, peak in peaks.items():
                measured = placed.record(USAGE)[name][space].peak
                assert peak <= measured, f"{name} uses {peak} bytes of {space.name}, not {measured} at most"


def passes_tidy_up(trial: Trial) -> None:
    """Normalising undoes what brings statements out of their normal form; calls in conditions keep their numbers."""
    if not errors_of(NormalizedStmtStructure, trial.program, None):
        loose = without_normal_form(trial.program, trial.edit)
        assert_same(NormalizeStatements()(loose), trial.program, "normalising does not give the normal form")
    asking = with_calls_in_conditions(trial.program, trial.edit)
    flat = FlattenCalls()(asking)
    findings = errors_of(NoNestedCalls, flat, None)
    assert not findings, f"flattening leaves a call in an expression: {findings[0]}"
    differs = difference(outcome(asking, trial.arguments), outcome(flat, trial.arguments))
    assert differs is None, f"with calls in conditions, after flattening a run gives something else: {differs}"


def equality_is_an_equivalence(trial: Trial) -> None:
    """Equality is reflexive, symmetric and transitive, does not see names, and equal programs have equal hashes."""
    program = trial.program
    same = (program, parsed(program.as_python()), renamed(program))
    for first in same:
        for second in same:
            assert_same(first, second, "a program differs from itself read back or renamed")
    hashes = {ir.structural_hash(each) for each in same}
    assert len(hashes) == 1, "equal programs have different hashes"


def an_edit_is_seen(trial: Trial) -> None:
    """A program with one node changed is another one, from both sides, and the difference can be told."""
    change = edited(trial.program, trial.edit)
    if change is None:
        return
    other, told = change
    assert not ir.structural_equal(trial.program, other), f"an edit is not seen: {told}"
    assert not ir.structural_equal(other, trial.program), f"an edit is not seen from the other side: {told}"
    assert ir.structural_diff(trial.program, other), f"no difference is told for an edit: {told}"


def reasons_are_true(trial: Trial) -> None:
    """Every tile of a placed kernel has exactly one decision, which names the space that it has; and it can be told."""
    for stage in trial.stages:
        if isinstance(stage.made_by, InferTileMemorySpace):
            _assert_reasons(stage.after)


def _assert_reasons(placed: language.Program) -> None:
    decisions: dict[ir.Var, list[Decision]] = {}
    for decision in placed.record(DECISIONS):
        if decision.space is not None:
            decisions.setdefault(decision.subject, []).append(decision)
    for function in placed.functions.values():
        if not function.type.is_in_core:
            continue
        names = {var: name for var, name in printer.names(function).items() if isinstance(var.type, ir.TileType)}
        for var, name in names.items():
            _assert_decided(var, f"{name!r} in {function.name}", decisions)
        step = len(names) // TOLD + 1
        for name in list(names.values())[::step]:
            assert str(why(placed, name, function.name))


def _assert_decided(var: ir.Var, name: str, decisions: Mapping[ir.Var, Sequence[Decision]]) -> None:
    """That a tile has one decision, about the space that it has, because of tiles that there are."""
    assert isinstance(var.type, ir.TileType)
    found = decisions.get(var, ())
    assert len(found) == 1, f"{name} has {len(found)} decisions"
    assert found[0].space is var.type.space, f"{name} lives in {var.type.space}, its reason is about {found[0].space}"
    for cause in found[0].causes:
        assert cause.value is None or cause.value in decisions, f"a cause for {name} is about no tile"


PROPERTIES: Final[dict[str, Callable[[Trial], None]]] = {
    each.__name__: each
    for each in (
        passes_verify,
        text_reads_back,
        passes_keep_numbers,
        passes_tidy_up,
        sanitizer_agrees,
        passes_are_idempotent,
        equality_is_an_equivalence,
        an_edit_is_seen,
        reasons_are_true,
    )
}
"""Every property by name."""
