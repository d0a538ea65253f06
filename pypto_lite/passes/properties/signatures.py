"""How calls of functions fit their signatures, symbolic dimensions included."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pypto_lite import ir
from pypto_lite.analysis.type_agreement import Agreement, difference
from pypto_lite.passes.properties.findings import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

TASK = ir.ScalarType(ir.DTYPES["TASK_ID"])


class Misfit(NamedTuple):
    """One thing that does not fit."""

    message: str
    found: str | None = None
    expected: str | None = None


def check_function_call(call: ir.Expr, program: ir.Program) -> Iterator[Misfit]:
    """What is wrong with a call or a submission of a function of ``program``."""
    assert isinstance(call, (ir.FunctionCall, ir.Submit))
    callee = program.functions.get(call.function)
    if callee is None:
        yield Misfit(f"there is no function '{call.function}'")
        return
    if len(call.args) != len(callee.params):
        found = plural(len(call.args), "argument")
        yield Misfit(f"'{callee.name}' is called with {found}", expected=plural(len(callee.params), "argument"))
        return
    # A symbolic dimension of the signature stands for the extent of the argument; a scalar parameter for the argument.
    stands_for: dict[ir.Var, ir.Expr] = dict(zip(callee.params, call.args, strict=True))
    for param, arg in zip(callee.params, call.args, strict=True):
        _bind_dimensions(param.type, arg.type, stands_for)
    substitution = ir.Substitution({var: value for var, value in stands_for.items() if _is_scalar(var)})
    agreement = Agreement.with_function(callee.type)
    for param, arg in zip(callee.params, call.args, strict=True):
        differs = difference(arg.type, substitution.type(param.type), agreement)
        if differs is not None:
            message = f"the {differs} of '{param.name}' of '{callee.name}' does not fit"
            yield Misfit(message, repr(arg.type), repr(param.type))
    returned = [substitution.type(each) for each in callee.return_types]
    differs = difference(call.type, _result(call, returned), agreement)
    if differs is not None:
        message = f"the {differs} of the result of '{callee.name}' is wrong"
        yield Misfit(message, repr(call.type), repr(_result(call, returned)))


def _result(call: ir.FunctionCall | ir.Submit, returned: list[ir.Type]) -> ir.Type:
    """The type of a call of a function that returns these types; a submission's last value is its task."""
    if isinstance(call, ir.Submit):
        returned = [*returned, TASK]
    if not returned:
        return ir.UNKNOWN
    return returned[0] if len(returned) == 1 else ir.TupleType(returned)


def _bind_dimensions(declared: ir.Type, given: ir.Type, stands_for: dict[ir.Var, ir.Expr]) -> None:
    if isinstance(declared, (ir.TensorType, ir.TileType)) and isinstance(given, (ir.TensorType, ir.TileType)):
        extents = zip((*declared.shape, *declared.valid_shape), (*given.shape, *given.valid_shape), strict=False)
        for extent, actual in extents:
            if isinstance(extent, ir.Var):
                stands_for.setdefault(extent, ir.dim_expr(actual))


def _is_scalar(var: ir.Var) -> bool:
    return isinstance(var.type, ir.ScalarType)
