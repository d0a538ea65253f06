"""Random programs as text: kernels, inline functions that they call, and orchestration that calls the kernels."""

from __future__ import annotations

from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from pypto_lite import ir
from pypto_lite.ir.dtypes import FP32, INDEX
from pypto_lite.testing.random_calls import RandomCalls, exists_on, groups, is_of_kernels, is_of_tensors
from pypto_lite.testing.random_functions import MOST_TRIPS, Inline, RandomFunction, Style
from pypto_lite.testing.scopes import FunctionText, Value, VisibleValues, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pypto_lite.ops import Operator
    from pypto_lite.targets import Target
    from pypto_lite.testing.choices import Choices

HEADER: Final = (
    "import pypto_lite.language as pl",
    "",
    'R = pl.dynamic("R")',
    'C = pl.dynamic("C")',
    "",
    "",
    "@pl.program",
    "class Fuzzed:",
)

WHOLE: Final = ir.TileType((16, 16), FP32)
"""The parameters of inline functions."""

EXTENTS: Final = (ir.Var("R", ir.ScalarType(INDEX)), ir.Var("C", ir.ScalarType(INDEX)))

OPEN: Final = ir.TileType((16, 16), FP32, view=ir.TileView(EXTENTS))
"""One whose valid region is that of the argument."""


class Knobs(NamedTuple):
    """What random programs can be like."""

    operators: Sequence[Operator]
    targets: Sequence[Target | None]
    size: int
    kernels: int
    explicit: bool | None


class RandomProgram:
    """Draws the text of one program."""

    def __init__(self, choices: Choices, knobs: Knobs) -> None:
        self._choices = choices
        self._knobs = knobs
        # Now and then one target alone, which may have what others lack.
        self._targets = [choices.pick(knobs.targets)] if choices.chance(6) else knobs.targets
        operators = [each for each in knobs.operators if is_of_kernels(each) and exists_on(each, self._targets)]
        self._groups = groups(operators)
        self._on_tensors = [each for each in knobs.operators if is_of_tensors(each)]
        self._numbers = count(1)

    def _fresh(self, letter: str) -> str:
        return f"{letter}{next(self._numbers)}"

    def text(self) -> str:
        explicit = self._knobs.explicit
        style = Style(self._choices.chance(2) if explicit is None else explicit, self._knobs.size)
        kernels: list[FunctionText] = []
        texts: list[list[str]] = []
        inlines: list[Inline] = []
        texts += self._choices.together(lambda: self._inline(style, inlines))
        for number in range(self._knobs.kernels):
            kernels += self._choices.together(partial(self._kernel, number, style, inlines))
        texts += [kernel.lines() for kernel in kernels]
        texts += self._choices.together(lambda: self._orchestration(kernels))
        lines = [*HEADER, *texts[0]]
        for each in texts[1:]:
            lines += ["", *each]
        return "\n".join(lines) + "\n"

    def _function(self, name: str, kind: ir.FunctionType) -> FunctionText:
        return FunctionText(name, kind, self._fresh)

    def _kernel(self, number: int, style: Style, inlines: Sequence[Inline]) -> list[FunctionText]:
        """A kernel; each but the first only sometimes."""
        if number and not self._choices.chance(4):
            return []
        kernel = self._function(f"kernel{number or ''}", ir.FunctionType.InCore)
        RandomFunction(self._choices, kernel, self._groups, self._targets, style, inlines).kernel()
        kernel.declares = style.explicit or not self._choices.chance(3)
        return [kernel]

    def _inline(self, style: Style, inlines: list[Inline]) -> list[list[str]]:
        """Sometimes an inline function."""
        if not self._choices.chance(3):
            return []
        function = self._function("helper", ir.FunctionType.Inline)
        drawing = RandomFunction(self._choices, function, self._groups, self._targets, style)
        first = OPEN if self._choices.chance(2) else WHOLE
        inlines.append(drawing.inline((first, WHOLE) if self._choices.chance(2) else (first,)))
        return [function.lines()]

    # Orchestration

    def _orchestration(self, kernels: Sequence[FunctionText]) -> list[list[str]]:
        """Calls of the kernels, some in loops and branches; every tensor is a parameter of the same name.

        One kernel needs none.
        """
        if len(kernels) == 1 and not self._choices.chance(4):
            return []
        function = self._function("main", ir.FunctionType.Orchestration)
        scope = VisibleValues()
        if self._on_tensors:
            self._choices.together(lambda: self._tensor_call(function, scope))
        for kernel in kernels:
            self._choices.together(lambda kernel=kernel: self._placed_call(function, kernel, scope))
        outputs = [name for name, each in function.params.items() if each.direction is not ir.ParamDirection.In]
        if outputs:
            function.line(f"return {', '.join(outputs)}")
        return [function.lines()]

    def _tensor_call(self, function: FunctionText, scope: VisibleValues) -> None:
        if not self._choices.chance(3):
            return
        calls = RandomCalls(self._choices, function, self._targets)
        drawn = calls.draw(self._choices.pick(self._on_tensors), scope)
        if drawn is not None:
            value = Value(ir.Var(self._fresh("v"), drawn.call.type), drawn.defined)
            function.assign(value.var.name, drawn.call)
            scope.add(value)

    def _placed_call(self, function: FunctionText, kernel: FunctionText, scope: VisibleValues) -> None:
        place = self._choices.below(4)
        if place == 1:
            var = Value(ir.Var(self._fresh("i"), ir.ScalarType(INDEX)), fixed=True)
            header = f"for {var.var.name} in pl.range({1 + self._choices.below(MOST_TRIPS)}):"
            function.nested(header, lambda: self._call(function, kernel, scope.nested(var)))
        elif place == 2:
            number = text(function.scalar(INDEX))
            header = f"if {number} > {self._choices.below(3)}:"
            function.nested(header, lambda: self._call(function, kernel, scope))
        else:
            self._call(function, kernel, scope)

    def _call(self, function: FunctionText, kernel: FunctionText, scope: VisibleValues) -> None:
        args: list[str] = []
        for name, each in kernel.params.items():
            if isinstance(each.var.type, ir.ScalarType):
                args.append(self._scalar(function, each.var.type, scope))
                continue
            written = each.direction is not ir.ParamDirection.In
            direction = ir.ParamDirection.InOut if written else ir.ParamDirection.In
            args.append(function.parameter(name, each.var.type, direction).name)
        call = f"self.{kernel.name}({', '.join(args)})"
        names = [var.name for var in kernel.returned]
        function.line(f"{', '.join(names)} = {call}" if names and not self._choices.chance(3) else call)

    def _scalar(self, function: FunctionText, type_: ir.ScalarType, scope: VisibleValues) -> str:
        own = function.scalar(type_.dtype)
        known = [value.var for value in scope.scalars(type_.dtype)]
        return self._choices.pick([own, *known]).name
