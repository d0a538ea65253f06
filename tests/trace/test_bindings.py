"""What a list, a tuple or a dictionary of the kernel's values holds after a name in it has been bound again."""

from __future__ import annotations

import pytest

from pypto_lite import ir
from tests.trace.kernels import assert_same, kernel, statements

CHANGES = {
    "loop": "for i in pl.range(3):\n    m = m + 16\n",
    "branch": "if c:\n    m = m + 16\n",
    "while": "while m < 64:\n    m += 16\n",
    "twice in a loop": "for i in pl.range(3):\n    m = m + 1\n    m = m + 2\n",
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    ("made", "item"),
    [("[m, 0]", "held[0]"), ("(m, t)", "held[0]"), ("{'k': [m]}", "held['k'][0]"), ("[0, (1, m)]", "held[1][1]")],
)
def test_what_is_held_keeps_the_value_that_a_name_had(made: str, item: str, change: str) -> None:
    assert_same(
        f"m = n\nheld = {made}\n{CHANGES[change]}value = {item} * m",
        f"m = n\nkept = m\n{CHANGES[change]}value = kept * m",
    )


def test_a_tile_in_a_list_stays_the_same() -> None:
    assert_same(
        "a = t\nheld = [a]\nfor i in pl.range(3):\n    a = pl.exp(a)\nvalue = pl.add(held[0], a)",
        "a = t\nkept = a\nfor i in pl.range(3):\n    a = pl.exp(a)\nvalue = pl.add(kept, a)",
    )


def test_in_a_loop_that_assigns_the_same_variable_twice() -> None:
    assert_same(
        "m = n\nfor i in pl.range(3):\n    m = m + 1\n    held = [m]\n    m = held[0] + m",
        "m = n\nfor i in pl.range(3):\n    m = m + 1\n    kept = m\n    m = kept + m",
    )


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("held = [n, 0]\nvalue = held[0] + 1", 1),
        ("held = [n, 0]\nn = n + 1\nvalue = n + held[0]", 2),
        ("for i in pl.range(3):\n    m = n + i\n    held = [m]\nvalue = n + 1", 2),
    ],
)
def test_where_nothing_further_inside_binds_the_name_it_takes_no_statement(body: str, count: int) -> None:
    assert len(statements(body)) == count


def test_values_that_are_exchanged_are_named_after_their_targets() -> None:
    names = {
        node.name
        for node in ir.walk(kernel("a = n\nb = n\nfor i in pl.range(3):\n    a, b = b, a").body)
        if isinstance(node, ir.Var)
    }
    assert "part" not in names


@pytest.mark.parametrize(
    ("assignment", "count"),
    [("a, b = b, a", 3), ("a, b, d = b, d, a", 4), ("a, b = n, a", 3), ("a, b = b, n", 2), ("a, b = b + 1, a", 4)],
)
def test_only_values_that_are_lost_are_kept(assignment: str, count: int) -> None:
    """The value of a name that is assigned further left gets a name of its own, and so does what is computed."""
    found = kernel(f"a = n\nb = n + 1\nd = n + 2\nfor i in pl.range(3):\n    {assignment}")
    (loop,) = [node for node in ir.walk(found.body) if isinstance(node, ir.For)]
    assert sum(isinstance(each, ir.Assign) for each in loop.body.statements) == count
