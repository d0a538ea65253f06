"""The modules that are mutated, as source text and syntax trees; nothing of the package is imported for it."""

from __future__ import annotations

import ast
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT: Final = Path(__file__).resolve().parents[2]
"""The checkout."""


class Source:
    """The text of a module and its syntax tree."""

    def __init__(self, module: str, text: str) -> None:
        self.module = module
        self.text = text
        self.tree = ast.parse(text)

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line starts."""
        starts = [0]
        for line in self.text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Where the text of a node starts."""
        return self._offset(node.lineno, node.col_offset)

    def text_of(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node, without parentheses around it."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.text[self.start(node) : self._offset(node.end_lineno, node.end_col_offset)]

    def _offset(self, line: int, column: int) -> int:
        first = self._starts[line - 1]
        return first + len(self.text[first : self._starts[line]].encode()[:column].decode())  # columns count bytes

    @cached_property
    def definitions(self) -> list[Definition]:
        """The functions, methods and constants of the module."""
        found: list[Definition] = []
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef):
                methods = [each for each in node.body if isinstance(each, ast.FunctionDef)]
                found += [Definition(self, f"{node.name}.{method.name}", method) for method in methods]
            elif isinstance(node, ast.FunctionDef):
                found.append(Definition(self, node.name, node))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                found.append(Definition(self, node.target.id, node))
        return found


class Definition(NamedTuple):
    """A function or method, or a constant, under its qualified name."""

    source: Source
    name: str
    node: ast.FunctionDef | ast.AnnAssign

    @property
    def key(self) -> str:
        """The name with that of the module, by which tests are known to execute it."""
        return f"{self.source.module}:{self.name}"


@cache
def source_of(module: str) -> Source:
    """The source of a module of the checkout."""
    path = ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return Source(module, file.read_text("utf-8"))


def modules_under(package: str) -> list[str]:
    """The modules of a package, found in its folder."""
    folder = ROOT.joinpath(*package.split("."))
    files = [path.relative_to(ROOT).with_suffix("").parts for path in sorted(folder.rglob("*.py"))]
    return [".".join(parts).removesuffix(".__init__") for parts in files]


def with_what_they_use(modules: Iterable[str], packages: Iterable[str]) -> list[str]:
    """The modules, and those of other packages that they import, directly or through others of these."""
    inside = {module for package in packages for module in modules_under(package)}
    found = dict.fromkeys(modules)
    pending = list(found)
    for module in pending:
        for name in _imported(source_of(module).tree):
            if name in inside and name not in found:
                found[name] = None
                pending.append(name)
    return pending


def _imported(tree: ast.Module) -> Iterator[str]:
    """The names that a module imports when it is loaded; not those for types only."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
