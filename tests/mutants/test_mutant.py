"""What a mutant is, and how it is planted."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from tests.mutants.mutant import Mutant, mutants_of, plant

if TYPE_CHECKING:
    from pathlib import Path

MUTANT = Mutant("adds", "mutated_for_a_test", "x - y", "x + y", "It adds.")


def test_one_text_is_replaced() -> None:
    assert MUTANT.mutated("def f(x, y):\n    return x - y\n") == "def f(x, y):\n    return x + y\n"


@pytest.mark.parametrize(("source", "count"), [("x * y", 0), ("x - y - (x - y)", 2)])
def test_a_text_that_does_not_occur_once_is_refused(source: str, count: int) -> None:
    with pytest.raises(ValueError, match=rf"mutant 'adds': 'x - y' occurs {count} times in mutated_for_a_test"):
        MUTANT.mutated(source)


def test_rows_of_one_module() -> None:
    assert mutants_of("mutated_for_a_test", ("adds", "It adds.", "x - y", "x + y")) == [MUTANT]


def test_what_is_imported_is_the_mutant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mutated_for_a_test.py").write_text("def f(x, y):\n    return x - y\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    plant(MUTANT)
    try:
        assert import_module("mutated_for_a_test").f(3, 2) == 5
    finally:
        del sys.modules["mutated_for_a_test"]
    assert [path.name for path in tmp_path.iterdir()] == ["mutated_for_a_test.py"]


def test_a_module_that_was_imported_is_too_late() -> None:
    with pytest.raises(AssertionError, match="pypto_lite is imported already"):
        plant(MUTANT._replace(module="pypto_lite"))
