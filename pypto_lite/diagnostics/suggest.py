"""Finds the names that a misspelled name was probably meant to be."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def did_you_mean(name: str, candidates: Iterable[str], shown: Mapping[str, str] | None = None) -> str | None:
    """A hint such as ``did you mean 'matmul'?`` or None where nothing is close.

    ``shown`` are the candidates that are to be written in another way.
    """
    close = difflib.get_close_matches(name, list(dict.fromkeys(candidates)), n=3, cutoff=0.6)
    if not close:
        return None
    return "did you mean " + " or ".join(f"'{(shown or {}).get(each, each)}'" for each in close) + "?"
