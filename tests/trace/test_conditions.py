"""Chained comparisons: each part is evaluated once, and only where the comparisons in front of it hold. Numbers in
conditions: true where they are not zero."""

from __future__ import annotations

import pytest

from tests.trace.kernels import assert_same

READ = "pl.read(t, [0, 0])"


@pytest.mark.parametrize("part", ["{} * 2.0", "-{}", "pl.min({}, f)"])
def test_a_call_inside_the_middle_of_a_chain_is_evaluated_once(part: str) -> None:
    once = part.format("a")
    assert_same(f"value = 0.0 < {part.format(READ)} < 1.0", f"a = {READ}\nvalue = 0.0 < {once} and {once} < 1.0")


def test_a_call_in_third_place_is_in_the_arm_with_what_follows_it() -> None:
    assert_same(
        f"value = 0.0 < f < {READ} * 2.0 < 9.0",
        f"""if 0.0 < f:
    a = {READ}
    b = pl.yield_(f < a * 2.0 and a * 2.0 < 9.0)
else:
    b = pl.yield_(False)
value = b""",
    )


def test_calls_in_third_and_fourth_place_are_in_nested_arms() -> None:
    assert_same(
        f"value = 0.0 < f < {READ} < pl.read(t, [0, 1]) < 9.0",
        f"""if 0.0 < f:
    a = {READ}
    if f < a:
        b = pl.read(t, [0, 1])
        d = pl.yield_(a < b and b < 9.0)
    else:
        d = pl.yield_(False)
    e = pl.yield_(d)
else:
    e = pl.yield_(False)
value = e""",
    )


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("n and c", "n != 0 and c"),
        ("c or f", "c or f != 0.0"),
        ("n and k and c", "n != 0 and k != pl.const(0, pl.INT32) and c"),
        ("c and (n or f)", "c and (n != 0 or f != 0.0)"),
        ("c and not (n and f)", "c and not (n != 0 and f != 0.0)"),
        ("c and N", "c and True"),
    ],
)
@pytest.mark.parametrize(
    "statement",
    [
        "if {}:\n    u = pl.exp(t)",
        "while {}:\n    n = n - 1",
        "m = 1 if {} else 2",
        "value = not ({})",
        "for i, (m,) in pl.while_(init_values=(n,)):\n    pl.cond({})\n    r = pl.yield_(m - 1)".replace(
            "i, (m,)", "(m,)"
        ),
    ],
)
def test_numbers_in_conditions(statement: str, written: str, meant: str) -> None:
    assert_same(statement.format(written), statement.format(meant))


def test_a_number_that_is_read_under_a_condition() -> None:
    assert_same(
        f"if c and {READ}:\n    u = pl.exp(t)",
        f"""if c:
    a = {READ}
    b = pl.yield_(a != 0.0)
else:
    b = pl.yield_(False)
if b:
    u = pl.exp(t)""",
    )
