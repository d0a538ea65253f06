"""What the names in a kernel mean that the kernel itself does not define.

For decorated code that Python has run, that is what Python would find at the moment of decoration: cells of the
closure, locals of the enclosing functions, globals, builtins. For a text it is what ``module.py`` read from it.
"""

from __future__ import annotations

import builtins
from types import CodeType, FrameType, FunctionType
from typing import TYPE_CHECKING, Any, Final

from pypto_lite.diagnostics import Diagnostic, Note, Span, UserError, did_you_mean
from pypto_lite.trace.source.caller import user_frame

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from pypto_lite.trace.source.capture import SourceFile


class Missing:
    """The type of MISSING."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()
"""What ``find`` gives for a name without a value: None may be a value."""


class Unavailable:
    """What a name is bound to that has no static value in a text: using it is an error, which says why.

    ``problem`` is that error where running the text would not help.
    """

    def __init__(self, reason: str, span: Span, problem: Diagnostic | None = None) -> None:
        self.reason = reason
        self.span = span
        self.problem = problem


class Environment:
    """Names and their values, innermost scope first. Also a Scope for ``static_values.evaluate``."""

    def __init__(
        self,
        file: SourceFile,
        scopes: tuple[Mapping[str, Any], ...],
        *,
        live: bool,
        members: Collection[str] = (),
    ) -> None:
        self.file = file
        self.live = live
        self._scopes = scopes
        self._members = members

    def inner(self, names: Mapping[str, Any]) -> Environment:
        """The same environment seen from a scope inside it, such as a class body, that has these names of its own."""
        return Environment(self.file, (names, *self._scopes), live=self.live)

    def in_class(self, members: Collection[str]) -> Environment:
        """The same environment seen from a function in a class of these members: it can't see them by name alone."""
        return Environment(self.file, self._scopes, live=self.live, members=members)

    def find(self, name: str) -> Any:
        """The value of a name, or MISSING; an Unavailable where a text binds it to something that has no value."""
        for scope in self._scopes:
            if name in scope:
                return scope[name]
        return MISSING

    def value(self, node: ast.Name) -> Any:
        """The value of a name. Raises PL105 or PL116, at the name, where it has none."""
        found = self.find(node.id)
        if found is MISSING:
            raise self.unknown(node.id, self.file.span(node))
        if isinstance(found, Unavailable):
            raise unavailable(node.id, self.file.span(node), found)
        return found

    def unknown(self, name: str, span: Span, more: Iterable[str] = ()) -> UserError:
        """The error for a name that nothing defines; ``more`` are names it could also have been meant to be."""
        if name in self._members:
            hint = f"what the class binds is a member of it: write self.{name}"
        elif name == "self" and self._members:
            hint = "make self the first parameter of the function: def name(self, ...)"
        else:
            # Python's own names are no help: what kernels can call is in the language.
            own = [known for known in self.names() if known not in vars(builtins) and self._has_value(known)]
            hint = did_you_mean(name, dict.fromkeys([*more, *own]))
        return UserError(Diagnostic("PL105", f"unknown name {name!r}", span, hint=hint))

    def _has_value(self, name: str) -> bool:
        return not isinstance(self.find(name), Unavailable)

    def names(self) -> Iterator[str]:
        """All names with a value."""
        for scope in self._scopes:
            yield from scope

    def span(self, node: ast.AST) -> Span:
        return self.file.span(node)


def unavailable(name: str, span: Span, found: Unavailable) -> UserError:
    """The error for using a name that a text binds to something without a static value."""
    if found.problem is not None:
        return UserError(found.problem.replace(span=span, notes=[Note(f"{name!r} is bound here", found.span)]))
    return UserError(
        Diagnostic(
            "PL116",
            f"{name!r} has no value that is known without running the text",
            span,
            found=found.reason,
            expected="a constant of the text, or a name of the pl namespace or of math",
            notes=[Note(f"{name!r} is bound here", found.span)],
            hint="import the module instead of parsing its text, so that Python runs it",
        )
    )


def of_function(function: FunctionType, file: SourceFile) -> Environment:
    """The environment of a decorated Python function, as things stand now."""
    code = function.__code__
    cells: dict[str, Any] = {}
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            cells[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    module_globals = function.__globals__
    enclosing = _enclosing_locals(code) if "<locals>" in function.__qualname__ else ()
    return Environment(file, (cells, *enclosing, module_globals, vars(builtins)), live=True)


def _enclosing_locals(code: CodeType) -> list[dict[str, Any]]:
    """Snapshots of the locals of the running functions around a function, the innermost first.

    They are needed for names that only annotations use: those are in no closure where annotations are not evaluated
    (``from __future__ import annotations``). A frame encloses a function where the function's code, or that of the
    class around it, is a constant of the frame's code; decorators in between are passed over.
    """
    found: list[dict[str, Any]] = []
    inner: CodeType = code
    frame: FrameType | None = user_frame()
    while frame is not None:
        if _holds(frame.f_code, inner):
            inner = frame.f_code
            if frame.f_locals is not frame.f_globals:
                found.append(dict(frame.f_locals))
        frame = frame.f_back
    return found


def _holds(outer: CodeType, inner: CodeType) -> bool:
    """Whether ``inner`` is defined directly in ``outer``, or in a class body in it."""
    for constant in outer.co_consts:
        if constant is inner:
            return True
        if isinstance(constant, CodeType) and "__qualname__" in constant.co_names and _holds(constant, inner):
            return True
    return False
