"""The loop that runs compiled code, with a stack of its own for the functions that call each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pypto_lite.diagnostics import UserError
from pypto_lite.interp.code import CALL, MACHINE, RETURN, Code, Frame
from pypto_lite.interp.errors import called_from, located
from pypto_lite.ops.framework.meaning import Block

if TYPE_CHECKING:
    from collections.abc import Sequence


class Machine:
    """The state of one run."""

    __slots__ = ("block", "pending", "returned", "tasks")

    def __init__(self) -> None:
        self.pending: tuple[Code, Sequence[Any], int, int] | None = None
        """The call that a step asks for: code, arguments, the slot for the outcome, the step after it."""
        self.returned: tuple[Any, ...] = ()
        self.block = Block(0, 1)
        """The running block of ``pl.spmd``."""
        self.tasks = 0
        """How many tasks were submitted."""

    def run(self, code: Code, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """What the function returns. An error that has no place yet is at the step that raised it."""
        frame = new_frame(code, arguments, self)
        steps = code.steps
        callers: list[tuple[Code, Frame, int, int]] = []
        at = step = 0
        while True:
            try:
                while at >= 0:
                    step = at
                    at = steps[at](frame)
            except UserError as error:
                found = located(error, code, step)
                for caller, _, _, behind in reversed(callers):
                    found = called_from(found, caller.spans[behind - 1])
                raise found from None
            except KeyboardInterrupt:
                raise KeyboardInterrupt(f"in {code.name}, {code.spans[step]}") from None
            if at == CALL:
                assert self.pending is not None
                called, arguments, target, following = self.pending
                callers.append((code, frame, target, following))
                code, frame, steps, at = called, new_frame(called, arguments, self), called.steps, 0
                continue
            assert at == RETURN
            if not callers:
                return self.returned
            code, frame, target, at = callers.pop()
            steps = code.steps
            frame[target] = self.returned[0] if len(self.returned) == 1 else self.returned


def new_frame(code: Code, arguments: Sequence[Any], machine: Machine) -> Frame:
    """The slots of a call: constants, arguments, and the machine that runs it."""
    frame = code.frame.copy()
    frame[MACHINE] = machine
    for slot, argument in zip(code.params, arguments, strict=True):
        frame[slot] = argument
    return frame
