"""What is measured: each step is prepared from a text, outside the clock, and then run."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING, Final

import pypto_lite.language as pl
from pypto_lite import ir, passes
from pypto_lite.collector import garbage_collection_paused
from pypto_lite.targets import ASCEND910B
from pypto_lite.testing.parsing import parsed

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[], object]


def text_to_ir(text: str) -> Work:
    """Text to IR, in SSA form."""
    return partial(pl.parse, text)


def placement(text: str) -> Work:
    """All of InferTileMemorySpace, with its reasons."""
    flat = passes.default_pipeline(ASCEND910B).run(parsed(text), until="flatten_calls")
    return partial(passes.Pipeline([passes.InferTileMemorySpace(ASCEND910B)]).run, flat, verify=False)


def printing(text: str) -> Work:
    """The program as text, with the types that were inferred."""
    return parsed(text).as_python


def reading_back(text: str) -> Work:
    """The text that is printed to IR."""
    return partial(pl.parse, parsed(text).as_python())


def equality(text: str) -> Work:
    """Structural equality of the program with what its text says."""
    program = parsed(text)
    return partial(ir.structural_equal, program, pl.parse(program.as_python()))


def placed(step: Callable[[str], Work]) -> Callable[[str], Work]:
    """The same of the placed program, which has more statements: eight of the five that are written."""
    return lambda text: step(parsed(text).lower().as_python())


def pipeline(text: str) -> Work:
    """The whole default pipeline, with verification."""
    return parsed(text).lower


def reference(text: str) -> Work:
    """What times are compared with, because machines differ and drift: CPython parses the text, as it does for us."""
    return garbage_collection_paused()(partial(ast.parse, text))


STEPS: Final[dict[str, Callable[[str], Work]]] = {
    "text to IR": text_to_ir,
    "InferTileMemorySpace": placement,
    "print": printing,
    "parse printed text": reading_back,
    "structural equality": equality,
    "pipeline, verified": pipeline,
    "print, placed": placed(printing),
    "parse printed text, placed": placed(reading_back),
    "structural equality, placed": placed(equality),
}
