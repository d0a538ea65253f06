"""Every variable gets a name of its own, near to its hint."""

from __future__ import annotations

import keyword

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pypto_lite import ir, printer
from pypto_lite.ir import walk
from tests.ir.random_ir import random_program
from tests.printer.kernels import BF16, IN, ONE, TENSOR, assign, block, function, less, loop, plus, var


def named(*hints: str) -> list[str]:
    kernel = function(*[assign(hint, ONE) for hint in hints])
    return list(printer.names(kernel).values())


def test_the_first_of_a_name_keeps_it() -> None:
    assert named("bt", "x", "bt", "bt") == ["bt", "x", "bt__1", "bt__2"]


def test_names_that_are_taken_are_passed_over() -> None:
    assert named("bt", "bt__1", "bt") == ["bt", "bt__1", "bt__2"]


def test_a_number_behind_a_name_counts_on() -> None:
    assert named("bt__1", "bt__1", "bt") == ["bt__1", "bt__2", "bt"]


@pytest.mark.parametrize("hint", ["for", "None", "pl", "self", "abs", "float", "__debug__"])
def test_words_that_the_text_needs_are_not_used(hint: str) -> None:
    assert named(hint) == [f"{hint}__1"]


@pytest.mark.parametrize(
    ("hint", "name"), [("x y", "x_y"), ("1st", "v1st"), ("", "v"), ("a.b", "a_b"), ("é", "é"), ("ﬁ", "fi")]
)
def test_hints_become_identifiers(hint: str, name: str) -> None:
    assert named(hint) == [name]


def test_values_are_numbered_in_program_order() -> None:
    param, index, carry, result, inner, arm, phi, last = [var("x") for _ in range(8)]
    branch = ir.If(less(index, carry), block(ir.Assign(arm, ONE), ir.Yield((arm,))), block(ir.Yield((inner,))), (phi,))
    body = block(ir.Assign(inner, plus(index, carry)), branch, ir.Yield((phi,)))
    kernel = function(loop(index, body, (param, carry, result)), ir.Assign(last, result), params=((param, IN),))
    order = [param, index, carry, inner, arm, phi, result, last]
    names = printer.names(kernel)
    assert [names[each] for each in order] == ["x", *[f"x__{number}" for number in range(1, 8)]]


def test_dimensions_come_first() -> None:
    m, x = var("m"), var("m", ir.TensorType([var("k"), 8], BF16))
    assert isinstance(x.type, ir.TensorType)
    kernel = function(ir.Assign(m, ONE), params=((x, IN),))
    assert list(printer.names(kernel).values()) == ["k", "m", "m__1"]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**9))
def test_names_are_different_identifiers_and_those_of_the_text(seed: int) -> None:
    program = random_program(seed)
    text = printer.python_print(program)
    for function_ in program.functions.values():
        names = printer.names(function_)
        assert len(set(names.values())) == len(names)
        assert all(name.isidentifier() and not keyword.iskeyword(name) for name in names.values())
        variables = {node for node in walk(function_) if isinstance(node, ir.Var)}
        assert variables <= names.keys()
        assert all(name in text for name in names.values())


def test_a_function_alone_has_the_names_that_it_has_in_its_program() -> None:
    x, y = var("x", TENSOR), var("x", TENSOR)
    kernel = function(assign("x", ONE), params=((x, IN), (y, IN)))
    assert list(printer.names(kernel).values()) == ["x", "x__1", "x__2"]
