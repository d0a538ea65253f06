"""What grows faster than what it is done to is found, in whatever way it does."""

from __future__ import annotations

import gc

import pytest

from pypto_lite import ir
from pypto_lite.testing import assert_linear


def numbers(size: int) -> list[int]:
    return list(range(size))


def nodes(size: int) -> list[ir.Node]:
    return [ir.index_const(each) for each in range(size)]


def test_one_visit_for_each_is_linear() -> None:
    assert_linear(lambda given: [each + 1 for each in given], numbers)


def test_sorting_is_near_enough() -> None:
    assert_linear(lambda given: sorted(given, key=lambda each: -each), numbers)


def test_a_visit_for_each_pair_is_found_in_its_function() -> None:
    def compare_all(given: list[int]) -> int:
        equal = 0
        for one in given:
            for other in given:
                equal += one == other
        return equal

    with pytest.raises(AssertionError, match="compare_all"):
        assert_linear(compare_all, numbers)


def test_little_that_is_quadratic_is_found_beside_much_that_is_not() -> None:
    def much(given: list[int]) -> int:
        return sum(each + other for each in given for other in range(200))

    def little(given: list[int]) -> int:
        count = 0
        for each in given:
            for _ in range(each):
                count += 1
        return count

    with pytest.raises(AssertionError, match="little"):
        assert_linear(lambda given: (much(given), little(given)), numbers)


def test_a_search_from_the_start_each_time_is_found() -> None:
    def search(given: list[int]) -> list[int]:
        return [next(index for index, other in enumerate(given) if other == one) for one in given]

    with pytest.raises(AssertionError, match="visits are not in proportion"):
        assert_linear(search, numbers)


def test_a_search_in_c_for_a_node_is_found_in_its_function() -> None:
    def positions(given: list[ir.Node]) -> list[int]:
        return list(map(given.index, given))

    def known(given: list[ir.Node]) -> int:
        count = 0
        for each in given:
            count += each in given
        return count

    for step in (positions, known):
        with pytest.raises(AssertionError, match=step.__name__):
            assert_linear(step, nodes)


def test_a_search_leaves_no_trace_on_nodes() -> None:
    assert_linear(lambda given: given[0] in given, nodes)
    assert ir.Node.__eq__ is object.__eq__
    assert len({*nodes(3)}) == 3


def test_copies_that_are_kept_are_found_with_their_line() -> None:
    with pytest.raises(AssertionError, match=r"(?s)memory is not in proportion.*test_growth\.py:\d+: "):
        assert_linear(lambda given: [given[:index] for index in given], numbers, sizes=(1000, 2000, 4000))


def test_what_the_family_makes_does_not_count() -> None:
    def pairs(size: int) -> list[int]:
        return [one for one in range(size) for other in range(size) if one == other]

    assert_linear(lambda given: [each + 1 for each in given], pairs)


def test_what_others_do_at_collections_does_not_count() -> None:
    def others(phase: str, found: dict[str, int]) -> None:
        for _ in range(1000):
            pass

    gc.callbacks.append(others)
    try:
        assert_linear(lambda given: [[each] for each in given], numbers, sizes=(1000, 2000, 4000))
    finally:
        gc.callbacks.remove(others)


def test_sizes_have_to_double() -> None:
    with pytest.raises(AssertionError, match="twice the one before"):
        assert_linear(len, numbers, sizes=(1, 2, 3))
