"""What the base class of passes and the properties promise."""

from __future__ import annotations

import pytest

from pypto_lite import ir, passes, targets
from pypto_lite import language as pl
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.passes.protocol import snake_case


def _find_too_many(program: ir.Program, target: object) -> list[Diagnostic]:
    """Programs have one function at most."""
    extra = list(program.functions)[1:]
    return [Diagnostic("PL309", f"{name} is one too many") for name in extra]


OneFunction = passes.Property("OneFunction", _find_too_many)


class RenameProgram(passes.Pass):
    """Gives the program another name."""

    requires = frozenset({OneFunction})

    to: str = "Renamed"
    loudly: bool = False

    def run(self, program):
        return program.replace(name=self.to.upper() if self.loudly else self.to)


def _program(functions: int) -> ir.Program:
    made = [ir.Function(f"f{i}", ir.FunctionType.Opaque, (), (), (), ir.Block(())) for i in range(functions)]
    return ir.Program("P", {function.name: function for function in made})


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("InferTileMemorySpace", "infer_tile_memory_space"),
        ("ConvertToSSA", "convert_to_ssa"),
        ("Simplify", "simplify"),
        ("SSAForm", "ssa_form"),
    ],
)
def test_snake_case(name: str, expected: str) -> None:
    assert snake_case(name) == expected


def test_a_pass_is_called_by_its_class_in_snake_case() -> None:
    assert RenameProgram().name == "rename_program"


def test_options_are_the_annotated_fields() -> None:
    assert RenameProgram.options == {"to": "Renamed", "loudly": False}


def test_options_are_taken_by_position_and_by_name() -> None:
    assert RenameProgram("other", loudly=True).run(_program(1)).name == "OTHER"


def test_an_unknown_option_names_the_one_that_was_meant() -> None:
    with pytest.raises(TypeError, match="did you mean 'loudly'"):
        RenameProgram(loudli=True)


def test_too_many_options_are_refused() -> None:
    with pytest.raises(TypeError, match="2 options, 3 were given"):
        RenameProgram("a", True, 3)


def test_a_target_may_be_given_by_its_name() -> None:
    placement = passes.infer_tile_memory_space(target="Ascend950")
    assert placement.target is targets.ASCEND950
    assert placement == passes.InferTileMemorySpace(targets.ASCEND950)


def test_repr_names_the_target_as_one_would_write_it() -> None:
    assert repr(passes.InferTileMemorySpace("Ascend950")) == "InferTileMemorySpace(target='Ascend950')"


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(UserError, match="there is no target 'Ascend951'"):
        passes.infer_tile_memory_space(target="Ascend951")


def test_options_do_not_change() -> None:
    with pytest.raises(AttributeError, match="do not change"):
        RenameProgram().to = "other"


def test_equal_options_make_equal_passes() -> None:
    assert RenameProgram("a") == RenameProgram(to="a")
    assert hash(RenameProgram("a")) == hash(RenameProgram(to="a"))
    assert RenameProgram("a") != RenameProgram("b")


def test_repr_shows_the_options_that_were_changed() -> None:
    assert repr(RenameProgram(loudly=True)) == "RenameProgram(loudly=True)"


class ForgetReturn(passes.Pass):
    """Makes a program and does not return it."""

    def run(self, program):
        program.replace(name="lost")


def test_a_pass_that_returns_no_program_is_named() -> None:
    with pytest.raises(TypeError, match="the pass forget_return returns None"):
        ForgetReturn()(_program(1))
    with pytest.raises(TypeError, match="the pass forget_return returns None"):
        passes.Pipeline([ForgetReturn()]).run(_program(1))


def test_calling_a_pass_checks_what_it_requires() -> None:
    with pytest.raises(UserError) as caught:
        RenameProgram()(_program(2))
    assert caught.value.code == "PL310"
    assert "rename_program requires OneFunction" in str(caught.value)
    assert "f1 is one too many" in str(caught.value)


def test_run_does_not_check() -> None:
    assert RenameProgram().run(_program(2)).name == "Renamed"


def test_calling_reports_every_finding() -> None:
    with pytest.raises(UserError) as caught:
        RenameProgram()(_program(4))
    assert len(caught.value.diagnostics) == 3


def test_verify_lists_all_findings() -> None:
    assert [finding.code for finding in passes.verify(_program(3), {OneFunction})] == ["PL309", "PL309"]


def test_verify_takes_the_name_of_a_target() -> None:
    assert passes.verify(_program(1), {OneFunction}, "Ascend910B") == []
    with pytest.raises(UserError, match="there is no target"):
        passes.verify(_program(1), {OneFunction}, "910B")


def test_a_property_explains_itself() -> None:
    assert OneFunction.documentation == "Programs have one function at most."


def test_a_function_alone_is_no_program() -> None:
    function = pl.parse(
        "import pypto_lite.language as pl\n\n@pl.function\ndef alone(n: pl.Scalar[pl.INDEX]):\n    pass\n"
    )
    assert isinstance(function, ir.Function)
    with pytest.raises(TypeError, match="'alone' is a function alone"):
        passes.simplify()(function)
    with pytest.raises(TypeError, match="'alone' is a function alone"):
        passes.verify(function, {passes.SSAForm})
    assert not passes.verify(ir.Program("P", {"alone": function}), {passes.SSAForm})
