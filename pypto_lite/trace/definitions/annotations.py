"""Type annotations: of parameters, of results and of variables."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, TypeVar, cast

from pypto_lite.diagnostics import UserError
from pypto_lite.ir import (
    PTR,
    ArrayType,
    Call,
    CompactMode,
    Dim,
    Dims,
    DType,
    Expr,
    FunctionCall,
    MemorySpace,
    MemRef,
    PadValue,
    ParamDirection,
    ScalarType,
    Submit,
    TensorLayout,
    TensorType,
    TensorView,
    TileLayout,
    TileType,
    TileView,
    TupleType,
    Type,
    expr_dim,
    walk,
)
from pypto_lite.ir.arithmetic import scalar_dtype
from pypto_lite.ir.dtypes import BOOL, FP4, TASK_ID
from pypto_lite.trace.expressions.scalars import number, scalar
from pypto_lite.trace.expressions.values import describe, plain
from pypto_lite.trace.names.builtins import (
    ARRAY,
    DISTRIBUTED_TENSOR,
    IN,
    IN_OUT,
    MEM_REF,
    OUT,
    SCALAR,
    TENSOR,
    TENSOR_VIEW,
    TILE,
    TILE_VIEW,
    TUPLE,
    Annotation,
    AnnotationForm,
)
from pypto_lite.trace.names.builtins import (
    PTR as PTR_FORM,
)
from pypto_lite.trace.names.constants import known, why_unknown
from pypto_lite.trace.statements.frames import Annotated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pypto_lite.trace.tracer import FunctionTracer

Member = TypeVar("Member")

_EXPECTED: Final = {
    "Tensor": "pl.Tensor[[16, 128], pl.BF16]",
    "DistributedTensor": "pl.DistributedTensor[[16, 128], pl.BF16]",
    "Tile": "pl.Tile[[16, 128], pl.BF16] or pl.Tile[[16, 128], pl.BF16, pl.MemorySpace.Vec]",
    "Scalar": "pl.Scalar[pl.INDEX]",
    "Array": "pl.Array[8, pl.INT32]",
    "Tuple": "pl.Tuple[pl.Tensor[[16, 128], pl.BF16], pl.Scalar[pl.INDEX]]",
    "In": "pl.In[pl.Tensor[[16, 128], pl.BF16]]",
    "Out": "pl.Out[pl.Tensor[[16, 128], pl.BF16]]",
    "InOut": "pl.InOut[pl.Tensor[[16, 128], pl.BF16]]",
    "MemRef": 'pl.MemRef("name")',
}
_KINDS: Final = "pl.Tensor, pl.Tile, pl.Scalar, pl.Array, pl.Ptr or pl.Tuple"

_DIRECTIONS: Final = {IN: ParamDirection.In, OUT: ParamDirection.Out, IN_OUT: ParamDirection.InOut}


def read_annotation(tracer: FunctionTracer, node: ast.expr) -> Annotated:
    """What an annotation of a variable says. Raises PL111 where it is no type."""
    key = _cache_key(tracer, node)
    if key is not None:
        known = tracer.annotations.get(key)
        if known is not None:
            return Annotated(known.type, known.space, known.view, node)
    value, place = evaluate_annotation(tracer, node)
    made = _annotated(tracer, value, place)
    if key is not None and not made.type.symbolic:
        tracer.annotations[key] = made
    return made


def _cache_key(tracer: FunctionTracer, node: ast.expr) -> str | None:
    """The text of an annotation. Printed programs annotate every statement, with few different types."""
    if tracer.statics or node.end_lineno != node.lineno or node.end_col_offset is None:
        return None
    line = tracer.file.source.line(node.lineno)
    return line[node.col_offset : node.end_col_offset] if line is not None and line.isascii() else None


def read_parameter(tracer: FunctionTracer, node: ast.expr) -> tuple[Type, ParamDirection | None]:
    """The type and the direction of a parameter; None where the annotation says none."""
    value, place = evaluate_annotation(tracer, node)
    direction = _DIRECTIONS.get(value.form) if isinstance(value, Annotation) else None
    if direction is None:
        return _type(tracer, value, place), None
    assert isinstance(value, Annotation)
    (inner,), (inner_place,) = _exactly(tracer, value, place, 1)
    type_ = _type(tracer, inner, inner_place)
    if direction is not ParamDirection.In and not isinstance(type_, (TensorType, TileType, ArrayType)):
        tracer.fail(
            "PL111", f"{value.form!r} is for parameters that are written", inner_place, found=repr(type_),
            expected="a tensor", hint="return the value instead",
        )  # fmt: skip
    return type_, direction


def read_results(tracer: FunctionTracer, node: ast.expr) -> tuple[Type, ...]:
    """The types of a function's results. ``None`` is none, a tuple of types several."""
    value, place = evaluate_annotation(tracer, node)
    if value is None:
        return ()
    if isinstance(value, tuple) and not isinstance(value, Annotation):
        members = cast("tuple[object, ...]", value)
        return tuple([_type(tracer, each, at) for each, at in zip(members, _places(place, len(members)), strict=True)])
    if isinstance(value, Annotation) and value.form in _DIRECTIONS:
        tracer.fail("PL111", f"{value.form!r} is for parameters", node, expected="the type alone")
    type_ = _type(tracer, value, place)
    return type_.types if isinstance(type_, TupleType) else (type_,)


def evaluate_annotation(tracer: FunctionTracer, node: ast.expr) -> tuple[object, ast.expr]:
    """What stands in an annotation, and where; a string is read as the expression in it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            inner = ast.parse(node.value.strip(), mode="eval").body
        except SyntaxError as error:
            tracer.fail("PL111", f"the annotation is no Python: {error.msg}", node)
        for part in ast.walk(inner):
            ast.copy_location(part, node)
        node = inner
    if isinstance(node, ast.Subscript):
        form = tracer.evaluate(node.value)
        if form is tuple or getattr(form, "__name__", None) == "Tuple":  # tuple[...], typing.Tuple[...]
            return _items(tracer, node), node
        if isinstance(form, AnnotationForm):
            return Annotation(form, _items(tracer, node), {}), node
    try:
        return tracer.evaluate(node), node
    except UserError as error:
        raise error.located(tracer.span(node)) from None


def _items(tracer: FunctionTracer, node: ast.Subscript) -> tuple[object, ...]:
    elements = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return tuple([evaluate_annotation(tracer, each)[0] for each in elements])


def _places(node: ast.expr, count: int) -> list[ast.expr]:
    """Where the arguments of an annotation stand; all at the annotation where it was made elsewhere."""
    places: list[ast.expr] = []
    if isinstance(node, ast.Subscript):
        places = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
    elif isinstance(node, ast.Call):
        places = list(node.args)
    elif isinstance(node, (ast.Tuple, ast.List)):
        places = list(node.elts)
    return places if len(places) == count else [node] * count


def _exactly(
    tracer: FunctionTracer, value: Annotation, node: ast.expr, count: int
) -> tuple[tuple[object, ...], list[ast.expr]]:
    if len(value.arguments) != count:
        tracer.fail(
            "PL111", f"{value.form!r} takes {count} argument{'s' * (count > 1)}", node,
            found=str(len(value.arguments)), expected=_EXPECTED[value.form.name],
        )  # fmt: skip
    return value.arguments, _places(node, count)


def _type(tracer: FunctionTracer, value: object, node: ast.expr) -> Type:
    return _annotated(tracer, value, node).type


def _annotated(tracer: FunctionTracer, value: object, node: ast.expr) -> Annotated:
    if isinstance(value, Type):
        return Annotated(value, None, None, node)
    if value is PTR_FORM:
        return Annotated(PTR, None, None, node)
    if isinstance(value, AnnotationForm):
        tracer.fail("PL111", f"{value!r} is not complete", node, expected=_EXPECTED.get(value.name))
    reader = _READERS.get(value.form) if isinstance(value, Annotation) else None
    if reader is None:
        scalars = {int: "pl.Scalar[pl.INDEX]", float: "pl.Scalar[pl.FP32]", bool: "pl.Scalar[pl.BOOL]"}
        hint = scalars.get(value) if isinstance(value, type) else None
        tracer.fail(
            "PL111", "this is no type of a kernel's value", node, found=describe(value), expected=_KINDS,
            hint=f"write {hint}" if hint else None,
        )  # fmt: skip
    return reader(tracer, cast("Annotation", value), node)


# The forms


def _tensor(tracer: FunctionTracer, value: Annotation, node: ast.expr) -> Annotated:
    shape, dtype, rest = _shaped(tracer, value, node)
    view: TensorView | None = None
    for each, place in rest:
        if isinstance(each, TensorLayout) and view is None:
            view = TensorView((), (), each)
        elif isinstance(each, Annotation) and each.form is TENSOR_VIEW and view is None:
            view = _tensor_view(tracer, each, place)
        else:
            tracer.fail(
                "PL111",
                "this is no part of a tensor's type",
                place,
                found=describe(each),
                expected="a pl.TensorLayout or a pl.TensorView(...)",
                hint="a tensor lives in global memory; a tile has a memory space"
                if isinstance(each, MemorySpace)
                else None,
            )
    return Annotated(TensorType(shape, dtype, view, value.form is DISTRIBUTED_TENSOR), None, None, node)


def _tile(tracer: FunctionTracer, value: Annotation, node: ast.expr) -> Annotated:
    shape, dtype, rest = _shaped(tracer, value, node)
    space: MemorySpace | None = None
    view: TileView | None = None
    memref: MemRef | None = None
    for each, place in rest:
        if isinstance(each, MemorySpace) and space is None:
            space = each
        elif isinstance(each, Annotation) and each.form is TILE_VIEW and view is None:
            view = _tile_view(tracer, each, place)
        elif isinstance(each, Annotation) and each.form is MEM_REF and memref is None:
            memref = _memref(tracer, each, place)
        else:
            tracer.fail(
                "PL111", "this is no part of a tile's type, or is given twice", place, found=describe(each),
                expected="a pl.MemorySpace, a pl.TileView(...) or a pl.MemRef(...)",
            )  # fmt: skip
    return Annotated(TileType(shape, dtype, space, view, memref), space, view, node)


def _shaped(
    tracer: FunctionTracer, value: Annotation, node: ast.expr
) -> tuple[Dims, DType, list[tuple[object, ast.expr]]]:
    """The shape and the element type, and what is given besides."""
    arguments = value.arguments
    places = _places(node, len(arguments))
    if len(arguments) < 2:
        tracer.fail(
            "PL111", f"{value.form!r} takes a shape and an element type", node, expected=_EXPECTED[value.form.name]
        )
    shape = dimensions(tracer, arguments[0], places[0], "a shape", least=1)
    dtype = _dtype(tracer, arguments[1], places[1])
    if dtype is TASK_ID:
        tracer.fail("PL111", "there are no arrays of tasks in memory", places[1], hint="pl.Array[n, pl.TASK_ID]")
    last = shape[-1] if shape else None
    if dtype is FP4 and (not isinstance(last, int) or last % 2):
        tracer.fail("PL203", "the last extent of an FP4 array has to be even and constant", places[0], found=repr(last))
    return shape, dtype, list(zip(arguments[2:], places[2:], strict=True))


def dimensions(tracer: FunctionTracer, value: object, node: ast.expr, what: str, *, least: int | None = None) -> Dims:
    """Ints, symbolic dimensions and scalars. Raises PL111 for no list, PL203 for an extent below ``least``."""
    if not isinstance(value, (list, tuple)):
        tracer.fail("PL111", f"{what} has to be a list", node, found=describe(value), expected="such as [16, 128]")
    elements = cast("Sequence[object]", value)
    found: list[Dim] = []
    for each, place in zip(elements, _places(node, len(elements)), strict=True):
        found.append(dimension(tracer, plain(each), place, what, least=least))
    return tuple(found)


def dimension(tracer: FunctionTracer, value: object, node: ast.expr, what: str, *, least: int | None = None) -> Dim:
    """One extent or offset."""
    constant = number(value)
    if constant is None and not isinstance(value, Expr):
        tracer.fail("PL111", f"an element of {what} is no number", node, found=describe(value), expected="an integer")
    if isinstance(constant, (bool, float)):
        tracer.fail("PL111", f"an element of {what} is no integer", node, found=describe(value), expected="an integer")
    made = scalar(tracer, value, node)
    if any(isinstance(part, (Call, FunctionCall, Submit)) for part in walk(made)):
        tracer.fail("PL111", "a type can't hold a call", node, hint="bind its value to a name")
    if not scalar_dtype(made).is_int:
        tracer.fail("PL111", f"an element of {what} is no integer", node, found=describe(value), expected="an integer")
    extent = expr_dim(made)
    if isinstance(extent, int) and least is not None and extent < least:
        tracer.fail("PL203", f"an extent has to be at least {least}", node, found=str(extent))
    return extent


def _dtype(tracer: FunctionTracer, value: object, node: ast.expr) -> DType:
    if not isinstance(value, DType):
        tracer.fail(
            "PL111", "this is no element type", node, found=describe(value), expected="an element type such as pl.FP32"
        )
    return value


def _scalar(tracer: FunctionTracer, value: Annotation, node: ast.expr) -> Annotated:
    (dtype,), (place,) = _exactly(tracer, value, node, 1)
    return Annotated(ScalarType(_dtype(tracer, dtype, place)), None, None, node)


def _array(tracer: FunctionTracer, value: Annotation, node: ast.expr) -> Annotated:
    (extent, dtype), places = _exactly(tracer, value, node, 2)
    found = dimension(tracer, known(tracer, plain(extent)), places[0], "the extent of an array", least=1)
    if not isinstance(found, int):
        tracer.fail(
            "PL111", "the extent of an array has to be a constant", places[0], found=describe(extent),
            notes=why_unknown(tracer, extent),
        )  # fmt: skip
    element = _dtype(tracer, dtype, places[1])
    if not element.is_int and element not in (BOOL, TASK_ID):
        tracer.fail(
            "PL111", "an array can't hold this element type", places[1], found=repr(element), expected="integers"
        )
    return Annotated(ArrayType(found, element), None, None, node)


def _tuple(tracer: FunctionTracer, value: Annotation, node: ast.expr) -> Annotated:
    places = _places(node, len(value.arguments))
    members = [_type(tracer, each, place) for each, place in zip(value.arguments, places, strict=True)]
    return Annotated(TupleType(members), None, None, node)


def _direction(tracer: FunctionTracer, value: Annotation, node: ast.expr) -> Annotated:
    tracer.fail("PL111", f"{value.form!r} is for the type of a parameter as a whole", node)


_READERS: Final[Mapping[AnnotationForm, Callable[[FunctionTracer, Annotation, ast.expr], Annotated]]] = {
    TENSOR: _tensor,
    DISTRIBUTED_TENSOR: _tensor,
    TILE: _tile,
    SCALAR: _scalar,
    ARRAY: _array,
    TUPLE: _tuple,
    IN: _direction,
    OUT: _direction,
    IN_OUT: _direction,
}


# Views


class _Fields:
    """The arguments of ``pl.TileView(...)`` and ``pl.TensorView(...)`` by name, each checked as it is taken."""

    def __init__(self, tracer: FunctionTracer, value: Annotation, node: ast.expr, names: Sequence[str]) -> None:
        self._tracer = tracer
        self._node = node
        places = _places(node, len(value.arguments))
        if len(value.arguments) > len(names):
            tracer.fail(
                "PL111", f"{value.form!r} takes at most {len(names)} arguments", node, expected=", ".join(names)
            )
        self._values = dict(zip(names, zip(value.arguments, places, strict=True), strict=False))
        given = {keyword.arg: keyword.value for keyword in node.keywords} if isinstance(node, ast.Call) else {}
        for name, each in value.keywords.items():
            if name not in names:
                tracer.fail(
                    "PL111", f"{value.form!r} has no field {name!r}", given.get(name, node), expected=", ".join(names)
                )
            self._values[name] = (each, given.get(name, node))

    def dims(self, name: str) -> Dims:
        value, node = self._values.get(name, ((), self._node))
        return () if value is None else dimensions(self._tracer, value, node, name)

    def dim(self, name: str) -> Dim | None:
        value, node = self._values.get(name, (None, self._node))
        return None if value is None else dimension(self._tracer, plain(value), node, name)

    def member(self, name: str, default: Member) -> Member:
        value, node = self._values.get(name, (default, self._node))
        if type(value) is not type(default):
            expected = f"a {type(default).__name__}"
            self._tracer.fail(
                "PL111", f"{name} has a value of the wrong kind", node, found=describe(value), expected=expected
            )
        return value  # pyright: ignore[reportReturnType]  # of the type of the default, as was just seen


def _tile_view(tracer: FunctionTracer, value: Annotation, node: ast.expr) -> TileView:
    names = ("valid_shape", "blayout", "slayout", "fractal", "pad", "compact", "stride", "start_offset")
    fields = _Fields(tracer, value, node, names)
    return TileView(
        fields.dims("valid_shape"),
        fields.member("blayout", TileLayout.row_major),
        fields.member("slayout", TileLayout.none_box),
        fields.member("fractal", 512),
        fields.member("pad", PadValue.null),
        fields.member("compact", CompactMode.null),
        fields.dims("stride"),
        fields.dim("start_offset"),
    )


def _tensor_view(tracer: FunctionTracer, value: Annotation, node: ast.expr) -> TensorView:
    fields = _Fields(tracer, value, node, ("valid_shape", "stride", "layout", "pad"))
    return TensorView(
        fields.dims("valid_shape"),
        fields.dims("stride"),
        fields.member("layout", TensorLayout.ND),
        fields.member("pad", PadValue.null),
    )


def _memref(tracer: FunctionTracer, value: Annotation, node: ast.expr) -> MemRef:
    (name,), (place,) = _exactly(tracer, value, node, 1)
    if not isinstance(name, str):
        tracer.fail("PL111", "the name of an allocation is a string", place, found=describe(name))
    return MemRef(name)
