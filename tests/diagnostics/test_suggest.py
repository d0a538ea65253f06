"""Which names a misspelled one is thought to be."""

import pytest

from pypto_lite.diagnostics import CODES, Diagnostic, did_you_mean


def test_a_close_name_is_suggested():
    assert did_you_mean("matmull", ["matmul", "load"]) == "did you mean 'matmul'?"


def test_several_close_names_are_suggested_best_first():
    assert did_you_mean("row_summ", ["row_sum", "col_sum", "exp"]) == "did you mean 'row_sum' or 'col_sum'?"


def test_a_name_is_suggested_once():
    assert did_you_mean("matmull", ["matmul", "matmul"]) == "did you mean 'matmul'?"


def test_names_may_be_shown_in_another_way():
    assert did_you_mean("matmull", ["matmul"], {"matmul": "pl.matmul"}) == "did you mean 'pl.matmul'?"


def test_nothing_is_suggested_where_nothing_is_close():
    assert did_you_mean("xyz", ["matmul", "load"]) is None


def test_a_code_that_is_not_in_the_table_is_refused():
    with pytest.raises(KeyError, match="PL999"):
        Diagnostic("PL999", "no such code")


def test_codes_are_in_the_ranges_of_their_families():
    assert {code[:3] for code in CODES} <= {"PL1", "PL2", "PL3", "PL4", "PL5", "PL9"}
    assert list(CODES) == sorted(CODES)
