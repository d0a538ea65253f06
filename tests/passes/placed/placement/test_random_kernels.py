"""Random kernels are placed right, by every check and in what they compute, or refused with a code."""

from __future__ import annotations

import random

import pytest

from pypto_lite import ir, passes
from pypto_lite import language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.passes import InferTileMemorySpace
from pypto_lite.targets import ASCEND910B, ASCEND950, Target
from tests.passes.placed.placement.kernels import kernel, spaces
from tests.passes.placed.placement.random_kernels import random_joins, random_kernel
from tests.passes.placed.placement.symbolic import MeaninglessError, run

SEEDS = range(120)
EXPECTED_AFTER = {
    passes.NormalizedStmtStructure,
    passes.SSAForm,
    passes.TileMemoryInferred,
    passes.TypeChecked,
    passes.UseAfterDef,
}
REFUSALS = {"PL402", "PL404", "PL405"}


def placed_or_refused(program: ir.Program, target: Target | None) -> ir.Program | set[str]:
    """The placed program, or the codes of the errors."""
    try:
        return InferTileMemorySpace(target)(program)
    except UserError as error:
        return {each.code for each in error.diagnostics}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_kernel_is_placed_right_or_refused(seed: int) -> None:
    before = kernel(random_kernel(seed, writes=seed % 2 == 0))
    for target in (None, ASCEND910B):
        after = placed_or_refused(before, target)
        if isinstance(after, set):
            assert after <= REFUSALS
            continue
        assert passes.verify(after, EXPECTED_AFTER, target) == []
        assert InferTileMemorySpace(target)(after) is after
        ir.assert_structural_equal(pl.parse(str(after)), after)
        for n in range(3):
            assert_same_meaning(before, after, n)


def assert_same_meaning(before: ir.Program, after: ir.Program, n: int) -> None:
    try:
        expected = run(before.functions["kernel"], n)
    except MeaninglessError:
        return
    assert run(after.functions["kernel"], n) == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_tiles_that_meet_and_are_changed_mean_the_same_or_are_refused(seed: int) -> None:
    before = kernel(random_joins(seed))
    after = placed_or_refused(before, ASCEND910B)
    if isinstance(after, set):
        assert after <= REFUSALS
        return
    for n in range(3):
        assert_same_meaning(before, after, n)


def test_most_random_kernels_mean_something_and_many_can_be_placed() -> None:
    """So that the test above looks at something."""
    programs = [kernel(random_kernel(seed, writes=seed % 2 == 0)) for seed in SEEDS]
    placed = [each for each in programs if not isinstance(placed_or_refused(each, ASCEND910B), set)]
    assert len(placed) > len(SEEDS) // 4
    meaningful = 0
    for each in placed:
        try:
            meaningful += bool(run(each.functions["kernel"], 1))
        except MeaninglessError:
            continue
    assert meaningful > len(placed) // 8


@pytest.mark.parametrize("seed", SEEDS)
def test_both_chips_place_alike(seed: int) -> None:
    program = kernel(random_kernel(seed))
    first, second = (placed_or_refused(program, target) for target in (ASCEND910B, ASCEND950))
    if isinstance(first, set) or isinstance(second, set):
        assert first == second
    else:
        ir.assert_structural_equal(first, second)


# The order of independent statements and the names of values do not matter.


def shuffled(block: ir.Block, source: random.Random) -> ir.Block:
    """The block with its statements in another order in which every value is still made before it is used."""
    waiting = list(block.statements)
    defined = {var for statement in waiting for var in _made_in(statement)}
    needed = {statement: _read_in(statement) & defined - _made_in(statement) for statement in waiting}
    done: set[ir.Var] = set()
    order: list[ir.Stmt] = []
    while waiting:
        ready = [each for each in waiting if needed[each] <= done and not isinstance(each, ir.Yield)]
        statement = source.choice(ready) if ready else waiting[0]
        waiting.remove(statement)
        done |= _made_in(statement)
        inner = {name: shuffled(getattr(statement, name), source) for name in _block_fields(statement)}
        order.append(statement.replace(**inner) if inner else statement)
    return block.rebuild(order)


def _block_fields(statement: ir.Stmt) -> list[str]:
    fields = ("body", "then_body", "else_body")
    return [name for name in fields if isinstance(getattr(statement, name, None), ir.Block)]


def _made_in(statement: ir.Stmt) -> set[ir.Var]:
    return {var for node in ir.walk(statement) if isinstance(node, ir.Stmt) for var in node.definitions()}


def _read_in(statement: ir.Stmt) -> set[ir.Var]:
    return {node for node in ir.walk(statement) if isinstance(node, ir.Var)}


def renamed(program: ir.Program) -> ir.Program:
    """The program with its values numbered backwards."""
    variables = list(dict.fromkeys(node for node in ir.walk(program) if isinstance(node, ir.Var)))
    others = {var: ir.Var(f"v{len(variables) - index}", var.type, var.span) for index, var in enumerate(variables)}
    return ir.rewrite(program, {ir.Var: others.__getitem__})


@pytest.mark.parametrize("seed", SEEDS)
def test_independent_statements_in_another_order_are_placed_alike(seed: int) -> None:
    program = kernel(random_kernel(seed, statements=16))
    function = program.functions["kernel"]
    first = placed_or_refused(program, ASCEND910B)
    for attempt in range(3):
        body = shuffled(function.body, random.Random(1000 * seed + attempt))
        second = placed_or_refused(program.with_functions([function.replace(body=body)]), ASCEND910B)
        if isinstance(first, set) or isinstance(second, set):
            assert isinstance(first, set)
            assert isinstance(second, set)
        else:
            made = spaces(program)
            assert {name: spaces(second)[name] for name in made} == {name: spaces(first)[name] for name in made}


@pytest.mark.parametrize("seed", SEEDS)
def test_names_do_not_matter(seed: int) -> None:
    program = kernel(random_kernel(seed))
    first, second = (placed_or_refused(each, ASCEND910B) for each in (program, renamed(program)))
    if isinstance(first, set) or isinstance(second, set):
        assert first == second
    else:
        ir.assert_structural_equal(first, second)
