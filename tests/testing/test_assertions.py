"""assert_pass notices each thing that can be wrong with a pass."""

from __future__ import annotations

import pytest

from pypto_lite import ir, passes
from pypto_lite import language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.passes import Pass
from pypto_lite.testing.assertions import assert_pass
from tests.passes.hand_built import kernel, load, tensor, tile, var


def program(statements: str = "a = pl.load(x, [0, 0], [16, 16])") -> ir.Program:
    return pl.parse(f"""
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32]):
        {statements}
""")


class Unchanging(Pass):
    """Does nothing."""

    produces = frozenset({passes.SSAForm})

    def run(self, program: ir.Program) -> ir.Program:
        return program


class Unplacing(Unchanging):
    """Promises what it does not do."""

    produces = frozenset({passes.TileMemoryInferred})


class Growing(Unchanging):
    """Adds a statement whenever it runs."""

    def run(self, program: ir.Program) -> ir.Program:
        function = program.functions["kernel"]
        body = function.body.rebuild([*function.body.statements, ir.Assign(var("n"), ir.index_const(1))])
        return program.with_functions([function.replace(body=body)])


class Breaking(Unchanging):
    """Uses a value that is defined nowhere."""

    def run(self, program: ir.Program) -> ir.Program:
        function = program.functions["kernel"]
        broken = ir.Assign(var("t", tile(16, 16)), load(var("nowhere", tensor(16, 16))))
        return program.with_functions([function.replace(body=function.body.rebuild([broken]))])


class Plain(Unchanging):
    """Forgets the class of the program."""

    def run(self, program: ir.Program) -> ir.Program:
        return ir.Program(program.name, program.functions)


def test_a_pass_that_does_what_is_expected() -> None:
    before = program()
    assert assert_pass(before, Unchanging(), program()) is before


def test_the_result_is_compared() -> None:
    with pytest.raises(AssertionError, match="unchanging gives another program"):
        assert_pass(program(), Unchanging(), program("a = pl.load(x, [0, 0], [8, 8])"))


def test_the_class_is_compared() -> None:
    with pytest.raises(AssertionError, match="plain returned a Program"):
        assert_pass(program(), Plain(), program())


def test_what_the_pass_promises_is_checked() -> None:
    with pytest.raises(AssertionError, match="PL401"):
        assert_pass(program(), Unplacing(), program())


def test_a_program_that_was_well_formed_must_stay_so() -> None:
    with pytest.raises(AssertionError, match="PL302"):
        assert_pass(program(), Breaking(), Breaking().run(program()))


def test_a_second_run_changes_nothing() -> None:
    with pytest.raises(AssertionError, match=r"a second run of growing .* changes what the first one gave"):
        assert_pass(program(), Growing(), Growing().run(program()))
    assert_pass(program(), Growing(), Growing().run(program()), idempotent=False)


def test_what_the_pass_requires_is_checked() -> None:
    twice = var("t", tile(16, 16))
    source = var("x", tensor(16, 16))
    broken = kernel(ir.Assign(twice, load(source)), ir.Assign(twice, load(source)), params=(source,))
    with pytest.raises(UserError):
        assert_pass(broken, passes.infer_tile_memory_space(), broken)
