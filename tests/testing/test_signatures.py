"""What operators are called with is found by asking their rules."""

from __future__ import annotations

from pypto_lite import ir, ops
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.ir import CompareMode, TileType
from pypto_lite.ir.dtypes import FP32, INT16
from pypto_lite.ops import Registry, operator
from pypto_lite.testing.signatures import SHAPES, signatures


def test_an_operator_that_is_declared_tomorrow_has_signatures() -> None:
    @operator("tile.tomorrow", registry=Registry())
    def tomorrow(first: TileType, second: TileType, *, mode: CompareMode, flag: bool = False) -> TileType:
        """Takes rows beside a tile of 16-bit integers."""
        if first.dtype is not INT16 or second.dtype is not FP32 or second.shape != (1, first.shape[1]):
            wrong = "first" if first.dtype is not INT16 else "second"
            raise UserError(Diagnostic("PL203", "no", operand=wrong))
        return TileType(first.shape if flag or mode else (1, 1), first.dtype)

    found = signatures(tomorrow)
    assert {arg.type for each in found for arg in each.args[:1]} == {TileType(shape, INT16) for shape in SHAPES}
    assert all(each.args[1].type == TileType((1, each.result.shape[1]), FP32) for each in found)
    assert {"flag": True} in found[0].options
    assert {"mode": CompareMode.ge} in found[0].options


def test_operands_fit_each_other() -> None:
    found = signatures(ops.lookup("tile.matmul"))
    assert len(found) > 20
    for signature in found:
        lhs, rhs = (arg.type for arg in signature.args)
        assert isinstance(lhs, TileType)
        assert isinstance(rhs, TileType)
        assert lhs.dtype is rhs.dtype
        assert lhs.shape[1] == rhs.shape[0]


def test_a_signature_is_a_call() -> None:
    for name in ("tile.load", "tile.slice", "tile.cast", "tile.row_sum", "tile.full", "tile.matmul_acc"):
        for signature in signatures(ops.lookup(name)):
            call = ops.call(name, signature.args, signature.keywords)
            assert call.type == signature.result


def test_a_rule_that_accepts_nothing_has_none() -> None:
    @operator("tile.never", registry=Registry())
    def never(tile: TileType) -> TileType:
        """Refuses everything."""
        raise UserError(Diagnostic("PL203", f"no {tile.shape}", operand="tile"))

    assert signatures(never) == ()


def test_spaces_are_those_that_the_operator_writes() -> None:
    spaces = {
        each.keywords["target_memory"]
        for signature in signatures(ops.lookup("tile.move"))
        for each in (signature, *[signature._replace(keywords=option) for option in signature.options])
        if "target_memory" in each.keywords
    }
    assert ir.MemorySpace.DDR not in spaces
    assert {ir.MemorySpace.Vec, ir.MemorySpace.Mat, ir.MemorySpace.Left} <= spaces
