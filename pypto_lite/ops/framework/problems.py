"""How type rules say no: coded errors that name the operand, what was found, what was expected, and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.ir.dims import all_static, provably_different, provably_less

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pypto_lite.ir import Dims, DType, TensorType, TileType


def problem(
    code: str, operand: str, message: str, *, found: object = None, expected: str | None = None, hint: str | None = None
) -> UserError:
    """The error of one operand or keyword; whoever knows the call's source adds the place."""
    text = None if found is None else found if isinstance(found, str) else repr(found)
    return UserError(Diagnostic(code, message, found=text, expected=expected, hint=hint, operand=operand))


def list_text(dims: Dims) -> str:
    """A shape or an offset as it is written in a kernel."""
    return f"[{', '.join(map(repr, dims))}]"


def one_of(dtypes: Iterable[DType]) -> str:
    """``FP16, FP32 or INT32``"""
    names = [dtype.name for dtype in dtypes]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def check_dtype(operand: str, dtype: DType, allowed: tuple[DType, ...]) -> None:
    """PL204 unless the element type is one of these."""
    if dtype not in allowed:
        raise problem(
            "PL204",
            operand,
            f"{operand} has an element type that the operator does not take",
            found=dtype,
            expected=one_of(allowed),
            hint="convert it with pl.cast",
        )


def check_integer(operand: str, dtype: DType) -> None:
    """PL204 unless the element type is an integer."""
    if not dtype.is_int:
        raise problem("PL204", operand, f"{operand} must hold integers", found=dtype, expected="an integer type")


def check_same_dtype(operand: str, dtype: DType, other: str, expected: DType) -> None:
    """PL204 unless the operand has the element type of the other one."""
    if dtype is not expected:
        raise problem(
            "PL204",
            operand,
            f"{operand} must have the element type of {other}",
            found=dtype,
            expected=repr(expected),
            hint="convert one of them with pl.cast",
        )


def check_rank(operand: str, type_: TileType | TensorType, rank: int) -> None:
    """PL203 unless the operand has this many dimensions."""
    if len(type_.shape) != rank:
        raise problem(
            "PL203",
            operand,
            f"{operand} must have {rank} dimensions",
            found=list_text(type_.shape),
            expected=f"a shape of {rank} extents",
        )


def check_shape(operand: str, shape: Dims, expected: Dims, what: str) -> None:
    """PL203 where the operand provably has another shape than expected."""
    if len(shape) == len(expected) and not any(map(provably_different, shape, expected)):
        return
    raise problem(
        "PL203", operand, f"{operand} must have the shape {what}", found=list_text(shape), expected=list_text(expected)
    )


def check_extents(operand: str, extents: Dims, *, static: bool) -> None:
    """PL203 unless all extents are positive where they are constant, and constant where they must be."""
    for axis, extent in enumerate(extents):
        if isinstance(extent, int) and extent <= 0:
            raise problem(
                "PL203",
                operand,
                f"extent {axis} of {operand} is not positive",
                found=list_text(extents),
                expected="extents of at least 1",
            )
    if static and not all_static(extents):
        raise problem(
            "PL203",
            operand,
            f"{operand} must be constant: buffers on chip have a fixed size",
            found=list_text(extents),
            expected="integer constants",
            hint="use the largest extent here and give the part that is used as valid_shape",
        )


def check_length(operand: str, dims: Dims, rank: int, of: str) -> None:
    """PL203 unless a list has one element per dimension."""
    if len(dims) != rank:
        raise problem(
            "PL203",
            operand,
            f"{operand} must have one element for each dimension of {of}",
            found=f"{list_text(dims)} ({len(dims)} elements)",
            expected=f"{rank} elements",
        )


def check_valid(operand: str, valid: Dims, shape: Dims) -> None:
    """PL208 where a valid region is provably negative or larger than its shape."""
    check_length(operand, valid, len(shape), "the shape")
    if valid == shape:
        return
    for extent, whole in zip(valid, shape, strict=True):
        if provably_less(extent, 0) or provably_less(whole, extent):
            raise problem(
                "PL208",
                operand,
                f"{operand} does not fit the shape",
                found=list_text(valid),
                expected=f"at least 0 and at most {list_text(shape)}",
            )


def check_plain(operand: str, tensor: TensorType) -> None:
    """PL201 for a distributed tensor where only a plain one will do."""
    if tensor.distributed:
        raise problem(
            "PL201",
            operand,
            f"{operand} cannot be a window into several devices",
            found=tensor,
            expected="a plain tensor",
        )
