"""Answers why a tile lives where it does: the decisions that placement left behind, told in sentences.

Every sentence stands with the source line that it is about. The answer follows the reasons from value to value, the
nearest first, down to what somebody wrote or an operator cannot do otherwise.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from pypto_lite import ir
from pypto_lite.analysis.accesses import tile_accesses
from pypto_lite.analysis.footprint import owners, tile_bytes
from pypto_lite.analysis.records import DECISIONS, USAGE
from pypto_lite.diagnostics import NO_SPAN, Diagnostic, UserError, did_you_mean
from pypto_lite.printer import names
from pypto_lite.report.facts import function_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set

    from pypto_lite.analysis.records import Usage
    from pypto_lite.diagnostics import Span
    from pypto_lite.passes import Cause, Decision

MOST_VALUES: Final = 8
"""How many values one answer follows the reasons through."""

MOST_SEARCHED: Final = 200
"""How many values one answer looks at on the way."""

MOST_ANSWERS: Final = 12
"""How many values of one name are told of where the answer is printed."""

MOST_NAMES: Final = 12
"""How many tiles a hint names."""

MOST_PASSED: Final = 3
"""How many values in a row are told of that only lead on to the next."""

MOST_REASONS: Final = 6
"""How many reasons are told for one value."""

DEFAULT: Final = "nothing asks for another space"

ROLES: Final = {
    "carry": ", carried by a loop",
    "loop_result": ", the result of a loop",
    "branch_result": ", the result of a branch",
}


class Step(NamedTuple):
    """One value on the way of reasons: its name, its decision, and what led to it."""

    value: str
    decision: Decision
    causes: tuple[Cause, ...]

    @property
    def only_leads_on(self) -> bool:
        """Whether all there is to say is which other value it goes with."""
        return len(self.causes) == 1 and self.causes[0].value is not None


class Answer(NamedTuple):
    """Why one value lives where it does. ``steps`` begin with the value itself, and lead to what decides."""

    function: str
    value: str
    role: str
    """What it is in the function, as in the facts: ``value``, ``inserted``, ``carry``, ``loop_result``, ..."""
    type: ir.TileType
    steps: tuple[Step, ...]
    copies: tuple[Step, ...]
    """The copies that placement made of it."""
    loops: tuple[Decision, ...]
    """What was decided about moving it out of its loop."""
    size: int | None
    """The bytes of its buffer; None where it has none of its own, or no constant size."""
    usage: Usage | None
    """What the function needs of the memory that it lives in, where that was measured."""

    def __str__(self) -> str:
        return _tell(self, set())


class Why(NamedTuple):
    """The answers about all values of one name, in program order; ``print`` it."""

    answers: tuple[Answer, ...]

    def __str__(self) -> str:
        told: set[str] = set()
        parts = [_tell(answer, told) for answer in self.answers[:MOST_ANSWERS]]
        if len(self.answers) > MOST_ANSWERS:
            last = self.answers[-1].value
            parts.append(f"{len(self.answers) - MOST_ANSWERS} more values are called so, the last one {last!r}.")
        return "\n\n".join(parts)


def why(program: ir.Program, value: str, function: str | None = None) -> Why:
    """Why the tiles called ``value`` in a lowered program live where they do.

    ``value`` is a name as printed (``acc__1``), or as written in the kernel, for every value that has that name there.
    Raises UserError for a name that no tile has, or a ``function`` that the program does not have.
    """
    if not isinstance(value, str):  # pyright: ignore[reportUnnecessaryIsInstance]: whoever calls need not check types
        raise TypeError(f"a tile is asked for by its name, not by {value!r}")
    if function is not None and function not in program.functions:
        hint = did_you_mean(function, program.functions)
        raise UserError(Diagnostic("PL105", f"{program.name!r} has no function {function!r}", NO_SPAN, hint=hint))
    searched = [each for each in program.functions.values() if function in (None, each.name)]
    decisions: dict[ir.Var, list[Decision]] = {}
    for decision in program.record(DECISIONS):
        decisions.setdefault(decision.subject, []).append(decision)
    answers = [answer for each in searched for answer in _Telling(program, each, decisions).answers(value)]
    if not answers:
        raise UserError(_unknown(value, searched, decisions))
    return Why(tuple(answers))


def _unknown(value: str, functions: Sequence[ir.Function], decisions: Mapping[ir.Var, object]) -> Diagnostic:
    known = [(names(function), function) for function in functions]
    for named, function in known:
        for var, name in named.items():
            if name == value and var not in decisions:
                return Diagnostic(
                    "PL105",
                    f"{value!r} in {function.name!r} is a {_kind(var.type)}, not a tile in an in-core function: only "
                    "those have a place on the chip",
                    var.span,
                )
    tiles = list(dict.fromkeys(name for named, _ in known for var, name in named.items() if var in decisions))
    listed = ", ".join(tiles[:MOST_NAMES]) + (f" and {len(tiles) - MOST_NAMES} more" if len(tiles) > MOST_NAMES else "")
    hint = (did_you_mean(value, tiles) or f"the tiles are {listed}") if tiles else None
    return Diagnostic("PL105", f"there is no tile called {value!r}", NO_SPAN, hint=hint)


def _kind(value_type: ir.Type) -> str:
    return type(value_type).__name__.removesuffix("Type").lower()


class _Telling:
    """Collects what there is to say about values of one function."""

    def __init__(
        self, program: ir.Program, function: ir.Function, decisions: Mapping[ir.Var, Sequence[Decision]]
    ) -> None:
        self._function = function
        self._decisions = decisions
        self._names = names(function)
        inserted = [decision for var in self._names for decision in decisions.get(var, ()) if decision.inserted]
        made = frozenset([decision.subject for decision in inserted])
        self._roles = {tile["name"]: tile["role"] for tile in function_facts(function, made)["tiles"]}
        self._copies: dict[ir.Var | None, list[ir.Var]] = {}
        for decision in inserted:
            self._copies.setdefault(decision.causes[0].value, []).append(decision.subject)
        self._owners = {stmt.var for stmt in owners(tile_accesses(function))}
        self._usages: Mapping[ir.MemorySpace, Usage] = program.record(USAGE).get(function.name, {})

    def answers(self, value: str) -> Iterator[Answer]:
        """One for each tile that is printed as ``value``, or was written so."""
        for var, name in self._names.items():
            if value in (name, var.name) and var in self._decisions and isinstance(var.type, ir.TileType):
                yield self._answer(var, var.type)

    def _answer(self, var: ir.Var, tile: ir.TileType) -> Answer:
        loops = [decision for decision in self._decisions[var] if decision.space is None]
        return Answer(
            self._function.name,
            self._names[var],
            self._roles[self._names[var]],
            tile,
            tuple(self._chain(var)),
            tuple(self._step(each) for each in self._copies.get(var, ())),
            tuple(loops),
            tile_bytes(tile) if var in self._owners else None,
            None if tile.space is None else self._usages.get(tile.space),
        )

    def _placed(self, var: ir.Var) -> list[Decision]:
        return [decision for decision in self._decisions.get(var, ()) if decision.space is not None]

    def _step(self, var: ir.Var) -> Step:
        (decision,) = self._placed(var)
        return Step(self._names[var], decision, decision.causes)

    def _chain(self, start: ir.Var) -> list[Step]:
        """The nearest values of which there is more to say than what others they go with, and those on the way."""
        came_from: dict[ir.Var, ir.Var | None] = {start: None}
        telling: list[ir.Var] = []
        for var in islice(queue := [start], MOST_SEARCHED):
            causes = self._step(var).causes
            if not causes or any(cause.value is None for cause in causes):
                telling.append(var)
                if len(telling) == MOST_VALUES:
                    break
            for cause in causes:
                if cause.value is not None and cause.value not in came_from:
                    came_from[cause.value] = var
                    queue.append(cause.value)
        needed: set[ir.Var | None] = {None, start}
        for var in telling:
            above: ir.Var | None = var
            while above not in needed:
                needed.add(above)
                above = came_from[above] if above is not None else None
        return [self._reaching(var, came_from, needed) for var in came_from if var in needed]

    def _reaching(self, var: ir.Var, came_from: Mapping[ir.Var, ir.Var | None], needed: Set[ir.Var | None]) -> Step:
        """The step with its facts, and with the ways to the values that are needed and reached from it."""
        step = self._step(var)
        kept = [each for each in step.causes if each.value in needed and _leads(each, var, came_from)]
        return step._replace(causes=tuple(kept))


def _leads(cause: Cause, var: ir.Var, came_from: Mapping[ir.Var, ir.Var | None]) -> bool:
    return cause.value is None or came_from.get(cause.value) is var


class _Text:
    """Sentences, each with the source line that it is about, unless that line was the last one shown."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._shown: tuple[str | None, int] | None = None

    def say(self, sentence: str, span: Span = NO_SPAN, end: str = ".") -> None:
        line = span.source.line(span.line) if span.source is not None else None
        place = (span.filename, span.line)
        if line is None or place == self._shown:
            self.lines.append(f"{sentence}{end}")
            return
        self._shown = place
        self.lines += [f"{sentence}:", f"{span.line:>8} | {line.strip()}"]

    def because(self, statement: str, causes: Sequence[Cause]) -> None:
        """A statement and its reasons, a sentence for each."""
        for number, cause in enumerate(causes[:MOST_REASONS]):
            end = "." if number == len(causes) - 1 else ","
            self.say(f"{statement if number == 0 else '  and'} because {cause.message}", cause.span, end)
        if len(causes) > MOST_REASONS:
            self.say(f"  and for {len(causes) - MOST_REASONS} more reasons like these")


def _tell(answer: Answer, told: set[str]) -> str:
    """The answer without what was ``told`` already, of the values on its way and of memories."""
    text = _Text()
    subject = answer.steps[0].decision.subject
    place = f"{answer.function} of {subject.span.filename}" if subject.span else answer.function
    role, space = ROLES.get(answer.role, ""), _space(answer.steps[0].decision)
    text.say(f"{answer.value!r}{role}, in {place}, lives in {space}", subject.span)
    _tell_step(text, answer.steps[0], "It")
    passed = 0
    for step in answer.steps[1:]:
        if step.value in told:
            continue
        if step.only_leads_on and passed >= MOST_PASSED:
            passed += 1
            continue
        if passed > MOST_PASSED:
            text.say(f"So it goes on through {passed - MOST_PASSED} more")
        passed = passed + 1 if step.only_leads_on else 0
        _tell_step(text, step, repr(step.value))
    told.update(step.value for step in answer.steps)
    for step in answer.copies:
        text.because(f"It is copied to {_space(step.decision)}, as {step.value!r},", step.causes[1:])
    for decision in answer.loops:
        stays = f"It stays in its loop ({decision.rule.partition(':')[2]})"
        text.because("It is made in front of its loop" if decision.rule == "hoisted" else stays, decision.causes)
    if answer.size is not None:
        text.say(f"It takes {answer.size:,} bytes")
    needed = _needed(answer.usage, space) if answer.usage is not None else None
    if needed is not None and needed not in told:
        text.say(needed)
        told.add(needed)
    return "\n".join(text.lines)


def _tell_step(text: _Text, step: Step, name: str) -> None:
    decision = step.decision
    if decision.inserted:
        made = "a copy that placement made" if decision.rule == "inserted-move" else "a view that placement repeated"
        text.because(f"{name} is {made}", step.causes[1:])
        return
    place = "there" if name == "It" else f"in {_space(decision)}"
    if not decision.causes:
        text.say(f"{name} lives {place} because {DEFAULT}")
    instead = ", and not in the space that is written," if decision.rule == "gave-way" else ""
    text.because(f"{name} lives {place}{instead}", step.causes)


def _needed(usage: Usage, space: str) -> str:
    limit = f" of {usage.capacity:,}" if usage.capacity is not None else ""
    unshared = f", {usage.total:,} if no tiles share a buffer" if usage.total != usage.peak else ""
    return f"At most {usage.peak:,}{limit} bytes of {space} are in use at once{unshared}"


def _space(decision: Decision) -> str:
    return decision.space.name if decision.space is not None else "no memory"
