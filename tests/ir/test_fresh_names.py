"""Fresh names, which passes give to what they make."""

from __future__ import annotations

from pypto_lite import ir


def test_a_free_name_is_taken_as_it_is() -> None:
    assert ir.FreshNames(["a"]).fresh("b") == "b"


def test_a_name_that_is_taken_gets_the_first_free_number() -> None:
    names = ir.FreshNames(["a", "a__1"])
    assert [names.fresh("a"), names.fresh("a")] == ["a__2", "a__3"]
