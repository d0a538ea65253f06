"""Hypothesis strategies: random well-typed programs, and arrays to run them on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from hypothesis import strategies as st

from pypto_lite import ir, language, ops
from pypto_lite.targets import TARGETS, Target, find_target
from pypto_lite.testing.arguments import arguments
from pypto_lite.testing.choices import Choices
from pypto_lite.testing.parsing import parsed
from pypto_lite.testing.random_calls import drawable
from pypto_lite.testing.random_programs import Knobs, RandomProgram

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypothesis.strategies import DrawFn, SearchStrategy

EVERY_TARGET: Final[tuple[Target | None, ...]] = (None, *TARGETS.values())

SIZE: Final = 5
"""How many statements a kernel has at most, beside those in loops and branches."""

KERNELS: Final = 3

_SEEDS: Final = st.integers(0, 63)


class Sample(NamedTuple):
    """All that a trial of a program is made of, as plain data."""

    text: str
    seed: int
    """Says which arguments the program runs on."""
    edit: int
    """Says which edit of the program is made."""


def programs(
    *,
    size: int = SIZE,
    operators: Iterable[str] | None = None,
    targets: Iterable[Target | str | None] = EVERY_TARGET,
    kernels: int = KERNELS,
    explicit: bool | None = None,
) -> SearchStrategy[language.Program]:
    """Random programs on tiles: kernels, inline functions, orchestration; they parse, and most can be placed.

    ``size`` bounds the statements of a kernel (beside those in its loops and branches), ``kernels`` how many there are.
    ``operators`` names those that are called, by default all whose declaration says what they compute; ``targets``
    those that the spaces of operands are chosen for. ``explicit`` is True for programs that bind each name once, with
    ``init_values`` and ``pl.yield_``, False for natural ones, None for both.
    """
    return texts(size=size, operators=operators, targets=targets, kernels=kernels, explicit=explicit).map(parsed)


def texts(
    *,
    size: int = SIZE,
    operators: Iterable[str] | None = None,
    targets: Iterable[Target | str | None] = EVERY_TARGET,
    kernels: int = KERNELS,
    explicit: bool | None = None,
) -> SearchStrategy[str]:
    """The Python text of ``programs``."""
    chosen = ops.operators().values() if operators is None else [ops.lookup(name) for name in operators]
    drawn = tuple([operator for operator in chosen if drawable(operator)])
    return _texts(Knobs(drawn, tuple(map(find_target, targets)), size, kernels, explicit))


def inputs(program: ir.Program, function: str | None = None) -> SearchStrategy[dict[str, Any]]:
    """Arguments for ``Program.run``: arrays of small whole numbers and halves, so that most results are exact.

    ``function`` is the entry by default. See ``pypto_lite.testing.arguments``.
    """
    return _SEEDS.map(lambda seed: arguments(program, seed, function))


@st.composite
def samples(draw: DrawFn, texts: SearchStrategy[str]) -> Sample:
    """Programs with what else a trial of them needs."""
    return Sample(draw(texts), draw(_SEEDS), 64 * draw(_SEEDS) + draw(_SEEDS))


@st.composite
def _texts(draw: DrawFn, knobs: Knobs) -> str:
    return RandomProgram(Choices(draw), knobs).text()
