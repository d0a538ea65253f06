"""structural_hash: the same for equal programs, in every process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pypto_lite import ir
from tests.ir.samples import FLOAT, FP32, NODES, ONE, SCALAR, SPAN, TWO, function, program, var
from tests.ir.test_equality import NODE_FIELDS, is_ignored

PROGRAM_TEXT = """
from pypto_lite import ir
index = ir.ScalarType(ir.DTYPES["INDEX"])
m = ir.Var("m", index)
x = ir.Var("x", ir.TensorType([m, 16], ir.DTYPES["FP32"]))
call = ir.Call("tile.exp", (x,), {"b": ir.MemorySpace.Vec, "a": 1.5}, x.type, {"mark": ("s", None, True)})
body = ir.Block((ir.Assign(ir.Var("y", x.type), call), ir.Return((x,))))
kernel = ir.Function("kernel", ir.FunctionType.InCore, (x,), (ir.ParamDirection.Out,), (x.type,), body)
hashed = ir.structural_hash(ir.Program("P", {"kernel": kernel}))
"""


@pytest.mark.parametrize("seed", ["0", "1", "42"])
def test_the_hash_does_not_depend_on_the_hash_seed(seed: str) -> None:
    here: dict[str, int] = {}
    exec(PROGRAM_TEXT, here)
    command = [sys.executable, "-c", f"{PROGRAM_TEXT}print(hashed)"]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert int(found) == here["hashed"]


@pytest.mark.parametrize(("cls", "field"), NODE_FIELDS, ids=lambda each: getattr(each, "__name__", each))
def test_the_hash_counts_what_equality_counts(cls: type[ir.Node], field: str) -> None:
    node, changes = NODES[cls]
    other = node.replace(**{field: changes[field]})
    assert (ir.structural_hash(node) == ir.structural_hash(other)) is is_ignored(cls, field)


def test_names_and_identity_of_variables_do_not_count() -> None:
    def made(first: str, second: str) -> ir.Program:
        a, b = var(first), var(second)
        return program(ir.Assign(a, ONE), ir.Assign(b, ir.Binary("+", a, a, SCALAR)), ir.Return((b,)))

    assert ir.structural_hash(made("a", "b")) == ir.structural_hash(made("x", "x"))


def test_which_variable_is_read_counts() -> None:
    a, b = var("a"), var("b")
    assert ir.structural_hash(ir.Return((a, b, a))) != ir.structural_hash(ir.Return((a, b, b)))


def test_symbolic_dimensions_count_by_their_place() -> None:
    m, n = var("m"), var("n")
    first = ir.Return((var("x", ir.TensorType([m, n], FP32)),))
    renamed = ir.Return((var("x", ir.TensorType([n, m], FP32)),))
    square = ir.Return((var("x", ir.TensorType([m, m], FP32)),))
    assert ir.structural_hash(first) == ir.structural_hash(renamed)
    assert ir.structural_hash(first) != ir.structural_hash(square)


def test_the_orders_of_functions_and_keywords_do_not_count() -> None:
    f, g = function("f", ir.Break()), function("g")
    first, second = ir.Program("P", {"f": f, "g": g}), ir.Program("P", {"g": g, "f": f})
    assert ir.structural_hash(first) == ir.structural_hash(second)
    one, two = ir.Call("op", (), {"a": 1, "b": 2}, SCALAR), ir.Call("op", (), {"b": 2, "a": 1}, SCALAR)
    assert ir.structural_hash(one) == ir.structural_hash(two)


def test_nan_is_nan_and_zero_has_a_sign() -> None:
    assert ir.structural_hash(ir.Const(float("nan"), FLOAT)) == ir.structural_hash(ir.Const(float("nan"), FLOAT))
    assert ir.structural_hash(ir.Const(0.0, FLOAT)) != ir.structural_hash(ir.Const(-0.0, FLOAT))


def test_blocks_in_blocks_and_spans_do_not_count() -> None:
    flat = ir.Block((ir.Break(), ir.Return((TWO,))))
    nested = ir.Block((ir.Block((ir.Break(SPAN),)), ir.Return((TWO,), comments=("# two",))))
    assert ir.structural_hash(flat) == ir.structural_hash(nested)


def test_types_have_hashes_too() -> None:
    assert ir.structural_hash(SCALAR) == ir.structural_hash(ir.ScalarType(SCALAR.dtype))
    assert ir.structural_hash(SCALAR) != ir.structural_hash(FLOAT)
