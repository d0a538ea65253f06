"""The pytest plugin: the fixture pass_test, and --pl-accept, which rewrites classes After and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pypto_lite import ir, passes
from pypto_lite import language as pl
from pypto_lite.testing.accepting import Rewrite, RewriteError, rewriting, rewritten
from pypto_lite.testing.plugin import Accepted, PassTest

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent.parent

FILE = '''\
"""A test of a pass."""

import pypto_lite.language as pl
from pypto_lite import passes


def test_a_product(pass_test):
    @pl.program
    class Before:
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.InOut[pl.Tensor[[16, 16], pl.FP32]]):
            a = pl.load(x, [0, 0], [16, 16])
            b = pl.matmul(a, a)
            pl.store(b, [0, 0], out)

    @pl.program
    class After:
        """What comes out."""

        # It will be another one.
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.InOut[pl.Tensor[[16, 16], pl.FP32]]):
            a = pl.load(x, [0, 0], [16, 16])  # this goes

    # This  stays.
    pass_test(Before, passes.infer_tile_memory_space(), After)


def test_nothing( ):
    pass
'''

NEW_BODY = """\
        @pl.function(type=pl.FunctionType.InCore)
        def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.InOut[pl.Tensor[[16, 16], pl.FP32]]):
            a = pl.load(x, [0, 0], [16, 16], target_memory=pl.MemorySpace.Vec)
            a_Left = pl.move(a, target_memory=pl.MemorySpace.Left)
            a_Right = pl.move(a, target_memory=pl.MemorySpace.Right)
            b = pl.matmul(a_Left, a_Right)
            pl.store(b, [0, 0], out)"""


@pytest.fixture
def run_pytest(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs pytest with the plugin on a file in an empty folder."""

    def run(content: bytes, *options: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "test_it.py").write_bytes(content)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "pypto_lite.testing.plugin"]
        return subprocess.run(
            [*command, *options, "test_it.py"],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def test_a_class_is_rewritten_and_then_the_test_passes(run_pytest: Any, tmp_path: Path) -> None:
    failed = run_pytest(FILE.encode())
    assert failed.returncode == 1
    assert "infer_tile_memory_space gives another program (+) than what is expected (-)" in failed.stdout
    assert "assertions.py" not in failed.stdout
    assert (tmp_path / "test_it.py").read_text() == FILE
    accepted = run_pytest(FILE.encode(), "--pl-accept")
    assert accepted.returncode == 0, accepted.stdout
    assert "rewritten: class After in" in accepted.stdout
    text = (tmp_path / "test_it.py").read_text()
    begin = FILE.index("        @pl.function", FILE.index("class After"))
    end = FILE.index("\n", FILE.index("# this goes"))
    assert text == FILE[:begin] + NEW_BODY + FILE[end:]
    assert run_pytest(text.encode()).returncode == 0


def test_what_passes_is_left_alone(run_pytest: Any, tmp_path: Path) -> None:
    run_pytest(FILE.encode(), "--pl-accept")
    before = (tmp_path / "test_it.py").read_bytes()
    accepted = run_pytest(before, "--pl-accept")
    assert accepted.returncode == 0
    assert "rewritten" not in accepted.stdout
    assert (tmp_path / "test_it.py").read_bytes() == before


# Rewriting


def rewrite(
    source: bytes, line: int, members: str = "    @new\n    def f():\n        g()\n", name: str = "After"
) -> bytes:
    return rewritten(source, [Rewrite("file.py", line, name, members, ())])


IMPORT = b"import pypto_lite.language as pl\n"


def test_other_bytes_stay() -> None:
    source = IMPORT + b"class After:\n  x =  1 ;y = 2  # \xc3\xa9\n\n\n\ndef  odd( ): pass \\\n\n"
    assert rewrite(source, 2) == (
        IMPORT + b"class After:\n  @new\n  def f():\n      g()\n\n\n\ndef  odd( ): pass \\\n\n"
    )


def test_line_ends_of_windows_stay() -> None:
    source = IMPORT.replace(b"\n", b"\r\n") + b"class After:\r\n    x = 1\r\ny = 2\r\n"
    expected = b"class After:\r\n    @new\r\n    def f():\r\n        g()\r\ny = 2\r\n"
    assert rewrite(source, 2) == IMPORT.replace(b"\n", b"\r\n") + expected


def test_the_encoding_stays() -> None:
    source = b"# coding: latin-1\n" + IMPORT + b"class After:\n    x = '\xe9'\ny = '\xe9'\n"
    assert rewrite(source, 3).endswith(b"    def f():\n        g()\ny = '\xe9'\n")


def test_tabs_stay() -> None:
    assert rewrite(IMPORT + b"if 1:\n\tclass After:\n\t\tx = 1\n", 3).endswith(
        b"\tclass After:\n\t\t@new\n\t\tdef f():\n\t\t    g()\n"
    )


def test_a_body_on_the_line_of_its_class() -> None:
    assert (
        rewrite(IMPORT + b"class After: pass\n", 2) == IMPORT + b"class After:\n    @new\n    def f():\n        g()\n"
    )


def test_several_classes_of_one_name() -> None:
    source = IMPORT + b"def a():\n    class After:\n        x = 1\ndef b():\n    class After:\n        x = 2\n"
    rewrites = [Rewrite("file.py", line, "After", f"    y = {line}\n", ()) for line in (3, 6)]
    assert rewritten(source, rewrites) == source.replace(b"x = 1", b"y = 3").replace(b"x = 2", b"y = 6")


def test_the_language_is_called_as_the_file_calls_it() -> None:
    source = b"from pypto_lite import language as lang\nclass After:\n    x = 1\n"
    members = "    def f(self, x: pl.Scalar[pl.FP32]):\n        apl.x(pl.exp)\n"
    assert b"def f(self, x: lang.Scalar[lang.FP32]):\n        apl.x(lang.exp)" in rewrite(source, 2, members)


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (b"import ast\nclass After:\n    x = 1\n", "does not import"),
        (IMPORT + b"class Other:\n    x = 1\n", "has the file changed"),
        (IMPORT + b"class After\n", "no Python"),
    ],
)
def test_what_can_not_be_rewritten(source: bytes, why: str) -> None:
    with pytest.raises(RewriteError, match=why):
        rewrite(source, 2)


def test_names_that_the_file_does_not_have() -> None:
    with pytest.raises(RewriteError, match=r"needs names that the file does not have: \['M'\]"):
        rewritten(IMPORT + b"class After:\n    x = 1\n", [Rewrite("file.py", 2, "After", "    y = 1\n", ("M",))])


# The fixture


@pl.program
class Before:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.InOut[pl.Tensor[[16, 16], pl.FP32]]):
        a = pl.load(x, [0, 0], [16, 16])
        pl.store(pl.exp(a), [0, 0], out)


@pl.program
class After:
    @pl.function(type=pl.FunctionType.InCore)
    def kernel(self, x: pl.Tensor[[16, 16], pl.FP32], out: pl.InOut[pl.Tensor[[16, 16], pl.FP32]]):
        a = pl.load(x, [0, 0], [16, 16])
        b = pl.exp(a)
        pl.store(b, [0, 0], out)


class Forgetful(passes.FlattenCalls):
    """Leaves out the exponential."""

    def run(self, program: Any) -> Any:
        def forget(call: ir.Call) -> ir.Expr:
            return call.args[0] if call.op == "tile.exp" else call

        return ir.rewrite(super().run(program), {ir.Call: forget})


def test_a_pass_that_is_right() -> None:
    after = PassTest(None)(Before, passes.flatten_calls(), After)
    assert isinstance(after, pl.Program)
    ir.assert_structural_equal(after, After)


def test_another_program_than_expected() -> None:
    with pytest.raises(AssertionError, match="flatten_calls gives another program"):
        PassTest(None)(Before, passes.flatten_calls(), Before)


def test_numbers_are_compared() -> None:
    expected = Forgetful().run(Before)
    with pytest.raises(AssertionError, match="a run of kernel gives something else: out differs in"):
        PassTest(None)(Before, Forgetful(), expected)


def test_one_class_for_two_programs() -> None:
    accepted = Accepted()
    accepted.add(rewriting(Before, After))
    accepted.add(rewriting(Before, After))
    with pytest.raises(AssertionError, match="is expected of passes that give different programs"):
        accepted.add(rewriting(Before, Forgetful().run(Before)))
    assert accepted.rewrites == []


class InPlace(passes.FlattenCalls):
    """Changes the program that it is given."""

    def run(self, program: Any) -> Any:
        program.functions["kernel"] = Forgetful().run(program).functions["kernel"]
        return program


def test_a_pass_that_changes_its_input() -> None:
    before = pl.parse(str(Before))
    with pytest.raises(AssertionError, match="in_place changed its input"):
        PassTest(None)(before, InPlace(), InPlace().run(pl.parse(str(Before))))


def test_what_a_wrong_pass_gives_is_not_accepted() -> None:
    accepted = Accepted()
    with pytest.raises(AssertionError, match="a run of kernel gives something else"):
        PassTest(accepted)(Before, Forgetful(), After)
    assert accepted.rewrites == []


def test_without_an_expected_program_the_rest_is_checked() -> None:
    ir.assert_structural_equal(PassTest(None)(Before, passes.flatten_calls()), After)
    with pytest.raises(AssertionError, match="a run of kernel gives something else"):
        PassTest(None)(Before, Forgetful())


def test_a_program_that_is_in_no_file() -> None:
    with pytest.raises(
        AssertionError, match="--pl-accept can't rewrite what is expected: 'Before' is no class in a file"
    ):
        PassTest(Accepted())(Before, passes.flatten_calls(), pl.parse(str(Before)))
