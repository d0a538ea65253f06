"""The text of a random function while it is drawn, and the values that can be used at each place of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pypto_lite import ir, printer
from pypto_lite.ir.dtypes import FP32, INDEX
from pypto_lite.testing.signatures import TENSOR_SHAPE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pypto_lite.ir import DType
    from pypto_lite.ops import Operator

INDENT: Final = "    "


class Value(NamedTuple):
    """A name that is known, and whether all its elements have a value; a ``fixed`` one is not bound again."""

    var: ir.Var
    defined: bool = True
    fixed: bool = False

    @property
    def type(self) -> ir.Type:
        return self.var.type


class Drawn(NamedTuple):
    """A call, and what is known of its result."""

    operator: Operator
    call: ir.Call
    defined: bool


class VisibleValues:
    """The values that are known at one place and the calls made up to it, the latest first; a nested scope forgets its
    own at its end."""

    def __init__(self, values: tuple[Value, ...] = (), calls: Sequence[Drawn] = (), *, in_loop: bool = False) -> None:
        self._values = list(values)
        self.calls = list(calls)
        self.in_loop = in_loop
        """Whether ``break`` and ``continue`` can stand here."""

    def nested(self, *more: Value, in_loop: bool | None = None) -> VisibleValues:
        inner = VisibleValues(tuple(self._values), self.calls, in_loop=self.in_loop if in_loop is None else in_loop)
        for value in more:
            inner.add(value)
        return inner

    def add(self, value: Value) -> None:
        self._values.insert(0, value)

    def forget(self, value: Value) -> None:
        self._values = [each for each in self._values if each.var is not value.var]

    def __iter__(self) -> Iterator[Value]:
        return iter(self._values)

    def of(self, *kinds: type[ir.Type]) -> list[Value]:
        """The values of these classes of types."""
        return [value for value in self._values if isinstance(value.type, kinds)]

    def scalars(self, dtype: DType) -> list[Value]:
        """The defined scalars of an element type."""
        return [
            value
            for value in self._values
            if isinstance(value.type, ir.ScalarType) and value.type.dtype is dtype and value.defined
        ]


class Parameter(NamedTuple):
    var: ir.Var
    direction: ir.ParamDirection


_WRAPPED: Final = {
    ir.ParamDirection.In: "{}",
    ir.ParamDirection.Out: "pl.Out[{}]",
    ir.ParamDirection.InOut: "pl.InOut[{}]",
}


class FunctionText:
    """The lines of one function. Its parameters come into being when they are first asked for."""

    def __init__(self, name: str, kind: ir.FunctionType, fresh: Callable[[str], str]) -> None:
        self.name = name
        self.kind = kind
        self.params: dict[str, Parameter] = {}
        self.returned: list[ir.Var] = []
        self.fresh = fresh
        """A name of the program that is not used yet."""
        self.declares = True
        """Whether the annotations of its parameters say which are written."""
        self._lines: list[str] = []
        self._depth = 2

    def line(self, text: str) -> None:
        self._lines += [INDENT * self._depth + line for line in text.split("\n")]

    def assign(self, name: str, value: ir.Expr) -> None:
        self.line(f"{name} = {text(value)}")

    def nested(self, header: str, body: Callable[[], None]) -> None:
        """A statement with a block; one that stays empty gets a ``pass``."""
        self.line(header)
        self._depth += 1
        before = len(self._lines)
        body()
        if len(self._lines) == before:
            self.line("pass")
        self._depth -= 1

    def tensor(self, dtype: DType, *, written: bool = False, direction: ir.ParamDirection | None = None) -> ir.Var:
        """The parameter that tiles of an element type are loaded from, or written to."""
        name = f"{'out' if written else 'x'}_{dtype.name.lower()}"
        default = ir.ParamDirection.InOut if written else ir.ParamDirection.In
        return self.parameter(name, ir.TensorType(TENSOR_SHAPE, dtype), direction or default)

    def scalar(self, dtype: DType) -> ir.Var:
        """The scalar parameter of this element type."""
        name = {INDEX: "n", FP32: "f"}.get(dtype, f"s_{dtype.name.lower()}")
        return self.parameter(name, ir.ScalarType(dtype), ir.ParamDirection.In)

    def parameter(self, name: str, type_: ir.Type, direction: ir.ParamDirection) -> ir.Var:
        found = self.params.get(name)
        if found is None:
            found = self.params[name] = Parameter(ir.Var(name, type_), direction)
        return found.var

    def _wrapper(self, param: Parameter) -> str:
        return _WRAPPED[param.direction] if self.declares else "{}"

    def lines(self) -> list[str]:
        """The whole function as members of a class."""
        params = [
            f"{INDENT * 2}{name}: {self._wrapper(each).format(text(each.var.type))},"
            for name, each in self.params.items()
        ]
        return [
            f"{INDENT}@pl.function(type=pl.FunctionType.{self.kind.name})",
            f"{INDENT}def {self.name}(",
            f"{INDENT * 2}self,",
            *params,
            f"{INDENT}):",
            *(self._lines or [f"{INDENT * 2}pass"]),
        ]


def text(node: ir.Expr | ir.Type) -> str:
    """An expression or a type as it stands in a kernel."""
    return printer.python_print(node).rstrip("\n")
