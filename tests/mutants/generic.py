"""Generic mutants: what the operators make of every function that placement is made of, and an even sample of that."""

from __future__ import annotations

import ast
from functools import cache
from itertools import chain, zip_longest
from random import Random
from typing import TYPE_CHECKING, Final

from tests.mutants.mutant import Mutant, mutant_at
from tests.mutants.operators import changes
from tests.mutants.sources import modules_under, source_of, with_what_they_use

if TYPE_CHECKING:
    from tests.mutants.operators import Signatures
    from tests.mutants.sources import Definition

PLACEMENT: Final = "pypto_lite.passes.placed.placement"

VERIFIER: Final = "TileMemoryInferred"

BELOW: Final = ("pypto_lite.analysis", "pypto_lite.targets")


@cache
def mutated_modules() -> list[str]:
    """The modules of placement, the analyses and targets that it stands on, and its verifier."""
    verifier = [
        module
        for module in modules_under("pypto_lite.passes")
        if any(isinstance(node, ast.ClassDef) and node.name == VERIFIER for node in source_of(module).tree.body)
    ]
    return [*with_what_they_use(modules_under(PLACEMENT), BELOW), *verifier]


@cache
def definitions() -> list[Definition]:
    """The functions and constants of these modules."""
    return [definition for module in mutated_modules() for definition in source_of(module).definitions]


@cache
def generic_mutants() -> dict[str, list[Mutant]]:
    """All generic mutants of each definition that has any."""
    known = _signatures(definitions())
    found = {definition.key: _mutants_of(definition, known) for definition in definitions()}
    return {key: mutants for key, mutants in found.items() if mutants}


def _mutants_of(definition: Definition, known: Signatures) -> list[Mutant]:
    mutants: list[Mutant] = []
    counts: dict[str, int] = {}
    short = definition.source.module.rpartition(".")[2]
    for change in changes(definition, known):
        counts[change.operator] = counts.get(change.operator, 0) + 1
        name = f"{short}.{definition.name}:{change.operator}:{counts[change.operator]}"
        before = " ".join(definition.source.text_of(change.node).split())
        after = " ".join(change.after.split())
        breaks = f"line {change.node.lineno}: {before} becomes {after}"
        mutants.append(mutant_at(name, definition, change.node, change.after, breaks))
    return mutants


def _signatures(definitions: list[Definition]) -> Signatures:
    """Of each function and method that has its bare name alone: the types of its parameters, and of its result."""
    found: dict[str, tuple[list[str], str]] = {}
    several: set[str] = set()
    for definition in definitions:
        node = definition.node
        if not isinstance(node, ast.FunctionDef) or node.returns is None:
            continue
        if node.name in found:
            several.add(node.name)
        types = [ast.unparse(each.annotation) for each in node.args.args if each.annotation is not None]
        found[node.name] = types, ast.unparse(node.returns)
    return {name: signature for name, signature in found.items() if name not in several}


def sample(size: int, seed: int) -> list[Mutant]:
    """So many of the generic mutants: one of each definition, a second of each, and so on.

    Which one depends on the seed and the definition alone, so a change to one function leaves the others theirs.
    """
    shuffled = {
        key: Random(f"{seed} {key}").sample(mutants, len(mutants)) for key, mutants in generic_mutants().items()
    }
    order = sorted(shuffled, key=lambda key: Random(f"{seed} {key} order").random())
    rounds = chain.from_iterable(zip_longest(*(shuffled[key] for key in order)))
    chosen = [mutant for mutant in rounds if mutant is not None][:size]
    return sorted(chosen, key=lambda mutant: (mutant.definition, mutant.start, mutant.name))
