"""Programs and functions with what people call on them; no logic of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pypto_lite import ir, passes, printer
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.trace.caller import user_span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Self

    from pypto_lite.targets import Target


def _no_base(name: str) -> UserError:
    return UserError(
        Diagnostic(
            "PL115",
            f"{name!r} is a program or a function of kernels, which can't be the base of a class",
            user_span(),
            hint="functions of other programs can be called by their names: put them at module level",
        )
    )


class Program(ir.Program):
    """A traced program: ``print`` it, ``lower`` it. Passes and parsing make new ones; none is ever changed."""

    def lower(
        self,
        target: str | Target | None = "Ascend910B",
        *,
        until: str | None = None,
        verify: bool = True,
        instruments: Sequence[passes.Instrument] = (),
    ) -> Self:
        """The program with every tile in a memory space, as Python's own text too: ``print`` it.

        ``target`` is a name, a Target, or None for no target's limits; ``until`` names the last pass to run.
        Raises UserError where the program can't be placed on the target.
        """
        try:
            return passes.default_pipeline(target).run(self, verify=verify, instruments=instruments, until=until)
        except UserError as error:
            raise error.with_traceback(None) from None  # how we found out is nothing to show

    def as_python(self, concise: bool = False) -> str:
        """Its Python text, which ``pl.parse`` reads back; ``concise`` leaves out the types that tracing infers."""
        return printer.python_print(self, concise=concise)

    def __str__(self) -> str:
        return self.as_python()

    def __mro_entries__(self, bases: tuple[object, ...]) -> NoReturn:
        raise _no_base(self.name)  # else Python would call this class to make a class of it


class Function(ir.Function):
    """A traced function that belongs to no program: ``print`` it, ``lower`` it."""

    def lower(
        self,
        target: str | Target | None = "Ascend910B",
        *,
        until: str | None = None,
        verify: bool = True,
        instruments: Sequence[passes.Instrument] = (),
    ) -> Self:
        """The function with every tile in a memory space; the arguments are those of ``Program.lower``."""
        alone = Program(self.name, {self.name: self}, span=self.span)
        try:
            lowered = alone.lower(target, until=until, verify=verify, instruments=instruments)
        except UserError as error:
            raise error.with_traceback(None) from None
        (function,) = lowered.functions.values()
        return self.replace(body=function.body, params=function.params)

    def as_python(self, concise: bool = False) -> str:
        """Its Python text, which ``pl.parse`` reads back; ``concise`` leaves out the types that tracing infers."""
        return printer.python_print(self, concise=concise)

    def __str__(self) -> str:
        return self.as_python()

    def __mro_entries__(self, bases: tuple[object, ...]) -> NoReturn:
        raise _no_base(self.name)  # else Python would call this class to make a class of it
