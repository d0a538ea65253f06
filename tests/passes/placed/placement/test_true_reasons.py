"""Reasons are true: without the facts that a decision rests on it would be another, and no other fact matters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pypto_lite import ir
from pypto_lite import language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.targets import ASCEND910B, find_target
from tests.passes.placed.placement.counterfactuals import TURNS, Experiment, Key, Outcome
from tests.passes.placed.placement.kernels import kernel
from tests.passes.placed.placement.random_kernels import random_kernel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.passes import Decision

DATA = Path(__file__).parents[3] / "data"
RECORDS = [json.loads(line) for line in (DATA / "placement" / "visible.jsonl").read_text("utf-8").splitlines()]
SEEDS = range(240)


def random_experiment(seed: int) -> Experiment:
    return Experiment(kernel(random_kernel(seed, writes=seed % 2 == 0, statements=16)), "kernel", ASCEND910B)


def assert_true(experiment: Experiment) -> None:
    if not experiment.placeable:
        return
    assert_no_other_fact_matters(experiment)
    assert_cited_facts_matter(experiment)
    assert_copies_are_there_for_what_asks_for_them(experiment)


def assert_no_other_fact_matters(experiment: Experiment) -> None:
    spaces, copies = experiment.outcome
    assert copies is not None
    cited = {var: set(experiment.cited(decision)) for var, decision in experiment.of_tiles.items()}
    cited_by_copies = {
        kind: {key for decision in decisions for key in experiment.cited(decision)}
        for kind, decisions in experiment.of_copies.items()
    }
    for key in experiment.facts:
        outcome = experiment.without([key])
        for var, space in spaces.items():
            if key not in cited[var]:
                assert outcome is not None
                assert outcome.spaces[var] is space, f"{var!r} rests on {experiment.facts[key]}, which is not cited"
        for kind, count in copies.items():
            if key not in cited_by_copies[kind] and outcome is not None and outcome.copies is not None:
                assert outcome.copies.get(kind, 0) >= count, f"the copy of {kind} rests on {experiment.facts[key]}"


def assert_cited_facts_matter(experiment: Experiment) -> None:
    known: dict[frozenset[Key], list[Outcome | None]] = {}
    for var, decision in experiment.of_tiles.items():
        cited = frozenset(experiment.cited(decision))
        if not cited:
            assert_nothing_needs_a_reason(experiment, decision)
            continue
        if cited not in known:
            known[cited] = [experiment.without(cited, turn, copies=False) for turn in TURNS]
        space = experiment.outcome.spaces[var]
        elsewhere = [outcome is None or outcome.spaces[var] is not space for outcome in known[cited]]
        assert any(elsewhere), f"{var!r} would live in {space.name} all the same"


def assert_nothing_needs_a_reason(experiment: Experiment, decision: Decision) -> None:
    """Without reasons a tile is in Vec by default, or follows one that is."""
    while decision.causes:
        (cause,) = decision.causes
        assert cause.value is not None
        decision = experiment.decisions[cause.value]
    assert decision.rule == "default"


def assert_copies_are_there_for_what_asks_for_them(experiment: Experiment) -> None:
    copies = experiment.outcome.copies
    assert copies is not None
    for kind, decisions in experiment.of_copies.items():
        for decision in decisions:
            trials = [(experiment.cited_directly(decision), None), *[(experiment.cited(decision), t) for t in TURNS]]
            outcomes = (experiment.without(keys, turn) for keys, turn in trials if keys)
            assert any(
                outcome is None or outcome.copies is None or outcome.copies.get(kind, 0) < copies[kind]
                for outcome in outcomes
            ), f"{decision.subject!r} would be made all the same"


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["id"]))
def test_reasons_are_true_for_recorded_placements(record: dict[str, str]) -> None:
    assert_true(Experiment(pl.parse(record["source"]), "kernel", find_target(record["target"])))


@pytest.mark.parametrize("path", sorted((DATA / "faults").glob("*.py")), ids=lambda path: path.stem)
def test_reasons_are_true_where_placement_is_easily_wrong(path: Path) -> None:
    program = pl.loads(path)
    try:
        program.lower()
    except UserError:
        return
    assert_true(Experiment(program, "kernel", ASCEND910B))


@pytest.mark.parametrize("seed", SEEDS)
def test_reasons_are_true_for_random_kernels(seed: int) -> None:
    assert_true(random_experiment(seed))


def test_most_rules_occur_among_the_random_kernels() -> None:
    """So that the test above looks at something."""
    rules = {
        decision.rule
        for seed in SEEDS
        if (experiment := random_experiment(seed)).placeable
        for decision in experiment.decisions.values()
    }
    assert rules >= {
        "alias", "carried", "default", "demanded", "handed-on", "inherits", "inserted-move", "joined", "producer",
        "view", "view-repeated-in-mat", "written",
    }  # fmt: skip


def is_decisive(experiment: Experiment, key: Key, cited: frozenset[Key], var: ir.Var) -> bool:
    """Whether a cited fact makes the difference: alone, or when all the others are gone.

    A producer that nothing could be placed without makes one.
    """
    space = experiment.outcome.spaces[var]
    for turn in TURNS:
        alone, others, everything = (
            experiment.without(keys, turn, copies=False) for keys in ([key], cited - {key}, cited)
        )
        if alone is None or alone.spaces[var] is not space:
            return True
        kept = others is None or others.spaces[var] is space
        if kept and everything is not None and everything.spaces[var] is not space:
            return True
    return False


def share_of_decisive_facts(experiments: Iterable[Experiment]) -> float:
    decisive: list[bool] = []
    for experiment in experiments:
        if not experiment.placeable:
            continue
        for var, decision in experiment.of_tiles.items():
            cited = frozenset(experiment.cited(decision))
            if decision.rule in ("demanded", "joined"):
                decisive += [is_decisive(experiment, key, cited, var) for key in cited]
    assert sum(decisive) > 50
    return sum(decisive) / len(decisive)


def test_hardly_any_cited_fact_is_decoration() -> None:
    """Some are left where several operands of one call, or of one branch, say the same."""
    recorded = (Experiment(pl.parse(each["source"]), "kernel", ASCEND910B) for each in RECORDS[::8])
    assert share_of_decisive_facts(recorded) > 0.97


def test_most_cited_facts_are_no_decoration_where_creates_compete() -> None:
    """In random kernels many creates name spaces that give way to others: more is cited there than would be needed."""
    assert share_of_decisive_facts(map(random_experiment, range(100))) > 0.65
