"""Finds operators by name and by spelling, and says what is wrong with a name that is none."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pypto_lite.diagnostics import NO_SPAN, Diagnostic, Span, UserError, did_you_mean
from pypto_lite.ops.framework.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pypto_lite.ops.framework.declaration import Operator

_OPERATORS: Final[Mapping[str, Operator]] = MappingProxyType(REGISTRY.by_name)

UNSUPPORTED_TENSOR_OPERATORS: Final[frozenset[str]] = frozenset(
    [
        "abs",
        "adds",
        "add",
        "aic_gather",
        "aiv_shard",
        "alloc",
        "and_",
        "ands",
        "arange",
        "cast",
        "ci",
        "cmp",
        "col_argmax",
        "col_argmin",
        "col_expand",
        "col_expand_add",
        "col_expand_div",
        "col_expand_expdif",
        "col_expand_max",
        "col_expand_min",
        "col_expand_mul",
        "col_expand_sub",
        "col_max",
        "col_min",
        "col_prod",
        "col_sum",
        "concat",
        "cos",
        "create_l1",
        "div",
        "divs",
        "exp",
        "expand_clone",
        "expands",
        "fillpad",
        "fillpad_expand",
        "fmod",
        "fmods",
        "gather",
        "gather_compare",
        "gather_mask",
        "gather_row",
        "get_block_idx",
        "get_block_num",
        "get_subblock_idx",
        "log",
        "matmul",
        "matmul_acc",
        "maximum",
        "minimum",
        "mrgsort",
        "mrgsort_format1",
        "mrgsort_format2",
        "mul",
        "muls",
        "neg",
        "not_",
        "or_",
        "ors",
        "paged_gather",
        "part_add",
        "part_max",
        "part_min",
        "part_mul",
        "random",
        "recip",
        "reinterpret_view",
        "row_argmax",
        "row_argmin",
        "row_expand",
        "row_expand_add",
        "row_expand_div",
        "row_expand_expdif",
        "row_expand_max",
        "row_expand_min",
        "row_expand_mul",
        "row_expand_sub",
        "row_max",
        "row_min",
        "row_prod",
        "row_sum",
        "rsqrt",
        "scatter",
        "scatter_mask",
        "scatter_update",
        "set_validshape",
        "shl",
        "shls",
        "shr",
        "shrs",
        "sin",
        "sort32",
        "sqrt",
        "sub",
        "subs",
        "transpose",
        "xor",
        "xors",
    ]
)
"""The tensor operators of PyPTO that are not declared here, as they are spelled after ``pl.tensor.``."""


def operators() -> Mapping[str, Operator]:
    """All operators by name, in the order of their declaration."""
    return _OPERATORS


def find(name: str) -> Operator | None:
    """The operator of this name, such as ``tile.add``, or None."""
    return REGISTRY.by_name.get(name)


def lookup(name: str, span: Span = NO_SPAN) -> Operator:
    """The operator of this name. Raises UserError (PL107, or PL209 for a tensor operator that is not supported)."""
    found = REGISTRY.by_name.get(name)
    if found is None:
        raise UserError(unknown_operator(name, span))
    return found


def by_spelling(name: str) -> Sequence[Operator]:
    """The operators that ``pl.<name>`` can mean, in the order in which they are tried; none for an unknown name."""
    return REGISTRY.by_spelling.get(name, ())


def spellings() -> Sequence[str]:
    """Every name after ``pl.`` that means an operator."""
    return tuple(REGISTRY.by_spelling)


def unknown_operator(name: str, span: Span = NO_SPAN) -> Diagnostic:
    """What is to be said of a name after ``pl.`` that means no operator."""
    last = name.rpartition(".")[2]
    of_tensors = name.startswith("tensor.") or "." not in name
    if of_tensors and (last in UNSUPPORTED_TENSOR_OPERATORS or f"{last}_" in UNSUPPORTED_TENSOR_OPERATORS):
        return unsupported_tensor_operator(name, span)
    return Diagnostic(
        "PL107", f"there is no operator {name!r}", span, hint=did_you_mean(name, [*_OPERATORS, *REGISTRY.by_spelling])
    )


def unsupported_tensor_operator(spelling: str, span: Span = NO_SPAN, found: str | None = None) -> Diagnostic:
    """What is to be said of an operator on tensors that only tiles have here; ``found`` is the tensor it is given."""
    last = spelling.rpartition(".")[2]
    tile = f"tile.{last}"
    if spelling == tile:
        hint = "pl.load makes a tile of a tensor; pl.tile.full and pl.create_tile make new ones"
        return Diagnostic("PL209", f"pl.{tile} works on tiles", span, found=found, expected="a tile", hint=hint)
    supported = [name.removeprefix("tensor.") for name in _OPERATORS if name.startswith("tensor.")]
    message = f"pl.{spelling} on tensors is not supported yet"
    hint = "load the tensor into a tile with pl.load and work on the tile"
    if last in REGISTRY.by_spelling and tile in REGISTRY.by_spelling:
        hint += f": pl.{last}"
    elif tile in REGISTRY.by_spelling:
        message = f"pl.{spelling} is an operator on tensors, and not supported yet"
        hint = f"pl.{tile} works on tiles; pl.load makes a tile of a tensor"
    return Diagnostic(
        "PL209",
        message,
        span,
        found=found,
        expected=f"of the tensor operators, one of {', '.join(supported)}",
        hint=hint,
    )
