"""The pytest plugin ``pypto_lite``: the fixture ``pass_test``, and ``--pl-accept``.

::

    def test_a_product_moves_its_operands(pass_test):
        @pl.program
        class Before:
            ...

        @pl.program
        class After:
            ...

        pass_test(Before, passes.infer_tile_memory_space(), After)

With ``--pl-accept`` the body of a class ``After`` that differs from what the pass gives is rewritten in the file, and
nothing else is. Look at the change before you commit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import pytest

from pypto_lite import ir
from pypto_lite.testing.accepting import Rewrite, RewriteError, apply, rewriting
from pypto_lite.testing.assertions import assert_pass

if TYPE_CHECKING:
    from pypto_lite.passes import Pass

ProgramType = TypeVar("ProgramType", bound=ir.Program)

OPTION: Final = "--pl-accept"


class Accepted:
    """The classes that are rewritten when all tests have run: until then their lines are where Python found them."""

    def __init__(self) -> None:
        self._rewrites: dict[tuple[str, int], Rewrite | None] = {}
        """By file and line; None for a class of which different programs are expected."""

    def add(self, rewrite: Rewrite) -> None:
        place = rewrite.file, rewrite.line
        known = self._rewrites.setdefault(place, rewrite)
        if known != rewrite:
            self._rewrites[place] = None
        assert known == rewrite, f"{rewrite} is expected of passes that give different programs: it is left alone"

    @property
    def rewrites(self) -> list[Rewrite]:
        return [rewrite for rewrite in self._rewrites.values() if rewrite is not None]


ACCEPTED: Final = pytest.StashKey[Accepted]()


class PassTest:
    """Calls check one run of a pass."""

    def __init__(self, accepted: Accepted | None) -> None:
        self._accepted = accepted

    def __call__(
        self, before: ProgramType, under_test: Pass, after: ir.Program | None = None, *, idempotent: bool = True
    ) -> ProgramType:
        """``testing.assert_pass``; with --pl-accept another program than ``after`` becomes what is expected.

        Raises AssertionError.
        """
        __tracebackhide__ = True
        if self._accepted is None:
            return assert_pass(before, under_test, after, idempotent=idempotent)
        actual = assert_pass(before, under_test, idempotent=idempotent)
        if after is not None and not ir.structural_equal(actual, after):
            try:
                self._accepted.add(rewriting(after, actual))
            except RewriteError as error:
                raise AssertionError(f"{OPTION} can't rewrite what is expected: {error}") from None
        return actual


@pytest.fixture
def pass_test(pytestconfig: pytest.Config) -> PassTest:
    """Checks a pass: ``pass_test(Before, the pass, After)``."""
    return PassTest(pytestconfig.stash.get(ACCEPTED, None))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pypto_lite")
    group.addoption(OPTION, action="store_true", help="rewrite classes After that a pass_test finds to be different")


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption(OPTION):
        return
    if getattr(config.option, "numprocesses", None) or hasattr(config, "workerinput"):
        raise pytest.UsageError(f"{OPTION} rewrites files, which one process has to do: add -n0")
    config.stash[ACCEPTED] = Accepted()


def pytest_sessionfinish(session: pytest.Session) -> None:
    accepted = session.config.stash.get(ACCEPTED, None)
    if accepted is not None:
        apply(accepted.rewrites)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    accepted = config.stash.get(ACCEPTED, None)
    for rewrite in accepted.rewrites if accepted is not None else ():
        terminalreporter.write_line(f"rewritten: {rewrite}")
