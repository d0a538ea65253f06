"""The objects that the names of the ``pl`` namespace stand for.

Python sees them when it runs a module that holds kernels: it evaluates annotations and decorators, and nothing may
fail or compute anything there. Tracing sees the same objects when it resolves a name in a kernel, however the
kernel's author imported or renamed it, and goes by what they are:

==================  ==============================================================================================
OperatorName        ``pl.load``, ``pl.tile.load``: what ``ops.by_spelling`` knows
Namespace           ``pl.tile``, ``pl.tensor``, ``pl.array``, ``pl.system``
Construct           ``pl.range``, ``pl.yield_``, ``pl.at``, ``pl.const``, ...: one object each, compared with ``is``
AnnotationForm      ``pl.Tensor``, ``pl.Out``, ``pl.MemRef``, ...; with brackets or arguments it is an Annotation
DynVar              ``pl.dynamic("M")``; arithmetic on it is a DynExpression
Decorator           ``pl.program``, ``pl.function``, ``pl.inline``
anything else       plain values: dtypes, members of enumerations, numbers
==================  ==============================================================================================
"""

from __future__ import annotations

import keyword
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, TypeAlias, cast

from pypto_lite.diagnostics import Diagnostic, UserError, did_you_mean
from pypto_lite.ir import ScalarType, Var
from pypto_lite.ir.dtypes import INDEX
from pypto_lite.trace.names.unsupported import not_supported
from pypto_lite.trace.source.caller import user_span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from types import FunctionType as PythonFunction

    from pypto_lite.diagnostics import Span


def outside_kernel(name: str) -> UserError:
    """The error for calling, where Python itself runs the code, what has a meaning in a kernel only."""
    return UserError(
        Diagnostic(
            "PL120",
            f"{name} was called outside a kernel",
            user_span(),
            expected="a function under @pl.function or @pl.inline around the call",
            hint="Python does not run the code of kernels; it makes programs of them, which can be printed and lowered",
        )
    )


class UnknownNameError(UserError, AttributeError):
    """A name that a namespace does not have; also an AttributeError, so that ``hasattr`` works."""


def unknown_name(namespace: str, name: str, members: Mapping[str, object]) -> UnknownNameError:
    """The error for ``namespace.name`` where there is no such name; a namespace is ``pl`` or, say, ``pl.tile``."""
    return UnknownNameError(missing_name(f"{namespace}.{name}".removeprefix("pl."), namespace, members, user_span()))


def missing_name(spelling: str, owner: str, members: Mapping[str, object], span: Span) -> Diagnostic:
    """What is to be said of ``pl.<spelling>``, whose last part is no name among the ``members`` of its owner."""
    name = spelling.rpartition(".")[2]
    unsupported = not_supported(spelling, span)
    if unsupported is not None:
        return unsupported
    return Diagnostic("PL107", f"{owner} has no name {name!r}", span, hint=similar_names(name, members))


def similar_names(name: str, members: Mapping[str, object]) -> str | None:
    """A hint what a name was meant to be: one of the members, or a member of a namespace among them."""
    inner: dict[str, str] = {}
    for namespace in members.values():
        if isinstance(namespace, Namespace):
            for each in dir(namespace):
                if each not in members:
                    inner.setdefault(each, f"pl.{namespace.name}.{each}")
    return did_you_mean(name, (name,) if name in inner else (*members, *inner), inner)


class OperatorName:
    """An operator as the user spells it, such as ``load`` or ``tile.load``; several operators may share it."""

    def __init__(self, spelling: str) -> None:
        self.spelling = spelling

    def __call__(self, *args: Any, **keywords: Any) -> NoReturn:
        raise outside_kernel(repr(self))

    def __repr__(self) -> str:
        return f"pl.{self.spelling}"

    def __reduce__(self) -> tuple[type, tuple[str]]:
        return type(self), (self.spelling,)


class Namespace:
    """A group of operator names, such as ``pl.tile``, and what else belongs to it."""

    def __init__(self, name: str, members: Mapping[str, object]) -> None:
        self._name = name
        self._members = dict(members)

    @property
    def name(self) -> str:
        """``tile`` for ``pl.tile``."""
        return self._name

    def find(self, name: str) -> object | None:
        """The member of this name, or None."""
        return self._members.get(name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # what copying, pickling and notebooks probe for, some of it on an empty object
            raise AttributeError(name)
        member = self._members.get(name)
        if member is None:
            raise unknown_name(f"pl.{self._name}", name, self._members)
        return member

    def __dir__(self) -> Iterator[str]:
        return iter(self._members)

    def __repr__(self) -> str:
        return f"pl.{self._name}"


def operator_names(
    operators: Iterable[OperatorName], more: Mapping[str, Mapping[str, object]]
) -> dict[str, OperatorName | Namespace]:
    """The operators by the name after ``pl.``; those whose spelling is dotted are members of namespaces.

    ``more`` are further members of namespaces, by namespace and name.
    """
    names: dict[str, OperatorName | Namespace] = {}
    grouped: dict[str, dict[str, object]] = {namespace: dict(members) for namespace, members in more.items()}
    for operator in operators:
        namespace, _, name = operator.spelling.rpartition(".")
        if namespace:
            grouped.setdefault(namespace, {})[name] = operator
        else:
            names[name] = operator
    return {**names, **{name: Namespace(name, members) for name, members in grouped.items()}}


class Construct:
    """Something that tracing itself gives a meaning to: a loop, a scope, a yield. There is one object for each."""

    def __init__(self, name: str, documentation: str) -> None:
        self.name = name
        self.__doc__ = documentation

    def __call__(self, *args: Any, **keywords: Any) -> NoReturn:
        raise outside_kernel(repr(self))

    def __repr__(self) -> str:
        return f"pl.{self.name}"

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return named, (self.name,)  # copies and pickles as the one object


# Loops
RANGE: Final = Construct("range", "for i in pl.range([start,] stop[, step], init_values=(...)): a sequential loop.")
PARALLEL: Final = Construct("parallel", "A loop like pl.range whose iterations may run at the same time.")
PIPELINE: Final = Construct("pipeline", "A loop like pl.range whose iterations overlap in ``stage`` stages.")
UNROLL: Final = Construct("unroll", "A loop like pl.range with constant bounds that is replaced by its iterations.")
WHILE: Final = Construct("while_", "for x, y in pl.while_(init_values=(...)): a loop while pl.cond(...) holds.")
COND: Final = Construct("cond", "pl.cond(condition): first statement of a pl.while_ body.")
YIELD: Final = Construct("yield_", "pl.yield_(value, ...): the values that a loop body or a branch passes on.")
# Scalars
CONST: Final = Construct("const", "pl.const(value, dtype): a scalar constant of an element type.")
MIN: Final = Construct("min", "pl.min(a, b): the smaller of two scalars.")
MAX: Final = Construct("max", "pl.max(a, b): the larger of two scalars.")
# While tracing
STATIC_PRINT: Final = Construct("static_print", "pl.static_print(...): prints values and types while tracing.")
STATIC_ASSERT: Final = Construct("static_assert", "pl.static_assert(condition[, message]): checked while tracing.")
# Scopes and tasks
AT: Final = Construct("at", "with pl.at(level=..., role=...): where the block runs.")
SPMD: Final = Construct("spmd", "with pl.spmd(n), for i in pl.spmd(n): the block runs n times, in parallel.")
CLUSTER: Final = Construct("cluster", "with pl.cluster(): the block runs on one cluster.")
SCOPE: Final = Construct("scope", "with pl.scope(mode=...): a scope of the runtime.")
MANUAL_SCOPE: Final = Construct("manual_scope", "with pl.manual_scope(): a scope whose dependencies are written out.")
SUBMIT: Final = Construct("submit", "pl.submit(self.function, ..., deps=[...]): an asynchronous call.")

CONSTRUCTS: Final[Mapping[str, Construct]] = {
    construct.name: construct
    for construct in (
        RANGE, PARALLEL, PIPELINE, UNROLL, WHILE, COND, YIELD, CONST, MIN, MAX, STATIC_PRINT, STATIC_ASSERT,
        AT, SPMD, CLUSTER, SCOPE, MANUAL_SCOPE, SUBMIT,
    )
}  # fmt: skip
"""Every construct by its name after ``pl.``."""


class AnnotationForm:
    """What an annotation is made of: ``pl.Tensor`` in ``pl.Tensor[[16, 128], pl.BF16]``, ``pl.MemRef`` in
    ``pl.MemRef("name")``. Brackets or arguments make an Annotation, without looking at them."""

    def __init__(self, name: str, documentation: str, *, called: bool = False) -> None:
        self.name = name
        self.called = called
        """Whether it takes arguments in parentheses rather than brackets."""
        self.__doc__ = documentation

    def __getitem__(self, items: Any) -> Annotation:
        return Annotation(self, cast("tuple[Any, ...]", items) if isinstance(items, tuple) else (items,), {})

    def __call__(self, *args: Any, **keywords: Any) -> Annotation:
        if not self.called:
            raise UserError(
                Diagnostic(
                    "PL111",
                    f"pl.{self.name} was called",
                    user_span(),
                    expected=f"brackets: pl.{self.name}[...]",
                    hint="it is a type for annotations; pl.create_tensor and pl.create_tile make values",
                )
            )
        return Annotation(self, args, keywords)

    def __repr__(self) -> str:
        return f"pl.{self.name}"

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return named, (self.name,)  # copies and pickles as the one object


class Annotation:
    """An annotation form with what its brackets or parentheses hold, unchecked: tracing makes a type of it."""

    __slots__ = ("arguments", "form", "keywords")

    def __init__(self, form: AnnotationForm, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> None:
        self.form = form
        self.arguments = arguments
        self.keywords = keywords

    def __repr__(self) -> str:
        parts = [*map(repr, self.arguments), *(f"{name}={value!r}" for name, value in self.keywords.items())]
        opening, closing = "()" if self.form.called else "[]"
        return f"{self.form!r}{opening}{', '.join(parts)}{closing}"


TENSOR: Final = AnnotationForm("Tensor", "pl.Tensor[[rows, columns], dtype]: an array in global memory.")
DISTRIBUTED_TENSOR: Final = AnnotationForm(
    "DistributedTensor", "pl.DistributedTensor[[rows, columns], dtype]: a window into the memory of several devices."
)
TILE: Final = AnnotationForm("Tile", "pl.Tile[[rows, columns], dtype, space]: an array in an on-chip buffer.")
SCALAR: Final = AnnotationForm("Scalar", "pl.Scalar[dtype]: one value.")
ARRAY: Final = AnnotationForm("Array", "pl.Array[extent, dtype]: a small array of scalars on the core.")
TUPLE: Final = AnnotationForm("Tuple", "pl.Tuple[type, ...]: several values.")
PTR: Final = AnnotationForm("Ptr", "pl.Ptr: a raw allocation.")
IN: Final = AnnotationForm("In", "pl.In[type]: a parameter that the function only reads.")
OUT: Final = AnnotationForm("Out", "pl.Out[type]: a parameter that the function writes.")
IN_OUT: Final = AnnotationForm("InOut", "pl.InOut[type]: a parameter that the function reads and writes.")
MEM_REF: Final = AnnotationForm("MemRef", 'pl.MemRef("name"): a declared allocation.', called=True)
TENSOR_VIEW: Final = AnnotationForm(
    "TensorView", "pl.TensorView(valid_shape=, stride=, layout=, pad=): how a tensor lies in memory.", called=True
)
TILE_VIEW: Final = AnnotationForm(
    "TileView",
    "pl.TileView(valid_shape=, blayout=, slayout=, fractal=, pad=, compact=, stride=, start_offset=): "
    "how a tile lies in its buffer.",
    called=True,
)

ANNOTATION_FORMS: Final[Mapping[str, AnnotationForm]] = {
    form.name: form
    for form in (
        TENSOR, DISTRIBUTED_TENSOR, TILE, SCALAR, ARRAY, TUPLE, PTR, IN, OUT, IN_OUT, MEM_REF, TENSOR_VIEW, TILE_VIEW,
    )
}  # fmt: skip
"""Every annotation form by its name after ``pl.``."""


def named(name: str) -> Construct | AnnotationForm:
    """The construct or annotation form of this name."""
    return CONSTRUCTS[name] if name in CONSTRUCTS else ANNOTATION_FORMS[name]


class Dimension:
    """The base of what can stand for an extent that is not known until the kernel runs."""

    __slots__ = ()

    def __add__(self, other: DimensionLike) -> DynExpression:
        return DynExpression("+", self, other)

    def __radd__(self, other: int) -> DynExpression:
        return DynExpression("+", other, self)

    def __sub__(self, other: DimensionLike) -> DynExpression:
        return DynExpression("-", self, other)

    def __rsub__(self, other: int) -> DynExpression:
        return DynExpression("-", other, self)

    def __mul__(self, other: DimensionLike) -> DynExpression:
        return DynExpression("*", self, other)

    def __rmul__(self, other: int) -> DynExpression:
        return DynExpression("*", other, self)

    def __floordiv__(self, other: DimensionLike) -> DynExpression:
        return DynExpression("//", self, other)

    def __rfloordiv__(self, other: int) -> DynExpression:
        return DynExpression("//", other, self)

    def __mod__(self, other: DimensionLike) -> DynExpression:
        return DynExpression("%", self, other)

    def __rmod__(self, other: int) -> DynExpression:
        return DynExpression("%", other, self)


DimensionLike: TypeAlias = "int | Dimension"


class DynVar(Dimension):
    """A symbolic dimension, made by ``pl.dynamic("M")``. One object is one dimension throughout a program."""

    __slots__ = ("name", "var")

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise UserError(
                Diagnostic(
                    "PL111",
                    "the name of a symbolic dimension is no identifier",
                    user_span(),
                    found=repr(name),
                    expected='a name such as "M"',
                )
            )
        self.name = name
        self.var = Var(name, ScalarType(INDEX))
        """What stands for it in the IR of every function that mentions it."""

    def __repr__(self) -> str:
        return self.name


class DynExpression(Dimension):
    """Arithmetic on symbolic dimensions that Python evaluated, such as ``M // 2`` in an annotation."""

    __slots__ = ("lhs", "operator", "rhs")

    def __init__(self, operator: Literal["+", "-", "*", "//", "%"], lhs: DimensionLike, rhs: DimensionLike) -> None:
        self.operator = operator
        self.lhs = lhs
        self.rhs = rhs

    def __repr__(self) -> str:
        return f"({self.lhs!r} {self.operator} {self.rhs!r})"


def dynamic(name: str) -> DynVar:
    """A symbolic dimension of tensors: ``M = pl.dynamic("M")``, then ``pl.Tensor[[M, 128], pl.BF16]``."""
    return DynVar(name)


class Deferred:
    """A decorated function in a class body, before ``@pl.program`` reads the class."""

    __slots__ = ("function", "kind")

    def __init__(self, kind: Literal["function", "inline"], function: PythonFunction) -> None:
        self.kind: Literal["function", "inline"] = kind
        self.function = function
        """The undecorated Python function: its code says where its source is, its closure what its names mean."""

    def __call__(self, *args: Any, **keywords: Any) -> NoReturn:
        raise outside_kernel(self.function.__name__)

    def __repr__(self) -> str:
        return f"<@pl.{self.kind} {self.function.__qualname__}>"


class Decorator:
    """``pl.program``, ``pl.function`` or ``pl.inline``: tracing recognises it by ``kind``, Python calls it.

    Called with keywords it is the same decorator with these ``options``, which may have a name of its own:
    ``incore = pl.function(type=pl.FunctionType.InCore)``. Tracing reads them from there or from the source.
    """

    def __init__(
        self,
        kind: Literal["program", "function", "inline"],
        action: Callable[[object], Any],
        documentation: str | None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.kind: Literal["program", "function", "inline"] = kind
        self.options: Mapping[str, Any] = options or {}
        self._action = action
        self.__doc__ = documentation

    def __call__(self, *decorated: Any, **options: Any) -> Any:
        if not decorated:
            return Decorator(self.kind, self._action, self.__doc__, {**self.options, **options})
        try:
            return self._action(*decorated)
        except UserError as error:
            # What is wrong is wrong in the user's code: how we found out is nothing to show.
            raise error.with_traceback(None) from None

    def __repr__(self) -> str:
        return f"pl.{self.kind}"


class MaskPattern:
    """Which elements of each group ``gather_mask`` and ``scatter_mask`` take, as the codes of the instruction."""

    P0101 = 1
    P1010 = 2
    P0001 = 3
    P0010 = 4
    P0100 = 5
    P1000 = 6
    P1111 = 7


AUTO: Final = -1
"""The ``base`` of ``pl.reserve_buffer`` that leaves the address to the compiler."""
