"""What a run can do beside computing: nothing here. The sanitizer watches the same places and says more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pypto_lite import ir
    from pypto_lite.interp.calls import Site
    from pypto_lite.interp.code import Code, Step


class Checks:
    """The places in a function where a run can be watched; each method may add steps to the code."""

    __slots__ = ()

    def enter_function(self, code: Code, function: ir.Function) -> None:
        """The function begins; its parameters have their values."""

    def leave_function(self, code: Code) -> None:
        """The function is about to return."""

    def call(self, code: Code, site: Site, arguments: Mapping[str, int], step: Step) -> Step:
        """The step of an operator's call, whose operands are in the slots ``arguments``, by name."""
        return step

    def assigned(self, code: Code, statement: ir.Assign) -> None:
        """The variable of an assignment has its value."""

    def joined(self, code: Code, joins: Sequence[ir.Var], slots: Sequence[int]) -> None:
        """What is in the slots flows into the joins: carries, or results of a loop or a branch."""

    def enter_loop(self, code: Code, loop: ir.For, carried: Sequence[int]) -> None:
        """A loop begins; ``carried`` are the slots of what it carries."""

    def next_iteration(self, code: Code, loop: ir.For, carried: Sequence[int]) -> None:
        """An iteration begins."""

    def leave_loop(self, code: Code, loop: ir.For, carried: Sequence[int]) -> None:
        """A loop is over."""


UNCHECKED: Final = Checks()
"""The checks of a run that only computes."""
