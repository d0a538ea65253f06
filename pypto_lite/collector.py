"""Keeps Python's cyclic garbage collector from running where much is made and nothing is left behind."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

MANY: Final = 10_000
"""From how many new objects on it is worth the while to keep the collector from looking at them."""

FROZEN_BY_PYTHON: Final = 1000
"""More objects than Python itself ever freezes: 3.12 does so with some hundreds."""


@contextmanager
def garbage_collection_paused() -> Generator[None, None, None]:
    """Pauses the collector: nodes are built by the thousand, modules by the hundred, and none of them in cycles."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        _let_age()
        gc.enable()


def _let_age() -> None:
    """Moves what was made into the oldest generation, without a look at it.

    Else the next allocation would start a search of all of it, which takes up to half as long as the work did. What
    others leave behind in cycles ages with it and is found by a search of everything, which the collector starts when
    the generation before the last one was searched often enough. So this counts as such a search, and where it is one
    too many, as the collector has its own ways to put it off, everything is searched at once.
    """
    made, _, searches = gc.get_count()
    if made < MANY or gc.get_freeze_count() > FROZEN_BY_PYTHON:  # what somebody else has frozen has to stay so
        return
    gc.freeze()
    gc.unfreeze()
    if searches > gc.get_threshold()[2]:
        gc.collect()
    else:
        for _ in range(searches + 1):  # freezing has set the count back
            gc.collect(1)
