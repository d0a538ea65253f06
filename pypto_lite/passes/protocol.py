"""What a pass is, and what a property of a program is that passes require and establish."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

from pypto_lite import ir
from pypto_lite.collector import garbage_collection_paused
from pypto_lite.diagnostics import Diagnostic, Note, Severity, UserError, did_you_mean
from pypto_lite.ir.node import dataclass_transform
from pypto_lite.targets import find_target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pypto_lite.targets import Target

ProgramType = TypeVar("ProgramType", bound=ir.Program)

Check: TypeAlias = "Callable[[ir.Program, Target | None], list[Diagnostic]]"
"""Finds everything in a program that contradicts a property; the target is None where none is chosen."""


class Property:
    """Something that can hold for a program; ``check`` lists all places where it does not.

    There is one object for each property, a constant of this package, so compare with ``is``.
    """

    __slots__ = ("check", "name")

    def __init__(self, name: str, check: Check) -> None:
        self.name = name
        self.check = check

    @property
    def documentation(self) -> str:
        """What the property says, in a sentence."""
        return (self.check.__doc__ or "").strip().partition("\n\n")[0]

    def __repr__(self) -> str:
        return self.name


@dataclass_transform(frozen_default=True)
class Pass:
    """The base of passes: takes a program and returns one, and never changes what it was given.

    A subclass says in its docstring what it does, lists its options as annotated fields with defaults (they are also
    command-line options), and defines ``run``. Where nothing changes, ``run`` returns the same program object. Two
    passes of one class with the same options are equal.
    """

    requires: ClassVar[frozenset[Property]] = frozenset()
    """What must hold for the program that comes in."""
    produces: ClassVar[frozenset[Property]] = frozenset()
    """What holds for the program that goes out, whether or not it held before."""
    invalidates: ClassVar[frozenset[Property]] = frozenset()
    """What may no longer hold; every other property that held still holds."""
    name: ClassVar[str] = "pass"
    """The class name in snake case: how the pipeline and the command line call the pass."""
    options: ClassVar[Mapping[str, Any]] = {}
    """The names of the fields and their defaults, in order."""

    target: Target | None = None
    """What properties are judged against: a pass that is made for a target has a field of this name, and takes names of
    targets too."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        cls.name = snake_case(cls.__name__)
        annotations: dict[str, Any] = vars(cls).get("__annotations__", {})
        own = [field for field, text in annotations.items() if "ClassVar" not in str(text)]
        cls.options = {**cls.options, **{field: vars(cls)[field] for field in own}}

    def __init__(self, *values: Any, **named: Any) -> None:
        names = tuple(self.options)
        if len(values) > len(names):
            raise TypeError(f"{type(self).__name__} has {len(names)} options, {len(values)} were given")
        given = {**dict(zip(names, values, strict=False)), **named}
        for unknown in given.keys() - self.options.keys():
            hint = did_you_mean(unknown, names)
            raise TypeError(f"{type(self).__name__} has no option {unknown!r}" + (f"; {hint}" if hint else ""))
        if isinstance(given.get("target"), str):
            given["target"] = find_target(given["target"])
        self.__dict__.update({**self.options, **given})

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"the options of a pass do not change: make another {type(self).__name__}")

    def run(self, program: ProgramType) -> ProgramType:
        """The transformation itself; does not look whether the required properties hold."""
        raise NotImplementedError(f"{type(self).__name__} does not define run")

    def __call__(self, program: ProgramType) -> ProgramType:
        """Checks that the required properties hold, then runs.

        Raises UserError PL310 for one that does not, or the finding alone where it is a scope (PL311); TypeError for
        what is no program.
        """
        check_program(program)
        with garbage_collection_paused():
            refuse(self, self.requires, program)
            return made_by(self, self.run(program))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        changed = {name: value for name, value in vars(self).items() if value != self.options[name]}
        if self.target is not None:
            changed["target"] = self.target.name  # as one would write it
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in changed.items())})"


def made_by(each: Pass, made: ProgramType) -> ProgramType:
    """What the run of a pass has returned; TypeError where that is no program."""
    if not isinstance(made, ir.Program):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"the pass {each.name} returns {made!r} instead of a program: does its run end in a return?")
    return made


def snake_case(name: str) -> str:
    """``InferTileMemorySpace`` as ``infer_tile_memory_space``, ``ConvertToSSA`` as ``convert_to_ssa``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def ordered(properties: Iterable[Property]) -> list[Property]:
    """Properties in the order of their names, so that messages do not depend on the hash seed."""
    return sorted(properties, key=lambda each: each.name)


def check_program(program: object) -> None:
    """Raises TypeError for what is no program, such as a function alone."""
    if isinstance(program, ir.Function):
        name = program.name
        raise TypeError(
            f"{name!r} is a function alone, a program is needed: ir.Program({name!r}, {{{name!r}: {name}}})"
        )
    if not isinstance(program, ir.Program):
        raise TypeError(f"a program is needed, not {program!r}")


def verify(program: ir.Program, properties: Iterable[Property], target: Target | str | None = None) -> list[Diagnostic]:
    """Everything in ``program`` that contradicts one of the properties; empty where all of them hold."""
    check_program(program)
    found = find_target(target)
    with garbage_collection_paused():
        return [finding for each in ordered(properties) for finding in each.check(program, found)]


def errors_of(each: Property, program: ir.Program, target: Target | None) -> list[Diagnostic]:
    """The findings of one property that are errors."""
    return [finding for finding in each.check(program, target) if finding.severity is Severity.ERROR]


def refuse(for_pass: Pass, properties: Iterable[Property], program: ir.Program) -> None:
    """Raises a UserError that names each of the properties that does not hold, the pass, and the place.

    Where there are scopes it names these alone: what else there is may only follow from them.
    """
    diagnostics: list[Diagnostic] = []
    for each in ordered(properties):
        diagnostics += [_refusal(for_pass, each, finding) for finding in errors_of(each, program, for_pass.target)]
    scopes = [each for each in diagnostics if each.code == SCOPE_NOT_LOWERED]
    if diagnostics:
        raise UserError(*(scopes or diagnostics))


def _refusal(for_pass: Pass, unmet: Property, finding: Diagnostic) -> Diagnostic:
    if finding.code == SCOPE_NOT_LOWERED:
        return finding
    return Diagnostic(
        "PL310",
        f"{for_pass.name} requires {unmet.name}, which does not hold: {finding.message}",
        finding.span,
        found=finding.found,
        expected=finding.expected,
        notes=(*finding.notes, Note(f"this is {finding.code}")),
        hint=finding.hint,
    )


SCOPE_NOT_LOWERED = "PL311"
"""The one finding that is no fault of the program, only more than this pipeline can do."""
