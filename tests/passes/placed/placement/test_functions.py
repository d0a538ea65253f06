"""What placement does to whole programs: which functions it rewrites, which it refuses, and the example in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pypto_lite import ir, passes
from pypto_lite import language as pl
from pypto_lite.diagnostics import UserError
from pypto_lite.passes import PlacementError
from pypto_lite.testing.assertions import assert_pass
from tests.passes.hand_built import kernel as hand_built_kernel
from tests.passes.hand_built import load, tensor, tile, var
from tests.passes.placed.placement.kernels import ALL_TARGETS, assert_placed, kernel

if TYPE_CHECKING:
    from pypto_lite.targets import Target


@pytest.mark.parametrize("target", ALL_TARGETS, ids=repr)
def test_the_example_of_the_specification(target: Target | None) -> None:
    @pl.program
    class Before:
        @pl.function(type=pl.FunctionType.InCore)
        def main_incore_0(
            self,
            x: pl.Tensor[[16, 128], pl.BF16],
            y: pl.Tensor[[128, 128], pl.BF16],
            out_0: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
        ) -> pl.Tensor[[16, 128], pl.FP32]:
            x_tile: pl.Tile[[16, 128], pl.BF16] = pl.load(x, [0, 0], [16, 128])
            y_tile: pl.Tile[[128, 128], pl.BF16] = pl.load(y, [0, 0], [128, 128])
            z_tile: pl.Tile[[16, 128], pl.FP32] = pl.matmul(x_tile, y_tile)
            out_0: pl.Tensor[[16, 128], pl.FP32] = pl.store(z_tile, [0, 0], out_0)
            return out_0

    @pl.program
    class After:
        @pl.function(type=pl.FunctionType.InCore)
        def main_incore_0(
            self,
            x: pl.Tensor[[16, 128], pl.BF16],
            y: pl.Tensor[[128, 128], pl.BF16],
            out_0: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
        ) -> pl.Tensor[[16, 128], pl.FP32]:
            x_tile: pl.Tile[[16, 128], pl.BF16, pl.MemorySpace.Vec] = pl.load(x, [0, 0], [16, 128])
            y_tile: pl.Tile[[128, 128], pl.BF16, pl.MemorySpace.Vec] = pl.load(y, [0, 0], [128, 128])
            x_left: pl.Tile[[16, 128], pl.BF16, pl.MemorySpace.Left] = pl.move(
                x_tile, target_memory=pl.MemorySpace.Left
            )
            y_right: pl.Tile[[128, 128], pl.BF16, pl.MemorySpace.Right] = pl.move(
                y_tile, target_memory=pl.MemorySpace.Right
            )
            z_tile: pl.Tile[[16, 128], pl.FP32, pl.MemorySpace.Acc] = pl.matmul(x_left, y_right)
            out_0: pl.Tensor[[16, 128], pl.FP32] = pl.store(z_tile, [0, 0], out_0)
            return out_0

    assert_pass(Before, passes.InferTileMemorySpace(target), After)


def test_the_example_prints_as_the_specification_shows_it() -> None:
    program = pl.parse("""
import pypto_lite.language as pl


@pl.program
class After:
    @pl.function(type=pl.FunctionType.InCore)
    def main_incore_0(
        self,
        x: pl.Tensor[[16, 128], pl.BF16],
        y: pl.Tensor[[128, 128], pl.BF16],
        out_0: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
    ) -> pl.Tensor[[16, 128], pl.FP32]:
        x_tile: pl.Tile[[16, 128], pl.BF16] = pl.load(x, [0, 0], [16, 128])
        y_tile: pl.Tile[[128, 128], pl.BF16] = pl.load(y, [0, 0], [128, 128])
        z_tile: pl.Tile[[16, 128], pl.FP32] = pl.matmul(x_tile, y_tile)
        out_0: pl.Tensor[[16, 128], pl.FP32] = pl.store(z_tile, [0, 0], out_0)
        return out_0
""")
    assert (
        str(passes.infer_tile_memory_space()(program)).strip()
        == """
import pypto_lite.language as pl


@pl.program
class After:
    @pl.function(type=pl.FunctionType.InCore)
    def main_incore_0(
        self,
        x: pl.Tensor[[16, 128], pl.BF16],
        y: pl.Tensor[[128, 128], pl.BF16],
        out_0: pl.Out[pl.Tensor[[16, 128], pl.FP32]],
    ) -> pl.Tensor[[16, 128], pl.FP32]:
        x_tile: pl.Tile[[16, 128], pl.BF16, pl.MemorySpace.Vec] = pl.load(x, [0, 0], [16, 128])
        y_tile: pl.Tile[[128, 128], pl.BF16, pl.MemorySpace.Vec] = pl.load(y, [0, 0], [128, 128])
        x_tile_Left: pl.Tile[[16, 128], pl.BF16, pl.MemorySpace.Left] = pl.move(
            x_tile, target_memory=pl.MemorySpace.Left
        )
        y_tile_Right: pl.Tile[[128, 128], pl.BF16, pl.MemorySpace.Right] = pl.move(
            y_tile, target_memory=pl.MemorySpace.Right
        )
        z_tile: pl.Tile[[16, 128], pl.FP32, pl.MemorySpace.Acc] = pl.matmul(
            x_tile_Left, y_tile_Right
        )
        out_0__1: pl.Tensor[[16, 128], pl.FP32] = pl.store(z_tile, [0, 0], out_0)
        return out_0__1
""".strip()
    )


# Kinds of functions.


@pytest.mark.parametrize("kind", ["InCore", "AIC", "AIV"])
def test_code_on_a_core_is_placed(kind: str) -> None:
    assert_placed(
        "a = pl.load(x, [0, 0], [64, 64])",
        "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)",
        kind=kind,
    )


@pytest.mark.parametrize("kind", ["Opaque", "Inline"])
def test_code_of_another_kind_stays_the_same_object(kind: str) -> None:
    before = kernel("a = pl.load(x, [0, 0], [64, 64])\nr = pl.matmul(a, a)", kind)
    assert passes.infer_tile_memory_space()(before) is before


TWO_FUNCTIONS = """
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        a = pl.load(x, [0, 0], [64, 64])
        o = pl.store(a, [0, 0], out)

    @pl.function(type=pl.FunctionType.{kind})
    def other(self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        {body}
"""


def test_the_orchestration_beside_a_kernel_stays_the_same_object() -> None:
    before = pl.parse(TWO_FUNCTIONS.format(kind="Orchestration", body="self.kernel(x, out)"))
    after = passes.infer_tile_memory_space()(before)
    assert after.functions["other"] is before.functions["other"]
    assert after.functions["kernel"] is not before.functions["kernel"]


def test_functions_keep_their_order() -> None:
    before = pl.parse(TWO_FUNCTIONS.format(kind="Orchestration", body="self.kernel(x, out)"))
    assert [*passes.infer_tile_memory_space()(before).functions] == ["kernel", "other"]


# What is refused.


def test_a_tile_as_parameter_is_refused_at_the_parameter() -> None:
    program = pl.parse("""
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[64, 64], pl.FP32], t: pl.Tile[[64, 64], pl.FP32]):
        a = pl.exp(t)
""")
    with pytest.raises(UserError) as caught:
        passes.infer_tile_memory_space()(program)
    assert caught.value.code == "PL406"
    assert caught.value.span.line == 8
    assert "'t'" in str(caught.value)


def test_the_functions_beside_a_refused_one_are_placed() -> None:
    program = pl.parse(
        TWO_FUNCTIONS.format(kind="AIV", body="a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Acc)")
    )
    with pytest.raises(PlacementError) as caught:
        passes.infer_tile_memory_space()(program)
    placed = caught.value.program
    assert placed.functions["other"] is program.functions["other"]
    assert not passes.verify(placed.with_functions([placed.functions["kernel"]]), {passes.TileMemoryInferred})


def test_every_refused_function_is_reported() -> None:
    wrong = "a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Acc)"
    text = TWO_FUNCTIONS.replace("a = pl.load(x, [0, 0], [64, 64])", wrong)
    with pytest.raises(PlacementError) as caught:
        passes.infer_tile_memory_space()(pl.parse(text.format(kind="AIV", body=wrong)))
    assert [(each.code, each.span.line) for each in caught.value.diagnostics] == [("PL403", 9), ("PL403", 14)]


def test_tiles_in_a_function_that_does_not_run_on_a_core_are_no_matter_of_placement() -> None:
    before = kernel("a = pl.load(x, [0, 0], [64, 64])", "Opaque")
    assert not passes.verify(before, {passes.TileMemoryInferred})


@pytest.mark.parametrize(
    ("body", "unmet"),
    [
        ("e = pl.exp(pl.load(x, [0, 0], [64, 64]))", "NoNestedCalls"),
        ("t = pl.load(x, [0, 0, 0], [1, 64, 64])", "IncoreTileOps"),
        ("with pl.scope():\n    t = pl.load(x, [0, 0], [64, 64])", "scopes are not lowered yet"),
    ],
)
def test_what_the_pass_requires_is_checked(body: str, unmet: str) -> None:
    with pytest.raises(UserError, match=unmet):
        passes.infer_tile_memory_space()(kernel(body))


def test_values_must_be_defined_once() -> None:
    twice = var("twice", tile(64, 64))
    source = var("source", tensor(64, 64))
    program = hand_built_kernel(ir.Assign(twice, load(source)), ir.Assign(twice, load(source)), params=(source,))
    with pytest.raises(UserError, match="SSAForm"):
        passes.infer_tile_memory_space()(program)


def test_what_the_pass_promises() -> None:
    assert {each.name for each in passes.InferTileMemorySpace.produces} == {
        "SSAForm", "TileMemoryInferred", "NormalizedStmtStructure",
    }  # fmt: skip
    assert passes.InferTileMemorySpace.invalidates == frozenset()
    assert {each.name for each in passes.InferTileMemorySpace.requires} >= {
        "SSAForm", "IncoreTileOps", "SplitIncoreOrch", "NormalizedStmtStructure",
    }  # fmt: skip


def test_a_kernel_without_tiles_is_the_same_object() -> None:
    before = kernel("k = n + 1")
    assert passes.infer_tile_memory_space()(before) is before
    assert isinstance(before, ir.Program)


# Tiles that functions return.

RETURNING = """
import pypto_lite.language as pl


@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def several(self, x: pl.Tensor[[64, 64], pl.FP32]){result}:
        a = pl.load(x, [0, 0], [64, 64])
        b = pl.slice(a, [32, 64], [0, 0])
        return {returned}

    @pl.function(type=pl.FunctionType.{kind})
    def caller(self, x: pl.Tensor[[64, 64], pl.FP32], out: pl.Out[pl.Tensor[[64, 64], pl.FP32]]):
        {body}
"""
CALLS = [
    ("a, b", "r = self.several(x)\n        e = pl.exp(r[0])\n        f = pl.exp(r[1])"),
    ("a, b", "c, d = self.several(x)\n        e = pl.exp(c)"),
    ("a, b", "r = self.several(x)\n        same = r\n        e = pl.exp(same[1])"),
    ("a, b", "self.several(x)"),
    ("a", "c = self.several(x)\n        e = pl.exp(c)"),
    ("a", "self.several(x)"),
    ("x, b", "y, c = self.several(x)\n        o = pl.store(c, [0, 0], out)"),
]


def returning(returned: str, body: str, kind: str = "InCore", result: str = "") -> ir.Program:
    return pl.parse(RETURNING.format(returned=returned, body=body, kind=kind, result=result))


def without_space(program: ir.Program) -> list[ir.Type]:
    """The types of tiles without a space anywhere in a program."""
    types = [kind for function in program.functions.values() for kind in function.return_types]
    types += [node.type for node in ir.walk(program) if isinstance(node, (ir.Var, ir.FunctionCall, ir.TupleItem))]
    tiles = [each for kind in types for each in (kind.types if isinstance(kind, ir.TupleType) else (kind,))]
    return [each for each in tiles if isinstance(each, ir.TileType) and each.space is None]


@pytest.mark.parametrize(("returned", "body"), CALLS)
@pytest.mark.parametrize("kind", ["InCore", "AIV", "Opaque"])
def test_what_functions_return_has_its_space_everywhere(returned: str, body: str, kind: str) -> None:
    before = returning(returned, body, kind)
    after = passes.infer_tile_memory_space()(before)
    assert without_space(before) != []
    assert without_space(after) == []
    assert passes.verify(after, {passes.TileMemoryInferred, passes.TypeChecked, passes.SSAForm}) == []
    ir.assert_structural_equal(pl.parse(str(after)), after)
    assert passes.infer_tile_memory_space()(after) is after


@pytest.mark.parametrize(("returned", "body"), CALLS)
def test_the_verifier_finds_tiles_without_a_space_in_calls_and_return_types(returned: str, body: str) -> None:
    after = passes.infer_tile_memory_space()(returning(returned, body))
    before = returning(returned, body)
    callee, caller = (
        {each.code for each in passes.verify(program, {passes.TileMemoryInferred})}
        for program in (
            after.with_functions(
                [after.functions["several"].replace(return_types=before.functions["several"].return_types)]
            ),
            after.with_functions([after.functions["several"], before.functions["caller"]]),
        )
    )
    assert callee == caller == {"PL401"}


def test_a_return_type_that_names_another_space_is_refused() -> None:
    program = returning("a", "self.several(x)", result=" -> pl.Tile[[64, 64], pl.FP32, pl.Mem.Mat]")
    with pytest.raises(PlacementError) as caught:
        passes.infer_tile_memory_space()(program)
    assert caught.value.diagnostics[0].code == "PL410"
    assert caught.value.span.line == 11


def test_the_verifier_finds_a_return_type_of_another_space() -> None:
    after = passes.infer_tile_memory_space()(returning("a", "k = 1"))
    several = after.functions["several"]
    wrong = tuple(each.replace(space=ir.MemorySpace.Mat) for each in several.return_types)
    found = passes.verify(after.with_functions([several.replace(return_types=wrong)]), {passes.TileMemoryInferred})
    assert [each.code for each in found] == ["PL410"]
