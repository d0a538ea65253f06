"""What passes between the cores: a run has one of each, one after the other."""

from __future__ import annotations

import numpy as np
import pytest

import pypto_lite.language as pl
from pypto_lite.diagnostics import UserError

from .apply import apply, assert_equal

TILE = np.arange(32, dtype=np.float32).reshape(2, 16)


@pytest.mark.parametrize("name", ["tile.aiv_shard", "tile.aic_gather"])
def test_a_tile_that_is_not_split_stays_as_it_is(name: str) -> None:
    assert_equal(apply(name, TILE, split=pl.SplitMode.NONE), TILE)


@pytest.mark.parametrize("name", ["tile.aiv_shard", "tile.aic_gather"])
@pytest.mark.parametrize("split", [pl.SplitMode.UP_DOWN, pl.SplitMode.LEFT_RIGHT])
def test_a_tile_that_two_cores_share_is_refused(name: str, split: pl.SplitMode) -> None:
    with pytest.raises(UserError) as caught:
        apply(name, TILE, split=split)
    assert caught.value.code == "PL507"


def test_what_another_core_sends_is_refused_where_it_is_received() -> None:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(out: pl.Out[pl.Tensor[[16, 16], pl.FP32]]) -> pl.Tensor[[16, 16], pl.FP32]:
        received = pl.tpop_from_aic(shape=[16, 16], dtype=pl.FP32, split=pl.SplitMode.NONE)
        return pl.store(received, [0, 0], out)

    with pytest.raises(UserError) as caught:
        kernel.run()
    assert caught.value.code == "PL507"
    assert "received = pl.tpop_from_aic" in str(caught.value)
