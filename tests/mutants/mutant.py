"""A mutant: a module of ours with one rule of it broken. Planted before the module is imported for the first time.

Nothing of the package is imported here, so that whatever is mutated is imported afterwards.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import CodeType


class Mutant(NamedTuple):
    """A text that occurs once in a module, and what stands there instead.

    ``breaks`` says in a sentence what the module does wrong then.
    """

    name: str
    module: str
    before: str
    after: str
    breaks: str

    def mutated(self, source: str) -> str:
        """The source of the module with the fault in it. Raises ValueError where the text does not occur once."""
        count = source.count(self.before)
        if count != 1:
            raise ValueError(f"mutant {self.name!r}: {self.before!r} occurs {count} times in {self.module}, not once")
        return source.replace(self.before, self.after)


def mutants_of(module: str, *rows: tuple[str, str, str, str]) -> list[Mutant]:
    """Mutants of one module: rows of name, what it breaks, the text before and after."""
    return [Mutant(name, module, before, after, breaks) for name, breaks, before, after in rows]


def plant(mutant: Mutant) -> None:
    """Makes this process import the mutant in the place of its module, which must not have been imported yet."""
    assert mutant.module not in sys.modules, f"{mutant.module} is imported already"
    sys.meta_path.insert(0, _Planting(mutant))


class _Planting(MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        if fullname != self._mutant.module:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = _MutantLoader(fullname, spec.origin, self._mutant)
        return spec


class _MutantLoader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, mutant: Mutant) -> None:
        super().__init__(fullname, path)
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        """The code of the mutant; never from a cache, and never kept in one."""
        source = self._mutant.mutated(self.get_data(self.path).decode())
        return compile(source, self.path, "exec", dont_inherit=True)
