"""Families of alike operators: a table of names, documentation and meanings, with one type rule and the same facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from pypto_lite.ops.framework.meaning import Elements, Numpy
from pypto_lite.ops.framework.registry import default_spelling

if TYPE_CHECKING:
    from pypto_lite.ops.framework.declaration import Operator, Rule

OfOne: TypeAlias = Sequence[tuple[str, str, Callable[[Numpy, Elements], Elements]]]
"""A table of operators whose meaning reads one operand."""

OfTwo: TypeAlias = Sequence[tuple[str, str, Callable[[Numpy, Elements, Elements], Elements]]]
"""A table of operators whose meaning reads two operands."""

OfThree: TypeAlias = Sequence[tuple[str, str, Callable[[Numpy, Elements, Elements, Elements], Elements]]]
"""A table of operators whose meaning reads three operands."""


def declare_family(
    declare: Callable[..., Callable[[Rule], Operator]],
    rule: Rule,
    rows: Sequence[tuple[str, str, Callable[..., Any]]],
    *,
    elementwise: bool = False,
) -> None:
    """Declares an operator for each row, which says its name, its documentation and what it computes.

    ``declare`` is ``operator`` with the facts that all share. After ``pl.`` each is called by the last part of its
    name, too. The parameters of a meaning are named like those of the rule that it reads, behind the array module.
    """
    for name, documentation, meaning in rows:
        spelling = default_spelling(name).rpartition(".")[2]
        declared = declare(name, spellings=(spelling,), documentation=documentation)(rule)
        declared.evaluator(meaning, elementwise=elementwise)
