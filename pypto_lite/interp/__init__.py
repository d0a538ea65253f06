"""Runs any program, at any stage of lowering, on numpy.

What an operator computes stands below its declaration in ``ops/``, as a function of arrays; see ``Operator.meaning``
for what such a function gets and gives. Everything that is common to operators is done here, once:

- ``storage``: the values of tiles and tensors, which views share, and masks that say which elements are defined
- ``dtypes``, ``scalars``: how element types are stored and rounded; arithmetic on scalars
- ``operands``, ``results``, ``calls``: from operands to the arrays that a meaning gets, and back from what it gives
- ``expressions``, ``statements``, ``extents``, ``prologue``: compile functions to flat lists of steps (``code``)
- ``machine``: runs the steps; ``hooks`` show values on the way
- ``checks``, ``sanitizer``: watch a run while it goes on
- ``stepping``, ``translation``, ``tracing``: run functions as Python functions instead, for debuggers
- ``arguments``, ``dimensions``, ``entry``: what a run is given, and what it returns

Meanings. An elementwise operator is one expression::

    @tile_add.evaluator(elementwise=True)
    def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
        return lhs + rhs

Others get the valid regions of their operands, floats widened to 32 bits, and give the valid region of the result, or
all of it::

    @tile_matmul.evaluator
    def _(np: Numpy, lhs: Elements, rhs: Elements) -> Elements:
        return lhs @ rhs

Where elements are only put elsewhere, ``moves`` says so: they arrive as they are stored, and undefined ones may be
among them, for the function is called a second time with the masks in their place::

    @tile_concat.evaluator(moves=("src0", "src1"), whole=("src0", "src1"))
    def _(np: Numpy, src0: Elements, src1: Elements) -> Elements:
        return np.concatenate([src0, src1], axis=-1)

Where only a part of the result has values, ``Partial`` says which, as ``in_corner`` of ``ops.rules.windows`` makes it::

    @tile_gather.evaluator(moves=("src",), whole=("src",))
    def _(np: Numpy, src: Elements, indices: Elements, result: Extents) -> Elements | Partial:
        return in_corner(np, src.reshape(-1)[indices], result.shape)

A view gives a view of its operand; an operator that writes storage gives where, and what::

    @tile_store.evaluator(writes="output_tensor")
    def _(np: Numpy, tile: Elements, offsets: tuple[int, ...], output_tensor: Elements) -> tuple[Any, Elements]:
        return window("output_tensor", output_tensor.shape, offsets, tile.shape), tile
"""

from pypto_lite.interp.entry import run
from pypto_lite.interp.hooks import Hook, Moment
from pypto_lite.interp.sanitizer import Sanitizer, SanitizerNote

__all__ = ["Hook", "Moment", "Sanitizer", "SanitizerNote", "run"]
