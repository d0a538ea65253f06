"""Keeps Python's cyclic garbage collector from running where much is made and nothing is left behind."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator


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
        gc.enable()
