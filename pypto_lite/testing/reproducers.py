"""What fuzzing found, as a pytest file that stands alone."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from pypto_lite.testing.strategies import Sample

TRACED: Final = "is_traced"
"""What fails where tracing refuses a program that was drawn."""


class Failure(NamedTuple):
    """A minimal program for which a property does not hold."""

    property: str
    sample: Sample
    message: str


LONGEST_MESSAGE: Final = 40
"""How many lines of what went wrong are kept."""

_TRACED: Final = '''\
"""{title}

{found}
"""

from pypto_lite.testing.campaign import trial_of
from pypto_lite.testing.properties import {name}
from pypto_lite.testing.strategies import Sample

PROGRAM = """\\
{text}"""


def test_{name}() -> None:
    {name}(trial_of(Sample(PROGRAM, seed={seed}, edit={edit})))


# {message}
'''

_REFUSED: Final = '''\
"""{title}

{found}
"""

import pypto_lite.language as pl

PROGRAM = """\\
{text}"""


def test_it_is_traced() -> None:
    pl.parse(PROGRAM)


# {message}
'''


def as_test_file(failure: Failure, found: str) -> tuple[str, str]:
    """The name and the text of a test that fails as a property did; ``found`` says how it came to light."""
    sample = failure.sample
    lines = failure.message.splitlines()
    shown = [*lines[:LONGEST_MESSAGE], *(["..."] if len(lines) > LONGEST_MESSAGE else [])]
    message = indent("\n".join(shown), "# ", lambda _: True)[2:].replace("\n# \n", "\n#\n")
    if failure.property == TRACED:
        title = "A program that tracing refuses."
        text = _REFUSED.format(title=title, found=found, text=sample.text, message=message)
        return "test_fuzzed_tracing.py", text
    text = _TRACED.format(
        title=f"A program for which {failure.property} does not hold.",
        found=found,
        name=failure.property,
        text=sample.text,
        seed=sample.seed,
        edit=sample.edit,
        message=message,
    )
    return f"test_fuzzed_{failure.property}.py", text
