"""A mutant: a module of ours with one fault in it. Planted before the module is imported for the first time.

Nothing of the package is imported here, so that whatever is mutated is imported afterwards.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Collection, Sequence
    from types import CodeType

    from tests.mutants.sources import Definition


class Mutant(NamedTuple):
    """A text that stands at a place of a module, and what stands there instead.

    ``breaks`` says what is wrong then; ``definition`` is the key of the function or constant that the text is in.
    """

    name: str
    definition: str
    start: int
    before: str
    after: str
    breaks: str

    @property
    def module(self) -> str:
        return self.definition.partition(":")[0]

    def mutated(self, source: str) -> str:
        """The source of the module with the fault in it."""
        end = self.start + len(self.before)
        assert source[self.start : end] == self.before, f"mutant {self.name!r}: {self.before!r} does not stand there"
        return source[: self.start] + self.after + source[end:]


def mutant_at(name: str, definition: Definition, node: ast.expr | ast.stmt, after: str, breaks: str) -> Mutant:
    """The mutant with another text in the place of a node."""
    source = definition.source
    return Mutant(name, definition.key, source.start(node), source.text_of(node), after, breaks)


def plant(mutant: Mutant) -> None:
    """Imports the mutant in the place of its module, which must not have been imported yet."""
    replace_source([mutant.module], lambda _, source: mutant.mutated(source))


def replace_source(modules: Collection[str], change: Callable[[str, str], str | ast.Module]) -> None:
    """Imports these modules with what becomes of their name and source."""
    imported = sorted({*modules} & sys.modules.keys())
    assert not imported, f"{', '.join(imported)} is imported already"
    sys.meta_path.insert(0, _Replacing(modules, change))
    for module in modules:  # now, as pytest reads the modules of an installed plugin itself
        import_module(module)


class _Replacing(MetaPathFinder):
    def __init__(self, modules: Collection[str], change: Callable[[str, str], str | ast.Module]) -> None:
        self._modules = modules
        self._change = change

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if fullname not in self._modules:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = _Loader(fullname, spec.origin, self._change)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, change: Callable[[str, str], str | ast.Module]) -> None:
        super().__init__(fullname, path)
        self._change = change

    def get_code(self, fullname: str) -> CodeType:
        """The code of the changed source; never from a cache, and never kept in one."""
        changed: Any = self._change(fullname, self.get_data(self.path).decode())
        return compile(changed, self.path, "exec", dont_inherit=True)
