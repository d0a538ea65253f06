"""What happens when a function is entered: symbolic dimensions get their values, tensors their valid regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite import ir
from pypto_lite.interp.dimensions import impossible_extent, inverse_of
from pypto_lite.interp.extents import ARRAY_TYPES, dims_of, measure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.interp.code import Code, Frame
    from pypto_lite.interp.dimensions import Inverse
    from pypto_lite.interp.expressions import Compiler, Parts


def add_prologue(compiler: Compiler, params: Sequence[ir.Var]) -> None:
    """Adds the steps that take from the arguments what the types of the parameters mention."""
    arrays = [param for param in params if isinstance(param.type, ARRAY_TYPES)]
    symbolic = [param for param in arrays if param.type.symbolic]
    for param in symbolic:
        _bind_dimensions(compiler.code, param)
    while any(compiler.drive(_solve_dimensions(compiler, param)) for param in symbolic):
        continue
    for param in arrays:
        compiler.drive(_set_region(compiler, param))


def _bind_dimensions(code: Code, param: ir.Var) -> None:
    """Gives each dimension that is a variable of its own the extent of the argument."""
    assert isinstance(param.type, ARRAY_TYPES)
    shape, valid = dims_of(param.type)
    slot, following = code.slot(param), code.following
    of_shape = _unknown(code, shape)
    of_valid = _unknown(code, valid)

    def bind(frame: Frame) -> int:
        array = frame[slot]
        for axis, target in of_shape:
            frame[target] = array.shape[axis]
        for axis, target in of_valid:
            frame[target] = array.valid[axis]
        return following

    code.add(bind)


def _solve_dimensions(compiler: Compiler, param: ir.Var) -> Parts:
    """Gives dimensions that extents such as ``M * 2`` mention the values that follow from the argument.

    The result is how many these are.
    """
    assert isinstance(param.type, ARRAY_TYPES)
    code = compiler.code
    count = 0
    for axis, dim in enumerate(dims_of(param.type)[0]):
        inverse = inverse_of(dim, code.knows)
        if inverse is None:
            continue
        known: list[int] = []
        for operation in inverse.operations:
            known.append((yield operation.known))
        _solve_dimension(code, param, axis, inverse, known)
        count += 1
    return count


def _solve_dimension(code: Code, param: ir.Var, axis: int, inverse: Inverse, known: Sequence[int]) -> None:
    assert isinstance(param.type, ARRAY_TYPES)
    dim = dims_of(param.type)[0][axis]
    slot, target, following = code.slot(param), code.slot(inverse.dimension), code.following

    def solve(frame: Frame) -> int:
        extent = frame[slot].shape[axis]
        frame[target] = inverse.solve(extent, [frame[each] for each in known])
        if frame[target] is None:
            raise impossible_extent(param, axis, extent, dim, inverse.dimension)
        return following

    code.add(solve)


def _unknown(code: Code, dims: ir.Dims) -> list[tuple[int, int]]:
    """The axes whose extents are variables without a value so far, with new slots for them."""
    return [(axis, code.slot(dim)) for axis, dim in enumerate(dims) if isinstance(dim, ir.Var) and not code.knows(dim)]


def _set_region(compiler: Compiler, param: ir.Var) -> Parts:
    """The valid region of an argument is what the type of the parameter says."""
    code = compiler.code
    measured = yield from measure(compiler, param.type)
    slot, following = code.slot(param), code.following

    def step(frame: Frame) -> int:
        array, extents = frame[slot], measured(frame)
        if array.valid != extents.valid:
            frame[slot] = array.with_valid(extents.valid)
        return following

    code.add(step)
    return slot
