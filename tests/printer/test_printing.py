"""Programs, functions and statements as Python text."""

from __future__ import annotations

import ast

import astor
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pypto_lite import ir, ops, printer
from tests.ir.random_ir import random_program
from tests.printer.kernels import (
    BF16,
    FOUR,
    FP32,
    IN,
    IN_OUT,
    ONE,
    OUT,
    SCALAR,
    TENSOR,
    ZERO,
    assign,
    block,
    function,
    less,
    load,
    loop,
    placed_matmul,
    plus,
    program,
    var,
)  # fmt: skip

SPECIFICATION = """\
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
"""


def body_of(*statements: ir.Stmt) -> str:
    return printer.python_print(ir.Block(statements))


def test_the_matmul_of_the_specification() -> None:
    assert printer.python_print(placed_matmul()) == SPECIFICATION


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.booleans())
def test_the_text_of_any_program_is_python_and_astor_agrees(seed: int, concise: bool) -> None:
    tree = ast.parse(printer.python_print(random_program(seed), concise=concise))
    # Without astor's own wrapping of long lines, which breaks annotated assignments.
    text = astor.to_source(tree, pretty_source="".join)
    assert ast.dump(ast.parse(text)) == ast.dump(tree)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9))
def test_no_line_is_longer_than_100_columns(seed: int) -> None:
    assert max(map(len, printer.python_print(random_program(seed)).splitlines())) <= 100


# Functions


def test_a_lone_function_has_no_class_and_no_self() -> None:
    text = printer.python_print(function(ir.Return(()), type_=ir.FunctionType.Opaque))
    assert text.endswith("\n\n\n@pl.function\ndef kernel():\n    return\n")


@pytest.mark.parametrize(
    ("type_", "attrs", "decorator"),
    [
        (ir.FunctionType.Opaque, {}, "@pl.function"),
        (ir.FunctionType.Inline, {}, "@pl.inline"),
        (ir.FunctionType.AIV, {}, "@pl.function(type=pl.FunctionType.AIV)"),
        (
            ir.FunctionType.InCore,
            {"n": 1, "role": ir.Role.SubWorker},
            '@pl.function(type=pl.FunctionType.InCore, role=pl.Role.SubWorker, attrs={"n": 1})',
        ),
        (ir.FunctionType.Opaque, {"level": ir.Level.HOST}, "@pl.function(level=pl.Level.HOST)"),
        (ir.FunctionType.Inline, {"a": 1}, '@pl.function(type=pl.FunctionType.Inline, attrs={"a": 1})'),
    ],
)
def test_decorators(type_: ir.FunctionType, attrs: dict[str, object], decorator: str) -> None:
    assert f"\n{decorator}\ndef kernel" in printer.python_print(function(type_=type_, attrs=attrs))


def test_directions_and_several_results() -> None:
    params = ((var("a", TENSOR), IN), (var("b", TENSOR), OUT), (var("c", TENSOR), IN_OUT))
    text = printer.python_print(function(params=params, returns=(TENSOR, SCALAR)))
    assert "b: pl.Out[pl.Tensor[[16, 128], pl.BF16]]," in text
    assert "c: pl.InOut[pl.Tensor[[16, 128], pl.BF16]]," in text
    assert "-> pl.Tuple[pl.Tensor[[16, 128], pl.BF16], pl.Scalar[pl.INDEX]]:" in text


def test_symbolic_dimensions_are_declared_once_for_all_functions() -> None:
    m, n = var("M"), var("M")
    kernels = [
        function(params=((var("x", ir.TensorType([m, extent], BF16)), IN),), name=name)
        for name, extent in (("f", n), ("g", 8))
    ]
    text = printer.python_print(program(*kernels))
    assert 'as pl\n\nM = pl.dynamic("M")\nM__1 = pl.dynamic("M")\n\n\n@pl.program' in text
    assert "x: pl.Tensor[[M, M__1], pl.BF16]" in text
    assert "x: pl.Tensor[[M, 8], pl.BF16]" in text


def test_a_local_name_gives_way_to_a_dimension() -> None:
    m = var("M")
    kernel = function(assign("M", ONE), params=((var("x", ir.TensorType([m, 8], BF16)), IN),))
    assert "M__1: pl.Scalar[pl.INDEX] = 1" in printer.python_print(program(kernel))


def test_functions_are_one_line_apart_and_a_program_without_any_passes() -> None:
    text = printer.python_print(program(function(name="f"), function(name="g")))
    assert "    def f(self):\n        pass\n\n    @pl.function" in text
    assert printer.python_print(program()).endswith("class P:\n    pass\n")


def test_a_program_with_an_odd_name_becomes_a_class_all_the_same() -> None:
    odd = ir.Program("my kernel-2", {"f": function(name="f")})
    assert "\nclass my_kernel_2:\n" in printer.python_print(odd)


# Loops and branches


def test_ranges_leave_out_what_range_leaves_out() -> None:
    body, i = block(ir.Break()), var("i")
    bounds = [(ZERO, FOUR, ONE), (ONE, FOUR, ONE), (ZERO, FOUR, FOUR), (ir.const(0, ir.DTYPES["INT32"]), FOUR, ONE)]
    lines = [body_of(loop(i, body, start=a, stop=b, step=c)).splitlines()[0] for a, b, c in bounds]
    assert lines == [
        "for i in pl.range(4):",
        "for i in pl.range(1, 4):",
        "for i in pl.range(0, 4, 4):",
        "for i in pl.range(pl.const(0, pl.INT32), 4):",
    ]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (ir.ForKind.Parallel, "parallel"),
        (ir.ForKind.Pipeline, "pipeline"),
        (ir.ForKind.Unroll, "unroll"),
    ],
)
def test_kinds_and_attributes_of_loops(kind: ir.ForKind, name: str) -> None:
    text = body_of(loop(var("i"), block(), kind=kind, attrs={"stage": 2}))
    assert text == f"for i in pl.{name}(4, stage=2):\n    pass"


def test_one_carry() -> None:
    a, i, carry, result = var("a0"), var("i"), var("a"), var("a_rv")
    text = body_of(loop(i, block(ir.Yield((plus(carry, i),))), (a, carry, result)), ir.Return((result,)))
    assert text.splitlines() == [
        "for i, (a,) in pl.range(4, init_values=(a0,)):",
        "    a_rv: pl.Scalar[pl.INDEX] = pl.yield_(a + i)",
        "return a_rv",
    ]


def test_several_carries_have_no_annotation() -> None:
    carried = [(var(f"{name}0"), var(name), var(f"{name}_rv")) for name in "ab"]
    yielded = ir.Yield((carried[1][1], carried[0][1]))
    assert body_of(loop(var("i"), block(yielded), *carried)).splitlines() == [
        "for i, (a, b) in pl.range(4, init_values=(a0, b0)):",
        "    a_rv, b_rv = pl.yield_(b, a)",
    ]


def test_while_with_carries() -> None:
    n, m, result = var("n"), var("m"), var("m_rv")
    stmt = ir.While(less(ZERO, m), (n,), (m,), block(ir.Yield((plus(m, ONE),))), (result,))
    assert body_of(stmt).splitlines() == [
        "for (m,) in pl.while_(init_values=(n,)):",
        "    pl.cond(0 < m)",
        "    m_rv: pl.Scalar[pl.INDEX] = pl.yield_(m + 1)",
    ]


def test_while_without_carries() -> None:
    assert body_of(ir.While(less(ZERO, var("m")), (), (), block(ir.Break()), ())) == "while 0 < m:\n    break"


def test_a_constant_condition_is_no_plain_bool() -> None:
    assert body_of(ir.If(ir.const(True), block(ir.Break()), None, ())).startswith("if pl.const(True, pl.BOOL):")


def test_branch_results_are_named_in_both_arms() -> None:
    a, b, phi = var("a"), var("b"), var("phi")
    text = body_of(ir.If(less(a, b), block(ir.Yield((a,))), block(ir.Yield((b,))), (phi,)))
    assert text.splitlines() == [
        "if a < b:",
        "    phi: pl.Scalar[pl.INDEX] = pl.yield_(a)",
        "else:",
        "    phi: pl.Scalar[pl.INDEX] = pl.yield_(b)",
    ]


def branches(*comments: str, results: bool = False) -> str:
    a, b = var("a"), var("b")
    end = block(ir.Yield((a,))) if results else block(ir.Break())
    made = (var("phi"),) if results else ()
    inner = ir.If(less(b, a), end, end, made, comments=comments)
    outer = ir.If(less(a, b), end, block(inner, *([ir.Yield((b,))] if results else [])), made)
    return body_of(outer)


def test_elif_where_a_branch_is_all_there_is_in_an_else() -> None:
    assert branches().splitlines() == ["if a < b:", "    break", "elif b < a:", "    break", "else:", "    break"]


def test_no_elif_where_it_would_lose_results_or_comments() -> None:
    assert "elif" not in branches(results=True)
    assert "elif" not in branches("# why")


def test_long_chains_of_elif_and_deep_nesting_print() -> None:
    chain: ir.Stmt = ir.If(less(ZERO, var("a")), block(ir.Break()), None, ())
    nested: ir.Stmt = ir.Break()
    for _ in range(1000):
        chain = ir.If(less(ZERO, ONE), block(ir.Break()), block(chain), ())
        nested = ir.If(less(ZERO, ONE), block(nested), None, ())
    assert body_of(chain).count("elif") == 1000
    assert body_of(nested).count("if") == 1000


# Assignments and calls


def pair(value: ir.Expr, *items: ir.Stmt, name: str = "t") -> tuple[ir.Assign, list[ir.Stmt]]:
    first = assign(name, value)
    return first, [first, *items]


PAIR = ir.TupleType([SCALAR, SCALAR])
CALL = ir.FunctionCall("kernel", (), PAIR)


def taken(source: ir.Var, *indices: int) -> list[ir.Assign]:
    return [assign(f"x{index}", ir.TupleItem(source, index, SCALAR)) for index in indices]


def test_several_results_are_taken_apart_at_once() -> None:
    t = assign("t", CALL)
    assert body_of(t, *taken(t.var, 0, 1)) == "x0, x1 = self.kernel()"


def test_a_single_result_of_a_tuple_too() -> None:
    t = assign("t", ir.FunctionCall("kernel", (), ir.TupleType([SCALAR])))
    assert body_of(t, *taken(t.var, 0)) == "(x0,) = self.kernel()"


@pytest.mark.parametrize("indices", [(0,), (1, 0), (0, 1, 0), ()])
def test_other_uses_of_a_tuple_are_written_out(indices: tuple[int, ...]) -> None:
    t = assign("t", CALL)
    lines = body_of(t, *taken(t.var, *indices)).splitlines()
    assert lines[0] == "t: pl.Tuple[pl.Scalar[pl.INDEX], pl.Scalar[pl.INDEX]] = self.kernel()"
    assert len(lines) == 1 + len(indices)


def test_submissions() -> None:
    task = ir.ScalarType(ir.DTYPES["TASK_ID"])
    t = assign("t", ir.Submit("kernel", (var("a"),), (var("d", task),), ir.TupleType([SCALAR, task]), {"core": 1}))
    items = [assign("x", ir.TupleItem(t.var, 0, SCALAR)), assign("id", ir.TupleItem(t.var, 1, task))]
    assert body_of(t, *items) == "x, id = pl.submit(self.kernel, a, deps=[d], core=1)"


def test_target_memory_is_left_out_where_the_annotation_says_it() -> None:
    x = var("x", TENSOR)
    placed, move = load(x, target_memory=ir.MemorySpace.Mat), {"target_memory": ir.MemorySpace.Left}
    tile = assign("t", placed)
    text = body_of(tile, assign("u", ops.call("tile.move", (tile.var,), move)))
    assert "pl.load(x, [0, 0], [16, 128])" in text
    assert "target_memory=pl.MemorySpace.Left" in text


def test_a_target_memory_that_the_annotation_does_not_say_is_written() -> None:
    x = var("x", TENSOR)
    placed = load(x, target_memory=ir.MemorySpace.Mat)
    text = body_of(assign("t", placed, ir.TileType([16, 128], BF16)))
    assert "target_memory=pl.MemorySpace.Mat" in text


def test_calls_for_their_effect_and_plain_values() -> None:
    tile = var("t", ir.TileType([16, 128], BF16))
    write = ops.call("tile.write", (tile, ir.make_tuple([0, 0]), ir.const(1.0, BF16)))
    statements = [ir.Evaluate(write), assign("u", tile), assign("n", FOUR), assign("f", ir.const(1.5, BF16))]
    assert body_of(*statements).splitlines() == [
        "pl.write(t, [0, 0], 1.0)",
        "u: pl.Tile[[16, 128], pl.BF16] = t",
        "n: pl.Scalar[pl.INDEX] = 4",
        "f: pl.Scalar[pl.BF16] = pl.const(1.5, pl.BF16)",
    ]


# Scopes, comments, other forms of IR


def test_scopes() -> None:
    scopes = [
        ir.Scope(ir.ScopeKind.At, (), {"level": ir.Level.CORE_GROUP, "name_hint": "a"}, None, block(ir.Break())),
        ir.Scope(ir.ScopeKind.Spmd, (FOUR,), {}, var("i"), block(ir.Break())),
        ir.Scope(ir.ScopeKind.Spmd, (FOUR,), {}, None, block(ir.Break())),
        ir.Scope(ir.ScopeKind.Cluster, (), {}, None, block()),
        ir.Scope(ir.ScopeKind.Runtime, (), {"mode": ir.ScopeMode.MANUAL}, None, block(ir.Break())),
        ir.Scope(ir.ScopeKind.Manual, (), {}, None, block(ir.Break())),
    ]
    assert body_of(*scopes).splitlines()[::2] == [
        'with pl.at(level=pl.Level.CORE_GROUP, name_hint="a"):',
        "for i in pl.spmd(4):",
        "with pl.spmd(4):",
        "with pl.cluster():",
        "with pl.scope(mode=pl.ScopeMode.MANUAL):",
        "with pl.manual_scope():",
    ]


def test_comments_stand_where_they_belong() -> None:
    body = ir.Block((ir.Break(comments=("# stop",)),), comments=("#body",), trailing_comments=("end", "##"))
    text = printer.python_print(
        program(
            function(loop(var("i"), body, comments=("# loop", "#! special")), comments=("# kernel",)),
            comments=("# program",),
        )
    )
    assert [line for line in text.splitlines()[3:] if line.strip()] == [
        "# program",
        "@pl.program",
        "class P:",
        "    # kernel",
        "    @pl.function(type=pl.FunctionType.InCore)",
        "    def kernel(self):",
        "        # loop",
        "        #! special",
        "        for i in pl.range(4):",
        "            # body",
        "            # stop",
        "            break",
        "            # end",
        "            ##",
    ]


def test_a_block_of_comments_only_still_passes() -> None:
    text = body_of(ir.If(less(ZERO, ONE), ir.Block((), trailing_comments=("# nothing",)), None, ()))
    assert text.splitlines()[1:] == ["    pass", "    # nothing"]


def test_blocks_in_blocks_print_as_their_statements() -> None:
    inner = ir.Block((ir.Break(), block(ir.Continue())), comments=("# in",), trailing_comments=("# out",))
    assert body_of(inner, block(), ir.Break()).splitlines() == ["# in", "break", "continue", "# out", "break"]
    assert body_of(loop(var("i"), block(block(), block()))).splitlines()[1] == "    pass"


def test_a_variable_assigned_twice_prints_one_name() -> None:
    a = var("a")
    assert body_of(ir.Assign(a, ONE), ir.Assign(a, plus(a, ONE))).splitlines() == [
        "a: pl.Scalar[pl.INDEX] = 1",
        "a: pl.Scalar[pl.INDEX] = a + 1",
    ]


def test_a_yield_that_defines_nothing_prints_alone() -> None:
    assert body_of(ir.Yield((var("a"), var("b")))) == "pl.yield_(a, b)"


def test_types_print_alone() -> None:
    view = ir.TileView((8, 128), ir.TileLayout.col_major, fractal=32)
    type_ = ir.TileType([16, 128], BF16, ir.MemorySpace.Mat, view, ir.MemRef("buffer"))
    text = " ".join(printer.python_print(type_).replace("\n", " ").split())
    assert text == (
        "pl.Tile[ [16, 128], pl.BF16, pl.MemorySpace.Mat, "
        "pl.TileView(valid_shape=[8, 128], blayout=pl.TileLayout.col_major, fractal=32), "
        'pl.MemRef("buffer"), ]'
    )


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        (ir.TensorType([16], FP32), "pl.Tensor[[16], pl.FP32]"),
        (
            ir.TensorType([16, 8], FP32, ir.TensorView(layout=ir.TensorLayout.DN)),
            "pl.Tensor[[16, 8], pl.FP32, pl.TensorLayout.DN]",
        ),
        (
            ir.TensorType([16, 8], FP32, ir.TensorView((8, 8), (16, 1), pad=ir.PadValue.zero)),
            "pl.Tensor[[16, 8], pl.FP32, pl.TensorView(valid_shape=[8, 8], stride=[16, 1], pad=pl.PadValue.zero)]",
        ),
        (ir.TensorType([16], FP32, None, True), "pl.DistributedTensor[[16], pl.FP32]"),
        (
            ir.TileType([16, 8], FP32, ir.MemorySpace.Mat, ir.TileView()),
            "pl.Tile[[16, 8], pl.FP32, pl.MemorySpace.Mat, pl.TileView()]",
        ),
        (ir.ArrayType(8, ir.DTYPES["INT32"]), "pl.Array[8, pl.INT32]"),
        (
            ir.TupleType([SCALAR, ir.TupleType([SCALAR])]),
            "pl.Tuple[pl.Scalar[pl.INDEX], pl.Tuple[pl.Scalar[pl.INDEX]]]",
        ),
        (ir.PTR, "pl.Ptr"),
        (ir.TensorType([plus(var("M"), ONE), 8], FP32), "pl.Tensor[[M + 1, 8], pl.FP32]"),
    ],
    ids=repr,
)  # fmt: skip
def test_forms_of_types(type_: ir.Type, text: str) -> None:
    printed = printer.python_print(type_)
    assert ast.dump(ast.parse(printed)) == ast.dump(ast.parse(text))


# Concise


def concise(*statements: ir.Stmt) -> list[str]:
    return printer.python_print(ir.Block(statements), concise=True).splitlines()


def test_concise_leaves_out_what_tracing_finds_again() -> None:
    x = var("x", TENSOR)
    tile = assign("t", load(x, target_memory=ir.MemorySpace.Mat))
    unplaced = assign("u", load(x))
    assert concise(tile, unplaced, assign("n", FOUR), assign("m", plus(ONE, var("a")))) == [
        "t = pl.load(x, [0, 0], [16, 128], target_memory=pl.MemorySpace.Mat)",
        "u = pl.load(x, [0, 0], [16, 128])",
        "n = 4",
        "m = 1 + a",
    ]


def test_concise_keeps_what_tracing_would_not_find() -> None:
    placed = ir.TileType([16, 128], BF16, ir.MemorySpace.Vec, memref=ir.MemRef("buffer"))
    tile = assign("t", load(var("x", TENSOR), target_memory=ir.MemorySpace.Vec), placed)
    (line, *_) = concise(tile)
    assert line.startswith("t: pl.Tile[")


def test_concise_knows_the_types_of_joins() -> None:
    a, b, phi = var("a"), var("b"), var("phi")
    branch = ir.If(less(a, b), block(ir.Yield((a,))), block(ir.Yield((b,))), (phi,))
    assert concise(branch)[1] == "    phi = pl.yield_(a)"
    counted = loop(var("i"), block(ir.Yield((a,))), (b, var("c"), var("c_rv")))
    assert concise(counted)[1] == "    c_rv = pl.yield_(a)"


def test_concise_takes_result_types_from_the_called_function() -> None:
    callee = function(ir.Return((ONE,)), returns=(SCALAR,), name="callee")
    caller = function(assign("n", ir.FunctionCall("callee", (), SCALAR)), name="caller")
    assert "        n = self.callee()" in printer.python_print(program(callee, caller), concise=True)
    assert "n: pl.Scalar[pl.INDEX] = self.callee()" in printer.python_print(caller, concise=True)
