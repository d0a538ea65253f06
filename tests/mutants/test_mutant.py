"""What a mutant is, how it is planted, and how it is recorded what is executed."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from tests.mutants.mutant import Mutant, mutant_at, plant
from tests.mutants.recording import record
from tests.mutants.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = 'def f(x, y):\n    """Subtracts."""\n    return x - y\n\n\ndef g(x):\n    return f(x, 1)\n'

MUTANT = Mutant("adds", "mutated_for_a_test:f", TEXT.index("x - y"), "x - y", "x + y", "It adds.")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module that can be imported."""
    (tmp_path / "mutated_for_a_test.py").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    yield tmp_path
    sys.modules.pop("mutated_for_a_test", None)


def test_another_text_stands_in_the_place_of_a_node() -> None:
    definition = Source("mutated_for_a_test", TEXT).definitions[0]
    returned = definition.node.body[1].value  # type: ignore[union-attr]
    assert mutant_at("adds", definition, returned, "x + y", "It adds.") == MUTANT
    assert MUTANT.mutated(TEXT) == TEXT.replace("-", "+")


def test_a_place_where_the_text_does_not_stand_is_refused() -> None:
    with pytest.raises(AssertionError, match="mutant 'adds': 'x - y' does not stand there"):
        MUTANT.mutated(f"\n{TEXT}")


def test_what_is_imported_is_the_mutant(folder: Path) -> None:
    plant(MUTANT)
    assert import_module("mutated_for_a_test").f(3, 2) == 5
    assert [path.name for path in folder.iterdir()] == ["mutated_for_a_test.py"]


def test_a_module_that_was_imported_is_too_late() -> None:
    with pytest.raises(AssertionError, match="pypto_lite is imported already"):
        plant(MUTANT._replace(definition="pypto_lite:f"))


@pytest.mark.usefixtures("folder")
def test_what_is_executed_is_recorded() -> None:
    executing = record(["mutated_for_a_test"])
    module = import_module("mutated_for_a_test")
    assert executing == set()
    assert module.f(3, 2) == 1
    assert executing == {"mutated_for_a_test:f"}
    executing.clear()
    assert module.g(3) == 2
    assert executing == {"mutated_for_a_test:f", "mutated_for_a_test:g"}
    assert module.f.__doc__ == "Subtracts."
