"""What a function is compiled to: a flat list of steps over numbered slots, so that nothing recurses at run time.

A step is a closure that reads and writes the slots of a frame and gives the number of the next step, or CALL or RETURN.
Constants have slots too, filled in every new frame, so that every operand is a slot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pypto_lite.diagnostics import NO_SPAN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pypto_lite import ir
    from pypto_lite.diagnostics import Span

Frame: TypeAlias = "list[Any]"
Step: TypeAlias = "Callable[[Frame], int]"

CALL: Final = -1
"""A step's answer: the machine's pending call is to be made."""

RETURN: Final = -2
"""A step's answer: the function is over, its values are the machine's ``returned``."""

MACHINE: Final = 0
"""The slot that holds the machine."""

KNOWN: Final = 1
"""The slot that holds the names that have a value so far and the slot of each, where a hook watches the run."""


class Label:
    """A place in the code that is known only once the code before it is there."""

    __slots__ = ("step",)

    def __init__(self) -> None:
        self.step = -1


class Code:
    """The steps of one function, its slots, and where each step stands in the source."""

    __slots__ = ("_constants", "_slots", "frame", "name", "operands", "params", "span", "spans", "steps")

    def __init__(self, name: str, params: Sequence[ir.Var] = ()) -> None:
        self.name = name
        self.steps: list[Step] = []
        self.spans: list[Span] = []
        self.frame: Frame = [None, None]
        """What a new frame holds: the constants."""
        self.params: tuple[int, ...] = tuple([self.new_slot() for _ in params])
        self.operands: dict[int, Mapping[str, str]] = {}
        """For the steps of calls: the names of the values that operands are."""
        self.span: Span = NO_SPAN
        """The place of the steps that come next."""
        self._slots: dict[ir.Var, int] = dict(zip(params, self.params, strict=True))
        self._constants: dict[tuple[type, str], int] = {}

    @property
    def following(self) -> int:
        """The number of the step behind the one that is about to be added."""
        return len(self.steps) + 1

    def add(self, step: Step) -> None:
        self.steps.append(step)
        self.spans.append(self.span)

    def place(self, label: Label) -> None:
        """The label stands for the step that comes next."""
        label.step = len(self.steps)

    def new_slot(self, value: Any = None) -> int:
        self.frame.append(value)
        return len(self.frame) - 1

    def slot(self, var: ir.Var) -> int:
        """The slot of a variable."""
        found = self._slots.get(var)
        if found is None:
            found = self._slots[var] = self.new_slot()
        return found

    def variables(self) -> list[tuple[ir.Var, int]]:
        """The variables with their slots, in the order of the text."""
        return [*self._slots.items()]

    def knows(self, var: ir.Var) -> bool:
        """Whether the variable got a slot so far."""
        return var in self._slots

    def constant(self, value: Any) -> int:
        """The slot of a constant; equal ones of one type share it."""
        key = (value.__class__, repr(value))
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = self.new_slot(value)
        return found

    # Steps that every construct needs

    def jump(self, label: Label) -> None:
        self.add(lambda frame: label.step)

    def jump_unless(self, condition: int, label: Label) -> None:
        following = self.following

        def step(frame: Frame) -> int:
            return following if frame[condition] else label.step

        self.add(step)

    def copy(self, sources: Sequence[int], targets: Sequence[int]) -> None:
        """Moves values all at once: a target may be another one's source."""
        following = self.following
        pairs = [(source, target) for source, target in zip(sources, targets, strict=True) if source != target]
        if not pairs:
            return
        if len(pairs) == 1:
            ((only_source, only_target),) = pairs

            def copy_one(frame: Frame) -> int:
                frame[only_target] = frame[only_source]
                return following

            self.add(copy_one)
            return

        def copy_all(frame: Frame) -> int:
            moved = [frame[source] for source, _ in pairs]
            for (_, target), value in zip(pairs, moved, strict=True):
                frame[target] = value
            return following

        self.add(copy_all)
