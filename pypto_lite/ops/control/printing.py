"""Operators that print values in a run: what a kernel author looks at, and nothing else reads."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pypto_lite.ir import UNKNOWN, ScalarType, TensorType, TileType, UnknownType
from pypto_lite.ops.framework.registry import operator

if TYPE_CHECKING:
    from pypto_lite.ops.framework.meaning import Elements, Numpy

_DETAILS: Final = """\
A run on numpy prints it; on the chip it does nothing. ``label`` stands in front. Of tiles and
tensors the valid part is printed; what has no value is ``--``."""

_printing = partial(operator, spellings=("print",), pure=False, carried=("label",), details=_DETAILS)


@_printing("tile.print")
def tile_print(tile: TileType, label: str = "") -> UnknownType:
    """Prints a tile."""
    return UNKNOWN


@tile_print.evaluator(shows=("tile",))
def _(np: Numpy, tile: Elements, label: str) -> None:
    show(tile, label)


@_printing("system.print_tensor")
def system_print_tensor(tensor: TensorType, label: str = "") -> UnknownType:
    """Prints a tensor."""
    return UNKNOWN


@system_print_tensor.evaluator(shows=("tensor",))
def _(np: Numpy, tensor: Elements, label: str) -> None:
    show(tensor, label)


@_printing("system.print_scalar")
def system_print_scalar(value: ScalarType, label: str = "") -> UnknownType:
    """Prints a scalar."""
    return UNKNOWN


@system_print_scalar.evaluator
def _(np: Numpy, value: Any, label: str) -> None:
    show(value, label)


def show(value: Any, label: str) -> None:
    """Prints one value; the lines of an array begin below its label."""
    text = str(value)
    separator = "\n" if "\n" in text else " "
    print(f"{label}:{separator}{text}" if label else text)
