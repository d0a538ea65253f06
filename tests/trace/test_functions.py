"""Signatures, calls of functions inside and outside the class, submits and scopes."""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir
from pypto_lite.diagnostics import UserError
from pypto_lite.ir import FunctionType, ParamDirection, ScopeKind
from tests.trace.kernels import assert_same, kernel, statements, traced

HEAD = "import pypto_lite.language as pl\n\n"
TASK = ir.ScalarType(ir.DTYPES["TASK_ID"])


def function(text: str) -> ir.Function:
    found = pl.parse(HEAD + text)
    assert isinstance(found, ir.Function)
    return found


def program(text: str) -> ir.Program:
    found = pl.parse(HEAD + text)
    assert isinstance(found, ir.Program)
    return found


def test_parameters_directions_and_types() -> None:
    found = function(
        """M = pl.dynamic("M")

@pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.HOST, attrs={"a": [1, 2]})
def f(
    x: pl.Tensor[[16, M], pl.BF16, pl.TensorLayout.DN],
    y: pl.Out[pl.Tensor[[M // 2], pl.FP32]],
    z: "pl.InOut[pl.DistributedTensor[[4, 4], pl.FP32, pl.TensorView(valid_shape=[2, 4])]]",
    a: pl.Array[8, pl.INT32],
    p: pl.Ptr,
    s: pl.Scalar[pl.INDEX],
) -> pl.Tuple[pl.Scalar[pl.INDEX], pl.Ptr]:
    return s, p
"""
    )

    assert found.type is FunctionType.Orchestration
    assert found.attrs == {"level": pl.Level.HOST, "a": [1, 2]}
    assert [direction.name for direction in found.directions] == ["In", "Out", "InOut", "In", "In", "In"]
    assert [type(param.type).__name__ for param in found.params] == [
        "TensorType", "TensorType", "TensorType", "ArrayType", "PtrType", "ScalarType",
    ]  # fmt: skip
    x, y = found.params[0].type, found.params[1].type
    assert isinstance(x, ir.TensorType)
    assert isinstance(y, ir.TensorType)
    assert x.layout is pl.TensorLayout.DN
    assert isinstance(y.shape[0], ir.Binary)
    assert y.shape[0].lhs is x.shape[1]
    assert found.return_types == (ir.ScalarType(ir.DTYPES["INDEX"]), ir.PTR)


@pytest.mark.parametrize("type_name", [each.name for each in FunctionType])
def test_all_types_of_functions(type_name: str) -> None:
    found = function(f"@pl.function(type=pl.FunctionType.{type_name})\ndef f(n: pl.Scalar[pl.INDEX]):\n    pass\n")

    assert found.type is FunctionType[type_name]
    assert found.return_types == ()


def test_tiles_in_annotations() -> None:
    (statement,) = statements(
        "u: pl.Tile[[16, 128], pl.FP32, pl.TileView(valid_shape=[8, n], blayout=pl.TileLayout.col_major), "
        'pl.MemRef("buffer"), pl.Mem.Vec] = pl.load(x, [0, 0], [16, 128], [8, n])'
    )

    assert isinstance(statement, ir.Assign)
    type_ = statement.var.type
    assert isinstance(type_, ir.TileType)
    assert type_.space is pl.Mem.Vec
    assert type_.memref == ir.MemRef("buffer")
    assert type_.effective_view.blayout is pl.TileLayout.col_major
    assert type_.valid_shape[0] == 8
    assert isinstance(type_.valid_shape[1], ir.Var)
    assert statement.value.type is type_


def test_an_annotated_space_is_the_target_memory_of_a_load() -> None:
    assert_same(
        "u: pl.Tile[[16, 128], pl.FP32, pl.Mem.Mat] = pl.load(x, [0, 0], [16, 128])",
        "u = pl.load(x, [0, 0], [16, 128], target_memory=pl.Mem.Mat)",
    )


def test_calls_by_position_and_by_name() -> None:
    assert_same("o = self.helper(x, k)", "o = self.helper(m=k, a=x)")


def test_an_argument_takes_the_type_of_its_parameter() -> None:
    assert_same("o = self.helper(x, 3)", "o = self.helper(x, pl.const(3, pl.INT32))")


def test_symbolic_dimensions_are_those_of_the_arguments() -> None:
    (_, call) = statements("s = pl.create_tensor([64, 8], dtype=pl.FP32)\no = self.dims(x, s)")

    assert isinstance(call, ir.Assign)
    assert call.var.type == ir.TensorType([128, 64], ir.DTYPES["FP32"])


def test_functions_outside_the_class_belong_to_the_program() -> None:
    found = traced("u = doubled(doubled(t))")

    assert list(found.functions) == ["kernel", "helper", "flagged", "long", "two", "nothing", "dims", "doubled"]
    assert found.functions["doubled"].type is FunctionType.Inline


def test_results_are_found_out_where_a_function_defined_later_does_not_say_them() -> None:
    found = program(
        """@pl.program
class P:
    @pl.function
    def first(self, n: pl.Scalar[pl.INDEX]):
        a, b = self.second(n)
        return self.third(b), a

    @pl.function
    def second(self, n: pl.Scalar[pl.INDEX]):
        return pl.cast(n, pl.INT32), self.third(n)

    @pl.function
    def third(self, n: pl.Scalar[pl.INDEX]):
        return n + 1
"""
    )

    results = [[repr(each) for each in one.return_types] for one in found.functions.values()]
    assert results == [["Scalar[INDEX]", "Scalar[INT32]"], ["Scalar[INT32]", "Scalar[INDEX]"], ["Scalar[INDEX]"]]


def test_results_of_a_call_are_returned_as_they_come() -> None:
    found = traced("a, b = self.two(x)")

    assert len(found.functions["two"].return_types) == 2
    assert len(function("@pl.function\ndef f(n: pl.Scalar[pl.INDEX]):\n    return (n, n)\n").return_types) == 2


def test_a_function_that_calls_others_is_a_program_of_its_name() -> None:
    found = program(
        "@pl.inline\ndef g(n: pl.Scalar[pl.INDEX]):\n    return n + 1\n\n\n"
        "@pl.function\ndef f(n: pl.Scalar[pl.INDEX]):\n    return g(n)\n"
    )

    assert found.name == "f"
    assert list(found.functions) == ["f", "g"]


def test_constants_of_the_class() -> None:
    found = program(
        """@pl.program
class P:
    \"\"\"Constants are read by way of self, and by their names in signatures.\"\"\"

    ROWS = 4 * 4

    @pl.function
    def f(self, x: pl.Tensor[[ROWS, 16], pl.FP32]) -> pl.Scalar[pl.FP32]:
        return x[self.ROWS - 1, 0]
"""
    )

    assert found.functions["f"].params[0].type.facts()["shape"] == [16, 16]
    assert found.comments == ("# Constants are read by way of self, and by their names in signatures.",)


def test_a_function_of_a_class_that_calls_no_other_needs_no_self() -> None:
    text = """import pypto_lite.language as pl
@pl.program
class P:
    @pl.function(type=pl.FunctionType.InCore)
    def double({0}x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        t = pl.load(x, [0, 0], [16, 16])
        return pl.store(pl.add(t, t), [0, 0], out)

    @pl.function(type=pl.FunctionType.Orchestration)
    def main(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]):
        return self.double(x, out)
"""

    ir.assert_structural_equal(pl.parse(text.format("")), pl.parse(text.format("self, ")))


def test_out_parameters_are_bound_again() -> None:
    found = kernel("out = pl.store(t, [16, 0], out)\nout = pl.store(t, [32, 0], out)")

    assert found.directions[-1] is ParamDirection.Out
    stores = [node for node in ir.walk(found.body) if isinstance(node, ir.Call) and node.op == "tile.store"]
    assert len(stores) == 3
    assert stores[0].args[2] is found.params[-1]


def test_submit() -> None:
    (first, results, task, second) = statements(
        """o, task = pl.submit(self.helper, x, m=k)
next_task = pl.submit(self.nothing, x, deps=[task, None], priority=3)"""
    )

    assert isinstance(first, ir.Assign)
    assert isinstance(first.value, ir.Submit)
    assert isinstance(first.value.type, ir.TupleType)
    assert first.value.type.types[-1] == TASK
    assert isinstance(results, ir.Assign)
    assert isinstance(task, ir.Assign)
    assert isinstance(second, ir.Assign)
    submit = second.value
    assert isinstance(submit, ir.Submit)
    assert submit.type == TASK
    assert submit.dependencies[0] is task.var
    assert isinstance(submit.dependencies[1], ir.Call)
    assert submit.keywords == {"priority": 3}


def test_scopes() -> None:
    (outer, inner, loop, last) = statements(
        """with pl.at(level=pl.Level.CORE_GROUP, name="a"):
    u = pl.exp(t)
with pl.manual_scope(), pl.scope(mode=pl.ScopeMode.MANUAL):
    v = pl.exp(u)
for i in pl.spmd(4, sizes=[1, 2]):
    w = pl.add(v, u)
z = pl.exp(w)"""
    )

    assert isinstance(outer, ir.Scope)
    assert (outer.kind, outer.keywords) == (ScopeKind.At, {"level": pl.Level.CORE_GROUP, "name": "a"})
    assert isinstance(inner, ir.Scope)
    assert inner.kind is ScopeKind.Manual
    assert isinstance(inner.body.statements[0], ir.Scope)
    assert isinstance(loop, ir.Scope)
    assert loop.var is not None
    assert loop.keywords == {"sizes": (1, 2)}
    assert isinstance(last, ir.Assign)


def test_a_scope_at_the_end_of_a_function_may_return() -> None:
    found = function(
        "@pl.function\ndef f(n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:\n"
        "    with pl.cluster():\n        m = n + 1\n        return m\n"
    )

    (scope,) = found.body.statements
    assert isinstance(scope, ir.Scope)
    assert isinstance(scope.body.statements[-1], ir.Return)


def test_reserved_buffers_name_the_peer() -> None:
    (reserve, peer) = statements(
        'a = pl.reserve_buffer(name="c2v", size=1024, base=pl.AUTO)\n'
        'b = pl.import_peer_buffer(name="c2v", peer_func=self.helper)'
    )

    assert isinstance(reserve, ir.Assign)
    assert isinstance(reserve.value, ir.Call)
    assert reserve.value.op == "system.reserve_buffer"
    assert isinstance(peer, ir.Assign)
    assert isinstance(peer.value, ir.Call)
    assert peer.value.keywords["peer_func"] == "helper"


def test_attributes_of_calls() -> None:
    (load, call) = statements(
        """u = pl.load(x, [0, 0], [16, 128], attrs={"bridge_load": True})
o = self.helper(x, k, attrs={"mark": [1, "a"]})"""
    )

    assert isinstance(load, ir.Assign)
    assert isinstance(load.value, ir.Call)
    assert load.value.attrs == {"bridge_load": True}
    assert isinstance(call, ir.Assign)
    assert isinstance(call.value, ir.FunctionCall)
    assert call.value.attrs == {"mark": [1, "a"]}


def test_static_print_shows_values_and_types(capsys: pytest.CaptureFixture[str]) -> None:
    traced('pl.static_print("rows:", N, t, f"{N:>4}|{pl.FP32}|{n}")\npl.static_print(1, 2, sep="-")')

    assert capsys.readouterr().out == "rows: 16 t: Tile[[16, 128], FP32]   16|FP32|n: Scalar[INDEX]\n1-2\n"


def test_a_function_that_is_traced_twice_prints_once(capsys: pytest.CaptureFixture[str]) -> None:
    program(
        """@pl.program
class P:
    @pl.function
    def first(self, n: pl.Scalar[pl.INDEX]):
        pl.static_print("first")
        return self.second(n)

    @pl.function
    def second(self, n: pl.Scalar[pl.INDEX]):
        pl.static_print("second")
        return n
"""
    )

    assert capsys.readouterr().out == "second\nfirst\n"


def test_a_static_assertion_that_holds_leaves_nothing() -> None:
    assert statements("pl.static_assert(N == 16 and t.shape[0] == N, 'rows')") == ()


def test_lists_and_dtypes_may_have_names() -> None:
    assert_same(
        """shape = [16, 128]
kind = pl.FP32
offsets = (n + 1, 0)
u = pl.load(x, offsets, shape)
v = pl.create_tile(shape, kind)""",
        "first = n + 1\nu = pl.load(x, [first, 0], [16, 128])\nv = pl.create_tile([16, 128], dtype=pl.FP32)",
    )


def test_all_that_is_wrong_in_several_functions_is_said_at_once() -> None:
    with pytest.raises(UserError) as caught:
        program(
            """@pl.program
class P:
    @pl.function
    def first(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        return m

    @pl.function
    def second(self, n: pl.Scalar[pl.INDEX]) -> pl.Scalar[pl.INDEX]:
        return self.first(k)

    def third(self):
        pass
"""
        )

    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["PL105", "PL105", "PL115"]
