"""TileMemoryInferred finds each single fault in a placed kernel, under its own code, and nothing in a right one.

The faults are made by taking a kernel that is placed right and changing where one of its values is said to live.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pypto_lite import ir, passes
from pypto_lite.ir import MemorySpace
from pypto_lite.targets import ASCEND910B, ASCEND950
from tests.passes.placed.placement.kernels import ALL_TARGETS, CHIPS, kernel

if TYPE_CHECKING:
    from pypto_lite.targets import Target

PLACED = """
a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
z = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
seed = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Acc)
left = pl.move(a, target_memory=pl.Mem.Left)
right = pl.move(a, target_memory=pl.Mem.Right)
for i, (acc,) in pl.range(4, init_values=(seed,)):
    added = pl.matmul_acc(acc, left, right)
    total = pl.yield_(added)
for c, k in pl.while_(init_values=(z, n)):
    pl.cond(k > 0)
    d = pl.exp(c)
    c_rv, k_rv = pl.yield_(d, k - 1)
if n < 1:
    p = pl.exp(z)
    j = pl.yield_(p)
else:
    q = pl.neg(z)
    j = pl.yield_(q)
same = a
view = pl.reshape(z, [32, 128])
into = pl.tile.assemble(z, j, [0, 0])
pl.write(z, [0, 0], s)
first = pl.read(c_rv, [0, 0])
o = pl.store(total, [0, 0], out)
"""


def relabelled(program: ir.Program, name: str, space: MemorySpace | None) -> ir.Program:
    """The program with the value of this name, wherever it stands, said to be in another space."""
    known: dict[ir.Var, ir.Var] = {}

    def relabel(var: ir.Var) -> ir.Var:
        if var.name != name or not isinstance(var.type, ir.TileType):
            return var
        return known.setdefault(var, ir.Var(var.name, var.type.replace(space=space), var.span))

    after = ir.rewrite(program, {ir.Var: relabel})
    assert known, f"there is no tile {name!r}"
    return after


def found(program: ir.Program, target: Target | None = None) -> list[str]:
    """The codes of the findings."""
    return [finding.code for finding in passes.verify(program, {passes.TileMemoryInferred}, target)]


@pytest.mark.parametrize("target", ALL_TARGETS, ids=repr)
def test_a_placed_kernel_has_no_finding(target: Target | None) -> None:
    assert found(kernel(PLACED), target) == []


@pytest.mark.parametrize(
    "name",
    ["a", "z", "seed", "left", "right", "acc", "added", "total", "c", "d", "c_rv", "p", "j", "same", "view", "into"],
)
def test_every_kind_of_value_must_have_a_space(name: str) -> None:
    findings = passes.verify(relabelled(kernel(PLACED), name, None), {passes.TileMemoryInferred})
    assert [finding.code for finding in findings] == ["PL401"]
    assert f"'{name}'" in findings[0].message


# Operands.


@pytest.mark.parametrize(
    ("name", "space", "reader"),
    [
        ("left", MemorySpace.Mat, "tile.matmul_acc cannot read 'lhs' from Mat"),
        ("right", MemorySpace.Left, "tile.matmul_acc cannot read 'rhs' from Left"),
        ("acc", MemorySpace.Vec, "tile.matmul_acc cannot read 'acc' from Vec"),
        ("c", MemorySpace.Mat, "tile.exp cannot read 'tile' from Mat"),
        ("c_rv", MemorySpace.Acc, "tile.read cannot read 'tile' from Acc"),
        ("z", MemorySpace.Mat, "tile.write cannot read 'tile' from Mat"),
        ("total", MemorySpace.Mat, "tile.store cannot read 'tile' from Mat"),
    ],
)
def test_an_operand_in_a_space_that_its_operator_cannot_read(name: str, space: MemorySpace, reader: str) -> None:
    findings = passes.verify(relabelled(kernel(PLACED), name, space), {passes.TileMemoryInferred})
    assert [each for each in findings if each.code == "PL402" and reader in each.message]


@pytest.mark.parametrize(
    ("call", "operand"),
    [
        ("pl.matmul(a, right)", "lhs"),
        ("pl.matmul(left, a)", "rhs"),
        ("pl.matmul_bias(left, right, row)", "bias"),
        ("pl.add(z, a)", "rhs"),
        ("pl.row_sum(z, a)", "tmp_tile"),
    ],
)
def test_every_operand_is_checked(call: str, operand: str) -> None:
    text = f"""
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        z = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        row = pl.load(v, [0, 0], [1, 64], target_memory=pl.Mem.Mat)
        left = pl.move(a, target_memory=pl.Mem.Left)
        right = pl.move(a, target_memory=pl.Mem.Right)
        r = {call}
        """
    (finding,) = passes.verify(kernel(text), {passes.TileMemoryInferred})
    assert finding.code == "PL402"
    assert repr(operand) in finding.message
    assert finding.span.line == 22


# Producers.


@pytest.mark.parametrize(
    ("name", "space"),
    [
        ("added", MemorySpace.Vec),
        ("d", MemorySpace.Acc),
        ("p", MemorySpace.Mat),
        ("a", MemorySpace.Left),
        ("left", MemorySpace.Right),
        ("seed", MemorySpace.LeftScale),
        ("z", MemorySpace.Acc),
    ],
)
def test_a_result_in_a_space_that_its_operator_does_not_write(name: str, space: MemorySpace) -> None:
    findings = passes.verify(relabelled(kernel(PLACED), name, space), {passes.TileMemoryInferred})
    assert [each.code for each in findings if f"does not write '{name}'" in each.message] == ["PL403"]


def test_a_load_in_another_space_than_its_target_memory() -> None:
    findings = passes.verify(relabelled(kernel(PLACED), "a", MemorySpace.Vec), {passes.TileMemoryInferred})
    assert "PL403" in [finding.code for finding in findings]


# Aliases and views.


@pytest.mark.parametrize("name", ["same", "view", "into"])
def test_an_alias_or_a_view_elsewhere_than_what_it_views(name: str) -> None:
    findings = passes.verify(relabelled(kernel(PLACED), name, MemorySpace.Acc), {passes.TileMemoryInferred})
    assert [finding.code for finding in findings] == ["PL410"]
    assert f"'{name}'" in findings[0].message


def test_a_result_that_takes_over_an_operand_elsewhere() -> None:
    text = """
        into = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Mat)
        gathered = pl.gather_row(into, x, [0, 0], [0, 0], [1, 64])
        """
    assert found(kernel(text)) == []
    assert found(relabelled(kernel(text), "gathered", MemorySpace.Vec)) == ["PL410"]


def test_one_of_several_results_elsewhere_than_its_operator_writes_it() -> None:
    text = """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        tmp = pl.create_tile([64, 64], dtype=pl.FP32, target_memory=pl.Mem.Vec)
        where, count = pl.tile.gather_compare(a, 1.0, tmp, out_cols=64)
        """
    assert found(kernel(text)) == []
    assert found(relabelled(kernel(text), "where", MemorySpace.Mat)) == ["PL410"]
    both = ir.TupleType([ir.TileType((64, 64), ir.DTYPES["INT32"], MemorySpace.Mat)] * 2)
    made_in_mat = ir.rewrite(
        kernel(text), {ir.Var: lambda var: ir.Var(var.name, both) if isinstance(var.type, ir.TupleType) else var}
    )
    assert found(made_in_mat)[:2] == ["PL403", "PL403"]


# Joins.


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("seed", "its initial value"),
        ("added", "what the body yields"),
        ("total", "the result of the loop"),
        ("d", "what the body yields"),
        ("c_rv", "the result of the loop"),
        ("p", "what the then arm yields"),
        ("q", "what the else arm yields"),
    ],
)
def test_a_member_of_a_join_elsewhere(name: str, role: str) -> None:
    findings = passes.verify(relabelled(kernel(PLACED), name, MemorySpace.Bias), {passes.TileMemoryInferred})
    joined = [finding for finding in findings if finding.code == "PL405"]
    assert len(joined) == 1
    assert role in joined[0].message
    assert f"{name}, is in Bias" in joined[0].message


def test_a_carry_elsewhere_than_all_of_its_members() -> None:
    findings = passes.verify(relabelled(kernel(PLACED), "c", MemorySpace.Mat), {passes.TileMemoryInferred})
    assert [finding.code for finding in findings].count("PL405") == 3


def test_a_branch_result_elsewhere_than_both_arms() -> None:
    findings = passes.verify(relabelled(kernel(PLACED), "j", MemorySpace.Mat), {passes.TileMemoryInferred})
    assert [finding.code for finding in findings] == ["PL405", "PL405"]


# Moves.


@pytest.mark.parametrize(
    "move",
    [
        "pl.move(m, target_memory=pl.Mem.Left)",
        "pl.move(m, target_memory=pl.Mem.Acc)",
        "pl.move(z, target_memory=pl.Mem.Bias)",
        "pl.move(z, target_memory=pl.Mem.Acc)",
        "pl.move(left, target_memory=pl.Mem.Mat)",
        "pl.move(a, target_memory=pl.Mem.Mat)",
        "pl.tile.extract(m, 0, 0, [16, 16], target_memory=pl.Mem.Right)",
    ],
)
@pytest.mark.parametrize("target", ALL_TARGETS, ids=repr)
def test_a_move_on_a_way_that_there_is_not(move: str, target: Target | None) -> None:
    text = f"""
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        z = pl.load(y, [0, 0], [64, 64], target_memory=pl.Mem.Vec)
        left = pl.move(a, target_memory=pl.Mem.Left)
        right = pl.move(a, target_memory=pl.Mem.Right)
        m = pl.matmul(left, right)
        w = {move}
        """
    (finding,) = passes.verify(kernel(text), {passes.TileMemoryInferred}, target)
    assert (finding.code, finding.span.line) == ("PL407", 22)


def test_a_move_out_of_mat_into_vec_is_a_fault_on_every_chip_but_not_without_one() -> None:
    text = """
        a = pl.load(x, [0, 0], [64, 64], target_memory=pl.Mem.Mat)
        w = pl.move(a, target_memory=pl.Mem.Vec)
        """
    assert found(kernel(text)) == []
    assert [found(kernel(text), target) for target in CHIPS] == [["PL407"], ["PL407"]]


def test_a_tile_in_a_buffer_that_the_target_does_not_have() -> None:
    program = relabelled(kernel("w = pl.tpop_from_aiv(shape=[64, 64], dtype=pl.FP32)"), "w", MemorySpace.LeftScale)
    assert found(program, ASCEND910B) == ["PL408"]
    assert found(program, ASCEND950) == found(program) == []


# Parameters, and functions that do not run on a core.


def test_a_tile_as_parameter() -> None:
    tile = ir.TileType((64, 64), ir.DTYPES["FP32"], MemorySpace.Vec)
    function = kernel("k = n + 1").functions["kernel"]
    params = (*function.params, ir.Var("t", tile))
    program = ir.Program(
        "P", {"kernel": function.replace(params=params, directions=(*function.directions, ir.ParamDirection.In))}
    )
    assert found(program) == ["PL406"]


@pytest.mark.parametrize("kind", ["Opaque", "Inline"])
def test_other_functions_may_have_tiles_anywhere(kind: str) -> None:
    assert found(kernel("a = pl.load(x, [0, 0], [64, 64])", kind)) == []
