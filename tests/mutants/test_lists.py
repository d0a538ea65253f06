"""The mutants that there are: each can be planted where it says."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pypto_lite import passes
from tests.mutants.placement_moves import MOVES
from tests.mutants.placement_rules import RULES
from tests.mutants.planted import PLANTED

if TYPE_CHECKING:
    from tests.mutants.mutant import Mutant

ALL = (*RULES, *MOVES, *PLANTED)


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.name)
def test_what_it_changes_occurs_once_and_it_is_python(mutant: Mutant) -> None:
    spec = find_spec(mutant.module)
    assert spec is not None
    assert spec.origin is not None
    compile(mutant.mutated(Path(spec.origin).read_text("utf-8")), spec.origin, "exec")


def test_no_two_have_one_name() -> None:
    assert len({mutant.name for mutant in ALL}) == len(ALL)


def test_each_says_in_a_sentence_what_it_breaks() -> None:
    assert [mutant.name for mutant in ALL if not (mutant.breaks[0].isupper() and mutant.breaks.endswith("."))] == []


def test_most_are_faults_of_the_placement_pass_itself() -> None:
    package = passes.InferTileMemorySpace.__module__
    assert sum(mutant.module.startswith(package) for mutant in (*RULES, *MOVES)) >= 80


@pytest.mark.parametrize("each", passes.default_pipeline(None).passes, ids=lambda each: each.name)
def test_each_pass_has_a_planted_fault(each: passes.Pass) -> None:
    assert any(mutant.module.startswith(type(each).__module__) for mutant in PLANTED)
