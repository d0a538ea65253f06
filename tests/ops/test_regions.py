"""Valid regions, checked against the elements that they stand for."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pypto_lite.diagnostics import UserError
from pypto_lite.ir import Dims, ScalarType, Var, dims
from pypto_lite.ir.dtypes import INDEX
from pypto_lite.ops.rules.regions import Source, read_window, reshaped_region, written_region

X = Var("x", ScalarType(INDEX))

Box = tuple[int, ...]


def source(shape: Dims, valid: Dims | None = None) -> Source:
    return Source("source", shape, shape if valid is None else valid)


def cells(extents: Box, offset: Box | None = None) -> set[Box]:
    """The positions of a box."""
    starts = offset or (0,) * len(extents)
    return set(itertools.product(*[range(s, s + extent) for s, extent in zip(starts, extents, strict=True)]))


@st.composite
def windows(draw: st.DrawFn) -> tuple[Box, Box, Box, Box]:
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    valid = tuple([draw(st.integers(0, extent)) for extent in shape])
    offset = tuple([draw(st.integers(0, extent - 1)) for extent in shape])
    window = tuple([draw(st.integers(1, 8)) for _ in shape])
    return shape, valid, offset, window


@given(windows())
def test_a_clamped_window_holds_what_is_valid_there(case: tuple[Box, Box, Box, Box]) -> None:
    shape, valid, offset, window = case
    result = read_window(source(shape, valid), offset, window, None, clamp=True)
    for extent, start, size, found in zip(valid, offset, window, result, strict=True):
        assert found == len([index for index in range(size) if start + index < extent])


@given(windows())
def test_a_window_inside_holds_what_is_valid_there(case: tuple[Box, Box, Box, Box]) -> None:
    shape, valid, offset, window = case
    assume(all(start + size <= extent for start, size, extent in zip(offset, window, shape, strict=True)))
    result = read_window(source(shape, valid), offset, window, None)
    for extent, start, size, found in zip(valid, offset, window, result, strict=True):
        assert found == len([index for index in range(size) if start + index < extent])


@given(windows(), st.tuples(st.integers(0, 8), st.integers(0, 8)))
def test_a_request_only_narrows(case: tuple[Box, Box, Box, Box], request: Box) -> None:
    shape, valid, offset, window = case
    assume(all(want <= size for want, size in zip(request, window, strict=True)))
    result = read_window(source(shape, valid), offset, window, request, clamp=True)
    available = read_window(source(shape, valid), offset, window, None, clamp=True)
    for found, want, most in zip(result, request, available, strict=True):
        assert found == min(want, most)  # pyright: ignore


@given(windows())
def test_a_window_that_leaves_the_source_is_refused(case: tuple[Box, Box, Box, Box]) -> None:
    shape, valid, offset, window = case
    leaves = any(start + size > extent for start, size, extent in zip(offset, window, shape, strict=True))
    assume(leaves)
    with pytest.raises(UserError) as caught:
        read_window(source(shape, valid), offset, window, None)
    assert caught.value.code == "PL206"


def test_only_what_is_asked_for_must_lie_inside_global_memory() -> None:
    assert read_window(source((64, 64)), (60, 0), (16, 32), (4, 32)) == (4, 32)
    with pytest.raises(UserError):
        read_window(source((64, 64)), (60, 0), (16, 32), (4, 32), whole=True)


def test_a_negative_offset_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        read_window(source((64, 64)), (-1, 0), (16, 32), None)
    assert caught.value.code == "PL206"


def test_a_request_larger_than_the_window_is_refused() -> None:
    with pytest.raises(UserError) as caught:
        read_window(source((64, 64)), (0, 0), (16, 32), (17, 32))
    assert caught.value.code == "PL208"


def test_a_symbolic_offset_is_trusted() -> None:
    assert read_window(source((64, 64)), (X, 0), (16, 32), None) == (16, 32)


def test_a_provably_wrong_symbolic_offset_is_refused() -> None:
    with pytest.raises(UserError):
        read_window(source((X, 64)), (dims.add(X, 1), 0), (16, 32), None)


def test_a_symbolic_region_is_cut_to_the_window() -> None:
    (rows, columns) = read_window(source((16, 32), (X, 32)), (4, 0), (8, 32), None)
    assert repr(rows) == "min(max(x - 4, 0), 8)"
    assert columns == 32


@st.composite
def writes(draw: st.DrawFn) -> tuple[Box, Box, Box, Box]:
    shape = draw(st.tuples(st.integers(2, 6), st.integers(2, 6)))
    valid = tuple([draw(st.integers(1, extent)) for extent in shape])
    offset = tuple([draw(st.integers(0, extent - 1)) for extent in shape])
    written = tuple([draw(st.integers(1, extent - start)) for extent, start in zip(shape, offset, strict=True)])
    return shape, valid, offset, written


@given(writes())
def test_the_region_after_a_write_is_the_union(case: tuple[Box, Box, Box, Box]) -> None:
    shape, valid, offset, written = case
    union = cells(valid) | cells(written, offset)
    bounding = tuple([max(position[axis] for position in union) + 1 for axis in range(2)])
    if cells(bounding) == union:
        assert written_region(source(shape, valid), written, offset) == bounding
    else:
        with pytest.raises(UserError) as caught:
            written_region(source(shape, valid), written, offset)
        assert caught.value.code == "PL208"


def test_a_fully_valid_target_stays_so() -> None:
    assert written_region(source((16, 32)), (4, 4), (8, 8)) == (16, 32)


def test_nothing_written_changes_nothing() -> None:
    assert written_region(source((16, 32), (4, 32)), (0, 32), (8, 0)) == (4, 32)


def test_the_first_write_into_an_empty_target_starts_at_the_origin() -> None:
    assert written_region(source((16, 32), (0, 32)), (4, 32), (0, 0)) == (4, 32)
    with pytest.raises(UserError):
        written_region(source((16, 32), (0, 32)), (4, 32), (4, 0))


def test_a_symbolic_region_grows_where_the_parts_provably_meet() -> None:
    (rows, _) = written_region(source((64, 32), (X, 32)), (8, 32), (X, 0))
    assert dims.provably_equal(rows, dims.add(X, 8))
    with pytest.raises(UserError):
        written_region(source((64, 32), (X, 32)), (8, 32), (16, 0))


SHAPES = [(12,), (3, 4), (4, 3), (2, 6), (6, 2), (1, 12), (12, 1), (2, 2, 3), (1, 3, 4), (3, 1, 4)]


@given(st.sampled_from(SHAPES), st.sampled_from(SHAPES), st.data())
def test_a_reshaped_region_holds_the_same_elements(shape: Box, reshaped: Box, data: st.DataObject) -> None:
    valid = tuple([data.draw(st.integers(0, extent)) for extent in shape])
    elements = flat(shape, valid)
    regions = itertools.product(*[range(extent + 1) for extent in reshaped])
    possible = [region for region in regions if flat(reshaped, region) == elements]
    try:
        result = reshaped_region("tile", shape, valid, reshaped)
    except UserError:
        # Refused though there is a region, only where the elements are no prefix of the tile.
        assert not possible or elements != set(range(len(elements)))
        return
    assert flat(reshaped, result) == elements  # pyright: ignore


def flat(shape: Box, valid: Box) -> set[int]:
    """The positions of a region in row-major order."""
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return {sum(i * stride for i, stride in zip(cell, strides, strict=True)) for cell in cells(valid)}


@pytest.mark.parametrize(
    ("shape", "valid", "reshaped", "expected"),
    [
        ((16, 32), (8, 32), (512,), (256,)),
        ((16, 32), (8, 32), (8, 64), (4, 64)),
        ((16, 32), (1, 7), (512,), (7,)),
        ((16, 32), (8, 16), (1, 16, 32), (1, 8, 16)),
        ((16, 1), (9, 1), (1, 16), (1, 9)),
        ((16, 32), (0, 32), (512,), (0,)),
        ((16, 32), (0, 8), (16, 32), (0, 8)),
        ((16, 32), (0, 8), (1, 16, 32), (1, 0, 8)),
        ((1, 32), (0, 8), (32,), (0,)),
        ((1, 32), (X, 8), (1, 32), (X, 8)),
        ((16, 32), (X, 32), (1, 16, 32), (1, X, 32)),
    ],
)
def test_reshaped_regions(shape: Dims, valid: Dims, reshaped: Dims, expected: Dims) -> None:
    assert reshaped_region("tile", shape, valid, reshaped) == expected


@pytest.mark.parametrize(
    ("shape", "valid", "reshaped"),
    [((16, 32), (8, 16), (512,)), ((16, 32), (X, 32), (512,)), ((1, 32), (X, 8), (32,)), ((4, 6), (3, 6), (3, 8))],
)
def test_regions_that_have_no_place_in_the_new_shape(shape: Dims, valid: Dims, reshaped: Dims) -> None:
    with pytest.raises(UserError) as caught:
        reshaped_region("tile", shape, valid, reshaped)
    assert caught.value.code == "PL208"
