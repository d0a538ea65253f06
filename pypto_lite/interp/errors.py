"""What can go wrong in a run, as coded errors; whoever knows the place in the source adds it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pypto_lite.diagnostics import Diagnostic, InternalError, Note, UserError
from pypto_lite.interp.storage import DEFINED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypto_lite.diagnostics import Span
    from pypto_lite.interp.code import Code
    from pypto_lite.interp.storage import Array, NDArray


class Use(NamedTuple):
    """An operand of a call, for messages: the operator, the operand, and the name of its value where it has one."""

    operator: str
    operand: str
    value: str | None

    def __str__(self) -> str:
        value = "" if self.value is None else f" ({self.value!r})"
        return f"{self.operand} of {self.operator}{value}"


def undefined_use(use: Use, array: Array, mask: NDArray) -> UserError:
    """PL504: an operator reads an element that nothing was written to."""
    return UserError(
        Diagnostic(
            "PL504",
            f"{use} has elements without a value",
            found=lacking(mask),
            expected="elements that were loaded, computed or written",
            notes=[Note("made here", array.made_at)] if array.made_at else [],
            hint="what is created, an Out, and what lies outside the valid region of a load have no value until they "
            "are written; an InOut has the values that it is given",
            operand=use.operand,
        )
    )


def lacking(mask: NDArray) -> str:
    """Which elements have no value, for a message."""
    missing = mask != DEFINED
    first = ", ".join(map(str, np.argwhere(missing)[0]))
    return f"{np.count_nonzero(missing)} of {mask.size} elements, the first at [{first}]"


def called_from(error: UserError, span: Span) -> UserError:
    """The error with the place of a call that led to it."""
    first, *others = error.diagnostics
    return UserError(first.replace(notes=[*first.notes, Note("called from here", span)]), *others)


def located(error: UserError, code: Code, step: int) -> UserError:
    """The error at the place of the step that raised it; an operand that it names is followed by the value's name."""
    values = code.operands.get(step, {})
    named = [
        each.replace(message=_with_names(each.message, values)) if each.code == "PL505" else each
        for each in error.diagnostics
    ]
    return UserError(*named).located(code.spans[step])


def _with_names(message: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\w+", lambda word: f"{word[0]} {values[word[0]]!r}" if word[0] in values else word[0], message)


def no_meaning(name: str, span: Span) -> UserError:
    """PL507: the operator is declared, but what it computes is not."""
    return UserError(
        Diagnostic("PL507", f"{name} has no meaning in a run on numpy", span, hint="it can be lowered, but not run")
    )


def region_too_large(valid: tuple[int, ...], shape: tuple[int, ...]) -> UserError:
    """PL505: the extents of a valid region are computed, and come to more than there is, or to less than nothing."""
    return UserError(
        Diagnostic(
            "PL505",
            "the valid region does not fit the shape",
            found=str(list(valid)),
            expected=f"at least 0 and at most {list(shape)}",
        )
    )


def not_a_view(name: str, operand: str) -> UserError:
    """PL507: elements that do not lie side by side are to be seen as elements of another width."""
    return UserError(
        Diagnostic(
            "PL507",
            f"{operand} of {name} does not lie in one piece, so its bytes cannot be seen as other elements",
            hint="copy it with pl.move first",
            operand=operand,
        )
    )


def wrong_outcome(name: str, found: tuple[int, ...], expected: tuple[int, ...]) -> InternalError:
    """The declaration of an operator is at odds with itself."""
    return InternalError(f"the meaning of {name} gives a shape of {list(found)}, its type says {list(expected)}")
