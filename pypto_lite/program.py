"""Programs and functions with what people call on them; no logic of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from pypto_lite import ir, passes
from pypto_lite.analysis.records import DECISIONS, USAGE
from pypto_lite.diagnostics import Diagnostic, UserError
from pypto_lite.trace.source.caller import user_span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Self

    from pypto_lite.analysis.records import Usages
    from pypto_lite.interp import Hook, Sanitizer
    from pypto_lite.report import Why
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


class _Lowered:
    """What tracing and lowering leave behind in programs and functions, by the names that people know."""

    __slots__ = ()
    records: Mapping[str, Any]

    @property
    def decisions(self) -> tuple[passes.Decision, ...]:
        """Why each tile lives where it does; none before placement."""
        return self.records.get(DECISIONS.name, DECISIONS.initial)

    @property
    def usage(self) -> Usages:
        """How much of each memory each in-core function needs; nothing before it was compared with capacities."""
        return self.records.get(USAGE.name, USAGE.initial)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The warnings and notes of tracing and of lowering."""
        return self.records.get(ir.DIAGNOSTICS.name, ir.DIAGNOSTICS.initial)


class Program(ir.Program, _Lowered):
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

    def run(
        self,
        function: str | None = None,
        *,
        arguments: Mapping[str, Any] | None = None,
        hook: Hook | None = None,
        debug: bool = False,
        sanitize: bool | str | Target | Sanitizer = False,
        **arrays: Any,
    ) -> Any:
        """Runs a function on numpy: arrays and numbers by the names of its parameters in, what it returns out.

        ``function`` is the entry by default: the orchestration function that nobody calls, or the only function. An
        array has the element type of its parameter (``ml_dtypes`` has those that numpy lacks). An ``Out`` may be left
        out; ``Out`` and ``InOut`` arrays are written, others are left alone. Only an ``InOut`` is read as it was given.
        What nothing was written to stays as it was in an ``Out`` that is given, and is zero in one that is left out.
        Several results come as a tuple; a function that returns nothing gives the ``Out`` arrays that were left out.

        A parameter that is called like one of the options here is given in ``arguments``, which has arguments by name,
        too: ``run(arguments={"hook": x}, y=y)``.

        ``hook`` is called after every statement with a ``Moment``, which knows the statement and the values. With
        ``debug`` every function runs as a Python function of the kernel's own lines, slower: a breakpoint that pdb or
        an editor sets in the kernel stops there, and the local variables are the values.

        ``sanitize`` checks during the run what the verifier promises before it, and more: spaces and moves, how full
        the memories are, valid regions, parallel iterations (PL511 to PL519, see ``interp.sanitizer``). ``True`` means
        the target that the program was lowered for; a name or a Target another one. What is worth a note is a Python
        warning at its line, or in the ``notes`` of an ``interp.Sanitizer``, where that is given.

        Raises UserError for arguments that do not fit (PL501 to PL503), and at the line of a kernel that uses elements
        without a value (PL504), leaves its arrays (PL505), or does what has no result (PL506 to PL508).
        """
        from pypto_lite import interp  # it needs numpy, which takes longer to import than all the rest

        try:
            return interp.run(self, function, arrays, arguments=arguments, hook=hook, debug=debug, sanitize=sanitize)
        except UserError as error:
            raise error.with_traceback(None) from None

    def why(self, value: str, function: str | None = None) -> Why:
        """Why the tiles called ``value`` live where they do, told in sentences: ``print`` it.

        ``value`` is a name as printed, or as written in the kernel. A program that was not lowered is lowered for the
        default target first. Raises UserError for a name that no tile has, and where tiles can't be placed.
        """
        from pypto_lite.report import why  # costs start-up time where nobody asks

        try:
            return why(self if self.decisions else self._placed(), value, function)
        except UserError as error:
            raise error.with_traceback(None) from None

    def _placed(self) -> ir.Program:
        """The program lowered for the default target, whether or not its tiles fit there."""
        try:
            return self.lower()
        except passes.CapacityError as error:
            return error.program

    def as_python(self, concise: bool = False) -> str:
        """Its Python text, which ``pl.parse`` reads back; ``concise`` leaves out the types that tracing infers."""
        from pypto_lite import printer  # costs start-up time where nothing is printed

        return printer.python_print(self, concise=concise)

    def __str__(self) -> str:
        return self.as_python()

    def __mro_entries__(self, bases: tuple[object, ...]) -> NoReturn:
        raise _no_base(self.name)  # else Python would call this class to make a class of it


class Function(ir.Function, _Lowered):
    """A traced function that belongs to no program: ``print`` it, ``lower`` it."""

    records: Mapping[str, Any] = {}

    def lower(
        self,
        target: str | Target | None = "Ascend910B",
        *,
        until: str | None = None,
        verify: bool = True,
        instruments: Sequence[passes.Instrument] = (),
    ) -> Self:
        """The function with every tile in a memory space; the arguments are those of ``Program.lower``."""
        try:
            lowered = self.alone().lower(target, until=until, verify=verify, instruments=instruments)
        except UserError as error:
            raise error.with_traceback(None) from None
        (function,) = lowered.functions.values()
        return self.replace(body=function.body, params=function.params, records=lowered.records)

    def why(self, value: str) -> Why:
        """Why the tiles called ``value`` live where they do; the rest is as in ``Program.why``."""
        try:
            return self.alone().why(value)
        except UserError as error:
            raise error.with_traceback(None) from None

    def run(
        self,
        *,
        arguments: Mapping[str, Any] | None = None,
        hook: Hook | None = None,
        debug: bool = False,
        sanitize: bool | str | Target | Sanitizer = False,
        **arrays: Any,
    ) -> Any:
        """Runs the function on numpy; arguments and result are those of ``Program.run``."""
        try:
            return self.alone().run(self.name, arguments=arguments, hook=hook, debug=debug, sanitize=sanitize, **arrays)
        except UserError as error:
            raise error.with_traceback(None) from None

    def alone(self) -> Program:
        """A program of this function alone."""
        return Program(self.name, {self.name: self}, self.records, span=self.span)

    def as_python(self, concise: bool = False) -> str:
        """Its Python text, which ``pl.parse`` reads back; ``concise`` leaves out the types that tracing infers."""
        from pypto_lite import printer  # costs start-up time where nothing is printed

        return printer.python_print(self, concise=concise)

    def __str__(self) -> str:
        return self.as_python()

    def __mro_entries__(self, bases: tuple[object, ...]) -> NoReturn:
        raise _no_base(self.name)  # else Python would call this class to make a class of it
