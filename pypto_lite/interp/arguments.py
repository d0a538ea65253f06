"""The arguments of a run: checked against the parameters, copied in, and written back where they are results."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pypto_lite import ir
from pypto_lite.diagnostics import Diagnostic, UserError, did_you_mean
from pypto_lite.interp.dimensions import impossible_extent, inverse_of
from pypto_lite.interp.dtypes import integer_range, stored_dtype
from pypto_lite.interp.expressions import evaluate
from pypto_lite.interp.extents import ARRAY_TYPES, dims_of
from pypto_lite.interp.scalars import conversion
from pypto_lite.interp.storage import DEFINED, Array, new_array, undefined_array
from pypto_lite.ir.dtypes import BOOL

if TYPE_CHECKING:
    from collections.abc import Sequence

# Plain names for isinstance, after which nothing is known of a type whose own annotations are incomplete.
_NUMPY_NUMBER: Final[Any] = np.generic
_NUMPY_ARRAY: Final[Any] = np.ndarray
_MASKED_ARRAY: Final[Any] = np.ma.MaskedArray


OPTIONS: Final = ("self", "function", "arguments", "hook", "debug", "sanitize")
"""What ``run`` takes by name beside arguments, so that a parameter of such a name is given in ``arguments`` only."""


class Arguments:
    """The values of the parameters of a function that is run from outside."""

    __slots__ = ("_function", "_given", "allocated", "values")

    def __init__(self, function: ir.Function, given: Mapping[str, Any]) -> None:
        self._function = function
        self._given = given
        _check_names(function, given)
        dimensions = _dimensions(function, given)
        self.values = [
            self._value(param, direction, dimensions)
            for param, direction in zip(function.params, function.directions, strict=True)
        ]
        self.allocated: tuple[Array, ...] = tuple(
            [value for param, value in zip(function.params, self.values, strict=True) if self._is_allocated(param)]
        )
        """The ``Out`` arrays that were not given."""

    def write_back(self) -> None:
        """Brings what the function wrote into the arrays that were given for ``Out`` and ``InOut``."""
        for param, direction, value in zip(self._function.params, self._function.directions, self.values, strict=True):
            if direction is not ir.ParamDirection.In and param.name in self._given:
                written = True if value.mask is None else value.mask == DEFINED
                np.copyto(self._given[param.name], value.elements, where=written)

    def given_as(self, value: Array) -> Any:
        """The numpy array for a value that is returned: the one that was given for it where it is an argument."""
        for param, direction, argument in zip(
            self._function.params, self._function.directions, self.values, strict=True
        ):
            written = direction is not ir.ParamDirection.In and param.name in self._given
            if written and isinstance(argument, Array) and argument.is_same(value):
                return self._given[param.name]
        return value.elements

    def _is_allocated(self, param: ir.Var) -> bool:
        return isinstance(param.type, ARRAY_TYPES) and param.name not in self._given

    def _value(self, param: ir.Var, direction: ir.ParamDirection, dimensions: Mapping[ir.Var, Any]) -> Any:
        type_ = param.type
        if not isinstance(type_, ARRAY_TYPES):
            return dimensions[param]
        shape = tuple([_extent(param, dim, dimensions) for dim in dims_of(type_)[0]])
        stored = _stored(param)
        if direction is ir.ParamDirection.Out:  # a given array is where results go, and nothing to read
            return undefined_array(shape, stored, shape, param.span)
        return new_array(np.array(self._given[param.name], order="C"), None, shape, param.span)


def collected(arrays: Mapping[str, Any], arguments: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """All arguments by name. PL502 for one that is given twice, or where ``arguments`` maps no names."""
    if arguments is None:
        return arrays
    if not isinstance(arguments, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        message = f"arguments maps names of parameters to what they are given, and this is a {type(arguments).__name__}"
        raise UserError(Diagnostic("PL502", message, hint=_in_arguments("arguments")))
    for name in arguments:
        if name in arrays:
            raise UserError(Diagnostic("PL502", f"the argument for {name!r} is given twice"))
    return {**arguments, **arrays}


def _in_arguments(name: str) -> str:
    return f"write run(arguments={{{name!r}: ...}})"


def _check_names(function: ir.Function, given: Mapping[str, Any]) -> None:
    """PL502 for an argument that no parameter takes, or a parameter without one."""
    names = [param.name for param in function.params]
    for name in given:
        if name not in names:
            raise UserError(
                Diagnostic(
                    "PL502",
                    f"{function.name} has no parameter {name!r}",
                    expected=", ".join(names) or "no arguments",
                    hint=did_you_mean(name, names),
                )
            )
    for param, direction in zip(function.params, function.directions, strict=True):
        made = direction is ir.ParamDirection.Out and isinstance(param.type, ARRAY_TYPES)
        if param.name not in given and not made:
            needed = "an InOut has to be given" if direction is ir.ParamDirection.InOut else repr(param.type)
            message = f"{function.name} needs an argument for {param.name!r}"
            hint = f"{param.name} is an option of run: {_in_arguments(param.name)}" if param.name in OPTIONS else None
            raise UserError(Diagnostic("PL502", message, param.span, expected=needed, hint=hint))


def _dimensions(function: ir.Function, given: Mapping[str, Any]) -> dict[ir.Var, Any]:
    """The values of the scalar parameters, and of the symbolic dimensions, which the shapes of arrays give."""
    values: dict[ir.Var, Any] = {}
    owners: dict[ir.Var, str] = {}
    for param in function.params:
        if not isinstance(param.type, ARRAY_TYPES):
            values[param] = _scalar(param, given[param.name])
            owners[param] = param.name
    for param, direction in zip(function.params, function.directions, strict=True):
        if isinstance(param.type, ARRAY_TYPES) and param.name in given:
            _check_array(param, direction, given[param.name])
            _bind(param, given[param.name], values, owners)
    arrays = [param for param in function.params if isinstance(param.type, ARRAY_TYPES) and param.name in given]
    while any(_solve(param, given[param.name].shape, values) for param in arrays):
        continue
    for param in arrays:
        _check_shape(param, given[param.name].shape, values)
    _check_apart(function, given)
    return values


def _scalar(param: ir.Var, value: Any) -> Any:
    """A number of the element type. PL503 for what is none, or does not fit."""
    if not isinstance(param.type, ir.ScalarType):
        raise UserError(Diagnostic("PL503", f"{param.name!r} cannot be given from outside", found=repr(param.type)))
    dtype = param.type.dtype
    value = value[()] if isinstance(value, _NUMPY_ARRAY) and value.ndim == 0 else value
    plain = value.item() if isinstance(value, _NUMPY_NUMBER) else value
    if dtype is BOOL:
        fits = isinstance(plain, int) and plain in (0, 1)
    elif dtype.is_float:
        if isinstance(value, _NUMPY_NUMBER) and not isinstance(plain, (bool, complex)):
            plain = float(plain)
        fits = isinstance(plain, (int, float)) and not isinstance(plain, bool) and _is_finite_as_float(plain)
    else:
        low, high = integer_range(dtype) if dtype.is_int else (0, (1 << 63) - 1)
        fits = isinstance(plain, int) and not isinstance(plain, bool) and low <= operator.index(plain) <= high
    if not fits:
        raise UserError(
            Diagnostic(
                "PL503",
                f"the argument for {param.name!r} is no {dtype!r}",
                param.span,
                found=repr(value),
                expected=f"a number that fits {dtype!r}" if dtype is not BOOL else "True or False",
            )
        )
    return conversion(dtype)(plain)


def _is_finite_as_float(number: float) -> bool:
    """False for a whole number that no float is near; a float is what it is."""
    try:
        float(number)
    except OverflowError:
        return False
    return True


def _check_apart(function: ir.Function, given: Mapping[str, Any]) -> None:
    """PL503 for arrays that share memory, of which one is written: both are copied, and one would lose its result."""
    arrays = [
        (param, direction, given[param.name])
        for param, direction in zip(function.params, function.directions, strict=True)
        if isinstance(param.type, ARRAY_TYPES) and param.name in given
    ]
    for index, (param, direction, array) in enumerate(arrays):
        for other, other_direction, other_array in arrays[:index]:
            both_read = direction is other_direction is ir.ParamDirection.In
            if not both_read and np.shares_memory(array, other_array):
                found = f"an array that shares elements with the one for {other.name!r}"
                raise _misfit(param, found, "arrays apart, where one of them is written", f"{param.name}.copy() is one")


def _check_array(param: ir.Var, direction: ir.ParamDirection, value: Any) -> None:
    """PL503 for what is no array of the parameter's element type and rank, or can't be written where it has to be."""
    assert isinstance(param.type, ARRAY_TYPES)
    stored = _stored(param)
    rank = len(dims_of(param.type)[0])
    if not isinstance(value, _NUMPY_ARRAY):
        raise _misfit(param, f"a {type(value).__name__}", f"a numpy array of {stored.name}", "numpy.asarray makes one")
    if isinstance(value, _MASKED_ARRAY):
        raise _misfit(param, "a masked array", "an array without a mask", f"{param.name}.filled(...) makes one")
    if value.dtype != stored:
        hint = f"{param.name}.astype({stored.type.__module__}.{stored.name}) converts it"
        raise _misfit(param, f"an array of {value.dtype}", f"{stored.name}, for {param.type.dtype!r}", hint)
    if value.ndim != rank:
        raise _misfit(param, f"{value.ndim} dimensions: {list(value.shape)}", f"{rank}: {param.type!r}")
    if direction is not ir.ParamDirection.In and not value.flags.writeable:
        raise _misfit(param, "an array that is read-only", f"one to write into, for an {direction.name}")


def _stored(param: ir.Var) -> Any:
    """The numpy type of an array for the parameter. PL508 at the parameter where there is none."""
    assert isinstance(param.type, ARRAY_TYPES)
    try:
        return stored_dtype(param.type.dtype)
    except UserError as error:
        raise UserError(*[each.at(param.span) for each in error.diagnostics]) from None


def _misfit(param: ir.Var, found: str, expected: str, hint: str | None = None) -> UserError:
    message = f"the argument for {param.name!r} does not fit"
    return UserError(Diagnostic("PL503", message, param.span, found=found, expected=expected, hint=hint))


def _bind(param: ir.Var, value: Any, values: dict[ir.Var, Any], owners: dict[ir.Var, str]) -> None:
    """Takes the values of dimensions from a shape. PL503 where two arrays disagree."""
    assert isinstance(param.type, ARRAY_TYPES)
    for axis, (dim, extent) in enumerate(zip(dims_of(param.type)[0], value.shape, strict=True)):
        if not isinstance(dim, ir.Var):
            continue
        if values.setdefault(dim, extent) != extent:
            expected = f"{dim.name} = {values[dim]}, as {owners[dim]!r} has it"
            raise _misfit(param, f"an extent of {extent} in axis {axis}, for {dim.name}", expected)
        owners.setdefault(dim, param.name)


def _solve(param: ir.Var, shape: Sequence[int], values: dict[ir.Var, Any]) -> bool:
    """Whether a shape gives further dimensions, which extents such as ``M * 2`` mention: these are taken from it."""
    assert isinstance(param.type, ARRAY_TYPES)
    before = len(values)
    for axis, (dim, extent) in enumerate(zip(dims_of(param.type)[0], shape, strict=True)):
        inverse = inverse_of(dim, values.__contains__)
        if inverse is None:
            continue
        value = inverse.solve(extent, [evaluate(operation.known, values) for operation in inverse.operations])
        if value is None:
            raise impossible_extent(param, axis, extent, dim, inverse.dimension)
        values[inverse.dimension] = value
    return len(values) > before


def _check_shape(param: ir.Var, shape: Sequence[int], values: Mapping[ir.Var, Any]) -> None:
    """PL503 for another extent than the type says."""
    assert isinstance(param.type, ARRAY_TYPES)
    expected = [_extent(param, dim, values) for dim in dims_of(param.type)[0]]
    if list(shape) != expected:
        raise _misfit(param, f"a shape of {list(shape)}", str(expected))


def _extent(param: ir.Var, dim: ir.Dim, values: Mapping[ir.Var, Any]) -> int:
    """A dimension as a number. PL502 where no argument says what it is."""
    if isinstance(dim, int):
        return dim
    for node in ir.walk(dim):
        if isinstance(node, ir.Var) and node not in values:
            message = f"no argument says how large {node.name!r} is"
            hint = f"give the function a parameter that has {node.name} itself as an extent"
            if inverse_of(dim, values.__contains__) is not None:  # it was not given, or it would be known
                hint = f"give an array for {param.name!r}"
            raise UserError(Diagnostic("PL502", message, param.span, hint=hint))
    return evaluate(dim, values)
