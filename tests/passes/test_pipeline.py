"""The pipeline checks what passes require and establish, and says whose fault it is when something is wrong."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.diagnostics import Diagnostic, InternalError, UserError
from tests.passes.hand_built import ONE, block, function, kernel, line, loop, plus, program, var

if TYPE_CHECKING:
    from collections.abc import Iterable

checked: list[str] = []


def _property(name: str) -> passes.Property:
    """A property that notes in the program's comments hold: each comment names one that does not."""

    def check(program: ir.Program, target: object) -> list[Diagnostic]:
        """It is not among the faults that the comments name."""
        checked.append(name)
        return [Diagnostic("PL305", f"{name} is broken", line(7))] if name in program.comments else []

    return passes.Property(name, check)


First, Second = _property("First"), _property("Second")


class RequireFirst(passes.Pass):
    """Requires the first property."""

    requires = frozenset({First})

    def run(self, program):
        return program.replace(name=f"{program.name}1")


class ProduceFirst(passes.Pass):
    """Produces the first property, unless it is told to fail."""

    produces = frozenset({First})
    fail: bool = False

    def run(self, program):
        return program.replace(name=f"{program.name}2", comments=("First",) if self.fail else ())


class BreakFirst(passes.Pass):
    """Invalidates the first property, openly or not."""

    invalidates = frozenset({First})

    def run(self, program):
        return program.replace(comments=("First",))


class BreakFirstInSecret(passes.Pass):
    """Breaks the first property without saying so."""

    requires = frozenset({First})

    def run(self, program):
        return program.replace(comments=("First",))


class DoNothing(passes.Pass):
    """Changes nothing, though it might have broken the first property."""

    invalidates = frozenset({First})

    def run(self, program):
        return program


class Crash(passes.Pass):
    """Has a bug."""

    times: int = 1

    def run(self, program):
        raise ZeroDivisionError("no reason")


class Refuse(passes.Pass):
    """Refuses the program."""

    def run(self, program):
        raise UserError(Diagnostic("PL404", "no way", line(3)))


class SeeCollector(passes.Pass):
    """Records whether the garbage collector runs."""

    def run(self, program):
        return program.replace(name=str(gc.isenabled()))


@pytest.fixture(autouse=True)
def _fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is checked yet, and reproducers go where they are cleaned up."""
    checked.clear()
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def run(*in_order: passes.Pass, given: ir.Program | None = None, **options: object) -> ir.Program:
    return passes.Pipeline(in_order).run(given if given is not None else kernel(), **options)


def broken(*names: str) -> ir.Program:
    return kernel().replace(comments=names)


def test_passes_run_in_order() -> None:
    assert run(ProduceFirst(), RequireFirst()).name == "P21"


def test_until_names_the_last_pass_to_run() -> None:
    assert run(ProduceFirst(), RequireFirst(), Crash(), until="require_first").name == "P21"


def test_until_takes_the_name_of_the_class_too() -> None:
    assert run(ProduceFirst(), Crash(), until="ProduceFirst").name == "P2"


def test_an_unknown_until_suggests_what_was_meant() -> None:
    with pytest.raises(UserError) as caught:
        run(ProduceFirst(), RequireFirst(), until="produce_frist")
    assert caught.value.code == "PL313"
    assert "did you mean 'produce_first'" in str(caught.value)


def test_a_required_property_that_does_not_hold_names_property_pass_and_line() -> None:
    with pytest.raises(UserError) as caught:
        run(RequireFirst(), given=broken("First"))
    assert caught.value.code == "PL310"
    assert caught.value.span.line == 7
    assert "require_first requires First" in str(caught.value)


def test_a_property_that_is_known_to_hold_is_not_checked_again() -> None:
    run(RequireFirst(), RequireFirst(), RequireFirst())
    assert checked == ["First"]


def test_a_produced_property_is_known_to_hold() -> None:
    run(ProduceFirst(), RequireFirst())
    assert checked == ["First"]


def test_an_invalidated_property_is_checked_again() -> None:
    with pytest.raises(UserError, match="require_first requires First"):
        run(RequireFirst(), BreakFirst(), RequireFirst())


def test_a_pass_that_changes_nothing_invalidates_nothing() -> None:
    run(RequireFirst(), DoNothing(), RequireFirst())
    assert checked == ["First"]


def test_without_verification_nothing_is_checked() -> None:
    assert run(RequireFirst(), given=broken("First"), verify=False).name == "P1"
    assert checked == []


def test_a_program_that_is_not_well_formed_is_refused_at_once() -> None:
    undefined = kernel(ir.Assign(var("a"), plus(var("b"), ONE), line(5)))
    with pytest.raises(UserError) as caught:
        run(ProduceFirst(), given=undefined)
    assert (caught.value.code, caught.value.span.line) == ("PL302", 5)


def test_a_scope_stops_the_pipeline_at_its_line() -> None:
    scope = ir.Scope(ir.ScopeKind.At, (), {}, None, block(), line(5))

    class RequireSplit(passes.Pass):
        """Requires in-core code and orchestration to be apart."""

        requires = frozenset({passes.SplitIncoreOrch})

        def run(self, program):
            return program

    with pytest.raises(UserError) as caught:
        run(RequireSplit(), given=kernel(scope))
    assert (caught.value.code, caught.value.span.line) == ("PL311", 5)


# Bugs


def test_a_bug_in_a_pass_carries_pass_program_and_reproducer() -> None:
    with pytest.raises(InternalError) as caught:
        run(ProduceFirst(), Crash())
    error = caught.value
    assert error.pass_name == "crash"
    assert "ZeroDivisionError: no reason" in str(error)
    assert error.printed is not None
    assert "kernel" in error.printed
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert error.reproducer is not None
    text = Path(error.reproducer).read_text(encoding="utf-8")
    assert error.printed in text
    assert "Crash()" in text


def test_the_reproducer_reads_back_as_the_program_that_the_pass_was_given() -> None:
    given = kernel(ir.Assign(var("a"), plus(ONE, ONE)))
    with pytest.raises(InternalError) as caught:
        run(Crash(), given=given)
    assert caught.value.reproducer is not None
    ir.assert_structural_equal(pl.loads(caught.value.reproducer), given)


def test_the_reproducer_shows_the_options_of_the_pass() -> None:
    with pytest.raises(InternalError) as caught:
        run(Crash(times=3))
    assert caught.value.reproducer is not None
    text = Path(caught.value.reproducer).read_text(encoding="utf-8")
    assert "Crash(times=3)" in text


def test_without_a_place_for_the_reproducer_the_error_is_still_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.path.isdir", lambda path: True)
    monkeypatch.setenv("TMPDIR", "/proc/nowhere")
    with pytest.raises(InternalError) as caught:
        run(Crash())
    assert caught.value.reproducer is None


def test_a_refusal_by_a_pass_passes_through() -> None:
    with pytest.raises(UserError) as caught:
        run(Refuse())
    assert caught.value.code == "PL404"


def test_a_pass_that_does_not_produce_what_it_says_has_a_bug() -> None:
    with pytest.raises(InternalError, match="First does not hold after the pass"):
        run(ProduceFirst(fail=True))


def test_a_fault_that_the_pass_was_given_is_no_bug_of_it() -> None:
    with pytest.raises(UserError) as caught:
        run(ProduceFirst(fail=True), given=broken("First"))
    assert caught.value.code == "PL305"


def test_a_loop_that_returns_is_refused_and_no_bug() -> None:
    returning = kernel(loop(var("i"), block(ir.Return((), line(4)))))
    with pytest.raises(UserError) as caught:
        run(passes.NormalizeStatements(), given=returning)
    assert (caught.value.code, caught.value.span.line) == ("PL305", 4)


# The garbage collector


def test_the_garbage_collector_pauses_and_goes_on() -> None:
    assert run(SeeCollector()).name == "False"
    assert gc.isenabled()


def test_the_garbage_collector_goes_on_after_an_error() -> None:
    with pytest.raises(UserError):
        run(Refuse())
    assert gc.isenabled()


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        run(SeeCollector())
        assert not gc.isenabled()
    finally:
        gc.enable()


# Instruments


class Record(passes.Instrument):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, str]] = []

    def before_pass(self, each: passes.Pass, program: ir.Program) -> None:
        self.told.append(("before", each.name, program.name))

    def after_pass(self, each: passes.Pass, before: ir.Program, after: ir.Program) -> None:
        self.told.append(("after", each.name, after.name))


def test_instruments_are_told_before_and_after_each_pass() -> None:
    record = Record()
    run(ProduceFirst(), RequireFirst(), instruments=[record])
    assert record.told == [
        ("before", "produce_first", "P"),
        ("after", "produce_first", "P2"),
        ("before", "require_first", "P2"),
        ("after", "require_first", "P21"),
    ]


def test_the_verifying_instrument_finds_what_a_pass_breaks_in_secret() -> None:
    with pytest.raises(InternalError, match="First does not hold any more after the pass") as caught:
        run(BreakFirstInSecret(), instruments=[passes.VerifyInstrument()])
    assert caught.value.pass_name == "break_first_in_secret"


def test_the_verifying_instrument_lets_passes_invalidate() -> None:
    assert run(RequireFirst(), BreakFirst(), instruments=[passes.VerifyInstrument()]).comments == ("First",)


@pytest.mark.parametrize(("names", "printed"), [(None, 2), (["RequireFirst"], 1), (["require_first"], 1), ([], 0)])
def test_printing_after_passes(names: Iterable[str] | None, printed: int) -> None:
    texts: list[str] = []
    run(ProduceFirst(), RequireFirst(), instruments=[passes.PrintAfter(texts.append, names)])
    assert len(texts) == printed
    assert all("# After require_first\n" in text for text in texts[-1:])


def test_timing_names_each_pass_and_the_total() -> None:
    timer = passes.TimeInstrument()
    run(ProduceFirst(), RequireFirst(), RequireFirst(), instruments=[timer])
    assert list(timer.seconds) == ["produce_first", "require_first"]
    assert [row.split()[0] for row in timer.report().splitlines()] == ["produce_first", "require_first", "total"]


def test_a_pipeline_of_one_function_leaves_the_others() -> None:
    still = function(name="still")
    folded = function(ir.Assign(var("a"), plus(ONE, ONE)), name="folded")
    after = run(passes.Simplify(), passes.NormalizeStatements(), passes.FlattenCalls(), given=program(still, folded))
    assert after.functions["still"] is still


def test_the_class_of_the_program_stays() -> None:
    class Special(ir.Program):
        """A program of a subclass."""

    folded = function(ir.Assign(var("a"), plus(ONE, ONE)))
    assert type(run(passes.Simplify(), given=Special("P", {"kernel": folded}))) is Special
