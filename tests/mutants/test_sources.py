"""Modules are found by walking folders, and functions in them by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.mutants import sources
from tests.mutants.sources import Source, modules_under, with_what_they_use

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """
LIMIT: Final = 3

def f():
    return "ä", (a +
                 b)

class C:
    x: int

    def m(self):
        return 1
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "p/passes/__init__.py": "from p.analysis.a import x",
        "p/passes/one.py": "from p.analysis import b\nif TYPE_CHECKING:\n    from p.analysis import unused",
        "p/analysis/__init__.py": "",
        "p/analysis/a.py": "from p.analysis.c import y",
        "p/analysis/b.py": "",
        "p/analysis/c.py": "",
        "p/analysis/unused.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(sources, "ROOT", tmp_path)


def test_functions_methods_and_constants_are_definitions() -> None:
    assert [each.key for each in Source("m", TEXT).definitions] == ["m:LIMIT", "m:f", "m:C.m"]


def test_the_text_of_a_node_over_several_lines() -> None:
    source = Source("m", TEXT)
    returned = source.definitions[1].node.body[0].value.elts[1]  # type: ignore[union-attr]
    assert source.text_of(returned) == "a +\n                 b"


@pytest.mark.usefixtures("checkout")
def test_modules_are_found_in_the_folder() -> None:
    assert modules_under("p.passes") == ["p.passes", "p.passes.one"]


@pytest.mark.usefixtures("checkout")
def test_what_modules_use_is_found_by_their_imports() -> None:
    found = with_what_they_use(modules_under("p.passes"), ["p.analysis"])
    assert found == ["p.passes", "p.passes.one", "p.analysis.a", "p.analysis", "p.analysis.b", "p.analysis.c"]
