"""The mutants that there are: all are Python, and no two have one name."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

import pytest

from pypto_lite import passes
from tests.mutants.generic import generic_mutants, sample
from tests.mutants.pattern import named
from tests.mutants.planted import planted
from tests.mutants.rules import rules
from tests.mutants.sources import source_of

if TYPE_CHECKING:
    from tests.mutants.mutant import Mutant

NAMED = [*rules(), *chain.from_iterable(planted().values())]


@pytest.mark.parametrize("mutant", NAMED, ids=lambda mutant: mutant.name)
def test_a_named_mutant_is_python_and_says_in_a_sentence_what_it_breaks(mutant: Mutant) -> None:
    compile(mutant.mutated(source_of(mutant.module).text), mutant.module, "exec")
    assert mutant.breaks[0].isupper()
    assert mutant.breaks.endswith(".")


def test_a_sample_is_python() -> None:
    for mutant in sample(100, 1):
        compile(mutant.mutated(source_of(mutant.module).text), mutant.module, "exec")


def test_no_two_have_one_name() -> None:
    names = [mutant.name for mutant in (*NAMED, *chain.from_iterable(generic_mutants().values()))]
    assert [name for name, count in Counter(names).items() if count > 1] == []


def test_a_sample_is_spread_evenly() -> None:
    definitions = len(generic_mutants())
    assert {*Counter(mutant.definition for mutant in sample(definitions - 1, 1)).values()} == {1}
    assert {*Counter(mutant.definition for mutant in sample(definitions + 9, 1)).values()} == {1, 2}


def test_a_sample_depends_on_its_seed_alone() -> None:
    assert sample(50, 1) == sample(50, 1)
    assert sample(50, 1) != sample(50, 2)
    assert {*sample(50, 1)} < {*sample(60, 1)}


@pytest.mark.parametrize("each", passes.default_pipeline(None).passes, ids=lambda each: each.name)
def test_each_pass_has_a_planted_fault(each: passes.Pass) -> None:
    assert planted()[each.name]


def test_a_pattern_is_found_wherever_its_function_is() -> None:
    mutant = named("it", "It.", "Routes.bars", "destination  in (self.cube_side)", "True")
    assert mutant.definition.endswith(":Routes.bars")
    assert mutant.before == "destination in self.cube_side"


@pytest.mark.parametrize(("pattern", "count"), [("source is destination", 0), ("source", 2)])
def test_a_pattern_that_does_not_occur_once_is_refused(pattern: str, count: int) -> None:
    with pytest.raises(
        ValueError, match=f"mutant 'it': '{pattern}' occurs {count} times in 'Routes.carries', not once"
    ):
        named("it", "It.", "Routes.carries", pattern, "True")
