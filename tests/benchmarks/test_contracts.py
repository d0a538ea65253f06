"""Everything that is done to a program takes time and memory in proportion to it, for programs of each family."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

import pypto_lite.language as pl
from benchmarks.families import FAMILIES
from pypto_lite import ir, passes, printer
from pypto_lite.report.facts import program_facts
from pypto_lite.targets import ASCEND910B
from pypto_lite.testing import assert_linear
from pypto_lite.testing.arguments import arguments

if TYPE_CHECKING:
    from collections.abc import Callable

    from pypto_lite.passes import Pass, Property

SIZES = dict.fromkeys(FAMILIES, (40, 80, 160))
SIZES["nests"] = (120, 240, 480)  # one nest, two, four
SIZES["carries"] = (200, 400, 800)  # and so with the loops
SIZES["joins"] = (120, 240, 480)
SIZES["expressions"] = (200, 400, 800)

DEFAULT = passes.default_pipeline(ASCEND910B).passes
PROPERTIES = [value for value in vars(passes).values() if isinstance(value, passes.Property)]

every_family = pytest.mark.parametrize("family", FAMILIES)


@cache
def traced(family: str, size: int) -> pl.Program:
    return pl.parse(FAMILIES[family](size))


@cache
def stages(family: str, size: int) -> list[pl.Program]:
    """The program in front of each pass of the default pipeline, and behind the last."""
    programs = [traced(family, size)]
    for each in DEFAULT:
        programs.append(each.run(programs[-1]))
    return programs


def lowered(family: str) -> Callable[[int], pl.Program]:
    return lambda size: stages(family, size)[-1]


@every_family
def test_tracing(family: str) -> None:
    assert_linear(pl.parse, FAMILIES[family], sizes=SIZES[family])


@every_family
def test_reading_what_is_printed(family: str) -> None:
    assert_linear(pl.parse, lambda size: str(lowered(family)(size)), sizes=SIZES[family])


@every_family
@pytest.mark.parametrize("under_test", DEFAULT, ids=lambda each: each.name)
def test_a_pass(under_test: Pass, family: str) -> None:
    position = DEFAULT.index(under_test)
    assert_linear(under_test.run, lambda size: stages(family, size)[position], sizes=SIZES[family])


@every_family
@pytest.mark.parametrize("known", PROPERTIES, ids=repr)
def test_a_verifier(known: Property, family: str) -> None:
    assert_linear(lambda program: known.check(program, None), lowered(family), sizes=SIZES[family])


@every_family
def test_printing(family: str) -> None:
    assert_linear(lambda program: program.as_python(), lowered(family), sizes=SIZES[family])


@every_family
def test_equality_and_hashes(family: str) -> None:
    def compare(pair: tuple[pl.Program, pl.Program]) -> None:
        assert ir.structural_equal(*pair)
        assert ir.structural_hash(pair[0]) == ir.structural_hash(pair[1])

    assert_linear(compare, lambda size: (traced(family, size), pl.parse(FAMILIES[family](size))), sizes=SIZES[family])


@every_family
def test_telling_apart_what_differs_at_the_end(family: str) -> None:
    def other_result(text: str) -> str:
        return "return x".join(text.rsplit("return out", 1))

    def compare(pair: tuple[pl.Program, pl.Program]) -> None:
        assert not ir.structural_equal(*pair)

    assert_linear(
        compare,
        lambda size: (traced(family, size), pl.parse(other_result(FAMILIES[family](size)))),
        sizes=SIZES[family],
    )


@every_family
def test_the_facts_of_a_report(family: str) -> None:
    def tell(program: pl.Program) -> object:
        return program_facts(program, file="", target=None)

    assert_linear(tell, lowered(family), sizes=SIZES[family])


@every_family
def test_why_the_last_tile_lives_where_it_does(family: str) -> None:
    def ask(program: pl.Program) -> str:
        function = next(reversed(program.functions.values()))
        named = printer.names(function)
        last = next(each for each in reversed(program.decisions) if each.subject in named)
        return str(program.why(named[last.subject], function=function.name))

    assert_linear(ask, lowered(family), sizes=SIZES[family])


@pytest.mark.filterwarnings("ignore::pypto_lite.interp.SanitizerNote")  # some families store nothing
@pytest.mark.parametrize("sanitize", [False, True])
@pytest.mark.parametrize("family", ["straight", "fan_out", "expressions"])
def test_a_run(family: str, sanitize: bool) -> None:
    """Kernels without the loops of the other families, which run as often as they are told to."""

    def run(program: pl.Program) -> object:
        return program.run(sanitize=sanitize, **given)

    given = arguments(traced(family, 40))
    assert_linear(run, lambda size: traced(family, size), sizes=SIZES[family])
