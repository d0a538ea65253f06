"""Subscripts of tensors, tiles, arrays and tuples, read and written with numpy's meaning.

``t[i, a:b]`` selects from each axis: an index drops the axis, a slice keeps a part of it, axes that are not mentioned
are kept. ``t[i][j]`` selects from what ``t[i]`` is. All of a chain of subscripts is one selection, which becomes one
operator: a read, a slice, a write or an assemble. Constants may be negative, counting from the end. Other than numpy's,
a slice that is not inside its axis is an error, as it is for any other window.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias, cast

from pypto_lite.ir import (
    ArrayType,
    Dim,
    Expr,
    TensorType,
    TileType,
    TupleItem,
    TupleType,
    expr_dim,
)
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dims import (
    add,
    constant_difference,
    maximum,
    minimum,
    provably_at_most,
    provably_different,
    provably_equal,
    provably_less,
    subtract,
)
from pypto_lite.trace.expressions import static_values
from pypto_lite.trace.expressions.operator_calls import call_operator
from pypto_lite.trace.expressions.overloads import is_array
from pypto_lite.trace.expressions.scalars import index, number, refuse_quotient, scalar
from pypto_lite.trace.expressions.values import describe, plain
from pypto_lite.trace.names.constants import known, why_unknown
from pypto_lite.trace.tracer import MAX_EXPRESSION_DEPTH, FunctionTracer, NamingNeeded, expression

if TYPE_CHECKING:
    from collections.abc import Sequence

BOUND_DEPTH: Final = MAX_EXPRESSION_DEPTH - 8
"""How deep a bound may be: extents are computed from it."""


_Slice: TypeAlias = "slice[object, object, object]"


class Axis:
    """What is selected of one axis of the source: ``extent`` elements from ``offset`` on, of which ``valid`` count.

    An axis that an index drops has the extent 1. ``valid`` is None where all of it counts that counts in the source.
    """

    __slots__ = ("dropped", "extent", "offset", "valid")

    def __init__(self, extent: Dim) -> None:
        self.offset: Dim = 0
        self.extent: Dim = extent
        self.valid: Dim | None = None
        self.dropped = False

    def shift(self, distance: Dim) -> None:
        """Moves the beginning. From the very beginning that gives the distance itself, an integer of whatever type."""
        self.offset = distance if self.offset == 0 else add(self.offset, distance)


class Selection:
    """What a chain of subscripts selects from a tile or a tensor."""

    def __init__(self, source: Expr) -> None:
        assert isinstance(source.type, (TileType, TensorType))
        self.source = source
        self.type = source.type
        self.axes = [Axis(extent) for extent in source.type.shape]

    @property
    def kept(self) -> list[Axis]:
        """The axes that are not dropped."""
        return [axis for axis in self.axes if not axis.dropped]

    @property
    def offsets(self) -> list[Dim]:
        return [axis.offset for axis in self.axes]

    @property
    def window(self) -> list[Dim]:
        """The extents in all axes of the source."""
        return [axis.extent for axis in self.axes]

    def read(self, tracer: FunctionTracer, node: ast.expr) -> Expr:
        """The selected element, or the selected part."""
        if not self.kept:
            return call_operator(tracer, "read", [self.source, self.offsets], node)
        valid = None
        if any(axis.valid is not None for axis in self.axes):
            valid = [axis.extent if axis.valid is None else axis.valid for axis in self.axes]
        dropped = [position for position, axis in enumerate(self.axes) if axis.dropped] or None
        return call_operator(tracer, "slice", [self.source, self.window, self.offsets, valid, dropped], node)


# Reading


@expression(ast.Subscript)
def _subscript(tracer: FunctionTracer, node: ast.Subscript) -> object:
    chain = chain_of(tracer, node)
    value = tracer.operand(chain[-1].value)
    position = len(chain) - 1
    while position >= 0:
        if is_array(value):
            selection = Selection(cast("Expr", value))
            for each in reversed(chain[: position + 1]):
                if not selection.kept:
                    tracer.fail(
                        "PL203", "an element can't be subscripted", each, hint="there are more indices than axes"
                    )
                select(tracer, selection, each)
            return selection.read(tracer, node)
        value = tracer.consumed(_item(tracer, value, chain[position])) if position else _item(tracer, value, node)
        position -= 1
    return value


def chain_of(tracer: FunctionTracer, node: ast.Subscript) -> list[ast.Subscript]:
    """The subscripts of ``t[i][j]``, the outermost first."""
    chain = [node]
    while isinstance(chain[-1].value, ast.Subscript) and not tracer.is_evaluated(chain[-1].value):
        chain.append(chain[-1].value)
    return chain


def _item(tracer: FunctionTracer, owner: object, node: ast.Subscript) -> object:
    """``owner[index]`` of an array, a tuple, or a value that is known while tracing."""
    position = tracer.operand(node.slice)
    if not isinstance(owner, Expr):
        position = known(tracer, position)
        if isinstance(position, Expr):
            tracer.fail(
                "PL116", "a Python value can't be indexed by a value known only at run time", node.slice,
                found=describe(position), expected="an index that is known while tracing",
                notes=why_unknown(tracer, position),
            )  # fmt: skip
        return plain(static_values.item(owner, position, node, tracer.environment))
    if isinstance(owner.type, ArrayType):
        return call_operator(
            tracer, "array.get_element", [owner, array_index(tracer, owner.type, position, node.slice)], node,
            [node.value, node.slice],
        )  # fmt: skip
    if not isinstance(owner.type, TupleType):
        expected = "a tensor, a tile, an array or several values"
        tracer.fail("PL201", "this can't be subscripted", node.value, found=describe(owner), expected=expected)
    return _tuple_item(tracer, owner, owner.type, position, node)


def _tuple_item(tracer: FunctionTracer, owner: Expr, type_: TupleType, position: object, node: ast.Subscript) -> Expr:
    position = known(tracer, position)
    if isinstance(position, bool) or not isinstance(position, int):
        tracer.fail(
            "PL116", "the index into several values has to be a constant", node.slice, found=describe(position),
            notes=why_unknown(tracer, position),
        )  # fmt: skip
    count = len(type_.types)
    if not -count <= position < count:
        tracer.fail("PL206", f"there are {count} values", node.slice, found=str(position), expected=f"0 to {count - 1}")
    position %= count
    owner = tracer.fit(owner, MAX_EXPRESSION_DEPTH - 1)
    return tracer.grown(TupleItem(owner, position, type_.types[position], tracer.span(node)), owner)


def array_index(tracer: FunctionTracer, type_: ArrayType, position: object, node: ast.expr) -> object:
    """The index into an array; a negative constant counts from the end."""
    constant = number(position)
    if isinstance(constant, int) and not isinstance(constant, bool) and -type_.extent <= constant < 0:
        return constant + type_.extent
    return position


# What is selected


def select(tracer: FunctionTracer, selection: Selection, node: ast.Subscript) -> None:
    """Applies one subscript to what the ones before it have selected."""
    calls = tracer.call_count
    entries, nodes = _entries(tracer, node)
    if tracer.call_count != calls and not tracer.naming and any(isinstance(entry, slice) for entry in entries):
        raise NamingNeeded(deep=False)  # a bound is used more than once
    axes = selection.kept
    entries, nodes = _without_ellipsis(tracer, entries, nodes, len(axes))
    if len(entries) > len(axes):
        tracer.fail(
            "PL203", "there are more indices than axes", nodes[len(axes)], found=f"{len(entries)} indices",
            expected=f"at most {len(axes)}: {describe(selection.source)}",
        )  # fmt: skip
    for axis, entry, place in zip(axes, entries, nodes, strict=False):
        if isinstance(entry, slice):
            _select_slice(tracer, selection, axis, cast("_Slice", entry), place)
        else:
            _select_index(tracer, axis, entry, place)


def _entries(tracer: FunctionTracer, node: ast.Subscript) -> tuple[list[object], list[ast.expr]]:
    """The indices and slices of a subscript; ``...`` stays what it is."""
    places: list[ast.expr] = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    entries: list[object] = []
    nodes: list[ast.expr] = []
    for place in places:
        if isinstance(place, ast.Constant) and place.value is ...:
            value: object = ...
        else:
            value = tracer.operand(place)
        several = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        entries.extend(several)
        nodes.extend([place] * len(several))
    return entries, nodes


def _without_ellipsis(
    tracer: FunctionTracer, entries: list[object], nodes: list[ast.expr], rank: int
) -> tuple[list[object], list[ast.expr]]:
    """``...`` stands for as many full slices as there are axes left."""
    places = [position for position, entry in enumerate(entries) if entry is ...]
    if not places:
        return entries, nodes
    if len(places) > 1:
        tracer.fail("PL104", "there can be only one ...", nodes[places[1]])
    position = places[0]
    missing = max(rank - len(entries) + 1, 0)
    full: list[object] = [slice(None)] * missing
    return (
        [*entries[:position], *full, *entries[position + 1 :]],
        [*nodes[:position], *[nodes[position]] * missing, *nodes[position + 1 :]],
    )


def _select_index(tracer: FunctionTracer, axis: Axis, entry: object, node: ast.expr) -> None:
    if entry is None:
        tracer.fail("PL104", "None can't add an axis", node, hint="pl.reshape gives a tensor or a tile another shape")
    if number(entry) is None and (is_array(entry) or not isinstance(entry, Expr)):
        hint = "pl.tile.gather takes the elements that a tile names"
        tracer.fail("PL104", "an index is an integer or a slice", node, found=describe(entry), hint=hint)
    position = _bound(tracer, entry, axis, node, "an index", is_bound=False)
    if provably_less(position, 0) or provably_at_most(axis.extent, position):
        tracer.fail(
            "PL206", "the index is outside its axis", node, found=describe(entry), expected=f"less than {axis.extent!r}"
        )
    axis.shift(position)
    axis.extent = 1
    axis.valid = None
    axis.dropped = True


def _select_slice(tracer: FunctionTracer, selection: Selection, axis: Axis, entry: _Slice, node: ast.expr) -> None:
    lower_node, upper_node = node, node
    if isinstance(node, ast.Slice):
        lower_node, upper_node = node.lower or node, node.upper or node
        if node.step is not None and not (isinstance(entry.step, int) and entry.step == 1):
            tracer.fail(
                "PL104", "a slice can't have a step", node.step, hint="select the elements one by one, or reshape"
            )
    lower: Dim = 0 if entry.start is None else _bound(tracer, entry.start, axis, lower_node, "a bound of a slice")
    upper = axis.extent if entry.stop is None else _bound(tracer, entry.stop, axis, upper_node, "a bound of a slice")
    if provably_less(lower, 0):
        _refuse_window(tracer, axis, entry, lower_node)
    if provably_less(axis.extent, upper):
        _refuse_window(tracer, axis, entry, upper_node)
    if provably_at_most(upper, lower):
        tracer.fail("PL203", "the slice is empty", node, found=f"{lower!r}:{upper!r}", expected="at least one element")
    constant_extent = constant_difference(upper, lower)
    extent = subtract(upper, lower) if constant_extent is None else constant_extent
    if isinstance(selection.type, TileType) and not isinstance(extent, int):
        extent = _on_chip(tracer, axis, lower, upper, node)
    elif axis.valid is not None:
        axis.valid = minimum(maximum(subtract(axis.valid, lower), 0), extent)
    axis.shift(lower)
    axis.extent = extent


def _on_chip(tracer: FunctionTracer, axis: Axis, lower: Dim, upper: Dim, node: ast.expr) -> int:
    """A slice of a tile up to a bound known only at run time: all that is left is allocated, and a part of it valid."""
    left = subtract(axis.extent, lower)
    if not isinstance(left, int):
        tracer.fail(
            "PL203", "the extent of a slice of a tile has to be a constant", node, found=f"{subtract(upper, lower)!r}",
            expected="a constant lower bound, or bounds a constant apart", hint="t[i : i + 16] has the extent 16",
        )  # fmt: skip
    limit = axis.extent if axis.valid is None else axis.valid
    axis.valid = maximum(subtract(minimum(upper, limit), lower), 0)
    return left


def _refuse_window(tracer: FunctionTracer, axis: Axis, entry: _Slice, node: ast.expr) -> NoReturn:
    bounds = [("" if bound is None else repr(bound)) for bound in (entry.start, entry.stop)]
    tracer.fail(
        "PL206", "the slice is not inside its axis", node, found=":".join(bounds), expected=f"at most {axis.extent!r}"
    )


def _bound(
    tracer: FunctionTracer, entry: object, axis: Axis, node: ast.expr, what: str, *, is_bound: bool = True
) -> Dim:
    """An index or a bound as a dimension; a negative constant counts from the end of the axis.

    Extents are computed from bounds, so they are cast to INDEX; an index stays the integer that it is.
    """
    if isinstance(entry, bool):
        tracer.fail("PL204", f"{what} has to be an integer", node, found=describe(entry), expected="an integer")
    made = scalar(tracer, entry, node)
    if is_bound or not scalar_dtype(made).is_int:
        made = index(tracer, made, node, what)
    else:
        refuse_quotient(tracer, made, node, what)
    position = expr_dim(tracer.fit(made, BOUND_DEPTH))
    if isinstance(position, int) and position < 0:
        return add(axis.extent, position)
    return position


# Writing


def write(tracer: FunctionTracer, selection: Selection, value: object, node: ast.expr, value_node: ast.expr) -> Expr:
    """The call that puts ``value`` where the selection is: a write of an element, or an assemble."""
    if not selection.kept:
        if is_array(value):
            tracer.fail(
                "PL203", "a single element takes a scalar", value_node, found=describe(value), expected="a scalar",
                hint="slices select a part: t[i : i + 1, :]",
            )  # fmt: skip
        return call_operator(
            tracer, "write", [selection.source, selection.offsets, value], node, [node, node, value_node]
        )
    source = _source(tracer, selection, value, value_node)
    _check_shapes(tracer, selection, source, value_node)
    assert isinstance(source.type, (TileType, TensorType))
    if len(source.type.shape) != len(selection.axes):
        source = call_operator(tracer, "reshape", [source, selection.window], value_node)
        source = cast("Expr", tracer.consumed(source))
    return call_operator(
        tracer, "assemble", [selection.source, source, selection.offsets], node, [node, value_node, node]
    )


def _source(tracer: FunctionTracer, selection: Selection, value: object, node: ast.expr) -> Expr:
    """What is written into a part: a tile or a tensor; a constant fills it."""
    on_chip = isinstance(selection.type, TileType)
    if number(value) is not None and all(isinstance(extent, int) for extent in selection.window):
        spelling = "tile.full" if on_chip else "tensor.full"
        filled = call_operator(tracer, spelling, [selection.window, selection.type.dtype, value], node)
        return cast("Expr", tracer.consumed(filled))
    if not isinstance(value, Expr) or type(value.type) is not type(selection.type):
        kind = "tile" if on_chip else "tensor"
        hint = "pl.expands makes a tile of a scalar" if on_chip else None
        if isinstance(value, Expr) and isinstance(value.type, (TileType, TensorType)):
            hint = "pl.load reads the tensor into a tile" if on_chip else "pl.store writes a tile into a tensor"
        tracer.fail(
            "PL201", f"a part of a {kind} takes a {kind}", node, found=describe(value), expected=f"a {kind}", hint=hint
        )
    return value


def _check_shapes(tracer: FunctionTracer, selection: Selection, source: Expr, node: ast.expr) -> None:
    """PL203 unless the source has the shape of what is selected, with or without the dropped axes."""
    assert isinstance(source.type, (TileType, TensorType))
    for axes in (selection.kept, selection.axes):
        if _same_extents(axes, source.type):
            return
    wanted = [axis.extent for axis in selection.kept]
    tracer.fail(
        "PL203", "the value has another shape than what it is written into", node,
        found=f"[{', '.join(map(repr, source.type.shape))}]", expected=f"[{', '.join(map(repr, wanted))}]",
    )  # fmt: skip


def _same_extents(axes: Sequence[Axis], source: TileType | TensorType) -> bool:
    if len(axes) != len(source.shape):
        return False
    for axis, extent, valid in zip(axes, source.shape, source.valid_shape, strict=True):
        wanted = axis.extent if axis.valid is None else axis.valid
        if provably_different(extent, wanted) and not provably_equal(valid, wanted):
            return False
    return True
