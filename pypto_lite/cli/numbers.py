"""Numbers as arguments of commands."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Number = TypeVar("_Number", int, float)


def positive(kind: Callable[[str], _Number]) -> Callable[[str], _Number]:
    """What reads an argument that is a number above 0."""

    def read(text: str) -> _Number:
        try:
            number = kind(text)
        except ValueError:
            number = kind("0")
        if not 0 < number < float("inf"):
            raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
        return number

    return read
