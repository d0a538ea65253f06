"""What names mean in decorated code that Python has run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from pypto_lite.diagnostics import UserError
from pypto_lite.trace.names.environment import MISSING, Environment, of_function
from pypto_lite.trace.source.capture import function_source

if TYPE_CHECKING:
    from types import FunctionType

ROWS = 16
RESULTS: dict[str, Environment] = {}


def resolve(function: FunctionType) -> Environment:
    """Stands for a decorator: what the function's names mean at this moment."""
    environment = of_function(function, function_source(function)[0])
    RESULTS[function.__name__] = environment
    return environment


def pass_on(function: FunctionType) -> Environment:
    """A decorator of the user's that calls ours; its own locals are nobody else's."""
    hidden = resolve(function)
    return hidden


def test_globals_and_builtins():
    @resolve
    def kernel(x): ...

    assert kernel.find("ROWS") == 16
    assert kernel.find("range") is range
    assert kernel.find("nowhere") is MISSING


def test_captured_local():
    columns = 8

    @resolve
    def kernel(x):
        return columns

    assert kernel.find("columns") == 8


def test_local_that_only_an_annotation_uses():
    columns = 8

    @resolve
    def kernel(x: columns): ...

    assert kernel.find("columns") == 8


def test_local_of_an_outer_function_that_is_still_running():
    columns = 8

    def make() -> Environment:
        @resolve
        def kernel(x: columns): ...

        return kernel

    assert make().find("columns") == 8


def test_local_around_a_class():
    columns = 8

    class Kernels:
        @resolve
        def kernel(self, x: columns): ...

    assert RESULTS.pop("kernel").find("columns") == 8


def test_inner_local_hides_a_global():
    ROWS = 32  # noqa: N806

    @resolve
    def kernel(x):
        return ROWS

    assert kernel.find("ROWS") == 32


def test_decorator_of_the_users_own_is_passed_over():
    columns = 8

    @pass_on
    def kernel(x: columns): ...

    assert kernel.find("columns") == 8
    assert kernel.find("hidden") is MISSING


def test_locals_of_a_caller_that_is_not_around_are_not_seen():
    columns = 8
    assert make_elsewhere().find("columns") is MISSING
    assert columns == 8


def make_elsewhere() -> Environment:
    @resolve
    def kernel(x): ...

    return kernel


def test_value_is_that_of_the_moment_of_decoration():
    columns = 8

    @resolve
    def kernel(x: columns): ...

    columns = 9
    assert kernel.find("columns") == 8
    assert columns == 9


def test_captured_name_without_a_value_yet():
    @resolve
    def kernel(x):
        return later

    assert kernel.find("later") is MISSING
    later = 1
    assert later == 1


def test_none_is_a_value():
    nothing = None

    @resolve
    def kernel(x):
        return nothing

    assert kernel.find("nothing") is None


def test_inner_scope_comes_first():
    environment = make_elsewhere()
    inner = environment.inner({"ROWS": 4})
    assert inner.find("ROWS") == 4
    assert inner.find("make_elsewhere") is make_elsewhere
    assert environment.find("ROWS") == ROWS


def test_unknown_name_is_refused_where_it_stands_with_a_proposal():
    @resolve
    def kernel(x):
        return ROW  # noqa: F821

    _, definition = function_source(test_unknown_name_is_refused_where_it_stands_with_a_proposal)
    (use,) = [node for node in ast.walk(definition) if isinstance(node, ast.Name) and node.id == "ROW"]
    with pytest.raises(UserError) as caught:
        kernel.value(use)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "PL105"
    assert diagnostic.span.line == use.lineno
    assert "'ROWS'" in (diagnostic.hint or "")
