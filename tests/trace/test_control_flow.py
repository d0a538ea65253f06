"""Loops, branches, names that flow out of them, yields and returns: natural Python is the explicit program."""

from __future__ import annotations

import pytest

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.ir import ForKind
from pypto_lite.testing.parsing import as_written
from tests.trace.kernels import assert_same, kernel, statements, text_of, traced


def test_a_name_that_is_bound_again_in_a_loop_is_carried() -> None:
    assert_same(
        "for i in pl.range(4):\n    t = pl.exp(t)",
        "for i, (s,) in pl.range(0, 4, 1, init_values=(t,)):\n    u = pl.exp(s)\n    t = pl.yield_(u)",
    )


def test_a_name_that_both_arms_bind_is_a_result() -> None:
    assert_same(
        "if n > 0:\n    u = pl.exp(t)\nelse:\n    u = pl.neg(t)\nt = pl.add(u, u)",
        """if n > 0:
    a = pl.exp(t)
    u = pl.yield_(a)
else:
    b = pl.neg(t)
    u = pl.yield_(b)
t = pl.add(u, u)""",
    )


def test_a_name_that_one_arm_binds_again_keeps_its_value_on_the_other_way() -> None:
    assert_same(
        "if n > 0:\n    t = pl.exp(t)",
        "if n > 0:\n    a = pl.exp(t)\n    t = pl.yield_(a)\nelse:\n    t = pl.yield_(t)",
    )


def test_a_memory_space_never_keeps_a_name_from_being_bound_again() -> None:
    (_, branch) = statements(
        "a = pl.load(h, [0, 0], [16, 128], target_memory=pl.Mem.Mat)\n"
        "if n > 0:\n    a = pl.load(h, [0, 0], [16, 128], target_memory=pl.Mem.Vec)\nb = a"
    )[:2]

    assert isinstance(branch, ir.If)
    assert [result.type.facts()["space"] for result in branch.results] == [None]


def test_the_layout_of_what_a_name_is_bound_to_last_counts() -> None:
    # A full column is row-major, a row sum is column-major: only the latter can be added to rows.
    (*_, added) = statements(
        "tmp = pl.create_tile([16, 128], dtype=pl.FP32)\n"
        "column = pl.tile.full([16, 1], dtype=pl.FP32, value=0.0)\n"
        "for i in pl.range(2):\n    column = pl.row_sum(t, tmp)\n    t = pl.row_expand_add(t, column)"
    )

    assert isinstance(added, ir.For)


def test_names_in_a_while_loop_and_its_condition() -> None:
    assert_same(
        "while n > 0:\n    t = pl.exp(t)\n    n -= 1",
        """for t1, n1 in pl.while_(init_values=(t, n)):
    pl.cond(n1 > 0)
    t2 = pl.exp(t1)
    n2 = n1 - 1
    t, n = pl.yield_(t2, n2)""",
    )


def test_a_condition_with_calls_is_evaluated_for_each_iteration() -> None:
    assert_same(
        "while pl.read(x, [n, 0]) > 0.0:\n    n += 1\nk = pl.cast(n, pl.INT32)",
        """first = pl.read(x, [n, 0]) > 0.0
for m, goes_on in pl.while_(init_values=(n, first)):
    pl.cond(goes_on)
    following = m + 1
    again = pl.read(x, [following, 0]) > 0.0
    n, last = pl.yield_(following, again)
k = pl.cast(n, pl.INT32)""",
    )


def test_a_call_is_made_only_where_python_makes_it() -> None:
    assert_same(
        "value = n > 0 and pl.read(x, [n, 0]) > 0.0",
        """if n > 0:
    element = pl.read(x, [n, 0])
    chosen = pl.yield_(element > 0.0)
else:
    chosen = pl.yield_(False)
value = chosen""",
    )


def test_calls_are_made_from_left_to_right_around_a_branch() -> None:
    assert_same(
        "value = pl.add(pl.exp(t), pl.neg(t) if c else t)",
        """first = pl.exp(t)
if c:
    other = pl.neg(t)
    chosen = pl.yield_(other)
else:
    chosen = pl.yield_(t)
value = pl.add(first, chosen)""",
    )


def test_nested_calls_stay_nested() -> None:
    (statement,) = statements("value = pl.add(pl.exp(t), pl.neg(pl.exp(t)))")

    assert isinstance(statement, ir.Assign)
    assert sum(isinstance(node, ir.Call) for node in ir.walk(statement.value)) == 4


@pytest.mark.parametrize(
    ("header", "kind", "bounds"),
    [
        ("pl.range(n)", ForKind.Sequential, [0, "n", 1]),
        ("pl.range(1, n)", ForKind.Sequential, [1, "n", 1]),
        ("pl.parallel(0, 8, 2)", ForKind.Parallel, [0, 8, 2]),
        ("pl.pipeline(8, stage=2)", ForKind.Pipeline, [0, 8, 1]),
        ("pl.unroll(N)", ForKind.Unroll, [0, 16, 1]),
        ("pl.range(8, 0, -2)", ForKind.Sequential, [8, 0, -2]),
    ],
)
def test_headers_of_loops(header: str, kind: ForKind, bounds: list[object]) -> None:
    (loop,) = statements(f"for i in {header}:\n    pass")

    assert isinstance(loop, ir.For)
    assert loop.kind is kind
    found = [each.value if isinstance(each, ir.Const) else repr(each) for each in (loop.start, loop.stop, loop.step)]
    assert found == bounds
    assert loop.attrs == ({"stage": 2} if kind is ForKind.Pipeline else {})


def test_other_attributes_of_loops() -> None:
    found = traced('for i in pl.pipeline(4, stage=2, attrs={"mark": [1, 2]}):\n    pass')

    (loop,) = found.functions["kernel"].body.statements[1:-1]
    assert isinstance(loop, ir.For)
    assert loop.attrs == {"stage": 2, "mark": [1, 2]}
    ir.assert_structural_equal(pl.parse(found.as_python()), found)


def test_a_bound_of_another_integer_type_is_cast() -> None:
    assert_same("for i in pl.range(k):\n    pass", "for i in pl.range(pl.cast(k, pl.INDEX)):\n    pass")


def test_a_condition_that_is_known_while_tracing_selects_an_arm() -> None:
    assert_same("if N > 3:\n    t = pl.exp(t)\nelse:\n    t = undefined", "t = pl.exp(t)")
    assert_same(
        "for i in pl.range(4):\n    if N > 3:\n        continue\n    t = pl.exp(t)", "for i in pl.range(4):\n    pass"
    )


def test_a_literal_condition_is_kept() -> None:
    (loop,) = statements("while True:\n    t = pl.exp(t)")

    assert isinstance(loop, ir.While)
    assert isinstance(loop.condition, ir.Const)


def test_values_are_exchanged() -> None:
    assert_same(
        "u = pl.exp(t)\nfor i in pl.range(2):\n    t, u = u, t",
        """u = pl.exp(t)
for i, (a, b) in pl.range(2, init_values=(t, u)):
    kept = a
    t2 = b
    u2 = kept
    t, u = pl.yield_(t2, u2)""",
    )


def test_a_name_is_known_behind_a_branch_whose_other_arm_leaves_the_loop() -> None:
    loop = kernel(
        "for i in pl.range(4):\n    if i > 2:\n        break\n    else:\n        u = pl.exp(t)\n    t = pl.neg(u)"
    )

    assert any(isinstance(node, ir.While) for node in ir.walk(loop))


def test_the_loop_variable_may_be_bound_again_for_the_rest_of_an_iteration() -> None:
    assert_same(
        "for i in pl.range(4):\n    i = i + 1\n    n = n + i\nk = pl.cast(n, pl.INT32)",
        """for j, (m,) in pl.range(4, init_values=(n,)):
    i = j + 1
    s = m + i
    n = pl.yield_(s)
k = pl.cast(n, pl.INT32)""",
    )


def test_one_variable_may_count_two_loops_and_a_loop_in_a_loop() -> None:
    body = (
        "for i in pl.range(4):\n    for i in pl.range(2):\n        t = pl.exp(t)\nfor i in pl.range(3):\n    n = n + i"
    )

    assert sum(isinstance(node, ir.For) for node in ir.walk(kernel(body))) == 3


def test_written_carries_beside_natural_ones() -> None:
    assert_same(
        """for i, (a,) in pl.range(4, init_values=(t,)):
    n = n + i
    a = pl.exp(a)
    u = pl.yield_(a)
t = u
k = pl.cast(n, pl.INT32)""",
        """for i, (a, m) in pl.range(4, init_values=(t, n)):
    m2 = m + i
    a2 = pl.exp(a)
    u, n = pl.yield_(a2, m2)
t = u
k = pl.cast(n, pl.INT32)""",
    )


def test_a_result_may_be_bound_to_a_name_that_an_outer_loop_carries() -> None:
    assert_same(
        "for j in pl.range(2):\n    for i, (a,) in pl.range(4, init_values=(t,)):\n        t = pl.yield_(pl.exp(a))",
        """for j, (s,) in pl.range(2, init_values=(t,)):
    for i, (a,) in pl.range(4, init_values=(s,)):
        r = pl.yield_(pl.exp(a))
    t = pl.yield_(r)""",
    )


def test_an_annotated_yield_gives_the_result_its_memory_space() -> None:
    (loop,) = statements(
        "for i, (a,) in pl.range(4, init_values=(t,)):\n"
        "    r: pl.Tile[[16, 128], pl.FP32, pl.Mem.Vec] = pl.yield_(pl.exp(a))"
    )

    assert isinstance(loop, ir.For)
    assert loop.carries[0].type.facts()["space"] is None
    assert loop.results[0].type.facts()["space"] == "Vec"


def test_returns_in_both_arms_are_one_return() -> None:
    natural = """import pypto_lite.language as pl

@pl.function
def choose(n: pl.Scalar[pl.INDEX], x: pl.Tensor[[16], pl.FP32]) -> tuple[pl.Scalar[pl.INDEX], pl.Tensor[[16], pl.FP32]]:
    if n > 3:
        return n + 1, x
    elif n > 2:
        m = n * 2
        return m, x
    last = n - 1
    return last, x
"""
    explicit = """import pypto_lite.language as pl

@pl.function
def choose(n: pl.Scalar[pl.INDEX], x: pl.Tensor[[16], pl.FP32]) -> tuple[pl.Scalar[pl.INDEX], pl.Tensor[[16], pl.FP32]]:
    if n > 3:
        a, b = pl.yield_(n + 1, x)
    else:
        if n > 2:
            m = n * 2
            c, d = pl.yield_(m, x)
        else:
            last = n - 1
            c, d = pl.yield_(last, x)
        a, b = pl.yield_(c, d)
    return a, b
"""

    ir.assert_structural_equal(pl.parse(natural), pl.parse(explicit))


def test_a_bare_return_in_a_branch_skips_the_rest() -> None:
    function = pl.parse(
        """import pypto_lite.language as pl

@pl.function
def f(n: pl.Scalar[pl.INDEX], x: pl.InOut[pl.Tensor[[16], pl.FP32]]):
    if n > 3:
        return
    pl.write(x, [n], 1.0)
"""
    )

    assert isinstance(function, ir.Function)
    branch, last = function.body.statements
    assert isinstance(branch, ir.If)
    assert branch.else_body is not None
    assert isinstance(branch.else_body.statements[0], ir.Evaluate)
    assert isinstance(last, ir.Return)
    assert last.values == ()


def test_what_is_in_ssa_form_already_stays_as_it_is_written() -> None:
    program = traced("u = pl.exp(t)\nfor i, (a,) in pl.range(4, init_values=(u,)):\n    r = pl.yield_(pl.neg(a))")

    ir.assert_structural_equal(pl.parse(program.as_python()), program)


def test_what_is_read_as_it_is_written_is_what_the_passes_that_parsing_ends_with_are_given() -> None:
    body = "for i in pl.range(4):\n    if i == n:\n        break\n    t = pl.exp(t)"
    written = as_written(text_of(body))
    nodes = list(ir.walk(written.functions["kernel"]))
    assert any(isinstance(node, ir.Break) for node in nodes)
    assert len({node.var for node in nodes if isinstance(node, ir.Assign) and node.var.name == "t"}) == 1

    ssa = passes.ConvertToSSA().run(passes.StructureControlFlow().run(written))
    ir.assert_structural_equal(ssa, traced(body))


def test_the_keywords_of_a_scope_may_list_values_of_all_kinds() -> None:
    scope = statements("with pl.at(level=pl.Level.CORE_GROUP, no_dep_args=[x, t, n]):\n    t = pl.add(t, t)")[0]

    assert isinstance(scope, ir.Scope)
    assert [value.type for value in scope.keywords["no_dep_args"].elements] == [
        ir.TensorType((64, 128), ir.DTYPES["FP32"]),
        ir.TileType((16, 128), ir.DTYPES["FP32"]),
        ir.ScalarType(ir.DTYPES["INDEX"]),
    ]
