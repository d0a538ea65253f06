"""Keeps Python's cyclic garbage collector from running where much is made and nothing is left behind."""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

MANY: Final = 10_000
"""From how many new objects on it is worth the while to keep the collector from looking at them."""

OFTEN_ENOUGH: Final = 4
"""How many objects age, for each block of memory that is in use at a search of everything, before the next one: so
all searches together cost a few percent of the work, however much is kept."""

FROZEN_BY_PYTHON: Final = 1000
"""More objects than Python itself ever freezes: 3.12 does so with some hundreds."""


class _Patience:
    """``left`` is how many objects may still age before everything is searched; None before the first ones do."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left: int | None = None


_PATIENCE: Final = _Patience()
"""One for the process, as the collector is."""


@contextmanager
def garbage_collection_paused() -> Generator[None, None, None]:
    """Pauses the collector: nodes are built by the thousand, modules by the hundred, and none of them in cycles.

    Where somebody else has switched it off, nothing is done at all; who does so meanwhile finds it on afterwards.
    """
    if not gc.isenabled() or gc.get_threshold()[0] == 0:
        yield
        return
    gc.collect(0)  # what others left behind lately does not age
    try:
        gc.disable()
        yield
    finally:
        try:
            _let_age()
        finally:
            gc.enable()


def _let_age() -> None:
    """Moves what was made into the oldest generation, without a look at it.

    Else the next allocation would start a search of all of it, which takes up to half as long as the work did. What
    others still hold ages with it, and whatever of that they leave behind in cycles only a search of everything finds.
    """
    made = gc.get_count()[0]
    if made < MANY or gc.get_freeze_count() > FROZEN_BY_PYTHON:  # what somebody else has frozen has to stay so
        return
    gc.freeze()
    gc.unfreeze()
    if _PATIENCE.left is not None:
        _PATIENCE.left -= made
        if _PATIENCE.left > 0:
            return
        gc.collect()
    _PATIENCE.left = OFTEN_ENOUGH * sys.getallocatedblocks()
