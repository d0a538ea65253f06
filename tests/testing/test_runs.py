"""What two runs differ in is told so that it can be seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ml_dtypes import bfloat16

from pypto_lite.testing.runs import Outcome, difference

NAN = float("nan")


def told(first: Any, second: Any) -> str | None:
    return difference(Outcome({"out": first}), Outcome({"out": second}))


def test_the_first_element_that_differs() -> None:
    first = np.zeros((64, 64), np.float32)
    second = first.copy()
    second[3, 40:42] = 2
    assert told(first, second) == "out differs in 2 of 4096 elements, the first at [3, 40]: 2.0 instead of 0.0"


@pytest.mark.parametrize("dtype", [np.float32, bfloat16, np.int8])
def test_every_element_counts_however_large_others_are(dtype: Any) -> None:
    first = np.array([1, 100], dtype)
    assert told(first, np.array([2, 100], dtype)) is not None
    assert told(first, first.copy()) is None


def test_a_sum_in_another_order_is_the_same() -> None:
    first = np.array([1.0, 65536.0, NAN], np.float32)
    assert told(first, np.nextafter(first, np.float32(0))) is None
    assert told(first, np.array([1.0001, 65536.0, NAN], np.float32)) is not None
    assert told(first, np.array([1.0, 65536.0, 3.0], np.float32)) is not None


def test_numbers_and_kinds() -> None:
    assert told(3, 4) == "out is 4 instead of 3"
    assert told(np.zeros(3), None) == "out is None instead of an array of float64 with the shape (3,)"
    assert told(np.zeros(3), np.zeros(4)) == (
        "out is an array of float64 with the shape (4,) instead of an array of float64 with the shape (3,)"
    )


def test_errors() -> None:
    assert difference(Outcome({}), Outcome({}, ("PL505", 7))) == "PL505 (line 7) instead of values"
    assert difference(Outcome({}, ("PL505", 7)), Outcome({}, ("PL505", 7))) is None
